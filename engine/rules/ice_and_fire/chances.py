"""What an order promises: the chance that its own test succeeds now. Pure; nothing is rolled."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.breaking import break_pool, break_tn
from engine.rules.ice_and_fire.calls import Pool, odds
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.defences import Blow, defence
from engine.rules.ice_and_fire.engines import aim_pool, arrow_pool, machine_arm, smash_pool, usual_missile
from engine.rules.ice_and_fire.fighting import armour_against, attack_pool, base_damage, best_arm
from engine.rules.ice_and_fire.ground import in_tower
from engine.rules.ice_and_fire.melee import charge_damage, chosen_arm
from engine.rules.ice_and_fire.objections import reform_pool
from engine.rules.ice_and_fire.scaling import climb_pool, ours
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.table_rows import Machine
from engine.rules.ice_and_fire.ways import allowance, go
from events.ice_and_fire.kit import Arm
from projections.ice_and_fire.state import Unit

CERTAIN = Fraction(1)


def chance_of(situation: Situation, order: o.UnitOrder) -> Fraction:
    """The chance that an order's test succeeds as the unit stands now, without what a commander may add to it.

    1 for an order that takes no test. An attack whose best hit does no damage has none. Of a machine at a wall or gate
    it is the chance to hit it and to break something of it. Cost: some pools of dice, whose odds are kept.
    """
    unit = situation.state.units[order.piece]
    match order:
        case o.Attack():
            ready = _readied(unit, aim=order.aim, hold=order.hold)
            return _attack(situation, replace(ready, at=order.going[-1]) if order.going else ready, order)
        case o.Charge():
            foe = situation.state.units[order.target]
            arm = _named(unit, order.weapon) or best_arm(situation, unit, foe, shooting=False)
            blow = Blow("charge", damage=charge_damage(situation, unit, foe.at))
            reach = Fraction(allowance(situation, unit, situation.tables.actions["charge"].move_rounds))
            way = go(situation, unit, foe.at, reach)
            there = replace(_readied(unit, hold=order.hold), at=way.at, facing=way.facing)
            return _blow(situation, there, foe, arm, blow)
        case o.Scale():
            wall = situation.state.walls[order.wall]
            if in_tower(situation, unit) or ours(situation, unit, wall):
                return CERTAIN
            return _test(
                situation, climb_pool(situation, unit, wall, ALONE), situation.tables.walls[wall.wall].scale_tn
            )
        case o.Break():
            engine, pool = situation.state.engines.get(order.what), break_pool(situation, unit, order.what, ALONE)
            if engine is None:
                return _test(situation, pool, break_tn(situation, order.what))
            degrees = engine.ar // unit.profile.abilities["athletics"] + 1  # the fewest that get through its rating
            if degrees > situation.tables.number("most_degrees"):
                return Fraction(0)
            return _test(situation, pool, situation.tables.number("object_tn") + _step(situation, degrees))
        case o.Bombard():
            return _bombard(situation, unit, order)
        case o.Reform() if unit.condition in ("disorganized", "routed"):
            return _test(situation, reform_pool(unit, ALONE), situation.tables.number("reform_tn"))
        case _:
            return CERTAIN


def _test(situation: Situation, pool: Pool, target: int) -> Fraction:
    if pool.hopeless:
        return Fraction(0)
    success, _ = odds(pool, target, situation.tables)
    return Fraction(success.of, success.out_of)


def _step(situation: Situation, degrees: int) -> int:
    """By how much a test must beat its number for so many degrees (B-10)."""
    return situation.tables.number("degree_step") * (degrees - 1)


def _readied(unit: Unit, *, aim: bool = False, hold: bool = False) -> Unit:
    """The unit as it will stand when it has taken aim or holds the line."""
    taken = {name for name, wanted in (("aim", aim), ("hold", hold)) if wanted}
    return replace(unit, stances=tuple(sorted({*unit.stances, *taken}))) if taken else unit


def _named(unit: Unit, weapon: str | None) -> Arm | None:
    return next((arm for arm in unit.profile.arms if arm.id == weapon and arm.id not in unit.lost), None)


def _attack(situation: Situation, unit: Unit, order: o.Attack) -> Fraction:
    engine = situation.state.engines.get(order.target)
    if engine is not None:
        arm = next((each for each in unit.profile.arms if each.shoots and each.id not in unit.lost), None)
        if arm is None:
            return Fraction(0)
        return _test(situation, arrow_pool(situation, unit, engine, arm, ALONE), situation.tables.number("object_tn"))
    foe = situation.state.units[order.target]
    return _blow(
        situation, unit, foe, chosen_arm(situation, unit, foe, order.weapon or ""), Blow("attack", fire=order.fire)
    )


def _blow(situation: Situation, unit: Unit, foe: Unit, arm: Arm | None, blow: Blow) -> Fraction:
    if arm is None or not _harms(situation, unit, foe, arm, blow):
        return Fraction(0)
    target = sum(line.value for line in defence(situation, foe, unit, arm, blow))
    return _test(situation, attack_pool(situation, unit, foe, arm, ALONE, blow), target)


def _harms(situation: Situation, unit: Unit, foe: Unit, arm: Arm, blow: Blow) -> bool:
    """Whether the best hit with a weapon does any damage (B-24)."""
    best = base_damage(situation, unit, foe, arm, blow) * situation.tables.number("most_degrees")
    return best // (2 if blow.fire else 1) > armour_against(foe, arm, blow)


def _bombard(situation: Situation, unit: Unit, order: o.Bombard) -> Fraction:
    row = situation.tables.machines[situation.state.engines[order.engine].engine]
    foe = situation.state.units.get(order.target)
    if foe is not None:
        missile = situation.tables.missiles[order.missile or usual_missile(situation, row, order.target)]
        arm, blow = machine_arm(row, missile), Blow("bombard", no_shield=True)
        target = sum(line.value for line in defence(situation, foe, unit, arm, blow))
        return _test(situation, aim_pool(situation, unit, row, ALONE, row.unit_dice), target)
    if order.target in situation.state.engines:
        return _test(situation, aim_pool(situation, unit, row, ALONE, 0), situation.tables.number("object_tn"))
    return _at_structure(situation, unit, row, order.target)


def _at_structure(situation: Situation, unit: Unit, row: Machine, structure: str) -> Fraction:
    gate = situation.state.gates.get(structure)
    kind = situation.tables.gates[gate.gate] if gate else situation.tables.walls[situation.state.walls[structure].wall]
    pool = aim_pool(situation, unit, row, ALONE, row.gate_dice if gate else 0)
    if not row.athletics:
        return _test(situation, pool, kind.siege_tn)
    left, whole = break_tn(situation, structure), Fraction(0)
    for degrees in range(1, situation.tables.number("most_degrees") + 1):
        here = _test(situation, pool, kind.siege_tn + _step(situation, degrees))
        if degrees < situation.tables.number("most_degrees"):
            here -= _test(situation, pool, kind.siege_tn + _step(situation, degrees + 1))
        whole += here * _test(situation, smash_pool(row, degrees), left)
    return whole
