"""Blows and parries: what may be declared, the Parry Type, odds."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.rhand.blows import parry_type
from engine.rules.rhand.impact import final_impact
from engine.rules.rhand.positions import sees
from engine.rules.rhand.table_rows import DAMAGE_CODES
from events import rhand as facts
from tests.rhand.ring import TABLES, Ring, man, pair


def ready(*more: dict[str, Any], **given: Any) -> Ring:
    ring = Ring([*pair(**given), *more], by_hand=["red", "blue"])
    ring.go("declare")
    return ring


def test_declarations_have_their_time() -> None:
    """SP-001, SP-020."""
    ring = Ring(pair())
    with pytest.raises(SheetRefused, match="SP-001"):
        ring.order("ann: fight bob/normal")
    ring.go("declare")
    ring.order("ann: fight bob/normal")
    with pytest.raises(SheetRefused, match="SP-001"):
        ring.order("ann: walk forward")


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ("ann: fight bob/normal bob/short", "SP-022"),
        ("ann: fight bob/short parry 2", "SP-022"),
        ("ann: fight bob/long", "SA-22"),
        ("ann: fight parry 1 shield 1", "SPX-02"),
        ("ann: fight far/normal", "SP-021"),
        ("ann: fight behind/normal", "SPX-11"),
        ("ann: fight friend/normal", "SP-020"),
        ("ann: fight bob/normal/flange", "SP-034"),
        ("ann: fight bob/normal/cut/head", "SPX-18"),
        ("ann: fight bob/normal/punch", "SP-034"),
    ],
)
def test_what_cannot_be_declared_names_its_rule(order: str, rule: str) -> None:
    """SP-020, SP-021, SP-022, SPX-03."""
    ring = ready(
        man("far", "blue", "0500", "south"), man("behind", "blue", "0506"), man("friend", "red", "0404")
    )  # fmt: skip
    with pytest.raises(SheetRefused, match=rule):
        ring.order(order)


def test_one_weapon_action_is_saved_and_never_two() -> None:
    """SPX-04, SA-22: a saved action makes a Long stroke possible."""
    ring = ready()
    ring.battle.proceed()
    ring.go("declare")
    assert ring.state.fighters["ann"].weapon_actions == 3
    ring.battle.proceed()
    ring.go("declare")
    assert ring.state.fighters["ann"].weapon_actions == 3
    ring.order("ann: fight bob/long")


def test_a_longer_weapon_reaches_one_hex_more_against_a_shorter_one() -> None:
    """SP-021: `2+` against `1`, not against `2+`."""
    ring = Ring(
        [
            man("ann", "red", "0507", weapon="saber"),
            man("bob", "blue", "0504", "south", weapon="dagger"),
            man("ben", "blue", "0604", "south", weapon="saber"),
        ]
    )
    ring.go("declare")
    ring.order("ann: fight bob/normal")
    with pytest.raises(SheetRefused, match="reaches 2"):
        ring.order("ann: fight ben/normal")
    with pytest.raises(SheetRefused, match="reaches 1"):
        ring.order("bob: fight ann/normal")


def test_the_attack_level_is_skill_and_weapon_class() -> None:
    """SPX-05."""
    ring = ready(weapon="dagger")
    ring.order("ann: fight bob/normal")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert ring.facts(facts.BlowJudged)[0].attack_level == 3 + 2


def test_weapon_and_shield_parries_count_alike() -> None:
    """SP-023, SP-024, SP-025."""
    ring = ready(shield="heater")
    ring.order("ann: fight bob/short bob/short", "bob: fight parry 1 shield 1")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    (typed,) = ring.facts(facts.ParryTyped)
    assert (typed.parries, typed.blows, typed.table, typed.rule) == (2, 2, "4A", "SP-025")


def test_blows_of_all_attackers_are_counted_together() -> None:
    """SP-024, SP-026, SP-029: one Parry Type a phase; a stroke counts one whatever it is."""
    ring = ready(man("al", "red", "0604", "north_west"))
    ring.order("ann: fight bob/short bob/short", "al: fight bob/normal", "bob: fight parry 2")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    (typed,) = ring.facts(facts.ParryTyped)
    assert (typed.blows, typed.table, typed.rule) == (3, TABLES.parry_table(2, 3), "SP-026")
    assert {each.table for each in ring.facts(facts.BlowJudged)} == {"4C"}


def test_an_unseen_blow_uses_4g_and_is_not_counted() -> None:
    """SP-027, SP-028, SA-11."""
    ring = ready(man("al", "red", "0503", "south"))
    assert not sees(ring.state.fighters["bob"], ring.state.fighters["al"].at, TABLES)
    ring.order("ann: fight bob/normal", "al: fight bob/normal", "bob: fight parry 1")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert [(each.fighter, each.table) for each in ring.facts(facts.BlowJudged)] == [("al", "4G"), ("ann", "4A")]


def test_surplus_parries_are_wasted() -> None:
    """SA-12: with no counted blow there is no Full Parry."""
    assert parry_type(TABLES, seen=0, unseen=1, parries=3, dodge=False, was_dodging=False)[0] == "4G"
    assert TABLES.parry_table(5, 1) == "4A"


def test_every_ratio_up_to_twelve_has_its_table() -> None:
    """SA-10, SP-026."""
    worked = {
        "4B": "3/4 4/5 5/6 5/7 6/7 6/8 7/8 7/9 8/9 7/10 8/10 9/10 8/11 9/11 10/11 9/12 10/12 11/12",
        "4C": "2/3 3/5 4/6 4/7 5/8 5/9 6/9 6/10 7/11 7/12 8/12",
        "4D": "1/2 2/4 3/6 4/8 5/10 5/11 6/11 6/12",
        "4E": "1/3 2/5 2/6 3/7 3/8 3/9 4/9 3/10 4/10 4/11 4/12 5/12",
        "4F": "1/4 1/5 1/6 1/7 2/7 1/8 2/8 1/9 2/9 1/10 2/10 1/11 2/11 3/11 1/12 2/12 3/12",
    }
    for table, ratios in worked.items():
        for ratio in ratios.split():
            parries, blows = map(int, ratio.split("/"))
            assert TABLES.parry_table(parries, blows) == table, ratio


@pytest.mark.parametrize(
    ("seen", "unseen", "was", "table"),
    [(1, 1, False, "4D"), (0, 2, False, "4G"), (0, 2, True, "4D"), (3, 0, False, "4D")],
)
def test_a_dodge(seen: int, unseen: int, was: bool, table: str) -> None:
    """SPX-12."""
    assert parry_type(TABLES, seen=seen, unseen=unseen, parries=0, dodge=True, was_dodging=was)[0] == table


def test_a_dodge_covers_unseen_blows_too_and_takes_the_whole_phase() -> None:
    ring = ready(man("al", "red", "0503", "south"))
    ring.order("ann: fight bob/normal", "al: fight bob/normal", "bob: dodge")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert {each.table for each in ring.facts(facts.BlowJudged)} == {"4D"}
    assert ring.state.fighters["bob"].saved == 0


def test_a_roll_is_read_once_for_each_blow_with_the_exact_chance() -> None:
    """SP-030, SP-031, SA-02, SA-03: odds of 33 hit 34 times in 100."""
    ring = ready()
    ring.order("ann: fight bob/short bob/short", "bob: fight parry 2")
    ring.battle.proceed()
    calls = [call for call in ring.state.table.called.values() if call.key.endswith("hit")]
    odds = TABLES.odds("4A", 3, 3)
    assert [(call.dice, call.test, call.target) for call in calls] == [("1d00", "at_most", odds)] * 2
    assert calls[0].chances[0].of == odds + 1


def test_levels_off_the_grid_take_its_edge() -> None:
    """SA-19."""
    assert TABLES.odds("4A", 99, 2) == TABLES.odds("4A", 24, 2)
    assert TABLES.odds("4A", -99, 77) == TABLES.odds("4A", -4, 20)


def test_a_defender_without_a_weapon_defends_unarmed() -> None:
    """SA-20."""
    ring = ready(skills={"unarmed": 1})
    bob = ring.state.fighters["bob"]
    assert bob.level(bob.in_hand) == 3
    assert bob.level("") == 1


def test_strokes_halve_and_double_and_odd_halves_are_cut_down() -> None:
    """SP-033, SA-07, SA-07a."""
    strokes = TABLES.strokes
    assert final_impact(15, strokes["short"].impact_multiplier) == 7
    assert final_impact(15, strokes["short"].impact_multiplier, "nearest") == 8
    assert final_impact(15, strokes["long"].impact_multiplier) == 30


def test_two_hands_hit_harder_and_leave_none_for_a_shield() -> None:
    """SP-032, SP-032a, SG-05: taking a shield up takes as long as the referee says."""
    one, two = TABLES.weapon("hand_and_a_half_sword_1h"), TABLES.weapon("hand_and_a_half_sword_2h")
    assert (one.cut, two.cut) == ("1d6+3", "1d10+4")
    ring = Ring(pair(weapon=two.id, carries=["heater"]), referee="present")
    ring.go("declare")
    with pytest.raises(SheetRefused, match="SP-032a"):
        ring.order("ann: don heater")
    ring.order(f"ann: draw {one.id}")
    ring.battle.proceed()
    assert ring.state.fighters["ann"].in_hand == one.id
    ring.go("declare")
    ring.order("ann: don heater")
    ring.battle.proceed()
    ring.battle.rule("t2/shield/ann", "2")
    assert ring.state.fighters["ann"].shield == ""
    ring.go("declare")
    assert ring.state.fighters["ann"].weapon_actions == 0
    ring.battle.proceed()
    assert ring.state.fighters["ann"].shield_in_use == "heater"


@pytest.mark.parametrize(
    ("weapon", "blow", "table"),
    [
        ("broadsword", "cut", "5A"),
        ("broadsword", "stab", "5B"),
        ("mace_1h", "flange", "5C"),
        ("mace_1h", "blunt", "5D"),
    ],
)
def test_the_damage_table_goes_by_the_blow(weapon: str, blow: str, table: str) -> None:
    """SP-034."""
    assert DAMAGE_CODES[blow] == table
    ring = ready(weapon=weapon)
    ring.order(f"ann: fight bob/normal/{blow}")
    ring.battle.proceed()
    ring.throw({"hit": 0, "knockout": 99})
    assert [each.table for each in ring.facts(facts.Struck)] == [table]


@pytest.mark.parametrize("kind", ["cut", "stab", "flange", "blunt"])
def test_the_referee_says_how_an_odd_blow_harms(kind: str) -> None:
    """SG-04."""
    ring = Ring(pair(), referee="present", by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("ann: fight bob/normal/odd")
    ring.battle.proceed()
    ring.throw({"hit": 0})
    ring.battle.rule("t1/blows/ann>bob/1/table", kind)
    ring.throw({"knockout": 99})
    assert [each.table for each in ring.facts(facts.Struck)] == [DAMAGE_CODES[kind]]


@pytest.mark.parametrize(("answer", "blows"), [("yes", 1), ("no", 0)])
def test_the_referee_says_whether_a_target_is_available(answer: str, blows: int) -> None:
    """SG-01: somebody stands between."""
    ring = Ring(
        [man("ann", "red", "0506"), man("al", "red", "0505"), man("bob", "blue", "0504", "south")], referee="present"
    )
    ring.go("declare")
    ring.order("ann: fight bob/normal")
    ring.battle.proceed()
    ring.battle.rule("t1/blows/ann>bob/available", answer)
    assert len(ring.facts(facts.BlowJudged)) == blows
