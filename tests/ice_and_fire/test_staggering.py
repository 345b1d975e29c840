"""Weapons that stagger: a degree is given up, and the foe does no greater action in its next turn (IF-090, B §5)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.alone import act_alone
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.objections import carry_out
from events.facts import OrderLapsed
from events.ice_and_fire.units import Attacked, StanceTaken, UnitMoved
from tests.ice_and_fire.table_top import Top, scenario, unit


def meeting() -> Top:
    units = [
        unit("a", "red", "longbowmen", (200, 100)),
        unit("b", "blue", "peasant_levies", (200, 106)),
        unit("c", "blue", "militia", (300, 106)),
    ]
    return Top(scenario(units))


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


@pytest.mark.parametrize(("margin", "degrees", "staggers"), [(0, 1, False), (5, 1, True), (10, 2, True)])
def test_two_degrees_or_more_stagger_at_the_price_of_one(margin: int, degrees: int, staggers: bool) -> None:
    """IF-090."""
    top = meeting()
    top.margins["attack/a>b"] = margin
    do(top, "a: attack b with maul stagger")
    (hit,) = top.made(Attacked)
    assert hit.degrees == degrees
    assert ("staggered" in [each.stance for each in top.made(StanceTaken)]) is staggers


def test_without_the_word_nobody_is_staggered() -> None:
    top = meeting()
    top.margins["attack/a>b"] = 10
    do(top, "a: attack b with maul")
    assert "staggered" not in top.unit("b").stances
    assert [each.degrees for each in top.made(Attacked)] == [3]


def test_a_staggered_unit_does_lesser_actions_alone_in_its_next_turn() -> None:
    """IF-090: what it was told to do of the greater kind lapses; then it has got over it."""
    top = meeting()
    top.margins["attack/a>b"] = 5
    do(top, "a: attack b stagger with maul")
    assert top.objections("b: charge a") == ["IF-090"]
    assert top.objections("b: attack a aim") == []
    do(top, "b: breath")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-090"]
    assert "staggered" not in top.unit("b").stances


def test_after_two_lesser_actions_it_is_over() -> None:
    top = meeting()
    top.margins["attack/a>b"] = 5
    do(top, "a: attack b stagger with maul")
    do(top, "b: attack a aim")
    assert "staggered" not in top.unit("b").stances


@pytest.mark.parametrize(("first", "after_one", "after_two"), [(False, False, False), (True, True, False)])
def test_a_turn_that_goes_by_is_a_turn(first: bool, after_one: bool, after_two: bool) -> None:
    """IF-090: who had not acted loses this round's turn, who had the next one's."""
    top = meeting()
    top.margins["attack/a>b"] = 5
    if first:
        do(top, "b: stand aim")
    do(top, "a: attack b stagger with maul")
    top.turn(2)
    assert ("staggered" in top.unit("b").stances) is after_one
    top.turn(3)
    assert ("staggered" in top.unit("b").stances) is after_two


def test_only_a_weapon_that_staggers_does() -> None:
    top = meeting()
    assert top.objections("b: attack a stagger") == ["IF-090"]
    assert top.objections("a: attack b stagger with longbow") == ["IF-090"]
    assert top.objections("a: attack b stagger with maul") == []


def test_on_its_own_a_staggered_unit_walks_instead_of_charging() -> None:
    top = meeting()
    top.put("c", stances=("staggered",))
    top.play(act_alone(top.field, "c", "fight", ""))
    assert [each.rule for each in top.made(UnitMoved)] == ["IF-107"]
