"""Judging a record: the rules run again over the recorded orders and dice, and must give the recorded outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.driver import Divergence, Entry, NullSource, Walk
from engine.errors import BattleClosed
from engine.orders import read_order
from engine.orders.errors import OrderError
from engine.rules.editions import in_force
from engine.rules.errors import EditionMissing
from engine.rules.rule_set import RuleSet, Situation
from events.corrections import FactStated
from events.facts import ActOpened, Declared, Event, Ordered, Revealed, Sealed, TextSubmitted
from events.store.log import Log
from events.store.record import Line
from projections.battle_state import State
from projections.fold import Fold
from replays.audit.algorithms import act_content
from replays.seek import Frame, state_at, steps
from replays.view import view_line


class Readjudication(msgspec.Struct, frozen=True, gc=False):
    """What was judged on one line: acts run again, orders examined again. Reached only if nothing differed."""

    line: str
    acts: int
    orders: int


class AdjudicatedSlice:
    """The events that are judged on a line: its own, from the beginning of the act in which it forked, if that goes on.

    `record_of` gives what belongs to an act, with what came in meanwhile. Read once: memory grows with the line.
    """

    def __init__(self, log: Log, fold: Fold, line: Line) -> None:
        fork = line.after if line.parent is not None else 0
        table = state_at(log, fold, line, fork).table
        self.begin = min([fork, *(record.act - 1 for record in log.records(line, fork))])
        if table.waiting and table.act is not None:
            self.begin = min(self.begin, next(log.records(line, table.act.seq - 1, table.act.seq)).act - 1)
        self.way = list(steps(log, fold, line, self.begin))
        self._ends = {step.record.act: place for place, step in enumerate(self.way)}

    def record_of(self, place: int) -> list[Frame]:
        """Return the steps after `place` up to the last of its act."""
        return self.way[place + 1 : self._ends[self.way[place].record.act] + 1]

    def __iter__(self) -> Iterator[tuple[int, Frame]]:
        return iter(enumerate(self.way))


class Readjudicator:
    """Judges the own events of one line, each by the edition and the tables that were in force when it was recorded."""

    def __init__(self, log: Log, line: Line, rules: RuleSet, progress: Callable[[int], None] = lambda n: None) -> None:
        self._log = log
        self._line = line
        self._rules = rules
        self._fold = rules.fold()
        self._progress = progress
        self._tables: tuple[str, Any] = ("", None)
        self._due = ""
        self._sealed: dict[str, State] = {}

    def run(self) -> Readjudication:
        """Readjudicator the line. Raises `Divergence`, which names the first event and field that come out differently.

        Raises `BattleClosed` if tables are not here, `EditionMissing` if an edition of the rules is not.
        """
        found = AdjudicatedSlice(self._log, self._fold, self._line)
        self._sealed = sealed_before(self._log, self._fold, self._line, found.begin)
        acts = orders = 0
        for place, step in found:
            event = step.event
            match event:
                case Sealed() | TextSubmitted():  # an order is examined when its text comes in
                    self._sealed[event.digest] = step.before
                case Revealed():
                    self._judge_order(step, self._sealed.pop(event.digest, step.before))
                    orders += 1
                case Ordered() | Declared():
                    self._due = self._judge_order(step, step.before)
                    orders += 1
                case FactStated():
                    self._judge_fact(step, [each.event for each in _own(found.record_of(place), step.record.act)])
                case ActOpened():
                    self._judge_act(step, found.record_of(place))
                    acts += 1
            self._progress(1)
        return Readjudication(self._line.name, acts, orders)

    def _situation(self, state: State) -> tuple[RuleSet, Situation[Any, Any]]:
        """Return the rules and tables in force in a state."""
        table = state.table
        rules = in_force(self._rules, table.edition)
        if rules.edition != table.edition:
            raise EditionMissing(self._line.battle, rules.name, table.edition, rules.edition)
        if self._tables[0] != table.tables:
            text = self._log.document(table.tables)
            if text is None:
                raise BattleClosed(f"the rule tables {table.tables[:12]}… of this battle are not here")
            self._tables = table.tables, rules.restore_tables(text)
        return rules, Situation(state, self._tables[1])

    def _differs(self, step: Frame, field: str, recorded: str, judged: str) -> Divergence:
        return Divergence(self._line.name, step.record.seq, field, recorded, judged)

    def _judge_order(self, step: Frame, state: State) -> str:
        """Examine a recorded order again; return the act that it begins at once, if any."""
        assert isinstance(step.event, Ordered | Declared | Revealed)
        rules, situation = self._situation(state)
        try:
            order = read_order(step.event.text, rules.grammar, rules.vocabulary(situation))
        except OrderError as error:
            raise self._differs(step, "order", repr(step.event.text), str(error)) from error
        objections = list(rules.objections(situation, order))
        if objections:
            refused = f"{objections[0].reason} ({objections[0].rule})"
            raise self._differs(step, "order", repr(step.event.text), refused)
        return rules.slot_for(situation, order).at_once

    def _judge_fact(self, step: Frame, outcomes: list[Event]) -> None:
        assert isinstance(step.event, FactStated)
        rules, situation = self._situation(step.before)
        fact = read_order(step.event.text, rules.fact_grammar, rules.vocabulary(situation))
        judged = list(rules.state_fact(situation, fact))
        if judged != outcomes:
            raise self._differs(step, "fact", repr(outcomes), repr(judged))

    def _judge_act(self, step: Frame, record: list[Frame]) -> None:
        event = step.event
        assert isinstance(event, ActOpened)
        rules, situation = self._situation(step.before)
        may = [self._due] if self._due else [rules.next_act(situation), rules.next_automatic_act(situation)]
        self._due = ""
        if event.name not in may:
            raise self._differs(step, "act", event.name, " or ".join(filter(None, may)) or "none")
        content = act_content(event.name, step.before.table, rules.slots(event.name))
        if event.content != content:
            raise self._differs(step, "content", event.content, content)
        rules, situation = self._situation(step.after)
        entries = [Entry(each.record.seq, each.event, each.record.act == step.record.act) for each in record]
        walk = Walk(self._fold, situation, entries, NullSource(), self._line.name)
        walk.run(rules.procedure(situation, event.name))
        if walk.made and not walk.waiting:
            name = str(walk.made[0].__struct_config__.tag)
            at = record[-1].record.seq + 1 if record else event.seq + 1
            raise Divergence(self._line.name, at, "event", "nothing", name)


def _own(record: list[Frame], act: int) -> list[Frame]:
    return [step for step in record if step.record.act == act]


def sealed_before(log: Log, fold: Fold, line: Line, fork: int) -> dict[str, State]:
    """Return the states in which the sealed orders were given that wait at a fork, by receipt.

    Cost: a look at the record before the fork, and a seek for each, only if any wait.
    """
    waiting = {order.digest for order in state_at(log, fold, line, fork).table.orders if order.digest}
    found: dict[str, State] = {}
    for record, event in view_line(log, fold, line).events(Sealed, TextSubmitted, upto=fork) if waiting else ():
        if isinstance(event, Sealed | TextSubmitted) and event.digest in waiting:
            found[event.digest] = state_at(log, fold, line, record.seq - 1)
    return found
