"""What units do without an order: standing orders, independent behaviour, flight (IF-091, IF-162, RUL-01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.field.plane import along, distance_mm, within
from engine.orders import write_order
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.breaking import break_refusal, break_tn
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.defences import Blow
from engine.rules.ice_and_fire.engines import bombard_refusal, usual_missile
from engine.rules.ice_and_fire.fighting import (
    armour_against,
    arms_for,
    best_arm,
    damage_of,
    range_dice,
    skill_shares,
)
from engine.rules.ice_and_fire.ground import Field, adjacent_foes, distance, others, yards
from engine.rules.ice_and_fire.melee import charge_refusal, melee_refusal, shot_refusal, sight, wall_arm
from engine.rules.ice_and_fire.moving import flee, within_field
from engine.rules.ice_and_fire.objections import carry_out, surrender
from engine.rules.ice_and_fire.pools import Pool
from engine.rules.ice_and_fire.scaling import ours, scale_refusal
from engine.rules.ice_and_fire.ways import allowance
from engine.rules.rule_set import Procedure
from events.places import Point
from projections.ice_and_fire.state import Unit

FARTHEST_SHOT_DICE = 1
"""Penalty dice for range beyond which nobody shoots on his own."""


def act_alone(field: Field, unit: str, how: str, mark: str) -> Procedure:
    """A unit without an order acts: a routed one flees, others as their standing order or the referee says.

    Routed men who cannot get away from a foe in contact surrender: their leader judges that to be better (IF-162).
    """
    it = field.state.units[unit]
    if not it.on_field or it.acted:
        return
    if step(it.condition) >= step("routed"):
        pressed = bool(adjacent_foes(field, it))
        yield from flee(field, unit)
        now = field.state.units[unit]
        stuck = within(it.at, now.at, yards(field, 1))
        if now.on_field and now.condition == "routed" and stuck and pressed:
            yield from surrender(field, unit)
        return
    order = choose(field, it, how, mark)
    if order is not None:
        yield from carry_out(field, order, ALONE, write_order(order))


def choose(field: Field, unit: Unit, how: str, mark: str) -> o.UnitOrder | None:
    """The order that a standing order comes to now; None to do nothing."""
    ways: dict[str, Callable[[Field, Unit, str], o.UnitOrder | None]] = {
        "independent": independent,
        "fight": advance,
        "charge": charging,
        "shoot": shooting,
        "hold": holding,
        "stay": lambda field, unit, mark: None,
        "withdraw": lambda field, unit, mark: o.Withdraw(unit.id),
        "scale": storming,
        "break": battering,
        "bombard": bombarding,
    }
    return ways[how](field, unit, mark)


def independent(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Aim and strike at the nearest enemy it can harm; draw back if disordered or outnumbered two to one (RUL-01)."""
    if unit.condition == "disorganized" or outnumbered(field, unit):
        return o.Quit(unit.id) if unit.withdrew_turn == field.state.table.turn - 1 > 0 else o.Withdraw(unit.id)
    from_wall = thrown_down(field, unit)
    if from_wall is not None:
        return from_wall
    target = nearest_harmed(field, unit)
    return o.Attack(unit.id, target.id, aim=True) if target is not None else None


def thrown_down(field: Field, unit: Unit, *, hold: bool = False) -> o.Attack | None:
    """What a unit that mans a wall throws or pours on a foe below: where that does more than its bows (IF-243, IF-244).

    The nearest foe within short range, and of what is at hand the most harmful.
    """
    if not unit.on_wall or unit.contested:
        return None
    foes = [
        foe for foe in others(field.state, unit, foes=True) if foe.fights and shot_refusal(field, unit, foe) is None
    ]
    names = sorted(name for name, row in field.tables.weapons.items() if "from_wall" in row.qualities)
    arms = [arm for arm in (wall_arm(field, unit, name) for name in names) if arm is not None]
    blow = Blow("attack")
    for foe in sorted(foes, key=lambda each: (distance(unit, each), each.id)):
        near = [arm for arm in arms if not range_dice(field, unit, foe, arm)]
        if not near or sight(field, unit, foe) != "clear":
            continue
        own = [
            *arms_for(unit, shooting=True),
            *(arms_for(unit, shooting=False) if can_strike(field, unit, foe) else []),
        ]
        worth = {arm.id: damage_of(arm.damage, 2, armour_against(foe, arm, blow)) for arm in (*near, *own)}
        best = max(near, key=lambda arm: worth[arm.id])
        if worth[best.id] > max((worth[arm.id] for arm in own), default=0):
            return o.Attack(unit.id, foe.id, best.id, aim=True, hold=hold)
    return None


def outnumbered(field: Field, unit: Unit) -> bool:
    """Whether two enemy units or more, with twice its men, are adjacent to a unit (RUL-01)."""
    foes = [foe for foe in adjacent_foes(field, unit) if foe.fights]
    times = field.tables.number("outnumbered_times")
    return len(foes) >= times and sum(foe.men for foe in foes) >= times * unit.men


def nearest_harmed(field: Field, unit: Unit) -> Unit | None:
    """The nearest enemy that a unit can strike or shoot now."""
    foes = [foe for foe in others(field.state, unit, foes=True) if foe.condition != "annihilated"]
    foes.sort(key=lambda foe: (not foe.fights, distance(unit, foe), foe.id))
    return next((foe for foe in foes if can_strike(field, unit, foe) or can_shoot(field, unit, foe)), None)


def can_strike(field: Field, unit: Unit, foe: Unit) -> bool:
    """Whether blows reach a foe now."""
    arm = best_arm(field, unit, foe, shooting=False)
    return arm is not None and melee_refusal(field, unit, foe, arm) is None


