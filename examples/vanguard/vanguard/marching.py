"""Marching (VG-1, VG-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vanguard.facts import Marched
from vanguard.state import Field
from wardiary.facts import Hex, OrderLapsed, digits_of
from wardiary.rules import Procedure, Situation, hexes

ALLOWANCE: Final[Mapping[bool, int]] = {False: 2, True: 4}
"""What foot and horse may spend on a march."""
IN_WOODS: Final = 2
"""What a wooded hex costs; any other costs 1."""


def cost(field: Field, path: Sequence[Hex]) -> int:
    """What a path costs (VG-1, VG-2)."""
    return sum(IN_WOODS if place in field.woods else 1 for place in path)


def blocked(field: Field, name: str, place: Hex) -> bool:
    """Whether another unit stands in a hex (VG-1)."""
    return field.unit_at(place) not in ("", name)


def marching(situation: Situation[Field, Any], orders: Sequence[tuple[str, tuple[Hex, ...]]]) -> Procedure:
    """The units march one after the other, by name; whoever finds the way taken stops before it (VG-1)."""
    for name, path in orders:
        free = []
        for place in path:
            if blocked(situation.state, name, place):
                break
            free.append(place)
        if free:
            yield Marched(name, tuple(free), "VG-1")
        else:
            text = f"{name}: march {' '.join(map(digits_of, path))}"
            yield OrderLapsed(name, text, f"{situation.state.unit_at(path[0])} is in the way", "VG-1")


def route_towards(field: Field, name: str, goal: Hex) -> tuple[Hex, ...]:
    """A way that comes nearer with each hex, as far as the allowance goes; empty if there is none."""
    unit, path = field.units[name], list[Hex]()
    here = unit.at
    while hexes.distance(here, goal) > 1:
        nearer = [
            place
            for place in hexes.neighbours(here)
            if field.map.holds(place)
            and hexes.distance(place, goal) < hexes.distance(here, goal)
            and not blocked(field, name, place)
            and not (unit.horse and place in field.woods)
            and cost(field, [*path, place]) <= ALLOWANCE[unit.horse]
        ]
        if not nearer:
            break
        here = nearer[0]
        path.append(here)
    return tuple(path)
