"""Taking over a battle that was recorded elsewhere: every event is checked before a store writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from tempfile import TemporaryFile
from typing import Self, get_args

import msgspec

from events.facts import Kind
from events.store.chain import Chain
from events.store.errors import LogUnusable, NameInvalid, RecordBroken
from events.store.log import MAIN, check_links, origin_of
from events.store.names import check_name
from events.store.record import Head, Line, Recorded, line_text, request_of, type_of
from events.store.sealing import check_header, check_sealed, repeated_key

_KINDS = frozenset(get_args(Kind))
_BEYOND = 2**63
_BATCH = 1000
_RUNS_IN_MEMORY = 32
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(list[Recorded]).decode


class Takeover:
    """Follows the lines of one battle as their events come in, in runs of one line each. It writes nothing itself.

    `lines` name parents before their forks. Raises `RecordBroken` with event 0 if they do not make a battle.
    """

    def __init__(self, battle: str, lines: Sequence[Line]) -> None:
        self.lines = _check_lines(battle, lines)
        self._chains = {line.name: Chain(line) for line in lines}
        self._ends: dict[str, Head] = {MAIN: Head(0, origin_of(lines[0]))}
        self._numbers: set[int] = set()
        self.number = 0
        self._forks: dict[str, dict[int, list[str]]] = {line.name: {} for line in lines}
        for line in lines[1:]:
            self._forks[self._owner(line)].setdefault(line.after, []).append(line.name)
        self._requests: set[str] = set()

    def _owner(self, fork: Line) -> str:
        """Return the name of the line that holds the event after which a line forks: its parent or one further up."""
        line = self.lines[str(fork.parent)]
        while line.parent is not None and fork.after <= line.after:
            line = self.lines[line.parent]
        return line.name

    def check(self, run: Sequence[Recorded]) -> None:
        """Check the next events, all of one line. Raises `RecordBroken`, which names the first that does not hold."""
        name = run[0].line
        chain, end = self._chains.get(name), self._ends.get(name)
        if chain is None:
            raise RecordBroken(name, run[0].seq, "the battle has no such line")
        if end is None:
            raise RecordBroken(name, run[0].seq, "the event after which the line forks has not come before it")
        try:
            line = self.lines[name]
            self._ends[name] = check_sealed(line, end, run) if line.text else check_links(chain, end, run)
        except RecordBroken as error:
            self._check_fields(run[: error.seq - end.seq - 1])
            raise
        self._check_fields(run)
        forks = self._forks[name]
        for seq in [seq for seq in forks if seq <= end.seq + len(run)]:
            self._ends.update(dict.fromkeys(forks.pop(seq), Head(seq, run[seq - end.seq - 1].hash)))

    def _check_fields(self, run: Sequence[Recorded]) -> None:
        """Check what a hash cannot tell: that each event is one that a log would have taken in the first place."""
        used = self._requests
        for record in run:
            request = request_of(record)
            if (
                record.kind not in _KINDS
                or not 0 < record.act <= record.seq
                or not 0 <= record.at < _BEYOND
                or not 0 < record.position < _BEYOND
                or type_of(record.body) is None
                or request in used
            ):
                raise RecordBroken(record.line, record.seq, _unfit(record))
            if self.lines[record.line].text:
                self._check_sealed_fields(record)
            if request is not None:
                used.add(request)

    def _check_sealed_fields(self, record: Recorded) -> None:
        """Check what a link of format 2 cannot tell: header against body, one meaning, a number of its own."""
        why = check_header(record) or repeated_key(record.header) or repeated_key(record.body)
        if record.position in self._numbers:
            why = why or f"another event of the battle has its number, {record.position}"
        if why:
            raise RecordBroken(record.line, record.seq, why)
        self._numbers.add(record.position)
        self.number = max(self.number, record.position)

    def finish(self) -> None:
        """Check that nothing is missing at the end. Raises `RecordBroken`."""
        if self._ends[MAIN].seq == 0:
            raise RecordBroken(MAIN, 1, "an event is missing: the battle has none")
        for name, line in self.lines.items():
            if line.text and self._ends.get(name, Head(line.after, "")).seq == line.after:
                raise RecordBroken(name, line.after + 1, "an event is missing: every line has one of its own")
        for owner, forks in self._forks.items():
            for seq, names in forks.items():
                raise RecordBroken(owner, seq, f"an event is missing: line {names[0]} forks after it")


class Incoming:
    """The events of a battle that is taken over: checked as they come in, kept aside, then handed on to be written.

    So a slow source keeps nobody waiting who writes. What is small stays in memory, the rest goes to a temporary file.
    Use as a context manager.
    """

    def __init__(self, battle: str, lines: Sequence[Line]) -> None:
        self._takeover = Takeover(battle, lines)
        self._spool = TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._first: list[list[Recorded]] = []
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()

    @property
    def number(self) -> int:
        """The number of the battle's last event in record format 2, 0 if it has none of that format."""
        return self._takeover.number

    def read(self, records: Iterable[Recorded]) -> None:
        """Take in and check every event. Raises `RecordBroken`, or `LogUnusable` if there is no room to keep them."""
        for _, group in groupby(records, attrgetter("line")):
            while run := list(islice(group, _BATCH)):
                self._takeover.check(run)
                self._keep(run)
                self.count += len(run)
        self._takeover.finish()

    def _keep(self, run: list[Recorded]) -> None:
        if len(self._first) < _RUNS_IN_MEMORY:
            self._first.append(run)
            return
        kept = _ENCODE(run)
        try:
            self._spool.write(len(kept).to_bytes(8, "big") + kept)
        except OSError as error:
            told = f"there is no room to keep the record while it is checked: {error.strerror or error}"
            raise LogUnusable(told) from error

    def runs(self) -> Iterator[list[Recorded]]:
        """Yield the events in the order in which they came, in runs of one line each."""
        yield from self._first
        self._spool.seek(0)
        while size := self._spool.read(8):
            yield _DECODE(self._spool.read(int.from_bytes(size, "big")))


