"""The file: what it refuses by itself, what is checked when it is opened, and how other programs see it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from events.facts import DiceRolled, Kind, RollCalled
from events.store.conformance.format_2 import sealed
from events.store.conformance.stage import AT, begun, branched, notes, refusal
from events.store.errors import LogUnusable
from events.store.log import MAIN_WHY
from events.store.record import Draft, Request, Snapshot
from events.store.schema import APPLICATION_ID, VERSION, guards
from events.store.sqlite import SqliteLog

GROWING = ("battle", "line", "line2", "event", "event2", "request", "document")
FIELDS = "position, battle, line, seq, act, kind, body, actor, at, request, prev, hash"
GOOD = {
    "position": 99,
    "battle": "ford",
    "line": 1,
    "seq": 99,
    "act": 99,
    "kind": "table",
    "body": '{"type":"table.noted","text":""}',
    "actor": "red",
    "at": AT,
    "request": None,
    "prev": "",
    "hash": "",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in which every table holds something."""
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        main, _, _ = branched(log)
        log.append(main, notes("asked"), 6, AT, Request("key", "content"), "commitment:root")
        log.keep_document("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", "x")
        log.save_snapshot(main, Snapshot(1, "hash", "fingerprint", "state"))
    return tmp_path / "war.db"


@pytest.fixture
def full(path: Path) -> Path:
    """The same with a battle of record format 2."""
    with SqliteLog(path, durability="normal") as log:
        sealed(log, "hill", further=2)
    return path


