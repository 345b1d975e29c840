"""Fixed times, such as `sunday 18:00`, `monday, thursday 20:00`, `daily 18:00`: deadlines that do not drift."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from engine.deadlines.walltime import WEEKDAYS, Moment, TimeRefused, at_wall_or_next, local, read_time, read_weekday


class Rule(msgspec.Struct, frozen=True, gc=False):
    """Days of the week, Monday 0, and a time of day on them."""

    days: tuple[int, ...]
    at: time

    def __str__(self) -> str:
        """Return the rule as it is recorded.

        >>> str(read_rule("Thursdays and mondays, 20:00"))
        'monday, thursday 20:00'
        """
        named = "daily" if len(self.days) == 7 else ", ".join(WEEKDAYS[day] for day in self.days)
        return f"{named} {self.at:%H:%M}"


def read_rule(text: str) -> Rule:
    """Read a rule as it is typed. Raises `TimeRefused`."""
    words = text.lower().replace(",", " ").split()
    days = [word for word in words[:-1] if word not in ("and", "every", "at", "weekly")]
    if not days or ":" not in words[-1]:
        raise TimeRefused(f"{text!r} is no schedule: write sunday 18:00, monday,thursday 20:00, or daily 18:00")
    whole = days in (["daily"], ["day"])
    return Rule(tuple(range(7)) if whole else tuple(sorted({read_weekday(day) for day in days})), read_time(words[-1]))


def next_time(rule: Rule, zone: ZoneInfo, after: int) -> Moment:
    """Return the first fixed time that is later than an instant.

    Each is made from its own date on the wall, so that nothing adds up and no change of clocks moves a later one. A
    time that a change of clocks leaves out comes as much later as the clocks are put forward.
    """
    day = local(after, zone).date() - timedelta(days=1)
    while True:
        if day.weekday() in rule.days:
            found = at_wall_or_next(datetime.combine(day, rule.at), zone)
            if found.until > after:
                return found
        day += timedelta(days=1)
