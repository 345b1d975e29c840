"""Actions: their costs, what they change, what the referee is asked."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from events.dresda import ActionTaken, ThingWeighed, WeaponPassed
from events.facts import OrderLapsed
from events.places import Point
from tests.dresda.table_top import TableTop, fig


def field(figure: dict[str, Any] | None = None, **parts: Any) -> TableTop:
    mine = figure or fig("red", "orc", 50, 50, weapons=["sword", "spear", "short_bow"])
    friend = fig("red", "orc", 50, 51, weapons=["club"])
    top = TableTop({"one": mine, "two": friend, "foe": fig("blue", "human", 190, 190)}, **parts)
    top.until("move")
    return top


@pytest.mark.parametrize(
    ("order", "action", "halves"),
    [
        ("do climb_low_wall", "climb_low_wall", 1),
        ("do climb_high_wall", "climb_high_wall", 2),
        ("draw spear", "draw_or_change_weapon", 1),
        ("ready short_bow", "ready_missile_weapon", 1),
        ("kneel", "go_prone_or_kneel", 1),
    ],
)
def test_dr_030_costs_come_from_the_list(order: str, action: str, halves: int) -> None:
    top = field()
    top.say(f"one: {order}")
    top.next()
    (done,) = top.facts(ActionTaken)
    assert (done.action, done.halves, done.rule) == (action, halves, "DR-030")


def test_dr_030_actions_change_what_they_say() -> None:
    top = field(fig("red", "orc", 50, 50, weapons=["sword", "spear"], mount="wolf", shield="shield"))
    top.say("one: dismount; shield away")
    top.until("move")
    assert (top["one"].mounted, top["one"].shield_away, top["one"].mount_place) == (False, True, Point(500, 500))
    top.say("one: draw spear; kneel")
    top.until("move")
    assert (top["one"].in_hand, top["one"].prone) == ("spear", True)
    top.say("one: stand; mount")
    top.until("move")
    assert (top["one"].mounted, top["one"].prone, top["one"].mount_place) == (True, False, None)


def test_dr_030_what_cannot_be_done_is_refused() -> None:
    top = field()
    for order in ("stand", "mount", "dismount", "draw club", "shield up", "drop"):
        assert top.refused(f"one: {order}") in (["DR-030"], ["DR-042"])
    assert top.refused("one: do fire_missile") == ["DR-030"]
    with pytest.raises(SheetRefused, match="nearest: climb_low_wall"):
        top.say("one: do climb_low_wal")


def test_dr_031_dg_01_an_unlisted_action_is_asked_and_priced() -> None:
    top = field()
    top.say('one: do "swing from the chandelier"', "one: walk 50,58")
    top.next({}, {"chandelier": "half"})
    (question,) = top.asked("DG-01")
    assert (question.default, question.choices) == ("not possible", ("not possible", "none", "half", "whole"))
    (done,) = top.facts(ActionTaken)
    assert (done.action, done.halves, done.rule) == ("swing from the chandelier", 1, "DR-031")
    assert top["one"].place == Point(500, 580)


def test_dg_01_what_it_costs_may_leave_no_way_and_no_is_the_default() -> None:
    top = field()
    top.say('one: do "swing from the chandelier"', "one: walk 50,66")
    top.next({}, {"chandelier": "whole"})
    assert [(each.text, each.rule) for each in top.facts(OrderLapsed)] == [("one: walk 50,66", "DR-021")]
    absent = TableTop(
        {"one": fig("red", "orc", 50, 50), "foe": fig("blue", "human", 190, 190)}, referee="absent", by_hand=False
    )
    absent.until("move")
    absent.say('one: do "fly to the moon"')
    absent.next()
    assert [each.rule for each in absent.facts(OrderLapsed)] == ["DR-031"]


def test_dr_032_more_than_a_move_cannot_be_begun() -> None:
    top = field()
    assert top.refused("one: do climb_high_wall jump_ditch") == ["DR-032"]
    top.say("one: kneel")
    assert top.refused("one: do climb_high_wall") == ["DR-032"]


def test_dr_032_one_action_of_several_turns_goes_on_by_itself() -> None:
    top = field(fig("red", "human", 50, 50, weapons=["heavy_crossbow"]))
    top.until("missile")
    top.state.figures["one"]
    near = TableTop(
        {"one": fig("red", "human", 50, 50, weapons=["heavy_crossbow"]), "foe": fig("blue", "human", 50, 90)}
    )
    near.until("missile")
    near.say("one: shoot heavy_crossbow at foe")
    near.turn()
    near.until("move")
    near.say("one: load heavy_crossbow")
    near.until("missile")
    assert (near["one"].busy, near["one"].busy_halves, near["one"].unloaded) == (
        "load_heavy_crossbow",
        2,
        ("heavy_crossbow",),
    )
    near.turn()
    near.until("move")
    assert near.refused("one: load heavy_crossbow") == ["DR-032"]
    near.until("missile")
    assert (near["one"].busy, near["one"].unloaded) == ("", ())


def test_moving_off_gives_up_what_one_was_busy_with() -> None:
    top = TableTop(
        {"one": fig("red", "human", 50, 50, weapons=["heavy_crossbow"]), "foe": fig("blue", "human", 50, 90)}
    )
    top.until("missile")
    top.say("one: shoot heavy_crossbow at foe")
    top.until("move")
    top.say("one: load heavy_crossbow")
    top.until("move")
    top.say("one: walk 50,51")
    top.next()
    assert (top["one"].busy, top["one"].unloaded) == ("", ("heavy_crossbow",))


def test_dg_04_an_object_of_unstated_weight_is_asked_about() -> None:
    things = [{"id": "chest", "name": "an old chest", "place": [51, 50]}]
    top = field(things=things)
    top.say("one: take chest")
    top.next({}, {"weight": "heavy"})
    assert [each.default for each in top.asked("DG-04")] == ["light"]
    assert [each.weight for each in top.facts(ThingWeighed)] == ["heavy"]
    assert (top["one"].heavy, top["one"].burden, top["one"].halves) == (True, "heavy_load", 2)
    light = field(things=things)
    light.say("one: take chest")
    light.next()
    assert (light["one"].heavy, light["one"].burden, light["one"].halves) == (False, "", 1)


def test_what_is_carried_goes_along_and_two_who_grab_get_nothing() -> None:
    things = [{"id": "chest", "name": "an old chest", "place": [51, 50], "weight": "light"}]
    top = field(things=things)
    top.say("one: take chest; walk 50,58")
    top.until("move")
    assert top.state.things["chest"].place == Point(500, 580)
    top.say("one: drop")
    top.next()
    assert (top["one"].carrying, top.state.things["chest"].bearer) == ("", "")
    both = field(things=things)
    both.say("one: take chest", "two: take chest")
    both.next()
    assert [each.rule for each in both.facts(OrderLapsed)] == ["DR-030", "DR-030"]
    assert both.state.things["chest"].bearer == ""


def test_weapons_are_passed_to_friends_at_hand() -> None:
    top = field()
    assert top.refused("one: pass spear to foe") == ["DR-030"]
    top.say("one: pass spear to two")
    top.next()
    assert [(each.giver, each.taker, each.from_body) for each in top.facts(WeaponPassed)] == [("one", "two", False)]
    assert [arm.name for arm in top["two"].arms] == ["club", "spear"]
