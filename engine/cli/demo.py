"""The verb `demo`: a whole battle, played by the simple AI through the ordinary commands, told as it happens."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.acting import door_to
from engine.cli.common import open_log

if TYPE_CHECKING:
    from engine.answers import Answer
    from engine.battle import Battle
    from engine.door import Door

SCENARIOS = {"dresda": "dresda_skirmish", "ice_and_fire": "if_field", "rhand": "rhand_duel"}
_MAX_STEPS = 2000


@click.command()
@click.argument("rule_set", default="dresda")
@click.option("--scenario", metavar="FILE", help="Another scenario, of any rule set.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="FILE", help="Keep the battle in this file.")
@click.option("--brief", is_flag=True, help="Outcomes only, no dice.")
def demo(rule_set: str, scenario: str | None, keep: Path | None, brief: bool) -> None:
    """Play a whole battle and tell it as it happens: of dresda, ice_and_fire or rhand; with --scenario, of any."""
    from engine.rules.rule_set import find_rules

    if scenario is None and find_rules(rule_set).name not in SCENARIOS:
        raise click.UsageError(f"{rule_set} comes without a scenario of its own: name one with --scenario")
    with tempfile.TemporaryDirectory() as folder:
        path = keep or Path(folder) / "demo.db"
        with open_log(str(path), write=True, make=True, durability="normal") as log:
            from engine.rules.schema import read_text
            from engine.scenario_files import find_scenario
            from events.commands import OpenBattle

            found = find_scenario(scenario or SCENARIOS[rule_set])
            door = door_to(log)
            door.execute(
                OpenBattle(battle="demo", scenario=read_text(found), folder=str(found.parent), referee="absent")
            )
            battle = door.battle("demo")
            map_ = "" if brief else f"\n\n{battle.fold.picture(battle.state)}"
            click.echo(f"{battle.state.table.title}{map_}\n")
            play_out(door, battle, lambda done: _tell(battle, done, brief))
            click.echo("" if brief else f"\n{battle.fold.picture(battle.state)}\n")
            _prove(battle)
            if keep:
                click.echo(f"The battle is kept: try `wardiary show demo --db {keep}`, log, explain, replay.")


def play_out(door: Door, battle: Battle, tell: Callable[[Answer], None]) -> None:
    """Let the rule set's simple AI play all sides until the battle is over; `tell` is called after each step."""
    from events.commands import Autoplay, Proceed

    name = battle.line.battle
    for _ in range(_MAX_STEPS):
        if battle.state.table.ended:
            return
        for seat in battle.state.table.seats:
            if battle.rules.autoplay(battle.situation(), seat.id):
                door.execute(Autoplay(battle=name, seat=seat.id))
        tell(door.execute(Proceed(battle=name)))


def _tell(battle: Battle, done: Answer, brief: bool) -> None:
    view = battle.view
    frames = view.frames(done.first - 1, done.last)
    for line in battle.fold.story(((each.event, each.before, view.caption(each)) for each in frames), brief):
        click.echo(line)


def _prove(battle: Battle) -> None:
    from replays.audit.verify import verify

    verdict = verify(battle.log, battle.line.battle)
    click.echo(
        f"{verdict.events} events; the chain holds; {verdict.proved} rolls proved from revealed secrets.\n"
        f"head: {verdict.heads['main']}"
    )
