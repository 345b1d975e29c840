"""What units do without an order: standing orders, independent behaviour, flight (IF-091, IF-162, RUL-01).

Each way of acting names orders from the one it wants most; the first that has any chance is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from engine.field.plane import within
from engine.orders import write_order
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.breaking import break_refusal, break_tn
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.chances import chance_of
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.engines import bombard_refusal, usual_missile
from engine.rules.ice_and_fire.engines_at_hand import at_engine, crew_of, serve_refusal, serves
from engine.rules.ice_and_fire.fighting import arms_for
from engine.rules.ice_and_fire.ground import adjacent_foes, distance, engine_of, others, walled_off, yards
from engine.rules.ice_and_fire.melee import charge_refusal
from engine.rules.ice_and_fire.moving import flee
from engine.rules.ice_and_fire.objections import carry_out, surrender
from engine.rules.ice_and_fire.paths import foot_of, step_towards
from engine.rules.ice_and_fire.scaling import ours, scale_refusal
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.targets import by_distance, can_strike, outnumbered, thrown_down, within_reach
from engine.rules.ice_and_fire.ways import allowance, go
from engine.rules.rule_set import Procedure
from events.places import Point
from projections.ice_and_fire.state import Engine, Unit

Wishes: TypeAlias = Iterator[o.UnitOrder]
"""Orders that a unit would like to carry out, the one it wants most first."""


def act_alone(situation: Situation, unit: str, how: str, mark: str) -> Procedure:
    """A unit without an order acts: a routed one flees, others as their standing order or the referee says.

    Routed men who cannot get away from a foe in contact surrender: their leader judges that to be better (IF-162).
    """
    it = situation.state.units[unit]
    if not it.on_field or it.acted:
        return
    if step(it.condition) >= step("routed"):
        pressed = bool(adjacent_foes(situation, it))
        yield from flee(situation, unit)
        now = situation.state.units[unit]
        held = within(it.at, now.at, yards(situation, 1)) or adjacent_foes(situation, now)
        if pressed and held and now.on_field and now.condition == "routed":
            yield from surrender(situation, unit)
        return
    order = choose(situation, it, how, mark)
    if order is not None:
        yield from carry_out(situation, order, ALONE, write_order(order))


def choose(situation: Situation, unit: Unit, how: str, mark: str) -> o.UnitOrder | None:
    """The order that a standing order comes to now: the first it wishes for with any chance; None to do nothing."""
    ways: dict[str, Callable[[Situation, Unit, str], Wishes]] = {
        "independent": independent,
        "fight": advance,
        "charge": charging,
        "shoot": shooting,
        "hold": holding,
        "stay": lambda situation, unit, mark: iter(()),
        "withdraw": lambda situation, unit, mark: iter((o.Withdraw(unit.id),)),
        "scale": storming,
        "break": battering,
        "bombard": bombarding,
    }
    return next((order for order in ways[how](situation, unit, mark) if chance_of(situation, order)), None)


def defends_wall(situation: Situation, unit: Unit) -> bool:
    """Whether a unit mans a wall of its own side: it does not leave it of its own accord."""
    return bool(unit.on_wall) and not unit.contested and situation.state.walls[unit.on_wall].seat == unit.seat


# -- fighting ----------------------------------------------------------------------------------------------------------


def independent(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Aim and strike at the nearest enemy it can harm; draw back if disordered or outnumbered two to one (RUL-01)."""
    if unit.condition == "disorganized" or outnumbered(situation, unit):
        if not defends_wall(situation, unit):
            yield o.Quit(unit.id) if unit.withdrew_turn == situation.state.table.turn - 1 > 0 else o.Withdraw(unit.id)
            return
        yield from rallying(unit)
    yield from striking(situation, unit)


def rallying(unit: Unit) -> Wishes:
    """A unit in disorder reforms, and tries again if it did not succeed."""
    if unit.condition == "disorganized":
        yield o.Reform(unit.id, twice=True)


def striking(situation: Situation, unit: Unit, *, hold: bool = False, blows_only: bool = False) -> Wishes:
    """Throw down what is at hand, strike, or shoot at the nearest enemy first, after aiming."""
    for foe, arm in () if blows_only else thrown_down(situation, unit):
        yield o.Attack(unit.id, foe.id, arm.id, aim=True, hold=hold)
    for foe in within_reach(situation, unit):
        if not blows_only or can_strike(situation, unit, foe):
            yield o.Attack(unit.id, foe.id, aim=True, hold=hold)


