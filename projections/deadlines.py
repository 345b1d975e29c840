"""Deadlines as they stand and as they are told: what is open until when, who is missing, how long is left.

Pure: a present is handed in, and no zone is looked up, since facts carry what the clock on the wall showed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from events.deadlines import OrdersCalled
from events.facts import OrdersMarked, Seat

SECOND = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PARTS = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))


class Deadline(msgspec.Struct, frozen=True, gc=False):
    """A call for orders that is open, and when they are due by what the referee has ruled since."""

    call: OrdersCalled
    until: int
    offset: int

    @property
    def moved(self) -> bool:
        """Whether it is not when it was called for."""
        return self.until != self.call.until


def called(call: OrdersCalled) -> Deadline:
    """Return the deadline that a call sets."""
    return Deadline(call, call.until, call.offset)


def wall(until: int, offset: int) -> str:
    """Tell what the clock on the wall shows.

    >>> wall(1_773_007_200_000_000, -14_400)
    'Sunday 2026-03-08 18:00'
    """
    moment = _EPOCH + timedelta(seconds=until // SECOND + offset)
    seconds = moment.strftime(":%S") if moment.second else ""
    return f"{_WEEKDAYS[moment.weekday()]} {moment:%Y-%m-%d %H:%M}{seconds}"


def when(until: int, zone: str, offset: int) -> str:
    """Tell a deadline so that everybody reads it rightly: on the wall there, and in UTC.

    >>> when(1_773_007_200_000_000, "America/New_York", -14_400)
    'Sunday 2026-03-08 18:00 America/New_York (Sunday 2026-03-08 22:00 UTC)'
    """
    there = f"{wall(until, offset)} {zone}".rstrip()
    return there if zone == "UTC" else f"{there} ({wall(until, 0)} UTC)"


def span(microseconds: int) -> str:
    """Tell how long something lasts, by its two largest parts, rounded down.

    >>> span(93_784_000_000), span(3_600_000_000), span(0)
    ('1 d 2 h', '1 h', '0 s')
    """
    left = microseconds // SECOND
    told: list[str] = []
    for name, size in _PARTS:
        count, left = divmod(left, size)
        if count:
            told.append(f"{count} {name}")
        elif told:
            break
    return " ".join(told[:2]) or "0 s"


def remaining(until: int, now: int) -> str:
    """Tell how far a deadline is from now.

    >>> remaining(7_200_000_000, 0), remaining(0, 60_000_000)
    ('in 2 h', '1 min ago')
    """
    return f"in {span(until - now)}" if until > now else f"{span(now - until)} ago"


def stamp(until: int, style: str = "F") -> str:
    """Return a time as Discord shows it to each reader by his own clock; `R` counts down.

    >>> stamp(1_773_007_200_000_000)
    '<t:1773007200:F>'
    """
    return f"<t:{until // SECOND}:{style}>"


def told(deadline: Deadline, now: int, *, discord: bool = False) -> list[str]:
    """Tell a deadline, one line each: for what, local and UTC, how long is left, and for Discord its own form."""
    call = deadline.call
    scope = f"orders for {call.act}" + (" and the rest of its turn" if call.scope == "turn" else "")
    moved = f", moved from {wall(call.until, call.offset)}" if deadline.moved else ""
    lines = [
        f"{scope} are due {when(deadline.until, call.zone, deadline.offset)}{moved}",
        f"that is {remaining(deadline.until, now)}",
    ]
    return [*lines, f"{stamp(deadline.until)}, {stamp(deadline.until, 'R')}"] if discord else lines


def ready(seats: Collection[Seat], marks: Mapping[str, OrdersMarked], act: str) -> list[str]:
    """Return the seats that have said that they are done with their orders for an act, in the order of the table."""
    done = {seat for seat, mark in marks.items() if mark.act == act and mark.mark == "final"}
    return [seat.id for seat in seats if seat.id in done]


def reminders(deadline: Deadline) -> list[int]:
    """Return the instants at which a reminder is due, first one first."""
    return sorted(deadline.until - seconds * SECOND for seconds in deadline.call.reminders)
