"""Editions of a rule set: a battle goes on by the one that it began with, whatever else is installed meanwhile."""

from __future__ import annotations

from engine.rules.rule_set import RuleSet

_GROUP = "wardiary.rules"


def in_force(rules: RuleSet, edition: str) -> RuleSet:
    """Return the rules of an edition: those given, if they know it, or those installed as `NAME@EDITION`.

    If that edition is not installed, the given rules are returned: enough to read the battle, not to act in it.
    """
    if rules.edition == edition or not edition:
        return rules
    return rules.of_edition(edition) or find_edition(rules.name, edition) or rules


def find_edition(name: str, edition: str) -> RuleSet | None:
    """Return an installed edition of a rule set: one that the rule set itself knows, or one kept as `name@edition`."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=_GROUP):
        if entry.name in (name, f"{name}@{edition}"):
            rules: RuleSet = entry.load()()
            if (found := rules.of_edition(edition)) is not None:
                return found
    return None
