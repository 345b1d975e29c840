"""Heroes: joining, deeds, keeping up, harm, falling, single combat (IF-040 to IF-060)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.command import can_spend, rounds_after, rounds_used
from engine.rules.ice_and_fire.duels import fight
from engine.rules.ice_and_fire.heroes import attach, deed, deed_refusal
from engine.rules.ice_and_fire.heroes_hit import fell_hero, harm_hero
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.orders import Fight
from events.facts import OrderLapsed
from events.ice_and_fire.heroes import (
    HeroAlone,
    HeroAttached,
    HeroFell,
    HeroHurt,
    RoundsSpent,
    SoldierFelled,
    Struck,
)
from events.ice_and_fire.units import ConditionWorsened, Inspired, MoraleTested
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, unit

ADA = {
    "id": "ada", "seat": "red", "unit": "a", "leader": True, "weapons": ["longsword", "hunting_bow"], "armour": "mail",
    "abilities": {"warfare": 4, "fighting": 5, "endurance": 4, "athletics": 4},
}  # fmt: skip
BRAM = {
    "id": "bram",
    "seat": "blue",
    "unit": "b",
    "leader": True,
    "weapons": ["mace"],
    "abilities": {"warfare": 3, "agility": 4},
}


def meeting(heroes: list[dict[str, Any]] | None = None, **options: Any) -> Top:
    """Ada's militia in contact with Bram's guardsmen; friends of Ada beside her."""
    units = [
        unit("a", "red", "militia", (200, 100)),
        unit("friend", "red", "militia", (220, 100)),
        unit("b", "blue", "guardsmen", (200, 106)),
    ]
    return Top(scenario(units, heroes or [ADA, BRAM], options=options))


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def test_an_attack_on_a_unit_is_held_against_its_heroes_with_one_roll() -> None:
    """IF-041, AMB-07: own degrees, own armour: 3 + 3 + 3 = 9 with three degrees less 5."""
    top = meeting()
    top.margins["attack/b>a"] = 10
    do(top, "b: attack a with mace")
    assert len([key for key in top.calls if "attack" in key]) == 1
    (blow,) = [each for each in top.made(Struck) if each.target == "ada"]
    total = top.called("attack/b>a").target + 10
    cd = top.hero("ada").profile.cd
    degrees = min(4, 1 + (total - cd) // 5)
    assert (blow.degrees, blow.damage) == (degrees, max(3 * degrees - 5, 0))


@pytest.mark.parametrize(("margin", "harm"), [(-1, 0), (0, 1), (5, 2)])
def test_by_option_heroes_take_the_fixed_harm(margin: int, harm: int) -> None:
    """AMB-07, option hero_damage (B-105): 1 hurt, 2 disorganized, 5 routed, 10 destroyed, whatever the armour."""
    top = meeting(hero_damage="fixed")
    top.put("a", damage=6)
    top.margins["attack/b>a"] = margin
    do(top, "b: attack a with mace")
    assert sum(each.damage for each in top.made(HeroHurt) if each.hero == "ada") == harm


def test_a_hero_joins_an_adjacent_unit_for_a_greater_action() -> None:
    """IF-040, IF-048: with one unit at a time."""
    top = meeting()
    top.play(attach(top.field, "ada", "friend", ""))
    assert [(each.hero, each.unit) for each in top.made(HeroAttached)] == [("ada", "friend")]
    assert top.hero("ada").deeds == 1
    assert top.state.attached("a") == ()


def test_a_hero_may_lead_the_unit_he_joins_if_nobody_does() -> None:
    """IF-049."""
    top = meeting()
    top.play(attach(top.field, "ada", "friend", "", leading=True))
    assert top.state.leader("friend") is not None


def test_a_hero_cannot_join_a_unit_far_away() -> None:
    """IF-048."""
    top = meeting()
    top.put("friend", at=Point(4000, 1000))
    top.play(attach(top.field, "ada", "friend", ""))
    assert top.made(OrderLapsed)[0].rule == "IF-048"


@pytest.mark.parametrize(("margin", "bonus", "penalty"), [(0, 1, 0), (5, 2, 0), (15, 4, 0), (-1, 0, 0), (-5, 0, 1)])
def test_inspiring_the_troops(margin: int, bonus: int, penalty: int) -> None:
    """IF-052, IF-047: +1 a degree, the first included; a simple failure nothing, a critical one a die."""
    top = meeting()
    top.margins["inspire"] = margin
    top.play(deed(top.field, "ada", "inspire", ""))
    (made,) = top.made(Inspired)
    assert (made.bonus, made.penalty, made.only) == (bonus, penalty, "")
    assert top.called("inspire").target == 12
    assert top.terms("inspire")["test dice: with the unit"] == 1
    do(top, "a: attack b")
    terms = top.terms("attack/a>b")
    assert terms.get("to the total: inspired", 0) == bonus
    assert terms.get("penalty dice: ill inspired", 0) == penalty


def test_only_the_leader_inspires() -> None:
    """IF-052."""
    top = meeting()
    top.put_hero("ada", leader=False)
    refusal = deed_refusal(top.field, top.hero("ada"), "inspire")
    assert refusal is not None
    assert refusal.rule == "IF-052"


def test_leading_from_the_front() -> None:
    """IF-053, AMB-10: in contact only; a die more on Command; double harm from blows."""
    top = meeting()
    top.play(deed(top.field, "ada", "lead", ""))
    assert top.made(Inspired)[0].deed == "lead"
    top.margins["attack/b>a"] = 12
    do(top, "b: attack a with mace")
    (blow,) = [each for each in top.made(Struck) if each.target == "ada"]
    assert blow.damage == 2 * max(3 * blow.degrees - 5, 0)
    assert blow.damage > 0


def test_nobody_leads_from_the_front_without_a_foe() -> None:
    """IF-053, AMB-10: melee contact when it is used."""
    top = meeting()
    top.put("b", at=Point(2000, 3000))
    refusal = deed_refusal(top.field, top.hero("ada"), "lead")
    assert refusal is not None
    assert refusal.rule == "IF-053"


def riders(**first: Any) -> Top:
    units = [
        unit("a", "red", "men_at_arms", (200, 100), formation=["wedge"]),
        unit("b", "blue", "peasant_archers", (200, 160)),
    ]
    return Top(scenario(units, [{**ADA, "mount": "courser", **first}, BRAM]))


def test_first_in_the_wedge_is_both_for_charges_alone() -> None:
    """IF-054, AMB-11, AMB-11a: no leadership, no melee needed; its gains are for charge and trample tests."""
    top = riders(leader=False)
    assert deed_refusal(top.field, top.hero("ada"), "first") is None
    top.play(deed(top.field, "ada", "first", ""))
    (made,) = top.made(Inspired)
    assert (made.deed, made.only, made.bonus) == ("first", "charge", 1)
    do(top, "a: charge b")
    assert top.terms("charge/a>b")["to the total: inspired"] == 1


def test_first_in_the_wedge_gives_nothing_to_other_tests() -> None:
    """AMB-11."""
    top = riders()
    top.play(deed(top.field, "ada", "first", ""))
    top.put("b", at=Point(2000, 1052))
    do(top, "a: attack b")
    assert "to the total: inspired" not in top.terms("attack/a>b")


def test_first_in_the_wedge_needs_a_wedge() -> None:
    """IF-054."""
    top = meeting()
    refusal = deed_refusal(top.field, top.hero("ada"), "first")
    assert refusal is not None
    assert refusal.rule == "IF-054"


def test_a_unit_gains_from_the_first_deed_of_a_round_only() -> None:
    """IF-055, IF-056: and only from a hero with it."""
    top = meeting()
    top.play(deed(top.field, "ada", "lead", ""))
    refusal = deed_refusal(top.field, top.hero("ada"), "inspire")
    assert refusal is not None
    assert refusal.rule == "IF-056"
    top.turn(2)
    assert deed_refusal(top.field, top.hero("ada"), "inspire") is None


def test_deeds_go_together_with_moving_along() -> None:
    """IF-055."""
    top = meeting()
    top.put("b", at=Point(2000, 3000))
    top.play(deed(top.field, "ada", "inspire", ""))
    do(top, "a: move 200,140")
    assert top.hero("ada").unit == "a"
    assert rounds_used(top.state, top.hero("ada")) > 1


@pytest.mark.parametrize(("yards", "rounds"), [(8, 1), (30, 4), (40, 5), (80, 10)])
def test_keeping_up_costs_the_rounds_of_the_way(yards: int, rounds: int) -> None:
    """IF-057: two moves of four yards in a combat round."""
    top = meeting([{**ADA, "armour": "none"}, BRAM])
    top.put("b", at=Point(2000, 3000))
    do(top, f"a: move 200,{100 + yards}")
    assert top.hero("ada").moving == rounds


def test_a_man_on_foot_is_left_behind_by_horsemen() -> None:
    """IF-058: if ten rounds do not suffice; a mounted one keeps up, on foot with men on foot one always does."""
    units = [unit("a", "red", "scouts", (200, 50)), unit("b", "blue", "militia", (400, 400))]
    top = Top(scenario(units, [ADA, BRAM]))
    do(top, "a: move 200,200")
    assert [each.hero for each in top.made(HeroAlone)] == ["ada"]
    mounted = Top(scenario(units, [{**ADA, "mount": "rounsey"}, BRAM]))
    do(mounted, "a: move 200,200")
    assert mounted.hero("ada").unit == "a"
    foot = Top(scenario([unit("a", "red", "militia", (200, 50)), units[1]], [ADA, BRAM]))
    do(foot, "a: sprint to 200,200")
    assert (foot.hero("ada").unit, foot.hero("ada").moving) == ("a", 10)


def test_rounds_on_the_march_serve_for_orders_but_not_those_of_a_rush() -> None:
    """IF-059, IF-060, AMB-12, AMB-12a."""
    top = meeting()
    top.put_hero("ada", moving=6, orders=4, rush=2)
    assert rounds_used(top.state, top.hero("ada")) == 6 + 2
    assert can_spend(top.field, top.hero("ada"), "orders", 4)
    assert not can_spend(top.field, top.hero("ada"), "orders", 5)


def test_by_option_moving_and_orders_each_pay() -> None:
    """AMB-12a, option move_and_orders."""
    top = meeting(move_and_orders="separate")
    top.put_hero("ada", moving=6, orders=4)
    assert rounds_used(top.state, top.hero("ada")) == 10
    assert not can_spend(top.field, top.hero("ada"), "orders")


def test_the_last_round_of_a_charge_is_a_rush() -> None:
    """IF-060: the others serve for orders."""
    top = riders()
    do(top, "a: charge b")
    spent = {each.on: each.rounds for each in top.made(RoundsSpent)}
    assert (set(spent), spent["rush"]) == ({"moving", "rush"}, 1)
    assert rounds_after(top.field, top.hero("ada"), "orders", 1) == rounds_used(top.state, top.hero("ada"))


@pytest.mark.parametrize(("margin", "to"), [(0, "organized"), (-1, "disorganized"), (-5, "routed")])
def test_the_fall_of_a_leader_shakes_his_unit(margin: int, to: str) -> None:
    """IF-050, RUL-16: against 9; a failure one condition, a critical one two."""
    top = meeting()
    top.margins["nerve/a"] = margin
    top.answers["fate/ada"] = "killed"
    top.play(fell_hero(top.field, "ada"))
    assert top.made(HeroFell)[0].fate == "killed"
    assert top.called("nerve/a").target == 9
    assert top.unit("a").condition == to


def test_the_fall_of_a_notable_hero_shakes_his_unit_and_its_neighbours() -> None:
    """IF-051, AMB-09, RUL-07: his unit once, against the harder 12, though he led it too; neighbours against 9."""
    top = meeting([{**ADA, "notable": True}, BRAM])
    top.play(fell_hero(top.field, "ada"))
    targets = {key.split("/")[2].split("<")[0]: call.target for key, call in top.calls.items() if "nerve" in key}
    assert targets == {"a": 12, "friend": 9}
    assert len(top.made(MoraleTested)) == 2


def test_a_hero_without_rank_in_the_unit_falls_without_a_test() -> None:
    """IF-050, IF-051."""
    top = meeting()
    top.put_hero("ada", leader=False)
    top.play(fell_hero(top.field, "ada"))
    assert top.made(MoraleTested) == []


def test_injuries_then_wounds_keep_a_hero_up() -> None:
    """B-27: what would fell him he meets with an injury, then a wound; with none left he falls."""
    top = meeting()
    health = top.hero("ada").profile.health
    top.put_hero("ada", damage=health - 1)
    top.play(harm_hero(top.field, "ada", 4, "b", ""))
    assert (top.hero("ada").injuries, top.hero("ada").damage) == (1, health - 1)
    top.play(harm_hero(top.field, "ada", 30, "b", ""))
    assert (top.hero("ada").wounds, top.hero("ada").damage) == (1, health - 1)
    top.put_hero("ada", injuries=4, wounds=3)
    top.play(harm_hero(top.field, "ada", 5, "b", ""))
    assert not top.hero("ada").up


# -- single combat -----------------------------------------------------------------------------------------------------


def test_a_hero_with_a_unit_fights_a_man_and_one_man_strikes_back() -> None:
    """IF-043, IF-044: a man felled is a point of damage and a casualty more."""
    top = meeting()
    top.margins["single"] = 14
    top.margins["man1"] = -3
    top.play(fight(top.field, Fight("ada", "b", 2, "longsword"), {}, ""))
    assert len([key for key in top.calls if "/man" in key]) == 2
    felled = top.made(SoldierFelled)
    assert felled
    assert top.unit("b").damage == len(felled) == top.unit("b").felled
    assert top.hero("ada").deeds == 2


def test_a_hero_alone_faces_two() -> None:
    """IF-043."""
    top = meeting([{**ADA, "unit": "", "leader": False, "at": [200, 98]}, BRAM])
    top.margins["single"] = -3
    top.play(fight(top.field, Fight("ada", "b", 1, "longsword"), {}, ""))
    assert len([key for key in top.calls if "/man" in key]) == 2


def test_hero_against_hero() -> None:
    """IF-042, AMB-50, B-33: the quicker strikes first, both in each round."""
    top = meeting()
    top.totals["quick/ada"] = 3
    top.totals["quick/bram"] = 9
    top.margins["duel"] = -1
    top.play(fight(top.field, Fight("ada", "bram", 2, "longsword"), {}, ""))
    assert [each.by for each in top.made(Struck)] == ["bram", "ada", "bram", "ada"]
    quick = {key: call.against for key, call in top.calls.items() if "quick" in key}
    assert len(quick) == 2
    assert all(quick[quick[key]] == key for key in quick)


def test_a_critical_hit_of_a_hero() -> None:
    """AMB-50, B-14: twice the defence with sixes; two sixes add 4 to the base damage."""
    top = meeting()
    cd = top.hero("bram").profile.cd
    top.margins["duel/ada>bram/1/ada"] = cd + 4
    top.margins["duel/ada>bram/1/bram"] = -3
    top.totals["quick"] = 9
    top.play(fight(top.field, Fight("ada", "bram", 1, "longsword"), {}, ""))
    call = top.called("duel/ada>bram/1/ada")
    assert call.target == cd
    (blow,) = [each for each in top.made(Struck) if each.by == "ada"]
    assert blow.damage > 5 * blow.degrees


def test_a_hero_fights_only_who_is_within_reach() -> None:
    """IF-042."""
    top = meeting()
    top.put("b", at=Point(2000, 3000))
    top.play(fight(top.field, Fight("ada", "bram", 1, "longsword"), {}, ""))
    assert top.made(OrderLapsed)[0].rule == "IF-042"


def test_a_hero_has_ten_combat_rounds() -> None:
    """IF-046, IF-004."""
    top = meeting()
    top.put_hero("ada", deeds=9)
    top.play(fight(top.field, Fight("ada", "b", 2, "longsword"), {}, ""))
    assert top.made(OrderLapsed)[0].rule == "IF-046"


@pytest.mark.parametrize(("answer", "shots"), [("2", 2), ("0", 0), ("4", 4)])
def test_archers_shoot_back_at_a_hero_who_shoots(answer: str, shots: int) -> None:
    """IF-045, RUL-06: how often is the referee's; unattended twice."""
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "peasant_archers", (200, 180))]
    top = Top(scenario(units, [ADA, BRAM]))
    top.answers["return"] = answer
    top.margins["return"] = -3
    top.play(fight(top.field, Fight("ada", "b", 1, "hunting_bow"), {}, ""))
    assert len([key for key in top.calls if "return" in key]) == shots
    assert next(each.default for each in top.asked.values() if each.rule == "RUL-06") == "2"


