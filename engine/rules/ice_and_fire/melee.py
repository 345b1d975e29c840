"""Attacks by order: standing attacks, shots, charges, tramples, counterattacks (IF-103, IF-104, IF-113 to IF-116)."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from typing import Any

import msgspec

from engine.field.sight import Blocker, SightVerdict, line_of_sight
from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.defences import Blow, engaged_elsewhere
from engine.rules.ice_and_fire.fighting import arms_for, best_arm, strike
from engine.rules.ice_and_fire.ground import (
    adjacent_foes,
    adjacent_friends,
    area,
    at_hand,
    barred,
    engaged_with,
    label,
    next_to,
    others,
    passage_of,
    yards,
)
from engine.rules.ice_and_fire.moving import March, begin, break_wall, march, within_field
from engine.rules.ice_and_fire.profiles import arm as arm_of
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import allowance, cost, rows_on, slowing
from engine.rules.rule_set import Procedure, Yielded, ask
from events.facts import OrderLapsed, RulingRequested
from events.ice_and_fire.kit import Arm
from events.ice_and_fire.units import StanceLeft, StanceTaken
from events.places import Point
from projections.ice_and_fire.state import Unit


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why an attack is not possible, and the rule that says so."""

    reason: str
    rule: str


def lapse(unit: str, text: str, refusal: Refusal) -> OrderLapsed:
    """The record of an order that can no longer be carried out."""
    return OrderLapsed(unit, text, refusal.reason, refusal.rule)


def is_reach(situation: Situation, arm: Arm) -> bool:
    """Whether a weapon reaches over friends' heads: by its table, or the referee's word (AMB-16, RUL-11)."""
    return situation.state.ruling(f"reach/{arm.id}", "yes" if "reach" in arm.qualities else "no") == "yes"


def is_pointed(situation: Situation, arm: Arm) -> bool:
    """Whether a weapon has a pointed shaft (AMB-16, RUL-11)."""
    return situation.state.ruling(f"pointed/{arm.id}", "yes" if "pointed" in arm.qualities else "no") == "yes"


def melee_refusal(situation: Situation, unit: Unit, target: Unit, arm: Arm) -> Refusal | None:
    """Why a unit cannot strike a target where they stand; None if it can (IF-082, IF-221, IF-225, IF-242).

    Two at most strike at a unit in a narrow way; its own one attack is at one of them (AMB-47).
    """
    if not target.on_field:
        return Refusal(f"{target.name} is not on the field", "IF-113")
    if not next_to(situation, unit, target):
        helped = [
            friend
            for friend in adjacent_friends(situation, unit)
            if target.id in [each.id for each in engaged_with(situation, friend)]
        ]
        if not (helped and is_reach(situation, arm)):
            return Refusal(f"{target.name} is not within reach", "IF-113" if not is_reach(situation, arm) else "IF-082")
    rule = barred(situation, unit, target)
    if rule:
        return Refusal(f"something parts {unit.name} from {target.name}", rule)
    passage = passage_of(situation, target)
    holding = passage is not None and unit.id not in target.struck_by
    if holding and len(target.struck_by) >= situation.tables.number("passage_attackers"):
        return Refusal(f"two units strike at {target.name} in the narrow way already", "IF-225")
    return None


def sight(situation: Situation, unit: Unit, target: Unit) -> SightVerdict:
    """Whether two units see each other past the woods (RUL-15)."""
    return view(situation, unit.at, target.at)


def view(situation: Situation, here: Point, there: Point) -> SightVerdict:
    """Whether the line between two places leads past the woods (RUL-15)."""
    blockers = [
        Blocker(ground.id, area(ground.corners))
        for _, ground in sorted(situation.state.grounds.items())
        if label(situation, ground).hides
    ]
    depth = yards(situation, situation.tables.number("wood_depth_yd"))
    return line_of_sight(here, there, blockers, depth).verdict


