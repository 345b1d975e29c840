"""Looking after a file of battles: who may read it, what became of it, its backups, battles that are taken over."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli
from engine.maintenance import back_up, missing_from
from engine.output import OutputRefused
from events.store.conformance.stage import AT, begun, branched, notes, refusal, texts
from events.store.errors import LogUnusable, OutcomeUnknown, RecordBroken
from events.store.sqlite import SqliteLog

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced there")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "war.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(path, durability="normal") as log:
        yield log


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == code, (words, result.output, result.exception)
    return result


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one short battle, closed."""
    path = tmp_path_factory.mktemp("played") / "war.db"
    run("new", "b", "--scenario", "rhand_duel", "--db", path)
    run("note", "b", "hello", "--db", path)
    return path


# ------------------------------------------------------------------------------------------------ the file itself


@not_on_windows
def test_a_file_of_battles_is_for_its_owner_alone(path: Path, log: SqliteLog) -> None:
    begun(log)
    made = [path, *path.parent.glob("war.db-*")]
    assert len(made) == 3
    assert {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o600}


@not_on_windows
def test_a_file_that_was_there_keeps_its_permissions(path: Path, log: SqliteLog) -> None:
    begun(log)
    log.close()
    path.chmod(0o664)
    with SqliteLog(path) as again:
        again.append(again.line("ford"), notes("x"), 1, AT)
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


@not_on_windows
@pytest.mark.parametrize("change", ["deleted", "replaced", "cut"])
def test_nothing_is_acknowledged_that_goes_to_a_file_which_is_not_there_any_more(
    path: Path, log: SqliteLog, change: str
) -> None:
    line = begun(log, further=200)
    log._rows("PRAGMA wal_checkpoint(TRUNCATE)")
    log.append(line, notes("seen"), 201, AT)
    if change == "deleted":
        path.unlink()
    elif change == "replaced":
        shutil.copyfile(path, path.with_name("copy"))
        path.with_name("copy").replace(path)
    else:
        os.truncate(path, path.stat().st_size // 2)
    told = str(refusal(LogUnusable, lambda: log.append(line, notes("nowhere"), 202, AT)))
    assert ("cut" if change == "cut" else "replaced") in told
    assert "nothing was recorded" in told


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR | 4 << 8])
def test_a_commit_that_fails_on_the_disk_is_told_as_unknown(log: SqliteLog, code: int) -> None:
    line = begun(log)

    class Failing:
        """A connection whose commit reaches the file, then fails, as a flush of the disk may."""

        def __init__(self, db: sqlite3.Connection) -> None:
            self.db = db

        def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
            done = self.db.execute(sql, values)
            if sql == "COMMIT":
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = code
                raise error
            return done

        def __getattr__(self, name: str) -> Any:
            return getattr(self.db, name)

    whole = log._file._db
    log._file._db = Failing(whole)  # type: ignore[assignment]
    unknown = refusal(OutcomeUnknown, lambda: log.append(line, notes("perhaps"), 1, AT))
    log._file._db = whole
    assert (unknown.code, isinstance(unknown, LogUnusable)) == ("log/outcome-unknown", False)
    assert texts(log, line) == ["perhaps"]


# ------------------------------------------------------------------------------------------------ what went wrong


