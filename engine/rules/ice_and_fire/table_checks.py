"""What must be true of the tables, whoever wrote them, before a battle is fought with them.

Each check names the tables that it reads. It is made only when these could be read whole: one slip is told once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from engine.rules.ice_and_fire import table_rows as rows
from engine.rules.ice_and_fire.tables import OUTCOMES, Tables
from engine.rules.tables import Row, checks
from engine.rules.tables.declared import Check, Loader
from events.dice.expression import NotationError
from events.dice.notation import parse
from projections.dice.odds import distribution


def kit(tables: Tables) -> Iterator[str]:
    """What men of a type carry is in the tables."""
    for kind in tables.unit_types.values():
        yield from _kit(tables, kind)


def ranks(tables: Tables) -> Iterator[str]:
    """More training makes a higher rank."""
    trained = [(rank.id, rank.training) for rank in tables.ranks.values()]
    yield from (f"ranks.toml, training: {problem}" for problem in checks.rises(trained))


def casualties(tables: Tables) -> Iterator[str]:
    """Every rank and outcome has dice, and a worse outcome costs no less."""
    for rank, cells in tables.casualties.items():
        yield from (f"casualties.toml, outcome: {problem}" for problem in checks.same(cells, OUTCOMES, "outcome"))
        yield from _casualty_row(rank, cells)


def casualty_ranks(tables: Tables) -> Iterator[str]:
    """The casualties are those of the ranks."""
    for problem in checks.same(tables.casualties, tables.ranks, "rank"):
        yield f"casualties.toml, cells: {problem}"


def machines(tables: Tables) -> Iterator[str]:
    """What a machine throws is in the tables."""
    for machine in tables.machines.values():
        for problem in checks.known(machine.missiles, tables.missiles, "missile"):
            yield f"siege.toml, {machine.id}: {problem}"
    for gate in tables.gates.values():
        for problem in checks.known((gate.wall,), tables.walls, "wall"):
            yield f"walls.toml, {gate.id}: {problem}"


def terrain(tables: Tables) -> Iterator[str]:
    """Ground slows, and lets everybody get on."""
    for ground in tables.terrain.values():
        if not (0 < ground.foot_speed <= 1 and 0 < ground.mounted_speed <= 1):
            yield f"terrain.toml, {ground.id}: a speed is a share of the whole, above 0 and at most 1"


def _kit(tables: Tables, kind: rows.UnitType) -> Iterator[str]:
    where = f"unit_types.toml, {kind.id}"
    worn: tuple[tuple[tuple[str, ...], Mapping[str, Row], str], ...] = (
        ((*kind.weapons, *kind.better_weapons), tables.weapons, "weapon"),
        ((kind.armour, kind.better_armour), tables.armour, "armour"),
        ((kind.shield, kind.better_shield), tables.shields, "shield"),
        ((kind.mount, kind.better_mount), tables.mounts, "mount"),
        ((kind.better_barding,), tables.barding, "barding"),
    )
    for names, table, what in worn:
        yield from (f"{where}: {problem}" for problem in checks.known(names, table, what))


def _casualty_row(rank: str, cells: Mapping[str, str]) -> Iterator[str]:
    means = []
    for outcome, dice in cells.items():
        try:
            means.append((outcome, distribution(parse(dice)).mean()))
        except NotationError as error:
            yield f"casualties.toml, cells {rank}: {error}"
            return
    for (here, one), (there, other) in pairwise(means):
        if other < one:
            yield f"casualties.toml, cells {rank}: {there} costs less than {here}"


CHECKS: Final = (
    Check(("unit_types", "weapons", "armour"), kit),
    Check(("ranks",), ranks),
    Check(("casualties",), casualties),
    Check(("casualties", "ranks"), casualty_ranks),
    Check(("siege",), machines),
    Check(("terrain",), terrain),
)
"""Every check with the tables that it reads."""


@lru_cache(maxsize=1)
def loader() -> Loader[Tables]:
    """Return what loads the tables, made once."""
    return Loader(Tables, files(__package__) / "tables", CHECKS)
