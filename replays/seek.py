"""Going to any point of a battle: snapshot, then fold the rest. Every way of getting there gives the same state."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from operator import attrgetter

import msgspec

from events.catalogue import EventUnreadable
from events.facts import Event
from events.store.chain import Chain, origin
from events.store.log import PAGE, Log, check_links
from events.store.record import Head, Line, Recorded
from projections.battle_state import State
from projections.fold import Fold


class Frame(msgspec.Struct, frozen=True, gc=False):
    """One event on the way through a battle, with the state before and after it."""

    record: Recorded
    event: Event
    before: State
    after: State


def replay(log: Log, fold: Fold, line: Line, upto: int | None = None) -> State:
    """Fold a line from its first event. Raises `EventUnreadable` with the place; nothing is skipped. O(n)."""
    return read_on(log, fold, line, fold.start, 0, upto)


def replay_checked(log: Log, fold: Fold, line: Line) -> State:
    """Fold a line from its first event and follow its chain on the way, in one reading. O(n).

    Raises `RecordBroken` at the first event that does not hold, `EventUnreadable` at one that cannot be read.
    """
    chains = {each.name: Chain(each) for each in log.lines(line.battle)}
    state, end = fold.start, Head(0, origin(line.battle))
    for name, group in groupby(log.records(line), attrgetter("line")):
        while run := list(islice(group, PAGE)):
            end = check_links(chains[name], end, run)
            state = fold.read_on(state, [record.body for record in run], run[0].seq - 1)
    return state


def state_at(log: Log, fold: Fold, line: Line, seq: int) -> State:
    """Return the state after event `seq` (0: before the first). Cost is bounded by the distance of snapshots."""
    if seq <= 0:
        return fold.start
    after, state = saved_state(log, fold, line, seq)
    return read_on(log, fold, line, state, after, seq)


def saved_state(log: Log, fold: Fold, line: Line, seq: int) -> tuple[int, State]:
    """Return the latest saved state at or before event `seq` with its event; the start of the battle if none is."""
    snapshot = log.snapshot(line, seq, fold.fingerprint)
    if snapshot is not None:
        try:
            return snapshot.seq, fold.load_snapshot(snapshot.state)
        except msgspec.MsgspecError:
            pass  # a damaged snapshot is worth nothing; the events are the truth
    return 0, fold.start


def read_on(log: Log, fold: Fold, line: Line, state: State, after: int, upto: int | None) -> State:
    """Fold a line from a state that is known, that after event `after`. Raises `EventUnreadable` with the place."""
    try:
        for page in log.bodies(line, after, upto):
            state = fold.read_on(state, page, after)
            after += len(page)
    except EventUnreadable as error:
        raise placed(log, line, error) from error
    return state


def placed(log: Log, line: Line, error: EventUnreadable) -> EventUnreadable:
    """Return the error with the global position of its event."""
    record = next(log.records(line, error.seq - 1, error.seq))
    return EventUnreadable(error.seq, error.name, error.version, error.why, record.position)


def steps(log: Log, fold: Fold, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Frame]:
    """Go through a line event by event, each with the states around it.

    Raises `EventUnreadable` at the first that cannot be read, after those before it.
    """
    return frames(log, fold, line, state_at(log, fold, line, after), after, upto)


def frames(log: Log, fold: Fold, line: Line, state: State, after: int, upto: int | None) -> Iterator[Frame]:
    """Go on from a state that is known, as `steps` does."""
    for record in log.records(line, after, upto):
        try:
            event = fold.catalogue.read(record.body, record.seq)
            before, state = state, fold.read_one(state, event, record.seq)
        except EventUnreadable as error:
            raise placed(log, line, error) from error
        yield Frame(record, event, before, state)


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
