"""Morale: what calls for a test, how letters bind, flight and rallying, the test of the charged.

Rules held here: DR-110, DR-111, DR-112, DR-113, DR-114, DR-121.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.dresda import EdgeJudged, LeaderJudged, LeftField, MoodSet, MoraleTested, Moved
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, fig

Dict = dict[str, Any]


def shooting(foe: Dict | None = None, options: dict[str, str] | None = None, **others: Dict) -> TableTop:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "foe": {**fig("blue", "human", 50, 70, facing=180, weapons=["sword"]), **(foe or {})},
        "friend": fig("blue", "human", 52, 72, leader="foe"),
        **others,
    }
    top = TableTop(figures, options=options)
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    return top


def causes(top: TableTop, figure: str) -> list[str]:
    return [each.cause for each in top.facts(MoraleTested) if each.figure == figure]


def test_dr_110_leader_dead_wounded_fired_at_pushed_and_charged_call_for_tests() -> None:
    top = shooting()
    top.turn({"hit": 1})
    assert causes(top, "foe") == ["wounded", "first fired at"]
    dead = shooting({"wounds": 2})
    dead.turn({"hit": 1})
    assert causes(dead, "friend") == ["leader dead"]
    pushed = TableTop({"ann": fig("red", "human", 50, 50), "bob": fig("blue", "human", 50, 52, facing=180)})
    pushed.turn({"~bob/ann": 9, "~bob/bob": 8})
    assert causes(pushed, "bob") == ["pushed back"]
    charged = charge()
    charged.until("missile")
    assert causes(charged, "foe") == ["charged by cavalry"]


def test_dr_111_a_d10_with_race_and_modifiers_gives_a_letter_each_with_its_chance() -> None:
    top = shooting({"race": "goblin", "status": "recruit"})
    top.turn({"hit": 100, "first_fired_at": 6})
    call = top.call("morale/foe/first_fired_at")
    assert {term.label: term.value for term in call.terms} == {"goblin": -2, "status recruit": -1, "is leader": 1}
    assert {each.label: (each.of, each.out_of) for each in call.chances} == {
        "E routs": (3, 10),
        "D falls back": (1, 10),
        "C halts": (1, 10),
        "B hesitates": (1, 10),
        "A carries on": (4, 10),
    }
    assert [(each.letter, each.rule) for each in top.facts(MoraleTested)] == [("B", "DR-111")]


def test_dr_112_da_22a_a_miss_counts_and_the_first_time_comes_once() -> None:
    top = shooting()
    top.turn({"hit": 100})
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.turn({"hit": 100})
    assert causes(top, "foe") == ["first fired at"]


def test_dr_113_a_roll_for_each_trigger_and_the_worst_applies() -> None:
    top = shooting()
    top.turn({"hit": 1, "wounded": 4, "first_fired_at": 2})
    assert [each.letter for each in top.facts(MoraleTested)] == ["B", "D"]
    assert [each.letter for each in top.facts(MoodSet)] == ["D"]


@pytest.mark.parametrize(("answer", "letter"), [("B", "B"), ("D", "D")])
def test_dg_05_with_the_option_the_referee_settles_differing_results(answer: str, letter: str) -> None:
    top = shooting(options={"disputes": "ask"})
    top.turn({"hit": 1, "wounded": 4, "first_fired_at": 2}, {"worst": answer})
    (question,) = top.asked("DG-05")
    assert (question.choices, question.default) == (("B", "D"), "D")
    assert [each.letter for each in top.facts(MoodSet)] == [letter]


def shaken(face: int, foe: Dict | None = None) -> TableTop:
    top = shooting(foe)
    top.until("move", {"hit": 100, "first_fired_at": face})
    return top


def test_dr_114_b_binds_the_next_turn_only() -> None:
    top = shaken(3)  # with is_leader 4: B
    assert top["foe"].mood_at(2) == "B"
    assert top.refused("foe: run 50,75") == ["DR-114"]
    top.until("move")
    assert top["foe"].mood_at(3) == ""
    top.say("foe: run 50,80")


def test_dr_114_c_takes_no_step_nearer() -> None:
    top = shaken(2)  # with is_leader 3: C
    assert top.refused("foe: walk 50,69.9") == ["DR-114"]
    top.say("foe: walk 52,80")


def test_dr_114_d_falls_back_by_itself_and_takes_no_orders() -> None:
    top = shaken(1)  # with is_leader 2: D
    assert top.refused("foe: walk 50,60") == ["DR-114"]
    top.until("missile")
    (moved,) = top.facts(Moved)
    assert (moved.figure, moved.gait, moved.path, moved.why) == ("foe", "walk", (Point(500, 860),), "falls back")
    assert top.refused("foe: throw sword at archer") != []


def test_dr_114_e_runs_to_its_own_edge_turn_after_turn_and_off_the_table() -> None:
    top = shaken(1, {"status": "recruit", "place": [50, 100]})
    top.until("missile")
    assert top["foe"].place == Point(500, 1320)
    top.until("move")
    assert top["foe"].mood_at(3) == "E"
    for _ in range(2):
        top.until("move")
    assert top["foe"].place == Point(500, 1960)
    top.until("missile")
    assert [(each.figure, each.edge, each.routed) for each in top.facts(LeftField)] == [("foe", "north", True)]
    assert top["foe"].gone == "routed"


def test_the_shaken_shoot_and_fight_worse() -> None:
    top = shaken(3, {"weapons": ["short_bow"]})
    top.until("missile")
    top.say("foe: shoot short_bow at archer")
    top.next()
    assert ("hesitates", -10) in [(term.label, term.value) for term in top.call("foe>archer/hit").terms]


def test_one_in_flight_rallies_near_its_leader() -> None:
    figures: dict[str, Dict] = {
        "archer": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "boss": fig("blue", "human", 52, 100, status="veteran"),
        "foe": fig("blue", "human", 50, 75, leader="boss", status="recruit"),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.turn({"hit": 100, "morale": 1})
    top.turn({"rally": 9})
    assert causes(top, "foe") == ["first fired at", "rally near the leader"]
    assert [(each.letter, each.since, each.until) for each in top.facts(MoodSet)] == [("E", 2, 0), ("C", 3, 3)]
    assert not top["foe"].routs


# ---------------------------------------------------------------------------------------------------- charges


def charge(options: dict[str, str] | None = None, **others: Dict) -> TableTop:
    figures = {
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90, weapons=["sword"], facing=180, unit="pikes"),
        **others,
    }
    top = TableTop(figures, options=options)
    top.say("rider: charge foe")
    return top


def test_dr_121_da_02_the_charged_test_after_c_and_it_binds_at_once() -> None:
    top = charge()
    top.until("move")
    assert causes(top, "foe") == []
    top.until("missile", {"charged": 4})  # alone and in the open: D
    assert [(each.letter, each.since, each.until) for each in top.facts(MoodSet)] == [("D", 1, 1)]
    assert top["foe"].place.y > 900
    top.turn()
    assert top["foe"].mood_at(2) == ""


def test_dr_121_what_it_says_of_later_turns_begins_next_turn() -> None:
    top = charge()
    top.turn({"charged": 1})
    assert top["foe"].mood_at(2) == "E"


def test_da_02_option_tests_in_a_when_the_charge_is_declared() -> None:
    top = charge({"charge_test": "in_a"})
    top.until("move", {"charged": 1})
    assert (causes(top, "foe"), top["foe"].place) == (["charged by cavalry"], Point(500, 900))
    top.until("missile")
    assert top["foe"].place == Point(500, 1220)
    assert len(causes(top, "foe")) == 1


@pytest.mark.parametrize(("by", "tests", "bound"), [("figure", 2, 2), ("unit", 1, 3)])
def test_da_19_each_target_tests_or_with_the_option_the_unit_once(by: str, tests: int, bound: int) -> None:
    others: dict[str, Dict] = {
        "second": fig("red", "human", 60, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "mate": fig("blue", "human", 60, 90, facing=180, unit="pikes"),
        "third": fig("blue", "human", 70, 90, facing=180, unit="pikes"),
    }
    top = charge({"charge_test_by": by}, **others)
    top.say("second: charge mate")
    top.until("missile", {"charged": 1})
    assert len(top.calls("charged")) == tests
    assert len(top.facts(MoodSet)) == bound


def test_the_odds_of_a_charge_test_count_spear_and_open_ground() -> None:
    top = charge(foe=fig("blue", "human", 50, 90, weapons=["spear"], facing=180))
    top.until("missile")
    terms = {term.label: term.value for term in top.call("charged").terms}
    assert terms["charged by cavalry in open"] == -1
    assert terms["charged by cavalry with spear or polearm"] == 1


# ---------------------------------------------------------------------------------------------------- the dead, leaders


def test_da_22_the_dead_do_not_test_and_the_routed_only_for_something_new() -> None:
    top = shooting({"wounds": 2})
    top.turn({"hit": 1})
    assert causes(top, "foe") == []
    routed = shaken(1, {"status": "recruit"})
    routed.until("missile")
    routed.say("archer: shoot short_bow at foe")
    routed.turn({"hit": 1, "wounded": 10})
    assert causes(routed, "foe") == ["first fired at", "wounded"]
    assert routed["foe"].mood_at(3) == "E"  # the worst letter is kept


def test_races_without_fear_never_test() -> None:
    top = shooting({"race": "skeleton"})
    top.turn({"hit": 1})
    assert causes(top, "foe") == []


@pytest.mark.parametrize(("answer", "tests"), [("dead", ["leader dead"]), ("absent", [])])
def test_dg_06_does_a_leader_who_left_the_table_count_as_dead(answer: str, tests: list[str]) -> None:
    figures = {
        "boss": fig("red", "human", 50, 5),
        "man": fig("red", "human", 60, 50, leader="boss"),
        "foe": fig("blue", "human", 50, 190),
    }
    top = TableTop(figures)
    top.until("move")
    top.say("boss: walk 50,0 off")
    top.turn({}, {"leader/boss": answer})
    (question,) = top.asked("DG-06")
    assert (question.choices, question.default) == (("absent", "dead"), "absent")
    assert [each.dead for each in top.facts(LeaderJudged)] == [answer == "dead"]
    assert causes(top, "man") == tests


def test_dg_10_which_edge_is_its_own_when_the_side_has_none() -> None:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "foe": fig("blue", "human", 50, 70, status="recruit"),
    }
    top = TableTop(figures, sides={})
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.until("missile", {"morale": 1}, {"edge/foe": "east"})
    (question,) = top.asked("DG-10")
    assert (question.choices, question.default) == (("north", "east", "south", "west"), "west")
    assert [each.edge for each in top.facts(EdgeJudged)] == ["east"]
    assert top["foe"].place == Point(500 + 320, 700)
    top.until("missile")
    assert len(top.asked("DG-10")) == 1


def test_orders_to_the_driven_lapse() -> None:
    top = charge({"charge_test": "in_a"})
    top.say("foe: walk 50,80")
    top.until("missile", {"charged": 1})
    assert [each.rule for each in top.facts(OrderLapsed)] == ["DR-114"]
