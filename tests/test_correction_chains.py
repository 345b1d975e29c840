"""Random chains of corrections, and what-if lines among them: every line folds, verifies and judges clean."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.corrections.plan import Plan, plan
from engine.corrections.request import CorrectionRequest
from engine.errors import CorrectionRefused
from engine.orders import write_sheet
from events.corrections import DicePolicy
from events.errors import DiaryError
from events.facts import DiceRolled, Ordered, Sealed
from projections.dice.rolls import dice_of
from replays.lines import adopted
from replays.seek import replay
from tests.table import Table, adopt, apply_correction, branch
from tests.toy import ToyRules
from tests.toy_table import SealedToy, deploy, events_of, faces, hashes, holds, rolls, sit_down

WHO = st.sampled_from(["ann", "al", "bob", "ben"])
OPENING = 7
"""The opening of the toy battle: its last event begins turn 1."""
POLICIES = st.sampled_from(["keep", "keep", "keep", "reroll-act", "reroll-phase"])


class Rulings(RuleBasedStateMachine):
    """A battle is played, put right, put right again, adopted and branched, by people who do not always do it well."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.seen: dict[str, list[str]] = {}
        chance = Random(1)  # a failing chain must fail again when it is tried again
        self.dice = mock.patch("secrets.token_bytes", chance.randbytes)
        self.dice.start()

    @initialize(sealed=st.booleans())
    def open(self, sealed: bool) -> None:
        self.battle = deploy(Path(self.folder.name) / "war.db", SealedToy() if sealed else ToyRules())
        self.log = self.battle.log

    def teardown(self) -> None:
        try:
            if hasattr(self, "battle"):
                holds(self.battle)
        finally:
            self.dice.stop()
            if hasattr(self, "battle"):
                self.battle.log.close()
            self.folder.cleanup()

    def attempt(self, act: Callable[[], Any]) -> None:
        """Act on the battle; a refusal must leave no trace and fill one line."""
        heads = {line.name: self.log.head(line) for line in self.log.lines("b")}
        try:
            act()
        except DiaryError as error:
            for problem in getattr(error, "problems", (error,)):
                assert "\n" not in str(problem)
            assert heads == {line.name: self.log.head(line) for line in self.log.lines("b")}

    # -------------------------------------------------------------------------------------------------- playing

    @rule(who=WHO, verb=st.sampled_from(["hit", "hit", "hit", "curse"]), whom=WHO)
    def order(self, who: str, verb: str, whom: str) -> None:
        self.attempt(lambda: self.battle.order("referee", f"{who}: {verb} {whom}"))

    @rule(hands=st.lists(st.sampled_from(["red", "blue"]), unique=True))
    def whole_turn(self, hands: list[str]) -> None:
        for seat in ("red", "blue"):
            sheet = write_sheet(self.battle.rules.autoplay(self.battle.situation(), seat))
            self.attempt(lambda seat=seat, sheet=sheet: self.battle.order(seat, sheet))  # type: ignore[misc]
        self.attempt(lambda: self.battle.proceed(by_hand=hands))

    @rule(hands=st.lists(st.sampled_from(["red", "blue"]), unique=True))
    def proceed(self, hands: list[str]) -> None:
        self.attempt(lambda: self.battle.proceed(by_hand=hands))

    @precondition(lambda self: self.battle.state.table.called)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.battle.state.table.called)))
        shown = data.draw(st.none() | st.tuples(st.integers(1, 6)))
        self.attempt(lambda: self.battle.roll({key: shown}))

    @precondition(lambda self: self.battle.state.table.called)
    @rule()
    def draw(self) -> None:
        self.attempt(lambda: self.battle.roll(dict.fromkeys(self.battle.state.table.called)))

    @precondition(lambda self: self.battle.state.table.asked)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.battle.state.table.asked)))
        self.attempt(lambda: self.battle.rule(key, data.draw(st.sampled_from(["yes", "no"]))))

    @rule(what=st.sampled_from(["note", "seed", "bookmark", "fact"]), who=WHO)
    def say(self, what: str, who: str) -> None:
        acts: dict[str, Callable[[], Any]] = {
            "note": lambda: self.battle.note("red", "hm"),
            "seed": lambda: self.battle.seed("blue", who),
            "bookmark": lambda: self.battle.bookmark("referee", who, max(1, self.battle.seq - 2)),
            "fact": lambda: self.battle.state_fact(f"{who}: health 3", "healed"),
        }
        self.attempt(acts[what])

    # -------------------------------------------------------------------------------------------- putting right

    def correct(self, wish: CorrectionRequest) -> None:
        def make() -> None:
            old = sit_down(self.battle)
            made = plan(old, wish)
            apply_correction(old, made)
            self.battle = sit_down(old)
            self.check_dice(old, made)

        self.attempt(make)

    def check_dice(self, old: Table, made: Plan) -> None:
        """`keep` shows every face again whose key recurs on the same dice, but for one that was amended."""
        assert self.battle.line.name == made.name
        before, after = faces(old, made.after), rolls(self.battle, made.after)
        if made.wish.policy != "keep":
            return
        for key, rolled in after.items():
            if key in before and rolled.source != "entered":
                assert rolled.faces == before[key]
                assert rolled.source == "kept"

    @rule(policy=POLICIES)
    def undo_last(self, policy: DicePolicy) -> None:
        self.correct(CorrectionRequest("undo", (), "referee", "oops", policy))

    @precondition(lambda self: self.battle.seq > OPENING)
    @rule(data=st.data(), policy=POLICIES, what=st.sampled_from(["undo", "strike", "strike"]))
    def take_out(self, data: st.DataObject, policy: DicePolicy, what: Any) -> None:
        self.correct(
            CorrectionRequest(what, (data.draw(st.integers(OPENING, self.battle.seq)),), "referee", "a mistake", policy)
        )

    @rule(data=st.data(), policy=POLICIES, whom=WHO)
    def amend_order(self, data: st.DataObject, policy: DicePolicy, whom: str) -> None:
        orders = zip(itertools.count(1), events_of(self.battle), strict=False)
        given = [(seq, event.piece) for seq, event in orders if isinstance(event, Ordered | Sealed)]
        if given:
            target, who = data.draw(st.sampled_from(given))
            self.correct(CorrectionRequest("amend", (target,), "referee", "a slip", policy, text=f"{who}: hit {whom}"))

    @rule(data=st.data(), policy=POLICIES, what=st.sampled_from(["faces", "modifier"]), value=st.integers(1, 6))
    def amend_roll(self, data: st.DataObject, policy: DicePolicy, what: str, value: int) -> None:
        fallen = [each.seq for each in self.log.records(self.battle.line) if each.type == "roll.rolled"]
        if fallen:
            wish = CorrectionRequest("amend", (data.draw(st.sampled_from(fallen)),), "referee", "misread", policy)
            if what == "faces":
                self.correct(CorrectionRequest(wish.what, wish.targets, "referee", "misread", policy, faces=(value,)))
            else:
                self.correct(
                    CorrectionRequest(wish.what, wish.targets, "referee", "rain", policy, modifier=("rain", value - 3))
                )

    @precondition(lambda self: self.battle.state.table.held)
    @rule(data=st.data(), again=st.booleans())
    def settle_one(self, data: st.DataObject, again: bool) -> None:
        number = data.draw(st.sampled_from([each.number for each in self.battle.state.table.held]))
        self.attempt(lambda: self.battle.settle(number, again=again))

    @precondition(lambda self: self.battle.state.table.held)
    @rule()
    def settle_everything(self) -> None:
        self.attempt(lambda: self.battle.settle_all())

    @rule(data=st.data(), policy=st.sampled_from(["keep", "reroll-act"]))
    def adopt_another(self, data: st.DataObject, policy: DicePolicy) -> None:
        other = data.draw(st.sampled_from([line.name for line in self.log.lines("b")]))

        def make() -> None:
            adopt(sit_down(self.battle), other, "referee", "better so", policy)
            self.battle = sit_down(self.battle)

        self.attempt(make)

    # ------------------------------------------------------------------------------------------------ what if

    @rule(data=st.data(), seat=st.sampled_from(["referee", "red"]), shared=st.booleans(), steps=st.integers(0, 3))
    def what_if(self, data: st.DataObject, seat: str, shared: bool, steps: int) -> None:
        at = data.draw(st.integers(7, self.battle.seq))
        name = f"w{len(self.log.lines('b'))}"
        before = {line.name: hashes(self.log, line) for line in self.log.lines("b")}
        try:
            branch(self.battle, name, at, seat, "what if", dice_of=name if shared else "")
        except CorrectionRefused:  # between an order that took effect at once and its effect
            assert next(self.battle.log.records(self.battle.line, at, at + 1)).act == at
            return
        other = sit_down(self.battle, name)
        for _ in range(steps):
            try:
                other.order("referee", write_sheet(other.rules.autoplay(other.situation(), "red")) or "ann: hit bob")
                other.proceed()
            except DiaryError:
                break
        assert before == {line.name: hashes(self.log, line) for line in self.log.lines("b") if line.name != name}

    # ---------------------------------------------------------------------------------------------- always true

    @invariant()
    def no_line_is_ever_changed(self) -> None:
        if not hasattr(self, "battle"):
            return
        for line in self.log.lines("b"):
            now = hashes(self.log, line)
            before = self.seen.get(line.name, [])
            assert now[: len(before)] == before
            self.seen[line.name] = now
        assert adopted(self.log, "b").name == self.battle.line.name

    @invariant()
    def the_state_is_the_fold(self) -> None:
        if hasattr(self, "battle"):
            assert self.battle.state == replay(self.log, self.battle.fold, self.battle.line)

    @invariant()
    def every_roll_fits_its_dice(self) -> None:
        if hasattr(self, "battle"):
            for event in events_of(self.battle):
                if isinstance(event, DiceRolled):
                    assert len(event.faces) == len(dice_of("d6").faces())


TestRulings = Rulings.TestCase
TestRulings.settings = settings(max_examples=60, stateful_step_count=20)
