"""The worked examples of the rules, one test each, by their ids."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.dresda.movement import allowance
from engine.rules.dresda.table_checks import loader
from engine.rules.dresda.wounds import wounds_of
from events.dresda import (
    AimLost,
    DesertionRolled,
    Fought,
    LeftField,
    MoodSet,
    MountLost,
    Moved,
    PushedBack,
    PushIgnored,
    RiderThrown,
    ShotFired,
    Wounded,
)
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, box, fig

SCRUB: dict[str, Any] = {"areas": [box("scrub", "scrub", 0, 0, 200, 200)]}


def orc(**more: Any) -> dict[str, Any]:
    return fig("red", "orc", 50, 50, **more)


def reach(top: TableTop, figure: str = "orc", gait: str = "walk", *ground: str, shared: int = 0) -> object:
    """The distance in cm that a figure has."""
    return allowance(top.battle.situation(), top[figure], gait, ground, shared).mm / 10


def walking(wounds: int = 0, **parts: Any) -> TableTop:
    top = TableTop({"orc": orc(wounds=wounds), "foe": fig("blue", "human", 50, 190)}, **parts)
    top.until("move")
    return top


def test_dt_01_an_orc_walks_12_cm_through_scrub() -> None:
    top = walking(**SCRUB)
    assert top.refused("orc: walk 50,62.1") == ["DR-017"]
    top.say("orc: walk 50,62")
    top.next()
    assert top["orc"].place == Point(500, 620)


def test_dt_02_climbing_a_low_wall_leaves_6_cm() -> None:
    top = walking(**SCRUB)
    assert top.refused("orc: do climb_low_wall", "orc: walk 50,56.1") == ["DR-021"]
    top.say("orc: do climb_low_wall", "orc: walk 50,56")
    top.next()
    assert top["orc"].place == Point(500, 560)


def test_dt_03_a_whole_move_leaves_none() -> None:
    top = walking()
    assert top.refused("orc: do light_torch", "orc: walk 50,50.1") == ["DR-021"]
    assert reach(top, shared=2) == 0


def test_dt_04_one_wound_and_scrub_take_off_50_per_cent() -> None:
    top = walking(1, **SCRUB)
    assert top.refused("orc: walk 50,58.1") == ["DR-017"]
    top.say("orc: walk 50,58")
    top.next()
    (moved,) = top.facts(Moved)
    assert (moved.cut, [term.value for term in moved.terms]) == (50, [-25, -25])


def test_dt_05_two_wounds_and_a_river_are_capped_at_75_per_cent() -> None:
    top = walking(2, areas=[box("river", "river", 0, 0, 200, 200)])
    assert top.refused("orc: walk 50,54.1") == ["DR-017"]
    top.say("orc: walk 50,54")
    top.next()
    assert top.facts(Moved)[0].cut == 75


def test_dt_06_cavalry_in_a_building_keeps_its_90_per_cent() -> None:
    hall = {"id": "hall", "outline": [[0, 0], [200, 0], [200, 100], [0, 100]], "sight": 200}
    rider = fig("red", "human", 50, 50, mount="pony", wounds=2)
    top = TableTop({"rider": rider, "foe": fig("blue", "human", 50, 190)}, buildings=[hall])
    top.until("move")
    top.say("rider: walk 50,51.8")
    top.next()
    assert top.facts(Moved)[0].cut == 90


def test_dt_07_an_orc_survives_two_wounds_and_dies_of_the_third() -> None:
    figures = {"orc": orc(), "one": fig("blue", "human", 50, 70, weapons=["long_bow"], facing=180)}
    top = TableTop(figures, field={"width": 200})
    top.until("missile")
    top.say("one: shoot long_bow at orc")
    top.turn({"hit": 1})  # Attack Factor 7 against 3: two wounds
    assert (top["orc"].wounds, top["orc"].gone) == (2, "")
    top.until("missile")
    top.say("one: shoot long_bow at orc")
    top.until("declare", {"hit": 1})
    assert (top["orc"].wounds, top["orc"].gone) == (3, "dead")


@pytest.mark.parametrize(
    ("attack", "defence", "wounds"),
    [(2, 3, 0), (3, 3, 1), (6, 3, 1), (7, 3, 2), (9, 3, 2), (10, 3, 3), (4, 2, 1), (5, 2, 2), (7, 2, 3)],
)
def test_dt_08_attack_and_defence_factor_give_the_wounds(attack: int, defence: int, wounds: int) -> None:
    assert wounds_of(loader().load(), attack, defence) == wounds


def archery(distance: int = 40, **more: Any) -> TableTop:
    """An archer and a target that has just moved, so that nothing but the cell counts."""
    archer = {"weapons": ["short_bow"], **{key: value for key, value in more.items() if key in ("wounds", "status")}}
    figures = {
        "archer": fig("red", "human", 50, 50, **archer),
        "foe": fig("blue", "human", 50, 50 + distance, facing=180, moving="walk"),
    }
    return TableTop(figures)


@pytest.mark.parametrize(("face", "hit"), [(30, True), (31, False)])
def test_dt_09_a_roll_equal_to_the_chance_hits(face: int, hit: bool) -> None:
    top = archery()
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.next({"hit": face})
    assert top.call("hit").target == 30
    assert top.facts(ShotFired)[0].hit is hit


def test_dt_10_the_chance_is_never_below_1_nor_above_100() -> None:
    low = archery(55, wounds=2, status="recruit")  # 20 - 30 - 10
    low.until("missile")
    low.say("archer: shoot short_bow at foe")
    low.next()
    assert low.call("hit").target == 1
    figures = {
        "archer": fig("red", "elf", 50, 50, weapons=["long_bow"], status="hero"),
        "giant": fig("blue", "giant", 50, 59),
    }
    high = TableTop(figures)
    high.until("missile")
    high.say("archer: shoot long_bow at giant")
    high.next()
    assert sum(term.value for term in high.call("hit").terms) > 100
    assert high.call("hit").target == 100


def test_dt_11_aim_adds_10_and_fires_in_b() -> None:
    top = archery(25)
    top.say("archer: aim short_bow at foe")
    top.turn()
    top.until("move", {"hit": 55})
    call = top.call("aimed/archer>foe/hit")
    assert [(term.label, term.value) for term in call.terms][:2] == [("short_bow at 25 cm", 45), ("aimed", 10)]
    assert top.facts(ShotFired)[0].aimed


def test_dt_12_a_wound_a_hidden_target_or_a_spear_spoil_aim() -> None:
    wounded = TableTop(
        {
            "archer": fig("red", "human", 50, 50, weapons=["short_bow"]),
            "foe": fig("blue", "human", 50, 70, weapons=["short_bow"], facing=180),
        }
    )
    wounded.say("archer: aim short_bow at foe")
    wounded.until("missile")
    wounded.say("foe: shoot short_bow at archer")
    wounded.turn({"hit": 1})
    wounded.until("move")
    assert [lost.rule for lost in wounded.facts(AimLost)] == ["DR-062"]

    hidden = TableTop(
        {"archer": fig("red", "human", 50, 50, weapons=["short_bow"]), "foe": fig("blue", "human", 50, 80)},
        areas=[box("wood", "light_wood", 60, 70, 80, 76, hides=True, sight=1)],
    )
    hidden.say("archer: aim short_bow at foe")
    hidden.until("move")
    hidden.say("foe: walk 66,80")
    hidden.turn()
    hidden.until("move")
    assert [lost.rule for lost in hidden.facts(AimLost)] == ["DR-063"]

    spear = TableTop(
        {"orc": orc(weapons=["spear"]), "foe": fig("blue", "human", 50, 60)},
    )
    assert spear.refused("orc: aim spear at foe") == ["DR-064"]


def cavalry_shot(**rider: Any) -> TableTop:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["long_bow"]),
        "rider": fig("blue", "human", 50, 70, mount="warhorse", facing=180, **rider),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot long_bow at rider")
    return top


def test_dt_13_a_60_strikes_the_mount_and_a_61_the_rider() -> None:
    mount = cavalry_shot()
    mount.next({"hit": 1, "mount": 60, "thrown": 10})
    assert [len(mount.facts(kind)) for kind in (MountLost, RiderThrown, Wounded)] == [1, 1, 0]
    assert not mount["rider"].mounted
    rider = cavalry_shot()
    rider.next({"hit": 1, "mount": 61})
    assert [len(rider.facts(kind)) for kind in (MountLost, RiderThrown, Wounded)] == [0, 0, 1]


def test_dt_14_no_wound_no_roll_for_the_mount() -> None:
    top = cavalry_shot(armour="heavy_armour", shield="large_shield")  # 3 + 3 + 2 against 7
    top.next({"hit": 1})
    assert top.facts(ShotFired)[0].hit
    assert top.calls("mount") == []


def test_dt_15_two_archers_kill_each_other() -> None:
    figures = {
        "one": fig("red", "goblin", 50, 50, weapons=["long_bow"]),
        "two": fig("blue", "goblin", 50, 60, weapons=["long_bow"], facing=180),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("one: shoot long_bow at two", "two: shoot long_bow at one")
    top.next({"hit": 1})
    assert {top["one"].gone, top["two"].gone} == {"dead"}
    assert top.state.table.winner == ""


@pytest.mark.parametrize(("gap", "engaged"), [(2, True), (2.1, False)])
def test_dt_16_two_cm_engage_and_a_millimetre_more_does_not(gap: float, engaged: bool) -> None:
    from decimal import Decimal

    figures = {"orc": orc(), "foe": fig("blue", "human", 50, 50 + 2 + Decimal(str(gap)), facing=180)}
    top = TableTop(figures)
    top.until("missile")
    assert top.state.engaged == ((("foe", "orc"),) if engaged else ())


def duel(red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None) -> TableTop:
    figures = {
        "red1": fig("red", "human", 50, 50, weapons=["sword"], **(red or {})),
        "blue1": fig("blue", "human", 50, 52, weapons=["sword"], facing=180, **(blue or {})),
    }
    top = TableTop(figures)
    top.until("missile")
    return top


def test_dt_17_equal_totals_are_a_draw_and_one_more_pushes_5_cm() -> None:
    draw = duel()
    draw.next({"~red1/red1": 7, "~red1/blue1": 7})
    (fought,) = draw.facts(Fought)
    assert (fought.one_total, fought.other_total, fought.loser) == (8, 8, "")
    push = duel()
    push.next({"~red1/red1": 8, "~red1/blue1": 7})
    (fought,) = push.facts(Fought)
    assert (fought.one_total, fought.other_total, fought.loser) == (8, 9, "blue1")
    assert push["blue1"].place == Point(500, 570)


RIDERS = {"mount": "warhorse", "moving": "walk"}


def test_dt_18_the_mount_wounds_the_enemy_and_the_rider_stays() -> None:
    top = duel(dict(RIDERS))
    top.next({"blue1~red1/red1": 5, "blue1~red1/blue1": 7, "mount~blue1/red1.mount": 10, "mount~blue1/blue1": 5})
    assert [(each.figure, each.mount, each.rule) for each in top.facts(PushIgnored)] == [("red1", False, "DR-092")]
    assert top["red1"].place == Point(500, 500)
    assert top["blue1"].wounds == 1


def test_dt_19_the_mount_draws_and_both_go_back() -> None:
    top = duel(dict(RIDERS))
    top.next({"blue1~red1/red1": 5, "blue1~red1/blue1": 7, "mount~blue1/red1.mount": 5, "mount~blue1/blue1": 5})
    assert top["red1"].place == Point(500, 450)
    assert top["red1"].mounted


def test_dt_20_only_the_mount_is_pushed_and_nobody_moves() -> None:
    top = duel(dict(RIDERS))
    top.next({"blue1~red1/red1": 5, "blue1~red1/blue1": 6, "mount~blue1/red1.mount": 5, "mount~blue1/blue1": 6})
    assert [(each.figure, each.mount, each.rule) for each in top.facts(PushIgnored)] == [("red1", True, "DR-091")]
    assert not top.facts(PushedBack)


def test_dt_21_of_a_and_d_the_d_applies() -> None:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "foe": fig("blue", "human", 50, 70, facing=180),
        "friend": fig("blue", "human", 52, 75),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.next({"hit": 1, "first_fired_at": 10, "foe/wounded": 3})
    assert [each.letter for each in top.facts(MoodSet)] == ["D"]


def charge(**target: Any) -> TableTop:
    figures = {
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90, weapons=["sword"], facing=180, **target),
    }
    return TableTop(figures)


def test_dt_22_charged_and_routed_he_flees_before_d() -> None:
    top = charge()
    top.say("rider: charge foe")
    top.until("missile", {"morale/foe/charged": 1})
    (mood,) = top.facts(MoodSet)
    assert (mood.letter, mood.since, mood.until) == ("E", 1, 0)
    assert top["foe"].place == Point(500, 900 + 320)
    assert top.state.engaged == ()


def test_dt_23_nobody_on_foot_runs_twice_running() -> None:
    top = TableTop({"orc": orc(moving="run"), "foe": fig("blue", "human", 50, 190)})
    top.until("move")
    assert top.refused("orc: run 50,60") == ["DR-011"]
    top.say("orc: walk 50,60")


@pytest.mark.parametrize(
    ("before", "rules"), [("stand", ["DR-012"]), ("walk", []), ("run", []), ("charge", ["DR-015"])]
)
def test_dt_24_cavalry_charges_only_from_a_walk_or_run(before: str, rules: list[str]) -> None:
    figures = {
        "rider": fig("red", "human", 50, 50, mount="warhorse", moving=before),
        "foe": fig("blue", "human", 50, 90),
    }
    top = TableTop(figures)
    if rules:
        assert top.refused("rider: charge foe") == rules
    else:
        top.say("rider: charge foe")


@pytest.mark.parametrize(("face", "lost"), [(30, True), (31, False)])
def test_dt_25_desertion_at_30_is_lost_on_30_and_kept_on_31(face: int, lost: bool) -> None:
    figures = {
        "archer": fig("red", "human", 50, 165, weapons=["short_bow"]),
        "foe": fig("blue", "human", 50, 190),
        "other": fig("blue", "skeleton", 190, 190),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.turn({"hit": 100, "morale": 1})
    top.until("missile")
    assert [each.routed for each in top.facts(LeftField)] == [True]
    top.say('referee: end "enough"')
    top.settle({"desertion": face}, {})
    assert [each.lost for each in top.facts(DesertionRolled)] == [lost]
    roster = top.battle.rules.roster(top.battle.situation())["figures"]
    assert ("foe" in roster) is not lost
    assert lost or roster["foe"]["record"] == "R"


@pytest.mark.parametrize(("facing", "defence"), [(180, 3), (0, 4)])
def test_dt_26_an_archers_shield_counts_only_from_the_rear(facing: int, defence: int) -> None:
    figures = {
        "shooter": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "archer": fig("blue", "human", 50, 70, weapons=["short_bow"], shield="shield", facing=facing),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("shooter: shoot short_bow at archer", "archer: shoot short_bow at shooter")
    top.next({"shooter>archer/hit": 1})
    assert next(each.defence for each in top.facts(ShotFired) if each.figure == "shooter") == defence


def test_dt_27_the_side_penalty_counts_in_both_combats() -> None:
    figures = {
        "orc": orc(weapons=["sword"]),
        "front": fig("blue", "human", 50, 52, weapons=["sword"], facing=180),
        "flank": fig("blue", "human", 52, 50, weapons=["sword"], facing=270),
    }
    top = TableTop(figures)
    top.until("declare")
    for part in ("front~orc/orc", "flank~orc/orc"):
        assert ("attacked in side", -1) in [(term.label, term.value) for term in top.call(part).terms]


def test_dt_28_a_torch_by_night_leaves_35_of_60() -> None:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["long_bow"]),
        "foe": fig("blue", "human", 50, 65, torch=True, moving="walk"),
    }
    top = TableTop(figures, field={"light": "night"})
    top.until("missile")
    top.say("archer: shoot long_bow at foe")
    top.next()
    assert top.call("hit").target == 35


def test_no_order_lapsed_in_these_examples() -> None:
    top = walking(**SCRUB)
    top.say("orc: walk 50,62")
    top.next()
    assert top.facts(OrderLapsed) == []
