"""Hand-to-hand: who fights whom, what is added, what the loser suffers, breaking off.

Rules held here: DR-080, DR-081, DR-082, DR-083, DR-084, DR-085, DR-086, DR-087, DR-088, DR-089, DR-090, DR-091,
DR-092, DR-093, DR-094.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from events.dresda import FightChosen, Fought, KnockedDown, MountLost, PushedBack, PushIgnored, RiderThrown, ShotFired
from events.facts import OrderLapsed, RollCalled
from events.places import Point
from tests.dresda.table_top import TableTop, box, fig

Dict = dict[str, Any]


def duel(red: Dict | None = None, blue: Dict | None = None, **parts: Any) -> TableTop:
    figures = {
        "ann": {**fig("red", "human", 50, 50, weapons=["sword"]), **(red or {})},
        "bob": {**fig("blue", "human", 50, 52, weapons=["sword"], facing=180), **(blue or {})},
    }
    top = TableTop(figures, **parts)
    top.until("missile")
    return top


def terms(call: RollCalled) -> dict[str, int]:
    return {term.label: term.value for term in call.terms}


@pytest.mark.parametrize(("gap", "fights"), [("2", True), ("2.1", False)])
def test_dr_080_da_30_within_2_cm_base_to_base_at_the_end_of_c_they_fight_in_e(gap: str, fights: bool) -> None:
    top = duel(blue={"place": [50, 50 + 2 + Decimal(gap)]})
    top.next()
    assert (top.facts(Fought) != []) is fights


@pytest.mark.parametrize(("gap", "fights"), [("2", True), ("2.1", False)])
def test_da_30_with_the_option_it_is_from_middle_to_middle(gap: str, fights: bool) -> None:
    top = duel(blue={"place": [50, 50 + Decimal(gap)]}, options={"bases": "points"})
    top.next()
    assert (top.facts(Fought) != []) is fights


def test_dr_081_equipment_training_and_race_are_added() -> None:
    top = duel(
        {"race": "half_orc", "status": "veteran", "armour": "medium_armour", "shield": "shield", "wounds": 1},
        {"weapons": [], "race": "goblin"},
    )
    top.next()
    assert terms(top.call("ann~bob/ann")) == {
        "half orc": 1,
        "one handed weapon": 1,
        "shield": 1,
        "medium armour": 2,
        "status veteran": 1,
        "wounded": -2,
    }
    assert terms(top.call("ann~bob/bob")) == {"goblin": -1, "unarmed": -3, "status regular": 0}


def test_dr_081_the_exact_chance_of_each_result_is_told_before_the_dice() -> None:
    top = duel()
    top.next()
    mine = {each.label: each.of for each in top.call("ann~bob/ann").chances}
    assert mine == {
        "Ann badly wounded": 1,
        "Ann wounded and pushed back": 9,
        "Ann wounded": 18,
        "Ann pushed back": 17,
        "draw": 10,
        "Bob pushed back": 17,
        "Bob wounded": 18,
        "Bob wounded and pushed back": 9,
        "Bob badly wounded": 1,
    }
    assert sum(mine.values()) == 100
    assert {each.label: each.of for each in top.call("ann~bob/bob").chances} == mine


@pytest.mark.parametrize(
    ("lead", "result", "wounds"),
    [(1, "pushed back", 0), (3, "wounded", 1), (6, "wounded and pushed back", 1), (9, "badly wounded", 2)],
)
def test_dr_082_da_15a_the_difference_gives_the_result(lead: int, result: str, wounds: int) -> None:
    top = duel()
    top.next({"~bob/ann": 10, "~bob/bob": 10 - lead})
    (fought,) = top.facts(Fought)
    assert (fought.loser, fought.result) == ("bob", result)
    assert top["bob"].wounds == wounds


def test_dr_083_a_draw_does_nothing() -> None:
    top = duel()
    top.next({"~bob/ann": 4, "~bob/bob": 4})
    assert [(each.loser, each.rule) for each in top.facts(Fought)] == [("", "DR-083")]
    assert (top["ann"].place, top["bob"].wounds) == (Point(500, 500), 0)


def draw(**parts: Any) -> TableTop:
    """Two who have drawn and are in hand-to-hand still."""
    top = duel(blue={"weapons": ["sword", "short_bow"]}, **parts)
    top.turn()
    return top


def test_dr_084_either_may_break_off_and_who_fights_on_stays() -> None:
    top = draw()
    top.say("ann: disengage", "bob: fight on")
    top.until("move")
    assert [(each.figure, each.choice) for each in top.facts(FightChosen)] == [("ann", "disengage"), ("bob", "on")]
    top.say("ann: walk 50,40")
    top.until("missile")
    assert top["ann"].place == Point(500, 400)
    assert top.state.engaged == ()


def test_dr_084_to_say_nothing_is_to_fight_on() -> None:
    top = draw()
    top.until("move")
    assert top.refused("ann: walk 50,40") == ["DR-084"]
    top.say("ann: hold facing 10")
    top.next()
    assert top["ann"].facing == 10


def test_who_breaks_off_without_a_way_goes_straight_back() -> None:
    top = draw()
    top.say("ann: disengage")
    top.until("missile")
    assert top["ann"].place == Point(500, 500 - 160)


def test_dr_085_if_both_fight_on_no_missiles() -> None:
    top = draw()
    top.until("move")
    assert top.refused("bob: ready short_bow") == ["DR-085"]
    bow = duel(blue={"weapons": ["short_bow"]})
    bow.turn()
    bow.until("missile")
    assert bow.refused("bob: shoot short_bow at ann") == ["DR-085"]


def test_da_16_da_16a_unless_both_fight_on_either_may_shoot() -> None:
    top = duel(blue={"weapons": ["short_bow"]})
    top.turn()
    top.say("ann: disengage")
    top.until("missile")
    top.say("bob: shoot short_bow at ann")
    top.next()
    assert len(top.facts(ShotFired)) == 1


def test_da_16_the_other_may_follow_to_within_2_cm_again() -> None:
    top = draw()
    top.say("ann: disengage")
    top.until("move")
    top.say("ann: walk 50,45", "bob: walk 50,47")
    top.until("missile")
    assert top.state.engaged == (("ann", "bob"),)


def test_da_15_the_choice_comes_after_any_result_that_leaves_both_near() -> None:
    top = duel()
    top.turn({"~bob/ann": 9, "~bob/bob": 6})
    top.say("bob: disengage")
    pushed = duel()
    pushed.turn({"~bob/ann": 9, "~bob/bob": 8})
    assert pushed.refused("bob: disengage") == ["DA-16a"]  # 5 cm away he is free


def test_dr_086_pushed_5_cm_straight_away() -> None:
    top = duel(blue={"place": [Decimal("51.2"), Decimal("51.6")]})
    top.next({"~bob/ann": 9, "~bob/bob": 8})
    assert [(each.to, each.rule) for each in top.facts(PushedBack)] == [(Point(542, 556), "DR-086")]


def test_nobody_is_pushed_off_the_table() -> None:
    top = duel({"place": [50, 196]}, {"place": [50, 198]})
    top.next({"~bob/ann": 9, "~bob/bob": 8})
    assert top["bob"].place == Point(500, 2000)


def three(**more: Any) -> TableTop:
    figures = {
        "ann": fig("red", "human", 50, 50, weapons=["sword"], **more),
        "bob": fig("blue", "human", 50, 52, weapons=["sword"], facing=180),
        "cat": fig("blue", "human", 52, 50, weapons=["sword"], facing=270),
    }
    top = TableTop(figures)
    top.until("missile")
    return top


def test_dr_087_da_13_several_enemies_are_fought_one_by_one_with_a_roll_each() -> None:
    top = three()
    top.next()
    assert [(each.one, each.other) for each in top.facts(Fought)] == [("ann", "bob"), ("ann", "cat")]
    assert [key.rpartition("/")[2] for key in top.calls("melee")] == ["ann", "bob", "ann", "cat"]


@pytest.mark.parametrize(("facing", "label", "value"), [(0, "attacked in side", -1), (270, "attacked in rear", -3)])
def test_dr_088_da_14_side_and_rear_count_against_the_one_attacked_everywhere(
    facing: int, label: str, value: int
) -> None:
    top = three(facing=facing)
    top.next()
    assert terms(top.call("ann~bob/ann"))[label] == value
    assert terms(top.call("ann~cat/ann"))[label] == value
    assert label not in terms(top.call("ann~bob/bob"))


@pytest.mark.parametrize(("answer", "counts"), [("front", False), ("side", True)])
def test_dg_03_just_on_the_boundary_of_two_arcs_the_referee_says(answer: str, counts: bool) -> None:
    top = duel({"facing": 60})
    top.next({}, {"arc/bob>ann": answer})
    (question,) = top.asked("DG-03")
    assert (question.choices, question.default) == (("front", "side"), "front")
    assert ("attacked in side" in terms(top.call("ann~bob/ann"))) is counts


def mounted(**dice: int) -> TableTop:
    """A rider on a warhorse against one enemy: his lead over it, and the warhorse's."""
    top = duel({"mount": "warhorse"})
    top.next({f"ann~bob/{who}": dice[f"r{who[0]}"] for who in ("ann", "bob")} | {
        "ann.mount~bob/ann.mount": dice["ma"], "ann.mount~bob/bob": dice["mb"], "thrown": 10,
    })  # fmt: skip
    return top


