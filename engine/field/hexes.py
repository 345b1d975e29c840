"""Hexes: neighbours, distances, lines, rings, facings, and their four-digit names.

Hexes stand in columns, with a flat side to the north. A direction is a hex side, 0 to 5 clockwise from north: 0 north,
1 north-east, 2 south-east, 3 south, 4 south-west, 5 north-west. A facing is a direction; other integers wrap round.

The name 0304 is column 3, row 4, rows counted southward; even columns stand half a hex south of odd ones.
"""

from __future__ import annotations

from typing import Final

from events.places import Hex, PlaceInvalid, digits_of, rows_down

STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""What a step in each direction adds to q and r."""

ARC_NAMES: Final = ("front", "right_front", "right_rear", "rear", "left_rear", "left_front")
"""The six sectors round a facing, clockwise."""

HIGHEST: Final = 99
"""The last column or row that four digits can name."""


def neighbour(hex_: Hex, direction: int) -> Hex:
    """The hex next to this one in a direction.

    >>> neighbour(Hex(0, 0), 0), neighbour(Hex(0, 0), 8) == neighbour(Hex(0, 0), 2)
    (Hex(q=0, r=-1), True)
    """
    q, r = STEPS[direction % 6]
    return Hex(hex_.q + q, hex_.r + r)


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """The six hexes next to this one, clockwise from the north."""
    return tuple(Hex(hex_.q + q, hex_.r + r) for q, r in STEPS)


def distance(a: Hex, b: Hex) -> int:
    """The least number of steps from one hex to another.

    >>> distance(Hex(0, 0), Hex(2, -1)), distance(Hex(0, 0), Hex(2, 3))
    (2, 5)
    """
    dq, dr = b.q - a.q, b.r - a.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes under a straight line from the middle of `a` to the middle of `b`, both of them included.

    Each is next to the one before. Where the line runs along the side between two hexes it takes the eastern one, or
    the southern of two in a column, from whichever end it is drawn.

    >>> [hex_name(hex_) for hex_ in line(hex_named("0304"), hex_named("0503"))]
    ['0304', '0403', '0503']
    >>> [hex_name(hex_) for hex_ in line(hex_named("0304"), hex_named("0504"))]
    ['0304', '0404', '0504']
    """
    steps = distance(a, b)
    if not steps:
        return (a,)
    dq, dr = b.q - a.q, b.r - a.r
    hexes = []
    for n in range(steps + 1):
        # Of q, r and their sum, one changes by 1 at each step and stays whole; only one other is left to round.
        q = a.q + (2 * dq * n + steps) // (2 * steps)
        r = a.r + (2 * dr * n + steps) // (2 * steps)
        if abs(dq + dr) == steps:
            r = a.q + a.r + (dq + dr) * n // steps - q
        hexes.append(Hex(q, r))
    return tuple(hexes)


def ring(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at exactly this distance, clockwise from the one straight north; just the centre for 0.

    Raises `PlaceInvalid` for a negative radius. Cost: six times the radius.

    >>> ring(Hex(0, 0), 1) == neighbours(Hex(0, 0)), len(ring(Hex(3, 3), 4))
    (True, 24)
    """
    if radius < 0:
        raise PlaceInvalid("ring", f"radius {radius} is less than nothing; give 0 or more")
    if radius == 0:
        return (centre,)
    hexes = []
    here = Hex(centre.q, centre.r - radius)
    for side in range(6):
        for _ in range(radius):
            hexes.append(here)
            here = neighbour(here, side + 2)
    return tuple(hexes)


def hexes_within(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at most this far away: the centre, then ring after ring.

    >>> len(hexes_within(Hex(0, 0), 2))
    19
    """
    return tuple(hex_ for distance_ in range(radius + 1) for hex_ in ring(centre, distance_))


# -- facing ------------------------------------------------------------------------------------------------------------


def sides_between(facing: int, other: int) -> int:
    """By how many hex sides, 0 to 3, two facings differ (SPX-08).

    >>> sides_between(5, 1), sides_between(0, 3)
    (2, 3)
    """
    clockwise = (other - facing) % 6
    return min(clockwise, 6 - clockwise)


def arc_hexes(centre: Hex, facing: int) -> dict[str, Hex]:
    """The six hexes round a figure, by the names of `ARC_NAMES`, clockwise from the one that it faces.

    >>> arc_hexes(Hex(0, 0), 2)["front"], arc_hexes(Hex(0, 0), 2)["rear"]
    (Hex(q=1, r=0), Hex(q=-1, r=0))
    """
    return {name: neighbour(centre, facing + turned) for turned, name in enumerate(ARC_NAMES)}


def front_hexes(centre: Hex, facing: int) -> tuple[Hex, ...]:
    """The three hexes to the front of a figure: left front, front, right front."""
    return tuple(neighbour(centre, facing + turned) for turned in (-1, 0, 1))


def side_hexes(centre: Hex, facing: int) -> tuple[Hex, ...]:
    """The two hexes on the flanks of a figure that has one rear hex: left rear, right rear."""
    return tuple(neighbour(centre, facing + turned) for turned in (-2, 2))


def rear_hex(centre: Hex, facing: int) -> Hex:
    """The hex straight behind a figure."""
    return neighbour(centre, facing + 3)


def arcs_of(centre: Hex, facing: int, other: Hex) -> tuple[str, ...]:
    """In which of the six sectors round a figure a hex lies, at any distance, by the names of `ARC_NAMES`.

    A sector reaches 30 degrees to each side of a direction. On the boundary of two both are given, clockwise; for the
    figure's own hex none.

    >>> arcs_of(Hex(0, 0), 0, Hex(0, -4)), arcs_of(Hex(0, 0), 0, Hex(1, -2)), arcs_of(Hex(0, 0), 0, Hex(0, 0))
    (('front',), ('front', 'right_front'), ())
    """
    dq, dr = other.q - centre.q, other.r - centre.r
    if dq == dr == 0:
        return ()
    leanings = [2 * (dq * q + dr * r) + dq * r + dr * q for q, r in STEPS]
    most = max(leanings)
    nearest = [turned for turned in range(6) if leanings[(facing + turned) % 6] == most]
    if nearest == [0, 5]:
        nearest = [5, 0]
    return tuple(ARC_NAMES[turned] for turned in nearest)


# -- names -------------------------------------------------------------------------------------------------------------


def hex_name(hex_: Hex) -> str:
    """The four-digit name of a hex, column then row, each 00 to 99. Raises `PlaceInvalid` for a hex beyond those.

    >>> hex_name(Hex(3, 2)), hex_name(Hex(2, 0))
    ('0304', '0201')
    """
    column, row = hex_.q, hex_.r + rows_down(hex_.q)
    if not (0 <= column <= HIGHEST and 0 <= row <= HIGHEST):
        raise PlaceInvalid("hex", f"column {column}, row {row} has no name; stay within 0 to {HIGHEST} of both")
    return digits_of(hex_)


def hex_named(name: str) -> Hex:
    """The hex that a four-digit name means. Raises `PlaceInvalid` if it is not four plain digits.

    >>> hex_named("0304")
    Hex(q=3, r=2)
    """
    if len(name) != 4 or not (name.isascii() and name.isdigit()):
        raise PlaceInvalid("hex", f"{name!r} is not four digits; write column and row, such as 0304")
    column, row = int(name[:2]), int(name[2:])
    return Hex(column, row - rows_down(column))