def test_doctor_tells_a_cut_file(played: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.db"
    whole = played.read_bytes()
    cut.write_bytes(whole[: len(whole) - 3 * 4096])
    result = run("doctor", "--db", cut, code=1)
    assert "12,288 bytes too early" in result.stderr
    assert "backup" in result.stderr


def test_doctor_tells_a_write_ahead_log_of_another_file(played: Path, tmp_path: Path) -> None:
    busy, bare = tmp_path / "busy.db", tmp_path / "bare.db"
    shutil.copyfile(played, bare)
    with SqliteLog(busy) as log:
        begun(log, further=300)
        shutil.copyfile(f"{busy}-wal", f"{bare}-wal")
    for _ in range(2):  # and looking changes nothing
        result = run("doctor", "--db", bare, code=1)
        assert "bare.db-wal beside it belongs to another file" in result.stderr
    for name in ("-wal", "-shm"):
        Path(f"{bare}{name}").unlink(missing_ok=True)
    assert "integrity    ok" in run("doctor", "--db", bare).stdout


def test_doctor_tells_what_a_stale_file_lacks(played: Path, tmp_path: Path) -> None:
    newer, backup = tmp_path / "newer.db", tmp_path / "backup.db"
    shutil.copyfile(played, newer)
    run("note", "b", "later", "--db", newer)
    run("backup", backup, "--db", newer)
    assert "is here" in run("doctor", "--against", backup, "--db", newer).stdout
    assert "b / main ends at event" in run("doctor", "--against", backup, "--db", played, code=1).stderr
    found = json.loads(run("doctor", "--against", backup, "--db", played, "--json", code=1).stdout)
    assert (found["integrity"], len(found["missing"])) == ("ok", 1)


def test_what_another_store_has_is_found_battle_by_battle_and_line_by_line(log: SqliteLog, tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "other.db") as other:
        main, first, _ = branched(other)
        begun(other, "hill")
        assert len(missing_from(log, other)) == 4
        back_up(other, tmp_path / "same.db")
        with SqliteLog(tmp_path / "same.db") as same:
            assert missing_from(same, other) == []
            other.append(main, notes("more"), 6, AT)
            same.append(first, notes("more"), 7, AT)
            assert missing_from(same, other) == [f"ford / main ends at event 6 here; {other.name} has it up to event 7"]
            same.append(main, notes("else"), 6, AT)
            assert missing_from(same, other) == [f"event 7 of ford / main is another here than in {other.name}"]


# ------------------------------------------------------------------------------------------------ backups


def test_a_backup_is_whole_in_itself_and_is_the_same_battle(played: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    assert "every chain of the copy holds" in run("backup", backup, "--db", played).stdout
    assert [each.name for each in tmp_path.iterdir()] == ["backup.db"]
    if sys.platform != "win32":
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    for verb in (("log", "b"), ("verify", "b", "--json"), ("dice", "b")):
        assert run(*verb, "--db", backup).stdout == run(*verb, "--db", played).stdout
    run("next", "b", "--db", backup)


def test_a_backup_is_of_one_moment_while_others_write(path: Path, log: SqliteLog, tmp_path: Path) -> None:
    line = begun(log, further=50)
    with SqliteLog(path, read_only=True) as reader, SqliteLog(path) as writer:
        writer.append(line, notes("before"), 51, AT)
        back_up(reader, tmp_path / "backup.db")
        writer.append(line, notes("after"), 52, AT)
    with SqliteLog(tmp_path / "backup.db") as copy:
        assert texts(copy, line)[-1] == "before"
        assert copy.append(line, notes("on"), 52, AT).last == 53


def test_a_backup_takes_the_place_only_of_one_that_holds_no_more(played: Path, tmp_path: Path) -> None:
    source, backup = tmp_path / "source.db", tmp_path / "backup.db"
    shutil.copyfile(played, source)
    run("backup", backup, "--db", source)
    assert "exists already" in run("backup", backup, "--db", source, code=1).stderr
    run("note", "b", "later", "--db", source)
    run("backup", backup, "--replace", "--db", source)
    kept = backup.read_bytes()
    refused = run("backup", backup, "--replace", "--db", played, code=1).stderr
    assert "ends at event" in refused
    assert backup.read_bytes() == kept
    assert sorted(each.name for each in tmp_path.glob("*part*")) == []


def test_a_copy_that_does_not_hold_is_no_backup(log: SqliteLog, tmp_path: Path) -> None:
    begun(log, further=5)
    plain = sqlite3.connect(log.path, isolation_level=None)
    (guard,) = plain.execute("SELECT sql FROM sqlite_schema WHERE name = 'event_no_update'").fetchone()
    plain.execute("DROP TRIGGER event_no_update")
    plain.execute("""UPDATE event SET body = replace(body, '"3"', '"x"') WHERE seq = 3""")
    plain.execute(guard)
    plain.close()
    assert refusal(RecordBroken, lambda: back_up(log, tmp_path / "backup.db")).seq == 3
    assert not (tmp_path / "backup.db").exists()


def test_a_backup_that_cannot_be_written_says_so(log: SqliteLog, tmp_path: Path) -> None:
    begun(log)
    for place in (tmp_path / "no folder" / "b.db", tmp_path / ("x" * 300)):
        assert str(place) in str(refusal(OutputRefused, lambda: back_up(log, place)))  # noqa: B023


# ------------------------------------------------------------------------------------------------ taking over


@pytest.mark.parametrize("in_memory", [0, 1, 2])
def test_a_long_battle_is_kept_in_a_temporary_file_while_it_is_checked(
    log: SqliteLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr("events.store.takeover._RUNS_IN_MEMORY", in_memory)
    main = begun(log, further=2500)
    fork = log.fork(main, "fork", 1500, AT, "red", "", played=False)
    log.append(fork, notes("other"), 1500, AT)
    records = [*log.records(main), *log.records(fork, 1500)]
    with SqliteLog(tmp_path / "other.db", durability="normal") as other:
        assert other.restore("ford", log.lines("ford"), iter(records)) == len(records)
        assert [*other.records(other.line("ford")), *other.records(other.line("ford", "fork"), 1500)] == records


def exported(played: Path, file: Path) -> list[str]:
    run("export", "b", file, "--db", played)
    return file.read_text(encoding="utf-8").splitlines(keepends=True)


def test_a_battle_is_taken_over_with_its_tables_or_not_at_all(played: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "b.jsonl", tmp_path / "new.db"
    exported(played, file)
    with SqliteLog(target):
        pass
    plain = sqlite3.connect(target, isolation_level=None)
    plain.execute("CREATE TRIGGER full BEFORE INSERT ON document BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    assert "disk full" in run("import", file, "--db", target, code=1).stderr
    assert plain.execute("SELECT (SELECT count(*) FROM battle) + (SELECT count(*) FROM event)").fetchone() == (0,)
    plain.execute("DROP TRIGGER full")
    plain.close()
    run("import", file, "--db", target)
    run("next", "b", "--db", target)


def test_a_record_whose_tables_are_nowhere_is_refused(played: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "b.jsonl", tmp_path / "new.db"
    header, *events = exported(played, file)
    bare = tmp_path / "bare.jsonl"
    bare.write_text(json.dumps({**json.loads(header), "documents": {}}) + "\n" + "".join(events), encoding="utf-8")
    assert "neither in the record nor here" in run("import", bare, "--db", target, code=1).stderr
    assert "neither in the record" in run("verify", bare, code=1).stderr
    run("import", file, "--db", target)
    run("new", "other", "--scenario", "rhand_duel", "--db", tmp_path / "third.db")
    run("import", bare, "--db", tmp_path / "third.db")
    run("next", "b", "--db", tmp_path / "third.db")


def test_an_import_that_is_refused_makes_no_file(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("nonsense\n")
    run("import", tmp_path / "x.jsonl", "--db", tmp_path / "new.db", code=1)
    run("import", tmp_path / "missing.jsonl", "--db", tmp_path / "new.db", code=1)
    assert not (tmp_path / "new.db").exists()
