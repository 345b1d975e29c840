"""Names in the record: of battles, lines, actors and request keys."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from events.store.errors import NameInvalid

Named: TypeAlias = Literal["battle", "line", "actor", "request"]
_CONTROL: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f]")


@lru_cache(4096)
def check_name(what: Named, name: str) -> None:
    """Check a name that is about to be recorded. Raises `NameInvalid` for one with control characters.

    Some stores cannot hold them, and whoever reads the name on a terminal does not see them.
    """
    if _CONTROL.search(name):
        raise NameInvalid(what, name)
