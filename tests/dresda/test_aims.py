"""Orders by aim, deeds in the order written, and what is refused when an order is given (DR-010, DR-021, DR-032)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders import read_order, write_order
from engine.orders.errors import OrderUnreadable, SheetRefused
from engine.rules.dresda.orders import GRAMMAR, Run, Walk
from engine.rules.dresda.vocabulary import vocabulary
from events.dresda import ActionTaken, Moved, ThingTaken
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, fig


def field(**parts: Any) -> TableTop:
    figures = {
        "tam": fig("red", "human", 50, 50, weapons=["sword", "short_bow"]),
        "ann": fig("red", "human", 60, 50, weapons=["sword"]),
        "pike": fig("blue", "human", 50, 64, facing=180, weapons=["halberd"]),
        "far": fig("blue", "human", 50, 150, facing=180, weapons=["sword"]),
    }
    things = [{"id": "box", "name": "the box", "place": [50, 58], "weight": "light"}]
    top = TableTop(figures, **{"things": things, **parts})
    top.until("move")
    return top


@pytest.mark.parametrize(
    ("order", "place"),
    [
        ("walk to pike", (500, 620)),
        ("walk into contact with pike", (500, 620)),
        ("run into contact with pike", (500, 620)),
        ("walk towards far as far as possible", (500, 660)),
        ("walk to ann", (580, 500)),
        ("walk towards 50,40", (500, 400)),
        ("run towards 50,10 as far as possible", (500, 180)),
        ("walk along 52,50 52,45", (520, 450)),
        ("walk 52,50 52,45", (520, 450)),
        ("walk to box", (500, 570)),
    ],
)
def test_dr_010_an_aim_leads_to_its_place(order: str, place: tuple[int, int]) -> None:
    top = field()
    if "far" in order.split()[:3]:
        top.battle.state_fact("pike: at 10,10", "out of the way")
    top.say(f"tam: {order}")
    top.until("missile")
    assert top["tam"].place == Point(*place)
    assert not top.facts(OrderLapsed)


def test_dr_010_an_aim_out_of_reach_says_how_far_it_is() -> None:
    top = field()
    with pytest.raises(
        SheetRefused, match=r"the way of 98 cm is longer than the 16 cm that Tam has to walk \(DR-010\)"
    ):
        top.say("tam: walk to far")


def test_an_aim_looks_at_what_it_leads_to() -> None:
    top = field()
    top.say("tam: walk to ann")
    top.until("missile")
    assert top["tam"].facing == 90


def test_behind_a_wall_is_beside_it_on_the_side_away_from_the_enemy() -> None:
    wall = [{"id": "yard_wall", "kind": "low_wall", "points": [[40, 54], [60, 54]]}]
    top = field(walls=wall)
    top.say("tam: walk behind the wall", "pike: walk behind yard_wall")
    top.until("missile")
    assert top["tam"].place == Point(500, 528)
    assert top["pike"].place == Point(500, 552)


@pytest.mark.parametrize("order", ["walk", "walk 50,52 to pike", "run to pike behind the wall"])
def test_one_way_is_given_and_not_two(order: str) -> None:
    wall = [{"id": "yard_wall", "kind": "low_wall", "points": [[40, 54], [60, 54]]}]
    assert field(walls=wall).refused(f"tam: {order}") == ["DR-010"]


@pytest.mark.parametrize(
    "text",
    [
        "tam: walk to pike",
        "tam: walk into contact with pike",
        "tam: run towards 30,40 as far as possible",
        "tam: walk behind the yard_wall",
        "tam: walk 50,52 towards pike facing 90",
        "tam: run along 50,52 50,54 off",
        "tam: hold towards 3,4",
    ],
)
def test_an_aim_reads_back_as_it_is_written(text: str) -> None:
    top = field(walls=[{"id": "yard_wall", "kind": "low_wall", "points": [[40, 54], [60, 54]]}])
    order = read_order(text, GRAMMAR, vocabulary(top.battle.situation()))
    assert write_order(order) == text
    assert read_order(write_order(order), GRAMMAR, vocabulary(top.battle.situation())) == order


def test_an_aim_at_nobody_is_answered_with_the_nearest_name() -> None:
    top = field()
    with pytest.raises(OrderUnreadable, match="pike"):
        read_order("tam: walk to pikke", GRAMMAR, vocabulary(top.battle.situation()))


def test_walking_and_running_have_the_same_aims() -> None:
    assert Walk.__struct_fields__ == Run.__struct_fields__


# ---------------------------------------------------------------------------------------------------- deeds in order


def test_dr_021_what_is_written_after_the_way_is_done_at_its_end() -> None:
    top = field()
    top.say("tam: walk to box; take box")
    top.until("missile")
    assert [each.thing for each in top.facts(ThingTaken)] == ["box"]
    kinds = [type(each).__name__ for each in (*top.facts(Moved), *top.facts(ActionTaken))]
    assert kinds == ["Moved", "ActionTaken"]


def test_dr_030_what_is_written_before_the_way_is_done_before_it() -> None:
    assert field().refused("tam: take box; walk to box") == ["DR-030"]


def test_dr_021_a_deed_after_the_way_takes_its_part_of_the_move() -> None:
    top = field()
    assert top.refused("tam: walk 50,40; kneel") == ["DR-021"]
    top.say("tam: walk 50,42; kneel")
    top.until("missile")
    assert top["tam"].prone
    assert top["tam"].place == Point(500, 420)


def test_a_way_as_far_as_possible_leaves_room_for_the_deed_after_it() -> None:
    top = field()
    top.say("tam: walk towards 50,10 as far as possible; kneel")
    top.until("missile")
    assert top["tam"].place == Point(500, 420)
    assert top["tam"].prone


def test_who_kneels_first_crawls() -> None:
    top = field()
    assert top.refused("tam: kneel; walk 50,42") == ["DR-021"]


def test_dr_030_a_deed_that_the_way_no_longer_leads_to_lapses() -> None:
    """Pike comes to meet Tam on the way to the box; what is out of reach there lapses."""
    top = field(things=[{"id": "box", "name": "the box", "place": [50, 61], "weight": "light"}])
    top.say("tam: walk 50,58; take box", "pike: walk 50,57")
    top.until("missile")
    assert top["tam"].place.y < 570
    assert [each.rule for each in top.facts(OrderLapsed)] == ["DR-030"]
    assert not top.facts(ThingTaken)


# ---------------------------------------------------------------------------------------------------- early orders


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ("walk 50,90", "DR-010"),
        ("mount", "DR-030"),
        ("draw sword", "DR-030"),
        ("stand", "DR-030"),
        ("take box", "DR-030"),
        ("walk 50,50.1 50,80", "DR-010"),
    ],
)
def test_an_early_order_that_cannot_be_done_is_refused_at_once(order: str, rule: str) -> None:
    top = TableTop(
        {
            "tam": fig("red", "orc", 50, 50, weapons=["sword"]),
            "foe": fig("blue", "human", 50, 150, facing=180),
        },
        things=[{"id": "box", "name": "the box", "place": [50, 90], "weight": "light"}],
    )
    assert top.state.phase == "declare"
    assert top.refused(f"tam: {order}") == [rule]
