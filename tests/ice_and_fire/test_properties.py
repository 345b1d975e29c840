"""What holds in every battle, whatever the dice: random battles, fought without a log."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.opening import read_scenario
from engine.orders import write_sheet
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.turn import PHASES, PROCEDURES, SLOTS
from engine.rules.rule_set import Scenario
from events.facts import ActOpened, Event, Ordered, RollCalled, RulingRequested, Seat
from events.ice_and_fire.units import (
    Attacked,
    ConditionWorsened,
    Reformed,
    UnitActed,
    UnitDamaged,
    UnitMoved,
)
from projections.dice.rolls import dice_of, read_roll
from projections.ice_and_fire.state import CONDITIONS, BattleField
from projections.journal import caption
from tests.ice_and_fire.table_top import SCENARIOS, Top


class Fought(Top):
    """A battle fought to its end with dice from a seed; `steps` pairs each event with the states around it."""

    def __init__(self, setup: Scenario, seed: int, *, drilled: bool = True) -> None:
        super().__init__(setup)
        self.dice = random.Random(seed)
        self.steps: list[tuple[BattleField, Event, BattleField]] = []
        seats = list(setup.seats)
        opened = self.state.table
        self.field.state = replace(self.state, table=replace(opened, seats=tuple(Seat(s, s) for s in seats)))
        while not self.state.table.ended:
            for seat in seats if drilled else ():
                self.hand_in(seat, write_sheet(rules().autoplay(self.field, seat)))
            turn = self.state.table.turn
            for phase in PHASES[0 if turn == 1 else 1 :]:
                self.apply(ActOpened(f"t{turn}/{phase}", 0, "", SLOTS.get(phase, ())))
                self.play(PROCEDURES[phase](self.field))
            if self.state.counted and not self.state.table.ended:
                self.play(PROCEDURES["disband"](self.field))

    def hand_in(self, seat: str, sheet: str) -> None:
        for text in sheet.splitlines():
            order = self.order(text)
            assert rules().objections(self.field, order) == []
            self.apply(Ordered(seat, order.piece, rules().slot_for(self.field, order).slot, text))

    def apply(self, *events: Event) -> None:
        for event in events:
            before = self.state
            super().apply(event)
            self.steps.append((before, event, self.state))

    def _answer(self, question: RollCalled | RulingRequested) -> Any:
        if isinstance(question, RollCalled):
            faces = [self.dice.randint(low, high) for low, high in dice_of(question.dice).faces()]
            self.totals = {}
            self.margins = {}
            self._faces = tuple(faces)
        return super()._answer(question)

    def _wanted(self, call: RollCalled) -> int | None:
        return read_roll(call, self._faces).total


@pytest.fixture(scope="module")
def squads() -> Scenario:
    return read_scenario(SCENARIOS / "if_squads.toml")


def check(battle: Fought) -> None:
    """The promises that hold at every step."""
    for before, event, after in battle.steps:
        for name, unit in after.units.items():
            old = before.units.get(name)
            assert unit.damage >= 0
            if old is None:
                continue
            worse = CONDITIONS.index(unit.condition) - CONDITIONS.index(old.condition)
            assert worse == 0 or isinstance(event, Reformed if worse < 0 else ConditionWorsened)
            assert unit.damage >= old.damage or type(event).__name__ in ("Reformed", "BreathCaught")
        stakes = isinstance(event, Attacked) and event.free  # they stay when those who planted them are gone
        if isinstance(event, UnitActed | UnitMoved | Attacked) and not stakes:
            assert before.units[event.unit].on_field
        if isinstance(event, UnitDamaged):
            assert event.amount > 0
        assert sum(unit.men for unit in after.units.values()) <= (
            sum(unit.men for unit in before.units.values()) if before.units.keys() == after.units.keys() else 10**6
        )
        assert caption(battle.fold, event, before)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_what_holds_in_every_fight_of_squads(squads: Scenario, seed: int, drilled: bool) -> None:
    """Condition improves by Reform alone; damage is never negative; who left acts no more; men never grow."""
    check(Fought(squads, seed, drilled=drilled))


@pytest.mark.parametrize(("name", "seed"), [("if_field", 1), ("if_castle", 2), ("if_castle", 3)])
def test_what_holds_in_the_great_battles(name: str, seed: int) -> None:
    battle = Fought(read_scenario(SCENARIOS / f"{name}.toml"), seed)
    check(battle)
    assert len(battle.calls) == len({call.key for call in battle.calls.values()})


def test_the_same_dice_give_the_same_battle(squads: Scenario) -> None:
    one, other = Fought(squads, 7), Fought(squads, 7)
    assert one.events == other.events
    assert one.fold.digest(one.state) == other.fold.digest(other.state)


def test_a_state_can_be_saved_and_loaded(squads: Scenario) -> None:
    battle = Fought(squads, 5)
    assert battle.fold.load(battle.fold.save(battle.state)) == battle.state


def test_the_picture_is_at_most_eighty_columns_wide() -> None:
    for name in ("if_field", "if_castle", "if_squads"):
        top = Top(read_scenario(SCENARIOS / f"{name}.toml"))
        drawn = top.fold.picture(top.state)
        assert max(map(len, drawn.splitlines())) <= 80
        assert "#" in drawn or name != "if_castle"
