"""What the referee may state as a fact, here and now, and the outcomes that make it true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from engine.orders import After, AnyOrder, Number, Order, Piece, Text
from engine.orders.errors import OrderNotAllowed
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import off_field
from events.facts import Event
from events.ice_and_fire.heroes import HeroAttached, HeroFell, HeroMoved
from events.ice_and_fire.units import ConditionStated, ConditionWorsened, UnitDamaged, UnitLeft, UnitStated
from events.places import Point
from projections.ice_and_fire.state import Hero, Unit

RULING: Final = "ruling"


class At(Order, frozen=True, gc=False, tag="at"):
    """The unit, or the hero on his own, is at this place."""

    place: Point
    facing: Annotated[int | None, Number(0, 359), After("facing")] = None


class Is(Order, frozen=True, gc=False, tag="is"):
    """The unit is in this condition."""

    condition: Literal["organized", "disorganized", "routed", "destroyed", "annihilated"]


class Hurt(Order, frozen=True, gc=False, tag="hurt"):
    """The unit takes so much damage more; its condition stays as it is."""

    damage: Annotated[int, Number(1, 100)]


class Gone(Order, frozen=True, gc=False, tag="gone"):
    """The unit is off the field."""

    how: Literal["quit", "yielded", "fled"]


class With(Order, frozen=True, gc=False, tag="with"):
    """The hero is with this unit."""

    unit: Piece


class PriorRoll(Order, frozen=True, gc=False, tag="fallen"):
    """The hero is out of the battle."""

    fate: Text


FACTS: Final[tuple[type[AnyOrder], ...]] = (At, Is, Hurt, Gone, With, PriorRoll)


def state_fact(situation: Situation, fact: AnyOrder) -> Sequence[Event]:
    """The outcomes that make a fact true. Raises `OrderNotAllowed` if it cannot be."""
    assert isinstance(fact, Order)
    unit, hero = situation.state.units.get(fact.piece), situation.state.heroes.get(fact.piece)
    if unit is not None and not unit.on_field:
        raise OrderNotAllowed(f"{unit.name} is no longer on the field", RULING)
    if unit is not None:
        return _of_unit(situation, unit, fact)
    if hero is not None and hero.up:
        return _of_hero(situation, hero, fact)
    raise OrderNotAllowed(f"{fact.piece} is no unit, nor a hero who stands", RULING)


def _of_unit(situation: Situation, unit: Unit, fact: Order) -> Sequence[Event]:
    match fact:
        case At():
            if off_field(situation, fact.place):
                raise OrderNotAllowed("that place is not on the field", RULING)
            facing = unit.facing if fact.facing is None else fact.facing
            return [UnitStated(unit.id, fact.place, facing, RULING)]
        case Is():
            if step(fact.condition) == step(unit.condition):
                raise OrderNotAllowed(f"{unit.name} is {unit.condition} already", RULING)
            if step(fact.condition) < step(unit.condition):
                return [ConditionStated(unit.id, fact.condition, RULING)]
            return [ConditionWorsened(unit.id, fact.condition, "the referee says so", RULING)]
        case Hurt():
            return [UnitDamaged(unit.id, fact.damage, unit.damage + fact.damage, RULING, RULING)]
        case Gone():
            return [UnitLeft(unit.id, fact.how, False, RULING)]
    raise OrderNotAllowed("that is no fact about a unit", RULING)


def _of_hero(situation: Situation, hero: Hero, fact: Order) -> Sequence[Event]:
    match fact:
        case At() if not hero.unit:
            return [HeroMoved(hero.id, fact.place, RULING)]
        case At():
            raise OrderNotAllowed(f"{hero.name} is where his unit is; say where that is", RULING)
        case With():
            unit = situation.state.units.get(fact.unit)
            if unit is None or unit.seat != hero.seat or not unit.on_field:
                raise OrderNotAllowed("a hero is with a unit of his own side", RULING)
            return [HeroAttached(hero.id, fact.unit, RULING)]
        case PriorRoll():
            return [HeroFell(hero.id, fact.fate, RULING)]
    raise OrderNotAllowed("that is no fact about a hero", RULING)
