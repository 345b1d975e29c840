"""How a Rhand fight looks: the hexes, and every fighter in their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from events.places import Hex, Point, digits_of, rows_down
from projections.rhand.captions import STEPS, words
from projections.rhand.state import Fighter, Rhand
from projections.scene import NOBODY, Area, Mark, Scene, side_of, sides_of

_SIDE: Final = 1000
"""The side of a hex as it is drawn. A hex map has no millimetres; every place on it is drawn by this measure."""

_HALF: Final = 866
"""Half the height of a hex: its side times the half of the root of three, rounded once."""

_CORNERS: Final = ((_SIDE, 0), (_SIDE // 2, _HALF), (-_SIDE // 2, _HALF), (-_SIDE, 0), (-_SIDE // 2, -_HALF),
                   (_SIDE // 2, -_HALF))  # fmt: skip
_MAN: Final = (900, 900)
_HORSE: Final = (700, 1400)
_MOST_CELLS: Final = 1600
"""Of a field with more hexes than this only the closed ones are drawn."""


def scene(state: Rhand) -> Scene:
    """Draw the fight as it stands."""
    table = state.table
    when = f"over: {table.ended}" if table.ended else f"phase {state.phase}, {STEPS[state.step]}"
    return Scene(
        *_size(state.columns, state.rows),
        title=f"{table.title} — {when}" if table.title else when,
        sides=sides_of(state),
        areas=_cells(state.columns, state.rows, state.closed),
        marks=tuple(_marks(state)),
        unit_name="",
    )


def _size(columns: int, rows: int) -> tuple[int, int]:
    if not columns or not rows:
        return 0, 0
    return columns * _SIDE * 3 // 2 + _SIDE // 2, rows * 2 * _HALF + _HALF


def _middle(place: Hex, rows: int) -> Point:
    """The middle of a hex. Odd columns stand half a hex north of even ones."""
    row = place.r + rows_down(place.q)
    southward = (2 * row + 2 - place.q % 2) * _HALF
    return Point(_SIDE + place.q * _SIDE * 3 // 2, _size(1, rows)[1] - southward)


@lru_cache(maxsize=8)
def _cells(columns: int, rows: int, closed: tuple[Hex, ...]) -> tuple[Area, ...]:
    """The hexes; those along the west and north edge are named, so that the others can be counted."""
    every = [Hex(column, row - rows_down(column)) for row in range(rows) for column in range(columns)]
    shut = frozenset(closed)
    found = []
    for place in every if len(every) <= _MOST_CELLS else closed:
        name = digits_of(place)
        middle = _middle(place, rows)
        outline = tuple(Point(middle.x + x, middle.y + y) for x, y in _CORNERS)
        on_edge = place.q == 0 or name.endswith("00")
        found.append(Area(name, name if on_edge else "", outline, "closed" if place in shut else "cell"))
    return tuple(found)


def _marks(state: Rhand) -> Iterator[Mark]:
    ridden = {each.rides for each in state.fighters.values()}
    for name, fighter in sorted(state.fighters.items()):
        if not (fighter.is_horse and name in ridden):
            side = side_of(state, fighter.seat) if fighter.seat else NOBODY
            size = _HORSE if fighter.is_horse or fighter.rides else _MAN
            at = _middle(fighter.at, state.rows)
            yield Mark(
                name,
                fighter.name,
                side,
                at,
                fighter.facing * 60,
                *size,
                "down" if fighter.out else "up",
                _note(fighter),
            )


def _note(fighter: Fighter) -> str:
    arms = [words(each) for each in (fighter.in_hand, fighter.shield_in_use, fighter.missile) if each]
    hurt = [words(each) + " disabled" for each in fighter.disabled]
    parts = [f"hex {digits_of(fighter.at)}", f"damage {fighter.total}", " + ".join(arms) or "unarmed", *hurt]
    parts += (
        ["died"] * fighter.died
        + ["has given up"] * fighter.yielded
        + ["on their knees"] * (fighter.on_knees and not fighter.out)
    )
    parts += [words(fighter.covered_by)] * bool(fighter.covered_by)
    if fighter.preparing:
        parts.append(f"prepares {words(fighter.preparing)}")
    return "; ".join(parts)
