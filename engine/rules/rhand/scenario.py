"""Rhand's part of a scenario file: the field, the spells, the fighters and their horses. All problems are collected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from engine.field.hexes import hex_named
from engine.rules.errors import ScenarioInvalid
from engine.rules.rhand.hands import NO_WEAPONS
from engine.rules.rhand.positions import COVERS, FIST, load_of, on_field
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Scenario
from engine.rules.schema import read_part
from engine.rules.words import hint
from events import rhand as facts
from events.facts import Event
from events.places import Hex, PlaceInvalid
from projections.rhand.captions import FACINGS

_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")

Characteristic = Annotated[int, Meta(ge=1, le=30)]
Level = Annotated[int, Meta(ge=0, le=40)]


class FieldPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes of the field; `closed` ones cannot be entered. `last_phase` 0 means to the end."""

    columns: Annotated[int, Meta(ge=1, le=100)] = 40
    rows: Annotated[int, Meta(ge=1, le=100)] = 30
    closed: tuple[str, ...] = ()
    last_phase: Annotated[int, Meta(ge=0, le=10_000)] = 0
    aid: dict[str, Annotated[int, Meta(ge=1, le=40)]] = {}


class SpellPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A spell: its force, what it does unless the referee rules otherwise, and its limits; 0 is no limit.

    `max_targets` are those of one release, `max_range` is in hexes, `max_casts` is for each mage in the battle.
    """

    id: str
    force: Annotated[int, Meta(ge=1, le=1000)]
    effect: Literal["nothing", "down", "pd", "distracted", "moved"] = "nothing"
    amount: Annotated[int, Meta(ge=0, le=100_000)] = 0
    max_targets: Annotated[int, Meta(ge=0, le=100)] = 0
    max_range: Annotated[int, Meta(ge=0, le=200)] = 0
    max_casts: Annotated[int, Meta(ge=0, le=1000)] = 0


class FighterPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A fighter. What is left out: `combat_speed` and `action_time` follow from the tables, the rest is as shown."""

    id: str
    seat: str
    at: str
    facing: str = "north"
    name: str = ""
    strength: Characteristic = 10
    agility: Characteristic = 10
    health: Characteristic = 10
    knockout: Annotated[int, Meta(ge=1, le=200)] = 12
    skill: Level = 1
    skills: dict[str, Level] = {}
    weapon: str = ""
    shield: str = ""
    armor: str = "none"
    missile: str = ""
    ammunition: Annotated[int, Meta(ge=0, le=200)] = 0
    spells: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    weapon_arm: Literal["right", "left"] = "right"
    combat_speed: int | Decimal | None = None
    action_time: int | Decimal | None = None
    load: Annotated[int, Meta(ge=0, le=300)] | None = None
    braced: bool = False
    cover: str = ""
    mount: str = ""
    wounds: Annotated[int, Meta(ge=0)] = 0


