"""From the clock on the wall to an instant: zones, daylight saving, dates as people type them.

Only here and in `schedule` are the rules of zones looked up; what is recorded are instants and offsets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from difflib import get_close_matches
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from events.errors import DiaryError


class TimeRefused(DiaryError, ValueError):
    """A date, a time of day, a zone, a schedule or a span cannot be read, or names no single instant."""

    code = "deadline/time"


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_HINT = "write 2026-03-08 18:00, sunday 18:00, or +48h"
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)[T ]+(\d{1,2}:\d\d(?::\d\d)?) *(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE)
_DAYED = re.compile(r"([a-z]+) +(\d{1,2}:\d\d)", re.IGNORECASE)
_SPAN = re.compile(r"(\d{1,4}) *(weeks?|w|days?|d|hours?|h|minutes?|min|m)", re.IGNORECASE)
_MEANT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("et", "est", "edt", "eastern"), "America/New_York"),
    **dict.fromkeys(("ct", "cst", "cdt", "central"), "America/Chicago"),
    **dict.fromkeys(("mt", "mst", "mdt", "mountain"), "America/Denver"),
    **dict.fromkeys(("pt", "pst", "pdt", "pacific"), "America/Los_Angeles"),
    **dict.fromkeys(("gmt", "bst"), "Europe/London"),
    **dict.fromkeys(("cet", "cest", "mez", "mesz"), "Europe/Berlin"),
    **dict.fromkeys(("eet", "eest"), "Europe/Helsinki"),
    **dict.fromkeys(("aest", "aedt"), "Australia/Sydney"),
}
"""What is most often meant by an abbreviation: a hint, never taken for it."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """An instant in µs UTC, and how many seconds the clock on the wall is ahead of UTC then."""

    until: int
    offset: int


class Span(msgspec.Struct, frozen=True, gc=False):
    """A span as it is meant: whole days on the calendar, then seconds that pass."""

    days: int
    seconds: int


def find_zone(name: str) -> ZoneInfo:
    """Return a zone by its IANA name, or UTC. Raises `TimeRefused`, which names the nearest.

    Abbreviations are refused: EST is a zone without daylight saving, which is hardly ever meant.
    """
    if name.upper() in ("UTC", "Z"):
        return ZoneInfo("UTC")
    known = {each for each in available_timezones() if "/" in each and not each.startswith("Etc/")}
    if name in known:
        return ZoneInfo(name)
    folded = {each.lower(): each for each in known} | {each.lower().rpartition("/")[2]: each for each in sorted(known)}
    meant = _MEANT.get(name.lower())
    near = [meant] if meant else [folded[each] for each in get_close_matches(name.lower().replace(" ", "_"), folded, 3)]
    hint = f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    raise TimeRefused(f"no time zone {name!r}: give its name, such as America/New_York{hint}")


def moment_of(at: datetime) -> Moment:
    """Return an aware time as an instant with its offset."""
    offset = at.utcoffset()
    assert offset is not None
    return Moment((at - _EPOCH) // _MICROSECOND, int(offset.total_seconds()))


def local(instant: int, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows at an instant, as an aware time."""
    return (_EPOCH + instant * _MICROSECOND).astimezone(zone)


def at_wall(wall: datetime, zone: ZoneInfo) -> Moment:
    """Return the instant at which the clock on the wall shows `wall`. Raises `TimeRefused` if it never does, or twice.

    >>> at_wall(datetime(2026, 3, 8, 18), ZoneInfo("America/New_York")).offset
    -14400
    """
    first, second = moment_of(wall.replace(tzinfo=zone)), moment_of(wall.replace(tzinfo=zone, fold=1))
    if first == second:
        return first
    shown = f"{wall:%Y-%m-%d %H:%M}"
    if first.offset < second.offset:  # clocks are put forward: PEP 495 gives the offset before the gap first
        there = local(first.until, zone)
        raise TimeRefused(f"{shown} does not exist in {zone.key}: clocks are put forward; give {there:%Y-%m-%d %H:%M}")
    offsets = " or ".join(f"{shown}{_offset(each.offset)}" for each in (first, second))
    raise TimeRefused(f"{shown} comes twice in {zone.key}: clocks are put back; write {offsets}")


def at_wall_or_next(wall: datetime, zone: ZoneInfo) -> Moment:
    """Return the instant at which the clock shows `wall`: the first if twice, that much after the gap if never."""
    return moment_of((_EPOCH + moment_of(wall.replace(tzinfo=zone)).until * _MICROSECOND).astimezone(zone))


