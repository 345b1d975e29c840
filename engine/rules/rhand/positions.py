"""Where fighters stand to each other and what they can do: reach, Field of Attack, actions. Pure looking-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from engine.field.hexes import arcs_of, distance, line
from engine.orders import Order
from engine.rules.rhand.orders import GRAMMAR
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_rows import Weapon
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import orders_in_hand
from events.places import Hex
from events.rhand import ActionCount
from projections.hex_map import HexMap
from projections.rhand.state import Fighter, Rhand

FIST = "fist"
KICK = "kick"
COVERS = ("crouching", "over_cover", "head_only")
"""The rows of table 3C that a scenario or the referee states; the others follow from what a figure does."""
IN_THE_OPEN = "none"


def option(state: Rhand, name: str, default: str) -> str:
    """An option of the battle."""
    return str(state.table.option(name, default))


def in_hand(situation: Situation, slot: str) -> list[Order]:
    """The orders of a slot that the act has taken in hand, read, sorted by piece."""
    held = orders_in_hand(situation.state.table, GRAMMAR, (slot,))
    return [order for _, order in held if isinstance(order, Order)]


# ---------------------------------------------------------------------------------------------------- arms


def strikes_with(fighter: Fighter) -> str:
    """The weapon row that his blows use: what is in hand, fists without a weapon, kicks with a lame arm; or nothing."""
    if fighter.is_horse:
        return ""
    if fighter.in_hand:
        return fighter.in_hand
    if not fighter.weapon and f"{fighter.weapon_arm}_arm" not in fighter.disabled:
        return FIST
    return "" if fighter.on_knees else KICK


def skill_of(fighter: Fighter, tables: Tables) -> int:
    """His Combat Skill Level for attack and defence with what is in hand (SA-20)."""
    return tables.mount(fighter.mount).skill if fighter.is_horse else fighter.level(fighter.in_hand)


def weapon_row(fighter: Fighter, tables: Tables) -> Weapon | None:
    """The row of 2A of what he strikes with."""
    name = strikes_with(fighter)
    return tables.weapons.get(name) if name else None


# ---------------------------------------------------------------------------------------------------- places


def zones(fighter: Fighter, tables: Tables) -> tuple[str, ...]:
    """The sectors that he sees and reaches; a left-hander's are mirrored (SPX-11)."""
    found = tables.zones_of(skill_of(fighter, tables))
    if fighter.weapon_arm == "right":
        return found
    mirror = {"left": "right", "right": "left"}
    return tuple("_".join(mirror.get(part, part) for part in name.split("_")) for name in found)


def sees(fighter: Fighter, place: Hex, tables: Tables, at: Hex | None = None, facing: int | None = None) -> bool:
    """Whether a hex lies in his Field of Attack (SPX-11); on the edge of a zone it does."""
    arcs = arcs_of(fighter.at if at is None else at, fighter.facing if facing is None else facing, place)
    reached = zones(fighter, tables)
    return any(arc in reached for arc in arcs)


def reaches(
    weapon: Weapon, fighter: Fighter, foe: Fighter, tables: Tables, hexes: int, mounted: bool = False
) -> bool:  # fmt: skip
    """Whether a weapon strikes so far. A `+` reaches one hex more against a shorter weapon (SP-021)."""
    theirs = weapon_row(foe, tables)
    full, plus = divmod(weapon.half_hexes, 2)
    if mounted and not foe.is_horse:
        least = 2 * tables.constant("mounted_reach")
        if foe.rides and weapon.half_hexes <= least:
            return False
        if fighter.rides and not foe.rides and weapon.half_hexes < least:
            return False
    if hexes <= full:
        return True
    shorter = theirs is None or theirs.half_hexes < weapon.half_hexes
    return bool(plus) and hexes == full + 1 and shorter


def doubtful(state: Rhand, fighter: Fighter, foe: Fighter) -> Fighter | None:
    """Somebody who stands on the line to a target, so that the referee must say whether it can be struck (SG-01)."""
    between = set(line(fighter.at, foe.at)[1:-1])
    others = (each for each in state.men() if each.at in between and each.id not in (fighter.id, foe.id))
    return next((each for each in others if not each.is_horse), None)


def on_field(columns: int, rows: int, place: Hex) -> bool:
    """Whether a hex is one of a field of so many columns and rows, both counted from 0."""
    return HexMap(columns, rows).holds(place)


def gap(fighter: Fighter, other: Fighter) -> int:
    """Hexes from one to the other."""
    return distance(fighter.at, other.at)


def menaced_by(state: Rhand, tables: Tables, fighter: Fighter) -> Fighter | None:
    """An enemy who has him within weapon range (SG-02)."""
    for foe in state.men():
        weapon = weapon_row(foe, tables)
        if foe.seat == fighter.seat or weapon is None:
            continue
        if reaches(weapon, foe, fighter, tables, gap(foe, fighter)) and sees(foe, fighter.at, tables):
            return foe
    return None


