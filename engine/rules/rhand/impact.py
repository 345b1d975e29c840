"""From dice to the impact that strikes home: stroke, bonus, multipliers, glancing, parries (SP-032, SPX-19)."""

from __future__ import annotations

from fractions import Fraction

from engine.field.hexes import distance
from engine.rules.rhand.positions import option
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.tables import Tables
from projections.rhand.state import Fighter

_ATTACK = {"5A": "slashing", "5B": "stabbing", "5C": "slashing", "5D": "slashing"}
"""How the kinds of blow count against a shield: everything but a stab as a slash (house)."""
_CLOSING = "closing_speed_"


def final_impact(rolled: int, factor: Fraction, half: str = "down") -> int:
    """Impact Damage times stroke, bonus and options in one product, cut down once (SP-033, SA-07, SA-07a).

    With `half` "nearest" it is rounded to the nearest whole number instead.

    >>> final_impact(14, Fraction(1, 2)), final_impact(15, Fraction(1, 2)), final_impact(15, Fraction(1, 2), "nearest")
    (7, 7, 8)
    """
    product = rolled * factor
    return int(product + Fraction(1, 2)) if half == "nearest" else int(product)


def glanced(tables: Tables, table: str, armor_class: str, impact: int, roll: int) -> tuple[int, int]:
    """The modified glancing roll, and what it leaves of an impact, cut down (3F, SPX-19)."""
    added = {"5A": "glancing_cut", "5C": "glancing_crush", "5D": "glancing_crush"}.get(table)
    read = roll + (tables.constant(added) if added else 0)
    return read, int(impact * tables.glancing.named(read, armor_class))


def stopped(tables: Tables, table: str, by: str, weight: Fraction) -> int:
    """The impact that a shield or a parrying weapon stops, cut down (SPX-19)."""
    attack = _ATTACK[table]
    row = next(each for each in tables.stops if each.by == by and each.attack in (attack, "any"))
    return int(row.flat + row.per_lb * weight)


def multiplier(
    tables: Tables, *, bonus: Fraction, stroke: str, striking_down: bool, braced: bool, closing: int
) -> Fraction:
    """The whole factor of a blow: Damage Bonus, stroke and the circumstances that hold (SPX-19).

    `closing` is by how many hexes the two came nearer this phase; 0 where that does not count.
    """
    factor = bonus * tables.strokes[stroke].impact_multiplier
    names = [name for name, holds in (("striking_down", striking_down), ("target_braced", braced)) if holds]
    names += [name for name in (closing_row(tables, closing),) if name]
    for name in names:
        factor *= tables.multipliers[name].multiplier
    return factor


def closing_row(tables: Tables, closing: int) -> str:
    """The row of a closing speed in hexes a phase, as the ids tell; empty when it is too slow to count."""
    bands = sorted(
        (int(low), int(high), name)
        for name in tables.multipliers
        if name.startswith(_CLOSING)
        for low, high in [name.removeprefix(_CLOSING).split("_")]
    )
    found = [name for low, _, name in bands if closing >= low]
    return found[-1] if found else ""


def factor_of(situation: Situation, fighter: Fighter, foe: Fighter, stroke: str, weapon: str) -> Fraction:
    """The factor of a blow in this fight: with the options that are on, otherwise the stroke alone (SP-033)."""
    state, tables = situation.state, situation.tables
    bonus = damage_bonus(fighter, tables) if option(state, "damage_bonus", "off") == "on" else Fraction(1)
    if option(state, "impact_multipliers", "off") == "off":
        return bonus * tables.strokes[stroke].impact_multiplier
    closing = distance(fighter.came_from, foe.came_from) - distance(fighter.at, foe.at)
    if weapon.startswith(("lance", "spear")) and fighter.fast:
        closing = 0  # a couched lance or a spear at the charge has its speed in its own dice
    return multiplier(
        tables,
        bonus=bonus,
        stroke=stroke,
        striking_down=bool(fighter.rides) and not foe.rides,
        braced=foe.braced,
        closing=max(0, closing),
    )


def damage_bonus(fighter: Fighter, tables: Tables) -> Fraction:
    """What strength and skill multiply the impact by (6C)."""
    return tables.bonus.cell(fighter.strength, fighter.agility + fighter.level(fighter.in_hand))
