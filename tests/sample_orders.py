"""A small rule set's orders, with every kind of field, and a field to give them on."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from engine.orders import (
    After,
    Dice,
    Flag,
    Length,
    Number,
    Order,
    Piece,
    RefereeOrder,
    SideOrder,
    Text,
    Vocabulary,
    Word,
)
from events.places import Hex, Point


class Gait(Enum):
    """How a mount goes."""

    TROT = "trot"
    FULL_GALLOP = "full_gallop"


class Charge(Order, frozen=True, gc=False, tag="charge"):
    """Charge a target.

    More about charges.
    """

    target: Piece


class Aim(Order, frozen=True, gc=False, tag="aim"):
    """Aim a weapon."""

    weapon: Annotated[str, Word(of="weapons")]
    target: Annotated[Piece, After("at")]


class Walk(Order, frozen=True, gc=False, tag="walk"):
    """Walk along a path."""

    path: tuple[Point, ...]
    facing: Annotated[int | None, Number(0, 359), After("facing")] = None
    actions: Annotated[tuple[str, ...], Word(of="actions"), After("then", each=True)] = ()
    quietly: bool = False


class Ride(Order, frozen=True, gc=False, tag="ride"):
    """Ride to a hex."""

    gait: Gait
    to: Annotated[Hex, After("to")]
    reach: Annotated[Length | None, After("reach")] = None
    last_word: Annotated[Text | None, After("saying")] = None
    hasty: Annotated[bool, Flag("in_haste")] = False


class Rest(Order, frozen=True, gc=False, tag="rest"):
    """Rest for some turns."""

    turns: int = 1


class Yield(SideOrder, frozen=True, gc=False, tag="yield"):
    """Give the field up."""


class Weather(RefereeOrder, frozen=True, gc=False, tag="weather"):
    """Set the weather."""

    kind: Literal["fair", "rain"]
    hail: Annotated[Dice | None, After("hail")] = None


GRAMMAR = (Charge, Aim, Walk, Ride, Rest, Yield, Weather)
FIELD = Vocabulary(
    pieces={
        "grubnik": "Grubnik",
        "grishnak": "Grishnák",
        "snaga": "Snaga",
        "aldric": "Sir Aldric",
        "tom": "Old Tom",
        "at": "At",
    },
    words={
        "weapons": ("short_bow", "long_bow", "sling"),
        "actions": ("climb_low_wall", "jump_ditch"),
        "sides": ("red", "blue"),
        "hexes": ("0101", "0304", "0305", "4012", "4018"),
    },
)
