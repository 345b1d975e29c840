"""Units left to themselves: ways through gates, walls kept, nothing without a chance, and storms that end (RUL-01)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.opening import read_scenario
from engine.rules.ice_and_fire.alone import choose
from engine.rules.ice_and_fire.autoplay import autoplay
from engine.rules.ice_and_fire.breaking import weaken
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.chances import chance_of
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.orders import Attack, Break, Charge, Move, Reform, Scale, Stand
from engine.rules.ice_and_fire.paths import step_towards, waypoint
from events.facts import OrderLapsed
from events.ice_and_fire.siege import WallMounted
from events.ice_and_fire.units import MoveStopped, UnitActed, UnitMoved
from events.places import Point
from tests.ice_and_fire.table_top import SCENARIOS, Top, scenario, unit
from tests.ice_and_fire.test_properties import Fought

LEFT = {"id": "left", "wall": "stone", "start": [50, 200], "end": [190, 200], "seat": "blue"}
RIGHT = {"id": "right", "wall": "stone", "start": [210, 200], "end": [350, 200], "seat": "blue"}
GATE = {"id": "gate", "gate": "castle", "start": [190, 200], "end": [210, 200], "seat": "blue"}


def castle(*units: dict[str, Any], opened: bool = False) -> Top:
    top = Top(scenario(list(units), wall=[LEFT, RIGHT], gate=[GATE]))
    if opened:
        top.play(weaken(top.field, "gate", units[0]["id"], 99, Point(2000, 1990), "IF-262", "k"))
    return top


def wish(top: Top, name: str, how: str, mark: str = "") -> Any:
    return choose(top.field, top.unit(name), how, mark)


# -- ways --------------------------------------------------------------------------------------------------------------


def test_the_way_to_a_place_within_leads_through_the_open_gate() -> None:
    top = castle(unit("a", "red", "soldiers", (100, 150)), unit("b", "blue", "militia", (100, 230)), opened=True)
    way = waypoint(top.field, top.unit("a").at, top.unit("b").at)
    assert way is not None
    assert abs(way.x - 2000) <= 10
    assert way.y < 2000


def test_no_way_leads_through_closed_walls() -> None:
    top = castle(unit("a", "red", "soldiers", (100, 150)), unit("b", "blue", "militia", (100, 230)))
    assert waypoint(top.field, top.unit("a").at, top.unit("b").at) is None
    assert wish(top, "a", "fight") is None


def test_attackers_enter_an_open_gate_by_themselves() -> None:
    """IF-260: from beside the gate, in a few rounds."""
    top = castle(unit("a", "red", "soldiers", (120, 150)), unit("b", "blue", "militia", (120, 260)), opened=True)
    for turn in range(2, 10):
        order = wish(top, "a", "break", "gate")
        if not isinstance(order, Move):
            break
        top.play(carry_out(top.field, order, ALONE, "go"))
        top.turn(turn)
    assert top.unit("a").at.y > 2000


def test_a_friend_in_the_way_is_gone_round() -> None:
    friend = unit("b", "red", "militia", (200, 130))
    top = Top(scenario([unit("a", "red", "militia", (200, 122)), friend, unit("c", "blue", "militia", (200, 400))]))
    place = step_towards(top.field, top.unit("a"), top.unit("c").at)
    assert place is not None
    top.play(carry_out(top.field, Move("a", (place,)), ALONE, "go"))
    assert top.unit("a").at.y > top.unit("b").at.y
    assert top.made(MoveStopped) == []


# -- walls -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["fight", "charge", "shoot", "hold", "independent", "bombard"])
def test_defenders_do_not_leave_their_wall_without_an_order(how: str) -> None:
    """IF-243: with nobody in reach, or in disorder."""
    man = unit("b", "blue", "longbowmen", (100, 205), on_wall="left")
    top = castle(unit("a", "red", "soldiers", (100, 30)), man)
    for condition in ("organized", "disorganized"):
        top.put("b", condition=condition)
        assert isinstance(wish(top, "b", how), Stand | Reform | Attack | None)


def test_men_within_do_not_charge_through_their_wall() -> None:
    top = castle(unit("a", "red", "soldiers", (100, 190)), unit("b", "blue", "militia", (100, 212)))
    assert not isinstance(wish(top, "b", "fight"), Charge | Move)


def test_men_within_fall_upon_climbers_on_their_wall() -> None:
    top = castle(unit("a", "red", "soldiers", (100, 195), gear=["ladders"]), unit("b", "blue", "militia", (100, 240)))
    top.apply(WallMounted("a", "left", Point(1000, 2030), 0, False, 1, "IF-255"))
    assert isinstance(wish(top, "b", "fight"), Charge)


def test_climbers_who_have_won_a_wall_go_on_within() -> None:
    top = castle(unit("a", "red", "soldiers", (100, 195), gear=["ladders"]), unit("b", "blue", "militia", (200, 400)))
    top.apply(WallMounted("a", "left", Point(1000, 2030), 0, False, 1, "IF-255"))
    order = wish(top, "a", "scale", "left")
    assert isinstance(order, Move)
    assert order.path[0].y > 2030


def test_ladders_near_enough_climb_after_a_move() -> None:
    """IF-107, IF-110."""
    top = castle(unit("a", "red", "militia", (100, 180), gear=["ladders"]), unit("b", "blue", "militia", (100, 400)))
    order = wish(top, "a", "scale", "left")
    assert isinstance(order, Scale)
    assert order.going
    top.play(carry_out(top.field, order, ALONE, "go"))
    assert [key for key in top.calls if "scale" in key]


# -- chances -----------------------------------------------------------------------------------------------------------


def test_no_hopeless_climb_is_tried() -> None:
    """IF-255: Athletics 2 without ladders at 15, men above."""
    top = castle(
        unit("a", "red", "peasant_levies", (100, 197)), unit("b", "blue", "militia", (100, 205), on_wall="left")
    )
    assert chance_of(top.field, Scale("a", "left")) == 0
    assert not isinstance(wish(top, "a", "scale", "left"), Scale)


def test_no_hopeless_blow_at_a_wall_is_struck() -> None:
    """IF-262: 24 is more than three dice show."""
    top = castle(unit("a", "red", "militia", (100, 197)), unit("b", "blue", "militia", (300, 400)))
    assert chance_of(top.field, Break("a", "left")) == 0
    assert not isinstance(wish(top, "a", "break", "left"), Break)


def test_no_hopeless_reform_is_tried() -> None:
    """IF-161: two dice, one of them lost, at 9."""
    top = Top(
        scenario(
            [unit("a", "red", "soldiers", (200, 100), training=0), unit("b", "blue", "peasant_levies", (200, 106))]
        )
    )
    top.put("a", condition="disorganized")
    assert chance_of(top.field, Reform("a")) == 0
    assert isinstance(wish(top, "a", "fight"), Attack)
    assert not [order for order in autoplay(top.field, "red") if isinstance(order, Reform)]


def test_a_machine_does_not_throw_at_a_wall_that_it_cannot_weaken() -> None:
    """IF-282: at 12 three dice hit by two degrees; then six dice may show 27, four that are kept of five may not."""
    line = {**LEFT, "wall": "superior_stone"}
    crew = unit("crew", "red", "engineers", (120, 100), training=10)
    for kind, able in (("onager", True), ("scorpion", False)):
        engine = [{"id": "gun", "seat": "red", "engine": kind, "crew": "crew"}]
        top = Top(scenario([crew, unit("b", "blue", "militia", (300, 400))], wall=[line], engine=engine))
        assert bool(chance_of(top.field, top.order("crew: bombard left with gun"))) == able


# -- storms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_castle_is_entered_and_whoever_cannot_move_says_why(seed: int) -> None:
    battle = Fought(read_scenario(SCENARIOS / "if_castle.toml"), seed)
    assert any(
        unit.seat == "crown" and unit.fights and (unit.on_wall or unit.at.y > 4000)
        for _, _, after in battle.steps
        for unit in after.units.values()
    )
    assert battle.state.table.ended
    gone: dict[tuple[int, str], int] = {}
    named: set[tuple[int, str]] = set()
    for before, event, _ in battle.steps:
        turn = before.table.turn
        if isinstance(event, UnitActed) and event.action in ("move", "charge", "sprint", "trample"):
            gone.setdefault((turn, event.unit), 0)
        elif isinstance(event, UnitMoved) and (turn, event.unit) in gone:
            gone[turn, event.unit] += event.distance
        elif isinstance(event, MoveStopped):
            named.add((turn, event.unit))
        elif isinstance(event, OrderLapsed):
            named.add((turn, event.piece))
    stuck = {key for key, far in gone.items() if far < battle.state.mm_each_yard} - named
    assert not [(turn, name) for turn, name in stuck if (turn + 1, name) in stuck]
