"""Dresda's tables in force for a battle, and how the rules look things up in them.

Lengths come in whole millimetres, action costs in
half moves, and every row knows where its figures are from (`row.mark(column)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, Generic, TypeVar

from msgspec import Struct

from engine.rules.dresda import table_rows as rows
from engine.rules.tables import Part, Shape, Table
from engine.rules.tables.declared import Made, Rows, RuleTables, find_row
from engine.rules.tables.reading import Reading

M = TypeVar("M", bound=rows.Modifier)

TRAINED: Final = ("status",)
ARMED: Final = ("status", "weapon", "armour", "off_hand")

_CELL: Final = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")


class Counted(Struct, Generic[M], frozen=True):
    """A modifier that counts in a check, with the points that it comes to."""

    row: M
    points: int


def counted(table: Mapping[str, M], ids: Iterable[str], wounds: int = 0) -> tuple[Counted[M], ...]:
    """The rows that count when the circumstances `ids` hold, in the order of the table; wounds count by themselves.

    A row that another one replaces does not count, and of an exclusive group only the worst row does. Raises RowUnknown
    for an id that is in no row.
    """
    held = {name: find_row(table, name, "of modifiers") for name in ids}
    replaced = {name for row in held.values() for name in row.replaces}
    worst: dict[str, str] = {}
    for row in (row for name, row in table.items() if name in held and name not in replaced):
        group = row.exclusive_group or row.id
        if group not in worst or row.value < table[worst[group]].value:
            worst[group] = row.id
    chosen = set(worst.values())
    return tuple(
        Counted(row, row.value * wounds if row.per == "wound" else row.value)
        for row in table.values()
        if (wounds > 0 if row.per == "wound" else row.id in chosen)
    )


def weapons(reading: Reading) -> dict[str, rows.Weapon]:
    """The missile weapons, each with its cells beside the ranges that they hold for."""
    with reading.of("missile_weapons") as table:
        raw = reading.rows("missile_weapons", "weapon", rows.WeaponRow)
        uppers = reading.axis("missile_weapons", "band_upper_cm", Fraction)
        if any(upper <= 0 or (upper * 10).denominator != 1 for upper in uppers):
            reading.problems.append(f"{table.file}, axes band_upper_cm: the ranges must be whole millimetres")
            uppers = ()
        uppers_mm = [(upper * 10).numerator for upper in uppers]
        found = [_weapon(table, row, uppers_mm, reading.problems) for row in raw if uppers_mm]
    return {weapon.id: weapon for weapon in found if weapon is not None}


def _weapon(table: Table, row: rows.WeaponRow, uppers_mm: Sequence[int], problems: list[str]) -> rows.Weapon | None:
    """The weapon with its cells read; None, and a problem, when one cannot be."""
    where = f"{table.file}, weapon {row.id}"
    wrong = [
        f"{where}: cell {number} must be percent/factor such as 65/5, or - for out of range, not {cell!r}"
        for number, cell in enumerate(row.cells, 1)
        if cell != "-" and not _CELL.fullmatch(cell)
    ]
    if len(row.cells) != len(uppers_mm):
        wrong.append(f"{where}: it has {len(row.cells)} cells for {len(uppers_mm)} range bands")
    live = [cell for cell in row.cells if cell != "-"]
    if not live or list(row.cells[: len(live)]) != live:
        wrong.append(f"{where}: it must have a cell in the first band and no gap before its longest range")
    problems += wrong
    if wrong:
        return None
    read = [rows.Cell(*map(int, cell.split("/"))) for cell in live]
    values = {name: getattr(row, name) for name in rows.WeaponRow.__struct_fields__}
    return rows.Weapon(**values, bands=tuple(zip(uppers_mm, read, strict=False)))


WEAPONS: Final[Shape] = {"missile_weapons": {"axes": Part(grid=True), "weapon": Part(("id",), rows="free")}}


class Tables(RuleTables, frozen=True, kw_only=True):
    """Dresda's tables in force: rows by id in the order of the files, bands from low to high.

    Made by the loader of `table_checks`, which promises that all its checks hold. Whose ids the rows have: what figures
    and scenarios name is free, what the rules name is fixed.
    """

    races: Annotated[Mapping[str, rows.Race], Rows("races", "race", ids="free")]
    mounts: Annotated[Mapping[str, rows.Mount], Rows("mounts", "mount", ids="free")]
    movement: Annotated[Mapping[str, rows.MovementModifier], Rows("movement_modifiers", "modifier", ids="grows")]
    actions: Annotated[Mapping[str, rows.Action], Rows("action_costs", "action", ids="grows")]
    weapons: Annotated[Mapping[str, rows.Weapon], Made(WEAPONS, weapons)]
    firing: Annotated[Mapping[str, rows.FiringModifier], Rows("firing_modifiers", "modifier", free_groups=TRAINED)]
    defence: Annotated[Mapping[str, rows.Defence], Rows("defence_modifiers", "modifier", ids="free")]
    mount_hit: Annotated[Sequence[rows.MountHitBand], Rows("mount_hit", "band", order="roll_from")]
    thrown: Annotated[Sequence[rows.ThrownBand], Rows("thrown_from_saddle", "band", order="roll_from")]
    hth: Annotated[Mapping[str, rows.HthModifier], Rows("hth_modifiers", "modifier", free_groups=ARMED)]
    hth_results: Annotated[Sequence[rows.HthBand], Rows("hth_results", "band", order="diff_from")]
    morale: Annotated[Mapping[str, rows.MoraleModifier], Rows("morale_modifiers", "modifier", free_groups=TRAINED)]
    morale_results: Annotated[Sequence[rows.MoraleBand], Rows("morale_results", "band", order="roll_from")]
    morale_effects: Annotated[
        Mapping[str, rows.MoraleEffect], Rows("morale_results", "effect", ("letter",), ids="free", order="letter")
    ]
    """From the best letter to the worst."""
    desertion: Annotated[Mapping[str, rows.Desertion], Rows("rout_desertion", "row", ("status",), ids="free")]
    desertion_by_race: Annotated[
        Mapping[str, rows.RaceDesertion], Rows("rout_desertion", "race_adjustment", ("race",), ids="free")
    ]
    statuses: Annotated[Mapping[str, rows.Status], Rows("status", "status", ids="free", order="battles")]
    """From the lowest to the highest."""
    arcs: Annotated[Mapping[str, rows.Arc], Rows("facing", "arc", ("arc",))]
    constants: Annotated[Mapping[str, rows.Constant], Rows("constants", "constant", ("name",))]

    def race(self, name: str) -> rows.Race:
        """A race (DR-010, DR-040). Like every other lookup of a row it raises RowUnknown for a name not there."""
        return find_row(self.races, name, "races")

    def mount(self, name: str) -> rows.Mount:
        """A mount (DR-010)."""
        return find_row(self.mounts, name, "mounts")

    def movement_row(self, name: str) -> rows.MovementModifier:
        """What a terrain, weather or load takes off a move (DR-016)."""
        return find_row(self.movement, name, "movement_modifiers")

    def wound_row(self) -> rows.MovementModifier:
        """What each wound takes off a move (DR-019)."""
        return next(row for row in self.movement.values() if row.kind == "wound")

    def action(self, name: str) -> rows.Action:
        """What an action costs (DR-030)."""
        return find_row(self.actions, name, "action_costs")

    def weapon(self, name: str) -> rows.Weapon:
        """A missile weapon (DR-050)."""
        return find_row(self.weapons, name, "missile_weapons")

    def missile_cell(self, weapon: str, range_mm: int | Fraction) -> rows.Cell | None:
        """The cell of a weapon for a range; None when it is out of range, so that there is no shot (DR-050)."""
        bands = self.weapon(weapon).bands
        return next((cell for upper, cell in bands if range_mm <= upper), None)

    def firing_row(self, name: str) -> rows.FiringModifier:
        """A firing modifier (DR-051)."""
        return find_row(self.firing, name, "firing_modifiers")

    def defence_row(self, name: str) -> rows.Defence:
        """What armour or a shield adds (DR-042)."""
        return find_row(self.defence, name, "defence_modifiers")

    def struck(self, roll: int) -> rows.MountHitBand:
        """Who is struck by a shot that wounds a rider, for a d100 from 1 to 100 (DR-070)."""
        return next(band for band in self.mount_hit if roll <= band.roll_to)

    def fall(self, roll: int) -> rows.ThrownBand:
        """What becomes of a rider thrown from the saddle, for a d100 from 1 to 100 (DR-072)."""
        return next(band for band in self.thrown if roll <= band.roll_to)

    def hth_row(self, name: str) -> rows.HthModifier:
        """A hand-to-hand modifier (DR-081)."""
        return find_row(self.hth, name, "hth_modifiers")

    def hth_result(self, difference: int) -> rows.HthBand:
        """What befalls the loser, for the winner's total less his own, 0 or more (DR-082, DA-15a)."""
        return next((band for band in self.hth_results if difference <= band.diff_to), self.hth_results[-1])

    def morale_row(self, name: str) -> rows.MoraleModifier:
        """A morale modifier (DR-111)."""
        return find_row(self.morale, name, "morale_modifiers")

    def morale_letter(self, total: int) -> rows.MoraleBand:
        """The band with the letter of a modified morale roll, however high or low (DR-111)."""
        return next((band for band in self.morale_results if total <= band.roll_to), self.morale_results[-1])

    def morale_effect(self, letter: str) -> rows.MoraleEffect:
        """What a morale letter means (DR-114)."""
        return find_row(self.morale_effects, letter, "morale_results")

    def worst_letter(self, letters: Iterable[str]) -> str:
        """The worst of some letters, at least one (DR-113)."""
        order = list(self.morale_effects)
        return max((self.morale_effect(letter).letter for letter in letters), key=order.index)

    def desertion_rows(self, status: str, race: str) -> tuple[rows.Desertion, rows.RaceDesertion | None]:
        """The rows that make the chance of desertion: that of his Status, and that of his race, if any (DR-130)."""
        return find_row(self.desertion, status, "rout_desertion"), self.desertion_by_race.get(race)

    def desertion_percent(self, status: str, race: str) -> int:
        """The chance that one who routed is lost for good, before it is kept within 0 and 100 (DR-130)."""
        by_status, by_race = self.desertion_rows(status, race)
        return by_status.percent + (by_race.percent if by_race else 0)

    def status_after(self, battles: int) -> str:
        """The Status of one who has survived so many battles that count (DR-131)."""
        return [row.id for row in self.statuses.values() if row.battles <= battles][-1]

    def arcs_at(self, bearing: int | Fraction) -> tuple[str, ...]:
        """The arcs that a bearing lies in, in degrees from 0 to 180 off the facing; two on a boundary (DG-03)."""
        return tuple(arc.arc for arc in self.arcs.values() if arc.bearing_from <= bearing <= arc.bearing_to)

    def constant(self, name: str) -> rows.Constant:
        """A fixed number of the rules."""
        return find_row(self.constants, name, "constants")

    @property
    def engagement_mm(self) -> int:
        """Enemies so near each other are engaged (DR-080)."""
        return (self.constants["engagement_cm"].value * 10).numerator

    @property
    def movement_cap_pct(self) -> int:
        """Modifiers together take no more than this off a move (DR-017)."""
        return self.whole("movement_cap_pct")

    @property
    def hit_floor_pct(self) -> int:
        """The chance to hit a target in range is never below this (DR-052)."""
        return self.whole("hit_floor_pct")

    @property
    def hit_ceiling_pct(self) -> int:
        """The chance to hit is never above this (DR-052)."""
        return self.whole("hit_ceiling_pct")

    def whole(self, name: str) -> int:
        """A fixed number of the rules that is no length, as the whole number that it is."""
        return self.constant(name).value.numerator
