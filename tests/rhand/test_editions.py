"""What the second edition of Rhand corrects, each beside the result that battles of the first edition keep."""

from __future__ import annotations

from typing import Any

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.orders.errors import SheetRefused
from engine.rules.rhand import rules
from engine.rules.rhand.editions import CURRENT, FIRST
from events import rhand as facts
from events.facts import RollCalled
from tests.rhand.ring import Ring, man, pair

BURN = {"id": "burn", "force": 20, "effect": "pd", "amount": 500}


def both(*, first: Any, second: Any) -> pytest.MarkDecorator:
    """Run a test in both editions, each with what it expects."""
    return pytest.mark.parametrize(("edition", "expected"), [(FIRST, first), (CURRENT, second)])


@both(first=[], second=["t1/release/ada/spell/1/knockout"])
def test_a_wound_by_a_spell_is_followed_by_its_knockout_roll(edition: str, expected: list[str]) -> None:
    """SP-042: each time a character is wounded."""
    fighters = [man("ada", "red", "0508", spells=["burn"]), man("foe", "blue", "0504", "south")]
    ring = Ring(fighters, spells=[BURN], by_hand=["red", "blue"], edition=edition)
    ring.order("ada: cast burn at foe")
    ring.battle.proceed()
    ring.throw({"knockout": 97})
    called = [call for call in ring.facts(RollCalled) if call.key.endswith("knockout")]
    assert [call.key for call in called] == expected
    assert [call.target for call in called] == [98] * len(expected)
    assert [each.total for each in ring.facts(facts.KnockedOut)] == [500] * len(expected)
    judged(ring)


def test_each_wound_that_a_ruling_gives_has_a_roll_of_its_own_total() -> None:
    """SP-042, SG-03: two wounds in one answer."""
    fighters = [man("ada", "red", "0508", spells=["burn"]), man("foe", "blue", "0504", "south", knockout=10)]
    ring = Ring(fighters, spells=[BURN], by_hand=["red", "blue"], referee="present")
    ring.order("ada: cast burn at foe")
    ring.battle.proceed()
    ring.throw({})
    ring.battle.rule("t1/release/ada/spell", "foe pd 2; foe pd 9")
    assert [call.target for call in ring.state.table.called.values()] == [10, 25]
    ring.throw({"1/knockout": 10, "2/knockout": 24})
    assert [(each.total, each.chance) for each in ring.facts(facts.KnockedOut)] == [(11, 25)]


def test_the_rider_of_a_horse_that_a_spell_puts_down_is_on_foot() -> None:
    """SPX-16, SG-03."""
    sleep = {"id": "sleep", "force": 10, "effect": "down"}
    fighters = [man("ada", "red", "0508", spells=["sleep"]), man("foe", "blue", "0504", "south", mount="warhorse")]
    ring = Ring(fighters, spells=[sleep], options={"mounted": "on"})
    ring.order("ada: cast sleep at foe_horse")
    ring.battle.proceed()
    assert ring.state.fighters["foe_horse"].down
    assert ring.state.fighters["foe"].rides == ""


def kicker(edition: str) -> Ring:
    """Bob has a lame weapon arm, kicks by the referee's leave, and is better with a sword than without."""
    fighters = pair(skill=5, skills={"unarmed": 1})
    ring = Ring(fighters, by_hand=["red", "blue"], referee="present", edition=edition)
    ring.go("declare")
    ring.battle.state_fact("bob: lame right_arm", "test")
    ring.order("bob: fight ann/normal/kick")
    ring.battle.proceed()
    ring.battle.rule("t1/blows/bob/kicks", "yes")
    ring.throw({"hit": 99})
    ring.go("declare")
    return ring


@both(first=5, second=1)
def test_whoever_kicks_defends_unarmed(edition: str, expected: int) -> None:
    """SA-20, SP-041: a kick is no weapon in hand."""
    ring = kicker(edition)
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert ring.facts(facts.BlowJudged)[-1].skill == expected
    judged(ring)


