"""Movement: how far the ground lets a unit go, what bars the way, where it comes to stand (IF-107, IF-112, §12)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import msgspec

from engine.field.plane import NM_PER_MM, along, bearing, distance_mm, leg_length, turn_between
from engine.field.polygon import Polygon, polygon
from engine.field.rectangle import room_ahead
from engine.rules.ice_and_fire.ground import (
    area,
    climbs_breach,
    engine_of,
    footprint,
    label,
    others,
    outline,
    passages_on,
    rectangle,
    walled_off,
    yards,
)
from engine.rules.ice_and_fire.profiles import loaded
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.table_rows import Terrain
from engine.rules.ice_and_fire.weather import dark_pace
from events.ice_and_fire.kit import Profile
from events.places import Point
from projections.ice_and_fire.state import Unit

WALL_THICKNESS = 4
"""Map millimetres: what bodies are held off a wall's line by."""
BREACH = "steep_slope"
"""What a breach in a wall of stone is to whoever comes in through it (IF-261)."""
THIN = 4
"""Map millimetres: the body that is held against walls where men file through a gap."""


class Way(msgspec.Struct, frozen=True, gc=False):
    """A leg as it can be gone: to `at`, `distance` map millimetres on; `stopped_by` names what is in the way."""

    at: Point
    facing: int
    distance: int
    stopped_by: str = ""


def profile(situation: Situation, unit: Unit) -> Profile:
    """A unit's profile with the siege gear that it still carries: what is broken weighs nothing (IF-271, IF-275)."""
    return loaded(situation.tables, unit.profile, sum(situation.tables.gear[name].bulk for name in unit.gear))


def allowance(situation: Situation, unit: Unit, rounds: int, *, sprinting: bool = False) -> int:
    """How far a unit can go in so many combat rounds, in map millimetres (IF-107, IF-112).

    A siege tower goes 20 yards in a battle round, a capped ram 40 (IF-272, IF-276); a shield wall goes at half speed
    (IF-135, AMB-48a). In the dark all go slowly (B-82).
    """
    slow = slowed(situation, unit)
    if slow is not None:
        return slow
    mine = profile(situation, unit)
    return dark_pace(situation, yards(situation, rounds * (mine.sprint_yd if sprinting else mine.move_yd)))


def slowed(situation: Situation, unit: Unit) -> int | None:
    """How far a unit goes in a whole battle round with a tower or capped ram, in map millimetres; None without one."""
    if unit.condition in ("routed", "destroyed", "annihilated"):
        return None  # men in flight leave it behind
    slow = [
        situation.tables.gear[gear].move_yd
        for gear in ("siege_tower", "capped_ram")
        if engine_of(situation.state, unit.id, gear) is not None
    ]
    return yards(situation, min(slow)) if slow else None


def slowing(situation: Situation, unit: Unit, a: Point, b: Point) -> list[tuple[Polygon, Fraction]]:
    """The areas on a leg that slow a unit, each with the share of its speed that is left."""
    heading = bearing(a, b) if a != b else 0
    found = []
    for name in sorted(situation.state.grounds):
        ground = situation.state.grounds[name]
        row = label(situation, ground)
        if climbs_breach(situation, ground, a, b):
            row = situation.tables.terrain[BREACH]
        elif row.uphill_only and turn_between(ground.uphill, heading) >= 90:
            continue
        speed = row.speed(unit.mounted)
        if speed != 1:
            found.append((area(ground.corners), speed))
    return found


def cost(a: Point, b: Point, slow: Sequence[tuple[Polygon, Fraction]]) -> Fraction:
    """What a leg costs, in map millimetres of movement: every slow stretch costs more by its share."""
    length = Fraction(leg_length(a, b), NM_PER_MM)
    more = sum((shape.inside_share(a, b) * (1 / speed - 1) for shape, speed in slow), Fraction(0))
    return length * (1 + more)


