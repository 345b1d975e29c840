"""Aimed fire: a turn to aim, the shot in (b), and what spoils it."""

from __future__ import annotations

from typing import Any

import pytest

from events.dresda import AimBegun, AimLost, ShotFired
from tests.dresda.table_top import TableTop, fig


def aimed(archer: dict[str, Any] | None = None, **foe: Any) -> TableTop:
    figures = {
        "archer": {**fig("red", "human", 50, 50, weapons=["short_bow", "sword"]), **(archer or {})},
        "foe": {**fig("blue", "human", 50, 75, facing=180), **foe},
    }
    top = TableTop(figures)
    top.say("archer: aim short_bow at foe")
    return top


def test_dr_060_aiming_takes_the_whole_move() -> None:
    top = aimed()
    assert top.refused("archer: walk 50,51") == ["DR-060"]
    top.until("move")
    assert [each.halves for each in top.facts(AimBegun)] == [2]
    assert top.refused("archer: walk 50,51") == ["DR-060"]
    top.until("missile")
    assert top.refused("archer: shoot short_bow at foe") == ["DR-060"]


def test_dr_061_da_10_ten_points_are_added() -> None:
    top = aimed()
    top.turn()
    top.until("move")
    call = top.call("aimed/archer>foe/hit")
    assert [(each.label, each.value, each.rule, each.source) for each in call.terms if each.label == "aimed"] == [
        ("aimed", 10, "DR-061", "seed")
    ]
    assert call.target == 45 + 10 + 10  # the target has not moved either


def test_dr_062_a_wound_between_spoils_it() -> None:
    top = aimed(None, weapons=["short_bow"])
    top.until("missile")
    top.say("foe: shoot short_bow at archer")
    top.turn({"hit": 1})
    top.until("move")
    assert [each.rule for each in top.facts(AimLost)] == ["DR-062"]
    assert [each.figure for each in top.facts(ShotFired)] == ["foe"]


def test_dr_063_so_does_a_target_out_of_range_or_gone() -> None:
    top = aimed(None, place=[50, 105])
    top.until("move")
    top.say("foe: walk 50,115")
    top.turn()
    top.until("move")
    assert [(each.reason, each.rule) for each in top.facts(AimLost)] == [("Foe is out of range", "DR-063")]
    off = aimed(None, place=[50, 108])
    off.until("move")
    off.say("foe: walk 50,110 towards archer")
    off.turn()
    off.until("move")
    assert [each.aimed for each in off.facts(ShotFired)] == [True]


@pytest.mark.parametrize(
    ("weapon", "aimable"),
    [("spear", False), ("axe", False), ("boulder", False), ("stone", False), ("sling", True), ("dagger", True)],
)
def test_dr_064_spears_axes_and_improvised_weapons_cannot_be_aimed(weapon: str, aimable: bool) -> None:
    top = TableTop({"one": fig("red", "human", 50, 50, weapons=[weapon]), "foe": fig("blue", "human", 50, 55)})
    if aimable:
        top.say(f"one: aim {weapon} at foe")
    else:
        assert top.refused(f"one: aim {weapon} at foe") == ["DR-064"]


def test_dr_065_the_shot_is_taken_the_next_turn_at_the_noted_target() -> None:
    top = aimed()
    top.turn()
    assert top.refused("archer: aim short_bow at foe") == ["DR-065"]
    top.until("move")
    assert [(each.target, each.rule) for each in top.facts(ShotFired)] == [("foe", "DR-061")]
    assert top["archer"].aim_turn == 0


def test_dr_065_whoever_lays_the_weapon_by_has_lost_it() -> None:
    top = aimed()
    top.turn()
    assert top["archer"].aim_weapon == "short_bow"
    top.battle.state_fact("archer: holds sword", "he dropped the bow")
    top.until("move")
    assert [each.rule for each in top.facts(AimLost)] == ["DR-065"]


def test_da_12_on_the_turn_of_the_shot_he_may_move_with_what_firing_leaves() -> None:
    top = aimed()
    top.turn()
    top.until("move")
    assert top["archer"].halves == 1
    assert top.refused("archer: walk 50,58.1") == ["DR-021"]
    top.say("archer: walk 50,58")


def test_aim_is_refused_at_friends_and_with_what_is_not_in_hand() -> None:
    top = TableTop(
        {
            "one": fig("red", "human", 50, 50, weapons=["sword", "short_bow"]),
            "two": fig("red", "human", 60, 50, weapons=["short_bow"]),
            "foe": fig("blue", "human", 50, 75),
        }
    )
    assert top.refused("one: aim short_bow at foe") == ["DR-030"]
    assert top.refused("two: aim short_bow at one") == ["DR-060"]
