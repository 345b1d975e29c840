"""Verbs about who may correct what: may, ask, consent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.cli.acting import act, act_options, open_door, read_faces, read_modifier, typed
from engine.cli.common import db_option, emit, json_option, line_option

if TYPE_CHECKING:
    from engine.answers import Answer
    from engine.battle import Battle
    from events.commands import Amend, Strike, Undo
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
    """Tell whether a seat may correct these events, or the last thing done, and why not. Exit code 1 if not."""
    import msgspec

    from engine.corrections.permission import may_correct
    from engine.corrections.request import CorrectionRequest

    with open_door(db, write=False) as door:
        table = door.battle(battle, line)
        table.check_seat(seat)
        found = may_correct(table, CorrectionRequest(what, events, seat, "", "keep"))
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        advice = f": `wardiary ask {battle} {seat}`" if found.code == "needs-consent" else ""
        click.echo(f"{'yes' if found.allowed else 'no'} ({found.code}): {found.reason}{advice}")
    if not found.allowed:
        raise SystemExit(1)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("what", type=_KINDS)
@click.argument("events", nargs=-1, type=click.IntRange(min=1), required=True)
@click.option("--text", default="", help="For amend: the order that is to stand in place of this one.")
@click.option("--faces", metavar="3,5", help="For amend: the faces that these dice really showed.")
@click.option("--modifier", metavar="'-10 smoke'", help="For amend: a term that was forgotten in this check.")
@click.option("--answer", default="", help="For amend: the answer that is to stand in place of this ruling.")
@click.option("--why", required=True, help="The reason, for the record.")
@act_options
def ask(
    battle: str, seat: str, what: str, events: tuple[int, ...], line: str, expect: int | None, request: str,
    as_json: bool, db: str, **given: Any,
) -> None:  # fmt: skip
    """Ask for a correction that needs the consent of others: for exactly this one, as things stand now.

    For undo, name the first event that is to be taken back. Everybody can read what is asked for.
    """
    from events.commands import AskConsent

    wanted = _wanted(battle, seat, what, events, **given)
    command = AskConsent(battle=battle, line=line, seat=seat, correction=wanted, expected=expect, request=request)
    with open_door(db) as door:
        act(door, command, as_json, lambda battle, answer: _say_how(battle, answer))


def _wanted(
    battle: str, seat: str, what: str, events: tuple[int, ...], *, text: str, faces: str | None, modifier: str | None,
    answer: str, why: str,
) -> Undo | Strike | Amend:  # fmt: skip
    from events.commands import Amend, Strike, Undo

    replaced = any((text, faces, modifier, answer))
    if what == "amend":
        if len(events) != 1 or not replaced:
            raise click.UsageError("name one event to amend, and say what replaces it: --text, --faces, …")
        return Amend(
            battle=battle, seat=seat, event=events[0], text=text, faces=read_faces(faces) if faces else None,
            modifier=read_modifier(modifier) if modifier else None, answer=answer, why=why,
        )  # fmt: skip
    if replaced:
        raise click.UsageError(f"{what} replaces nothing: leave --text, --faces, --modifier and --answer out")
    if what == "strike":
        return Strike(battle=battle, seat=seat, events=events, why=why)
    if len(events) != 1:
        raise click.UsageError("name the one event from which on everything is to be taken back")
    return Undo(battle=battle, seat=seat, before=events[0], why=why)


def _say_how(battle: Battle, answer: Answer) -> None:
    """Say how the others consent."""
    asked = battle.state.table.requests.get(answer.number)
    for seat in asked.needed if asked is not None else ():
        click.echo(f"{seat} consents with: wardiary consent {answer.battle} {seat} {answer.number}")


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("number", type=int)
@click.option("--refuse", is_flag=True, help="Refuse it instead.")
@click.option("--why", default="", help="The reason, for the record.")
@act_options
def consent(
    battle: str, seat: str, number: int, refuse: bool, why: str, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Consent to a correction that another seat has asked for. Once all have, the answer says what to type."""
    from events.commands import AnswerConsent

    command = AnswerConsent(
        battle=battle, line=line, seat=seat, number=number, consents=not refuse, why=why, expected=expect,
        request=request,
    )  # fmt: skip

    def more(_: Battle, answer: Answer) -> None:
        if answer.granted is not None:
            click.echo(f"all have consented; {answer.granted.seat} can now type:\n    {typed(answer.granted)}")

    with open_door(db) as door:
        act(door, command, as_json, more)
