"""Marching: moves, sprints, drawing back, leaving the field; what stakes and narrow ways do to it (IF-120, IF-225)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from msgspec import Struct

from engine.field.plane import bearing, distance_mm, turn_between
from engine.field.plane import step as step_of
from engine.field.rectangle import room_ahead
from engine.rules.ice_and_fire.condition import shake_neighbours, step
from engine.rules.ice_and_fire.ground import (
    adjacent_foes,
    adjacent_friends,
    area,
    called,
    distance,
    engine_of,
    footprint,
    grounds_at,
    label,
    next_to,
    others,
    outline,
    passages_on,
    yards,
)
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.stakes import stakes_strike
from engine.rules.ice_and_fire.walls_held import after_rout
from engine.rules.ice_and_fire.ways import (
    THIN,
    Way,
    allowance,
    beside,
    cost,
    edge_from,
    go,
    off_field,
    rounds_to,
    rows_on,
    slowed,
    slowing,
)
from engine.rules.rule_set import Procedure, Yielded
from events.facts import OrderLapsed
from events.ice_and_fire.heroes import HeroAlone, HeroAttached, RoundsSpent
from events.ice_and_fire.siege import EngineMoved, PassageUsed, WallLeft
from events.ice_and_fire.units import MoveStopped, StanceLeft, StanceTaken, UnitActed, UnitLeft, UnitMoved
from events.places import Point
from projections.ice_and_fire.state import BattleField, Hero, Unit, is_with

LESSER = {"lesser": 1, "greater": 2, "free": 0}
"""What an action spends of a battle round's two lesser actions (IF-005, IF-007)."""


def begin(situation: Situation, unit: str, action: str) -> Procedure:
    """A unit begins an action (IF-005). A stance that lasts until it acts again ends."""
    row = situation.tables.actions[action]
    yield UnitActed(unit, action, LESSER[row.cost], row.rule)


class March(Struct, frozen=True, gc=False):
    """A way to go: the points of the path and how far the movement lasts, in map millimetres.

    `ignore` names units that do not bar the way, `goals` those whom it is meant to end at. `facing` is kept on the way,
    if it is set. The last combat round of a `rush` is the hero's own. One without an end that matters is `endless`.
    """

    path: Sequence[Point]
    budget: Fraction
    ignore: Sequence[str] = ()
    goals: Sequence[str] = ()
    facing: int | None = None
    rush: bool = False
    endless: bool = False
    rule: str = "IF-107"


def march(situation: Situation, unit: str, leg: March) -> Generator[Yielded, Any, Way]:
    """Go along a path as far as the budget of movement lasts; return how the last leg ended.

    Stakes strike horses first (IF-120); heroes keep up or stay behind (IF-057, IF-058). What stops it short is named.
    """
    with_it = engines_with(situation, unit)
    yield from _off_the_wall(situation, unit)
    start = situation.state.units[unit].at
    gone, budget = 0, leg.budget
    way = Way(start, situation.state.units[unit].facing, 0)
    for point in leg.path:
        it = situation.state.units[unit]
        way = _file_through(situation, it, go(situation, it, point, budget, leg.ignore))
        if not way.distance:
            break
        budget -= cost(it.at, way.at, slowing(situation, it, it.at, way.at))
        way = yield from _over_stakes(situation, it, way)
        for passage in passages_on(situation, it.at, way.at):
            yield PassageUsed(passage.id, unit, "IF-226")
        turned = way.facing if leg.facing is None else leg.facing
        yield UnitMoved(unit, way.at, turned, way.distance, leg.rule)
        gone += way.distance
        if way.at != point:
            break
    yield from _short(situation, unit, leg, way, start, gone)
    yield from drag_engines(situation, unit, with_it)
    yield from keep_up(situation, unit, gone, rush=leg.rush)
    return way


def _short(situation: Situation, unit: str, leg: March, way: Way, start: Point, gone: int) -> Procedure:
    """Name what stopped a march before its end."""
    it = situation.state.units[unit]
    if it.at == leg.path[-1] or way.stopped_by in leg.goals or (leg.endless and not way.stopped_by):
        return
    if any(next_to(situation, it, situation.state.units[goal]) for goal in leg.goals):
        return
    wanted = 0 if leg.endless else sum(distance_mm(a, b) for a, b in pairwise((start, *leg.path)))
    yield MoveStopped(unit, way.stopped_by, gone, wanted, leg.rule)


def _off_the_wall(situation: Situation, unit: str) -> Procedure:
    """A unit that moves is off its wall: within, but a climber who has not won it outside."""
    it = situation.state.units[unit]
    if not it.on_wall:
        return
    wall = situation.state.walls[it.on_wall]
    yield WallLeft(unit, beside(it, wall.start, wall.end, inside=not it.contested), "IF-241")