def affordable(a: Point, b: Point, slow: Sequence[tuple[Polygon, Fraction]], budget: Fraction) -> int:
    """How far along a leg a budget of movement leads, in whole map millimetres."""
    length = distance_mm(a, b)
    if cost(a, b, slow) <= budget:
        return length
    free, dear = 0, length
    while dear - free > 1:
        middle = (free + dear) // 2
        if cost(a, along(a, b, middle), slow) <= budget:
            free = middle
        else:
            dear = middle
    return free


def go(situation: Situation, unit: Unit, towards: Point, budget: Fraction, ignore: Sequence[str] = ()) -> Way:
    """One straight leg towards a point, as far as the budget, the ground and what stands in the way allow.

    `ignore` names units that do not bar the way.
    """
    if towards == unit.at:
        return Way(unit.at, unit.facing, 0)
    heading = bearing(unit.at, towards)
    slow = slowing(situation, unit, unit.at, towards)
    far = affordable(unit.at, towards, slow, budget)
    stand = footprint(unit.at, unit.front, unit.depth, heading)
    full = distance_mm(unit.at, towards)
    room, stopper = far, ""
    for name, shape, thin in barriers(situation, unit, towards):
        body = footprint(unit.at, THIN, THIN, heading) if thin else stand
        free = room_ahead(body, room, (shape,))
        if free < room:
            room, stopper = free, name
    there = along(unit.at, towards, room) if room else unit.at
    for name, shape in bodies(situation, unit, there, heading, ignore):
        free = room_ahead(stand, room, (shape,))
        if free < room:
            room, stopper = free, name
    at = towards if room == full else along(unit.at, towards, room) if room else unit.at
    return Way(at, heading, room, stopper)


def bodies(
    situation: Situation, unit: Unit, there: Point, heading: int, ignore: Sequence[str]
) -> list[tuple[str, Polygon]]:  # fmt: skip
    """The units that may bar a leg as far as `there`.

    A destroyed unit bars nobody (IF-163), nor does a friend on a wall, nor one on the other side of a wall or closed
    gate from the whole leg: no body reaches through them (IF-241). Friends that the unit already mingles with make
    way; so does a foe in contact for a unit that turns from them.
    """
    stand = outline(footprint(unit.at, unit.front, unit.depth, heading))
    found: list[tuple[str, Polygon]] = []
    for foes in (False, True):
        for other in others(situation.state, unit, foes=foes):
            if other.id in ignore or not other.fights or (other.on_wall and not foes):
                continue
            shape = outline(rectangle(other))
            if shape.meets(stand) == "overlaps" and (not foes or _leads_away(unit, other, heading)):
                continue
            if walled_off(situation, unit.at, other.at) and walled_off(situation, there, other.at):
                continue
            found.append((other.id, shape))
    return found


def barriers(situation: Situation, unit: Unit, towards: Point) -> list[tuple[str, Polygon, bool]]:
    """What may bar a leg for good: walls, gates, ground that nobody crosses. True: only the middle of the unit counts.

    Through a narrow passage men file one behind the other.
    """
    stand = outline(footprint(unit.at, unit.front, unit.depth, bearing(unit.at, towards)))
    found: list[tuple[str, Polygon, bool]] = []
    gaps = {ground.over for ground in passages_on(situation, unit.at, towards) if ground.over}
    filing = bool(passages_on(situation, unit.at, towards))
    for name, shape in _structures(situation, unit):
        if name in gaps:
            continue
        thin = filing or shape.meets(stand) == "overlaps"
        if thin and name == unit.on_wall:
            continue
        found.append((name, shape, thin))
    return found


def _structures(situation: Situation, unit: Unit) -> list[tuple[str, Polygon]]:
    """Walls, closed gates and impassable ground as areas, by id."""
    state = situation.state
    lines = [(wall.id, wall.start, wall.end) for wall in state.walls.values()]
    lines += [(gate.id, gate.start, gate.end) for gate in state.gates.values() if gate.doors > 0]
    found = [(name, strip(start, end)) for name, start, end in sorted(lines)]
    found += [
        (name, area(ground.corners))
        for name, ground in sorted(state.grounds.items())
        if not label(situation, ground).passable
    ]
    return found


