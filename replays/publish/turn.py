"""One turn of a line, or one phase of it, gathered for a viewer: orders, outcomes, dice, pieces, what is open.

It is made from the viewer's own copy of the battle, so nothing that is secret to him can be in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
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
    TurnBegan,
)
from events.store.log import Log
from events.store.record import Line
from projections.battle_state import State
from projections.deadlines import told
from projections.dice.rolls import print_roll
from projections.fold import Fold
from projections.journal import caption, chance, dice_at
from projections.scene import NOBODY, Mark, Scene
from projections.viewer import Viewer
from replays.lines import label
from replays.publish.order_views import OrderView, order_views
from replays.seek import Frame, PointUnknown, state_at, steps
from replays.seen import seen_by

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


def gather(log: Log, fold: Fold, line: Line, turn: int, viewer: Viewer, phase: str = "") -> Turn:
    """Gather a turn of a line as a viewer may see it.

    Raises `PointUnknown` if the line has no such turn or phase, `LineUnknown` if it is not for this viewer. Cost: that
    of the viewer's copy (see `replays.seen`) and of the turn's own events.
    """
    return gather_seen(log, seen_by(log, fold, line.battle, viewer), fold, line, turn, viewer, phase)


def gather_seen(
    log: Log, seen: Log, fold: Fold, line: Line, turn: int, viewer: Viewer, phase: str = "", upto: int | None = None
) -> Turn:
    """Gather a turn out of a copy that was made before, as `gather` does; `upto` an event, for what once was posted."""
    line = seen.line(line.battle, line.name)
    found = bounds(seen, line, turn, phase)
    first, last, newest = found.first, found.last, found.newest
    if upto is not None and upto < last:
        last, newest = max(first, upto), False
    way = list(steps(seen, fold, line, first - 1, last))
    return _told(log, seen, fold, line, turn, viewer, phase, way, newest)


def with_outlook(turn: Turn, seen: Log, fold: Fold) -> Turn:
    """Return a turn with the deadline that is open now, if it is the last that is over: what its readers do next.

    For a post that goes out today; what is kept, such as a feed, has turns as they were.
    """
    if turn.phase or not turn.over or turn.deadline:
        return turn
    line = seen.line(turn.battle, turn.line)
    now = state_at(seen, fold, line, seen.head(line).seq)
    if now.table.turn != turn.turn + 1:
        return turn
    deadline, due = _deadline(now)
    return replace(turn, deadline=deadline, due=due)


def gather_turns(log: Log, seen: Log, fold: Fold, line: Line, viewer: Viewer) -> Iterator[Turn]:
    """Gather every turn of a line that has begun, as `gather` does, in one reading."""
    line = seen.line(line.battle, line.name)
    begun = _begun(seen, line)
    if not begun:
        return
    way: list[Frame] = []
    for step in steps(seen, fold, line, begun[0][1] - 1, bounds(seen, line, begun[-1][0]).last):
        if isinstance(step.event, TurnBegan) and way:
            yield _told(log, seen, fold, line, way[-1].after.table.turn, viewer, "", way, False)
            way = []
        way.append(step)
    yield _told(log, seen, fold, line, begun[-1][0], viewer, "", way, True)


def _told(
    log: Log, seen: Log, fold: Fold, line: Line, turn: int, viewer: Viewer, phase: str, way: Sequence[Frame],
    newest: bool,
) -> Turn:  # fmt: skip
    """Tell a stretch of a line, which is not empty. `newest` if nothing has happened on the line since."""
    after, end, first, last = way[-1].after, way[-1].record, way[0].record.seq, way[-1].record.seq
    true = next(log.records(line, last - 1, last))
    scene = fold.scene(after) if fold.scene is not None else None
    return Turn(
        line.battle,
        after.table.title,
        tuple(seat.name for seat in after.table.seats),
        f"{after.table.rule_set} edition {after.table.edition}",
        line.name,
        label(seen, line),
        turn,
        phase,
        str(viewer),
        first,
        last,
        end.at,
        not newest or bool(after.table.ended),
        tuple(order_views(way)),
        tuple(_phases(fold, way)),
        tuple(_said(way)),
        tuple(_pieces(scene)) if scene is not None else (),
        tuple(fold.picture(after).splitlines()) if scene is None else (),
        tuple(_open(after)) if newest else (),
        *(_deadline(after) if newest else ("", 0)),
        _ended(after) if newest else "",
        _secret(seen, line, turn, last),
        end.hash if end.hash == true.hash else "",
        tuple(dice_at(after.table)),
    )


def turns_of(log: Log, line: Line) -> list[int]:
    """Return the turns of a line that have begun, in order."""
    return [turn for turn, _ in _begun(log, line)]


class Bounds(Struct, frozen=True, gc=False):
    """The first and the last event of a turn or phase. `newest` if nothing has happened on its line since."""

    first: int
    last: int
    newest: bool


def bounds(log: Log, line: Line, turn: int, phase: str = "") -> Bounds:
    """Find a turn, or a phase of it. Raises `PointUnknown`. Cost: the line.

    That something was posted does not count as happening, so that a turn posted twice is the same turn.
    """
    begun = _begun(log, line)
    place = next((at for at, (number, _) in enumerate(begun) if number == turn), None)
    if place is None:
        known = ", ".join(str(number) for number, _ in begun[-12:]) or "none"
        raise PointUnknown(f"t{turn}", f"turns of line {line.name} so far: {known}")
    first = begun[place][1]
    if place + 1 < len(begun):
        whole = Bounds(first, begun[place + 1][1] - 1, False)
    else:
        last = [record.seq for record in log.records(line, first - 1) if record.type != "table.posted"][-1]
        whole = Bounds(first, last, True)
    return _phase_bounds(log, line, turn, phase, whole) if phase else whole


def _begun(log: Log, line: Line) -> list[tuple[int, int]]:
    """Each turn with the event that began it."""
    return [
        (int(msgspec.json.decode(record.body)["turn"]), record.seq)
        for record in log.records(line)
        if record.type == "clock.turn_began"
    ]


def _phase_bounds(log: Log, line: Line, turn: int, phase: str, whole: Bounds) -> Bounds:
    wanted = phase if "/" in phase else f"t{turn}/{phase}"
    found: dict[str, list[int]] = {}
    acts: dict[int, str] = {}
    for record in log.records(line, whole.first - 1, whole.last):
        if record.type == "table.act_opened":
            acts[record.act] = str(msgspec.json.decode(record.body)["name"])
        if record.act in acts:
            found.setdefault(acts[record.act], []).append(record.seq)
    if wanted not in found:
        raise PointUnknown(wanted, f"phases of turn {turn}: {', '.join(found) or 'none'}")
    last = found[wanted][-1]
    return Bounds(found[wanted][0], last, whole.newest and last == whole.last)


# ---------------------------------------------------------------------------------------------------- phases


def _phases(fold: Fold, way: Sequence[Frame]) -> Iterator[Phase]:
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
            checks.append(_check(fold, step, event))
        elif isinstance(event, DicePolicyDeclared):
            outcomes.append(Happened(seq, caption(fold, event, step.before), True))
        elif event.kind in ("outcome", "ruling") and not isinstance(event, OrderLapsed | RulingRequested):
            outcomes.append(Happened(seq, caption(fold, event, step.before), event.kind == "ruling"))
    if outcomes or checks:
        yield Phase(name, tuple(outcomes), tuple(checks))


def _check(fold: Fold, step: Frame, rolled: DiceRolled) -> CheckView:
    call: RollCalled | None = step.before.table.called.get(rolled.key)
    source = "" if rolled.source == "seeded" else f"{rolled.source} dice"
    if rolled.surplus:
        source += f"; surplus, set aside: {', '.join(map(str, rolled.surplus))}"
    if call is None:
        return CheckView(step.record.seq, caption(fold, rolled, step.before), "", source)
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
            _place(scene, mark),
            "" if mark.facing is None else f"{mark.facing:03d}°",
            mark.note,
        )


def _place(scene: Scene, mark: Mark) -> str:
    if not scene.unit_name:
        return ""
    return f"{mark.at.x // scene.unit},{mark.at.y // scene.unit} {scene.unit_name}"


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


def _secret(log: Log, line: Line, turn: int, last: int) -> str:
    """The secret of the turn's dice, if it came out at its end: from then on anybody can work the dice out."""
    for record in log.records(line, last, last + _LOOK_ON):
        if record.type == "clock.secret_revealed":
            found = msgspec.json.decode(record.body, type=_Told)
            if found.turn == turn:
                return found.secret
    return ""


class _Told(Struct, frozen=True, gc=False):
    turn: int
    secret: str
