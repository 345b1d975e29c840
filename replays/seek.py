"""Going to any point of a battle: snapshot, then fold the rest. Every way of getting there gives the same state."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from operator import attrgetter

import msgspec

from events.catalogue import EventUnreadable
from events.errors import DiaryError
from events.facts import Event
from events.store.chain import Chain, origin
from events.store.log import PAGE, Log, check_links
from events.store.record import Head, Line, Recorded
from events.times import instant
from projections.battle_state import State
from projections.fold import Fold


class PointUnknown(DiaryError, LookupError):
    """A point in a battle cannot be read or does not exist."""

    code = "replay/point"

    def __init__(self, point: str, hint: str) -> None:
        super().__init__(f"no point {point!r} in this battle: {hint}")
        self.point = point
        self.hint = hint


_LONGEST_SEQ = 18
"""Digits of a seq: SQLite's whole numbers have no more."""
_LAST_ACTS = 8


class Frame(msgspec.Struct, frozen=True, gc=False):
    """One event on the way through a battle, with the state before and after it."""

    record: Recorded
    event: Event
    before: State
    after: State


def replay(log: Log, fold: Fold, line: Line, upto: int | None = None) -> State:
    """Fold a line from its first event. Raises `EventUnreadable` with the place; nothing is skipped. O(n)."""
    return _fold_on(log, fold, line, fold.start, 0, upto)


def replay_checked(log: Log, fold: Fold, line: Line) -> State:
    """Fold a line from its first event and follow its chain on the way, in one reading. O(n).

    Raises `RecordBroken` at the first event that does not hold, `EventUnreadable` at one that cannot be read.
    """
    chains = {each.name: Chain(each) for each in log.lines(line.battle)}
    state, end = fold.start, Head(0, origin(line.battle))
    for name, group in groupby(log.records(line), attrgetter("line")):
        while run := list(islice(group, PAGE)):
            end = check_links(chains[name], end, run)
            state = fold.advance(state, fold.catalogue.read_all([record.body for record in run], run[0].seq))
    return state


def state_at(log: Log, fold: Fold, line: Line, seq: int) -> State:
    """Return the state after event `seq` (0: before the first). Cost is bounded by the distance of snapshots."""
    if seq <= 0:
        return fold.start
    snapshot = log.snapshot(line, seq, fold.fingerprint)
    if snapshot is not None:
        try:
            return _fold_on(log, fold, line, fold.load_snapshot(snapshot.state), snapshot.seq, seq)
        except msgspec.MsgspecError:
            pass  # a damaged snapshot is worth nothing; the events are the truth
    return replay(log, fold, line, seq)


def _fold_on(log: Log, fold: Fold, line: Line, state: State, after: int, upto: int | None) -> State:
    advance, read_all = fold.advance, fold.catalogue.read_all
    try:
        for page in log.bodies(line, after, upto):
            state = advance(state, read_all(page, after + 1))
            after += len(page)
    except EventUnreadable as error:
        raise placed(log, line, error) from error
    return state


def placed(log: Log, line: Line, error: EventUnreadable) -> EventUnreadable:
    """Return the error with the global position of its event."""
    record = next(log.records(line, error.seq - 1, error.seq))
    return EventUnreadable(error.seq, error.name, error.version, error.why, record.position)


def steps(log: Log, fold: Fold, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Frame]:
    """Go through a line event by event, each with the states around it."""
    state = state_at(log, fold, line, after)
    for record in log.records(line, after, upto):
        try:
            event = fold.catalogue.read(record.body, record.seq)
        except EventUnreadable as error:
            raise placed(log, line, error) from error
        before, state = state, fold.advance(state, (event,))
        yield Frame(record, event, before, state)


