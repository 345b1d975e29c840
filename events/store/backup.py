"""A copy of the file of a log, made while others write."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from events.store.errors import LogUnusable

PRIVATE = 0o600
"""Who may read and write a file of battles: its owner alone, since it holds secrets and sealed orders."""


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, if there is none. What is there is left as it is.

    SQLite gives the files that it makes beside it the same permissions. Whatever is in the way is left for SQLite to
    find, which says more about it.
    """
    try:
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
    except (OSError, ValueError):
        return


def write_copy(source: sqlite3.Connection, path: Path) -> None:
    """Write all that a connection sees at this moment to a new file, whole in itself, with no write-ahead log beside.

    Others may write meanwhile: they are not kept waiting, and nothing of theirs is in the copy. Raises `LogUnusable`.
    """
    if path.exists():
        raise LogUnusable(f"{path} exists already: choose another name")
    make_private(path)
    try:
        copy = sqlite3.connect(path, isolation_level=None)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("PRAGMA synchronous = FULL")
        finally:
            copy.close()
        with path.open("rb") as file:
            os.fsync(file.fileno())
    except (sqlite3.DatabaseError, OSError) as error:
        path.unlink(missing_ok=True)
        raise LogUnusable(f"{path} cannot be written: {error}") from error
