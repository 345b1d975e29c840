"""A pytest plugin: property tests try few examples, where it matters which lines run and not what the examples find."""

from __future__ import annotations

import pytest
from hypothesis import settings


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Take the suite's settings with few examples, for all tests that do not ask for a number of their own."""
    settings.register_profile("few", settings.get_profile("diary"), max_examples=5)
    settings.load_profile("few")
