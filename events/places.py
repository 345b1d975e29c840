"""Places that facts speak of: points of a measured map and hexes of a hex map."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from events.errors import DiaryError


class PlaceInvalid(DiaryError, ValueError):
    """A place, shape or direction cannot exist, such as an outline that crosses itself.

    `what` names the thing that is wrong ("wood", "hex 3a4"), so that a caller can point at it.
    """

    code: ClassVar[str] = "place/invalid"

    def __init__(self, what: str, message: str) -> None:
        super().__init__(f"{what}: {message}")
        self.what = what
        self.reason = message


class Point(Struct, frozen=True, array_like=True, gc=False):
    """A spot on a measured map, in whole millimetres of the battlefield: `x` grows eastward, `y` northward.

    In a record it is written as the short list `[x, y]`.

    >>> Point(3, 4) == Point(x=3, y=4)
    True
    """

    x: int
    y: int


class Hex(Struct, frozen=True, array_like=True, gc=False):
    """A hex of a hex map in axial numbers: `q` grows eastward by column, `r` southward along a column.

    In a record it is written as the short list `[q, r]`; people read and write it as four digits, such as 0304.

    >>> Hex(3, 2) == Hex(q=3, r=2)
    True
    """

    q: int
    r: int


def rows_down(column: int) -> int:
    """Return how many rows further down than its r the hexes of a column are counted."""
    return (column + 1) // 2


def digits_of(place: Hex) -> str:
    """Write a hex as its four digits, column then row, as maps number them. Whether it is on a map is not looked at.

    >>> digits_of(Hex(3, 2))
    '0304'
    """
    return f"{place.q:02}{place.r + rows_down(place.q):02}"
