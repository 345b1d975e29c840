"""What the benchmarks work on: the events of a real battle, repeated to any length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.cli.demo import play_out
from engine.opening import read_scenario
from engine.rules.rule_set import find_rules
from engine.scenario_files import find_scenario
from events.facts import Event
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from tests.table import Table, open_battle

SCENARIO = "dresda_ford"
_REPEATED = ("roll", "outcome")


@lru_cache(maxsize=1)
def battle_events() -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """Play a battle of twelve a side by drill; return its opening, and its rolls and outcomes."""
    from msgspec.structs import replace

    with TemporaryDirectory() as folder, SqliteLog(Path(folder) / "war.db", durability="normal") as log:
        scenario = read_scenario(find_scenario(SCENARIO))
        open_battle(log, "b", replace(scenario, referee="absent", by_hand=()))
        battle = Table(log, "b", find_rules(scenario.rule_set))
        play_out(battle.door, battle, lambda done: None)
        read = battle.fold.catalogue.read
        found = [(record.act, read(record.body, record.seq)) for record in log.records(battle.line)]
    opening = tuple(event for act, event in found if act == 1)
    return opening, tuple(event for act, event in found if act != 1 and event.kind in _REPEATED)


def drafts(count: int) -> list[Draft]:
    """Return `count` drafts: the opening, then rolls and outcomes over and over, five to an act."""
    opening, body = battle_events()
    made = [Draft(event, "engine", 1) for event in opening]
    for place, event in enumerate(islice(cycle(body), count - len(made)), len(made) + 1):
        made.append(Draft(event, "engine", place - (place - 1) % 5))
    return made


def tables() -> tuple[str, str]:
    """Return the rule tables that the battle names: digest and text."""
    _, text = find_rules(read_scenario(find_scenario(SCENARIO)).rule_set).load_tables(None)
    return sha256(text.encode()).hexdigest(), text


def fill(log: SqliteLog, name: str, count: int, batch: int = 1000) -> None:
    """Record a battle of `count` events in batches."""
    opening = len(battle_events()[0])
    made = drafts(count)
    log.begin(name, made[:opening], 1_700_000_000_000_000)
    line = log.line(name)
    for start in range(opening, count, batch):
        part: Sequence[Draft] = made[start : start + batch]
        log.append(line, part, start, 1_700_000_000_000_000 + start)
