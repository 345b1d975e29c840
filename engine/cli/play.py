"""Verbs that act: new, next, roll, rule, seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.acting import act, act_options, open_door, read_faces, told
from engine.cli.common import db_option, emit, json_option, print_waiting

if TYPE_CHECKING:
    from engine.battle import Battle


@click.command()
@click.argument("battle")
@click.option("--scenario", required=True, metavar="FILE", help="A scenario file, or the name of a bundled one.")
@click.option("--tables", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Your own tables.")
@click.option("--by-hand", multiple=True, metavar="SEAT", help="A seat that enters its own dice; may be repeated.")
@click.option("--referee", type=click.Choice(["present", "absent"]), help="Absent: questions take their default.")
@click.option("--request", default="", metavar="KEY", help="Idempotency key: the same command with the same key is "
              "done once, and then answered again.")  # fmt: skip
@json_option
@db_option
def new(
    battle: str, scenario: str, folder: Path | None, by_hand: tuple[str, ...], referee: str | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Open a battle from a scenario file."""
    from engine.rules.schema import read_text
    from engine.scenario_files import find_scenario
    from events.commands import OpenBattle

    path = find_scenario(scenario)
    command = OpenBattle(
        battle=battle, scenario=read_text(path), folder=str(path.parent), tables=str(folder or ""), by_hand=by_hand,
        referee=referee or "", request=request,
    )  # fmt: skip
    with open_door(db, make=True) as door:
        answer = door.execute(command)
        with told(answer):
            if as_json:
                emit(answer)
                return
            opened = door.battle(battle)
            click.echo(opened.fold.picture(opened.state))
            print_waiting(opened)


@click.command(name="next")
@click.argument("battle")
@click.option("--by-hand", multiple=True, metavar="SEAT", help="A seat that enters its dice in this act.")
@click.option(
    "--act",
    "meant",
    default="",
    metavar="ACT",
    help="The act that is meant, such as t3/move; refuse if it is not next.",
)
@click.option("--seat", default="referee", help="Who says so; a seat may where there is no referee.")
@act_options
def next(  # noqa: A001
    battle: str, by_hand: tuple[str, ...], meant: str, seat: str, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Close the orders and resolve up to the next point where a person must act."""
    from events.commands import Proceed

    command = Proceed(
        battle=battle, line=line, seat=seat, act=meant, by_hand=by_hand, expected=expect, request=request
    )  # fmt: skip
    with open_door(db) as door:
        act(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("key", required=False)
@click.option("--faces", metavar="3,5", help="The faces that were rolled, with commas.")
@click.option("--draw", is_flag=True, help="Let the engine roll dice that were to be entered.")
@click.option("--seat", default="referee", help="Who enters them.")
@act_options
def roll(
    battle: str, key: str | None, faces: str | None, draw: bool, seat: str, line: str, expect: int | None,
    request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """See the dice that are waited for, or give them: --faces for dice on the table, --draw for the engine's.

    With --draw and no KEY, everything that is waited for is rolled.
    """
    from engine.errors import NothingPending
    from events.commands import EnterDice

    if faces is not None and draw:
        raise click.UsageError("give --faces or --draw, not both")
    if key is None and faces is not None:
        raise click.UsageError("say which roll: `wardiary roll BATTLE` lists the keys")
    with open_door(db, write=faces is not None or draw) as door:
        if faces is None and not draw:
            table = door.battle(battle, line).state.table
            if key is not None and key not in table.called:
                raise NothingPending(key, [*table.called, *table.asked])
            _show_pending(door.battle(battle, line), as_json)
            return
        dice = {key: None if draw else read_faces(faces or "")} if key is not None else {}
        command = EnterDice(battle=battle, line=line, seat=seat, dice=dice, expected=expect, request=request)
        act(door, command, as_json)


def _show_pending(battle: Battle, as_json: bool) -> None:
    """Tell what the battle waits for, without doing anything."""
    from engine.answers import pending_of

    if as_json:
        emit(pending_of(battle.state.table, battle.next_act()))
    else:
        print_waiting(battle)


@click.command()
@click.argument("battle")
@click.argument("key", required=False)
@click.argument("answer", required=False)
@click.option("--why", default="", help="The reason, for the record.")
@click.option("--seat", default="referee", help="Who answers.")
@act_options
def rule(
    battle: str, key: str | None, answer: str | None, why: str, seat: str, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """See the questions put to the referee, or answer one."""
    from events.commands import AnswerRuling

    if key is not None and answer is None:
        raise click.UsageError("give KEY and ANSWER: `wardiary rule BATTLE` lists the questions")
    with open_door(db, write=key is not None) as door:
        if key is None or answer is None:
            _show_pending(door.battle(battle, line), as_json)
            return
        command = AnswerRuling(
            battle=battle, line=line, seat=seat, key=key, answer=answer, why=why, expected=expect, request=request
        )
        act(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("words")
@act_options
def seed(
    battle: str, seat: str, words: str, line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Mix a seat's own words into all later dice, so that whoever keeps the secrets cannot have chosen them."""
    from events.commands import AddClientSeed

    command = AddClientSeed(battle=battle, line=line, seat=seat, seed=words, expected=expect, request=request)
    with open_door(db) as door:
        act(door, command, as_json)
