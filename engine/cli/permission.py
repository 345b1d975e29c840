"""Verbs about who may put right what: may, ask, consent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine.cli.common import db_option, emit, json_option, line_option, open_battle, open_log, print_step

if TYPE_CHECKING:
    from events.corrections import Correction

_KINDS = click.Choice(["undo", "strike", "amend"])


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("events", nargs=-1, type=click.IntRange(min=1))
@click.option("--what", type=_KINDS, default="undo", help="What is meant to be done with them.")
@json_option
@line_option
@db_option
def may(battle: str, seat: str, events: tuple[int, ...], what: Correction, as_json: bool, line: str, db: str) -> None:
    """Tell whether a seat may put right these events, or the last thing done, and why not. Exit code 1 if not."""
    import msgspec

    from engine.corrections.permission import may_correct

    with open_log(db) as log:
        found = may_correct(open_battle(log, battle, line), seat, events, what)
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        click.echo(f"{'yes' if found.allowed else 'no'} ({found.code}): {found.reason}")
    if not found.allowed:
        raise SystemExit(1)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("what", type=_KINDS)
@click.argument("events", nargs=-1, type=click.IntRange(min=1), required=True)
@click.option("--why", required=True, help="The reason, for the record.")
@line_option
@db_option
def ask(battle: str, seat: str, what: Correction, events: tuple[int, ...], why: str, line: str, db: str) -> None:
    """Ask for a correction that needs the consent of others."""
    from engine.corrections.permission import ask as request

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, request(table, seat, what, events, why))


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("number", type=int)
@click.option("--refuse", is_flag=True, help="Refuse it instead.")
@click.option("--why", default="", help="The reason, for the record.")
@line_option
@db_option
def consent(battle: str, seat: str, number: int, refuse: bool, why: str, line: str, db: str) -> None:
    """Consent to a correction that another seat has asked for."""
    from engine.corrections.permission import answer

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, answer(table, seat, number, not refuse, why))
