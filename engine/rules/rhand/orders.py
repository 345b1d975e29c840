"""The orders of Rhand. All are sealed: nobody reads them until the step that they are for begins (SA-14)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from msgspec import Struct

from engine.orders import After, AnyOrder, Kind, Number, Order, Piece, PieceName, Word
from engine.orders.errors import OrderUnreadable
from engine.orders.names import Names

Stroke: TypeAlias = Literal["short", "normal", "long"]
BlowName: TypeAlias = Literal[
    "cut", "stab", "flange", "blunt", "pommel", "bash", "odd", "punch", "elbow", "knee", "kick", "grapple"
]
Stride: TypeAlias = Literal["forward", "back", "left", "right", "turn_left", "turn_right"]
Way: TypeAlias = Literal["forward", "back", "left", "right"]

STROKES: tuple[Stroke, ...] = get_args(Stroke)
BLOWS: tuple[BlowName, ...] = get_args(BlowName)
UNARMED: tuple[BlowName, ...] = ("punch", "elbow", "knee", "kick", "grapple")
"""Blows without a weapon (SPX-17)."""


class Blow(Struct, frozen=True, gc=False):
    """One blow: at whom, how hard, with what part of the weapon (empty: its first), aimed where (empty: nowhere)."""

    target: str
    stroke: str
    blow: str = ""
    aim: str = ""


class BlowWord(Kind, frozen=True):
    """A blow in one word: `TARGET/STROKE`, `TARGET/STROKE/BLOW` or `TARGET/STROKE/BLOW/LOCATION`."""

    holds: ClassVar[type] = Blow

    def form(self, field: str) -> str:
        """Give the placeholder of help texts."""
        return "TARGET/STROKE[/BLOW[/LOCATION]]"

    def read(self, text: str, names: Names) -> Blow:
        """Read a blow such as `guard/short/cut`. Raises OrderUnreadable or OrderAmbiguous."""
        target, *rest = text.split("/")
        if not 1 <= len(rest) <= 3:
            raise OrderUnreadable(f"{text!r} is not a blow: write TARGET/STROKE/BLOW such as guard/short/cut")
        stroke, blow, aim = (*rest, "", "")[:3]
        if stroke not in STROKES:
            raise OrderUnreadable(f"{stroke!r} is not a stroke: write {', '.join(STROKES)}", nearest=STROKES)
        if blow and blow not in BLOWS:
            raise OrderUnreadable(f"{blow!r} is not a blow: write {', '.join(BLOWS)}", nearest=BLOWS)
        return Blow(names.piece(target), stroke, blow, aim)

    def write(self, value: object) -> str:
        """Write a blow so that it is read back."""
        if not isinstance(value, Blow):
            raise OrderUnreadable(f"{value!r} is not a blow")
        parts = [value.target, value.stroke, value.blow, value.aim]
        return "/".join(parts).rstrip("/")


Blows: TypeAlias = tuple[Annotated[Blow, BlowWord()], ...]
Parries: TypeAlias = Annotated[int, Number(0, 40), After("parry")]
ShieldParries: TypeAlias = Annotated[int, Number(0, 40), After("shield")]


class Shoot(Order, frozen=True, gc=False, tag="shoot"):
    """Shoot or throw at somebody in the first step; `volley` is one of many into a mass of shields.

    Whoever shoots at their own side says so: `own_side`.
    """

    target: Annotated[str, PieceName(), After("at")]
    volley: bool = False
    own_side: bool = False


class Cast(Order, frozen=True, gc=False, tag="cast"):
    """Cast a spell in the first step; a `memorised` target need not be seen."""

    spell: Annotated[str, Word(of="spells")]
    targets: Annotated[tuple[Piece, ...], After("at")] = ()
    memorised: bool = False


class Prepare(Order, frozen=True, gc=False, tag="prepare"):
    """Begin to prepare a spell, where spells need it."""

    spell: Annotated[str, Word(of="spells")]


class Walk(Order, frozen=True, gc=False, tag="walk"):
    """Move or turn at up to Combat Speed, step by step."""

    steps: tuple[Stride, ...]


class Run(Order, frozen=True, gc=False, tag="run"):
    """Move faster than Combat Speed in a straight line, after a phase at Combat Speed."""

    hexes: Annotated[int, Number(1, 99)]
    going: Annotated[Way, After("going")] = "forward"


class Pass(Order, frozen=True, gc=False, tag="pass"):
    """Strike one blow at somebody whom you pass while moving, and parry so many such blows."""

    blow: Annotated[Blow, BlowWord()]
    parry: Parries = 0


class Fight(Order, frozen=True, gc=False, tag="fight"):
    """Declare blows and parries: `fight guard/short/cut guard/short/cut parry 1 shield 1`."""

    blows: Blows = ()
    parry: Parries = 0
    shield: ShieldParries = 0


class Dodge(Order, frozen=True, gc=False, tag="dodge"):
    """Give the whole phase to dodging."""


class Draw(Order, frozen=True, gc=False, tag="draw"):
    """Take another weapon, or grip, in hand."""

    weapon: Annotated[str, Word(of="weapons")]


class Don(Order, frozen=True, gc=False, tag="don"):
    """Put a shield on; how long that takes is the referee's."""

    shield: Annotated[str, Word(of="shields")]


class Switch(Order, frozen=True, gc=False, tag="switch"):
    """Take the weapon in the other hand, and put the shield away; whether that hand can fight is the referee's."""


class Rouse(Order, frozen=True, gc=False, tag="rouse"):
    """Try to bring a dazed friend beside you to his feet, if the referee allows it."""

    friend: Annotated[str, PieceName()]


class GiveUp(Order, frozen=True, gc=False, tag="yield"):
    """Give up the fight."""


GRAMMAR: tuple[type[AnyOrder], ...] = (
    Shoot, Cast, Prepare, Walk, Run, Pass, Fight, Dodge, Draw, Don, Switch, Rouse, GiveUp,
)  # fmt: skip
"""Every order of Rhand."""

SLOTS: dict[type[AnyOrder], str] = {
    Shoot: "release",
    Cast: "release",
    Prepare: "release",
    Walk: "move",
    Run: "move",
    Pass: "passing",
    Fight: "declare",
    Dodge: "declare",
    Draw: "declare",
    Don: "declare",
    Switch: "declare",
    Rouse: "declare",
    GiveUp: "declare",
}
"""Where each order waits."""

STEP_OF: dict[str, str] = {"release": "release", "move": "movement", "passing": "movement", "declare": "declare"}
"""The step of the phase that each slot belongs to."""
