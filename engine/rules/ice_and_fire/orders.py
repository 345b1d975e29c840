"""The orders of a mass battle, as they are written: `spears: charge riders`, `joss: inspire`, `red: withdraw`.

An order to a unit is its whole battle round: one greater action, or up to two lesser ones, and a free one (AMB-41).
`by` names the hero who gives it, else whoever commands the unit's post; `number` its place in the side's list.
"""

from __future__ import annotations

from typing import Annotated, Literal

from engine.orders import After, AnyOrder, Number, Order, Piece, PieceName, SideOrder, Word
from events.places import Point

Weapon = Annotated[str, Word(of="weapons")]


class UnitOrder(Order, frozen=True, gc=False, kw_only=True):
    """Base of the orders that a unit carries out in its battle round: who gives it, and its place in the list."""

    by: Annotated[str | None, PieceName(), After("by")] = None
    number: Annotated[int, Number(0, 99), After("number")] = 50


class Attack(UnitOrder, frozen=True, gc=False, tag="attack"):
    """Strike or shoot at an enemy; aim, move or reform first, or fall back after it. A maul may stagger."""

    target: Piece
    weapon: Annotated[Weapon | None, After("with")] = None
    going: Annotated[tuple[Point, ...], After("going")] = ()
    then: Annotated[tuple[Point, ...], After("then")] = ()
    aim: bool = False
    reform: bool = False
    hold: bool = False
    fire: bool = False
    guided: bool = False
    stagger: bool = False


class Move(UnitOrder, frozen=True, gc=False, tag="move"):
    """Move along a path: one move, or two if it is long; aim or reform beside one."""

    path: tuple[Point, ...]
    facing: Annotated[int | None, Number(0, 359), After("facing")] = None
    aim: bool = False
    reform: bool = False
    hold: bool = False


class Stand(UnitOrder, frozen=True, gc=False, tag="stand"):
    """Stay in place; aim, hold the line, turn to a facing, or open a shield wall."""

    facing: Annotated[int | None, Number(0, 359), After("facing")] = None
    aim: bool = False
    hold: bool = False
    loosen: bool = False


class Charge(UnitOrder, frozen=True, gc=False, tag="charge"):
    """Charge an enemy in a straight line and attack."""

    target: Piece
    weapon: Annotated[Weapon | None, After("with")] = None
    hold: bool = False
    stagger: bool = False


class Trample(UnitOrder, frozen=True, gc=False, tag="trample"):
    """Ride straight to a place, over the enemies in the way; the first may be charged with a weapon."""

    to: Annotated[Point, After("to")]
    weapon: Annotated[Weapon | None, After("with")] = None
    charging: bool = False


class Sprint(UnitOrder, frozen=True, gc=False, tag="sprint"):
    """Run straight to a place."""

    to: Annotated[Point, After("to")]


class Withdraw(UnitOrder, frozen=True, gc=False, tag="withdraw"):
    """Draw back from the enemy, shields towards him."""

    to: Annotated[Point | None, After("to")] = None


class Quit(UnitOrder, frozen=True, gc=False, tag="quit"):
    """Leave the field, if it drew back last round and no enemy comes after it."""


class Reform(UnitOrder, frozen=True, gc=False, tag="reform"):
    """Reform: one condition better, or out of a wedge; twice if it needs it."""

    wedge: bool = False
    twice: bool = False
    aim: bool = False
    hold: bool = False


class Breathe(UnitOrder, frozen=True, gc=False, tag="breath"):
    """Catch breath: less damage."""


class Counter(UnitOrder, frozen=True, gc=False, tag="counter"):
    """Stand ready to strike first at whoever attacks; set weapons against a charge."""

    set_weapons: Annotated[Literal["charge"] | None, After("set_for")] = None


class Stakes(UnitOrder, frozen=True, gc=False, tag="stakes"):
    """Plant stakes before the front, or pull them out."""

    what: Literal["plant", "pull"]


class ShieldWall(UnitOrder, frozen=True, gc=False, tag="shieldwall"):
    """Form a shield wall."""


class Wedge(UnitOrder, frozen=True, gc=False, tag="wedge"):
    """Form a wedge."""


class Yield(UnitOrder, frozen=True, gc=False, tag="yield"):
    """Lay down arms."""


