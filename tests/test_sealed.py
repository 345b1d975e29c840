"""Sealed orders: a digest until the act begins, then the text with its salt, held against the digest."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.errors import BattleClosed
from engine.orders import AnyOrder
from engine.rules.rule_set import OrderSlot, Scenario, Situation
from events.store.errors import RecordBroken
from events.store.sqlite import SqliteLog
from replays.audit.verify import verify
from replays.seek import replay
from tests.table import Table, open_battle
from tests.toy import Hit, ToyRules

SCENARIO = Scenario("A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob"]})


class SealedToy(ToyRules):
    """The toy rules with blows that are declared under seal."""

    def slot_for(self, situation: Situation[Any, Any], order: AnyOrder) -> OrderSlot:
        return OrderSlot("blows", sealed=True) if isinstance(order, Hit) else super().slot_for(situation, order)


@pytest.fixture
def log(tmp_path: Path) -> SqliteLog:
    return SqliteLog(tmp_path / "war.db")


@pytest.fixture
def battle(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> Table:
    open_battle(log, "b", SCENARIO, rules=SealedToy())
    return Table(log, "b", SealedToy())


def bodies(battle: Table) -> list[str]:
    return [record.body for record in battle.log.records(battle.line)]


def test_a_sealed_order_shows_nothing_until_its_act_begins(battle: Table) -> None:
    battle.order("red", "ann: hit bob\nal: hit bob")
    assert not [body for body in bodies(battle) if "hit" in body]
    assert [order.text for order in battle.state.table.orders] == ["", ""]
    assert "hit" not in battle.fold.save(battle.state)
    battle.proceed()
    told = [record.type for record in battle.log.records(battle.line)]
    assert told.index("order.revealed") < told.index("table.act_opened")
    assert any("ann: hit bob" in body for body in bodies(battle))


def test_the_receipt_is_a_plain_sha256_of_salt_and_text(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    receipt = battle.state.table.orders[0].digest
    kept = battle.log.secret(receipt)
    assert kept is not None
    assert kept.endswith(" ann: hit bob")
    assert sha256(kept.encode()).hexdigest() == receipt


def test_two_equal_orders_have_different_receipts(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    first = battle.state.table.orders[0].digest
    battle.order("red", "ann: hit bob")
    assert [order.digest for order in battle.state.table.orders] != [first]
    assert len(battle.state.table.orders) == 1


def test_only_the_last_order_of_a_piece_is_revealed(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.order("red", "ann: hit al")
    battle.proceed()
    assert len([body for body in bodies(battle) if "order.revealed" in body]) == 1
    assert not [body for body in bodies(battle) if "ann: hit bob" in body]


def test_another_process_opens_the_seals_and_the_record_is_verified_and_judged(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.order("blue", "bob: hit ann")
    other = Table(battle.log, "b", SealedToy())
    other.proceed()
    assert other.state == replay(battle.log, other.fold, other.line)
    assert verify(battle.log, "b").proved == 2
    assert Readjudicator(battle.log, other.line, SealedToy()).run().orders == 2


def test_a_record_without_its_vault_can_be_read_but_not_opened(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    with sqlite3.connect(Path(str(battle.log.path))) as db:  # type: ignore[attr-defined]
        db.execute("DELETE FROM secret WHERE root LIKE '% ann: hit bob'")
    with pytest.raises(BattleClosed, match="ann"):
        battle.proceed()


def test_a_text_changed_in_the_vault_is_refused_at_the_reveal(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    with sqlite3.connect(Path(str(battle.log.path))) as db:  # type: ignore[attr-defined]
        db.execute("UPDATE secret SET root = replace(root, 'hit bob', 'hit al')")
    with pytest.raises(BattleClosed, match="receipt"):
        battle.proceed()


def test_verify_holds_a_reveal_against_its_seal(battle: Table) -> None:
    from events.facts import Revealed
    from events.store.record import Draft

    battle.order("red", "ann: hit bob")
    waiting = battle.state.table.orders[0]
    forged = Revealed("red", "ann", "blows", "ann: hit al", "00", waiting.digest)
    battle.log.append(battle.line, [Draft(forged, "engine")], battle.seq, 5)
    with pytest.raises(RecordBroken, match="not the one that was sealed"):
        verify(battle.log, "b")


def test_the_order_of_arrival_touches_neither_the_reveal_nor_the_dice(battle: Table) -> None:
    battle.order("blue", "bob: hit ann")
    battle.order("red", "ann: hit bob\nal: hit bob")
    battle.proceed()
    revealed = [body for body in bodies(battle) if "order.revealed" in body]
    assert [("ann" in body, "al:" in body) for body in revealed] == [(False, True), (True, False), (True, False)]
