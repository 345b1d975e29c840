"""Weather and light, and the referee's own orders and facts."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import OrderNotAllowed, SheetRefused
from events.dresda import SkyChanged
from events.places import Point
from tests.dresda.table_top import TableTop, fig


def field(**parts: Any) -> TableTop:
    figures = {"ann": fig("red", "human", 50, 50, weapons=["sword", "short_bow"]), "bob": fig("blue", "human", 50, 90)}
    return TableTop(figures, **parts)


def test_dg_11_the_referee_changes_the_sky_at_any_time_for_orders() -> None:
    top = field()
    top.say("referee: weather rain strong_wind")
    assert top.state.weather == ("rain", "strong_wind")
    top.until("move")
    top.say("referee: light dusk")
    assert (top.state.light, top.state.phase) == ("dusk", "move")
    assert top.refused("ann: walk 50,62.1") == ["DR-017"]
    top.say("referee: weather clear")
    assert not top.state.weather
    top.say("ann: walk 50,66")


def test_dg_11_every_so_many_turns_the_referee_is_asked_if_the_scenario_says_so() -> None:
    top = field(field={"sky_every": 2})
    top.turn()
    assert top.asked("DG-11") == []
    top.turn({}, {"sky/weather": "fog", "sky/light": "night"})
    assert [question.default for question in top.asked("DG-11")] == ["unchanged", "unchanged"]
    assert (top.state.weather, top.state.light, top.state.turn) == (("fog",), "night", 3)
    top.until("declare")
    top.turn()
    assert len(top.facts(SkyChanged)) == 2  # as laid out, and once since


def test_only_the_referee_gives_the_referees_orders_and_only_weather_that_there_is() -> None:
    top = field()
    with pytest.raises(SheetRefused):
        top.battle.order("red", "referee: weather rain")
    with pytest.raises(SheetRefused, match="strong_wind"):
        top.say("referee: weather strong_winds")
    assert top.refused("referee: weather clear rain") == ["DG-11"]


def test_the_referee_states_facts() -> None:
    top = field()
    for fact in ("ann: prone", "ann: at 10,20", "ann: faces 90", "ann: holds short_bow", "ann: wounded 2"):
        top.battle.state_fact(fact, "as agreed")
    ann = top["ann"]
    assert (ann.prone, ann.place, ann.facing, ann.in_hand, ann.wounds) == (True, Point(100, 200), 90, "short_bow", 2)
    top.battle.state_fact("ann: upright", "as agreed")
    assert not top["ann"].prone
    for wrong in ("ann: at 300,20", "bob: holds short_bow"):
        with pytest.raises(OrderNotAllowed, match="ruling"):
            top.battle.state_fact(wrong, "no")
    top.battle.state_fact("ann: wounded 9", "a mine")
    assert (top["ann"].gone, top["ann"].wounds) == ("dead", 3)
