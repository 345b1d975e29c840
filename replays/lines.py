"""The lines of a battle: which one is the battle now, and what became of the others."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from events.catalogue import EventUnreadable, common_facts
from events.corrections import EditionAdopted, Superseded
from events.event import Event
from events.facts import BattleOpened, SecretRevealed
from events.store.errors import RecordBroken
from events.store.log import MAIN, Log
from events.store.record import Line, Recorded

Standing: TypeAlias = Literal["in force", "superseded", "NOT PLAYED"]


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


def read(record: Recorded) -> Event:
    """Read a fact that every battle shares; one of a rule set comes back as `Unknown`. Raises `EventUnreadable`."""
    return common_facts().read(record.body, record.seq)


def opening_of(log: Log, battle: str) -> BattleOpened:
    """Return the opening of a battle. Raises `BattleUnknown`, `RecordBroken` for a record that has none."""
    line = log.line(battle, MAIN)
    first = next(log.records(line, 0, 1), None)
    opened = read(first) if first is not None else None
    if not isinstance(opened, BattleOpened):
        raise RecordBroken(line.name, 1, "a battle must begin with its opening")
    return opened


def own_start(line: Line) -> int:
    """Return the event after which a line's own events begin."""
    return line.after if line.parent is not None else 0


def closing_of(log: Log, line: Line) -> list[Recorded]:
    """Return the events by which a line was closed when it was superseded; none if it is open. Constant cost."""
    head = log.head(line).seq
    ends = [each for each in log.records(line, max(0, head - 2), head) if each.line == line.name]
    if not ends or ends[-1].kind != Superseded.kind or not isinstance(read(ends[-1]), Superseded):
        return []
    beside = len(ends) > 1 and ends[0].act == ends[0].seq and isinstance(read(ends[0]), SecretRevealed)
    return ends if beside else ends[-1:]


def superseded_by(log: Log, line: Line) -> str:
    """Return the line that has taken the place of this one, or an empty text. Constant cost."""
    head = log.head(line).seq
    last = next(log.records(line, head - 1, head), None)
    if last is None or last.line != line.name or last.kind != Superseded.kind:
        return ""
    event = read(last)
    return event.by_line if isinstance(event, Superseded) else ""


def label(log: Log, line: Line) -> str:
    """Return what must stand beside everything that is shown of a line; empty if it is the battle. Constant cost."""
    if not line.played:
        return f"line {line.name}: NOT PLAYED ({line.why})"
    by = superseded_by(log, line)
    return f"line {line.name}: superseded by {by}" if by else ""


def adopted(log: Log, battle: str) -> Line:
    """Return the line that is the battle now: `main`, or what superseded it, as often as that happened."""
    return successive(log, battle)[-1]


def successive(log: Log, battle: str) -> list[Line]:
    """Return the lines that were the battle, one after another; the last one is the battle now.

    A line that was adopted again stands there again. A record in which lines lead in a circle ends where it closes.
    """
    lines = [log.line(battle, MAIN)]
    while by := superseded_by(log, lines[-1]):
        following = log.line(battle, by)
        if following in lines:
            break
        lines.append(following)
    return lines


def standings(log: Log, battle: str) -> list[LineStanding]:
    """Return every line of a battle with its standing, oldest first."""
    found = []
    for line in log.lines(battle):
        head, by = log.head(line).seq, superseded_by(log, line)
        standing: Standing = "NOT PLAYED" if not line.played else "superseded" if by else "in force"
        own = head - own_start(line)
        found.append(
            LineStanding(line.name, line.parent, line.after, head, own, standing, by, line.actor, line.why)
        )  # fmt: skip
    return found


def tables_in(record: Recorded) -> list[str]:
    """Return the digest of the rule tables that an event puts in force, if it does."""
    if record.kind not in (BattleOpened.kind, EditionAdopted.kind):
        return []
    try:
        event = read(record)
    except EventUnreadable:
        return []  # whoever reads the event says what is wrong with it
    return [event.tables] if isinstance(event, BattleOpened | EditionAdopted) and event.tables else []


def tables_named(log: Log, battle: str) -> list[str]:
    """Return the digests of all rule tables that a battle was ever fought by, on any line. O(events)."""
    found: dict[str, None] = {}
    for line in log.lines(battle):
        for record in log.records(line, own_start(line)):
            found.update(dict.fromkeys(tables_in(record)))
    return list(found)
