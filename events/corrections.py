"""The facts of putting right: corrections and what they leave behind, requests for them, what-if lines.

They keep the same rules as those in `events.facts`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from events.commands.corrections import Amend, Strike, Undo
from events.commands.corrections import Correction as Correction
from events.commands.corrections import DicePolicy as DicePolicy
from events.event import Event, Kind, Option


class Corrected(Event, frozen=True, gc=False, tag="ruling.corrected"):
    """The first fact of a line that puts `of_line` right: what was done (`changes`, in words), what became of the dice.

    What the old line holds after event `after` and up to `head`, the last that was looked at, is replaced. Rolls called
    again on the new line show the faces that they showed there, unless they are among `fresh`. `known` tells what was
    taken back but has been seen: who has seen what. `by` is the seat that made the ruling, `consents` the seats that
    had consented to it.
    """

    kind: ClassVar[Kind] = "ruling"
    what: Correction
    of_line: str
    head: int
    policy: DicePolicy
    why: str
    changes: tuple[str, ...]
    fresh: tuple[str, ...] = ()
    after: int = 0
    known: tuple[str, ...] = ()
    by: str = ""
    consents: tuple[str, ...] = ()


class Superseded(Event, frozen=True, gc=False, tag="ruling.superseded"):
    """The last fact of a line that was put right: from here on `by_line` is the battle."""

    kind: ClassVar[Kind] = "ruling"
    by_line: str
    what: Correction
    why: str


class Stood(Event, frozen=True, gc=False, tag="ruling.stood"):
    """A mistake was found and stands: nothing is played again. `about` is the event that it concerns."""

    kind: ClassVar[Kind] = "ruling"
    about: int
    why: str


class Deferred(Event, frozen=True, gc=False, tag="ruling.held"):
    """After a correction this could not be played again. It waits for the referee, who gives it again or drops it.

    `form` is what it was: an order, the word to begin the act `text`, a stated fact (with its `why`), a nonce. A sealed
    order shows its receipt, `digest`, in place of its text.
    """

    kind: ClassVar[Kind] = "ruling"
    number: int
    seat: str
    text: str
    reason: str
    form: Literal["order", "next", "fact", "nonce"] = "order"
    by_hand: tuple[str, ...] = ()
    digest: str = ""
    why: str = ""


class DeferredSettled(Event, frozen=True, gc=False, tag="ruling.held_settled"):
    """What became of something held: given again, or dropped."""

    kind: ClassVar[Kind] = "ruling"
    number: int
    outcome: Literal["given again", "dropped"]
    why: str = ""


class Modified(Event, frozen=True, gc=False, tag="ruling.modified"):
    """The referee adds a term to a check that is still to be called, such as a modifier that was forgotten."""

    kind: ClassVar[Kind] = "ruling"
    key: str
    label: str
    value: int
    why: str


class FactStated(Event, frozen=True, gc=False, tag="ruling.fact_stated"):
    """The referee sets a fact, here and now; what follows in the same act is what it comes to."""

    kind: ClassVar[Kind] = "ruling"
    text: str
    why: str


class EditionAdopted(Event, frozen=True, gc=False, tag="ruling.edition_adopted"):
    """From here on the battle is fought by another edition of its rules, other tables or other options.

    What was played before stands. `differences` lists what the change would have made different in it.
    """

    kind: ClassVar[Kind] = "ruling"
    edition: str
    tables: str
    options: dict[str, Option]
    why: str
    differences: tuple[str, ...] = ()


class CorrectionAsked(Event, frozen=True, gc=False, tag="ruling.asked_for"):
    """A seat asks for a correction that it may not make alone. `needed` names the seats that must consent.

    They consent to `command` as things stood after event `head`, when it would take back the events `along` with it. In
    older records, which hold no command, nothing says what exactly was consented to.
    """

    kind: ClassVar[Kind] = "ruling"
    number: int
    seat: str
    what: Correction
    targets: tuple[int, ...]
    why: str
    needed: tuple[str, ...]
    command: Undo | Strike | Amend | None = None
    head: int = 0
    along: tuple[int, ...] = ()


class CorrectionAnswered(Event, frozen=True, gc=False, tag="ruling.answered"):
    """A seat consents to a correction that was asked for, or refuses it."""

    kind: ClassVar[Kind] = "ruling"
    number: int
    seat: str
    consents: bool
    why: str = ""


class WhatIfOpened(Event, frozen=True, gc=False, tag="table.what_if_opened"):
    """The first fact of a what-if line: what follows is not played. `seat` is whose question it is.

    The sealed orders of `withheld` receipts are not on this line, so that nobody can open them here. With `own_only` no
    order that waits is on it but those of `seat`.
    """

    kind: ClassVar[Kind] = "table"
    seat: str
    why: str
    withheld: tuple[str, ...] = ()
    own_only: bool = False
