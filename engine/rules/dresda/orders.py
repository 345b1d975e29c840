"""The orders of Dresda, from which its notation follows; and in which slot each waits for its time."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Final, Literal

from engine.orders import After, AnyOrder, FreeText, Kind, Number, Order, Piece, Place, RefereeOrder, Text, Word
from engine.orders.errors import OrderUnreadable
from engine.orders.names import Names, closest
from engine.orders.words import fold, shown
from events.places import Point

ACTIONS: Final = "actions"
WEAPONS: Final = "weapons"
THINGS: Final = "things"
WEATHER: Final = "weather"
GOALS: Final = "goals"
BARRIERS: Final = "barriers"
DOORS: Final = "doors"

THE: Final = "the"
_PLACE: Final = re.compile(r"[-+0-9.]+,[-+0-9.]+")

Facing = Annotated[int | None, Number(0, 359), After("facing")]
Door = Annotated[str, Word(of=DOORS)]
Weapon = Annotated[str, Word(of=WEAPONS)]
Thing = Annotated[str, Word(of=THINGS)]


class Deed(Kind, frozen=True):
    """An action of the list by its name; or, in quotes and of several words, one that is not on it (DR-031)."""

    holds: ClassVar[type] = str

    def form(self, field: str) -> str:
        """Give the placeholder of help texts."""
        return "ACTION"

    def read(self, text: str, names: Names) -> str:
        """Find an action of the list, or take several words as they are. Raises OrderUnreadable for a single one."""
        known = names.vocabulary.words.get(ACTIONS, ())
        found = next((word for word in known if fold(word) == fold(text)), None)
        if found is not None:
            return found
        if " " in text.strip():
            return FreeText().read(text, names)
        nearest = closest(text, {fold(word): [word] for word in known})
        offer = f"; nearest: {', '.join(nearest)}" if nearest else ""
        raise OrderUnreadable(
            f"no action is called {shown(text)}{offer}; one that is not on the list goes in quotes, in several words",
            nearest=nearest,
        )

    def write(self, value: object) -> str:
        """Write the action as it is."""
        return FreeText().write(value)


class Goal(Kind, frozen=True):
    """Where somebody goes or looks: a piece, a thing or a ground by its name, or a place as x,y in cm."""

    holds: ClassVar[type] = str

    def form(self, field: str) -> str:
        """Give the placeholder of help texts."""
        return "PIECE|X,Y"

    def read(self, text: str, names: Names) -> str:
        """Find what is meant. Raises OrderUnreadable or OrderAmbiguous."""
        if _PLACE.fullmatch(text):
            return Place().write(Place().read(text, names))
        if any(fold(text) == fold(word) for word in names.vocabulary.words.get(GOALS, ())):
            return names.word(text, GOALS)
        return names.piece(text)

    def write(self, value: object) -> str:
        """Write the name or the place."""
        return FreeText().write(value)


class Shelter(Kind, frozen=True):
    """A wall or another barrier by its name, or the last part of it; `the` before it is left as it is."""

    holds: ClassVar[type] = str

    def form(self, field: str) -> str:
        """Give the placeholder of help texts."""
        return "WALL"

    def read(self, text: str, names: Names) -> str:
        """Find the barrier. Raises OrderUnreadable or OrderAmbiguous."""
        if fold(text) == THE:
            return THE
        parts = [word for word in names.vocabulary.words.get(BARRIERS, ()) if fold(text) in map(fold, word.split("_"))]
        return parts[0] if len(parts) == 1 else names.word(text, BARRIERS)

    def write(self, value: object) -> str:
        """Write the name."""
        return FreeText().write(value)


# ---------------------------------------------------------------------------------------------------- (a)


class Charge(Order, frozen=True, gc=False, tag="charge"):
    """(a) Mounted: charge an enemy in this turn's movement."""

    target: Piece


class Aim(Order, frozen=True, gc=False, tag="aim"):
    """(a) Spend the turn aiming; shoot at this target in the next turn's (b)."""

    weapon: Weapon
    target: Annotated[Piece, After("at")]


class Fight(Order, frozen=True, gc=False, tag="fight"):
    """(a) In hand-to-hand since last turn: fight on, which is also what silence means."""

    on: Literal["on"]


class Disengage(Order, frozen=True, gc=False, tag="disengage"):
    """(a) In hand-to-hand since last turn: break off, and move away in (c)."""


# ---------------------------------------------------------------------------------------------------- (c)


class Going(Order, frozen=True, gc=False):
    """Base of the orders that lead somewhere: along points, or by an aim from which the way follows.

    With a way of points, `towards` says where to look at its end; without one it is the aim.
    """

    path: tuple[Point, ...] = ()
    along: Annotated[tuple[Point, ...], After("along")] = ()
    to: Annotated[str | None, Goal(), After("to")] = None
    into: Annotated[Literal["contact"] | None, After("into")] = None
    foe: Annotated[Piece | None, After("with")] = None
    behind: Annotated[tuple[str, ...], Shelter(), After("behind")] = ()
    towards: Annotated[str | None, Goal(), After("towards")] = None
    reach: Annotated[tuple[Literal["far", "possible"], ...], After("as", each=True)] = ()
    facing: Facing = None
    off: bool = False

    @property
    def points(self) -> tuple[Point, ...]:
        """The way as it is spelled out; empty when it follows from an aim."""
        return self.path or self.along

    @property
    def aims(self) -> list[str]:
        """What the way follows from; one of them makes an order."""
        named = [name for name in ("path", "along", "to", "foe", "behind") if getattr(self, name)]
        return named or (["towards"] if self.towards else [])


