"""Judging a record: the rules run again over the recorded orders and dice, and must give the recorded outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.driver import Entry, Nobody, Walk
from engine.orders import read_order
from engine.rules.rule_set import RuleSet, Situation
from engine.step import content_of
from events.errors import BattleClosed, Divergence, OrderError
from events.facts import ActOpened, BattleOpened, Declared, Event, FactStated, Ordered, Revealed, Sealed
from events.log import Log
from events.record import Line
from projections.table import State
from replays.seek import state_at, steps


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What was judged on one line: acts run again, orders examined again. Reached only if nothing differed."""

    line: str
    acts: int
    orders: int


class Judge:
    """Judges the own events of one line. `tables` other than the recorded ones may be given, to try a house rule."""

    def __init__(
        self, log: Log, line: Line, rules: RuleSet, tables: Any = None, progress: Callable[[int], None] = lambda n: None
    ) -> None:
        self._log = log
        self._line = line
        self._rules = rules
        self._fold = rules.fold()
        self._tables = tables
        self._progress = progress
        self._seq = 0

    def run(self) -> Judgement:
        """Judge the line. Raises `Divergence`, which names the first event and field that come out differently."""
        fork = self._line.after if self._line.parent is not None else 0
        state = state_at(self._log, self._fold, self._line, fork)
        found = [
            (step.record.seq, step.record.act, step.event) for step in steps(self._log, self._fold, self._line, fork)
        ]
        if self._tables is None and fork:
            self._tables = self._recorded_tables(state.table.tables)
        ends = {act: place for place, (_, act, _) in enumerate(found)}
        acts = orders = 0
        due = ""
        sealed: dict[str, State] = {}
        for place, (seq, act, event) in enumerate(found):
            self._seq = seq
            if isinstance(event, BattleOpened) and self._tables is None:
                self._tables = self._recorded_tables(event.tables)
            if isinstance(event, Sealed):
                sealed[event.digest] = state
            if isinstance(event, Revealed):
                self._judge_order(seq, event, sealed.pop(event.digest, state))
                orders += 1
            if isinstance(event, Ordered | Declared):
                due = self._judge_order(seq, event, state)
                orders += 1
            if isinstance(event, FactStated):
                self._judge_fact(event, [each for _, of, each in found[place + 1 : ends[act] + 1] if of == act], state)
            if isinstance(event, ActOpened):
                self._judge_opening(seq, event, state, due)
                due = ""
                record = [Entry(at, each, of == act) for at, of, each in found[place + 1 : ends[act] + 1]]
                self._judge_act(event, record, self._fold.advance(state, (event,)))
                acts += 1
            state = self._fold.advance(state, (event,))
            self._progress(1)
        return Judgement(self._line.name, acts, orders)

    def _recorded_tables(self, digest: str) -> Any:
        text = self._log.document(digest)
        if text is None:
            raise BattleClosed(f"the rule tables {digest[:12]}… of this battle are not here")
        return self._rules.restore_tables(text)

    def _situation(self, state: State) -> Situation[Any, Any]:
        return Situation(state, self._tables)

    def _judge_order(self, seq: int, event: Ordered | Declared | Revealed, state: State) -> str:
        """Examine a recorded order again; return the act that it begins at once, if any."""
        situation = self._situation(state)
        try:
            order = read_order(event.text, self._rules.grammar, self._rules.vocabulary(situation))
        except OrderError as error:
            raise Divergence(self._line.name, seq, "order", repr(event.text), str(error)) from error
        objections = self._rules.objections(situation, order)
        if objections:
            refused = f"{objections[0].reason} ({objections[0].rule})"
            raise Divergence(self._line.name, seq, "order", repr(event.text), refused)
        return self._rules.place(situation, order).at_once

    def _judge_fact(self, event: FactStated, outcomes: list[Event], state: State) -> None:
        situation = self._situation(state)
        fact = read_order(event.text, self._rules.fact_grammar, self._rules.vocabulary(situation))
        judged = list(self._rules.state_fact(situation, fact))
        if judged != outcomes:
            raise Divergence(self._line.name, self._seq, "fact", repr(outcomes), repr(judged))

    def _judge_opening(self, seq: int, event: ActOpened, state: State, due: str) -> None:
        situation = self._situation(state)
        may = [due] if due else [self._rules.next_act(situation), self._rules.follows(situation)]
        if event.name not in may:
            raise Divergence(self._line.name, seq, "act", event.name, " or ".join(filter(None, may)) or "none")
        content = content_of(event.name, state, self._rules.slots(event.name))
        if event.content != content:
            raise Divergence(self._line.name, seq, "content", event.content, content)

    def _judge_act(self, event: ActOpened, record: list[Entry], state: State) -> None:
        situation = self._situation(state)
        walk = Walk(self._fold, situation, record, Nobody(), self._line.name)
        walk.run(self._rules.procedure(situation, event.name))
        if walk.made and not walk.waiting:
            first: Event = walk.made[0]
            name = str(first.__struct_config__.tag)
            raise Divergence(self._line.name, record[-1].seq + 1 if record else event.seq + 1, "event", "nothing", name)
