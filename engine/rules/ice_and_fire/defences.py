"""What a unit's Combat Defense is against one attack (B-20, and all that the field adds)."""

from __future__ import annotations

import msgspec

from engine.rules.ice_and_fire.calls import against
from engine.rules.ice_and_fire.ground import (
    engaged_with,
    engine_of,
    grounds_at,
    in_tower,
    is_inside,
    label,
    screens_between,
    touches,
)
from engine.rules.ice_and_fire.situation import Situation
from events.facts import Term
from events.ice_and_fire.kit import Arm
from projections.ice_and_fire.state import Unit


class Blow(msgspec.Struct, frozen=True, gc=False):
    """The way of an attack: `way` names it in keys, `damage` is added before the degrees multiply (IF-103).

    `horse`: it strikes the horses (stakes). `no_shield`: shields do not count (IF-281). `fire`: incendiary arrows.
    `free`: it is not the unit's own attack of the round. `stagger`: a degree is given up to stagger the foe (B §5).
    """

    way: str
    damage: int = 0
    dice: int = 0
    horse: bool = False
    no_shield: bool = False
    fire: bool = False
    free: bool = False
    stagger: bool = False
    rule: str = "IF-113"


def has_shield(unit: Unit) -> int:
    """The points of shield in hand: none while a bow, a two-handed weapon or a set pike is used (AMB-49)."""
    arms = [arm for arm in unit.profile.arms if arm.id not in unit.lost]
    if "set" in unit.stances and any({"set_for_charge", "two_handed"} <= set(arm.qualities) for arm in arms):
        return 0
    used = next((arm for arm in unit.profile.arms if arm.id == unit.in_hand), None)
    if used is not None and "two_handed" in used.qualities:
        return 0
    return max(unit.profile.shield - unit.shield_lost, 0)


def defence(situation: Situation, unit: Unit, attacker: Unit, arm: Arm, blow: Blow) -> list[Term]:
    """The lines of a unit's Combat Defense against an attack by another unit."""
    numbers = situation.tables.number
    lines = [against(unit.profile.cd, "defence of the men", "B-20")]
    if has_shield(unit) and not blow.no_shield:
        lines.append(against(has_shield(unit), "shield", "AMB-49"))
    if blow.horse:
        lines.append(against(numbers("large_defence"), "horses", "B-21", situation.tables.mark("large_defence")))
    lines += _stances(situation, unit, attacker, arm)
    lines += cover(situation, unit, attacker, arm)
    return lines


def _stances(situation: Situation, unit: Unit, attacker: Unit, arm: Arm) -> list[Term]:
    numbers, lines = situation.tables.number, []
    if "shield_wall" in unit.stances:
        lines.append(against(numbers("shieldwall_defence"), "shield wall", "IF-134"))
    if "hold" in unit.stances:
        lines.append(against(numbers("hold_defence"), "holding the line", "IF-106"))  # B-74
    if "withdrawing" in unit.stances:
        lines.append(against(numbers("withdraw_defence"), "drawing back", "IF-117"))
    open_wedge = "wedge" in unit.stances or "wedge_spent" in unit.stances
    if open_wedge and not arm.shoots and attacker.id not in unit.struck:
        lines.append(against(numbers("wedge_defence"), "in a wedge", "IF-148"))
    if (unit.contested or "scaling" in unit.stances) and not in_tower(situation, unit):
        lines.append(against(numbers("scaling_defence"), "scaling", "IF-110"))
    return lines


def cover(situation: Situation, unit: Unit, attacker: Unit, arm: Arm) -> list[Term]:
    """Cover by ground, walls and frames (IF-222, IF-223, IF-247, IF-249, IF-273, IF-276)."""
    lines = []
    for ground in grounds_at(situation, unit.at):
        row = label(situation, ground)
        if arm.skill == "marksmanship" and row.cover_shot:
            lines.append(against(row.cover_shot, ground.name, row.rule))
    if not arm.shoots:
        for ground in grounds_at(situation, attacker.at):
            row = label(situation, ground)
            if row.cover_fight and ground not in grounds_at(situation, unit.at):
                lines.append(against(row.cover_fight, f"foe in {ground.name}", row.rule))  # AMB-31
    lines += _wall_cover(situation, unit, attacker, arm)
    if arm.skill == "marksmanship":
        for gear in ("siege_tower", "capped_ram"):
            engine = engine_of(situation.state, unit.id, gear)
            if engine is not None:
                row_gear = situation.tables.gear[gear]
                rule = "IF-273" if gear == "siege_tower" else "IF-276"
                lines.append(against(row_gear.cover_shot, row_gear.name, rule))
    return lines


def _wall_cover(situation: Situation, unit: Unit, attacker: Unit, arm: Arm) -> list[Term]:
    """Cover by the walls between: in full for whoever mans one, less behind it; none for what is poured (AMB-32)."""
    if "poured" in arm.qualities:
        return []
    if unit.on_wall and unit.on_wall == attacker.on_wall:
        return []
    found = []
    mine = situation.state.walls.get(unit.on_wall)
    if mine is not None and not (is_inside(mine, attacker.at) or unit.contested):
        found.append(against(situation.tables.walls[mine.wall].cover, f"on {mine.name}", "IF-249"))
    for screen, name, row in screens_between(situation, unit.at, attacker.at):
        if screen in (unit.on_wall, attacker.on_wall):
            continue
        wall = situation.state.walls.get(screen)
        if row.hides:
            found.append(against(row.cover_behind, f"behind {name}", "IF-247"))
        elif wall is not None and touches(situation, unit, wall.start, wall.end) and is_inside(wall, unit.at):
            found.append(against(row.cover, f"at {name}", "IF-249"))
    return found


def engaged_elsewhere(situation: Situation, unit: Unit, besides: str) -> bool:
    """Whether a unit is in melee with some other unit than this (IF-134)."""
    return any(foe.id != besides for foe in engaged_with(situation, unit))
