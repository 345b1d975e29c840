"""What a scenario may choose: other dice and readings, variable actions, horses, fists, glancing and the rest."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.errors import ScenarioInvalid
from engine.rules.rhand import calls, rules
from engine.rules.rhand.impact import closing_row, final_impact, multiplier, stopped
from engine.rules.rhand.wounds import disables
from events import rhand as facts
from events.facts import DiceRolled, OrderLapsed, RollCalled
from projections.dice.rolls import read_roll
from tests.rhand.ring import TABLES, Ring, man, pair


def ready(options: dict[str, str], *more: dict[str, object], **given: object) -> Ring:
    ring = Ring([*pair(**given), *more], options=options, by_hand=["red", "blue"])
    ring.go("declare")
    return ring


def test_every_option_is_told_of_in_the_list_of_rules() -> None:
    assert dict(rules().book().options) == dict(rules().options)


def test_dice_from_1_to_100_hit_once_less_often() -> None:
    """SA-02."""
    ring = ready({"hit_die": "1-100"})
    ring.order("ann: fight bob/normal", "bob: fight parry 1")
    ring.battle.proceed()
    (call,) = ring.state.table.called.values()
    assert (call.dice, call.chances[0].of) == ("1d100", call.target)


def test_ten_to_a_leg_may_be_enough() -> None:
    """SA-04."""
    assert disables(TABLES, "leg", 10, "at_least")
    assert not disables(TABLES, "leg", 9, "at_least")
    assert not disables(TABLES, "arm", 5, "at_least")


def test_halves_may_be_rounded_to_the_nearest() -> None:
    """SA-07."""
    ring = ready({"half_impact": "nearest"}, armor="none")
    ring.order("ann: fight bob/short/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 99})
    assert ring.facts(facts.Struck)[0].impact == 5  # (6 + 3) / 2


def test_one_after_the_other_the_quicker_one_first() -> None:
    """SA-08: who is felled strikes no more."""
    ring = Ring(
        [man("ann", "red", "0505", agility=9, armor="none"), man("bob", "blue", "0504", "south", agility=12)],
        options={"resolution": "sequential"},
        by_hand=["red", "blue"],
    )
    ring.go("declare")
    ring.order("ann: fight bob/normal/cut", "bob: fight ann/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 0})
    assert [each.fighter for each in ring.facts(facts.BlowJudged)] == ["bob"]
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("ann", "SA-08")]


def test_the_decimals_may_be_chances_with_one_die_for_weapon_and_shield() -> None:
    """SPX-06."""
    ring = Ring(pair(shield="heater"), options={"rounding": "chance"}, by_hand=["red", "blue"])
    ring.battle.proceed()
    ring.throw({"actions/ann": 1, "actions/bob": 4})
    ann, bob = ring.state.fighters["ann"], ring.state.fighters["bob"]
    assert (ann.weapon_actions, ann.shield_actions) == (3, 2)  # 2.1 and 1.3
    assert (bob.weapon_actions, bob.shield_actions) == (2, 1)


# ---------------------------------------------------------------------------------------------------- SPX-16


def riders(weapon: str = "broadsword") -> Ring:
    return Ring(
        [
            man("ann", "red", "0505", mount="warhorse", weapon="lance_couched"),
            man("bob", "blue", "0504", "south", weapon=weapon),
        ],
        options={"mounted": "on"},
        by_hand=["red", "blue"],
        referee="present",
    )


def test_a_mount_needs_the_option() -> None:
    with pytest.raises(ScenarioInvalid, match="mounted"):
        Ring([man("ann", "red", "0505", mount="warhorse"), man("bob", "blue", "0504")])


def test_a_warhorse_strikes_and_is_struck_on_4d_and_the_other_horse_on_4f() -> None:
    """SPX-16."""
    ring = riders()
    ring.go("declare")
    ring.order("ann_horse: fight bob/normal", "bob: fight ann_horse/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "bob>ann_horse/1/impact": 6, "bob>ann_horse/1/location": 20, "knockout": 99})
    assert {each.table for each in ring.facts(facts.BlowJudged)} == {"4D"}
    (horse,) = [each for each in ring.facts(facts.Struck) if each.fighter == "ann_horse"]
    assert horse.impact == 9 // 3
    assert TABLES.mount("horse").defence_table == "4F"
    assert (TABLES.mount("warhorse").knockout_value, TABLES.mount("horse").knockout_value) == (50, 10)


def test_from_the_ground_a_rider_is_reached_with_more_than_two_hexes() -> None:
    """SPX-16: 2+ reaches a rider, 2 does not."""
    ring = riders()
    ring.go("declare")
    with pytest.raises(SheetRefused, match="SP-021"):
        ring.order("bob: fight ann/normal")
    ring.order("bob: fight ann_horse/normal")


def test_a_hand_is_on_the_bridle() -> None:
    """SPX-16: two Weapon Actions for one without a shield."""
    ring = riders()
    ring.go("declare")
    assert ring.state.fighters["ann"].weapon_actions == 0


@pytest.mark.parametrize("answer", ["unhurt", "down"])
def test_a_falling_horse_leaves_its_rider_on_foot(answer: str) -> None:
    ring = riders("two_handed_sword")
    ring.go("declare")
    ring.order("bob: fight ann_horse/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 12, "location": 20, "knockout": 0})
    ring.battle.rule("t1/fall/ann", answer)
    ann = ring.state.fighters["ann"]
    assert (ann.rides, ann.down) == ("", answer == "down")
    assert ring.state.fighters["ann_horse"].down


def test_a_rider_who_does_not_master_his_horse_goes_nowhere() -> None:
    ring = riders()
    ring.go("declare")
    ring.battle.proceed()
    ring.battle.rule("t2/control/ann", "no")
    with pytest.raises(SheetRefused, match="SPX-16"):
        ring.order("ann: walk forward")


def test_a_horse_carries_its_rider() -> None:
    ring = riders()
    ring.order("ann: walk back")
    ring.battle.proceed()
    assert ring.state.fighters["ann_horse"].at == ring.state.fighters["ann"].at
    assert ring.state.fighters["ann"].speed == 5


# ---------------------------------------------------------------------------------------------------- SPX-17


def test_fists_cost_combat_actions_and_ducks_more_against_weapons() -> None:
    """SPX-17."""
    ring = Ring(
        [man("ann", "red", "0505", weapon=""), man("bob", "blue", "0504", "south")],
        options={"unarmed": "on"}, by_hand=["red", "blue"],
    )  # fmt: skip
    ring.go("declare")
    assert ring.state.fighters["ann"].combat_actions == 6
    with pytest.raises(SheetRefused, match="SPX-17"):
        ring.order("ann: fight bob/long/kick bob/normal/punch")
    ring.order("ann: fight bob/normal/punch bob/short/kick parry 2", "bob: fight ann/short ann/short")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    typed = {each.fighter: (each.parries, each.blows) for each in ring.facts(facts.ParryTyped)}
    assert typed["ann"] == (0, 2)  # two actions are left, a duck against a sword takes three


def test_what_a_grapple_does_is_the_referees() -> None:
    """SPX-17."""
    ring = Ring(pair(weapon=""), options={"unarmed": "on"}, by_hand=["red", "blue"], referee="present")
    ring.go("declare")
    ring.order("ann: fight bob/normal/grapple")
    ring.battle.proceed()
    ring.throw({"hit": 0, "knockout": 99})
    ring.battle.rule("t1/blows/ann>bob/1/hold", "bob down")
    assert ring.state.fighters["bob"].down


# ---------------------------------------------------------------------------------------------------- SPX-18, SPX-19


@pytest.mark.parametrize(("roll", "then", "place"), [(27, (), "right_arm"), (28, (72, 20), "chest")])
def test_an_aimed_blow(roll: int, then: tuple[int, ...], place: str) -> None:
    """SPX-18: 14 wide, two levels ahead; when it fails the location is rolled without the one aimed at."""
    ring = Ring([man("ann", "red", "0505", skill=5), man("bob", "blue", "0504", "south")], by_hand=["red", "blue"])
    ring.go("declare")
    with pytest.raises(SheetRefused, match="SPX-18"):
        ring.order("bob: fight ann/normal/cut/head")
    ring.order("ann: fight bob/normal/cut/right_arm")
    ring.battle.proceed()
    rolls = dict(zip(("1/location", "location/2"), then, strict=False))
    ring.throw({"hit": 0, "impact": 6, "aim": roll, **rolls, "knockout": 99})
    (struck,) = ring.facts(facts.Struck)
    assert struck.location == place
    assert struck.key in {each.key for each in ring.facts(DiceRolled)}


def test_a_blow_may_glance() -> None:
    """SPX-19, SA-07a: cut down once after the stroke, and again."""
    ring = ready({"glancing": "on"}, armor="mail")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 3, "glancing": 32, "location": 20})
    (glanced,) = ring.facts(facts.Glanced)
    assert (glanced.roll, glanced.row, glanced.column, glanced.left) == (42, 42, "ML", 3)
    assert ring.facts(facts.Struck)[0].impact == 3


@pytest.mark.parametrize(("roll", "through"), [(60, 1), (99, 0)])
def test_a_blow_that_would_have_hit_an_open_man_strikes_the_parry(roll: int, through: int) -> None:
    """SPX-19."""
    ring = ready({"cut_through": "on"}, weapon="two_handed_sword", skill=0)
    ring.order("ann: fight bob/short/cut", "bob: fight parry 1")
    ring.battle.proceed()
    ring.throw({"hit": roll, "impact": 12, "location": 20, "knockout": 99})
    found = ring.facts(facts.CutThrough)
    assert len(found) == through
    for each in found:
        weight = TABLES.weapon("two_handed_sword").weight_lb
        assert each.stopped == min(9, stopped(TABLES, "5A", "weapon_2h", weight))
        assert len(ring.facts(facts.Struck)) == (1 if each.left else 0)


def test_the_referee_says_which_of_two_parries_was_struck() -> None:
    """SPX-19."""
    ring = Ring(pair(shield="buckler"), options={"cut_through": "on"}, by_hand=["red", "blue"], referee="present")
    ring.go("declare")
    ring.order("ann: fight bob/normal/cut", "bob: fight parry 1 shield 1")
    ring.battle.proceed()
    ring.throw({"hit": 70, "impact": 6, "location": 20})
    ring.battle.rule("t1/blows/ann>bob/1/parry", "shield")
    assert ring.facts(facts.CutThrough)[0].by == "buckler"


def test_circumstances_multiply_the_impact() -> None:
    """SPX-19."""
    ring = ready({"impact_multipliers": "on", "damage_bonus": "on"}, armor="none", braced=True, strength=20)
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 99})
    bonus = TABLES.bonus.cell(20, 13)
    assert ring.facts(facts.Struck)[0].impact == final_impact(9, bonus * 2)
    assert [closing_row(TABLES, speed) for speed in (7, 8, 18, 30, 99)] == [
        "", "closing_speed_8_14", "closing_speed_15_25", "closing_speed_26_35", "closing_speed_36_45",
    ]  # fmt: skip
    plain = multiplier(TABLES, bonus=Fraction(1), stroke="normal", striking_down=False, braced=False, closing=0)
    assert plain == 1


# ---------------------------------------------------------------------------------------------------- SPX-20


def test_the_wounded_roll_for_their_lives_with_what_aid_there_is() -> None:
    """SPX-20, ST-19."""
    ring = Ring(
        [man("ann", "red", "0505"), man("bob", "blue", "0504", "south", wounds=18)],
        by_hand=["red", "blue"], field={"aid": {"blue": 8}},
    )  # fmt: skip
    ring.go("declare")
    ring.order("bob: yield")
    ring.battle.proceed()
    ring.throw({"bob/time": 67, "bob/life": 97})
    (found,) = ring.facts(facts.Recovered)
    assert (found.damage_total, found.aided, found.chance, found.minutes, found.survived) == (18, 2, 97, 5562, True)


def test_recovery_may_be_left_out() -> None:
    ring = Ring(pair(wounds=5), options={"recovery": "off"})
    ring.go("declare")
    ring.order("bob: yield")
    ring.battle.proceed()
    assert ring.state.table.ended
    assert not ring.facts(RollCalled)


def test_beyond_the_table_nobody_lives() -> None:
    """SPX-20."""
    assert TABLES.survival(5000) == 0
    assert TABLES.survival(0) == 97


def test_a_recovery_roll_tells_who_lives_and_where_there_is_no_chance_nobody_does() -> None:
    def called(chance: int) -> RollCalled:
        return calls.survival("recovery/ann/life", "whether Ann lives", "red", "ann", chance, ())

    assert [(each.label, each.of) for each in called(97).chances] == [("lives", 98), ("dies", 2)]
    assert [(each.label, each.of) for each in called(0).chances] == [("lives", 0), ("dies", 100)]
    assert [bool(read_roll(called(chance), (0,)).success) for chance in (97, 1, 0)] == [True, True, False]
