"""A simple automatic player: turns to the nearest enemy, closes, strikes what it can afford and parries with the rest.

It draws no dice and looks only at what stands on the field, so the same situation always gives the same orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from engine.field.hexes import arcs_of, distance, neighbour
from engine.orders import Order
from engine.rules.rhand.archery import shot_objections
from engine.rules.rhand.objections import blow_objections, row_of
from engine.rules.rhand.orders import Blow, BlowName, Cast, Fight, GiveUp, Prepare, Shoot, Stride, Walk
from engine.rules.rhand.positions import gap, option, strikes_with, whole_speed
from engine.rules.rhand.release import objections as release_objections
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.strides import SIDE, Spot, points
from engine.rules.rhand.table_rows import DAMAGE_CODES, Weapon
from engine.rules.rhand.tables import Tables
from events.places import Hex
from projections.dice.odds import distribution
from projections.dice.rolls import dice_of
from projections.rhand.state import Fighter, Rhand

_NEAR: Final = 4
"""Whoever has no enemy within so many hexes does nothing in the second step."""
_SURE: Final = 3
"""Damage of so many Knockout Values knocks out nearly surely; more does not count for more."""
AHEAD: Final[tuple[Stride, ...]] = ("forward", "left", "right")


def autoplay(situation: Situation, seat: str) -> list[Order]:
    """Orders for a seat, for the step that the phase stands at; empty when there is nothing to do."""
    state = situation.state
    make = {"release": _release, "movement": _move, "declare": _declare}[state.step]
    men = list(state.men())
    enemies = [each for each in men if each.seat != seat and not each.is_horse]
    chosen = (make(situation, each, _nearest(each, enemies)) for each in men if each.seat == seat)
    return [order for order in chosen if order is not None]


def _nearest(fighter: Fighter, enemies: Sequence[Fighter]) -> list[Fighter]:
    """Enemies still in the fight, nearest first, the worst wounded of equals."""
    return sorted(enemies, key=lambda foe: (gap(fighter, foe), -foe.total, foe.id))


def _release(situation: Situation, fighter: Fighter, foes: Sequence[Fighter]) -> Order | None:
    if fighter.missile and fighter.ammunition:
        for foe in foes:
            shot = Shoot(fighter.id, foe.id)
            if gap(fighter, foe) > 1 and not any(shot_objections(situation, fighter, shot)):
                return shot
    for spell in fighter.spells:
        cast = next((Cast(fighter.id, spell, (foe.id,)) for foe in foes), None)
        if cast is not None and not any(release_objections(situation, cast)):
            return cast
        prepare = Prepare(fighter.id, spell)
        if not fighter.preparing and not any(release_objections(situation, prepare)):
            return prepare
    return None


# ---------------------------------------------------------------------------------------------------- movement


def _move(situation: Situation, fighter: Fighter, foes: Sequence[Fighter]) -> Order | None:
    """Close with the nearest enemy and face him. Archers and mages with something left keep away and turn."""
    state = situation.state
    if not foes or fighter.is_horse or fighter.happened.get("mount_out_of_control") == state.phase:
        return None
    foe = foes[0]
    far_off = bool(fighter.spells or (fighter.missile and fighter.ammunition)) and gap(fighter, foe) > 2
    reach = 0 if far_off else _reach(situation, fighter)
    strides = _strides(state, fighter, foe, 99 if far_off else reach)
    return Walk(fighter.id, tuple(strides)) if strides else None


def _reach(situation: Situation, fighter: Fighter) -> int:
    row = row_of(situation.state, situation.tables, fighter, Blow("", "short"))
    return max(1, row.half_hexes // 2) if row is not None else 1


def _strides(state: Rhand, fighter: Fighter, foe: Fighter, reach: int) -> list[Stride]:
    """Strides at Combat Speed towards an enemy until within reach, then turning to him."""
    taken = {each.at for each in state.men() if each.id != fighter.id and not each.is_horse}
    spot, strides = Spot(fighter.at, fighter.facing), list[Stride]()
    speed = whole_speed(fighter)
    while len(strides) < 40:
        stride = _next(state, spot, foe, reach, taken)
        if stride is None or not _affordable([*strides, stride], speed):
            break
        strides.append(stride)
        spot = spot.after(stride)
    return strides


def _affordable(strides: Sequence[Stride], speed: int) -> bool:
    if not any(stride in SIDE for stride in strides):
        return len(strides) <= 2 * speed
    return points(strides) <= speed


def _next(state: Rhand, spot: Spot, foe: Fighter, reach: int, taken: set[Hex]) -> Stride | None:
    arcs = arcs_of(spot.at, spot.facing, foe.at)
    near = distance(spot.at, foe.at) <= reach
    if near:
        return None if "front" in arcs else _turn(arcs)
    for stride in AHEAD:
        there = neighbour(spot.at, spot.facing + SIDE[stride])
        if distance(there, foe.at) < distance(spot.at, foe.at) and there not in taken and _open(state, there):
            return stride if stride == "forward" or "front" in arcs else _turn(arcs)
    return None if "front" in arcs else _turn(arcs)


def _open(state: Rhand, there: Hex) -> bool:
    return there not in state.closed


def _turn(arcs: tuple[str, ...]) -> Stride:
    return "turn_left" if any(arc.startswith("left") for arc in arcs) else "turn_right"


# ---------------------------------------------------------------------------------------------------- blows


def _declare(situation: Situation, fighter: Fighter, foes: Sequence[Fighter]) -> Order | None:
    """Strike the nearest enemy who can be struck, and spend half of what there is on parries."""
    if fighter.is_horse:
        return _horse(situation, fighter, foes)
    row = row_of(situation.state, situation.tables, fighter, Blow("", "short"))
    kicks_only = fighter.disabled and strikes_with(fighter) != fighter.in_hand and not fighter.kicks
    if (row is None or kicks_only) and fighter.total:
        return GiveUp(fighter.id)
    if not foes or gap(fighter, foes[0]) > _NEAR:
        return None
    blows, left = _blows(situation, fighter, foes, row)
    shield = fighter.shield_actions if fighter.shield_in_use else 0
    parry = left if fighter.in_hand else 0
    if not (blows or shield or parry):
        return None
    return Fight(fighter.id, blows, parry, shield)


def _blows(
    situation: Situation, fighter: Fighter, foes: Sequence[Fighter], row: Weapon | None
) -> tuple[tuple[Blow, ...], int]:
    """The blows that actions pay for, and the actions left for parries."""
    left = fighter.weapon_actions
    if row is None:
        return (), left
    kind = "kick" if row.id == "kick" else ""
    for foe in foes:
        stroke = "long" if left >= 3 and foe.armor_class in ("BR", "PL") else "normal" if left >= 2 else "short"
        cost = {"short": 1, "normal": 2, "long": 3}[stroke]
        if cost > left:
            return (), left
        if not any(blow_objections(situation, fighter, Blow(foe.id, stroke, kind))):
            return (Blow(foe.id, stroke, kind or _best_kind(situation.tables, row, stroke, foe)),), left - cost
    return (), left


def _best_kind(tables: Tables, row: Weapon, stroke: str, foe: Fighter) -> BlowName | Literal[""]:
    """The kind of blow that hurts this armour most at its usual impact; empty where that is the weapon's first."""
    harm = {kind: _usual_harm(tables, row.dice(kind), kind, stroke, foe) for kind in row.kinds}
    best = max(row.kinds, key=lambda kind: harm[kind])  # the first of equals
    return "" if best == row.kinds[0] else best


def _usual_harm(tables: Tables, dice: str, kind: str, stroke: str, foe: Fighter) -> int:
    """Damage in hundredths that a blow of mean impact does over all locations, none counted beyond a sure knockout."""
    spread = distribution(dice_of(dice))
    impact = int(spread.mean() * tables.strokes[stroke].impact_multiplier)
    table, most = tables.damage[DAMAGE_CODES[kind]], _SURE * foe.knockout_value
    return sum(place.width * min(most, table.damage(place, impact, foe.armor_class)) for place in table.locations)


def _horse(situation: Situation, horse: Fighter, foes: Sequence[Fighter]) -> Order | None:
    if option(situation.state, "mounted", "off") == "off" or horse.weapon_actions < 2:
        return None
    for foe in foes:
        blow = Blow(foe.id, "normal")
        if not any(blow_objections(situation, horse, blow)):
            return Fight(horse.id, (blow,))
    return None
