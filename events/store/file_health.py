"""Looking at the file of a log: whether it is still the one that was opened, whether it is whole, what went wrong."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from events.store.errors import LogUnusable
from events.store.health import Health

_HEADER_BYTES = 100
_SYNCHRONOUS = {"1": "normal (survives a crash of the program)", "2": "full (survives power loss)"}


class Place:
    """The file behind a path, as it was when it was opened.

    SQLite goes on writing to a file that was deleted, replaced or cut, and says that all is well: what it writes is
    then nowhere. So every step looks first.
    """

    def __init__(self, path: Path) -> None:
        found = path.stat()
        self._path = str(path)
        self._file = found.st_dev, found.st_ino
        self._size = found.st_size

    def check(self) -> None:
        """Raise `LogUnusable` if the path leads to another file now, to none, or to one that was cut. One stat."""
        try:
            found = os.stat(self._path)
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._file:
            raise LogUnusable(
                f"{self._path} was deleted, moved or replaced while it was open: nothing was recorded, open it again"
            )
        if found.st_size < self._size:
            raise LogUnusable(f"{self._path} was cut while it was open: nothing was recorded, `wardiary doctor` looks")
        self._size = found.st_size


def examine(ask: Callable[[str], Sequence[Any]], path: Path, count_events: str) -> Health:
    """Examine a file by asking it. A question that the file cannot answer any more counts as 0. O(n)."""
    integrity = _answer(ask, "PRAGMA integrity_check")
    synchronous = _answer(ask, "PRAGMA synchronous")
    wal = path.with_name(path.name + "-wal")
    return Health(
        integrity=integrity,
        durability=_SYNCHRONOUS.get(synchronous, synchronous),
        battles=_count(ask, "SELECT count(*) FROM battle"),
        events=_count(ask, count_events),
        snapshots=_count(ask, "SELECT count(*) FROM snapshot"),
        file_bytes=path.stat().st_size,
        wal_bytes=wal.stat().st_size if wal.exists() else 0,
        software=f"SQLite {sqlite3.sqlite_version}",
        problem="" if integrity == "ok" else diagnosis(path),
    )


def _answer(ask: Callable[[str], Sequence[Any]], sql: str) -> str:
    try:
        return "; ".join(str(value) for (value,) in ask(sql))
    except LogUnusable as error:
        return str(error.__cause__ or error)


def _count(ask: Callable[[str], Sequence[Any]], sql: str) -> int:
    answer = _answer(ask, sql)
    return int(answer) if answer.isdecimal() else 0


def diagnosis(path: Path) -> str:
    """Say what probably happened to a file that SQLite finds damaged, and what to do; read from the file alone."""
    missing = _missing_bytes(path)
    if missing:
        return f"the file ends {missing:,} bytes too early: it was cut or copied in part; go back to a backup"
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size and _is_whole_alone(path):
        return (
            f"{wal.name} beside it belongs to another file: if this one was put in its place, move {wal.name} and "
            f"{path.name}-shm away and look again"
        )
    return "go back to a backup, or export the battles that can still be read"


def _missing_bytes(path: Path) -> int:
    """Return how much shorter a file is than its own header says."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
        size = path.stat().st_size
    except OSError:
        return 0
    if len(header) < _HEADER_BYTES or not header.startswith(b"SQLite format 3\0") or header[24:28] != header[92:96]:
        return 0
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return max(0, pages * (65536 if page == 1 else page) - size)


def _is_whole_alone(path: Path) -> bool:
    """Tell whether a file is sound without what its write-ahead log would add."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return bool(db.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
        finally:
            db.close()
    except sqlite3.DatabaseError:
        return False
