"""The lines of a battle: which one is the battle now, and what became of the others."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from events.log import MAIN, Log
from events.record import Line

Standing: TypeAlias = Literal["in force", "superseded", "NOT PLAYED"]
_SUPERSEDED = "ruling.superseded"


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


def superseded_by(log: Log, line: Line) -> str:
    """Return the line that has put this one right, or an empty text. Constant cost."""
    head = log.head(line).seq
    last = next(log.records(line, head - 1, head), None)
    if last is None or last.type != _SUPERSEDED or last.line != line.name:
        return ""
    return str(msgspec.json.decode(last.body)["by_line"])


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
