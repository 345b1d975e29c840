"""The driver: walks a procedure beside the record of its act.

Where the record has an event, the procedure must have made the same one; where the record ends, what the procedure
makes is new. So one piece of code plays a battle, goes on in a later process after waiting for a die, and judges an old
record by running the rules again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec
from msgspec.structs import asdict, replace

from engine.rules.procedures import (
    ProcedureFailed,
    ProcedureInvalid,
    place_of,
    place_of_error,
    questions_in,
)
from engine.rules.procedures import Question as Question
from engine.rules.rule_set import Procedure, Situation
from events.dice.expression import Target
from events.errors import DiaryError
from events.facts import (
    BattleEnded,
    Chance,
    DiceRolled,
    Event,
    RollCalled,
    RulingGiven,
    SecretRevealed,
    Term,
    TurnBegan,
)
from projections.battle_state import BattleState, State
from projections.dice.odds import chance_to_meet
from projections.dice.rolls import Reading, dice_of, read_roll, within_limits
from projections.fold import Fold


class Divergence(DiaryError, ValueError):
    """The rules, run again over the recorded orders and dice, give something else. Names the first difference."""

    code = "judge/divergence"

    def __init__(self, line: str, seq: int, field: str, recorded: str, judged: str) -> None:
        super().__init__(f"line {line}, event {seq}, {field}: recorded {recorded}, judged {judged}")
        self.line = line
        self.seq = seq
        self.field = field
        self.recorded = recorded
        self.judged = judged


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An event on the record. `own` if it belongs to the act that is walked; others came in meanwhile."""

    seq: int
    event: Event
    own: bool


class Source(Protocol):
    """Where answers come from when the record has none yet."""

    def answer(self, question: Question, state: State) -> Event | None:
        """Return a `DiceRolled` or `RulingGiven`, or None if a person must give it."""
        ...

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Return the secret of a turn that has ended."""
        ...


class NullSource:
    """A source that answers nothing: for judging what is there."""

    def answer(self, question: Question, state: State) -> Event | None:
        """Answer nothing."""
        return None

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Reveal nothing."""
        return None