# ---------------------------------------------------------------------------------------------------- actions


def load_of(tables: Tables, armor: str, things: Iterable[str]) -> Fraction:
    """The pounds of what somebody wears and carries: weapons, shields and missile weapons by their ids."""
    pounds = tables.armor(armor).weight_lb
    for name in things:
        row = tables.weapons.get(name) or tables.shields.get(name) or tables.missiles.get(name)
        pounds += row.weight_lb if row is not None else 0
    return pounds


def foot_speed(fighter: Fighter, tables: Tables) -> Fraction:
    """The Combat Speed of a man on foot with what he carries (6A)."""
    load = load_of(tables, fighter.armor, (fighter.weapon, fighter.shield, fighter.missile, *fighter.carries))
    return tables.speed.first_not_exceeded(fighter.strength, load) or Fraction(0)


def action_time(fighter: Fighter, tables: Tables) -> Fraction:
    """His Base Action Time: of the scenario, or by his own Combat Speed, not his horse's, and Skill Factor (6B)."""
    if fighter.action_time:
        return _fraction(fighter.action_time)
    speed = foot_speed(fighter, tables) if fighter.rides else fighter.speed
    return tables.action_time.cell(speed, fighter.agility + skill_of(fighter, tables))


def same_thing(one: str, other: str) -> bool:
    """Whether two rows are the same weapon, perhaps in two grips.

    >>> same_thing("battleaxe_1h", "battleaxe_2h"), same_thing("dagger", "broadsword")
    (True, False)
    """
    return one.removesuffix("_1h").removesuffix("_2h") == other.removesuffix("_1h").removesuffix("_2h")


def has(fighter: Fighter, thing: str) -> bool:
    """Whether they could take a thing in hand: what they carry, the other grip of their weapon, or their bare fists."""
    return thing == FIST or any(same_thing(each, thing) for each in (fighter.weapon, *fighter.carries) if each)


def nearest_whole(value: Fraction) -> int:
    """A count rounded to the nearest whole number, halves up; never below nothing.

    >>> nearest_whole(Fraction(21, 10)), nearest_whole(Fraction(5, 2)), nearest_whole(Fraction(-1))
    (2, 3, 0)
    """
    return max(0, int(value + Fraction(1, 2))) if value > 0 else 0


def by_chance(value: Fraction, roll: int) -> int:
    """A count whose decimal is the chance in ten of one more (SPX-06).

    >>> by_chance(Fraction(22, 10), 3), by_chance(Fraction(13, 10), 3), by_chance(Fraction(22, 10), 1)
    (2, 2, 3)
    """
    if value <= 0:
        return 0
    return int(value) + (roll <= 10 * (value - int(value)))


@lru_cache(maxsize=256)
def _fraction(text: str) -> Fraction:
    return Fraction(text)


def raw_actions(fighter: Fighter, tables: Tables) -> tuple[Fraction, Fraction, Fraction]:
    """Weapon, Shield and combat actions before rounding: speed x Base Action Time, less half the pace (SPX-07)."""
    time, slower = action_time(fighter, tables), _fraction(fighter.pace) / 2
    weapon = weapon_row(fighter, tables)
    blows = weapon.weapon_speed * time - slower if weapon is not None else Fraction(0)
    holds = fighter.shield if fighter.hands < 2 else ""
    parries = tables.shield(holds).shield_speed * time - slower if holds else Fraction(0)
    return blows, parries, tables.constant("combat_actions_factor") * time - slower


def count(state: Rhand, fighter: Fighter, tables: Tables, roll: int | None = None) -> ActionCount:
    """What a fighter can do this phase (SPX-02 to SPX-07, SA-17). `roll` is the die of the variable-actions option."""
    if fighter.is_horse:
        strikes = tables.mount(fighter.mount).attacks
        return ActionCount(fighter.id, tables.strokes["normal"].actions if strikes else 0, 0)
    if fighter.taking_up is not None:
        return ActionCount(fighter.id, 0, 0)
    raw = raw_actions(fighter, tables)
    weapon, shield, combat = (nearest_whole(each) if roll is None else by_chance(each, roll) for each in raw)
    if fighter.released == state.phase:
        weapon = 0
        shield = 0 if fighter.released_hands > 1 else shield
    else:
        weapon += fighter.saved
    if fighter.rides:
        if shield:
            shield -= min(shield, tables.constant("bridle_shield_actions"))
        else:
            weapon -= min(weapon, tables.constant("bridle_weapon_actions"))
    return ActionCount(fighter.id, weapon, shield, combat if option(state, "unarmed", "off") == "on" else 0)


def whole_speed(fighter: Fighter) -> int:
    """His Combat Speed on the grid: a half hex is dropped (SPX-09)."""
    return int(fighter.speed)


def able(fighters: Sequence[Fighter]) -> list[str]:
    """The seats that still have somebody, not a horse, in the fight."""
    return sorted({each.seat for each in fighters if not each.out and not each.is_horse})
