"""Every rule set that comes along can be played with sealed orders: the same battle, and any copy of it is safe."""

from __future__ import annotations

from collections.abc import Iterable
from unittest import mock

import pytest
from msgspec.structs import replace

from engine.adjudication.readjudicate import Readjudicator
from engine.opening import read_scenario
from engine.orders import write_sheet
from engine.rules.rule_set import find_rules
from engine.scenario_files import find_scenario
from events.facts import Revealed
from events.store.memory import MemoryLog
from projections.viewer import SPECTATOR
from replays.audit import algorithms
from replays.audit.lineage import content_of_orders
from replays.audit.verify import verify
from replays.seek import steps
from replays.seen import SeenLog, seen_by
from tests.table import Table, open_battle

SCENARIOS = ["dresda_skirmish", "if_squads", "rhand_duel"]


def drilled(name: str, orders: str, acts: int) -> Table:
    """Play a scenario by drill for so many acts, with the same dice each time."""
    scenario = read_scenario(find_scenario(name))
    scenario = replace(scenario, options={**scenario.options, "orders": orders}, by_hand=(), referee="absent")
    log = MemoryLog()
    with mock.patch("engine.dice.source.system.token_bytes", lambda count: bytes(count)):
        open_battle(log, "b", scenario)
    battle = Table(log, "b", find_rules(scenario.rule_set))
    for _ in range(acts):
        for seat in battle.state.table.seats:
            sheet = write_sheet(battle.rules.autoplay(battle.situation(), seat.id))
            if sheet and not battle.state.table.ended:
                battle.order(seat.id, sheet)
        if not battle.state.table.ended:
            battle.proceed()
    return battle


@pytest.mark.parametrize("name", SCENARIOS)
def test_sealing_changes_nothing_but_what_is_shown_beforehand(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the dice, which the salts of sealed orders go into: here they do not."""

    def unsalted(act: str, orders: Iterable[tuple[str, str, str]]) -> str:
        return content_of_orders(act, [(seat, text, "") for seat, text, _ in orders])

    monkeypatch.setattr(algorithms, "content_of_orders", unsalted)
    sealed, told = drilled(name, "sealed", 8), drilled(name, "open", 8)
    kinds = ("roll", "outcome")
    assert [record.body for record in sealed.log.records(sealed.line) if record.kind in kinds] == [
        record.body for record in told.log.records(told.line) if record.kind in kinds
    ]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_sealed_battle_is_verified_and_judged_and_every_copy_is_exact(name: str) -> None:
    battle = drilled(name, "sealed", 8)
    assert verify(battle.log, "b").proved
    assert Readjudicator(battle.log, battle.line, battle.rules).run().orders
    seen = seen_by(battle.log, battle.fold, "b", SPECTATOR)
    assert isinstance(seen, SeenLog)
    assert seen.exact


def test_a_standing_order_that_an_act_only_looks_at_is_revealed_for_it() -> None:
    battle = drilled("if_squads", "sealed", 3)
    state = battle.state
    unit = next(iter(state.units))  # type: ignore[attr-defined]
    owner = battle.rules.owner(battle.situation(), unit)
    battle.order(owner, f"{unit}: standing hold")
    while not [each for each in steps(battle.log, battle.fold, battle.line) if _stands(each.event, unit)]:
        battle.proceed()
    opened = [record.body for record in battle.log.records(battle.line) if record.type == "table.act_opened"]
    assert "/alone" in opened[-1] or "/alone" in opened[-2]
    assert f"{unit}: standing hold" in [order.text for order in battle.state.table.orders]
    Readjudicator(battle.log, battle.line, battle.rules).run()


def _stands(event: object, unit: str) -> bool:
    return isinstance(event, Revealed) and event.piece == unit and event.slot == "standing"