class Walk:
    """One walk through an act. After `run`, `made` holds the new events and `waiting` tells whether it must stop."""

    def __init__(
        self, fold: Fold, situation: Situation[Any, Any], record: Sequence[Entry], source: Source, line: str = "main"
    ) -> None:
        self.situation = situation
        self.made: list[Event] = []
        self.waiting = False
        self._fold = fold
        self._record = record
        self._next = 0
        self._keys: set[str] = set()
        self._source = source
        self._line = line

    def run(self, procedure: Procedure) -> None:
        """Run a procedure to its end, or until a person must act. Raises `Divergence` where the record differs.

        Raises `ProcedureInvalid` where it yields what cannot be recorded, `ProcedureFailed` where its code fails; both
        name the place in that code.
        """
        answer: Any = None
        yielded = ""
        while True:
            try:
                wanted = procedure.send(answer)
            except StopIteration:
                self._absorb()
                break
            except DiaryError:
                raise
            except Exception as error:
                raise ProcedureFailed(place_of_error(error), yielded, error) from error
            yielded = type(wanted).__name__
            questions = self._questions(wanted, procedure)
            if questions is None:
                assert isinstance(wanted, Event)
                self._outcome(wanted, procedure)
                answer = None
                continue
            answers = self._answers(questions)
            if answers is None:
                self.waiting = True
                procedure.close()
                break
            answer = answers[0] if isinstance(wanted, Event) else answers
        if self._next < len(self._record) and self._record[self._next].own:
            extra = self._record[self._next]
            raise Divergence(self._line, extra.seq, "event", _name(extra.event), "nothing")

    def _questions(self, wanted: object, procedure: Procedure) -> tuple[Question, ...] | None:
        """Return the questions that were yielded, or None for an outcome; each key is asked once in an act."""
        try:
            questions = questions_in(wanted, self._fold)
        except TypeError as error:
            raise ProcedureInvalid(place_of(procedure), str(error)) from None
        for question in questions or ():
            if question.key in self._keys:
                problem = f"it asks {question.key!r} a second time in this act, which would give the same dice"
                raise ProcedureInvalid(place_of(procedure), problem)
            self._keys.add(question.key)
        return questions

    def _outcome(self, event: Event, procedure: Procedure) -> None:
        """Record an outcome; an error in its reducer names the yield that it came from."""
        try:
            self._take(event)
        except DiaryError:
            raise
        except Exception as error:
            raise ProcedureFailed(place_of(procedure), type(event).__name__, error) from error

    def _apply(self, event: Event) -> None:
        self.situation.state = self._fold.advance(self.situation.state, (event,))

    def _absorb(self) -> None:
        """Let pass what the procedure does not make: orders handed in meanwhile, revealed secrets."""
        record = self._record
        while self._next < len(record) and (
            not record[self._next].own or isinstance(record[self._next].event, SecretRevealed)
        ):
            self._apply(record[self._next].event)
            self._next += 1

    def _take(self, event: Event) -> None:
        """Match an event with the record, or add it to what is new."""
        if isinstance(event, RollCalled):
            event = called_at(self.situation.state.table, event)
        self._absorb()
        if self._next < len(self._record):
            entry = self._record[self._next]
            if entry.event != event:
                raise _difference(self._line, entry, event)
            self._next += 1
        else:
            self.made.append(event)
        self._apply(event)
        if self._next >= len(self._record):
            self._reveal(event)

    def _reveal(self, event: Event) -> None:
        """When a turn or the battle ends, its dice secret comes out."""
        match event:
            case TurnBegan():
                turn = event.turn - 1
            case BattleEnded():
                turn = self.situation.state.table.turn
            case _:
                return
        revealed = self._source.reveal(turn, self.situation.state) if turn > 0 else None
        if revealed is not None:
            self.made.append(revealed)
            self._apply(revealed)

    def _answers(self, questions: Sequence[Question]) -> list[Any] | None:
        """Record the questions and collect their answers; None if some are still open."""
        for question in questions:
            self._take(question)
        calls = {question.key: self._called(question) for question in questions}
        answers: dict[str, Any] = {}
        self._absorb()
        while len(answers) < len(calls) and self._next < len(self._record):
            entry = self._record[self._next]
            answers[self._key(entry, calls, answers)] = self._read(entry.event, calls, entry)
            self._next += 1
            self._apply(entry.event)
            self._absorb()
        if len(answers) < len(calls) and self._next >= len(self._record):
            self._ask(calls, answers)
        return [answers[question.key] for question in questions] if len(answers) == len(calls) else None

    def _called(self, question: Question) -> Question:
        """Return the question as it was recorded: the driver may have marked it for hand-rolled dice."""
        table: BattleState = self.situation.state.table
        return table.called[question.key] if isinstance(question, RollCalled) else table.asked[question.key]

    def _key(self, entry: Entry, calls: dict[str, Question], answers: dict[str, Any]) -> str:
        key = getattr(entry.event, "key", None)
        if not isinstance(entry.event, DiceRolled | RulingGiven) or key not in calls or key in answers:
            awaited = ", ".join(each for each in calls if each not in answers)
            raise Divergence(self._line, entry.seq, "event", _name(entry.event), f"an answer to {awaited}")
        return str(key)

    def _read(self, event: Event, calls: dict[str, Question], entry: Entry | None) -> Reading | str:
        if isinstance(event, RulingGiven):
            return event.answer
        assert isinstance(event, DiceRolled)
        call = calls[event.key]
        assert isinstance(call, RollCalled)
        reading = read_roll(call, event.faces)
        if entry is not None and (reading.total, reading.success) != (event.total, event.success):
            raise Divergence(self._line, entry.seq, "total", str(event.total), str(reading.total))
        return reading

    def _ask(self, calls: dict[str, Question], answers: dict[str, Any]) -> None:
        for key, question in calls.items():
            if key in answers:
                continue
            event = self._source.answer(question, self.situation.state)
            if event is not None:
                self.made.append(event)
                self._apply(event)
                answers[key] = self._read(event, calls, None)


def called_at(table: BattleState, call: RollCalled) -> RollCalled:
    """Return a call as this table records it: marked if its dice are entered, with the terms that a ruling added."""
    hands = (*table.by_hand, *(table.act.by_hand if table.act else ()))
    call = replace(call, by_hand=call.seat in hands)
    added = table.modifiers.get(call.key, ())
    if not added:
        return call
    terms = (*call.terms, *(Term(each.label, each.value, "ruling") for each in added))
    if call.adds_to == "total" or call.test == "read":
        return replace(call, terms=terms, adds_to="total", chances=())
    was = call.target if call.before_limits is None else call.before_limits
    wanted = was + sum(each.value for each in added)
    target = within_limits(wanted, call.limits)
    chance = chance_to_meet(dice_of(call.dice), Target(call.test, target))
    label = call.chances[0].label if call.chances else "success"
    return replace(
        call,
        terms=terms,
        target=target,
        chances=(Chance(label, chance.numerator, chance.denominator),),
        before_limits=wanted if wanted != target else None,
    )


def _name(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _difference(line: str, entry: Entry, judged: Event) -> Divergence:
    """Name the first field in which a judged event differs from the recorded one."""
    if type(entry.event) is not type(judged):
        return Divergence(line, entry.seq, "event", _name(entry.event), _name(judged))
    was, now = asdict(entry.event), asdict(judged)
    field = next(name for name in was if was[name] != now[name])
    return Divergence(line, entry.seq, f"{_name(judged)}.{field}", repr(was[field]), repr(now[field]))


def entries(records: Iterable[tuple[int, int, Event]], act: int) -> list[Entry]:
    """Make entries from (seq, act, event) for the walk through `act`."""
    return [Entry(seq, event, of == act) for seq, of, event in records]
