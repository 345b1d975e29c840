"""Settings for the whole suite."""

from __future__ import annotations

import os
import secrets
import time
from random import Random

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("diary", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("diary")

pytest.register_assert_rewrite("events.store.conformance")


_OF_THE_USER = (
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "PYTHONIOENCODING",
    "LANGUAGE",
    "LC_ALL",
    "LANG",
    "LC_CTYPE",
)


def pytest_configure() -> None:
    """Let no test depend on the environment of whoever runs it, nor the commands that tests start."""
    for name in [name for name in os.environ if name.startswith("WARDIARY_") or name in _OF_THE_USER]:
        del os.environ[name]
    os.environ["LC_ALL"] = "C.UTF-8"
    os.environ["TZ"] = "UTC"
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let the engine's secrets, and so its dice, be the same in every run: each test file has a stream of its own.

    It comes before the fixtures, so that a battle which several tests of a file share is the same for all of them.
    """
    stream = Random(item.path.name)
    secrets.token_bytes = lambda nbytes=None: stream.randbytes(nbytes or 32)
