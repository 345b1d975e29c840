"""How long a whole mass battle takes: two hosts of twenty units, twelve rounds, played by standing orders alone.

Run it as `python -m bench.if_battle`. Targets: played in under 20 seconds, replayed at 100 000 events a second or more.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.measure import seconds
from engine.rules.rule_set import Scenario, find_rules
from events.store.sqlite import SqliteLog
from replays.seek import replay
from tests.table import Table, open_battle

UNITS = 20
ROUNDS = 12
LINE = (
    ("militia", "fight"),
    ("longbowmen", "shoot"),
    ("guardsmen", "hold"),
    ("peasant_levies", "fight"),
    ("crossbowmen", "shoot"),
    ("soldiers", "fight"),
    ("freeriders", "charge"),
    ("men_at_arms", "charge"),
    ("scouts", "shoot"),
    ("archer_militia", "shoot"),
)


def host(seat: str, y: int, facing: int) -> list[dict[str, Any]]:
    """Twenty units of all kinds in two ranks, the second behind the first."""
    units = []
    for number in range(UNITS):
        kind, standing = LINE[number % len(LINE)]
        back = -30 if facing == 0 else 30
        at = [150 + 55 * (number % 10), y + back * (number // 10)]
        units.append(
            {
                "id": f"{seat}{number:02}",
                "seat": seat,
                "type": kind,
                "training": 3 + number % 5,
                "post": f"{seat}_host",
                "at": at,
                "facing": facing,
                "standing": standing,
            }
        )
    return units


def scenario() -> Scenario:
    """Both hosts on an open field with a wood and a mire."""
    heroes = [
        {"id": f"{seat}_lord", "seat": seat, "unit": f"{seat}00", "leader": True, "weapons": ["longsword"]}
        for seat in ("red", "blue")
    ]
    posts = [{"id": f"{seat}_host", "seat": seat, "holder": f"{seat}_lord"} for seat in ("red", "blue")]
    grounds = [
        {"id": "wood", "terrain": "forest", "corners": [[100, 280], [180, 280], [180, 380], [100, 380]]},
        {"id": "mire", "terrain": "mud", "corners": [[400, 300], [500, 300], [500, 350], [400, 350]]},
    ]
    rest = {
        "field": {"width": 900, "height": 700, "last_turn": ROUNDS},
        "unit": [*host("red", 220, 0), *host("blue", 440, 180)],
        "hero": heroes,
        "post": posts,
        "ground": grounds,
    }
    return Scenario("Two hosts", "ice_and_fire", {"red": "Red", "blue": "Blue"}, referee="absent", rest=rest)


def play(folder: str) -> Table:
    """Fight the battle to its end."""
    log = SqliteLog(Path(folder) / "war.db")
    open_battle(log, "hosts", scenario())
    battle = Table(log, "hosts", find_rules("ice_and_fire"))
    while not battle.state.table.ended:
        battle.proceed()
    return battle


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        battles: list[Table] = []
        took = seconds(lambda: battles.append(play(folder)))
        (battle,) = battles
        speed = [battle.seq / seconds(lambda: replay(battle.log, battle.fold, battle.line)) for _ in range(5)]
        rate = statistics.median(speed)
        table = battle.state.table
        print(f"2 x {UNITS} units, {table.turn} rounds, {battle.seq} events, ended: {table.ended}")
        print(f"played in {took:.2f} s (target: under 20)  {'ok' if took < 20 else 'FALLS SHORT'}")
        print(f"replayed at {rate:,.0f} events/s (target: 100,000)  {'ok' if rate >= 100_000 else 'FALLS SHORT'}")


if __name__ == "__main__":
    main()
