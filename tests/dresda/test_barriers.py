"""Every way prices and respects the same barriers: walk, run, charge, break-off, push, flight (DR-021, DR-030)."""

from __future__ import annotations

from typing import Any

import pytest

from events.dresda import ActionTaken, ChargeEnded
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, fig


def barrier(kind: str, y: float, **more: Any) -> list[dict[str, Any]]:
    return [{"id": "bar", "kind": kind, "points": [[0, y], [100, y]], **more}]


def charging(kind: str, distance: int = 30) -> TableTop:
    """A warhorse charges 56 cm; the barrier is 10 cm before it."""
    figures = {
        "rider": fig("red", "human", 50, 10, weapons=["lance"], mount="warhorse", moving="walk"),
        "foot": fig("blue", "human", 50, 10 + distance, weapons=["sword"], facing=180),
    }
    return TableTop(figures, walls=barrier(kind, 20))


def test_dr_030_a_ditch_costs_a_charge_half_its_distance() -> None:
    top = charging("ditch", 40)
    assert top.refused("rider: charge foot") == ["DR-014"]


def test_dr_030_a_charge_that_reaches_over_a_ditch_jumps_it() -> None:
    top = charging("ditch", 27)
    top.say("rider: charge foot")
    top.until("missile")
    assert [(each.action, each.halves) for each in top.facts(ActionTaken)] == [("jump_ditch", 1)]
    assert [each.contact for each in top.facts(ChargeEnded)] == [True]


def test_a_low_wall_that_a_mount_leaps_for_nothing_leaves_a_charge_whole() -> None:
    top = charging("low_wall", 50)
    top.say("rider: charge foot")
    top.until("missile")
    assert [each.contact for each in top.facts(ChargeEnded)] == [True]


def test_dr_016_no_charge_through_a_high_wall() -> None:
    assert "DR-016" in charging("high_wall").refused("rider: charge foot")


def breaking_off(mount: str, kind: str) -> TableTop:
    """A figure 1 cm behind a barrier breaks off from an enemy on its own side of it, and says no way."""
    riding = {"mount": mount} if mount else {}
    figures = {
        "ann": fig("red", "human", 50, 46, weapons=["sword"], **riding),
        "bob": fig("blue", "human", 50, 47.5, weapons=["sword"], facing=180),
    }
    top = TableTop(figures, walls=barrier(kind, 45))
    top.turn({"~": 5, "bob/bob": 6 if mount else 5})
    top.say("ann: disengage")
    top.until("missile")
    return top


def test_dr_084_nobody_breaks_off_through_a_wall_that_they_cannot_cross() -> None:
    top = breaking_off("riding_horse", "high_wall")
    assert top["ann"].place.y > 450


def test_dr_084_a_break_off_over_a_wall_pays_for_the_climb() -> None:
    top = breaking_off("", "low_wall")
    assert top["ann"].place == Point(500, 460 - 80)
    assert [each.action for each in top.facts(ActionTaken)] == ["climb_low_wall"]


@pytest.mark.parametrize("kind", ["high_wall", "low_wall", "fence", "ditch"])
def test_dr_086_a_push_stops_at_a_barrier(kind: str) -> None:
    figures = {
        "ann": fig("red", "human", 50, 44, weapons=["sword"], facing=180),
        "bob": fig("blue", "human", 50, 42.5, weapons=["sword"], facing=0),
    }
    top = TableTop(figures, walls=barrier(kind, 41))
    top.turn({"ann~bob/ann": 6, "ann~bob/bob": 4})
    assert 410 < top["bob"].place.y <= 412
    assert top["bob"].pushed_before


def fleeing(mount: str, kind: str) -> TableTop:
    """A figure routs towards the south edge; a barrier is 5 cm behind it."""
    riding = {"mount": mount} if mount else {}
    figures = {
        "ann": fig("red", "human", 50, 50, weapons=["sword"], wounds=1, status="recruit", **riding),
        "bow": fig("blue", "human", 50, 80, weapons=["long_bow"], facing=180),
    }
    top = TableTop(figures, walls=barrier(kind, 45))
    top.until("missile")
    top.say("bow: shoot long_bow at ann")
    top.turn({"hit": 1, "morale": 1, "/mount": 100, "thrown": 1})
    assert top["ann"].routs
    top.until("missile")
    return top


def test_dr_114_flight_over_a_wall_pays_for_the_climb() -> None:
    top = fleeing("", "low_wall")
    assert [each.action for each in top.facts(ActionTaken)] == ["climb_low_wall"]
    open_ground = fleeing("", "window")
    assert open_ground["ann"].place == top["ann"].place


def test_dr_114_flight_stops_at_a_wall_that_cannot_be_crossed() -> None:
    top = fleeing("pony", "high_wall")
    assert 450 < top["ann"].place.y <= 452


@pytest.mark.parametrize(
    ("kind", "hides", "fought"),
    [("low_wall", False, True), ("fence", False, True), ("high_wall", False, False), ("low_wall", True, False)],
)
def test_dr_080_nobody_strikes_through_a_wall_that_hides_or_is_high(kind: str, hides: bool, fought: bool) -> None:
    figures = {
        "ann": fig("red", "human", 50, 46.5, weapons=["sword"]),
        "bob": fig("blue", "human", 50, 47.5, weapons=["sword"], facing=180),
    }
    top = TableTop(figures, walls=barrier(kind, 47, hides=hides))
    top.turn()
    assert bool(top.calls("melee")) == fought


def test_an_order_through_a_wall_is_refused_when_it_is_given() -> None:
    figures = {
        "ann": fig("red", "human", 50, 46, weapons=["sword"], mount="pony"),
        "bob": fig("blue", "human", 50, 90, weapons=["sword"], facing=180),
    }
    top = TableTop(figures, walls=barrier("high_wall", 45))
    top.until("move")
    assert top.refused("ann: walk 50,40") == ["DR-030"]
    assert not top.facts(OrderLapsed)