def _offset(seconds: int) -> str:
    sign, minutes = "-" if seconds < 0 else "+", abs(seconds) // 60
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}"


def read_moment(text: str, zone: ZoneInfo, now: int) -> Moment:
    """Read a deadline as it is typed, by the clocks of a zone. Raises `TimeRefused`.

    `2026-03-08 18:00`, with an offset or Z if one must be told; `sunday 18:00`, the next one; `+48h`, from now;
    `+2d`, the same time of day in two days.
    """
    words = " ".join(text.split())
    if words.startswith("+"):
        return later(now, read_span(words[1:]), zone)
    if found := _DATED.fullmatch(words):
        return _dated(text, found[1], found[2], found[3], zone)
    if found := _DAYED.fullmatch(words):
        return _next_day(read_weekday(found[1]), read_time(found[2]), zone, now)
    raise TimeRefused(f"{text!r} is no time: {_HINT}")


def _dated(text: str, date: str, clock: str, offset: str | None, zone: ZoneInfo) -> Moment:
    hours = clock if len(clock.partition(":")[0]) == 2 else f"0{clock}"
    try:
        wall = datetime.fromisoformat(f"{date}T{hours}")
        aware = datetime.fromisoformat(f"{date}T{hours}{offset.upper()}") if offset else None
    except ValueError as error:
        raise TimeRefused(f"{text!r} is no time ({error}): {_HINT}") from error
    if not 1970 < wall.year < 2200:
        raise TimeRefused(f"{text!r} is no time for a deadline: the year is {wall.year}")
    return at_wall(wall, zone) if aware is None else moment_of(aware.astimezone(zone))


def _next_day(weekday: int, at: time, zone: ZoneInfo, now: int) -> Moment:
    today = local(now, zone).date()
    day = today + timedelta(days=(weekday - today.weekday()) % 7)
    found = at_wall(datetime.combine(day, at), zone)
    return found if found.until > now else at_wall(datetime.combine(day + timedelta(days=7), at), zone)


def read_weekday(word: str) -> int:
    """Read a day of the week, whole or by its beginning: Monday is 0. Raises `TimeRefused`.

    >>> read_weekday("Sundays"), read_weekday("tue")
    (6, 1)
    """
    asked = word.lower().removesuffix("s") if word.lower().endswith("days") else word.lower()
    found = [number for number, name in enumerate(WEEKDAYS) if len(asked) > 1 and name.startswith(asked)]
    if len(found) != 1:
        raise TimeRefused(f"{word!r} is no day of the week: {_HINT}")
    return found[0]


def read_time(text: str) -> time:
    """Read a time of day. Raises `TimeRefused`.

    >>> read_time("9:30")
    datetime.time(9, 30)
    """
    hours, _, minutes = text.partition(":")
    try:
        return time(int(hours), int(minutes))
    except ValueError as error:
        raise TimeRefused(f"{text!r} is no time of day: write 18:00") from error


def read_span(text: str) -> Span:
    """Read a span such as `24h`, `2 days`, `1d12h`. Raises `TimeRefused`.

    >>> read_span("1d 12h")
    Span(days=1, seconds=43200)
    """
    days = seconds = place = 0
    words = text.strip()
    while found := _SPAN.match(words, place):
        count, unit = int(found[1]), found[2].lower()
        if unit[0] in "wd":
            days += count * (7 if unit[0] == "w" else 1)
        else:
            seconds += count * (3600 if unit[0] == "h" else 60)
        place = found.end() + (words[found.end() : found.end() + 1] == " ")
    if place < len(words) or not (days or seconds) or days > 3660:
        raise TimeRefused(f"{text!r} is no span of time: write 24h, 2d or 1d12h")
    return Span(days, seconds)


def later(instant: int, span: Span, zone: ZoneInfo) -> Moment:
    """Return the instant a span later: days keep the time on the wall, hours and minutes simply pass.

    >>> sunday = at_wall(datetime(2026, 3, 7, 18), ZoneInfo("America/New_York")).until
    >>> [later(sunday, span, ZoneInfo("America/New_York")).until - sunday for span in (Span(1, 0), Span(0, 86400))]
    [82800000000, 86400000000]
    """
    there = local(instant, zone)
    if span.days:
        there = local(at_wall_or_next(there.replace(tzinfo=None) + timedelta(days=span.days), zone).until, zone)
    return moment_of((there.astimezone(UTC) + timedelta(seconds=span.seconds)).astimezone(zone))
