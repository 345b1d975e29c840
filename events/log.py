"""The log: what every store of events promises. SQLite is the embedded one; `events.memory` is the second.

A store is held to these promises by `events.conformance`, which any other store can import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

from events.catalogue import write
from events.chain import Chain
from events.errors import RecordBroken
from events.record import Appended, Draft, Head, Line, Recorded, Request, Segment, Snapshot

MAIN = "main"
PAGE = 256
"""How many events are read at a time. No transaction is held while the caller looks at a page."""


class Log(Protocol):
    """An append-only record of battles. A step of events is stored whole or not at all.

    Times are microseconds UTC and are handed in: a log reads no clock. Every read pages by key.
    """

    def battles(self) -> list[str]:
        """Return the ids of all battles, oldest first."""
        ...

    def begin(self, battle: str, drafts: Sequence[Draft], at: int, secret: str = "") -> Appended:
        """Open a battle with its first step. `secret` goes to the vault, outside the record. Raises `NameTaken`."""
        ...

    def lines(self, battle: str) -> list[Line]:
        """Return the lines of a battle, oldest first. Raises `BattleUnknown`."""
        ...

    def line(self, battle: str, name: str = MAIN) -> Line:
        """Return one line. Raises `BattleUnknown` or `LineUnknown`."""
        ...

    def fork(self, parent: Line, name: str, after: int, at: int, actor: str, why: str, *, played: bool) -> Line:
        """Open a line that shares its parent's events up to `after`. Constant cost. Raises `NameTaken`, ValueError."""
        ...

    def head(self, line: Line) -> Head:
        """Return the last event of a line. Constant cost."""
        ...

    def append(
        self,
        line: Line,
        drafts: Sequence[Draft],
        expected: int,
        at: int,
        request: Request | None = None,
        secret: str = "",
    ) -> Appended:
        """Append one step if the line still ends at `expected`.

        Raises `Conflict` with the events in between, or `RequestReused`. A request met before with the same content
        gives its first answer again, whatever `expected` says.
        """
        ...

    def answer(self, battle: str, request: Request) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`."""
        ...

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yield the events of a line, ancestors' first, with `after < seq <= upto`."""
        ...

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        """Yield pages of bodies alone: the fast way to fold."""
        ...

    def restore(self, battle: str, lines: Sequence[Line], records: Iterable[Recorded]) -> int:
        """Take over a battle that was recorded elsewhere, as it stands; return how many events came.

        All or nothing. The chain is followed on the way: `RecordBroken` names the first event that does not hold.
        Raises `NameTaken`.
        """
        ...

    def keep_document(self, digest: str, text: str) -> None:
        """Keep a text, such as a set of tables, under its SHA-256. The same text twice is kept once."""
        ...

    def document(self, digest: str) -> str | None:
        """Return a kept text."""
        ...

    def secret(self, commitment: str) -> str | None:
        """Return the secret behind a commitment, if it is here. It never leaves in an export."""
        ...

    def shelve(self, line: Line, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of any other on that event."""
        ...

    def snapshot(self, line: Line, upto: int, fingerprint: str) -> Snapshot | None:
        """Return the latest snapshot at or before `upto` with that fingerprint and the right hash, or None."""
        ...

    def clear_snapshots(self, battle: str) -> int:
        """Throw away a battle's snapshots; return how many there were."""
        ...


def segments(lines: Sequence[Line], line: Line, after: int, upto: int) -> list[Segment]:
    """Return the stretches that make up a line between two seqs, oldest first. Cost grows with the forks passed."""
    by_name = {each.name: each for each in lines}
    found: list[Segment] = []
    here: Line | None = line
    while here is not None and upto > after:
        start = max(here.after, after) if here.parent is not None else after
        if upto > start:
            found.append(Segment(here.id, here.name, start, upto))
        upto = min(upto, here.after) if here.parent is not None else after
        here = by_name[here.parent] if here.parent is not None else None
    return found[::-1]


Row: TypeAlias = tuple[int, int, str, bytes, str, int, str | None, str, str]
"""A sealed event: seq, act, kind, body, actor, at, request, prev, hash."""


def seal(chain: Chain, head: Head, drafts: Sequence[Draft], at: int, request: str | None) -> list[Row]:
    """Chain drafts to a head. The request key goes on the first of them. Pure: both stores write what it returns."""
    rows: list[Row] = []
    seq, prev, encode, link = head.seq, head.hash, write, chain.link
    for draft in drafts:
        seq += 1
        act = draft.act or seq
        body = encode(draft.event)
        kind = draft.event.kind
        this = link(prev, seq, act, kind, draft.actor, at, request, body)
        rows.append((seq, act, kind, body, draft.actor, at, request, prev, this))
        prev, request = this, None
    return rows


def check_link(chain: Chain, end: Head, record: Recorded) -> None:
    """Check that an event follows on `end` and is what its hash says: `RecordBroken` tells what does not hold."""
    if record.seq != end.seq + 1:
        raise RecordBroken(record.line, end.seq + 1, f"an event is missing: after {end.seq} comes {record.seq}")
    if record.prev != end.hash:
        raise RecordBroken(record.line, record.seq, "it is not chained to the event before it")
    body = record.body.encode()
    if record.hash != chain.link(
        record.prev, record.seq, record.act, record.kind, record.actor, record.at, record.request, body
    ):
        raise RecordBroken(record.line, record.seq, f"its content ({record.type}) does not match its hash")
