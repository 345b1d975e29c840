"""The figures of a scenario file, new ones and those from the roster of an earlier battle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from engine.rules.dresda.arms import arm_of, known_names
from engine.rules.dresda.mounted import ASK, NO, YES
from engine.rules.dresda.scenario_sections import Section, named_sections, unknown
from engine.rules.dresda.tables import Tables
from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import Scenario
from engine.rules.schema import read_toml
from events.dresda import Arm, Character, FigureSet

_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_GAITS: Final = ("stand", "walk", "run", "charge")
REFEREE_SAYS: Final = "referee"
"""What a scenario writes for `mount_fights` to leave it to the referee (DG-09)."""


def read_figures(
    scenario: Scenario, whole: Section, tables: Tables, rosters: Mapping[str, str], problems: list[str]
) -> list[FigureSet]:
    """Read every figure, and whom it follows. Rosters are read from files beside the scenario's."""
    made = _made_weapons(whole, tables, problems)
    veterans = {seat: _roster(scenario, seat, file, problems) for seat, file in rosters.items() if file}
    raw = whole.raw("figures")
    if raw is None:
        problems.append("figures: there are none; write [figures.NAME] for each")
        return []
    found = []
    called_up = _called_up(raw, problems)
    for name, section in named_sections(raw, "figures", problems).items():
        if not _ID.fullmatch(name) or name in scenario.seats or name in ("referee", "engine"):
            section.problems.append(f"figures.{name}: the id must be a short lower-case word that is no seat")
        found.append(_figure(name, _enlisted(section, raw[name], veterans, called_up, tables), scenario, tables, made))
    _check_leaders(found, problems)
    for seat in scenario.seats:
        if not any(figure.who.seat == seat for figure in found):
            problems.append(f"figures: none is on the side of {seat}")
    return found


def _figure(name: str, section: Section, scenario: Scenario, tables: Tables, made: Mapping[str, str]) -> FigureSet:
    race = section.word("race", tables.races, "race")
    mount = section.word("mount", tables.mounts, "mount", "")
    who = Character(
        name,
        section.text("name", name.replace("_", " ").title()),
        section.word("side", scenario.seats, "seat"),
        race,
        section.word("status", tables.statuses, "status", next(iter(tables.statuses))),
        tables.race(race).wounds_that_kill if race else 1,
        section.word("armour", _worn(tables, "body"), "armour", ""),
        section.word("shield", _worn(tables, "shield"), "shield", ""),
        section.text("leader", ""),
        section.text("unit", ""),
        section.whole("battles", 0, 1000, 0),
        section.text("record", ""),
    )
    arms = _arms(section, tables, made)
    in_hand = section.word("in_hand", [arm.name for arm in arms], "weapon of its own", arms[0].name if arms else "")
    figure = FigureSet(
        who,
        section.point("place"),
        section.whole("facing", 0, 359, 0),
        arms,
        in_hand,
        section.flag("second_weapon"),
        mount,
        _mount_fights(section, tables, mount),
        section.flag("torch"),
        section.whole("wounds", 0, max(0, who.health - 1), 0),
        section.word("moving", _GAITS, "gait", "stand"),
    )
    section.raw("from_roster")
    section.close()
    return figure


def _worn(tables: Tables, slot: str) -> list[str]:
    return [row.id for row in tables.defence.values() if row.slot == slot]


def _arms(section: Section, tables: Tables, made: Mapping[str, str]) -> tuple[Arm, ...]:
    arms = []
    for text in section.words("weapons", None, "weapon"):
        arm = arm_of(tables, f"{text}={made[text]}" if text in made else text)
        if arm is None:
            row = text.partition("=")[2] or text
            section.wrong("weapons", unknown(row, [*made, *known_names(tables)], "weapon"))
        else:
            arms.append(arm)
    return tuple(arms)


