"""What the referee may state as a fact, here and now, and the outcomes that make it true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from engine.orders import AnyOrder, Number, Order
from engine.orders.errors import OrderNotAllowed
from engine.rules.dresda.contact import parted
from engine.rules.dresda.ground import on_field
from engine.rules.dresda.orders import Weapon
from engine.rules.dresda.plans import after
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.wounds import wounded
from events.dresda import ActionTaken, Moved
from events.facts import Event
from events.places import Point
from projections.dresda.state import Figure

RULING: Final = "ruling"


class Prone(Order, frozen=True, gc=False, tag="prone"):
    """The figure lies on the ground."""


class Upright(Order, frozen=True, gc=False, tag="upright"):
    """The figure stands."""


class At(Order, frozen=True, gc=False, tag="at"):
    """The figure is at this place."""

    place: Point


class Faces(Order, frozen=True, gc=False, tag="faces"):
    """The figure faces so."""

    facing: Annotated[int, Number(0, 359)]


class Holds(Order, frozen=True, gc=False, tag="holds"):
    """The figure has this weapon in hand."""

    weapon: Weapon


class Hurt(Order, frozen=True, gc=False, tag="wounded"):
    """The figure takes so many wounds."""

    wounds: Annotated[int, Number(1, 20)]


FACTS: Final[tuple[type[AnyOrder], ...]] = (Prone, Upright, At, Faces, Holds, Hurt)


def state_fact(situation: Situation, fact: AnyOrder) -> Sequence[Event]:
    """The outcomes that make a fact true. Raises `OrderNotAllowed` if it cannot be."""
    assert isinstance(fact, Order)
    figure = situation.state.figures[fact.piece]
    if figure.gone:
        raise OrderNotAllowed(f"{figure.who.name} is no longer on the table", RULING)
    match fact:
        case Prone() | Upright():
            return [ActionTaken(figure.id, RULING, 0, RULING, prone=isinstance(fact, Prone))]
        case At():
            return _at(situation, figure, fact.place)
        case Faces():
            return [Moved(figure.id, "stand", (), fact.facing, RULING)]
        case Holds():
            if figure.arm_named(fact.weapon) is None:
                raise OrderNotAllowed(f"{figure.who.name} has no {fact.weapon}", RULING)
            return [ActionTaken(figure.id, RULING, 0, RULING, in_hand=fact.weapon)]
        case Hurt():
            return [wounded(figure, "", fact.wounds, RULING, "")]
    raise OrderNotAllowed("that is no fact of this rule set", RULING)


def _at(situation: Situation, figure: Figure, place: Point) -> list[Event]:
    """The figure is there; and whoever it fought is not in hand-to-hand with it any more if that parts them."""
    if not on_field(situation.state, place):
        raise OrderNotAllowed("that place is not on the field", RULING)
    there = Moved(figure.id, figure.gait, (place,), figure.facing, RULING)
    ended = parted(after(situation, [there]))
    return [there] if ended is None else [there, ended]