def _file_through(situation: Situation, unit: Unit, way: Way) -> Way:
    """Stop before a narrow passage that another unit fills or that enough have gone through (IF-225, IF-226)."""
    for passage in passages_on(situation, unit.at, way.at):
        shape = area(passage.corners)
        if shape.contains(unit.at):
            continue
        inside = [
            other.id
            for foes in (False, True)
            for other in others(situation.state, unit, foes=foes)
            if other.fights and shape.contains(other.at)
        ]
        if inside or passage.used >= situation.tables.number("passage_units"):
            thin = footprint(unit.at, THIN, THIN, way.facing)
            room = room_ahead(thin, way.distance, (shape,))
            way = Way(thin.advanced(room).centre, way.facing, room, inside[0] if inside else passage.id)
    return way


def _over_stakes(situation: Situation, unit: Unit, way: Way) -> Generator[Yielded, Any, Way]:
    """Horses that ride into stakes are struck; if that routs them they stop before the stakes (IF-120, IF-085)."""
    if not unit.mounted:
        return way
    stand = footprint(unit.at, unit.front, unit.depth, way.facing)
    for name in sorted(situation.state.units):
        owner = situation.state.units[name]
        if owner.stakes not in ("planted", "stuck"):
            continue
        stakes = area(owner.stakes_area)
        if outline(stand).meets(stakes) == "overlaps" or stand.swept(way.distance).meets(stakes) != "overlaps":
            continue
        yield from stakes_strike(situation, owner, unit)
        if step(situation.state.units[unit.id].condition) >= step("routed"):
            room = room_ahead(stand, way.distance, (stakes,))
            return Way(stand.advanced(room).centre, way.facing, room, name)
    return way


def engines_with(situation: Situation, unit: str) -> list[str]:
    """The engines that a unit serves and is with, by id."""
    it = situation.state.units[unit]
    return [name for name, each in sorted(situation.state.engines.items()) if each.crew == unit and is_with(it, each)]


def drag_engines(situation: Situation, unit: str, with_it: Sequence[str]) -> Procedure:
    """Towers, rams and machines that were with a unit go where it has gone (IF-272, IF-276)."""
    it = situation.state.units[unit]
    if step(it.condition) >= step("routed"):
        return  # men in flight leave everything behind
    for name in with_it:
        engine = situation.state.engines[name]
        movable = not engine.throws or situation.tables.machines[engine.engine].move_yd > 0
        if engine.crew == unit and not engine.destroyed and movable and engine.at != it.at:
            yield EngineMoved(name, it.at, "IF-272")


def keep_up(situation: Situation, unit: str, gone: int, *, rush: bool = False) -> Procedure:
    """Heroes with a unit spend rounds on the way it has gone, or are left behind (IF-057, IF-058, IF-060).

    At most all ten; only a man on foot with mounted men stays behind when ten do not suffice. The last round of a
    charge or trample is a rush. A deed of this round, such as inspiring, does not stand in the way (IF-055).
    """
    if gone <= 0:
        return
    it = situation.state.units[unit]
    for hero in situation.state.attached(unit):
        needed = rounds_to(gone, yards(situation, hero.profile.move_yd))
        most = situation.tables.number("combat_rounds")
        if needed > most and it.mounted and not hero.profile.mount:
            yield RoundsSpent(hero.id, "moving", most, "IF-058")
            yield HeroAlone(hero.id, it.at if not gone else _behind(situation, it, hero, gone), "IF-058")
        else:
            last = int(rush)
            if min(needed, most) > last:
                yield RoundsSpent(hero.id, "moving", min(needed, most) - last, "IF-057")
            if last:
                yield RoundsSpent(hero.id, "rush", last, "IF-060")


def _behind(situation: Situation, unit: Unit, hero: Hero, gone: int) -> Point:
    """Where a hero is who could not keep up: as far back as he lacks."""
    reach = 2 * yards(situation, hero.profile.move_yd) * situation.tables.number("combat_rounds")
    back = footprint(unit.at, unit.front, unit.depth, unit.facing)
    return back.advanced(-(gone - reach)).centre


def move(
    situation: Situation, unit: str, path: Sequence[Point], facing: int | None, *, once_only: bool = False
) -> Procedure:  # fmt: skip
    """One Move, or two if the way is longer than one and no other lesser action is done (IF-107)."""
    it = situation.state.units[unit]
    once = allowance(situation, it, situation.tables.actions["move"].move_rounds)
    slow = slowed(situation, it)
    if slow is not None and (it.moved or (it.attacked and engine_of(situation.state, unit, "capped_ram"))):
        once = 0
    if "shield_wall" in it.stances:
        yield from _half_speed(situation, unit, path)
        once = once if "shield_wall" not in situation.state.units[unit].stances else once // 2
    it = situation.state.units[unit]
    way_cost = _path_cost(situation, it, path)
    twice = way_cost > once and it.lesser == 0 and slow is None and not once_only
    yield from begin(situation, unit, "move")
    if twice:
        yield from begin(situation, unit, "move")
    yield from march(situation, unit, March(path, Fraction(once * (2 if twice else 1))))
    if facing is not None:
        yield from face(situation, unit, facing)


