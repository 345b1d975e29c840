"""Whom a unit can strike, shoot or throw something down at now (RUL-01)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rules.ice_and_fire.calls import Pool
from engine.rules.ice_and_fire.defences import Blow
from engine.rules.ice_and_fire.fighting import (
    armour_against,
    arms_for,
    best_arm,
    damage_of,
    range_dice,
    skill_shares,
)
from engine.rules.ice_and_fire.ground import adjacent_foes, distance, others
from engine.rules.ice_and_fire.melee import shot_refusal, sight, striking_arm, wall_arm
from engine.rules.ice_and_fire.situation import Situation
from events.ice_and_fire.kit import Arm
from projections.ice_and_fire.state import Unit

FARTHEST_SHOT_DICE = 1
"""Penalty dice for range beyond which nobody shoots of their own accord."""


def outnumbered(situation: Situation, unit: Unit) -> bool:
    """Whether two enemy units or more, with twice its men, are adjacent to a unit (RUL-01, RUL-03)."""
    foes = [foe for foe in adjacent_foes(situation, unit) if foe.fights]
    times = situation.tables.number("outnumbered_times")
    return len(foes) >= times and sum(foe.men for foe in foes) >= times * unit.men


def by_distance(situation: Situation, unit: Unit) -> list[Unit]:
    """The enemies that are not annihilated, from the nearest; those who fight before those in ruin."""
    foes = [foe for foe in others(situation.state, unit, foes=True) if foe.condition != "annihilated"]
    return sorted(foes, key=lambda foe: (not foe.fights, distance(unit, foe), foe.id))


def within_reach(situation: Situation, unit: Unit) -> Iterator[Unit]:
    """The enemies that a unit can strike or shoot now, from the nearest."""
    for foe in by_distance(situation, unit):
        if can_strike(situation, unit, foe) or can_shoot(situation, unit, foe):
            yield foe


def can_strike(situation: Situation, unit: Unit, foe: Unit) -> bool:
    """Whether blows reach a foe now."""
    return striking_arm(situation, unit, foe) is not None


def can_shoot(situation: Situation, unit: Unit, foe: Unit) -> bool:
    """Whether a shot at a foe is worth while now."""
    arm = best_arm(situation, unit, foe, shooting=True)
    if arm is None or range_dice(situation, unit, foe, arm) > FARTHEST_SHOT_DICE or shot_refusal(situation, unit, foe):
        return False
    if Pool(tuple(skill_shares(situation, unit.profile, arm, unit.name))).hopeless:
        return False
    return sight(situation, unit, foe) == "clear"


def thrown_down(situation: Situation, unit: Unit) -> Iterator[tuple[Unit, Arm]]:
    """What a unit that mans a wall throws or pours on the foes below: where it does more than its bows.

    The nearest foe within short range first, and of what is at hand the most harmful (IF-243, IF-244).
    """
    if not unit.on_wall or unit.contested:
        return
    names = sorted(name for name, row in situation.tables.weapons.items() if "from_wall" in row.qualities)
    arms = [arm for arm in (wall_arm(situation, unit, name) for name in names) if arm is not None]
    if not arms:
        return
    blow = Blow("attack")
    for foe in by_distance(situation, unit):
        near = [arm for arm in arms if not range_dice(situation, unit, foe, arm)]
        if not near:
            return
        if not foe.fights or shot_refusal(situation, unit, foe) is not None or sight(situation, unit, foe) != "clear":
            continue
        own = [
            *arms_for(unit, shooting=True),
            *(arms_for(unit, shooting=False) if can_strike(situation, unit, foe) else []),
        ]
        worth = {arm.id: damage_of(arm.damage, 2, armour_against(foe, arm, blow)) for arm in (*near, *own)}
        best = max(near, key=lambda arm: worth[arm.id])
        if worth[best.id] > max((worth[arm.id] for arm in own), default=0):
            yield foe, best
