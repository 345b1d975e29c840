"""Commands that correct what was done, and ask for or give the consent that this takes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from events.commands.command import Command

Correction: TypeAlias = Literal["undo", "strike", "amend", "adopt"]
DicePolicy: TypeAlias = Literal["stand", "keep", "reroll-act", "reroll-phase"]
NewDice: TypeAlias = Literal["keep", "reroll-act", "reroll-phase"]


class Undo(Command, frozen=True, kw_only=True, tag="command.undo"):
    """Take back everything after a point (`42`, `-1`, `t3`, a bookmark), or everything from event `before` on.

    With neither, the last thing that somebody did. `dice` says what becomes of dice that are needed again. `override`
    lets the referee do it after its time is over.
    """

    point: str = ""
    before: int = 0
    dice: NewDice = "keep"
    why: str
    override: bool = False


class Strike(Command, frozen=True, kw_only=True, tag="command.strike"):
    """Take acts out of the middle, each named by one of its `events`; later acts are played again on top.

    With `piece` in place of events: the orders by which a piece was used twice in a `turn` (0: the running one).
    """

    events: tuple[int, ...] = ()
    piece: str = ""
    turn: int = 0
    dice: NewDice = "keep"
    why: str
    override: bool = False


class Amend(Command, frozen=True, kw_only=True, tag="command.amend"):
    """Replace what stands at an event; later acts are played again on top. Exactly one of these says by what.

    `text` replaces an order, `faces` the dice of a roll, `answer` a ruling; `modifier` (label and value) is a term that
    was forgotten in a check.
    """

    event: int
    text: str = ""
    faces: tuple[int, ...] | None = None
    modifier: tuple[str, int] | None = None
    answer: str = ""
    dice: NewDice = "keep"
    why: str
    override: bool = False


class LetStand(Command, frozen=True, kw_only=True, tag="command.let_stand"):
    """Note that a mistake stands: nothing is played again. Named by its `events`, or as in `Undo` by a point."""

    events: tuple[int, ...] = ()
    point: str = ""
    why: str
    override: bool = False


class Adopt(Command, frozen=True, kw_only=True, tag="command.adopt"):
    """Make another line the battle. With no `other`, the line that the adopted one has corrected."""

    other: str = ""
    dice: NewDice = "keep"
    why: str


class SettleDeferred(Command, frozen=True, kw_only=True, tag="command.settle_deferred"):
    """Settle an input that a correction could not play again: `again` as it was, by an order `text`, or drop it.

    With `number` 0, all of them again, in order, up to the first that still cannot be given.
    """

    number: int = 0
    again: bool = False
    text: str = ""
    why: str = ""


class AdoptEdition(Command, frozen=True, kw_only=True, tag="command.adopt_edition"):
    """Go on by another edition of the rules, by the tables of a folder, or by other options.

    What is empty stays as it is; another edition brings its own tables unless a folder is given.
    """

    edition: str = ""
    tables: str = ""
    options: dict[str, str] = {}
    why: str


class AskConsent(Command, frozen=True, kw_only=True, tag="command.ask_consent"):
    """Ask the other seats for consent to a correction. They consent to this one, as things stand now, and no other."""

    correction: Undo | Strike | Amend


class AnswerConsent(Command, frozen=True, kw_only=True, tag="command.answer_consent"):
    """Consent to the request of that number, or refuse it."""

    number: int
    consents: bool
    why: str = ""
