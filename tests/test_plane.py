"""Points, distances, paths and bearings: exact, and rounded as they say."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.field import compass
from engine.field.plane import (
    NM_PER_MM,
    Arc,
    along,
    arcs_at,
    away,
    bearing,
    clip_path,
    distance_mm,
    leg_length,
    path_fits,
    path_length,
    squared,
    step,
    towards,
    turn_between,
    turn_clockwise,
    within,
)
from events.places import PlaceInvalid, Point

REACH = 10**7
coordinates = st.integers(-REACH, REACH)
points = st.builds(Point, coordinates, coordinates)
near_points = st.builds(Point, st.integers(-300, 300), st.integers(-300, 300))
lengths = st.one_of(st.integers(0, REACH), st.fractions(0, 10**6, max_denominator=997))
bearings = st.integers(0, 359)


def quarter_turn(point: Point) -> Point:
    """Where a point lands when the map is turned clockwise by 90 degrees."""
    return Point(point.y, -point.x)


def test_a_point_is_written_as_a_short_list() -> None:
    assert msgspec.json.encode(Point(3, -4)) == b"[3,-4]"
    assert msgspec.json.decode(b"[3,-4]", type=Point) == Point(3, -4)


# -- distances ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "engaged"), [(20, True), (21, False)])
def test_the_boundary_of_a_distance_is_within_it(gap: int, engaged: bool) -> None:
    assert within(Point(0, 0), Point(gap, 0), 20) is engaged


def test_nothing_is_within_less_than_nothing() -> None:
    assert not within(Point(0, 0), Point(0, 0), -1)


@given(points, points, st.integers(0, 3 * REACH))
def test_the_printed_distance_agrees_with_within(a: Point, b: Point, mm: int) -> None:
    assert (distance_mm(a, b) <= mm) == within(a, b, mm)
    assert within(a, b, distance_mm(a, b))
    assert a == b or not within(a, b, distance_mm(a, b) - 1)


@given(points, points, points)
def test_distances_are_symmetric_and_obey_the_triangle(a: Point, b: Point, c: Point) -> None:
    assert squared(a, b) == squared(b, a)
    assert distance_mm(a, c) <= distance_mm(a, b) + distance_mm(b, c)


# -- paths -------------------------------------------------------------------------------------------------------------


def test_ten_steps_of_a_tenth_fit_into_one() -> None:
    path = [Point(0, n) for n in range(11)]
    assert path_fits(path, Fraction(10))
    assert not path_fits(path, Fraction(10) - Fraction(1, 10**6))


def test_rounding_never_makes_ten_slanting_steps_too_long() -> None:
    assert path_fits([Point(3 * n, 4 * n) for n in range(11)], 50)


@given(near_points, near_points)
def test_a_leg_loses_less_than_a_nanometre(a: Point, b: Point) -> None:
    assert leg_length(a, b) ** 2 <= squared(a, b) * NM_PER_MM**2 < (leg_length(a, b) + 1) ** 2


@given(st.lists(near_points, max_size=6), st.fractions(0, 2000, max_denominator=12))
def test_a_clipped_path_fits_and_is_a_beginning(path: list[Point], allowance: Fraction) -> None:
    clipped = clip_path(path, allowance)
    assert path_fits(clipped, allowance)
    if path_fits(path, allowance):
        assert clipped == path
    else:
        kept = len(clipped) - (clipped != path[: len(clipped)])
        assert clipped[:kept] == path[:kept]
        assert path_length(clipped) > (allowance - 2) * NM_PER_MM


def test_a_clipped_path_stops_on_the_leg_that_costs_too_much() -> None:
    path = [Point(0, 0), Point(0, 30), Point(40, 30)]
    assert clip_path(path, Fraction(61, 2)) == [Point(0, 0), Point(0, 30)]
    assert clip_path(path, 45) == [Point(0, 0), Point(0, 30), Point(15, 30)]
    assert clip_path([], 45) == []


# -- from one point to another -----------------------------------------------------------------------------------------


@given(points, points, lengths)
def test_along_never_goes_too_far_and_hardly_too_short(a: Point, b: Point, mm: int | Fraction) -> None:
    assume(a != b)
    reached = along(a, b, mm)
    assert within(a, reached, mm)
    assert mm < 2 or not within(a, reached, mm - Fraction(3, 2))


@given(near_points, near_points, st.integers(0, 1000))
def test_along_turns_with_the_map(a: Point, b: Point, mm: int) -> None:
    assume(a != b)
    assert along(quarter_turn(a), quarter_turn(b), mm) == quarter_turn(along(a, b, mm))


@given(points, st.integers(0, 5000), st.sampled_from([(3, 4, 5), (-5, 12, 13), (0, -1, 1), (8, -15, 17)]))
def test_along_is_exact_where_the_point_is_whole(a: Point, times: int, triple: tuple[int, int, int]) -> None:
    east, north, length = triple
    target = Point(a.x + east, a.y + north)
    assert along(a, target, times * length) == Point(a.x + times * east, a.y + times * north)


@given(near_points, near_points, st.integers(0, 1000))
def test_towards_stops_at_the_goal(a: Point, b: Point, mm: int) -> None:
    reached = towards(a, b, mm)
    assert (reached == b) or not within(a, b, mm)
    assert within(a, reached, mm)


@given(points, points, st.integers(1, 1000))
def test_coming_back_from_away_ends_where_it_began(a: Point, foe: Point, mm: int) -> None:
    assume(squared(a, foe) > 100)
    pushed = away(a, foe, mm)
    assert within(towards(pushed, foe, mm), a, 3)
    assert squared(pushed, foe) >= squared(a, foe)


@given(points, st.integers(1, 10**5), st.integers(1, 10**5), st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
def test_away_and_towards_undo_each_other_along_an_axis(foe: Point, gap: int, mm: int, axis: tuple[int, int]) -> None:
    a = Point(foe.x + gap * axis[0], foe.y + gap * axis[1])
    assert towards(away(a, foe, mm), foe, mm) == a


def test_no_direction_leads_from_a_point_to_itself() -> None:
    here = Point(7, 8)
    assert along(here, here, 0) == here
    for call in (lambda: along(here, here, 5), lambda: away(here, here, 5), lambda: bearing(here, here)):
        with pytest.raises(PlaceInvalid, match="both points are at 7,8"):
            call()


def test_a_negative_distance_is_refused() -> None:
    with pytest.raises(PlaceInvalid, match="-5 mm is less than nothing"):
        along(Point(0, 0), Point(1, 0), -5)


# -- bearings ----------------------------------------------------------------------------------------------------------


@given(points, points)
def test_bearings_agree_with_floating_point_away_from_half_degrees(a: Point, b: Point) -> None:
    assume(a != b)
    degrees = math.degrees(math.atan2(b.x - a.x, b.y - a.y))
    assume(abs(degrees % 1 - 0.5) > 1e-9)
    assert bearing(a, b) == round(degrees) % 360


@given(points, points)
def test_bearings_turn_with_the_map_and_reverse(a: Point, b: Point) -> None:
    assume(a != b)
    there = bearing(a, b)
    assert bearing(b, a) == (there + 180) % 360
    assert bearing(quarter_turn(a), quarter_turn(b)) == (there + 90) % 360
    assert bearing(Point(-a.x, a.y), Point(-b.x, b.y)) == -there % 360


def half_degree_neighbours(half: int, run: int) -> tuple[int, int]:
    """The rises just below and just above the tangent of some half degrees, by a series in decimals of 120 digits."""
    with localcontext() as context:
        context.prec = 120
        pi = sum(
            Decimal(1) / 16**k * (Decimal(4) / (8 * k + 1) - Decimal(2) / (8 * k + 4) - Decimal(1) / (8 * k + 5)
            - Decimal(1) / (8 * k + 6)) for k in range(100)
        )  # fmt: skip
        angle = pi * half / 360
        sine = cosine = Decimal(0)
        term = Decimal(1)
        for power in range(80):
            if power % 2:
                sine += term if power % 4 == 1 else -term
            else:
                cosine += term if power % 4 == 0 else -term
            term = term * angle / (power + 1)
        below = int(run * sine / cosine)
    return below, below + 1


@given(st.integers(0, 44), st.integers(1000, 10**45))
def test_bearings_are_exact_next_to_a_half_degree(whole: int, run: int) -> None:
    below, above = half_degree_neighbours(2 * whole + 1, run)
    assert bearing(Point(0, 0), Point(below, run)) == whole
    assert bearing(Point(0, 0), Point(above, run)) == whole + 1


@pytest.mark.parametrize("degrees", range(-10, 400, 7))
def test_sines_are_rounded_towards_zero(degrees: int) -> None:
    for exact, ours in (
        (math.sin(math.radians(degrees)), compass.sine(degrees)),
        (math.cos(math.radians(degrees)), compass.cosine(degrees)),
    ):
        assert ours == pytest.approx(exact * compass.SCALE, abs=1.01)
        assert abs(ours) <= abs(exact) * compass.SCALE + 0.001


@given(bearings, st.integers(0, REACH))
def test_a_step_is_never_longer_than_it_says(direction: int, mm: int) -> None:
    east, north = step(direction, mm)
    assert east * east + north * north <= mm * mm
    assert math.hypot(east, north) > mm - 1.5
    assert step(direction, -mm) == (-east, -north)
    assert step((direction + 90) % 360, mm) == (north, -east)


@given(bearings, st.integers(1000, REACH))
def test_a_long_step_leads_where_its_bearing_points(direction: int, mm: int) -> None:
    assert bearing(Point(0, 0), Point(*step(direction, mm))) == direction


@given(bearings, bearings)
def test_turns_are_the_same_both_ways_and_at_most_half_a_circle(facing: int, other: int) -> None:
    turn = turn_between(facing, other)
    assert turn == turn_between(other, facing)
    assert 0 <= turn <= 180
    assert other in ((facing + turn) % 360, (facing - turn) % 360)
    assert (facing + turn_clockwise(facing, other)) % 360 == other


def test_an_attack_on_the_boundary_of_two_arcs_is_in_both() -> None:
    sides = [Arc("front", 0, 60), Arc("side", 60, 120), Arc("rear", 120, 180)]
    found = [arcs_at(turn, sides) for turn in (0, 60, 61, 120, 180)]
    assert found == [("front",), ("front", "side"), ("side",), ("side", "rear"), ("rear",)]


@given(bearings)
def test_six_zones_cover_every_direction(direction: int) -> None:
    starts = (-30, 30, -90, 90, -150, 150)
    zones = [Arc(str(start), start, start + 60) for start in starts]
    on_boundary = direction % 60 == 30
    assert len(arcs_at(direction, zones)) == (2 if on_boundary else 1)


def test_a_path_without_legs_has_no_length() -> None:
    assert path_length([]) == path_length([Point(1, 1)]) == 0
    assert sum(leg_length(a, b) for a, b in pairwise([Point(0, 0), Point(5, 12)])) == 13 * NM_PER_MM