class Parts(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of Rhand's part."""

    field: FieldPart = FieldPart()
    spell: tuple[SpellPart, ...] = ()
    fighter: tuple[FighterPart, ...] = ()


def deploy(scenario: Scenario, tables: Tables) -> Sequence[Event]:
    """The events that put a scenario on the field. Raises `ScenarioInvalid` with every problem found."""
    parts = read_part(scenario.rest, Parts)
    problems = list(_problems(scenario, parts, tables))
    if problems:
        raise ScenarioInvalid(problems)
    events: list[Event] = [_field(parts.field)]
    events += [
        facts.SpellListed(
            each.id, each.force, each.effect, each.amount, each.max_targets, each.max_range, each.max_casts
        )
        for each in parts.spell
    ]
    for each in parts.fighter:
        events += _placed(each, tables)
    release = any(each.spells or (each.missile and each.ammunition) for each in parts.fighter)
    events.append(facts.StepBegan("release" if release else "movement"))
    return events


def _field(part: FieldPart) -> facts.FieldLaid:
    return facts.FieldLaid(part.columns, part.rows, tuple(map(hex_named, part.closed)), part.last_phase, part.aid)


def _placed(each: FighterPart, tables: Tables) -> Iterator[facts.FighterPlaced]:
    weapon = tables.weapons.get(each.weapon)
    horse = f"{each.id}_horse" if each.mount else ""
    speed = _number(each.combat_speed)
    if speed is None:
        things = (each.weapon, each.shield, each.missile, *each.carries)
        load = load_of(tables, each.armor, things) if each.load is None else each.load
        speed = tables.speed.first_not_exceeded(each.strength, load) or Fraction(0)
    if each.mount:
        speed = Fraction(tables.mount(each.mount).combat_speed)
    time = _number(each.action_time)
    at, facing = hex_named(each.at), FACINGS.index(each.facing)
    yield facts.FighterPlaced(
        fighter=each.id, name=each.name or each.id.replace("_", " ").title(), seat=each.seat, at=at, facing=facing,
        strength=each.strength, agility=each.agility, health=each.health, knockout_value=each.knockout,
        skill=each.skill, skills=each.skills, weapon=each.weapon, hands=weapon.hands if weapon else 1,
        shield=each.shield, armor=each.armor, armor_class=tables.armor(each.armor).armor_class, missile=each.missile,
        ammunition=each.ammunition, spells=each.spells, weapon_arm=each.weapon_arm, combat_speed=str(speed),
        action_time="" if time is None else str(time), braced=each.braced, rides=horse, total=each.wounds,
        carries=each.carries, cover=each.cover,
    )  # fmt: skip
    if each.mount:
        mount = tables.mount(each.mount)
        yield facts.FighterPlaced(
            fighter=horse, name=f"{each.name or each.id.title()}'s {each.mount}", seat=each.seat, at=at, facing=facing,
            strength=mount.strength, agility=mount.agility, health=mount.health, knockout_value=mount.knockout_value,
            skill=mount.skill, skills={}, weapon="", hands=1, shield="", armor="none",
            armor_class=tables.armor("none").armor_class, missile="", ammunition=0, spells=(), weapon_arm="right",
            combat_speed=str(mount.combat_speed), mount=each.mount,
        )  # fmt: skip


def _number(value: int | Decimal | None) -> Fraction | None:
    return None if value is None else Fraction(value)


# ---------------------------------------------------------------------------------------------------- problems


def _problems(scenario: Scenario, parts: Parts, tables: Tables) -> Iterator[str]:
    yield from _field_problems(scenario, parts.field)
    for spell in parts.spell:
        if not _ID.fullmatch(spell.id):
            yield f"spell {spell.id!r}: an id is a short lower-case word"
    seen: set[str] = set()
    held: dict[str, str] = {}
    for each in parts.fighter:
        where = f"fighter {each.id!r}"
        yield from (f"{where}: {problem}" for problem in _fighter_problems(scenario, parts, each, tables))
        if each.id in seen:
            yield f"{where} stands there twice"
        if each.at in held:
            yield f"{where}: hex {each.at} is held by {held[each.at]!r} already"
        seen.add(each.id)
        held[each.at] = each.id
    for seat in scenario.seats:
        if not any(each.seat == seat for each in parts.fighter):
            yield f"seat {seat!r} has no fighter"


def _field_problems(scenario: Scenario, field: FieldPart) -> Iterator[str]:
    for name in field.closed:
        if _place(name) is None:
            yield f"[field] closed: {name!r} is not a hex such as 0304"
    for seat in field.aid:
        if seat not in scenario.seats:
            yield f"[field] aid: there is no seat {seat!r}"


def _fighter_problems(scenario: Scenario, parts: Parts, each: FighterPart, tables: Tables) -> Iterator[str]:
    if not _ID.fullmatch(each.id) or each.id in scenario.seats:
        yield "an id is a short lower-case word, and no seat's"
    if each.seat not in scenario.seats:
        yield f"there is no seat {each.seat!r}{hint(each.seat, scenario.seats)}"
    if each.facing not in FACINGS:
        yield f"facing {each.facing!r}: write {', '.join(FACINGS)}"
    place = _place(each.at)
    if place is None:
        yield f"at = {each.at!r} is not a hex such as 0304"
    elif not on_field(parts.field.columns, parts.field.rows, place):
        yield f"hex {each.at} is off the field"
    yield from _known(each, tables)
    for spell in each.spells:
        if spell not in [known.id for known in parts.spell]:
            yield f"there is no [[spell]] {spell!r}"
    yield from _hand_problems(each, tables)
    for name in ("combat_speed", "action_time"):
        yield from _number_problems(name, getattr(each, name))
    if each.mount and str(scenario.options.get("mounted", "off")) != "on":
        yield 'a mount needs mounted = "on" in [options]'


def _known(each: FighterPart, tables: Tables) -> Iterator[str]:
    named: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
        ("weapon", each.weapon, tables.weapons),
        ("shield", each.shield, tables.shields),
        ("armor", each.armor, tables.armors),
        ("missile", each.missile, tables.missiles),
        ("mount", each.mount, tables.mounts),
    )
    for what, name, rows in named:
        if name and name not in rows:
            yield f"there is no {what} {name!r}{hint(name, rows)}"
    for name in (each.weapon, *each.carries):
        if name in (FIST, *NO_WEAPONS):
            yield f"{name} is a way to strike, not a weapon to hold: leave it out"
    if each.cover and (each.cover not in COVERS or each.cover not in tables.sizes):
        yield f"there is no cover {each.cover!r}{hint(each.cover, COVERS)}: write {', '.join(COVERS)}"
    for name in each.carries:
        if name not in tables.weapons and name not in tables.shields:
            yield f"carries names {name!r}, which is no weapon and no shield{hint(name, tables.weapons)}"
    for name in each.skills:
        if name != "unarmed" and name not in tables.weapons and name not in tables.missiles:
            yield f"skills names {name!r}, which is no weapon{hint(name, tables.weapons)}"


def _hand_problems(each: FighterPart, tables: Tables) -> Iterator[str]:
    weapon = tables.weapons.get(each.weapon)
    if weapon is not None and weapon.hands > 1 and each.shield:
        yield f"{each.weapon} takes both hands, so there is none for a shield (SP-032a); don it in play"


def _number_problems(name: str, value: int | Decimal | None) -> Iterator[str]:
    if value is None:
        return
    if not Decimal(value).is_finite() or not 0 < value <= 20 or Fraction(value).denominator > 1000:
        yield f"{name} must lie between 0 and 20, with three decimals at most, not {value}"


def _place(name: str) -> Hex | None:
    try:
        return hex_named(name)
    except PlaceInvalid:
        return None
