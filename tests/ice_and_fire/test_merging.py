"""Units of one type merge once the casualties are known (IF-201)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.orders.errors import SheetRefused
from engine.rules.rule_set import Scenario, find_rules
from events.facts import OrderLapsed
from events.ice_and_fire.units import UnitsMerged
from events.store.sqlite import SqliteLog
from projections.ice_and_fire.state import BattleField
from replays.seek import steps
from tests.ice_and_fire.table_top import scenario, unit
from tests.table import Table, open_battle


def battle(path: Path, men: int, other: int) -> Table:
    """A battle of one round between a levy and two companies of militia too few to be whole."""
    units = [
        unit("a", "red", "militia", (100, 60), men=men, standing="stay"),
        unit("c", "red", "militia", (200, 60), men=other, standing="stay"),
        unit("b", "blue", "peasant_levies", (100, 400), standing="stay"),
    ]
    setup = scenario(units, field={"width": 600, "height": 500, "last_turn": 1})
    log = SqliteLog(path / "war.db")
    open_battle(log, "b", Scenario(setup.title, setup.rule_set, setup.seats, referee="absent", rest=setup.rest))
    return Table(log, "b", find_rules("ice_and_fire"))


def made(table: Table, kind: type) -> list:  # type: ignore[type-arg]
    return [step.event for step in steps(table.log, table.fold, table.line) if isinstance(step.event, kind)]


def test_the_battle_waits_for_merging_when_the_casualties_are_known(tmp_path: Path) -> None:
    table = battle(tmp_path, 60, 35)
    table.proceed()
    state = table.state
    assert isinstance(state, BattleField)
    assert state.counted
    assert not state.table.ended
    with pytest.raises(SheetRefused):
        table.order("red", "a: move 100,100")
    left = state.units["a"].men + state.units["c"].men
    table.order("red", "a: merge c")
    table.proceed()
    assert table.state.table.ended == "night falls"
    (merged,) = made(table, UnitsMerged)
    assert merged.men == left


def test_without_an_order_the_battle_just_ends(tmp_path: Path) -> None:
    table = battle(tmp_path, 60, 35)
    table.proceed()
    table.proceed()
    assert table.state.table.ended
    assert made(table, UnitsMerged) == []


def test_too_many_men_are_refused_by_name_and_an_early_order_lapses_with_the_reason(tmp_path: Path) -> None:
    table = battle(tmp_path, 90, 90)
    table.order("red", "a: merge c")
    table.proceed()
    assert table.state.table.ended
    (lapsed,) = made(table, OrderLapsed)
    assert lapsed.rule == "IF-201"
    assert "men of 100" in lapsed.reason
