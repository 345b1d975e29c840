"""Instants: whole microseconds since 1970 UTC inside, RFC 3339 outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def rfc3339(at: int) -> str:
    """Show an instant with all six decimals, in UTC, so that texts sort like the instants.

    >>> rfc3339(1_000_000)
    '1970-01-01T00:00:01.000000Z'
    """
    return (_EPOCH + at * _MICROSECOND).isoformat(timespec="microseconds")[:-6] + "Z"


def instant(text: str) -> int:
    """Read an RFC 3339 time. A time without a zone or before 1970 is refused, and what is no time: ValueError.

    >>> instant("1970-01-01T01:00:01+01:00")
    1000000
    """
    try:
        moment = datetime.fromisoformat(text)
        at = (moment - _EPOCH) // _MICROSECOND if moment.tzinfo is not None else -1
    except ValueError:
        at = -1
    if at < 0:
        raise ValueError(f"{text!r} is no time with its zone: write 2026-03-01T18:00:00Z or an offset such as +01:00")
    return at
