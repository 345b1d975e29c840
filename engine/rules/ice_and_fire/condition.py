"""Damage, condition and nerve: what breaks a unit and whom its fall shakes (§9; IF-074)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

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
from engine.rules.ice_and_fire.ground import adjacent_friends
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.tables import Tables
from engine.rules.rule_set import Procedure, Yielded, roll_all
from events.facts import RollCalled
from events.ice_and_fire.units import Condition, ConditionWorsened, MoraleTested, UnitDamaged
from projections.ice_and_fire.state import CONDITIONS, Unit, worse


class Harm(NamedTuple):
    """The damage of one hit; `before` is what it would have been below nothing, None if it would not (B-25)."""

    damage: int
    before: int | None = None


def harm_of(base: int, degrees: int, armour: int, *, fire: bool = False) -> Harm:
    """The damage of one hit: base times degrees, halved for fire arrows, less armour once; never below nothing.

    B-24, B-25; a published battle has (3+2)×4 = 20, less 2, 18; and a hit that armour swallows whole.

    >>> harm_of(5, 4, 2), harm_of(2, 1, 4), harm_of(2, 0, 4)
    (Harm(damage=18, before=None), Harm(damage=0, before=-2), Harm(damage=0, before=None))
    """
    worked_out = base * degrees // (2 if fire else 1) - armour
    return Harm(max(worked_out, 0), worked_out if degrees and worked_out < 0 else None)


def step(condition: str) -> int:
    """How bad a condition is: 0 for organized, 4 for annihilated."""
    return CONDITIONS.index(condition)


def condition_after(tables: Tables, health: int, total: int, blow: int, now: Condition) -> tuple[Condition, str]:
    """The condition that damage brings and the rule that says so, the worse of what has added up and of one attack.

    What adds up must be more than the threshold, one attack need only be as much (IF-160 to IF-165, AMB-25). A
    condition never gets better by it.
    """
    found: list[tuple[int, str]] = [(step(now), "")]
    if total > health:
        found.append((1, "IF-161"))
    for number, name, rule in ((2, "routed", "IF-162"), (3, "destroyed", "IF-163"), (4, "annihilated", "IF-164")):
        if total > tables.number(f"{name}_times") * health or blow >= tables.number(f"{name}_blow") * health:
            found.append((number, rule))
    worst, rule = max(found, key=lambda each: each[0])
    return CONDITIONS[worst], rule


def hurt(situation: Situation, unit: str, amount: int, by: str, rule: str, key: str = "") -> Procedure:
    """A unit takes damage from one attack or fire; its condition follows (B-24, IF-160 to IF-165)."""
    if amount <= 0:
        return
    it = situation.state.units[unit]
    yield UnitDamaged(unit, amount, it.damage + amount, by, rule, key)
    it = situation.state.units[unit]
    to, why = condition_after(situation.tables, it.profile.health, it.damage, amount, it.condition)
    if to != it.condition:
        yield from worsen(situation, unit, to, f"{amount} damage, {it.damage} of {it.profile.health} in all", why)


def worsen(situation: Situation, unit: str, to: Condition, why: str, rule: str) -> Procedure:
    """A unit's condition gets worse; a unit destroyed or annihilated shakes its neighbours (IF-167, IF-168, AMB-26)."""
    it = situation.state.units[unit]
    if step(to) <= step(it.condition) or not it.on_field:
        return
    yield ConditionWorsened(unit, to, why, rule)
    if to == "destroyed":
        yield from shake_neighbours(situation, unit, "destroyed", situation.tables.number("destroyed_tn"), "IF-167")
    elif to == "annihilated":
        yield from shake_neighbours(situation, unit, "annihilated", situation.tables.number("annihilated_tn"), "IF-168")


def shake_neighbours(
    situation: Situation, unit: str, what: str, tn: int, rule: str, *, also: Sequence[str] = ()
) -> Procedure:  # fmt: skip
    """Every allied unit adjacent to one that is lost, and those in `also`, test their nerve (IF-166 to IF-168)."""
    it = situation.state.units[unit]
    names = sorted({friend.id for friend in adjacent_friends(situation, it)} | set(also))
    near = [situation.state.units[name] for name in names if situation.state.units[name].fights]
    yield from try_nerves(situation, near, tn, f"{it.name} is {what}", f"{unit}/{what}", rule)


def try_nerves(situation: Situation, units: Sequence[Unit], tn: int, why: str, cause: str, rule: str) -> Procedure:
    """Units test their nerve at once: a failure costs one condition, a critical one two (IF-050, IF-166 to IF-168)."""
    turn = situation.state.table.turn
    calls = [nerve(situation, unit, tn, f"t{turn}/nerve/{unit.id}<{cause}", rule) for unit in units]
    readings = yield from roll_all(calls)
    for unit, each, reading in zip(units, calls, readings, strict=True):
        result = outcome(situation.tables, reading, each.target)
        steps = (
            0 if result.success else situation.tables.number("steps_critical" if result.critical else "steps_failed")
        )
        yield MoraleTested(unit.id, why, steps, rule, each.key)
        if steps:
            now = situation.state.units[unit.id]
            yield from worsen(situation, unit.id, worse(now.condition, steps), why, rule)


def nerve_pool(unit: Unit) -> Pool:
    """The morale dice of a unit's rank (IF-071, IF-074)."""
    profile = unit.profile
    return Pool(
        (
            kept_dice(profile.morale_test, f"morale of {unit.rank} men", "IF-071"),
            spare_dice(profile.morale_bonus, f"morale of {unit.rank} men", "IF-071"),
        )
    )


def nerve(situation: Situation, unit: Unit, tn: int, key: str, rule: str) -> RollCalled:
    """Call for a forced test of morale: no penalty for disorder, since it carries out no order (AMB-42)."""
    lines = (against(tn, "to stand firm", rule),)
    return call(key, f"{unit.name}: nerve", unit.seat, unit.id, nerve_pool(unit), lines, rule)


def disorder(unit: Unit) -> tuple[Share, ...]:
    """The die that disorder costs on all that carries out an order; routed men keep it (IF-161, AMB-42, AMB-43)."""
    if unit.condition == "organized":
        return ()
    return (penalty_dice(1, unit.condition, "IF-161" if unit.condition == "disorganized" else "AMB-43"),)


def one_test(
    situation: Situation, key: str, purpose: str, unit: Unit, pool: Pool, tn: int, label: str, rule: str
) -> Generator[Yielded, Any, Outcome]:
    """Roll one test of a unit against a plain target number."""
    made = call(key, purpose, unit.seat, unit.id, pool, (against(tn, label, rule),), rule)
    reading = yield made
    return outcome(situation.tables, reading, made.target)
