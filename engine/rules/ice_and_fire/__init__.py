"""Ice and Fire: mass battles of a medieval host, in units of a hundred men, on pools of six-sided dice."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.rule_set import RuleSet


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    """The rule set, made once. Its modules are read only when it is asked for."""
    from engine.rules.ice_and_fire.rule_set import IceAndFire

    return IceAndFire()
