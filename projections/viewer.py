"""Who sees what: one family of functions, through which goes whatever leaves the program for one viewer.

What is secret is an order of another seat, until the act that takes its slot in hand begins; what a correction holds of
another seat; the words of a ruling as far as they repeat such an order. Sealed orders, standing orders and private
notes are digests in the record itself, so there is nothing in it to hide; their texts are in the vault, which gives a
seat its own and nothing else (`may_open`).

A spectator sees no more than what all seats see. A commentator sees what the referee sees, private notes apart, up to
the turn `delay` turns ago, and nothing later. `replays.seen` makes a copy of a battle for a viewer out of this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from events.corrections import Corrected, Deferred
from events.errors import DiaryError
from events.facts import Declared, Event, NotUsed, Ordered, Sealed, StandingGiven, TextSubmitted, Unknown, Withheld
from projections.battle_state import REFEREE


class ViewerUnknown(DiaryError, LookupError):
    """No viewer of this battle has that name."""

    code = "battle/viewer-unknown"

    def __init__(self, text: str, seats: Collection[str]) -> None:
        super().__init__(
            f"nobody looks as {text!r}: say referee, {', '.join(seats)}, spectator or commentator; /2 is 2 turns later"
        )
        self.text = text
        self.seats = tuple(seats)


Kind: TypeAlias = Literal["referee", "seat", "spectator", "commentator"]

SPECTATOR_WORD = "spectator"
COMMENTATOR_WORD = "commentator"
VIEWER_WORDS = (REFEREE, SPECTATOR_WORD, COMMENTATOR_WORD)
"""Words that name a viewer, so that no seat may be called so."""

_NAMED = re.compile(r"event (\d+)\b")


class Viewer(msgspec.Struct, frozen=True, gc=False):
    """Somebody who looks: the referee, a seat, a spectator, or a commentator. `delay` is in turns."""

    kind: Kind = "referee"
    seat: str = ""
    delay: int = 0

    def __str__(self) -> str:
        """Return the viewer as it is typed and shown.

        >>> str(Viewer("seat", "red")), str(Viewer("commentator", delay=2))
        ('red', 'commentator/2')
        """
        return (self.seat or self.kind) + (f"/{self.delay}" if self.delay else "")

    @property
    def sees_all(self) -> bool:
        """Whether no order is secret to this viewer, once the time has come to see anything."""
        return self.kind in ("referee", "commentator")


THE_REFEREE = Viewer()
SPECTATOR = Viewer("spectator")


def read_viewer(text: str, seats: Collection[str]) -> Viewer:
    """Read a viewer as it is typed: a seat, `referee`, `spectator`, `commentator`, with `/N` for N turns of delay.

    A commentator who is given no delay has one of a turn. Raises `ViewerUnknown`.

    >>> read_viewer("commentator", ["red", "blue"])
    Viewer(kind='commentator', seat='', delay=1)
    """
    name, slash, number = text.partition("/")
    if slash and not (number.isascii() and number.isdecimal() and len(number) <= 6):
        raise ViewerUnknown(text, seats)
    delay = int(number or 0)
    if name in seats:
        return Viewer("seat", name, delay)
    if name == COMMENTATOR_WORD:
        return Viewer("commentator", "", delay if slash else 1)
    if name == SPECTATOR_WORD:
        return Viewer("spectator", "", delay)
    if name == REFEREE and not delay:
        return THE_REFEREE
    raise ViewerUnknown(text, seats)


def in_time(viewer: Viewer, turn: int, now: int, *, ended: bool) -> bool:
    """Tell whether what happened in `turn` is old enough for a viewer, now that it is turn `now`.

    What was set out before the first turn always is, and everything once the battle has ended.
    """
    return ended or not viewer.delay or turn <= max(0, now - viewer.delay)


def sees_line(viewer: Viewer, *, played: bool, seat: str) -> bool:
    """Tell whether a viewer may know of a line; `seat` is whose question a what-if line is."""
    return viewer.kind == "referee" or played or (bool(viewer.seat) and seat == viewer.seat)


def slot_of(event: Event) -> str | None:
    """Return the slot of what stays secret until an act takes that slot in hand; None of all else."""
    return event.slot if isinstance(event, Ordered | Declared) or (isinstance(event, NotUsed) and event.slot) else None


def redact(
    viewer: Viewer,
    event: Event,
    *,
    opened: bool = False,
    is_secret: Callable[[int, str], bool] = lambda seq, words: False,
) -> Event:
    """Return what a viewer may see of an event: the event itself, or one that stands in its place.

    `opened` tells that an act has taken the slot of this order in hand since (see `slot_of`). `is_secret` is asked
    about the words of a ruling: whether an event of the line that it puts right, or an order in those words, is still
    secret to the viewer. Nothing of a secret is in the stand-in but whose it is.
    """
    if viewer.sees_all:
        return event
    match event:
        case Ordered() | Declared() if event.seat != viewer.seat and not opened:
            return Withheld(event.seat)
        case NotUsed() if event.slot and event.seat != viewer.seat and not opened:
            return replace(event, piece="", slot="")
        case Deferred() if event.seat != viewer.seat and event.form == "order":
            return replace(event, text="an order", reason="still secret", why="")
        case Corrected():
            return replace(event, changes=tuple(_told(each, is_secret) for each in event.changes))
        case Unknown():
            return Unknown(event.name, msgspec.json.encode({"type": event.name}).decode())
    return event


def _told(change: str, is_secret: Callable[[int, str], bool]) -> str:
    named = [int(number) for number in _NAMED.findall(change)]
    if not any(is_secret(seq, change) for seq in named or [0]):
        return change
    return f"event {named[0]}, an order that is still secret, is put right" if named else "a secret order is put right"


def may_open(viewer: Viewer, event: Event, actor: str) -> str:
    """Return the digest that an event shows and that this viewer may open, if its text is here; empty if none.

    A seat opens what it has sealed itself; the referee opens nothing before its time, though the vault is his.
    Who may read a private note is written in the note: see `readers_of`.
    """
    if isinstance(event, Sealed | TextSubmitted | StandingGiven | NotUsed) and viewer.kind == "seat":
        return event.digest if event.seat == viewer.seat else ""
    return ""


def private_note(author: str, to: Collection[str], text: str) -> str:
    """Return the words of a private note as they are sealed: author, readers, text.

    >>> private_note("red", ["referee"], "I am away on Friday")
    'red to referee: I am away on Friday'
    """
    return f"{author} to {', '.join(sorted(to))}: {text}"


def readers_of(sealed: str) -> tuple[str, ...]:
    """Return who may read a private note: its author, its readers, and always the referee.

    >>> readers_of('red to blue: truce?')
    ('red', 'blue', 'referee')
    """
    head, _, _ = sealed.partition(": ")
    author, _, to = head.partition(" to ")
    return tuple(dict.fromkeys([author, *filter(None, to.split(", ")), REFEREE]))
