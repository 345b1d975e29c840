"""Both stores keep the promises of the log; what only a file can promise is here as well."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.errors import DiaryError
from events.store.conformance import LogConformance
from events.store.conformance.stage import AT, begun, branched, notes, refusal, texts
from events.store.errors import LogBusy, LogClosed, LogUnusable, RecordBroken
from events.store.log import PAGE, Log
from events.store.memory import MemoryLog
from events.store.record import Head
from events.store.schema import guards
from events.store.sqlite import SqliteLog

ROOT = Path(__file__).resolve().parent.parent


class TestMemoryLog(LogConformance):
    @pytest.fixture(autouse=True)
    def _stores(self) -> None:
        self.stores: dict[str, MemoryLog] = {}

    def open_log(self, store: str = "first") -> Log:
        return self.stores.setdefault(store, MemoryLog())


class TestSqliteLog(LogConformance):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> Iterator[None]:
        self.folder = tmp_path
        self.opened: list[SqliteLog] = []
        yield
        for log in self.opened:
            log.close()

    def open_log(self, store: str = "first") -> Log:
        log = SqliteLog(self.folder / f"{store}.db", durability="normal")
        self.opened.append(log)
        return log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "war.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(path, durability="normal") as log:
        yield log


@pytest.fixture
def plain(path: Path, log: SqliteLog) -> Iterator[sqlite3.Connection]:
    """Any other program that has the file open."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


def unguarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    for name in guards():
        connection.execute(f"DROP TRIGGER {name}")
    return connection


# ----------------------------------------------------------------------------------------------------- transactions


def test_a_reader_in_the_middle_of_a_page_does_not_keep_the_write_ahead_log_from_being_emptied(
    log: SqliteLog, plain: sqlite3.Connection
) -> None:
    line = begun(log, further=3 * PAGE)
    readers = log.records(line), log.bodies(line)
    for reader in readers:
        next(reader)
    log.append(line, notes("more"), log.head(line).seq, AT)
    busy, _, _ = plain.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0
    assert [sum(1 for _ in reader) for reader in readers] == [3 * PAGE, 3]


def test_while_another_program_writes_patience_decides(path: Path, log: SqliteLog, plain: sqlite3.Connection) -> None:
    line = begun(log)
    tries: list[int] = []

    def patience(number: int) -> bool:
        tries.append(number)
        if len(tries) == 5:
            plain.execute("COMMIT")
        return number < 8

    with SqliteLog(path, patience=patience) as other:
        plain.execute("BEGIN IMMEDIATE")
        assert other.append(line, notes("at last"), 1, AT).first == 2
        assert tries == [1, 2, 3, 4, 5]
        plain.execute("BEGIN IMMEDIATE")
        busy = refusal(LogBusy, lambda: other.append(line, notes("never"), 2, AT, secret="c:r"))
        plain.execute("ROLLBACK")
        assert (busy.code, busy.store, busy.tries) == ("log/busy", str(path), 8)
        assert isinstance(busy, TimeoutError)
        assert (other.head(line).seq, other.secret("c")) == (2, None)


def test_the_impatient_are_told_at_once(path: Path, log: SqliteLog, plain: sqlite3.Connection) -> None:
    line = begun(log)
    with SqliteLog(path, patience=lambda tries: False) as other:
        plain.execute("BEGIN IMMEDIATE")
        assert refusal(LogBusy, lambda: other.append(line, notes("x"), 1, AT)).tries == 1
        assert [record.seq for record in other.records(line)] == [1], "readers never wait for a writer"


@pytest.mark.parametrize(("durability", "synchronous"), [("full", "2"), ("normal", "1")])
def test_durability_is_what_was_asked_for(path: Path, durability: str, synchronous: str) -> None:
    with SqliteLog(path, durability="full" if durability == "full" else "normal") as log:
        assert log._rows("PRAGMA synchronous") == [(int(synchronous),)]
        assert log._rows("PRAGMA journal_mode") == [("wal",)]
        assert log.health().durability.startswith(durability)


def test_an_acknowledged_step_is_seen_by_others_and_survives_closing(path: Path, log: SqliteLog) -> None:
    line = begun(log)
    log.append(line, notes("one"), 1, AT)
    with SqliteLog(path, read_only=True) as other:
        assert texts(other, line) == ["one"]
    log.close()
    log.close()
    assert refusal(LogClosed, lambda: log.head(line)).store == str(path)
    with SqliteLog(path) as again:
        assert again.head(line).seq == 2


# ----------------------------------------------------------------------------------------------------- reading only


def test_reading_only_makes_nothing_and_changes_nothing(path: Path, log: SqliteLog) -> None:
    line = begun(log, further=5)
    log.close()
    before = path.read_bytes()
    with SqliteLog(path, read_only=True) as reader:
        assert reader.head(line).seq == 6
        for write in (
            lambda: reader.append(line, notes("x"), 6, AT),
            lambda: reader.begin("hill", notes("x"), AT),
            lambda: reader.clear_snapshots("ford"),
        ):
            assert refusal(LogUnusable, write).code == "log/unfit"
    assert path.read_bytes() == before
    missing = path.with_name("nothing.db")
    assert "no war diary" in str(refusal(LogUnusable, lambda: SqliteLog(missing, read_only=True)))
    assert not missing.exists()


