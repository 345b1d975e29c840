"""The lines of a battle: which one is the battle now, and what became of the others."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from events.store.log import MAIN, Log
from events.store.record import Line, Recorded

Standing: TypeAlias = Literal["in force", "superseded", "NOT PLAYED"]
_SUPERSEDED = "ruling.superseded"
_REVEALED = "clock.secret_revealed"
_OPENED, _EDITION = '"type":"table.battle_opened"', '"type":"ruling.edition_adopted"'


class LineStanding(msgspec.Struct, frozen=True, gc=False):
    """A line with its standing. `own` counts the events that it does not share with its parent."""

    name: str
    parent: str | None
    after: int
    head: int
    own: int
    standing: Standing
    superseded_by: str
    actor: str
    why: str


def closing_of(log: Log, line: Line) -> list[Recorded]:
    """Return the events by which a line was closed when it was put right; none if it is open. Constant cost."""
    head = log.head(line).seq
    ends = [each for each in log.records(line, max(0, head - 2), head) if each.line == line.name]
    if not ends or ends[-1].type != _SUPERSEDED:
        return []
    beside = len(ends) > 1 and ends[0].type == _REVEALED and ends[0].act == ends[0].seq
    return ends if beside else ends[-1:]


def superseded_by(log: Log, line: Line) -> str:
    """Return the line that has put this one right, or an empty text. Constant cost."""
    closing = closing_of(log, line)
    return str(msgspec.json.decode(closing[-1].body)["by_line"]) if closing else ""


def label(log: Log, line: Line) -> str:
    """Return what must stand beside everything that is shown of a line; empty if it is the battle. Constant cost."""
    if not line.played:
        return f"line {line.name}: NOT PLAYED"
    by = superseded_by(log, line)
    return f"line {line.name}: put right by {by}" if by else ""


def adopted(log: Log, battle: str) -> Line:
    """Return the line that is the battle now: `main`, or what has put it right, as often as that was done."""
    line = log.line(battle, MAIN)
    while by := superseded_by(log, line):
        line = log.line(battle, by)
    return line


def standings(log: Log, battle: str) -> list[LineStanding]:
    """Return every line of a battle with its standing, oldest first."""
    found = []
    for line in log.lines(battle):
        head, by = log.head(line).seq, superseded_by(log, line)
        standing: Standing = "NOT PLAYED" if not line.played else "superseded" if by else "in force"
        own = head - line.after if line.parent is not None else head
        found.append(
            LineStanding(line.name, line.parent, line.after, head, own, standing, by, line.actor, line.why)
        )  # fmt: skip
    return found


class _Named(msgspec.Struct, frozen=True, gc=False):
    tables: str = ""


_NAMED = msgspec.json.Decoder(_Named)


def tables_in(body: str) -> list[str]:
    """Return the digest of the rule tables that an event puts in force, if it does.

    >>> tables_in('{"type":"table.battle_opened","tables":"8c00"}')
    ['8c00']
    """
    if _OPENED not in body and _EDITION not in body:
        return []
    try:
        digest = _NAMED.decode(body).tables
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return []  # whoever reads the event says what is wrong with it
    return [digest] if digest else []


def tables_named(log: Log, battle: str) -> list[str]:
    """Return the digests of all rule tables that a battle was ever fought by, on any line. O(events)."""
    found: dict[str, None] = {}
    for line in log.lines(battle):
        for page in log.bodies(line, line.after if line.parent is not None else 0):
            for body in page:
                found.update(dict.fromkeys(tables_in(body)))
    return list(found)
