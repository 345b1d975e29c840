"""Areas of the map with straight sides: woods, marshes, buildings, footprints. And how straight lines meet.

All corners are whole millimetres, so every answer here is exact: nothing is near enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from events.places import PlaceInvalid, Point

Crossing: TypeAlias = Literal["apart", "touches", "crosses"]
"""How two segments meet."""

Passage: TypeAlias = Literal["clear", "grazes", "enters"]
"""How a segment meets an area: not at all, at its edge only, or with a stretch inside."""

Meeting: TypeAlias = Literal["apart", "touches", "overlaps"]
"""How two areas meet: not at all, at their edges only, or with ground in common."""

Edge: TypeAlias = tuple[int, int, int, int]


def turn(a: Point, b: Point, c: Point) -> int:
    """On which side of the line from `a` to `b` the point `c` lies: above 0 left, below 0 right, 0 on it.

    The figure is twice the area of the triangle, in square millimetres.

    >>> turn(Point(0, 0), Point(0, 5), Point(-2, 0)), turn(Point(0, 0), Point(0, 5), Point(0, 9))
    (10, 0)
    """
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def on_segment(a: Point, b: Point, point: Point) -> bool:
    """Whether a point lies on the segment from `a` to `b`, its ends included.

    >>> on_segment(Point(0, 0), Point(4, 4), Point(3, 3)), on_segment(Point(0, 0), Point(4, 4), Point(5, 5))
    (True, False)
    """
    return (
        turn(a, b, point) == 0
        and min(a.x, b.x) <= point.x <= max(a.x, b.x)
        and min(a.y, b.y) <= point.y <= max(a.y, b.y)
    )


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> Crossing:
    """How the segment a–b meets the segment c–d.

    "crosses" means that each passes from one side of the other to the other side; every other contact, at an end or
    along a stretch, "touches".

    >>> segments_meet(Point(0, 0), Point(4, 4), Point(0, 4), Point(4, 0))
    'crosses'
    >>> segments_meet(Point(0, 0), Point(4, 4), Point(2, 2), Point(4, 0))
    'touches'
    """
    c_side, d_side = turn(a, b, c), turn(a, b, d)
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return "apart"
    a_side, b_side = turn(c, d, a), turn(c, d, b)
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return "apart"
    if c_side and d_side and a_side and b_side:
        return "crosses"
    touching = on_segment(a, b, c) or on_segment(a, b, d) or on_segment(c, d, a) or on_segment(c, d, b)
    return "touches" if touching else "apart"


class Polygon(Struct, frozen=True):
    """An area with at least three corners whose outline does not touch itself. Build it with `polygon`.

    The outline may run either way round. `edges` and the bounds are worked out once, for speed.
    """

    vertices: tuple[Point, ...]
    edges: tuple[Edge, ...]
    west: int
    south: int
    east: int
    north: int

    def contains(self, point: Point) -> bool:
        """Whether a point lies in the area, its edge included. Cost: a pass over the edges, less beyond the bounds."""
        x, y = point.x, point.y
        return self.west <= x <= self.east and self.south <= y <= self.north and _place(self.edges, x, y) >= 0

    def on_edge(self, point: Point) -> bool:
        """Whether a point lies exactly on the outline."""
        return _place(self.edges, point.x, point.y) == 0

    def holds_inside(self, point: Point) -> bool:
        """Whether a point lies in the area and not on its edge."""
        return _place(self.edges, point.x, point.y) > 0

    def crosses(self, a: Point, b: Point) -> Passage:
        """How the segment a–b meets the area; a segment that only touches a corner or runs along an edge "grazes".

        >>> wood = polygon([Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)])
        >>> wood.crosses(Point(-5, 5), Point(5, 5)), wood.crosses(Point(-5, 0), Point(15, 0))
        ('enters', 'grazes')
        >>> wood.crosses(Point(-5, -1), Point(15, -1))
        'clear'
        """
        if self._lies_beyond(a, b):
            return "clear"
        if _place(self.edges, a.x, a.y) > 0 or _place(self.edges, b.x, b.y) > 0:
            return "enters"
        touched = False
        for c, d in _sides(self.vertices):
            meeting = segments_meet(a, b, c, d)
            if meeting == "crosses":
                return "enters"
            touched = touched or meeting == "touches"
        if not touched:
            return "clear"
        return "enters" if self.inside_share(a, b) else "grazes"

    def inside_share(self, a: Point, b: Point) -> Fraction:
        """The share of the segment a–b, 0 to 1, that runs inside the area; a stretch along an edge does not count.

        Exact. For a segment without length: 1 inside, 0 elsewhere.

        >>> polygon([Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)]).inside_share(Point(-5, 5), Point(10, 5))
        Fraction(2, 3)
        """
        if a == b:
            return Fraction(int(self.holds_inside(a)))
        cuts = sorted({Fraction(0), Fraction(1), *self._cuts(a, b)})
        return sum((end - start for start, end in pairwise(cuts) if self._runs_inside(a, b, start + end)), Fraction(0))

    def entered(self, path: Sequence[Point]) -> bool:
        """Whether a path has any stretch inside the area. Following the edge is not entering.

        >>> marsh = polygon([Point(0, 0), Point(10, 0), Point(10, 10)])
        >>> marsh.entered([Point(-5, 0), Point(15, 0)]), marsh.entered([Point(0, 5), Point(20, 5)])
        (False, True)
        """
        if len(path) == 1:
            return self.holds_inside(path[0])
        return any(self.crosses(a, b) == "enters" for a, b in pairwise(path))

    def meets(self, other: Polygon) -> Meeting:
        """How this area meets another one. Cost: the product of their numbers of corners.

        >>> wood = polygon([Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)])
        >>> wood.meets(polygon([Point(10, 0), Point(20, 0), Point(15, 5)]))
        'touches'
        """
        if self.east < other.west or other.east < self.west or self.north < other.south or other.north < self.south:
            return "apart"
        passages = {self.crosses(a, b) for a, b in _sides(other.vertices)}
        if "enters" not in passages:
            passages.update(other.crosses(a, b) for a, b in _sides(self.vertices))
        # Where neither outline runs inside the other area, ground in common means that they are the same area.
        if "enters" in passages or _plain_outline(self.vertices) == _plain_outline(other.vertices):
            return "overlaps"
        return "touches" if "grazes" in passages else "apart"

    def _lies_beyond(self, a: Point, b: Point) -> bool:
        """Whether the segment a–b is wholly to one side of the bounds."""
        return (
            (a.x < self.west and b.x < self.west)
            or (a.x > self.east and b.x > self.east)
            or (a.y < self.south and b.y < self.south)
            or (a.y > self.north and b.y > self.north)
        )

    def _cuts(self, a: Point, b: Point) -> Iterable[Fraction]:
        """The shares of the way from `a` to `b` at which it meets the outline, or begins or ends to run along it."""
        for c, d in _sides(self.vertices):
            if segments_meet(a, b, c, d) == "apart":
                continue
            a_side, b_side = turn(c, d, a), turn(c, d, b)
            if a_side != b_side:  # else it runs along this side; where that begins and ends, the next sides tell
                yield Fraction(a_side, a_side - b_side)

    def _runs_inside(self, a: Point, b: Point, twice: Fraction) -> bool:
        """Whether the point at half of `twice` of the way from `a` to `b` is inside; all is scaled until whole."""
        share, scale = twice.numerator, 2 * twice.denominator
        edges = [(ax * scale, ay * scale, bx * scale, by * scale) for ax, ay, bx, by in self.edges]
        return _place(edges, a.x * scale + (b.x - a.x) * share, a.y * scale + (b.y - a.y) * share) > 0


def polygon(vertices: Sequence[Point], name: str = "polygon") -> Polygon:
    """The area with these corners, in order round the outline, either way; `name` is for messages.

    Raises `PlaceInvalid` in one line if there are fewer than three corners, two neighbours are the same point, the
    corners all lie on one line or the outline crosses or touches itself. Cost: the square of the number of corners.

    >>> polygon([Point(0, 0), Point(10, 10), Point(10, 0), Point(0, 10)], "wood")
    Traceback (most recent call last):
    ...
    events.places.PlaceInvalid: wood: side 1-2 meets side 3-4; give the corners in order round the outline
    """
    corners = tuple(vertices)
    _check_outline(corners, name)
    return outlined(corners)


def outlined(vertices: Sequence[Point]) -> Polygon:
    """The area with these corners where they are known to be an outline, as those of a rectangle or a hull are."""
    corners = tuple(vertices)
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    edges = tuple((a.x, a.y, b.x, b.y) for a, b in _sides(corners))
    return Polygon(corners, edges, min(xs), min(ys), max(xs), max(ys))


def _check_outline(corners: tuple[Point, ...], name: str) -> None:
    count = len(corners)
    if count < 3:
        raise PlaceInvalid(name, f"has {count} corner{'s' * (count != 1)}; an area needs at least 3")
    sides = list(_sides(corners))
    for number, (a, b) in enumerate(sides, 1):
        if a == b:
            other = number % count + 1
            raise PlaceInvalid(name, f"corners {number} and {other} are both {a.x},{a.y}; leave one out")
    if all(turn(corners[0], corners[1], corner) == 0 for corner in corners):
        raise PlaceInvalid(name, "all corners lie on one line; an area needs breadth")
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(sides), 2):
        if j == i + 1:
            clash = on_segment(a, b, d) or on_segment(c, d, a)
        elif j - i == count - 1:
            clash = on_segment(a, b, c) or on_segment(c, d, b)
        else:
            clash = segments_meet(a, b, c, d) != "apart"
        if clash:
            meets = f"side {i + 1}-{i + 2} meets side {j + 1}-{(j + 1) % count + 1}"
            raise PlaceInvalid(name, f"{meets}; give the corners in order round the outline")


def _sides(corners: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(corners, (*corners[1:], corners[0]), strict=True)


def _place(edges: Iterable[Edge], x: int, y: int) -> int:
    """1 inside, 0 on the outline, -1 outside: counts the edges that a ray eastward from the point passes."""
    inside = -1
    for ax, ay, bx, by in edges:
        if (ay > y) != (by > y):
            side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if side == 0:
                return 0
            if (side > 0) == (by > ay):
                inside = -inside
        elif ay == y and (ax == x or (by == y and (ax < x) != (bx < x))):
            return 0
    return inside


def _plain_outline(corners: Sequence[Point]) -> tuple[Point, ...]:
    """The outline in standard form: only corners that bend, counter-clockwise from the southmost."""
    count = len(corners)
    plain = [corners[n] for n in range(count) if turn(corners[n - 1], corners[n], corners[(n + 1) % count])]
    doubled_area = sum(a.x * b.y - b.x * a.y for a, b in _sides(plain))
    if doubled_area < 0:
        plain.reverse()
    start = min(range(len(plain)), key=lambda n: (plain[n].y, plain[n].x))
    return (*plain[start:], *plain[:start])
