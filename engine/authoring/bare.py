"""A battle without a log, for the tests of a rule set: orders in, events out, dice as you give them.

    battle = BareBattle(MyRules(), scenario, faces={"t1/blows/tilda>wat": (6,)})
    battle.order("smiths", "tilda: hit wat")
    events = battle.proceed()

Nothing is recorded, nobody is asked: the referee's questions get the answers given beforehand, or their defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from msgspec import Struct

from engine.driver import Divergence, Entry, NullSource, Question, Walk
from engine.orders import AnyOrder, given_by, read_order, read_sheet, write_order
from engine.orders.errors import TABLE_RULE, OrderNotAllowed
from engine.rules.rule_set import Procedure, RuleSet, Scenario, Situation
from events.errors import DiaryError
from events.facts import (
    ActOpened,
    BattleOpened,
    Declared,
    DiceRolled,
    Event,
    Ordered,
    RollCalled,
    RulingGiven,
    RulingRequested,
    Seat,
    SecretRevealed,
    TurnBegan,
)
from projections.battle_state import REFEREE, State
from projections.dice.rolls import dice_of, read_roll

MAX_ACTS = 10_000
"""Acts after which a battle that plays itself is stopped."""


class NeverEnds(DiaryError, RuntimeError):
    """A battle that plays itself comes to no end."""

    code = "rules/never-ends"

    def __init__(self, acts: int) -> None:
        super().__init__(f"after {acts} acts the battle has not ended: does automatic play bring it to an end?")


class Act(Struct, frozen=True):
    """An act as it was played: the state right after its opening, and what followed."""

    opened: ActOpened
    state: State
    events: tuple[Event, ...]


class BareBattle:
    """A battle in memory. `events` holds all that happened, `acts` how it was resolved.

    `faces` are dice by the key of the roll, `answers` the referee's by the key of the question; all other dice follow
    from `seed` and the key alone, so that one changed order does not move the others. Raises `ScenarioInvalid`.
    """

    def __init__(
        self, rules: RuleSet, scenario: Scenario, *, seed: str = "", faces: Mapping[str, Sequence[int]] | None = None,
        answers: Mapping[str, str] | None = None, tables: Any = None,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.fold = rules.fold()
        self.events: list[Event] = []
        self.acts: list[Act] = []
        self._source = _Given(seed, dict(faces or {}), dict(answers or {}))
        in_force = tables if tables is not None else rules.load_tables(None)[0]
        self.situation: Situation[Any, Any] = Situation(self.fold.start, in_force)
        seats = tuple(Seat(seat, name) for seat, name in scenario.seats.items())
        opened = BattleOpened(scenario.title, rules.name, rules.edition, seats, "", scenario.options, (), "absent")
        for event in (opened, *rules.deploy(scenario, in_force), TurnBegan(1)):
            self._add(event)

    @property
    def state(self) -> Any:
        """The state as it is now: one of the rule set's own type."""
        return self.situation.state

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return bool(self.situation.state.table.ended)

    def order(self, seat: str, orders: str | Sequence[AnyOrder]) -> list[Event]:
        """Give orders, as text or as Structs; return what happened. Raises `SheetRefused`, `OrderNotAllowed`."""
        if isinstance(orders, str):
            names = self.rules.vocabulary(self.situation)
            orders = [each.order for each in read_sheet(orders, self.rules.grammar, names)]
        first = len(self.events)
        for order in orders:
            self._order(seat, order)
        return self.events[first:]

    def state_fact(self, text: str) -> list[Event]:
        """Let the referee state a fact. Raises `OrderError`."""
        first = len(self.events)
        fact = read_order(text, self.rules.fact_grammar, self.rules.vocabulary(self.situation))
        for event in self.rules.state_fact(self.situation, fact):
            self._add(event)
        return self.events[first:]

    def proceed(self) -> list[Event]:
        """Resolve the next act and those that follow by themselves. Returns what happened."""
        first = len(self.events)
        name = self.rules.next_act(self.situation)
        while name and not self.over:
            self._resolve(name)
            name = self.rules.next_automatic_act(self.situation)
        return self.events[first:]

    def autoplay(self, most_acts: int = MAX_ACTS) -> None:
        """Let every seat play by itself until the battle is over. Raises `NeverEnds`, and whatever is refused."""
        while not self.over:
            for seat in self.state.table.seats:
                self.order(seat.id, self.rules.autoplay(self.situation, seat.id))
            if len(self.acts) >= most_acts or not self.proceed():
                raise NeverEnds(len(self.acts))

    def adjudicate(self) -> None:
        """Run every act again beside what happened in it. Raises `Divergence` where something else comes out."""
        for act in self.acts:
            record = [Entry(number, event, own=True) for number, event in enumerate(act.events, act.opened.seq + 1)]
            situation = Situation(act.state, self.situation.tables)
            walk = Walk(self.fold, situation, record, NullSource())
            walk.run(self.rules.procedure(situation, act.opened.name))
            if walk.made or walk.waiting:
                name = str(walk.made[0].__struct_config__.tag) if walk.made else "an answer"
                raise Divergence("main", act.opened.seq + len(act.events) + 1, "event", "nothing", name)

    def _order(self, seat: str, order: AnyOrder) -> None:
        piece = given_by(order)
        owner = self.rules.owner(self.situation, piece)
        if seat not in (owner, REFEREE):
            raise OrderNotAllowed(f"{piece} takes orders from {owner}, not from {seat}", TABLE_RULE)
        against = list(self.rules.objections(self.situation, order))
        if against:
            raise OrderNotAllowed("; ".join(each.reason for each in against), against[0].rule)
        slot = self.rules.slot_for(self.situation, order)
        made = Declared if slot.declaration else Ordered
        self._add(made(owner, piece, slot.slot, write_order(order)))
        if slot.at_once:
            self._resolve(slot.at_once)
            while not self.over and (name := self.rules.next_automatic_act(self.situation)):
                self._resolve(name)

    def _resolve(self, name: str) -> None:
        slots = self.rules.slots(name)
        opened = ActOpened(name, len(self.events) + 1, "", slots)
        self._add(opened)
        before = self.situation.state
        events = resolve(self.rules, self.situation, self.rules.procedure(self.situation, name), self._source)
        self.events += events
        self.acts.append(Act(opened, before, tuple(events)))

    def _add(self, event: Event) -> None:
        self.events.append(event)
        self.situation.state = self.fold.advance(self.situation.state, (event,))