def can_shoot(field: Field, unit: Unit, foe: Unit) -> bool:
    """Whether a shot at a foe is worth while now."""
    arm = best_arm(field, unit, foe, shooting=True)
    if arm is None or range_dice(field, unit, foe, arm) > FARTHEST_SHOT_DICE or shot_refusal(field, unit, foe):
        return False
    if Pool(tuple(skill_shares(field, unit.profile, arm, unit.name))).hopeless:
        return False
    return sight(field, unit, foe) == "clear"


def shooting(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Shoot, or come nearer until it can; strike whoever is in contact."""
    from_wall = thrown_down(field, unit)
    if from_wall is not None:
        return from_wall
    target = nearest_harmed(field, unit)
    if target is not None:
        return o.Attack(unit.id, target.id, aim=True)
    return advance(field, unit, mark) if arms_for(unit, shooting=True) else independent(field, unit, mark)


def advance(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Go at the nearest enemy: strike if in contact, charge if near enough, else move."""
    if unit.condition == "disorganized":
        return o.Reform(unit.id, aim=True)
    from_wall = thrown_down(field, unit)
    if from_wall is not None:
        return from_wall
    target = nearest_harmed(field, unit)
    if target is not None and (can_strike(field, unit, target) or not unit.mounted):
        return o.Attack(unit.id, target.id, aim=True)
    foe = _nearest(field, unit, mark)
    if foe is None:
        return None
    return _charge_or_go(field, unit, foe)


def charging(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """As `advance`, but riders form a wedge first and nobody stops to shoot."""
    if unit.condition == "disorganized":
        return o.Reform(unit.id, aim=True)
    foe = _nearest(field, unit, mark)
    if foe is None:
        return None
    if can_strike(field, unit, foe):
        return o.Attack(unit.id, foe.id, aim=True)
    far = distance(unit, foe) > 2 * allowance(field, unit, field.tables.actions["charge"].move_rounds)
    if unit.mounted and far and "wedge" not in unit.stances:
        return o.Wedge(unit.id)
    return _charge_or_go(field, unit, foe)


def _nearest(field: Field, unit: Unit, mark: str) -> Unit | None:
    foes = [foe for foe in others(field.state, unit, foes=True) if foe.fights and not foe.on_wall]
    named = [foe for foe in foes if foe.id == mark]
    if named:
        return named[0]
    return min(foes, key=lambda foe: (distance(unit, foe), foe.id), default=None)


def _charge_or_go(field: Field, unit: Unit, foe: Unit) -> o.UnitOrder | None:
    reach = allowance(field, unit, field.tables.actions["charge"].move_rounds)
    blows = arms_for(unit, shooting=False)
    able = blows and "staggered" not in unit.stances
    if able and distance(unit, foe) <= reach and charge_refusal(field, unit, foe.at) is None:
        return o.Charge(unit.id, foe.id)
    return go_towards(field, unit, foe.at)


def go_towards(field: Field, unit: Unit, at: Point) -> o.UnitOrder | None:
    """Two moves straight towards a place, or as far as it lies."""
    far = distance_mm(unit.at, at)
    step_mm = min(2 * allowance(field, unit, field.tables.actions["move"].move_rounds), far)
    if step_mm <= 0:
        return None
    return o.Move(unit.id, (within_field(field, along(unit.at, at, step_mm)),))


def holding(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Hold the line and strike only at who comes within reach."""
    from_wall = thrown_down(field, unit, hold=True)
    if from_wall is not None:
        return from_wall
    target = nearest_harmed(field, unit)
    if target is not None:
        return o.Attack(unit.id, target.id, aim=True, hold=True)
    return o.Stand(unit.id, hold=True)


def storming(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Go to a wall and up it; fight whoever is on it."""
    target = nearest_harmed(field, unit)
    if target is not None and can_strike(field, unit, target):
        return o.Attack(unit.id, target.id, aim=True)
    wall = field.state.walls.get(mark)
    if wall is None or unit.on_wall == mark or unit.mounted:
        return independent(field, unit, mark)
    if scale_refusal(field, unit, wall) is None:
        return o.Scale(unit.id, mark, twice=not ours(field, unit, wall))
    middle = Point((wall.start.x + wall.end.x) // 2, (wall.start.y + wall.end.y) // 2)
    return go_towards(field, unit, middle)


def battering(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Go to a gate or wall and break it; once it is open, go on through."""
    line = field.state.gates.get(mark) or field.state.walls.get(mark)
    if line is None or break_tn(field, mark) <= 0:
        return advance(field, unit, "")
    if break_refusal(field, unit, mark) is None:
        return o.Break(unit.id, mark)
    middle = Point((line.start.x + line.end.x) // 2, (line.start.y + line.end.y) // 2)
    return go_towards(field, unit, middle)


def bombarding(field: Field, unit: Unit, mark: str) -> o.UnitOrder | None:
    """Throw at the mark, or at the nearest enemy in range once it needs no more."""
    for name in sorted(field.state.engines):
        engine = field.state.engines[name]
        if engine.crew != unit.id or not engine.throws:
            continue
        foes = sorted(others(field.state, unit, foes=True), key=lambda foe: (distance(unit, foe), foe.id))
        marks: Sequence[str] = [*([mark] if mark else []), *(foe.id for foe in foes if foe.fights)]
        for each in marks:
            missile = usual_missile(field, field.tables.machines[engine.engine], each)
            if bombard_refusal(field, unit, engine, each, missile) is None:
                return o.Bombard(unit.id, each, name)
    return independent(field, unit, mark)