def find_point(log: Log, line: Line, point: str) -> int:
    """Turn a point as it is typed into a seq.

    `42` is an event, `-1` one act back, `t3` the beginning of turn 3, `t3/move` the end of that phase, a bookmark's
    name the event it names, an RFC 3339 time the last event up to it; empty is the head. Raises `PointUnknown`.
    """
    head = log.head(line).seq
    if point in ("", "head"):
        return head
    if point.isascii() and point.isdecimal():
        if len(point) > _LONGEST_SEQ or int(point) > head:
            raise PointUnknown(point, f"the line ends at event {head}")
        return int(point)
    if point.startswith("-") and point[1:].isascii() and point[1:].isdecimal():
        return _acts_back(log, line, head, int(point[1:]), point)
    if point.startswith("t") and point[1:2].isdecimal():
        return _phase_end(log, line, point) if "/" in point else _turn_start(log, line, point)
    marked = _bookmarked(log, line, point)
    if marked:
        return marked
    try:
        moment = instant(point)
    except ValueError as error:
        raise PointUnknown(
            point, "write an event (42), -1, t3, t3/move, a bookmark, or a time with its zone"
        ) from error
    return max((record.seq for record in log.records(line) if record.at <= moment), default=0)


def is_point(name: str) -> bool:
    """Tell whether a name is a point by itself, so that no bookmark of that name could ever be reached.

    >>> is_point("t3/move"), is_point("-1"), is_point("the ford")
    (True, True, False)
    """
    number = name.removeprefix("-")
    if name in ("", "head") or (number.isascii() and number.isdecimal()):
        return True
    if name.startswith("t") and name[1:2].isdecimal():
        return True
    try:
        instant(name)
    except ValueError:
        return False
    return True


def _bookmarked(log: Log, line: Line, name: str) -> int:
    found = 0
    for record in log.records(line):
        if record.type == "table.bookmarked":
            mark = msgspec.json.decode(record.body)
            found = int(mark["seq"]) if mark["name"] == name else found
    return found


def common_root(log: Log, one: Line, other: Line) -> int:
    """Return the last event that two lines of a battle share. Cost grows with the forks passed, not with events."""
    lines = {line.name: line for line in log.lines(one.battle)}
    ways = [_way_up(lines, line) for line in (one, other)]
    shared = [(name, min(ways[0][name], ways[1][name])) for name in ways[0] if name in ways[1]]
    ends = (log.head(one).seq, log.head(other).seq)
    return min((min(upto, *ends) for _, upto in shared[:1]), default=0)


def _way_up(lines: Mapping[str, Line], line: Line) -> dict[str, int]:
    """Map a line and its ancestors, nearest first, to how far each belongs to the line's history."""
    way = {line.name: sys.maxsize}
    while line.parent is not None:
        upto = min(line.after, way[line.name])
        line = lines[line.parent]
        way[line.name] = upto
    return way


def _acts_back(log: Log, line: Line, head: int, acts: int, point: str) -> int:
    starts = sorted({record.act for record in log.records(line)})
    if acts > len(starts):
        raise PointUnknown(point, f"the line has {len(starts)} acts")
    return head if acts == 0 else starts[-acts] - 1


def _turn_start(log: Log, line: Line, point: str) -> int:
    turns = []
    for record in log.records(line):
        if record.type == "clock.turn_began":
            turn = f"t{msgspec.json.decode(record.body)['turn']}"
            if turn == point:
                return record.seq
            turns.append(turn)
    raise PointUnknown(point, f"turns so far: {', '.join(turns) or 'none'}")


def _phase_end(log: Log, line: Line, point: str) -> int:
    acts = {}
    found = 0
    for record in log.records(line):
        if record.type == "table.act_opened":
            acts[record.act] = str(msgspec.json.decode(record.body)["name"])
        if acts.get(record.act) == point:
            found = record.seq
    if not found:
        turn = point.partition("/")[0]
        near = [name for name in acts.values() if name.startswith(f"{turn}/")] or list(acts.values())[-_LAST_ACTS:]
        raise PointUnknown(point, f"phases: {', '.join(near) or 'none'}")
    return found