def shooting(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Shoot, or come nearer until it can; strike whoever is in contact."""
    yield from striking(situation, unit)
    if not arms_for(unit, shooting=True):
        yield from independent(situation, unit, mark)
    yield from advance(situation, unit, mark)


def advance(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Go at the nearest enemy: strike if in contact, charge if near enough, else move."""
    yield from rallying(unit)
    yield from striking(situation, unit, blows_only=unit.mounted)
    yield from _close_in(situation, unit, mark)


def charging(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """As `advance`, but riders form a wedge first and nobody stops to shoot."""
    yield from rallying(unit)
    yield from striking(situation, unit, blows_only=True)
    foe = next(iter(_marks(situation, unit, mark)), None)
    reach = 2 * allowance(situation, unit, situation.tables.actions["charge"].move_rounds)
    if unit.mounted and foe is not None and distance(unit, foe) > reach and "wedge" not in unit.stances:
        yield o.Wedge(unit.id)
    yield from _close_in(situation, unit, mark)


def holding(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Hold the line and strike only at who comes within reach; let the line go where that leaves no hope of a hit."""
    yield from striking(situation, unit, hold=True)
    yield from striking(situation, unit)
    yield o.Stand(unit.id, hold=True)


def _marks(situation: Situation, unit: Unit, mark: str) -> list[Unit]:
    """The enemies to go at: the one named, then from the nearest; none on the far side of the wall that it mans."""
    foes = [
        foe
        for foe in by_distance(situation, unit)
        if foe.fights and not (foe.on_wall and walled_off(situation, unit.at, foe.at))
    ]
    return sorted(foes, key=lambda foe: foe.id != mark)


def _close_in(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Charge the first enemy that can be reached, else go towards the first to whom a way leads."""
    if defends_wall(situation, unit):
        yield o.Stand(unit.id, hold=True)
        return
    foes = _marks(situation, unit, mark)
    for foe in foes:
        if can_charge(situation, unit, foe):
            yield o.Charge(unit.id, foe.id)
            break
    for foe in foes:
        place = step_towards(situation, unit, foe.at)
        if place is not None:
            yield o.Move(unit.id, (place,))
            return


def can_charge(situation: Situation, unit: Unit, foe: Unit) -> bool:
    """Whether a charge would end in contact: near enough, over ground that allows it, with nothing in the way."""
    reach = allowance(situation, unit, situation.tables.actions["charge"].move_rounds)
    if not arms_for(unit, shooting=False) or "staggered" in unit.stances or unit.on_wall:
        return False
    if distance(unit, foe) > reach or charge_refusal(situation, unit, foe.at) is not None:
        return False
    return go(situation, unit, foe.at, Fraction(reach)).stopped_by == foe.id


# -- sieges ------------------------------------------------------------------------------------------------------------


def storming(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Go to a wall and up it; fight whoever is on it; then on within. Where there is no hope of that, an open way."""
    yield from rallying(unit)
    yield from striking(situation, unit, blows_only=True)
    wall = situation.state.walls.get(mark)
    if wall is None or unit.mounted or unit.on_wall == mark:
        yield from advance(situation, unit, "")
        return
    climb = o.Scale(unit.id, mark, twice=not ours(situation, unit, wall))
    if scale_refusal(situation, unit, wall) is None:
        yield climb
    elif chance_of(situation, climb):
        foot = foot_of(situation, unit, wall)
        near = step_towards(situation, unit, foot, moves=1)
        if near is not None and within(near, foot, unit.depth) and not wall.broken:
            yield o.Scale(unit.id, mark, going=(near,))
        yield from _move(situation, unit, foot)
    yield from striking(situation, unit)
    yield from advance(situation, unit, "")


def battering(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Go to a gate or wall and break it; once it is open, or where there is no hope of that, on through an open way."""
    yield from rallying(unit)
    yield from striking(situation, unit, blows_only=True)
    line = situation.state.gates.get(mark) or situation.state.walls.get(mark)
    blow = o.Break(unit.id, mark)
    if line is not None and break_tn(situation, mark) > 0 and chance_of(situation, blow):
        if break_refusal(situation, unit, mark) is None:
            yield blow
        else:
            foot = foot_of(situation, unit, line)
            near = step_towards(situation, unit, foot, moves=1)
            ram = engine_of(situation.state, unit.id, "capped_ram")
            if near is not None and within(near, foot, unit.depth) and not ram:
                yield o.Break(unit.id, mark, going=(near,))
            yield from _move(situation, unit, foot)
    yield from advance(situation, unit, "")


def _move(situation: Situation, unit: Unit, to: Point) -> Wishes:
    place = step_towards(situation, unit, to)
    if place is not None:
        yield o.Move(unit.id, (place,))


def bombarding(situation: Situation, unit: Unit, mark: str) -> Wishes:
    """Throw at the mark, or at the nearest enemy in range once it needs no more; come back to an engine that was left,
    or take over one that nobody serves."""
    yield from rallying(unit)
    mine = [each for _, each in sorted(situation.state.engines.items()) if each.throws and not each.destroyed]
    for engine in mine:
        if serves(situation, unit, engine):
            yield from _throwing(situation, unit, engine, mark)
    if not any(serves(situation, unit, engine) for engine in mine):
        yield from _taking_over(situation, unit, mine)
    yield from independent(situation, unit, mark)


def _throwing(situation: Situation, unit: Unit, engine: Engine, mark: str) -> Wishes:
    foes = sorted(others(situation.state, unit, foes=True), key=lambda foe: (distance(unit, foe), foe.id))
    machine = situation.tables.machines[engine.engine]
    for each in [*([mark] if mark else []), *(foe.id for foe in foes if foe.fights)]:
        if bombard_refusal(situation, unit, engine, each, usual_missile(situation, machine, each)) is None:
            yield o.Bombard(unit.id, each, engine.id)


def _taking_over(situation: Situation, unit: Unit, engines: list[Engine]) -> Wishes:
    """Back to its own engine, else to one of its side that nobody serves."""
    free = [each for each in engines if each.seat == unit.seat and crew_of(situation, each) is None]
    for engine in sorted(free, key=lambda each: (each.crew != unit.id, each.id)):
        if at_engine(situation, unit, engine) and serve_refusal(situation, unit, engine) is None:
            yield o.Serve(unit.id, engine.id)
        else:
            yield from _move(situation, unit, engine.at)
