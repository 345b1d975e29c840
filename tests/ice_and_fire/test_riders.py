"""Wedges, trampling, stakes (IF-105, IF-114, IF-116, IF-120 to IF-123, IF-140 to IF-150)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.melee import charge_damage, trample_refusal
from engine.rules.ice_and_fire.objections import carry_out
from events.facts import OrderLapsed, RulingGiven
from events.ice_and_fire.units import (
    Attacked,
    StakesPlanted,
    StakesPulled,
    StakesStuck,
    StanceLeft,
    StanceTaken,
    UnitMoved,
)
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, unit


def do(top: Top, text: str, carried: Carried = ALONE) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), carried, text))


def facing(red: str, blue: str, gap: int = 1, **more: Any) -> Top:
    """A red unit `a` and a blue one `b` before it, `gap` yards between them; `red_` and `blue_` settings apart."""
    mine = {key[4:]: value for key, value in more.items() if key.startswith("red_")}
    theirs = {key[5:]: value for key, value in more.items() if key.startswith("blue_")}
    rest = {key: value for key, value in more.items() if not key.startswith(("red_", "blue_"))}
    units = [unit("a", "red", red, (200, 100), **mine), unit("b", "blue", blue, (200, 105 + gap), **theirs)]
    return Top(scenario(units, **rest))


def lapsed(top: Top) -> list[str]:
    return [each.rule for each in top.made(OrderLapsed)]


# -- wedges ------------------------------------------------------------------------------------------------------------


def test_only_riders_form_a_wedge_also_before_the_battle() -> None:
    """IF-116, IF-150."""
    top = facing("men_at_arms", "militia", gap=60, red_formation=["wedge"])
    assert top.unit("a").stances == ("wedge",)
    assert top.objections("b: wedge") == ["IF-116"]
    assert top.objections("a: wedge") == []


@pytest.mark.parametrize(("kind", "pointed", "damage"), [("guardsmen", "no", 3), ("guardsmen", "yes", 5)])
def test_a_wedge_takes_the_gain_of_set_weapons_but_not_from_points(kind: str, pointed: str, damage: int) -> None:
    """IF-145, AMB-16, RUL-11: spears are pointed unless the referee says otherwise."""
    top = facing("men_at_arms", kind, gap=60, red_formation=["wedge"], blue_training=0)
    top.apply(RulingGiven("battle/pointed/spear", pointed))
    top.put("b", lost=("mace",))
    top.put("a", ar_lost=5)
    do(top, "b: counter set_for charge")
    do(top, "a: charge b with war_lance")
    assert [each.damage for each in top.made(Attacked) if each.unit == "b"] == [damage]


def test_a_shield_wall_undoes_a_wedge_unless_it_is_busy() -> None:
    """IF-134: no die more for the wedge; if it fights another unit already the wedge counts."""
    top = facing("men_at_arms", "militia", gap=60, red_formation=["wedge"], blue_formation=["shield_wall"])
    do(top, "a: charge b with war_lance")
    assert "test dice: wedge" not in top.terms("charge/a>b")
    units = [
        unit("a", "red", "men_at_arms", (200, 60), formation=["wedge"]),
        unit("c", "red", "militia", (200, 172)),
        unit("b", "blue", "militia", (200, 166), formation=["shield_wall"]),
    ]
    busy = Top(scenario(units))
    do(busy, "c: attack b")
    do(busy, "a: charge b with war_lance")
    assert busy.terms("charge/a>b")["test dice: wedge"] == 1


def test_a_foe_in_melee_spoils_a_wedge_before_it_has_charged() -> None:
    """IF-146, AMB-24: both gains are lost; the open flanks stay (IF-149)."""
    top = facing("men_at_arms", "militia", red_formation=["wedge"])
    do(top, "b: attack a")
    assert top.unit("a").stances == ("wedge_spent",)


def test_a_wedge_is_spent_after_a_charge_that_ends_in_contact() -> None:
    """IF-146, IF-149; a new wedge brings the gains back."""
    top = facing("men_at_arms", "militia", gap=60, red_formation=["wedge"])
    top.margins["charge/a>b"] = -1
    do(top, "a: charge b with war_lance")
    assert top.unit("a").stances == ("wedge_spent",)
    top.turn(2)
    do(top, "a: wedge")
    assert top.unit("a").stances == ("wedge",)


def test_a_wedge_that_rides_right_through_holds() -> None:
    """IF-147, IF-142: it ends next to no enemy and no worse than before."""
    top = facing("men_at_arms", "peasant_levies", gap=30, red_formation=["wedge"])
    top.margins["trample/a>b"] = 12
    do(top, "a: trample to 200,260")
    assert top.unit("b").condition != "organized"
    assert top.unit("a").at.y > top.unit("b").at.y + 60
    assert top.unit("a").stances == ("wedge",)


def test_a_wedge_is_open_to_those_it_has_not_attacked() -> None:
    """IF-148, AMB-39: 5 less against blows, this round."""
    top = facing("men_at_arms", "militia", red_formation=["wedge"])
    do(top, "b: attack a")
    assert top.terms("attack/b>a")["in a wedge"] == -5
    struck = facing("men_at_arms", "militia")
    struck.put("a", stances=("wedge_spent",))
    do(struck, "a: attack b")
    do(struck, "b: attack a")
    assert "in a wedge" not in struck.terms("attack/b>a")


def test_reform_ends_a_wedge_without_a_test() -> None:
    """IF-133, IF-149, AMB-22."""
    top = facing("men_at_arms", "militia", gap=60, red_formation=["wedge"])
    do(top, "a: reform wedge")
    assert top.unit("a").stances == ()
    assert top.calls == {}
    assert top.made(StanceLeft)[0].rule == "IF-133"


def test_one_reform_does_one_of_the_two() -> None:
    """AMB-22: the condition, or the wedge."""
    top = facing("men_at_arms", "militia", gap=60, red_formation=["wedge"])
    top.put("a", condition="disorganized", damage=11)
    do(top, "a: reform")
    assert (top.unit("a").condition, top.unit("a").stances) == ("organized", ("wedge",))


# -- trampling ---------------------------------------------------------------------------------------------------------


def ride(**rest: Any) -> Top:
    units = [
        unit("a", "red", "men_at_arms", (200, 50)),
        unit("b", "blue", "peasant_levies", (200, 90)),
        unit("c", "blue", "peasant_levies", (200, 120)),
    ]
    return Top(scenario(units, **rest))


def test_trampling_tests_each_foe_in_the_way_harder_and_harder() -> None:
    """IF-114, IF-140, IF-142, AMB-23, B-75: Animal Handling against defence, the horse's damage, a die less each."""
    top = ride()
    top.margins["trample"] = 9
    do(top, "a: trample to 200,240")
    struck = [(each.target, each.weapon) for each in top.made(Attacked)]
    assert [target for target, _ in struck] == ["b", "c"]
    assert "test dice: animal_handling of a" in top.terms("trample/a>b")
    assert top.terms("trample/a>c")["penalty dice: one target after another"] == 1
    assert top.made(Attacked)[0].damage == 4 * top.made(Attacked)[0].degrees


