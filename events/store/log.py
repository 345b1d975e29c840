"""The log: what every store of events promises. SQLite is the embedded one; `events.store.memory` is the second.

A store is held to these promises by `events.store.conformance`, which any other store can import. What all stores do
alike is here as pure functions: cutting a line into stretches, chaining drafts, checking the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol, Self, TypeAlias

from events.catalogue import write
from events.store.chain import Chain, origin
from events.store.errors import DocumentBroken, RecordBroken
from events.store.health import Health
from events.store.leaves import battle_start, is_leaf
from events.store.names import check_name
from events.store.outbox import Outbox
from events.store.record import Appended, Closing, Draft, Head, Line, Recorded, Request, Segment, Snapshot
from events.store.sealing import check_sealed, salts_name

MAIN = "main"
MAIN_WHY = "the battle as it was played"
NONE: Final[Mapping[str, str]] = {}
"""No documents."""

PAGE = 256
"""How many events are read at a time. No transaction is held while the caller looks at a page."""


class Log(Protocol):
    """An append-only record of battles. A step of events is stored whole or not at all.

    Times are microseconds UTC and are handed in: a log reads no clock. Every read pages by key and holds nothing while
    the caller looks at a page. A log serves one thread. A `Line` comes from the log that it is used with; one that this
    log does not have is a `LineUnknown`. A store that others keep busy for too long says `LogBusy`, one that cannot be
    read or written `LogUnusable`; nothing is recorded then. One that fails in the moment of recording says
    `OutcomeUnknown`, one that was closed `LogClosed`. Names of battles, lines, actors and request keys have no control
    characters: `NameInvalid`.
    """

    @property
    def name(self) -> str:
        """What this store is called in messages, such as the path of its file."""
        ...

    @property
    def warning(self) -> str:
        """What is wrong with the store although it can be used, such as a full disk; empty if nothing is."""
        ...

    def close(self) -> None:
        """Close the log. Closing twice is fine; any other call afterwards raises `LogClosed`."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None:
        """Close the log."""
        ...

    def battles(self) -> list[str]:
        """Return the ids of all battles, oldest first."""
        ...

    def begin(
        self, battle: str, drafts: Sequence[Draft], at: int, secret: str = "", *, salt_root: str = "",
        request: Request | None = None,
    ) -> Appended:  # fmt: skip
        """Open a battle with its first step. `secret` and `request` as in `append`.

        Raises `NameTaken`, `RequestReused`, ValueError.

        `salt_root` is 64 random hex digits, which go to the vault: with it the battle is recorded in format 2.
        """
        ...

    def lines(self, battle: str) -> list[Line]:
        """Return the lines of a battle, oldest first. Raises `BattleUnknown`."""
        ...

    def line(self, battle: str, name: str = MAIN) -> Line:
        """Return one line. Raises `BattleUnknown` or `LineUnknown`."""
        ...

    def fork(
        self, parent: Line, name: str, after: int, at: int, actor: str, why: str, *, played: bool,
        drafts: Sequence[Draft] = (), secret: str = "", closing: Closing | None = None, salt_root: str = "",
        request: Request | None = None,
    ) -> Line:  # fmt: skip
        """Open a line that shares its parent's events up to `after`, any of them, the parent's ancestors' too.

        `drafts` are its first step, and `closing` ends another line; all of it is recorded together, or nothing.
        The new line is of its parent's record format. With a `salt_root` it is of format 2, whatever its parent is, and
        the vault keeps that root from now on. A line of format 2 has at least one draft. Constant cost, whatever the
        length. A request met before with the same content gives the line that it opened then. Raises `NameTaken`,
        `EventUnknown` if the parent has no such event, `Conflict` if the line to be closed has moved on,
        `RequestReused`.
        """
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
        """Append one step of at least one event, if the line still ends at `expected`.

        Raises `Conflict` with the events in between, or `RequestReused`; ValueError for a step that cannot be recorded.
        A request met before with the same content gives its first answer again, whatever `expected` says. `secret`
        goes to the vault, outside the record: `commitment:root`, one on each line.
        """
        ...

    def answer(self, battle: str, request: Request) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`."""
        ...

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yield the events of a line, ancestors' first, with `after < seq <= upto`. Later ones do not count.

        Raises `RecordBroken` at an event that is missing. Whether each is what its hash says is for `check_links`.
        """
        ...

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        """Yield pages of bodies alone: the fast way to fold. Raises `RecordBroken` at an event that is missing."""
        ...

    def restore(
        self, battle: str, lines: Sequence[Line], records: Iterable[Recorded], documents: Mapping[str, str] = NONE
    ) -> int:
        """Take over a battle that was recorded elsewhere, as it stands; return how many events came.

        All or nothing, with the documents that it needs, by digest. Parents come before their forks, in `lines` and in
        `records`. The chain is followed on the way: `RecordBroken` names the first event that does not hold. Other
        writers are kept waiting only once every record has come. The keys of its requests count as used: what was asked
        with them is not known here. Raises `NameTaken`, `DocumentBroken`.
        """
        ...

    def keep_document(self, digest: str, text: str) -> None:
        """Keep a text, such as a set of tables, under its SHA-256. The same text twice is kept once.

        Raises `DocumentBroken` if the digest is not that of the text.
        """
        ...

    def document(self, digest: str) -> str | None:
        """Return a kept text."""
        ...

    def secret(self, commitment: str) -> str | None:
        """Return the secret behind a commitment, if it is here. It never leaves in an export."""
        ...

    def save_snapshot(self, line: Line, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of any other on that event, for every line that shares the event."""
        ...

    def snapshot(self, line: Line, upto: int, fingerprint: str) -> Snapshot | None:
        """Return the latest snapshot at or before `upto` with that fingerprint and the right hash, or None."""
        ...

    def clear_snapshots(self, battle: str) -> int:
        """Throw away a battle's snapshots; return how many there were."""
        ...

    def outbox(self) -> Outbox:
        """Return the messages on their way out. They are no part of the record."""
        ...

    def health(self) -> Health:
        """Return what the store says of itself: whether it is whole, what it promises, how much it holds. O(n)."""
        ...

    def back_up(self, path: Path) -> None:
        """Write everything to a new file, the vault included, as it stands at one moment while others write on.

        Raises `LogUnusable` if the file cannot be written, or if the store is backed up by other means.
        """
        ...


def segments(lines: Mapping[str, Line], line: Line, after: int, upto: int) -> list[Segment]:
    """Return the stretches that make up a line between two seqs, oldest first. Cost grows with the forks passed."""
    found: list[Segment] = []
    while line.parent is not None and upto > after:
        start = max(line.after, after)
        if upto > start:
            found.append(Segment(line.id, line.name, start, upto, 2 if line.text else 1))
        upto = min(upto, line.after)
        line = lines[line.parent]
    if upto > after:
        found.append(Segment(line.id, line.name, after, upto, 2 if line.text else 1))
    return found[::-1]


Row: TypeAlias = tuple[int, int, str, bytes, str, int, str | None, str, str]
"""A sealed event: seq, act, kind, body, actor, at, request, prev, hash."""


def seal(chain: Chain, head: Head, drafts: Sequence[Draft], at: int, request: str | None) -> list[Row]:
    """Chain drafts to a head. The request key goes on the first of them. Pure: every store writes what it returns.

    Raises ValueError for what no store records: no draft at all, an act that begins later than its event, a time before
    1970, a text that is not Unicode (half a surrogate pair), a name with control characters (`NameInvalid`).
    """
    if not drafts:
        raise ValueError("a step holds at least one event")
    if not 0 <= at < 2**63:
        raise ValueError(f"a time is whole microseconds since 1970, not {at}")
    rows: list[Row] = []
    seq, prev, encode, link = head.seq, head.hash, write, chain.link
    for draft in drafts:
        seq += 1
        act = draft.act or seq
        if not 0 < act <= seq:
            raise ValueError(f"event {seq} cannot belong to an act that begins at {act}")
        check_name("actor", draft.actor)
        body = encode(draft.event)
        kind = draft.event.kind
        this = link(prev, seq, act, kind, draft.actor, at, request, body)
        rows.append((seq, act, kind, body, draft.actor, at, request, prev, this))
        prev, request = this, None
    return rows


def check_links(chain: Chain, end: Head, records: Iterable[Recorded]) -> Head:
    """Check that events of one line follow on `end`, each what its hash says; return the head they lead to.

    Raises `RecordBroken`, which names the first that does not hold. About a microsecond and a half an event.
    """
    seq, prev, position, link = end.seq, end.hash, 0, chain.link
    battle, line = chain.battle, chain.line
    try:
        for record in records:
            seq += 1
            if (
                record.seq != seq
                or record.prev != prev
                or record.position <= position
                or record.battle != battle
                or record.line != line
                or record.hash
                != link(
                    prev, seq, record.act, record.kind, record.actor, record.at, record.request, record.body.encode()
                )
            ):  # fmt: skip
                raise _broken(chain, seq, prev, position, record)
            prev, position = record.hash, record.position
    except UnicodeEncodeError as error:
        raise RecordBroken(line, seq, "it holds text that is not Unicode") from error
    return Head(seq, prev)


def origin_of(line: Line) -> str:
    """Return what a line without a parent is chained to, by its format."""
    return battle_start(line.battle) if line.text else origin(line.battle)


def check_line(line: Line, end: Head, records: Iterable[Recorded]) -> Head:
    """Check that events of one line follow on `end`, by its format: `RecordBroken` at the first that does not.

    Cost: about two microseconds an event.
    """
    return check_sealed(line, end, records) if line.text else check_links(Chain(line), end, records)


def check_link(chain: Chain, end: Head, record: Recorded) -> None:
    """Check one event as `check_links` does."""
    check_links(chain, end, (record,))


def _broken(chain: Chain, seq: int, prev: str, position: int, record: Recorded) -> RecordBroken:
    if record.battle != chain.battle or record.line != chain.line:
        why = f"it is filed under {record.battle}/{record.line}, it belongs to {chain.battle}/{chain.line}"
    elif record.seq != seq:
        why = f"an event is missing: after {seq - 1} comes {record.seq}"
    elif record.prev != prev:
        why = "it is not chained to the event before it"
    elif record.position <= position:
        why = f"it stands at position {record.position}, the event before it at {position}"
    else:
        why = f"its content ({record.type}) does not match its hash"
    return RecordBroken(chain.line, seq, why)


def check_document(digest: str, text: str) -> None:
    """Check that a text is the one that its digest names: `DocumentBroken`."""
    if sha256(text.encode()).hexdigest() != digest:
        raise DocumentBroken(digest)


def with_salts(secret: str, battle: str, salt_root: str) -> str:
    """Add the root of a battle's salts to the secrets of a step. Raises ValueError if it is not 64 hex digits."""
    if not is_leaf(salt_root):
        raise ValueError("the root of salts is 64 hex digits")
    return "\n".join(filter(None, (secret, f"{salts_name(battle)}:{salt_root}")))


def split_secrets(secrets: str) -> list[tuple[str, str]]:
    """Part secrets, one a line, into commitments and what is behind them. Raises ValueError."""
    found = []
    for secret in filter(None, secrets.split("\n")):
        commitment, colon, root = secret.partition(":")
        if not (commitment and colon and root):
            raise ValueError("a secret is written commitment:root, one on each line")
        found.append((commitment, root))
    return found