def test_whoever_kicks_cannot_parry() -> None:
    """SP-041."""
    kicker(FIRST).order("bob: fight parry 1")
    with pytest.raises(SheetRefused, match="no weapon to parry with"):
        kicker(CURRENT).order("bob: fight parry 1")


def test_whoever_kicks_goes_on_kicking_where_blows_are_resolved_in_turn() -> None:
    """SA-08: a kick needs no arm."""
    fighters = pair(skills={"unarmed": 3})
    ring = Ring(fighters, by_hand=["red", "blue"], referee="present", options={"resolution": "sequential"})
    ring.go("declare")
    ring.battle.state_fact("bob: lame right_arm", "test")
    ring.order("bob: fight ann/normal/kick")
    ring.battle.proceed()
    ring.battle.rule("t1/blows/bob/kicks", "yes")
    ring.throw({"hit": 99})
    ring.go("declare")
    ring.order("bob: fight ann/normal")
    ring.battle.proceed()
    ring.throw({"hit": 99})
    assert len(ring.facts(facts.BlowJudged)) == 2


@both(first=("dagger", ("dagger",)), second=("dagger", ("broadsword",)))
def test_the_weapon_that_is_put_away_is_carried(edition: str, expected: tuple[str, tuple[str, ...]]) -> None:
    """SP-032a, SG-05."""
    ring = Ring(pair(carries=["dagger"]), edition=edition)
    take(ring, "ann: draw dagger")
    ann = ring.state.fighters["ann"]
    assert (ann.weapon, ann.carries) == expected
    judged(ring)


def test_the_sword_can_be_drawn_again() -> None:
    ring = Ring(pair(carries=["dagger"]))
    take(ring, "ann: draw dagger")
    take(ring, "ann: draw broadsword")
    ann = ring.state.fighters["ann"]
    assert (ann.weapon, ann.carries) == ("broadsword", ("dagger",))


def test_shooting_at_ones_own_side_must_be_said() -> None:
    """SP-021."""
    fighters = [
        man("ann", "red", "0508", missile="long_bow", ammunition=3, strength=15),
        man("al", "red", "0504"),
        man("bob", "blue", "0902"),
    ]
    Ring(fighters, edition=FIRST).order("ann: shoot at al")
    ring = Ring(fighters)
    with pytest.raises(SheetRefused, match="same side: add own_side"):
        ring.order("ann: shoot at al")
    ring.order("ann: shoot at al own_side")
    ring.battle.proceed()
    assert [each.target for each in ring.facts(facts.ShotJudged)] == ["al"]


@pytest.mark.parametrize("order", ["ann: fight", "ann: fight parry 0"])
def test_an_order_to_fight_names_a_blow_or_a_parry(order: str) -> None:
    """SP-020."""
    old = Ring(pair(), edition=FIRST)
    old.go("declare")
    old.order(order)
    ring = Ring(pair())
    ring.go("declare")
    with pytest.raises(SheetRefused, match="neither a blow nor a parry"):
        ring.order(order)


@both(first=2, second=0)
def test_fighters_without_orders_are_told_of_once(edition: str, expected: int) -> None:
    """SPX-04: both save an action."""
    ring = Ring(pair(), edition=edition)
    ring.go("declare")
    ring.battle.proceed()
    assert len(ring.facts(facts.ActionsSpent)) == expected
    assert [each.saved for each in ring.facts(facts.ActionsKept)] == [{"ann": 1, "bob": 1}] * (edition == CURRENT)
    assert [ring.state.fighters[name].saved for name in ("ann", "bob")] == [1, 1]


def judged(ring: Ring) -> None:
    """Adjudicate the whole record by the edition that it was played with."""
    Readjudicator(ring.log, ring.battle.line, rules()).run()


def take(ring: Ring, order: str) -> None:
    """Give an order for hands, and end the phase."""
    ring.go("declare")
    ring.order(order)
    ring.battle.proceed()
