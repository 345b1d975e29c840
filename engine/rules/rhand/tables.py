"""Rhand's tables in force for a battle, and how the rules look things up in them.

The axes are read from the files, so a book's own tables may have more or fewer rows, columns and locations. A value
beyond an axis takes the row or column at its edge (SA-13, SA-19).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from engine.rules.rhand import table_rows as rows
from engine.rules.rhand.table_checks import table_problems
from engine.rules.rhand.table_reading import DAMAGE, PARRY, SHAPE, Grid, Reading
from engine.rules.tables import Row, TableSet, load_set, restore_set
from engine.rules.tables.errors import RowUnknown, TablesInvalid
from engine.rules.words import nearest

R = TypeVar("R", bound=Row)

FULL_PARRY: Final = "4A"
DODGE: Final = "4D"
NO_PARRY: Final = "4G"


class DamageTable(Struct, frozen=True):
    """One of the tables 5A to 5D: locations by the roll, then impact by armour class (SP-035, SP-036)."""

    code: str
    classes: tuple[str, ...]
    impacts: tuple[int, ...]
    locations: tuple[rows.Location, ...]
    seeds: frozenset[tuple[str, int, str]] = frozenset()

    def location(self, roll: int) -> rows.Location:
        """The location that a roll of 00-99 strikes."""
        return next(each for each in self.locations if each.roll_from <= roll <= each.roll_to)

    def named(self, name: str) -> rows.Location | None:
        """The location of that name."""
        return next((each for each in self.locations if each.id == name), None)

    def row(self, impact: int) -> int | None:
        """The Impact Damage of the row that is read: the largest not above; None when nothing gets through (SA-13)."""
        return max((each for each in self.impacts if each <= impact), default=None)

    def damage(self, location: rows.Location, impact: int, armor_class: str) -> int:
        """The Physical Damage of a blow."""
        row = self.row(impact)
        if row is None:
            return 0
        return location.damage[self.impacts.index(row)][self.classes.index(armor_class)]

    def source_at(self, location: rows.Location, impact: int, armor_class: str) -> str:
        """Where the figure of a cell is from."""
        return "seed" if (location.id, self.row(impact), armor_class) in self.seeds else location.source


class Tables(Struct, frozen=True, kw_only=True):
    """Rhand's tables in force. Made by `load_tables` and `restore_tables`, which promise what `table_checks` says."""

    raw: TableSet
    text: str
    """The whole set as one canonical text, to be kept beside the record of a battle."""
    weapons: Mapping[str, rows.Weapon]
    armors: Mapping[str, rows.Armor]
    shields: Mapping[str, rows.Shield]
    missiles: Mapping[str, rows.Missile]
    ranges: Sequence[rows.RangeBand]
    sizes: Mapping[str, rows.Size]
    formations: Sequence[rows.Formation]
    motions: Sequence[rows.Motion]
    accuracy_odds: Mapping[int, int]
    parry_types: Sequence[rows.ParryType]
    attack: Mapping[str, Grid]
    damage: Mapping[str, DamageTable]
    strokes: Mapping[str, rows.Stroke]
    disabling: Mapping[str, rows.LimbRow]
    knockout: Sequence[rows.KnockoutBracket]
    field_bands: Sequence[rows.FieldBand]
    zones: Sequence[rows.Zone]
    distractions: Mapping[str, rows.Distraction]
    recovery: Sequence[rows.Recovery]
    multipliers: Mapping[str, rows.Multiplier]
    stops: Sequence[rows.Stop]
    glancing: Grid
    speed: Grid
    action_time: Grid
    bonus: Grid
    mounts: Mapping[str, rows.Mount]
    unarmed: Mapping[str, rows.UnarmedBlow]
    constants: Mapping[str, rows.Constant]

    def weapon(self, name: str) -> rows.Weapon:
        """A weapon in its grip (2A). Like every lookup by name it raises RowUnknown for a name not there."""
        return found(self.weapons, name, "2A")

    def armor(self, name: str) -> rows.Armor:
        """Armour (2B)."""
        return found(self.armors, name, "2B")

    def shield(self, name: str) -> rows.Shield:
        """A shield (2C)."""
        return found(self.shields, name, "2C")

    def missile(self, name: str) -> rows.Missile:
        """A missile weapon (3A)."""
        return found(self.missiles, name, "3A")

    def mount(self, name: str) -> rows.Mount:
        """A horse."""
        return found(self.mounts, name, "mounts")

    def constant(self, name: str) -> int:
        """A fixed number of the rules."""
        return found(self.constants, name, "constants").value

    def parry_table(self, parries: int, blows: int) -> str:
        """The Combat Attack Table of so many parries against counted blows (SP-025 to SP-027, SA-10, SA-12)."""
        if parries <= 0 or blows <= 0:
            return NO_PARRY
        ratio = Fraction(parries, blows)
        return next(row.table for row in self.parry_types if row.takes(ratio))

    def odds(self, code: str, attack_level: int, skill: int) -> int:
        """The odds of hitting (SP-030); levels beyond the grid take its edge (SA-19)."""
        return int(self.attack[code].cell(attack_level, skill))

    def zones_of(self, skill: int) -> tuple[str, ...]:
        """The zones that a Combat Skill Level sees and reaches, by name (SPX-11, SA-19)."""
        last = max(self.field_bands, key=lambda band: band.level_to)
        level = max(0, min(skill, last.level_to))
        count = next(band.zones for band in self.field_bands if band.level_from <= level <= band.level_to)
        return tuple(zone.name for zone in self.zones if zone.zone <= count)

    def knockout_chance(self, total: int, knockout_value: int) -> int:
        """The chance of a knockout in percent (SP-042)."""
        bracket = self.knockout_bracket(total, knockout_value)
        return bracket.chance if bracket is not None else 0

    def knockout_bracket(self, total: int, knockout_value: int) -> rows.KnockoutBracket | None:
        """The last bracket that a total is over, compared exactly; None if it is over none (SA-05, SA-06)."""
        over = [each for each in self.knockout if total > each.over_multiple * knockout_value]
        return over[-1] if over else None

    def range_alm(self, hexes: int) -> int | None:
        """What range adds to the accuracy; None beyond the last band (SPX-14)."""
        band = self.range_band(hexes)
        return band.alm if band is not None else None

    def range_band(self, hexes: int) -> rows.RangeBand | None:
        """The row of 3B for a range; None beyond the last."""
        return next((band for band in self.ranges if hexes <= band.up_to_hex), None)

    def motion(self, speed: int) -> rows.Motion:
        """What a speed takes off the accuracy; the last row beyond it."""
        return next((row for row in self.motions if speed <= row.up_to_speed), self.motions[-1])

    @property
    def accuracy_source(self) -> str:
        """Where the odds of 3E are from."""
        return self.raw["table_3e_archery_odds"].source

    def archery_odds(self, level: int) -> int:
        """The odds of an Effective Accuracy Level (3E), the edges beyond them."""
        return self.accuracy_odds[max(min(self.accuracy_odds), min(max(self.accuracy_odds), level))]

    @property
    def recovery_source(self) -> str:
        """Where the chances to survive are from."""
        return self.raw["recovery"].source

    def survival(self, damage: int) -> int:
        """The chance to survive: straight between two rows, to the nearest whole number (SPX-20)."""
        low = max(damage, self.constant("least_recovery_damage"))
        for first, second in zip(self.recovery, self.recovery[1:], strict=False):
            if first.damage <= low <= second.damage:
                share = Fraction(low - first.damage, second.damage - first.damage)
                return int(first.chance + (second.chance - first.chance) * share + Fraction(1, 2))
        return self.recovery[-1].chance if low > self.recovery[-1].damage else self.recovery[0].chance


