"""Instants: microseconds inside, RFC 3339 outside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.times import instant, rfc3339

LATEST = instant("9999-12-31T23:59:59.999999Z")


@given(st.integers(0, LATEST))
def test_an_instant_is_read_back_to_the_microsecond(at: int) -> None:
    shown = rfc3339(at)
    assert instant(shown) == at
    assert len(shown) == 27


@given(st.integers(0, LATEST), st.integers(0, LATEST))
def test_texts_sort_like_the_instants_they_show(one: int, other: int) -> None:
    assert (rfc3339(one) < rfc3339(other)) == (one < other)


def test_an_offset_is_reckoned_in() -> None:
    assert instant("2026-03-01T19:30:00+01:30") == instant("2026-03-01T18:00:00Z")


@pytest.mark.parametrize(
    "text", ["2026-03-01T18:00:00", "2026-03-01", "yesterday", "", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z"]
)
def test_what_is_no_instant_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(ValueError, match="2026-03-01T18:00:00Z"):
        instant(text)
