"""Dresda's tables in force for a battle, and how the rules look things up in them.

`load_tables` reads the shipped tables, lays a referee's own directory over them and proves the whole; `restore_tables`
does the same with the text that a battle keeps beside its record. Lengths come in whole millimetres, action costs in
half moves, and every row knows where its figures are from (`row.mark(column)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct

from engine.rules.dresda import table_rows as rows
from engine.rules.dresda.table_checks import table_problems
from engine.rules.tables import Part, Row, Shape, Table, TableSet, load_set, read_axis, read_rows, restore_set
from engine.rules.tables.errors import RowUnknown, TablesInvalid
from engine.rules.words import nearest

M = TypeVar("M", bound=rows.Modifier)
R = TypeVar("R", bound=Row)

TRAINED: Final = ("status",)
ARMED: Final = ("status", "weapon", "armour", "off_hand")

SHAPE: Final[Shape] = {
    "races": {"race": Part(("id",), rows="free")},
    "mounts": {"mount": Part(("id",), rows="free")},
    "movement_modifiers": {"modifier": Part(("id",), rows="grows")},
    "action_costs": {"action": Part(("id",), rows="grows")},
    "missile_weapons": {"axes": Part(grid=True), "weapon": Part(("id",), rows="free")},
    "firing_modifiers": {"modifier": Part(("id",), free_groups=TRAINED)},
    "defence_modifiers": {"modifier": Part(("id",), rows="free")},
    "mount_hit": {"band": Part()},
    "thrown_from_saddle": {"band": Part()},
    "hth_modifiers": {"modifier": Part(("id",), free_groups=ARMED)},
    "hth_results": {"band": Part()},
    "morale_modifiers": {"modifier": Part(("id",), free_groups=TRAINED)},
    "morale_results": {"band": Part(), "effect": Part(("letter",), rows="free")},
    "rout_desertion": {"row": Part(("status",), rows="free"), "race_adjustment": Part(("race",), rows="free")},
    "status": {"status": Part(("id",), rows="free")},
    "facing": {"arc": Part(("arc",))},
    "constants": {"constant": Part(("name",))},
}
"""The parts of the files, and whose ids they are: what figures and scenarios name is free, what rules name is fixed."""

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
    held = {name: _found(table, name, "of modifiers") for name in ids}
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


class Tables(Struct, frozen=True, kw_only=True):
    """Dresda's tables in force: rows by id in the order of the files, bands from low to high.

    Made by `load_tables` and `restore_tables`, which promise that all that is in `table_checks` holds.
    """

    raw: TableSet
    text: str
    """The whole set as one canonical text, to be kept beside the record of a battle."""
    digest: str
    """SHA-256 of that text, in hexadecimal."""
    races: Mapping[str, rows.Race]
    mounts: Mapping[str, rows.Mount]
    movement: Mapping[str, rows.MovementModifier]
    actions: Mapping[str, rows.Action]
    weapons: Mapping[str, rows.Weapon]
    firing: Mapping[str, rows.FiringModifier]
    defence: Mapping[str, rows.Defence]
    mount_hit: Sequence[rows.MountHitBand]
    thrown: Sequence[rows.ThrownBand]
    hth: Mapping[str, rows.HthModifier]
    hth_results: Sequence[rows.HthBand]
    morale: Mapping[str, rows.MoraleModifier]
    morale_results: Sequence[rows.MoraleBand]
    morale_effects: Mapping[str, rows.MoraleEffect]
    """From the best letter to the worst."""
    desertion: Mapping[str, rows.Desertion]
    desertion_by_race: Mapping[str, rows.RaceDesertion]
    statuses: Mapping[str, rows.Status]
    """From the lowest to the highest."""
    arcs: Mapping[str, rows.Arc]
    constants: Mapping[str, rows.Constant]

    def race(self, name: str) -> rows.Race:
        """A race (DR-010, DR-040). Like every other lookup of a row it raises RowUnknown for a name not there."""
        return _found(self.races, name, "races")

    def mount(self, name: str) -> rows.Mount:
        """A mount (DR-010)."""
        return _found(self.mounts, name, "mounts")

    def movement_row(self, name: str) -> rows.MovementModifier:
        """What a terrain, weather or load takes off a move (DR-016)."""
        return _found(self.movement, name, "movement_modifiers")

    def wound_row(self) -> rows.MovementModifier:
        """What each wound takes off a move (DR-019)."""
        return next(row for row in self.movement.values() if row.kind == "wound")

    def action(self, name: str) -> rows.Action:
        """What an action costs (DR-030)."""
        return _found(self.actions, name, "action_costs")

    def weapon(self, name: str) -> rows.Weapon:
        """A missile weapon (DR-050)."""
        return _found(self.weapons, name, "missile_weapons")

    def missile_cell(self, weapon: str, range_mm: int | Fraction) -> rows.Cell | None:
        """The cell of a weapon for a range; None when it is out of range, so that there is no shot (DR-050)."""
        bands = self.weapon(weapon).bands
        return next((cell for upper, cell in bands if range_mm <= upper), None)

    def firing_row(self, name: str) -> rows.FiringModifier:
        """A firing modifier (DR-051)."""
        return _found(self.firing, name, "firing_modifiers")

    def defence_row(self, name: str) -> rows.Defence:
        """What armour or a shield adds (DR-042)."""
        return _found(self.defence, name, "defence_modifiers")

    def struck(self, roll: int) -> rows.MountHitBand:
        """Who is struck by a shot that wounds a rider, for a d100 from 1 to 100 (DR-070)."""
        return next(band for band in self.mount_hit if roll <= band.roll_to)

    def fall(self, roll: int) -> rows.ThrownBand:
        """What becomes of a rider thrown from the saddle, for a d100 from 1 to 100 (DR-072)."""
        return next(band for band in self.thrown if roll <= band.roll_to)

    def hth_row(self, name: str) -> rows.HthModifier:
        """A hand-to-hand modifier (DR-081)."""
        return _found(self.hth, name, "hth_modifiers")

    def hth_result(self, difference: int) -> rows.HthBand:
        """What befalls the loser, for the winner's total less his own, 0 or more (DR-082, DA-15a)."""
        return next((band for band in self.hth_results if difference <= band.diff_to), self.hth_results[-1])

    def morale_row(self, name: str) -> rows.MoraleModifier:
        """A morale modifier (DR-111)."""
        return _found(self.morale, name, "morale_modifiers")

    def morale_letter(self, total: int) -> rows.MoraleBand:
        """The band with the letter of a modified morale roll, however high or low (DR-111)."""
        return next((band for band in self.morale_results if total <= band.roll_to), self.morale_results[-1])

    def morale_effect(self, letter: str) -> rows.MoraleEffect:
        """What a morale letter means (DR-114)."""
        return _found(self.morale_effects, letter, "morale_results")

    def worst_letter(self, letters: Iterable[str]) -> str:
        """The worst of some letters, at least one (DR-113)."""
        order = list(self.morale_effects)
        return max((self.morale_effect(letter).letter for letter in letters), key=order.index)

    def desertion_rows(self, status: str, race: str) -> tuple[rows.Desertion, rows.RaceDesertion | None]:
        """The rows that make the chance of desertion: that of his Status, and that of his race, if any (DR-130)."""
        return _found(self.desertion, status, "rout_desertion"), self.desertion_by_race.get(race)

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
        return _found(self.constants, name, "constants")

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


