"""Points, distances, bearings and paths on a measured map.

Lengths are whole millimetres, or exact fractions of them where a rule divides; bearings are whole degrees clockwise
from north. Each function says how it rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TypeAlias

from msgspec import Struct

from engine.field.compass import SCALE, cosine, degrees_of_slope, sine
from events.places import PlaceInvalid, Point

Length: TypeAlias = int | Fraction
"""A length in millimetres, exact."""

NM_PER_MM = 10**6


class Arc(Struct, frozen=True):
    """A named sector round a piece: the degrees, measured from its facing, that it runs from and to, both included.

    Degrees may be negative or above 180, as rule tables write them (-30 to 30, 150 to 210).
    """

    name: str
    bearing_from: int
    bearing_to: int


# -- distances ---------------------------------------------------------------------------------------------------------


def squared(a: Point, b: Point) -> int:
    """The square of the distance between two points, in square millimetres; exact.

    >>> squared(Point(0, 0), Point(3, 4))
    25
    """
    dx, dy = b.x - a.x, b.y - a.y
    return dx * dx + dy * dy


def within(a: Point, b: Point, mm: Length) -> bool:
    """Whether two points are at most `mm` apart; exact, and the boundary counts as within. Never for a negative `mm`.

    >>> within(Point(0, 0), Point(12, 16), 20), within(Point(0, 0), Point(12, 17), 20)
    (True, False)
    """
    return mm >= 0 and squared(a, b) <= mm * mm


def distance_mm(a: Point, b: Point) -> int:
    """The distance in whole millimetres, rounded up.

    Rounding up keeps the printed figure and the rule in step: `distance_mm(a, b) <= n` just when `within(a, b, n)`.

    >>> distance_mm(Point(0, 0), Point(3, 4)), distance_mm(Point(0, 0), Point(1, 1))
    (5, 2)
    """
    return root_up(squared(a, b))


def root_up(square: Length) -> int:
    """The smallest whole number whose square is at least `square`, which may not be negative.

    >>> root_up(16), root_up(Fraction(33, 2)), root_up(0)
    (4, 5, 0)
    """
    whole = -(-square.numerator // square.denominator)
    return isqrt(whole - 1) + 1 if whole else 0


# -- paths -------------------------------------------------------------------------------------------------------------


def leg_length(a: Point, b: Point) -> int:
    """The length of one straight leg in nanometres, rounded down.

    A whole number of millimetres comes out exact; any other loses less than a nanometre, always in the mover's favour.

    >>> leg_length(Point(0, 0), Point(3, 4)), leg_length(Point(0, 0), Point(1, 1))
    (5000000, 1414213)
    """
    return isqrt(squared(a, b) * NM_PER_MM**2)


def path_length(points: Iterable[Point]) -> int:
    """The length of a path in nanometres: the sum of its legs, each rounded down. No leg, no length.

    >>> path_length([Point(0, 0), Point(3, 4), Point(3, 10)])
    11000000
    """
    return sum(leg_length(a, b) for a, b in pairwise(points))


def path_fits(points: Iterable[Point], allowance: Length) -> bool:
    """Whether a path is no longer than the allowance, which is in millimetres and need not be whole.

    The boundary fits: ten steps of a tenth fit into one. What `leg_length` rounds away cannot make a path of n legs
    longer than the allowance by more than n nanometres.

    >>> path_fits([Point(0, 100 * n) for n in range(11)], 1000)
    True
    >>> path_fits([Point(0, 0), Point(0, 13)], Fraction(25, 2))
    False
    """
    return path_length(points) <= allowance * NM_PER_MM


def clip_path(points: Sequence[Point], allowance: Length) -> list[Point]:
    """The part of a path that the allowance (millimetres) pays for: a beginning of it, its last leg cut by `along`.

    The result fits the allowance; it is the whole path if that fits. Where not even a millimetre of a leg is left, that
    leg is dropped. Raises `PlaceInvalid` for a negative allowance.

    >>> clip_path([Point(0, 0), Point(0, 30), Point(40, 30)], 50)
    [Point(x=0, y=0), Point(x=0, y=30), Point(x=20, y=30)]
    """
    _refuse_negative(allowance)
    reached = list(points[:1])
    left = allowance * NM_PER_MM
    for a, b in pairwise(points):
        cost = leg_length(a, b)
        if cost > left:
            stop = along(a, b, Fraction(left) / NM_PER_MM)
            return reached if stop == a else [*reached, stop]
        left -= cost
        reached.append(b)
    return reached


# -- from one point to another -----------------------------------------------------------------------------------------


def along(a: Point, b: Point, mm: Length) -> Point:
    """The point `mm` from `a` on the straight line through `b`, and past `b` if that is nearer.

    Both offsets from `a` are rounded towards `a`, so the point is never farther than `mm`, and short of it by less than
    1.5 mm; along an axis, or where the true point is whole, it is exact. Raises `PlaceInvalid` for a negative `mm`, and
    if the points are the same, unless `mm` is 0.

    >>> along(Point(0, 0), Point(30, 40), 10)
    Point(x=6, y=8)
    """
    _refuse_negative(mm)
    if mm == 0:
        return a
    dx, dy = b.x - a.x, b.y - a.y
    square = dx * dx + dy * dy
    if not square:
        raise _no_direction(a)
    ahead, below = mm.numerator**2, mm.denominator**2 * square
    east, north = isqrt(dx * dx * ahead // below), isqrt(dy * dy * ahead // below)
    return Point(a.x + (east if dx > 0 else -east), a.y + (north if dy > 0 else -north))


def towards(a: Point, b: Point, mm: Length) -> Point:
    """Where a move of at most `mm` from `a` straight towards `b` ends: at `b` if it reaches so far. Rounds as `along`.

    >>> towards(Point(0, 0), Point(0, 40), 10), towards(Point(0, 0), Point(0, 40), 50)
    (Point(x=0, y=10), Point(x=0, y=40))
    """
    return b if within(a, b, mm) else along(a, b, mm)


def away(a: Point, from_: Point, mm: Length) -> Point:
    """Where `a` comes to stand when it goes `mm` directly away from `from_`. Rounds and refuses as `along`.

    >>> away(Point(0, 20), Point(0, 0), 50)
    Point(x=0, y=70)
    """
    return along(a, Point(2 * a.x - from_.x, 2 * a.y - from_.y), mm)


# -- bearings ----------------------------------------------------------------------------------------------------------


def bearing(a: Point, b: Point) -> int:
    """The direction from `a` to `b` to the nearest whole degree, 0 to 359, clockwise from north (+y).

    Exact for integers of any size; there are no ties. Raises `PlaceInvalid` if the points are the same.

    >>> bearing(Point(0, 0), Point(0, 9)), bearing(Point(0, 0), Point(9, 0)), bearing(Point(0, 0), Point(-1, -1))
    (0, 90, 225)
    """
    dx, dy = b.x - a.x, b.y - a.y
    east, north = abs(dx), abs(dy)
    if east <= north:
        if not north:
            raise _no_direction(a)
        angle = degrees_of_slope(east, north)
    else:
        angle = 90 - degrees_of_slope(north, east)
    if dy >= 0:
        return angle if dx >= 0 else (360 - angle) % 360
    return 180 - angle if dx >= 0 else 180 + angle


def step(bearing: int, mm: int) -> tuple[int, int]:
    """How far east and north a straight step of `mm` on a bearing leads, in whole millimetres, each rounded towards 0.

    Never longer than `mm`, short of it by less than 1.5 mm, exact on the four main bearings. A negative `mm` steps
    backwards by the same amounts.

    >>> step(0, 50), step(90, 50), step(210, 100)
    ((0, 50), (50, 0), (-50, -86))
    """
    return _part(mm * sine(bearing)), _part(mm * cosine(bearing))


def turn_between(facing: int, bearing: int) -> int:
    """By how many degrees, 0 to 180, a bearing lies off a facing, to either side.

    >>> turn_between(350, 20), turn_between(0, 270)
    (30, 90)
    """
    clockwise = (bearing - facing) % 360
    return min(clockwise, 360 - clockwise)


def turn_clockwise(facing: int, bearing: int) -> int:
    """By how many degrees, 0 to 359, one must turn clockwise from a facing to a bearing.

    >>> turn_clockwise(350, 20), turn_clockwise(0, 270)
    (30, 270)
    """
    return (bearing - facing) % 360


def arcs_at(degrees: int, arcs: Iterable[Arc]) -> tuple[str, ...]:
    """The names of the arcs that hold a direction, in the order given.

    On a boundary both its arcs hold it, and the referee rules (DG-03). `degrees` is measured from the facing:
    `turn_between` for arcs that are the same on both sides, `turn_clockwise` for arcs that tell left from right.

    >>> sides = [Arc("front", 0, 60), Arc("side", 60, 120), Arc("rear", 120, 180)]
    >>> arcs_at(59, sides), arcs_at(60, sides)
    (('front',), ('front', 'side'))
    >>> arcs_at(turn_clockwise(90, 70), [Arc("ahead", -30, 30)])
    ('ahead',)
    """
    return tuple(arc.name for arc in arcs if (degrees - arc.bearing_from) % 360 <= arc.bearing_to - arc.bearing_from)


def _part(scaled: int) -> int:
    """A number times `SCALE` brought back to whole millimetres, rounded towards 0."""
    return scaled // SCALE if scaled >= 0 else -(-scaled // SCALE)


def _refuse_negative(mm: Length) -> None:
    if mm < 0:
        raise PlaceInvalid("distance", f"{mm} mm is less than nothing; give 0 or more")


def _no_direction(point: Point) -> PlaceInvalid:
    return PlaceInvalid("direction", f"both points are at {point.x},{point.y}; name two different points")
