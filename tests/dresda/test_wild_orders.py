"""Battles in which everybody orders anything at all: nothing breaks, and the record is judged to be right."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from unittest import mock

import pytest
from msgspec.structs import replace

from engine.adjudication.readjudicate import Readjudicator
from engine.opening import read_scenario
from engine.orders import write_order
from engine.orders.errors import OrderError
from engine.rules.dresda import rules
from events.store.memory import MemoryLog
from projections.dresda.state import Battlefield
from replays.seek import replay
from tests.dresda.autoplayed import SCENARIOS
from tests.table import Table, open_battle

OPTIONS = [
    {},
    {"wound_movement": "double", "wounds_apply": "after_d", "charge_test": "in_a"},
    {"charge_test_by": "unit", "disputes": "ask"},
]


def wish(dice: random.Random, state: Battlefield) -> str:
    """Return an order, sensible or not."""
    figures = sorted(state.figures)
    one, other = dice.choice(figures), dice.choice(figures)
    weapon = dice.choice(state.weapons)
    at = state.figures[one].place
    x, y = (
        min(max(each + dice.randint(-120, 120), 0), most) for each, most in ((at.x, state.width), (at.y, state.depth))
    )
    to = f"{x // 10},{y // 10}"
    return dice.choice(
        [
            f"{one}: charge {other}",
            f"{one}: aim {weapon} at {other}",
            f"{one}: fight on",
            f"{one}: disengage",
            f"{one}: walk {to} towards {other}",
            f"{one}: run {to}",
            f"{one}: walk {to} off",
            f"{one}: hold facing {dice.randint(0, 359)}",
            f"{one}: do climb_low_wall",
            f'{one}: do "dance a jig"',
            f"{one}: draw {weapon}",
            f"{one}: ready {weapon}",
            f"{one}: load {weapon}",
            f"{one}: {dice.choice(['mount', 'dismount', 'stand', 'kneel', 'drop', 'shield up', 'shield away'])}",
            f"{one}: take {dice.choice([*sorted(state.things), other])}",
            f"{one}: recover {weapon} from {other}",
            f"{one}: pass {weapon} to {other}",
            f"{one}: shoot {weapon} at {other}",
            f"{one}: throw {weapon} at {other}",
            f"referee: weather {dice.choice(['rain', 'fog', 'clear', 'snow strong_wind'])}",
            f"referee: light {dice.choice(['day', 'dusk', 'night'])}",
        ]
    )


def play_wildly(name: str, seed: int, turns: int) -> Table:
    """Play some turns: drill for half of the figures, wishes for all."""
    dice = random.Random(seed)
    scenario = replace(read_scenario(SCENARIOS / f"{name}.toml"), by_hand=(), options=OPTIONS[seed % len(OPTIONS)])
    ticks = itertools.count(1_700_000_000_000_000)
    with mock.patch("secrets.token_bytes", return_value=bytes([seed % 256]) * 32):
        log = MemoryLog()
        open_battle(log, "b", scenario, clock=lambda: next(ticks))
        battle = Table(log, "b", rules(), clock=lambda: next(ticks))
        for _ in range(3 * turns):
            for order in drilled(battle, dice) + [wish(dice, field(battle)) for _ in range(40)]:
                with suppress(OrderError):
                    battle.order("referee", order)
            battle.proceed()
            while battle.state.table.asked:
                key, question = dice.choice(sorted(battle.state.table.asked.items()))
                battle.rule(key, dice.choice(question.choices))
            if battle.state.table.ended:
                break
    return battle


def field(battle: Table) -> Battlefield:
    state = battle.state
    assert isinstance(state, Battlefield)
    return state


def drilled(battle: Table, dice: random.Random) -> list[str]:
    now = battle.situation()
    orders = [order for seat in battle.state.table.seats for order in rules().autoplay(now, seat.id)]
    return [write_order(order) for order in orders if dice.random() < 0.5]


@pytest.mark.parametrize("name", ["dresda_skirmish", "dresda_ford", "dresda_examples"])
@pytest.mark.parametrize("seed", range(2))
def test_wild_orders_break_nothing(name: str, seed: int) -> None:
    battle = play_wildly(name, seed, 4)
    assert battle.state == replay(battle.log, battle.fold, battle.line)
    Readjudicator(battle.log, battle.line, battle.rules).run()
