"""The list of rules of a rule set: every rule by its id, in a line or two of our own words, and how it is dealt with.

It is data, one row a rule in the rule set's `rules.toml`:

    [[rule]]
    id = "DR-053"
    section = "Missile fire"
    state = "built"
    title = "Hitting"
    text = "Roll d100; a roll equal to the chance or under it hits."

A reading of an unclear place may have `options`, each with its choices, the default first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.rules.errors import BookInvalid, OptionInvalid, RuleUnknown
from engine.rules.words import hint, nearest

State: TypeAlias = Literal["built", "option", "referee", "reading"]
"""How a rule is dealt with: built in; built, but only in force where chosen; put to the referee; or a reading that we
chose where the rules are unclear."""

FILE: Final = "rules.toml"
LONGEST: Final = 300
"""Characters that a rule's text may have: what is longer is two rules."""

_ID: Final = re.compile(r"([a-z]*)[- ]*0*([0-9]+)([a-z]?)")


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice that a battle may make where a reading leaves one. The first of its `values` is the default."""

    name: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """What holds when a battle says nothing."""
        return self.values[0]


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. `source` says where it is from when not from the rules text: `house`, or `found` with an address."""

    id: str
    title: str
    text: str
    state: State
    section: str
    options: tuple[Option, ...] = ()
    source: str = ""


class Book(Struct, frozen=True):
    """All rules of a rule set, by id, in the order of its file."""

    system: str
    title: str
    rules: Mapping[str, Rule]

    def __getitem__(self, rule: str) -> Rule:
        """The rule of that id. Raises RuleUnknown, with the ids that come closest, for any other word."""
        if rule not in self.rules:
            raise RuleUnknown(self.system, rule, self.nearest(rule))
        return self.rules[rule]

    def __contains__(self, rule: object) -> bool:
        return rule in self.rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def nearest(self, word: str) -> tuple[str, ...]:
        """The ids that `word` may mean, best first, at most three: `dr53` and `53` may both mean DR-053."""
        parts = _ID.fullmatch(word.strip().casefold())
        if parts is not None:
            letters, number, companion = parts.groups()
            same = [
                rule
                for rule in self.rules
                if (known := _ID.fullmatch(rule.casefold())) is not None
                and (letters or known[1], number, companion) == known.groups()
            ]
            if same:
                return tuple(same[:3])
        return nearest(word, self.rules)

    @property
    def sections(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules by section, in the order of the file."""
        found: dict[str, list[Rule]] = {}
        for rule in self:
            found.setdefault(rule.section, []).append(rule)
        return {section: tuple(rules) for section, rules in found.items()}

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """Every option with its choices, the default first."""
        return {option.name: option.values for rule in self for option in rule.options}

    def settle(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Every option with its value: the chosen one, else the default.

        Raises OptionInvalid for an option, or a value, that does not exist.
        """
        known = self.options
        for name, value in chosen.items():
            if name not in known:
                near = nearest(name, known)
                raise OptionInvalid(f"{self.system} has no option {name!r}{hint(name, known)}", name, near)
            if value not in known[name]:
                right = ", ".join(known[name])
                raise OptionInvalid(f"the option {name} can be {right}, not {value!r}", name, known[name])
        return {name: chosen.get(name, values[0]) for name, values in known.items()}


def load_book(home: str | Path) -> Book:
    """The list of rules of a rule set, read anew from the package of that name, or from a directory or a file.

    Promised: no id and no option twice, no text empty or longer than 300 characters. Raises BookInvalid with every
    problem and its place.
    """
    place = files(home) / FILE if isinstance(home, str) else home / FILE if home.is_dir() else home
    try:
        raw = tomllib.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise BookInvalid([f"{place}: it cannot be read: {error.strerror}"]) from None
    except ValueError as error:
        raise BookInvalid([f"{place}: {error}"]) from None
    problems: list[str] = []
    rules = list(_rules(raw.get("rule", []), problems))
    meta = raw.get("meta", {})
    words = [meta.get(word) if isinstance(meta, dict) else None for word in ("system", "title")]
    if not all(isinstance(word, str) for word in words):
        problems.append("[meta] must give the system and the title, both as text")
    problems += _doubles("rule", [rule.id for rule in rules])
    problems += _doubles("option", [option.name for rule in rules for option in rule.options])
    if not rules:
        problems.append("there is no [[rule]] in it")
    if problems:
        raise BookInvalid([f"{FILE}: {problem}" for problem in problems])
    return Book(str(words[0]), str(words[1]), {rule.id: rule for rule in rules})


def _rules(raw: object, problems: list[str]) -> Iterator[Rule]:
    for number, row in enumerate(raw if isinstance(raw, list) else [], 1):
        where = f"rule {row['id']}" if isinstance(row, dict) and isinstance(row.get("id"), str) else f"rule {number}"
        try:
            rule = msgspec.convert(row, Rule)
        except msgspec.ValidationError as error:
            problems.append(f"{where}: {error}")
            continue
        empty = [word for word in ("id", "title", "text", "section") if not getattr(rule, word).strip()]
        problems += (f"{where}: the {word} is empty" for word in empty)
        if len(rule.text) > LONGEST:
            problems.append(f"{where}: the text has {len(rule.text)} characters, {LONGEST} are the most")
        problems += (f"{where}: the option {o.name} needs two choices" for o in rule.options if len(set(o.values)) < 2)
        yield rule


def _doubles(what: str, words: list[str]) -> Iterator[str]:
    yield from (f"{what} {word} stands there twice" for word in sorted(set(words)) if words.count(word) > 1)
