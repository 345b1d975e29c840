"""Cavalry: charges, and what becomes of riders whose mounts are struck.

Rules held here: DR-012, DR-013, DR-014, DR-015, DR-016, DR-070, DR-071, DR-072.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.dresda import ChargeEnded, Fought, MountJudged, MountLost, RiderThrown, Wounded
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, box, fig


def charging(rider: dict[str, Any] | None = None, y: int = 90, **parts: Any) -> TableTop:
    figures = {
        "rider": {
            **fig("red", "human", 50, 50, weapons=["lance", "sword"], mount="warhorse", moving="walk"),
            **(rider or {}),
        },
        "foe": fig("blue", "human", 50, y, weapons=["sword"], facing=180),
        "friend": fig("blue", "human", 52, y + 4),
    }
    return TableTop(figures, **parts)


def test_dr_013_a_charge_that_was_not_declared_is_no_charge() -> None:
    top = charging()
    top.until("move")
    assert top.refused("rider: charge foe") == ["DR-013"]


def test_dr_014_a_charge_ends_in_contact() -> None:
    top = charging()
    top.say("rider: charge foe")
    top.until("missile")
    assert (top["rider"].place, top["rider"].gait, top["rider"].facing) == (Point(500, 877), "charge", 0)
    assert [(each.contact, each.rule) for each in top.facts(ChargeEnded)] == [(True, "DR-014")]
    assert top.state.engaged == (("foe", "rider"),)


def test_dr_014_it_must_reach_and_be_at_an_enemy() -> None:
    assert charging(y=109).refused("rider: charge foe") == ["DR-014"]
    top = charging(y=106)
    top.say("rider: charge foe")
    assert top.refused("rider: charge rider") == ["DR-014"]


def test_dr_012_dr_015_a_start_is_needed_and_no_two_charges() -> None:
    assert charging({"moving": "stand"}).refused("rider: charge foe") == ["DR-012"]
    top = charging()
    top.say("rider: charge foe")
    top.turn({"foe~rider/foe": 6, "foe~rider/rider": 10, "mount": 1})
    assert top["rider"].gait_before == "charge"
    assert "DR-015" in top.refused("rider: charge friend")[0:1]


def test_da_06_last_turns_charge_does_not_count_as_having_moved() -> None:
    assert charging({"moving": "charge"}).refused("rider: charge foe") == ["DR-015"]


def test_da_07_nobody_charges_on_foot_and_walking_up_brings_no_test() -> None:
    top = charging({"mount": "", "place": [50, 80]})
    assert top.refused("rider: charge foe") == ["DA-07"]
    top.until("move")
    top.say("rider: walk 50,89")
    top.until("missile")
    assert top.state.engaged == (("foe", "rider"),)
    assert top.calls("charged") == []


def test_dr_016_charges_need_ground_that_bears_them() -> None:
    scrub = [box("scrub", "scrub", 40, 60, 60, 70)]
    assert charging(areas=scrub).refused("rider: charge foe") == ["DR-016"]
    walls = [{"id": "wall", "kind": "high_wall", "points": [[40, 60], [60, 60]]}]
    assert charging(walls=walls).refused("rider: charge foe") == ["DR-016"]
    low = [{"id": "wall", "kind": "low_wall", "points": [[40, 60], [60, 60]]}]
    top = charging(walls=low)
    top.say("rider: charge foe")
    top.until("missile")
    assert top["rider"].place == Point(500, 877)


def test_da_05_if_the_target_moves_off_the_charger_goes_all_the_way_and_gets_no_bonus() -> None:
    top = charging()
    top.say("rider: charge foe")
    top.until("move")
    top.say("foe: run 82,90")
    top.until("missile")
    (ended,) = top.facts(ChargeEnded)
    assert (ended.contact, ended.bore, ended.rule) == (True, True, "DR-014")  # it was still within reach
    far = charging(y=104)
    far.say("rider: charge foe")
    far.until("move")
    far.say("foe: walk 50,119 facing 180")
    far.until("missile")
    (ended,) = far.facts(ChargeEnded)
    assert (ended.contact, ended.bore, ended.rule) == (False, True, "DA-05")
    assert (far["rider"].place, far["rider"].gait) == (Point(500, 1060), "charge")
    far.turn()
    assert far.refused("rider: charge foe")[0:1] == ["DR-015"]


@pytest.mark.parametrize(("answer", "place", "gait"), [("full distance", 1060, "charge"), ("stays", 500, "stand")])
def test_dg_07_whether_a_failed_charge_was_reasonable_is_asked(answer: str, place: int, gait: str) -> None:
    top = charging(y=104)
    top.say("rider: charge foe")
    top.until("move")
    top.say("foe: walk 50,119")
    top.until("missile", {}, {"charge/rider>foe": answer})
    assert [each.default for each in top.asked("DG-07")] == ["full distance"]
    assert (top["rider"].place, top["rider"].gait) == (Point(500, place), gait)
    assert (top.calls("charged") != []) is (answer == "full distance")


def test_two_who_charge_each_other_meet_half_way_and_a_ring_comes_to_rest() -> None:
    figures = {
        "one": fig("red", "human", 50, 50, mount="warhorse", moving="run"),
        "two": fig("blue", "human", 50, 100, mount="warhorse", moving="run", facing=180),
    }
    top = TableTop(figures)
    top.say("one: charge two", "two: charge one")
    top.until("missile")
    assert (top["one"].place, top["two"].place) == (Point(500, 737), Point(500, 763))
    assert all(each.contact for each in top.facts(ChargeEnded))


def test_a_charge_that_is_led_astray_stops_short_of_bad_ground() -> None:
    top = charging(y=100, areas=[box("bog", "marsh", 55, 95, 100, 140)])
    top.say("rider: charge foe")
    top.until("move")
    top.say("foe: walk 58,100")
    top.until("missile")
    assert [each.contact for each in top.facts(ChargeEnded)] == [False]
    assert 940 < top["rider"].place.y <= 950


def test_three_in_a_ring_charge_where_their_targets_stood() -> None:
    corners = {"one": (50, 50, "two"), "two": (90, 50, "three"), "three": (70, 85, "one")}
    figures = {
        name: fig(side, "human", x, y, mount="warhorse", moving="run")
        for (name, (x, y, _)), side in zip(corners.items(), ("red", "blue", "blue"), strict=True)
    }
    figures["three"]["side"] = "green"
    top = TableTop(figures, seats={"red": "Red", "blue": "Blue", "green": "Green"})
    top.say(*(f"{name}: charge {target}" for name, (_, _, target) in corners.items()))
    top.until("missile")
    assert top["one"].place == Point(875, 500)
    assert all(not each.contact for each in top.facts(ChargeEnded))


def test_a_charge_at_one_who_charges_another_goes_for_where_that_one_ends() -> None:
    figures = {
        "one": fig("red", "human", 50, 50, mount="warhorse", moving="run"),
        "two": fig("blue", "human", 50, 100, mount="warhorse", moving="run", facing=180),
        "three": fig("red", "human", 87, 100),
    }
    top = TableTop(figures)
    top.say("one: charge two", "two: charge three")
    top.until("missile")
    assert top["two"].place == Point(847, 1000)
    assert [each.contact for each in top.facts(ChargeEnded)] == [False, True]


def test_a_rider_shot_from_the_saddle_no_longer_charges() -> None:
    figures = {
        "archer": fig("blue", "human", 60, 50, weapons=["long_bow"]),
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90),
    }
    top = TableTop(figures, options={"wounds_apply": "each_phase", "charge_start": "any"})
    top.say("archer: aim long_bow at rider")
    top.until("move")
    top.say("rider: walk 50,51")
    top.turn()
    top.say("rider: charge foe")
    top.until("missile", {"hit": 1, "/mount": 60, "thrown": 1})
    assert [(each.bore, each.contact) for each in top.facts(ChargeEnded)] == [(False, False)]
    assert top["foe"].charged_by == ()
    assert top["rider"].place == Point(500, 510)


# ---------------------------------------------------------------------------------------------------- struck mounts


def shot(**rider: Any) -> TableTop:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["long_bow"]),
        "rider": fig("blue", "human", 50, 60, mount="warhorse", facing=180, **rider),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot long_bow at rider")
    return top


def test_dr_070_the_roll_comes_with_its_chance_only_after_a_wound() -> None:
    top = shot()
    top.next({"hit": 1, "/mount": 61})
    call = top.call("archer>rider/mount")
    assert (call.target, [(each.label, each.of, each.out_of) for each in call.chances]) == (60, [("the mount", 3, 5)])
    assert top["rider"].wounds == 2
    assert top["rider"].mounted


def test_dr_071_da_18_one_wound_takes_the_mount_away_and_the_rider_stands_there() -> None:
    top = shot()
    top.next({"hit": 1, "/mount": 1, "thrown": 20})
    assert [each.rule for each in top.facts(MountLost)] == ["DR-071"]
    rider = top["rider"]
    assert (rider.mount, rider.mounted, rider.place, rider.wounds) == ("", False, Point(500, 600), 0)
    assert top.battle.rules.roster(top.battle.situation())["figures"]["rider"]["mount"] == "warhorse"


@pytest.mark.parametrize(
    ("face", "prone", "wounds", "lost", "gone"),
    [
        (40, False, 0, 0, ""),
        (41, True, 0, 1, ""),
        (66, True, 1, 1, ""),
        (86, True, 1, 2, ""),
        (95, True, 2, 2, ""),
        (99, True, 0, 1, "dead"),
    ],
)
def test_dr_072_how_a_rider_falls(face: int, prone: bool, wounds: int, lost: int, gone: str) -> None:
    top = shot()
    top.next({"hit": 1, "/mount": 1, "thrown": face})
    (thrown,) = top.facts(RiderThrown)
    assert (thrown.rule, thrown.prone) == ("DR-072", prone)
    rider = top["rider"]
    assert (rider.wounds, rider.lost_until, rider.gone) == (wounds, lost, gone)
    assert [each.rule for each in top.facts(Wounded)] == ["DR-072"] * bool(wounds)


def test_dr_072_the_stunned_do_nothing_until_their_time_is_over() -> None:
    top = shot(weapons=["sword"])
    top.turn({"hit": 1, "/mount": 1, "thrown": 90})
    top.until("move")
    assert top.refused("rider: stand") == ["DR-072"]
    top.turn()
    top.until("move")
    top.say("rider: stand")


def test_the_chance_of_every_fall_is_told() -> None:
    top = shot()
    top.next({"hit": 1, "/mount": 1, "thrown": 1})
    chances = {each.label: each.of for each in top.call("thrown").chances}
    assert chances == {
        "lands on his feet": 40,
        "winded": 25,
        "hurt": 20,
        "stunned": 9,
        "badly hurt": 4,
        "neck broken": 2,
    }


# ---------------------------------------------------------------------------------------------------- mounts that fight


@pytest.mark.parametrize(("answer", "combats", "judged"), [("yes", [False, True], [True]), ("no", [False], [False])])
def test_dg_09_a_mount_that_the_scenario_leaves_open(answer: str, combats: list[bool], judged: list[bool]) -> None:
    figures = {
        "rider": fig("red", "human", 50, 50, mount="riding_horse", mount_fights="referee"),
        "foe": fig("blue", "human", 50, 52, facing=180),
    }
    top = TableTop(figures)
    top.turn({}, {"mount/rider": answer})
    assert [each.mount for each in top.facts(Fought)] == combats
    assert [each.fights for each in top.facts(MountJudged)] == judged
    assert [each.default for each in top.asked("DG-09")] == ["no"]
    top.turn()
    assert len(top.asked("DG-09")) == 1  # once a battle


def test_the_scenario_may_say_that_a_mount_fights_or_does_not() -> None:
    for mount, says, fights in (("pony", True, "yes"), ("warhorse", False, "no"), ("wolf", None, "yes")):
        more = {} if says is None else {"mount_fights": says}
        top = TableTop({"rider": fig("red", "human", 50, 50, mount=mount, **more), "foe": fig("blue", "orc", 50, 90)})
        assert top["rider"].mount_fights == fights


def test_movement_orders_of_a_charger_are_refused_or_lapse() -> None:
    top = charging()
    top.say("rider: charge foe")
    assert top.refused("rider: walk 50,51") == ["DR-013"]
    top = charging()
    top.say("rider: walk 50,51", "rider: charge foe")
    top.until("missile")
    assert [each.rule for each in top.facts(OrderLapsed)] == ["DR-013"]


# ---------------------------------------------------------------------------------------------------- a start


def started(way: str, **options: str) -> TableTop:
    """A rider that stood still goes some way in turn 1, and would charge in turn 2."""
    top = TableTop(
        {
            "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse"),
            "foe": fig("blue", "human", 50, 100, facing=180),
        },
        options=options,
    )
    top.until("move")
    top.say(f"rider: {way}")
    top.turn()
    return top


def test_da_29_half_a_walk_is_a_start_for_a_charge_and_less_is_none() -> None:
    assert started("walk 50,59.9").refused("rider: charge foe") == ["DA-29"]
    started("walk 50,60").say("rider: charge foe")
    started("walk 50,50.1", charge_start="any").say("rider: charge foe")


def test_dr_012_a_walk_on_foot_is_no_start_for_a_charge() -> None:
    top = TableTop(
        {
            "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse"),
            "foe": fig("blue", "human", 50, 100, facing=180),
        }
    )
    top.until("move")
    top.say("rider: dismount")
    top.until("move")
    top.say("rider: walk 50,51; mount")
    top.turn()
    assert top["rider"].mounted
    assert top["rider"].gait_before == "walk"
    assert top.refused("rider: charge foe") == ["DR-012"]


def test_dr_011_who_was_carried_by_a_running_mount_may_run_on_foot() -> None:
    top = started("run 50,70")
    top.until("move")
    top.say("rider: dismount; run 50,80")
    top.until("missile")
    assert top["rider"].place == Point(500, 800)
    top.until("move")
    assert top.refused("rider: run 50,85") == ["DR-011"]
