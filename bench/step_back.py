"""How long a step back takes in a long battle, how long a jump, and what the kept states weigh. Target: under 5 ms.

Run it as `python -m bench.step_back [EVENTS]`.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from events.facts import BattleOpened, Seat
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from replays.seek import replay
from replays.stepper import Stepper
from replays.view import view_line
from tests.toy import Placed, Wounded, toy_fold

FIGHTERS = 100


def fill(log: SqliteLog, events: int) -> None:
    """Record a battle of a hundred fighters in which every event changes somebody."""
    seats = (Seat("red", "Red"), Seat("blue", "Blue"))
    opened: list[Draft] = [Draft(BattleOpened("Long", "toy", "1", seats, ""), "engine", 1)]
    opened += [Draft(Placed(f"f{n}", ("red", "blue")[n % 2], 10**6), "engine", 1) for n in range(FIGHTERS)]
    log.begin("long", opened, 1_700_000_000_000_000)
    seq = len(opened)
    while seq < events:
        count = min(500, events - seq)
        drafts = [
            Draft(Wounded(f"f{n % FIGHTERS}", f"f{(n + 1) % FIGHTERS}", 1, "TOY-2"), "engine")
            for n in range(seq, seq + count)
        ]
        log.append(log.line("long"), drafts, seq, 1_700_000_000_000_000 + seq)
        seq += count


def timed(act: Callable[[], object]) -> float:
    """Return the milliseconds that something takes."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Measure and print."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder, SqliteLog(Path(folder) / "war.db", durability="normal") as log:
        fill(log, events)
        measure(log, events)


def measure(log: SqliteLog, events: int) -> None:
    """Jump to the end, step back to the beginning; then once more, weighing what is kept."""
    fold, line = toy_fold(), log.line("long")

    def look_back() -> None:
        walker.back()
        assert walker.state is not None

    walker = Stepper(view_line(log, fold, line), events)
    first = timed(lambda: walker.state)
    assert walker.state == replay(log, fold, line, events)
    backs = sorted(timed(look_back) for _ in range(events - 1))
    tracemalloc.start()
    walker = Stepper(view_line(log, fold, line), events)
    for _ in range(events - 1):
        look_back()
    weight = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    print(f"{events} events, {FIGHTERS} pieces")
    print(f"first jump to the end: {first:.0f} ms")
    print(f"step back: median {backs[len(backs) // 2]:.4f} ms, 99 % {backs[len(backs) * 99 // 100]:.3f} ms", end="")
    print(f", 99.9 % {backs[len(backs) * 999 // 1000]:.2f} ms", end="")
    print(f", worst {backs[-1]:.2f} ms (with whatever else the machine was doing)")
    print(f"kept states: {weight:.1f} MiB")


if __name__ == "__main__":
    main()