def _mount_fights(section: Section, tables: Tables, mount: str) -> str:
    """Whether the mount fights: as its row has it, unless the scenario says so or leaves it to the referee (DG-09)."""
    value = section.raw("mount_fights")
    if not mount:
        return ""
    if value == REFEREE_SAYS:
        return ASK
    if value is not None and not isinstance(value, bool):
        section.wrong("mount_fights", f'must be true, false or "{REFEREE_SAYS}"')
    fights = value if isinstance(value, bool) else tables.mount(mount).fights
    return YES if fights else NO


def _made_weapons(whole: Section, tables: Tables, problems: list[str]) -> dict[str, str]:
    """The scenario's own names for weapons: `falchion = "one_handed_weapon"`."""
    raw = whole.raw("weapons")
    if raw is None:
        return {}
    section = Section("weapons", raw, problems)
    return {name: section.word(name, known_names(tables), "weapon") for name in raw if isinstance(raw, dict)}


# ---------------------------------------------------------------------------------------------------- rosters


def _roster(scenario: Scenario, seat: str, file: str, problems: list[str]) -> Mapping[str, Any] | None:
    """The figures of a roster file by id; None, and a problem, if it cannot be read."""
    where = f"sides.{seat}.roster"
    try:
        raw = read_toml(Path(scenario.folder) / file)
    except ScenarioInvalid as error:
        problems += (f"{where}: {problem}" for problem in error.problems)
        return None
    figures = raw.get("figures")
    if raw.get("rule_set") != scenario.rule_set or not isinstance(figures, dict):
        problems.append(f"{where}: {file} is no roster of {scenario.rule_set}")
        return None
    return {name: each for name, each in figures.items() if isinstance(each, dict)}


def _called_up(raw: object, problems: list[str]) -> dict[tuple[object, object], str]:
    """Who of this battle is who in its side's roster: (side, name there) to id here. NullSource fights twice in one."""
    found: dict[tuple[object, object], str] = {}
    for name, each in raw.items() if isinstance(raw, dict) else ():
        veteran = each.get("from_roster") if isinstance(each, dict) else None
        if not isinstance(veteran, str):
            continue
        first = found.setdefault((each.get("side"), veteran), name)
        if first != name:
            problems.append(f"figures.{name}.from_roster: {veteran!r} is in this battle already, as {first!r}")
    return found


def _enlisted(
    section: Section,
    raw: object,
    veterans: Mapping[str, Mapping[str, Any] | None],
    called_up: Mapping[tuple[object, object], str],
    tables: Tables,
) -> Section:
    """A figure's table, with what the roster says of it beneath what the scenario says.

    Whoever followed somebody who is not in this battle follows nobody. Where the roster does not tell of him, that is
    told, and nothing is said of what it would have held.
    """
    wanted = section.raw("from_roster")
    if wanted is None or not isinstance(raw, dict):
        return section
    side = raw.get("side")
    known = veterans.get(side, {}) if isinstance(side, str) else {}
    if known is not None and wanted not in known:
        section.wrong("from_roster", unknown(str(wanted), known, "figure of that roster"))
    if known is None or wanted not in known:
        return Section(section.where, {"race": next(iter(tables.races)), **raw}, section.problems)
    leader = called_up.get((side, known[wanted].get("leader")), "")
    return Section(section.where, {**known[wanted], "leader": leader, **raw}, section.problems)


def _check_leaders(figures: Sequence[FigureSet], problems: list[str]) -> None:
    """Whether every leader is there, on the same side, and no follower of himself (DG-06)."""
    sides = {figure.who.id: figure.who.seat for figure in figures}
    for figure in figures:
        who = figure.who
        if not who.leader:
            continue
        if who.leader not in sides:
            problems.append(f"figures.{who.id}.leader: {unknown(who.leader, sides, 'figure')}")
        elif who.leader == who.id or sides[who.leader] != who.seat:
            problems.append(f"figures.{who.id}.leader: {who.leader!r} must be another figure of the same side")
