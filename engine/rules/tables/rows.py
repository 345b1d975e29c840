"""Typed rows: a table's columns checked against a Struct, with every wrong one named.

A rule set declares a frozen Struct for each array, derived from `Row`; its fields are the columns. Where a figure is
kept in another measure than people write it in, the field says so: a length that is in centimetres in the file is
declared `walk_mm: Mm = field(name="walk")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from engine.rules.schema import kind_of, shown
from engine.rules.tables.numbers import as_fraction
from engine.rules.tables.sets import RawRow, Table, Value
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
    columns = {field.encode_name: field for field in fields(row)}
    make: Callable[..., R] = row
    found = []
    for number, raw in enumerate(table.rows(part), 1):
        wrong: list[str] = []
        values = _row_values(raw, columns, wrong)
        if wrong:
            problems += (f"{table.file}, {part} {label(raw, number)}: {problem}" for problem in wrong)
        else:
            found.append(make(**values))
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


def _row_values(raw: RawRow, columns: Mapping[str, FieldInfo], wrong: list[str]) -> dict[str, object]:
    values: dict[str, object] = {}
    for column, value in raw.items():
        if column not in columns:
            wrong.append(f"there is no column {column!r}{hint(column, columns)}")
            continue
        field = columns[column]
        try:
            values[field.name] = _figure(value, field.type)
        except ValueError as error:
            wrong.append(f"{column} {error}")
    for column, field in columns.items():
        if column not in raw and field.default is NODEFAULT and field.default_factory is NODEFAULT:
            wrong.append(f"the column {column!r} is missing")
    wrong += _mark_problems(raw, columns)
    return values


def _mark_problems(raw: RawRow, columns: Mapping[str, FieldInfo]) -> Iterator[str]:
    marks = raw.get("marks", {})
    marks = marks if isinstance(marks, Mapping) else {}
    for column in marks:
        if column not in columns:
            yield f"marks names {column!r}, which is no column{hint(column, columns)}"
    for mark in (raw.get("source", "house"), *marks.values()):
        if mark not in SOURCES and not re.fullmatch(r"found https?://\S+", str(mark)):
            yield f"the source must be {', '.join(SOURCES)} or found with an address, not {shown(mark)}"


def _figure(value: Value, wanted: object) -> object:
    """The value of a column as its field wants it. Raises ValueError with what it must be."""
    scaled = next((extra for extra in get_args(wanted) if isinstance(extra, Scaled)), None)
    if scaled is not None and isinstance(value, int | Fraction) and not isinstance(value, bool):
        times = value * scaled.times
        if times.denominator != 1:
            raise ValueError(f"must come to whole {scaled.unit}, but {value} does not")
        if times < 0:
            raise ValueError(f"cannot be below 0, but is {value}")
        value = times.numerator
    return _converted(value, wanted)


def _converted(value: Value, wanted: object) -> object:
    if get_origin(wanted) is Literal:
        words = get_args(wanted)
        if value not in words:
            raise ValueError(f"must be one of {', '.join(words)}, not {shown(value)}{hint(str(value), words)}")
        return value
    try:
        return msgspec.convert(value, type=wanted, dec_hook=as_fraction)
    except msgspec.ValidationError as error:
        raise ValueError(f"must be {kind_of(wanted)}, not {shown(value)}") from error


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
