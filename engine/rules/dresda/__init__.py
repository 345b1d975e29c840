"""Dresda, the 1996 fantasy skirmish: its procedures, orders, list of rules and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.dresda.rule_set import Dresda


def rules() -> Dresda:
    """Return the rule set; found through the entry point `wardiary.rules`."""
    from engine.rules.dresda.rule_set import rules as made

    return made()
