"""A log in memory: the second store. For tests, and for looking into an exported record without a file of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from events.store.chain import Chain
from events.store.errors import (
    BattleUnknown,
    Conflict,
    EventUnknown,
    LineUnknown,
    LogClosed,
    LogUnusable,
    NameTaken,
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
from events.store.memory_outbox import MemoryOutbox
from events.store.names import check_name
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
from events.store.sealing import salts_name, seal_events
from events.store.takeover import Incoming


class _Battle:
    """One battle. `events` holds each line's own events, by the line's id; a request from elsewhere has no answer.

    `number` counts the events over all lines.
    """

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}
        self.events: dict[int, list[Recorded]] = {}
        self.requests: dict[str, tuple[Request, Appended] | None] = {}
        self.snapshots: dict[int, dict[int, Snapshot]] = {}
        self.number = 0

    def add(self, line: Line) -> Line:
        self.lines[line.name] = line
        self.events[line.id] = []
        self.snapshots[line.id] = {}
        return line

    def stretch(self, segment: Segment) -> list[Recorded]:
        """Return the events of a stretch. A line's own have no gaps, so the place in the list follows from the seq."""
        own = self.events[segment.line_id]
        first = own[0].seq
        return own[segment.after + 1 - first : segment.upto + 1 - first]


class MemoryLog:
    """A log that lasts as long as the object (see `events.store.log.Log`). It reads and writes no file.

    >>> from events.facts import BattleOpened, Seat
    >>> from events.store.record import Draft
    >>> log = MemoryLog()
    >>> opened = BattleOpened("At the ford", "dresda", "1", (Seat("men", "Men"), Seat("orcs", "Orcs")), "")
    >>> log.begin("ford", [Draft(opened, "referee")], at=0).last
    1
    """

    name = "the log in memory"
    warning = ""

    def __init__(self) -> None:
        self._open = True
        self._all: dict[str, _Battle] = {}
        self._documents: dict[str, str] = {}
        self._secrets: dict[str, str] = {}
        self._outbox = MemoryOutbox(self._all)
        self._last_line = 0
        self._last_position = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the log. Closing twice is fine; any other call afterwards raises `LogClosed`."""
        self._open = False

    def _check_open(self) -> None:
        if not self._open:
            raise LogClosed(self.name)

    @property
    def _battles(self) -> dict[str, _Battle]:
        self._check_open()
        return self._all

    # ------------------------------------------------------------------------------------------- battles and lines

    def battles(self) -> list[str]:
        """Return the ids of all battles, oldest first."""
        return sorted(self._battles, key=lambda battle: self._battles[battle].lines[MAIN].at)

    def begin(
        self, battle: str, drafts: Sequence[Draft], at: int, secret: str = "", *, salt_root: str = "",
        request: Request | None = None,
    ) -> Appended:  # fmt: skip
        """Open a battle with its first step. Raises `NameTaken`, `RequestReused`, ValueError."""
        check_name("battle", battle)
        if request is not None and (known := self.answer(battle, request)) is not None:
            return known
        actor = drafts[0].actor if drafts else ""
        if battle in self._battles:
            raise NameTaken("battle", battle)
        line = Line(self._last_line + 1, battle, MAIN, None, 0, True, actor, at, MAIN_WHY)
        if salt_root:
            line, secret = replace(line, text=line_text(line)), with_salts(secret, battle, salt_root)
        vault = split_secrets(secret)
        key = request.key if request else None
        sealed = self._seal(line, Head(0, origin_of(line)), 0, drafts, at, key, dict(vault))
        self._battles[battle] = _Battle()
        self._last_line = self._battles[battle].add(line).id
        answer = self._write(line, sealed, vault)
        if request is not None:
            self._battles[battle].requests[request.key] = request, answer
        return answer

    def _seal(
        self, line: Line, head: Head, n: int, drafts: Sequence[Draft], at: int, request: str | None,
        vault: Mapping[str, str],
    ) -> list[Recorded]:  # fmt: skip
        """Chain drafts to a head. The vault of the step counts as well as that of the log."""
        if not line.text:
            return [
                Recorded(0, line.battle, line.name, seq, act, kind, body.decode(), actor, when, key, prev, this)
                for seq, act, kind, body, actor, when, key, prev, this in seal(Chain(line), head, drafts, at, request)
            ]
        name = salts_name(line.battle)
        root = self._secrets.get(name) or vault.get(name)
        if root is None:
            raise LogUnusable(f"the salts of {line.battle} are not in this log: give it new ones before it goes on")
        return seal_events(line, Salter(bytes.fromhex(root), line.text), head, n, drafts, at)

    def lines(self, battle: str) -> list[Line]:
        """Return the lines of a battle, oldest first. Raises `BattleUnknown`."""
        return list(self._battle(battle).lines.values())

    def _battle(self, battle: str) -> _Battle:
        found = self._battles.get(battle)
        if found is None:
            from difflib import get_close_matches

            raise BattleUnknown(battle, get_close_matches(battle, self.battles(), 3, 0.5))
        return found

    def line(self, battle: str, name: str = MAIN) -> Line:
        """Return one line. Raises `BattleUnknown` or `LineUnknown`."""
        lines = self._battle(battle).lines
        if name not in lines:
            raise LineUnknown(battle, name, list(lines))
        return lines[name]

    def _of(self, line: Line) -> _Battle:
        """Return the battle of a line that this log has."""
        battle = self._battle(line.battle)
        if battle.lines.get(line.name) != line:
            raise LineUnknown(line.battle, line.name, list(battle.lines))
        return battle

    def fork(
        self, parent: Line, name: str, after: int, at: int, actor: str, why: str, *, played: bool,
        drafts: Sequence[Draft] = (), secret: str = "", closing: Closing | None = None, salt_root: str = "",
        request: Request | None = None,
    ) -> Line:  # fmt: skip
        """Open a line that shares its parent's events up to `after`. Raises `NameTaken`, `EventUnknown`, `Conflict`."""
        if request is not None and (known := self.answer(parent.battle, request)) is not None:
            return self.line(parent.battle, known.line)
        end = self.head(closing.line) if closing is not None else Head(0, "")
        if closing is not None and end.seq != closing.expected:
            raise self._conflict(closing.line, closing.expected, end)
        battle, head = self._of(parent), self.head(parent).seq
        if not 0 < after <= head:
            raise EventUnknown(parent.battle, parent.name, after, head)
        check_name("line", name)
        if name in battle.lines:
            raise NameTaken("line", name)
        made = Line(self._last_line + 1, parent.battle, name, parent.name, after, played, actor, at, why)
        if salt_root:
            secret = with_salts(secret, parent.battle, salt_root)
        if parent.text or salt_root:
            made = replace(made, text=line_text(made))
        (last,) = battle.stretch(*segments(battle.lines, parent, after - 1, after))
        first = [(made, Head(after, last.hash), drafts)] if drafts or made.text else []
        ends = [(closing.line, end, closing.drafts)] if closing is not None else []
        # An older line ends before its upgrade is counted.
        older = closing is not None and not closing.line.text
        vault, n, sealed = split_secrets(secret), battle.number, []
        for line, where, given in [*ends, *first] if older else [*first, *ends]:
            key = request.key if request is not None and line is made else None
            sealed.append((line, self._seal(line, where, n, given, at, key, dict(vault))))
            n += len(given)
        self._last_line = battle.add(made).id
        for line, rows in sealed:
            answer = self._write(line, rows, vault)
            if request is not None and line is made:
                battle.requests[request.key] = request, answer
        return made

    def _conflict(self, line: Line, expected: int, head: Head) -> Conflict:
        return Conflict(line.battle, line.name, expected, head.seq, tuple(self.records(line, expected, head.seq)))

    def head(self, line: Line) -> Head:
        """Return the last event of a line."""
        battle = self._of(line)
        if own := battle.events[line.id]:
            return Head(own[-1].seq, own[-1].hash)
        if line.parent is None:
            return Head(0, origin_of(line))
        (segment,) = segments(battle.lines, line, line.after - 1, line.after)
        (last,) = battle.stretch(segment)
        return Head(line.after, last.hash)

    # ------------------------------------------------------------------------------------------------- writing

    def append(
        self, line: Line, drafts: Sequence[Draft], expected: int, at: int, request: Request | None = None,
        secret: str = "",
    ) -> Appended:  # fmt: skip
        """Append one step if the line still ends at `expected`: `Conflict`, `RequestReused` otherwise."""
        if request is not None:
            check_name("request", request.key)
            if (known := self.answer(line.battle, request)) is not None:
                return known
        battle, head = self._of(line), self.head(line)
        if head.seq != expected:
            raise self._conflict(line, expected, head)
        vault = split_secrets(secret)
        sealed = self._seal(line, head, battle.number, drafts, at, request.key if request else None, dict(vault))
        answer = self._write(line, sealed, vault)
        if request is not None:
            battle.requests[request.key] = request, answer
        return answer

    def _write(self, line: Line, sealed: Sequence[Recorded], secrets: Iterable[tuple[str, str]]) -> Appended:
        """Put sealed events at the end of a line. Nothing can go wrong any more here."""
        battle = self._battles[line.battle]
        for record in sealed:
            self._last_position += 1
            placed = record if line.text else replace(record, position=self._last_position)
            battle.events[line.id].append(placed)
        battle.number += len(sealed)
        for commitment, root in secrets:
            self._secrets.setdefault(commitment, root)
        return Appended(line.name, sealed[0].seq, sealed[-1].seq, sealed[-1].hash)

    def answer(self, battle: str, request: Request) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`."""
        if battle not in self._battles or request.key not in self._battles[battle].requests:
            return None
        met = self._battles[battle].requests[request.key]
        if met is None or met[0].content != request.content:
            raise RequestReused(battle, request.key)
        return replace(met[1], repeated=True)

    def restore(
        self, battle: str, lines: Sequence[Line], records: Iterable[Recorded], documents: Mapping[str, str] = NONE
    ) -> int:
        """Take over a battle as it stands, following its chain; all or nothing. Raises `RecordBroken`, `NameTaken`."""
        if battle in self._battles:
            raise NameTaken("battle", battle)
        for digest, text in documents.items():
            check_document(digest, text)
        new = _Battle()
        with Incoming(battle, lines) as incoming:
            for number, line in enumerate(lines, self._last_line + 1):
                new.add(replace(line, id=number))
            incoming.read(records)
            position = self._last_position
            for run in incoming.runs():
                line = new.lines[run[0].line]
                placed = [replace(record, position=number) for number, record in enumerate(run, position + 1)]
                new.events[line.id] += run if line.text else placed
                new.requests.update({key: None for record in run if (key := request_of(record)) is not None})
                position += len(run)
            new.number = incoming.number or incoming.count
        self._battles[battle] = new
        self._last_line += len(lines)
        self._last_position = position
        self._documents.update(documents)
        return incoming.count

    # ------------------------------------------------------------------------------------------------- reading

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yield the events of a line, ancestors' first, with `after < seq <= upto`."""
        return (record for page in self._pages(line, after, upto) for record in page)

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        """Yield pages of bodies alone."""
        return ([record.body for record in page] for page in self._pages(line, after, upto))

    def _pages(self, line: Line, after: int, upto: int | None) -> Iterator[list[Recorded]]:
        battle, head = self._of(line), self.head(line).seq
        found = segments(battle.lines, line, max(after, 0), head if upto is None else min(upto, head))
        return (
            battle.stretch(replace(segment, after=here, upto=min(here + PAGE, segment.upto)))
            for segment in found
            for here in range(segment.after, segment.upto, PAGE)
        )

    # --------------------------------------------------------------------------------- documents, secrets, snapshots

    def keep_document(self, digest: str, text: str) -> None:
        """Keep a text under its SHA-256. Raises `DocumentBroken`."""
        self._check_open()
        check_document(digest, text)
        self._documents[digest] = text

    def document(self, digest: str) -> str | None:
        """Return a kept text."""
        self._check_open()
        return self._documents.get(digest)

    def secret(self, commitment: str) -> str | None:
        """Return the secret behind a commitment, if it is here."""
        self._check_open()
        return self._secrets.get(commitment)

    def save_snapshot(self, line: Line, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of any other on that event."""
        battle = self._of(line)
        (segment,) = segments(battle.lines, line, snapshot.seq - 1, snapshot.seq)
        battle.snapshots[segment.line_id][snapshot.seq] = snapshot

    def snapshot(self, line: Line, upto: int, fingerprint: str) -> Snapshot | None:
        """Return the latest snapshot at or before `upto` that fits. Stale ones are passed over."""
        battle = self._of(line)
        for segment in reversed(segments(battle.lines, line, 0, min(upto, self.head(line).seq))):
            kept = battle.snapshots[segment.line_id]
            hashes = {record.seq: record.hash for record in battle.stretch(segment) if record.seq in kept}
            fit = [
                seq for seq, here in hashes.items() if (kept[seq].hash, kept[seq].fingerprint) == (here, fingerprint)
            ]
            if fit:
                return kept[max(fit)]
        return None

    def clear_snapshots(self, battle: str) -> int:
        """Throw away a battle's snapshots; return how many there were."""
        if battle not in self._battles:
            return 0
        shelves = self._battles[battle].snapshots.values()
        count = sum(map(len, shelves))
        for shelf in shelves:
            shelf.clear()
        return count

    def outbox(self) -> MemoryOutbox:
        """Return the messages on their way out."""
        self._check_open()
        return self._outbox

    # ------------------------------------------------------------------------------------------------- looking after

    def health(self) -> Health:
        """Return how much the log holds. It is whole, and promises nothing beyond its own life."""
        battles = self._battles.values()
        events = sum(len(own) for battle in battles for own in battle.events.values())
        snapshots = sum(len(kept) for battle in battles for kept in battle.snapshots.values())
        return Health("ok", "none (in memory)", len(battles), events, snapshots, 0, 0, "memory")

    def back_up(self, path: Path) -> None:
        """Raise `LogUnusable`: what is in memory alone is kept by exporting its battles."""
        raise LogUnusable(f"{self.name} has no file to back up: export its battles")