def strip(start: Point, end: Point) -> Polygon:
    """The line of a wall as a narrow area."""
    length = max(distance_mm(start, end), 1)
    off = Point(-(end.y - start.y) * WALL_THICKNESS // length, (end.x - start.x) * WALL_THICKNESS // length)
    return polygon((start, end, Point(end.x + off.x, end.y + off.y), Point(start.x + off.x, start.y + off.y)))


def _leads_away(unit: Unit, other: Unit, heading: int) -> bool:
    """Whether a heading does not lead towards another unit."""
    return unit.at == other.at or turn_between(heading, bearing(unit.at, other.at)) >= 90


def rows_on(situation: Situation, unit: Unit, a: Point, b: Point) -> list[Terrain]:
    """The ground labels that a straight leg leads over, uphill ones only when it leads up."""
    heading = bearing(a, b) if a != b else unit.facing
    found = []
    for name in sorted(situation.state.grounds):
        ground = situation.state.grounds[name]
        shape = area(ground.corners)
        if shape.crosses(a, b) != "enters" and not shape.contains(a):
            continue
        row = label(situation, ground)
        if not row.uphill_only or turn_between(ground.uphill, heading) < 90:
            found.append(row)
        if climbs_breach(situation, ground, a, b):
            found.append(situation.tables.terrain[BREACH])
    return found


def off_field(situation: Situation, at: Point) -> bool:
    """Whether a point lies at the edge of the field or beyond it."""
    state = situation.state
    return at.x <= 0 or at.y <= 0 or at.x >= state.width or at.y >= state.height


def edge_from(situation: Situation, unit: Unit, foes: Sequence[Unit]) -> Point:
    """A point beyond the edge, straight away from the enemies' middle; if none is there, from the front."""
    if foes:
        x = sum(foe.at.x for foe in foes) // len(foes)
        y = sum(foe.at.y for foe in foes) // len(foes)
        if (x, y) != (unit.at.x, unit.at.y):
            return along(
                unit.at, Point(2 * unit.at.x - x, 2 * unit.at.y - y), situation.state.width + situation.state.height
            )
    back = footprint(unit.at, unit.front, unit.depth, (unit.facing + 180) % 360)
    return back.advanced(situation.state.width + situation.state.height).centre


def stand_on(at: Point, front: int, depth: int, start: Point, end: Point) -> tuple[Point, int]:
    """The stand on a wall nearest to a point, just within it, and the bearing outward."""
    dx, dy = end.x - start.x, end.y - start.y
    length = max(distance_mm(start, end), 1)
    ahead = ((at.x - start.x) * dx + (at.y - start.y) * dy) // length
    margin = min(front // 2, length // 2)
    foot = along(start, end, min(max(ahead, margin), length - margin))
    inside = Point(foot.x - dy * 100 // length, foot.y + dx * 100 // length)
    return along(foot, inside, depth // 2 + WALL_THICKNESS), bearing(inside, foot)


def on_top(unit: Unit, start: Point, end: Point, *, inward: bool) -> tuple[Point, int]:
    """The stand on a wall nearest to a unit, and its facing: outward, or inward for one that has climbed."""
    at, outward = stand_on(unit.at, unit.front, unit.depth, start, end)
    return at, (outward + 180) % 360 if inward else outward


def rounds_to(mm: int, move_mm: int) -> int:
    """Combat rounds that a way takes at two moves each (IF-057)."""
    return ceil(Fraction(mm, 2 * move_mm)) if mm > 0 else 0


def beside(unit: Unit, wall_start: Point, wall_end: Point, *, inside: bool) -> Point:
    """The stand at the foot of a wall nearest to a unit, on its inner or outer side."""
    top, _ = on_top(unit, wall_start, wall_end, inward=False)
    dx, dy = wall_end.x - wall_start.x, wall_end.y - wall_start.y
    length = max(distance_mm(wall_start, wall_end), 1)
    if inside:
        return top
    deep = 2 * (unit.depth // 2 + WALL_THICKNESS)
    return Point(top.x + dy * deep // length, top.y - dx * deep // length)