def test_a_file_that_cannot_be_written_is_read() -> None:
    read = (
        "import os, sys; from events.store.sqlite import SqliteLog\n"
        "if not os.getuid(): os.seteuid(65534)\n"
        "with SqliteLog(sys.argv[1], read_only=True) as log: print(log.head(log.line('ford')).seq)"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "war.db"
        with SqliteLog(path) as log:
            begun(log, further=5)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        ran = subprocess.run([sys.executable, "-c", read, path], capture_output=True, text=True, cwd=ROOT, check=False)
        path.parent.chmod(0o700)
    assert (ran.stdout, ran.stderr) == ("6\n", "")


@pytest.mark.parametrize("name", ["war ?#%20&mode=rw.db", "ærø ⚔.db", "a'b\"c.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with SqliteLog(tmp_path / name) as log:
        line = begun(log)
    with SqliteLog(tmp_path / name, read_only=True) as reader:
        assert reader.head(line).seq == 1
    assert [file.name for file in tmp_path.iterdir()] == [name]


# ----------------------------------------------------------------------------------------------------- damage


@pytest.mark.parametrize("seq", [1, 2, PAGE, PAGE + 1, 2 * PAGE])
def test_an_event_that_was_taken_out_stops_every_reader_there(
    log: SqliteLog, plain: sqlite3.Connection, seq: int
) -> None:
    line = begun(log, further=2 * PAGE)
    unguarded(plain).execute("DELETE FROM event WHERE seq = ?", (seq,))
    for read in (log.records, log.bodies):
        broken = refusal(RecordBroken, lambda: list(read(line)))  # noqa: B023
        assert (broken.line, broken.seq) == ("main", seq)
    assert [record.seq for record in log.records(line, seq)] == list(range(seq + 1, 2 * PAGE + 2))


def test_a_fork_whose_past_was_taken_out_says_so(log: SqliteLog, plain: sqlite3.Connection) -> None:
    _, _, second = branched(log)
    empty = log.fork(second, "empty", 5, AT, "red", "", played=False)
    unguarded(plain).execute("DELETE FROM event WHERE seq = 5")
    broken = refusal(RecordBroken, lambda: log.append(empty, notes("x"), 5, AT))
    assert (broken.line, broken.seq) == ("first", 5)


def test_a_trigger_that_swallows_events_is_noticed(log: SqliteLog, plain: sqlite3.Connection) -> None:
    line = begun(log)
    plain.execute(
        "CREATE TRIGGER sly BEFORE INSERT ON event WHEN NEW.seq = 3 BEGIN SELECT RAISE(IGNORE); END"
    )  # fmt: skip
    assert "swallows" in str(refusal(LogUnusable, lambda: log.append(line, notes("one", "two", "three"), 1, AT)))
    assert log.head(line).seq == 1


def test_a_damaged_file_is_refused_with_one_line_or_read_as_it_was(path: Path, log: SqliteLog) -> None:
    line = begun(log, further=500)
    before = list(log.records(line))
    log.close()
    whole = path.read_bytes()
    named: list[RecordBroken] = []
    refused: list[LogUnusable] = []
    for page in range(len(whole) // 4096):
        data = bytearray(whole)
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
        path.write_bytes(data)
        try:
            with SqliteLog(path, read_only=True) as reader:
                assert list(reader.records(line)) == before
        except RecordBroken as broken:
            named.append(broken)
        except LogUnusable as unfit:
            refused.append(unfit)
    assert len(named) > 10
    assert len(refused) > 2
    assert all(0 < broken.seq <= 501 for broken in named)
    assert not any("\n" in str(error) for error in (*named, *refused))


def test_an_index_that_does_not_fit_its_table_is_noticed(log: SqliteLog, plain: sqlite3.Connection) -> None:
    line = begun(log, further=20)
    ((page,),) = plain.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_event_1'")
    log.close()
    plain.execute("PRAGMA writable_schema = 1")
    plain.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE rootpage = ?", (page,))
    plain.close()
    with SqliteLog(log.path, read_only=True) as reader:
        refusal(DiaryError, lambda: list(reader.records(line)))


def test_a_step_that_fails_half_way_leaves_the_log_usable(log: SqliteLog, plain: sqlite3.Connection) -> None:
    line = begun(log)
    plain.execute("CREATE TRIGGER full BEFORE INSERT ON request BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    from events.store.record import Request

    unfit = refusal(LogUnusable, lambda: log.append(line, notes("one", "two"), 1, AT, Request("key", "content")))
    assert "disk full" in str(unfit)
    assert isinstance(unfit, OSError)
    assert log.head(line) == Head(1, next(log.records(line)).hash)
    assert log.append(line, notes("one"), 1, AT).first == 2
