"""What a scenario or the referee sets: limits of spells, cover from archers, distractions that can happen."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.errors import ScenarioInvalid
from events import rhand as facts
from events.facts import OrderLapsed
from tests.rhand.ring import TABLES, Ring, man
from tests.rhand.test_release import bowman, to_next_phase

SLEEP = {"id": "sleep", "force": 20, "effect": "nothing"}


def mage(**limits: int) -> Ring:
    fighters = [
        man("ada", "red", "0510", spells=["sleep"]),
        man("foe", "blue", "0506", "south"),
        man("fay", "blue", "0503", "south"),
    ]
    return Ring(fighters, spells=[{**SLEEP, **limits}])


@pytest.mark.parametrize(
    ("limits", "order", "why"),
    [
        ({"max_targets": 1}, "ada: cast sleep at foe fay", r"1 target\(s\) at most, not 2 \(SG-03\)"),
        ({"max_range": 6}, "ada: cast sleep at fay", r"Fay is 7 hexes away, sleep reaches 6 \(SG-03\)"),
    ],
)
def test_a_spell_keeps_the_limits_of_its_scenario(limits: dict[str, int], order: str, why: str) -> None:
    """SG-03."""
    mage().order(order)
    with pytest.raises(SheetRefused, match=why):
        mage(**limits).order(order)
    mage(**{name: number + 1 for name, number in limits.items()}).order(order)


def test_a_spell_is_cast_as_often_as_its_scenario_allows() -> None:
    """SG-03."""
    ring = mage(max_casts=1)
    ring.order("ada: cast sleep at foe")
    to_next_phase(ring)
    with pytest.raises(SheetRefused, match="as often as they can: 1"):
        ring.order("ada: cast sleep at foe")


# ---------------------------------------------------------------------------------------------------- cover


def archer(**foe: Any) -> Ring:
    return Ring([bowman("tom", "red", "0510"), man("foe", "blue", "0504", "south", **foe)], by_hand=["red", "blue"])


def size_of(ring: Ring) -> tuple[str, int]:
    """The term of table 3C in the shot that Tom makes."""
    ring.go("release")
    ring.order("tom: shoot at foe")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    (term,) = [each for each in ring.facts(facts.ShotJudged)[-1].terms if "3C" in each.label]
    return term.label, term.value


@pytest.mark.parametrize("cover", ["crouching", "over_cover", "head_only"])
def test_cover_counts_as_a_scenario_or_the_referee_states_it(cover: str) -> None:
    """SPX-14, table 3C."""
    expected = (f"{cover.replace('_', ' ')} (3C)", TABLES.sizes[cover].alm)
    assert size_of(archer(cover=cover)) == expected
    ring = archer()
    ring.battle.state_fact(f"foe: cover {cover}", "a wall")
    assert size_of(ring) == expected


def test_cover_ends_when_its_hex_is_left_or_the_referee_says_so() -> None:
    ring = archer(cover="over_cover")
    ring.go("movement")
    ring.order("foe: walk turn_left")
    ring.battle.proceed()
    assert ring.state.fighters["foe"].covered_by == "over_cover"
    ring.go("movement")
    ring.order("foe: walk forward")
    ring.battle.proceed()
    assert ring.state.fighters["foe"].covered_by == ""
    ring.battle.state_fact("foe: cover head_only", "a wall")
    ring.battle.state_fact("foe: cover none", "it falls")
    assert ring.state.fighters["foe"].covered_by == ""


def test_a_cover_that_no_row_names_is_refused() -> None:
    with pytest.raises(ScenarioInvalid, match=r"there is no cover 'wall'.*crouching, over_cover, head_only"):
        archer(cover="wall")


# ---------------------------------------------------------------------------------------------------- distractions


def preparing(*orders: str) -> list[str]:
    """What keeps Ada, who prepares a spell for a phase while these orders are carried out, from casting it."""
    fighters = [man("ada", "red", "0505", spells=["sleep"], armor="plate"), man("foe", "blue", "0504", "south")]
    ring = Ring(fighters, spells=[SLEEP], options={"preparation": "on"}, by_hand=["red", "blue"])
    ring.order("ada: prepare sleep")
    ring.go("declare")
    ring.order(*orders)
    ring.battle.proceed()
    ring.throw({"hit": 99, "impact": 1, "location": 20})
    ring.order("ada: cast sleep at foe")
    ring.battle.proceed()
    ring.throw({})
    return [each.reason for each in ring.facts(OrderLapsed) if each.rule == "SP-014"]


@pytest.mark.parametrize(
    ("order", "row"),
    [
        ("ada: dodge", "parried_or_dodged_this_phase"),
        ("foe: fight ada/short", "blow_aimed_at_him_inside_weapon_range"),
        ("", ""),
    ],
)
def test_what_happens_while_a_spell_is_prepared_distracts_a_mage(order: str, row: str) -> None:
    """SP-014, SPX-15."""
    found = preparing(*filter(None, [order]))
    assert len(found) == bool(row)
    assert all(row.replace("_", " ") in reason for reason in found)


def test_no_row_says_that_an_archer_is_disturbed_by_what_comes_after_the_shot() -> None:
    """SP-001, SP-018: spells and shots come first in a phase."""
    later = ("parried_or_dodged_this_phase", "moved_faster_than_combat_speed", "blow_aimed_at_him_inside_weapon_range")
    assert [TABLES.distractions[name].archer for name in later] == [False, False, False]


def test_who_lives_fights_again_and_who_dies_does_not() -> None:
    """SPX-20: the knocked out and those who gave up live, unless the Recovery Roll finds them dead."""
    fighters = [
        man("ann", "red", "0505"),
        man("bob", "blue", "0504", "south", wounds=18),
        man("ben", "blue", "0404", "south", wounds=18, weapon="spear_2h", carries=["heater"]),
    ]
    ring = Ring(fighters, by_hand=["red", "blue"])
    ring.battle.state_fact("bob: down", "test")
    ring.go("declare")
    ring.order("ben: yield")
    ring.battle.proceed()
    ring.throw({"bob/life": 99, "ben/life": 0})
    roster = ring.battle.rules.roster(ring.situation)["fighter"]
    assert [(each["id"], each["wounds"]) for each in roster] == [("ann", 0), ("ben", 18)]
    again = [{**each, "at": f"050{at}"} for at, each in enumerate(roster)]
    assert Ring(again).state.fighters["ben"].carries == ("heater",)
