"""The ground: what a path leads through and over, how high a place lies, what is lit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from engine.field.plane import along, distance_mm, within
from engine.field.polygon import Polygon, polygon
from engine.field.sight import Wall, wall
from engine.rules.dresda.tables import Tables
from events.dresda import Barrier
from events.places import Point
from projections.dresda.state import Battlefield, Figure

WATER = ("river", "stream", "deep_water", "marsh")
"""Rows of ground in which one fights in water or bog."""


@lru_cache(maxsize=512)
def area_shape(outline: tuple[Point, ...]) -> Polygon:
    """The shape of an area with that outline, checked once."""
    return polygon(outline)


@lru_cache(maxsize=512)
def barrier_shape(points: tuple[Point, ...]) -> Wall:
    """The shape of a barrier, checked once."""
    return wall(points)


def rows_on(state: Battlefield, path: Sequence[Point]) -> tuple[str, ...]:
    """The terrain rows that a path enters anywhere, its start included; each once (DR-016).

    House reading: what is entered anywhere counts for the whole move. Following an edge is not entering.
    """
    entered = [area.row for area in state.areas if area.row and area_shape(area.outline).entered(path)]
    return tuple(dict.fromkeys(entered))


def barriers_on(state: Battlefield, path: Sequence[Point]) -> list[Barrier]:
    """The barriers that a path crosses, each once.

    One that it only reaches counts as well, so that nobody gets over in two turns for nothing; to leave one is free.
    """
    return [barrier for barrier in state.walls if _crosses(barrier_shape(barrier.points), path)]


def _crosses(shape: Wall, path: Sequence[Point]) -> bool:
    return shape.crossed(path) or (shape.holds(path[-1]) and not shape.holds(path[0]))


def up_to_barrier(state: Battlefield, start: Point, end: Point) -> Point:
    """Where somebody comes to stand who goes straight from one place to another and stops short of any barrier."""
    if start == end or not barriers_on(state, [start, end]):
        return end
    steps = range(distance_mm(start, end))
    beyond = bisect_left(steps, True, key=lambda mm: bool(barriers_on(state, [start, along(start, end, mm)])))
    return along(start, end, max(0, beyond - 1))


def height_at(state: Battlefield, place: Point) -> int:
    """How high the ground lies at a place, in mm: the highest area that holds it."""
    grounds = [area.ground for area in state.areas if area.ground and area_shape(area.outline).contains(place)]
    return max(grounds, default=0)


def stands_in(state: Battlefield, place: Point, rows: Sequence[str]) -> bool:
    """Whether a place lies in an area with one of these rows."""
    return any(area.row in rows and area_shape(area.outline).contains(place) for area in state.areas)


def on_field(state: Battlefield, place: Point) -> bool:
    """Whether a place lies on the field, its border included."""
    return 0 <= place.x <= state.width and 0 <= place.y <= state.depth


def onto_field(state: Battlefield, place: Point) -> Point:
    """The place on the field that is nearest in both directions."""
    return Point(min(max(place.x, 0), state.width), min(max(place.y, 0), state.depth))


def border_at(state: Battlefield, place: Point) -> str:
    """The edge of the table on which a place lies, or nothing."""
    edges = {
        "south": place.y == 0,
        "north": place.y == state.depth,
        "west": place.x == 0,
        "east": place.x == state.width,
    }
    return next((edge for edge, there in edges.items() if there), "")


def is_lit(state: Battlefield, figure: Figure) -> bool:
    """Whether a figure stands in firelight or carries a torch (DR-056)."""
    return figure.torch or any(within(figure.place, fire.place, fire.radius) for fire in state.fires)


def nearest_on(points: Sequence[Point], place: Point) -> Point:
    """The place on a line of points that is nearest to another place, to whole millimetres."""
    return min(
        (_nearest_in(a, b, place) for a, b in pairwise(points)), key=lambda each: (_square(each, place), each.x, each.y)
    )


def _nearest_in(a: Point, b: Point, place: Point) -> Point:
    dx, dy = b.x - a.x, b.y - a.y
    along_it, square = (place.x - a.x) * dx + (place.y - a.y) * dy, dx * dx + dy * dy
    along_it = min(max(along_it, 0), square)
    return Point(a.x + round(Fraction(dx * along_it, square)), a.y + round(Fraction(dy * along_it, square)))


def nearest(figure: Figure, others: Sequence[Figure]) -> Figure | None:
    """The nearest of some figures; of equally near ones the first by id."""
    return min(others, key=lambda other: (_square(figure.place, other.place), other.id), default=None)


def _square(a: Point, b: Point) -> int:
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


def sees_in_dark(tables: Tables, figure: Figure) -> bool:
    """Whether its race sees in the dark."""
    return tables.race(figure.who.race).sees_in_dark
