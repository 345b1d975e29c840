"""The embedded log: one SQLite file, written with BEGIN IMMEDIATE only, readable with any SQLite tool."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any, NoReturn, Self

from msgspec.structs import replace

from events.store import sql_statements as statements
from events.store.chain import Chain
from events.store.errors import (
    BattleUnknown,
    Conflict,
    EventUnknown,
    LineUnknown,
    LogUnusable,
    NameTaken,
    RecordBroken,
    RequestReused,
)
from events.store.health import Health
from events.store.leaves import Salter
from events.store.log import (
    MAIN,
    MAIN_WHY,
    NONE,
    PAGE,
    check_document,
    origin_of,
    seal,
    segments,
    split_secrets,
    with_salts,
)
from events.store.names import check_name
from events.store.opening import Durability
from events.store.record import (
    Appended,
    Closing,
    Draft,
    Head,
    Line,
    Recorded,
    Request,
    Segment,
    Snapshot,
    line_text,
    request_of,
)
from events.store.sealing import read_row, salts_name, seal_events, shown_body
from events.store.sqlite_file import Patience, SqliteFile
from events.store.sqlite_outbox import SqliteOutbox
from events.store.takeover import Incoming


class SqliteLog:
    """A log in one SQLite file (see `events.store.log.Log`). Use as a context manager, or close it.

    Opening makes the file if need be, and checks its guards against change: `LogUnusable`. `read_only` neither
    makes nor changes anything; with it, `guarded=False` reads a file whose guards are gone, so that it can be exported.
    `patience` decides how long to wait for other writers. Without one SQLite waits, up to five seconds, but not fairly.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        durability: Durability = "full",
        read_only: bool = False,
        guarded: bool = True,
        patience: Patience | None = None,
    ) -> None:
        self._known: dict[str, dict[str, Line]] = {}
        self._chains: dict[Line, Chain] = {}
        self._salters: dict[Line, Salter] = {}
        self._file = SqliteFile(Path(path), durability, read_only=read_only, guarded=guarded, patience=patience)
        self._file.on_rollback = self._forget
        self._rows, self._writing = self._file.rows, self._file.writing
        # A file of the first version that is only read has no tables of format 2.
        self._has_format_2 = bool(self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'event2'"))

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def name(self) -> str:
        """The path of the file."""
        return self._file.name

    @property
    def warning(self) -> str:
        """Whether the disk is full: what is there can be read all the same."""
        return self._file.warning

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine; any other call afterwards raises `LogClosed`."""
        self._file.close()

    def _forget(self) -> None:
        """Forget what is known of lines: those that were made in a step that failed are gone again."""
        self._known.clear()
        self._chains.clear()
        self._salters.clear()

    # ------------------------------------------------------------------------------------------- battles and lines

    def battles(self) -> list[str]:
        """Return the ids of all battles, oldest first."""
        return [battle for (battle,) in self._rows("SELECT id FROM battle ORDER BY opened_at, rowid")]

    def begin(
        self, battle: str, drafts: Sequence[Draft], at: int, secret: str = "", *, salt_root: str = "",
        request: Request | None = None,
    ) -> Appended:  # fmt: skip
        """Open a battle with its first step. Raises `NameTaken`, `RequestReused`, ValueError."""
        check_name("battle", battle)
        new = Line(0, battle, MAIN, None, 0, True, drafts[0].actor if drafts else "", at, MAIN_WHY)
        if salt_root:
            new, secret = replace(new, text=line_text(new)), with_salts(secret, battle, salt_root)
        with self._writing() as db:
            if request is not None and (known := self.answer(battle, request)) is not None:
                return known
            (line,) = self._new_battle(db, battle, [new])
            return self._write_step(db, line, *self._standing(line), drafts, at, request, secret)

    def _new_battle(self, db: sqlite3.Connection, battle: str, lines: Sequence[Line]) -> list[Line]:
        if db.execute("SELECT 1 FROM battle WHERE id = ?", (battle,)).fetchone():
            raise NameTaken("battle", battle)
        db.execute("INSERT INTO battle (id, opened_at) VALUES (?, ?)", (battle, lines[0].at))
        made: dict[str | None, Line] = {}
        for line in lines:
            parent = made.get(line.parent)
            made[line.name] = self._new_line(db, line, parent.id if parent else None)
        return list(made.values())

    def _new_line(self, db: sqlite3.Connection, line: Line, parent: int | None) -> Line:
        cursor = db.execute(
            "INSERT INTO line (battle, name, parent, after, played, actor, at, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (line.battle, line.name, parent, line.after, int(line.played), line.actor, line.at, line.why),
        )
        made = replace(line, id=int(cursor.lastrowid or 0))
        if line.text:
            db.execute("INSERT INTO line2 (line, text) VALUES (?, ?)", (made.id, line.text))
        return made

    def lines(self, battle: str) -> list[Line]:
        """Return the lines of a battle, oldest first. Raises `BattleUnknown`."""
        rows = self._rows(statements.LINES, (battle,))
        if not rows:
            from difflib import get_close_matches

            raise BattleUnknown(battle, get_close_matches(battle, self.battles(), 3, 0.5))
        texts = dict(self._rows(statements.TEXTS, (battle,))) if self._has_format_2 else {}
        lines = [
            Line(row, of, name, parent, after, bool(played), actor, at, why, texts.get(row, ""))
            for row, of, name, parent, after, played, actor, at, why in rows
        ]
        self._known[battle] = {line.name: line for line in lines}
        return lines

    def line(self, battle: str, name: str = MAIN) -> Line:
        """Return one line. Raises `BattleUnknown` or `LineUnknown`."""
        lines = self.lines(battle)
        for line in lines:
            if line.name == name:
                return line
        raise LineUnknown(battle, name, [line.name for line in lines])

    def _lines_around(self, line: Line) -> Mapping[str, Line]:
        """Return the lines of the battle by name, at least `line` and its ancestors. They never change, so are kept."""
        known = self._known.get(line.battle, {})
        if known.get(line.name) != line:
            if self.line(line.battle, line.name) != line:
                raise LineUnknown(line.battle, line.name, [])
            known = self._known[line.battle]
        return known

    def fork(
        self, parent: Line, name: str, after: int, at: int, actor: str, why: str, *, played: bool,
        drafts: Sequence[Draft] = (), secret: str = "", closing: Closing | None = None, salt_root: str = "",
        request: Request | None = None,
    ) -> Line:  # fmt: skip
        """Open a line by reference: one row, whatever the length of the parent; its first step and an end with it."""
        check_name("line", name)
        if salt_root:
            secret = with_salts(secret, parent.battle, salt_root)
        with self._writing() as db:
            if request is not None and (known := self.answer(parent.battle, request)) is not None:
                return self.line(parent.battle, known.line)
            if closing is not None and (end := self.head(closing.line)).seq != closing.expected:
                raise self._conflict(closing.line, closing.expected, end)
            head = self.head(parent).seq
            if not 0 < after <= head:
                raise EventUnknown(parent.battle, parent.name, after, head)
            if db.execute("SELECT 1 FROM line WHERE battle = ? AND name = ?", (parent.battle, name)).fetchone():
                raise NameTaken("line", name)
            new = Line(0, parent.battle, name, parent.name, after, played, actor, at, why)
            if parent.text or salt_root:
                new = replace(new, text=line_text(new))
            made = self._new_line(db, new, parent.id)
            if closing is not None and not closing.line.text:  # an older line ends before its upgrade is counted
                self._write_step(db, closing.line, *self._standing(closing.line), closing.drafts, at, None, "")
                closing = None
            if drafts or new.text:
                self._write_step(db, made, *self._standing(made), drafts, at, request, secret)
            if closing is not None:
                self._write_step(db, closing.line, *self._standing(closing.line), closing.drafts, at, None, "")
            return made

    def _conflict(self, line: Line, expected: int, head: Head) -> Conflict:
        return Conflict(line.battle, line.name, expected, head.seq, tuple(self.records(line, expected, head.seq)))

    def head(self, line: Line) -> Head:
        """Return the last event of a line."""
        return self._standing(line)[0]

    def _standing(self, line: Line) -> tuple[Head, int]:
        """Return the head of a line, and the last position in the file or, in format 2, the battle's last number."""
        lines = self._lines_around(line)
        if line.text:
            return self._standing_2(lines, line), self._tip(line.battle)
        rows = self._rows(statements.HEAD, (line.id,))
        if rows:
            seq, this, position = rows[0]
            return Head(seq, this), position
        position = self._last_position()
        return self._at_fork(lines, line), position

    def _standing_2(self, lines: Mapping[str, Line], line: Line) -> Head:
        rows = self._rows(statements.HEAD2, (line.id,))
        return Head(*rows[0]) if rows else self._at_fork(lines, line)

    def _at_fork(self, lines: Mapping[str, Line], line: Line) -> Head:
        """Return the event after which a line without events of its own goes on."""
        if line.parent is None:
            return Head(0, origin_of(line))
        (segment,) = segments(lines, line, line.after - 1, line.after)
        stretch = statements.STRETCH2 if segment.format == 2 else statements.STRETCH
        ((this,),) = self._page("SELECT hash " + stretch, segment, line.after - 1, line.after)
        return Head(line.after, this)

    def _tip(self, battle: str) -> int:
        """Return the number of the battle's last event. An upgraded battle goes on counting from its older events."""
        rows = self._rows("SELECT n FROM tip WHERE battle = ?", (battle,))
        if not rows:
            rows = self._rows("SELECT count(*) FROM event WHERE battle = ?", (battle,))
        return int(rows[0][0])

    def _last_position(self) -> int:
        ((position,),) = self._rows(statements.LAST_POSITION)
        return position or 0

    # ------------------------------------------------------------------------------------------------- writing

    def append(
        self, line: Line, drafts: Sequence[Draft], expected: int, at: int, request: Request | None = None,
        secret: str = "",
    ) -> Appended:  # fmt: skip
        """Append one step if the line still ends at `expected`: `Conflict`, `RequestReused`, `LogBusy` otherwise."""
        if request is not None:
            check_name("request", request.key)
        with self._writing() as db:
            if request is not None and (known := self.answer(line.battle, request)) is not None:
                return known
            head, position = self._standing(line)
            if head.seq == expected:
                return self._write_step(db, line, head, position, drafts, at, request, secret)
        raise self._conflict(line, expected, head)

    def _write_step(
        self, db: sqlite3.Connection, line: Line, head: Head, position: int, drafts: Sequence[Draft], at: int,
        request: Request | None, secret: str,
    ) -> Appended:  # fmt: skip
        battle, line_id = line.battle, line.id
        for commitment, root in split_secrets(secret):
            if self.secret(commitment) is None:
                db.execute("INSERT INTO secret (commitment, battle, root) VALUES (?, ?, ?)", (commitment, battle, root))
        if line.text:
            sealed = seal_events(line, self._salter(line), head, position, drafts, at)
            self._insert_2(db, line_id, sealed)
            db.execute(statements.TIP, (battle, sealed[-1].position))
            answer = Appended(line.name, head.seq + 1, sealed[-1].seq, sealed[-1].hash)
        else:
            chain = self._chains.get(line) or self._chains.setdefault(line, Chain(line))
            rows = seal(chain, head, drafts, at, request.key if request else None)
            self._insert(
                db,
                [
                    (number, battle, line_id, seq, act, kind, body.decode(), actor, at, key, prev, this)
                    for number, (seq, act, kind, body, actor, at, key, prev, this) in enumerate(rows, position + 1)
                ],
            )
            answer = Appended(line.name, head.seq + 1, head.seq + len(rows), rows[-1][-1])
        if request is not None:
            db.execute(
                statements.INSERT_REQUEST, (battle, request.key, request.content, line_id, answer.first, answer.last)
            )  # fmt: skip
        return answer

    def _salter(self, line: Line) -> Salter:
        """Return what derives the salts of a line. Raises `LogUnusable` if the vault has no root for them."""
        salter = self._salters.get(line)
        if salter is None:
            root = self.secret(salts_name(line.battle))
            if root is None:
                raise LogUnusable(
                    f"the salts of {line.battle} are not in this file: give it new ones before it goes on"
                )
            salter = self._salters[line] = Salter(bytes.fromhex(root), line.text)
        return salter

    def _insert_2(self, db: sqlite3.Connection, line: int, records: Sequence[Recorded]) -> None:
        rows = [
            (
                each.battle, line, each.seq, each.position, each.kind, each.header or None,
                None if each.hides_body else each.body, each.salts, each.hash,
            )
            for each in records
        ]  # fmt: skip
        self._insert(db, rows, statements.INSERT2)

    def _insert(self, db: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], sql: str = statements.INSERT) -> None:
        if db.executemany(sql, rows).rowcount != len(rows):
            raise LogUnusable(f"{self.path} swallows events: a trigger that is not ours is in the way")

    def answer(self, battle: str, request: Request) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`."""
        rows = self._rows(statements.ANSWER, (battle, request.key))
        if not rows:
            return None
        content, name, first, last, this = rows[0]
        if content != request.content:
            raise RequestReused(battle, request.key)
        return Appended(name, first, last, this, repeated=True)

    def restore(
        self, battle: str, lines: Sequence[Line], records: Iterable[Recorded], documents: Mapping[str, str] = NONE
    ) -> int:
        """Take over a battle as it stands, following its chain; all or nothing. Raises `RecordBroken`, `NameTaken`."""
        if battle in self.battles():
            raise NameTaken("battle", battle)
        for digest, text in documents.items():
            check_document(digest, text)
        with Incoming(battle, lines) as incoming:
            incoming.read(records)
            with self._writing() as db:
                made = {line.name: line for line in self._new_battle(db, battle, lines)}
                position = self._last_position()
                for run in incoming.runs():
                    self._restore_run(db, run, made[run[0].line], position)
                    position += len(run)
                if incoming.number:
                    db.execute(statements.TIP, (battle, incoming.number))
                for digest, text in documents.items():
                    self._put_document(db, digest, text)
        return incoming.count

    def _restore_run(self, db: sqlite3.Connection, run: Sequence[Recorded], line: Line, position: int) -> None:
        if line.text:
            self._insert_2(db, line.id, run)
        else:
            self._insert(
                db,
                [
                    (
                        number, record.battle, line.id, record.seq, record.act, record.kind, record.body, record.actor,
                        record.at, record.request, record.prev, record.hash,
                    )
                    for number, record in enumerate(run, position + 1)
                ],
            )  # fmt: skip
        asked = [(each, key) for each in run if (key := request_of(each)) is not None]
        db.executemany(
            statements.INSERT_REQUEST, [(each.battle, key, None, line.id, each.seq, each.seq) for each, key in asked]
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------- reading

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yield the events of a line, ancestors' first, with `after < seq <= upto`, a page at a time."""
        found = self._segments(line, after, upto)
        return (
            record
            for segment in found
            for here, end in _pages(segment)
            for record in (
                starmap(read_row, self._page(statements.RECORDS2, segment, here, end, segment.line))
                if segment.format == 2
                else starmap(Recorded, self._page(statements.RECORDS, segment, here, end, segment.line))
            )
        )

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        """Yield pages of bodies alone: the fast way to fold."""
        found = self._segments(line, after, upto)
        return (
            [shown_body(*row) for row in self._page(statements.BODIES2, segment, here, end)]
            if segment.format == 2
            else [body for (body,) in self._page(statements.BODIES, segment, here, end)]
            for segment in found
            for here, end in _pages(segment)
        )

    def _segments(self, line: Line, after: int, upto: int | None) -> list[Segment]:
        lines = self._lines_around(line)
        table = "event2" if line.text else "event"
        ((last,),) = self._rows(f"SELECT max(seq) FROM {table} WHERE line = ?", (line.id,))
        end = last or line.after
        return segments(lines, line, max(after, 0), end if upto is None else min(upto, end))

    def _page(self, sql: str, segment: Segment, here: int, end: int, *named: str) -> list[Any]:
        """Return the rows of a stretch. Seqs are whole and unique, so there are as many as the stretch is long."""
        try:
            rows = self._rows(sql, (*named, segment.line_id, here, end))
        except LogUnusable:
            rows = []
        if len(rows) != end - here:
            self._find_broken(sql, segment, here, end, *named)
        return rows

    def _find_broken(self, sql: str, segment: Segment, here: int, end: int, *named: str) -> NoReturn:
        """Go through a stretch event by event to the one that is missing or cannot be read: `RecordBroken`."""
        for seq in range(here + 1, end + 1):
            try:
                found = self._rows(sql, (*named, segment.line_id, seq - 1, seq))
            except LogUnusable as error:
                raise RecordBroken(segment.line, seq, f"it cannot be read ({error.__cause__})") from error
            if not found:
                raise RecordBroken(segment.line, seq, "an event is missing")
        raise LogUnusable(f"{self.path} gives other events one by one than together: its index is damaged")

    # --------------------------------------------------------------------------------- documents, secrets, snapshots

    def keep_document(self, digest: str, text: str) -> None:
        """Keep a text under its SHA-256; the same text twice is kept once. Raises `DocumentBroken`."""
        check_document(digest, text)
        with self._writing() as db:
            self._put_document(db, digest, text)

    def _put_document(self, db: sqlite3.Connection, digest: str, text: str) -> None:
        if self.document(digest) is None:
            db.execute("INSERT INTO document (digest, text) VALUES (?, ?)", (digest, text))

    def document(self, digest: str) -> str | None:
        """Return a kept text."""
        return _only(self._rows("SELECT text FROM document WHERE digest = ?", (digest,)))

    def secret(self, commitment: str) -> str | None:
        """Return the secret behind a commitment, if it is here."""
        return _only(self._rows("SELECT root FROM secret WHERE commitment = ?", (commitment,)))

    def save_snapshot(self, line: Line, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of any other on that event."""
        (segment,) = segments(self._lines_around(line), line, snapshot.seq - 1, snapshot.seq)
        with self._writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO snapshot (line, seq, hash, fingerprint, state) VALUES (?, ?, ?, ?, ?)",
                (segment.line_id, snapshot.seq, snapshot.hash, snapshot.fingerprint, snapshot.state),
            )

    def snapshot(self, line: Line, upto: int, fingerprint: str) -> Snapshot | None:
        """Return the latest snapshot at or before `upto` that fits. Stale ones are passed over."""
        for segment in reversed(segments(self._lines_around(line), line, 0, upto)):
            sql = statements.SNAPSHOT.format(event="event2" if segment.format == 2 else "event")
            rows = self._rows(sql, (segment.line_id, segment.upto, fingerprint))
            if rows:
                seq, on, made_by, state = rows[0]
                return Snapshot(seq, on, made_by, state.decode(errors="replace"))  # damage is for the reader to find
        return None

    def clear_snapshots(self, battle: str) -> int:
        """Throw away a battle's snapshots; return how many there were."""
        with self._writing() as db:
            return db.execute(
                "DELETE FROM snapshot WHERE line IN (SELECT id FROM line WHERE battle = ?)", (battle,)
            ).rowcount

    def outbox(self) -> SqliteOutbox:
        """Return the messages on their way out that this file holds."""
        there = bool(self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'outbox'"))
        return SqliteOutbox(self._rows, self._writing, there)

    # ------------------------------------------------------------------------------------------------- looking after

    def health(self) -> Health:
        """Return what SQLite says about the file: whether it is whole, what it promises, how much it holds. O(n)."""
        count = statements.COUNT_EVENTS if self._has_format_2 else "SELECT count(*) FROM event"
        return self._file.health(count)

    def back_up(self, path: Path) -> None:
        """Write everything to a new file, as it stands at one moment. Raises `LogUnusable`."""
        self._file.copy(path)


def _pages(segment: Segment) -> Iterator[tuple[int, int]]:
    return ((here, min(here + PAGE, segment.upto)) for here in range(segment.after, segment.upto, PAGE))


def _only(rows: Sequence[tuple[str]]) -> str | None:
    return rows[0][0] if rows else None
