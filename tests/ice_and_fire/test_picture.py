"""The field as text and as a drawing: everything that a player needs to see is on it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.opening import read_scenario
from engine.rules.ice_and_fire.scenario import deploy
from events.ice_and_fire.siege import PassageOpened
from events.ice_and_fire.units import PostSet
from events.places import Point
from projections.ice_and_fire import fold
from projections.ice_and_fire.scene import scene as drawn
from projections.ice_and_fire.state import BattleField, Fire, Ground
from tests.ice_and_fire.table_top import ADA, BRAM, SCENARIOS, Top, scenario, tables, unit


def field() -> Top:
    units = [
        unit("bows", "red", "longbowmen", (200, 100), formation=["stakes"]),
        unit("crew", "red", "engineers", (100, 100)),
        unit("riders", "blue", "men_at_arms", (200, 300), formation=["wedge"]),
    ]
    heroes: list[dict[str, Any]] = [
        {**ADA, "unit": "bows", "name": "Ada of the Long and Winding Valley"},
        {**BRAM, "unit": "", "at": [400, 300]},
    ]
    return Top(
        scenario(
            units,
            heroes,
            gate=[
                {"id": "gate", "gate": "superior_castle", "start": [360, 400], "end": [330, 400], "name": "Old Gate"}
            ],
            wall=[{"id": "wall", "wall": "stone", "start": [560, 400], "end": [500, 400]}],
            engine=[{"id": "meg", "name": "Long Meg", "seat": "red", "engine": "trebuchet", "crew": "crew"}],
        )
    )


def test_a_name_that_does_not_fit_goes_below_whole() -> None:
    lines = field().fold.picture(field().state).splitlines()
    assert "      with Ada of the Long and Winding Valley" in lines
    assert max(len(line) for line in lines) <= 80


def test_gates_walls_machines_and_lonely_heroes_are_told() -> None:
    lines = field().fold.picture(field().state).splitlines()
    assert "+ Old Gate: 2 doors to break, 21 left of it" in lines
    assert "# wall: 24 to break" in lines
    assert "@ Long Meg (trebuchet): 0/40 damage, with crew" in lines
    assert "* bram: alone at 400,300" in lines
    assert any("*" in line and line.startswith("|") for line in lines)


def test_a_machine_that_was_left_is_told_so() -> None:
    top = field()
    top.put("crew", left="fled")
    assert "@ Long Meg (trebuchet): 0/40 damage, with nobody" in top.fold.picture(top.state).splitlines()


def test_what_is_open_broken_burning_or_fallen_is_told() -> None:
    top = field()
    state = top.state
    top.put_hero("bram", fate="captured")
    top.field.state = replace(
        top.state,
        gates={"gate": replace(state.gates["gate"], doors=0)},
        walls={"wall": replace(state.walls["wall"], broken=True, taken_by="bows")},
        engines={"meg": replace(state.engines["meg"], destroyed=True)},
        fires={"crew": Fire("crew", 10, 2, "riders")},
    )
    lines = top.fold.picture(top.state).splitlines()
    assert "+ Old Gate: open" in lines
    assert "# wall: broken through, taken by bows" in lines
    assert "@ Long Meg (trebuchet): destroyed" in lines
    assert "* bram: captured" in lines
    assert any(line.startswith("B crew") and "burning" in line for line in lines)


def test_stakes_and_ways_are_drawn_without_words_over_them() -> None:
    top = field()
    corners = (Point(3300, 3950), Point(3600, 3950), Point(3600, 4050))
    way = Ground("way", "way through gate", "narrow_passage", corners, over="gate")
    top.field.state = replace(top.state, grounds={"way": way}, light="dim")
    scene = drawn(top.state)
    assert {area.id: area.label for area in scene.areas} == {"way": "", "stakes of bows": ""}
    assert "stakes planted" in next(mark.note for mark in scene.marks if mark.id == "bows")
    assert scene.title.endswith("turn 1, dim light")


@pytest.mark.parametrize(
    ("over", "name", "told"),
    [
        ("gate", "the way through Old Gate", "a narrow way is open through Old Gate"),
        ("wall", "the way through wall", "a narrow way is open through wall"),
        ("moat", "the bridge over The Moat", "a narrow way is open over The Moat"),
    ],
)
def test_ways_have_names_that_people_use(over: str, name: str, told: str) -> None:
    """IF-254, IF-260."""
    top = field()
    corners = (Point(10, 10), Point(90, 10), Point(90, 90))
    top.field.state = replace(top.state, grounds={"moat": Ground("moat", "The Moat", "trench", corners)})
    event = PassageOpened("x", over, corners, False, 0, "IF-260")
    assert top.fold.captions[PassageOpened](event, top.state) == told
    top.apply(event)
    assert top.state.grounds["x"].name == name


def test_a_post_is_told_with_the_name_of_who_holds_it() -> None:
    """IF-010."""
    setup = read_scenario(SCENARIOS / "if_castle.toml")
    state = BattleField()
    told = []
    for event in deploy(setup, tables()):
        if isinstance(event, PostSet):
            told.append(fold().captions[PostSet](event, state))
        made = fold().advance(state, (event,))
        assert isinstance(made, BattleField)
        state = made
    assert told[0] == "Maude Ashby commands the Crown's host"
