"""The results table, and what must hold of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Final

from wardiary.rules import Cells, Check, Grid, Loader, RuleTables, checks

RESULTS: Final = ("attackers retreat", "no effect", "exchange", "defender retreats", "defender breaks")


class Tables(RuleTables, frozen=True, kw_only=True):
    """The tables in force: the result of a d6 by the attackers' lead in strength (VG-3)."""

    results: Annotated[Grid[str], Cells("results", "result")]


def results(tables: Tables) -> Iterator[str]:
    """Every face of the die has a row, and every cell a result that the rules know."""
    rows = [int(row) for row in tables.results.rows]
    for problem in checks.covers([(row, row) for row in rows], 1, 6):
        yield f"results.toml, result: {problem}"
    for row, cells in zip(rows, tables.results.cells, strict=True):
        yield from (f"results.toml, result {row}: {problem}" for problem in checks.known(cells, RESULTS, "result"))


@lru_cache(maxsize=1)
def loader() -> Loader[Tables]:
    """Return what loads the tables, made once."""
    return Loader(Tables, files("vanguard") / "tables", [Check(("results",), results)])
