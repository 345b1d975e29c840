"""What figures pick up and handle: improvised weapons, arms of the fallen, loose mounts, doors (DR-030, DR-058)."""

from __future__ import annotations

from typing import Any

import pytest

from events.dresda import ActionTaken, ArmPicked, DoorChanged, MountTaken, ShotFired
from events.places import Point
from tests.dresda.table_top import TableTop, fig


def field(**parts: Any) -> TableTop:
    figures = {
        "tam": fig("red", "human", 50, 50, weapons=["sword"]),
        "foe": fig("blue", "human", 50, 60, facing=180, weapons=["sword"]),
    }
    top = TableTop(figures, **parts)
    top.until("move")
    return top


@pytest.mark.parametrize(
    "thing",
    [
        {"id": "stone", "place": [50, 51]},
        {"id": "jug", "name": "a jug", "place": [50, 51], "weapon": "bottle"},
    ],
)
def test_dr_058_an_improvised_weapon_is_picked_up_and_thrown(thing: dict[str, Any]) -> None:
    top = field(things=[thing])
    top.say(f"tam: take {thing['id']}")
    top.until("missile")
    assert [each.thing for each in top.facts(ArmPicked)] == [thing["id"]]
    arm = top["tam"].arm
    assert arm.missile == "small_improvised"
    assert thing["id"] not in top.state.things
    top.say(f"tam: throw {arm.name} at foe")
    top.next()
    assert [each.weapon for each in top.facts(ShotFired)] == [arm.name]


def test_dr_058_a_thing_that_is_no_weapon_is_carried() -> None:
    top = field(things=[{"id": "box", "place": [50, 51], "weight": "light"}])
    top.say("tam: take box")
    top.until("missile")
    assert top["tam"].carrying == "box"
    assert not top.facts(ArmPicked)


def test_dr_030_arms_are_taken_from_the_fallen() -> None:
    figures = {
        "tam": fig("red", "human", 50, 50, weapons=["club"]),
        "nob": fig("red", "goblin", 50, 51.5, weapons=["scimitar", "sling"], wounds=1),
        "bow": fig("blue", "human", 50, 80, facing=180, weapons=["long_bow"]),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("bow: shoot long_bow at nob")
    top.turn({"hit": 1})
    assert top["nob"].gone == "dead"
    top.until("move")
    assert top.refused("tam: recover club from nob") == ["DR-057"]
    top.say("tam: recover scimitar from nob")
    top.until("missile")
    assert [arm.name for arm in top["tam"].arms] == ["club", "scimitar"]
    assert [(each.action, each.halves) for each in top.facts(ActionTaken)] == [("search_body", 2)]


def test_dr_030_the_mount_of_a_dead_rider_may_be_taken() -> None:
    figures = {
        "tam": fig("red", "human", 50, 50, weapons=["club"]),
        "rider": fig("red", "goblin", 50, 53, weapons=["lance"], mount="wolf", wounds=1),
        "bow": fig("blue", "human", 50, 80, facing=180, weapons=["long_bow"]),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("bow: shoot long_bow at rider")
    top.turn({"hit": 1, "/mount": 100})
    assert top["rider"].gone == "dead"
    assert list(top.state.loose) == ["rider"]
    top.until("move")
    top.say("tam: mount")
    top.until("missile")
    assert [each.of for each in top.facts(MountTaken)] == ["rider"]
    assert (top["tam"].mounted, top["tam"].mount, top.state.loose) == (True, "wolf", {})


# ---------------------------------------------------------------------------------------------------- doors


def barn(door: str = "shut") -> TableTop:
    return field(walls=[{"id": "barn_door", "kind": "door", "points": [[48, 52], [52, 52]], "door": door}])


def test_a_door_that_is_shut_is_a_wall() -> None:
    top = barn()
    assert top.refused("tam: walk 50,54") == ["DR-030"]


def test_a_door_that_is_open_is_in_nobodys_way() -> None:
    top = barn("open")
    top.say("tam: walk 50,54")
    top.until("missile")
    assert top["tam"].place == Point(500, 540)


def test_a_door_is_opened_and_gone_through_in_one_turn() -> None:
    top = barn()
    top.say("tam: open barn_door; walk 50,55")
    top.until("missile")
    assert top["tam"].place == Point(500, 550)
    assert [each.door for each in top.facts(DoorChanged)] == ["open"]


def test_one_runs_up_to_a_door_and_opens_it() -> None:
    top = field(walls=[{"id": "barn_door", "kind": "door", "points": [[48, 62], [52, 62]]}])
    top.battle.state_fact("foe: at 10,10", "out of the way")
    top.say("tam: run to barn_door; open barn_door")
    top.until("missile")
    assert [each.door for each in top.facts(DoorChanged)] == ["open"]


def test_a_barred_door_opens_to_its_own_side_alone_and_breaks() -> None:
    top = barn()
    top.say("tam: bar barn_door")
    top.until("move")
    top.battle.state_fact("foe: at 50,54", "beside the door")
    assert top.refused("foe: open barn_door") == ["DR-030"]
    top.say("foe: break barn_door")
    top.until("missile")
    assert [each.door for each in top.facts(DoorChanged)] == ["barred", "broken"]
    assert top.state.walls == []


@pytest.mark.parametrize(("door", "order"), [("open", "open"), ("shut", "close"), ("open", "bar"), ("open", "break")])
def test_a_door_is_changed_only_as_it_can_be(door: str, order: str) -> None:
    assert barn(door).refused(f"tam: {order} barn_door") == ["DR-030"]


def test_a_door_out_of_reach_is_not_changed() -> None:
    top = field(walls=[{"id": "barn_door", "kind": "door", "points": [[48, 62], [52, 62]]}])
    assert top.refused("tam: open barn_door") == ["DR-030"]
