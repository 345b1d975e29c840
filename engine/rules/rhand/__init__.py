"""Rhand, blow-by-blow combat of 1984, of the Sword's Path family (SA-23): procedures, orders, tables, list of rules."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.rhand.rule_set import RhandRules


@lru_cache(maxsize=1)
def rules() -> RhandRules:
    """Return the rule set."""
    from engine.rules.rhand.rule_set import RhandRules

    return RhandRules()
