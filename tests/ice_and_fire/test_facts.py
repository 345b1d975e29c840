"""A fact that the referee states is no action: nothing is counted that a unit did not do."""

from __future__ import annotations

import pytest

from engine.orders import read_order
from engine.rules.ice_and_fire.command import order_line
from engine.rules.ice_and_fire.facts_stated import FACTS, state_fact
from engine.rules.ice_and_fire.vocabulary import vocabulary
from tests.ice_and_fire.table_top import Top, scenario, unit


@pytest.fixture
def top() -> Top:
    return Top(scenario([unit("a", "red", "militia", (100, 100)), unit("b", "blue", "militia", (300, 300))]))


def state(top: Top, text: str) -> None:
    top.apply(*state_fact(top.field, read_order(text, FACTS, vocabulary(top.field))))


def test_a_corrected_condition_is_no_reform(top: Top) -> None:
    """IF-132: orders are no harder for it."""
    for _ in range(2):
        state(top, "a: is disorganized")
        state(top, "a: is organized")
    assert (top.unit("a").condition, top.unit("a").reforms) == ("organized", 0)
    assert [line.label for line in order_line(top.field, top.unit("a"), reform=False)] == ["an order"]


def test_a_corrected_place_is_no_move(top: Top) -> None:
    """IF-276, IF-130: a ram may still strike, and nobody counts as pressed."""
    state(top, "a: at 120,110 facing 90")
    assert (top.unit("a").at.x, top.unit("a").facing, top.unit("a").moved) == (1200, 90, False)
