"""Who is in hand-to-hand is asked in one way everywhere: by shots, strays, choices, aim and the picture (DR-080)."""

from __future__ import annotations

import pytest

from events.dresda import AimBegun, ChoiceDue, EngagementsSet, FightChosen
from events.facts import OrderLapsed, RulingRequested
from projections.dresda.picture import picture
from tests.dresda.table_top import TableTop, fig


def pushed_apart(options: dict[str, str] | None = None) -> TableTop:
    """Ann is pushed back from Bob in turn 1; Bow has aimed at Ann, and shoots in turn 2 (b)."""
    figures = {
        "ann": fig("red", "human", 50, 40, weapons=["sword"]),
        "bob": fig("blue", "human", 50, 41.5, facing=180, weapons=["sword"]),
        "bow": fig("blue", "human", 70, 41, facing=270, weapons=["long_bow"]),
    }
    top = TableTop(figures, options=options)
    top.say("bow: aim long_bow at ann")
    top.turn({"ann~bob/ann": 4, "ann~bob/bob": 5})
    return top


def test_dr_080_figures_pushed_apart_are_no_longer_in_hand_to_hand() -> None:
    top = pushed_apart()
    assert top.state.engaged == ()
    assert top.facts(EngagementsSet)[-1].pairs == ()
    assert "fights bob" not in picture(top.state)
    assert top.refused("ann: disengage") == ["DA-16a"]


def test_dr_080_a_shot_at_somebody_pushed_apart_is_none_into_a_hand_to_hand() -> None:
    top = pushed_apart()
    top.next({"hit": 100})
    assert "target in hand to hand" not in [term.label for term in top.call("aimed/bow>ann/hit").terms]
    assert not [each for each in top.facts(RulingRequested) if each.rule == "DG-08"]


def test_dr_080_nobody_becomes_engaged_by_a_push() -> None:
    """Ann is pushed to within 2 cm of Cid, but engagements begin at the end of (c) alone."""
    figures = {
        "ann": fig("red", "human", 50, 40, weapons=["sword"]),
        "bob": fig("blue", "human", 50, 41.5, facing=180, weapons=["sword"]),
        "cid": fig("blue", "human", 50, 33.5, weapons=["sword"]),
    }
    top = TableTop(figures)
    top.turn({"ann~bob/ann": 4, "ann~bob/bob": 5})
    assert top.state.engaged == ()


def test_a_ruling_that_parts_two_ends_their_hand_to_hand() -> None:
    top = pushed_apart()
    top.battle.state_fact("ann: at 50,40", "a slip")
    top.until("missile")
    assert len(top.state.engaged) == 1
    top.battle.state_fact("ann: at 10,10", "a slip")
    assert not top.state.engaged


def fighting(options: dict[str, str] | None = None) -> TableTop:
    figures = {
        "ann": fig("red", "human", 50, 40, weapons=["short_bow"]),
        "bob": fig("blue", "human", 50, 41.5, facing=180, weapons=["sword"]),
        "far": fig("blue", "human", 80, 40, facing=180, weapons=["sword"]),
    }
    top = TableTop(figures, options=options)
    top.turn({"melee": 5, "ann~bob/ann": 8})
    return top


def test_da_15_who_must_choose_is_listed_when_the_turn_begins() -> None:
    top = fighting({"break_off": "in_a"})
    assert top.facts(ChoiceDue)[-1].figures == ("ann", "bob")


def test_dr_085_nobody_aims_while_both_fight_on() -> None:
    top = fighting()
    top.say("ann: aim short_bow at far")
    top.next()
    assert not top.facts(AimBegun)
    assert [each.rule for each in top.facts(OrderLapsed)] == ["DR-085"]


def test_dr_085_who_is_left_alone_may_aim() -> None:
    top = fighting()
    top.say("ann: aim short_bow at far", "bob: disengage")
    top.next()
    assert [each.figure for each in top.facts(AimBegun)] == ["ann"]


@pytest.mark.parametrize("said_in", ["declare", "move"])
def test_da_16a_with_the_option_the_choice_may_still_be_made_in_c(said_in: str) -> None:
    top = fighting({"break_off": "in_c"})
    if said_in == "move":
        top.until("move")
    top.say("ann: disengage")
    top.until("missile")
    assert sorted((each.figure, each.choice) for each in top.facts(FightChosen)) == [
        ("ann", "disengage"),
        ("bob", "on"),
    ]
    assert top["ann"].place.y < 400


def test_da_16a_by_default_the_choice_is_made_in_a() -> None:
    top = fighting()
    top.until("move")
    assert top.refused("ann: disengage") == ["DA-16a"]
