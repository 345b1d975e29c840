"""Tables of cells over two axes: a roll against a column, a skill against a range."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import Generic, TypeVar

from msgspec import Struct

C = TypeVar("C")


class Grid(Struct, Generic[C], frozen=True):
    """Cells over rows and columns that are numbers, both rising, or over columns that have names.

    A number off an axis takes the row or column at its edge; one between two takes the lower. `seeds` are the cells
    that the rules text itself gives, as (row, column), in a table whose `source` is another.
    """

    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[C, ...], ...]
    source: str
    seeds: frozenset[tuple[Fraction, Fraction]] = frozenset()

    def cell(self, row: int | Fraction, column: int | Fraction) -> C:
        """Return the cell for two values."""
        return self.cells[_at(self.rows, row)][_at(self.columns, column)]

    def named(self, row: int | Fraction, name: str) -> C:
        """Return the cell in a column that has a name, such as an armour class. Raises ValueError without one."""
        return self.cells[_at(self.rows, row)][self.names.index(name)]

    def row_at(self, value: int | Fraction) -> Fraction:
        """Return the row that is read for a value."""
        return self.rows[_at(self.rows, value)]

    def column_at(self, value: int | Fraction) -> Fraction:
        """Return the column that is read for a value."""
        return self.columns[_at(self.columns, value)]

    def source_at(self, row: int | Fraction, column: int | Fraction) -> str:
        """Tell where the cell for two values is from."""
        return "seed" if (self.row_at(row), self.column_at(column)) in self.seeds else self.source

    def holds(self, row: Fraction, column: Fraction, cell: object) -> bool:
        """Tell whether that very row and column cross in that cell."""
        return row in self.rows and column in self.columns and self.cell(row, column) == cell

    def first_not_exceeded(self, row: int | Fraction, column: int | Fraction) -> C | None:
        """Return the cell in the first column that the value does not exceed; None beyond the last."""
        line = self.cells[_at(self.rows, row)]
        return next((cell for top, cell in zip(self.columns, line, strict=True) if column <= top), None)


def _at(axis: tuple[Fraction, ...], value: int | Fraction) -> int:
    return max(0, bisect_right(axis, value) - 1)
