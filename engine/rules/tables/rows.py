"""Typed rows: a table's columns checked against a Struct, with every wrong one named.

A rule set declares a frozen Struct for each array, derived from `Row`; its fields are the columns. Where a figure is
kept in another measure than people write it in, the field says so: a length that is in centimetres in the file is
declared `walk_mm: Mm = field(name="walk")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from engine.rules.numbers import as_fraction
from engine.rules.schema import kind_of, problems_in, shown
from engine.rules.tables.sets import RawRow, Table
from engine.rules.words import hint

R = TypeVar("R", bound="Row")
T = TypeVar("T")

SOURCES: Final = ("seed", "house", "book")
"""Marks of where a figure is from: the rules text itself, us, or a referee's own book; or `found`, with the address."""


class Scaled(Struct, frozen=True):
    """Says of a field that it is the column's figure times `times`, which must come out whole in `unit`, 0 or more."""

    times: int
    unit: str


Mm = Annotated[int, Scaled(10, "millimetres")]
"""A length: centimetres in the file, whole millimetres in the row."""


class Row(Struct, frozen=True, kw_only=True):
    """A row of a rule table. `source` says where its figures are from, `marks` of which columns that is not so."""

    source: str
    marks: Mapping[str, str] = {}
    note: str = ""

    def mark(self, column: str = "") -> str:
        """Where the figure in that column of the file is from: seed, house, book, or found with an address."""
        return self.marks.get(column, self.source)


def read_rows(table: Table, part: str, row: type[R], problems: list[str]) -> tuple[R, ...]:
    """The rows of an array as Structs, in order; a row that is wrong is left out, and all that is wrong with it is
    added to `problems`, with file, row and column."""
    found = []
    for number, raw in enumerate(table.rows(part), 1):
        where = f"{table.file}, {part} {label(raw, number)}"
        measured, wrong = _measured(raw, row, where)
        wrong += problems_in(measured, row, where, ", ", as_fraction)
        wrong += (f"{where}: {problem}" for problem in _mark_problems(raw, row))
        if wrong:
            problems += wrong
        else:
            found.append(msgspec.convert(measured, row, dec_hook=as_fraction))
    return tuple(found)


def read_grid(table: Table, part: str, cell: type[T], columns: int, problems: list[str]) -> dict[str, tuple[T, ...]]:
    """The rows of a grid by their key, each a tuple of `columns` cells of that type (int, str, Fraction).

    A row that is wrong is left out and named in `problems`.
    """
    found: dict[str, tuple[T, ...]] = {}
    for key, raw in table.grid(part).items():
        where = f"{table.file}, {part} {key}"
        cells = _cells(raw, cell, where, problems)
        if cells is not None and len(cells) != columns:
            problems.append(f"{where}: it has {len(cells)} cells for {columns} columns")
        elif cells is not None:
            found[key] = cells
    return found


def read_axis(table: Table, name: str, cell: type[T], problems: list[str], part: str = "axes") -> tuple[T, ...]:
    """What stands over the columns, or beside the rows, of a table's cells. Empty, and a problem, when it is wrong."""
    raw = table.grid(part).get(name)
    return _cells(raw, cell, f"{table.file}, {part} {name}", problems) or ()


def label(raw: RawRow, number: int) -> str:
    """What a message calls a row: by its id or whatever names it, else by its number."""
    names = ("id", "name", "letter", "status", "race", "arc")
    return next((str(raw[name]) for name in names if isinstance(raw.get(name), str)), f"row {number}")


def _measured(raw: RawRow, row: type[Row], where: str) -> tuple[dict[str, object], list[str]]:
    """The row with its figures in the units of its fields, and what is wrong with those that cannot be."""
    measured: dict[str, object] = dict(raw)
    wrong = []
    for field in fields(row):
        value = raw.get(field.encode_name)
        scaled = next((extra for extra in get_args(field.type) if isinstance(extra, Scaled)), None)
        if scaled is None or isinstance(value, bool) or not isinstance(value, int | Fraction):
            continue
        times = value * scaled.times
        if times.denominator != 1 or times < 0:
            said = f"must come to whole {scaled.unit}, but {shown(value)} does not"
            said = "cannot be below 0, but is " + shown(value) if times < 0 else said
            wrong.append(f"{where}, {field.encode_name}: {said}")
        measured[field.encode_name] = abs(times.numerator)
    return measured, wrong


def _mark_problems(raw: RawRow, row: type[Row]) -> Iterator[str]:
    columns = [field.encode_name for field in fields(row)]
    marks = raw.get("marks", {})
    marks = marks if isinstance(marks, Mapping) else {}
    for column in marks:
        if column not in columns:
            yield f"marks names {column!r}, which is no column{hint(column, columns)}"
    for mark in (raw.get("source", "house"), *marks.values()):
        if mark not in SOURCES and not re.fullmatch(r"found https?://\S+", str(mark)):
            yield f"the source must be {', '.join(SOURCES)} or found with an address, not {shown(mark)}"


def _cells(raw: object, cell: type[T], where: str, problems: list[str]) -> tuple[T, ...] | None:
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        problems.append(f"{where}: it must be a list")
        return None
    cells: list[T] = []
    wrong = []
    for number, value in enumerate(raw, 1):
        try:
            cells.append(msgspec.convert(value, type=cell, dec_hook=as_fraction))
        except msgspec.ValidationError:
            wrong.append(f"{where}: cell {number} must be {kind_of(cell)}, not {shown(value)}")
    problems += wrong
    return None if wrong else tuple(cells)
