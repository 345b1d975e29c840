"""What a state looks like, whatever the rules: ground, walls and pieces, for those who draw it.

A rule set gives its fold a function from its state to a `Scene`. It may depend on the rule set's own fields and, of the
table, on the seats, the turn and the end alone: then nothing needs to be drawn anew while dice fall (`same_field`).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from events.places import Point
from projections.battle_state import State

Look: TypeAlias = Literal[
    "open", "field", "wood", "water", "marsh", "rough", "slope", "road", "ditch", "building", "works", "cell", "closed"
]
"""How ground is drawn. `cell` is an open hex or square, `closed` one that nobody enters."""

Standing: TypeAlias = Literal["up", "down", "routing", "gone"]
"""How a piece is: fit to act, fallen, fleeing, or no longer on the field (then it is not drawn)."""

LOOKS: Final[tuple[Look, ...]] = get_args(Look)
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)
NOBODY: Final = -1
"""The side of what belongs to no side."""


class Area(Struct, frozen=True, gc=False):
    """Ground with an outline of at least three corners, drawn in the order given."""

    id: str
    label: str
    outline: tuple[Point, ...]
    look: Look = "open"


class Wall(Struct, frozen=True, gc=False):
    """A line on the ground that is in the way; `thin` for a fence or hedge."""

    id: str
    label: str
    points: tuple[Point, ...]
    thin: bool = False


class Mark(Struct, frozen=True, gc=False):
    """A piece: whose it is (the number of its seat, or `NOBODY`), where its middle is, how it faces and how it is.

    `facing` is whole degrees clockwise from north; `width` runs along the front, `depth` from front to rear.
    """

    id: str
    label: str
    side: int
    at: Point
    facing: int | None
    width: int
    depth: int
    state: Standing = "up"
    note: str = ""


class Scene(Struct, frozen=True, gc=False):
    """A field to be drawn: its size and all places in whole millimetres from the south-west corner, north up.

    `sides` are the names of the seats. `unit` is how many millimetres make one of `unit_name`, for the scale.
    """

    width: int
    height: int
    title: str = ""
    sides: tuple[str, ...] = ()
    areas: tuple[Area, ...] = ()
    walls: tuple[Wall, ...] = ()
    marks: tuple[Mark, ...] = ()
    unit: int = 1
    unit_name: str = "mm"


def sides_of(state: State) -> tuple[str, ...]:
    """Return the names of the seats, in the order in which marks number them."""
    return tuple(seat.name for seat in state.table.seats)


def side_of(state: State, seat: str) -> int:
    """Return the number of a seat, or `NOBODY`."""
    return next((number for number, each in enumerate(state.table.seats) if each.id == seat), NOBODY)


def place_of(scene: Scene, at: Point) -> str:
    """Write a place in the scene's unit, to a tenth, as orders name it; empty for a scene without a unit.

    >>> place_of(Scene(1000, 500, unit=10, unit_name="cm"), Point(309, 190))
    '30.9,19 cm'
    """
    if not scene.unit_name:
        return ""
    return f"{_tenths(at.x, scene.unit)},{_tenths(at.y, scene.unit)} {scene.unit_name}"


def _tenths(mm: int, unit: int) -> str:
    """Write a length in units, rounded half up to a tenth, without a needless zero."""
    whole, tenth = divmod((20 * abs(mm) + unit) // (2 * unit), 10)
    return f"{'-' if mm < 0 else ''}{whole}" + (f".{tenth}" if tenth else "")


def same_field(before: State, after: State) -> bool:
    """Tell whether two states look the same because nothing that a scene depends on was touched. Cost: one per field.

    What was touched but ended up equal may count as different; nothing different ever counts as the same.
    """
    if before is after:
        return True
    old, new = before.table, after.table
    if old is not new and (old.turn, old.ended, old.seats) != (new.turn, new.ended, new.seats):
        return False
    return all(getattr(before, name) is getattr(after, name) for name in after.__struct_fields__ if name != "table")
