"""Wild orders: whatever is allowed is carried out, or lapses with a rule; nothing breaks, no promise with it."""

from __future__ import annotations

import random

import pytest

from engine.opening import read_scenario
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.orders import GRAMMAR
from engine.rules.rule_set import Scenario
from events.facts import OrderLapsed
from projections.ice_and_fire.state import BattleField
from tests.ice_and_fire.table_top import SCENARIOS
from tests.ice_and_fire.test_properties import Fought, check

ROUNDS = 6


class Wild(Fought):
    """A battle in which both sides order whatever comes to mind, within what is allowed."""

    def __init__(self, setup: Scenario, seed: int) -> None:
        self.mind = random.Random(seed)
        self.tried: set[str] = set()
        field = {**setup.rest["field"], "last_turn": ROUNDS}
        super().__init__(
            Scenario(setup.title, setup.rule_set, setup.seats, rest={**setup.rest, "field": field}), seed
        )  # fmt: skip

    def hand_in(self, seat: str, sheet: str) -> None:
        state = self.state
        for name in sorted(state.units):
            if state.units[name].seat == seat and self.mind.random() < 0.8:
                self.attempt(seat, f"{name}: {self.of_unit(state, name)}")
        for name in sorted(state.heroes):
            if state.heroes[name].seat == seat and self.mind.random() < 0.6:
                self.attempt(seat, f"{name}: {self.of_hero(state, name)}")

    def attempt(self, seat: str, text: str) -> None:
        if rules().objections(self.field, self.order(text)):
            return
        self.tried.add(text.split(": ")[1].split()[0])
        super().hand_in(seat, text)

    def of_unit(self, state: BattleField, name: str) -> str:
        pick = self.mind.choice
        foe = pick([each for each in sorted(state.units) if state.units[each].seat != state.units[name].seat])
        at = f"{self.mind.randrange(1, state.width // 10)},{self.mind.randrange(1, state.height // 10)}"
        forms = [
            f"attack {foe} {pick(['', 'aim', 'hold', 'fire', 'reform', f'going {at}', f'then {at}', 'guided'])}",
            f"move {at} {pick(['', 'aim', 'facing 77'])}",
            f"charge {foe}",
            f"trample to {at} {pick(['', 'charging'])}",
            f"sprint to {at}",
            f"withdraw {pick(['', f'to {at}'])}",
            f"stand {pick(['aim', 'hold', 'loosen', 'facing 300'])}",
            f"stakes {pick(['plant', 'pull'])}",
            f"reform {pick(['', 'wedge', 'aim'])}",
            f"counter {pick(['', 'set_for charge'])}",
            *("quit", "breath", "shieldwall", "wedge", "cover", "yield" if self.mind.random() < 0.1 else "quit"),
        ]
        if state.walls:
            wall = pick(sorted(state.walls))
            forms += [f"scale {wall} {pick(['', 'twice', f'attacking {foe}'])}", f"man {wall}", f"break {wall}"] * 2
            forms += [f"attack {foe} with {pick(['stones', 'boiling_oil', 'hot_sand'])}"]
        if state.gates:
            forms.append(f"break {pick(sorted(state.gates))}")
        throwers = [each for each in sorted(state.engines) if state.engines[each].throws]
        if throwers:
            mark = pick([*sorted(state.units), *sorted(state.engines), *sorted(state.walls), *sorted(state.gates)])
            forms += [f"bombard {mark} with {pick(throwers)}"] * 3
        trenches = [each for each in sorted(state.grounds) if state.grounds[each].terrain in ("trench", "barrier")]
        if trenches:
            forms.append(f"bridge {pick(trenches)}")
        by = pick(["", *(f" by {each}" for each in sorted(state.heroes))])
        return f"{pick(forms)}{by} number {self.mind.randrange(9)}"

    def of_hero(self, state: BattleField, name: str) -> str:
        pick = self.mind.choice
        return pick(
            [
                "inspire",
                "lead",
                "first",
                f"attach {pick(sorted(state.units))} {pick(['', 'leading'])}",
                f"fight {pick([*sorted(state.units), *sorted(state.heroes)])} for {self.mind.randrange(1, 6)}",
                f"take {pick(sorted(state.posts))}",
                f"go to {self.mind.randrange(1, state.width // 10)},{self.mind.randrange(1, state.height // 10)}",
            ]
        )


@pytest.mark.parametrize("name", ["if_squads", "if_field", "if_castle"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_wild_orders_break_nothing(name: str, seed: int) -> None:
    battle = Wild(read_scenario(SCENARIOS / f"{name}.toml"), seed)
    check(battle)
    assert all(lapsed.rule for lapsed in battle.made(OrderLapsed))
    assert 4 * len(battle.tried) > len(GRAMMAR)
