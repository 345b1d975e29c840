"""Areas with straight sides, and how straight lines meet them and each other."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.field.polygon import Polygon, on_segment, polygon, segments_meet
from events.places import PlaceInvalid, Point

points = st.builds(Point, st.integers(-8, 8), st.integers(-8, 8))


def area_of(*corners: tuple[int, int]) -> Polygon:
    return polygon([Point(x, y) for x, y in corners])


def square(west: int, south: int, side: int) -> Polygon:
    return area_of((west, south), (west + side, south), (west + side, south + side), (west, south + side))


HORSESHOE = ((0, 0), (12, 0), (12, 12), (8, 12), (8, 4), (4, 4), (4, 12), (0, 12))


@st.composite
def outlines(draw: st.DrawFn) -> Polygon:
    """A polygon, often concave: some points taken round their middle, or the horseshoe where that is not simple."""
    corners = draw(st.lists(points, min_size=3, max_size=7, unique=True))
    x, y = (sum(part) / len(corners) for part in zip(*((p.x, p.y) for p in corners), strict=True))
    corners.sort(key=lambda p: (math.atan2(p.y - y, p.x - x), p.x, p.y))
    try:
        return polygon(corners)
    except PlaceInvalid:
        return area_of(*HORSESHOE)


def turned(area: Polygon) -> Polygon:
    """The area on a map turned clockwise by 90 degrees."""
    return polygon([Point(corner.y, -corner.x) for corner in area.vertices])


def enlarged(area: Polygon, times: int) -> Polygon:
    return polygon([Point(corner.x * times, corner.y * times) for corner in area.vertices])


def winds_round(area: Polygon, point: Point) -> bool:
    """Whether the outline goes round a point that is not on it, by adding up angles."""
    angles = [math.atan2(corner.y - point.y, corner.x - point.x) for corner in area.vertices]
    turns = [(after - before + math.pi) % math.tau - math.pi for before, after in pairwise([angles[-1], *angles])]
    return round(sum(turns) / math.tau) != 0


# -- what an outline must be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        ([(0, 0), (5, 5)], "wood: has 2 corners; an area needs at least 3"),
        ([(0, 0), (0, 0), (5, 5)], "wood: corners 1 and 2 are both 0,0; leave one out"),
        ([(0, 0), (5, 0), (5, 5), (0, 0)], "wood: corners 4 and 1 are both 0,0; leave one out"),
        ([(0, 0), (5, 5), (9, 9)], "wood: all corners lie on one line; an area needs breadth"),
        ([(0, 0), (9, 9), (9, 0), (0, 9)], "wood: side 1-2 meets side 3-4; "),
        ([(0, 0), (9, 0), (9, 9), (5, 0)], "wood: side 1-2 meets side 3-4; "),
        ([(0, 0), (9, 0), (5, 0), (5, 5)], "wood: side 1-2 meets side 2-3; "),
        ([(5, 0), (7, 0), (7, 5), (9, 0)], "wood: side 1-2 meets side 4-1; "),
        ([(0, 0), (4, 4), (8, 0), (8, 8), (4, 4), (0, 8)], "wood: side 1-2 meets side 4-5; "),
    ],
)
def test_a_bad_outline_is_refused_in_one_line(corners: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(PlaceInvalid) as refused:
        polygon([Point(x, y) for x, y in corners], "wood")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)
    assert refused.value.what == "wood"


def test_a_corner_that_does_not_bend_is_allowed() -> None:
    assert area_of((0, 0), (5, 0), (9, 0), (9, 9)).on_edge(Point(5, 0))


# -- points ------------------------------------------------------------------------------------------------------------


def test_the_edge_belongs_to_the_area() -> None:
    wood = square(0, 0, 10)
    for edge in (Point(0, 0), Point(10, 10), Point(5, 0), Point(10, 5), Point(5, 10), Point(0, 5)):
        assert wood.contains(edge)
        assert wood.on_edge(edge)
        assert not wood.holds_inside(edge)
    assert not wood.contains(Point(11, 10))
    assert wood.holds_inside(Point(1, 1))


@given(outlines(), points)
def test_a_point_is_contained_where_the_outline_goes_round_it(area: Polygon, point: Point) -> None:
    sides = list(zip(area.vertices, (*area.vertices[1:], area.vertices[0]), strict=True))
    on_edge = any(on_segment(a, b, point) for a, b in sides)
    assert area.on_edge(point) == on_edge
    assert area.contains(point) == (on_edge or winds_round(area, point))


@given(outlines(), points)
def test_which_way_round_an_outline_runs_does_not_matter(area: Polygon, point: Point) -> None:
    other = polygon(area.vertices[::-1])
    assert other.contains(point) == area.contains(point)
    assert turned(area).contains(Point(point.y, -point.x)) == area.contains(point)


# -- segments ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "meeting"),
    [
        (((0, 0), (4, 4)), ((0, 4), (4, 0)), "crosses"),
        (((0, 0), (4, 4)), ((2, 2), (9, 2)), "touches"),
        (((0, 0), (4, 4)), ((4, 4), (9, 2)), "touches"),
        (((0, 0), (4, 4)), ((2, 2), (6, 6)), "touches"),
        (((0, 0), (4, 4)), ((5, 5), (6, 6)), "apart"),
        (((0, 0), (4, 4)), ((1, 0), (5, 4)), "apart"),
        (((0, 0), (4, 4)), ((3, 3), (3, 3)), "touches"),
        (((0, 0), (4, 4)), ((3, 2), (3, 2)), "apart"),
        (((1, 1), (1, 1)), ((1, 1), (1, 1)), "touches"),
    ],
)
def test_segments_meet(first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...], meeting: str) -> None:
    a, b, c, d = (Point(*end) for end in (*first, *second))
    assert segments_meet(a, b, c, d) == segments_meet(d, c, a, b) == meeting


@given(points, points, points, points)
def test_meeting_is_mutual_and_has_no_direction(a: Point, b: Point, c: Point, d: Point) -> None:
    meeting = segments_meet(a, b, c, d)
    assert meeting == segments_meet(c, d, a, b) == segments_meet(b, a, c, d) == segments_meet(a, b, d, c)


# -- segments and areas ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "passage"),
    [
        ((-5, 2), (20, 2), "enters"),  # through the base
        ((6, 20), (6, 5), "clear"),  # down between the arms
        ((6, 20), (6, 4), "grazes"),  # onto the base from between the arms
        ((6, 20), (6, 3), "enters"),
        ((4, 8), (8, 8), "grazes"),  # from arm to arm across the opening
        ((3, 8), (9, 8), "enters"),
        ((4, 12), (8, 12), "grazes"),
        ((-5, 12), (20, 12), "grazes"),  # along the tops of both arms
        ((4, 20), (4, 3), "enters"),  # down the side of an arm, then into the base
        ((-2, 14), (2, 10), "enters"),  # through a corner into an arm
        ((-2, 10), (2, 14), "grazes"),  # past that corner
        ((2, 2), (2, 2), "enters"),
        ((0, 2), (0, 2), "grazes"),
        ((6, 8), (6, 8), "clear"),
    ],
)
def test_how_a_line_meets_a_horseshoe(a: tuple[int, int], b: tuple[int, int], passage: str) -> None:
    area = area_of(*HORSESHOE)
    assert area.crosses(Point(*a), Point(*b)) == area.crosses(Point(*b), Point(*a)) == passage


@given(outlines(), points, points)
def test_the_share_inside_agrees_with_points_along_the_line(area: Polygon, a: Point, b: Point) -> None:
    assume(a != b)
    samples = 60
    fine = enlarged(area, samples)
    spots = [Point(a.x * (samples - n) + b.x * n, a.y * (samples - n) + b.y * n) for n in range(samples + 1)]
    share = area.inside_share(a, b)
    assert abs(share - sum(map(fine.holds_inside, spots)) / samples) <= (len(area.edges) + 2) / samples
    assert area.inside_share(b, a) == share


@given(outlines(), points, points)
def test_entering_grazing_and_passing_clear_are_told_apart(area: Polygon, a: Point, b: Point) -> None:
    passage = area.crosses(a, b)
    assert passage == area.crosses(b, a)
    assert passage == turned(area).crosses(Point(a.y, -a.x), Point(b.y, -b.x))
    assert (passage == "enters") == (area.inside_share(a, b) > 0)
    corners = area.vertices
    meetings = {segments_meet(a, b, c, d) for c, d in zip(corners, (*corners[1:], corners[0]), strict=True)}
    if passage == "clear":
        assert meetings == {"apart"}
    if passage == "grazes":
        assert "touches" in meetings


def test_following_the_edge_is_not_entering() -> None:
    marsh = square(0, 0, 10)
    round_it = [Point(-5, 0), Point(10, 0), Point(10, 15)]
    assert not marsh.entered(round_it)
    assert marsh.entered([*round_it, Point(0, 5), Point(5, 5)])
    assert marsh.entered([Point(5, 5)])
    assert not marsh.entered([])


# -- areas and areas ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "meeting"),
    [
        (square(10, 0, 10), "touches"),  # side by side
        (square(10, 10, 10), "touches"),  # corner to corner
        (square(11, 0, 10), "apart"),
        (square(9, 9, 10), "overlaps"),
        (square(2, 2, 5), "overlaps"),  # one within the other
        (square(0, 0, 5), "overlaps"),  # within, sharing a corner
        (square(0, 0, 10), "overlaps"),  # the same
        (area_of((0, 10), (10, 10), (10, 5), (10, 0), (0, 0)), "overlaps"),  # the same, other way, one corner more
        (area_of((3, -5), (6, -5), (6, 15), (3, 15)), "overlaps"),  # across, without a corner in the other
        (area_of((-5, 15), (15, 15), (15, -5), (16, -5), (16, 16), (-5, 16)), "apart"),  # bounds meet, areas do not
    ],
)
def test_how_areas_meet(other: Polygon, meeting: str) -> None:
    assert square(0, 0, 10).meets(other) == other.meets(square(0, 0, 10)) == meeting


def test_an_area_in_the_opening_of_a_horseshoe_only_touches_it() -> None:
    assert area_of(*HORSESHOE).meets(square(4, 4, 4)) == "touches"
    assert area_of(*HORSESHOE).meets(square(5, 5, 2)) == "apart"


@given(outlines(), outlines())
def test_areas_with_a_common_inner_point_overlap(first: Polygon, second: Polygon) -> None:
    meeting = first.meets(second)
    assert meeting == second.meets(first)
    spots = [Point(x, y) for x in range(-8, 13) for y in range(-8, 13)]
    if any(first.holds_inside(spot) and second.holds_inside(spot) for spot in spots):
        assert meeting == "overlaps"
    if meeting == "apart":
        assert not any(first.contains(spot) and second.contains(spot) for spot in spots)
    assert first.meets(first) == "overlaps"
