"""Waiting for other writers comes to an end, and needs no clock for it."""

from __future__ import annotations

import time

import pytest
from freezegun import freeze_time

from engine.backoff import Backoff


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    return waits


def test_it_gives_up_when_its_time_is_waited_away(slept: list[float]) -> None:
    patience = Backoff(total_ms=30)
    tries = 1
    while patience(tries):
        tries += 1
    assert 0.030 <= sum(slept) < 0.0305
    assert not patience(tries + 1)


def test_waits_are_short_and_uneven(slept: list[float]) -> None:
    patience = Backoff()
    assert all(patience(tries) for tries in range(1, 1001))
    assert min(slept) >= 0.0001
    assert max(slept) <= 0.0005
    assert len(set(slept)) > 100


def test_it_begins_anew_with_each_first_try(slept: list[float]) -> None:
    patience = Backoff(total_ms=1)
    while patience(2):
        pass
    assert not patience(7)
    assert patience(1)


def test_a_stopped_clock_does_not_make_it_wait_for_ever() -> None:
    with freeze_time("2026-03-01"):
        patience = Backoff(total_ms=2)
        assert sum(patience(tries) for tries in range(1, 30)) <= 20
