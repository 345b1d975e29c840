"""The checks of rule tables: holes, overlaps, figures that run the wrong way, words that are not there."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.tables.checks import covers, falls, filled, joins, known, rises, same, unique, within


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 8)), max_size=6))
def test_bands_are_healthy_just_when_every_roll_is_covered_once(starts: list[tuple[int, int]]) -> None:
    bands = [(first, min(20, first + length)) for first, length in starts]
    times = [sum(first <= roll <= last for first, last in bands) for roll in range(1, 21)]
    assert (not list(covers(bands, 1, 20))) == all(time == 1 for time in times)


@given(st.sets(st.integers(2, 100), max_size=8))
def test_bands_cut_anywhere_cover_and_lose_it_when_one_goes(cuts: set[int]) -> None:
    edges = [1, *sorted(cuts), 101]
    bands = [(first, after - 1) for first, after in pairwise(edges)]
    assert list(covers(reversed(bands), 1, 100)) == []
    gone = bands.pop(len(bands) // 2)
    hole = str(gone[0]) if gone[0] == gone[1] else f"{gone[0]} to {gone[1]}"
    assert list(covers(bands, 1, 100)) == [f"nothing covers {hole}"]


def test_l75_a_bonus_table_that_passes_from_150_to_161_per_cent_is_found() -> None:
    """A published table of a forum game has this hole; a force 191 % stronger finds its row all the same."""
    bands = [(0, 10), (11, 25), (26, 50), (51, 75), (76, 100), (101, 125), (126, 150), (161, 200)]
    assert list(covers(bands, 0, 200)) == ["nothing covers 151 to 160"]
    assert [band for band in bands if band[0] <= 191 <= band[1]] == [(161, 200)]


@pytest.mark.parametrize(
    ("bands", "said"),
    [
        ([], "nothing covers 1 to 10"),
        ([(1, 4), (4, 10)], "4 is covered more than once"),
        ([(1, 10), (3, 5)], "3 to 5 are covered more than once"),
        ([(1, 10), (8, 6)], "the band 8 to 6 runs backwards"),
        ([(1, 12)], "the band 1 to 12 reaches outside 1 to 10"),
        ([(2, 10)], "nothing covers 1"),
    ],
)
def test_a_hole_or_overlap_is_named(bands: list[tuple[int, int]], said: str) -> None:
    assert list(covers(bands, 1, 10)) == [said]


def test_bands_of_a_modified_roll_may_reach_further_out() -> None:
    assert list(covers([(-99, 1), (2, 99)], 1, 10, beyond=True)) == []
    assert list(covers([(-99, -50), (1, 99)], 1, 10, beyond=True)) == ["nothing covers -49 to 0"]


def test_figures_that_run_the_wrong_way_are_named() -> None:
    assert list(rises([("a", 1), ("b", 1)])) == ["the figure must rise, but is 1 at a and 1 at b"]
    assert list(rises([("a", 1), ("b", 1)], strictly=False)) == []
    assert list(falls([("a", 1), ("b", 2)], strictly=False)) == ["the figure must not rise, but is 1 at a and 2 at b"]
    assert list(falls([("a", 3), ("b", 2), ("c", Fraction(1, 2))])) == []


def test_other_checks_name_what_is_wrong() -> None:
    assert list(joins([(0, 60), (60, 180)], 0, 180)) == []
    assert list(joins([(0, 60)], 0, 180)) == ["the bands do not run from 0 to 180"]
    assert list(unique("aba")) == ["a stands there 2 times"]
    assert list(within([("a", 5)], 1, 4)) == ["5 at a lies outside 1 to 4"]
    assert list(known(["orcs"], ["orc"], "race")) == ["there is no race 'orcs' (did you mean orc?)"]
    assert list(same([], ["orc"], "race")) == ["race 'orc' is missing"]
    assert list(filled({"0": [1]}, 2)) == ["row 0 has 1 cells for 2 columns"]
