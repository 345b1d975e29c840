"""Training over a campaign: units that are not full learn by surviving, as the men of full ones do (IF-198)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from engine.rules.ice_and_fire.aftermath import trained
from projections.ice_and_fire.state import rounded
from projections.journal import caption
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def reckoned(men: int, training: tuple[int, int], lost: int) -> tuple[int, int]:
    top = Top(scenario([unit("a", "red", "soldiers", (100, 100)), unit("b", "blue", "militia", (300, 300))]))
    top.put("a", men=men - lost, casualties=lost, training=training)
    return trained(tables(), top.unit("a")).training


def test_a_unit_that_has_lost_men_learns_in_battles_without_losses() -> None:
    """IF-198, AMB-30: 100 men at 7 lose 18; then the 82 who are left gain a battle each time: 0.82 on the average."""
    found = [reckoned(100, (7, 1), 18)]
    for _ in range(4):
        found.append(reckoned(82, found[-1], 0))
    assert [rounded(each) for each in found] == ["6.56", "7.38", "8.20", "9.02", "9.84"]
    assert [Fraction(*b) - Fraction(*a) for a, b in pairwise(found)] == [Fraction(82, 100)] * 4


@pytest.mark.parametrize("lost", [0, 1, 30, 59])
def test_the_men_who_are_left_each_gain_one(lost: int) -> None:
    """IF-198: what the men's training comes to is shared by them, not by the empty places."""
    each = Fraction(3 * 100, 60) + 1
    assert Fraction(*reckoned(60, (3, 1), lost)) * 100 == each * (60 - lost)


def test_a_unit_without_men_has_no_training() -> None:
    assert reckoned(10, (3, 1), 10) == (0, 1)
    assert reckoned(0, (3, 1), 0) == (0, 1)


def test_training_is_shown_rounded_and_kept_exact() -> None:
    top = Top(scenario([unit("a", "red", "soldiers", (100, 100)), unit("b", "blue", "militia", (300, 300))]))
    top.put("a", men=82, training=(853407579, 156250000))
    made = trained(tables(), top.unit("a"))
    assert made.training == (981532579, 156250000)
    assert "training 6.28 now" in caption(top.fold, made, top.state)
