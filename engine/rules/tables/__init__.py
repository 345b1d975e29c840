"""Rule tables of any rule set: TOML files with exact figures, a referee's own tables over them, and their checks.

A rule set ships a directory of files `NAME.toml` and says in a `Shape` what parts each has. `load_set` reads them, lays
a referee's own directory over them and gives the set in force. Its canonical text is kept beside a battle's record, so
that an old battle is judged with the tables that it was fought with. The rule set then reads its typed rows from the
set (`read_rows`, `read_grid`, `read_axis`) and proves them (`checks`). Whatever is wrong is collected and told at once.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from engine.rules.tables import checks
from engine.rules.tables.errors import TablesInvalid
from engine.rules.tables.files import form_problems, meta_problems, read_home, read_own
from engine.rules.tables.overrides import merge_overrides
from engine.rules.tables.rows import SOURCES, Mm, Row, Scaled, label, read_axis, read_grid, read_rows
from engine.rules.tables.sets import Part, RawRow, Shape, Table, TableSet, Value, restore_set, table_of

__all__ = [
    "SOURCES",
    "Mm",
    "Part",
    "RawRow",
    "Row",
    "Scaled",
    "Shape",
    "Table",
    "TableSet",
    "Value",
    "checks",
    "label",
    "load_set",
    "read_axis",
    "read_grid",
    "read_rows",
    "restore_set",
]


def load_set(home: Traversable, shape: Shape, own: Path | None, problems: list[str]) -> TableSet:
    """The tables in force: those shipped in `home`, with the referee's `own` directory laid over them.

    What is wrong with the own tables is added to `problems`, and shipped figures stand in for what cannot be used, so
    that the caller can go on, find the rest, and tell it all at once. Promised when nothing was added: every part of
    the shape is there and of the right kind, keys are unique, every row has its `source`, no number is a float. The
    columns of the rows are the rule set's to check. Raises TablesInvalid when the shipped tables are broken.
    """
    tables = _shipped(home, shape)
    for name, document in (read_own(own, shape, problems) if own else {}).items():
        tables[name] = merge_overrides(tables[name], document, shape[name], problems)
    return TableSet(next(str(table.meta["system"]) for table in tables.values()), tables)


def _shipped(home: Traversable, shape: Shape) -> dict[str, Table]:
    problems: list[str] = []
    documents = read_home(home, shape, problems)
    for name, document in documents.items():
        problems += form_problems(f"{name}.toml", document, shape[name])
        problems += meta_problems(f"{name}.toml", document)
        problems += (f"{name}.toml: the part {part!r} is missing" for part in shape[name] if part not in document)
    if problems:
        raise TablesInvalid(problems)
    tables = {name: _sourced(table_of(name, document)) for name, document in documents.items()}
    for table in tables.values():
        problems += _key_problems(table, shape)
    systems = sorted({str(table.meta["system"]) for table in tables.values()})
    if len(systems) != 1:
        problems.append(f"the tables are of several systems: {', '.join(systems)}")
    if problems:
        raise TablesInvalid(problems)
    return tables


def _sourced(table: Table) -> Table:
    """The table with a source mark in every row: that of the whole table where the row has none."""
    parts = {
        name: value
        if isinstance(value, dict)
        else [row if "source" in row else {**row, "source": table.source} for row in table.rows(name)]
        for name, value in table.parts.items()
    }
    return Table(table.name, table.meta, parts)


def _key_problems(table: Table, shape: Shape) -> list[str]:
    found = []
    for name, part in shape[table.name].items():
        keys = ["/".join(str(row.get(column)) for column in part.key) for row in table.rows(name) if part.key]
        found += [f"{table.file}, {name}: {problem}" for problem in checks.unique(keys)]
    return found
