"""What the referee may state as a fact, here and now: `ann: down`, `bob: at 0304`, `bob: holds dagger`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from engine.orders import After, AnyOrder, Number, Order, Word
from engine.orders.errors import OrderNotAllowed
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.hands import NO_WEAPONS, in_hand_now
from engine.rules.rhand.positions import IN_THE_OPEN, on_field
from engine.rules.rhand.situation import Situation
from events import rhand as facts
from events.facts import Event
from events.places import Hex
from projections.rhand.captions import FACINGS, words
from projections.rhand.state import Fighter

RULING = "ruling"

Facing = Literal["north", "north_east", "south_east", "south", "south_west", "north_west"]


class Down(Order, frozen=True, gc=False, tag="down"):
    """They are unconscious or dazed."""


class Up(Order, frozen=True, gc=False, tag="up"):
    """They are on their feet again."""


class At(Order, frozen=True, gc=False, tag="at"):
    """They stand in this hex."""

    place: Hex
    facing: Annotated[Facing | None, After("facing")] = None


class Hurt(Order, frozen=True, gc=False, tag="hurt"):
    """They have taken so much more Physical Damage; no knockout roll follows, `down` says that they fall."""

    damage: Annotated[int, Number(1, 1_000_000)]


class Lame(Order, frozen=True, gc=False, tag="lame"):
    """This arm or leg is disabled."""

    limb: Annotated[str, Word(of="limbs")]


class Holds(Order, frozen=True, gc=False, tag="holds"):
    """They have this weapon, in this grip, in hand."""

    weapon: Annotated[str, Word(of="weapons")]


class Bears(Order, frozen=True, gc=False, tag="bears"):
    """They have this shield on their arm."""

    shield: Annotated[str, Word(of="shields")]


class Handed(Order, frozen=True, gc=False, tag="handed"):
    """They fight with this hand."""

    arm: Literal["right", "left"]


class Cover(Order, frozen=True, gc=False, tag="cover"):
    """They are hidden so from archers, by the rows of table 3C, until they leave the hex; `none` is in the open."""

    cover: Annotated[str, Word(of="covers")]


class Disturbed(Order, frozen=True, gc=False, tag="disturbed"):
    """Something of the list of distractions has happened to them."""

    by: Annotated[str, Word(of="distractions")]


FACTS: tuple[type[AnyOrder], ...] = (Down, Up, At, Hurt, Lame, Holds, Bears, Handed, Cover, Disturbed)
"""Every fact that can be stated."""


def state_fact(situation: Situation, fact: AnyOrder) -> Sequence[Event]:
    """The outcomes that make a fact true. Raises `OrderNotAllowed` for one that cannot be."""
    assert isinstance(fact, Order)
    return [_outcome(situation, situation.state.fighters[fact.piece], fact)]


def _outcome(situation: Situation, fighter: Fighter, fact: AnyOrder) -> Event:
    match fact:
        case Down():
            return facts.KnockedOut(fighter.id, fighter.total, 100, "", RULING)
        case Up():
            return facts.Roused(fighter.id, fighter.id, RULING)
        case At():
            return _at(situation, fighter, fact)
        case Hurt():
            return facts.SpellTook(fighter.id, fighter.id, "", "pd", fact.damage, None, RULING)
        case Lame():
            return facts.LimbDisabled(fighter.id, fact.limb, 0, RULING)
        case Holds():
            return _holds(situation, fighter, fact.weapon)
        case Bears():
            return _bears(situation, fighter, fact.shield)
        case Handed():
            if fact.arm == fighter.weapon_arm:
                raise OrderNotAllowed(f"{fighter.name} fights with the {fact.arm} hand already", RULING)
            return facts.HandChanged(fighter.id, fact.arm, RULING)
        case Cover():
            return facts.CoverTaken(fighter.id, "" if fact.cover == IN_THE_OPEN else fact.cover, RULING)
        case Disturbed():
            return facts.Distracted(fighter.id, fact.by, RULING)
    raise AssertionError("unreachable: every fact has its outcome")


def _holds(situation: Situation, fighter: Fighter, weapon: str) -> Event:
    if weapon in NO_WEAPONS and not first_edition(situation.state):
        raise OrderNotAllowed(f"{words(weapon)} is a way to strike, not a weapon to hold", RULING)
    return in_hand_now(situation, fighter, "weapon", weapon, RULING)


def _bears(situation: Situation, fighter: Fighter, shield: str) -> Event:
    if fighter.hands > 1 and not first_edition(situation.state):
        raise OrderNotAllowed("a grip with both hands leaves none for a shield", "SP-032a")
    return in_hand_now(situation, fighter, "shield", shield, RULING)


def _at(situation: Situation, fighter: Fighter, fact: At) -> Event:
    if not on_field(situation.state.columns, situation.state.rows, fact.place):
        raise OrderNotAllowed("that hex is not on the field", RULING)
    other = next((each for each in situation.state.men() if each.at == fact.place and each.id != fighter.id), None)
    if other is not None and fighter.rides != other.id and other.rides != fighter.id:
        raise OrderNotAllowed(f"{other.name} stands there", "SPX-09")
    facing = fighter.facing if fact.facing is None else FACINGS.index(fact.facing)
    return facts.Moved(fighter.id, (fighter.at, fact.place), facing, fighter.pace, fighter.fast, RULING)
