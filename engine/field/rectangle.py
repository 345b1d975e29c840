"""Formed units as rectangles on the map: corners, gaps, who is on whose flank, and room to advance.

A unit's width runs along its front, its depth from front to rear. Corners are rounded to whole millimetres once, in
`Rectangle.corners`; whatever follows is exact for those corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from engine.field.compass import SCALE, cosine, sine
from engine.field.plane import Length, root_up, squared, step
from engine.field.polygon import Polygon, outlined, turn
from events.places import PlaceInvalid, Point

Side: TypeAlias = Literal["front", "flank", "rear"]

SMALLEST_SIDE = 3
"""Millimetres. The rounding of corners could press anything smaller flat."""


class Rectangle(Struct, frozen=True, dict=True):
    """The ground that a unit covers: its centre, width and depth in millimetres, and the bearing that it faces.

    Raises `PlaceInvalid` for sides under `SMALLEST_SIDE` or a facing outside 0 to 359.
    """

    centre: Point
    width: int
    depth: int
    facing: int

    def __post_init__(self) -> None:
        if min(self.width, self.depth) < SMALLEST_SIDE:
            size = f"{self.width} x {self.depth} mm"
            raise PlaceInvalid("rectangle", f"{size} is too small; make both at least {SMALLEST_SIDE} mm")
        if not 0 <= self.facing < 360:
            raise PlaceInvalid("rectangle", f"facing {self.facing} is not a bearing; give 0 to 359")

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, front right, rear right, rear left: clockwise, seen from above.

        Each is rounded to the nearest millimetre, halves away from the centre; so opposite corners mirror each other,
        the outline is always a parallelogram, and an odd side of a unit square to the map gains a millimetre.

        Worked out once for each rectangle.

        >>> Rectangle(Point(0, 0), 20, 6, 90).corners()
        (Point(x=3, y=10), Point(x=3, y=-10), Point(x=-3, y=-10), Point(x=-3, y=10))
        """
        return self._corners

    @cached_property
    def _corners(self) -> tuple[Point, Point, Point, Point]:
        east, north = sine(self.facing), cosine(self.facing)
        across_x, across_y = self.width * north, -self.width * east
        ahead_x, ahead_y = self.depth * east, self.depth * north
        right_x, right_y = _half(ahead_x + across_x), _half(ahead_y + across_y)
        left_x, left_y = _half(ahead_x - across_x), _half(ahead_y - across_y)
        x, y = self.centre.x, self.centre.y
        return (
            Point(x + left_x, y + left_y),
            Point(x + right_x, y + right_y),
            Point(x - left_x, y - left_y),
            Point(x - right_x, y - right_y),
        )

    def outline(self) -> Polygon:
        """The same ground as an area, to hold against woods, buildings and sight lines. Made once."""
        return self._outline

    @cached_property
    def _outline(self) -> Polygon:
        return outlined(self._corners)

    def side_of(self, point: Point) -> Side:
        """From which side a point comes at this unit: "front", "flank" or "rear".

        The sides are parted by the lines that run outwards from the corners at 45 degrees to the front. A point on such
        a line counts for the milder side: front before flank before rear. Inside the unit, the nearest side. NullSource
        behind the middle of the unit comes from the front, nor anybody before it from the rear, however broad it is.

        >>> unit = Rectangle(Point(0, 0), 20, 6, 0)
        >>> unit.side_of(Point(0, 9)), unit.side_of(Point(30, 5)), unit.side_of(Point(-5, -40))
        ('front', 'flank', 'rear')
        """
        dx, dy = point.x - self.centre.x, point.y - self.centre.y
        east, north = sine(self.facing), cosine(self.facing)
        ahead = 2 * (dx * east + dy * north)
        aside = 2 * abs(dx * north - dy * east) - self.width * SCALE
        if aside > abs(ahead) - self.depth * SCALE or (aside == -ahead - self.depth * SCALE and ahead < 0):
            return "flank"
        return "front" if ahead >= 0 else "rear"

    def advanced(self, mm: int) -> Rectangle:
        """The unit after it went `mm` straight ahead, by the whole millimetres of `step`; back for a negative `mm`.

        >>> Rectangle(Point(0, 0), 20, 6, 90).advanced(100).centre
        Point(x=100, y=0)
        """
        east, north = step(self.facing, mm)
        return Rectangle(Point(self.centre.x + east, self.centre.y + north), self.width, self.depth, self.facing)

    def swept(self, mm: int) -> Polygon:
        """All the ground that the unit covers while it goes `mm` straight ahead, its first and last stand included.

        Compare it with `Polygon.meets`. It is the exact hull of both stands.

        >>> from engine.field.polygon import polygon
        >>> ditch = polygon([Point(-50, 100), Point(50, 100), Point(50, 110), Point(-50, 110)])
        >>> [Rectangle(Point(0, 0), 20, 6, 0).swept(mm).meets(ditch) for mm in (96, 97, 98)]
        ['apart', 'touches', 'overlaps']
        """
        return outlined(_hull((*self.corners(), *self.advanced(mm).corners())))


def overlaps(a: Rectangle, b: Rectangle) -> bool:
    """Whether two units cover common ground. To touch along an edge or at a corner is not to overlap; exact.

    >>> unit = Rectangle(Point(0, 0), 20, 6, 0)
    >>> overlaps(unit, unit.advanced(5)), overlaps(unit, unit.advanced(6))
    (True, False)
    """
    return _none_between(a.corners(), b.corners())


def gap_squared(a: Rectangle, b: Rectangle) -> Fraction:
    """The square of the shortest distance between two units, in square millimetres; exact, 0 if they touch or overlap.

    >>> gap_squared(Rectangle(Point(0, 0), 20, 6, 0), Rectangle(Point(0, 10), 20, 6, 180))
    Fraction(16, 1)
    """
    square, of = _gap(a, b)
    return Fraction(square, of)


