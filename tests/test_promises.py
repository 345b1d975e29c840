"""Promises that hold whatever happens at the table, tried on random battles of a toy rule set."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.adjudication.readjudicate import Readjudicator
from engine.rules.rule_set import Scenario
from events.errors import DiaryError
from events.store.sqlite import SqliteLog
from projections.dice.rolls import dice_of
from replays.audit.verify import verify
from replays.seek import replay, state_at, steps
from tests.table import Table, open_battle
from tests.toy import ToyRules

SCENARIO = Scenario("A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob"]})
NAMES = st.sampled_from(["ann", "al", "bob", "nobody", "Ann", "a", ""])
SEATS = st.sampled_from(["red", "blue", "referee", "green"])


class Sitting(RuleBasedStateMachine):
    """Seats order, dice fall or are entered, the referee rules, the file is closed and opened again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ticks = itertools.count(1_700_000_000_000_000)

    @initialize()
    def open(self) -> None:
        self.log = SqliteLog(Path(self.folder.name) / "war.db", durability="normal")
        open_battle(self.log, "b", SCENARIO, clock=self.tick, rules=ToyRules())
        self.battle = Table(self.log, "b", ToyRules(), clock=self.tick)

    def tick(self) -> int:
        return next(self.ticks)

    def teardown(self) -> None:
        verify(self.log, "b")
        Readjudicator(self.log, self.battle.line, ToyRules()).run()
        walked = [step.after for step in steps(self.log, self.battle.fold, self.battle.line)]
        for seq, state in enumerate(walked, 1):
            assert state == state_at(self.log, self.battle.fold, self.battle.line, seq)
            assert state == replay(self.log, self.battle.fold, self.battle.line, seq)
        self.log.clear_snapshots("b")
        assert walked[-1] == state_at(self.log, self.battle.fold, self.battle.line, len(walked))
        self.log.close()
        self.folder.cleanup()

    def attempt(self, act: Any) -> None:
        """Act; a refusal must leave no trace."""
        head = self.log.head(self.battle.line)
        try:
            act()
        except DiaryError as error:
            refused = getattr(error, "problems", (error,))
        else:
            return
        assert all("\n" not in str(problem) for problem in refused)
        assert self.log.head(self.battle.line) == head

    @rule(seat=SEATS, who=NAMES, verb=st.sampled_from(["hit", "curse", "kiss"]), whom=NAMES)
    def order(self, seat: str, who: str, verb: str, whom: str) -> None:
        self.attempt(lambda: self.battle.order(seat, f"{who}: {verb} {whom}"))

    @rule(hands=st.lists(st.sampled_from(["red", "blue"]), unique=True))
    def proceed(self, hands: list[str]) -> None:
        self.attempt(lambda: self.battle.proceed(by_hand=hands))

    @precondition(lambda self: self.battle.state.table.called)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.battle.state.table.called)))
        ranges = dice_of(self.battle.state.table.called[key].dice).faces()
        faces = data.draw(st.none() | st.tuples(*(st.integers(low, high + 1) for low, high in ranges)))
        self.attempt(lambda: self.battle.roll({key: faces}))

    @precondition(lambda self: self.battle.state.table.asked)
    @rule(data=st.data(), answer=st.sampled_from(["yes", "no", "perhaps"]))
    def rule_on(self, data: st.DataObject, answer: str) -> None:
        key = data.draw(st.sampled_from(sorted(self.battle.state.table.asked)))
        self.attempt(lambda: self.battle.rule(key, answer))

    @rule()
    def reopen(self) -> None:
        self.log.close()
        self.log = SqliteLog(Path(self.folder.name) / "war.db", durability="normal")
        self.battle = Table(self.log, "b", ToyRules(), clock=self.tick)

    @invariant()
    def state_is_the_fold(self) -> None:
        if hasattr(self, "battle"):
            assert self.battle.state == replay(self.log, self.battle.fold, self.battle.line)


TestSitting = Sitting.TestCase
TestSitting.settings = settings(max_examples=40, stateful_step_count=25)
