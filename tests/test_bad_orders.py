"""Twenty thousand orders that make no sense: each is refused in one line, and nothing is recorded."""

from __future__ import annotations

import random
from pathlib import Path

from engine.opening import read_scenario
from engine.rules.rule_set import find_rules
from engine.scenario_files import find_scenario
from events.errors import DiaryError
from events.store.sqlite import SqliteLog
from tests.table import Table, open_battle

_COUNT = 20_000
_WORDS = (
    "grubnik", "aldric", "snaga", "wilmot", "nobody", "walk", "run", "charge", "aim", "shoot", "at", "do", "fight",
    "climb_low_wall", "short_bow", "sword", "facing", "towards", "off", "34,12", "999,999", "-1,5", "1.25,3", "360",
    ":", ";", "#", "'", '"swing"', "“", "\x00", "\u202e", "龍", "é", "e\u0301", "\U0001f479", "0", "-7", "1e9", "∞",
    "", "\t", "NaN", "..", "referee", "orcs", "weather", "light", "night", "end",
)  # fmt: skip


def nonsense(chance: random.Random) -> str:
    words = [chance.choice(_WORDS) for _ in range(chance.randrange(1, 9))]
    text = chance.choice((" ", " ", "", "  ")).join(words)
    return text if chance.random() < 0.6 else f"{chance.choice(_WORDS[:5])}: {text}"


def test_nonsense_is_refused_in_one_line_and_leaves_no_trace(tmp_path: Path) -> None:
    chance = random.Random(1996)
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        scenario = read_scenario(find_scenario("dresda_skirmish"))
        open_battle(log, "b", scenario)
        battle = Table(log, "b", find_rules("dresda"))
        refused = taken = 0
        for _ in range(_COUNT):
            head = log.head(battle.line).seq
            try:
                battle.order(chance.choice(("orcs", "men", "referee", "green")), nonsense(chance))
            except DiaryError as error:
                problems = getattr(error, "problems", (error,))
                refused += 1
            else:
                taken += 1
                continue
            assert all(len(str(problem).splitlines()) == 1 for problem in problems)
            assert log.head(battle.line).seq == head
        assert refused > taken
