"""Drawing a state: what a scene says of it, and the picture that comes of it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cli.demo import SCENARIOS, play_out
from engine.opening import read_scenario
from engine.rules.rule_set import find_rules
from engine.scenario_files import find_scenario
from events.places import Point
from events.store.memory import MemoryLog
from projections.labels import Box, overlap, place_labels, shorten, text_width
from projections.scene import LOOKS, STANDINGS, Area, Mark, Scene, Standing, Wall, same_field
from projections.svg import Sheet, draw, glyph, told
from replays.seek import Frame, replay, steps
from tests.every_fact import long_battle, record
from tests.table import Table, open_battle
from tests.toy import toy_fold
from tests.toy_scene import toy_scene

SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("Red", "Blue", "Green", "Violet")

places = st.builds(Point, st.integers(-200, 2200), st.integers(-200, 1700))
names = st.text(max_size=40)
marks = st.builds(
    Mark,
    st.text(max_size=8),
    names,
    st.integers(-1, 11),
    places,
    st.none() | st.integers(0, 359),
    st.integers(1, 400),
    st.integers(1, 200),
    st.sampled_from(STANDINGS),
    names,
)
areas = st.builds(Area, names, names, st.lists(places, min_size=3, max_size=6).map(tuple), st.sampled_from(LOOKS))
walls = st.builds(Wall, names, names, st.lists(places, min_size=2, max_size=4).map(tuple), st.booleans())
scenes = st.builds(
    Scene,
    st.integers(0, 2000),
    st.integers(0, 1500),
    names,
    st.just(SIDES),
    st.lists(areas, max_size=3).map(tuple),
    st.lists(walls, max_size=2).map(tuple),
    st.lists(marks, max_size=8).map(tuple),
    st.integers(1, 50),
    st.sampled_from(["", "cm", "yd"]),
)


def piece(side: int, state: Standing = "up", name: str = "Ann") -> Mark:
    return Mark("ann", name, side, Point(500, 300), 90, 30, 30, state, "3 wounds")


def colourless(markup: str) -> str:
    """What is left of a picture on a black and white screen whose fillings all look alike."""
    return re.sub(r' class="[^"]*"', "", re.sub(r' fill="[^"]*"', "", markup))


# ---------------------------------------------------------------------------------------------------- the picture


@given(scenes)
def test_any_scene_becomes_well_formed_svg_and_always_the_same(scene: Scene) -> None:
    drawn = draw(scene)
    assert drawn == draw(scene)
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f"./{SVG}g/{SVG}title")) == sum(mark.state != "gone" for mark in scene.marks)


def test_what_people_wrote_stays_text() -> None:
    name = '</text><script>alert(1)</script>&"'
    drawn = draw(
        Scene(1000, 600, name, (name,), marks=(piece(0, name=name),), walls=(Wall("w", name, (Point(0, 0),)),))
    )
    assert "<script" not in drawn
    texts = [element.text for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert name in texts


def test_L84_sides_differ_without_colour() -> None:
    sheet = Sheet(1000, 600)
    shapes = {colourless(glyph(sheet, piece(side))) for side in range(-1, 4)}
    assert len(shapes) == 5
    units = {glyph(sheet, Mark("u", "", side, Point(0, 0), 0, 200, 50)) for side in range(4)}
    assert len({colourless(unit) for unit in units}) >= 2
    assert len({re.search(r"body f\d", unit)[0] for unit in units}) == 4  # type: ignore[index]


def test_L84_states_differ_without_colour_and_are_told() -> None:
    sheet = Sheet(1000, 600)
    states: tuple[Standing, ...] = ("up", "down", "routing")
    assert len({colourless(glyph(sheet, piece(0, state))) for state in states}) == 3
    words = [told(Scene(1000, 600, sides=SIDES), piece(1, state)) for state in states]
    assert words[0] == "Ann, Blue, at 500,300 mm, facing 090°, 3 wounds"
    assert "fallen" in words[1]
    assert "fleeing" in words[2]


def test_L84_every_ground_has_a_hatching_of_its_own() -> None:
    corners = (Point(0, 0), Point(100, 0), Point(100, 100))
    drawn = draw(Scene(1000, 600, areas=tuple(Area(look, look, corners, look) for look in LOOKS)))
    patterns = {
        pattern.get("id"): colourless(ElementTree.tostring(pattern[1], "unicode")) if len(pattern) > 1 else ""
        for pattern in ElementTree.fromstring(drawn).iter(f"{SVG}pattern")
    }
    hatched = [patterns[f"wd-{look}"] for look in LOOKS if look not in ("open", "cell")]
    assert all(hatched)
    assert len(set(hatched)) >= len(hatched) - 1  # works and closed hexes share their crosses, in another weight


def test_the_picture_is_told_to_those_who_listen() -> None:
    root = ElementTree.fromstring(draw(Scene(1000, 600, "Turn 3", SIDES, marks=(piece(0),))))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Turn 3"
    assert root.findtext(f"{SVG}desc") == "Ann, Red, at 500,300 mm, facing 090°, 3 wounds"


def test_north_is_up_and_lengths_are_to_scale() -> None:
    sheet = Sheet(1000, 600)
    assert sheet.spot(Point(0, 600)) == (0, 0)
    assert sheet.spot(Point(1000, 0)) == (9600, 5760)
    assert Sheet(600, 1200).spot(Point(600, 0)) == (3600, 7200)


def test_who_is_gone_is_not_drawn_but_told() -> None:
    drawn = draw(Scene(1000, 600, sides=SIDES, marks=(piece(0, "gone"),)))
    root = ElementTree.fromstring(drawn)
    assert not [text for text in root.iter(f"{SVG}text") if text.text == "Ann"]
    assert "Ann, Red, gone" in str(root.findtext(f"{SVG}desc"))


# ---------------------------------------------------------------------------------------------------- names


def test_names_of_a_close_rank_do_not_cover_each_other() -> None:
    boxes = [Box(1000 + 260 * number, 2000 + 40 * number, 240, 240) for number in range(8)]
    spots = place_labels(boxes, [f"name {number}" for number in range(8)], Box(0, 0, 9600, 6000))
    covered = sum(overlap(a.box, b.box) for n, a in enumerate(spots) for b in spots[:n])
    assert covered == 0


def test_names_at_the_edge_stay_on_the_page_and_clear_of_what_is_taken() -> None:
    page = Box(0, 0, 9600, 6000)
    (spot,) = place_labels([Box(9400, 3000, 200, 200)], ["a long name"], page)
    assert overlap(spot.box, page) == spot.box.width * spot.box.height
    middle = Box(4000, 3000, 200, 200)
    (free,) = place_labels([middle], ["name"], page)
    (moved,) = place_labels([middle], ["name"], page, [free.box])
    assert overlap(moved.box, free.box) == 0


@given(names)
def test_a_short_name_is_never_longer(name: str) -> None:
    assert len(shorten(name)) <= min(len(name), 24)
    assert text_width(name) >= 83 * len(name)


# ---------------------------------------------------------------------------------------------------- the rule sets


def played(rule_set: str, scenario: str) -> tuple[Table, list[Frame]]:
    """A whole battle by drill, with every step of it."""
    log = MemoryLog()
    read = replace(read_scenario(find_scenario(scenario)), referee="absent", by_hand=())
    open_battle(log, "demo", read)
    battle = Table(log, "demo", find_rules(rule_set))
    play_out(battle.door, battle, lambda done: None)
    return battle, list(steps(log, battle.fold, battle.line))


@pytest.fixture(scope="module", params=["dresda", "ice_and_fire", "rhand"])
def battle(request: pytest.FixtureRequest) -> tuple[Table, list[Frame]]:
    return played(request.param, SCENARIOS[request.param])


def test_nothing_that_looks_different_counts_as_the_same(battle: tuple[Table, list[Frame]]) -> None:
    table, way = battle
    scene = table.fold.scene
    assert scene is not None
    same = 0
    for step in way:
        if same_field(step.before, step.after):
            same += 1
            assert scene(step.before) == scene(step.after)
    assert same > len(way) // 10


def test_every_moment_of_a_battle_can_be_drawn(battle: tuple[Table, list[Frame]]) -> None:
    table, way = battle
    scene = table.fold.scene
    assert scene is not None
    for step in way[::25]:
        ElementTree.fromstring(draw(scene(step.after)))
    last = scene(way[-1].after)
    assert {mark.state for mark in last.marks} & {"down", "gone"}
    assert len({mark.id for mark in last.marks}) == len(last.marks)
    assert len({area.id for area in last.areas}) == len(last.areas)
    for mark in last.marks:
        assert -1 <= mark.side < len(last.sides)
        assert mark.state == "gone" or (0 <= mark.at.x <= last.width and 0 <= mark.at.y <= last.height)


def test_neighbours_on_hexes_are_drawn_next_to_each_other() -> None:
    from engine.field.hexes import neighbours
    from events.places import Hex
    from projections.hex_map import HexMap

    for place in (Hex(4, 3), Hex(5, 3)):
        middle = HexMap(30, 20).middle(place)
        for number, other in enumerate(neighbours(place)):
            there = HexMap(30, 20).middle(other)
            assert abs((there.x - middle.x) ** 2 + (there.y - middle.y) ** 2 - 1732**2) < 10_000
            assert (there.y > middle.y) == (number in (5, 0, 1))


def test_the_toy_is_drawn_as_it_stands(tmp_path: Path) -> None:
    log, line = record(long_battle(300))
    scene = toy_scene(replay(log, toy_fold(), line))  # type: ignore[arg-type]
    (tmp_path / "toy.svg").write_text(draw(scene), encoding="utf-8")
    root = ElementTree.parse(tmp_path / "toy.svg").getroot()
    assert len([text for text in root.iter(f"{SVG}text") if str(text.text).startswith("Fighter")]) == 24