def _path_cost(situation: Situation, unit: Unit, path: Sequence[Point]) -> Fraction:
    total, here = Fraction(0), unit.at
    for point in path:
        total += cost(here, point, slowing(situation, unit, here, point))
        here = point
    return total


def _half_speed(situation: Situation, unit: str, path: Sequence[Point]) -> Procedure:
    """A shield wall breaks when the way is longer than half speed allows (IF-135, AMB-48a)."""
    it = situation.state.units[unit]
    half = allowance(situation, it, situation.tables.actions["move"].move_rounds) // 2
    if _path_cost(situation, it, path) > 2 * half:
        yield StanceLeft(unit, "shield_wall", "IF-135")


def face(situation: Situation, unit: str, facing: int) -> Procedure:
    """A unit turns where it stands."""
    it = situation.state.units[unit]
    if it.facing != facing:
        yield UnitMoved(unit, it.at, facing, 0, "IF-003")


def sprint(situation: Situation, unit: str, to: Point, text: str) -> Procedure:
    """Run straight ahead: ten times sprint movement, where nothing is in the way (IF-112, IF-222, IF-223)."""
    it = situation.state.units[unit]
    budget = Fraction(allowance(situation, it, situation.tables.actions["sprint"].move_rounds, sprinting=True))
    barred = next((row for row in rows_on(situation, it, it.at, to) if not row.sprint), None)
    blocked = go(situation, it, to, budget).stopped_by
    if barred is not None or blocked:
        reason = f"{called(situation.state, blocked)} is in the way"
        if barred is not None:
            reason = f"no sprint over {barred.id.replace('_', ' ')}"
        yield OrderLapsed(unit, text, reason, barred.rule if barred is not None else "IF-112")
        return
    yield from break_wall(situation, unit)
    yield from begin(situation, unit, "sprint")
    yield from march(situation, unit, March((to,), budget, rule="IF-112"))


def break_wall(situation: Situation, unit: str) -> Procedure:
    """Sprinting, charging and the like break a shield wall (IF-135)."""
    if "shield_wall" in situation.state.units[unit].stances:
        yield StanceLeft(unit, "shield_wall", "IF-135")


def withdraw(
    situation: Situation, unit: str, to: Point | None, *, action: str = "withdraw", text: str = ""
) -> Procedure:  # fmt: skip
    """Draw back up to ten times combat movement, +5 to defence until the unit acts again (IF-117, AMB-19, AMB-48).

    Away from the enemy: not towards anybody whom it draws back from.
    """
    it = situation.state.units[unit]
    if to is not None and to != it.at:
        heading = bearing(it.at, to)
        for foe in threats(situation, it):
            if foe.at != it.at and turn_between(heading, bearing(it.at, foe.at)) < 90:
                yield OrderLapsed(unit, text, f"that way leads towards {foe.name}", "IF-117")
                return
    yield from begin(situation, unit, action)
    yield StanceTaken(unit, "withdrawing", "IF-117")
    yield from draw_back(situation, unit, to)


def draw_back(situation: Situation, unit: str, to: Point | None = None) -> Procedure:
    """The movement of a Withdraw: to a place, or straight away from the enemy, front still towards them."""
    it = situation.state.units[unit]
    budget = allowance(situation, it, situation.tables.actions["withdraw"].move_rounds)
    if "shield_wall" in it.stances:
        budget //= 2
    foes = threats(situation, it)
    facing = bearing(it.at, foes[0].at) if foes and foes[0].at != it.at else it.facing
    there = within_field(situation, to if to is not None else edge_from(situation, it, foes))
    leg = March((there,), Fraction(budget), facing=facing, endless=to is None, rule="IF-117")
    yield from march(situation, unit, leg)


def within_field(situation: Situation, to: Point) -> Point:
    """The nearest point that still lies on the field."""
    state = situation.state
    return Point(min(max(to.x, 1), state.width - 1), min(max(to.y, 1), state.height - 1))


def threats(situation: Situation, unit: Unit) -> list[Unit]:
    """The enemies that a unit draws back from: those in contact, else the three nearest."""
    near = [foe for foe in adjacent_foes(situation, unit) if foe.fights]
    if near:
        return near
    foes = [foe for foe in others(situation.state, unit, foes=True) if foe.fights]
    return sorted(foes, key=lambda foe: (distance(unit, foe), foe.id))[:3]