def resolve(
    rules: RuleSet, situation: Situation[Any, Any], procedure: Procedure, source: _Given | None = None, *,
    faces: Mapping[str, Sequence[int]] | None = None, answers: Mapping[str, str] | None = None,
) -> list[Event]:  # fmt: skip
    """Run one procedure to its end and return what it yields, with the dice and answers given; `situation` moves on.

    Dice that are not given follow from their key.
    """
    walk = Walk(rules.fold(), situation, (), source or _Given("", dict(faces or {}), dict(answers or {})))
    walk.run(procedure)
    return walk.made


class _Given:
    """Answers with what was given beforehand, then by seed and key."""

    def __init__(self, seed: str, faces: Mapping[str, Sequence[int]], answers: Mapping[str, str]) -> None:
        self._seed, self._faces, self._answers = seed, faces, answers

    def answer(self, question: Question, state: State) -> Event:
        """Answer a question. Raises `NotationError` if the faces given do not fit the dice."""
        if isinstance(question, RulingRequested):
            given = self._answers.get(question.key)
            return RulingGiven(question.key, given or question.default, by_default=given is None)
        faces = tuple(self._faces[question.key]) if question.key in self._faces else self._drawn(question)
        reading = read_roll(question, faces)
        return DiceRolled(question.key, faces, reading.total, reading.success, "entered", state.table.turn)

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Reveal nothing: there is no secret."""
        return None

    def _drawn(self, call: RollCalled) -> tuple[int, ...]:
        chance = Random(sha256(f"{self._seed}\n{call.key}".encode()).digest())
        return tuple(chance.randint(low, high) for low, high in dice_of(call.dice).faces())
