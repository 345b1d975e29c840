"""A map of hexes: which are on it, and where they are drawn.

Columns and rows are counted from 0, as the four-digit names show them: hex 0304 is column 3, row 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from events.places import Hex, Point, digits_of, rows_down
from projections.scene import Area, Look

SIDE: Final = 1000
"""The side of a hex as it is drawn. A hex map has no millimetres; every place on it is drawn by this measure."""

HALF: Final = 866
"""Half the height of a hex: its side times the half of the root of three, rounded once."""

MAX_CELLS: Final = 1600
"""Of a map with more hexes than this only those that look otherwise than open ones are drawn."""

_CORNERS: Final = ((SIDE, 0), (SIDE // 2, HALF), (-SIDE // 2, HALF), (-SIDE, 0), (-SIDE // 2, -HALF),
                   (SIDE // 2, -HALF))  # fmt: skip


class HexMap(Struct, frozen=True, gc=False):
    """A map of so many columns and rows.

    >>> HexMap(4, 5).holds(Hex(3, 2)), HexMap(4, 5).holds(Hex(4, 2))
    (True, False)
    """

    columns: int
    rows: int

    def holds(self, place: Hex) -> bool:
        """Tell whether a hex is on the map."""
        return 0 <= place.q < self.columns and 0 <= place.r + rows_down(place.q) < self.rows

    def hexes(self) -> list[Hex]:
        """Return every hex, row after row from the north."""
        return [Hex(column, row - rows_down(column)) for row in range(self.rows) for column in range(self.columns)]

    def names(self) -> list[str]:
        """Return the four-digit names of all hexes: the words of the vocabulary `hexes`."""
        return [digits_of(place) for place in self.hexes()]

    def size(self) -> tuple[int, int]:
        """Return width and height of the map as it is drawn: those of its `Scene`."""
        if not self.columns or not self.rows:
            return 0, 0
        return self.columns * SIDE * 3 // 2 + SIDE // 2, self.rows * 2 * HALF + HALF

    def middle(self, place: Hex) -> Point:
        """Return the middle of a hex as it is drawn. Odd columns stand half a hex north of even ones."""
        row = place.r + rows_down(place.q)
        southward = (2 * row + 2 - place.q % 2) * HALF
        return Point(SIDE + place.q * SIDE * 3 // 2, self.rows * 2 * HALF + HALF - southward)

    def areas(self, looks: Mapping[Hex, Look]) -> tuple[Area, ...]:
        """Return the hexes as areas of a `Scene`: those in `looks` look so, the others like open cells.

        Those along the west and north edge are named, so that the others can be counted. Kept for the next picture.
        """
        return _areas(self, tuple(looks.items()))


@lru_cache(maxsize=8)
def _areas(map_: HexMap, looks: tuple[tuple[Hex, Look], ...]) -> tuple[Area, ...]:
    known = dict(looks)
    places: Iterable[Hex] = map_.hexes() if map_.columns * map_.rows <= MAX_CELLS else known
    found = []
    for place in places:
        name, middle = digits_of(place), map_.middle(place)
        outline = tuple(Point(middle.x + x, middle.y + y) for x, y in _CORNERS)
        on_edge = place.q == 0 or name.endswith("00")
        found.append(Area(name, name if on_edge else "", outline, known.get(place, "cell")))
    return tuple(found)
