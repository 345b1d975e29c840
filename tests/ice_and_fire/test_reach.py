"""Pikes over friends' heads, stakes and heroes, heroes who leave their unit (IF-040, IF-041, IF-082, IF-120)."""

from __future__ import annotations

from typing import Any

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.heroes import ride
from engine.rules.ice_and_fire.objections import carry_out
from events.facts import OrderLapsed
from events.ice_and_fire.heroes import HeroAlone, HeroMoved, Struck
from events.ice_and_fire.units import Attacked
from events.places import Point
from projections.journal import caption
from tests.ice_and_fire.table_top import ADA, BRAM, Top, scenario, unit


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def pikes() -> Top:
    """Pikemen behind friends who are in melee."""
    units = [
        unit("front", "red", "militia", (200, 100)),
        unit("pikes", "red", "soldiers", (200, 94)),
        unit("foe", "blue", "militia", (200, 106)),
    ]
    top = Top(scenario(units))
    do(top, "foe: attack front")
    return top


def test_pikes_strike_over_friends_heads() -> None:
    """IF-082: at a die less, named or by themselves."""
    top = pikes()
    do(top, "pikes: attack foe with pike")
    assert top.terms("pikes>foe")["penalty dice: over friends' heads"] == 1
    top = pikes()
    do(top, "pikes: attack foe")
    assert [each.weapon for each in top.made(Attacked) if each.unit == "pikes"] == ["pike"]


def test_pikes_strike_no_foe_in_contact() -> None:
    """B §5: they are set against a charge."""
    top = Top(scenario([unit("a", "red", "soldiers", (200, 100)), unit("b", "blue", "militia", (200, 106))]))
    do(top, "a: attack b with pike")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-113"]
    top.turn(2)
    do(top, "a: attack b")
    assert [each.weapon for each in top.made(Attacked)] == ["mace"]


def test_stakes_strike_the_hero_who_rides_with_the_horses() -> None:
    """IF-041, IF-120: by the same roll."""
    stakes = unit("bows", "blue", "longbowmen", (200, 200), formation=["stakes"])
    heroes = [{**ADA, "unit": "lances", "mount": "rounsey"}, {**BRAM, "unit": "bows"}]
    top = Top(scenario([unit("lances", "red", "men_at_arms", (200, 100)), stakes], heroes))
    top.margins["stakes"] = 15
    do(top, "lances: move 200,200")
    (struck,) = top.made(Struck)
    assert (struck.target, struck.weapon) == ("ada", "stakes")
    assert caption(top.fold, struck, top.state).startswith("a stake of bows hits ada")


def test_a_hero_leaves_their_unit_and_rides_where_they_will() -> None:
    """IF-040, IF-046: two moves a combat round."""
    top = Top(scenario([unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (300, 300))]))
    top.put_hero("ada", leader=True)
    top.play(ride(top.field, "ada", Point(2600, 1000), ""))
    assert [each.rule for each in top.made(HeroAlone)] == ["IF-040"]
    assert [each.at for each in top.made(HeroMoved)] == [Point(2600, 1000)]
    ada = top.hero("ada")
    assert (ada.unit, ada.leader, ada.moving) == ("", False, 8)


def test_a_hero_without_time_goes_nowhere() -> None:
    """IF-046."""
    top = Top(scenario([unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (300, 300))]))
    top.put_hero("ada", orders=10)
    top.play(ride(top.field, "ada", Point(2600, 1000), ""))
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-046"]
    assert top.hero("ada").unit == "a"