def quit_field(situation: Situation, unit: str) -> Procedure:
    """Leave the field, if the unit drew back last round and nobody comes after it; else draw back (IF-108, IF-130)."""
    it = situation.state.units[unit]
    ready = it.withdrew_turn > 0 and it.withdrew_turn == situation.state.table.turn - 1
    if not ready or step(it.condition) > step("disorganized"):
        yield from withdraw(situation, unit, None, action="quit")
        return
    yield from begin(situation, unit, "quit")
    yield StanceTaken(unit, "withdrawing", "IF-130")
    yield StanceTaken(unit, "quitting", "IF-130")


def finish_quitting(situation: Situation, unit: str) -> Procedure:
    """At the end of the round a unit that was left alone is gone; another has only drawn back (IF-130)."""
    it = situation.state.units[unit]
    yield StanceLeft(unit, "quitting", "IF-130")
    pressed = it.struck_by or any(foe.moved for foe in adjacent_foes(situation, it))
    if pressed or step(it.condition) > step("disorganized"):
        if it.fights:
            yield from draw_back(situation, unit)
        return
    yield from leave(situation, unit, "quit", "IF-130")


def leave(situation: Situation, unit: str, how: Any, rule: str, *, deserted: Sequence[str] = ()) -> Procedure:
    """A unit is off the field; a routed one shakes its neighbours (IF-166); heroes with it stay (IF-184).

    `deserted` are friends whom it was beside when it began to run: they are shaken as those at the edge are.
    """
    it = situation.state.units[unit]
    orderly = how == "quit" and half_organized(situation.state, it.seat)
    if it.condition == "routed":
        tn = situation.tables.number("routed_left_tn")
        yield from shake_neighbours(situation, unit, "gone from the field", tn, "IF-166", also=deserted)
    for hero in situation.state.attached(unit):
        near = [friend for friend in others(situation.state, it, foes=False) if friend.fights and how == "fled"]
        near.sort(key=lambda friend: (distance(it, friend), friend.id))
        if near and distance(it, near[0]) <= yards(situation, situation.tables.number("adjacent_yd")):
            yield HeroAttached(hero.id, near[0].id, "IF-048")
    yield UnitLeft(unit, how, orderly, rule)


def half_organized(state: BattleField, seat: str) -> bool:
    """Whether at least half the units that a side began with are organized, counted by AMB-27."""
    army = [unit for unit in state.units.values() if unit.seat == seat]
    well = [unit for unit in army if unit.condition == "organized" and unit.left != "yielded"]
    return 2 * len(well) >= len(army)


def _way_out(situation: Situation, unit: Unit, to: Point, budget: Fraction, ignore: Sequence[str]) -> Point:
    """Where men in flight run: straight away, or along what bars that way before half the run, if it leads farther."""
    best, far = to, go(situation, unit, to, budget, ignore).distance
    if 2 * far >= budget:
        return best
    whole = distance_mm(unit.at, to)
    for turned in (30, -30, 60, -60, 90, -90):
        east, north = step_of((bearing(unit.at, to) + turned) % 360, whole)
        there = Point(unit.at.x + east, unit.at.y + north)
        gone = go(situation, unit, there, budget, ignore).distance
        if gone > far:
            best, far = there, gone
    return best


def flee(situation: Situation, unit: str) -> Procedure:
    """A routed or destroyed unit does what takes it farthest from the foe; at the edge it is gone (IF-162, IF-163)."""
    yield from after_rout(situation, unit, "", melee=False)
    it = situation.state.units[unit]
    beside_it = tuple(friend.id for friend in adjacent_friends(situation, it))
    to = edge_from(situation, it, threats(situation, it))
    running = allowance(situation, it, situation.tables.actions["sprint"].move_rounds, sprinting=True)
    walking = allowance(situation, it, 2 * situation.tables.actions["move"].move_rounds)
    no_sprint = [ground for ground in grounds_at(situation, it.at) if not label(situation, ground).sprint]
    if running > walking and not no_sprint and "staggered" not in it.stances:
        yield from begin(situation, unit, "sprint")
    else:
        yield from begin(situation, unit, "move")
        yield from begin(situation, unit, "move")
        running = walking
    crowd = [other.id for foes in (False, True) for other in others(situation.state, it, foes=foes)]
    to = _way_out(situation, it, to, Fraction(running), crowd)
    yield from march(situation, unit, March((to,), Fraction(running), ignore=crowd, endless=True, rule="IF-162"))
    if off_field(situation, situation.state.units[unit].at):
        yield from leave(situation, unit, "fled", "IF-162", deserted=beside_it)
