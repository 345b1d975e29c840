"""Verbs that put right: undo, strike, amend, adopt, fact, stand, settle, ask, consent, may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.common import db_option, emit, json_option, line_option, open_battle, open_log, print_step, step_options

if TYPE_CHECKING:
    from engine.battle import Battle
    from engine.correction.plan import Plan, Wish
    from events.facts import Correction, DicePolicy

F = TypeVar("F", bound=Callable[..., Any])
_POLICIES = ("stand", "keep", "reroll-act", "reroll-phase")


def _ruling_options(command: F) -> F:
    """Add what every ruling takes: who, why, what becomes of the dice, and whether it is only looked at."""
    for option in (
        click.option("--preview", is_flag=True, help="Show what would change; change nothing."),
        click.option(
            "--dice", "policy", type=click.Choice(_POLICIES), required=True, help="What becomes of the dice: "
            "stand (a note only), keep (same rolls, same faces), or thrown anew for the act or the whole phase.",
        ),
        click.option("--why", required=True, help="The reason, for the record."),
        click.option("--seat", default="referee", help="Who makes it; players need the battle's permission."),
        line_option,
        json_option,
        db_option,
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@click.argument("battle")
@click.argument("point", default="-1")
@_ruling_options
def undo(
    battle: str, point: str, preview: bool, policy: DicePolicy, why: str, seat: str, line: str, as_json: bool, db: str
) -> None:
    """Take back everything after POINT (42, -1, t3, a bookmark); without it, the last thing that somebody did."""
    from replays.seek import find_point

    with open_log(db, write=not preview) as log:
        table = open_battle(log, battle, line)
        target = find_point(log, table.line, point) + 1
        _carry_out(table, _wish("undo", (min(target, table.seq),), seat, why, policy), preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("events", nargs=-1, type=click.IntRange(min=1), required=True)
@_ruling_options
def strike(
    battle: str, events: tuple[int, ...], preview: bool, policy: DicePolicy, why: str, seat: str, line: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Take acts out of the middle, named by one of their events; later acts are played again on top."""
    with open_log(db, write=not preview) as log:
        _carry_out(open_battle(log, battle, line), _wish("strike", events, seat, why, policy), preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("event", type=click.IntRange(min=1))
@click.option("--text", default="", help="The order that stands in place of this one.")
@click.option("--faces", metavar="3,5", help="The faces that these dice really showed.")
@click.option("--modifier", metavar="'-10 smoke'", help="A term that was forgotten in this check.")
@_ruling_options
def amend(
    battle: str, event: int, text: str, faces: str | None, modifier: str | None, preview: bool, policy: DicePolicy,
    why: str, seat: str, line: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Replace an order, the faces of a roll, or add a forgotten modifier; later acts are played again on top."""
    from msgspec.structs import replace

    from engine.cli.play import read_faces

    wish = _wish("amend", (event,), seat, why, policy)
    shown = read_faces(faces) if faces is not None else None
    wish = replace(wish, text=text, faces=shown, modifier=_modifier(modifier) if modifier else None)
    with open_log(db, write=not preview) as log:
        _carry_out(open_battle(log, battle, line), wish, preview, as_json)


def _modifier(text: str) -> tuple[str, int]:
    number, _, label = text.strip().partition(" ")
    sign, digits = (number[:1], number[1:]) if number[:1] in "+-" else ("+", number)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6 and label.strip()):
        raise click.UsageError(f"--modifier {text!r}: write a number and a label, such as '-10 smoke'")
    return label.strip(), int(digits) * (-1 if sign == "-" else 1)


def _wish(what: Correction, targets: tuple[int, ...], seat: str, why: str, policy: DicePolicy) -> Wish:
    from engine.correction.plan import Wish

    return Wish(what, targets, seat, why, policy)


def _carry_out(table: Battle, wish: Wish, preview: bool, as_json: bool) -> None:
    """Work the correction out, tell what it changes, and make it unless it is only looked at."""
    from engine.correction.permission import require
    from engine.correction.plan import plan
    from engine.correction.sign import sign

    if not preview:
        require(table, wish.seat, wish.targets)
    if wish.policy == "stand":
        if not preview:
            print_step(table, table.stand(wish.seat, wish.targets[0], wish.why))
        return
    made = plan(table, wish)
    if as_json:
        _emit_plan(made, preview)
    else:
        _tell_plan(made)
    if preview:
        click.echo("(a preview: nothing was recorded)", err=as_json)
        return
    line = sign(table, made)
    click.echo(f"line {line.name} is the battle now; {made.line} stays readable with `--line {made.line}`", err=as_json)


def _tell_plan(made: Plan) -> None:
    from replays.compare import counts

    for row in made.rows:
        if row.what == "different" and row.old and row.new:
            click.echo(f"  {row.old.seq:5d}  was  {row.old.caption}\n  {row.new.seq:5d}  now  {row.new.caption}")
        elif row.what == "gone" and row.old:
            click.echo(f"  {row.old.seq:5d}  gone {row.old.caption}")
        elif row.what == "new" and row.new:
            click.echo(f"  {row.new.seq:5d}  new  {row.new.caption}")
    found = counts(made.rows)
    click.echo(", ".join(f"{number} {what}" for what, number in found.items()))
    for held in made.held:
        click.echo(f"no longer possible, held for the referee as no. {held.number}: {held.text} — {held.reason}")
    for difference in made.field:
        click.echo(f"field  {difference}")


def _emit_plan(made: Plan, preview: bool) -> None:
    import msgspec

    rows = [
        {
            "what": row.what,
            "act": row.act,
            "old": {"seq": row.old.seq, "caption": row.old.caption} if row.old else None,
            "new": {"seq": row.new.seq, "caption": row.new.caption} if row.new else None,
        }
        for row in made.rows
    ]
    emit(
        {
            "preview": preview,
            "line": made.name,
            "forked_after": made.after,
            "rows": rows,
            "held": msgspec.to_builtins(made.held),
            "field": made.field,
        }
    )


@click.command()
@click.argument("battle")
@click.argument("other")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--seat", default="referee")
@db_option
def adopt(battle: str, other: str, why: str, seat: str, db: str) -> None:
    """Make another line the battle: to undo an undo, or to adopt a what-if line."""
    from engine.correction.sign import adopt as make
    from events.errors import CorrectionNotAllowed

    if seat != "referee":
        raise CorrectionNotAllowed("referee-only", "only the referee adopts a line")
    with open_log(db, write=True) as log:
        made = make(open_battle(log, battle), other, seat, why)
        click.echo(f"line {made.name} is the battle now; it carries on from {other}")


@click.command()
@click.argument("battle")
@click.argument("text")
@click.option("--why", required=True, help="The reason, for the record.")
@line_option
@step_options
@db_option
def fact(battle: str, text: str, why: str, line: str, expect: int | None, request: str | None, db: str) -> None:
    """Let the referee set a fact, here and now: wardiary fact ford "aldric: prone" --why "he slipped"."""
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, table.state_fact(text, why, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("number", type=int)
@click.option("--text", default="", help="An order in its place; without it, it is dropped.")
@click.option("--why", default="", help="The reason, for the record.")
@line_option
@step_options
@db_option
def settle(
    battle: str, number: int, text: str, why: str, line: str, expect: int | None, request: str | None, db: str
) -> None:
    """Settle something that a correction could not play again: give an order in its place, or drop it."""
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, table.settle(number, text, why, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("events", nargs=-1, type=click.IntRange(min=1), required=True)
@json_option
@line_option
@db_option
def may(battle: str, seat: str, events: tuple[int, ...], as_json: bool, line: str, db: str) -> None:
    """Tell whether a seat may put right these events, and why not. Exit code 1 if it may not."""
    import msgspec

    from engine.correction.permission import may_correct

    with open_log(db) as log:
        found = may_correct(open_battle(log, battle, line), seat, events)
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        click.echo(f"{'yes' if found.allowed else 'no'} ({found.code}): {found.reason}")
    if not found.allowed:
        raise SystemExit(1)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("what", type=click.Choice(["undo", "strike", "amend"]))
@click.argument("events", nargs=-1, type=click.IntRange(min=1), required=True)
@click.option("--why", required=True, help="The reason, for the record.")
@line_option
@db_option
def ask(battle: str, seat: str, what: Correction, events: tuple[int, ...], why: str, line: str, db: str) -> None:
    """Ask for a correction that needs the consent of others."""
    from engine.correction.permission import ask as request

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
    from engine.correction.permission import answer

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, answer(table, seat, number, not refuse, why))