class Walk(Going, frozen=True, gc=False, tag="walk"):
    """(c) Walk along points, to somebody, into contact with them, or behind a wall; `off` leaves the table."""


class Run(Going, frozen=True, gc=False, tag="run"):
    """(c) Run along points, to somebody, into contact with them, or behind a wall; `off` leaves the table."""


class Hold(Order, frozen=True, gc=False, tag="hold"):
    """(c) Stay, perhaps turning on the spot."""

    facing: Facing = None
    towards: Annotated[str | None, Goal(), After("towards")] = None


class Do(Order, frozen=True, gc=False, tag="do"):
    """(c) Do something of the list of actions, or in quotes anything else that the referee may allow."""

    actions: tuple[Annotated[str, Deed()], ...]


class Draw(Order, frozen=True, gc=False, tag="draw"):
    """(c) Take a weapon in hand for hand-to-hand."""

    weapon: Weapon


class Ready(Order, frozen=True, gc=False, tag="ready"):
    """(c) Take a missile weapon in hand."""

    weapon: Weapon


class Load(Order, frozen=True, gc=False, tag="load"):
    """(c) Load a weapon that has been shot."""

    weapon: Weapon


class Mount(Order, frozen=True, gc=False, tag="mount"):
    """(c) Get into the saddle of the mount left beside."""


class Dismount(Order, frozen=True, gc=False, tag="dismount"):
    """(c) Get down from the saddle."""


class Stand(Order, frozen=True, gc=False, tag="stand"):
    """(c) Stand up."""


class Kneel(Order, frozen=True, gc=False, tag="kneel"):
    """(c) Kneel or lie down."""


class Shield(Order, frozen=True, gc=False, tag="shield"):
    """(c) Sling the shield on the back, or take it up again."""

    how: Literal["up", "away"]


class Take(Order, frozen=True, gc=False, tag="take"):
    """(c) Take up something, or somebody's body."""

    thing: Thing


class Drop(Order, frozen=True, gc=False, tag="drop"):
    """(c) Lay down what is carried."""


class Open(Order, frozen=True, gc=False, tag="open"):
    """(c) Open a door."""

    door: Door


class Close(Order, frozen=True, gc=False, tag="close"):
    """(c) Close a door."""

    door: Door


class Bar(Order, frozen=True, gc=False, tag="bar"):
    """(c) Bar a door that is shut."""

    door: Door


class Break(Order, frozen=True, gc=False, tag="break"):
    """(c) Break down a door that is shut or barred."""

    door: Door


class Recover(Order, frozen=True, gc=False, tag="recover"):
    """(c) Take a weapon from a body: one that sticks in it, or one that the dead had."""

    weapon: Weapon
    body: Annotated[Piece, After("from")]


class Pass(Order, frozen=True, gc=False, tag="pass"):
    """(c) Hand a weapon to a friend."""

    weapon: Weapon
    taker: Annotated[Piece, After("to")]


# ---------------------------------------------------------------------------------------------------- (d)


class Shoot(Order, frozen=True, gc=False, tag="shoot"):
    """(d) Shoot at an enemy."""

    weapon: Weapon
    target: Annotated[Piece, After("at")]


class Throw(Order, frozen=True, gc=False, tag="throw"):
    """(d) Throw a weapon at an enemy."""

    weapon: Weapon
    target: Annotated[Piece, After("at")]


# ---------------------------------------------------------------------------------------------------- the referee


class Weather(RefereeOrder, frozen=True, gc=False, tag="weather"):
    """Set the weather: one word or several, clear for none."""

    words: tuple[Annotated[str, Word(of=WEATHER)], ...]


class Light(RefereeOrder, frozen=True, gc=False, tag="light"):
    """Set the light."""

    light: Literal["day", "dusk", "night"]


class End(RefereeOrder, frozen=True, gc=False, tag="end"):
    """End the battle."""

    reason: Text


GRAMMAR: Final[tuple[type[AnyOrder], ...]] = (
    Charge,
    Aim,
    Fight,
    Disengage,
    Walk,
    Run,
    Hold,
    Do,
    Draw,
    Ready,
    Load,
    Mount,
    Dismount,
    Stand,
    Kneel,
    Shield,
    Take,
    Drop,
    Open,
    Close,
    Bar,
    Break,
    Recover,
    Pass,
    Shoot,
    Throw,
    Weather,
    Light,
    End,
)

DOOR: Final = "door"
CHOICE: Final = "choice"
"""Where the choice waits to fight on or to break off."""

SLOTS: Final[dict[type[AnyOrder], str]] = {
    Charge: "declare",
    Aim: "declare",
    Fight: CHOICE,
    Disengage: CHOICE,
    Walk: "move",
    Run: "move",
    Hold: "move",
    Do: "do",
    Draw: "hand",
    Ready: "hand",
    Load: "load",
    Mount: "saddle",
    Dismount: "saddle",
    Stand: "posture",
    Kneel: "posture",
    Shield: "shield",
    Take: "thing",
    Drop: "thing",
    Open: DOOR,
    Close: DOOR,
    Bar: DOOR,
    Break: DOOR,
    Recover: "recover",
    Pass: "pass",
    Shoot: "shoot",
    Throw: "shoot",
}
"""Where an order waits. A later order of the same figure in the same slot takes the place of an earlier one."""

DECLARED: Final = ("declare", CHOICE)
MOVING: Final = ("move", "do", "hand", "load", "saddle", "posture", "shield", "thing", DOOR, "recover", "pass")
SHOOTING: Final = ("shoot",)
"""The slots that (a), (c) and (d) take in hand."""