def gap_mm(a: Rectangle, b: Rectangle) -> int:
    """The shortest distance between two units in whole millimetres, rounded up, so that it agrees with `adjacent`.

    >>> gap_mm(Rectangle(Point(0, 0), 20, 6, 0), Rectangle(Point(21, 7), 20, 6, 0))
    2
    """
    square, of = _gap(a, b)
    return root_up(-(-square // of))  # a whole root reaches a square just when it reaches the next whole number


def adjacent(a: Rectangle, b: Rectangle, mm: Length) -> bool:
    """Whether two units touch, overlap or stand at most `mm` apart (AMB-02); exact, boundary included.

    Cost: little for units far apart, else that of `gap_squared`.

    >>> adjacent(Rectangle(Point(0, 0), 20, 6, 0), Rectangle(Point(0, 10), 20, 6, 180), 4)
    True
    """
    reach = a.width + a.depth + b.width + b.depth + mm  # more than both half diagonals, rounding included, and the gap
    if mm < 0 or squared(a.centre, b.centre) > reach * reach:
        return False
    square, of = _gap(a, b)
    return square <= mm * mm * of


def room_ahead(unit: Rectangle, mm: int, obstacles: Iterable[Polygon]) -> int:
    """How far, at most `mm`, a unit can go straight ahead before the ground it sweeps overlaps an obstacle.

    The answer n is whole: a sweep of n overlaps none, and unless n is `mm`, one of n + 1 does (0 also when it overlaps
    one where it stands). So a charge ends in contact. Cost: one sweep; if that meets something, about log2(mm) more
    against what it meets.

    >>> foe = Rectangle(Point(0, 100), 20, 6, 180)
    >>> room_ahead(Rectangle(Point(0, 0), 20, 6, 0), 500, [foe.outline()])
    94
    """
    longest = unit.swept(mm)
    near = [area for area in obstacles if _close(longest, area)]
    met = [area for area in near if longest.meets(area) == "overlaps"]
    if not met:
        return mm
    room = _halved(unit, mm, met)
    if len(met) < len(near) and _bars(unit, room, near):  # a shorter sweep may reach aside by a rounded millimetre
        return _halved(unit, room, near)
    return room


def _close(sweep: Polygon, area: Polygon) -> bool:
    """Whether the bounds of an area come near a sweep, or a shorter one, whose rounding may differ by a millimetre."""
    return (
        sweep.west - 2 <= area.east
        and area.west <= sweep.east + 2
        and sweep.south - 2 <= area.north
        and area.south <= sweep.north + 2
    )


def _bars(unit: Rectangle, mm: int, areas: Iterable[Polygon]) -> bool:
    swept = unit.swept(mm)
    return any(swept.meets(area) == "overlaps" for area in areas)


def _halved(unit: Rectangle, mm: int, areas: Sequence[Polygon]) -> int:
    """The room before some areas, by halving."""
    free, barred = 0, mm + 1
    while barred - free > 1:
        middle = (free + barred) // 2
        if _bars(unit, middle, areas):
            barred = middle
        else:
            free = middle
    return free


def _half(scaled: int) -> int:
    """Half of a number times `SCALE`, in whole units, to the nearest, halves away from 0."""
    whole = (abs(scaled) + SCALE) // (2 * SCALE)
    return whole if scaled >= 0 else -whole


def _none_between(mine: tuple[Point, ...], theirs: tuple[Point, ...]) -> bool:
    """Whether no side of either clockwise convex outline parts the two."""
    return not (_is_parted(mine, theirs) or _is_parted(theirs, mine))


def _is_parted(corners: tuple[Point, ...], others: tuple[Point, ...]) -> bool:
    """Whether some side of a clockwise convex outline has all the other corners outside it or on it."""
    return any(all(turn(corners[n - 1], corner, other) >= 0 for other in others) for n, corner in enumerate(corners))


@lru_cache(maxsize=16384)
def _gap(a: Rectangle, b: Rectangle) -> tuple[int, int]:
    """The square of the shortest distance between two units as a pair of integers, above and below the line."""
    mine, theirs = a.corners(), b.corners()
    if _none_between(mine, theirs):
        return 0, 1
    return _shorter(_nearest(mine, theirs), _nearest(theirs, mine))


def _shorter(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one if one[0] * other[1] <= other[0] * one[1] else other


def _nearest(corners: tuple[Point, ...], others: tuple[Point, ...]) -> tuple[int, int]:
    """The squared distance from the nearest of some corners to the nearest side of the others, as a pair."""
    best, of = -1, 1
    for n, b in enumerate(others):
        a = others[n - 1]
        ax, ay, dx, dy = a.x, a.y, b.x - a.x, b.y - a.y
        length = dx * dx + dy * dy
        for corner in corners:
            px, py = corner.x - ax, corner.y - ay
            forward = px * dx + py * dy
            if forward <= 0:
                square, below = px * px + py * py, 1
            elif forward >= length:
                square, below = (px - dx) ** 2 + (py - dy) ** 2, 1
            else:
                square, below = (dx * py - dy * px) ** 2, length
            if best < 0 or square * of < best * below:
                best, of = square, below
    return best, of


def _hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the smallest convex outline round some points, clockwise from the westmost, none of them straight.

    Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979.
    """
    ordered = sorted(set(points), key=lambda point: (point.x, point.y))
    outline: list[Point] = []
    for run in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for point in run:
            while len(chain) > 1 and turn(chain[-2], chain[-1], point) >= 0:
                chain.pop()
            chain.append(point)
        outline += chain[:-1]
    return outline
