"""A table at which the toy battle is fought, and single entries of a ledger, for the tests about dice."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.rules.rule_set import Scenario
from events.facts import Test
from events.store.sqlite import SqliteLog
from projections.dice.ledger import Entry, chance_of
from projections.dice.rolls import dice_of, passes
from tests.table import Table, open_battle
from tests.toy import ToyRules

SCENARIO = Scenario(
    "A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob", "ben"]}
)


def open_table(path: Path, begins: int = 1_700_000_000_000_000) -> Table:
    """Open a toy battle in a new file."""
    log = SqliteLog(path, durability="normal")
    ticks = itertools.count(begins)
    open_battle(log, "b", SCENARIO, clock=lambda: next(ticks), rules=ToyRules())
    return Table(log, "b", ToyRules(), clock=lambda: next(ticks))


def fight(battle: Table, turns: int = 1, by_hand: Sequence[str] = ()) -> None:
    """Fight some turns: everybody strikes."""
    for _ in range(turns):
        battle.order("red", "ann: hit bob\nal: hit ben")
        battle.order("blue", "bob: hit ann\nben: hit al")
        battle.proceed(by_hand=by_hand)


def roll(notation: str, *faces: int, test: Test = "read", target: int | None = None, **more: Any) -> Entry:
    """Return an entry for one roll of "ann"."""
    dice = dice_of(notation)
    total = dice.total(faces)
    success = passes(test, total, target) if target is not None else None
    chance = chance_of(notation, test, target) if target is not None else None
    entry = Entry(
        "b", "main", None, None, "ann", "", "", "", notation, tuple(faces), dice.kept(faces), total, "seeded",
        test=test, target=target, success=success, chance=chance,
    )  # fmt: skip
    return replace(entry, **more)
