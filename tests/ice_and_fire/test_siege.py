"""Walls, climbing and gear: each row of their tables and each action (IF-240 to IF-276)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.command import sees_over
from engine.rules.ice_and_fire.ground import barred, manning, stands_higher
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.turn import end, muster
from events.facts import OrderLapsed
from events.ice_and_fire.siege import (
    GearShattered,
    WallClimbed,
    WallLeft,
    WallMounted,
    WallTaken,
)
from events.ice_and_fire.units import Attacked
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def do(top: Top, text: str, carried: Carried = ALONE) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), carried, text))


def lapsed(top: Top) -> list[str]:
    return [each.rule for each in top.made(OrderLapsed)]


def wall(kind: str = "stone", **more: Any) -> dict[str, Any]:
    """A wall from east to west at y = 200: the inside, on its left, is to the south; red stands there."""
    return {"id": "wall", "wall": kind, "start": [300, 200], "end": [100, 200], **more}


def castle(
    kind: str = "stone", *, manned: bool = True, foe: str = "militia", gear: list[str] | None = None, **more: Any
) -> Top:
    """Red within a wall, on it if `manned`; a blue unit at its foot outside, to the north."""
    rest = {key: more.pop(key) for key in ("gate", "engine", "ground", "options") if key in more}
    reds = [unit("a", "red", more.pop("mine", "militia"), (200, 190), **({"on_wall": "wall"} if manned else {}))]
    blues = [unit("b", "blue", foe, (200, 203), gear=gear or [])]
    extra = more.pop("units", [])
    return Top(scenario([*reds, *blues, *extra], wall=[wall(kind, **more)], **rest))


WALLS = {
    "low_palisade": (True, False, 4, 4, 9, 1, 18, 0, 0),
    "high_palisade": (False, True, 4, 2, 12, 1, 18, 0, 0),
    "stone": (False, True, 6, 3, 15, 1, 24, 0, 0),
    "superior_stone": (False, True, 6, 4, 15, 2, 27, 1, 1),
    "extraordinary_stone": (False, True, 6, 6, 15, 3, 33, 2, 2),
}


@pytest.mark.parametrize("kind", WALLS)
def test_every_row_of_the_wall_table(kind: str) -> None:
    """IF-249, IF-242, IF-247: blows across, cover, behind, scaling, breaking, stones."""
    row = tables().walls[kind]
    shown = (row.fighting, row.hides, row.cover, row.cover_behind, row.scale_tn, row.scale_degrees, row.break_tn)
    assert (*shown, row.stone_dice, row.stone_damage) == WALLS[kind]


@pytest.mark.parametrize("kind", WALLS)
def test_blows_across_a_wall(kind: str) -> None:
    """IF-242, IF-249: across a low palisade alone, by men on foot."""
    top = castle(kind)
    assert barred(top.field, top.unit("b"), top.unit("a")) == ("" if kind == "low_palisade" else "IF-242")
    riders = castle(kind, foe="scouts")
    assert barred(riders.field, riders.unit("b"), riders.unit("a")) != ""


@pytest.mark.parametrize("kind", WALLS)
def test_cover_on_a_wall_and_behind_it(kind: str) -> None:
    """IF-245, IF-247, IF-249, AMB-32a: who mans it has its cover and is seen; behind it half, and two dice less."""
    cover, behind = WALLS[kind][2], WALLS[kind][3]
    top = castle(kind)
    top.put("b", at=Point(2000, 2800), profile=castle(foe="longbowmen").unit("b").profile)
    do(top, "b: attack a")
    terms = top.terms("attack/b>a")
    assert terms["on wall"] == cover
    assert "penalty dice: across wall" not in terms
    hidden = castle(kind, manned=False)
    hidden.put("b", at=Point(2000, 2800), profile=castle(foe="longbowmen").unit("b").profile)
    hidden.put("a", at=Point(2000, 1000))
    do(hidden, "b: attack a")
    terms = hidden.terms("attack/b>a")
    hides = WALLS[kind][1]
    assert terms.get("behind wall", 0) == (behind if hides else 0)
    assert terms.get("penalty dice: across wall", 0) == (2 if hides else 0)


def test_the_two_dice_are_lost_in_both_directions() -> None:
    """IF-247, AMB-32a: from behind the wall outward too; who mans it sees over."""
    top = castle("stone", manned=False, mine="longbowmen")
    top.put("a", at=Point(2000, 1000))
    top.put("b", at=Point(2000, 2800))
    do(top, "a: attack b")
    assert top.terms("attack/a>b")["penalty dice: across wall"] == 2
    above = castle("stone", mine="longbowmen")
    above.put("b", at=Point(2000, 2800))
    do(above, "a: attack b")
    assert "penalty dice: across wall" not in above.terms("attack/a>b")


def test_a_commander_who_sees_over_guides_the_shots() -> None:
    """IF-248: the unit then ignores the two dice; he must see the target."""
    top = castle("stone", manned=False, mine="longbowmen")
    top.put("a", at=Point(2000, 1000))
    top.put("b", at=Point(2000, 2800))
    do(top, "a: attack b guided", Carried(guided=True))
    assert "penalty dice: across wall" not in top.terms("attack/a>b")
    assert not sees_over(top.field, top.hero("ada"), "b")
    top.put("a", on_wall="wall")
    assert sees_over(top.field, top.hero("ada"), "b")


@pytest.mark.parametrize(
    ("kind", "works", "rule"),
    [("stone", False, "IF-245"), ("low_palisade", False, ""), ("low_palisade", True, "IF-245")],
)
def test_who_mans_a_wall_stands_higher(kind: str, works: bool, rule: str) -> None:
    """IF-240, IF-245: if it keeps blows off or stands on earthworks."""
    top = castle(kind, earthworks=works)
    assert stands_higher(top.field, top.unit("a"), top.unit("b")) == rule


@pytest.mark.parametrize(
    ("kind", "dice", "damage"),
    [("stone", 0, 3), ("superior_stone", 1, 4), ("extraordinary_stone", 2, 5), ("high_palisade", 0, 3)],
)
def test_stones(kind: str, dice: int, damage: int) -> None:
    """IF-243, IF-249, B-86: Marksmanship (Thrown), damage Athletics; better walls add dice and damage."""
    top = castle(kind)
    do(top, "a: attack b with stones")
    assert top.terms("attack/a>b").get(f"test dice: {tables().walls[kind].name}", 0) == dice
    assert top.made(Attacked)[0].damage == damage - 1


def test_no_stones_across_a_low_palisade_nor_from_the_ground() -> None:
    """IF-243."""
    top = castle("low_palisade")
    do(top, "a: attack b with stones")
    assert lapsed(top) == ["IF-113"]
    assert castle(manned=False).objections("a: attack b with stones") == ["IF-243"]


@pytest.mark.parametrize(("what", "damage"), [("boiling_water", 2), ("boiling_oil", 5), ("hot_sand", 5)])
def test_boiling_things(what: str, damage: int) -> None:
    """IF-244, AMB-32: Marksmanship (Thrown), whatever the armour, without cover of the wall."""
    top = castle("stone", stores=[what], foe="men_at_arms")
    top.put("b", mounted=False)
    do(top, f"a: attack b with {what}")
    assert top.made(Attacked)[0].damage == damage
    assert "behind wall" not in top.terms("attack/a>b")


@pytest.mark.parametrize(("answer", "poured"), [("yes", True), ("no", False)])
def test_the_referee_says_what_is_at_hand(answer: str, poured: bool) -> None:
    """RUL-14: of what the scenario does not say; unattended nothing."""
    top = castle("stone", unsaid=["boiling_oil"])
    top.answers["battle/store"] = answer
    top.play(muster(top.field))
    do(top, "a: attack b with boiling_oil")
    assert bool(top.made(Attacked)) is poured
    assert next(each.default for each in top.asked.values() if each.rule == "RUL-14") == "no"


def test_heads_down_behind_the_wall() -> None:
    """IF-246, AMB-39: this battle round."""
    top = castle("stone", foe="longbowmen")
    do(top, "a: cover")
    do(top, "b: attack a")
    assert lapsed(top) == ["IF-246"]
    top.turn(2)
    do(top, "b: attack a")
    assert top.made(Attacked)


def test_a_wall_stops_everybody() -> None:
    """IF-241."""
    top = castle("stone", manned=False)
    top.put("b", at=Point(2000, 2300))
    do(top, "b: move 200,170")
    assert top.unit("b").at.y > 2000
    assert castle("stone", foe="scouts").objections("b: scale wall") == ["IF-110"]


# -- scaling -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "gear", "manned", "dice"),
    [
        ("stone", [], True, "3D+1B-1P"),
        ("low_palisade", [], True, "3D+1B"),
        ("high_palisade", [], True, "3D+1B-1P"),
        ("stone", ["grapnels"], True, "4D+1B"),
        ("stone", ["ladders"], True, "5D+1B"),
        ("stone", ["ladders"], False, "6D+1B"),
        ("stone", ["grapnels", "ladders"], True, "5D+1B"),
    ],
)
def test_what_goes_into_a_climb(kind: str, gear: list[str], manned: bool, dice: str) -> None:
    """IF-110, IF-255, IF-270, IF-271: gear, no gear from 12 on, nobody above."""
    top = castle(kind, manned=manned, gear=gear)
    do(top, "b: scale wall")
    call = top.called("scale/b")
    assert (call.dice, call.target) == (dice, WALLS[kind][4])


@pytest.mark.parametrize(("kind", "tries"), [("stone", 1), ("superior_stone", 2), ("extraordinary_stone", 3)])
def test_better_walls_take_more_degrees(kind: str, tries: int) -> None:
    """IF-249: they add up over tests."""
    top = castle(kind, manned=False, gear=["ladders"])
    for number in range(tries):
        assert top.made(WallMounted) == []
        top.turn(number + 2)
        do(top, "b: scale wall")
    assert [each.degrees for each in top.made(WallClimbed)] == list(range(1, tries + 1))
    assert len(top.made(WallMounted)) == 1


def test_an_unmanned_wall_is_taken_by_who_climbs_it() -> None:
    """AMB-34a."""
    top = castle(manned=False, gear=["ladders"])
    do(top, "b: scale wall")
    assert top.unit("b").on_wall == "wall"
    assert [each.gear for each in top.made(WallTaken)] == [("ladders",)]


def test_scaling_costs_three_defence() -> None:
    """IF-110."""
    top = castle(gear=["ladders"])
    top.margins["scale"] = -1
    do(top, "b: scale wall")
    do(top, "a: attack b with stones")
    assert top.terms("attack/a>b")["scaling"] == -3


def test_on_a_manned_wall_climber_and_defenders_fight() -> None:
    """AMB-34a, IF-242: at 3 less for the climber, without cover or height between them."""
    top = castle(gear=["ladders"])
    do(top, "b: scale wall attacking a")
    assert top.unit("b").contested
    assert "on wall" not in top.terms("attack/b>a")
    assert "bonus dice: higher ground" not in top.terms("attack/b>a")
    do(top, "a: attack b")
    assert top.terms("attack/a>b")["scaling"] == -3
    assert "bonus dice: higher ground" not in top.terms("attack/a>b")


def test_a_wall_is_taken_when_blows_rout_its_defenders() -> None:
    """IF-257: then one unit a round goes up, without a test (AMB-34)."""
    more = [unit("c", "blue", "militia", (225, 203)), unit("d", "blue", "militia", (175, 203))]
    top = castle(gear=["ladders"], units=more)
    do(top, "b: scale wall")
    top.put("a", damage=20)
    top.turn(2)
    do(top, "b: attack a")
    assert top.unit("a").condition == "routed"
    assert [each.unit for each in top.made(WallTaken)] == ["b"]
    assert top.unit("a").on_wall == ""
    top.turn(3)
    rolled = len(top.calls)
    do(top, "c: scale wall")
    do(top, "d: scale wall")
    assert len(top.calls) == rolled
    assert "scaling" in top.unit("c").stances
    assert [each.id for each in manning(top.state, "wall")] == ["b", "c"]
    assert lapsed(top) == ["IF-257"]


def test_a_wall_whose_defenders_are_gone_is_the_climbers() -> None:
    """AMB-34a: they fled, or yielded; at the end of the round nobody contests it."""
    top = castle(gear=["ladders"])
    do(top, "b: scale wall")
    top.put("a", left="yielded")
    top.play(end(top.field))
    assert not top.unit("b").contested
    assert [(each.unit, each.rule) for each in top.made(WallTaken)] == [("b", "AMB-34a")]


@pytest.mark.parametrize(("gear", "tn"), [("grapnels", 3), ("ladders", 9)])
def test_defenders_break_the_gear_of_a_routed_climber(gear: str, tn: int) -> None:
    """IF-256, AMB-33: Athletics (Strength), once, free, at once."""
    top = castle(gear=[gear])
    do(top, "b: scale wall")
    top.put("b", damage=20)
    do(top, "a: attack b")
    assert top.unit("b").condition == "routed"
    assert top.called("shatter").target == tn
    assert [(each.unit, each.gear) for each in top.made(GearShattered)] == [("b", gear)]
    assert top.made(WallLeft)
    assert top.unit("b").gear == ()


def test_walls_are_manned_from_within() -> None:
    """IF-243, IF-249: not without battlements."""
    top = castle(manned=False)
    do(top, "a: man wall")
    assert top.unit("a").on_wall == "wall"
    bare = castle("high_palisade", manned=False, battlements=False)
    do(bare, "a: man wall")
    assert lapsed(bare) == ["IF-249"]


def test_three_units_on_walls_face_one_in_the_way_between() -> None:
    """IF-251: a gate-passage with walls on each side."""
    sides = [
        {"id": "west", "wall": "stone", "start": [180, 200], "end": [180, 260]},
        {"id": "east", "wall": "stone", "start": [220, 260], "end": [220, 200]},
        {"id": "back", "wall": "stone", "start": [220, 200], "end": [180, 200]},
    ]
    units = [unit(f"on_{name}", "red", "militia", (200, 230), on_wall=name) for name in ("west", "east", "back")]
    top = Top(scenario([*units, unit("foe", "blue", "militia", (200, 215))], wall=sides))
    for name in ("west", "east", "back"):
        do(top, f"on_{name}: attack foe with stones")
    assert len(top.made(Attacked)) == 3
