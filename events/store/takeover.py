"""Taking over a battle that was recorded elsewhere: every event is checked before a store writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from events.facts import Kind
from events.store.chain import Chain
from events.store.errors import RecordBroken
from events.store.log import MAIN, check_links, origin_of
from events.store.record import Head, Line, Recorded, line_text, request_of, type_of
from events.store.sealing import check_header, check_sealed, repeated_key

_KINDS = frozenset(get_args(Kind))
_BEYOND = 2**63


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


def _unfit(record: Recorded) -> str:
    if record.kind not in _KINDS:
        return f"no event is of kind {record.kind!r}"
    if not 0 < record.act <= record.seq:
        return f"it cannot belong to an act that begins at {record.act}"
    if not 0 <= record.at < _BEYOND:
        return f"its time cannot be {record.at}"
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
        if why:
            raise RecordBroken(line.name, 0, why)
        known[line.name] = line
    return known
