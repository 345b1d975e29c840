"""The parts of a scenario file as they are read, before anything is checked against the tables."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import Scenario
from engine.rules.schema import read_toml

T = TypeVar("T")
Yards = tuple[Any, Any]


class FieldPart(Struct, forbid_unknown_fields=True):
    """The field, in yards."""

    width: int
    height: int
    last_turn: int = 0
    light: Literal["day", "dim", "dark"] = "day"
    weather: Literal["fair", "heavy_rain", "light_snow", "heavy_snow"] = "fair"


class PostPart(Struct, forbid_unknown_fields=True):
    """A post in the chain of command."""

    id: str
    seat: str
    holder: str
    name: str = ""
    above: str = ""


class UnitPart(Struct, forbid_unknown_fields=True):
    """A unit. `training` is a number of levels, years and battles together, or a fraction such as "9/5" (IF-070).

    Men of any type may have any training: who is raw and who a veteran is the scenario's to say (IF-075).
    """

    id: str
    seat: str
    type: str
    at: Yards = ("", "")
    facing: int = 0
    name: str = ""
    upgraded: bool = False
    training: Any = 0
    men: int = -1
    squad: bool = False
    post: str = ""
    owner: str = ""
    gear: list[str] = field(default_factory=list)
    formation: list[str] = field(default_factory=list)
    on_wall: str = ""
    standing: str = ""
    standing_at: str = ""


class HeroPart(Struct, forbid_unknown_fields=True):
    """A hero, with a unit or alone at a place."""

    id: str
    seat: str
    name: str = ""
    unit: str = ""
    at: Yards = ("", "")
    leader: bool = False
    notable: bool = False
    abilities: dict[str, int] = field(default_factory=dict)
    specialties: dict[str, int] = field(default_factory=dict)
    weapons: list[str] = field(default_factory=list)
    grades: dict[str, str] = field(default_factory=dict)
    armour: str = "none"
    shield: str = "none"
    mount: str = "none"


class GroundPart(Struct, forbid_unknown_fields=True):
    """A stretch of ground; `uphill` is the bearing in which a slope rises."""

    id: str
    terrain: str
    corners: list[Yards]
    name: str = ""
    uphill: int = -1
    otherwise: str = ""


class WallPart(Struct, forbid_unknown_fields=True):
    """A section of wall; the inside is on the left of the way from start to end."""

    id: str
    wall: str
    start: Yards
    end: Yards
    name: str = ""
    seat: str = ""
    earthworks: bool = False
    battlements: bool = True
    stores: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)


class GatePart(Struct, forbid_unknown_fields=True):
    """A gate."""

    id: str
    gate: str
    start: Yards
    end: Yards
    name: str = ""
    seat: str = ""


class EnginePart(Struct, forbid_unknown_fields=True):
    """A machine, siege tower or capped ram and the unit that serves it."""

    id: str
    seat: str
    engine: str
    crew: str
    name: str = ""


class Lists(Struct):
    """A scenario's own part, read."""

    field: FieldPart
    post: list[PostPart]
    unit: list[UnitPart]
    hero: list[HeroPart]
    ground: list[GroundPart]
    wall: list[WallPart]
    gate: list[GatePart]
    engine: list[EnginePart]


_PARTS: dict[str, type[Struct]] = {
    "post": PostPart,
    "unit": UnitPart,
    "hero": HeroPart,
    "ground": GroundPart,
    "wall": WallPart,
    "gate": GatePart,
    "engine": EnginePart,
}


def read_lists(scenario: Scenario, problems: list[str]) -> Lists:
    """Read a scenario's own part; what cannot be read is left out and named in `problems`, each with its place."""
    rest = scenario.rest
    for key in rest:
        if key not in (*_PARTS, "field", "rosters"):
            problems.append(f"[{key}]: there is no such part; there are field, rosters, {', '.join(_PARTS)}")
    known = _rosters(scenario, problems)
    found: dict[str, Any] = {}
    for part, kind in _PARTS.items():
        found[part] = list(_entries(part, kind, rest.get(part, []), known.get(part, {}), problems))
    laid = _one("[field]", FieldPart, rest.get("field", {}), problems)
    return Lists(field=laid or FieldPart(1000, 1000), **found)


def _entries(part: str, kind: type[T], raw: Any, known: dict[str, Any], problems: list[str]) -> Any:
    if not isinstance(raw, list):
        problems.append(f"[{part}]: write each under its own [[{part}]]")
        return
    for number, entry in enumerate(raw, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        where = f"[[{part}]] {name or number}"
        whole = {**known.get(str(name), {}), **entry} if isinstance(entry, dict) else entry
        made = _one(where, kind, whole, problems)
        if made is not None:
            yield made


def _one(where: str, kind: type[T], raw: Any, problems: list[str]) -> T | None:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problems.append(f"{where}: {error}")
        return None


def _rosters(scenario: Scenario, problems: list[str]) -> dict[str, dict[str, Any]]:
    """The units and heroes of the roster files that the scenario names, by part and id."""
    found: dict[str, dict[str, Any]] = {"unit": {}, "hero": {}}
    named = scenario.rest.get("rosters", {})
    if not isinstance(named, dict):
        problems.append('[rosters]: write a file for each seat, such as red = "red.toml"')
        return found
    for seat, file in named.items():
        if seat not in scenario.seats:
            problems.append(f"[rosters] {seat}: there is no such seat")
            continue
        try:
            raw = read_toml(Path(scenario.folder) / str(file))
        except ScenarioInvalid as error:
            problems += error.problems
            continue
        for part, known in found.items():
            for entry in raw.get(part, []):
                if entry.get("seat", seat) == seat:
                    known[str(entry.get("id"))] = {**entry, "seat": seat}
    return found


def fraction(raw: Any) -> Fraction | None:
    """An exact number of 0 or more from a whole number, a decimal or a text such as "9/5"; None if it is none."""
    if isinstance(raw, bool) or not isinstance(raw, int | str | Decimal):
        return None
    try:
        number = Fraction(raw)
    except (ValueError, ZeroDivisionError):
        return None
    return number if number >= 0 else None
