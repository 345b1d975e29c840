"""Throwing machines, towers and rams under fire, and what burns (IF-272 to IF-285)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.field.plane import distance_mm
from engine.rules.ice_and_fire.breaking import break_tn, weaken
from engine.rules.ice_and_fire.calls import (
    Outcome,
    Pool,
    Share,
    against,
    call,
    kept_dice,
    outcome,
    penalty_dice,
    spare_dice,
)
from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.condition import harm_of, hurt
from engine.rules.ice_and_fire.defences import Blow, defence
from engine.rules.ice_and_fire.fighting import range_dice, skill_shares, strike_with
from engine.rules.ice_and_fire.ground import called, distance, yards
from engine.rules.ice_and_fire.melee import Refusal, lapse
from engine.rules.ice_and_fire.moving import LESSER
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.table_rows import Machine, Missile
from engine.rules.ice_and_fire.walls_held import wreck
from engine.rules.rolls import RollFor, total_of
from engine.rules.rule_set import Procedure, Yielded
from events.facts import Term
from events.ice_and_fire.kit import Arm
from events.ice_and_fire.siege import EngineDamaged, EngineFired, FireBurned, FireStarted
from events.ice_and_fire.units import Attacked, UnitActed
from projections.ice_and_fire.state import Engine, Unit, is_with

OTHER_ROUND = "every_other_round"


def bombard_refusal(situation: Situation, unit: Unit, engine: Engine, target: str, missile: str) -> Refusal | None:
    """Why a machine cannot throw at something now (IF-280, IF-284, RUL-10)."""
    state = situation.state
    if engine.crew != unit.id or engine.destroyed or not engine.throws:
        return Refusal(f"{unit.name} does not serve {engine.name}", "IF-280")
    if not is_with(unit, engine):
        return Refusal(f"{unit.name} is not with {engine.name}", "IF-280")
    turn = state.table.turn
    slow = state.said("reload", "every_round") == OTHER_ROUND
    if engine.fired and engine.fired >= turn - int(slow):
        return Refusal(f"{engine.name} is not loaded", "RUL-10")
    machine = situation.tables.machines[engine.engine]
    if missile not in machine.missiles:
        return Refusal(f"{engine.name} throws {' or '.join(machine.missiles)}", "IF-283")
    if _far(situation, unit, engine, target) > yards(situation, machine.range_yd):
        return Refusal(f"{called(state, target)} is out of range", "RUL-10")
    if target in state.units and not state.units[target].on_field:
        return Refusal(f"{called(state, target)} is not on the field", "IF-281")
    if target in state.units and "taking_cover" in state.units[target].stances:
        return Refusal(f"{called(state, target)} keeps its head down behind the wall", "IF-246")
    if target in (*state.walls, *state.gates) and break_tn(situation, target) <= 0:
        return Refusal(f"{called(state, target)} is open already", "IF-282")
    if target in (*state.walls, *state.gates) and not _harms(
        situation, target, machine, situation.tables.missiles[missile]
    ):
        return Refusal(f"{missile} does not harm {called(state, target)}", "IF-284")
    return None


def _harms(situation: Situation, structure: str, machine: Machine, missile: Missile) -> bool:
    """Whether a missile harms a wall or gate: stones and bolts do, of what a spitfire throws wildfire alone, and that
    wood alone (IF-284)."""
    if machine.athletics:
        return True
    wall = situation.state.walls.get(structure)
    return bool(missile.burns) and (wall is None or not situation.tables.walls[wall.wall].of_stone)


def usual_missile(situation: Situation, machine: Machine, target: str) -> str:
    """What a machine throws at a target if the order does not say: the first of its missiles that can harm it."""
    structures = (*situation.state.walls, *situation.state.gates)
    able = [
        name
        for name in machine.missiles
        if target not in structures or _harms(situation, target, machine, situation.tables.missiles[name])
    ]
    return (able or machine.missiles)[0]


def _far(situation: Situation, unit: Unit, engine: Engine, target: str) -> int:
    state = situation.state
    if target in state.units:
        return distance(unit, state.units[target])
    if target in state.engines:
        return distance_mm(engine.at, state.engines[target].at)
    line = state.walls.get(target) or state.gates[target]
    return min(distance_mm(engine.at, line.start), distance_mm(engine.at, line.end))


def aim_pool(situation: Situation, unit: Unit, machine: Machine, carried: Carried, dice: int) -> Pool:
    """Cunning (Siege Weapons), which takes training of 2B (IF-280, B-34)."""
    cunning = unit.profile.abilities["cunning"]
    special, needed = bonus_dice(unit.profile, "cunning", "siege_weapons"), situation.tables.number("siege_training")
    shares = [kept_dice(cunning, f"cunning of {unit.name}", "B-01"), *order_shares(unit, carried)]
    if special > needed:
        shares.append(spare_dice(special - needed, "siege weapons", "B-34"))
    elif special < needed:
        shares.append(penalty_dice(needed - special, "machines need training", "IF-280"))
    if dice:
        shares.append(penalty_dice(-dice, machine.name, "IF-283"))
    return Pool(tuple(shares), cunning)


def bombard(
    situation: Situation, unit: str, target: str, engine: str, missile: str, carried: Carried, text: str
) -> Procedure:
    """Throw at a unit, an engine, a wall or a gate (IF-115, IF-280 to IF-284)."""
    it, machine = situation.state.units[unit], situation.state.engines[engine]
    row = situation.tables.machines.get(machine.engine)
    missile = missile or (usual_missile(situation, row, target) if row is not None else "")
    refusal = bombard_refusal(situation, it, machine, target, missile)
    if refusal is None and it.attacked:
        refusal = Refusal("it has attacked already", "IF-006")
    if refusal is not None or row is None:
        yield lapse(unit, text, refusal or Refusal("that throws nothing", "IF-280"))
        return
    yield UnitActed(unit, "bombard", LESSER["greater"], "IF-115", attack=True)
    yield EngineFired(engine, situation.state.table.turn, "IF-115")
    shot = situation.tables.missiles[missile]
    if target in situation.state.units:
        yield from _at_unit(situation, unit, target, row, shot, carried)
    elif target in situation.state.engines:
        yield from _at_engine(situation, unit, target, row, shot, carried)
    else:
        yield from _at_structure(situation, unit, target, row, shot, carried)


def machine_arm(row: Machine, shot: Missile) -> Arm:
    """A machine as the weapon of its crew: damage by its Athletics or its missile, whatever the armour (IF-281)."""
    damage, armour = shot.damage or row.athletics, ("ignores_armour",)
    return Arm(row.id, row.name, "cunning", "siege_weapons", damage, range_yd=row.range_yd, qualities=armour)


def _at_unit(situation: Situation, unit: str, target: str, row: Machine, shot: Missile, carried: Carried) -> Procedure:
    """Against Combat Defense without shields; armour does not help (IF-281). Wildfire burns on (IF-284)."""
    it, foe = situation.state.units[unit], situation.state.units[target]
    arm = machine_arm(row, shot)
    blow = Blow("bombard", no_shield=True, rule="IF-281")
    pool = aim_pool(situation, it, row, carried, row.unit_dice)
    result: Outcome = yield from strike_with(
        situation, it, foe, arm, pool, defence(situation, foe, it, arm, blow), blow
    )
    if result.success and shot.burns and situation.state.units[target].on_field:
        yield from set_alight(situation, it, target, shot.burn_damage, shot.burns, "IF-284")


def _at_engine(
    situation: Situation, unit: str, target: str, row: Machine, shot: Missile, carried: Carried
) -> Procedure:
    """Towers, rams and machines have no defence but their rating (IF-272, IF-276)."""
    it, engine = situation.state.units[unit], situation.state.engines[target]
    key = f"t{situation.state.table.turn}/bombard/{unit}>{target}"
    lines = (against(situation.tables.number("object_tn"), engine.name, "IF-272", "house"),)
    result = yield from _throw(
        situation, it, key, f"{it.name} at {engine.name}", aim_pool(situation, it, row, carried, 0), lines
    )
    damage = max((shot.damage or row.athletics) * result.degrees - engine.ar, 0)
    yield from damage_engine(situation, target, damage, "IF-272", key)
    if result.success and shot.burns and not situation.state.engines[target].destroyed:
        yield from set_alight(situation, it, target, shot.burn_damage, shot.burns, "IF-284")


def _at_structure(
    situation: Situation, unit: str, target: str, row: Machine, shot: Missile, carried: Carried
) -> Procedure:
    """First a test to hit, then the machine's own Athletics against what is left, a die more each degree (IF-282).

    Wildfire does half its damage to wood (IF-284).
    """
    state = situation.state
    it = state.units[unit]
    gate = state.gates.get(target)
    kind = situation.tables.gates[gate.gate] if gate else situation.tables.walls[state.walls[target].wall]
    key = f"t{state.table.turn}/bombard/{unit}>{target}"
    pool = aim_pool(situation, it, row, carried, row.gate_dice if gate else 0)
    lines = (against(kind.siege_tn, kind.name, "IF-282"),)
    result = yield from _throw(situation, it, key, f"{it.name} at {called(state, target)}", pool, lines)
    if not result.success:
        return
    if not row.athletics:
        half = shot.damage * result.degrees // situation.tables.number("wood_divisor")
        yield from weaken(situation, target, unit, half, it.at, "IF-284", key)
        if break_tn(situation, target) <= 0:
            yield from set_alight(situation, it, target, 0, shot.burns, "IF-284")
        return
    pool = smash_pool(row, result.degrees)
    more = (against(break_tn(situation, target), f"{called(state, target)}, what is left of it", "IF-262"),)
    broke = yield from _throw(
        situation, it, f"{key}/break", f"the {row.name} breaks {called(state, target)}", pool, more
    )
    if broke.success:
        near = it.at
        yield from weaken(situation, target, unit, row.athletics * broke.degrees, near, "IF-282", f"{key}/break")


def smash_pool(row: Machine, degrees: int) -> Pool:
    """The machine's own Athletics against a structure that it has hit, a die more for each degree (IF-282, IF-283)."""
    shares = [kept_dice(row.athletics, f"athletics of the {row.name}", "IF-282")]
    if degrees > 1:
        shares.append(kept_dice(degrees - 1, "hit squarely", "IF-282"))
    if row.structure_dice:
        shares.append(penalty_dice(-row.structure_dice, row.name, "IF-283"))
    return Pool(tuple(shares))


