"""Adopting another edition of the rules, other tables or other options, by a ruling that lists what it changes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from engine.adjudication.counterfactual import RulesComparison, WhatWould
from engine.corrections.permission import OPTIONS as COMMON_OPTIONS
from engine.errors import CorrectionRefused
from engine.rules.editions import find_edition
from engine.rules.errors import EditionMissing, OptionInvalid
from engine.rules.rule_set import RuleSet
from engine.step import StepBuilder
from events.commands import AdoptEdition
from events.corrections import EditionAdopted
from events.facts import Option
from projections.battle_state import REFEREE

_MOST_LISTED = 60
"""How many differences a ruling lists in full, so that its event stays small; the rest is counted."""


class Rules(msgspec.Struct, frozen=True):
    """Rules to judge or to go on by: a rule set of some edition, its tables and their text, and options."""

    rules: RuleSet
    tables: Any
    text: str
    options: dict[str, Option]

    @property
    def digest(self) -> str:
        """The SHA-256 of the tables' text."""
        return sha256(self.text.encode()).hexdigest()


def rules_for(step: StepBuilder, command: AdoptEdition) -> Rules:
    """Return the rules of a battle with something else in place of what it has: edition, own tables, some options.

    Another edition brings its own tables, unless a folder is given. Raises `EditionMissing`, `TablesInvalid`,
    `OptionInvalid`, `BattleClosed`.
    """
    table = step.table
    folder = Path(command.tables) if command.tables else None
    wanted = command.edition or table.edition
    rules = find_edition(step.rules.name, wanted) if wanted != step.rules.edition else step.rules
    if rules is None and wanted != table.edition:
        here = step.rules.edition
        told = f"edition {wanted} of {step.rules.name} is not installed here: there is {here}"
        raise OptionInvalid(told, "edition", (here,))
    if rules is None:
        raise EditionMissing(step.line.battle, step.rules.name, wanted, step.rules.edition)
    kept = step.document(table.tables) if folder is None and wanted == table.edition else None
    tables, text = (rules.restore_tables(kept), kept) if kept is not None else rules.load_tables(folder)
    chosen = {**table.options, **{name: _value(rules, name, value) for name, value in command.options.items()}}
    return Rules(rules, tables, text, chosen)


def _value(rules: RuleSet, name: str, value: str) -> Option:
    known = {**COMMON_OPTIONS, **rules.options}
    if name not in known:
        raise OptionInvalid(f"{rules.name} has no option {name!r}: it has {', '.join(known)}", name, tuple(known))
    if known[name] and value not in known[name]:
        raise OptionInvalid(f"{name} = {value!r}: choose from {', '.join(known[name])}", name, known[name])
    return value


def compare_rules(step: StepBuilder, other: Rules) -> RulesComparison:
    """Tell what other rules make of a line as it was played: the same orders, the same dice. Nothing is recorded."""
    return WhatWould(step.log, step.line, other.rules, other.tables, other.options).run()


def adopt_edition(step: StepBuilder, command: AdoptEdition) -> RulesComparison:
    """Go on by other rules from here, by a ruling that lists what they would have changed. What was played stands.

    Raises `CorrectionRefused` if nothing would change, `InputPending` within an act, `BattleOver`, what `rules_for`
    raises.
    """
    other, table = rules_for(step, command), step.table
    if (other.rules.edition, other.digest, other.options) == (table.edition, table.tables, table.options):
        raise CorrectionRefused("the battle is fought by this edition, these tables and these options already")
    step.refuse_over()
    step.refuse_waiting()
    found = compare_rules(step, other)
    told = [str(each) for each in found.findings]
    told += [
        f"event {each.seq}: {each.key} would need dice that were never rolled ({each.dice})" for each in found.needed
    ]
    if len(told) > _MOST_LISTED:
        told = [*told[:_MOST_LISTED], f"and {len(told) - _MOST_LISTED} more"]
    step.documents[other.digest] = other.text
    step.add(EditionAdopted(other.rules.edition, other.digest, other.options, command.why, tuple(told)), REFEREE)
    return found
