"""Movement: costs, runs, contested hexes, passing blows, and the actions that are left."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.rhand.positions import nearest_whole
from events import rhand as facts
from events.facts import OrderLapsed
from events.places import digits_of
from tests.rhand.ring import Ring, man


def walkers(**given: Any) -> Ring:
    return Ring([man("ann", "red", "0510", **given), man("bob", "blue", "0505", "south")], referee="present")


def at(ring: Ring, name: str) -> str:
    return digits_of(ring.state.fighters[name].at)


def test_a_walk_goes_hex_by_hex_and_turns() -> None:
    """SPX-01, SPX-08, SPX-09: hexes, facings, one point each."""
    ring = walkers()
    ring.order("ann: walk forward turn_right forward")
    ring.battle.proceed()
    assert (at(ring, "ann"), ring.state.fighters["ann"].facing) == ("0608", 1)
    (moved,) = ring.facts(facts.Moved)
    assert (moved.pace, moved.fast, moved.rule) == ("1", False, "SPX-09")


@pytest.mark.parametrize(("turns", "allowed"), [(6, True), (7, False)])
def test_standing_still_one_turns_twice_combat_speed_sides(turns: int, allowed: bool) -> None:
    """SPX-08."""
    ring = walkers()
    order = "ann: walk " + " ".join(["turn_left"] * turns)
    if allowed:
        ring.order(order)
    else:
        with pytest.raises(SheetRefused, match="SPX-08"):
            ring.order(order)


def test_a_run_needs_a_phase_at_combat_speed_first() -> None:
    """SPX-10."""
    ring = Ring([man("ann", "red", "0529"), man("bob", "blue", "2905", "south")], field={"columns": 40, "rows": 40})
    with pytest.raises(SheetRefused, match="SPX-10"):
        ring.order("ann: run 6")
    ring.order("ann: walk forward forward forward")
    ring.go("declare")
    ring.battle.proceed()
    with pytest.raises(SheetRefused, match="can run 18 hexes"):
        ring.order("ann: run 19")
    with pytest.raises(SheetRefused, match="can run 6 hexes back"):
        ring.order("ann: run 7 going back")
    ring.order("ann: run 18")
    ring.battle.proceed()
    assert at(ring, "ann") == "0508"
    assert ring.state.fighters["ann"].happened["moved_faster_than_combat_speed"] == 2


def test_moving_takes_half_its_pace_off_both_counts_before_rounding() -> None:
    """SPX-07, SPX-02."""
    ring = walkers(shield="buckler")
    ring.order("ann: walk forward forward forward")
    ring.battle.proceed()
    ann = ring.state.fighters["ann"]
    assert (ann.weapon_actions, ann.shield_actions) == (2, 1)  # 2.1 - 0.5 and 1.8 - 0.5
    assert nearest_whole(ann.speed) == 3


def test_a_half_hex_of_combat_speed_is_dropped() -> None:
    ring = walkers(combat_speed=2)
    ring.order("ann: walk forward forward")
    with pytest.raises(SheetRefused, match="Combat Speed of 2"):
        ring.order("ann: walk forward forward forward")


def test_with_a_lame_leg_one_goes_on_ones_knees() -> None:
    """SPX-10, SP-041."""
    bare = man("ann", "red", "0505", armor="none")
    ring = Ring([bare, man("bob", "blue", "0504", "south")], by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("bob: fight ann/normal")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 85, "knockout": 99})
    assert ring.state.fighters["ann"].disabled == ("right_leg",)
    ring.order("ann: walk back back back")
    with pytest.raises(SheetRefused, match="knees"):
        ring.order("ann: run 4")


def test_nobody_walks_into_a_man_or_off_the_field() -> None:
    ring = Ring(
        [man("ann", "red", "0506"), man("al", "red", "0000"), man("bob", "blue", "0505", "south")],
        field={"columns": 10, "rows": 10, "closed": ["0806"]},
    )
    ring.order("ann: walk forward", "al: walk forward")
    ring.battle.proceed()
    assert [(each.fighter, each.why) for each in ring.facts(facts.Halted)] == [
        ("al", "the field ends there"),
        ("ann", "somebody stands there"),
    ]
    assert (at(ring, "ann"), at(ring, "al")) == ("0506", "0000")


def test_a_column_moves_up_together() -> None:
    """All move at the same time: a hex that is being left can be entered (SPX-09)."""
    ring = Ring([man("ann", "red", "0506"), man("al", "red", "0507"), man("bob", "blue", "0501", "south")])
    ring.order("ann: walk forward", "al: walk forward")
    ring.battle.proceed()
    assert (at(ring, "ann"), at(ring, "al")) == ("0505", "0506")


def test_two_who_meet_stop_each_other() -> None:
    ring = Ring([man("ann", "red", "0506"), man("bob", "blue", "0505", "south")])
    ring.order("ann: walk forward", "bob: walk forward")
    ring.battle.proceed()
    assert (at(ring, "ann"), at(ring, "bob")) == ("0506", "0505")


@pytest.mark.parametrize(("winner", "ends"), [("ann", ("0506", "0505")), ("bob", ("0507", "0506")), ("nobody", None)])
def test_the_referee_says_who_comes_first_into_a_contested_hex(winner: str, ends: tuple[str, str] | None) -> None:
    """SG-06."""
    ring = Ring([man("ann", "red", "0507"), man("bob", "blue", "0505", "south")], referee="present")
    ring.order("ann: walk forward", "bob: walk forward")
    ring.battle.proceed()
    ring.battle.rule("t1/movement/0506/1", winner)
    assert (at(ring, "ann"), at(ring, "bob")) == (ends or ("0507", "0505"))


def test_closing_in_is_ordinary_movement_of_the_next_phase() -> None:
    """SA-14a."""
    ring = Ring([man("ann", "red", "0507"), man("bob", "blue", "0505", "south")], by_hand=["red"])
    ring.go("declare")
    ring.order("ann: fight bob/normal", "bob: fight parry 2")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert at(ring, "bob") == "0505"
    ring.order("bob: walk forward")
    ring.battle.proceed()
    assert at(ring, "bob") == "0506"


# ---------------------------------------------------------------------------------------------------- SPX-13


def passing() -> Ring:
    """Ann will walk past Bob, who faces east."""
    return Ring(
        [
            man("ann", "red", "0608", combat_speed=6, weapon="dagger"),
            man("bob", "blue", "0506", "south_east", weapon="dagger", skill=4),
        ],
        by_hand=["red", "blue"],
    )


def test_who_comes_into_range_and_out_again_may_be_struck_in_passing() -> None:
    ring = passing()
    ring.order("ann: walk forward forward forward forward", "bob: pass ann/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    (blow,) = ring.facts(facts.BlowJudged)
    assert (blow.fighter, blow.target) == ("bob", "ann")
    assert blow.key == "t1/passing/bob>ann/1/hit"
    assert ring.state.fighters["bob"].weapon_actions == 3 - 2


def test_there_is_no_passing_blow_at_one_who_stays_in_range() -> None:
    ring = passing()
    ring.order("ann: walk forward forward", "bob: pass ann/normal/cut")
    ring.battle.proceed()
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("bob", "SPX-13")]
    assert not ring.facts(facts.BlowJudged)