def _throw(
    situation: Situation, unit: Unit, key: str, purpose: str, pool: Pool, lines: tuple[Term, ...]
) -> Generator[Yielded, Any, Outcome]:
    made = call(key, purpose, unit.seat, unit.id, pool, lines, "IF-280")
    reading = yield made
    return outcome(situation.tables, reading, made.target)


# -- fire arrows -------------------------------------------------------------------------------------------------------


def arrow_pool(situation: Situation, unit: Unit, engine: Engine, arm: Arm, carried: Carried) -> Pool:
    """A unit's shot at an engine: skill, order, range, aim."""
    shares: list[Share] = [*skill_shares(situation, unit.profile, arm, unit.name), *order_shares(unit, carried)]
    crew = situation.state.units.get(engine.crew)
    far = range_dice(situation, unit, crew, arm) if crew is not None else 0
    if far:
        shares.append(penalty_dice(far, "range", "B-80"))
    if "aim" in unit.stances:
        shares.append(spare_dice(situation.tables.number("aim_bonus"), "aim", "IF-100"))
    return Pool(tuple(shares), unit.profile.abilities[arm.skill])


def shoot_engine(situation: Situation, unit: str, target: str, carried: Carried, text: str) -> Procedure:
    """Fire arrows at a tower, ram or machine: half damage, and the fire goes on (IF-272, IF-277, IF-278, AMB-37)."""
    it, engine = situation.state.units[unit], situation.state.engines[target]
    arm = next((each for each in it.profile.arms if each.shoots and each.id not in it.lost), None)
    if arm is None or "incendiary" not in it.gear or engine.destroyed or it.attacked:
        yield lapse(unit, text, Refusal("only fire arrows and machines harm engines", "IF-277"))
        return
    yield UnitActed(unit, "attack", LESSER["lesser"], "IF-113", attack=True)
    key = f"t{situation.state.table.turn}/attack/{unit}>{target}"
    lines = (against(situation.tables.number("object_tn"), engine.name, "IF-272", "house"),)
    pool = arrow_pool(situation, it, engine, arm, carried)
    result = yield from _throw(situation, it, key, f"{it.name} with fire arrows at {engine.name}", pool, lines)
    damage, before = harm_of(arm.damage, result.degrees, max(engine.ar - arm.piercing, 0), fire=True)
    turn = situation.state.table.turn
    yield Attacked(
        unit, target, arm.id, result.degrees, damage, False, turn, "IF-277", key, before_limits=before
    )  # fmt: skip
    yield from damage_engine(situation, target, damage, "IF-277", key)
    if damage and not situation.state.engines[target].destroyed:
        yield from set_alight(situation, it, target, damage, situation.tables.missiles["fire_arrows"].burns, "IF-278")


