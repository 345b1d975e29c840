"""Where the outbox is kept: beside the battles, in old files and new ones, without a trace in their records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.delivery.outbox import Letter, enqueue
from events.store.errors import BattleUnknown, LogUnusable
from events.store.outbox import Message
from events.store.schema import VERSION
from events.store.sqlite import SqliteLog
from tests.calendar_table import at, opened

START = at("2026-03-03 12:00")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        opened(log)
        yield log


def put(log: SqliteLog, key: str, recipient: str = "ann", text: str = "Hello", html: str = "") -> bool:
    return enqueue(log, "b", recipient, Letter(key, f"About {key}", text, html), START)


def of_schema_1(path: Path) -> None:
    """Make a file as it was before there was an outbox."""
    with SqliteLog(path) as log:
        opened(log)
    plain = sqlite3.connect(path)
    plain.executescript(
        "DROP TABLE outbox; DROP VIEW journal; DROP VIEW dice; DROP VIEW lines; "
        "DROP TABLE event2; DROP TABLE line2; DROP TABLE tip; PRAGMA user_version = 1;"
    )
    plain.close()


def test_a_file_of_the_first_schema_gets_its_outbox_when_it_is_next_written(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    of_schema_1(path)
    with SqliteLog(path, read_only=True) as log:
        assert log.outbox().messages() == []
        before = list(log.records(log.line("b")))
    plain = sqlite3.connect(path)
    assert plain.execute("PRAGMA user_version").fetchone() == (1,)
    with SqliteLog(path) as log:
        assert put(log, "one")
        assert list(log.records(log.line("b"))) == before
    assert plain.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    plain.close()
    with SqliteLog(path, read_only=True) as log:
        assert [each.state for each in log.outbox().messages()] == ["pending"]


def test_a_file_of_the_first_schema_whose_guards_are_gone_is_refused_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    of_schema_1(path)
    plain = sqlite3.connect(path)
    plain.execute("DROP TRIGGER event_no_update")
    with pytest.raises(LogUnusable, match="event_no_update"):
        SqliteLog(path)
    assert plain.execute("PRAGMA user_version").fetchone() == (1,)
    plain.close()


def test_an_outbox_that_was_taken_away_is_found(log: SqliteLog) -> None:
    plain = sqlite3.connect(log.path)
    plain.execute("DROP TABLE outbox")
    plain.close()
    with pytest.raises(LogUnusable, match="outbox"):
        SqliteLog(log.path)


def test_a_message_is_of_a_battle_that_is_there_and_leaves_no_trace_in_its_record(log: SqliteLog) -> None:
    before = [record.hash for record in log.records(log.line("b"))]
    put(log, "one")
    assert [record.hash for record in log.records(log.line("b"))] == before
    with pytest.raises((LogUnusable, BattleUnknown)):
        enqueue(log, "nowhere", "ann", Letter("k", "s", "t"), START)
    assert isinstance(log.outbox().messages()[0], Message)
