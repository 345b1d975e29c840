"""A toy battle set out for the tests of corrections, and what they look at in it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.adjudication.readjudicate import Readjudicator
from engine.orders import AnyOrder
from engine.rules.rule_set import OrderSlot, RuleSet, Scenario, Situation
from events.facts import DiceRolled, Event
from events.store.log import Log
from events.store.record import Line
from events.store.sqlite import SqliteLog
from replays.audit.verify import verify
from replays.lines import adopted
from replays.seek import replay, state_at
from tests.table import Table, open_battle
from tests.toy import Hit, ToyRules

SCENARIO = Scenario(
    "A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob", "ben"]}
)
ORDERS = {"red": "ann: hit bob\nal: hit bob", "blue": "bob: hit ann\nben: hit al"}


class SealedToy(ToyRules):
    """The toy rules with blows that are declared under seal."""

    def slot_for(self, situation: Situation[Any, Any], order: AnyOrder) -> OrderSlot:
        return OrderSlot("blows", sealed=True) if isinstance(order, Hit) else super().slot_for(situation, order)


def deploy(path: Path, rules: RuleSet | None = None, options: Mapping[str, Any] | None = None) -> Table:
    """Open a battle with two fighters on each side, with a clock of its own."""
    chosen: RuleSet = rules or ToyRules()
    log = SqliteLog(path, durability="normal")
    ticks = itertools.count(1_700_000_000_000_000)
    scenario = msgspec.structs.replace(SCENARIO, options=dict(options or {}))
    open_battle(log, "b", scenario, clock=lambda: next(ticks), rules=chosen)
    return Table(log, "b", chosen, clock=lambda: next(ticks))


def fight(path: Path, turns: int = 2, rules: RuleSet | None = None, options: Mapping[str, Any] | None = None) -> Table:
    """Set a battle out and play some turns of it, everybody striking."""
    battle = deploy(path, rules, options)
    for _ in range(turns):
        for seat, sheet in ORDERS.items():
            battle.order(seat, sheet)
        battle.proceed()
    return battle


def sit_down(battle: Table, line: str = "") -> Table:
    """Sit down anew, at a line or at the one that is the battle now."""
    return Table(battle.log, "b", battle.rules, line or adopted(battle.log, "b").name, battle.clock)


def event_of(battle: Table, kind: str, nth: int = 0) -> int:
    """Return the seq of the nth event of a type."""
    return [record.seq for record in battle.log.records(battle.line) if record.type == kind][nth]


def events_of(battle: Table, after: int = 0) -> list[Event]:
    return [battle.fold.catalogue.read(each.body, each.seq) for each in battle.log.records(battle.line, after)]


def rolls(battle: Table, after: int = 0) -> dict[str, DiceRolled]:
    return {event.key: event for event in events_of(battle, after) if isinstance(event, DiceRolled)}


def faces(battle: Table, after: int = 0) -> dict[str, tuple[int, ...]]:
    return {key: rolled.faces for key, rolled in rolls(battle, after).items()}


def hashes(log: Log, line: Line) -> list[str]:
    return [record.hash for record in log.records(line)]


def holds(battle: Table) -> None:
    """Check all lines of a battle: chain and dice, rules judged again, every way to the head the same."""
    verify(battle.log, "b")
    for line in battle.log.lines("b"):
        Readjudicator(battle.log, line, battle.rules).run()
        head = battle.log.head(line).seq
        assert state_at(battle.log, battle.fold, line, head) == replay(battle.log, battle.fold, line)
