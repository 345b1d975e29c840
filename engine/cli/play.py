"""Verbs that act: new, next, roll, rule, stir."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.common import db_option, line_option, open_battle, open_log, print_step, print_waiting, step_options


@click.command()
@click.argument("battle")
@click.option("--scenario", required=True, metavar="FILE", help="A scenario file, or the name of one that comes along.")
@click.option("--tables", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Your own tables.")
@click.option("--by-hand", multiple=True, metavar="SEAT", help="A seat that enters its own dice; may be repeated.")
@click.option("--referee", type=click.Choice(["present", "absent"]), help="Absent: questions take their default.")
@db_option
def new(
    battle: str, scenario: str, folder: Path | None, by_hand: tuple[str, ...], referee: str | None, db: str
) -> None:
    """Open a battle from a scenario file."""
    from msgspec.structs import replace

    from engine.opening import open_battle as begin
    from engine.opening import read_scenario
    from engine.scenario_files import find_scenario

    read = read_scenario(find_scenario(scenario))
    read = replace(read, by_hand=by_hand or read.by_hand, referee=referee or read.referee)
    with open_log(db, write=True, make=True) as log:
        begin(log, battle, read, tables_folder=folder)
        table = open_battle(log, battle)
        click.echo(table.fold.picture(table.state))
        print_waiting(table)


@click.command(name="next")
@click.argument("battle")
@click.option("--by-hand", multiple=True, metavar="SEAT", help="A seat that enters its dice in this act.")
@click.option(
    "--act", default="", metavar="ACT", help="The act that is meant, such as t3/move; refuse if it is not next."
)
@line_option
@step_options
@db_option
def next(  # noqa: A001
    battle: str, by_hand: tuple[str, ...], act: str, line: str, expect: int | None, request: str | None, db: str
) -> None:
    """Close the orders and resolve up to the next point where a person must act."""
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, table.proceed(by_hand=by_hand, act=act, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("key", required=False)
@click.option("--faces", metavar="3,5", help="The faces that fell, with commas.")
@click.option("--draw", is_flag=True, help="Let the engine draw dice that were to be entered.")
@click.option("--seat", default="referee", help="Who enters them.")
@line_option
@step_options
@db_option
def roll(
    battle: str, key: str | None, faces: str | None, draw: bool, seat: str, line: str, expect: int | None,
    request: str | None, db: str,
) -> None:  # fmt: skip
    """See the dice that are waited for, or give them: --faces for dice on the table, --draw for the engine's.

    With --draw and no KEY, everything that is waited for is drawn.
    """
    from engine.errors import NothingPending

    with open_log(db, write=bool(faces or draw)) as log:
        table = open_battle(log, battle, line)
        waiting = table.state.table
        if faces is None and not draw:
            if key is not None and key not in waiting.called:
                raise NothingPending(key, [*waiting.called, *waiting.asked])
            print_waiting(table)
            return
        if faces is not None and draw:
            raise click.UsageError("give --faces or --draw, not both")
        if key is None and faces is not None:
            raise click.UsageError("say which roll: `wardiary roll BATTLE` lists the keys")
        keys = [key] if key is not None else list(waiting.called)
        if not keys:
            raise click.UsageError("the battle waits for no dice")
        shown = None if draw else read_faces(faces or "")
        print_step(table, table.roll(dict.fromkeys(keys, shown), seat=seat, expected=expect, request=request))


def read_faces(text: str) -> tuple[int, ...]:
    """Read faces as they are typed: numbers with commas or spaces between them."""
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdecimal() and len(word) <= 9):
            raise click.UsageError(f"--faces {text!r}: {word!r} is no number; write them as 3,5")
    return tuple(int(word) for word in words)


@click.command()
@click.argument("battle")
@click.argument("key", required=False)
@click.argument("answer", required=False)
@click.option("--why", default="", help="The reason, for the record.")
@line_option
@step_options
@db_option
def rule(
    battle: str, key: str | None, answer: str | None, why: str, line: str, expect: int | None, request: str | None,
    db: str,
) -> None:  # fmt: skip
    """See the questions put to the referee, or answer one."""
    if key is not None and answer is None:
        raise click.UsageError("give KEY and ANSWER: `wardiary rule BATTLE` lists the questions")
    with open_log(db, write=key is not None) as log:
        table = open_battle(log, battle, line)
        if key is None or answer is None:
            print_waiting(table)
            return
        print_step(table, table.rule(key, answer, why, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("nonce")
@line_option
@step_options
@db_option
def seed(battle: str, seat: str, nonce: str, line: str, expect: int | None, request: str | None, db: str) -> None:
    """Stir a seat's own words into all later dice, so that whoever keeps the secrets cannot have chosen them."""
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, table.seed(seat, nonce, expected=expect, request=request))
