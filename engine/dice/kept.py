"""Dice and rulings kept from a line that was put right: the same roll shows the same faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.driver import Question, Source
from events.facts import DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, SecretRevealed
from projections.rolls import read_roll
from projections.table import State


class Fallen(NamedTuple):
    """A roll of the old line: its call and how it fell."""

    call: RollCalled
    rolled: DiceRolled


class Memory(NamedTuple):
    """What is kept of an old line, by key. A key that came twice is kept as it came last."""

    rolls: Mapping[str, Fallen]
    rulings: Mapping[str, RulingGiven]


def remember(events: Iterable[Event]) -> Memory:
    """Gather the dice and rulings of a stretch of events."""
    called: dict[str, RollCalled] = {}
    rolls: dict[str, Fallen] = {}
    rulings: dict[str, RulingGiven] = {}
    for event in events:
        match event:
            case RollCalled():
                called[event.key] = event
            case DiceRolled() if event.key in called:
                rolls[event.key] = Fallen(called[event.key], event)
            case RulingGiven():
                rulings[event.key] = event
    return Memory(rolls, rulings)


class Kept:
    """A source that answers from memory where it can, and otherwise leaves it to `other`.

    `fresh` names rolls that are thrown anew; `entered` gives faces that the referee puts in place of others. A roll is
    kept only if the same dice are called for.
    """

    def __init__(
        self,
        memory: Memory,
        line: str,
        other: Source,
        fresh: Iterable[str] = (),
        entered: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self._memory = memory
        self._line = line
        self._other = other
        self._fresh = frozenset(fresh)
        self._entered = entered or {}

    def answer(self, question: Question, state: State) -> Event | None:
        """Answer from what the referee put in, from memory, or from the other source."""
        if isinstance(question, RulingRequested):
            old = self._memory.rulings.get(question.key)
            fits = old is not None and (not question.choices or old.answer in question.choices)
            return old if fits else self._other.answer(question, state)
        if question.key in self._entered:
            return self._roll(question, self._entered[question.key], state, "entered")
        fallen = self._memory.rolls.get(question.key)
        if fallen is None or question.key in self._fresh or fallen.call.dice != question.dice:
            return self._other.answer(question, state)
        return self._roll(question, fallen.rolled.faces, state, "kept")

    def _roll(self, call: RollCalled, faces: tuple[int, ...], state: State, source: str) -> DiceRolled:
        reading = read_roll(call, faces)
        turn = state.table.turn
        if source == "entered":
            return DiceRolled(call.key, faces, reading.total, reading.success, "entered", turn)
        return DiceRolled(call.key, faces, reading.total, reading.success, "kept", turn, kept_from=self._line)

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Leave the secrets to the other source."""
        return self._other.reveal(turn, state)
