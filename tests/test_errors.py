"""Errors say in one line what is wrong, show what is invisible, and offer the nearest right words."""

from __future__ import annotations

import pytest

from events.errors import did_you_mean, visible
from events.store.errors import Conflict
from events.store.record import Recorded


def recorded(seq: int) -> Recorded:
    return Recorded(seq, "b", "main", seq, 1, "table", '{"type":"table.noted","text":""}', "red", 0, None, "", "")


@pytest.mark.parametrize(
    ("nearest", "offer"),
    [((), ""), (("walk",), "; did you mean walk?"), (("walk", "wait"), "; did you mean walk or wait?")],
)
def test_the_nearest_words_are_offered_where_there_are_any(nearest: tuple[str, ...], offer: str) -> None:
    assert did_you_mean(nearest) == offer


@pytest.mark.parametrize(
    ("text", "shown"), [("Ölaf 1", "Ölaf 1"), ("a\nb", "a<U+000A>b"), ("\x1b[31m", "<U+001B>[31m"), ("", "")]
)
def test_what_is_invisible_is_shown_by_its_number(text: str, shown: str) -> None:
    assert visible(text) == shown


def conflict(between: int) -> str:
    return str(Conflict("b", "main", 3, 3 + between, [recorded(4 + each) for each in range(between)]))


def test_a_conflict_tells_what_came_between() -> None:
    assert conflict(0) == "b/main has moved on: you expected it at event 3, it is at 3"
    assert conflict(2).endswith("it is at 5; since then: 4 table.noted, 5 table.noted")


def test_a_conflict_names_five_events_and_counts_the_others() -> None:
    assert conflict(5).endswith("; since then: " + ", ".join(f"{seq} table.noted" for seq in range(4, 9)))
    assert conflict(6).endswith("8 table.noted and 1 more")
