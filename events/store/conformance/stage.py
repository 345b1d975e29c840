"""The stage of the tests: battles to begin with, and what a test is written with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from events.facts import BattleOpened, Noted, Seat
from events.store.chain import Chain, origin
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Draft, Line, Recorded, Request

E = TypeVar("E", bound=Exception)

AT = 1_790_000_000_000_000
OPENED = BattleOpened("Sel's ford", "dresda", "1", (Seat("red", "Rot"), Seat("blue", "Blau")), "")
UNICODE = ("Ærøskøbing ⚔", "Füßé", "雪の戦い", "🐉🔥", "e\u0301", 'quote " \\ slash', "tab\tnul\0", "")


def notes(*texts: str, actor: str = "red", act: int = 0) -> list[Draft]:
    """Return drafts of notes, which any battle may hold."""
    return [Draft(Noted(text), actor, act) for text in texts]


def begun(log: Log, battle: str = "ford", further: int = 0) -> Line:
    """Begin a battle of 1 + `further` events; return its main line."""
    log.begin(battle, [Draft(OPENED, "referee")], AT)
    line = log.line(battle)
    if further:
        log.append(line, notes(*map(str, range(2, further + 2))), 1, AT)
    return line


def branched(log: Log) -> tuple[Line, Line, Line]:
    """Begin a battle with a line that forks from `main` after 4 and one that forks from that after 6."""
    main = begun(log, further=5)
    first = log.fork(main, "first", 4, AT, "referee", "what if", played=False)
    log.append(first, notes("first 5", "first 6", "first 7"), 4, AT)
    second = log.fork(first, "second", 6, AT, "red", "and then", played=True)
    log.append(second, notes("second 7"), 6, AT)
    return main, first, second


def texts(log: Log, line: Line, after: int = 1, upto: int | None = None) -> list[str]:
    """Return the texts of a line's notes, by way of the bodies."""
    bodies = [body for page in log.bodies(line, after, upto) for body in page]
    assert bodies == [record.body for record in log.records(line, after, upto)]
    return [body.split('"text":"')[1][:-2] for body in bodies]


def record_of(log: Log, battle: str = "ford") -> tuple[list[Line], list[Recorded]]:
    """Return a battle as an export holds it: its lines, and the own events of each."""
    lines = log.lines(battle)
    return lines, [record for line in lines for record in log.records(line, line.after)]


def refusal(kind: type[E], act: Callable[[], object]) -> E:
    """Return the error that an act must raise. Its message is one line, for people."""
    try:
        act()
    except kind as error:
        refused = error
    else:
        raise AssertionError(f"no {kind.__name__} was raised")
    assert str(refused)
    assert "\n" not in str(refused)
    return refused


def _flip(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


CHANGES: dict[str, Callable[[Any], object]] = {
    "position": lambda position: 0,
    "battle": lambda battle: "hill",
    "line": lambda line: "other",
    "seq": lambda seq: seq + 1,
    "act": lambda act: act - 1 or 2,
    "kind": lambda kind: "roll",
    "body": lambda body: f"{body[:-2]}!{body[-2:]}",
    "actor": lambda actor: actor + "x",
    "at": lambda at: at + 1,
    "request": lambda request: f"{request}x",
    "prev": _flip,
    "hash": _flip,
}
"""A change to each field of a recorded event that `check_links` must find."""


def record_of_forty() -> tuple[list[Line], list[Recorded]]:
    source = MemoryLog()
    source.begin("ford", [Draft(OPENED, "referee")], AT)
    main = source.line("ford")
    for seq in range(1, 40):
        source.append(main, notes(f"text {seq}"), seq, AT, Request(f"key {seq}", ""))
    return record_of(source)


def rechained(line: Line, records: Sequence[Recorded]) -> list[Recorded]:
    """Return events with hashes worked out anew, as a forger would."""
    chain, prev, made = Chain(line), origin(line.battle), []
    for record in records:
        body = record.body.encode()
        link = prev, record.seq, record.act, record.kind, record.actor, record.at, record.request, body
        made.append(replace(record, prev=prev, hash=chain.link(*link)))
        prev = made[-1].hash
    return made


class Deferred:
    """Base of the tests. `open_log` opens the store of that name; the same name again, the same store once more."""

    def open_log(self, store: str = "first") -> Log:
        """Open the store called `store` in this test; make it if this test has not had it yet."""
        raise NotImplementedError
