"""The tables in force for a battle, typed, and their checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from engine.rules.ice_and_fire import table_rows as rows
from engine.rules.tables import (
    Part,
    Row,
    Shape,
    TableSet,
    checks,
    load_set,
    read_axis,
    read_grid,
    read_rows,
    restore_set,
)
from engine.rules.tables.errors import RowUnknown, TablesInvalid
from engine.rules.words import nearest
from events.dice.expression import NotationError
from events.dice.notation import parse
from projections.dice.odds import distribution

R = TypeVar("R", bound=Row)

SHAPE: Final[Shape] = {
    "unit_types": {"unit": Part(("id",), rows="free")},
    "ranks": {"rank": Part(("id",))},
    "casualties": {"axes": Part(grid=True), "cells": Part(grid=True), "modifier": Part(("id",))},
    "weapons": {"weapon": Part(("id",), rows="grows")},
    "armour": {
        "armour": Part(("id",), rows="grows"),
        "shield": Part(("id",), rows="grows"),
        "mount": Part(("id",), rows="grows"),
        "barding": Part(("id",), rows="grows"),
    },
    "terrain": {"terrain": Part(("id",), rows="grows")},
    "walls": {"wall": Part(("id",), rows="grows"), "gate": Part(("id",), rows="grows")},
    "siege": {"gear": Part(("id",)), "machine": Part(("id",), rows="grows"), "missile": Part(("id",), rows="grows")},
    "actions": {"action": Part(("id",))},
    "constants": {"constant": Part(("name",))},
}
"""The parts of the files, and whose ids they are."""

OUTCOMES: Final = ("unscathed", "tested", "bloodied", "disorganized", "routed", "destroyed", "annihilated")


class Tables(Struct, frozen=True, kw_only=True):
    """The tables in force: rows by id in the order of the files. Made by `load_tables` and `restore_tables`."""

    text: str
    """The whole set as one canonical text, to be kept beside the record of a battle."""
    unit_types: Mapping[str, rows.UnitType]
    ranks: Mapping[str, rows.Rank]
    """From the rawest up."""
    casualties: Mapping[str, Mapping[str, str]]
    """By rank and outcome: the dice, as printed, though the rawest do not double as the others do (AMB-46)."""
    casualty_source: str
    casualty_modifiers: Mapping[str, rows.CasualtyModifier]
    weapons: Mapping[str, rows.Weapon]
    armour: Mapping[str, rows.Armour]
    shields: Mapping[str, rows.Shield]
    mounts: Mapping[str, rows.Mount]
    barding: Mapping[str, rows.Barding]
    terrain: Mapping[str, rows.Terrain]
    walls: Mapping[str, rows.WallKind]
    gates: Mapping[str, rows.GateKind]
    gear: Mapping[str, rows.Gear]
    machines: Mapping[str, rows.Machine]
    missiles: Mapping[str, rows.Missile]
    actions: Mapping[str, rows.Action]
    constants: Mapping[str, rows.Constant]

    def number(self, name: str) -> int:
        """A fixed number. Raises RowUnknown for a name that is not there."""
        return found(self.constants, name, "constants").value

    def mark(self, name: str) -> str:
        """Where a fixed number is from."""
        return found(self.constants, name, "constants").mark("value")

    def rank_of(self, training: tuple[int, int]) -> str:
        """The rank of an exact training level, a fraction: the highest row that is not above it (IF-071)."""
        top, bottom = training
        return [row.id for row in self.ranks.values() if row.training * bottom <= top][-1]


def found(table: Mapping[str, R], row: str, name: str) -> R:
    """A row by its id. Raises RowUnknown, with the ids that come closest."""
    if row not in table:
        raise RowUnknown(name, row, nearest(row, table))
    return table[row]


def load_tables(own: Path | None) -> Tables:
    """The shipped tables with a referee's own laid over them, proved. Raises TablesInvalid with every problem."""
    problems: list[str] = []
    loaded = load_set(files(__package__) / "tables", SHAPE, own, problems)
    return _typed(loaded, problems)


def restore_tables(text: str) -> Tables:
    """The tables from the text that a battle keeps. Raises TablesInvalid."""
    return _typed(restore_set(text), [])


def _typed(raw: TableSet, problems: list[str]) -> Tables:
    def by_id(table: str, part: str, row: type[R]) -> dict[str, R]:
        key = SHAPE[table][part].key[0]
        return {str(getattr(each, key)): each for each in read_rows(raw[table], part, row, problems)}

    outcomes = read_axis(raw["casualties"], "outcome", str, problems)
    cells = read_grid(raw["casualties"], "cells", str, len(OUTCOMES), problems)
    tables = Tables(
        text=raw.dump(),
        unit_types=by_id("unit_types", "unit", rows.UnitType),
        ranks=by_id("ranks", "rank", rows.Rank),
        casualties={rank: dict(zip(outcomes, row, strict=False)) for rank, row in cells.items()},
        casualty_source=raw["casualties"].source,
        casualty_modifiers=by_id("casualties", "modifier", rows.CasualtyModifier),
        weapons=by_id("weapons", "weapon", rows.Weapon),
        armour=by_id("armour", "armour", rows.Armour),
        shields=by_id("armour", "shield", rows.Shield),
        mounts=by_id("armour", "mount", rows.Mount),
        barding=by_id("armour", "barding", rows.Barding),
        terrain=by_id("terrain", "terrain", rows.Terrain),
        walls=by_id("walls", "wall", rows.WallKind),
        gates=by_id("walls", "gate", rows.GateKind),
        gear=by_id("siege", "gear", rows.Gear),
        machines=by_id("siege", "machine", rows.Machine),
        missiles=by_id("siege", "missile", rows.Missile),
        actions=by_id("actions", "action", rows.Action),
        constants=by_id("constants", "constant", rows.Constant),
    )
    problems += _problems(tables, outcomes)
    if problems:
        raise TablesInvalid(problems)
    return tables


def _problems(tables: Tables, outcomes: tuple[str, ...]) -> Iterator[str]:
    """Names that no table has, dice that cannot be read, ranks and casualties that run the wrong way."""
    for kind in tables.unit_types.values():
        yield from _kit(tables, kind)
    trained = [(rank.id, rank.training) for rank in tables.ranks.values()]
    yield from (f"ranks.toml, training: {problem}" for problem in checks.rises(trained))
    yield from (f"casualties.toml, outcome: {problem}" for problem in checks.same(outcomes, OUTCOMES, "outcome"))
    yield from (
        f"casualties.toml, cells: {problem}" for problem in checks.same(tables.casualties, tables.ranks, "rank")
    )
    for rank, cells in tables.casualties.items():
        yield from _casualty_row(rank, cells)
    for machine in tables.machines.values():
        for problem in checks.known(machine.missiles, tables.missiles, "missile"):
            yield f"siege.toml, {machine.id}: {problem}"
    for gate in tables.gates.values():
        for problem in checks.known((gate.wall,), tables.walls, "wall"):
            yield f"walls.toml, {gate.id}: {problem}"
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
