"""Orders read back from the record: from canonical text alone, each text once.

Canonical text spells every name as its id, so that it needs no vocabulary, and it means the same in any situation.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.orders.forms import AnyOrder, Grammar
from engine.orders.names import Names, Vocabulary, refuse_wrong_name
from engine.orders.reading import read_with

MAX_KEPT: Final = 8_192
"""Texts whose orders are kept; more are read again."""


@lru_cache(maxsize=MAX_KEPT)
def read_recorded(text: str, grammar: Grammar) -> AnyOrder:
    """Return the order that a canonical text stands for. Raises OrderUnreadable if it is of no form of the grammar.

    For text that `write_order` gave, in this version or an older one. Names are taken as ids, so never read with this
    what a person has typed. Cost: a look-up, once a text has been read.
    """
    return read_with(_AnyName(), text, grammar)


class _AnyName(Names):
    """Takes every name and word as it is spelled."""

    recorded = True

    def __init__(self) -> None:
        super().__init__(Vocabulary())

    def piece(self, text: str) -> str:
        """Take the name as an id."""
        refuse_wrong_name(text)
        return text

    def word(self, text: str, of: str) -> str:
        """Take the word as it is."""
        refuse_wrong_name(text)
        return text
