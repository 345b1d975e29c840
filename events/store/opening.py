"""Opening the file of a log: made if need be, checked, and set to promise what it should."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from events.store.backup import make_private
from events.store.errors import LogUnusable
from events.store.file_health import diagnosis
from events.store.schema import VERSION, check_guards, create, migrate, version_of

Durability: TypeAlias = Literal["full", "normal"]
"""`full` survives power loss once a step is acknowledged; `normal` survives the process, perhaps not the power."""

_OLDEST_SQLITE = (3, 38, 0)
_SETTLE_MS = 5000
_WAL_LIMIT = 16 * 1024 * 1024
_CANNOT_OPEN = "unable to open database file"
_SCRATCH_BYTES = 64 * 1024
"""Room that SQLite needs beside a file before it can share it with others."""


def open_to_write(path: Path, durability: Durability) -> sqlite3.Connection:
    """Open a file to read and write; make it if it is not there, bring its schema up to date. Raises `LogUnusable`.

    Until the caller says otherwise, SQLite itself waits for other writers, up to five seconds.
    """
    make_private(path)
    db = _connect(path, str(path))
    with _closed_on_error(db, path):
        found = version_of(db, str(path))
        db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'full' else 'NORMAL'}")
        db.execute("PRAGMA foreign_keys = ON")
        if not found:
            create(db, str(path))
        _use_wal(db)
        check_guards(db, str(path))
        if found and found < VERSION:
            migrate(db, str(path))
    return db


def open_to_read(path: Path, *, guarded: bool) -> sqlite3.Connection:
    """Open a file for reading only: nothing is made or changed. Raises `LogUnusable`."""
    try:
        found = path.is_file()
    except OSError as error:
        raise LogUnusable(f"{path} cannot be opened: {error.strerror}") from error
    if not found:
        raise LogUnusable(f"there is no war diary at {path}: `wardiary new` makes one, --db names another")
    db = _connect_read_only(path)
    with _closed_on_error(db, path):
        if not version_of(db, str(path)):
            raise LogUnusable(f"{path} is empty, not a war diary: --db names another file")
        if guarded:
            check_guards(db, str(path))
    return db


def _connect(path: Path, name: str, *, uri: bool = False) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise LogUnusable(f"SQLite {sqlite3.sqlite_version} is too old: 3.38 or newer is needed")
    try:
        return sqlite3.connect(name, uri=uri, isolation_level=None, timeout=_SETTLE_MS / 1000)
    except sqlite3.OperationalError as error:
        raise LogUnusable(f"{path} cannot be opened: {told(error, path)}") from error


def _connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect without making a file. A connection of SQLite's own read-only kind would leave its -shm file behind.

    Where nothing can be written, on a full disk or a read-only medium, SQLite can make no -shm file, by which it shares
    a write-ahead log with others. It needs none if there is no such log, or if nobody else has the file open.
    """
    uri = path.absolute().as_uri()
    db = _connect(path, f"{uri}?mode=rw", uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_schema")
    except sqlite3.OperationalError as error:
        if is_busy(error):
            pass
        elif not _has_wal(path):
            db.close()
            db = _connect(path, f"{uri}?mode=ro&immutable=1", uri=True)
        elif str(error) == _CANNOT_OPEN:
            db.close()
            raise LogUnusable(
                f"{path} lies where nothing can be written, with its last steps in {path.name}-wal beside it: "
                "copy both to a place that can be written"
            ) from error
        else:
            db.close()
            db = _connect(path, f"{uri}?mode=rw", uri=True)
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
    except sqlite3.DatabaseError:
        return db  # not SQLite at all: the caller's first question will say so
    db.execute("PRAGMA query_only = 1")
    return db


def _has_wal(path: Path) -> bool:
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


def is_full(path: Path) -> bool:
    """Tell whether the disk that a file lies on has no room left for what SQLite writes beside it."""
    if not hasattr(os, "statvfs"):
        return False
    try:
        found = os.statvfs(path.absolute().parent)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < _SCRATCH_BYTES


def told(error: sqlite3.Error, path: Path) -> str:
    """Say what SQLite found wrong, and what it does not say: where to look, what happened, what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if str(error) == _CANNOT_OPEN:
        return f"{error} (is it a file, and may it and its folder be written?)"
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL) and is_full(path):
        return f"the disk is full ({error})"
    if is_damage(error):
        return f"{error}; {diagnosis(path)}"
    return str(error)


@contextmanager
def _closed_on_error(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        what = told(error, path)
        close_damaged(db, path)
        raise LogUnusable(f"{path} cannot be used: {what}") from error
    except BaseException:
        db.close()
        raise


def close_damaged(db: sqlite3.Connection, path: Path) -> None:
    """Close a file that was found damaged without writing anything to it.

    The last connection that closes brings the write-ahead log into the file. If that log belongs to another file, the
    last thing that was whole would be lost. So one that only reads is the last.
    """
    try:
        last = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.DatabaseError:
        db.close()
        return
    with suppress(sqlite3.DatabaseError):
        last.execute("SELECT 1 FROM sqlite_schema")
    db.close()
    last.close()


def _use_wal(db: sqlite3.Connection) -> None:
    """Turn write-ahead logging on, once in the life of a file.

    SQLite's own checkpoint every 1000 pages is left as it is: the log file then stays short and is written over and
    over, which on a journaling file system costs a fifth less per commit than letting it grow.
    """
    if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error):  # if busy, another process is turning it on
                raise
    db.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether SQLite found that the file is not sound."""
    return bool(getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT)


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether SQLite refused because others hold the file. (Errors of Python's own make carry no code.)"""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
