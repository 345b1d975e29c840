"""What the facts add up to, how they are told, and how the map looks."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from vanguard.facts import EVENTS, Arrived, Fought, GroundLaid, Lost, Marched, Recovered, Retreated, Shaken
from wardiary.facts import (
    Caption,
    Event,
    Fold,
    Hex,
    HexMap,
    Mark,
    Reducer,
    Scene,
    State,
    changed,
    digits_of,
    side_of,
    sides_of,
)


class Unit(Struct, frozen=True, gc=False):
    """A unit. `acted` is the turn in which it last did something, `shaken` that since which it is shaken, or 0."""

    seat: str
    horse: bool
    strength: int
    steadiness: int
    at: Hex
    acted: int = 0
    shaken: int = 0


class Field(State, frozen=True, gc=False):
    """The map and every unit by name; a unit without strength is gone."""

    map: HexMap = HexMap(0, 0)
    woods: tuple[Hex, ...] = ()
    turns: int = 0
    units: dict[str, Unit] = {}

    def standing(self) -> dict[str, Unit]:
        """The units on the map, by name."""
        return {name: unit for name, unit in sorted(self.units.items()) if unit.strength > 0}

    def unit_at(self, place: Hex) -> str:
        """The unit in a hex; empty if there is none."""
        return next((name for name, unit in self.standing().items() if unit.at == place), "")


def ground_laid(field: Field, event: GroundLaid) -> Field:
    return replace(field, map=HexMap(event.columns, event.rows), woods=event.woods, turns=event.turns)


def arrived(field: Field, event: Arrived) -> Field:
    unit = Unit(event.seat, event.horse, event.strength, event.steadiness, event.at)
    return replace(field, units={**field.units, event.unit: unit})


def marched(field: Field, event: Marched) -> Field:
    return replace(field, units=changed(field.units, event.unit, at=event.path[-1], acted=field.table.turn))


def fought(field: Field, event: Fought) -> Field:
    units = field.units
    for name in event.attackers:
        units = changed(units, name, acted=field.table.turn)
    return replace(field, units=units)


def lost(field: Field, event: Lost) -> Field:
    left = field.units[event.unit].strength - event.points
    return replace(field, units=changed(field.units, event.unit, strength=left))


def retreated(field: Field, event: Retreated) -> Field:
    return replace(field, units=changed(field.units, event.unit, at=event.to))


def shaken(field: Field, event: Shaken) -> Field:
    return replace(field, units=changed(field.units, event.unit, shaken=field.table.turn))


def recovered(field: Field, event: Recovered) -> Field:
    return replace(field, units=changed(field.units, event.unit, shaken=0))


REDUCERS: dict[type[Event], Reducer] = {
    GroundLaid: ground_laid,
    Arrived: arrived,
    Marched: marched,
    Fought: fought,
    Lost: lost,
    Retreated: retreated,
    Shaken: shaken,
    Recovered: recovered,
}
CAPTIONS: dict[type[Event], Caption] = {
    GroundLaid: lambda event, before: f"a map of {event.columns} by {event.rows} hexes",
    Arrived: lambda event, before: f"{event.unit} stands at {digits_of(event.at)}",
    Marched: lambda event, before: f"{event.unit} marches to {digits_of(event.path[-1])}",
    Fought: lambda event, before: f"{' and '.join(event.attackers)} against {event.target}: {event.result}",
    Lost: lambda event, before: f"{event.unit} loses {event.points}",
    Retreated: lambda event, before: f"{event.unit} goes back to {digits_of(event.to)}",
    Shaken: lambda event, before: f"{event.unit} is shaken",
    Recovered: lambda event, before: f"{event.unit} is steady again",
}


def picture(field: Field) -> str:
    """The state as text: a line for each unit."""
    return "\n".join(
        f"{name:10} {unit.seat:8} {'horse' if unit.horse else 'foot':6} {digits_of(unit.at)} {unit.strength}"
        + ("  shaken" if unit.shaken else "")
        for name, unit in field.standing().items()
    )


def scene(field: Field) -> Scene:
    """The state as a drawing: the hexes, and a mark for each unit; horse is longer than it is wide."""
    marks = [
        Mark(
            name, name, side_of(field, unit.seat), field.map.middle(unit.at), None, 600 if unit.horse else 900,
            1200 if unit.horse else 900, "routing" if unit.shaken else "up", f"strength {unit.strength}",
        )
        for name, unit in field.standing().items()
    ]  # fmt: skip
    areas = field.map.areas(dict.fromkeys(field.woods, "wood"))
    title, sides = f"turn {field.table.turn}", sides_of(field)
    return Scene(*field.map.size(), title, sides, areas, marks=tuple(marks), unit_name="")


@lru_cache(maxsize=1)
def fold() -> Fold:
    """Return how the facts add up."""
    return Fold("vanguard", EVENTS, Field(), REDUCERS, CAPTIONS, picture, scene=scene)
