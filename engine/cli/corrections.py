"""Verbs that put right: undo, strike, amend, adopt, fact, settle."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.common import (
    db_option,
    emit,
    json_option,
    line_option,
    open_battle,
    open_log,
    print_label,
    print_step,
    step_options,
)

if TYPE_CHECKING:
    from engine.battle import Battle
    from engine.corrections.plan import CorrectionRequest
    from events.corrections import Correction, DicePolicy

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
        click.option("--override", "overrides", is_flag=True, help="By the referee, after its time is over."),
        click.option("--expect", type=int, metavar="SEQ", help="Refuse if the battle has moved on past this event."),
        line_option,
        json_option,
        db_option,
    ):  # fmt: skip
        command = option(command)
    return command


class _Acts(click.Command):
    """A command to which a point such as `-1`, one act back, is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a point that looks like an option behind all options."""
        flags = {name for each in self.params if isinstance(each, click.Option) and each.is_flag for name in each.opts}
        free = [not before.startswith("-") or before in flags for before in ["", *args]]
        back = [place for place, arg in enumerate(args) if free[place] and arg[:1] == "-" and arg[1:].isdecimal()]
        if back and "--" not in args:
            args = [*(arg for place, arg in enumerate(args) if place not in back), "--", *(args[each] for each in back)]
        return super().parse_args(ctx, args)


@click.command(cls=_Acts)
@click.argument("battle")
@click.argument("point", required=False)
@_ruling_options
def undo(battle: str, point: str | None, preview: bool, line: str, as_json: bool, db: str, **ruling: Any) -> None:
    """Take back everything after POINT (42, -1, t3, a bookmark); without it, the last thing that somebody did."""
    from engine.corrections.history_slice import first_after
    from replays.points import find_point

    with open_log(db, write=not preview) as log:
        table = open_battle(log, battle, line)
        targets = (first_after(table, find_point(table.view, point)),) if point is not None else ()
        _carry_out(table, _wish("undo", targets, **ruling), ruling["expect"], preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("events", nargs=-1, type=click.IntRange(min=1))
@click.option("--shared", metavar="PIECE", default="", help="All that a piece used twice in a turn was used for.")
@click.option("--turn", type=click.IntRange(min=1), default=None, help="The turn for --shared; without it, this one.")
@_ruling_options
def strike(
    battle: str, events: tuple[int, ...], shared: str, turn: int | None, preview: bool, line: str, as_json: bool,
    db: str, **ruling: Any,
) -> None:  # fmt: skip
    """Take acts out of the middle, named by one of their events; later acts are played again on top."""
    from engine.corrections.shared import orders_of

    if bool(events) == bool(shared):
        raise click.UsageError("name the EVENTS to strike, or a piece with --shared")
    with open_log(db, write=not preview) as log:
        table = open_battle(log, battle, line)
        targets = orders_of(table, shared, turn or 0) if shared else events
        _carry_out(table, _wish("strike", targets, **ruling), ruling["expect"], preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("event", type=click.IntRange(min=1))
@click.option("--text", default="", help="The order that stands in place of this one.")
@click.option("--faces", metavar="3,5", help="The faces that these dice really showed.")
@click.option("--modifier", metavar="'-10 smoke'", help="A term that was forgotten in this check.")
@click.option("--answer", default="", help="The answer that stands in place of this ruling.")
@_ruling_options
def amend(
    battle: str, event: int, text: str, faces: str | None, modifier: str | None, answer: str, preview: bool, line: str,
    as_json: bool, db: str, **ruling: Any,
) -> None:  # fmt: skip
    """Replace an order, the faces of a roll, a ruling, or add a forgotten modifier; later acts are played again."""
    from msgspec.structs import replace

    from engine.cli.play import read_faces

    wish = _wish("amend", (event,), **ruling)
    shown = read_faces(faces) if faces is not None else None
    term = _modifier(modifier) if modifier else None
    wish = replace(wish, text=text, faces=shown, modifier=term, answer=answer)
    with open_log(db, write=not preview) as log:
        _carry_out(open_battle(log, battle, line), wish, ruling["expect"], preview, as_json)


def _modifier(text: str) -> tuple[str, int]:
    number, _, label = text.strip().partition(" ")
    sign, digits = (number[:1], number[1:]) if number[:1] in "+-" else ("+", number)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6 and label.strip()):
        raise click.UsageError(f"--modifier {text!r}: write a number and a label, such as '-10 smoke'")
    return label.strip(), int(digits) * (-1 if sign == "-" else 1)


def _wish(
    what: Correction, targets: tuple[int, ...], *, seat: str, why: str, policy: DicePolicy, overrides: bool, **_: Any
) -> CorrectionRequest:
    from engine.corrections.plan import CorrectionRequest

    return CorrectionRequest(what, targets, seat, why, policy, overrides=overrides)


def _carry_out(table: Battle, wish: CorrectionRequest, expect: int | None, preview: bool, as_json: bool) -> None:
    """Work the correction out, tell what it changes, and make it unless it is only looked at."""
    from engine.cli.correction_text import print_plan
    from engine.corrections.apply import apply_correction
    from engine.corrections.permission import require
    from engine.corrections.plan import plan
    from events.store.errors import Conflict

    if expect is not None and expect != table.seq:
        between = tuple(table.log.records(table.line, expect, table.seq))
        raise Conflict(table.line.battle, table.line.name, expect, table.seq, between)
    if not preview:
        require(table, wish.seat, wish.targets, wish.what, policy=wish.policy, overrides=wish.overrides)
    if wish.policy == "stand":
        _let_stand(table, wish, preview, as_json)
        return
    made = plan(table, wish)
    if not as_json:
        print_label(table.view)
    line = None if preview else apply_correction(table, made)
    print_plan(made, line, table.line.played, as_json)


def _let_stand(table: Battle, wish: CorrectionRequest, preview: bool, as_json: bool) -> None:
    from engine.corrections.history_slice import last_input

    targets = wish.targets or (last_input(table).at,)
    if preview:
        for target in targets:
            table.check_event(target)
    else:
        done = [table.stand(wish.seat, target, wish.why) for target in targets]
    if as_json:
        emit({"preview": preview, "line": table.line.name, "played": table.line.played, "stand": list(targets)})
    elif preview:
        click.echo(f"event {', '.join(map(str, targets))} would stand as it is: a note of the ruling, no more")
        click.echo("(a preview: nothing was recorded)")
    else:
        for each in done:
            print_step(table, each)


@click.command()
@click.argument("battle")
@click.argument("other", required=False, default="")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--dice", "policy", type=click.Choice(["keep", "reroll-act"]), default="keep",
              help="Rolls that fell since the lines parted: same faces when called again, or thrown anew.")  # fmt: skip
@click.option("--seat", default="referee")
@db_option
def adopt(battle: str, other: str, why: str, policy: DicePolicy, seat: str, db: str) -> None:
    """Make another line the battle: without OTHER the one that was put right last, which undoes that ruling."""
    from engine.corrections.apply import adopt as make
    from engine.errors import CorrectionNotAllowed

    if seat != "referee":
        raise CorrectionNotAllowed("referee-only", "only the referee adopts a line")
    with open_log(db, write=True) as log:
        made = make(open_battle(log, battle), other, seat, why, policy)
        click.echo(f"line {made.name} is the battle now; it carries on from {made.parent}")


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
@click.argument("number", type=int, required=False)
@click.option("--again", is_flag=True, help="Give it again as it was; without NUMBER, all of it, as far as it goes.")
@click.option("--text", default="", help="An order in its place.")
@click.option("--drop", is_flag=True, help="Drop it.")
@click.option("--why", default="", help="The reason, for the record.")
@line_option
@step_options
@json_option
@db_option
def settle(
    battle: str, number: int | None, again: bool, text: str, drop: bool, why: str, line: str, expect: int | None,
    request: str | None, as_json: bool, db: str,
) -> None:  # fmt: skip
    """See what a correction could not play again, or settle it: --again, --text in its place, or --drop."""
    from engine.cli.correction_text import print_held
    from engine.corrections.settle import settle as make
    from engine.corrections.settle import settle_all

    if sum((again, bool(text), drop)) > 1 or (number is None and (text or drop)):
        raise click.UsageError("give NUMBER with one of --again, --text and --drop, or --again alone for everything")
    if number is not None and not (again or text or drop):
        raise click.UsageError("say what becomes of it: --again, --text in its place, or --drop")
    with open_log(db, write=again or bool(text) or drop) as log:
        table = open_battle(log, battle, line)
        if number is not None:
            print_step(table, make(table, number, text, why, again=again, expected=expect, request=request))
        elif again:
            print_step(table, settle_all(table, why, expected=expect, request=request))
        else:
            print_held(table.state.table.held, as_json)
