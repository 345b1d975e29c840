"""Whole battles played by drill through the ordinary path, with dice from a fixed secret."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from engine.opening import read_scenario
from engine.orders import write_sheet
from engine.rules.dresda import rules
from events.store.memory import MemoryLog
from tests.table import Table, open_battle

SCENARIOS = Path(__file__).parents[2] / "scenarios"
MAX_STEPS = 400

Handing = Callable[[dict[str, str]], list[tuple[str, str]]]
"""How the sheets of all seats are handed in: (seat, text), one after the other."""


def as_written(sheets: dict[str, str]) -> list[tuple[str, str]]:
    """Hand in each seat's sheet in the order of the seats."""
    return list(sheets.items())


def one_by_one_backwards(sheets: dict[str, str]) -> list[tuple[str, str]]:
    """Hand in every order by itself, the last first."""
    return [(seat, line) for seat, sheet in reversed(sheets.items()) for line in reversed(sheet.splitlines())]


@lru_cache(maxsize=32)
def played(name: str, seed: int, handing: Handing = as_written) -> Table:
    """Play a shipped scenario to its end; the same seed gives the same dice."""
    scenario = replace(read_scenario(SCENARIOS / f"{name}.toml"), referee="absent", by_hand=())
    ticks = itertools.count(1_700_000_000_000_000)
    with mock.patch("secrets.token_bytes", return_value=bytes([seed]) * 32):
        log = MemoryLog()
        open_battle(log, "b", scenario, clock=lambda: next(ticks))
        battle = Table(log, "b", rules(), clock=lambda: next(ticks))
        for _ in range(MAX_STEPS):
            if battle.state.table.ended:
                return battle
            now = battle.situation()
            sheets = {seat.id: write_sheet(rules().autoplay(now, seat.id)) for seat in battle.state.table.seats}
            for seat, text in handing({seat: sheet for seat, sheet in sheets.items() if sheet}):
                battle.order(seat, text)
            battle.proceed()
    raise AssertionError(f"{name} with seed {seed} does not come to an end")
