"""Formed units as rectangles: corners, gaps, flanks and advances."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.field.plane import squared
from engine.field.polygon import Polygon, polygon, turn
from engine.field.rectangle import (
    Rectangle,
    adjacent,
    gap_mm,
    gap_squared,
    overlaps,
    room_ahead,
)
from events.places import PlaceInvalid, Point

YARD = Fraction(9144, 10)

spots = st.builds(Point, st.integers(-60, 60), st.integers(-60, 60))
units = st.builds(Rectangle, spots, st.integers(3, 60), st.integers(3, 60), st.integers(0, 359))


def unit_at(x: int, y: int, facing: int = 0, width: int = 20, depth: int = 6) -> Rectangle:
    return Rectangle(Point(x, y), width, depth, facing)


def turned(unit: Rectangle) -> Rectangle:
    """The unit on a map turned clockwise by 90 degrees."""
    return Rectangle(Point(unit.centre.y, -unit.centre.x), unit.width, unit.depth, (unit.facing + 90) % 360)


# -- corners -----------------------------------------------------------------------------------------------------------


def test_a_unit_square_to_the_map_has_its_front_where_it_faces() -> None:
    assert unit_at(0, 0, 0).corners() == (Point(-10, 3), Point(10, 3), Point(10, -3), Point(-10, -3))
    assert unit_at(0, 0, 90).corners() == (Point(3, 10), Point(3, -10), Point(-3, -10), Point(-3, 10))


@given(units)
def test_corners_are_the_nearest_whole_millimetres(unit: Rectangle) -> None:
    angle = math.radians(unit.facing)
    for corner, (across, ahead) in zip(unit.corners(), [(-1, 1), (1, 1), (1, -1), (-1, -1)], strict=True):
        across_mm, ahead_mm = across * unit.width / 2, ahead * unit.depth / 2
        assert abs(unit.centre.x + across_mm * math.cos(angle) + ahead_mm * math.sin(angle) - corner.x) <= 0.5 + 1e-6
        assert abs(unit.centre.y - across_mm * math.sin(angle) + ahead_mm * math.cos(angle) - corner.y) <= 0.5 + 1e-6


@given(units)
def test_corners_turn_with_the_map(unit: Rectangle) -> None:
    assert turned(unit).corners() == tuple(Point(corner.y, -corner.x) for corner in unit.corners())


@given(units)
def test_rounding_never_presses_a_unit_flat(unit: Rectangle) -> None:
    corners = unit.corners()
    assert all(turn(corners[n - 2], corners[n - 1], corners[n]) < 0 for n in range(4))
    assert unit.outline().holds_inside(unit.centre)


@pytest.mark.parametrize(
    ("width", "depth", "facing", "message"),
    [(2, 9, 0, "rectangle: 2 x 9 mm is too small"), (9, 9, 360, "rectangle: facing 360 is not a bearing")],
)
def test_an_impossible_unit_is_refused(width: int, depth: int, facing: int, message: str) -> None:
    with pytest.raises(PlaceInvalid, match=message):
        Rectangle(Point(0, 0), width, depth, facing)


# -- gaps --------------------------------------------------------------------------------------------------------------


def test_units_a_yard_apart_are_adjacent_and_no_farther() -> None:
    mine = unit_at(0, 0, 0, 18288, 4572)
    assert adjacent(mine, unit_at(0, 4572 + 914, 180, 18288, 4572), YARD)
    assert not adjacent(mine, unit_at(0, 4572 + 915, 180, 18288, 4572), YARD)
    assert gap_mm(mine, unit_at(0, 4572 + 915, 180, 18288, 4572)) == 915


def test_units_that_touch_are_adjacent_but_do_not_overlap() -> None:
    for x, y in ((0, 6), (20, 0), (20, 6)):
        assert not overlaps(unit_at(0, 0), unit_at(x, y))
        assert gap_squared(unit_at(0, 0), unit_at(x, y)) == 0
        assert adjacent(unit_at(0, 0), unit_at(x, y), 0)


def test_crossed_units_overlap_though_no_corner_lies_in_the_other() -> None:
    assert overlaps(unit_at(0, 0, 0), unit_at(0, 0, 90))
    assert gap_squared(unit_at(0, 0, 0), unit_at(0, 0, 90)) == 0


def test_the_gap_between_corners_is_diagonal() -> None:
    assert gap_squared(unit_at(0, 0), unit_at(23, 10)) == 3 * 3 + 4 * 4
    assert gap_mm(unit_at(0, 0), unit_at(23, 10)) == 5


@given(units, units, st.integers(0, 100))
def test_gaps_are_mutual_and_agree_with_adjacency(a: Rectangle, b: Rectangle, mm: int) -> None:
    assert gap_squared(a, b) == gap_squared(b, a) == gap_squared(turned(a), turned(b))
    assert adjacent(a, b, mm) == (gap_mm(a, b) <= mm)
    assert gap_mm(a, b) ** 2 <= squared(a.centre, b.centre)
    assert overlaps(a, b) == (a.outline().meets(b.outline()) == "overlaps")
    assert (gap_squared(a, b) == 0) == (a.outline().meets(b.outline()) != "apart")


@given(units, units)
def test_no_two_points_of_the_outlines_are_nearer_than_the_gap(a: Rectangle, b: Rectangle) -> None:
    gap = math.sqrt(gap_squared(a, b))
    nearest = min(math.dist(p, q) for p in outline_points(a) for q in outline_points(b))
    assert gap <= nearest + 1e-9
    assert overlaps(a, b) or nearest <= gap + 8


def outline_points(unit: Rectangle) -> list[tuple[float, float]]:
    corners = unit.corners()
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return [(a.x + (b.x - a.x) * n / 12, a.y + (b.y - a.y) * n / 12) for a, b in sides for n in range(12)]


# -- front, flank and rear ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "side"),
    [
        ((0, 50), "front"),
        ((15, 8), "front"),  # on the line from the corner: the milder side
        ((16, 8), "flank"),
        ((50, 0), "flank"),
        ((-50, 0), "flank"),
        ((-15, -8), "flank"),  # on the line again
        ((-15, -9), "rear"),
        ((0, -50), "rear"),
        ((0, 0), "front"),
        ((9, 0), "flank"),  # inside: the nearest side
    ],
)
def test_the_side_from_which_an_attacker_comes(point: tuple[int, int], side: str) -> None:
    assert unit_at(0, 0).side_of(Point(*point)) == side


@pytest.mark.parametrize(
    ("point", "side"),
    [
        ((0, -60), "rear"),  # close behind a broad front, nearer to the rear than the flanks are
        ((0, -1), "rear"),
        ((100, -26), "rear"),
        ((101, -26), "flank"),  # on the line from the corner
        ((0, 26), "front"),
    ],
)
def test_close_behind_a_broad_unit_is_its_rear(point: tuple[int, int], side: str) -> None:
    assert Rectangle(Point(0, 0), 200, 50, 0).side_of(Point(*point)) == side


@given(units, spots)
def test_front_lies_ahead_and_rear_behind(unit: Rectangle, attacker: Point) -> None:
    angle = math.radians(unit.facing)
    dx, dy = attacker.x - unit.centre.x, attacker.y - unit.centre.y
    ahead = dx * math.sin(angle) + dy * math.cos(angle)
    assert unit.side_of(attacker) != ("rear" if ahead > 1e-6 else "front" if ahead < -1e-6 else "")


@given(units, spots)
def test_sides_turn_with_the_map_and_mirror(unit: Rectangle, attacker: Point) -> None:
    assert turned(unit).side_of(Point(attacker.y, -attacker.x)) == unit.side_of(attacker)
    x, facing = unit.centre.x, -unit.facing % 360
    mirrored = Rectangle(Point(-x, unit.centre.y), unit.width, unit.depth, facing)
    assert mirrored.side_of(Point(-attacker.x, attacker.y)) == unit.side_of(attacker)


# -- advances ----------------------------------------------------------------------------------------------------------


def test_an_advance_carries_the_whole_unit_forward() -> None:
    assert unit_at(0, 0, 90).advanced(30) == unit_at(30, 0, 90)
    assert unit_at(0, 0, 90).advanced(30).advanced(-30) == unit_at(0, 0, 90)


@given(units, st.integers(0, 200))
def test_the_ground_swept_holds_every_stand_on_the_way(unit: Rectangle, mm: int) -> None:
    swept = unit.swept(mm)
    for stand in (unit, unit.advanced(mm)):
        assert all(swept.contains(corner) for corner in stand.corners())
    half_way = unit.advanced(mm // 2)
    assert all(swept.contains(corner) or near(swept, corner) for corner in half_way.corners())
    corners = swept.vertices
    assert all(turn(corners[n - 2], corners[n - 1], corners[n]) < 0 for n in range(len(corners)))


def near(area: Polygon, point: Point) -> bool:
    """Whether the area reaches to within the rounding of a step of a point."""
    return any(area.contains(Point(point.x + dx, point.y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def test_a_ditch_across_the_way_of_a_charge_is_met() -> None:
    ditch = polygon([Point(-50, 100), Point(50, 100), Point(50, 110), Point(-50, 110)], "ditch")
    assert unit_at(0, 0).swept(150).meets(ditch) == "overlaps"
    assert unit_at(0, 0, 180).swept(150).meets(ditch) == "apart"
    assert unit_at(0, 0).swept(97).meets(ditch) == "touches"


def test_a_unit_beside_the_way_is_brushed_but_not_met() -> None:
    assert unit_at(0, 0).swept(150).meets(unit_at(20, 70).outline()) == "touches"
    assert unit_at(0, 0).swept(150).meets(unit_at(19, 70).outline()) == "overlaps"


@given(units, units, st.integers(0, 150))
def test_a_charge_goes_until_it_touches(unit: Rectangle, foe: Rectangle, mm: int) -> None:
    assume(not overlaps(unit, foe))
    room = room_ahead(unit, mm, [foe.outline()])
    assert 0 <= room <= mm
    assert not overlaps(unit.advanced(room), foe)
    assert unit.swept(room).meets(foe.outline()) != "overlaps"
    if room < mm:
        assert unit.swept(room + 1).meets(foe.outline()) == "overlaps"
        assert gap_mm(unit.advanced(room), foe) <= 3


def test_nothing_in_the_way_leaves_all_the_room() -> None:
    assert room_ahead(unit_at(0, 0), 500, []) == 500
    assert room_ahead(unit_at(0, 0), 500, [unit_at(0, 3).outline()]) == 0


@given(units, st.lists(units, max_size=5), st.integers(0, 300))
def test_room_among_many_is_free_of_all_and_a_step_more_is_not(unit: Rectangle, foes: list[Rectangle], mm: int) -> None:
    """Looking once at the longest sweep and halving among what it meets keeps what halving among all promises."""
    areas = [foe.outline() for foe in foes]

    def barred(reach: int) -> bool:
        return any(unit.swept(reach).meets(area) == "overlaps" for area in areas)

    room = room_ahead(unit, mm, areas)
    assert room == 0 or not barred(room)
    assert room == mm or barred(room + 1)


@given(units, units)
def test_a_gap_is_the_least_distance_of_a_corner_to_a_side(a: Rectangle, b: Rectangle) -> None:
    assume(not overlaps(a, b))
    found = [
        reach(corner, side, other)
        for mine, theirs in ((a.corners(), b.corners()), (b.corners(), a.corners()))
        for corner in mine
        for side, other in zip(theirs, (*theirs[1:], theirs[0]), strict=True)
    ]
    assert gap_squared(a, b) in (min(found), 0)


def reach(point: Point, a: Point, b: Point) -> Fraction:
    """The squared distance from a point to a segment, exact."""
    share = Fraction((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y), squared(a, b))
    share = min(max(share, Fraction(0)), Fraction(1))
    return (point.x - a.x - share * (b.x - a.x)) ** 2 + (point.y - a.y - share * (b.y - a.y)) ** 2
