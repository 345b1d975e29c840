"""A small invented rule set, the zoo: rows, free groups, bands and a grid, for the tests of rule tables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from msgspec import field

from engine.rules.tables import Mm, Part, Row, TableSet, load_set
from engine.rules.tables.errors import TablesInvalid

SHAPE = {
    "beasts": {"beast": Part(("id",), rows="free")},
    "traits": {"trait": Part(("id",), free_groups=("rank",))},
    "omens": {"band": Part()},
    "odds": {"axes": Part(grid=True), "odds": Part(grid=True, rows="free"), "case": Part(("id",))},
}
META = """[meta]
system = "zoo"
schema_version = 1
table = "{0}"
title = "{0}"
source = "house"
row_key = "id"
column_key = "-"
units = "cm"
lookup = "row"
anchor = "none"
"""
BEASTS = """
[[beast]]
id = "wolf"
walk = 24
bite = 1.5
source = "seed"

[[beast]]
id = "boar"
walk = 18
bite = 2.0
marks = { walk = "seed" }
"""
TRAITS = """
[[trait]]
id = "hungry"
value = 1

[[trait]]
id = "rank_cub"
value = -1
exclusive_group = "rank"
"""
OMENS = """
[[band]]
roll_from = 1
roll_to = 60
omen = "good"

[[band]]
roll_from = 61
roll_to = 100
omen = "bad"
"""
ODDS = """
[axes]
columns = [1, 2]

[odds]
"0" = [10, 5]
"1" = [20, 10.5]

[[case]]
id = "plain"
row = "0"
"""
BODIES = {"beasts": BEASTS, "traits": TRAITS, "omens": OMENS, "odds": ODDS}


class Beast(Row, frozen=True, kw_only=True):
    id: str
    walk_mm: Mm = field(name="walk")
    bite: Fraction


def build(place: Path) -> Path:
    """Write the shipped tables of the zoo into a new directory and return it."""
    place.mkdir()
    for name, body in BODIES.items():
        (place / f"{name}.toml").write_text(META.format(name) + body)
    return place


def load(home: Path, own: Path | None = None) -> TableSet:
    problems: list[str] = []
    loaded = load_set(home, SHAPE, own, problems)
    if problems:
        raise TablesInvalid(problems)
    return loaded


def problems_of(home: Path, own: Path) -> list[str]:
    problems: list[str] = []
    load_set(home, SHAPE, own, problems)
    return problems


def only_problem(home: Path, own: Path) -> str:
    (problem,) = problems_of(home, own)
    return problem


def row(loaded: TableSet, table: str, part: str, key: str) -> dict[str, object]:
    return dict(next(row for row in loaded[table].rows(part) if row["id"] == key))


def values(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from values(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from values(inner)
    else:
        yield value
