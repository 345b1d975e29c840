"""Who was first: by whom, when and with which event an act was begun."""

from __future__ import annotations

import msgspec

from events.errors import DiaryError
from events.store.log import Log
from events.store.record import Line
from events.times import rfc3339


class AlreadyResolved(DiaryError, RuntimeError):
    """Somebody was first (`by` is the clock, the referee, a ruling): `act` was resolved with event `seq`, `at` (µs)."""

    code = "deadline/already-resolved"

    def __init__(self, act: str, by: str, at: int, seq: int, time: str) -> None:
        super().__init__(f"{act} is already resolved by {by} at {time} (event {seq}): nothing more was done")
        self.act = act
        self.by = by
        self.at = at
        self.seq = seq


THE_CLOCK = "the clock"
THE_REFEREE = "the referee"
A_RULING = "a ruling"
_OPENED, _CLOSED = "table.act_opened", "clock.orders_closed"


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """The beginning of an act: event `seq`, recorded at `at` (µs UTC), by whom. A ruling plays acts anew."""

    act: str
    by: str
    at: int
    seq: int


def resolution_of(log: Log, line: Line, act: str, after: int = 0) -> Resolution | None:
    """Return how an act was begun on a line after an event, or None if it was not. Cost: the events read."""
    by = THE_REFEREE
    for record in log.records(line, after):
        if record.type == _CLOSED:
            by = THE_CLOCK
        elif record.type == _OPENED:
            if msgspec.json.decode(record.body)["name"] == act:
                anew = record.seq > line.after and line.parent is not None and record.at <= line.at
                return Resolution(act, A_RULING if anew else by, record.at, record.seq)
            by = THE_REFEREE
    return None


def refusal(found: Resolution) -> AlreadyResolved:
    """Return what to tell whoever was second."""
    return AlreadyResolved(found.act, found.by, found.at, found.seq, rfc3339(found.at)[:19] + "Z")
