"""After the fight: who lives, and who fights again (SPX-20)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.rules.rhand import calls
from engine.rules.rhand.positions import option
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Yielded, roll_all
from events import rhand as facts
from events.facts import Term
from projections.rhand.state import Fighter, Rhand


def damage_total(tables: Tables, physical_damage: int, health: int) -> int:
    """Ten times Physical Damage by Health, cut down (house, by the rule for psychic damage)."""
    return tables.constant("recovery_scale") * physical_damage // max(1, health)


def aided(tables: Tables, total: int, level: int) -> int:
    """The damage that counts with aid of a level: the total divided by it, cut down, at least the table's first row."""
    return max(tables.constant("least_recovery_damage"), total // level) if level else total


def critical_minutes(roll: int, chance: int) -> int:
    """How long until the Recovery Roll is due: a 00-99 roll times the chance, and one minute.

    >>> critical_minutes(67, 83)
    5562
    """
    return roll * chance + 1


def recover(situation: Situation) -> Generator[Yielded, Any, None]:
    """Roll for everybody who is wounded: first how long he has, then whether he lives; 00-99 at the chance or under."""
    state, tables = situation.state, situation.tables
    if option(state, "recovery", "at_end") == "off":
        return
    wounded = [state.fighters[name] for name in sorted(state.fighters) if state.fighters[name].total > 0]
    totals = [damage_total(tables, each.total, each.health) for each in wounded]
    lesser = [aided(tables, total, state.aid.get(each.seat, 0)) for each, total in zip(wounded, totals, strict=True)]
    called = []
    for each, total, less in zip(wounded, totals, lesser, strict=True):
        key, chance = f"recovery/{each.id}", tables.survival(less)
        terms = (Term(f"damage {less}", chance, "SPX-20", tables.recovery_source),)
        called.append(calls.percent(f"{key}/time", f"how long {each.name} has ({total})", each.seat, each.id, "SPX-20"))
        called.append(calls.survival(f"{key}/life", f"whether {each.name} lives", each.seat, each.id, chance, terms))
    rolls = yield from roll_all(called)
    for at, (each, total, less) in enumerate(zip(wounded, totals, lesser, strict=True)):
        time, life = rolls[2 * at], rolls[2 * at + 1]
        minutes = critical_minutes(time.total, tables.survival(total))
        chance = tables.survival(less)
        yield facts.Recovered(each.id, total, less, chance, minutes, bool(life.success), called[2 * at + 1].key)


def roster(state: Rhand) -> dict[str, Any]:
    """Return everybody who lives, those who were knocked out or gave up included, as a roster file holds them.

    Whoever the Recovery Roll found dead is left out. Wounds are kept, disabled limbs heal (SP-040 ends with the fight).
    """
    living = [state.fighters[name] for name in sorted(state.fighters) if not state.fighters[name].died]
    return {"fighter": [_member(state, each) for each in living if not each.is_horse]}


def _member(state: Rhand, each: Fighter) -> dict[str, Any]:
    member: dict[str, Any] = {
        "id": each.id, "name": each.name, "seat": each.seat, "strength": each.strength, "agility": each.agility,
        "health": each.health, "knockout": each.knockout_value, "skill": each.skill, "skills": dict(each.skills),
        "weapon": each.weapon, "shield": each.shield, "armor": each.armor, "missile": each.missile,
        "ammunition": each.ammunition, "carries": list(each.carries), "spells": list(each.spells),
        "weapon_arm": each.weapon_arm, "wounds": each.total,
    }  # fmt: skip
    if each.rides and not state.fighters[each.rides].down:
        member["mount"] = state.fighters[each.rides].mount
    return member