def shot_refusal(situation: Situation, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit cannot shoot at a target, sight apart (IF-246).

    A narrow way sets no limit to shots, so units on three walls about it may all throw at the one below (IF-251).
    """
    if not target.on_field:
        return Refusal(f"{target.name} is not on the field", "IF-113")
    if "taking_cover" in target.stances:
        return Refusal(f"{target.name} keeps its head down behind the wall", "IF-246")
    return None


def attack(
    situation: Situation,
    unit: str,
    target: str,
    weapon: str,
    carried: Carried,
    text: str,
    *,
    fire: bool = False,
    stagger: bool = False,
) -> Procedure:
    """A Standard Attack, by blows if the foe is in reach, else by shots (IF-113)."""
    it, foe = situation.state.units[unit], situation.state.units[target]
    arm = chosen_arm(situation, it, foe, weapon)
    if arm is None or it.attacked:
        reason = "it has attacked already" if it.attacked else "it has no weapon for that"
        yield lapse(unit, text, Refusal(reason, "IF-006" if it.attacked else "IF-113"))
        return
    refusal = shot_refusal(situation, it, foe) if arm.shoots else melee_refusal(situation, it, foe, arm)
    if refusal is None and arm.shoots:
        refusal = yield from _seen(situation, it, foe)
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    yield from begin(situation, unit, "attack")
    stopped = not arm.shoots and (yield from countered(situation, unit, target, charging=False))
    if stopped:
        return
    blow = Blow("attack", fire=fire and arm.shoots and "incendiary" in it.gear, stagger=stagger)
    yield from strike(situation, unit, target, arm, carried, blow)
    yield from disturb_wedge(situation, target, unit, arm)


def _seen(situation: Situation, unit: Unit, target: Unit) -> Generator[Yielded, Any, Refusal | None]:
    verdict = sight(situation, unit, target)
    if verdict == "doubtful":
        key = f"t{situation.state.table.turn}/sight/{unit.id}>{target.id}"
        question = f"{unit.name} sees {target.name} just past the edge of a wood: does it see enough to shoot?"
        answer = yield from ask(RulingRequested(key, "RUL-15", question, ("yes", "no"), "yes"))
        verdict = "clear" if answer == "yes" else "blocked"
    return None if verdict == "clear" else Refusal(f"{unit.name} does not see {target.name}", "RUL-15")


def chosen_arm(situation: Situation, unit: Unit, target: Unit, weapon: str) -> Arm | None:
    """The weapon named, or the best for the distance."""
    if weapon and "from_wall" in situation.tables.weapons[weapon].qualities:
        return wall_arm(situation, unit, weapon)
    if weapon:
        named = next((arm for arm in unit.profile.arms if arm.id == weapon and arm.id not in unit.lost), None)
        idle = (
            named is not None
            and "set_for_charge" in named.qualities
            and not _over_heads(situation, unit, target, named)
        )
        return None if idle else named
    close = striking_arm(situation, unit, target)
    if close is not None:
        return close
    return best_arm(situation, unit, target, shooting=True) or best_arm(situation, unit, target, shooting=False)


def striking_arm(situation: Situation, unit: Unit, target: Unit) -> Arm | None:
    """The best weapon for blows that reach a target now; none if none does.

    A weapon that is to be set against charges, as a pike, strikes over friends' heads all the same (IF-082).
    """
    close = best_arm(situation, unit, target, shooting=False)
    if close is not None and melee_refusal(situation, unit, target, close) is None:
        return close
    long = [arm for arm in arms_for(unit, shooting=False, setting=True) if _over_heads(situation, unit, target, arm)]
    return max(long, key=lambda arm: (arm.damage, -arm.training), default=None)


def _over_heads(situation: Situation, unit: Unit, target: Unit, arm: Arm) -> bool:
    """Whether a weapon with reach strikes a target over friends' heads now (IF-082)."""
    return (
        is_reach(situation, arm)
        and not next_to(situation, unit, target)
        and not melee_refusal(situation, unit, target, arm)
    )


def wall_arm(situation: Situation, unit: Unit, weapon: str) -> Arm | None:
    """Stones and boiling things for whoever mans a wall that keeps blows off, if they are at hand (IF-243, IF-244)."""
    if not unit.on_wall or unit.contested or not at_hand(situation, unit.on_wall, weapon):
        return None
    if not situation.tables.walls[situation.state.walls[unit.on_wall].wall].stones:
        return None
    profile = unit.profile
    return arm_of(situation.tables, weapon, profile.abilities, profile.specialties, profile.specialty)


def disturb_wedge(situation: Situation, unit: str, by: str, arm: Arm) -> Procedure:
    """A wedge that a foe engages in melee before it has charged loses both its benefits (IF-146, AMB-24)."""
    it = situation.state.units[unit]
    if "wedge" in it.stances and not arm.shoots:
        yield StanceLeft(unit, "wedge", "IF-146")
        yield StanceTaken(unit, "wedge_spent", "IF-149")


# -- counterattacks ----------------------------------------------------------------------------------------------------


def countered(situation: Situation, unit: str, target: str, *, charging: bool) -> Generator[Yielded, Any, bool]:
    """A target that stands ready strikes first; return whether that stopped the attacker (IF-104, B-73)."""
    foe, it = situation.state.units[target], situation.state.units[unit]
    ready = "counter" in foe.stances or (charging and "set" in foe.stances)
    if not ready or not foe.fights or foe.attacked:
        return False
    setting = charging and "set" in foe.stances
    arm = best_arm(situation, foe, it, shooting=False, setting=setting)
    if arm is None or barred(situation, foe, it):
        return False
    yield StanceLeft(target, "set" if setting else "counter", "IF-104")
    more = situation.tables.number("set_damage") if setting and not _wedge_undoes(situation, it, foe, arm) else 0
    yield from strike(situation, target, unit, arm, ALONE, Blow("counter", damage=more, rule="IF-104"))
    return step(situation.state.units[unit].condition) >= step("routed")


def _wedge_undoes(situation: Situation, rider: Unit, foe: Unit, arm: Arm) -> bool:
    """Whether a wedge takes the bonus of set weapons away (IF-145): not from reach or pointed shafts, nor from a shield
    wall that is not in melee elsewhere (IF-134)."""
    if "wedge" not in rider.stances or is_reach(situation, arm) or is_pointed(situation, arm):
        return False
    return not ("shield_wall" in foe.stances and not engaged_elsewhere(situation, foe, rider.id))


# -- charging ----------------------------------------------------------------------------------------------------------


def charge_refusal(situation: Situation, unit: Unit, to: Point) -> Refusal | None:
    """What bars a charge over the ground between (IF-222, IF-223, IF-225, IF-228)."""
    for row in rows_on(situation, unit, unit.at, to):
        if not row.lets_charge(unit.mounted):
            return Refusal(f"no charge over {row.id.replace('_', ' ')}", row.rule)
    return None


def charge_damage(situation: Situation, unit: Unit, to: Point) -> int:
    """The damage that a charge adds: less through mud and up a slope (IF-103, IF-224, IF-227, AMB-24a)."""
    rows = rows_on(situation, unit, unit.at, to)
    return min([situation.tables.number("charge_damage"), *(row.charge_damage for row in rows)])


def charge(
    situation: Situation, unit: str, target: str, weapon: str, carried: Carried, text: str, *, stagger: bool = False
) -> Procedure:
    """Straight at the foe, up to twenty times combat movement, then one attack (IF-103).

    In contact already there is no ground to charge over: it is a plain attack.
    """
    it, foe = situation.state.units[unit], situation.state.units[target]
    if next_to(situation, it, foe):
        yield from attack(situation, unit, target, weapon, carried, text, stagger=stagger)
        return
    refusal = charge_refusal(situation, it, foe.at)
    if refusal is not None or not foe.on_field or it.attacked:
        yield lapse(unit, text, refusal or Refusal(f"{foe.name} is not there to be charged", "IF-103"))
        return
    more = charge_damage(situation, it, foe.at)
    yield from break_wall(situation, unit)
    yield from begin(situation, unit, "charge")
    before = situation.state.units[unit].condition
    budget = allowance(situation, it, situation.tables.actions["charge"].move_rounds)
    yield from march(situation, unit, March((foe.at,), Fraction(budget), goals=(target,), rush=True, rule="IF-103"))
    it, foe = situation.state.units[unit], situation.state.units[target]
    met = next_to(situation, it, foe) and step(it.condition) < step("routed") and it.on_field
    if met:
        yield from hit_charging(situation, unit, target, weapon, carried, more, stagger=stagger)
    yield from after_charge(situation, unit, before, met=met)


def hit_charging(
    situation: Situation, unit: str, target: str, weapon: str, carried: Carried, more: int, *, stagger: bool = False
) -> Procedure:  # fmt: skip
    """The attack at the end of a charge, unless the foe's counterattack stops it."""
    it, foe = situation.state.units[unit], situation.state.units[target]
    named = next((each for each in it.profile.arms if each.id == weapon and weapon not in it.lost), None)
    arm = named or best_arm(situation, it, foe, shooting=False)
    if arm is None or melee_refusal(situation, it, foe, arm) is not None:
        return
    if (yield from countered(situation, unit, target, charging=True)):
        return
    yield from strike(
        situation, unit, target, arm, carried, Blow("charge", damage=more, stagger=stagger, rule="IF-103")
    )
    yield from disturb_wedge(situation, target, unit, arm)


def after_charge(situation: Situation, unit: str, before: str, *, met: bool) -> Procedure:
    """A wedge that broke right through a foe unharmed holds; another is spent and open to blows (IF-147, IF-149).

    It is good for its first charge or trample alone: one that falls short and has `met` nobody spends it (IF-146).
    """
    it = situation.state.units[unit]
    if "wedge" not in it.stances:
        return
    if not met or adjacent_foes(situation, it) or it.condition != before:
        yield StanceLeft(unit, "wedge", "IF-146")
        yield StanceTaken(unit, "wedge_spent", "IF-149")


def trample_refusal(situation: Situation, unit: Unit, to: Point) -> Refusal | None:
    """What bars a trample over the ground between (AMB-24b)."""
    if situation.state.said("horses", "by_tables") == "no_trampling":
        return Refusal("there is no trampling in this battle", "RUL-12")
    for row in rows_on(situation, unit, unit.at, to):
        if not row.trample or not row.sprint:
            return Refusal(f"no trampling over {row.id.replace('_', ' ')}", row.rule)
    return None


def trample(
    situation: Situation, unit: str, to: Point, weapon: str, carried: Carried, text: str, *, charging: bool
) -> Procedure:  # fmt: skip
    """Ride straight on over whoever is in the way, up to ten times sprint movement (IF-114, IF-140, AMB-23, B-75)."""
    it = situation.state.units[unit]
    to = within_field(situation, to)
    refusal = trample_refusal(situation, it, to)
    if refusal is None and charging:
        refusal = charge_refusal(situation, it, to)
    if refusal is not None or it.attacked:
        yield lapse(unit, text, refusal or Refusal("it has attacked already", "IF-006"))
        return
    yield from begin(situation, unit, "trample")
    before = it.condition
    budget = Fraction(allowance(situation, it, situation.tables.actions["trample"].move_rounds, sprinting=True))
    passed: list[str] = []
    for _ in situation.state.units:  # each round rides through one of them
        start = situation.state.units[unit].at
        foes = [each.id for each in others(situation.state, it, foes=True)]
        leg = March((to,), budget, ignore=passed, goals=foes, rush=True, rule="IF-140")
        way = yield from march(situation, unit, leg)
        it = situation.state.units[unit]
        budget -= cost(start, it.at, slowing(situation, it, start, it.at))
        foe = situation.state.units.get(way.stopped_by)
        if foe is None or foe.seat == it.seat or step(it.condition) >= step("routed"):
            break
        yield from _ride_over(situation, unit, foe.id, weapon, carried, len(passed), charging and not passed, to)
        through = step(situation.state.units[foe.id].condition) >= step("disorganized")
        if not through or step(situation.state.units[unit].condition) >= step("routed"):
            break  # stopped in contact (IF-143); through a foe in disorder it goes on (IF-142)
        passed.append(foe.id)
    yield from after_charge(situation, unit, before, met=bool(passed))


def _ride_over(
    situation: Situation, unit: str, target: str, weapon: str, carried: Carried, number: int, charging: bool, to: Point
) -> Procedure:
    """One enemy in the way: the first may be met as by a charge (IF-141), the others by hooves, each harder to hit."""
    it, foe = situation.state.units[unit], situation.state.units[target]
    if charging:
        yield from hit_charging(situation, unit, target, weapon, carried, charge_damage(situation, it, to))
        return
    if (yield from countered(situation, unit, target, charging=False)):
        return
    hooves = Arm("hooves", "hooves", "animal_handling", "ride", it.profile.trample)  # AMB-23, B-77d
    yield from strike(situation, unit, target, hooves, carried, Blow("trample", dice=-number, rule="IF-140"))
    yield from disturb_wedge(situation, foe.id, unit, hooves)