def test_trampling_stops_at_a_foe_that_stands() -> None:
    """IF-142, IF-143."""
    top = ride()
    top.margins["trample"] = -1
    do(top, "a: trample to 200,240")
    assert [each.target for each in top.made(Attacked)] == ["b"]
    assert top.unit("a").at == Point(2000, 900 - 50)


def test_the_first_foe_may_be_met_as_by_a_charge() -> None:
    """IF-141: with weapons, a charge's die and damage."""
    top = ride()
    top.margins["charge/a>b"] = 5
    do(top, "a: trample to 200,240 with war_lance charging")
    assert top.made(Attacked)[0].weapon == "war_lance"
    assert top.terms("charge/a>b")["penalty dice: charging"] == 1


def test_only_riders_trample() -> None:
    """IF-114."""
    top = ride()
    assert "IF-114" in top.objections("b: trample to 200,40")
    assert top.objections("a: trample to 200,240") == []


def test_the_referee_may_bar_trampling() -> None:
    """RUL-12: horses, barding and trampling by the tables, or no trampling."""
    top = ride()
    top.apply(RulingGiven("battle/horses", "no trampling"))
    refusal = trample_refusal(top.field, top.unit("a"), Point(2000, 2400))
    assert refusal is not None
    assert refusal.rule == "RUL-12"


# -- stakes ------------------------------------------------------------------------------------------------------------


def staked(kind: str = "men_at_arms", **more: Any) -> Top:
    units = [
        unit("bows", "blue", "longbowmen", (200, 200), formation=["stakes"]),
        unit("a", "red", kind, (200, 120), **more),
    ]
    return Top(scenario(units))