def test_dr_089_dr_081_a_trained_mount_fights_too_with_its_own_value_alone() -> None:
    top = mounted(ra=5, rb=6, ma=5, mb=5)
    assert [each.mount for each in top.facts(Fought)] == [False, True]
    assert terms(top.call("ann.mount~bob/ann.mount")) == {"warhorse": 1}
    assert "warhorse" not in terms(top.call("melee/ann~bob/ann"))


def behind_bob(mount: str, **options: str) -> TableTop:
    figures = {
        "ann": fig("red", "human", 50, 50, weapons=["sword"], mount=mount),
        "bob": fig("blue", "human", 50, 52, weapons=["sword"], facing=0),
    }
    top = TableTop(figures, options=options)
    top.turn()
    return top


@pytest.mark.parametrize("mount", ["warhorse", "pony"])
def test_dr_090_da_28_a_rider_counts_from_where_it_is_whatever_it_rides(mount: str) -> None:
    assert "attacked in rear" in terms(behind_bob(mount).call("ann~bob/bob"))


def test_dr_090_da_28_the_other_reading_is_an_option() -> None:
    top = behind_bob("warhorse", rider_of_fighting_mount="front")
    assert not [label for label in terms(top.call("ann~bob/bob")) if label.startswith("attacked")]


def test_dr_090_a_mount_alone_gives_no_penalty_of_its_own() -> None:
    """The rider stands in front, so neither it nor its mount strikes from the side."""
    figures = {
        "ann": fig("red", "human", 50, 54, weapons=["sword"], mount="warhorse"),
        "bob": fig("blue", "human", 50, 52, weapons=["sword"], facing=0),
    }
    top = TableTop(figures)
    top.turn()
    assert not [label for label in terms(top.call("ann.mount~bob/bob")) if label.startswith("attacked")]


