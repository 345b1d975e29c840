"""Who was first: by whom, when and with which event an act was begun."""

from __future__ import annotations

import msgspec

from events.deadlines import OrdersClosed
from events.errors import DiaryError
from events.facts import ActOpened
from events.times import rfc3339
from replays.view import View


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


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """The beginning of an act: event `seq`, recorded at `at` (µs UTC), by whom. A ruling plays acts again."""

    act: str
    by: str
    at: int
    seq: int


def resolution_of(view: View, act: str, after: int = 0) -> Resolution | None:
    """Return how an act was begun on a line after an event, or None if it was not. Cost: the events read."""
    by = THE_REFEREE
    for record, event in view.events(ActOpened, OrdersClosed, after=after):
        if isinstance(event, OrdersClosed):
            by = THE_CLOCK
        elif isinstance(event, ActOpened):
            if event.name == act:
                replayed = record.seq > view.own_after > 0 and record.at <= view.opened_at
                return Resolution(act, A_RULING if replayed else by, record.at, record.seq)
            by = THE_REFEREE
    return None


def refusal(found: Resolution) -> AlreadyResolved:
    """Return what to tell whoever was second."""
    return AlreadyResolved(found.act, found.by, found.at, found.seq, rfc3339(found.at)[:19] + "Z")
