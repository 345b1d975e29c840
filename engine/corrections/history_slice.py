"""The stretch of a line that a correction is about: its inputs, its rolls, and which of them are thrown anew."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import Battle
from engine.corrections.inputs import Input, inputs_of
from engine.errors import CorrectionRefused
from events.corrections import Corrected, Correction, CorrectionAsked, Deferred, DicePolicy, Modified, WhatIfOpened
from events.facts import (
    ActOpened,
    DiceCommitted,
    DiceRolled,
    Event,
    Revealed,
    RollCalled,
    RulingGiven,
    RulingRequested,
    SecretRevealed,
)
from projections.battle_state import State
from replays.lines import read
from replays.seek import Frame, steps

_LOOK_BACK = 64
"""How many events are read at first to find the input that an event goes back to."""


_BY_NOBODY = (SecretRevealed, Corrected, Deferred, Modified, DiceCommitted, WhatIfOpened)
"""Facts that no person has caused: they belong to what comes before or after them."""


def find_input(battle: Battle, seq: int, *, answers: bool, said: bool = True) -> Input:
    """Return the input that an event goes back to: itself, or the one that set its act going.

    With `answers` a die or a ruling given by hand is an input too, otherwise only a part of its act. What was said
    beside the record is one only if it is the event itself, and not even then without `said`. Raises
    `CorrectionRefused`.
    """
    if not 0 < seq <= battle.seq:
        raise CorrectionRefused(f"there is no event {seq}: line {battle.line.name} ends at {battle.seq}")
    back = _LOOK_BACK
    while True:
        begin = max(0, seq - back)
        way = list(steps(battle.log, battle.fold, battle.line, begin, seq))
        found = [
            item
            for item in inputs_of(way, battle.rules, battle.tables_of, battle.log.secret)
            if not isinstance(item.event, Deferred)
            and (item.plays or (answers and item.form == "answer") or (said and item.form == "said" and item.at == seq))
        ]
        if found and (found[-1].seq > begin + 1 or not begin):
            return found[-1]
        if not begin:
            raise CorrectionRefused("the opening of a battle cannot be corrected: open another battle")
        back *= 4


def last_input(battle: Battle) -> Input:
    """Return the last thing that somebody did, notes and bookmarks aside. Raises `CorrectionRefused`."""
    return find_input(battle, battle.seq, answers=True, said=False)


def first_after(battle: Battle, seq: int) -> int:
    """Return the first event after a point that an undo would go back before. Raises `CorrectionRefused`.

    A secret that comes out when a turn begins belongs to the turn that is over; a line's own beginning is nobody's act.
    """
    for record in battle.log.records(battle.line, seq):
        if not isinstance(read(record), _BY_NOBODY):
            return record.seq
    raise CorrectionRefused(f"nothing has happened since event {seq}: leave POINT out to take back what was last")


class HistorySlice:
    """What stands on a line after event `after`, read once. Cost: folding it from the nearest snapshot."""

    def __init__(self, battle: Battle, after: int) -> None:
        self.battle = battle
        self.after = after
        self.way = list(steps(battle.log, battle.fold, battle.line, after, battle.seq))
        self.inputs = inputs_of(self.way, battle.rules, battle.tables_of, battle.log.secret)

    @property
    def before(self) -> State:
        """The state in which the stretch begins."""
        return self.way[0].before

    def step_at(self, seq: int) -> Frame:
        """Return an event of the stretch."""
        return self.way[seq - self.after - 1]

    def events(self) -> list[Event]:
        """Return the events of the stretch, with the calls before them if it begins within an act that waits."""
        waiting = (*self.before.table.called.values(), *self.before.table.asked.values())
        return [*waiting, *(step.event for step in self.way)]

    def call_of(self, seq: int) -> RollCalled:
        """Return the call of a roll, given the event of the call or of the dice. Raises `CorrectionRefused`."""
        step = self.step_at(seq)
        key = getattr(step.event, "key", "")
        call = step.event if isinstance(step.event, RollCalled) else step.before.table.called.get(key)
        if call is None:
            raise CorrectionRefused(f"event {seq} is not a roll: give the event of one")
        return call

    def question_of(self, seq: int) -> RulingRequested:
        """Return the question of a ruling, given the event of either. Raises `CorrectionRefused`."""
        step = self.step_at(seq)
        key = getattr(step.event, "key", "")
        asked = step.event if isinstance(step.event, RulingRequested) else step.before.table.asked.get(key)
        if asked is None:
            raise CorrectionRefused(f"event {seq} answers no question: give the event of a ruling")
        return asked

    def seen(self) -> list[str]:
        """Tell what the stretch has shown that cannot be unseen: sealed orders that were opened in it.

        What was seen on lines before this one is carried on.
        """
        found: list[str] = []
        seats = [each.id for each in self.battle.state.table.seats]
        for step in self.way:
            if isinstance(step.event, Corrected):
                found += step.event.known
            if isinstance(step.event, Revealed):
                others = ", ".join(seat for seat in seats if seat != step.event.seat)
                where = f"event {step.record.seq} of {self.battle.line.name}"
                found.append(f"{others} has seen the sealed order of {step.event.piece} ({where})")
        before = self.before.table.corrected
        return list(dict.fromkeys([*(before.known if before else ()), *found]))

    def unanswered(self, targets: Sequence[int]) -> list[str]:
        """Tell which requests end with the line: they name events of it. One for these very targets is granted."""
        open_ones = self.battle.state.table.requests
        asked = [step.event for step in self.way if isinstance(step.event, CorrectionAsked)]
        return [
            f"request no. {each.number} of {each.seat} ends with the line"
            for each in asked
            if each.number in open_ones and each.targets != tuple(targets)
        ]

    # ------------------------------------------------------------------------------------------------- dice anew

    def fresh(self, what: Correction, policy: DicePolicy, chosen: Sequence[tuple[int, Input]]) -> list[str]:
        """Name the rolls that are thrown anew under a dice policy, sorted. `chosen` are targets with their inputs.

        An undo that keeps no dice throws all that it takes back anew, whatever the policy's reach.
        """
        if policy in ("keep", "stand"):
            return []
        if what == "undo":
            return sorted({step.event.key for step in self.way if isinstance(step.event, DiceRolled)})
        acts = self._acts_of_rolls()
        known = {item.at: item for item in self.inputs}  # by now a sealed order may have shown where it belongs
        own = {key for target, item in chosen for key in self._own_rolls(target, known.get(item.at, item), acts)}
        if policy == "reroll-act":
            return sorted(own)
        phases = {acts[key] for key in own}
        return sorted(key for key, act in acts.items() if act in phases)

    def _acts_of_rolls(self) -> dict[str, tuple[str, int]]:
        """Map each roll to the phase in which it was called: the name of the act, and where it began."""
        found = {}
        for step in self.way:
            if isinstance(step.event, RollCalled):
                opened = step.before.table.act
                found[step.event.key] = (opened.name, opened.seq) if opened is not None else ("", 0)
        return found

    def _own_rolls(self, target: int, item: Input, acts: dict[str, tuple[str, int]]) -> list[str]:
        """Name the rolls that belong to a roll, an act or an order: those of its exchange, its act, its piece."""
        event = self.step_at(target).event
        calls = [(step.record.act, step.event) for step in self.way if isinstance(step.event, RollCalled)]
        if isinstance(event, RollCalled | DiceRolled):
            exchange = exchange_of(event.key)
            return [call.key for _, call in calls if exchange_of(call.key) == exchange]
        own = [call.key for act, call in calls if act == item.at]
        if own or item.form != "order" or item.standing is None:
            return own
        piece, phase = item.piece, self._resolved_in(target, item)
        return [call.key for _, call in calls if call.piece == piece and acts[call.key] == phase]

    def _resolved_in(self, target: int, item: Input) -> tuple[str, int]:
        """Return the phase that took an order in hand: the name of its act, and where it began."""
        for step in self.way:
            opened = step.event
            if isinstance(opened, ActOpened) and opened.seq > target and set(opened.slots) & set(item.slots):
                return opened.name, opened.seq
        return "", 0


def exchange_of(key: str) -> str:
    """Return what a roll is part of: its key up to the pieces in it, or all of it.

    >>> exchange_of("t3/missile/snaga>aldric/wound")
    't3/missile/snaga>aldric'
    >>> exchange_of("t3/rout/snaga")
    't3/rout/snaga'
    """
    parts = key.split("/")
    pair = next((place for place, part in enumerate(parts, 1) if ">" in part), len(parts))
    return "/".join(parts[:pair])


def answer_in_place(question: RulingRequested, answer: str, why: str) -> RulingGiven:
    """Return the ruling that stands in place of one that was given. Raises `CorrectionRefused` if it does not fit."""
    if question.choices and answer not in question.choices:
        raise CorrectionRefused(f"{answer!r} does not answer {question.question!r}: {' / '.join(question.choices)}")
    return RulingGiven(question.key, answer, why)