def found(table: Mapping[str, R], name: str, what: str) -> R:
    """The row of that name. Raises RowUnknown with the nearest names."""
    if name not in table:
        raise RowUnknown(what, name, nearest(name, table))
    return table[name]


def load_tables(directory: Path | None = None) -> Tables:
    """The tables in force: the shipped ones with a referee's own `directory` laid over them (`engine.rules.tables`).

    Raises TablesInvalid with all that is wrong, each with its file and place.
    """
    return _shipped() if directory is None else _laid(directory)


@lru_cache(maxsize=1)
def _shipped() -> Tables:
    return _laid(None)


def _laid(directory: Path | None) -> Tables:
    problems: list[str] = []
    return _built(load_set(files(__package__) / "tables", SHAPE, directory, problems), problems)


@lru_cache(maxsize=8)
def restore_tables(text: str) -> Tables:
    """The tables of an old battle from their canonical text. Raises TablesInvalid as `load_tables` does."""
    kept = restore_set(text)
    lacking = [f"the stored tables lack {name}" for name in SHAPE if name not in kept.tables]
    if lacking:
        raise TablesInvalid(lacking)
    return _built(kept, [])


def _built(kept: TableSet, problems: list[str]) -> Tables:
    read = Reading(kept, problems)
    tables = Tables(
        raw=kept,
        text=kept.dump(),
        weapons=read.by("id", "table_2a_weapons", "weapon", rows.Weapon),
        armors=read.by("id", "table_2b_armor", "armor", rows.Armor),
        shields=read.by("id", "table_2c_shields", "shield", rows.Shield),
        missiles=read.by("id", "table_3a_archery", "missile", rows.Missile),
        ranges=read.all("table_3b_range_alm", "range", rows.RangeBand),
        sizes=read.by("id", "table_3c_target_size_alm", "size", rows.Size),
        formations=read.all("table_3c_target_size_alm", "formation", rows.Formation),
        motions=read.all("table_3d_motion_alm", "motion", rows.Motion),
        accuracy_odds=read.percents("table_3e_archery_odds", "odds"),
        parry_types=read.all("table_4_parry_types", "parry_type", rows.ParryType),
        attack={code: read.grid(name, "odds") for code, name in PARRY.items()},
        damage={code: DamageTable(code, *read.damage(name)) for code, name in DAMAGE.items()},
        strokes=read.by("id", "strokes", "stroke", rows.Stroke),
        disabling=read.by("limb", "disabling", "limb", rows.LimbRow),
        knockout=read.all("knockout", "bracket", rows.KnockoutBracket),
        field_bands=read.all("field_of_attack", "band", rows.FieldBand),
        zones=read.all("field_of_attack", "zone", rows.Zone),
        distractions=read.by("id", "distraction", "event", rows.Distraction),
        recovery=read.all("recovery", "recovery", rows.Recovery),
        multipliers=read.by("id", "opt_damage_modifiers", "modifier", rows.Multiplier),
        stops=read.all("opt_shield_and_parry_cut_through", "stop", rows.Stop),
        glancing=read.grid("opt_3f_glancing", "factor", axis="armor_classes"),
        speed=read.grid("table_6a_combat_speed", "speed"),
        action_time=read.grid("table_6b_base_action_time", "bat"),
        bonus=read.grid("table_6c_damage_bonus", "bonus"),
        mounts=read.by("id", "mounts", "mount", rows.Mount),
        unarmed=read.by("id", "unarmed", "blow", rows.UnarmedBlow),
        constants=read.by("name", "constants", "constant", rows.Constant),
    )
    problems += table_problems(tables, read.unsound)
    if problems:
        raise TablesInvalid(problems)
    return tables
