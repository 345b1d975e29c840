"""Whole battles, from the opening to the rosters, through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import opening
from engine.battle import Battle
from engine.rules.ice_and_fire import rules
from engine.rules.rule_set import Scenario, find_rules
from events.sqlite import SqliteLog
from projections.ice_and_fire.state import BattleField
from replays.seek import replay
from replays.verify import verify
from tests.ice_and_fire.table_top import scenario


def fought(path: Path, setup: Scenario, *, drilled: bool = True) -> Battle:
    """Open a battle and fight it to its end."""
    log = SqliteLog(path / "war.db")
    opening.open_battle(log, "b", setup)
    battle = Battle(log, "b", find_rules("ice_and_fire"))
    while not battle.state.table.ended:
        for seat in ("red", "blue") if drilled else ():
            sheet = rules().drill(battle.situation(), seat)
            if sheet:
                battle.order(seat, sheet)
        battle.proceed()
    return battle


@pytest.fixture
def two_units() -> Scenario:
    setup = scenario(field={"width": 400, "height": 300, "last_turn": 15})
    return Scenario(setup.title, setup.rule_set, setup.seats, referee="absent", rest=setup.rest)


def test_two_units_fight_until_one_is_gone_or_night_falls(tmp_path: Path, two_units: Scenario) -> None:
    battle = fought(tmp_path, two_units)
    state = battle.state
    assert isinstance(state, BattleField)
    assert state.table.ended
    assert all(unit.outcome for unit in state.units.values())
    assert state == replay(battle.log, battle.fold, battle.line)
    assert verify(battle.log, "b").proved > 0
