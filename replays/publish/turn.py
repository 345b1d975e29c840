"""One turn of a line, or one phase of it, gathered for a viewer: orders, outcomes, dice, pieces, what is open.

It is made from the viewer's own view of the battle, so nothing that is secret to them can be in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.facts import (
    ActOpened,
    DicePolicyDeclared,
    DiceRolled,
    Noted,
    OrderLapsed,
    RollCalled,
    RulingRequested,
    SecretRevealed,
    TurnBegan,
)
from projections.battle_state import State
from projections.deadlines import told
from projections.dice.rolls import print_roll
from projections.journal import chance, dice_at
from projections.scene import NOBODY, Scene, place_of
from replays.points import span_of, turns_of
from replays.publish.order_views import OrderView, order_views
from replays.seek import Frame
from replays.view import View

_STANDINGS = {"up": "up", "down": "fallen", "routing": "fleeing", "gone": "gone"}
_LOOK_ON = 8
"""How many events after a turn its dice secret is looked for."""


class CheckView(Struct, frozen=True, gc=False):
    """A roll: the line that `projections.dice.rolls.read_printed` reads back, and what stands beside it.

    `chances` are those before the dice fell; `source` is empty for dice that were drawn.
    """

    seq: int
    line: str
    chances: str = ""
    source: str = ""


class Happened(Struct, frozen=True, gc=False):
    """An outcome or a ruling in words."""

    seq: int
    text: str
    ruling: bool = False


class Phase(Struct, frozen=True, gc=False):
    """What came of one act."""

    name: str
    outcomes: tuple[Happened, ...]
    checks: tuple[CheckView, ...]


class PieceView(Struct, frozen=True, gc=False):
    """A piece as it stands at the end: place and facing in words, `details` part by part."""

    name: str
    side: str
    how: str
    place: str
    facing: str
    details: str


class Turn(Struct, frozen=True, gc=False):
    """A turn as it is posted. `mark` tells that a line is not the battle; `digest` is empty if it would tell secrets.

    `first` and `last` are its events. `picture` is the field as text, for rule sets that list no pieces.
    `at` is the time of the last event, `due` the instant of the deadline. `dice` says what holds for dice
    at this table.
    """

    battle: str
    title: str
    sides: tuple[str, ...]
    rules: str
    line: str
    mark: str
    turn: int
    phase: str
    viewer: str
    first: int
    last: int
    at: int
    over: bool
    orders: tuple[OrderView, ...]
    phases: tuple[Phase, ...]
    said: tuple[str, ...]
    pieces: tuple[PieceView, ...]
    picture: tuple[str, ...]
    open: tuple[str, ...]
    deadline: str
    due: int
    ended: str
    secret: str
    digest: str
    dice: tuple[str, ...] = ()


def gather(view: View, turn: int, phase: str = "", upto: int | None = None) -> Turn:
    """Gather a turn, or a phase of it, as the view's viewer may see it; `upto` an event, for what once was posted.

    Raises `PointUnknown` if the line has no such turn or phase. Cost: one reading of the line, the turn's own events.
    """
    span = span_of(view, turn, phase)
    first, last, newest = span.first, min(span.last, view.readable), span.newest
    if last < first and (fault := view.fault()) is not None:
        raise fault
    if upto is not None and upto < last:
        last, newest = max(first, upto), False
    return _turn(view, turn, phase, list(view.frames(first - 1, last)), newest)


def gather_last(view: View, phase: str = "") -> Turn:
    """Gather the last turn that is over, or else the first. Errors as `gather`."""
    numbers = [turn.number for turn in turns_of(view)] or [1]
    last = gather(view, numbers[-1], phase)
    return last if last.over or len(numbers) == 1 else gather(view, numbers[-2], phase)


def gather_turns(view: View) -> Iterator[Turn]:
    """Gather every turn that has begun, as `gather` does, in one reading."""
    begun = turns_of(view)
    if not begun:
        return
    way: list[Frame] = []
    last = min(span_of(view, begun[-1].number).last, view.readable)
    for step in view.frames(begun[0].first - 1, last):
        if isinstance(step.event, TurnBegan) and way:
            yield _turn(view, way[-1].after.table.turn, "", way, False)
            way = []
        way.append(step)
    if way:
        yield _turn(view, way[-1].after.table.turn, "", way, True)


def with_outlook(turn: Turn, view: View) -> Turn:
    """Return a turn with the deadline that is open now, if it is the last that is over: what its readers do next.

    For a post that goes out today; what is kept, such as a feed, has turns as they were.
    """
    if turn.phase or not turn.over or turn.deadline:
        return turn
    now = view.last_state
    if now.table.turn != turn.turn + 1:
        return turn
    deadline, due = _deadline(now)
    return replace(turn, deadline=deadline, due=due)


def _turn(view: View, turn: int, phase: str, way: Sequence[Frame], newest: bool) -> Turn:
    """Tell a stretch of a line, which is not empty. `newest` if nothing has happened on the line since."""
    return view.shown(way[-1], lambda: _told(view, turn, phase, way, newest))


def _told(view: View, turn: int, phase: str, way: Sequence[Frame], newest: bool) -> Turn:
    fold = view.fold
    after, end, first, last = way[-1].after, way[-1].record, way[0].record.seq, way[-1].record.seq
    scene = fold.scene(after) if fold.scene is not None else None
    return Turn(
        view.battle,
        after.table.title,
        tuple(seat.name for seat in after.table.seats),
        f"{after.table.rule_set} edition {after.table.edition}",
        view.name,
        view.label,
        turn,
        phase,
        str(view.viewer),
        first,
        last,
        end.at,
        not newest or bool(after.table.ended),
        tuple(order_views(way)),
        tuple(_phases(view, way)),
        tuple(_said(way)),
        tuple(_pieces(scene)) if scene is not None else (),
        tuple(fold.picture(after).splitlines()) if scene is None else (),
        tuple(_open(after)) if newest else (),
        *(_deadline(after) if newest else ("", 0)),
        _ended(after) if newest else "",
        _secret(view, turn, last),
        view.proven_hash(last),
        tuple(dice_at(after.table)),
    )


# ---------------------------------------------------------------------------------------------------- phases


def _phases(view: View, way: Sequence[Frame]) -> Iterator[Phase]:
    """The acts of a stretch, in order, with what came of each; acts of which nothing came are left out."""
    opened = way[0].before.table.act
    name = "" if opened is None or isinstance(way[0].event, TurnBegan) else opened.name
    outcomes: list[Happened] = []
    checks: list[CheckView] = []
    for step in way:
        event, seq = step.event, step.record.seq
        if isinstance(event, ActOpened):
            if outcomes or checks:
                yield Phase(name, tuple(outcomes), tuple(checks))
            name, outcomes, checks = event.name, [], []
        elif isinstance(event, DiceRolled):
            checks.append(_check(view, step, event))
        elif isinstance(event, DicePolicyDeclared):
            outcomes.append(Happened(seq, view.caption(step), True))
        elif event.kind in ("outcome", "ruling") and not isinstance(event, OrderLapsed | RulingRequested):
            outcomes.append(Happened(seq, view.caption(step), event.kind == "ruling"))
    if outcomes or checks:
        yield Phase(name, tuple(outcomes), tuple(checks))


def _check(view: View, step: Frame, rolled: DiceRolled) -> CheckView:
    call: RollCalled | None = step.before.table.called.get(rolled.key)
    source = "" if rolled.source == "seeded" else f"{rolled.source} dice"
    if rolled.surplus:
        source += f"; surplus, set aside: {', '.join(map(str, rolled.surplus))}"
    if call is None:
        return CheckView(step.record.seq, view.caption(step), "", source)
    return CheckView(step.record.seq, print_roll(call, rolled), chance(call), source)


def _said(way: Sequence[Frame]) -> Iterator[str]:
    for step in way:
        if isinstance(step.event, Noted):
            yield f"{step.record.actor}: “{step.event.text}”"


# ---------------------------------------------------------------------------------------------------- where it stands


def _pieces(scene: Scene) -> Iterator[PieceView]:
    for mark in scene.marks:
        yield PieceView(
            mark.label,
            scene.sides[mark.side] if mark.side != NOBODY and mark.side < len(scene.sides) else "",
            _STANDINGS.get(mark.state, mark.state),
            place_of(scene, mark.at),
            "" if mark.facing is None else f"{mark.facing:03d}°",
            mark.note,
        )


def _open(state: State) -> Iterator[str]:
    """What the battle waits for."""
    table = state.table
    for question in table.asked.values():
        yield f"the referee is asked ({question.rule}): {question.question} [{' / '.join(question.choices)}]"
    for call in table.called.values():
        odds = f" ({chance(call)})" if call.chances else ""
        yield f"dice of {call.seat}, {call.dice}: {call.purpose}{odds}"
    for held in table.held:
        yield f"held for the referee, no. {held.number}, of {held.seat}: {held.text} ({held.reason})"
    for number, asked in table.requests.items():
        yield f"{asked.seat} asks, no. {number}: {asked.what} of {', '.join(map(str, asked.targets))}: {asked.why}"


def _deadline(state: State) -> tuple[str, int]:
    """The call for orders that is open, in words, and its instant; no time at all while the calendar stands still."""
    table = state.table
    if table.frozen is not None:
        return f"the calendar stands still: {table.frozen.why}", 0
    if table.deadline is None:
        return "", 0
    return told(table.deadline, table.deadline.until)[0], table.deadline.until


def _ended(state: State) -> str:
    table = state.table
    winner = next((seat.name for seat in table.seats if seat.id == table.winner), table.winner)
    return f"{table.ended}" + (f"; {winner} wins" if winner else "") if table.ended else ""


def _secret(view: View, turn: int, last: int) -> str:
    """The secret of the turn's dice, if it came out at its end: from then on anyone can compute the dice again."""
    for _, event in view.events(SecretRevealed, after=last, upto=min(last + _LOOK_ON, view.head)):
        if event.turn == turn:
            return event.secret
    return ""
