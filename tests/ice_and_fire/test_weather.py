"""Light and weather: what they take from tests and from the march (B-82, B-83)."""

from __future__ import annotations

import pytest

from engine.rules.errors import ScenarioInvalid
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.command import hero_pool
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.scenario import deploy
from engine.rules.ice_and_fire.targets import can_shoot
from engine.rules.ice_and_fire.ways import allowance
from events.facts import Event
from events.ice_and_fire.heroes import RoundsSpent
from events.ice_and_fire.siege import FieldLaid, FireStarted
from events.ice_and_fire.units import CasualtiesCounted, UnitActed, UnitMoved
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, tables, unit

WALL = [{"id": "wall", "wall": "stone", "start": [560, 400], "end": [500, 400]}]
UNITS = [
    unit("foot", "red", "militia", (200, 100)),
    unit("bows", "red", "longbowmen", (100, 100)),
    unit("storm", "red", "militia", (520, 403)),
    unit("foe", "blue", "militia", (200, 106)),
    unit("far", "blue", "militia", (100, 180)),
]


def field(**sky: str) -> Top:
    return Top(scenario(UNITS, wall=WALL, field={"width": 600, "height": 500, **sky}))


def do(top: Top, text: str) -> None:
    order = top.order(text)
    top.play(carry_out(top.field, order, ALONE, text))


@pytest.mark.parametrize(
    ("sky", "label", "blow", "shot"),
    [
        ({"light": "dim"}, "penalty dice: dim light", 1, 2),
        ({"light": "dark"}, "penalty dice: darkness", 2, 4),
        ({"weather": "heavy_rain"}, "to the total: heavy rain", -2, -2),
        ({"weather": "light_snow"}, "to the total: light snow", -2, -2),
        ({"weather": "heavy_snow"}, "to the total: heavy snow", -2, -2),
        ({"weather": "heavy_snow"}, "penalty dice: darkness", 2, 4),
        ({"light": "dim", "weather": "heavy_snow"}, "penalty dice: darkness", 2, 4),
    ],
)
def test_blows_and_shots_suffer_from_light_and_weather(sky: dict[str, str], label: str, blow: int, shot: int) -> None:
    """B-82, B-83; snow that is as dark as night does not add to a dim light."""
    top = field(**sky)
    do(top, "foot: attack foe")
    do(top, "bows: attack far")
    assert (top.terms("attack/foot>foe")[label], top.terms("attack/bows>far")[label]) == (blow, shot)


def test_a_fair_day_takes_nothing() -> None:
    """B-82, B-83."""
    top = field()
    do(top, "foot: attack foe")
    assert not [label for label in top.terms("attack/foot>foe") if "light" in label or "dark" in label]
    assert top.state.sky == ""


def test_climbers_and_quick_heroes_suffer_in_the_dark_and_orders_do_not() -> None:
    """B-82: Athletics and Agility, not Warfare."""
    top = field(light="dark")
    do(top, "storm: scale wall")
    assert top.terms("scale/storm")["penalty dice: darkness"] == 2
    pools = [
        hero_pool(top.field, top.hero("ada"), *pair) for pair in (("agility", "quickness"), ("warfare", "command"))
    ]
    assert [pool.penalties for pool in pools] == [2, 0]


@pytest.mark.parametrize(("sky", "yards"), [({}, 40), ({"light": "dark"}, 30), ({"weather": "heavy_snow"}, 30)])
def test_in_the_dark_all_go_at_three_quarters(sky: dict[str, str], yards: int) -> None:
    """B-82: ground counts as slow."""
    top = field(**sky)
    assert allowance(top.field, top.unit("foot"), 10) == yards * top.state.mm_each_yard


def test_nobody_shoots_on_his_own_into_a_dark_that_leaves_no_die() -> None:
    """B-82, B-07: four dice of four are gone."""
    for light, shoots in (("day", True), ("dim", True), ("dark", False)):
        top = field(light=light)
        assert can_shoot(top.field, top.unit("bows"), top.unit("far")) is shoots


def test_a_light_that_there_is_not_is_named() -> None:
    with pytest.raises(ScenarioInvalid, match="gloom"):
        deploy(scenario(UNITS, wall=WALL, field={"width": 600, "height": 500, "light": "gloom"}), tables())


def test_the_picture_says_what_the_sky_is_like() -> None:
    top = field(light="dim", weather="heavy_rain")
    assert "turn 1; dim light, heavy rain" in top.fold.picture(top.state)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (FieldLaid(6000, 5000, 10), "the field is 600 by 500 yards"),
        (FieldLaid(6000, 5000, 10, weather="light_snow"), "the field is 600 by 500 yards, in light snow"),
        (RoundsSpent("ada", "orders", 1, "IF-046"), "ada spends 1 combat round on an order"),
        (RoundsSpent("ada", "moving", 10, "IF-046"), "ada spends 10 combat rounds on the march"),
        (UnitActed("foot", "shieldwall", 2, "IF-111"), "foot: shield wall (greater action)"),
        (UnitActed("foot", "move", 1, "IF-107"), "foot: move (lesser action)"),
        (UnitMoved("foot", Point(2000, 1010), 0, 10, "IF-107"), "foot moves 1 yard"),
        (UnitMoved("foot", Point(900, 1010), 5, 0, "ruling"), "foot stands at 90,101 now, facing 005"),
        (UnitMoved("foot", Point(2000, 1000), 90, 0, "IF-003"), "foot turns to face 090"),
        (CasualtiesCounted("foot", "tested", 1, 0, 0, 1, "IF-191", "k"), "foot ends tested and loses 1 man"),
        (CasualtiesCounted("foot", "tested", 0, 0, 0, 0, "IF-191", "k"), "foot ends tested and loses 0 men"),
        (UnitActed("foot", "idle", 2, "RUL-05"), "foot does nothing in this round"),
        (FireStarted("foot", 10, 1, "bows", "IF-284", "k"), "foot burns for 1 round more"),
    ],
)
def test_what_happens_is_told_in_plain_words(event: Event, told: str) -> None:
    top = field()
    assert top.fold.captions[type(event)](event, top.state) == told
