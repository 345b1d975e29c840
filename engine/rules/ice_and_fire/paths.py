"""How a unit that is left to itself gets somewhere: through gates that are open, breaches and bridges, round bodies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from engine.field.plane import along, bearing, distance_mm, step
from engine.rules.ice_and_fire.ground import area, is_inside, is_opened, label, walled_off, yards
from engine.rules.ice_and_fire.moving import within_field
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import allowance, beside, go
from events.places import Point
from projections.ice_and_fire.state import Gate, Ground, Unit, Wall

TURNS: Final = (0, 20, -20, 45, -45, 70, -70)
"""The bearings, in degrees off the straight way, that a unit tries to get round what stands in it."""


def step_towards(situation: Situation, unit: Unit, goal: Point, *, moves: int = 2) -> Point | None:
    """How far a unit gets towards a place by so many Moves; None if there is no way, or it would gain no yard.

    Cost: the sweeps of up to seven legs.
    """
    it = afoot(situation, unit)
    aim = waypoint(situation, it.at, goal)
    if aim is None or aim == it.at:
        return None
    budget = Fraction(moves * allowance(situation, it, situation.tables.actions["move"].move_rounds))
    far = distance_mm(it.at, aim)
    best, left = it.at, far - yards(situation, 1)
    for turned in TURNS:
        there = aim if not turned else _aside(it.at, aim, turned, min(far, int(budget)))
        there = within_field(situation, there)
        if there == it.at:
            continue
        at = go(situation, it, there, budget).at
        to_go = distance_mm(at, aim)
        if to_go < left:
            best, left = at, to_go
        if not turned and 2 * (far - left) >= min(far, int(budget)):
            break  # half the way straight ahead is good enough
    return best if best != it.at else None


def _aside(at: Point, aim: Point, turned: int, far: int) -> Point:
    east, north = step((bearing(at, aim) + turned) % 360, far)
    return Point(at.x + east, at.y + north)


def afoot(situation: Situation, unit: Unit) -> Unit:
    """A unit as it stands once it is down from its wall."""
    if not unit.on_wall:
        return unit
    wall = situation.state.walls[unit.on_wall]
    return replace(unit, on_wall="", at=beside(unit, wall.start, wall.end, inside=not unit.contested))


def foot_of(situation: Situation, unit: Unit, line: Wall | Gate) -> Point:
    """The place before a wall or gate nearest to a unit, on its own side, half its front from either end."""
    length = max(distance_mm(line.start, line.end), 1)
    dx, dy = line.end.x - line.start.x, line.end.y - line.start.y
    ahead = ((unit.at.x - line.start.x) * dx + (unit.at.y - line.start.y) * dy) // length
    margin = min(unit.front // 2, length // 2)
    foot = along(line.start, line.end, min(max(ahead, margin), length - margin))
    side, off = 1 if is_inside(line, unit.at) else -1, yards(situation, 1)
    return Point(foot.x - side * dy * off // length, foot.y + side * dx * off // length)


def parted(situation: Situation, a: Point, b: Point) -> bool:
    """Whether a wall, a closed gate or ground that nobody crosses lies between two places."""
    if walled_off(situation, a, b):
        return True
    return any(
        not label(situation, ground).passable
        and area(ground.corners).crosses(a, b) == "enters"
        and not is_opened(situation.state, name, a, b)
        for name, ground in situation.state.grounds.items()
    )


def waypoint(situation: Situation, at: Point, goal: Point) -> Point | None:
    """The next place on the shortest way to a goal: the goal itself, or the mouth of a narrow passage; None if none.

    Cost: the square of the number of passages, at most.
    """
    if not parted(situation, at, goal):
        return goal
    mouths = [pair for _, ground in sorted(situation.state.grounds.items()) for pair in _mouths(situation, ground)]
    reach = yards(situation, 3)
    seen: set[Point] = set()
    shortest, found = 0, None
    todo: list[tuple[int, Point, Point | None]] = [(0, at, None)]
    while todo:
        todo.sort(key=lambda each: (each[0], each[1].x, each[1].y))
        gone, here, first = todo.pop(0)
        if here in seen or (found is not None and gone >= shortest):
            continue
        seen.add(here)
        if first is not None and not parted(situation, here, goal):
            whole = gone + distance_mm(here, goal)
            if found is None or whole < shortest:
                shortest, found = whole, first
            continue
        for near, far in mouths:
            if far in seen or parted(situation, here, near):
                continue
            through = distance_mm(here, near) + distance_mm(near, far)
            begin = far if first is None and distance_mm(here, near) <= reach else near
            todo.append((gone + through, far, first or begin))
    return found


def _mouths(situation: Situation, ground: Ground) -> Iterator[tuple[Point, Point]]:
    """Both ways through a narrow passage, each from a place before it to one behind it."""
    if ground.terrain != "narrow_passage" or len(ground.corners) != 4:
        return
    a, b, c, d = ground.corners
    front, rear = Point((a.x + b.x) // 2, (a.y + b.y) // 2), Point((c.x + d.x) // 2, (c.y + d.y) // 2)
    length, more = max(distance_mm(front, rear), 1), yards(situation, situation.tables.number("depth_yd"))
    dx, dy = (front.x - rear.x) * more // length, (front.y - rear.y) * more // length
    outer, inner = Point(front.x + dx, front.y + dy), Point(rear.x - dx, rear.y - dy)
    yield outer, inner
    yield inner, outer