def set_alight(situation: Situation, unit: Unit, target: str, damage: int, rounds: str, rule: str) -> Procedure:
    """How many further rounds a fire goes on: 1d6 for wildfire, 2d3-2 for fire arrows (IF-278, IF-284, AMB-37).

    What burns already burns on: of the old fire and the new one, that which has more damage still to do.
    """
    key = f"t{situation.state.table.turn}/fire/{unit.id}>{target}"
    what = RollFor(key, f"how long {called(situation.state, target)} burns", unit.seat, unit.id, rule)
    reading = yield total_of(what, rounds, most_listed=0)
    old = situation.state.fires.get(target)
    if old is not None and old.damage * old.rounds > damage * reading.total:
        yield FireStarted(target, old.damage, old.rounds, old.by, rule, key)
    else:
        yield FireStarted(target, damage, reading.total, unit.id, rule, key)


def damage_engine(situation: Situation, engine: str, amount: int, rule: str, key: str = "") -> Procedure:
    """An engine takes damage; at its health it is gone, and the men in a tower with it (IF-272, IF-274)."""
    it = situation.state.engines[engine]
    if amount <= 0 or it.destroyed:
        return
    yield EngineDamaged(engine, amount, it.damage + amount, rule, key)
    if situation.state.engines[engine].damage < it.health:
        return
    yield from wreck(situation, engine, rule)


def burn(situation: Situation) -> Procedure:
    """At the end of a round every fire that was lit before it does its damage again (IF-278, IF-284, AMB-38)."""
    for name in sorted(situation.state.fires):
        fire = situation.state.fires.get(name)
        if fire is None or fire.lit == situation.state.table.turn:
            continue
        unit = situation.state.units.get(name)
        if unit is not None and unit.on_field:
            yield from hurt(situation, name, fire.damage, fire.by, "IF-284")
        elif name in situation.state.engines:
            yield from damage_engine(situation, name, fire.damage, "IF-278")
        if name in situation.state.fires:
            out = unit is not None and not situation.state.units[name].on_field
            yield FireBurned(name, 0 if out else fire.rounds - 1, "IF-278")
