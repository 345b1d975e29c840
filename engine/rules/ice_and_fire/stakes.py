"""Sharpened stakes: what they do to horses that ride into them (IF-085, IF-120 to IF-123)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.rules.ice_and_fire.calls import Pool, call, kept_dice, outcome, spare_dice
from engine.rules.ice_and_fire.condition import harm_of, hurt
from engine.rules.ice_and_fire.defences import Blow, defence
from engine.rules.ice_and_fire.fighting import armour_against, key_of
from engine.rules.ice_and_fire.ground import rectangle
from engine.rules.ice_and_fire.heroes_hit import strike_heroes
from engine.rules.ice_and_fire.profiles import arm
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.rule_set import Yielded
from events.ice_and_fire.units import Attacked, StakesStuck
from events.places import Point
from projections.ice_and_fire.state import Unit


def stakes_area(unit: Unit) -> tuple[Point, ...]:
    """Where a unit plants its stakes: a footprint's depth straight before its front."""
    return rectangle(unit).advanced(unit.depth).corners()


def stakes_strike(situation: Situation, owner: Unit, rider: Unit) -> Generator[Yielded, Any, None]:
    """The stakes' own attack on horses: 4D+2B, damage 6 each degree, before the riders' (IF-120, AMB-17).

    The roll is held against the heroes who ride with them, too (IF-041). Three degrees, and the stakes are stuck for
    good, but go on working (AMB-15).
    """
    number = situation.tables.number
    pool = Pool(
        (
            kept_dice(number("stakes_test"), "stakes", "IF-120"),
            spare_dice(number("stakes_bonus"), "stakes", "IF-120"),
        )
    )
    weapon = arm(situation.tables, "stakes", {"athletics": 0}, {}, 0)
    blow = Blow("stakes", horse=True, free=True, rule="IF-120")
    key = key_of(situation, owner.id, rider.id, blow)
    lines = defence(situation, rider, owner, weapon, blow)
    purpose = f"the stakes of {owner.name} at {rider.name}"
    made = call(key, purpose, owner.seat, owner.id, pool, lines, "IF-120")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    damage, before = harm_of(weapon.damage, result.degrees, armour_against(rider, weapon, blow))
    turn = situation.state.table.turn
    yield Attacked(
        owner.id, rider.id, weapon.id, result.degrees, damage, False, turn, "IF-120", key, free=True,
        before_limits=before,
    )  # fmt: skip
    yield from strike_heroes(situation, owner, rider, weapon, weapon.damage, result.total, damage, key, blow)
    if damage:
        yield from hurt(situation, rider.id, damage, owner.id, "IF-120", key)
    if result.degrees >= number("impale_degrees") and situation.state.units[owner.id].stakes == "planted":
        yield StakesStuck(owner.id, "IF-085")
