"""The tables in force for a battle, typed, and how the rules look things up in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from engine.rules.ice_and_fire import table_rows as rows
from engine.rules.tables import Part, Shape
from engine.rules.tables.declared import Made, Rows, RuleTables, find_row
from engine.rules.tables.reading import Reading

OUTCOMES: Final = ("unscathed", "tested", "bloodied", "disorganized", "routed", "destroyed", "annihilated")


CASUALTIES: Final[Shape] = {"casualties": {"axes": Part(grid=True), "cells": Part(grid=True)}}


def casualties(reading: Reading) -> Mapping[str, Mapping[str, str]]:
    """The casualties by rank and outcome."""
    outcomes = reading.axis("casualties", "outcome", str)
    cells = reading.cells("casualties", "cells", str, len(outcomes))
    return {rank: dict(zip(outcomes, row, strict=True)) for rank, row in cells.items()}


class Tables(RuleTables, frozen=True, kw_only=True):
    """The tables in force: rows by id in the order of the files. Made by the loader of `table_checks`."""

    unit_types: Annotated[Mapping[str, rows.UnitType], Rows("unit_types", "unit", ids="free")]
    ranks: Annotated[Mapping[str, rows.Rank], Rows("ranks", "rank")]
    """From the rawest up."""
    casualties: Annotated[Mapping[str, Mapping[str, str]], Made(CASUALTIES, casualties)]
    """By rank and outcome: the dice, as printed, though the rawest do not double as the others do (AMB-46)."""
    casualty_modifiers: Annotated[Mapping[str, rows.CasualtyModifier], Rows("casualties", "modifier")]
    weapons: Annotated[Mapping[str, rows.Weapon], Rows("weapons", "weapon", ids="grows")]
    armour: Annotated[Mapping[str, rows.Armour], Rows("armour", "armour", ids="grows")]
    shields: Annotated[Mapping[str, rows.Shield], Rows("armour", "shield", ids="grows")]
    mounts: Annotated[Mapping[str, rows.Mount], Rows("armour", "mount", ids="grows")]
    barding: Annotated[Mapping[str, rows.Barding], Rows("armour", "barding", ids="grows")]
    terrain: Annotated[Mapping[str, rows.Terrain], Rows("terrain", "terrain", ids="grows")]
    walls: Annotated[Mapping[str, rows.WallKind], Rows("walls", "wall", ids="grows")]
    gates: Annotated[Mapping[str, rows.GateKind], Rows("walls", "gate", ids="grows")]
    gear: Annotated[Mapping[str, rows.Gear], Rows("siege", "gear")]
    machines: Annotated[Mapping[str, rows.Machine], Rows("siege", "machine", ids="grows")]
    missiles: Annotated[Mapping[str, rows.Missile], Rows("siege", "missile", ids="grows")]
    actions: Annotated[Mapping[str, rows.Action], Rows("actions", "action")]
    constants: Annotated[Mapping[str, rows.Constant], Rows("constants", "constant", ("name",))]

    def number(self, name: str) -> int:
        """A fixed number. Raises RowUnknown for a name that is not there."""
        return find_row(self.constants, name, "constants").value

    def mark(self, name: str) -> str:
        """Where a fixed number is from."""
        return find_row(self.constants, name, "constants").mark("value")

    def rank_of(self, training: tuple[int, int]) -> str:
        """The rank of an exact training level, a fraction: the highest row that is not above it (IF-071)."""
        top, bottom = training
        return [row.id for row in self.ranks.values() if row.training * bottom <= top][-1]

    @property
    def casualty_source(self) -> str:
        """Where the dice of the casualties are from."""
        return self.raw["casualties"].source
