"""The embedded log: one SQLite file, written with BEGIN IMMEDIATE only, readable with any SQLite tool."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from events.chain import Chain, origin
from events.errors import BattleUnknown, Conflict, LineUnknown, LogBusy, LogUnfit, NameTaken, RequestReused
from events.log import MAIN, PAGE, Row, check_link, seal, segments
from events.record import Appended, Draft, Head, Line, Recorded, Request, Segment, Snapshot
from events.schema import check_guards, migrate

Durability: TypeAlias = Literal["full", "normal"]
"""`full` survives power loss once a step is acknowledged; `normal` survives the process, perhaps not the power."""

Patience: TypeAlias = Callable[[int], bool]
"""Called with the number of tries so far while others hold the file: waits a moment, or returns False to give up."""

_BATCH = 1000

_INSERT = (
    "INSERT INTO event (position, battle, line, seq, act, kind, body, actor, at, request, prev, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_LINES = (
    "SELECT line.id, line.battle, line.name, parent.name, line.after, line.played, line.actor, line.at, line.why"
    " FROM line LEFT JOIN line AS parent ON parent.id = line.parent WHERE line.battle = ? ORDER BY line.id"
)
_RECORDS = (
    "SELECT position, seq, act, kind, type, body, actor, at, request, prev, hash FROM event"
    " WHERE line = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
)
_BODIES = "SELECT body FROM event WHERE line = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
_HEAD = "SELECT seq, hash FROM event WHERE line = ? ORDER BY seq DESC LIMIT 1"
_POSITION = "SELECT coalesce(max(position), 0) FROM event"


class SqliteLog:
    """A log in one SQLite file (see `events.log.Log`). Use as a context manager, or close it.

    Opening checks that the guards against change stand: `LogUnfit`. `read_only` opens without creating or writing.
    `patience` decides how long to wait for other writers; without one the first refusal is a `LogBusy`.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        durability: Durability = "full",
        read_only: bool = False,
        patience: Patience = lambda tries: False,
    ) -> None:
        self.path = Path(path)
        self._patience = patience
        self._db = self._connect(read_only)
        try:
            self._set_up(durability, read_only)
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise LogUnfit(f"{self.path} cannot be used: {error}") from error
        except LogUnfit:
            self._db.close()
            raise

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        if read_only and not self.path.is_file():
            raise LogUnfit(f"there is no war diary at {self.path}: `wardiary new` makes one, --db names another")
        try:
            return sqlite3.connect(self.path, isolation_level=None, timeout=0.0, check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise LogUnfit(f"{self.path} cannot be opened: {error}") from error

    def _set_up(self, durability: Durability, read_only: bool) -> None:
        db = self._db
        db.execute("PRAGMA busy_timeout = 5000")
        if read_only:
            db.execute("PRAGMA query_only = 1")
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                raise LogUnfit(f"{self.path} is not a war diary: --db names another file")
        else:
            if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'full' else 'NORMAL'}")
            db.execute("PRAGMA wal_autocheckpoint = 4000")
            db.execute("PRAGMA foreign_keys = ON")
            with self._creating():
                migrate(db)
        check_guards(db)
        # From here on waiting is ours: SQLite's own handler sleeps up to 100 ms and is not fair among writers.
        db.execute("PRAGMA busy_timeout = 0")

    @contextmanager
    def _creating(self) -> Iterator[None]:
        """Let another process that creates the same file at the same moment win."""
        try:
            yield
        except sqlite3.OperationalError:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if self._db.execute("PRAGMA user_version").fetchone()[0] == 0:
                raise

    def __enter__(self) -> SqliteLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine; any other call afterwards raises `sqlite3.ProgrammingError`."""
        self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock: everything inside is recorded together, or not at all.

        A deferred BEGIN could read, then fail to write; so the lock is taken at once. While others hold it, `patience`
        decides. Raises `LogBusy`.
        """
        db, tries = self._db, 0
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise LogUnfit(f"{self.path} cannot be written: {error}") from error
                tries += 1
                if not self._patience(tries):
                    raise LogBusy(str(self.path), tries) from error
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    # ------------------------------------------------------------------------------------------- battles and lines

    def battles(self) -> list[str]:
        """Return the ids of all battles, oldest first."""
        return [row[0] for row in self._db.execute("SELECT id FROM battle ORDER BY opened_at, rowid")]

    def begin(self, battle: str, drafts: Sequence[Draft], at: int, secret: str = "") -> Appended:
        """Open a battle with its first step. Raises `NameTaken`."""
        with self._writing() as db:
            line = self._new_battle(db, battle, at, drafts[0].actor)
            return self._write_step(db, line, Head(0, origin(battle)), drafts, at, None, secret)

    def _new_battle(self, db: sqlite3.Connection, battle: str, at: int, actor: str) -> Line:
        if db.execute("SELECT 1 FROM battle WHERE id = ?", (battle,)).fetchone():
            raise NameTaken("battle", battle)
        db.execute("INSERT INTO battle (id, opened_at) VALUES (?, ?)", (battle, at))
        return self._new_line(db, Line(0, battle, MAIN, None, 0, True, actor, at, "the battle as it was played"), None)

    def _new_line(self, db: sqlite3.Connection, line: Line, parent: int | None) -> Line:
        cursor = db.execute(
            "INSERT INTO line (battle, name, parent, after, played, actor, at, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (line.battle, line.name, parent, line.after, int(line.played), line.actor, line.at, line.why),
        )
        return Line(
            int(cursor.lastrowid or 0), line.battle, line.name, line.parent, line.after, line.played, line.actor,
            line.at, line.why,
        )  # fmt: skip

    def lines(self, battle: str) -> list[Line]:
        """Return the lines of a battle, oldest first. Raises `BattleUnknown`."""
        found = [
            Line(row, of, name, parent, after, bool(played), actor, at, why)
            for row, of, name, parent, after, played, actor, at, why in self._db.execute(_LINES, (battle,))
        ]
        if not found:
            from difflib import get_close_matches

            raise BattleUnknown(battle, get_close_matches(battle, self.battles(), 3, 0.5))
        return found

    def line(self, battle: str, name: str = MAIN) -> Line:
        """Return one line. Raises `BattleUnknown` or `LineUnknown`."""
        lines = self.lines(battle)
        for line in lines:
            if line.name == name:
                return line
        raise LineUnknown(battle, name, [line.name for line in lines])

    def fork(self, parent: Line, name: str, after: int, at: int, actor: str, why: str, *, played: bool) -> Line:
        """Open a line by reference: one row, whatever the length of the parent."""
        with self._writing() as db:
            if not 0 < after <= self._head(db, parent).seq:
                raise ValueError(f"line {parent.name} has no event {after}: it ends at {self._head(db, parent).seq}")
            if db.execute("SELECT 1 FROM line WHERE battle = ? AND name = ?", (parent.battle, name)).fetchone():
                raise NameTaken("line", name)
            return self._new_line(
                db, Line(0, parent.battle, name, parent.name, after, played, actor, at, why), parent.id
            )

    def head(self, line: Line) -> Head:
        """Return the last event of a line."""
        return self._head(self._db, line)

    def _head(self, db: sqlite3.Connection, line: Line) -> Head:
        row = db.execute(_HEAD, (line.id,)).fetchone()
        if row is not None:
            return Head(*row)
        if line.parent is None:
            return Head(0, origin(line.battle))
        return Head(line.after, next(self.records(line, line.after - 1, line.after)).hash)

    # ------------------------------------------------------------------------------------------------- writing

    def append(
        self, line: Line, drafts: Sequence[Draft], expected: int, at: int, request: Request | None = None,
        secret: str = "",
    ) -> Appended:  # fmt: skip
        """Append one step if the line still ends at `expected`: `Conflict`, `RequestReused`, `LogBusy` otherwise."""
        with self._writing() as db:
            if request is not None and (known := self.answer(line.battle, request)) is not None:
                return known
            head = self._head(db, line)
            if head.seq != expected:
                between = tuple(self.records(line, expected, head.seq))
                raise Conflict(line.battle, line.name, expected, head.seq, between)
            return self._write_step(db, line, head, drafts, at, request, secret)

    def _write_step(
        self, db: sqlite3.Connection, line: Line, head: Head, drafts: Sequence[Draft], at: int,
        request: Request | None, secret: str,
    ) -> Appended:  # fmt: skip
        rows = seal(Chain(line.battle, line.name), head, drafts, at, request.key if request else None)
        self._insert(db, line, rows)
        last = rows[-1] if rows else None
        answer = Appended(line.name, head.seq + 1, last[0] if last else head.seq, last[-1] if last else head.hash)
        if request is not None:
            db.execute(
                "INSERT INTO request (battle, key, content, line, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?)",
                (line.battle, request.key, request.content, line.id, answer.first, answer.last),
            )
        for each in filter(None, secret.split("\n")):
            commitment, _, root = each.partition(":")
            db.execute(
                "INSERT OR IGNORE INTO secret (commitment, battle, root) VALUES (?, ?, ?)",
                (commitment, line.battle, root),
            )
        return answer

    def _insert(self, db: sqlite3.Connection, line: Line, rows: Sequence[Row]) -> None:
        start = db.execute(_POSITION).fetchone()[0] + 1
        battle, line_id = line.battle, line.id
        db.executemany(
            _INSERT,
            [
                (position, battle, line_id, seq, act, kind, body.decode(), actor, at, request, prev, this)
                for position, (seq, act, kind, body, actor, at, request, prev, this) in enumerate(rows, start)
            ],
        )

    def answer(self, battle: str, request: Request) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`."""
        row = self._db.execute(
            "SELECT request.content, line.name, first_seq, last_seq, event.hash FROM request"
            " JOIN line ON line.id = request.line"
            " JOIN event ON event.line = request.line AND event.seq = request.last_seq"
            " WHERE request.battle = ? AND request.key = ?",
            (battle, request.key),
        ).fetchone()
        if row is None:
            return None
        if row[0] != request.content:
            raise RequestReused(battle, request.key)
        _, name, first, last, this = row
        return Appended(name, first, last, this, repeated=True)

    def restore(self, battle: str, lines: Sequence[Line], records: Iterable[Recorded]) -> int:
        """Take over a battle as it stands, following its chain; all or nothing. Raises `RecordBroken`, `NameTaken`."""
        count = 0
        with self._writing() as db:
            main = self._new_battle(db, battle, lines[0].at, lines[0].actor)
            made = {main.name: main}
            for line in lines[1:]:
                made[line.name] = self._new_line(db, line, made[str(line.parent)].id)
            ends: dict[str, Head] = {}
            chains = {name: Chain(battle, name) for name in made}
            coming = iter(records)
            while batch := list(islice(coming, _BATCH)):
                self._restore_batch(db, made, chains, ends, batch)
                count += len(batch)
        return count

    def _restore_batch(
        self, db: sqlite3.Connection, lines: dict[str, Line], chains: dict[str, Chain], ends: dict[str, Head],
        batch: Sequence[Recorded],
    ) -> None:  # fmt: skip
        position = db.execute(_POSITION).fetchone()[0]
        rows = []
        for record in batch:
            line = lines[record.line]
            end = ends.get(record.line) or self._fork_point(db, lines, line, ends)
            check_link(chains[record.line], end, record)
            ends[record.line] = Head(record.seq, record.hash)
            position += 1
            rows.append(
                (position, record.battle, line.id, record.seq, record.act, record.kind, record.body, record.actor,
                 record.at, record.request, record.prev, record.hash)
            )  # fmt: skip
        db.executemany(_INSERT, rows)

    def _fork_point(self, db: sqlite3.Connection, lines: dict[str, Line], line: Line, ends: dict[str, Head]) -> Head:
        if line.parent is None:
            return Head(0, origin(line.battle))
        row = db.execute(
            "SELECT seq, hash FROM event WHERE line = ? AND seq = ?", (lines[line.parent].id, line.after)
        ).fetchone()
        return Head(*row) if row else self._fork_point(db, lines, lines[line.parent], ends)

    # ------------------------------------------------------------------------------------------------- reading

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yield the events of a line, ancestors' first, with `after < seq <= upto`, a page at a time."""
        for segment in self._segments(line, after, upto):
            here = segment.after
            while here < segment.upto:
                page = self._db.execute(_RECORDS, (segment.line_id, here, segment.upto, PAGE)).fetchall()
                for position, *rest in page:
                    yield Recorded(position, line.battle, segment.line, *rest)
                if not page:
                    break
                here = page[-1][1]

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        """Yield pages of bodies alone: the fast way to fold."""
        for segment in self._segments(line, after, upto):
            here = segment.after
            while here < segment.upto:
                page = [body for (body,) in self._db.execute(_BODIES, (segment.line_id, here, segment.upto, PAGE))]
                if not page:
                    break
                yield page
                here += len(page)

    def _segments(self, line: Line, after: int, upto: int | None) -> list[Segment]:
        if upto is None:
            upto = self.head(line).seq
        lines = [line] if line.parent is None else self.lines(line.battle)
        return segments(lines, line, after, upto)

    # --------------------------------------------------------------------------------- documents, secrets, snapshots

    def keep_document(self, digest: str, text: str) -> None:
        """Keep a text under its SHA-256; the same text twice is kept once."""
        with self._writing() as db:
            if not db.execute("SELECT 1 FROM document WHERE digest = ?", (digest,)).fetchone():
                db.execute("INSERT INTO document (digest, text) VALUES (?, ?)", (digest, text))

    def document(self, digest: str) -> str | None:
        """Return a kept text."""
        row = self._db.execute("SELECT text FROM document WHERE digest = ?", (digest,)).fetchone()
        return row[0] if row else None

    def secret(self, commitment: str) -> str | None:
        """Return the secret behind a commitment, if it is here."""
        row = self._db.execute("SELECT root FROM secret WHERE commitment = ?", (commitment,)).fetchone()
        return row[0] if row else None

    def shelve(self, line: Line, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of any other on that event."""
        with self._writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO snapshot (line, seq, hash, fingerprint, state) VALUES (?, ?, ?, ?, ?)",
                (line.id, snapshot.seq, snapshot.hash, snapshot.fingerprint, snapshot.state),
            )

    def snapshot(self, line: Line, upto: int, fingerprint: str) -> Snapshot | None:
        """Return the latest snapshot at or before `upto` that fits. Stale ones are passed over."""
        for segment in reversed(self._segments(line, 0, upto)):
            row = self._db.execute(
                "SELECT snapshot.seq, snapshot.hash, fingerprint, state FROM snapshot"
                " JOIN event ON event.line = snapshot.line AND event.seq = snapshot.seq AND event.hash = snapshot.hash"
                " WHERE snapshot.line = ? AND snapshot.seq <= ? AND fingerprint = ? ORDER BY snapshot.seq DESC LIMIT 1",
                (segment.line_id, segment.upto, fingerprint),
            ).fetchone()
            if row is not None:
                return Snapshot(*row)
        return None

    def clear_snapshots(self, battle: str) -> int:
        """Throw away a battle's snapshots; return how many there were."""
        with self._writing() as db:
            return db.execute(
                "DELETE FROM snapshot WHERE line IN (SELECT id FROM line WHERE battle = ?)", (battle,)
            ).rowcount


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)