def braced(**options: str) -> TableTop:
    """A spearman is charged by a rider from the front, and a goblin on foot stands at their side."""
    figures = {
        "rider": fig("red", "human", 50, 10, weapons=["lance"], mount="riding_horse", moving="walk"),
        "gob": fig("red", "goblin", 52, 40, weapons=["sword"], facing=270),
        "foot": fig("blue", "human", 50, 40, weapons=["spear"], facing=180),
    }
    top = TableTop(figures, options=options)
    top.say("rider: charge foot")
    top.turn()
    return top


def test_da_27_a_spear_set_against_cavalry_counts_against_the_charger_alone() -> None:
    top = braced()
    assert "spear or polearm against cavalry" in terms(top.call("~rider/foot"))
    assert "spear or polearm against cavalry" not in terms(top.call("~gob/foot"))
    every = braced(rows_for_one_enemy="every_combat")
    assert "spear or polearm against cavalry" in terms(every.call("~gob/foot"))


def thrown_and_stunned(**dice: int) -> TableTop:
    """A rider is shot from the saddle in (d), and its enemy in hand-to-hand strikes in (e)."""
    figures = {
        "ann": fig("red", "human", 50, 40, weapons=["sword"], mount="riding_horse"),
        "bob": fig("blue", "human", 50, 41.5, weapons=["sword"], facing=180),
        "bow": fig("blue", "human", 50, 60, weapons=["long_bow"], facing=180),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("bow: shoot long_bow at ann")
    top.turn({"hit": 1, "mount": 1, "hit/thrown": 90, **dice})
    return top


def test_dr_072_who_is_stunned_wards_off_a_blow_and_strikes_none() -> None:
    top = thrown_and_stunned(**{"ann~bob/ann": 10, "ann~bob/bob": 1})
    (fought,) = top.facts(Fought)
    assert (fought.loser, fought.rule) == ("", "DR-072")
    assert top["bob"].wounds == 0
    assert not top.facts(PushedBack)
    assert "Ann only wards off the blow" in [each.label for each in top.call("ann~bob/ann").chances]


def test_dr_072_who_is_stunned_can_be_wounded() -> None:
    top = thrown_and_stunned(**{"ann~bob/ann": 1, "ann~bob/bob": 10})
    assert top["ann"].wounds > 1 or top["ann"].gone


def test_dr_091_only_the_mount_pushed_is_nothing() -> None:
    top = mounted(ra=5, rb=6, ma=5, mb=6)
    assert [(each.mount, each.rule) for each in top.facts(PushIgnored)] == [(True, "DR-091")]
    assert top["ann"].place == Point(500, 500)


def test_dr_092_the_riders_push_is_nothing_if_the_mount_prevails() -> None:
    top = mounted(ra=5, rb=7, ma=9, mb=7)
    assert [(each.mount, each.rule) for each in top.facts(PushIgnored)] == [(False, "DR-092")]
    assert (top["ann"].place, top["bob"].place) == (Point(500, 500), Point(500, 570))


def test_dr_093_else_both_go_back_together() -> None:
    for mount in (5, 4):  # a draw, and a push of both
        top = mounted(ra=5, rb=7, ma=mount, mb=5)
        assert (top["ann"].place, top["ann"].mounted) == (Point(500, 450), True)


def test_dr_094_a_wounded_mount_throws_its_rider() -> None:
    top = mounted(ra=6, rb=7, ma=1, mb=9)
    assert [each.rule for each in top.facts(RiderThrown)] == ["DR-072"]
    assert (len(top.facts(MountLost)), top["ann"].mounted) == (1, False)


def test_da_23_wounds_stand_where_a_push_is_ignored() -> None:
    top = mounted(ra=1, rb=8, ma=9, mb=5)  # wounded and pushed back; the mount wounds
    assert [each.rule for each in top.facts(PushIgnored)] == ["DR-092"]
    assert (top["ann"].wounds, top["ann"].place) == (1, Point(500, 500))


def test_the_struck_down_lie_on_the_ground_and_fight_worse() -> None:
    top = duel({"armour": "heavy_armour"}, {"race": "ogre", "weapons": []})
    top.turn({"~bob/ann": 10, "~bob/bob": 1})  # 10 + 5 against 1 + 1
    assert [each.figure for each in top.facts(KnockedDown)] == ["bob"]
    assert (top["bob"].prone, top["bob"].wounds) == (True, 3)


WALL = {"id": "wall", "kind": "low_wall", "points": [[40, 51], [60, 51]]}


@pytest.mark.parametrize(
    ("red", "blue", "parts", "label", "value"),
    [
        ({"weapons": ["lance"]}, {}, {}, "spear", 1),
        ({"weapons": ["club"], "second_weapon": True}, {}, {}, "second weapon", 1),
        ({"mount": "pony"}, {}, {}, "mounted against foot", 1),
        ({}, {}, {"areas": [box("hill", "", 0, 0, 100, 51, ground=5)]}, "higher ground", 1),
        ({}, {}, {"areas": [box("bog", "marsh", 0, 0, 99, 99)]}, "in water or bog", -1),
        ({}, {}, {"walls": [WALL]}, "behind wall or barricade", 1),
        ({}, {}, {"field": {"light": "night"}}, "fighting blind at night", -2),
    ],
)  # fmt: skip
def test_circumstances_of_a_fight(red: Dict, blue: Dict, parts: Dict, label: str, value: int) -> None:
    top = duel(red, blue, **parts)
    top.next()
    assert terms(top.call("ann~bob/ann"))[label] == value


def test_a_charge_that_strikes_is_worth_its_lance_and_a_spear_stands_against_it() -> None:
    figures = {
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90, weapons=["spear"], facing=180),
    }
    top = TableTop(figures)
    top.say("rider: charge foe")
    top.turn()
    mine = terms(top.call("melee/foe~rider/rider"))
    assert (mine["lance charging"], mine["mount charging"], mine["mounted against foot"]) == (3, 2, 1)
    assert terms(top.call("melee/foe~rider/foe"))["spear or polearm against cavalry"] == 2
    top.turn()
    assert len(top.facts(OrderLapsed)) == 0


def test_who_was_pushed_back_last_turn_feels_it() -> None:
    top = duel()
    top.until("move", {"~bob/ann": 9, "~bob/bob": 8})
    top.say("ann: walk 50,55")
    top.turn()
    assert terms(top.call("t2/melee/ann~bob/bob"))["pushed back last turn"] == -1
