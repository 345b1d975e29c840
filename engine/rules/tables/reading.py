"""Reading the parts of one set of tables, and remembering which files had something in them that could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Final, TypeVar

import msgspec

from engine.rules.tables.grid import Grid
from engine.rules.tables.rows import Row, read_axis, read_grid, read_rows
from engine.rules.tables.sets import Table, TableSet

C = TypeVar("C")
R = TypeVar("R", bound=Row)
S = TypeVar("S", bound=msgspec.Struct)

_WHOLE: Final = re.compile(r"-?[0-9]{1,4}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,3})?")


class Reading:
    """One set of tables as it is read. What is wrong goes to `problems`, its file to `unsound`.

    A check that needs an unsound file is not made: one slip is told once.
    """

    def __init__(self, kept: TableSet, problems: list[str]) -> None:
        self.kept = kept
        self.problems = problems
        self.unsound: set[str] = set()

    @contextmanager
    def of(self, file: str) -> Iterator[Table]:
        """Read from a table; it is unsound if a problem is added meanwhile."""
        before = len(self.problems)
        yield self.kept[file]
        if len(self.problems) > before:
            self.unsound.add(file)

    def rows(self, file: str, part: str, row: type[R]) -> tuple[R, ...]:
        """Return the rows of an array, in the order of the file; a row that is wrong is left out."""
        with self.of(file) as table:
            return read_rows(table, part, row, self.problems)

    def axis(self, file: str, name: str, cell: type[C]) -> tuple[C, ...]:
        """Return what stands over the columns, or beside the rows, of a table's cells; numbers must rise."""
        with self.of(file) as table:
            found = read_axis(table, name, cell, self.problems)
            if cell is not str and list(found) != sorted(set(found)):  # type: ignore[type-var]
                self.problems.append(f"{table.file}, axes {name}: they must rise")
                return ()
            return found

    def cells(self, file: str, part: str, cell: type[C], columns: int) -> dict[str, tuple[C, ...]]:
        """Return the rows of a grid by their key, each of so many cells."""
        with self.of(file) as table:
            return read_grid(table, part, cell, columns, self.problems)

    def grid(self, file: str, part: str, cell: type[C], axis: str = "columns") -> Grid[C]:
        """Return a grid whose rows are numbers; its columns are numbers, or names if they stand in another `axis`."""
        with self.of(file) as table:
            columns = self.axis(file, axis, Fraction) if axis == "columns" else ()
            names = self.axis(file, axis, str) if axis != "columns" else ()
            numbered = {}
            for key, line in self.cells(file, part, cell, len(columns or names)).items():
                if _NUMBER.fullmatch(key):
                    numbered[Fraction(key)] = line
                else:
                    self.problems.append(f"{table.file}, {part} {key}: a row is named by its number")
            if not numbered:
                self.problems.append(f"{table.file}, {part}: it has no row")
            ordered = tuple(sorted(numbered))
            return Grid(ordered, columns, names, tuple(numbered[each] for each in ordered), table.source)

    def numbers(self, file: str, part: str) -> dict[int, int]:
        """Return a list of whole numbers, each with another, such as odds in percent; the first ones rise."""
        found = {}
        with self.of(file) as table:
            for key, value in table.grid(part).items():
                if _WHOLE.fullmatch(key) and isinstance(value, int) and not isinstance(value, bool):
                    found[int(key)] = value
                else:
                    self.problems.append(f"{table.file}, {part} {key}: write a whole number = a whole number")
        return dict(sorted(found.items()))

    def said(self, file: str, word: str, each: type[S]) -> Sequence[S]:
        """Return a list that a table says of itself in its [meta], such as the cells that the rules text gives."""
        with self.of(file) as table:
            try:
                return tuple(msgspec.convert(table.meta.get(word, []), list[each]))  # type: ignore[valid-type]
            except msgspec.ValidationError:
                self.problems.append(f"{table.file}, [meta]: {word} must be as it is in the shipped table")
                return ()
