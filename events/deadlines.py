"""Facts of the calendar: orders are called for by a deadline, which may be moved, frozen and let run again.

Instants are whole microseconds UTC. `offset` is how many seconds local time is ahead of UTC at that instant, so that
the time on the wall can be told for ever without asking what rules a zone had; `zone` is the zone's IANA name.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from events.event import Event, Kind

Scope: TypeAlias = Literal["act", "turn"]
"""What a call is for: one act, or everything that is left of the turn."""


class ScheduleSet(Event, frozen=True, gc=False, tag="clock.schedule_set"):
    """From now on orders are called for at fixed times: `rule` is such as `sunday 18:00`, by the clocks of `zone`.

    An empty rule ends the schedule. The other fields are those of each call, see `OrdersCalled`.
    """

    kind: ClassVar[Kind] = "clock"
    rule: str
    zone: str
    scope: Scope = "act"
    early: bool = False
    reminders: tuple[int, ...] = ()


class OrdersCalled(Event, frozen=True, gc=False, tag="clock.orders_called"):
    """Orders for `act` are due at `until`. It takes the place of an earlier call that is still open.

    With `early` the act is resolved as soon as all seats are ready. `reminders` are seconds before the deadline.
    `scheduled` if a schedule called, not a person.
    """

    kind: ClassVar[Kind] = "clock"
    act: str
    until: int
    zone: str
    offset: int
    scope: Scope = "act"
    early: bool = False
    reminders: tuple[int, ...] = ()
    scheduled: bool = False


class OrdersClosed(Event, frozen=True, gc=False, tag="clock.orders_closed"):
    """The clock closes the orders for `act`, which is resolved now: its time has come, or all seats are ready.

    Where a person has the word to go on, there is no such fact.
    """

    kind: ClassVar[Kind] = "clock"
    act: str
    cause: Literal["time", "ready"]


class DeadlineMoved(Event, frozen=True, gc=False, tag="ruling.deadline_moved"):
    """The referee moves the deadline for `act` from `was` to `until`: this one alone, no later one and no schedule."""

    kind: ClassVar[Kind] = "ruling"
    act: str
    until: int
    offset: int
    was: int
    why: str


class ClockFrozen(Event, frozen=True, gc=False, tag="ruling.clock_frozen"):
    """The referee stops the calendar: nothing is resolved or called for by the clock. `left` µs were left for `act`."""

    kind: ClassVar[Kind] = "ruling"
    act: str
    left: int
    why: str


class ClockUnfrozen(Event, frozen=True, gc=False, tag="ruling.clock_unfrozen"):
    """The calendar goes on; orders for `act` are due at `until`. An empty act: none were called for."""

    kind: ClassVar[Kind] = "ruling"
    act: str
    until: int
    offset: int
    why: str


DEADLINES: tuple[type[Event], ...] = (
    ScheduleSet,
    OrdersCalled,
    OrdersClosed,
    DeadlineMoved,
    ClockFrozen,
    ClockUnfrozen,
)