def _unfit(record: Recorded) -> str:
    if record.kind not in _KINDS:
        return f"no event is of kind {record.kind!r}"
    if not 0 < record.act <= record.seq:
        return f"it cannot belong to an act that begins at {record.act}"
    if not 0 <= record.at < _BEYOND:
        return f"its time cannot be {record.at}"
    if not 0 < record.position < _BEYOND:
        return f"its position cannot be {record.position}"
    if type_of(record.body) is None:
        return "its body is not a JSON object with a type"
    return f"its request {record.request!r} came before"


def _check_lines(battle: str, lines: Sequence[Line]) -> dict[str, Line]:
    if not lines:
        raise RecordBroken(MAIN, 0, "the battle has no line")
    known: dict[str, Line] = {}
    for line in lines:
        why = ""
        if line.battle != battle:
            why = f"it is filed under battle {line.battle!r}, not {battle!r}"
        elif line.name in known:
            why = "two lines share its name"
        elif not known and (line.name != MAIN or line.parent is not None or line.after != 0):
            why = f"the first line of a battle is {MAIN!r}, which forks from none"
        elif known and (line.parent not in known or not 0 < line.after < _BEYOND):
            why = f"it does not fork from an event of a line before it ({line.parent}, {line.after})"
        elif not 0 <= line.at < _BEYOND:
            why = f"its time cannot be {line.at}"
        elif line.text and line.text != line_text(line):
            why = "it is filed otherwise than its text says"
        elif not line.text and line.parent is not None and known[line.parent].text:
            why = "it is of an older format than the line that it forks from"
        why = why or _bad_name(line)
        if why:
            raise RecordBroken(line.name, 0, why)
        known[line.name] = line
    return known


def _bad_name(line: Line) -> str:
    try:
        check_name("battle", line.battle)
        check_name("line", line.name)
    except NameInvalid as error:
        return str(error)
    return ""
