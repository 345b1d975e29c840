"""The file behind a log: asking it, holding its write lock, waiting for others, copying it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from events.store.backup import write_copy
from events.store.errors import LogBusy, LogClosed, LogUnusable, OutcomeUnknown
from events.store.file_health import Place, examine
from events.store.health import Health
from events.store.opening import (
    Durability,
    close_damaged,
    is_busy,
    is_damage,
    is_full,
    open_to_read,
    open_to_write,
    told,
)

Patience: TypeAlias = Callable[[int], bool]
"""Called with the number of tries so far while others hold the file: waits a moment, or returns False to give up."""


class SqliteFile:
    """One open SQLite file. `on_rollback` is called after a step that failed.

    `patience` decides how long to wait for other writers; without one SQLite itself waits.
    """

    def __init__(
        self, path: Path, durability: Durability, *, read_only: bool, guarded: bool, patience: Patience | None
    ) -> None:
        self.path = path
        self._patience = patience
        self._closed = False
        self._damaged = False
        self.on_rollback: Callable[[], None] = lambda: None
        self._db = open_to_read(path, guarded=guarded) if read_only else open_to_write(path, durability)
        self._place = Place(path)
        if patience is not None:  # from here on waiting is ours
            self._db.execute("PRAGMA busy_timeout = 0")

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def warning(self) -> str:
        """Whether the disk is full: what is there can be read all the same."""
        return f"the disk that {self.path} lies on is full: it can be read, not written" if is_full(self.path) else ""

    def close(self) -> None:
        """Close the file. Closing twice is fine; any other call afterwards raises `LogClosed`."""
        if self._damaged and not self._closed:
            close_damaged(self._db, self.path)
        self._closed = True
        self._db.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement to its end, so that nothing is held afterwards. While others are in the way, be patient."""
        tries = 0
        while True:
            try:
                return self._db.execute(sql, values).fetchall()
            except sqlite3.ProgrammingError as error:
                if self._closed:
                    raise LogClosed(self.name) from error
                raise
            except sqlite3.DatabaseError as error:
                if not is_busy(error):
                    self._damaged = self._damaged or is_damage(error)
                    raise LogUnusable(f"{self.path} cannot be used: {told(error, self.path)}") from error
                tries += 1
                if self._patience is None or not self._patience(tries):
                    raise LogBusy(self.name, tries) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock: everything inside is recorded together, or not at all.

        A deferred BEGIN could read, then fail to write; so the lock is taken at once. Raises `LogBusy`, `LogUnusable`,
        `OutcomeUnknown`.
        """
        self.rows("BEGIN IMMEDIATE")
        try:
            self._place.check()
            yield self._db
            self._commit()
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self.on_rollback()
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.ProgrammingError):
                raise LogUnusable(f"{self.path} did not take it: {told(error, self.path)}") from error
            raise

    def _commit(self) -> None:
        """Commit. What SQLite could not bring to the disk may be there all the same: `OutcomeUnknown`."""
        try:
            self.rows("COMMIT")
        except LogUnusable as error:
            if getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR:
                raise OutcomeUnknown(self.name, str(error.__cause__)) from error
            raise

    def health(self, count_events: str) -> Health:
        """Examine the file (see `examine`). One that is damaged is closed as it is."""
        found = examine(self.rows, self.path, count_events)
        self._damaged = self._damaged or found.integrity != "ok"
        return found

    def copy(self, path: Path) -> None:
        """Write all that is recorded to a new file (see `write_copy`). Raises `LogUnusable`."""
        self.rows("SELECT 1")
        write_copy(self._db, path)
