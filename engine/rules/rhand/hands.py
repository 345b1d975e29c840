"""What fighters take in hand: weapons, grips, shields, the other hand (SP-032a, SP-041, SG-05).

Nothing is lost by it: what leaves a hand is carried, and can be taken up again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final

from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.orders import Don, Draw, Switch
from engine.rules.rhand.positions import FIST, KICK, has, option, same_thing
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Objection, Procedure, Yielded, ask
from events import rhand as facts
from events.facts import RulingRequested
from projections.rhand.captions import words
from projections.rhand.state import Fighter, Rhand

NO_WEAPONS: Final = (KICK, "pommel_strike", "shield_bash")
"""Rows of table 2A that are ways to strike, not things to hold."""


def objections(state: Rhand, tables: Tables, order: Draw | Don | Switch) -> Iterator[Objection]:
    """Why a weapon, a grip, a shield or the other hand cannot be taken (SP-020, SP-032a, SP-041)."""
    fighter = state.fighters[order.piece]
    if isinstance(order, Switch):
        yield from _switch_objections(fighter)
        return
    thing = order.weapon if isinstance(order, Draw) else order.shield
    if not has(fighter, thing):
        yield Objection(f"{fighter.name} carries no {words(thing)}", "SP-020")
    elif isinstance(order, Draw):
        yield from _draw_objections(state, tables, fighter, thing)
    else:
        yield from _don_objections(state, fighter)


def _switch_objections(fighter: Fighter) -> Iterator[Objection]:
    if fighter.hands > 1:
        yield Objection(f"{words(fighter.weapon)} takes both hands", "SP-032a")
    if f"{fighter.shield_arm}_arm" in fighter.disabled:
        yield Objection(f"{fighter.name}'s {fighter.shield_arm} arm is disabled", "SP-041")


def _draw_objections(state: Rhand, tables: Tables, fighter: Fighter, thing: str) -> Iterator[Objection]:
    if tables.weapon(thing).hands > 1:
        if fighter.lame_arms:
            yield Objection(f"{words(thing)} needs both arms", "SP-041")
    elif f"{fighter.weapon_arm}_arm" in fighter.disabled and not first_edition(state):
        yield Objection(f"{fighter.name}'s {fighter.weapon_arm} arm is disabled; switch hands first", "SP-041")


def _don_objections(state: Rhand, fighter: Fighter) -> Iterator[Objection]:
    if fighter.hands > 1:
        yield Objection("a grip with both hands leaves none for a shield", "SP-032a")
    if f"{fighter.shield_arm}_arm" in fighter.disabled and not first_edition(state):
        yield Objection(f"{fighter.name}'s {fighter.shield_arm} arm is disabled", "SP-041")


def take_up(situation: Situation, order: Draw | Don | Switch) -> Procedure:
    """Begin to take something in hand; a shield takes as long as the referee says, other things this phase (SG-05)."""
    fighter, phase = situation.state.fighters[order.piece], situation.state.phase
    match order:
        case Draw():
            yield facts.Readying(fighter.id, "weapon", order.weapon, phase, "SP-032a")
        case Don():
            usual = situation.tables.constant("don_shield_phases")
            choices = tuple(str(number) for number in range(1, 10))
            question = f"how many phases does {fighter.name} take to put on the {words(order.shield)}?"
            key = f"t{phase}/shield/{fighter.id}"
            answer = yield from ask(RulingRequested(key, "SG-05", question, choices, str(usual)))
            yield facts.Readying(fighter.id, "shield", order.shield, phase + int(answer) - 1, "SG-05")
        case Switch():
            if (yield from _other_hand(situation, fighter)):
                yield facts.HandChanged(fighter.id, "left" if fighter.weapon_arm == "right" else "right")


def _other_hand(situation: Situation, fighter: Fighter) -> Generator[Yielded, Any, bool]:
    """Whether somebody may fight with the other hand: the referee says, unless the option allows it (SG-05)."""
    if option(situation.state, "other_hand", "ask") == "allowed":
        return True
    question = f"may {fighter.name} fight on with the {fighter.shield_arm} hand?"
    key = f"t{situation.state.phase}/hands/{fighter.id}"
    answer = yield from ask(RulingRequested(key, "SG-05", question, ("yes", "no"), "no"))
    return answer == "yes"


def in_hand_now(situation: Situation, fighter: Fighter, what: str, name: str, rule: str) -> facts.Readied:
    """Return the fact that a weapon or a shield is in hand from now on, and what is carried besides."""
    state, tables = situation.state, situation.tables
    if what == "shield":
        carries = None if first_edition(state) else _without(fighter, name) + _aside(fighter.shield, name)
        return facts.Readied(fighter.id, "shield", name, fighter.hands, rule, carries)
    hands = tables.weapon(name).hands
    if first_edition(state):
        return facts.Readied(fighter.id, "weapon", name, hands, rule)
    carries = _without(fighter, name) + _aside(fighter.weapon, name)
    if hands > 1:
        carries += _aside(fighter.shield, "")
    return facts.Readied(fighter.id, "weapon", "" if name == FIST else name, hands, rule, carries)


def _without(fighter: Fighter, name: str) -> tuple[str, ...]:
    """What a fighter carries but for the thing, in whatever grip, that they take in hand."""
    taken = next((each for each in fighter.carries if same_thing(each, name)), None)
    at = fighter.carries.index(taken) if taken is not None else len(fighter.carries)
    return fighter.carries[:at] + fighter.carries[at + 1 :]


def _aside(held: str, name: str) -> tuple[str, ...]:
    """What is put away for a thing taken in hand: nothing when only the grip changes."""
    return (held,) if held and held != FIST and not same_thing(held, name) else ()
