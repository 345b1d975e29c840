"""Waiting for other writers: short, uneven waits of our own.

SQLite's own handler sleeps up to 100 ms at a time and is not fair: of four writers the unluckiest waited seconds. Waits
of a fraction of a millisecond, each of another length, cost no throughput and bring that below a tenth of a second.
"""

from __future__ import annotations

import time
from random import Random

_SHORTEST_US = 100
_LONGEST_US = 500


class Backoff:
    """Waits between two tries at a file that others hold, until `total_ms` are waited away (see `events.store.sqlite`).

    What was asked of the sleeps is added up and no clock is read, so that a frozen clock cannot make it wait for ever.
    """

    def __init__(self, total_ms: int = 10_000) -> None:
        self._total_us = total_ms * 1000
        self._waited_us = 0
        self._random = Random()

    def __call__(self, tries: int) -> bool:
        """Wait a moment after the try of that number; return False, at once, when patience has run out."""
        if tries == 1:
            self._waited_us = 0
        if self._waited_us >= self._total_us:
            return False
        wait = self._random.randint(_SHORTEST_US, _LONGEST_US)
        time.sleep(wait / 1_000_000)
        self._waited_us += wait
        return True
