"""Opening a battle: a scenario is read and checked, its tables are loaded, the first step is built."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.corrections.permission import OPTIONS as CORRECTION_OPTIONS
from engine.dice.source import first_commitment, new_root
from engine.recording import Opening
from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import RuleSet, Scenario
from engine.rules.schema import parse_toml, read_part, read_toml
from engine.seats.options import OPTIONS as SEAT_OPTIONS
from events.commands import OpenBattle
from events.facts import BattleOpened, Seat, TurnBegan
from events.store.record import Draft
from projections.battle_state import ENGINE
from projections.viewer import VIEWER_WORDS

COMMON_OPTIONS = {**SEAT_OPTIONS, **CORRECTION_OPTIONS}
"""Options of every battle, whatever its rules."""

LONGEST_NAME = 200
"""Characters that a battle's title and a seat's name may have."""

_OWN = ("title", "rule_set", "seats", "options", "by_hand", "referee")
_SEAT = re.compile(r"[a-z][a-z0-9_]{0,31}")
_BATTLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def read_scenario(path: Path) -> Scenario:
    """Read a scenario file; the rule set's own part is left raw. Raises `ScenarioInvalid` if it has not the form."""
    return _scenario(read_toml(path), str(path.parent))


def _scenario(raw: dict[str, Any], folder: str) -> Scenario:
    own = {key: value for key, value in raw.items() if key in _OWN}
    rest = {key: value for key, value in raw.items() if key not in _OWN}
    scenario = read_part({**own, "rest": {}, "folder": folder}, Scenario)
    return replace(scenario, rest=rest)


def _problems(scenario: Scenario, rules: RuleSet) -> list[str]:
    found = []
    names = {"title": scenario.title, **{f"seats.{seat}": name for seat, name in scenario.seats.items()}}
    for place, name in names.items():
        if not (0 < len(name.strip()) <= LONGEST_NAME and name.isprintable()):
            found.append(f"{place}: must be a text on one line, of {LONGEST_NAME} characters at most")
    if len(scenario.seats) < 2:
        found.append("[seats] names fewer than two sides")
    for seat in scenario.seats:
        if not _SEAT.fullmatch(seat) or seat in (*VIEWER_WORDS, ENGINE):
            taken = " or ".join((*VIEWER_WORDS, ENGINE))
            found.append(f"[seats] {seat!r}: a seat is a short lower-case word, not {taken}")
    for seat in scenario.by_hand:
        if seat not in scenario.seats:
            found.append(f"by_hand names {seat!r}, which is not a seat")
    if scenario.referee not in ("present", "absent"):
        found.append(f"referee is {scenario.referee!r}: write present or absent")
    known = {**COMMON_OPTIONS, **rules.options}
    for name, value in scenario.options.items():
        if name not in known:
            found.append(f"[options] {name!r}: {rules.name} has {', '.join(known)}")
        elif known[name] and str(value) not in known[name]:
            found.append(f"[options] {name} = {value!r}: choose from {', '.join(known[name])}")
    return found


def first_step(command: OpenBattle, find: Callable[[str], RuleSet]) -> Opening:
    """Build the first step of a battle: opening, commitment of the dice, everything in its place, turn 1.

    Raises `ScenarioInvalid` with every problem found, `TablesInvalid`, `RuleSetUnknown`.
    """
    if not _BATTLE.fullmatch(command.battle):
        raise ScenarioInvalid([f"battle id {command.battle!r}: letters, digits, dot, dash and underscore, at most 64"])
    scenario = _scenario(parse_toml(command.scenario, "the scenario"), command.folder)
    scenario = replace(
        scenario, by_hand=command.by_hand or scenario.by_hand, referee=command.referee or scenario.referee
    )  # fmt: skip
    rules = find(scenario.rule_set)
    if problems := _problems(scenario, rules):
        raise ScenarioInvalid(problems)
    tables, text = rules.load_tables(Path(command.tables) if command.tables else None)
    digest = sha256(text.encode()).hexdigest()
    opened = BattleOpened(
        title=scenario.title,
        rule_set=rules.name,
        edition=rules.edition,
        seats=tuple(Seat(seat, name) for seat, name in scenario.seats.items()),
        tables=digest,
        options=scenario.options,
        by_hand=scenario.by_hand,
        referee="absent" if scenario.referee == "absent" else "present",
    )
    committed, secret = first_commitment(new_root())
    events = [opened, committed, *rules.deploy(scenario, tables), TurnBegan(1)]
    return Opening(drafts=[Draft(event, ENGINE, 1) for event in events], secret=secret, documents={digest: text})
