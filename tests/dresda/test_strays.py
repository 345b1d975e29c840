"""Misses into a hand-to-hand: asked each time, or answered once for the whole battle (DG-08, DA-31)."""

from __future__ import annotations

import pytest

from engine.rules.dresda.missiles import can_wound
from events.dresda import ShotFired, ShotStrayed
from tests.dresda.table_top import TableTop, fig


def missed(answer: str = "", die: int = 1) -> TableTop:
    """Bow misses Ann, who fights Bob and Cid, friends of Bow."""
    figures = {
        "ann": fig("red", "human", 50, 40, weapons=["sword"]),
        "bob": fig("blue", "human", 50, 43, facing=180, weapons=["sword"]),
        "cid": fig("blue", "human", 47, 40, facing=90, weapons=["sword"]),
        "bow": fig("blue", "human", 70, 41, facing=270, weapons=["long_bow"]),
    }
    top = TableTop(figures, options={"misses_into_melee": answer} if answer else {})
    top.until("missile")
    top.say("bow: shoot long_bow at ann")
    top.next({"hit": 100, "stray": die}, {"stray": "cid"})
    return top


def test_dg_08_by_default_the_referee_is_asked() -> None:
    top = missed()
    assert len(top.asked("DG-08")) == 1
    assert [each.struck for each in top.facts(ShotStrayed)] == ["cid"]


def test_da_31_with_nobody_no_friend_is_struck_and_nobody_is_asked() -> None:
    top = missed("nobody")
    assert not top.asked("DG-08")
    assert not top.calls("stray")
    assert not top.facts(ShotStrayed)


@pytest.mark.parametrize(("die", "struck"), [(1, ["bob"]), (2, ["bob"]), (3, ["cid"]), (4, ["cid"]), (5, []), (10, [])])
def test_da_31_with_roll_each_friend_is_struck_on_two_faces(die: int, struck: list[str]) -> None:
    top = missed("roll", die)
    assert not top.asked("DG-08")
    assert [each.struck for each in top.facts(ShotStrayed)] == struck
    assert [(each.label, each.of, each.out_of) for each in top.call("stray").chances] == [
        ("bob", 2, 10),
        ("cid", 2, 10),
        ("nobody", 6, 10),
    ]


@pytest.mark.parametrize(("armour", "shot"), [("", True), ("heavy_armour", False)])
def test_dr_054_default_orders_do_not_shoot_at_what_they_cannot_wound(armour: str, shot: bool) -> None:
    worn = {"armour": armour, "shield": "large_shield"} if armour else {}
    figures = {
        "bow": fig("red", "human", 50, 40, weapons=["short_bow"]),
        "foe": fig("blue", "dwarf", 50, 75, facing=180, weapons=["sword"], **worn),
    }
    top = TableTop(figures)
    top.until("missile")
    situation, bow = top.battle.situation(), top["bow"]
    assert can_wound(situation, bow, top["foe"], bow.arm) == shot
    wanted = top.battle.rules.autoplay(situation, "red")
    assert bool(wanted) == shot
    assert not top.facts(ShotFired)
