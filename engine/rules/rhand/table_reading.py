"""Reading Rhand's files: their parts, grids with whatever axes they have, damage tables with their suffixes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.rules.rhand import table_rows as rows
from engine.rules.tables import Part, Row, Shape, TableSet, read_axis, read_grid, read_rows

R = TypeVar("R", bound=Row)
S = TypeVar("S", bound=Struct)
Places: TypeAlias = frozenset[tuple[str, int, str]]
"""Cells of a damage table: location, impact, armour class."""

PARRY: Final[Mapping[str, str]] = {
    "4A": "table_4a_full_parry",
    **{f"4{letter}": f"table_4{letter.lower()}_partial_parry" for letter in "BCDEF"},
    "4G": "table_4g_no_parry",
}
"""The files of the Combat Attack Tables by their code."""

DAMAGE: Final[Mapping[str, str]] = {
    "5A": "table_5a_cutting",
    "5B": "table_5b_stabbing",
    "5C": "table_5c_flange",
    "5D": "table_5d_blunt",
}
"""The files of the Damage Tables by their code."""

_AXES: Final = Part(grid=True)
_CELLS: Final = Part(grid=True, rows="free")
_FREE: Final = Part(("id",), rows="free")

SHAPE: Final[Shape] = {
    "table_2a_weapons": {"weapon": _FREE},
    "table_2b_armor": {"armor": _FREE},
    "table_2c_shields": {"shield": _FREE},
    "table_3a_archery": {"missile": _FREE},
    "table_3b_range_alm": {"range": Part()},
    "table_3c_target_size_alm": {"size": Part(("id",)), "formation": Part()},
    "table_3d_motion_alm": {"motion": Part()},
    "table_3e_archery_odds": {"odds": _CELLS},
    "table_4_parry_types": {"parry_type": Part()},
    **{name: {"axes": _AXES, "odds": _CELLS} for name in PARRY.values()},
    **{name: {"axes": _AXES, "location": Part()} for name in DAMAGE.values()},
    "table_6a_combat_speed": {"axes": _AXES, "speed": _CELLS},
    "table_6b_base_action_time": {"axes": _AXES, "bat": _CELLS},
    "table_6c_damage_bonus": {"axes": _AXES, "bonus": _CELLS},
    "strokes": {"stroke": Part(("id",))},
    "disabling": {"limb": Part(("limb",))},
    "knockout": {"bracket": Part()},
    "field_of_attack": {"band": Part(), "zone": Part()},
    "distraction": {"event": Part(("id",))},
    "recovery": {"recovery": Part()},
    "opt_3f_glancing": {"axes": _AXES, "factor": _CELLS},
    "opt_damage_modifiers": {"modifier": Part(("id",))},
    "opt_shield_and_parry_cut_through": {"stop": Part(("by", "attack"))},
    "mounts": {"mount": Part(("id",), rows="grows")},
    "unarmed": {"blow": Part(("id",))},
    "constants": {"constant": Part(("name",))},
}
"""The parts of the files: what scenarios name is free, what rules name is fixed, bands mean something together only."""

_DAMAGE: Final = re.compile(r"([0-9]{1,9})([HKT]?)")


def physical_damage(text: str) -> int | None:
    """The points that a cell stands for; None if it is not one (SP-038).

    >>> physical_damage("2H"), physical_damage("3K"), physical_damage("7T"), physical_damage("x")
    (200, 3000, 70000, None)
    """
    found = _DAMAGE.fullmatch(text)
    return int(found[1]) * rows.SUFFIXES.get(found[2], 1) if found else None


class Grid(Struct, frozen=True):
    """A table of cells over two axes, both rising. A value off an axis takes the edge; between two, the lower one."""

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[Fraction, ...], ...]
    source: str
    seeds: frozenset[tuple[Fraction, Fraction]] = frozenset()

    def source_at(self, row: int | Fraction, column: int | Fraction) -> str:
        """Where the figure for two values is from."""
        return "seed" if (self.row_at(row), self.column_at(column)) in self.seeds else self.source

    def row_at(self, value: int | Fraction) -> Fraction:
        """The row that is read for a value."""
        return self.rows[max(0, bisect_right(self.rows, value) - 1)]

    def column_at(self, value: int | Fraction) -> Fraction:
        """The column that is read for a value."""
        return self.columns[max(0, bisect_right(self.columns, value) - 1)]

    def cell(self, row: int | Fraction, column: int | Fraction) -> Fraction:
        """The figure for two values."""
        at = max(0, bisect_right(self.rows, row) - 1)
        return self.cells[at][max(0, bisect_right(self.columns, column) - 1)]

    def holds(self, row: Fraction, column: Fraction, figure: int) -> bool:
        """Whether that very row and column cross in that figure."""
        return row in self.rows and column in self.columns and self.cell(row, column) == figure

    def first_not_exceeded(self, row: int | Fraction, column: int | Fraction) -> Fraction | None:
        """The figure in the first column that the value does not exceed; None beyond the last (6A)."""
        at = max(0, bisect_right(self.rows, row) - 1)
        return next((cell for top, cell in zip(self.columns, self.cells[at], strict=True) if column <= top), None)

    def named(self, row: int | Fraction, name: str) -> Fraction:
        """The figure in a column that has a name, such as an armour class."""
        return self.cells[max(0, bisect_right(self.rows, row) - 1)][self.names.index(name)]


class Reading:
    """The reading of one set: remembers which tables had rows that could not be read."""

    def __init__(self, kept: TableSet, problems: list[str]) -> None:
        self.kept = kept
        self.problems = problems
        self.unsound: set[str] = set()

    def _mark(self, table: str, before: int) -> None:
        if len(self.problems) > before:
            self.unsound.add(table)

    def all(self, table: str, part: str, row: type[R]) -> tuple[R, ...]:
        """The rows of a part, in the order of the file."""
        before = len(self.problems)
        found = read_rows(self.kept[table], part, row, self.problems)
        self._mark(table, before)
        return found

    def by(self, key: str, table: str, part: str, row: type[R]) -> dict[str, R]:
        """The rows of a part by their key."""
        return {getattr(one, key): one for one in self.all(table, part, row)}

    def percents(self, table: str, part: str) -> dict[int, int]:
        """A list of whole numbers, each with a percentage."""
        before, found = len(self.problems), {}
        for key, value in self.kept[table].grid(part).items():
            if _WHOLE.fullmatch(key) and isinstance(value, int) and not isinstance(value, bool):
                found[int(key)] = value
            else:
                self.problems.append(f"{table}.toml, {part} {key}: write a whole number = a whole percentage")
        self._mark(table, before)
        return dict(sorted(found.items()))

    def grid(self, table: str, part: str, axis: str = "columns") -> Grid:
        """A grid with its own axes. Empty, and the table unsound, when something in it cannot be read."""
        before, kept = len(self.problems), self.kept[table]
        names: tuple[str, ...] = ()
        columns: tuple[Fraction, ...] = ()
        if axis == "columns":
            columns = read_axis(kept, axis, Fraction, self.problems)
        else:
            names = read_axis(kept, axis, str, self.problems)
        cells = read_grid(kept, part, Fraction, len(columns or names), self.problems)
        numbers: dict[Fraction, tuple[Fraction, ...]] = {}
        for key, row in cells.items():
            if _NUMBER.fullmatch(key):
                numbers[Fraction(key)] = row
            else:
                self.problems.append(f"{table}.toml, {part} {key}: a row is named by its number")
        if list(columns) != sorted(set(columns)):
            self.problems.append(f"{table}.toml, axes columns: they must rise")
        if not numbers:
            self.problems.append(f"{table}.toml, {part}: it has no row")
        self._mark(table, before)
        ordered = sorted(numbers)
        grid = Grid(tuple(ordered), columns, names, tuple(numbers[each] for each in ordered), kept.source)
        seeds = ((cell.place, cell.odds) for cell in self._seeds(table, rows.SeedOdds))
        return replace(grid, seeds=frozenset(place for place, odds in seeds if grid.holds(*place, odds)))

    def _seeds(self, table: str, wanted: type[S]) -> tuple[S, ...]:
        """The cells that a table says the rules text gives (`seed_cells` in its [meta])."""
        try:
            cells = self.kept[table].meta.get("seed_cells", [])
            return tuple(msgspec.convert(cells, list[wanted]))  # type: ignore[valid-type]
        except msgspec.ValidationError:
            self.problems.append(f"{table}.toml, [meta]: seed_cells must be as they are in the shipped table")
            return ()

    def damage(self, table: str) -> tuple[tuple[str, ...], tuple[int, ...], tuple[rows.Location, ...], Places]:
        """Armour classes, impacts and locations of a damage table, and the cells that the rules text itself gives."""
        before, kept = len(self.problems), self.kept[table]
        classes = read_axis(kept, "armor_classes", str, self.problems)
        impacts = read_axis(kept, "impact_rows", int, self.problems)
        found = tuple(self._location(table, row, len(impacts), len(classes)) for row in self._locations(table))
        if list(impacts) != sorted(set(impacts)) or (impacts and impacts[0] < 1):
            self.problems.append(f"{table}.toml, axes impact_rows: they must rise from 1 or more")
        seeds = self._seeds(table, rows.SeedDamage)
        self._mark(table, before)
        places = [cell.place for cell in seeds for each in found if cell.stands_in(each, impacts, classes)]
        return classes, impacts, found, frozenset(places)

    def _locations(self, table: str) -> tuple[rows.LocationRow, ...]:
        return self.all(table, "location", rows.LocationRow)

    def _location(self, table: str, row: rows.LocationRow, height: int, width: int) -> rows.Location:
        where = f"{table}.toml, location {row.id}"
        if len(row.damage) != height:
            self.problems.append(f"{where}: it has {len(row.damage)} rows of damage for {height} rows of impact")
        cells = []
        for number, line in enumerate(row.damage, 1):
            if len(line) != width:
                self.problems.append(f"{where}, row {number}: it has {len(line)} cells for {width} armour classes")
            points = [physical_damage(cell) for cell in line]
            for place, (cell, read) in enumerate(zip(line, points, strict=True), 1):
                if read is None:
                    self.problems.append(f"{where}, row {number}, cell {place}: {cell!r} is no damage such as 6 or 2H")
            cells.append(tuple(point or 0 for point in points))
        return rows.Location(row.id, row.roll_from, row.roll_to, row.limb, tuple(cells), row.mark("damage"))


_WHOLE: Final = re.compile(r"-?[0-9]{1,4}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,3})?")
