"""Dice and rulings kept from a line that was corrected: the same roll shows the same faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from engine.driver import Question, Source
from events.corrections import Corrected
from events.facts import DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, SecretRevealed
from events.store.log import Log
from projections.battle_state import State
from projections.dice.rolls import read_roll
from projections.fold import Fold
from replays.seek import state_at
from replays.view import view_line

_KEPT = (RollCalled, DiceRolled, RulingGiven)


class PriorRoll(NamedTuple):
    """A roll of an old line: its call, how it fell, and the line."""

    call: RollCalled
    rolled: DiceRolled
    line: str


class Memory(NamedTuple):
    """What is kept of old lines, by key. A key that came twice is kept as it came last."""

    rolls: Mapping[str, PriorRoll]
    rulings: Mapping[str, RulingGiven]

    def over(self, older: Memory) -> Memory:
        """Return this memory with an older one beneath it."""
        return Memory({**older.rolls, **self.rolls}, {**older.rulings, **self.rulings})

    def without(self, keys: Iterable[str]) -> Memory:
        """Return the memory without some keys: what is to be thrown, or answered, anew."""
        gone = frozenset(keys)
        if not gone:
            return self
        rulings = {key: given for key, given in self.rulings.items() if key not in gone}
        return Memory({key: fallen for key, fallen in self.rolls.items() if key not in gone}, rulings)


NOTHING = Memory({}, {})


def remember(events: Iterable[Event], line: str) -> Memory:
    """Gather the dice and rulings of a stretch of a line."""
    called: dict[str, RollCalled] = {}
    rolls: dict[str, PriorRoll] = {}
    rulings: dict[str, RulingGiven] = {}
    for event in events:
        match event:
            case RollCalled():
                called[event.key] = event
            case DiceRolled() if event.key in called:
                rolls[event.key] = PriorRoll(called[event.key], event, line)
            case RulingGiven():
                rulings[event.key] = event
    return Memory(rolls, rulings)


def recall(log: Log, fold: Fold, battle: str, corrected: Corrected | None) -> Memory:
    """Return what a correction keeps: the dice and rulings of the stretch that it replaced.

    What that line kept itself, and had not come to yet, is beneath. Cost: reading the stretches that were replaced.
    """
    chain = []
    while corrected is not None:
        chain.append(corrected)
        line = log.line(battle, corrected.of_line)
        corrected = state_at(log, fold, line, corrected.head).table.corrected
    memory = NOTHING
    for each in reversed(chain):
        old = view_line(log, fold, log.line(battle, each.of_line))
        kept = old.events(*_KEPT, after=_calls_before(log, fold, battle, each), upto=each.head)
        stretch = remember((event for _, event in kept), each.of_line)
        memory = stretch.over(memory).without(each.fresh)
    return memory


def _calls_before(log: Log, fold: Fold, battle: str, corrected: Corrected) -> int:
    """Return where to begin reading: if the stretch begins within an act that waits, its calls stand before it."""
    table = state_at(log, fold, log.line(battle, corrected.of_line), corrected.after).table
    return table.act.seq if table.waiting and table.act is not None else corrected.after


class ReusedDice:
    """A source that answers from memory where it can, and otherwise leaves it to `other`.

    `memory` is asked for when it is first needed. `entered` gives faces, and `ruled` answers, that the referee puts in
    place of others. A roll is kept only if the same dice are called for.
    """

    def __init__(
        self,
        memory: Callable[[], Memory],
        other: Source,
        entered: Mapping[str, tuple[int, ...]] | None = None,
        ruled: Mapping[str, RulingGiven] | None = None,
    ) -> None:
        self._memory = memory
        self._other = other
        self._entered = entered or {}
        self._ruled = ruled or {}

    def answer(self, question: Question, state: State) -> Event | None:
        """Answer from what the referee put in, from memory, or from the other source."""
        if isinstance(question, RulingRequested):
            old = self._ruled.get(question.key) or self._memory().rulings.get(question.key)
            fits = old is not None and (not question.choices or old.answer in question.choices)
            return old if fits else self._other.answer(question, state)
        turn = state.table.turn
        if question.key in self._entered:
            faces = self._entered[question.key]
            reading = read_roll(question, faces)
            return DiceRolled(question.key, faces, reading.total, reading.success, "entered", turn)
        fallen = self._memory().rolls.get(question.key)
        if fallen is None or fallen.call.dice != question.dice:
            return self._other.answer(question, state)
        faces, line = fallen.rolled.faces, fallen.line
        reading = read_roll(question, faces)
        return DiceRolled(question.key, faces, reading.total, reading.success, "kept", turn, kept_from=line)

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Leave the secrets to the other source."""
        return self._other.reveal(turn, state)
