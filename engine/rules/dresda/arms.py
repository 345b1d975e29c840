"""Weapons by the names that people use, and the rows of the tables that they stand for (DR-058, DA-11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.dresda.tables import Tables
from events.dresda import Arm

ROWS: Final[Mapping[str, str]] = {
    "sword": "one_handed_weapon",
    "mace": "one_handed_weapon",
    "scimitar": "one_handed_weapon",
    "hammer": "one_handed_weapon",
    "club": "club_or_staff",
    "staff": "club_or_staff",
    "halberd": "polearm",
    "glaive": "polearm",
    "pike": "polearm",
    "greatsword": "two_handed_weapon",
    "great_axe": "two_handed_weapon",
    "lance": "lance_charging",
    "javelin": "spear",
    "dagger": "knife",
    "throwing_axe": "axe",
    "barrel": "large_improvised",
    "boulder": "large_improvised",
    "branch": "large_improvised",
    "stone": "small_improvised",
    "bottle": "small_improvised",
    "dice": "small_improvised",
}
"""Names and their rows. Any row of the tables can also be named itself, or `name=row` written for another name."""

_NOT_HELD: Final = ("unarmed", "second_weapon", "spear_or_polearm_against_cavalry")
_GROUP: Final = "weapon"


def melee_rows(tables: Tables) -> list[str]:
    """The rows of hand-to-hand weapons that a figure can hold."""
    return [
        row.id
        for row in tables.hth.values()
        if row.kind == "weapon" and row.exclusive_group == _GROUP and row.id not in _NOT_HELD
    ]


def known_names(tables: Tables) -> list[str]:
    """Every name of a weapon."""
    return list(dict.fromkeys([*ROWS, *tables.weapons, *melee_rows(tables)]))


def arm_of(tables: Tables, text: str) -> Arm | None:
    """The weapon that a scenario names, such as `sword`, `short_bow` or `falchion=one_handed_weapon`; None if unknown.

    A missile weapon brings its own row for hand-to-hand. A hand is full of what is two-handed in either table (DR-044).
    """
    name, _, row = text.partition("=")
    row = row.strip() or ROWS.get(name.strip(), name.strip())
    name = name.strip()
    weapon = tables.weapons.get(row)
    if weapon is not None:
        hth = tables.hth_row(weapon.in_hand)
        return Arm(name, weapon.in_hand, row, weapon.two_handed or hth.two_handed)
    if row in melee_rows(tables):
        return Arm(name, row, "", tables.hth_row(row).two_handed)
    return None


def spelled(arm: Arm) -> str:
    """A weapon as `arm_of` reads it."""
    row = arm.missile or arm.melee
    return arm.name if row in (arm.name, ROWS.get(arm.name)) else f"{arm.name}={row}"
