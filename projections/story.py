"""The story of a battle: what happened in a stretch of the record, in lines, and which of them tell an outcome.

A caption tells one event; a story tells what people would: a blow with its roll, place and effect in one line. A rule
set has a story of its own (`Fold.story`), or says with `by_lines` which of its facts are details and which go together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from events.corrections import Corrected, FactStated, Modified, Superseded
from events.facts import (
    COMMON,
    ActOpened,
    BattleEnded,
    Event,
    Noted,
    OrderLapsed,
    RollCalled,
    RulingGiven,
    SeatTaken,
    TurnBegan,
)

Told: TypeAlias = tuple[Event, Any, str]
"""An event, the state before it, its caption."""

Story: TypeAlias = Callable[[Iterable[Told], bool], Iterator[str]]
"""Tells events in lines of its own; True for outcomes alone."""

Level: TypeAlias = Literal["heading", "outcome", "detail"]
"""A heading stands above what follows; an outcome changes the battle; a detail says how it came about."""

_HEADINGS: Final = (ActOpened, TurnBegan)
_OUTCOMES: Final = (
    BattleEnded, OrderLapsed, RulingGiven, Noted, SeatTaken, FactStated, Modified, Corrected, Superseded,
)  # fmt: skip
"""Common facts that tell an outcome. The other common facts, such as rolls, seals and deadlines, are details."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of the story: its text, and what it is."""

    text: str
    level: Level


Merge: TypeAlias = Callable[[Sequence[Told]], Mapping[int, Line | None]]
"""Gives lines of its own for some of the events, by their place in the sequence; None where another line tells them."""


def by_lines(details: Collection[type[Event]] = (), merge: Merge | None = None) -> Story:
    """Return a story in which each event is a line, but for those that `merge` tells together.

    A brief one leaves out `details`, and headings with nothing below them; calls for rolls are always left out, since
    the roll itself tells them. Equal lines under one heading are told once in brief.
    """
    silent = frozenset(details)

    def story(told: Iterable[Told], brief: bool) -> Iterator[str]:
        events = list(told)
        merged = merge(events) if merge is not None else {}
        lines = [merged[at] if at in merged else _line(each, silent) for at, each in enumerate(events)]
        kept = [line for line in lines if line is not None]
        for line in outcomes(kept) if brief else kept:
            yield line.text if line.level == "heading" else f"    {line.text}"

    return story


def outcomes(lines: Iterable[Line]) -> Iterator[Line]:
    """Keep outcomes, each once under a heading, and the headings that have any below them."""
    heading: Line | None = None
    said: set[str] = set()
    for line in lines:
        if line.level == "heading":
            heading, said = line, set()
        elif line.level == "outcome" and line.text not in said:
            if heading is not None:
                yield heading
                heading = None
            said.add(line.text)
            yield line


def _line(told: Told, details: frozenset[type[Event]]) -> Line | None:
    event, _, caption = told
    return None if isinstance(event, RollCalled) else Line(caption, level_of(event, details))


def level_of(event: Event, details: Collection[type[Event]] = ()) -> Level:
    """Return the level of an event told by itself: a rule set's own facts are outcomes unless they are details."""
    if isinstance(event, _HEADINGS):
        return "heading"
    if isinstance(event, RulingGiven):
        return "detail" if event.by_default else "outcome"
    if isinstance(event, _OUTCOMES):
        return "outcome"
    return "detail" if type(event) in details or isinstance(event, COMMON) else "outcome"
