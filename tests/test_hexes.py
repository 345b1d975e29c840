"""Hexes: distances, lines, rings, facings and names."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.field.hexes import (
    ARC_NAMES,
    arc_hexes,
    arcs_of,
    distance,
    front_hexes,
    hex_name,
    hex_named,
    hexes_within,
    line,
    neighbour,
    neighbours,
    rear_hex,
    ring,
    side_hexes,
    sides_between,
)
from events.places import Hex, PlaceInvalid

hexes = st.builds(Hex, st.integers(-40, 40), st.integers(-40, 40))
near_hexes = st.builds(Hex, st.integers(-7, 7), st.integers(-7, 7))
directions = st.integers(0, 5)


def middle(hex_: Hex) -> tuple[float, float]:
    """East and north of the middle of a hex, as drawn: columns 1.5 apart, rows the root of 3."""
    return 1.5 * hex_.q, -math.sqrt(3) * (hex_.r + hex_.q / 2)


def bearing(a: Hex, b: Hex) -> float:
    (ax, ay), (bx, by) = middle(a), middle(b)
    return math.degrees(math.atan2(bx - ax, by - ay)) % 360


def turned(hex_: Hex) -> Hex:
    """Where a hex lands when the map is turned clockwise by 60 degrees."""
    return Hex(-hex_.r, hex_.q + hex_.r)


def test_a_hex_is_written_as_a_short_list() -> None:
    assert msgspec.json.encode(Hex(3, -4)) == b"[3,-4]"


@given(hexes)
def test_the_six_directions_run_clockwise_from_north(hex_: Hex) -> None:
    assert [round(bearing(hex_, other)) for other in neighbours(hex_)] == [0, 60, 120, 180, 240, 300]
    assert neighbours(hex_) == tuple(neighbour(hex_, direction) for direction in range(6))


@given(hexes, hexes, hexes)
def test_distance_is_symmetric_and_obeys_the_triangle(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a) == distance(turned(a), turned(b))
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


@given(hexes, directions)
def test_a_step_changes_the_distance_by_one(hex_: Hex, direction: int) -> None:
    assert distance(hex_, neighbour(hex_, direction)) == 1
    assert neighbour(neighbour(hex_, direction), direction + 3) == hex_


@given(near_hexes, st.integers(0, 5))
def test_a_ring_is_every_hex_at_its_distance_clockwise_from_north(centre: Hex, radius: int) -> None:
    found = ring(centre, radius)
    square = [Hex(centre.q + q, centre.r + r) for q in range(-5, 6) for r in range(-5, 6)]
    assert set(found) == {hex_ for hex_ in square if distance(centre, hex_) == radius}
    assert len(found) == max(1, 6 * radius)
    assert set(hexes_within(centre, radius)) == {hex_ for hex_ in square if distance(centre, hex_) <= radius}
    if radius:
        assert [bearing(centre, hex_) for hex_ in found] == sorted(bearing(centre, hex_) for hex_ in found)


def test_a_ring_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(PlaceInvalid, match="radius -1"):
        ring(Hex(0, 0), -1)


@given(hexes, hexes)
def test_a_line_goes_step_by_step_from_end_to_end(a: Hex, b: Hex) -> None:
    path = line(a, b)
    assert (path[0], path[-1], len(path)) == (a, b, distance(a, b) + 1)
    assert all(distance(here, there) == 1 for here, there in pairwise(path))


@given(hexes, hexes)
def test_a_line_is_the_same_from_both_ends(a: Hex, b: Hex) -> None:
    assert line(a, b) == line(b, a)[::-1]


def test_a_line_between_two_hexes_takes_the_eastern_or_else_the_southern() -> None:
    ways = {Hex(2, -1): Hex(1, 0), Hex(1, 1): Hex(1, 0), Hex(1, -2): Hex(1, -1)}
    for end, middle_ in ways.items():
        assert line(Hex(0, 0), end) == (Hex(0, 0), middle_, end)


@given(hexes, hexes)
def test_a_line_keeps_to_the_hexes_that_it_runs_through(a: Hex, b: Hex) -> None:
    steps = max(1, distance(a, b))
    for n, hex_ in enumerate(line(a, b)):
        q = a.q + Fraction((b.q - a.q) * n, steps) - hex_.q
        r = a.r + Fraction((b.r - a.r) * n, steps) - hex_.r
        assert max(abs(2 * q + r), abs(2 * r + q), abs(q - r)) <= 1  # the spot lies in the hex or on its rim


# -- facing ------------------------------------------------------------------------------------------------------------


@given(directions, directions)
def test_facings_differ_by_at_most_three_sides(facing: int, other: int) -> None:
    turn = sides_between(facing, other)
    assert turn == sides_between(other, facing)
    assert other in ((facing + turn) % 6, (facing - turn) % 6)
    assert 0 <= turn <= 3


@given(near_hexes, directions)
def test_front_sides_and_rear_are_the_six_neighbours(hex_: Hex, facing: int) -> None:
    around = [*front_hexes(hex_, facing), *side_hexes(hex_, facing), rear_hex(hex_, facing)]
    assert sorted(around, key=repr) == sorted(neighbours(hex_), key=repr)
    named = arc_hexes(hex_, facing)
    assert tuple(named) == ARC_NAMES
    assert front_hexes(hex_, facing) == (named["left_front"], named["front"], named["right_front"])
    assert side_hexes(hex_, facing) == (named["left_rear"], named["right_rear"])
    assert (named["front"], named["rear"]) == (neighbour(hex_, facing), rear_hex(hex_, facing))


@given(near_hexes, directions, near_hexes)
def test_a_hex_lies_in_the_sector_of_its_bearing(centre: Hex, facing: int, other: Hex) -> None:
    assume(centre != other)
    off = (bearing(centre, other) - 60 * facing + 30) % 360
    found = arcs_of(centre, facing, other)
    if min(off % 60, 60 - off % 60) < 1e-6:
        after = round(off / 60) % 6
        assert found == (ARC_NAMES[after - 1], ARC_NAMES[after])
    else:
        assert found == (ARC_NAMES[int(off // 60)],)


@given(near_hexes, directions)
def test_each_neighbour_lies_in_the_arc_that_bears_its_name(hex_: Hex, facing: int) -> None:
    assert {name: arcs_of(hex_, facing, other) for name, other in arc_hexes(hex_, facing).items()} == {
        name: (name,) for name in ARC_NAMES
    }


# -- names -------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 99), st.integers(0, 99))
def test_a_name_reads_back(column: int, row: int) -> None:
    name = f"{column:02}{row:02}"
    assert hex_name(hex_named(name)) == name


def test_even_columns_stand_half_a_hex_south_of_odd_ones() -> None:
    around = {name: [hex_name(hex_) for hex_ in neighbours(hex_named(name))] for name in ("0304", "0404")}
    assert around["0304"] == ["0303", "0403", "0404", "0305", "0204", "0203"]
    assert around["0404"] == ["0403", "0504", "0505", "0405", "0305", "0304"]


@pytest.mark.parametrize("name", ["", "304", "00304", "03a4", "-304", "٠٣٠٤", " 304", "³³³³"])
def test_what_is_not_four_plain_digits_names_no_hex(name: str) -> None:
    with pytest.raises(PlaceInvalid, match="is not four digits; write column and row, such as 0304"):
        hex_named(name)


@pytest.mark.parametrize("hex_", [Hex(-1, 5), Hex(100, 0), Hex(3, -3), Hex(0, 100)])
def test_a_hex_off_the_numbered_map_has_no_name(hex_: Hex) -> None:
    with pytest.raises(PlaceInvalid, match="has no name"):
        hex_name(hex_)
