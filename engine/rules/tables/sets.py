"""A set of rule tables as plain exact values: its parts, its one canonical text, its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.rules.numbers import decimal_text, exact_number
from engine.rules.tables.errors import TablesInvalid

Value: TypeAlias = "str | int | bool | Fraction | Sequence[Value] | Mapping[str, Value]"
"""What a table can hold. A number is an int or, when it is not whole, a Fraction; never a float."""
RawRow: TypeAlias = "Mapping[str, Value]"

FORMAT: Final = 1
"""Version of the canonical text of a set."""


class Part(Struct, frozen=True):
    """What one part of a table is, and what a referee's own table may do to its rows.

    A part with a `key` is an array of rows that are told apart by those columns. One without is an array of bands,
    which only mean something together. A `grid` is a table of lists, one a row; its columns stand in the `axes`.

    `rows` says whose ids they are. `fixed`: the rules name each, so that none may be added or left out. `grows`: more
    may be added. `free`: they may also be left out. Rows in one of the `free_groups` (by their column
    `exclusive_group`) are free in a part that otherwise is not. A whole new grid may have other rows if it is `free`.
    """

    key: tuple[str, ...] = ()
    grid: bool = False
    rows: Literal["fixed", "grows", "free"] = "fixed"
    free_groups: tuple[str, ...] = ()

    def may_add(self, row: RawRow) -> bool:
        """Whether a row such as this may be added to the shipped ones."""
        return self.rows != "fixed" or row.get("exclusive_group") in self.free_groups

    def may_leave_out(self, row: RawRow) -> bool:
        """Whether this shipped row may be left out."""
        return self.rows == "free" or row.get("exclusive_group") in self.free_groups


Shape: TypeAlias = Mapping[str, Mapping[str, Part]]
"""The parts of every table of a rule set: file name without its ending -> part -> what it is."""


class Table(Struct, frozen=True):
    """One table: what is said of it (`meta`) and its parts, each a list of rows or a grid. Made by `load_set`."""

    name: str
    meta: Mapping[str, Value]
    parts: Mapping[str, Value]

    @property
    def file(self) -> str:
        """The name of its file, for messages."""
        return f"{self.name}.toml"

    @property
    def source(self) -> str:
        """Where the table as a whole comes from: the mark of its grids, and of rows that have none of their own."""
        return str(self.meta["source"])

    def rows(self, part: str) -> Sequence[RawRow]:
        """The rows of an array, in their order; empty for an array that is not there."""
        rows = self.parts.get(part, ())
        return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list | tuple) else []

    def grid(self, part: str) -> Mapping[str, Value]:
        """The rows of a grid by their key; empty for a grid that is not there."""
        grid = self.parts.get(part, {})
        return grid if isinstance(grid, Mapping) else {}


class TableSet(Struct, frozen=True):
    """All the tables in force for a battle, by name. Made by `load_set` or `restore_set`, which check its form."""

    system: str
    tables: Mapping[str, Table]

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]

    def dump(self) -> str:
        """The set as one canonical JSON text: the same bytes on any machine, whatever the order of keys.

        It holds every figure exactly (one that is not whole as a decimal fraction), all that is said of the tables, and
        the source mark of every row. `restore_set` gives an equal set back.
        """
        tables = {table.name: {"meta": table.meta, **table.parts} for table in self.tables.values()}
        whole = {"format": FORMAT, "system": self.system, "tables": tables}
        return msgspec.json.encode(whole, enc_hook=_as_json, order="sorted").decode()

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal. Writes the text anew each time, so keep it."""
        return hashlib.sha256(self.dump().encode()).hexdigest()


def restore_set(text: str) -> TableSet:
    """The set of which `text` is the canonical JSON. Numbers come back exact. Raises TablesInvalid for any other text.

    Only its form is checked; the rule set checks its rows as it reads them.
    """
    try:
        whole = json.loads(text, parse_float=exact_number, parse_constant=exact_number)
    except (ValueError, RecursionError) as error:
        raise TablesInvalid([f"the stored tables are not JSON that can be read: {error}"]) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise TablesInvalid([f"the stored tables are not in format {FORMAT}; another version wrote them"])
    tables = whole.get("tables")
    if not isinstance(tables, dict) or not isinstance(whole.get("system"), str):
        raise TablesInvalid(["the stored tables lack their system or their tables"])
    problems = [
        f"stored table {name}: it has no [meta] with a source"
        for name, body in tables.items()
        if not isinstance(body, dict) or not isinstance(body.get("meta"), dict) or "source" not in body["meta"]
    ]
    if problems:
        raise TablesInvalid(problems)
    return TableSet(whole["system"], {name: table_of(name, body) for name, body in sorted(tables.items())})


def table_of(name: str, body: Mapping[str, Value]) -> Table:
    """A table from its file as read: `meta` apart, every other key a part. `meta` must be there."""
    meta = body["meta"]
    assert isinstance(meta, Mapping)
    return Table(name, meta, {part: value for part, value in body.items() if part != "meta"})


def _as_json(value: object) -> msgspec.Raw:
    if isinstance(value, Fraction):
        return msgspec.Raw(decimal_text(value).encode())
    raise NotImplementedError(f"a table cannot hold a {type(value).__name__}")