def load_tables(directory: Path | None = None) -> Tables:
    """The tables in force: the shipped ones with a referee's own `directory` laid over them (`engine.rules.tables`).

    Raises TablesInvalid with all that is wrong, each with its file and place: files, parts, ids, columns, holes,
    overlaps, figures that run the wrong way, and rows of one table that another one does not have.
    """
    problems: list[str] = []
    return _built(load_set(files(__package__) / "tables", SHAPE, directory, problems), problems)


def restore_tables(text: str) -> Tables:
    """The tables of an old battle from their canonical text. Raises TablesInvalid as `load_tables` does."""
    kept, problems = restore_set(text), list[str]()
    lacking = [
        f"the stored tables lack {name}, {part}"
        for name, parts in SHAPE.items()
        for part in parts
        if name not in kept.tables or part not in kept[name].parts
    ]
    if lacking:
        raise TablesInvalid(lacking)
    return _built(kept, problems)


def _built(kept: TableSet, problems: list[str]) -> Tables:
    read = _Reading(kept, problems)
    text = kept.dump()
    tables = Tables(
        raw=kept,
        text=text,
        digest=kept.digest,
        races=read.by("id", "races", "race", rows.Race),
        mounts=read.by("id", "mounts", "mount", rows.Mount),
        movement=read.by("id", "movement_modifiers", "modifier", rows.MovementModifier),
        actions=read.by("id", "action_costs", "action", rows.Action),
        weapons=read.weapons(),
        firing=read.by("id", "firing_modifiers", "modifier", rows.FiringModifier),
        defence=read.by("id", "defence_modifiers", "modifier", rows.Defence),
        mount_hit=read.bands("roll_from", "mount_hit", "band", rows.MountHitBand),
        thrown=read.bands("roll_from", "thrown_from_saddle", "band", rows.ThrownBand),
        hth=read.by("id", "hth_modifiers", "modifier", rows.HthModifier),
        hth_results=read.bands("diff_from", "hth_results", "band", rows.HthBand),
        morale=read.by("id", "morale_modifiers", "modifier", rows.MoraleModifier),
        morale_results=read.bands("roll_from", "morale_results", "band", rows.MoraleBand),
        morale_effects=read.by("letter", "morale_results", "effect", rows.MoraleEffect, order="letter"),
        desertion=read.by("status", "rout_desertion", "row", rows.Desertion),
        desertion_by_race=read.by("race", "rout_desertion", "race_adjustment", rows.RaceDesertion),
        statuses=read.by("id", "status", "status", rows.Status, order="battles"),
        arcs=read.by("arc", "facing", "arc", rows.Arc),
        constants=read.by("name", "constants", "constant", rows.Constant),
    )
    problems += table_problems(tables, read.unsound)
    if problems:
        raise TablesInvalid(problems)
    return tables


