"""Rhand's tables in force for a battle, and how the rules look things up in them.

The axes are read from the files, so a book's own tables may have more or fewer rows, columns and locations. A value
beyond an axis takes the row or column at its edge (SA-13, SA-19).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final

from engine.rules.rhand import table_rows as rows
from engine.rules.rhand.table_reading import (
    ATTACK_PARTS,
    DAMAGE_PARTS,
    DamageTable,
    attack_tables,
    damage_tables,
)
from engine.rules.tables.declared import Cells, Made, Numbers, Rows, RuleTables, find_row
from engine.rules.tables.grid import Grid

FULL_PARRY: Final = "4A"
DODGE: Final = "4D"
NO_PARRY: Final = "4G"


class Tables(RuleTables, frozen=True, kw_only=True):
    """Rhand's tables in force. Made by the loader of `table_checks`, which promises that its checks hold.

    Whose ids the rows have: what scenarios name is free, what the rules name is fixed.
    """

    weapons: Annotated[Mapping[str, rows.Weapon], Rows("table_2a_weapons", "weapon", ids="free")]
    armors: Annotated[Mapping[str, rows.Armor], Rows("table_2b_armor", "armor", ids="free")]
    shields: Annotated[Mapping[str, rows.Shield], Rows("table_2c_shields", "shield", ids="free")]
    missiles: Annotated[Mapping[str, rows.Missile], Rows("table_3a_archery", "missile", ids="free")]
    ranges: Annotated[Sequence[rows.RangeBand], Rows("table_3b_range_alm", "range")]
    sizes: Annotated[Mapping[str, rows.Size], Rows("table_3c_target_size_alm", "size")]
    formations: Annotated[Sequence[rows.Formation], Rows("table_3c_target_size_alm", "formation")]
    motions: Annotated[Sequence[rows.Motion], Rows("table_3d_motion_alm", "motion")]
    accuracy_odds: Annotated[Mapping[int, int], Numbers("table_3e_archery_odds", "odds")]
    parry_types: Annotated[Sequence[rows.ParryType], Rows("table_4_parry_types", "parry_type")]
    attack: Annotated[Mapping[str, Grid[int]], Made(ATTACK_PARTS, attack_tables)]
    damage: Annotated[Mapping[str, DamageTable], Made(DAMAGE_PARTS, damage_tables)]
    strokes: Annotated[Mapping[str, rows.Stroke], Rows("strokes", "stroke")]
    disabling: Annotated[Mapping[str, rows.LimbRow], Rows("disabling", "limb", ("limb",))]
    knockout: Annotated[Sequence[rows.KnockoutBracket], Rows("knockout", "bracket")]
    field_bands: Annotated[Sequence[rows.FieldBand], Rows("field_of_attack", "band")]
    zones: Annotated[Sequence[rows.Zone], Rows("field_of_attack", "zone")]
    distractions: Annotated[Mapping[str, rows.Distraction], Rows("distraction", "event")]
    recovery: Annotated[Sequence[rows.Recovery], Rows("recovery", "recovery")]
    multipliers: Annotated[Mapping[str, rows.Multiplier], Rows("opt_damage_modifiers", "modifier")]
    stops: Annotated[Sequence[rows.Stop], Rows("opt_shield_and_parry_cut_through", "stop", ("by", "attack"))]
    glancing: Annotated[Grid[Fraction], Cells("opt_3f_glancing", "factor", "armor_classes")]
    speed: Annotated[Grid[Fraction], Cells("table_6a_combat_speed", "speed")]
    action_time: Annotated[Grid[Fraction], Cells("table_6b_base_action_time", "bat")]
    bonus: Annotated[Grid[Fraction], Cells("table_6c_damage_bonus", "bonus")]
    mounts: Annotated[Mapping[str, rows.Mount], Rows("mounts", "mount", ids="grows")]
    unarmed: Annotated[Mapping[str, rows.UnarmedBlow], Rows("unarmed", "blow")]
    constants: Annotated[Mapping[str, rows.Constant], Rows("constants", "constant", ("name",))]

    def weapon(self, name: str) -> rows.Weapon:
        """A weapon in its grip (2A). Like every lookup by name it raises RowUnknown for a name not there."""
        return find_row(self.weapons, name, "2A")

    def armor(self, name: str) -> rows.Armor:
        """Armour (2B)."""
        return find_row(self.armors, name, "2B")

    def shield(self, name: str) -> rows.Shield:
        """A shield (2C)."""
        return find_row(self.shields, name, "2C")

    def missile(self, name: str) -> rows.Missile:
        """A missile weapon (3A)."""
        return find_row(self.missiles, name, "3A")

    def mount(self, name: str) -> rows.Mount:
        """A horse."""
        return find_row(self.mounts, name, "mounts")

    def constant(self, name: str) -> int:
        """A fixed number of the rules."""
        return find_row(self.constants, name, "constants").value

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