def test_stakes_may_stand_before_the_battle_and_strike_horses_first() -> None:
    """IF-120, IF-122, AMB-17, B-21: 4D+2B, damage 6, horses 2 easier to hit, armour 0; before the charge."""
    top = staked()
    top.margins["stakes"] = 0
    do(top, "a: charge bows with war_lance")
    call = top.called("stakes/bows>a")
    assert (call.dice, call.target) == ("4D+2B", 10 - 2)
    assert top.made(Attacked)[0].unit == "bows"
    assert top.made(Attacked)[0].damage == 6


def test_barding_guards_horses_against_stakes() -> None:
    """IF-083, AMB-17: 5 armour."""
    top = staked(upgraded=True)
    top.margins["stakes"] = 0
    do(top, "a: charge bows with war_lance")
    assert top.made(Attacked)[0].damage == 1


def test_men_on_foot_walk_through_stakes() -> None:
    """IF-120."""
    top = staked("militia")
    do(top, "a: move 200,190")
    assert not any("stakes" in key for key in top.calls)


def test_stakes_that_impale_stay_and_go_on_working() -> None:
    """IF-085, IF-123, AMB-15."""
    top = staked()
    top.margins["stakes"] = 10
    do(top, "a: charge bows with war_lance")
    assert [each.unit for each in top.made(StakesStuck)] == ["bows"]
    assert top.objections("bows: stakes pull") == ["IF-121"]
    assert top.unit("bows").stakes == "stuck"


def test_stakes_are_planted_pulled_and_planted_elsewhere() -> None:
    """IF-105, IF-121: longbowmen alone, one set."""
    units = [unit("bows", "red", "longbowmen", (200, 100)), unit("b", "blue", "militia", (200, 300))]
    top = Top(scenario(units))
    assert "IF-121" in top.objections("bows: stakes pull")
    assert "IF-121" in top.objections("b: stakes plant")
    do(top, "bows: stakes plant")
    assert top.objections("bows: stakes plant") == ["IF-121"]
    top.turn(2)
    do(top, "bows: stakes pull")
    assert (len(top.made(StakesPlanted)), len(top.made(StakesPulled))) == (1, 1)
    assert top.objections("bows: stakes plant") == []


def test_charge_damage_is_less_through_mud_and_uphill() -> None:
    """IF-224, IF-227, AMB-24a: 1 instead of 2."""
    mud = {"id": "mud", "terrain": "mud", "corners": [[150, 110], [250, 110], [250, 150], [150, 150]]}
    top = facing("militia", "peasant_levies", gap=60, ground=[mud])
    assert charge_damage(top.field, top.unit("a"), top.unit("b").at) == 1
    assert charge_damage(top.field, top.unit("a"), Point(2000, 1050)) == 2


def test_aiming_and_standing_are_recorded() -> None:
    top = facing("longbowmen", "militia", gap=60)
    do(top, "a: stand aim facing 10")
    assert [each.stance for each in top.made(StanceTaken)] == ["aim"]
    assert [each.facing for each in top.made(UnitMoved)] == [10]


def test_stakes_do_not_use_up_their_owner_s_aim_or_attack() -> None:
    """IF-120, IF-006."""
    top = staked()
    do(top, "bows: stand aim")
    do(top, "a: charge bows with war_lance")
    assert not top.unit("bows").attacked
    assert "aim" in top.unit("bows").stances


def test_stakes_strike_horses_that_ride_over_them_with_any_part_of_their_front() -> None:
    """IF-120: the middle of the unit passes beside the stakes."""
    stakes = unit("bows", "blue", "longbowmen", (215, 200), formation=["stakes"])
    top = Top(scenario([unit("lances", "red", "men_at_arms", (200, 100)), stakes]))
    do(top, "lances: move 200,200")
    assert [key for key in top.calls if "stakes/bows>lances" in key]


def test_horses_that_pass_well_beside_the_stakes_are_spared() -> None:
    stakes = unit("bows", "blue", "longbowmen", (230, 200), formation=["stakes"])
    top = Top(scenario([unit("lances", "red", "men_at_arms", (200, 100)), stakes]))
    do(top, "lances: move 200,200")
    assert not top.calls


def test_a_charge_that_falls_short_spends_the_wedge() -> None:
    """IF-146: it is good for the first charge alone."""
    foe = unit("guards", "blue", "guardsmen", (200, 400))
    top = Top(scenario([unit("lances", "red", "men_at_arms", (200, 100), formation=["wedge"]), foe]))
    do(top, "lances: charge guards with war_lance")
    assert top.unit("lances").stances == ("wedge_spent",)
