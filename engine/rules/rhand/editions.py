"""The two editions of Rhand. A battle is fought by the edition it began with until a ruling adopts another.

Edition 1984.2 corrects results of the first: `docs/rhand.md` lists them. Where a procedure asks `first_edition`, the
older battles keep the result that they were played with.
"""

from __future__ import annotations

from typing import Final

from projections.rhand.state import Rhand

FIRST: Final = "1984"
CURRENT: Final = "1984.2"


def first_edition(state: Rhand) -> bool:
    """Whether a battle is fought by the first edition."""
    return state.table.edition == FIRST
