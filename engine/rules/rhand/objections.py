"""The second step: what may be declared, what it costs, and the blows and guards that follow (SP-020 to SP-023)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from engine.orders import Order
from engine.rules.rhand.blows import Guard, Strike
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.orders import UNARMED, Blow, Dodge, Fight
from engine.rules.rhand.positions import (
    FIST,
    KICK,
    doubtful,
    gap,
    option,
    reaches,
    sees,
    skill_of,
    strikes_with,
    weapon_row,
)
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_rows import DAMAGE_CODES, Weapon
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Objection, Yielded, ask_all
from events import rhand as facts
from events.facts import OrderLapsed, RulingRequested
from projections.rhand.captions import words
from projections.rhand.state import Fighter, Rhand


def objections(situation: Situation, order: Fight) -> Iterator[Objection]:
    """Why blows and parries cannot be declared so (SP-021 to SP-023, SP-041)."""
    state, tables = situation.state, situation.tables
    fighter = state.fighters[order.piece]
    for blow in order.blows:
        yield from blow_objections(situation, fighter, blow)
    if order.parry and fighter.is_horse:
        yield Objection("a horse does not parry", "SPX-16")
    if order.parry and not fighter.is_horse and not fighter.in_hand and not _bare(state, fighter):
        yield Objection(f"{fighter.name} has no weapon to parry with", "SP-041")
    if order.shield > fighter.shield_actions:
        yield Objection(f"{fighter.name} has {fighter.shield_actions} Shield Actions, not {order.shield}", "SPX-02")
    if not (order.blows or order.parry or order.shield) and not first_edition(state):
        yield Objection("that is neither a blow nor a parry: name one, or leave the order out", "SP-020")
    yield from _budget_objections(state, tables, fighter, order)


def _budget_objections(state: Rhand, tables: Tables, fighter: Fighter, order: Fight) -> Iterator[Objection]:
    """Why an order takes more than a phase: of either kind of action, or of both together (SP-022, SPX-17)."""
    weapon, combat = cost(state, tables, fighter, order)
    if weapon > fighter.weapon_actions:
        have = f"{fighter.name} has {fighter.weapon_actions} Weapon Actions"
        yield Objection(f"{have}, this takes {weapon}", "SA-22" if _only_long(order) else "SP-022")
    elif combat > fighter.combat_actions:
        yield Objection(f"{fighter.name} has {fighter.combat_actions} combat actions, this takes {combat}", "SPX-17")
    elif spent(fighter, weapon, combat)[0] > fighter.weapon_actions and not first_edition(state):
        have = f"{fighter.weapon_actions} Weapon Actions or {fighter.combat_actions} combat actions"
        yield Objection(f"{fighter.name} has {have}, not {weapon} and {combat} together", "SPX-17")


def spent(fighter: Fighter, weapon: int, combat: int) -> tuple[int, int]:
    """What is gone of either kind when so many of both are spent: one phase pays for both, in proportion (SPX-17).

    Shares are rounded up: two of six combat actions are one of three Weapon Actions.
    """
    if not combat and not fighter.combat_actions:
        return weapon, combat
    parts = [(weapon, fighter.weapon_actions), (combat, fighter.combat_actions)]
    share = sum((Fraction(used, have) for used, have in parts if have), Fraction(0))
    return max(weapon, ceil(share * fighter.weapon_actions)), max(combat, ceil(share * fighter.combat_actions))


def blow_objections(situation: Situation, fighter: Fighter, blow: Blow) -> Iterator[Objection]:
    """Why a blow cannot be struck: no such blow with what is in hand, or the target is not there for it."""
    state, tables = situation.state, situation.tables
    foe = state.fighters[blow.target]
    if foe.seat == fighter.seat:
        yield Objection(f"{foe.name} is on the same side", "SP-020")
    if foe.out:
        yield Objection(f"{foe.name} is out of the fight", "SP-044")
        return
    row = row_of(state, tables, fighter, blow)
    if row is None:
        yield Objection(_cannot(fighter, blow), "SP-041" if fighter.disabled else "SP-034")
        return
    if not sees(fighter, foe.at, tables):
        yield Objection(f"{foe.name} is outside {fighter.name}'s Field of Attack", "SPX-11")
    mounted = option(state, "mounted", "off") == "on"
    if not reaches(row, fighter, foe, tables, gap(fighter, foe), mounted):
        yield Objection(f"{foe.name} is {gap(fighter, foe)} hexes away, {words(row.id)} reaches {row.reach}", "SP-021")
    if blow.aim:
        yield from _aim_objections(tables, fighter, foe, blow, row)


def _aim_objections(
    tables: Tables, fighter: Fighter, foe: Fighter, blow: Blow, row: Weapon
) -> Iterator[Objection]:  # fmt: skip
    if fighter.level(row.id) <= skill_of(foe, tables):
        yield Objection(f"{fighter.name} is not more skilled than {foe.name}, so he cannot aim", "SPX-18")
    table = tables.damage[DAMAGE_CODES[damage_of(row, blow)]]
    if table.named(blow.aim) is None:
        yield Objection(f"there is no {blow.aim} on table {table.code}", "SPX-18")


def _cannot(fighter: Fighter, blow: Blow) -> str:
    arms = words(fighter.in_hand) if fighter.in_hand else "no weapon in hand"
    return f"{fighter.name} cannot strike a {words(blow.blow) or 'blow'} with {arms}"


def _bare(state: Rhand, fighter: Fighter) -> bool:
    """Whether he may ward off blows without a weapon (SPX-17)."""
    return option(state, "unarmed", "off") == "on"


def bare_blow(state: Rhand, fighter: Fighter, blow: Blow) -> str:
    """The unarmed blow that a blow is: as named, or what bare hands and feet do; empty with a weapon (SPX-17)."""
    if blow.blow in UNARMED:
        return blow.blow
    if blow.blow not in ("", "blunt") or fighter.is_horse or first_edition(state):
        return ""
    return {FIST: "punch", KICK: "kick"}.get(strikes_with(fighter), "")


def row_of(state: Rhand, tables: Tables, fighter: Fighter, blow: Blow) -> Weapon | None:
    """The row of 2A that a blow uses; None if he cannot strike it."""
    if fighter.is_horse:
        return tables.weapons[KICK] if tables.mount(fighter.mount).attacks else None
    if blow.blow in UNARMED:
        if option(state, "unarmed", "off") == "on":
            return tables.weapon(tables.unarmed[blow.blow].weapon)
        if blow.blow == "kick" and strikes_with(fighter) in (KICK, FIST):
            return tables.weapons[KICK]
        return tables.weapons[FIST] if blow.blow == "punch" and strikes_with(fighter) == FIST else None
    if blow.blow in ("pommel", "odd"):
        return tables.weapons["pommel_strike"] if fighter.in_hand else None
    if blow.blow == "bash":
        return tables.weapons["shield_bash"] if fighter.shield_in_use else None
    if strikes_with(fighter) == KICK and not fighter.kicks:
        return None  # with a disabled arm nothing but a kick is left, and that must be said
    row = weapon_row(fighter, tables)
    return row if row is not None and (not blow.blow or row.dice(blow.blow) != "-") else None


def damage_of(row: Weapon, blow: Blow) -> str:
    """Cut, stab, flange or blunt: as it was said, else the first that the weapon has (SP-034)."""
    return blow.blow if blow.blow in row.kinds else row.kinds[0]


def cost(state: Rhand, tables: Tables, fighter: Fighter, order: Fight) -> tuple[int, int]:
    """What an order takes: Weapon Actions, and combat actions of blows without a weapon (SP-022, SPX-03, SPX-17)."""
    bare = option(state, "unarmed", "off") == "on" and not fighter.is_horse
    parry = 0 if bare and not fighter.in_hand else order.parry * tables.strokes["parry"].actions
    weapon = parry
    combat = order.parry * tables.constant("duck_unarmed") if bare and not fighter.in_hand else 0
    for blow in order.blows:
        if bare and (name := bare_blow(state, fighter, blow)):
            combat += tables.unarmed[name].cost(blow.stroke)
        else:
            weapon += tables.strokes[blow.stroke].actions
    return weapon, combat


def _only_long(order: Fight) -> bool:
    return [blow.stroke for blow in order.blows] == ["long"] and not order.parry


# ---------------------------------------------------------------------------------------------------- at the reveal


def strikes_of(situation: Situation, order: Fight) -> list[Strike]:
    """The blows of an order, worked out: row, dice, Attack Level, and whether the target sees them (SPX-05)."""
    return [
        strike_of(situation, situation.state.fighters[order.piece], blow, number)
        for number, blow in enumerate(order.blows, 1)
    ]


def strike_of(situation: Situation, fighter: Fighter, blow: Blow, number: int) -> Strike:
    """One blow, worked out."""
    state, tables = situation.state, situation.tables
    foe = state.fighters[blow.target]
    row = row_of(state, tables, fighter, blow)
    assert row is not None  # what cannot be struck was refused when it was declared
    damage = damage_of(row, blow)
    text = f"{fighter.id}: fight {blow.target}/{blow.stroke}/{blow.blow or damage}"
    if fighter.is_horse:
        mount = tables.mount(fighter.mount)
        return Strike(
            fighter.id, foe.id, number, blow.stroke, "kick", fighter.mount, mount.impact, "blunt", mount.skill,
            sees(foe, fighter.at, tables), text,
        )  # fmt: skip
    level = fighter.level("unarmed" if row.id in (FIST, KICK) else row.id)
    return Strike(
        by=fighter.id, target=foe.id, number=number, stroke=blow.stroke, blow=blow.blow or damage, weapon=row.id,
        dice=row.dice(damage), damage=damage, attack_level=level + row.weapon_class,
        seen=sees(foe, fighter.at, tables), text=text, aim=blow.aim, armed=not bare_blow(state, fighter, blow),
        held=blow.blow == "grapple",
    )  # fmt: skip


def guard_of(situation: Situation, order: Fight | Dodge | None, fighter: Fighter, strikes: Sequence[Strike]) -> Guard:
    """How a fighter guards himself; unarmed, a duck costs more against weapons than against fists (SPX-17)."""
    state, tables = situation.state, situation.tables
    if isinstance(order, Dodge):
        return Guard(dodge=True, was_dodging=fighter.dodging)
    if order is None:
        return Guard(was_dodging=fighter.dodging)
    weapon = order.parry
    if option(state, "unarmed", "off") == "on" and not fighter.in_hand:
        armed = any(strike.armed for strike in strikes if strike.target == fighter.id and strike.seen)
        each = tables.constant("duck_armed" if armed else "duck_unarmed")
        _, combat = cost(state, tables, fighter, order)
        left = fighter.combat_actions - (combat - order.parry * tables.constant("duck_unarmed"))
        weapon = min(order.parry, left // each)
    return Guard(weapon, order.shield, was_dodging=fighter.dodging)


def doubts(situation: Situation, strikes: Sequence[Strike]) -> Generator[Yielded, Any, list[Strike]]:
    """Ask the referee about blows past somebody else; those that he refuses lapse (SG-01)."""
    state = situation.state
    asked: list[tuple[tuple[str, str], RulingRequested]] = []
    for pair in sorted({(strike.by, strike.target) for strike in strikes}):
        fighter, foe = state.fighters[pair[0]], state.fighters[pair[1]]
        other = doubtful(state, fighter, foe)
        if other is not None:
            question = f"can {fighter.name} strike {foe.name} past {other.name}?"
            key = f"t{state.phase}/blows/{fighter.id}>{foe.id}/available"
            asked.append((pair, RulingRequested(key, "SG-01", question, ("yes", "no"), "yes")))
    answers = yield from ask_all([question for _, question in asked])
    refused = {pair for (pair, _), answer in zip(asked, answers, strict=True) if answer == "no"}
    for strike in strikes:
        if (strike.by, strike.target) in refused:
            yield OrderLapsed(strike.by, strike.text, "the target was not available", "SG-01")
    return [strike for strike in strikes if (strike.by, strike.target) not in refused]


def lame_arms(
    situation: Situation, orders: Sequence[Order]
) -> Generator[Yielded, Any, tuple[set[str], set[str]]]:  # fmt: skip
    """Ask what disabled arms still allow: kicks, a strapped shield (SG-05). Gives who may not kick, who not parry."""
    state = situation.state
    asked: list[tuple[str, str, RulingRequested]] = []
    for order in orders:
        if not isinstance(order, Fight):
            continue
        fighter = state.fighters[order.piece]
        kicks = order.blows and strikes_with(fighter) == KICK and not fighter.kicks and fighter.disabled
        if kicks and option(state, "unarmed", "off") == "off":
            question = f"may {fighter.name}, with a disabled arm, fight on with kicks?"
            key = f"t{state.phase}/blows/{fighter.id}/kicks"
            asked.append((fighter.id, "kicks", RulingRequested(key, "SG-05", question, ("yes", "no"), "no")))
        if order.shield and not fighter.shield_in_use:
            question = f"may the shield strapped to {fighter.name}'s disabled arm still parry?"
            key = f"t{state.phase}/blows/{fighter.id}/shield"
            asked.append((fighter.id, "shield", RulingRequested(key, "SG-05", question, ("yes", "no"), "no")))
    answers = yield from ask_all([question for _, _, question in asked])
    refused: dict[str, set[str]] = {"kicks": set(), "shield": set()}
    for (who, what, _), answer in zip(asked, answers, strict=True):
        if answer == "no":
            refused[what].add(who)
        else:
            as_weapon = first_edition(state)
            yield facts.ArmRuled(who, "kicks" if what == "kicks" else "shield", as_weapon=as_weapon)
    return refused["kicks"], refused["shield"]
