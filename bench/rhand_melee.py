"""How long a fight of twelve a side takes over a hundred phases, with every declaration sealed and everything recorded.

Everybody wears plate and is hard to knock out, so that nobody drops out and each phase is a full one. Run it with
`python -m bench.rhand_melee`. The limit is 1.5 seconds of processor time, so that other work on the machine and the
speed of its disk do not count.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Literal, get_args

from msgspec.structs import replace

from bench.measure import Row, report
from engine.opening import read_scenario
from engine.orders import write_sheet
from engine.rules.rhand import rules
from engine.rules.rule_set import Scenario
from events.store.sqlite import SqliteLog
from projections.rhand.state import Rhand
from replays.audit.verify import verify
from tests.table import Table, open_battle

Durability = Literal["full", "normal"]
PHASES = 100
LIMIT = 1.5
SCENARIO = Path(__file__).resolve().parent.parent / "scenarios" / "rhand_twelve.toml"


def lasting(scenario: Scenario) -> Scenario:
    """The shipped fight, with armour and heads so hard that all stand to the end."""
    hard = {"armor": "plate", "knockout": 200, "health": 30, "combat_speed": 2, "action_time": 1, "strength": 10}
    hard |= {"weapon": "broadsword", "shield": "heater"}
    fighters = [{**each, **hard} for each in scenario.rest["fighter"]]
    field = {**scenario.rest["field"], "last_phase": PHASES}
    return replace(scenario, rest={**scenario.rest, "fighter": fighters, "field": field})


def fight(folder: str, durability: Durability) -> tuple[float, int, int]:
    """Play the fight; return the seconds of processor time, and how many events and rolls are on record."""
    scenario = lasting(read_scenario(SCENARIO))
    with SqliteLog(Path(folder) / f"{durability}.db", durability=durability) as log:
        open_battle(log, "bench", scenario)
        battle = Table(log, "bench", rules())
        began = time.process_time()
        while not battle.state.table.ended:
            for seat in scenario.seats:
                if sheet := write_sheet(battle.rules.autoplay(battle.situation(), seat)):
                    battle.order(seat, sheet)
            battle.proceed()
        taken = time.process_time() - began
        state = battle.state
        assert isinstance(state, Rhand)
        standing = sum(not each.out for each in state.fighters.values())
        print(f"{durability}: phase {state.phase}, {standing} of 24 still fight")
        return taken, battle.seq, verify(log, "bench").proved


def main() -> None:
    """Play it with either durability and print the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for durability in get_args(Durability):
            taken, events, rolls = fight(folder, durability)
            told = f"{taken:.2f} s, {events} events, {rolls} rolls"
            what = f"12 a side, {PHASES} phases ({durability})"
            rows.append(Row(what, told, f"{LIMIT:g} s", taken / LIMIT, 1.0, 0.9, above=False))
    report(rows)


if __name__ == "__main__":
    main()
