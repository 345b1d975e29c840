"""The story of a battle: what happened in a stretch of the record, in lines, and which of them tell an outcome.

A caption tells one event; a story tells what people would: a blow with its roll, place and effect in one line. A rule
set says which of its facts are details, and may merge several events into a line (`Fold.details`, `Fold.merge`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from events.corrections import Corrected, FactStated, Modified, Superseded
from events.facts import (
    COMMON,
    BattleEnded,
    Event,
    Noted,
    OrderLapsed,
    RollCalled,
    RulingGiven,
    SeatTaken,
    TurnBegan,
)

Level: TypeAlias = Literal["heading", "outcome", "detail"]
"""A heading stands above what follows; an outcome changes the battle; a detail says how it came about."""

Told: TypeAlias = tuple[Event, Any]
"""An event with the state before it."""

_OUTCOMES: Final = (
    BattleEnded,
    OrderLapsed,
    RulingGiven,
    Noted,
    SeatTaken,
    FactStated,
    Modified,
    Corrected,
    Superseded,
)
"""Common facts that tell an outcome. The other common facts, such as rolls, seals and deadlines, are details."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of the story: its text, and what it is."""

    text: str
    level: Level


Merge: TypeAlias = Callable[[Sequence[Told]], Mapping[int, Line | None]]
"""Gives lines of its own for some of the events, by their place in the sequence; None where another line tells them."""


def story(
    told: Sequence[Told], caption: Callable[[Event, Any], str], details: frozenset[type[Event]], merge: Merge | None
) -> list[Line]:
    """Tell events in lines. Calls for rolls are left out: the roll itself tells them."""
    merged = merge(told) if merge is not None else {}
    lines = []
    for place, (event, before) in enumerate(told):
        line = merged[place] if place in merged else _line(event, before, caption, details)
        if line is not None:
            lines.append(line)
    return lines


class Brief:
    """Keeps outcomes, and the headings that have any below them; equal lines under one heading are told once.

    It is fed as the battle goes on: a heading waits for the first outcome below it.
    """

    def __init__(self) -> None:
        self._heading: Line | None = None
        self._said: set[str] = set()

    def keep(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Return what is kept of the lines that come next."""
        for line in lines:
            if line.level == "heading":
                self._heading, self._said = line, set()
            elif line.level == "outcome" and line.text not in self._said:
                if self._heading is not None:
                    yield self._heading
                    self._heading = None
                self._said.add(line.text)
                yield line


def _line(
    event: Event, before: Any, caption: Callable[[Event, Any], str], details: frozenset[type[Event]]
) -> Line | None:
    if isinstance(event, RollCalled):
        return None
    return Line(caption(event, before), level_of(event, details))


def level_of(event: Event, details: frozenset[type[Event]]) -> Level:
    """Return the level of an event told by itself: of a rule set's own facts those are outcomes that are no details."""
    if isinstance(event, TurnBegan):
        return "heading"
    if isinstance(event, RulingGiven):
        return "detail" if event.by_default else "outcome"
    if isinstance(event, _OUTCOMES):
        return "outcome"
    return "detail" if type(event) in details or isinstance(event, COMMON) else "outcome"
