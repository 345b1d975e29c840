"""Where things are: footprints, who is next to whom, what ground is underfoot, who stands higher (IF-003, §12)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.field.plane import bearing, turn_between
from engine.field.polygon import Polygon, polygon, segments_meet, turn
from engine.field.rectangle import Rectangle, adjacent, gap_mm
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.table_rows import Terrain, WallKind
from events.places import Point
from projections.ice_and_fire.state import BattleField, Gate, Ground, Hero, Unit, Wall, is_with


@lru_cache(maxsize=4096)
def footprint(at: Point, front: int, depth: int, facing: int) -> Rectangle:
    """The ground a unit covers, kept for the next time."""
    return Rectangle(at, front, depth, facing)


@lru_cache(maxsize=4096)
def outline(rectangle: Rectangle) -> Polygon:
    """A footprint as an area, kept for the next time."""
    return rectangle.outline()


@lru_cache(maxsize=1024)
def area(corners: tuple[Point, ...]) -> Polygon:
    """A stretch of ground as an area, kept for the next time."""
    return polygon(corners)


def rectangle(unit: Unit) -> Rectangle:
    """Where a unit stands."""
    return footprint(unit.at, unit.front, unit.depth, unit.facing)


def yards(situation: Situation, number: int) -> int:
    """Yards as map millimetres."""
    return number * situation.state.mm_each_yard


def others(state: BattleField, unit: Unit, *, foes: bool) -> Iterator[Unit]:
    """The units of the other sides, or of its own, that are on the field, by id."""
    for name in sorted(state.units):
        other = state.units[name]
        if other.id != unit.id and other.on_field and (other.seat != unit.seat) == foes:
            yield other


def next_to(situation: Situation, one: Unit, other: Unit) -> bool:
    """Whether two units are adjacent: a yard or less apart (AMB-02)."""
    return adjacent(rectangle(one), rectangle(other), yards(situation, situation.tables.number("adjacent_yd")))


def adjacent_foes(situation: Situation, unit: Unit) -> list[Unit]:
    """The enemy units adjacent to a unit, by id."""
    return [other for other in others(situation.state, unit, foes=True) if next_to(situation, unit, other)]


def adjacent_friends(situation: Situation, unit: Unit) -> list[Unit]:
    """The allied units adjacent to a unit, by id."""
    return [other for other in others(situation.state, unit, foes=False) if next_to(situation, unit, other)]


def engaged_with(situation: Situation, unit: Unit) -> list[Unit]:
    """The adjacent enemies with whom a unit is in melee: one of the two struck in this round or the last (AMB-02)."""
    since = situation.state.table.turn - 1

    def fought(one: Unit) -> bool:
        return one.melee_turn > 0 and one.melee_turn >= since

    return [
        foe
        for foe in adjacent_foes(situation, unit)
        if (fought(unit) or fought(foe)) and can_reach(situation, unit, foe)
    ]


def can_reach(situation: Situation, one: Unit, other: Unit) -> bool:
    """Whether nothing between two adjacent units keeps their blows apart."""
    return not barred(situation, one, other)


def distance(one: Unit, other: Unit) -> int:
    """The gap between two units in map millimetres."""
    return gap_mm(rectangle(one), rectangle(other))


def called(state: BattleField, what: str) -> str:
    """The name of a unit, engine, wall, gate or stretch of ground, for people."""
    for kind in (state.units, state.engines, state.walls, state.gates, state.grounds):
        if what in kind:
            return str(kind[what].name)
    return what


def place_of(state: BattleField, hero: Hero) -> Point:
    """Where a hero is: with his unit, or alone."""
    return state.units[hero.unit].at if hero.unit else hero.at


# -- ground ------------------------------------------------------------------------------------------------------------


def label(situation: Situation, ground: Ground) -> Terrain:
    """What a stretch of ground counts as."""
    return situation.tables.terrain[ground.terrain if ground.terrain != "ask" else ground.otherwise]


def grounds_at(situation: Situation, at: Point) -> list[Ground]:
    """The stretches of ground that hold a point, by id."""
    return [ground for _, ground in sorted(situation.state.grounds.items()) if area(ground.corners).contains(at)]


def underfoot(situation: Situation, unit: Unit, terrain: str) -> bool:
    """Whether the middle of a unit is on ground of that label."""
    return any(label(situation, ground).id == terrain for ground in grounds_at(situation, unit.at))


def passage_of(situation: Situation, unit: Unit) -> Ground | None:
    """The narrow passage that a unit stands in (IF-225)."""
    return next((each for each in grounds_at(situation, unit.at) if each.terrain == "narrow_passage"), None)


def passages_on(situation: Situation, a: Point, b: Point) -> list[Ground]:
    """The narrow passages that the straight line from a to b leads into."""
    return [
        ground
        for _, ground in sorted(situation.state.grounds.items())
        if ground.terrain == "narrow_passage" and area(ground.corners).crosses(a, b) == "enters"
    ]


def stands_higher(situation: Situation, one: Unit, other: Unit) -> str:
    """The rule by which a unit has higher ground over another, or nothing (IF-222, IF-227, IF-228, IF-245, IF-261).

    A unit in a tower stands above the defenders of a wall, whatever they stand on (IF-273).
    """
    if other.on_wall and in_tower(situation, one):
        return "IF-273"
    if one.on_wall and in_tower(situation, other):
        return ""
    for name in sorted(situation.state.grounds):
        ground = situation.state.grounds[name]
        row = label(situation, ground)
        shape = area(ground.corners)
        rises = row.higher_ground and one.at != other.at and shape.crosses(other.at, one.at) == "enters"
        if rises and turn_between(ground.uphill, bearing(other.at, one.at)) < 90:
            return row.rule
        if row.cover_fight and shape.contains(other.at) and not shape.contains(one.at):
            return row.rule  # over whoever is in a ditch (AMB-31)
        if climbs_breach(situation, ground, other.at, one.at) and shape.crosses(one.at, other.at) == "enters":
            return "IF-261"
    if one.on_wall and one.on_wall != other.on_wall and not other.on_wall:
        wall = situation.state.walls[one.on_wall]
        if not situation.tables.walls[wall.wall].fighting or wall.earthworks:
            return "IF-245"
    return ""


def climbs_breach(situation: Situation, ground: Ground, a: Point, b: Point) -> bool:
    """Whether the way from a to b leads in through a breach: its defenders stand atop a steep slope (IF-261)."""
    wall = situation.state.walls.get(ground.over) if ground.breach else None
    return wall is not None and is_inside(wall, b) and not is_inside(wall, a)


# -- walls -------------------------------------------------------------------------------------------------------------


def is_inside(wall: Wall | Gate, at: Point) -> bool:
    """Whether a point lies on the inner side of a wall: on the left of the way from its start to its end."""
    return turn(wall.start, wall.end, at) > 0


def walls_between(state: BattleField, a: Point, b: Point) -> list[Wall]:
    """The walls, still whole, that the straight line from a to b meets, by id."""
    return [
        wall
        for _, wall in sorted(state.walls.items())
        if segments_meet(a, b, wall.start, wall.end) != "apart" and not is_opened(state, wall.id, a, b)
    ]


def gates_between(state: BattleField, a: Point, b: Point) -> list[Gate]:
    """The closed gates that the straight line from a to b meets, by id."""
    return [
        gate
        for _, gate in sorted(state.gates.items())
        if gate.doors > 0 and segments_meet(a, b, gate.start, gate.end) != "apart"
    ]


def is_opened(state: BattleField, structure: str, a: Point, b: Point) -> bool:
    """Whether the line passes through a breach or other way that is open there."""
    return any(
        ground.over == structure and area(ground.corners).crosses(a, b) == "enters" for ground in state.grounds.values()
    )


def walled_off(situation: Situation, a: Point, b: Point) -> bool:
    """Whether a wall that is whole there, or a closed gate, stands between two places."""
    return bool(walls_between(situation.state, a, b) or gates_between(situation.state, a, b))


def screens_between(situation: Situation, a: Point, b: Point) -> list[tuple[str, str, WallKind]]:
    """What hides men on the straight line from a to b: whole walls, then closed gates; each with its id and name.

    A closed gate hides as the wall that it hangs in (IF-247, IF-250).
    """
    found = [(wall.id, wall.name, situation.tables.walls[wall.wall]) for wall in walls_between(situation.state, a, b)]
    for gate in gates_between(situation.state, a, b):
        found.append((gate.id, gate.name, situation.tables.walls[situation.tables.gates[gate.gate].wall]))
    return found


def barred(situation: Situation, one: Unit, other: Unit) -> str:
    """The rule by which no Fighting attack is possible between two units, or nothing (IF-221, IF-229, IF-242).

    Within a contested wall top the wall does not count; nor does it for a tower that has reached the wall (IF-273).
    """
    if _together_on_wall(situation, one, other):
        return ""
    for wall in walls_between(situation.state, one.at, other.at):
        if wall.id in (one.on_wall, other.on_wall) and (in_tower(situation, one) or in_tower(situation, other)):
            continue
        kind = situation.tables.walls[wall.wall]
        if not kind.fighting:
            return "IF-242"
        if one.mounted or other.mounted:
            return "IF-249"
    if gates_between(situation.state, one.at, other.at):
        return "IF-242"
    for name in sorted(situation.state.grounds):
        ground = situation.state.grounds[name]
        row = label(situation, ground)
        across = not row.fighting and area(ground.corners).crosses(one.at, other.at) == "enters"
        if across and not is_opened(situation.state, ground.id, one.at, other.at):
            return row.rule
    return ""


def _together_on_wall(situation: Situation, one: Unit, other: Unit) -> bool:
    return bool(one.on_wall) and one.on_wall == other.on_wall


def manning(state: BattleField, wall: str, *, against: str = "") -> list[Unit]:
    """The units that man a wall, by id; those that are no friends of `against`, if a seat is named.

    A destroyed unit mans nothing (IF-163).
    """
    return [
        unit
        for _, unit in sorted(state.units.items())
        if unit.on_wall == wall and unit.fights and (not against or unit.seat != against)
    ]


def in_tower(situation: Situation, unit: Unit) -> bool:
    """Whether a unit goes in a siege tower that still stands (IF-272)."""
    return engine_of(situation.state, unit.id, "siege_tower") is not None


def engine_of(state: BattleField, unit: str, engine: str) -> str | None:
    """The id of the engine of that kind that a unit serves or goes with, if it still stands and the unit is with it."""
    return next(
        (
            each.id
            for _, each in sorted(state.engines.items())
            if each.crew == unit and each.engine == engine and not each.destroyed and is_with(state.units[unit], each)
        ),
        None,
    )


def touches(situation: Situation, unit: Unit, start: Point, end: Point) -> bool:
    """Whether a unit stands within a yard of a wall, gate or edge from start to end."""
    reach = yards(situation, situation.tables.number("adjacent_yd"))
    stand = footprint(unit.at, unit.front + 2 * reach, unit.depth + 2 * reach, unit.facing)
    return outline(stand).crosses(start, end) != "clear"


def at_hand(situation: Situation, wall: str, store: str) -> bool:
    """Whether something to throw is at hand on a wall: by the scenario, or the referee's word (RUL-14)."""
    line = situation.state.walls[wall]
    if store == "stones":
        return "no_stones" not in line.stores
    return store in line.stores or situation.state.ruling(f"store/{wall}/{store}", "no") == "yes"
