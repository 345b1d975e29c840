"""An extract of a battle: just the facts of one line, provably part of the record that it was taken from.

Left out are words beside the record (notes, bookmarks, marks of posts) and whatever was taken back or never played: the
events of other lines. The first line of the file tells format, battle, line, and the digest of all its hashes; each
further line is one event as in an export, or the bare hash of one that was left out. Every event kept is what its hash
says, and each hash is of the event, its place and the whole record before it. That all these hashes are those of the
record is shown by their digest, which is held against the full record: `contains`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from events.catalogue import EventUnreadable
from events.facts import Bookmarked, Noted, NotedPrivately, Posted
from events.store.chain import Chain, origin
from events.store.errors import RecordBroken
from events.store.log import check_document
from events.store.record import Line, Recorded
from replays.audit.exported import ExportUnreadable
from replays.audit.verify import WayCheck
from replays.view import View

FORMAT = "wardiary-extract/1"
LEFT_OUT = (Noted, NotedPrivately, Bookmarked, Posted)
"""What is said or marked beside the record. It changes nothing that is played."""


class ExtractHeader(msgspec.Struct, frozen=True, tag="extract", tag_field="is"):
    """The first line of an extract. `lines` are the line that is told and those that it rests on.

    `digest` is the SHA-256 of the hashes of all `events` of the line, in order, those left out too.
    """

    format: str
    battle: str
    line: str
    lines: tuple[Line, ...]
    documents: dict[str, str]
    events: int
    kept: int
    digest: str


class Left(msgspec.Struct, frozen=True, gc=False):
    """An event that was left out: its number and its hash, and nothing else."""

    seq: int
    left_out: str


class ExtractVerdict(msgspec.Struct, frozen=True, gc=False):
    """What was checked in an extract. `unproved` dice need the full record, or the end of their turn."""

    battle: str
    line: str
    played: bool
    events: int
    kept: int
    proved: int
    entered: int
    unproved: int
    digest: str
    head: str


def write_extract(view: View) -> Iterator[bytes]:
    """Yield the lines of an extract of the view's line, newline included. Reads the line twice."""
    left_out = {record.seq for record, _ in view.events(*LEFT_OUT)}
    running, events = sha256(), 0
    for record in view.records():
        running.update(record.hash.encode())
        events += 1
    documents = {digest: text for digest in view.tables() if (text := view.document(digest)) is not None}
    kept, lines, digest = events - len(left_out), view.way(), running.hexdigest()
    encode = msgspec.json.encode
    yield encode(ExtractHeader(FORMAT, view.battle, view.name, lines, documents, events, kept, digest)) + b"\n"
    for record in view.records(0, events):
        yield encode(Left(record.seq, record.hash) if record.seq in left_out else record) + b"\n"


def is_extract(path: Path) -> bool:
    """Tell whether a file says of itself that it is an extract."""
    try:
        with path.open("rb") as file:
            return b'"is":"extract"' in file.read(40)
    except OSError:
        return False


def contains(view: View, digest: str) -> bool:
    """Tell whether a line begins with exactly the events whose digest an extract states, however long it is now."""
    running = sha256()
    for record in view.records():
        running.update(record.hash.encode())
        if running.hexdigest() == digest:
            return True
    return False


def verify_extract(path: Path, wanted: str = "") -> ExtractVerdict:
    """Check an extract by itself: every event kept, every hash that follows on another, the digest, revealed dice.

    `wanted` is a digest that somebody has kept: the extract's own, or the hash of one of its events.
    Raises `ExportUnreadable`, `DocumentBroken`, or `RecordBroken` at the first event that does not hold.
    """
    header = _read_header(path)
    for digest, text in header.documents.items():
        check_document(digest, text)
    check = _Check(path, header)
    found = False
    for each in _read(path):
        check.add(each)
        found = found or check.prev == wanted
    verdict = check.verdict()
    if wanted and not found and verdict.digest != wanted:
        raise RecordBroken(verdict.line, verdict.events, f"the extract does not contain the digest {wanted} you kept")
    return verdict


def _read_header(path: Path) -> ExtractHeader:
    try:
        with path.open("rb") as file:
            header = msgspec.json.decode(file.readline(), type=ExtractHeader)
    except OSError as error:
        raise ExportUnreadable(str(path), 0, str(error.strerror or error)) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ExportUnreadable(str(path), 1, f"not an extract of a battle ({error})") from error
    if header.format != FORMAT:
        raise ExportUnreadable(str(path), 1, f"format {header.format!r}: this wardiary reads {FORMAT!r}")
    return header


