"""Points of a battle as people type them: an event, an act back, a turn, a phase, a bookmark, a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from events.errors import DiaryError
from events.facts import ActOpened, BattleEnded, Posted, TurnBegan
from events.store.log import PAGE
from events.times import instant

if TYPE_CHECKING:
    from replays.view import View


class PointUnknown(DiaryError, LookupError):
    """A point in a battle cannot be read or does not exist."""

    code = "replay/point"

    def __init__(self, point: str, hint: str) -> None:
        super().__init__(f"no point {point!r} in this battle: {hint}")
        self.point = point
        self.hint = hint


class Turn(Struct, frozen=True, gc=False):
    """A turn of a line and the event that begins it."""

    number: int
    first: int


class Span(Struct, frozen=True, gc=False):
    """The first and the last event of a turn or phase. `newest` if nothing has happened on its line since."""

    first: int
    last: int
    newest: bool


_LONGEST_SEQ = 18
"""Digits of a seq: SQLite's whole numbers have no more."""
_LAST_ACTS = 8
_LAST_TURNS = 12


def find_point(view: View, point: str) -> int:
    """Turn a point as it is typed into a seq.

    `42` is an event, `-1` one act back, `t3` the beginning of turn 3, `t3/move` the end of that phase, a bookmark's
    name the event that it names, an RFC 3339 time the last event up to it; empty is the head. Raises `PointUnknown`.
    Cost: constant for an event, small for acts back and bookmarks, else one reading of the line.

    >>> from events.facts import BattleOpened, Seat
    >>> from events.store.memory import MemoryLog
    >>> from events.store.record import Draft
    >>> opened = BattleOpened("At the ford", "dresda", "1", (Seat("men", "Men"), Seat("orcs", "Orcs")), "")
    >>> log = MemoryLog()
    >>> _ = log.begin("ford", [Draft(opened, "referee")], 0)
    >>> from replays.view import open_view
    >>> view = open_view(log, "ford")
    >>> find_point(view, "head"), find_point(view, "-1")
    (1, 0)
    """
    head = view.head
    if point in ("", "head"):
        return head
    if _is_number(point):
        if len(point) > _LONGEST_SEQ or int(point) > head:
            raise PointUnknown(point, f"the line ends at event {head}")
        return int(point)
    if point.startswith("-") and _is_number(point[1:]):
        return _acts_back(view, int(point[1:]), point)
    if point.startswith("t") and point[1:2].isdecimal():
        return _phase_end(view, point) if "/" in point else _turn_start(view, point)
    if marked := view.last_state.table.bookmarks.get(point, 0):
        return marked
    try:
        moment = instant(point)
    except ValueError as error:
        raise PointUnknown(
            point, "write an event (42), -1, t3, t3/move, a bookmark, or a time with its zone"
        ) from error
    return max((record.seq for record in view.records() if record.at <= moment), default=0)


def is_point(name: str) -> bool:
    """Tell whether a name is a point by itself, so that no bookmark of that name could ever be reached.

    >>> is_point("t3/move"), is_point("-1"), is_point("the ford")
    (True, True, False)
    """
    if name in ("", "head") or _is_number(name.removeprefix("-")):
        return True
    if name.startswith("t") and name[1:2].isdecimal():
        return True
    try:
        instant(name)
    except ValueError:
        return False
    return True


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _acts_back(view: View, acts: int, point: str) -> int:
    """Find the event before the last `acts` acts, reading pages from the end."""
    starts: list[int] = []
    end = view.head
    while end > 0 and len(starts) < acts:
        begin = max(0, end - PAGE)
        starts += reversed([record.seq for record in view.records(begin, end) if record.act == record.seq])
        end = begin
    if acts > len(starts):
        raise PointUnknown(point, f"the line has {len(starts)} acts")
    return view.head if acts == 0 else starts[acts - 1] - 1


def turns_of(view: View) -> list[Turn]:
    """Return the turns of a line that have begun, in order. Cost: one reading of the line."""
    return [Turn(event.turn, record.seq) for record, event in view.events(TurnBegan)]


def _turn_start(view: View, point: str) -> int:
    begun = {f"t{turn.number}": turn.first for turn in reversed(turns_of(view))}
    if point not in begun:
        raise PointUnknown(point, f"turns so far: {', '.join(reversed(begun)) or 'none'}")
    return begun[point]


def phases_of(view: View, after: int = 0, upto: int | None = None) -> dict[str, Span]:
    """Return the acts that were opened between two events by name, each with its first and its last event there.

    An act that was played in several steps, such as one that waited for dice, has one span. `newest` tells that it
    holds the last of the events looked at.
    """
    opened = {record.seq: event.name for record, event in view.events(ActOpened, after=after, upto=upto)}
    names: dict[int, str] = {}
    found: dict[str, Span] = {}
    last = 0
    for record in view.records(after, upto):
        last = record.seq
        if last in opened:
            names[record.act] = opened[last]
        if (name := names.get(record.act)) is not None:
            found[name] = Span(found[name].first if name in found else last, last, False)
    return {name: Span(span.first, span.last, span.last == last) for name, span in found.items()}


def _phase_end(view: View, point: str) -> int:
    acts = phases_of(view)
    if point not in acts:
        turn = point.partition("/")[0]
        near = [name for name in acts if name.startswith(f"{turn}/")] or list(acts)[-_LAST_ACTS:]
        raise PointUnknown(point, f"phases: {', '.join(near) or 'none'}")
    return acts[point].last


def span_of(view: View, turn: int, phase: str = "") -> Span:
    """Find a turn, or a phase of it. Raises `PointUnknown`. Cost: one reading of the line.

    A mark that something was posted does not count as happening, so that a turn posted twice is the same turn.
    """
    begun = turns_of(view)
    place = next((at for at, each in enumerate(begun) if each.number == turn), None)
    if place is None:
        known = ", ".join(str(each.number) for each in begun[-_LAST_TURNS:]) or "none"
        raise PointUnknown(f"t{turn}", f"turns of line {view.name} so far: {known}")
    first = begun[place].first
    if place + 1 < len(begun):
        whole = Span(first, begun[place + 1].first - 1, False)
    else:
        marks = {record.seq for record, _ in view.events(Posted, after=first - 1)}
        whole = Span(first, max(seq for seq in range(first, view.head + 1) if seq not in marks), True)
    if not phase:
        return whole
    wanted = phase if "/" in phase else f"t{turn}/{phase}"
    found = phases_of(view, whole.first - 1, whole.last)
    if wanted not in found:
        raise PointUnknown(wanted, f"phases of turn {turn}: {', '.join(found) or 'none'}")
    span = found[wanted]
    return Span(span.first, span.last, whole.newest and span.newest)


def ended_turns(view: View) -> dict[int, int]:
    """Return when each turn of a line was over, in µs UTC: the turn before the first is 0."""
    found: dict[int, int] = {}
    turn = 0
    for record, event in view.events(TurnBegan, BattleEnded):
        found.setdefault(turn, record.at)
        turn = event.turn if isinstance(event, TurnBegan) else turn
    return found
