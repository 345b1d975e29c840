"""Pools of dice: their chances against a published table, an outside library and every case counted (B-01 to B-12)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.ice_and_fire.calls import (
    Pool,
    added,
    against,
    call,
    contest,
    kept_dice,
    odds,
    outcome,
    penalty_dice,
    spare_dice,
)
from engine.rules.ice_and_fire.condition import nerve_pool
from events.dice.notation import parse
from projections.dice.odds import distribution
from projections.dice.rolls import Reading
from tests.ice_and_fire.table_top import Top, scenario, tables, unit

FIGURES = {
    "elite": (15, [(99.94, 0), (99.53, 0.01), (95.80, 0.18), (98.37, 0.02)]),
    "veteran": (10, [(99.73, 0), (98.37, 0.01), (89.75, 0.72), (95.86, 0.08)]),
    "seasoned": (6, [(99.20, 0), (95.86, 0.08), (77.46, 1.95), (80.59, 0.48)]),
    "trained": (3, [(97.22, 0), (89.51, 0.39), (61.65, 5.71), (69.44, 1.54)]),
    "green": (1, [(80.56, 0.46), (52.31, 5.09), (7.41, 31.94), (0, 29.63)]),
    "raw": (0, [(58.33, 2.78), (27.78, 16.67), (2.78, 58.33), (0, 44.44)]),
}
COLUMNS = ((7, 0), (9, 0), (12, 0), (9, 1))


def pool(test: int, bonus: int = 0, penalty: int = 0, flat: int = 0) -> Pool:
    shares = (
        kept_dice(test, "t", ""),
        spare_dice(bonus, "b", ""),
        penalty_dice(penalty, "p", ""),
        added(flat, "f", ""),
    )
    return Pool(shares, -1)


@pytest.mark.parametrize("rank", FIGURES)
def test_the_chances_of_morale_are_the_published_ones(rank: str) -> None:
    """IF-071, IF-074: success and critical failure at 7, 9, 12 and at 9 with a die less."""
    training, figures = FIGURES[rank]
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=training)]))
    assert top.unit("a").rank == rank
    for (tn, penalty), (success, critical) in zip(COLUMNS, figures, strict=True):
        morale = nerve_pool(top.unit("a")).also(penalty_dice(penalty, "", ""))
        good, bad = (Fraction(100 * each.of, each.out_of) for each in odds(morale, tn, tables()))
        assert abs(good - Fraction(str(success))) <= Fraction("0.005")
        assert abs(bad - Fraction(str(critical))) <= Fraction("0.01")


@pytest.mark.parametrize(
    ("test", "bonus", "penalty"), [(2, 0, 0), (3, 1, 0), (4, 2, 0), (4, 2, 1), (5, 3, 2), (3, 0, 2)]
)
def test_the_chances_of_a_pool_agree_with_an_outside_library(test: int, bonus: int, penalty: int) -> None:
    outside = icepool.d6.highest(test + bonus, test - penalty)
    total = outside.denominator()
    for tn in range(1, 31):
        good, _ = odds(pool(test, bonus, penalty), tn, tables())
        assert Fraction(good.of, good.out_of) == Fraction(sum(outside[k] for k in outside if k >= tn), total)


def test_a_pool_of_4d_2b_reaches_15_in_37919_of_46656_cases() -> None:
    good, _ = odds(pool(4, 2), 15, tables())
    assert Fraction(good.of, good.out_of) == Fraction(37919, 46656)


@pytest.mark.parametrize(("test", "bonus", "penalty"), [(2, 1, 1), (3, 1, 1), (2, 2, 0)])
def test_keeping_the_best_dice_is_what_every_case_counted_gives(test: int, bonus: int, penalty: int) -> None:
    """B-02, B-03: roll test and bonus dice, keep as many as test dice, less one for each penalty die."""
    counted: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=test + bonus):
        total = sum(sorted(faces)[::-1][: test - penalty])
        counted[total] = counted.get(total, 0) + 1
    spread = distribution(parse(pool(test, bonus, penalty).dice))
    assert {spread.low + place: weight for place, weight in enumerate(spread.weights) if weight} == counted


def test_a_test_die_more_and_a_penalty_die_are_not_the_same_as_neither() -> None:
    """B-08: one die more is rolled, one is dropped."""
    assert pool(3, 0, 0).also(kept_dice(1, "", ""), penalty_dice(1, "", "")).dice == "4D-1P"


def test_degrees_go_by_five_and_end_at_four() -> None:
    """B-10, B-11."""
    degrees = [
        outcome(tables(), Reading(9 + margin, None, ()), 9).degrees for margin in (-1, 0, 4, 5, 9, 10, 14, 15, 60)
    ]
    assert degrees == [0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_a_failure_by_five_is_critical() -> None:
    """B-12."""
    assert [outcome(tables(), Reading(total, None, ()), 9).critical for total in (8, 5, 4, 0)] == [
        False,
        False,
        True,
        True,
    ]


def test_a_pool_that_keeps_no_die_fails_even_against_nothing() -> None:
    """B-07."""
    made = call("k", "p", "red", "a", pool(2, 1, 2, flat=5), (against(0, "nothing", ""),), "")
    assert (made.dice, made.target, made.chances[0].of) == ("2D+1B-2P", 1, 0)


def test_the_record_says_what_the_target_was_before_the_rules_limited_it() -> None:
    """B-07: only where a limit changed it."""
    hopeless, able = pool(2, 1, 2), pool(2)
    assert call("k", "p", "red", "a", hopeless, (against(0, "nothing", ""),), "").before_limits == 0
    assert call("k", "p", "red", "a", hopeless, (against(9, "an order", ""),), "").before_limits is None
    assert call("k", "p", "red", "a", able, (against(0, "nothing", ""),), "").before_limits is None


def test_bonus_dice_are_at_most_the_rank() -> None:
    """B-06."""
    limited = Pool((kept_dice(2, "", ""), spare_dice(2, "", ""), spare_dice(1, "aim", "")), 2)
    assert limited.dice == "2D+2B"
    assert limited.terms()[-1].value == -1


def test_the_record_tells_each_share_and_each_line_of_the_target() -> None:
    made = call(
        "k", "p", "red", "a", pool(3, 1, 1, 2), (against(9, "an order", "IF-020"), against(3, "raw", "")), "IF-020"
    )
    assert made.dice == "3D+1B-1P+2"
    assert made.target == 12
    assert [term.value for term in made.terms] == [3, 1, 1, 2, 9, 3]


def test_a_contest_has_the_chance_of_every_total() -> None:
    made = contest("k", "p", "red", "a", pool(2), "AMB-40")
    assert made.test == "read"
    assert sum(chance.of for chance in made.chances) == 36


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 3), st.integers(0, 3), st.integers(-3, 6), st.integers(0, 40))
def test_chances_lie_between_nothing_and_certainty(test: int, bonus: int, penalty: int, flat: int, tn: int) -> None:
    for chance in odds(pool(test, bonus, penalty, flat), tn, tables()):
        assert 0 <= chance.of <= chance.out_of
