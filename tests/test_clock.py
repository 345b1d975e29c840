"""Times: the engine's clock alone, whole microseconds, shown in RFC 3339 UTC."""

from __future__ import annotations

from pathlib import Path

import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import now
from engine.rules.rule_set import Scenario
from events.store.sqlite import SqliteLog
from events.times import instant, rfc3339
from tests.table import Table, open_battle
from tests.toy import ToyRules

SCENARIO = Scenario("A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann"], "blue": ["bob"]})


def test_every_event_of_a_step_bears_the_time_at_which_it_was_recorded(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "war.db")
    with freeze_time("2026-03-01 18:00:00"):
        open_battle(log, "b", SCENARIO, rules=ToyRules())
    with freeze_time("2026-03-02 19:30:00"):
        Table(log, "b", ToyRules()).order("red", "ann: hit bob")
    times = [rfc3339(record.at) for record in log.records(log.line("b"))]
    assert set(times[:-1]) == {"2026-03-01T18:00:00.000000Z"}
    assert times[-1] == "2026-03-02T19:30:00.000000Z"


@freeze_time("1999-12-31 23:59:59")
def test_the_clock_can_be_frozen() -> None:
    assert rfc3339(now()) == "1999-12-31T23:59:59.000000Z"


@given(st.integers(0, 4_000_000_000_000_000))
def test_an_instant_reads_back(at: int) -> None:
    assert instant(rfc3339(at)) == at


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        instant("2026-03-01T18:00:00")
