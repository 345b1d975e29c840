"""Weapons, shields and hands: nothing is lost, a lame arm holds nothing, the other hand takes over (SG-05)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.orders.errors import OrderNotAllowed, SheetRefused
from engine.rules.errors import ScenarioInvalid
from engine.rules.rhand.positions import same_thing
from events import rhand as facts
from tests.rhand.ring import Ring, man, pair
from tests.rhand.test_editions import take

KIT: dict[str, Any] = {"weapon": "battleaxe_1h", "shield": "heater", "carries": ["dagger", "buckler", "spear_2h"]}


def things(ring: Ring) -> list[str]:
    """Everything that Ann has, in hand or carried."""
    ann = ring.state.fighters["ann"]
    return sorted(filter(None, (ann.weapon, ann.shield, *ann.carries)))


@given(st.lists(st.sampled_from(["draw dagger", "draw battleaxe_1h", "draw spear_2h", "draw fist", "don buckler",
                                 "don heater", "draw battleaxe_2h", "switch"]), max_size=8))  # fmt: skip
def test_whatever_changes_hands_nothing_is_lost_and_nothing_doubled(orders: list[str]) -> None:
    ring = Ring([man("ann", "red", "0505", **KIT), man("bob", "blue", "0502")], options={"other_hand": "allowed"})
    had = things(ring)
    for order in orders:
        ring.go("declare")
        try:
            ring.order(f"ann: {order}")
        except SheetRefused:
            continue
        ring.battle.proceed()
        ring.go("declare")
        ring.battle.proceed()  # a shield takes two phases
    assert [grip.replace("battleaxe_2h", "battleaxe_1h") for grip in things(ring)] == had


def test_a_grip_with_both_hands_puts_the_shield_away() -> None:
    """SP-032a: it takes time to put on again."""
    ring = Ring(pair(weapon="battleaxe_1h", shield="heater"))
    take(ring, "ann: draw battleaxe_2h")
    assert (ring.state.fighters["ann"].shield, ring.state.fighters["ann"].carries) == ("", ("heater",))
    take(ring, "ann: draw battleaxe_1h")
    assert ring.state.fighters["ann"].shield_in_use == ""
    take(ring, "ann: don heater")
    assert ring.state.fighters["ann"].shield == ""
    ring.battle.proceed()
    ring.battle.proceed()
    assert (ring.state.fighters["ann"].shield, ring.state.fighters["ann"].carries) == ("heater", ())


def test_bare_fists_are_no_weapon() -> None:
    """SA-20: whoever puts the weapon away fights unarmed."""
    ring = Ring(pair(skill=6, skills={"unarmed": 1}))
    take(ring, "ann: draw fist")
    ann = ring.state.fighters["ann"]
    assert (ann.weapon, ann.carries, ann.level(ann.in_hand)) == ("", ("broadsword",), 1)


@pytest.mark.parametrize("name", ["kick", "fist", "shield_bash", "pommel_strike"])
def test_ways_to_strike_cannot_be_held(name: str) -> None:
    with pytest.raises(ScenarioInvalid, match="a way to strike"):
        Ring(pair(weapon=name))
    if name != "fist":
        with pytest.raises(OrderNotAllowed, match="a way to strike"):
            Ring(pair()).battle.state_fact(f"ann: holds {name}", "test")


@pytest.mark.parametrize(
    ("limb", "order", "why"),
    [
        ("right_arm", "ann: draw dagger", "right arm is disabled; switch hands first"),
        ("left_arm", "ann: don buckler", "left arm is disabled"),
        ("left_arm", "ann: switch", "left arm is disabled"),
        ("left_arm", "ann: draw battleaxe_2h", "needs both arms"),
    ],
)
def test_a_lame_arm_takes_nothing_in_hand(limb: str, order: str, why: str) -> None:
    """SP-041."""
    ring = Ring([man("ann", "red", "0505", **KIT), man("bob", "blue", "0502")])
    ring.go("declare")
    ring.battle.state_fact(f"ann: lame {limb}", "test")
    with pytest.raises(SheetRefused, match=why):
        ring.order(order)


@pytest.mark.parametrize(("answer", "arm"), [("yes", "left"), ("no", "right")])
def test_the_other_hand_takes_the_weapon_if_the_referee_allows_it(answer: str, arm: str) -> None:
    """SG-05, SA-18."""
    ring = Ring(pair(shield="heater"), referee="present")
    ring.go("declare")
    ring.battle.state_fact("ann: lame right_arm", "test")
    take(ring, "ann: switch")
    ring.battle.rule("t1/hands/ann", answer)
    ann = ring.state.fighters["ann"]
    assert (ann.weapon_arm, ann.in_hand) == (arm, "broadsword" if answer == "yes" else "")
    assert [ann.shield, *ann.carries] == (["", "heater"] if answer == "yes" else ["heater"])


def test_a_hand_is_a_fact_that_the_referee_states() -> None:
    """SG-05."""
    ring = Ring(pair())
    ring.battle.state_fact("ann: lame right_arm", "test")
    ring.battle.state_fact("ann: handed left", "test")
    assert ring.state.fighters["ann"].in_hand == "broadsword"
    with pytest.raises(OrderNotAllowed, match="already"):
        ring.battle.state_fact("ann: handed left", "test")


def test_a_stated_weapon_puts_the_old_one_away() -> None:
    ring = Ring(pair(carries=["dagger"], shield="heater"))
    ring.battle.state_fact("ann: holds dagger", "test")
    assert list(ring.state.fighters["ann"].carries) == ["broadsword"]
    ring.battle.state_fact("ann: bears buckler", "test")
    assert list(ring.state.fighters["ann"].carries) == ["broadsword", "heater"]
    assert [each.rule for each in ring.facts(facts.Readied)] == ["ruling", "ruling"]
    assert same_thing("battleaxe_1h", "battleaxe_2h")


# ---------------------------------------------------------------------------------------------------- one budget


def unarmed() -> Ring:
    ring = Ring(pair(weapon="dagger", action_time=1), options={"unarmed": "on"}, by_hand=["red", "blue"])
    ring.go("declare")
    return ring


def test_one_phase_pays_for_weapon_and_unarmed_blows() -> None:
    """SPX-17: 3 Weapon Actions or 6 combat actions; two of three leave two of six."""
    ring = unarmed()
    ann = ring.state.fighters["ann"]
    assert (ann.weapon_actions, ann.combat_actions) == (3, 6)
    with pytest.raises(SheetRefused, match="3 Weapon Actions or 6 combat actions, not 2 and 3 together"):
        ring.order("ann: fight bob/normal/cut bob/long/punch")
    ring.order("ann: fight bob/normal/cut bob/normal/punch")
    ring.battle.proceed()
    (spent,) = [each for each in ring.facts(facts.ActionsSpent) if each.fighter == "ann"]
    assert (spent.weapon, spent.combat, spent.saved) == (3, 6, 0)


def test_what_is_punched_away_is_not_saved() -> None:
    """SPX-04, SPX-17: five of six combat actions leave less than one of three Weapon Actions."""
    ring = unarmed()
    ring.order("ann: fight bob/long/kick")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert [each.saved for each in ring.facts(facts.ActionsSpent) if each.fighter == "ann"] == [0]


def test_bare_hands_pay_in_combat_actions_however_the_blow_is_named() -> None:
    """SPX-17: a plain or blunt blow of bare hands is a punch."""
    fighters = pair(weapon="", action_time=1)
    ring = Ring(fighters, options={"unarmed": "on"}, by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("ann: fight bob/normal bob/normal/blunt bob/normal/punch")
    ring.battle.proceed()
    (spent,) = [each for each in ring.facts(facts.ActionsSpent) if each.fighter == "ann"]
    assert spent.combat == 6
