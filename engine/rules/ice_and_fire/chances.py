"""What an order promises: the chance that its own test succeeds now. Pure; nothing is rolled."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.breaking import break_pool, break_tn
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.defences import Blow, defence
from engine.rules.ice_and_fire.engines import aim_pool, arrow_pool, machine_arm, smash_pool, usual_missile
from engine.rules.ice_and_fire.fighting import armour_against, attack_pool, base_damage, best_arm
from engine.rules.ice_and_fire.ground import Field, in_tower
from engine.rules.ice_and_fire.melee import charge_damage, chosen_arm
from engine.rules.ice_and_fire.objections import reform_pool
from engine.rules.ice_and_fire.pools import Pool, odds
from engine.rules.ice_and_fire.scaling import climb_pool, ours
from engine.rules.ice_and_fire.table_rows import Machine
from engine.rules.ice_and_fire.ways import allowance, go
from events.ice_and_fire.kit import Arm
from projections.ice_and_fire.state import Unit

CERTAIN = Fraction(1)


def chance_of(field: Field, order: o.UnitOrder) -> Fraction:
    """The chance that an order's test succeeds as the unit stands now, without what a commander may add to it.

    1 for an order that takes no test. An attack whose best hit does no damage has none. Of a machine at a wall or gate
    it is the chance to hit it and to break something of it. Cost: some pools of dice, whose odds are kept.
    """
    unit = field.state.units[order.piece]
    match order:
        case o.Attack():
            ready = _readied(unit, aim=order.aim, hold=order.hold)
            return _attack(field, replace(ready, at=order.going[-1]) if order.going else ready, order)
        case o.Charge():
            foe = field.state.units[order.target]
            arm = _named(unit, order.weapon) or best_arm(field, unit, foe, shooting=False)
            blow = Blow("charge", damage=charge_damage(field, unit, foe.at))
            reach = Fraction(allowance(field, unit, field.tables.actions["charge"].move_rounds))
            way = go(field, unit, foe.at, reach)
            there = replace(_readied(unit, hold=order.hold), at=way.at, facing=way.facing)
            return _blow(field, there, foe, arm, blow)
        case o.Scale():
            wall = field.state.walls[order.wall]
            if in_tower(field, unit) or ours(field, unit, wall):
                return CERTAIN
            return _test(field, climb_pool(field, unit, wall, ALONE), field.tables.walls[wall.wall].scale_tn)
        case o.Break():
            engine, pool = field.state.engines.get(order.what), break_pool(field, unit, order.what, ALONE)
            if engine is None:
                return _test(field, pool, break_tn(field, order.what))
            degrees = engine.ar // unit.profile.abilities["athletics"] + 1  # the fewest that get through its rating
            if degrees > field.tables.number("most_degrees"):
                return Fraction(0)
            return _test(field, pool, field.tables.number("object_tn") + _step(field, degrees))
        case o.Bombard():
            return _bombard(field, unit, order)
        case o.Reform() if unit.condition in ("disorganized", "routed"):
            return _test(field, reform_pool(unit, ALONE), field.tables.number("reform_tn"))
        case _:
            return CERTAIN


def _test(field: Field, pool: Pool, target: int) -> Fraction:
    if pool.hopeless:
        return Fraction(0)
    success, _ = odds(pool, target, field.tables)
    return Fraction(success.of, success.out_of)


def _step(field: Field, degrees: int) -> int:
    """By how much a test must beat its number for so many degrees (B-10)."""
    return field.tables.number("degree_step") * (degrees - 1)


def _readied(unit: Unit, *, aim: bool = False, hold: bool = False) -> Unit:
    """The unit as it will stand when it has taken aim or holds the line."""
    taken = {name for name, wanted in (("aim", aim), ("hold", hold)) if wanted}
    return replace(unit, stances=tuple(sorted({*unit.stances, *taken}))) if taken else unit


def _named(unit: Unit, weapon: str | None) -> Arm | None:
    return next((arm for arm in unit.profile.arms if arm.id == weapon and arm.id not in unit.lost), None)


def _attack(field: Field, unit: Unit, order: o.Attack) -> Fraction:
    engine = field.state.engines.get(order.target)
    if engine is not None:
        arm = next((each for each in unit.profile.arms if each.shoots and each.id not in unit.lost), None)
        if arm is None:
            return Fraction(0)
        return _test(field, arrow_pool(field, unit, engine, arm, ALONE), field.tables.number("object_tn"))
    foe = field.state.units[order.target]
    return _blow(field, unit, foe, chosen_arm(field, unit, foe, order.weapon or ""), Blow("attack", fire=order.fire))


def _blow(field: Field, unit: Unit, foe: Unit, arm: Arm | None, blow: Blow) -> Fraction:
    if arm is None or not _harms(field, unit, foe, arm, blow):
        return Fraction(0)
    target = sum(line.value for line in defence(field, foe, unit, arm, blow))
    return _test(field, attack_pool(field, unit, foe, arm, ALONE, blow), target)


def _harms(field: Field, unit: Unit, foe: Unit, arm: Arm, blow: Blow) -> bool:
    """Whether the best hit with a weapon does any damage (B-24)."""
    best = base_damage(field, unit, foe, arm, blow) * field.tables.number("most_degrees")
    return best // (2 if blow.fire else 1) > armour_against(foe, arm, blow)


def _bombard(field: Field, unit: Unit, order: o.Bombard) -> Fraction:
    row = field.tables.machines[field.state.engines[order.engine].engine]
    foe = field.state.units.get(order.target)
    if foe is not None:
        missile = field.tables.missiles[order.missile or usual_missile(field, row, order.target)]
        arm, blow = machine_arm(row, missile), Blow("bombard", no_shield=True)
        target = sum(line.value for line in defence(field, foe, unit, arm, blow))
        return _test(field, aim_pool(field, unit, row, ALONE, row.unit_dice), target)
    if order.target in field.state.engines:
        return _test(field, aim_pool(field, unit, row, ALONE, 0), field.tables.number("object_tn"))
    return _at_structure(field, unit, row, order.target)


def _at_structure(field: Field, unit: Unit, row: Machine, structure: str) -> Fraction:
    gate = field.state.gates.get(structure)
    kind = field.tables.gates[gate.gate] if gate else field.tables.walls[field.state.walls[structure].wall]
    pool = aim_pool(field, unit, row, ALONE, row.gate_dice if gate else 0)
    if not row.athletics:
        return _test(field, pool, kind.siege_tn)
    left, whole = break_tn(field, structure), Fraction(0)
    for degrees in range(1, field.tables.number("most_degrees") + 1):
        here = _test(field, pool, kind.siege_tn + _step(field, degrees))
        if degrees < field.tables.number("most_degrees"):
            here -= _test(field, pool, kind.siege_tn + _step(field, degrees + 1))
        whole += here * _test(field, smash_pool(row, degrees), left)
    return whole