def test_men_without_bows_shoot_nothing_back() -> None:
    """IF-045."""
    top = meeting()
    top.play(fight(top.field, Fight("ada", "b", 1, "hunting_bow"), {}, ""))
    assert not any(each.rule == "RUL-06" for each in top.asked.values())


def test_a_scratch_on_a_hero_leaves_his_men_steady() -> None:
    top = meeting()
    top.play(harm_hero(top.field, "ada", 2, "b", ""))
    assert top.made(ConditionWorsened) == []


def test_a_hero_has_the_cover_of_his_unit() -> None:
    """IF-041, AMB-07, IF-223: in a wood 5 more against shots for him, too; what it was held against is on record."""
    wood = [{"id": "wood", "terrain": "forest", "corners": [[150, 190], [250, 190], [250, 210], [150, 210]]}]
    units = [unit("a", "red", "militia", (200, 200)), unit("b", "blue", "longbowmen", (200, 280))]
    for more in (0, 5):
        top = Top(scenario(units, [ADA, BRAM], ground=wood if more else []))
        top.margins["attack/b>a"] = 10
        do(top, "b: attack a with longbow")
        (blow,) = [each for each in top.made(Struck) if each.target == "ada"]
        cd = top.hero("ada").profile.cd + more
        total = top.called("attack/b>a").target + 10
        assert (blow.defence, blow.degrees) == (cd, min(4, 1 + (total - cd) // 5))


def test_machines_do_not_mind_a_hero_s_shield() -> None:
    """IF-281."""
    units = [unit("a", "red", "militia", (200, 200)), unit("crew", "blue", "engineers", (200, 280))]
    engine = [{"id": "e", "seat": "blue", "engine": "onager", "crew": "crew"}]
    heroes = [{**ADA, "shield": "large_shield"}, {**BRAM, "unit": "crew"}]
    top = Top(scenario(units, heroes, engine=engine))
    top.margins["bombard/crew>a"] = 3
    do(top, "crew: bombard a with e")
    (blow,) = [each for each in top.made(Struck) if each.target == "ada"]
    assert blow.defence == top.hero("ada").profile.cd
