"""A toy battle with a calendar: for tests of deadlines and of what moves a battle on."""

from __future__ import annotations

from engine.rules.rule_set import Scenario
from events.store.log import Log
from events.times import instant, rfc3339
from tests.table import Table, open_battle
from tests.toy import ToyRules

NEW_YORK = "America/New_York"
SCENARIO = Scenario("A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann"], "blue": ["bob"]})


def at(text: str) -> int:
    """Return an instant that is written without its Z: `2026-03-01 18:00`."""
    return instant(text.replace(" ", "T") + ":00Z")


def utc(microseconds: int) -> str:
    """Tell an instant to the minute."""
    return rfc3339(microseconds)[:16].replace("T", " ")


def opened(log: Log, name: str = "b", scenario: Scenario = SCENARIO) -> Table:
    """Open a toy battle in a log and sit down at it."""
    open_battle(log, name, scenario, rules=ToyRules())
    return Table(log, name, ToyRules())


def types(battle: Table, name: str) -> list[int]:
    """Return the seqs of all events of a type on the battle's line."""
    return [record.seq for record in battle.log.records(battle.line) if record.type == name]