class Scale(UnitOrder, frozen=True, gc=False, tag="scale"):
    """Scale a wall; twice in the round, after a move to its foot, or attack who mans it once on top."""

    wall: Annotated[str, Word(of="walls")]
    going: Annotated[tuple[Point, ...], After("going")] = ()
    twice: bool = False
    target: Annotated[Piece | None, After("attacking")] = None
    weapon: Annotated[Weapon | None, After("with")] = None


class Break(UnitOrder, frozen=True, gc=False, tag="break"):
    """Break a gate, wall, bridge or engine, after a move to it."""

    what: Annotated[str, Word(of="structures")]
    going: Annotated[tuple[Point, ...], After("going")] = ()


class Man(UnitOrder, frozen=True, gc=False, tag="man"):
    """Go up on a wall from within."""

    wall: Annotated[str, Word(of="walls")]
    aim: bool = False


class Cover(UnitOrder, frozen=True, gc=False, tag="cover"):
    """Take cover behind the wall that the unit mans."""


class Bridge(UnitOrder, frozen=True, gc=False, tag="bridge"):
    """Work on a way over a trench."""

    trench: Annotated[str, Word(of="trenches")]


class Bombard(UnitOrder, frozen=True, gc=False, tag="bombard"):
    """Throw at a unit, engine, wall or gate with a machine that the unit serves."""

    target: Annotated[str, Word(of="marks")]
    engine: Annotated[str, Word(of="machines"), After("with")]
    missile: Annotated[Literal["stone", "bolt", "oil", "wildfire"] | None, After("throwing")] = None


class Serve(UnitOrder, frozen=True, gc=False, tag="serve"):
    """Take over an engine that nobody serves, after a move to it."""

    engine: Annotated[str, Word(of="engines")]
    going: Annotated[tuple[Point, ...], After("going")] = ()


class Standing(Order, frozen=True, gc=False, tag="standing"):
    """What a unit does in every round without an order, until told otherwise."""

    how: Literal["independent", "fight", "charge", "shoot", "hold", "stay", "withdraw", "scale", "break", "bombard"]
    at: Annotated[str | None, Word(of="marks"), After("at")] = None


class Attach(Order, frozen=True, gc=False, tag="attach"):
    """Join an adjacent unit, to lead it if nobody does."""

    unit: Piece
    leading: bool = False


class Inspire(Order, frozen=True, gc=False, tag="inspire"):
    """Inspire the troops: the leader's words tell on their tests of this round."""


class Lead(Order, frozen=True, gc=False, tag="lead"):
    """Lead from the front."""


class First(Order, frozen=True, gc=False, tag="first"):
    """Ride first in the wedge."""


class Fight(Order, frozen=True, gc=False, tag="fight"):
    """Single combat with an enemy hero, or with the men of an enemy unit, for some combat rounds."""

    target: Piece
    rounds: Annotated[int, Number(1, 10), After("for")] = 3
    weapon: Annotated[Weapon | None, After("with")] = None


class Manner(Order, frozen=True, gc=False, tag="stance"):
    """How a hero fights single combats in this round, also when another begins them; or yields in the first."""

    how: Literal["strike", "aim", "caution", "dodge", "yield"]


class Ride(Order, frozen=True, gc=False, tag="go"):
    """A hero on his own goes somewhere."""

    to: Annotated[Point, After("to")]


class TakePost(Order, frozen=True, gc=False, tag="take"):
    """A hero takes over a post in the chain of command."""

    post: Annotated[str, Word(of="posts")]


class Join(Order, frozen=True, gc=False, tag="merge"):
    """After the battle the unit takes another of its type in."""

    unit: Piece


class WithdrawAll(SideOrder, frozen=True, gc=False, tag="withdraw_all"):
    """The whole side draws off: the battle ends."""


class YieldAll(SideOrder, frozen=True, gc=False, tag="yield_all"):
    """The whole side lays down its arms."""


UNIT_ORDERS: tuple[type[UnitOrder], ...] = (
    Attack,
    Move,
    Stand,
    Charge,
    Trample,
    Sprint,
    Withdraw,
    Quit,
    Reform,
    Breathe,
    Counter,
    Stakes,
    ShieldWall,
    Wedge,
    Yield,
    Scale,
    Break,
    Man,
    Cover,
    Bridge,
    Bombard,
    Serve,
)
HERO_ORDERS: tuple[type[Order], ...] = (Attach, Inspire, Lead, First, Fight, Manner, Ride, TakePost)
GRAMMAR: tuple[type[AnyOrder], ...] = (*UNIT_ORDERS, Standing, *HERO_ORDERS, Join, WithdrawAll, YieldAll)
