"""The same orders and dice under other tables, other options or another edition: what would have come out differently.

Each act is judged from the state in which it was really played, so that a difference is told where it arises and does
not spoil what comes after. Where the other rules need dice that never fell, that is said, and the act is left there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.adjudication.readjudicate import sealed_before
from engine.driver import Question, Walk
from engine.orders import read_order
from engine.orders.errors import OrderError
from engine.rules.rule_set import RuleSet, Situation
from events.catalogue import write
from events.errors import DiaryError
from events.facts import (
    ActOpened,
    Declared,
    DiceRolled,
    Event,
    Option,
    Ordered,
    Revealed,
    RollCalled,
    RulingGiven,
    RulingRequested,
    Sealed,
    SecretRevealed,
)
from events.store.log import Log
from events.store.record import Line, Recorded
from projections.battle_state import State
from projections.dice.rolls import dice_of, read_roll
from projections.fold import Fold
from replays.compare import compare, tell
from replays.seek import Frame, steps


class Finding(msgspec.Struct, frozen=True, gc=False):
    """Something that would have been different: where, what the record says and what would stand there."""

    seq: int
    act: str
    recorded: str
    judged: str

    def __str__(self) -> str:
        return f"event {self.seq}: {self.recorded} — would be: {self.judged}"


class Needed(msgspec.Struct, frozen=True, gc=False):
    """A roll, or a ruling, that the record does not hold. What follows in its act cannot be told."""

    seq: int
    act: str
    key: str
    dice: str


class RulesComparison(msgspec.Struct, frozen=True):
    """What other rules make of a line: acts and checks looked at, checks with another target, what differs."""

    line: str
    acts: int
    checks: int
    retargeted: int
    findings: tuple[Finding, ...]
    needed: tuple[Needed, ...]

    @property
    def differs(self) -> bool:
        """Whether anything would have been different."""
        return bool(self.findings or self.needed)

    @property
    def first(self) -> int:
        """The first event at which something differs; 0 if nothing does."""
        return min([each.seq for each in self.findings] + [each.seq for each in self.needed], default=0)


class _OnRecord:
    """A source that answers with what fell, or was ruled, in the act on record; it notes what is not there."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._rolls = {event.key: event for event in events if isinstance(event, DiceRolled)}
        self._rulings = {event.key: event for event in events if isinstance(event, RulingGiven)}
        self.missing: list[Question] = []

    def answer(self, question: Question, state: State) -> Event | None:
        """Answer from the record if the question is the same."""
        if isinstance(question, RulingRequested):
            ruled = self._rulings.get(question.key)
            if ruled is not None and (not question.choices or ruled.answer in question.choices):
                return ruled
        else:
            fell = self._rolls.get(question.key)
            if fell is not None and len(fell.faces) == len(dice_of(question.dice).faces()):
                try:
                    reading = read_roll(question, fell.faces)
                except DiaryError:
                    pass  # other dice: a face that they do not have
                else:
                    return replace(fell, total=reading.total, success=reading.success)
        self.missing.append(question)
        return None

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Reveal nothing: secrets are no matter of the rules."""
        return None


class WhatWould:
    """Judges a whole line, from its first event, by other rules. Reads only."""

    def __init__(
        self,
        log: Log,
        line: Line,
        rules: RuleSet,
        tables: Any,
        options: Mapping[str, Option] | None = None,
        progress: Callable[[int], None] = lambda n: None,
    ) -> None:
        self._log, self._line, self._rules, self._tables = log, line, rules, tables
        self._fold: Fold = rules.fold()
        self._options = options
        self._progress = progress
        self._findings: list[Finding] = []
        self._needed: list[Needed] = []
        self._acts = self._checks = self._retargeted = 0

    def run(self) -> RulesComparison:
        """Readjudicator the line. Cost: like judging it by its own rules. A difference is a finding, never an error."""
        way = list(steps(self._log, self._fold, self._line))
        ends = {step.record.act: place for place, step in enumerate(way)}
        sealed = sealed_before(self._log, self._fold, self._line, 0)
        due = ""
        for place, step in enumerate(way):
            event = step.event
            match event:
                case Sealed():
                    sealed[event.digest] = step.before
                case Revealed():
                    self._examine(step, sealed.pop(event.digest, step.before))
                case Ordered() | Declared():
                    due = self._examine(step, step.before)
                case ActOpened():
                    act = step.record.act
                    record = [each for each in way[place + 1 : ends[act] + 1] if each.record.act == act]
                    self._run_act(step, record, due)
                    due = ""
            self._progress(1)
        return RulesComparison(
            self._line.name, self._acts, self._checks, self._retargeted, tuple(self._findings), tuple(self._needed)
        )

    def _situation(self, state: State) -> Situation[Any, Any]:
        if self._options is not None:
            state = replace(state, table=replace(state.table, options=dict(self._options)))
        return Situation(state, self._tables)

    def _examine(self, step: Frame, state: State) -> str:
        """Examine an order by the other rules; return the act that it would begin at once."""
        assert isinstance(step.event, Ordered | Declared | Revealed)
        situation, text = self._situation(state), step.event.text
        try:
            order = read_order(text, self._rules.grammar, self._rules.vocabulary(situation))
        except OrderError as error:
            self._find(step, repr(text), f"it cannot be read: {error}")
            return ""
        objections = list(self._rules.objections(situation, order))
        if objections:
            self._find(step, repr(text), f"not allowed: {objections[0].reason} ({objections[0].rule})")
            return ""
        return self._rules.slot_for(situation, order).at_once

    def _find(self, step: Frame, recorded: str, judged: str) -> None:
        act = step.before.table.act
        self._findings.append(Finding(step.record.seq, act.name if act else "", recorded, judged))

    def _run_act(self, step: Frame, record: Sequence[Frame], due: str) -> None:
        """Run an act by the other rules from the state in which it was played, and compare."""
        event = step.event
        assert isinstance(event, ActOpened)
        before = self._situation(step.before)
        may = [due] if due else [self._rules.next_act(before), self._rules.next_automatic_act(before)]
        if event.name not in may:
            self._find(step, f"— {event.name} —", " or ".join(filter(None, may)) or "nothing more to resolve")
            return
        self._acts += 1
        situation = self._situation(step.after)
        source = _OnRecord([each.event for each in record])
        walk = Walk(self._fold, situation, (), source, self._line.name)
        try:
            walk.run(self._rules.procedure(situation, event.name))
        except DiaryError as error:
            self._find(step, f"— {event.name} —", f"it cannot be judged: {error}")
            return
        self._compare(step, record, walk, source)

    def _compare(self, step: Frame, record: Sequence[Frame], walk: Walk, source: _OnRecord) -> None:
        opened = step.event
        assert isinstance(opened, ActOpened)
        recorded = {each.event.key: each.event for each in record if isinstance(each.event, RollCalled)}
        calls = [each for each in walk.made if isinstance(each, RollCalled)]
        self._checks += len(calls)
        self._retargeted += sum(1 for call in calls if call.key in recorded and _other_target(call, recorded[call.key]))
        answered = {each.event.key for each in record if isinstance(each.event, DiceRolled | RulingGiven)}
        asked = {each.event.key for each in record if isinstance(each.event, RollCalled | RulingRequested)}
        missing = [each for each in source.missing if each.key in answered or each.key not in asked]
        unfinished = walk.waiting
        for row in compare(tell(self._fold, record), tell(self._fold, self._told(step, walk.made))):
            if row.what == "same" or (row.what == "gone" and unfinished):
                continue
            seq = row.old.seq if row.old else opened.seq
            was, would = (each.caption if each else "nothing" for each in (row.old, row.new))
            self._findings.append(Finding(seq, opened.name, was, would))
        for question in missing:
            dice = question.dice if isinstance(question, RollCalled) else ""
            self._needed.append(Needed(opened.seq, opened.name, question.key, dice))

    def _told(self, step: Frame, made: Sequence[Event]) -> Iterator[Frame]:
        """Yield what the other rules made as if it were recorded, to be told and compared."""
        assert isinstance(step.event, ActOpened)
        state = step.after
        for event in made:
            body, act = write(event).decode(), step.record.act
            record = Recorded(
                0, self._line.battle, self._line.name, act, act, event.kind, body, "", 0, None, "", ""
            )  # fmt: skip
            before, state = state, self._fold.advance(state, (event,))
            yield Frame(record, event, before, state)


def _other_target(one: RollCalled, other: RollCalled) -> bool:
    return (one.target, one.test, one.chances, one.adds_to) != (other.target, other.test, other.chances, other.adds_to)
