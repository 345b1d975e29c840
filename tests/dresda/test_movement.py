"""Movement: rates, percentages, caps, what actions leave, and ways over the ground.

Rules held here: DR-010, DR-011, DR-016, DR-017, DR-018, DR-019, DR-020, DR-021, DR-022.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.dresda.movement import allowance, rate_of
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, box, fig


def field(figure: dict[str, Any] | None = None, **parts: Any) -> TableTop:
    mine = figure or fig("red", "orc", 50, 50)
    top = TableTop({"one": mine, "foe": fig("blue", "human", 190, 190)}, **parts)
    top.until("move")
    return top


def left(top: TableTop, gait: str, *ground: str, shared: int = 0) -> Fraction:
    return allowance(top.battle.situation(), top["one"], gait, ground, shared).mm


def test_dr_010_rates_come_from_race_and_mount() -> None:
    top = field(fig("red", "orc", 50, 50, mount="wolf"))
    table = top.battle.situation()
    assert [rate_of(table, top["one"], gait) for gait in ("walk", "run", "charge")] == [240, 440, 560]
    foot = field()
    assert [rate_of(foot.battle.situation(), foot["one"], gait) for gait in ("walk", "run", "charge")] == [160, 300, 0]


def test_dr_010_up_to_the_rate_and_not_a_millimetre_more() -> None:
    top = field()
    assert top.refused("one: walk 50,66.1") == ["DR-010"]
    assert top.refused("one: run 50,80.1") == ["DR-010"]
    top.say("one: run 50,80")
    top.next()
    assert (top["one"].place, top["one"].gait) == (Point(500, 800), "run")


def test_dr_011_running_again_is_refused_at_once_and_by_the_gait_on_record() -> None:
    top = field()
    top.say("one: run 50,60")
    top.turn()
    assert top["one"].gait_before == "run"
    assert top.refused("one: run 50,70") == ["DR-011"]
    top.turn()
    top.say("one: run 50,70")


@pytest.mark.parametrize(("order", "rules"), [("walk 60,52", []), ("run 60,52", ["DR-016"])])
def test_dr_016_some_ground_forbids_running(order: str, rules: list[str]) -> None:
    top = field(areas=[box("bog", "marsh", 52, 48, 58, 60)])
    if rules:
        assert top.refused(f"one: {order}") == rules
    else:
        top.say("one: walk 58,50")


def test_dr_016_ground_entered_anywhere_counts_for_the_whole_way() -> None:
    top = field(areas=[box("hedgerow", "scrub", 55, 0, 56, 200)])
    assert top.refused("one: walk 62.1,50") == ["DR-017"]
    top.say("one: walk 62,50")
    beside = field(areas=[box("hedgerow", "scrub", 50, 0, 40, 200)])
    beside.say("one: walk 66,50")  # along the edge is not in it


def test_dr_017_percentages_add_up_to_75() -> None:
    top = field(fig("red", "orc", 50, 50, wounds=1))
    assert left(top, "walk", "marsh") == 160 * Fraction(1, 4)
    assert left(top, "walk", "marsh", "scrub") == 160 * Fraction(1, 4)
    assert left(top, "walk", "scrub") == 160 * Fraction(1, 2)


def test_dr_018_a_row_above_75_is_the_cap_itself() -> None:
    top = field(fig("red", "orc", 50, 50, mount="wolf", wounds=2))
    assert left(top, "walk", "inside_building") == 24
    assert left(top, "walk", "marsh", "scrub") == 60


def test_dr_019_each_wound_takes_25() -> None:
    for wounds, cm in ((0, 16), (1, 12), (2, 8)):
        assert left(field(fig("red", "orc", 50, 50, wounds=wounds)), "walk") == cm * 10


def test_dr_020_nothing_is_rounded() -> None:
    top = field(fig("red", "half_elf", 50, 50, wounds=1))
    assert left(top, "walk", shared=1) == Fraction(255, 4)  # 17 cm less 25 %, halved
    assert top.refused("one: do jump_ditch", "one: walk 50,56.4") == ["DR-021"]
    top.say("one: do jump_ditch", "one: walk 50,56.3")


def test_dr_021_half_a_move_leaves_half_and_da_26_comes_after_the_cap() -> None:
    top = field(fig("red", "orc", 50, 50, wounds=2))
    assert left(top, "walk", "river", shared=1) == 20  # 16 less 75 % is 4, of which half


def test_dr_022_a_whole_move_leaves_nothing() -> None:
    top = field()
    top.say("one: do light_torch")
    assert top.refused("one: walk 50,51") == ["DR-021"]


def test_da_01_wounds_add_and_the_option_doubles_the_rest_instead() -> None:
    add = field(fig("red", "orc", 50, 50, wounds=1))
    assert left(add, "walk", "crops_or_bracken") == 160 * Fraction(65, 100)
    double = field(fig("red", "orc", 50, 50, wounds=1), options={"wound_movement": "double"})
    assert left(double, "walk", "crops_or_bracken") == 160 * Fraction(80, 100)
    assert left(double, "walk") == 160
    assert left(double, "walk", "marsh") == 40


def test_da_04a_wounds_change_no_cost_only_what_is_shared() -> None:
    top = field(fig("red", "orc", 50, 50, wounds=1))
    assert left(top, "walk", shared=1) == 60


def test_da_25_two_halves_use_the_whole_move() -> None:
    top = field(fig("red", "orc", 50, 50))
    top.say("one: do jump_ditch go_through_window")
    assert top.refused("one: walk 50,51") == ["DR-021"]
    top.next()
    assert top["one"].halves == 2


def test_ten_steps_of_a_millimetre_fit_where_one_of_ten_does() -> None:
    top = field(fig("red", "orc", 50, 50, wounds=2), areas=[box("all", "river", 0, 0, 200, 200)])
    steps = " ".join(f"50,50.{n}" if n < 10 else f"50,{50 + n // 10}.{n % 10}" for n in range(1, 41))
    top.say(f"one: walk {steps}")
    top.next()
    assert top["one"].place == Point(500, 540)


def test_facing_follows_the_way_unless_it_is_ordered() -> None:
    top = field()
    top.say("one: walk 60,50")
    top.until("move")
    assert top["one"].facing == 90
    top.say("one: walk 60,55 facing 200")
    top.until("move")
    assert top["one"].facing == 200
    top.say("one: hold towards foe")
    top.next()
    assert top["one"].facing == 44


def test_walls_cost_their_climb_of_themselves() -> None:
    walls = [{"id": "wall", "kind": "low_wall", "points": [[0, 55], [200, 55]]}]
    top = field(walls=walls)
    assert top.refused("one: walk 50,58.1") == ["DR-021"]
    top.say("one: walk 50,58")
    top.next()
    assert top["one"].halves == 2
    high = field(fig("red", "orc", 50, 50, mount="wolf"), walls=[{**walls[0], "kind": "high_wall"}])
    assert high.refused("one: walk 50,56") == ["DR-030"]


def test_a_way_off_the_field_is_refused_and_one_to_its_edge_leaves_it() -> None:
    top = field(fig("red", "orc", 50, 5))
    assert top.refused("one: walk 50,-1") == ["DR-010"]
    assert top.refused("one: walk 50,1 off") == ["DR-010"]
    top.say("one: walk 50,0 off")
    top.next()
    assert top["one"].gone == "left"


def test_wounds_shorten_an_ordered_way_and_do_not_cancel_it() -> None:
    top = TableTop(
        {
            "archer": fig("blue", "human", 50, 80, weapons=["long_bow"], facing=180),
            "one": fig("red", "orc", 50, 50),
        },
        options={"wounds_apply": "each_phase"},
    )
    top.say("archer: aim long_bow at one")
    top.turn()
    top.say("one: walk 50,66")
    top.until("missile", {"hit": 1})
    assert top["one"].wounds == 1
    assert top["one"].place == Point(500, 620)
    assert not top.facts(OrderLapsed)


def test_the_length_that_is_left_is_told_in_cm() -> None:
    top = field(fig("red", "dwarf", 50, 50, wounds=1))
    top.until("move")
    with pytest.raises(SheetRefused, match=r"longer than the \d+(\.\d)? cm that One has"):
        top.say("one: walk 50,99")


def test_heavy_loads_and_crawling_slow() -> None:
    top = field(fig("red", "orc", 50, 50), things=[{"id": "anvil", "place": [50, 51], "weight": "heavy"}])
    top.say("one: take anvil")
    top.until("move")
    assert left(top, "walk") == 120
    assert top.refused("one: run 50,51") == ["DR-016"]
    top.say("one: drop", "one: kneel")
    top.until("move")
    assert left(top, "walk") == 40
