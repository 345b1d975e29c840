"""Somebody with the file and the source code tries to choose the dice: they get the same faces, or `verify` says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.dice.errors import DiceKeeperMissing, DiceRefused, RootBroken
from engine.orders.errors import SheetRefused
from events.commands import OpenBranch, RecommitDice, RevealDiceRoot, Strike
from events.event import Event
from events.facts import ActOpened, DiceCommitted, DiceRolled, NonceAdded, SecretRevealed
from events.store.errors import RecordBroken
from events.store.memory import MemoryLog
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from projections.dice.ledger import read_ledger
from replays.audit.exported import take_over, write_export
from replays.audit.verify import verify
from tests.dice_table import fight, open_table
from tests.table import Table
from tests.toy import ToyRules


@pytest.fixture
def battle(tmp_path: Path) -> Table:
    return open_table(tmp_path / "war.db")


def copied(battle: Table, path: Path) -> Table:
    """Copy the file of a battle, vault and all, and open the copy."""
    assert isinstance(battle.log, SqliteLog)
    with sqlite3.connect(battle.log.path) as source, sqlite3.connect(path) as target:
        source.backup(target)
    return Table(SqliteLog(path, durability="normal"), "b", ToyRules())


def faces(battle: Table, line: str = "main") -> list[tuple[str, tuple[int, ...]]]:
    return [(each.key, each.faces) for each in read_ledger(battle.log, "b") if each.line == line]


def forged(battle: Table, change: Callable[[list[Event]], Sequence[Event]]) -> MemoryLog:
    """Record the events of a battle again, changed, with a chain that holds."""
    events = [battle.fold.catalogue.read(each.body, each.seq) for each in battle.log.records(battle.line)]
    acts = [each.act for each in battle.log.records(battle.line)]
    log = MemoryLog()
    made = list(change(events))
    assert len(made) == len(acts)
    drafts = [Draft(event, "engine", act) for event, act in zip(made, acts, strict=True)]
    log.begin("b", drafts, 1)
    return log


def test_six_copies_give_six_times_the_same_dice(battle: Table, tmp_path: Path) -> None:
    fight(battle)
    (order,) = [each.seq for each in battle.log.records(battle.line) if "ben: hit al" in each.body]
    seen: list[tuple[list[tuple[str, tuple[int, ...]]], list[tuple[str, tuple[int, ...]]]]] = []
    for number in range(6):
        copy = copied(battle, tmp_path / f"{number}.db")
        for what_if in range(number):
            copy.give(OpenBranch, name=f"w{what_if}", why="peek", point=str(order - 1))
        copy.give(OpenBranch, name="last", why="peek")
        fight(Table(copy.log, "b", ToyRules(), "last"))
        copy.give(Strike, events=(order,), why="a slip", dice="reroll-act")
        ruled = Table(copy.log, "b", ToyRules(), "main.2")
        fight(ruled)
        seen.append((faces(ruled, "main.2"), faces(copy, "last")))
    assert all(each == seen[0] for each in seen)
    assert len(seen[0][0]) > 4
    assert verify(copy.log, "b").lost == 0


def test_a_vault_that_was_emptied_draws_nothing(battle: Table, tmp_path: Path) -> None:
    fight(battle)
    there = MemoryLog()
    (tmp_path / "b.record").write_bytes(b"".join(write_export(battle.log, "b", [battle.state.table.tables])))
    take_over(there, tmp_path / "b.record")
    moved = Table(there, "b", ToyRules())
    moved.order("red", "ann: hit bob")
    with pytest.raises(DiceKeeperMissing):
        moved.proceed()
    moved.give(RecommitDice, why="another keeper", without=("red", "blue"))
    moved.proceed()
    assert verify(there, "b").events == moved.seq


def test_another_root_is_refused_while_the_first_is_there(battle: Table) -> None:
    with pytest.raises(DiceRefused, match="need no other"):
        battle.give(RecommitDice, why="I like others better")


def test_a_root_that_does_not_fit_its_commitment_stops_before_anything_is_recorded(
    battle: Table, tmp_path: Path
) -> None:
    copy = copied(battle, tmp_path / "copy.db")
    with sqlite3.connect(tmp_path / "copy.db") as db:
        db.execute("UPDATE secret SET root = ? WHERE length(root) = 64", ("ab" * 32,))
    copy.order("red", "ann: hit bob")
    before = copy.seq
    with pytest.raises(RootBroken):
        copy.proceed()
    copy.refresh()
    assert copy.seq == before


def test_a_die_cannot_vouch_for_itself(battle: Table) -> None:
    fight(battle, 2)

    def kept(events: list[Event]) -> list[Event]:
        return [
            replace(each, source="kept", kept_from="main", algorithm="") if isinstance(each, DiceRolled) else each
            for each in events
        ]

    with pytest.raises(RecordBroken, match="no ruling replaced line 'main'"):
        verify(forged(battle, kept), "b")


def test_an_act_cannot_claim_other_orders(battle: Table) -> None:
    fight(battle, 2)

    def other(events: list[Event]) -> list[Event]:
        return [replace(each, content="c0ffee" * 10) if isinstance(each, ActOpened) else each for each in events]

    with pytest.raises(RecordBroken, match="not that of the orders"):
        verify(forged(battle, other), "b")


def test_a_secret_that_never_comes_out_is_a_failure_and_one_to_come_is_not(battle: Table) -> None:
    battle.order("red", "ann: hit bob\nal: hit ben")
    battle.proceed(by_hand=("blue",))
    assert verify(battle.log, "b").proved >= 0
    fight(battle, 2)

    def silent(events: list[Event]) -> list[Event]:
        return [NonceAdded("red", "instead") if isinstance(each, SecretRevealed) else each for each in events]

    with pytest.raises(RecordBroken, match="never came out"):
        verify(forged(battle, silent), "b")


def test_a_roll_by_an_unknown_algorithm_is_counted_and_not_accused(battle: Table) -> None:
    fight(battle)

    def newer(events: list[Event]) -> list[Event]:
        return [
            replace(each, algorithm="sha3/9") if isinstance(each, DiceRolled | DiceCommitted) else each
            for each in events
        ]

    found = verify(forged(battle, newer), "b")
    assert (found.unknown, found.proved) == (4, 0)


def test_a_client_seed_does_not_touch_the_dice_of_a_turn_whose_orders_are_in(battle: Table, tmp_path: Path) -> None:
    fight(battle)
    copy = copied(battle, tmp_path / "copy.db")
    for each in (battle, copy):
        each.order("red", "ann: hit bob")
    copy.seed("red", "chosen with the root in hand")
    for each in (battle, copy):
        each.proceed()
        fight(each)
    ours, theirs = faces(battle), faces(copy)
    second = [key for key, _ in ours if key.startswith("t2/")]
    assert [each for each in ours if each[0] in second] == [each for each in theirs if each[0] in second]
    assert ours != theirs


def test_the_root_comes_out_at_the_end_alone_and_proves_every_line(battle: Table) -> None:
    with pytest.raises(DiceRefused, match="goes on"):
        battle.give(RevealDiceRoot)
    battle.give(OpenBranch, name="what", why="peek")
    while not battle.state.table.ended:
        for order in ("ann: hit bob", "al: hit ben", "ann: hit ben", "al: hit bob"):
            with suppress(SheetRefused):  # somebody is down
                battle.order("red", order)
        battle.proceed()
    battle.give(RevealDiceRoot)
    assert verify(battle.log, "b").unrevealed == 0