class _Reading:
    """The reading of one set: remembers which tables had rows that could not be read."""

    def __init__(self, kept: TableSet, problems: list[str]) -> None:
        self.kept = kept
        self.problems = problems
        self.unsound: set[str] = set()

    def all(self, table: str, part: str, row: type[R]) -> tuple[R, ...]:
        before = len(self.problems)
        found = read_rows(self.kept[table], part, row, self.problems)
        if len(self.problems) > before:
            self.unsound.add(table)
        return found

    def by(self, key: str, table: str, part: str, row: type[R], order: str = "") -> dict[str, R]:
        found = self.all(table, part, row)
        if order:
            found = tuple(sorted(found, key=lambda one: getattr(one, order)))
        return {getattr(one, key): one for one in found}

    def bands(self, first: str, table: str, part: str, row: type[R]) -> tuple[R, ...]:
        return tuple(sorted(self.all(table, part, row), key=lambda band: getattr(band, first)))

    def weapons(self) -> dict[str, rows.Weapon]:
        table = self.kept["missile_weapons"]
        before = len(self.problems)
        raw = self.all("missile_weapons", "weapon", rows.WeaponRow)
        uppers = read_axis(table, "band_upper_cm", Fraction, self.problems)
        if list(uppers) != sorted(set(uppers)) or any(upper <= 0 or (upper * 10).denominator != 1 for upper in uppers):
            self.problems.append(f"{table.file}, axes band_upper_cm: the ranges must rise and be whole millimetres")
            uppers = ()
        uppers_mm = [(upper * 10).numerator for upper in uppers]
        found = [_weapon(table, row, uppers_mm, self.problems) for row in raw if uppers_mm]
        if len(self.problems) > before:
            self.unsound.add("missile_weapons")
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


def _found(table: Mapping[str, R], name: str, what: str) -> R:
    if name not in table:
        raise RowUnknown(what, name, nearest(name, table))
    return table[name]
