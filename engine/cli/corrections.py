"""Verbs that correct: undo, strike, amend, adopt, fact, settle."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.acting import act, act_options, open_door, read_faces, read_modifier, told
from engine.cli.common import emit, print_label

if TYPE_CHECKING:
    from events.commands import Amend, LetStand, Strike, Undo
    from events.corrections import DicePolicy

F = TypeVar("F", bound=Callable[..., Any])
_POLICIES = ("stand", "keep", "reroll-act", "reroll-phase")


def _ruling_options(command: F) -> F:
    """Add what every ruling takes: who, why, what becomes of the dice, and whether it is only looked at."""
    for option in (
        click.option("--preview", is_flag=True, help="Show what would change; change nothing."),
        click.option(
            "--dice", "policy", type=click.Choice(_POLICIES), required=True, help="What becomes of the dice: "
            "stand (a note only), keep (same rolls, same faces), or rerolled for the act or the whole phase.",
        ),
        click.option("--why", required=True, help="The reason, for the record."),
        click.option("--seat", default="referee", help="Who makes it; players need the battle's permission."),
        click.option("--override", is_flag=True, help="By the referee, after its time is over."),
    ):  # fmt: skip
        command = option(command)
    return act_options(command)


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
def undo(
    battle: str, point: str | None, policy: DicePolicy, preview: bool, as_json: bool, db: str, **given: Any
) -> None:
    """Take back everything after POINT (42, -1, t3, a bookmark); without it, the last thing that somebody did."""
    from events.commands import LetStand, Undo

    common = _common(battle, **given)
    command: Undo | LetStand
    if policy == "stand":
        command = LetStand(point=point or "", **common)
    else:
        command = Undo(point=point or "", dice=policy, **common)
    _correct(db, command, preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("events", nargs=-1, type=click.IntRange(min=1))
@click.option("--shared", metavar="PIECE", default="", help="All that a piece used twice in a turn was used for.")
@click.option("--turn", type=click.IntRange(min=1), default=None, help="The turn for --shared; without it, this one.")
@_ruling_options
def strike(
    battle: str, events: tuple[int, ...], shared: str, turn: int | None, policy: DicePolicy, preview: bool,
    as_json: bool, db: str, **given: Any,
) -> None:  # fmt: skip
    """Take acts out of the middle, named by one of their events; later acts are played again on top."""
    from events.commands import LetStand, Strike

    if bool(events) == bool(shared):
        raise click.UsageError("name the EVENTS to strike, or a piece with --shared")
    if policy == "stand" and shared:
        raise click.UsageError("name the EVENTS that stand")
    common = _common(battle, **given)
    command: Strike | LetStand
    if policy == "stand":
        command = LetStand(events=events, **common)
    else:
        command = Strike(events=events, piece=shared, turn=turn or 0, dice=policy, **common)
    _correct(db, command, preview, as_json)


@click.command()
@click.argument("battle")
@click.argument("event", type=click.IntRange(min=1))
@click.option("--text", default="", help="The order that stands in place of this one.")
@click.option("--faces", metavar="3,5", help="The faces that these dice really showed.")
@click.option("--modifier", metavar="'-10 smoke'", help="A term that was forgotten in this check.")
@click.option("--answer", default="", help="The answer that stands in place of this ruling.")
@_ruling_options
def amend(
    battle: str, event: int, text: str, faces: str | None, modifier: str | None, answer: str, policy: DicePolicy,
    preview: bool, as_json: bool, db: str, **given: Any,
) -> None:  # fmt: skip
    """Replace an order, the faces of a roll, a ruling, or add a forgotten modifier; later acts are played again."""
    from events.commands import Amend, LetStand

    common = _common(battle, **given)
    command: Amend | LetStand
    if policy == "stand":
        command = LetStand(events=(event,), **common)
    else:
        command = Amend(
            event=event, text=text, faces=read_faces(faces) if faces is not None else None,
            modifier=read_modifier(modifier) if modifier else None, answer=answer, dice=policy, **common,
        )  # fmt: skip
    _correct(db, command, preview, as_json)


def _common(
    battle: str, *, seat: str, why: str, override: bool, line: str, expect: int | None, request: str
) -> dict[str, Any]:
    """Return what every correction has."""
    where = {"battle": battle, "line": line, "expected": expect, "request": request}
    return {**where, "seat": seat, "why": why, "override": override}


def _correct(db: str, command: Undo | Strike | Amend | LetStand, preview: bool, as_json: bool) -> None:
    """Make a correction and tell what it changes, or tell what it would change."""
    from engine.cli.correction_text import told_change, told_preview
    from events.commands import LetStand

    with open_door(db, write=not preview) as door:
        if preview:
            found = door.preview(command)
            if as_json:
                emit(found)
                return
            print_label(door.battle(command.battle, command.line).view)
            for text in told_preview(found):
                click.echo(text)
            return
        if as_json or isinstance(command, LetStand):
            act(door, command, as_json)
            return
        label = door.battle(command.battle, command.line).view.label
        answer = door.execute(command)
        with told(answer):
            if label:
                click.echo(label)
            for text in told_change(answer):
                click.echo(text)


@click.command()
@click.argument("battle")
@click.argument("other", required=False, default="")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--dice", "policy", type=click.Choice(["keep", "reroll-act"]), default="keep",
              help="Rolls since the lines parted: same faces when called again, or rerolled.")  # fmt: skip
@click.option("--seat", default="referee", help="Who adopts it.")
@act_options
def adopt(battle: str, other: str, policy: Any, as_json: bool, db: str, **given: Any) -> None:
    """Make another line the battle: without OTHER the one that was corrected last, which undoes that ruling."""
    from events.commands import Adopt

    command = Adopt(other=other, dice=policy, **_given(battle, **given))
    with open_door(db) as door:
        answer = door.execute(command)
        with told(answer):
            if as_json:
                emit(answer)
                return
            if answer.repeated:
                click.echo("(this request was carried out before; here is its answer again)")
            parent = door.log.line(battle, answer.new_line).parent
            click.echo(f"line {answer.new_line} is the battle now; it carries on from {parent}")


def _given(battle: str, *, expect: int | None, **more: Any) -> dict[str, Any]:
    return {"battle": battle, "expected": expect, **more}


@click.command()
@click.argument("battle")
@click.argument("text")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--seat", default="referee", help="Who states it.")
@act_options
def fact(battle: str, text: str, as_json: bool, db: str, **given: Any) -> None:
    """Let the referee set a fact, here and now: wardiary fact ford "aldric: prone" --why "he slipped"."""
    from events.commands import StateFact

    with open_door(db) as door:
        act(door, StateFact(text=text, **_given(battle, **given)), as_json)


@click.command()
@click.argument("battle")
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--again", is_flag=True, help="Give it again as it was; without NUMBER, all of it, as far as it goes.")
@click.option("--text", default="", help="An order in its place.")
@click.option("--drop", is_flag=True, help="Drop it.")
@click.option("--why", default="", help="The reason, for the record.")
@act_options
def settle(
    battle: str, number: int | None, again: bool, text: str, drop: bool, as_json: bool, db: str, **given: Any
) -> None:
    """See what a correction could not play again, or settle it: --again, --text in its place, or --drop."""
    from engine.cli.correction_text import print_deferred
    from events.commands import SettleDeferred

    if sum((again, bool(text), drop)) > 1 or (number is None and (text or drop)):
        raise click.UsageError("give NUMBER with one of --again, --text and --drop, or --again alone for everything")
    if number is not None and not (again or text or drop):
        raise click.UsageError("say what becomes of it: --again, --text in its place, or --drop")
    with open_door(db, write=again or bool(text) or drop) as door:
        if number is None and not again:
            print_deferred(door.battle(battle, given["line"]).state.table.held, as_json)
            return
        command = SettleDeferred(number=number or 0, again=again, text=text, **_given(battle, **given))
        act(door, command, as_json)
