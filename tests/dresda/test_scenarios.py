"""Scenario files: those that come along, and every problem of a wrong one told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.opening import read_scenario
from engine.rules.dresda import rules
from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import Scenario
from events.store.memory import MemoryLog
from tests.dresda.table_top import fig
from tests.table import open_battle

SHIPPED = Path(__file__).parents[2] / "scenarios"


@pytest.mark.parametrize("name", sorted(path.name for path in SHIPPED.glob("dresda_*.toml")))
def test_the_scenarios_that_come_along_can_be_set_out(name: str) -> None:
    open_battle(MemoryLog(), "b", read_scenario(SHIPPED / name))


def problems(**rest: Any) -> list[str]:
    """Return what is wrong with a scenario."""
    whole = {
        "field": {"width": 100, "depth": 80},
        "figures": {"ann": fig("red", "human", 1, 1), "bob": fig("blue", "orc", 9, 9)},
    }
    scenario = Scenario("t", "dresda", {"red": "Red", "blue": "Blue"}, rest={**whole, **rest})  # fmt: skip
    tables, _ = rules().load_tables(None)
    try:
        rules().deploy(scenario, tables)
    except ScenarioInvalid as invalid:
        return list(invalid.problems)
    return []


def figures(**changes: Any) -> list[str]:
    """Return what is wrong when a figure has these values."""
    grubnik = {**fig("red", "orc", 5, 5), **changes}
    return problems(figures={"grubnik": grubnik, "bob": fig("blue", "orc", 9, 9)})


def test_a_right_one_has_no_problem() -> None:
    assert problems() == []
    assert figures() == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"race": "ork"}, "figures.grubnik.race: no race 'ork'; nearest: orc"),
        ({"mount": "dragon"}, "figures.grubnik.mount: no mount 'dragon'; there are"),
        ({"weapons": ["swrod"]}, "figures.grubnik.weapons: no weapon 'swrod'; nearest: sword"),
        ({"weapons": "sword"}, "figures.grubnik.weapons: must be a list of texts"),
        ({"in_hand": "spear"}, "figures.grubnik.in_hand: no weapon of its own 'spear'"),
        ({"armour": "shield"}, "figures.grubnik.armour: no armour 'shield'"),
        ({"status": "veterran"}, "figures.grubnik.status: no status 'veterran'; nearest: veteran"),
        ({"leader": "grubnick"}, "figures.grubnik.leader: no figure 'grubnick'; nearest: grubnik"),
        ({"leader": "bob"}, "figures.grubnik.leader: 'bob' must be another figure of the same side"),
        ({"place": [5]}, "figures.grubnik.place: must be a place such as [34, 12.5]"),
        ({"place": [500, 5]}, "figures.grubnik.place: it is not on the field of 100 by 80 cm"),
        ({"facing": 360}, "figures.grubnik.facing: must be a whole number from 0 to 359"),
        ({"wounds": 3}, "figures.grubnik.wounds: must be a whole number from 0 to 2"),
        ({"torch": "yes"}, "figures.grubnik.torch: must be true or false"),
        ({"mount": "wolf", "mount_fights": "maybe"}, 'figures.grubnik.mount_fights: must be true, false or "referee"'),
        ({"wepons": ["sword"]}, "figures.grubnik.wepons: nothing is called so here; did you mean weapons?"),
        ({"from_roster": "old"}, "figures.grubnik.from_roster: no figure of that roster 'old'; there are none"),
    ],
)
def test_every_problem_has_its_place_and_the_nearest_right_word(changes: dict[str, Any], problem: str) -> None:
    (found,) = figures(**changes)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"field": {"width": 100}}, "field.depth: is missing"),
        ({"field": {"width": 100, "depth": 80, "light": "dim"}}, "field.light: no light 'dim'"),
        ({"field": {"width": 100, "depth": 80, "weather": ["hail"]}}, "field.weather: no weather 'hail'"),
        ({"sides": {"green": {}}}, "sides.green: no such seat; there are red, blue"),
        ({"sides": {"red": {"edge": "up"}}}, "sides.red.edge: no edge 'up'"),
        ({"sides": {"red": {"roster": "none.toml"}}}, "sides.red.roster: "),
        ({"areas": [{"id": "a", "row": "lava", "outline": [[0, 0], [9, 0], [9, 9]]}]}, "areas.a.row: no terrain row"),
        ({"areas": [{"id": "a", "outline": [[0, 0], [9, 9], [9, 0], [0, 9]]}]}, "areas.a.outline: side 1-2 meets side"),
        ({"areas": [{"id": "a", "hides": True, "outline": [[0, 0], [9, 0], [9, 9]]}]}, "areas.a.sight: is missing"),
        ({"walls": [{"id": "w", "kind": "fort", "points": [[0, 0], [9, 0]]}]}, "walls.w.kind: no kind of wall 'fort'"),
        ({"walls": [{"id": "w", "kind": "hedge", "points": [[0, 0]]}]}, "walls.w.points: has 1 point"),
        ({"fires": [{"id": "f", "place": [1, 1]}]}, "fires.f.radius: is missing"),
        ({"things": [{"id": "t", "place": [1, 1], "weight": "huge"}]}, "things.t.weight: no weight 'huge'"),
        ({"weapons": {"falchion": "sharp"}}, "weapons.falchion: no weapon 'sharp'"),
        ({"figures": {"ann": fig("red", "human", 1, 1)}}, "figures: none is on the side of blue"),
        ({"figures": {"Ann B": fig("red", "human", 1, 1), "bob": fig("blue", "orc", 9, 9)}}, "figures.Ann B: the id"),
        ({"figuers": {}}, "figuers: Dresda has no such part"),
        ({"field": []}, "field: it must be a table"),
        ({"figures": {"ann": fig("green", "human", 1, 1)}}, "figures.ann.side: no seat 'green'; there are blue, red"),
        ({"areas": {}}, "areas: must be written as [[areas]]"),
    ],
)
def test_what_is_wrong_with_the_ground_is_told(part: dict[str, Any], problem: str) -> None:
    found = problems(**part)
    assert any(each.startswith(problem) for each in found), found


def test_all_problems_come_at_once() -> None:
    found = figures(race="ork", status="bad", facing=999, mount="cow")
    assert [each.split(":")[0].removeprefix("figures.grubnik.") for each in found] == [
        "race",
        "mount",
        "status",
        "facing",
    ]


def test_an_id_is_used_once() -> None:
    outline = [[0, 0], [9, 0], [9, 9]]
    assert problems(areas=[{"id": "a", "outline": outline}, {"id": "a", "outline": outline}]) == [
        "areas.a.id: 'a' is used twice"
    ]
