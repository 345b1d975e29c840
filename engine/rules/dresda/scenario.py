"""From a scenario file to the facts that put it on the table; all that is wrong with it is told at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.rules.dresda.actions import HEAVY, LIGHT
from engine.rules.dresda.arms import ROWS, arm_of, known_names
from engine.rules.dresda.doors import OPEN, SHUT
from engine.rules.dresda.flight import EDGES
from engine.rules.dresda.ground import area_shape, barrier_shape
from engine.rules.dresda.scenario_figures import read_figures
from engine.rules.dresda.scenario_sections import Section, named_sections, sections, unknown
from engine.rules.dresda.tables import Tables
from engine.rules.dresda.weather import CLEAR, LIGHTS, WEATHERS, weather_of
from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import Scenario
from events.dresda import (
    Area,
    AreaLaid,
    Arm,
    Barrier,
    BarrierLaid,
    FieldLaid,
    Fire,
    FireLit,
    SideSet,
    SkyChanged,
    ThingPlaced,
)
from events.facts import Event
from events.places import PlaceInvalid, Point

COVERS: Final = {"soft": "target_soft_cover", "hard": "target_hard_cover", "slit": "target_arrow_slit"}
"""What cover may be, and the firing modifier that it is."""

BARRIERS: Final = {
    "low_wall": ("climb_low_wall", "jump_low_wall_mounted", "hard"),
    "high_wall": ("climb_high_wall", "", "hard"),
    "hedge": ("climb_low_wall", "jump_low_wall_mounted", "soft"),
    "fence": ("climb_low_wall", "jump_low_wall_mounted", "soft"),
    "ditch": ("jump_ditch", "jump_ditch", ""),
    "window": ("go_through_window", "", "hard"),
    "door": ("", "", "hard"),
}
"""Kinds of barrier: the action that crosses it on foot, the one that crosses it mounted, its cover."""

_PARTS: Final = ("field", "sides", "areas", "buildings", "walls", "fires", "things", "weapons", "figures")
_LEAST_FIELD: Final = 100


def deploy(scenario: Scenario, tables: Tables) -> Sequence[Event]:
    """Return the facts that put a scenario on the table. Raises `ScenarioInvalid` with every problem and its place."""
    problems: list[str] = []
    whole = Section("scenario", scenario.rest, problems)
    field = Section("field", whole.raw("field"), problems)
    laid = _field(field)
    facts: list[Event] = [laid, *_sky(field)]
    field.close()
    rosters = {}
    sides = named_sections(whole.raw("sides") or {}, "sides", problems)
    for seat in scenario.seats:
        side = sides.get(seat, Section(f"sides.{seat}", {}, problems))
        facts.append(SideSet(seat, side.word("edge", EDGES, "edge", "")))
        rosters[seat] = side.text("roster", "")
        side.close()
    seats = ", ".join(scenario.seats)
    problems += (f"sides.{name}: no such seat; there are {seats}" for name in sides if name not in scenario.seats)
    facts += _ground(whole, tables, problems)
    figures = read_figures(scenario, whole, tables, rosters, problems)
    facts += figures
    if not field.wrongly:  # where the field ends nobody knows otherwise
        _check_places(facts, laid, problems)
    for name in scenario.rest:
        if name not in _PARTS:
            problems.append(f"{name}: Dresda has no such part; there are {', '.join(_PARTS)}")
    if problems:
        raise ScenarioInvalid(problems)
    return facts


def _field(field: Section) -> FieldLaid:
    return FieldLaid(
        field.length("width", least=_LEAST_FIELD),
        field.length("depth", least=_LEAST_FIELD),
        field.whole("turn_limit", 1, 1000, 0),
        field.whole("sky_every", 1, 1000, 0),
    )


def _sky(field: Section) -> Iterator[SkyChanged]:
    weather = field.words("weather", (CLEAR, *WEATHERS), "weather")
    light = field.word("light", LIGHTS, "light", "day")
    yield SkyChanged(weather_of(weather), light, "DG-11")


# ---------------------------------------------------------------------------------------------------- the ground


def _ground(whole: Section, tables: Tables, problems: list[str]) -> Iterator[Event]:
    seen: set[str] = set()
    rows = [row.id for row in tables.movement.values() if row.kind == "terrain"]
    for part, is_building in (("areas", False), ("buildings", True)):
        for section in sections(whole.raw(part), part, problems):
            yield AreaLaid(_area(section, rows, is_building, seen))
    for section in sections(whole.raw("walls"), "walls", problems):
        yield BarrierLaid(_barrier(section, seen))
    for section in sections(whole.raw("fires"), "fires", problems):
        fire = Fire(_id(section, seen), section.point("place"), section.length("radius", least=1))
        section.close()
        yield FireLit(fire)
    for section in sections(whole.raw("things"), "things", problems):
        name = _id(section, seen)
        told, weight = section.text("name", name), section.word("weight", (LIGHT, HEAVY), "weight", "")
        yield ThingPlaced(name, told, section.point("place"), weight, _improvised(section, name, tables))
        section.close()


def _improvised(section: Section, name: str, tables: Tables) -> Arm | None:
    """The weapon that a thing can be used as: what it says, or what its name is, such as `stone` (DR-058)."""
    wanted = section.text("weapon", name if name in ROWS else "")
    arm = arm_of(tables, wanted) if wanted else None
    if wanted and arm is None:
        section.wrong("weapon", unknown(wanted, known_names(tables), "weapon"))
    return arm


def _area(section: Section, rows: Sequence[str], is_building: bool, seen: set[str]) -> Area:
    """An area of ground; a building is one with walls all round and its doors open (house reading)."""
    name = _id(section, seen)
    outline = section.points("outline")
    if outline:
        try:
            area_shape(outline)
        except PlaceInvalid as error:
            section.wrong("outline", error.reason)
    hides = section.flag("hides", is_building)
    area = Area(
        name,
        outline,
        section.word("row", rows, "terrain row", "inside_building" if is_building else ""),
        section.length("ground", 0),
        hides,
        section.length("sight", None if hides else 0),
        section.length("height", 0),
        COVERS.get(section.word("cover", COVERS, "cover", "hard" if is_building else ""), ""),
    )
    section.close()
    return area


def _barrier(section: Section, seen: set[str]) -> Barrier:
    name = _id(section, seen)
    points = section.points("points")
    if points:
        try:
            barrier_shape(points)
        except PlaceInvalid as error:
            section.wrong("points", error.reason)
    climb, leap, cover = BARRIERS.get(section.word("kind", BARRIERS, "kind of wall"), ("", "", ""))
    barrier = Barrier(
        name,
        points,
        climb,
        leap,
        section.flag("hides"),
        section.length("height", 0),
        COVERS.get(section.word("cover", COVERS, "cover", cover), ""),
        section.word("door", (OPEN, SHUT), "state of a door", SHUT) if section.raw("kind") == "door" else "",
    )
    section.close()
    return barrier


def _id(section: Section, seen: set[str]) -> str:
    name = section.text("id")
    if name in seen:
        section.wrong("id", f"{name!r} is used twice")
    seen.add(name)
    return name


def _check_places(facts: Sequence[Event], field: FieldLaid, problems: list[str]) -> None:
    """Whether everything that stands or lies somewhere is on the field."""
    for fact in facts:
        place: Point | None = getattr(fact, "place", None)
        if place is not None and not (0 <= place.x <= field.width and 0 <= place.y <= field.depth):
            who = getattr(fact, "who", None)
            where = f"figures.{who.id}" if who is not None else f"things.{getattr(fact, 'thing', '')}"
            problems.append(f"{where}.place: it is not on the field of {field.width // 10} by {field.depth // 10} cm")
