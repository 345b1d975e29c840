"""The ground: every row of the terrain table, movement, passages (IF-003, IF-107, IF-112, IF-220 to IF-229)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.ground import barred, next_to, rectangle, stands_higher
from engine.rules.ice_and_fire.melee import charge_refusal, melee_refusal, trample_refusal
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.turn import muster
from engine.rules.ice_and_fire.ways import allowance, cost, go, slowing
from events.facts import OrderLapsed
from events.ice_and_fire.siege import GroundNamed, PassageUsed
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def over(terrain: str, *, kind: str = "militia", uphill: int = 0, foe: int = 350, **more: Any) -> Top:
    """A red unit south of a broad strip of ground, 100 to 200 yards, and a foe beyond it."""
    strip: dict[str, Any] = {"id": "strip", "terrain": terrain}
    strip["corners"] = [[100, 110], [300, 110], [300, 200], [100, 200]]
    if terrain in ("slope", "steep_slope"):
        strip["uphill"] = uphill
    units = [unit("a", "red", kind, (200, 100), **more), unit("b", "blue", "militia", (200, foe))]
    return Top(scenario(units, ground=[strip]))


def test_a_unit_covers_twenty_by_five_yards() -> None:
    """IF-003, AMB-01, AMB-02: squads less; the long side is the front."""
    top = over("mud")
    assert (top.unit("a").front, top.unit("a").depth) == (200, 50)
    assert top.state.mm_each_yard == 10
    squad = over("mud", squad=True)
    assert (squad.unit("a").front, squad.unit("a").depth, squad.unit("a").men) == (50, 20, 10)


@pytest.mark.parametrize(
    ("kind", "squad", "men"),
    [("militia", False, 100), ("scouts", False, 50), ("militia", True, 10), ("scouts", True, 5)],
)
def test_how_many_men(kind: str, squad: bool, men: int) -> None:
    """IF-001, IF-002, AMB-01: health, damage and dice do not shrink with a squad."""
    top = over("mud", kind=kind, squad=squad)
    assert top.unit("a").men == top.unit("a").establishment == men
    assert top.unit("a").profile == over("mud", kind=kind).unit("a").profile


@pytest.mark.parametrize(("gap", "adjacent"), [(0, True), (10, True), (11, False)])
def test_adjacent_is_a_yard_apart_or_less(gap: int, adjacent: bool) -> None:
    """AMB-02."""
    top = over("mud")
    top.put("b", at=Point(2000, 1050 + gap))
    assert next_to(top.field, top.unit("a"), top.unit("b")) is adjacent


SPEEDS: dict[str, tuple[int | Fraction, int | Fraction]] = {
    "ditch": (1, 1),
    "forest": (1, Fraction(1, 2)),
    "mud": (Fraction(3, 4), Fraction(3, 4)),
    "narrow_passage": (1, 1),
    "slope": (Fraction(3, 4), Fraction(3, 4)),
    "steep_slope": (Fraction(1, 2), Fraction(1, 2)),
}


@pytest.mark.parametrize("terrain", SPEEDS)
@pytest.mark.parametrize("mounted", [False, True])
def test_what_ground_does_to_speed(terrain: str, mounted: bool) -> None:
    """IF-220, IF-222 to IF-228: a stretch costs as much more as it takes of the speed."""
    top = over(terrain, kind="scouts" if mounted else "militia")
    it = top.unit("a")
    a, b = Point(2000, 1200), Point(2000, 1600)
    assert cost(a, b, slowing(top.field, it, a, b)) == 400 / Fraction(SPEEDS[terrain][mounted])


@pytest.mark.parametrize("terrain", ["slope", "steep_slope"])
def test_slopes_are_slow_uphill_only(terrain: str) -> None:
    """IF-227, IF-228."""
    top = over(terrain)
    a, b = Point(2000, 1600), Point(2000, 1200)
    assert cost(a, b, slowing(top.field, top.unit("a"), a, b)) == 400


@pytest.mark.parametrize("terrain", ["barrier", "trench"])
def test_nobody_crosses_a_barrier_or_trench(terrain: str) -> None:
    """IF-221, IF-229, IF-220: an impassable river is a trench."""
    top = over(terrain)
    do(top, "a: move 200,170")
    assert top.unit("a").at.y <= 1100 - 25


CHARGES = {
    "barrier": (False, False),
    "ditch": (False, False),
    "forest": (True, False),
    "mud": (True, True),
    "narrow_passage": (True, False),
    "slope": (True, True),
    "steep_slope": (False, False),
    "trench": (False, False),
}


@pytest.mark.parametrize("terrain", CHARGES)
@pytest.mark.parametrize("mounted", [False, True])
def test_where_charges_are_possible(terrain: str, mounted: bool) -> None:
    """IF-222, IF-223, IF-224, IF-225, IF-227, IF-228."""
    top = over(terrain, kind="scouts" if mounted else "militia")
    assert (charge_refusal(top.field, top.unit("a"), Point(2000, 2500)) is None) is CHARGES[terrain][mounted]


@pytest.mark.parametrize("terrain", ["slope", "steep_slope"])
def test_charges_downhill_are_free(terrain: str) -> None:
    """IF-227, IF-228: only uphill is barred or weak."""
    top = over(terrain, uphill=180)
    assert charge_refusal(top.field, top.unit("a"), Point(2000, 2500)) is None


TRAMPLES = {
    "ditch": False,
    "forest": False,
    "mud": True,
    "narrow_passage": False,
    "slope": True,
    "steep_slope": True,
    "trench": False,
    "barrier": False,
}


@pytest.mark.parametrize("terrain", TRAMPLES)
def test_where_trampling_is_possible(terrain: str) -> None:
    """AMB-24b, IF-225: not in narrow passages, nor where sprints are barred; a steep slope bars the charge alone."""
    top = over(terrain, kind="scouts")
    assert (trample_refusal(top.field, top.unit("a"), Point(2000, 2500)) is None) is TRAMPLES[terrain]


@pytest.mark.parametrize("terrain", ["ditch", "forest"])
def test_no_sprint_through_ditch_or_forest(terrain: str) -> None:
    """IF-222, IF-223."""
    top = over(terrain)
    do(top, "a: sprint to 200,180")
    assert [each.rule for each in top.made(OrderLapsed)] == [tables().terrain[terrain].rule]


def test_a_sprint_needs_a_free_way() -> None:
    """IF-112."""
    top = over("mud", foe=150)
    do(top, "a: sprint to 200,180")
    assert top.made(OrderLapsed)[0].rule == "IF-112"
    free = over("mud")
    do(free, "a: sprint to 200,60")
    assert free.unit("a").at == Point(2000, 600)


@pytest.mark.parametrize(("terrain", "rule"), [("barrier", "IF-221"), ("trench", "IF-229"), ("mud", "")])
def test_no_blows_across_barrier_or_trench(terrain: str, rule: str) -> None:
    """IF-221, IF-229."""
    strip = {"id": "strip", "terrain": terrain, "corners": [[100, 103], [300, 103], [300, 104], [100, 104]]}
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 106))]
    top = Top(scenario(units, ground=[strip]))
    assert barred(top.field, top.unit("a"), top.unit("b")) == rule


def shot(top: Top) -> dict[str, int]:
    do(top, "a: attack b")
    return top.terms("attack/a>b")


def test_shots_over_a_barrier_lose_a_die_but_from_above() -> None:
    """IF-221."""
    strip = {"id": "strip", "terrain": "barrier", "corners": [[100, 130], [300, 130], [300, 134], [100, 134]]}
    bank = {"id": "bank", "terrain": "slope", "corners": [[100, 80], [300, 80], [300, 120], [100, 120]], "uphill": 180}
    units = [unit("a", "red", "longbowmen", (200, 100)), unit("b", "blue", "militia", (200, 170))]
    assert shot(Top(scenario(units, ground=[strip])))["penalty dice: strip"] == 1
    assert "penalty dice: strip" not in shot(Top(scenario(units, ground=[strip, bank])))


def test_a_forest_covers_against_shots_alone() -> None:
    """IF-223: 5."""
    wood = {"id": "wood", "terrain": "forest", "corners": [[100, 150], [300, 150], [300, 200], [100, 200]]}
    units = [unit("a", "red", "longbowmen", (200, 100)), unit("b", "blue", "militia", (200, 160))]
    top = Top(scenario(units, ground=[wood]))
    assert shot(top)["wood"] == 5
    top.put("a", at=Point(2000, 1548))
    do(top, "b: attack a")
    assert "wood" not in top.terms("attack/b>a")


def test_who_stands_in_a_ditch_fights_from_below() -> None:
    """IF-222, AMB-31, AMB-44: whoever is attacked from it has 2 against blows, and higher ground on its own."""
    ditch = {"id": "ditch", "terrain": "ditch", "corners": [[100, 95], [300, 95], [300, 103], [100, 103]]}
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 106))]
    top = Top(scenario(units, ground=[ditch]))
    do(top, "a: attack b")
    assert top.terms("attack/a>b")["foe in ditch"] == 2
    do(top, "b: attack a")
    assert top.terms("attack/b>a")["bonus dice: higher ground"] == 1
    assert "foe in ditch" not in top.terms("attack/b>a")


@pytest.mark.parametrize("terrain", ["slope", "steep_slope"])
def test_the_upper_side_of_a_slope_stands_higher(terrain: str) -> None:
    """IF-227, IF-228, AMB-44, B-80: a bonus die on attacks."""
    bank = {"id": "bank", "terrain": terrain, "corners": [[100, 90], [300, 90], [300, 130], [100, 130]], "uphill": 0}
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 106))]
    top = Top(scenario(units, ground=[bank]))
    assert stands_higher(top.field, top.unit("b"), top.unit("a")) == tables().terrain[terrain].rule
    assert stands_higher(top.field, top.unit("a"), top.unit("b")) == ""


def passage(*units: dict[str, Any]) -> Top:
    way = {"id": "way", "terrain": "narrow_passage", "corners": [[190, 110], [210, 110], [210, 130], [190, 130]]}
    return Top(scenario(list(units), ground=[way]))


def test_one_unit_fits_into_a_narrow_passage() -> None:
    """IF-225."""
    top = passage(
        unit("a", "red", "militia", (200, 95)),
        unit("c", "red", "militia", (200, 120)),
        unit("b", "blue", "militia", (200, 300)),
    )
    do(top, "a: move 200,125")
    assert top.unit("a").at.y < 1100


def test_ten_units_pass_in_a_round() -> None:
    """IF-226."""
    top = passage(unit("a", "red", "militia", (200, 95)), unit("b", "blue", "militia", (200, 300)))
    do(top, "a: move 200,150")
    assert [each.passage for each in top.made(PassageUsed)] == ["way"]

    full = replace(top.state.grounds["way"], used=10)
    top.field.state = replace(top.state, grounds={"way": full})
    top.turn(1)
    top.field.state = replace(top.state, grounds={"way": full})
    top.put("a", at=Point(2000, 950))
    do(top, "a: move 200,150")
    assert top.unit("a").at.y < 1100


def test_two_holders_strike_at_the_one_in_the_passage() -> None:
    """IF-225, AMB-47: not a third; it picks one of them."""
    top = passage(
        unit("a", "red", "militia", (200, 125)),
        unit("b", "blue", "militia", (190, 131)),
        unit("c", "blue", "militia", (210, 131)),
        unit("d", "blue", "militia", (200, 119)),
    )
    do(top, "b: attack a")
    do(top, "c: attack a")
    arm = top.unit("d").profile.arms[0]
    refusal = melee_refusal(top.field, top.unit("d"), top.unit("a"), arm)
    assert refusal is not None
    assert refusal.rule == "IF-225"
    assert melee_refusal(top.field, top.unit("a"), top.unit("b"), arm) is None


def test_odd_ground_is_named_by_the_referee() -> None:
    """RUL-17, IF-220: a label "ask"; unattended what the scenario says."""
    odd = {
        "id": "peat",
        "terrain": "ask",
        "otherwise": "mud",
        "corners": [[100, 90], [300, 90], [300, 130], [100, 130]],
    }
    for answer, told in (("ditch", "ditch"), ("mud", "mud")):
        top = Top(scenario(ground=[odd]))
        top.answers["battle/ground/peat"] = answer
        top.play(muster(top.field))
        assert [each.terrain for each in top.made(GroundNamed)] == [told]
        assert next(each.default for each in top.asked.values() if each.rule == "RUL-17") == "mud"


def test_one_move_or_two() -> None:
    """IF-107, IF-005: 40 yards each for militia; a longer way takes both."""
    top = over("mud")
    do(top, "a: move 240,100")
    assert (top.unit("a").lesser, top.unit("a").at) == (1, Point(2400, 1000))
    top.turn(2)
    do(top, "a: move 350,100")
    assert (top.unit("a").lesser, top.unit("a").at) == (2, Point(3200, 1000))


def test_destroyed_units_bar_nobody() -> None:
    """IF-163."""
    top = over("slope", uphill=180, foe=130)
    do(top, "a: move 200,140")
    assert top.unit("a").at.y <= 1250
    top = over("slope", uphill=180, foe=130)
    top.put("b", condition="destroyed")
    do(top, "a: move 200,135")
    assert top.unit("a").at.y == 1350


@settings(max_examples=40, deadline=None)
@given(st.integers(20, 580), st.integers(20, 480), st.booleans())
def test_a_move_is_never_longer_than_the_allowance_nor_into_a_foe(x: int, y: int, mounted: bool) -> None:
    """IF-107: and no leg ends on another unit's ground."""
    top = over("mud", kind="scouts" if mounted else "militia")
    it = top.unit("a")
    budget = Fraction(allowance(top.field, it, 10))
    way = go(top.field, it, Point(10 * x, 10 * y), budget)
    gone = (way.at.x - it.at.x) ** 2 + (way.at.y - it.at.y) ** 2
    assert gone <= budget**2
    top.put("a", at=way.at, facing=way.facing)
    outline = rectangle(top.unit("a")).outline()
    assert outline.meets(rectangle(top.unit("b")).outline()) != "overlaps"
