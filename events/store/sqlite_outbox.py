"""The outbox in the file of an SQLite log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import starmap
from typing import Any

from events.store.errors import BattleUnknown
from events.store.outbox import Message, Parcel, parcels_due

_FIELDS = (
    "id, battle, recipient, key, subject, text, html, state, made_at, parcel, parts_sent, tries, not_before,"
    " claimed_at, sent_at, problem"
)
_INSERT = (
    "INSERT INTO outbox (battle, recipient, key, subject, text, html, state, made_at)"
    " VALUES (?, ?, ?, ?, ?, ?, 'pending', ?)"
    " ON CONFLICT (battle, recipient, key) DO NOTHING"
)


class SqliteOutbox:
    """The messages of one file (see `events.store.outbox.Outbox`)."""

    def __init__(
        self,
        ask: Callable[[str, Sequence[Any]], list[Any]],
        writing: Callable[[], AbstractContextManager[sqlite3.Connection]],
        there: bool,
    ) -> None:
        self._ask = ask
        self._writing = writing
        self._there = there

    def put(self, battle: str, recipient: str, key: str, subject: str, text: str, html: str, at: int) -> bool:
        """Put a message in; return False if one with this key is there for the recipient, which is then left alone."""
        with self._writing() as db:
            if not db.execute("SELECT 1 FROM battle WHERE id = ?", (battle,)).fetchone():
                raise BattleUnknown(battle)
            return db.execute(_INSERT, (battle, recipient, key, subject, text, html, at)).rowcount == 1

    def messages(self, battle: str = "", state: str = "") -> list[Message]:
        """Return messages, oldest first: of one battle, in one state, or all. A file that has no outbox has none."""
        if not self._there:
            return []
        rows = self._ask(
            f"SELECT {_FIELDS} FROM outbox WHERE ? IN ('', battle) AND ? IN ('', state) ORDER BY id", (battle, state)
        )
        return list(starmap(Message, rows))

    def take(self, recipient: str, at: int, stale_after: int, battle: str = "") -> list[Parcel]:
        """Take out what is due for a recipient, a parcel for each battle; nobody else gets it now.

        What was taken out less than `stale_after` µs ago is left to whoever has it. Later it counts as given up, and
        comes out again by itself, under its old name.
        """
        with self._writing() as db:
            rows = db.execute(
                f"SELECT {_FIELDS} FROM outbox WHERE state = 'pending' AND recipient = ? AND (? = '' OR battle = ?)"
                " ORDER BY id",
                (recipient, battle, battle),
            )
            parcels = parcels_due(starmap(Message, rows), at, stale_after)
            for parcel in parcels:
                db.executemany(
                    "UPDATE outbox SET parcel = ?, claimed_at = ? WHERE id = ?",
                    [(parcel.name, at, each.id) for each in parcel.messages],
                )
        return parcels

    def part_sent(self, parcel: Parcel, parts: int) -> None:
        """Mark that so many parts of a parcel are out, so that they are not sent again."""
        self._update(parcel, "parts_sent = ?", parts)

    def sent(self, parcel: Parcel, at: int) -> None:
        """Mark a parcel as sent."""
        self._update(parcel, "state = 'sent', sent_at = ?, claimed_at = NULL, tries = tries + 1, problem = ''", at)

    def put_back(self, parcel: Parcel, problem: str, not_before: int, *, unsure: bool = False) -> None:
        """Put back a parcel that did not go out; its messages wait until `not_before`, then go with what came since.

        If it may have gone out all the same, now (`unsure`), before, or in parts, it stays the parcel that it is.
        """
        kept = "parcel" if unsure or parcel.kept else "CASE parts_sent WHEN 0 THEN NULL ELSE parcel END"
        changes = f"claimed_at = NULL, tries = tries + 1, problem = ?, not_before = ?, parcel = {kept}"
        self._update(parcel, changes, problem, not_before)

    def failed(self, parcel: Parcel, problem: str) -> None:
        """Mark a parcel that will not be tried again."""
        self._update(parcel, "state = 'failed', claimed_at = NULL, tries = tries + 1, problem = ?", problem)

    def retry(self, battle: str = "") -> int:
        """Let everything that waits or has failed be tried again now; return how many messages that is."""
        with self._writing() as db:
            return db.execute(
                "UPDATE outbox SET state = 'pending', not_before = 0, tries = 0"
                " WHERE state <> 'sent' AND (? = '' OR battle = ?)",
                (battle, battle),
            ).rowcount

    def _update(self, parcel: Parcel, changes: str, *values: object) -> None:
        with self._writing() as db:
            db.executemany(
                f"UPDATE outbox SET {changes} WHERE id = ?", [(*values, each.id) for each in parcel.messages]
            )
