"""Where names stand beside what they name, so that they cover each other and the pieces as little as may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from unicodedata import east_asian_width

from msgspec import Struct

CHARACTER: Final = 83
"""How wide a letter is taken to be, in tenths of a page unit, at 14 units of height."""

HEIGHT: Final = 140
GAP: Final = 40
LONGEST: Final = 24


class Box(Struct, frozen=True, gc=False):
    """An upright rectangle on the page, in tenths of page units; `y` is its top."""

    x: int
    y: int
    width: int
    height: int


class Spot(Struct, frozen=True, gc=False):
    """Where a text stands: the point on its base line, and which part of it is there."""

    x: int
    y: int
    anchor: str
    box: Box


def shorten(text: str) -> str:
    """Cut a name to what fits beside a piece.

    >>> shorten("Grubnik"), shorten("The Honourable Company of Bowmen")
    ('Grubnik', 'The Honourable Company …')
    """
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def text_width(text: str) -> int:
    """Guess how wide a text is, in tenths of page units; wide letters count twice."""
    return CHARACTER * sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def place_labels(
    pieces: Sequence[Box], texts: Sequence[str], bounds: Box, taken: Sequence[Box] = ()
) -> list[Spot]:  # fmt: skip
    """Give each piece's text a spot beside it, in order: the first of eight that covers least. Quadratic.

    What is covered is other texts (which counts double), other pieces, what is `taken` by texts that stand fast, and
    what lies outside `bounds`.
    """
    placed: list[Spot] = []
    for number, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        spots = _spots(piece, text_width(text))
        costs = [_cost(spot.box, number, pieces, placed, bounds) + _covered(spot.box, taken) for spot in spots]
        placed.append(spots[costs.index(min(costs))])
    return placed


def _spots(piece: Box, width: int) -> list[Spot]:
    """The eight places round a piece: right, left, below, above, then the corners; long pieces begin below."""
    right, left = piece.x + piece.width + GAP, piece.x - GAP
    middle, line = piece.x + piece.width // 2, piece.y + piece.height // 2 + 45
    below, above = piece.y + piece.height + GAP + 100, piece.y - GAP - 30
    sides = [(right, line, "start"), (left, line, "end")]
    ends = [(middle, below, "middle"), (middle, above, "middle")]
    corners = [(right, below, "start"), (right, above, "start"), (left, below, "end"), (left, above, "end")]
    order = [*ends, *sides] if piece.width > 2 * piece.height else [*sides, *ends]
    return [_spot(x, y, anchor, width) for x, y, anchor in [*order, *corners]]


def _spot(x: int, y: int, anchor: str, width: int) -> Spot:
    start = x if anchor == "start" else x - width if anchor == "end" else x - width // 2
    return Spot(x, y, anchor, Box(start, y - 110, width, HEIGHT))


def _covered(box: Box, taken: Sequence[Box]) -> int:
    return sum(overlap(box, other) for other in taken)


def _cost(box: Box, own: int, pieces: Sequence[Box], placed: Sequence[Spot], bounds: Box) -> int:
    covered = sum(2 * overlap(box, other.box) for other in placed)
    covered += sum(overlap(box, piece) for number, piece in enumerate(pieces) if number != own)
    return covered + 2 * (box.width * box.height - overlap(box, bounds))


def overlap(one: Box, other: Box) -> int:
    """Return the area that two boxes share.

    >>> overlap(Box(0, 0, 10, 10), Box(5, 5, 10, 10)), overlap(Box(0, 0, 10, 10), Box(10, 0, 5, 5))
    (25, 0)
    """
    x = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    y = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return x * y if x > 0 and y > 0 else 0
