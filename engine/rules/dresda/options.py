"""The list of Dresda's rules, and the options that its readings leave to a battle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.rules.book import Book, load_book


@lru_cache(maxsize=1)
def book() -> Book:
    """The list of rules, read once."""
    return load_book("engine.rules.dresda")


@lru_cache(maxsize=1)
def options() -> Mapping[str, tuple[str, ...]]:
    """Every option with its choices, the default first."""
    return book().options
