"""Times in logs: most have no zone, so that it must be given; none is ever guessed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final, Literal, TypeAlias

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_CLOCK: Final = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.[0-9]{1,6})?)?"
_HALF_AND_ZONE: Final = r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?: ?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?"
_WEEKDAY: Final = r"(?:[A-Z][a-z]{2,8},? )?"
_SHAPES: Final = tuple(
    re.compile(shape)
    for shape in (
        rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})[T ]{_CLOCK}{_HALF_AND_ZONE}",
        rf"{_WEEKDAY}(?P<name>[A-Z][a-z]{{2,8}})\.?"
        rf" (?P<day>[0-9]{{1,2}}),? (?P<year>[0-9]{{4}}),? (?:at )?{_CLOCK}{_HALF_AND_ZONE}",
        rf"{_WEEKDAY}(?P<day>[0-9]{{1,2}}) (?P<name>[A-Z][a-z]{{2,8}}) (?P<year>[0-9]{{4}}),? {_CLOCK}{_HALF_AND_ZONE}",
    )
)
_AMERICAN: Final = re.compile(
    r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[0-9]{4}),? " + _CLOCK + _HALF_AND_ZONE
)

Doubt: TypeAlias = Literal["", "twice", "skipped"]
"""A local time that came twice, or never, because the clocks were changed."""


class ZoneMissing(ValueError):
    """A time has no zone and none was given. It never leaves this folder."""


def find_zone(name: str) -> tzinfo:
    """Return the time zone of a name such as Europe/Berlin, UTC or +01:00. Raises ValueError with how to mend it.

    >>> find_zone("+01:00").utcoffset(None)
    datetime.timedelta(seconds=3600)
    """
    if name.upper() in ("UTC", "GMT", "Z"):
        return UTC
    if found := re.fullmatch(r"([+-])([01][0-9]|2[0-3]):?([0-5][0-9])", name):
        return _offset(*found.groups())
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"no time zone {name!r} here: write a name such as Europe/Berlin, or UTC, or an offset such as +01:00 "
            "(a system without zone data needs the Python package tzdata for names)"
        ) from error


def read_moment(text: str, zone: tzinfo | None, *, american: bool = False) -> tuple[int, Doubt]:
    """Read a time as microseconds UTC. Only an `american` source writes the month first in 5/1/2031.

    A time that came twice is taken as the first, one that never came as if the clocks had not been changed; the second
    value says so. Raises ValueError if it cannot be read, `ZoneMissing` if there is no zone.

    >>> read_moment("5/1/2031 7:02 PM", UTC, american=True)
    (1935428520000000, '')
    """
    found = next((match for shape in _SHAPES if (match := shape.fullmatch(text.strip()))), None)
    if found is None and american:
        found = _AMERICAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a time that is known here: write 2031-05-01 19:02")
    local = _local(found)
    if own := found["zone"]:
        zone = UTC if own in ("Z", "UTC", "GMT") else _offset(own[0], own[1:3], own[-2:])
    if zone is None:
        raise ZoneMissing(text)
    moment = local.replace(tzinfo=zone)
    at = (moment - _EPOCH) // timedelta(microseconds=1)
    if moment.utcoffset() == local.replace(tzinfo=zone, fold=1).utcoffset():
        return at, ""
    back = (_EPOCH + timedelta(microseconds=at)).astimezone(zone).replace(tzinfo=None)
    return at, "twice" if back == local else "skipped"


def _offset(sign: str, hours: str, minutes: str) -> timezone:
    ahead = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-ahead if sign == "-" else ahead)


def _local(found: re.Match[str]) -> datetime:
    """Put the parts of a time together. Raises ValueError if there is no such day or hour."""
    parts = found.groupdict()
    year, hour = int(parts["year"]), int(parts["hour"])
    if not 1970 <= year <= 2200:
        raise ValueError(f"the year {year} is not between 1970 and 2200")
    if name := parts.get("name"):
        if name[:3].lower() not in _MONTHS:
            raise ValueError(f"no month is called {name!r}")
        month = _MONTHS.index(name[:3].lower()) + 1
    else:
        month = int(parts["month"])
    if half := parts["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(f"no clock shows {hour} {half}m")
        hour = hour % 12 + (12 if half in "Pp" else 0)
    try:
        return datetime(year, month, int(parts["day"]), hour, int(parts["minute"]), int(parts["second"] or 0))
    except ValueError as error:
        raise ValueError(f"{found[0]!r} is no time: {error}") from error
