"""Engines that nobody serves are taken over; engines are broken by hand (IF-101, IF-280)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.ice_and_fire.alone import choose
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.orders import Bombard, Move, Serve
from events.facts import OrderLapsed
from events.ice_and_fire.siege import EngineDamaged, EngineDestroyed, EngineFired
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, unit


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def battery(kind: str = "scorpion", **more: Any) -> Top:
    """A red machine with its crew, red sappers beside it, and blue soldiers before them."""
    units = [
        unit("crew", "red", "engineers", (200, 100), training=10),
        unit("sappers", "red", "engineers", (222, 100), training=10),
        unit("foe", "blue", more.pop("foe", "soldiers"), (200, 106)),
    ]
    engine = [{"id": "gun", "seat": "red", "engine": kind, "crew": "crew"}]
    return Top(scenario(units, engine=engine, **more))


def test_an_engine_whose_crew_is_gone_is_taken_over_and_throws_again() -> None:
    """IF-280."""
    top = battery()
    assert top.objections("sappers: serve gun") == ["IF-280"]
    top.put("crew", left="fled")
    top.put("foe", at=Point(2000, 2000))
    assert top.objections("sappers: bombard foe with gun") == ["IF-280"]
    do(top, "sappers: serve gun going 203,100")
    assert top.state.engines["gun"].crew == "sappers"
    top.turn(2)
    do(top, "sappers: bombard foe with gun")
    assert top.made(EngineFired)


def test_the_enemy_may_take_an_engine_that_was_left_and_then_it_is_theirs() -> None:
    top = battery(foe="engineers")
    top.put("crew", left="fled")
    do(top, "foe: serve gun going 200,104")
    assert (top.state.engines["gun"].crew, top.state.engines["gun"].seat) == ("foe", "blue")


def test_a_crew_that_has_nothing_to_serve_takes_over_by_itself() -> None:
    """RUL-01: standing orders to bombard."""
    top = battery()
    top.put("crew", left="fled")
    top.put("foe", at=Point(2000, 4000))
    assert isinstance(choose(top.field, top.unit("sappers"), "bombard", ""), Move)
    top.put("sappers", at=Point(2050, 1000))
    assert isinstance(choose(top.field, top.unit("sappers"), "bombard", ""), Serve)


def test_a_crew_comes_back_to_the_engine_that_it_left() -> None:
    top = battery()
    top.put("crew", at=Point(1000, 500))
    top.put("foe", at=Point(2000, 4000))
    assert isinstance(choose(top.field, top.unit("crew"), "bombard", ""), Move)
    top.put("crew", at=Point(2000, 1000))
    assert isinstance(choose(top.field, top.unit("crew"), "bombard", ""), Bombard)


@pytest.mark.parametrize(("kind", "margin", "harm"), [("scorpion", 0, 2), ("scorpion", 9, 5), ("siege_tower", 9, 0)])
def test_an_engine_is_broken_by_hand(kind: str, margin: int, harm: int) -> None:
    """IF-101: Athletics 3 each degree, less the engine's rating."""
    top = battery(kind)
    top.margins["break"] = margin
    do(top, "foe: break gun")
    assert [each.amount for each in top.made(EngineDamaged)] == ([harm] if harm else [])


def test_a_sally_breaks_an_engine_in_the_end() -> None:
    top = battery("scorpion")
    top.margins["break"] = 9
    for turn in (2, 3):
        do(top, "foe: break gun")
        top.turn(turn)
    assert [each.engine for each in top.made(EngineDestroyed)] == ["gun"]


def test_an_engine_out_of_reach_or_behind_a_wall_is_not_broken() -> None:
    line = {"id": "wall", "wall": "stone", "start": [300, 103], "end": [100, 103]}
    for top in (battery(), battery(wall=[line])):
        if not top.state.walls:
            top.put("foe", at=Point(2000, 1300))
        do(top, "foe: break gun")
        assert [each.rule for each in top.made(OrderLapsed)] == ["IF-101"]


def test_ones_own_engine_is_not_broken() -> None:
    assert battery().objections("sappers: break gun") == ["IF-101"]


def test_an_engine_that_is_destroyed_is_served_by_nobody() -> None:
    top = battery()
    gone = replace(top.state.engines["gun"], destroyed=True)
    order = top.order("sappers: serve gun")
    top.field.state = replace(top.state, engines={"gun": gone})
    top.play(carry_out(top.field, order, ALONE, "sappers: serve gun"))
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-280"]
