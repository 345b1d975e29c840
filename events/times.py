"""Instants: whole microseconds since 1970 UTC inside, RFC 3339 outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(at: int) -> str:
    """Show an instant with all six decimals, in UTC.

    >>> rfc3339(1_000_000)
    '1970-01-01T00:00:01.000000Z'
    """
    return (_EPOCH + timedelta(microseconds=at)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def instant(text: str) -> int:
    """Read an RFC 3339 time. A time without a zone is refused: ValueError.

    >>> instant("1970-01-01T01:00:01+01:00")
    1000000
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone: write 2026-03-01T18:00:00Z or an offset such as +01:00")
    return (moment - _EPOCH) // timedelta(microseconds=1)
