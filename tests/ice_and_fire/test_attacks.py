"""Attacks: pools, defences, weapons, shots, charges, counterattacks (IF-080 to IF-113)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.defences import has_shield
from engine.rules.ice_and_fire.judgement import muster_questions
from engine.rules.ice_and_fire.objections import carry_out, spends
from engine.rules.ice_and_fire.turn import muster
from events.facts import OrderLapsed, RulingGiven
from events.ice_and_fire.units import (
    ArmourShattered,
    Attacked,
    UnitActed,
    UnitDamaged,
    WeaponLost,
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


# -- what an order costs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("a: attack b", (1, 1)),
        ("a: attack b aim", (2, 1)),
        ("a: attack b going 200,102", (2, 1)),
        ("a: attack b then 200,90", (2, 1)),
        ("a: move 200,120", (1, 0)),
        ("a: move 200,120 aim", (2, 0)),
        ("a: stand hold", (0, 0)),
        ("a: reform aim", (2, 0)),
        ("a: charge b", (2, 1)),
        ("a: sprint to 200,300", (2, 0)),
        ("a: counter", (2, 0)),
        ("a: breath", (2, 0)),
        ("a: withdraw", (2, 0)),
        ("a: quit", (2, 0)),
        ("a: yield", (2, 0)),
        ("a: shieldwall", (2, 0)),
    ],
)
def test_what_an_order_spends(text: str, cost: tuple[int, int]) -> None:
    """IF-005, IF-006, IF-007, AMB-41: two lesser actions or a greater one, and free ones."""
    top = facing("militia", "guardsmen")
    assert spends(top.order(text)) == cost
    assert top.objections(text) == []


def test_more_than_two_lesser_actions_are_refused() -> None:
    """IF-005."""
    top = facing("militia", "guardsmen")
    assert top.objections("a: attack b aim then 200,90") == ["IF-005"]


def test_nobody_does_more_than_a_round_holds() -> None:
    """IF-005: what comes after two lesser actions lapses; before an attack there is time for one move."""
    top = facing("militia", "guardsmen", gap=200)
    do(top, "a: move 200,180")
    do(top, "a: stand aim")
    assert lapsed(top) == ["IF-005"]
    near = facing("longbowmen", "guardsmen", gap=200)
    do(near, "a: attack b going 200,190")
    assert (near.unit("a").lesser, near.unit("a").at) == (2, Point(2000, 1400))


def test_a_unit_attacks_once_a_round() -> None:
    """IF-006."""
    top = facing("militia", "guardsmen")
    do(top, "a: attack b")
    do(top, "a: attack b")
    assert lapsed(top) == ["IF-006"]
    top.turn(2)
    do(top, "a: attack b")
    assert len(top.made(Attacked)) == 2


# -- the worked shot and the worked charge -----------------------------------------------------------------------------


def test_trained_longbowmen_at_guardsmen() -> None:
    """Total 18 at defence 11: margin 7, two degrees, 5 × 2 = 10, armour 4 less 1 that pierces: 7 damage, organized."""
    top = facing("longbowmen", "guardsmen", gap=60)
    top.margins["attack/a>b"] = 7
    do(top, "a: attack b")
    call = top.called("attack/a>b")
    assert (call.dice, call.target) == ("4D", 11)
    assert [(each.degrees, each.damage) for each in top.made(Attacked)] == [(2, 7)]
    assert (top.unit("b").profile.health, top.unit("b").condition) == (10, "organized")


@pytest.mark.parametrize(("wedge", "dice"), [(False, "4D+1B-1P"), (True, "5D+1B-1P")])
def test_trained_lances_charge_militia(wedge: bool, dice: str) -> None:
    """(7+1+2) × 2 = 20 less 1 = 19: as much as its health in one attack: routed; in a wedge a die more (IF-144)."""
    formation = ["wedge"] if wedge else []
    top = facing("men_at_arms", "militia", gap=60, red_formation=formation)
    top.margins["charge/a>b"] = 5
    do(top, "a: charge b with war_lance")
    assert top.called("charge/a>b").dice == dice
    assert [each.damage for each in top.made(Attacked)] == [19]
    assert top.unit("b").condition == "routed"


# -- lesser actions, stances -------------------------------------------------------------------------------------------


def test_aim_is_one_bonus_die_on_the_next_attack_and_no_more() -> None:
    """IF-100, IF-090, B-70."""
    top = facing("peasant_levies", "guardsmen")
    do(top, "a: stand aim")
    top.turn(2)
    do(top, "a: attack b aim")
    assert top.terms("attack/a>b")["bonus dice: aim"] == 1
    assert "aim" not in top.unit("a").stances


def test_holding_the_line() -> None:
    """IF-106, B-74: a die less on its own attacks, 3 more defence, free."""
    top = facing("militia", "guardsmen")
    do(top, "a: attack b hold")
    assert top.terms("attack/a>b")["penalty dice: holding the line"] == 1
    do(top, "b: attack a")
    assert top.terms("attack/b>a")["holding the line"] == 3
    assert [each.lesser for each in top.made(UnitActed) if each.action == "hold"] == [0]


def test_shield_wall_holding_and_withdrawing_add_up() -> None:
    """AMB-48, IF-134, IF-111."""
    top = facing("militia", "guardsmen")
    top.put("a", stances=("hold", "shield_wall", "withdrawing"))
    do(top, "b: attack a")
    terms = top.terms("attack/b>a")
    assert (terms["shield wall"], terms["holding the line"], terms["drawing back"]) == (2, 3, 5)


def test_withdrawing_guards_until_the_unit_acts_again() -> None:
    """IF-117, AMB-19: against all attacks."""
    top = facing("militia", "guardsmen", gap=10)
    do(top, "a: withdraw")
    assert top.unit("a").at == Point(2000, 600)
    assert top.unit("a").facing == 0
    top.turn(2)
    assert "withdrawing" in top.unit("a").stances
    do(top, "a: stand aim")
    assert "withdrawing" not in top.unit("a").stances


@pytest.mark.parametrize(
    ("text", "broken"),
    [("a: move 200,120", False), ("a: move 200,160", True), ("a: sprint to 200,200", True), ("a: charge b", True)],
)
def test_what_breaks_a_shield_wall(text: str, broken: bool) -> None:
    """IF-135, IF-136, AMB-48a: sprint, charge, or faster than half speed; half of each move."""
    top = facing("militia", "guardsmen", gap=150, red_formation=["shield_wall"])
    do(top, text)
    assert ("shield_wall" not in top.unit("a").stances) is broken


def test_a_shield_wall_may_be_given_up() -> None:
    """AMB-48a."""
    top = facing("militia", "guardsmen", red_formation=["shield_wall"])
    do(top, "a: stand loosen")
    assert top.unit("a").stances == ()


def test_a_routed_unit_stands_in_no_shield_wall() -> None:
    """AMB-48a."""
    top = facing("militia", "guardsmen", red_formation=["shield_wall"])
    top.put("a", damage=9)
    top.margins["attack/b>a"] = 9
    top.put("b", mounted=False)
    for _ in range(4):
        top.turn(top.state.table.turn + 1)
        do(top, "b: attack a")
    assert top.unit("a").condition != "organized"
    assert ("shield_wall" in top.unit("a").stances) == (top.unit("a").condition == "disorganized")


def test_only_men_on_foot_with_shields_form_a_wall() -> None:
    """IF-111, IF-134."""
    top = facing("peasant_levies", "men_at_arms")
    assert top.objections("a: shieldwall") == ["IF-111"]
    assert top.objections("b: shieldwall") == ["IF-111"]
    assert facing("militia", "guardsmen").objections("a: shieldwall") == []


def test_the_shield_is_down_while_both_hands_are_used() -> None:
    """AMB-49: halberds."""
    top = facing("guardsmen", "guardsmen", red_upgraded=True)
    do(top, "a: attack b with halberd")
    do(top, "b: attack a")
    assert "shield" not in top.terms("attack/b>a")
    assert top.called("attack/b>a").target == 6


# -- weapons -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("margin", "lost"), [(9, False), (10, True), (15, True)])
def test_a_weapon_that_impales_is_lost_at_three_degrees(margin: int, lost: bool) -> None:
    """IF-081, AMB-15: three or more; the damage is dealt."""
    top = facing("men_at_arms", "peasant_levies", gap=60, red_training=6)
    top.margins["charge/a>b"] = margin
    do(top, "a: charge b with war_lance")
    assert bool(top.made(WeaponLost)) is lost
    assert top.made(UnitDamaged)
    if lost:
        assert "IF-081" in top.objections("a: charge b with war_lance")


def halberds(**rest: Any) -> Top:
    units = [
        unit("front", "red", "militia", (200, 100)),
        unit("rear", "red", "guardsmen", (200, 94), upgraded=True),
        unit("b", "blue", "militia", (200, 106)),
    ]
    return Top(scenario(units, **rest))


def test_reach_strikes_over_friends_in_melee() -> None:
    """IF-082, AMB-16: at a die less, if the friend is engaged (AMB-02)."""
    top = halberds()
    do(top, "rear: attack b with halberd")
    assert lapsed(top) == ["IF-082"]
    do(top, "b: attack front")
    do(top, "rear: attack b with halberd")
    assert top.terms("attack/rear>b")["penalty dice: over friends' heads"] == 1


def test_a_referee_who_was_asked_what_has_reach_is_heeded() -> None:
    """RUL-11: not asked, since the table says it; an answer on record holds."""
    top = halberds()
    top.play(muster(top.field))
    assert not top.asked
    top.apply(RulingGiven("battle/reach/halberd", "no"))
    do(top, "b: attack front")
    do(top, "rear: attack b with halberd")
    assert lapsed(top) == ["IF-113"]


def test_a_pike_is_for_setting_against_charges_alone() -> None:
    """IF-104, AMB-16: soldiers strike with the mace."""
    top = facing("soldiers", "militia")
    do(top, "a: attack b with pike")
    assert lapsed(top) == ["IF-113"]
    do(top, "a: attack b")
    assert top.made(Attacked)[0].weapon == "mace"


def test_mauls_shatter_shields_then_armour() -> None:
    """B §5: one point at two degrees, for the battle."""
    top = facing("longbowmen", "guardsmen")
    top.margins["attack/a>b"] = 5
    do(top, "a: attack b with maul")
    assert [(each.shield, each.ar) for each in top.made(ArmourShattered)] == [(1, 0)]
    do(top, "b: stand hold")
    top.turn(2)
    top.put("b", shield_lost=4)
    do(top, "a: attack b with maul")
    assert top.made(ArmourShattered)[-1].ar == 1


def test_unwieldy_weapons_on_horseback_and_lances_on_foot() -> None:
    """B §5: two dice."""
    top = facing("men_at_arms", "peasant_levies")
    top.put("a", mounted=False)
    do(top, "a: attack b with war_lance")
    assert top.terms("attack/a>b")["penalty dice: War Lance on foot"] == 2


def test_riders_strike_men_on_foot_better() -> None:
    """B-76: a bonus die; 2 damage more on a standing blow."""
    top = facing("scouts", "peasant_levies")
    do(top, "a: attack b with spear")
    assert top.terms("attack/a>b")["bonus dice: mounted against men on foot"] == 1
    assert top.made(Attacked)[0].damage == 2 + 2


def test_a_hit_without_damage_does_nothing() -> None:
    """AMB-45: a knife of weak men; with a charge 2 each degree."""
    top = facing("engineers", "peasant_levies")
    top.margins["attack/a>b"] = 5
    do(top, "a: attack b")
    assert top.made(Attacked)[0].damage == 0
    charging = facing("engineers", "peasant_levies", gap=30)
    charging.margins["charge/a>b"] = 5
    do(charging, "a: charge b")
    assert charging.made(Attacked)[0].damage == 4


def test_the_referee_may_rule_a_least_damage() -> None:
    """RUL-13, AMB-45, option minimum_damage: one each degree."""
    plain = facing("engineers", "peasant_levies", options={"minimum_damage": "one"})
    assert muster_questions(plain.field) == []
    plain.margins["attack/a>b"] = 5
    do(plain, "a: attack b")
    assert plain.made(Attacked)[0].damage == 2


# -- shots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "dice"), [(60, 0), (100, 0), (101, 1), (200, 1), (201, 2)])
def test_shots_lose_a_die_for_each_further_hundred_yards(gap: int, dice: int) -> None:
    """B §5: up to 100 none, 101 to 200 one."""
    top = facing("longbowmen", "peasant_levies", gap=gap)
    do(top, "a: attack b")
    assert top.terms("attack/a>b").get("penalty dice: range", 0) == dice


def test_shooting_in_melee_costs_a_die() -> None:
    """B-85, AMB-02: engaged this round or the last."""
    top = facing("longbowmen", "militia")
    do(top, "b: attack a")
    do(top, "a: attack b with longbow")
    assert top.terms("attack/a>b")["penalty dice: shooting in melee"] == 1


@pytest.mark.parametrize(("turns", "engaged"), [(0, True), (1, True), (2, False)])
def test_how_long_an_engagement_lasts(turns: int, engaged: bool) -> None:
    """AMB-02, AMB-39: this battle round or the last."""
    top = facing("longbowmen", "militia")
    do(top, "b: attack a")
    top.turn(1 + turns)
    do(top, "a: attack b with longbow")
    assert ("penalty dice: shooting in melee" in top.terms("attack/a>b")) is engaged


def woods(**rest: Any) -> Top:
    wood = {"id": "wood", "terrain": "forest", "corners": [[150, 110], [250, 110], [250, 200], [150, 200]]}
    units = [unit("a", "red", "longbowmen", (200, 90)), unit("b", "blue", "militia", (200, 250))]
    return Top(scenario(units, ground=[wood], **rest))


def test_woods_hide_what_is_behind_them() -> None:
    """RUL-15."""
    top = woods()
    do(top, "a: attack b")
    assert lapsed(top) == ["RUL-15"]


@pytest.mark.parametrize(("answer", "shot"), [("yes", True), ("no", False)])
def test_a_doubtful_sight_is_the_referee_s(answer: str, shot: bool) -> None:
    """RUL-15: a line that grazes a corner; unattended it sees."""
    top = woods()
    top.put("a", at=Point(2500, 900))
    top.put("b", at=Point(2500, 2500))
    top.answers["sight"] = answer
    do(top, "a: attack b")
    assert bool(top.made(Attacked)) is shot
    assert next(each.default for each in top.asked.values()) == "yes"


def test_flank_and_rear_count_only_where_they_are_in_use() -> None:
    """RUL-18, option facing: a bonus die in the flank, a test die in the rear."""
    for answer, label in (("off", ""), ("on", "test dice: in the rear")):
        top = facing("militia", "guardsmen", options={"facing": answer})
        top.put("b", facing=0)
        do(top, "a: attack b")
        assert (label in top.terms("attack/a>b")) is bool(label)


# -- charges and counterattacks ----------------------------------------------------------------------------------------


def test_a_charge_goes_straight_up_to_twenty_moves_and_attacks() -> None:
    """IF-103: a die less, 2 damage more each degree."""
    top = facing("militia", "peasant_levies", gap=75)
    do(top, "a: charge b")
    assert top.terms("charge/a>b")["penalty dice: charging"] == 1
    assert top.made(Attacked)[0].damage == 3 + 2
    assert top.unit("a").at == Point(2000, 1000 + 760 - 10)


def test_a_charge_that_falls_short_does_not_attack() -> None:
    """IF-103: 80 yards for militia."""
    top = facing("militia", "peasant_levies", gap=95)
    do(top, "a: charge b")
    assert top.made(Attacked) == []
    assert top.unit("a").at == Point(2000, 1800)


def test_a_unit_that_stands_ready_strikes_first() -> None:
    """IF-104, B-73: at whoever attacks; it is its one attack of the round."""
    top = facing("militia", "guardsmen")
    do(top, "b: counter")
    do(top, "a: attack b")
    assert [each.unit for each in top.made(Attacked)] == ["b", "a"]
    assert "counter" not in top.unit("b").stances


def test_a_counterattack_that_routs_stops_the_attacker() -> None:
    """IF-104: it interrupts the action."""
    top = facing("peasant_levies", "soldiers", gap=40)
    top.put("a", damage=13)
    do(top, "b: counter")
    top.margins["counter/b>a"] = 9
    do(top, "a: charge b")
    assert [each.unit for each in top.made(Attacked)] == ["b"]


def test_set_weapons_meet_a_charge_with_two_more_damage() -> None:
    """IF-104, B-73: 5 + 2 by pike; not against a plain attack."""
    top = facing("peasant_levies", "soldiers", gap=40)
    do(top, "b: counter set_for charge")
    do(top, "a: charge b")
    assert (top.made(Attacked)[0].weapon, top.made(Attacked)[0].damage) == ("pike", 7)
    plain = facing("peasant_levies", "soldiers")
    do(plain, "b: counter set_for charge")
    do(plain, "a: attack b")
    assert [each.unit for each in plain.made(Attacked)] == ["a"]


@pytest.mark.parametrize(("kind", "shield"), [("soldiers", 0), ("militia", 2)])
def test_both_hands_hold_a_set_pike(kind: str, shield: int) -> None:
    """AMB-49: no shield beside a pike that is set; a spear leaves a hand free."""
    top = facing("militia", kind)
    do(top, "b: counter set_for charge")
    assert has_shield(top.unit("b")) == shield
