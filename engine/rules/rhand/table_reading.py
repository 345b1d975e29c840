"""Reading Rhand's larger tables: those to hit by parry, those of damage with their suffixes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.rules.rhand import table_rows as rows
from engine.rules.tables import Part, Shape, Table
from engine.rules.tables.grid import Grid
from engine.rules.tables.reading import Reading

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

_FREE: Final = Part(grid=True, rows="free")

ATTACK_PARTS: Final[Shape] = {name: {"axes": Part(grid=True), "odds": _FREE} for name in PARRY.values()}
DAMAGE_PARTS: Final[Shape] = {name: {"axes": Part(grid=True), "location": Part()} for name in DAMAGE.values()}

_DAMAGE: Final = re.compile(r"([0-9]{1,9})([HKT]?)")


def physical_damage(text: str) -> int | None:
    """The points that a cell stands for; None if it is not one (SP-038).

    >>> physical_damage("2H"), physical_damage("3K"), physical_damage("7T"), physical_damage("x")
    (200, 3000, 70000, None)
    """
    found = _DAMAGE.fullmatch(text)
    return int(found[1]) * rows.SUFFIXES.get(found[2], 1) if found else None


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
        found = bisect_right(self.impacts, impact)
        return self.impacts[found - 1] if found else None

    def damage(self, location: rows.Location, impact: int, armor_class: str) -> int:
        """The Physical Damage of a blow."""
        row = self.row(impact)
        if row is None:
            return 0
        return location.damage[self.impacts.index(row)][self.classes.index(armor_class)]

    def source_at(self, location: rows.Location, impact: int, armor_class: str) -> str:
        """Where the figure of a cell is from."""
        return "seed" if (location.id, self.row(impact), armor_class) in self.seeds else location.source


def attack_tables(reading: Reading) -> Mapping[str, Grid[int]]:
    """The Combat Attack Tables by their code, and which of their cells the rules text itself gives."""
    found = {}
    for code, name in PARRY.items():
        grid = reading.grid(name, "odds", int)
        seeds = reading.said(name, "seed_cells", rows.SeedOdds)
        found[code] = replace(grid, seeds=frozenset(each.place for each in seeds if grid.holds(*each.place, each.odds)))
    return found


def damage_tables(reading: Reading) -> Mapping[str, DamageTable]:
    """The Damage Tables by their code."""
    return {code: _damage_table(reading, code, name) for code, name in DAMAGE.items()}


def _damage_table(reading: Reading, code: str, name: str) -> DamageTable:
    """Armour classes, impacts and locations of a damage table, and the cells that the rules text itself gives."""
    with reading.of(name) as table:
        classes = reading.axis(name, "armor_classes", str)
        impacts = reading.axis(name, "impact_rows", int)
        if impacts and impacts[0] < 1:
            reading.problems.append(f"{table.file}, axes impact_rows: they must rise from 1 or more")
        found = tuple(
            _location(table, row, (len(impacts), len(classes)), reading.problems)
            for row in reading.rows(name, "location", rows.LocationRow)
        )
        seeds = reading.said(name, "seed_cells", rows.SeedDamage)
    places = [cell.place for cell in seeds for each in found if cell.stands_in(each, impacts, classes)]
    return DamageTable(code, classes, impacts, found, frozenset(places))


def _location(table: Table, row: rows.LocationRow, size: tuple[int, int], problems: list[str]) -> rows.Location:
    where, (height, width) = f"{table.file}, location {row.id}", size
    if len(row.damage) != height:
        problems.append(f"{where}: it has {len(row.damage)} rows of damage for {height} rows of impact")
    cells = []
    for number, line in enumerate(row.damage, 1):
        if len(line) != width:
            problems.append(f"{where}, row {number}: it has {len(line)} cells for {width} armour classes")
        points = [physical_damage(cell) for cell in line]
        for place, (cell, read) in enumerate(zip(line, points, strict=True), 1):
            if read is None:
                problems.append(f"{where}, row {number}, cell {place}: {cell!r} is no damage such as 6 or 2H")
        cells.append(tuple(point or 0 for point in points))
    return rows.Location(row.id, row.roll_from, row.roll_to, row.limb, tuple(cells), row.mark("damage"))
