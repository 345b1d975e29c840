"""Ladders, towers and routs at a wall: bodies do not reach through it, gear breaks, the wall is taken (§13)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.condition import hurt
from engine.rules.ice_and_fire.ground import next_to, stands_higher
from engine.rules.ice_and_fire.moving import flee
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.turn import end
from engine.rules.ice_and_fire.walls_held import shatter_gear
from events.ice_and_fire.siege import EngineDestroyed, GearShattered, WallLeft, WallTaken
from events.ice_and_fire.units import ConditionWorsened
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, unit


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def wall(kind: str = "stone") -> dict[str, Any]:
    """A wall from west to east at y = 200: the inside, on its left, is to the north; blue holds it."""
    return {"id": "wall", "wall": kind, "start": [100, 200], "end": [300, 200], "seat": "blue"}


def storm(kind: str = "stone", *, within: list[dict[str, Any]] | None = None, **more: Any) -> Top:
    """Red ladders at the foot of a wall that a blue unit mans, with more blue units within."""
    ladders = unit("lad", "red", more.pop("mine", "militia"), (200, 197), gear=more.pop("gear", ["ladders"]))
    guards = unit("guards", "blue", "militia", (200, 205), on_wall="wall")
    rest = more.pop("units", [])
    return Top(scenario([ladders, guards, *(within or []), *rest], wall=[wall(kind)], **more))


def rout(top: Top, name: str) -> None:
    """Damage a unit until one more point routs it."""
    top.put(name, damage=2 * top.unit(name).profile.health)


def test_a_body_that_reaches_through_a_wall_bars_nobody_on_its_other_side() -> None:
    """IF-241: the levy within faces along the wall, and its flank reaches over the line."""
    levy = unit("levy", "blue", "peasant_levies", (200, 204), facing=90)
    top = storm(within=[levy])
    do(top, "lad: move 200,180")
    do(top, "lad: move 200,199")
    assert not top.objections("lad: scale wall")
    top.turn(2)
    do(top, "lad: scale wall")
    assert [key for key in top.calls if "scale" in key]


def test_a_body_in_the_way_on_the_same_side_still_bars_it() -> None:
    """IF-241: only what lies beyond the wall is passed over."""
    foe = unit("levy", "blue", "peasant_levies", (200, 150))
    top = storm(within=[foe])
    top.put("lad", at=Point(2000, 1000))
    do(top, "lad: move 200,198")
    assert next_to(top.field, top.unit("lad"), top.unit("levy"))


@pytest.mark.parametrize("kind", ["high_palisade", "stone"])
def test_ladders_may_be_broken_when_a_climber_is_routed_at_the_foot_of_a_wall(kind: str) -> None:
    """IF-256: also of a wall that one degree climbs; by whatever the climbers were routed."""
    top = storm(kind)
    top.margins["scale"] = -1
    top.margins["shatter"] = 0
    do(top, "lad: scale wall")
    rout(top, "lad")
    top.margins["attack"] = 15
    do(top, "guards: attack lad with stones")
    assert top.unit("lad").condition == "routed"
    assert [each.by for each in top.made(GearShattered)] == ["guards"]


def test_climbers_routed_by_a_friends_rout_or_by_fire_may_lose_their_ladders_once() -> None:
    """IF-256: the first unit that mans the wall tries, one time."""
    top = storm()
    top.margins["scale"] = -1
    do(top, "lad: scale wall")
    rout(top, "lad")
    top.play(hurt(top.field, "lad", 1, "", "IF-284"))
    top.play(flee(top.field, "lad"))
    top.play(end(top.field))
    assert len(top.made(GearShattered)) == 1


def test_nobody_breaks_ladders_from_afar() -> None:
    """IF-256: the defenders of the wall do, not the archers that routed the climbers."""
    archers = unit("bows", "blue", "longbowmen", (200, 100))
    top = storm(within=[archers])
    top.put("guards", on_wall="", at=Point(2000, 4000))
    top.margins["scale"] = -1
    top.margins["attack"] = 15
    do(top, "lad: scale wall")
    rout(top, "lad")
    do(top, "bows: attack lad")
    assert top.unit("lad").condition in ("routed", "destroyed")
    assert not [key for key in top.calls if "shatter" in key]


def in_tower(top_kind: str = "stone") -> Top:
    engine = [{"id": "belfry", "seat": "red", "engine": "siege_tower", "crew": "lad"}]
    return storm(top_kind, mine="soldiers", gear=[], engine=engine)


def test_a_tower_that_routs_the_defenders_takes_the_wall() -> None:
    """IF-257, IF-273."""
    top = in_tower()
    rout(top, "guards")
    top.margins["attack"] = 5
    do(top, "lad: attack guards with mace")
    assert [(each.wall, each.unit) for each in top.made(WallTaken)] == [("wall", "lad")]
    assert top.made(WallLeft)[0].unit == "guards"


def test_blows_over_a_low_palisade_take_it() -> None:
    """IF-257: a low palisade is fought over from the ground."""
    top = storm("low_palisade", mine="soldiers")
    rout(top, "guards")
    top.margins["attack"] = 5
    do(top, "lad: attack guards with mace")
    assert [each.unit for each in top.made(WallTaken)] == ["lad"]


def test_shots_that_rout_the_defenders_take_no_wall() -> None:
    """IF-257: by a Fighting attack."""
    archers = unit("bows", "red", "longbowmen", (200, 150))
    top = storm(units=[archers])
    rout(top, "guards")
    top.margins["attack"] = 15
    do(top, "bows: attack guards")
    assert top.unit("guards").condition in ("routed", "destroyed")
    assert top.made(WallTaken) == []


def test_a_tower_stands_above_the_defenders_and_they_never_above_it() -> None:
    """IF-273, IF-245."""
    top = in_tower()
    assert stands_higher(top.field, top.unit("lad"), top.unit("guards")) == "IF-273"
    assert stands_higher(top.field, top.unit("guards"), top.unit("lad")) == ""


def test_a_bank_below_the_wall_does_not_raise_the_defenders_over_a_tower() -> None:
    """IF-273, IF-228."""
    bank = {"id": "bank", "terrain": "steep_slope", "corners": [[100, 150], [300, 150], [300, 199], [100, 199]]}
    engine = [{"id": "belfry", "seat": "red", "engine": "siege_tower", "crew": "lad"}]
    top = storm(gear=[], engine=engine, ground=[{**bank, "uphill": 0}])
    assert stands_higher(top.field, top.unit("guards"), top.unit("lad")) == ""


def test_the_men_in_a_tower_that_the_defenders_break_are_destroyed() -> None:
    """IF-256, IF-274."""
    top = in_tower()
    top.margins["shatter"] = 0
    top.put("lad", condition="routed")
    top.play(shatter_gear(top.field, "lad", "guards"))
    assert top.made(EngineDestroyed)[0].engine == "belfry"
    assert top.made(ConditionWorsened)[-1].to == "destroyed"
