"""Settings for the whole suite."""

from __future__ import annotations

import secrets
from random import Random

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("diary", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("diary")

pytest.register_assert_rewrite("events.store.conformance")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let the engine's secrets, and so its dice, be the same in every run: each test file has a stream of its own.

    It comes before the fixtures, so that a battle which several tests of a file share is the same for all of them.
    """
    stream = Random(item.path.name)
    secrets.token_bytes = lambda nbytes=None: stream.randbytes(nbytes or 32)
