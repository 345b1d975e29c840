"""Whole battles, from the opening to the rosters, through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import opening
from engine.adjudication.readjudicate import Readjudicator
from engine.errors import InputPending
from engine.orders import write_sheet
from engine.rules.ice_and_fire import rules
from engine.rules.rule_set import Scenario, find_rules
from events.facts import DiceRolled, RollCalled
from events.store.sqlite import SqliteLog
from projections.dice.rolls import dice_of
from projections.ice_and_fire.state import BattleField
from replays.audit.verify import verify
from replays.seek import replay, steps
from tests.ice_and_fire.table_top import SCENARIOS, scenario
from tests.table import Table, open_battle


def opened(path: Path, setup: Scenario) -> Table:
    log = SqliteLog(path / "war.db")
    open_battle(log, "b", setup)
    return Table(log, "b", find_rules("ice_and_fire"))


def fought(path: Path, setup: Scenario, *, drilled: bool = True) -> Table:
    """Open a battle and fight it to its end."""
    battle = opened(path, setup)
    while not battle.state.table.ended:
        for seat in battle.state.table.seats if drilled else ():
            sheet = write_sheet(rules().autoplay(battle.situation(), seat.id))
            if sheet:
                battle.order(seat.id, sheet)
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


@pytest.mark.parametrize("name", ["if_squads", "if_castle"])
def test_a_shipped_battle_is_fought_proved_and_judged(tmp_path: Path, name: str) -> None:
    """Standing orders alone are enough; every die is proved; the rules run again give the same outcomes."""
    battle = fought(tmp_path, opening.read_scenario(SCENARIOS / f"{name}.toml"), drilled=False)
    assert battle.state.table.ended
    assert battle.state == replay(battle.log, battle.fold, battle.line)
    proved = verify(battle.log, "b").proved
    kinds = [record.type for record in battle.log.records(battle.line)]
    assert proved == kinds.count("roll.rolled")
    judgement = Readjudicator(battle.log, battle.line, rules()).run()
    assert judgement.acts > 10


def test_dice_by_hand_stop_the_round_and_it_goes_on_from_there(tmp_path: Path, two_units: Scenario) -> None:
    battle = opened(tmp_path, two_units)
    for _ in range(3):
        battle.order("red", "spears: charge guards")
        battle.order("blue", "guards: attack spears aim")
        battle.proceed(by_hand=["red"])
        while battle.state.table.called:
            battle.roll(dict.fromkeys(battle.state.table.called), seat="red")
        if battle.state.table.ended:
            break
    assert battle.state.table.turn > 1
    assert battle.state == replay(battle.log, battle.fold, battle.line)
    assert Readjudicator(battle.log, battle.line, rules()).run().acts


def test_a_present_referee_is_waited_for(tmp_path: Path) -> None:
    """RUL-01, RUL-17: the questions of the muster, then one for the units without orders."""
    odd = {"id": "dunes", "terrain": "ask", "otherwise": "mud", "corners": [[10, 10], [50, 10], [50, 50]]}
    setup = scenario(ground=[odd])
    battle = opened(tmp_path, Scenario(setup.title, setup.rule_set, setup.seats, rest=setup.rest))
    battle.proceed()
    assert {each.rule for each in battle.state.table.asked.values()} == {"RUL-17"}
    with pytest.raises(InputPending):
        battle.proceed()
    for key, question in sorted(battle.state.table.asked.items()):
        battle.rule(key, question.default)
    assert [each.rule for each in battle.state.table.asked.values()] == ["RUL-01"]
    battle.rule("t1/independent", "hold")
    assert battle.state.table.turn == 2
    state = battle.state
    assert isinstance(state, BattleField)
    assert state.grounds["dunes"].terrain == "mud"


@pytest.mark.parametrize(
    ("order", "reason"), [("withdraw_all", "red has drawn off"), ("yield_all", "one side is gone")]
)
def test_a_whole_side_draws_off_or_surrenders(tmp_path: Path, two_units: Scenario, order: str, reason: str) -> None:
    """IF-180, IF-181."""
    battle = opened(tmp_path, two_units)
    battle.order("red", f"red: {order}")
    battle.proceed()
    assert battle.state.table.ended.startswith(reason)
    assert battle.state.table.winner == "blue"


def test_a_side_that_tells_all_its_units_to_withdraw_has_drawn_off(tmp_path: Path, two_units: Scenario) -> None:
    """IF-181, IF-182."""
    battle = opened(tmp_path, two_units)
    battle.order("red", "spears: withdraw")
    battle.proceed()
    assert battle.state.table.ended == "red has drawn off"


def test_the_options_are_recorded_in_the_opening(tmp_path: Path, two_units: Scenario) -> None:
    chosen = Scenario(
        two_units.title,
        two_units.rule_set,
        two_units.seats,
        {"elite": "test_die"},
        referee="absent",
        rest=two_units.rest,
    )
    battle = opened(tmp_path, chosen)
    assert battle.state.table.options == {"elite": "test_die"}


def test_every_roll_is_called_once_and_every_die_is_kept(tmp_path: Path) -> None:
    battle = fought(tmp_path, opening.read_scenario(SCENARIOS / "if_field.toml"))
    rolls = [step.event for step in steps(battle.log, battle.fold, battle.line) if isinstance(step.event, RollCalled)]
    assert len({call.key for call in rolls}) == len(rolls)
    shown = [step.event for step in steps(battle.log, battle.fold, battle.line) if isinstance(step.event, DiceRolled)]
    thrown = {call.key: len(dice_of(call.dice).faces()) for call in rolls}
    assert all(len(each.faces) == thrown[each.key] for each in shown)


def test_a_battle_can_be_fought_on_from_its_roster(tmp_path: Path, two_units: Scenario) -> None:
    """IF-190 to IF-201: what is left begins the next battle."""
    battle = fought(tmp_path, two_units)
    left = rules().roster(battle.situation())
    kept = {each["id"]: each for each in left["unit"]}
    assert set(kept) == {"spears", "guards"}
    units = [{**unit, **kept[unit["id"]]} for unit in two_units.rest["unit"]]
    setup = Scenario("Again", "ice_and_fire", two_units.seats, referee="absent", rest={**two_units.rest, "unit": units})
    (tmp_path / "next").mkdir()
    again = fought(tmp_path / "next", setup)
    assert again.state.table.ended
