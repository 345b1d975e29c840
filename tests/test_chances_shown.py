"""A chance is shown in per cent with one decimal, rounded half up."""

from __future__ import annotations

import pytest

from events.facts import Chance, RollCalled
from projections.journal import chance


@pytest.mark.parametrize(
    ("of", "out_of", "shown"),
    [
        (1, 1, "100.0"),
        (0, 1, "0.0"),
        (1, 3, "33.3"),
        (2, 3, "66.7"),
        (1, 2000, "0.1"),
        (1, 2001, "0.0"),
        (1999, 2000, "100.0"),
        (1998, 2000, "99.9"),
    ],
)
def test_a_chance_is_rounded_half_up_to_a_tenth_of_a_per_cent(of: int, out_of: int, shown: str) -> None:
    call = RollCalled("k", "to hit", "red", "ann", "d6", "at_least", 4, chances=(Chance("hit", of, out_of),))
    assert chance(call) == f"hit {shown} %"


def test_every_result_has_its_chance() -> None:
    call = RollCalled("k", "p", "red", "ann", "d6", "read", chances=(Chance("1", 1, 6), Chance("2", 5, 6)))
    assert chance(call) == "1 16.7 %, 2 83.3 %"