def _read(path: Path) -> Iterator[Recorded | Left]:
    kept, left = msgspec.json.Decoder(Recorded).decode, msgspec.json.Decoder(Left).decode
    with path.open("rb") as file:
        next(file, None)
        for number, text in enumerate(file, 2):
            try:
                yield left(text) if b'"left_out"' in text[:40] else kept(text)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ExportUnreadable(str(path), number, f"not an event ({error})") from error


class _Check:
    """Follows an extract from its first event to its last."""

    def __init__(self, path: Path, header: ExtractHeader) -> None:
        self.header = header
        self.ends = _ends(path, header)
        self.lines = {line.name: line for line in header.lines}
        self.chains = {line.name: Chain(line) for line in header.lines}
        self.seq, self.prev, self.kept = 0, origin(header.battle), 0
        self.running = sha256()
        self.dice = WayCheck(header.lines[0])

    def add(self, each: Recorded | Left) -> None:
        """Check the next event."""
        self.seq += 1
        line = next((name for name, end in self.ends if end is None or self.seq <= end), "")
        if each.seq != self.seq:
            raise RecordBroken(line, self.seq, f"an event is missing: after {self.seq - 1} comes {each.seq}")
        if isinstance(each, Recorded):
            self._check(each, line)
            self.kept += 1
            self.prev = each.hash
        else:
            self.prev = each.left_out
        self.running.update(self.prev.encode(errors="replace"))

    def _check(self, record: Recorded, line: str) -> None:
        if (record.battle, record.line) != (self.header.battle, line):
            told = f"it is filed under {record.battle}/{record.line}, it belongs to {self.header.battle}/{line}"
            raise RecordBroken(line, record.seq, told)
        if record.prev != self.prev:
            raise RecordBroken(line, record.seq, "it is not chained to the event before it")
        try:
            made = self.chains[line].link(
                record.prev, record.seq, record.act, record.kind, record.actor, record.at, record.request,
                record.body.encode(),
            )  # fmt: skip
        except UnicodeEncodeError as error:
            raise RecordBroken(line, record.seq, "it holds text that is not Unicode") from error
        if made != record.hash:
            raise RecordBroken(line, record.seq, f"its content ({record.type}) does not match its hash")
        try:
            event = self.dice.catalogue.read(record.body, record.seq)
        except EventUnreadable as error:
            raise RecordBroken(line, record.seq, str(error)) from error
        self.dice.line = self.lines[line]
        self.dice.follow(record, event)

    def verdict(self) -> ExtractVerdict:
        """Return what was found. Raises `RecordBroken` if the file does not hold what its first line says."""
        head, digest = self.header, self.running.hexdigest()
        if (self.seq, self.kept, digest) != (head.events, head.kept, head.digest):
            told = f"its first line tells of {head.events} events, {head.kept} of them kept, digest {head.digest[:16]}…"
            raise RecordBroken(
                head.line, self.seq, f"{told}; the file holds {self.seq}, {self.kept}, {digest[:16]}…"
            )  # fmt: skip
        dice = self.dice
        played = self.lines[head.line].played
        return ExtractVerdict(
            head.battle, head.line, played, self.seq, self.kept, dice.proved, dice.entered, dice.unproved, digest,
            self.prev,
        )  # fmt: skip


def _ends(path: Path, header: ExtractHeader) -> list[tuple[str, int | None]]:
    """Return the lines of an extract, oldest first, each with its last event there. Raises `ExportUnreadable`."""
    lines = header.lines
    parents = [line.parent for line in lines]
    names = [line.name for line in lines]
    sound = bool(lines) and parents == [None, *names[:-1]] and names[-1] == header.line
    if not sound or any(line.battle != header.battle for line in lines):
        raise ExportUnreadable(str(path), 1, "its lines do not lead to the one that it tells")
    upto: list[tuple[str, int | None]] = [(header.line, None)]
    least: int | None = None
    for line, child in zip(lines[-2::-1], lines[:0:-1], strict=True):
        least = child.after if least is None else min(least, child.after)
        upto.append((line.name, least))
    return upto[::-1]
