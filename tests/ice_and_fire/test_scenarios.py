"""Scenario files: what comes along can be fought; what does not add up is named at once, with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.field.plane import bearing, turn_between
from engine.opening import read_scenario
from engine.orders import read_order
from engine.orders.errors import OrderNotAllowed
from engine.rules.errors import ScenarioInvalid
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.army_lists import fraction
from engine.rules.ice_and_fire.ground import is_inside
from engine.rules.ice_and_fire.scenario import deploy
from engine.rules.rule_set import Scenario
from events.ice_and_fire.units import UnitPlaced
from events.places import Point
from projections.ice_and_fire.state import BattleField
from tests.ice_and_fire.table_top import ADA, BLUE, BRAM, GUARDS, RED, SCENARIOS, SPEARS, Top, scenario, tables, unit


def problems(setup: Scenario) -> list[str]:
    with pytest.raises(ScenarioInvalid) as refused:
        deploy(setup, tables())
    return list(refused.value.problems)


def test_a_bad_army_list_is_told_whole() -> None:
    """Unknown type, men over establishment, two leaders, a hero attached to nobody, all at once."""
    units: list[dict[str, Any]] = [
        {**SPEARS, "type": "spearmen"},
        {**GUARDS, "men": 101},
        unit("more", "blue", "militia", (100, 200), men=-5),
    ]
    heroes: list[dict[str, Any]] = [
        {**ADA, "leader": True},
        {**ADA, "id": "eve", "leader": True},
        {**BRAM, "unit": "nobody"},
        {**BRAM, "id": "carl", "unit": ""},
    ]
    told = problems(scenario(units, heroes))
    assert told == [
        "[[unit]] spears: there is no unit type 'spearmen'",
        "[[unit]] guards: 101 men are over the establishment of 100",
        "[[unit]] more: -5 men: a unit has at least 1",
        "[[hero]] bram: he is with 'nobody', which is no unit",
        "[[hero]] carl: he is attached to nobody: name his unit, or a place with at = [x, y]",
        "[[unit]] spears: it has 2 leaders: ada, eve",
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"unit": [{**SPEARS, "traning": 3}, GUARDS]}, "[[unit]] spears: Object contains unknown field `traning`"),
        ({"unit": [{**SPEARS, "men": "many"}, GUARDS]}, "[[unit]] spears: Expected `int`, got `str` - at `$.men`"),
        ({"unit": [{**SPEARS, "training": -1}, GUARDS]}, "training -1 is no number of 0 or more, such as 3 or '9/5'"),
        ({"unit": [{**SPEARS, "at": [9999, 1]}, GUARDS]}, "at = [9999, 1] is not a place on the field, in yards"),
        ({"unit": [{**SPEARS, "facing": 400}, GUARDS]}, "facing 400 is no bearing: give 0 to 359"),
        ({"unit": [{**SPEARS, "post": "red_hots"}, GUARDS]}, "there is no post 'red_hots' (did you mean red_host?)"),
        ({"unit": [{**SPEARS, "post": "blue_host"}, GUARDS]}, "the post blue_host is of the other side"),
        ({"unit": [{**SPEARS, "gear": ["ladder"]}, GUARDS]}, "there is no siege gear 'ladder' (did you mean ladders?)"),
        ({"unit": [{**SPEARS, "formation": ["wedge"]}, GUARDS]}, "only mounted units form a wedge"),
        ({"unit": [{**SPEARS, "formation": ["stakes"]}, GUARDS]}, "it has no stakes"),
        (
            {"unit": [{**SPEARS, "standing": "charg"}, GUARDS]},
            "standing 'charg' is no standing order (did you mean charge?)",
        ),
        ({"unit": [{**SPEARS, "on_wall": "wall"}, GUARDS]}, "there is no wall 'wall'"),
        ({"unit": [{**SPEARS, "type": "engineers", "upgraded": True}, GUARDS]}, "Engineers have no better equipment"),
        ({"unit": [{**SPEARS, "seat": "green"}, GUARDS]}, "there is no seat 'green'"),
        ({"unit": [SPEARS, SPEARS, GUARDS]}, "the id 'spears' is given 2 times"),
        ({"hero": [{**ADA, "unit": "guards"}, BRAM]}, "he is with guards, which is of the other side"),
        ({"hero": [{**ADA, "weapons": ["sword"]}, BRAM]}, "there is no weapon 'sword'"),
        ({"hero": [{**ADA, "weapons": []}, BRAM]}, "he has no weapon"),
        ({"post": [{**RED, "holder": "adda"}, BLUE]}, "its holder 'adda' is no hero (did you mean ada?)"),
        ({"post": [RED]}, "[[post]]: blue has 0 overall commanders; give 1"),
        ({"post": [{**RED, "above": "red_host"}, BLUE]}, "it stands above itself: red_host > red_host"),
        (
            {"ground": [{"id": "x", "terrain": "swamp", "corners": [[1, 1], [9, 1], [9, 9]]}]},
            "there is no terrain 'swamp'",
        ),
        (
            {"ground": [{"id": "x", "terrain": "mud", "corners": [[1, 1], [9, 9], [9, 1], [1, 9]]}]},
            "side 1-2 meets side 3-4",
        ),
        ({"ground": [{"id": "x", "terrain": "slope", "corners": [[1, 1], [9, 1], [9, 9]]}]}, "a slope needs uphill"),
        ({"ground": [{"id": "x", "terrain": "ask", "corners": [[1, 1], [9, 1], [9, 9]]}]}, "say with otherwise"),
        (
            {"wall": [{"id": "w", "wall": "stone", "start": [1, 1], "end": [1, 1]}]},
            "start and end are two different places",
        ),
        (
            {"wall": [{"id": "w", "wall": "stone", "start": [1, 1], "end": [9, 1], "stores": ["oil"]}]},
            "there is no store 'oil'",
        ),
        ({"gate": [{"id": "g", "gate": "iron", "start": [1, 1], "end": [9, 1]}]}, "there is no kind 'iron'"),
        (
            {"engine": [{"id": "e", "seat": "red", "engine": "catapult", "crew": "spears"}]},
            "there is no engine 'catapult'",
        ),
        (
            {"engine": [{"id": "e", "seat": "red", "engine": "onager", "crew": "guards"}]},
            "its crew guards is of the other side",
        ),
        (
            {"hero": [{**ADA, "abilities": {"fiting": 4}}, BRAM]},
            "there is no ability 'fiting' (did you mean fighting?)",
        ),
        ({"hero": [{**ADA, "abilities": {"warfare": 0}}, BRAM]}, "warfare 0: an ability is at least 1"),
        ({"hero": [{**ADA, "specialties": {"comand": 1}}, BRAM]}, "there is no specialty 'comand'"),
        ({"hero": [{**ADA, "specialties": {"command": -1}}, BRAM]}, "command -1: a specialty is 0 or more"),
        ({"unit": [{**SPEARS, "type": "x", "formation": ["wedg"]}, GUARDS]}, "there is no formation 'wedg'"),
        ({"unit": [{**SPEARS, "standing": "break"}, GUARDS]}, "say with standing_at what to break"),
        ({"unit": [{**SPEARS, "id": "red"}, GUARDS]}, "the id 'red' is a seat's: give it another"),
        ({"post": [RED, RED, BLUE]}, "the post 'red_host' is given 2 times"),
        ({"field": {"width": 0, "height": 5}}, "[field]: 0 by 5 yards is no field"),
        ({"field": {"width": 600, "height": 500, "last_turn": -1}}, "last_turn -1 is no round; 0 sets no end"),
        ({"units": []}, "[units]: there is no such part"),
        ({"rosters": {"green": "x.toml"}}, "[rosters] green: there is no such seat"),
    ],
)
def test_each_thing_that_does_not_add_up(changes: dict[str, Any], told: str) -> None:
    setup = scenario()
    found = problems(Scenario(setup.title, setup.rule_set, setup.seats, rest={**setup.rest, **changes}))
    assert any(told in problem for problem in found), found


@pytest.mark.parametrize(
    ("raw", "number"), [(3, "3"), ("9/5", "9/5"), ("x", None), (-1, None), (True, None), ("1/0", None)]
)
def test_training_is_an_exact_number(raw: Any, number: str | None) -> None:
    """AMB-30."""
    found = fraction(raw)
    assert (None if found is None else str(found)) == number


@pytest.mark.parametrize("name", ["if_field", "if_castle", "if_squads"])
def test_what_comes_along_can_be_set_out(name: str) -> None:
    setup = read_scenario(SCENARIOS / f"{name}.toml")
    events = deploy(setup, tables())
    assert any(isinstance(event, UnitPlaced) for event in events)


def shipped(name: str) -> BattleField:
    return Top(read_scenario(SCENARIOS / f"{name}.toml")).state


def test_the_field_battle_has_eight_units_three_levels_and_two_heroes_a_side() -> None:
    state = shipped("if_field")
    for seat in ("vane", "marrow"):
        assert sum(unit.seat == seat for unit in state.units.values()) >= 8
        assert sum(hero.seat == seat for hero in state.heroes.values()) >= 2
        depths = []
        for post in state.posts.values():
            depth, here = 1, post
            while here.above:
                depth, here = depth + 1, state.posts[here.above]
            depths.append(depth if post.seat == seat else 0)
        assert max(depths) == 3


def test_the_assault_has_every_machine_and_every_way_in() -> None:
    state = shipped("if_castle")
    engines = {engine.engine for engine in state.engines.values()}
    assert engines == {"trebuchet", "mangonel", "onager", "scorpion", "spitfire", "siege_tower", "capped_ram"}
    assert state.gates
    assert any("stone" in wall.wall for wall in state.walls.values())
    assert any("boiling_oil" in wall.stores for wall in state.walls.values())
    gear = {name for unit in state.units.values() for name in unit.gear}
    assert gear >= {"ladders", "grapnels", "small_ram", "incendiary"}


def test_the_squads_are_of_ten_men_and_five_riders() -> None:
    """IF-002."""
    state = shipped("if_squads")
    assert {unit.men for unit in state.units.values()} == {10, 5}


def test_an_army_comes_from_a_roster_file(tmp_path: Path) -> None:
    """IF-190 to IF-201: men, training and equipment of the last battle; the scenario says where they stand."""
    (tmp_path / "red.toml").write_text(
        '[[unit]]\nid = "spears"\nseat = "red"\ntype = "militia"\ntraining = "9/5"\nmen = 77\nupgraded = true\n'
    )
    setup = scenario([{"id": "spears", "seat": "red", "post": "red_host", "at": [200, 100]}, GUARDS])
    setup = Scenario(
        setup.title,
        setup.rule_set,
        setup.seats,
        rest={**setup.rest, "rosters": {"red": "red.toml"}},
        folder=str(tmp_path),
    )
    (spears,) = [e for e in deploy(setup, tables()) if isinstance(e, UnitPlaced) and e.id == "spears"]
    assert (spears.men, spears.training, spears.upgraded, spears.rank) == (77, (9, 5), True, "raw")


def test_a_missing_roster_is_named(tmp_path: Path) -> None:
    setup = scenario()
    rest = {**setup.rest, "rosters": {"red": "none.toml"}}
    assert any(
        "none.toml" in each
        for each in problems(Scenario("t", "ice_and_fire", setup.seats, rest=rest, folder=str(tmp_path)))
    )


# -- facts stated by the referee ---------------------------------------------------------------------------------------


def state(top: Top, text: str) -> list[Any]:
    fact = read_order(text, rules().fact_grammar, rules().vocabulary(top.field))
    events = rules().state_fact(top.field, fact)
    top.apply(*events)
    return list(events)


def test_the_referee_states_facts() -> None:
    top = Top()
    state(top, "spears: at 210,90 facing 45")
    state(top, "spears: is routed")
    state(top, "spears: hurt 3")
    assert (top.unit("spears").facing, top.unit("spears").condition, top.unit("spears").damage) == (45, "routed", 3)
    state(top, "spears: is organized")
    assert top.unit("spears").condition == "organized"
    state(top, "ada: fallen slain")
    assert top.hero("ada").fate == "slain"
    state(top, "guards: gone quit")
    assert top.unit("guards").left == "quit"


@pytest.mark.parametrize(
    "text", ["spears: at 9999,9", "spears: is organized", "ada: with guards", "ada: at 10,10", "spears: fallen dead"]
)
def test_what_cannot_be_is_not_stated(text: str) -> None:
    with pytest.raises(OrderNotAllowed):
        state(Top(), text)


def test_the_castle_keeps_its_own_people_within() -> None:
    """IF-245, IF-249: whoever mans a wall looks out, and the storming party stands without."""
    state = Top(read_scenario(SCENARIOS / "if_castle.toml")).state
    for each in state.units.values():
        for wall in state.walls.values():
            assert is_inside(wall, each.at) is (each.seat == wall.seat), (each.id, wall.id)
    storm = Point(3000, 2000)
    manned = [each for each in state.units.values() if each.on_wall]
    assert len(manned) >= 4
    assert all(turn_between(each.facing, bearing(each.at, storm)) < 90 for each in manned)
