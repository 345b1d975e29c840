"""Where all come to stand who move at once: enemies stop each other, and nobody ends on anybody (DA-30).

Pure geometry on whole numbers. Everybody takes the same time for the whole of their way, so the order in which figures
are taken counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from engine.field.plane import NM_PER_MM, clip_path, distance_mm, path_length, squared
from events.places import Point


class Body(Struct, frozen=True):
    """A figure on its way: `base` is the width of its base in mm, `path` its way, its start first."""

    figure: str
    seat: str
    base: int
    path: tuple[Point, ...]


def stops(bodies: Sequence[Body]) -> dict[str, list[Point]]:
    """How much of their ways all get to go.

    Who comes upon an enemy stops as their bases touch; friends are passed, but nobody ends on anybody: of two who would
    end on one spot, the one who has the longer way stays behind the other.
    Cost: pairs of figures that come near each other, times the millimetres of the longest way at worst.
    """
    walks = {body.figure: _Walk(body) for body in sorted(bodies, key=lambda each: each.figure)}
    _meet(list(walks.values()))
    _make_room(list(walks.values()))
    return {name: walk.reached() for name, walk in walks.items()}


class _Walk:
    """One figure's way, and how much of it it goes, in mm; all of it until something stops it."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.length = path_length(body.path)
        self.mm = -(-self.length // NM_PER_MM)
        self.stop: int | None = None
        self._places: dict[int, Point] = {}

    @property
    def gone(self) -> int:
        """How many mm of its way it goes."""
        return self.mm if self.stop is None else self.stop

    def at(self, mm: int) -> Point:
        """Where it is after so many mm of its way."""
        if mm not in self._places:
            whole = mm * NM_PER_MM >= self.length
            self._places[mm] = self.body.path[-1] if whole else clip_path(self.body.path, mm)[-1]
        return self._places[mm]

    def when(self, moment: int, moments: int) -> int:
        """How many mm it has gone at a moment."""
        return min(self.mm * moment // moments, self.gone)

    def reached(self) -> list[Point]:
        """The part of its way that it goes."""
        return list(self.body.path) if self.stop is None else clip_path(self.body.path, self.stop)


def _touch(one: _Walk, other: _Walk) -> Fraction:
    return Fraction(one.body.base + other.body.base, 2)


def _meet(walks: Sequence[_Walk]) -> None:
    """Stop enemies where they come upon each other, moment by moment."""
    moments = max((walk.mm for walk in walks), default=0)
    due: dict[int, list[tuple[_Walk, _Walk]]] = {1: []}
    for one, other in combinations(walks, 2):
        if one.body.seat != other.body.seat and (one.mm or other.mm):
            due[1].append((one, other))
    for moment in range(1, moments + 1):
        for one, other in due.pop(moment, ()):
            wait = _step(one, other, moment, moments)
            if wait and moment + wait <= moments:
                due.setdefault(moment + wait, []).append((one, other))


def _step(one: _Walk, other: _Walk, moment: int, moments: int) -> int:
    """Look at two enemies at a moment; stop those who run into each other, and tell after how long to look again."""
    before = one.at(one.when(moment - 1, moments)), other.at(other.when(moment - 1, moments))
    now = one.at(one.when(moment, moments)), other.at(other.when(moment, moments))
    touch = _touch(one, other)
    if squared(*now) < touch**2 and squared(*now) < squared(*before):
        if squared(now[0], before[1]) < squared(*before):
            one.stop = one.when(moment - 1, moments)
        if squared(before[0], now[1]) < squared(*before):
            other.stop = other.when(moment - 1, moments)
    gap = distance_mm(*now) - 1 - touch
    closing = Fraction(one.mm + other.mm, moments) + 2  # in a moment; places are rounded to a millimetre
    return max(1, int(gap / closing)) if one.stop is None or other.stop is None else 0


def _make_room(walks: Sequence[_Walk]) -> None:
    """Hold back whoever would end on somebody else; who goes farther gives way, of equals the later by name."""
    crowded = True
    while crowded:
        crowded = False
        for one, other in combinations(walks, 2):
            if squared(one.at(one.gone), other.at(other.gone)) >= _touch(one, other) ** 2:
                continue
            back = max((one, other), key=lambda walk: (walk.gone, walk.body.figure))
            if back.gone:
                back.stop = _clear(back, other if back is one else one)
                crowded = True


def _clear(walk: _Walk, other: _Walk) -> int:
    """The last mm of what it goes now at which a figure does not stand on another, or none."""
    there, touch = other.at(other.gone), _touch(walk, other) ** 2
    return next((mm for mm in range(walk.gone - 1, 0, -1) if squared(walk.at(mm), there) >= touch), 0)


def straight_stop(start: Point, end: Point, base: int, others: Mapping[Point, int]) -> Point:
    """Where somebody comes to stand who is moved straight on, and stops as soon as they touch anybody.

    `others` are the places of all others with the widths of their bases. Who is touched already does not count unless
    the way leads nearer to them.
    """
    path = (start, end)
    for mm in range(1, distance_mm(start, end) + 1):
        place = end if mm * NM_PER_MM >= path_length(path) else clip_path(path, mm)[-1]
        for there, width in others.items():
            if 4 * squared(place, there) < (base + width) ** 2 and squared(place, there) < squared(start, there):
                return start if mm == 1 else clip_path(path, mm - 1)[-1]
    return end
