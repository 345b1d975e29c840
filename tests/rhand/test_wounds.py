"""Wounds: location, armour, damage, disabled limbs, knockout, and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.rhand.positions import zones
from engine.rules.rhand.wounds import disables
from events import rhand as facts
from events.facts import OrderLapsed, RollCalled
from projections.journal import caption
from replays.seek import steps
from tests.rhand.ring import TABLES, Ring, man, pair


def ready(*more: dict[str, Any], **given: Any) -> Ring:
    ring = Ring([*pair(**given), *more], by_hand=["red", "blue"])
    ring.go("declare")
    return ring


def test_location_armour_and_damage_are_read_from_one_cell_and_told() -> None:
    """SP-035, SP-036, SP-037, SP-038, SP-039: the caption names table, row and column."""
    ring = ready(armor="none")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 99})
    (struck,) = ring.facts(facts.Struck)
    table = TABLES.damage["5A"]
    assert struck.damage == table.damage(table.location(20), 9, "NO") == ring.state.fighters["bob"].total
    told = [
        caption(ring.battle.fold, step.event, step.before)
        for step in steps(ring.log, ring.battle.fold, ring.battle.line)
        if isinstance(step.event, facts.Struck | facts.BlowJudged)
    ]
    assert "[table 4G, row 3, column 3: " in told[0]
    assert "[table 5A, chest, row 9, column NO]" in told[1]


def test_totals_of_tens_of_thousands_are_no_trouble() -> None:
    """SP-038, SP-039, SP-046: cells jump as they stand, nothing is smoothed."""
    ring = ready(armor="none", wounds=70_000, weapon="two_handed_sword")
    ring.order("ann: fight bob/short/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 12, "location": 5, "knockout": 99})
    total = ring.state.fighters["bob"].total
    assert total == 70_000 + TABLES.damage["5A"].damage(TABLES.damage["5A"].location(5), 9, "NO")
    assert ring.battle.fold.load(ring.battle.fold.save(ring.state)) == ring.state


def test_impact_between_rows_reads_the_lower_one() -> None:
    """SA-13."""
    table = TABLES.damage["5A"]
    place = table.location(20)
    assert table.row(21) == 20
    assert table.damage(place, 500, "LT") == table.damage(place, table.impacts[-1], "LT")
    assert table.row(0) is None
    assert table.damage(place, 0, "NO") == 0


def test_a_hit_without_damage_is_no_wound() -> None:
    """SA-09."""
    ring = ready(armor="plate")
    ring.order("ann: fight bob/short/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 1, "location": 20})
    (struck,) = ring.facts(facts.Struck)
    assert (struck.damage, struck.rule) == (0, "SA-09")
    assert not [call for call in ring.facts(RollCalled) if call.key.endswith("knockout")]
    assert "not hurt" in caption(ring.battle.fold, struck, ring.state)


def test_a_lame_weapon_arm_holds_no_weapon_and_a_lame_shield_arm_no_shield() -> None:
    """SP-040, SP-041, SA-18, SG-05."""
    ring = ready(shield="heater")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 60, "knockout": 99})
    bob = ring.state.fighters["bob"]
    assert bob.disabled == ("left_arm",)
    assert (bob.in_hand, bob.shield_in_use) == ("broadsword", "")


@pytest.mark.parametrize(("answer", "table"), [("no", "4G"), ("yes", "4A")])
def test_a_strapped_shield_parries_if_the_referee_says_so(answer: str, table: str) -> None:
    """SG-05."""
    ring = lame("60", answer, "bob: fight shield 1", "ann: fight bob/normal", "shield")
    assert ring.facts(facts.ParryTyped)[-1].table == table


@pytest.mark.parametrize(("answer", "kicks"), [("no", 0), ("yes", 1)])
def test_a_lame_weapon_arm_leaves_kicks_if_the_referee_says_so(answer: str, kicks: int) -> None:
    """SG-05, SP-041."""
    ring = lame("70", answer, "bob: fight ann/normal/kick", "ann: fight parry 1", "kicks")
    assert [each.weapon for each in ring.facts(facts.BlowJudged) if each.fighter == "bob"] == ["kick"] * kicks


def lame(roll: str, answer: str, bob: str, ann: str, what: str) -> Ring:
    ring = Ring(pair(shield="heater"), by_hand=["red", "blue"], referee="present")
    ring.go("declare")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": int(roll), "knockout": 99})
    ring.go("declare")
    ring.order(bob, ann)
    ring.battle.proceed()
    ring.battle.rule(f"t2/blows/bob/{what}", answer)
    ring.throw({"hit": 99})
    return ring


def test_a_left_hander_holds_his_weapon_left_and_his_zones_are_mirrored() -> None:
    """SA-18, SPX-11."""
    ring = ready(weapon_arm="left", skill=2)
    ann = ring.state.fighters["ann"]
    assert ann.shield_arm == "right"
    assert zones(ann, TABLES) == ("front", "left_front")


def test_knockout_is_checked_at_every_wound_and_strictly_below() -> None:
    """SP-042, SP-043, SP-044, SA-03, SA-05, SA-06."""
    assert [TABLES.knockout_chance(total, 20) for total in (2, 3, 20, 21, 40, 41, 60, 61)] == [
        0, 10, 10, 25, 25, 75, 75, 98,
    ]  # fmt: skip
    assert TABLES.knockout_chance(1, 11) == 0
    assert disables(TABLES, "vital", 99_999) is False
    ring = ready(armor="none")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 0})
    assert ring.state.fighters["bob"].down
    assert ring.state.table.ended


def test_all_blows_of_a_phase_are_struck_even_by_one_who_falls_in_it() -> None:
    """SA-08, SP-045: simultaneous."""
    ring = ready(armor="none")
    ring.order("ann: fight bob/normal/cut", "bob: fight ann/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 0})
    assert [each.down for each in ring.state.fighters.values()] == [True, True]
    assert (ring.state.table.ended, ring.state.table.winner) == ("nobody still fights", "")


def test_a_parry_declared_with_an_arm_that_is_then_disabled_counts_this_phase_and_not_the_next() -> None:
    """SA-21."""
    ring = ready(man("al", "red", "0604", "north_west"))
    ring.order("al: fight bob/normal/cut", "ann: fight bob/normal/cut", "bob: fight parry 2")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 70, "knockout": 99})
    assert {each.table for each in ring.facts(facts.BlowJudged)} == {"4A"}
    ring.go("declare")
    with pytest.raises(SheetRefused, match="SP-041"):
        ring.order("bob: fight parry 1")


def test_nobody_strikes_at_one_who_is_down() -> None:
    """SP-044."""
    ring = ready(man("ben", "blue", "0404", "south_east"), armor="none")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 0})
    ring.go("declare")
    with pytest.raises(SheetRefused, match="out of the fight"):
        ring.order("ann: fight bob/normal")
    with pytest.raises(SheetRefused, match="SP-044"):
        ring.order("bob: fight ann/normal")


@pytest.mark.parametrize(("answer", "down"), [("yes", False), ("no", True)])
def test_the_dazed_may_be_roused(answer: str, down: bool) -> None:
    """SG-07."""
    ring = Ring([*pair(armor="none"), man("ben", "blue", "0404")], by_hand=["red", "blue"], referee="present")
    ring.go("declare")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 0})
    ring.go("declare")
    ring.order("ben: rouse bob")
    ring.battle.proceed()
    ring.battle.rule("t2/rouse/bob/ben", answer)
    assert ring.state.fighters["bob"].down is down


def test_an_order_that_cannot_be_carried_out_any_more_lapses_by_name() -> None:
    ring = Ring(
        [man("ann", "red", "0506"), man("al", "red", "0505"), man("bob", "blue", "0504", "south")], referee="present"
    )
    ring.go("declare")
    ring.order("ann: fight bob/normal")
    ring.battle.proceed()
    ring.battle.rule("t1/blows/ann>bob/available", "no")
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("ann", "SG-01")]


def test_giving_up_ends_a_mans_part() -> None:
    ring = ready()
    ring.order("bob: yield")
    ring.battle.proceed()
    assert (ring.state.table.ended, ring.state.table.winner) == ("only red still fights", "red")