@pytest.fixture
def plain(path: Path) -> Iterator[sqlite3.Connection]:
    """The file as any other program opens it."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


def insert(plain: sqlite3.Connection, how: str = "INSERT", **changes: object) -> None:
    row = {**GOOD, **changes}
    plain.execute(f"{how} INTO event ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))


# ------------------------------------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize("table", GROWING)
def test_rows_of_the_record_are_neither_changed_nor_removed(full: Path, plain: sqlite3.Connection, table: str) -> None:
    before = plain.execute(f"SELECT * FROM {table}").fetchall()
    assert before
    columns = [name for _, name, *_ in plain.execute(f"PRAGMA table_info({table})")]
    for column in columns:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            plain.execute(f"UPDATE {table} SET {column} = {column}")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        plain.execute(f"DELETE FROM {table}")
    for how in ("INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            plain.execute(f"{how} INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns)} FROM {table}")
    assert plain.execute(f"SELECT * FROM {table}").fetchall() == before


@pytest.mark.parametrize(
    "same",
    [{"position": 1}, {"seq": 3, "act": 3}, {"request": "key"}],
    ids=["position", "line and seq", "request"],
)
def test_no_row_takes_the_place_of_another_by_any_of_its_keys(plain: sqlite3.Connection, same: dict[str, Any]) -> None:
    before = plain.execute("SELECT * FROM event").fetchall()
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        insert(plain, "INSERT OR REPLACE", **same)
    assert plain.execute("SELECT * FROM event").fetchall() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "rumour"},
        {"body": "not JSON"},
        {"body": '{"text":"no type"}'},
        {"body": b'{"type":"table.noted"}'},
        {"seq": 0},
        {"act": 100},
        {"act": 0},
        {"at": -1},
        {"at": "yesterday"},
        {"at": 1.5},
        {"seq": None},
        {"actor": None},
        {"hash": None},
    ],
    ids=str,
)
def test_a_row_that_is_no_event_is_refused(plain: sqlite3.Connection, wrong: dict[str, Any]) -> None:
    with pytest.raises((sqlite3.IntegrityError, sqlite3.OperationalError)):
        insert(plain, **wrong)
    insert(plain)


def test_rows_that_point_nowhere_are_refused_by_a_log(path: Path) -> None:
    with SqliteLog(path) as log:
        wrongs: tuple[dict[str, Any], ...] = {"battle": "nowhere"}, {"line": 99}
        for wrong in wrongs:
            with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
                insert(log._file._db, **wrong)
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            log._file._db.execute("INSERT INTO line VALUES (9, 'ford', 'x', 99, 1, 1, '', 0, '')")


def test_every_table_has_strict_types(plain: sqlite3.Connection) -> None:
    tables = plain.execute(
        "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    assert dict(tables) == dict.fromkeys((*GROWING, "secret", "snapshot", "outbox", "tip"), 1)


def test_the_file_takes_every_kind_of_event(plain: sqlite3.Connection) -> None:
    for number, kind in enumerate(get_args(Kind), 200):
        insert(plain, kind=kind, position=number, seq=number)


# ------------------------------------------------------------------------------------------------- when it is opened


@pytest.mark.parametrize("name", sorted(guards()))
def test_a_guard_that_was_dropped_or_changed_is_found_at_the_next_opening(path: Path, name: str) -> None:
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute(f"DROP TRIGGER {name}")
    assert name in str(refusal(LogUnusable, lambda: SqliteLog(path)))
    plain.execute(guards()[name].replace("SELECT RAISE", "SELECT 1 WHERE 0 AND RAISE"))
    assert name in str(refusal(LogUnusable, lambda: SqliteLog(path)))
    assert name in str(refusal(LogUnusable, lambda: SqliteLog(path, read_only=True)))
    plain.execute(f"DROP TRIGGER {name}")
    plain.execute(guards()[name])
    plain.close()
    SqliteLog(path).close()


@pytest.mark.parametrize(
    "change",
    ["DROP INDEX event_request", "ALTER TABLE event ADD COLUMN extra TEXT", "ALTER TABLE line DROP COLUMN why"],
)
def test_a_table_or_key_that_was_changed_is_found_at_the_next_opening(path: Path, change: str) -> None:
    with sqlite3.connect(path) as plain:
        if "DROP COLUMN" in change:
            plain.execute("DROP VIEW lines")
        plain.execute(change)
    plain.close()
    assert "guards" in str(refusal(LogUnusable, lambda: SqliteLog(path)))


def test_a_file_whose_guards_are_gone_can_still_be_read_to_save_its_battles(path: Path) -> None:
    with sqlite3.connect(path) as plain:
        plain.execute("DROP TRIGGER event_no_update")
    plain.close()
    with SqliteLog(path, read_only=True, guarded=False) as log:
        assert log.head(log.line("ford")).seq == 7
    refusal(LogUnusable, lambda: SqliteLog(path, guarded=False))


def test_what_others_add_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as plain:
        plain.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        plain.execute("CREATE VIEW mine AS SELECT seq FROM event")
        plain.execute("CREATE VIRTUAL TABLE event_fts USING fts5 (body, content=event, content_rowid=position)")
    plain.close()
    SqliteLog(path).close()


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE mine (id INTEGER)",
        "CREATE VIEW mine AS SELECT 1",
        "PRAGMA user_version = 1",
        "CREATE TABLE event (position INTEGER PRIMARY KEY); PRAGMA user_version = 1",
        "CREATE TABLE mine (id INTEGER); PRAGMA application_id = 5",
    ],
)
def test_the_file_of_another_program_is_refused_and_not_touched(tmp_path: Path, script: str) -> None:
    path = tmp_path / "theirs.db"
    plain = sqlite3.connect(path)
    plain.executescript(script)
    plain.close()
    before = path.read_bytes()
    for read_only in (False, True):
        unfit = refusal(LogUnusable, lambda: SqliteLog(path, read_only=read_only))  # noqa: B023
        assert "another program's" in str(unfit)
        assert str(path) in str(unfit)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["theirs.db"]


def test_the_file_of_a_newer_version_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as plain:
        plain.execute(f"PRAGMA user_version = {VERSION + 1}")
    plain.close()
    for read_only in (False, True):
        assert "newer wardiary" in str(refusal(LogUnusable, lambda: SqliteLog(path, read_only=read_only)))  # noqa: B023


def test_what_is_no_database_at_all_is_refused_with_one_line(tmp_path: Path) -> None:
    text = tmp_path / "war.txt"
    text.write_text("the diary of a war\n" * 500, encoding="utf-8")
    for bad in (text, tmp_path, tmp_path / "no" / "such" / "folder.db"):
        for read_only in (False, True):
            assert str(bad) in str(refusal(LogUnusable, lambda: SqliteLog(bad, read_only=read_only)))  # noqa: B023
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "empty" in str(refusal(LogUnusable, lambda: SqliteLog(empty, read_only=True)))
    SqliteLog(empty).close()


# ------------------------------------------------------------------------------------------------- how others see it


def test_the_file_says_what_it_is(plain: sqlite3.Connection) -> None:
    assert plain.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert plain.execute("PRAGMA user_version").fetchone()[0] == VERSION
    assert plain.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert plain.execute("PRAGMA foreign_key_check").fetchall() == []


def test_the_journal_shows_every_event_with_its_line_and_time(plain: sqlite3.Connection) -> None:
    cursor = plain.execute("SELECT battle, line, seq, act, time, kind, type, actor, body FROM journal")
    rows = cursor.fetchall()
    assert rows[0][:8] == (
        "ford", "main", 1, 1, "2026-09-21T14:13:20.000000Z", "table", "table.battle_opened", "referee"
    )  # fmt: skip
    assert [(line, seq) for _, line, seq, *_ in rows][6:] == [
        ("first", 5), ("first", 6), ("first", 7), ("second", 7), ("main", 7),
    ]  # fmt: skip
    assert rows[1][8] == '{"type":"table.noted","text":"2"}'


def test_the_lines_show_where_each_forks_and_what_was_not_played(plain: sqlite3.Connection) -> None:
    assert plain.execute("SELECT * FROM lines").fetchall() == [
        ("ford", "main", None, 0, "played", 7, "referee", MAIN_WHY),
        ("ford", "first", "main", 4, "NOT PLAYED", 7, "referee", "what if"),
        ("ford", "second", "first", 6, "played", 7, "red", "and then"),
    ]


def test_the_dice_stand_beside_what_they_were_thrown_for(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "dice.db") as log:
        line = begun(log)
        for act, target in ((2, 45), (4, 30)):
            call = RollCalled("t1/hit", "to hit", "red", "ann", "1d100", "at_most", target)
            rolled = DiceRolled("t1/hit", (33,), 33, target >= 33, "entered", 1)
            log.append(line, [Draft(call, "engine", act), Draft(rolled, "red", act)], act - 1, AT)
        found = log._file._db.execute(
            "SELECT seq, key, purpose, seat, piece, dice, test, target, faces, total, success, source FROM dice"
        ).fetchall()
    common = ("t1/hit", "to hit", "red", "ann", "1d100", "at_most")
    assert found == [(3, *common, 45, "[33]", 33, 1, "entered"), (5, *common, 30, "[33]", 33, 0, "entered")]


def test_the_dice_are_found_act_by_act_not_by_reading_the_line_again_for_each(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "dice.db") as log:
        plan = " ".join(str(row) for row in log._file._db.execute("EXPLAIN QUERY PLAN SELECT * FROM dice"))
    assert "SEARCH called USING INDEX sqlite_autoindex_event_1 (line=? AND seq>? AND seq<?)" in plan


def test_sqlite_utils_reads_the_file_as_it_comes(path: Path) -> None:
    def ask(*words: str) -> str:
        command = [sys.executable, "-m", "sqlite_utils", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert '"table": "event", "count": 11' in ask("tables", str(path), "--counts")
    assert "table.battle_opened" in ask("rows", str(path), "journal", "--limit", "1")
    assert ask("query", str(path), "SELECT count(*) AS n FROM lines") == '[{"n": 3}]\n'


def test_sqlite_utils_cannot_change_the_record(path: Path) -> None:
    from sqlite_utils import Database

    database = Database(sqlite3.connect(path), execute_plugins=False)
    row = dict(zip(FIELDS.split(", "), GOOD.values(), strict=True))
    events = database.table("event")
    attempts: list[Callable[[], object]] = [
        lambda: events.delete(1),
        lambda: events.update(1, {"actor": "blue"}),
        lambda: events.insert({**row, "position": 1}, replace=True),
    ]
    for attempt in attempts:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            attempt()
    database.conn.close()


def test_the_views_show_battles_of_either_record_format(full: Path, plain: sqlite3.Connection) -> None:
    found = plain.execute("SELECT line, seq, type, actor, position FROM journal WHERE battle = 'hill'").fetchall()
    assert found == [
        ("main", 1, "table.battle_opened", "referee", 1),
        ("main", 2, "table.noted", "red", 2),
        ("main", 3, "table.noted", "red", 3),
    ]
    assert plain.execute("SELECT head FROM lines WHERE battle = 'hill'").fetchall() == [(3,)]
