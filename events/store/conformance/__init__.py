"""What every store of events is held to: the promises of `events.store.log.Log` as tests.

To hold a store to them, subclass `LogConformance` in a test module, name the class `Test…`, and say in `open_log` how a
log is opened. The tests are plain functions with plain asserts; pytest (a development dependency, not imported here)
collects them. For readable failures let it rewrite the asserts, before anything imports them (in `conftest.py`):

    pytest.register_assert_rewrite("events.store.conformance")
"""

from __future__ import annotations

from events.store.conformance.format_2 import FormatTwo
from events.store.conformance.keeping import Keeping
from events.store.conformance.lines import Lines
from events.store.conformance.reading import Reading
from events.store.conformance.takeover import TakingOver
from events.store.conformance.writing import Writing


class LogConformance(Writing, Lines, Reading, TakingOver, FormatTwo, Keeping):
    """All tests of a store. A subclass says in `open_log` how a log is opened."""
