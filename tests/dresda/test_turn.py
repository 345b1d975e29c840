"""The turn: its phases, what waits for people, what happens at the same time.

Rules held here: DR-001, DR-002, DR-003, DR-004, DR-005, DR-006, DR-007, DR-008.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from events.dresda import AimBegun, ChargeDeclared, EngagementsSet, HurtHeld, PhaseReached, ShotFired, Wounded
from events.facts import ActOpened, Declared, Event, Ordered, OrderLapsed, RollCalled
from tests.dresda.table_top import TableTop, fig


def archers(**more: Any) -> dict[str, dict[str, Any]]:
    return {
        "one": fig("red", "human", 50, 50, weapons=["short_bow"], **more),
        "two": fig("blue", "human", 50, 65, weapons=["short_bow"], facing=180),
    }


def test_dr_001_six_phases_in_order_and_three_stops() -> None:
    top = TableTop(archers())
    stops = [top.state.phase]
    for _ in range(3):
        top.next()
        stops.append(top.state.phase)
    assert stops == ["declare", "move", "missile", "declare"]
    assert [act.name for act in top.facts(ActOpened)] == [
        "t1/declare",
        "t1/aimed",
        "t1/move",
        "t1/missile",
        "t1/melee",
        "t1/morale",
    ]
    assert [each.phase for each in top.facts(PhaseReached)] == ["aimed", "move", "missile", "melee", "morale"]
    assert top.state.turn == 2


def test_dr_002_a_charge_is_declared_with_its_target() -> None:
    top = TableTop(
        {
            "rider": fig("red", "human", 50, 50, mount="warhorse", moving="walk"),
            "foe": fig("blue", "human", 50, 80),
        }
    )
    top.say("rider: charge foe")
    assert top.facts(Declared)[0].text == "rider: charge foe"
    top.next()
    assert [(each.figure, each.target) for each in top.facts(ChargeDeclared)] == [("rider", "foe")]


def test_dr_003_aim_is_declared_with_its_target_noted() -> None:
    top = TableTop(archers())
    top.say("one: aim short_bow at two")
    top.next()
    assert [(each.figure, each.target) for each in top.facts(AimBegun)] == [("one", "two")]
    assert top.refused("one: aim short_bow at two") == ["DR-060"]  # too late now


def test_dr_004_only_who_aimed_last_turn_fires_in_b() -> None:
    top = TableTop(archers())
    top.say("one: aim short_bow at two")
    top.until("move")
    assert top.facts(ShotFired) == []
    top.turn()
    top.until("move")
    assert [(each.figure, each.aimed) for each in top.facts(ShotFired)] == [("one", True)]


def test_dr_005_who_fired_in_b_does_not_fire_again_in_d() -> None:
    top = TableTop(archers())
    top.say("one: aim short_bow at two")
    top.turn()
    top.until("missile")
    assert top.refused("one: shoot short_bow at two") == ["DR-005"]
    top.say("two: shoot short_bow at one")
    top.next()
    assert [each.figure for each in top.facts(ShotFired)] == ["one", "two"]


def test_dr_006_every_shot_is_made_before_any_wound() -> None:
    top = TableTop(archers())
    top.until("missile")
    top.say("one: shoot short_bow at two", "two: shoot short_bow at one")
    top.next({"hit": 1})
    kinds = [type(each) for each in top.facts(Event) if isinstance(each, ShotFired | Wounded)]
    assert kinds == [ShotFired, ShotFired, Wounded, Wounded]


def test_dr_007_blows_are_one_opposed_roll_for_both() -> None:
    top = TableTop({"one": fig("red", "human", 50, 50), "two": fig("blue", "human", 50, 51, facing=180)})
    top.until("missile")
    top.next({"~two/one": 9, "~two/two": 4})
    assert len(top.calls("melee")) == 2
    assert (top["one"].wounds, top["two"].wounds) == (0, 1)


def test_dr_008_morale_comes_after_all_fire_and_blows() -> None:
    top = TableTop(archers())
    top.until("missile")
    top.say("one: shoot short_bow at two")
    top.next({"hit": 1})
    acts = [act.name for act in top.facts(ActOpened)]
    assert acts.index("t1/morale") > acts.index("t1/melee")
    keys = [call.key for call in top.facts(RollCalled)]
    assert [key.split("/")[1] for key in keys] == ["missile", "morale", "morale"]


def aimed_and_hit(apply: str) -> TableTop:
    """One has aimed and wounds two in (b); two means to shoot back in (d)."""
    top = TableTop(archers(), options={"wounds_apply": apply})
    top.say("one: aim short_bow at two")
    top.turn()
    top.until("missile", {"aimed/one>two/hit": 1})
    top.say("two: shoot short_bow at one")
    return top


def test_da_03_wounds_of_b_count_before_d() -> None:
    top = aimed_and_hit("each_phase")
    assert top["two"].wounds == 1
    top.next()
    assert -15 in [term.value for term in top.call("missile/two>one/hit").terms]


def test_da_03_option_holds_wounds_back_until_d_is_over() -> None:
    top = aimed_and_hit("after_d")
    assert (top["two"].wounds, len(top.facts(HurtHeld))) == (0, 1)
    top.next()
    assert "firer wounded" not in [term.label for term in top.call("missile/two>one/hit").terms]
    assert top["two"].wounds == 1
    assert top.state.held == ()


def test_da_04_one_move_a_turn_aiming_takes_it() -> None:
    top = TableTop(archers())
    top.say("one: aim short_bow at two")
    top.next()
    assert top["one"].halves == 2


def test_orders_for_later_phases_wait_and_lapse_visibly() -> None:
    top = TableTop(archers())
    top.say("one: walk 50,60", "one: shoot short_bow at two")
    top.until("missile")
    top.next()
    assert [each.slot for each in top.facts(Ordered)] == ["move", "shoot"]
    assert [(each.text, each.rule) for each in top.facts(OrderLapsed)] == [("one: shoot short_bow at two", "DR-021")]


def test_orders_that_come_too_late_are_refused_by_rule() -> None:
    top = TableTop(archers())
    top.until("missile")
    assert top.refused("one: walk 50,60") == ["DR-001"]
    assert top.refused("one: fight on") == ["DA-16a"]
    assert top.refused("one: charge two") == ["DR-013"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_l64_the_order_of_arrival_counts_for_nothing(order: tuple[int, ...]) -> None:
    """A shoots at B, B at C, C at A; whoever is told first, the same happens."""
    figures = {
        "ann": fig("red", "human", 50, 50, weapons=["short_bow"]),
        "bob": fig("blue", "human", 50, 60, weapons=["short_bow"]),
        "cat": fig("red", "human", 60, 60, weapons=["short_bow"]),
        "dan": fig("blue", "human", 60, 50, weapons=["short_bow"]),
    }
    sheets = ["ann: shoot short_bow at bob", "bob: shoot short_bow at cat", "cat: shoot short_bow at dan"]
    top = TableTop(figures)
    top.until("missile")
    for at in order:
        top.say(sheets[at])
    top.next({"ann>bob/hit": 1, "bob>cat/hit": 1, "cat>dan/hit": 2})
    assert {name: each.wounds for name, each in top.state.figures.items()} == {"ann": 0, "bob": 1, "cat": 1, "dan": 1}
    assert [event.figure for event in top.facts(ShotFired)] == ["ann", "bob", "cat"]


def test_engagements_are_noted_only_when_they_change() -> None:
    top = TableTop(archers())
    top.turn()
    assert top.facts(EngagementsSet) == []
