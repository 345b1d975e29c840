"""The facts that every battle shares, whatever its rules.

A fact is a frozen Struct. Its `type` tag is its name on the wire for ever: a Python class may be renamed, a tag may
not. Changing a fact's shape means a new tag (`name@2`) and an upcast (see `events.catalogue`). Fields are added only at
the end and with a default; a default never changes, because stored bodies leave it out.

Lengths are whole millimetres, times whole microseconds UTC, chances pairs of integers. There are no floats.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import msgspec

from events.corrections import (
    Corrected,
    CorrectionAnswered,
    CorrectionAsked,
    Deferred,
    DeferredSettled,
    EditionAdopted,
    FactStated,
    Modified,
    Stood,
    Superseded,
    WhatIfOpened,
)
from events.deadlines import DEADLINES
from events.event import Event as Event
from events.event import Kind as Kind
from events.event import Option as Option
from events.event import Unknown as Unknown

# ---------------------------------------------------------------------------------------------------- the table


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A side at the table: `id` is what is typed, `name` what is shown."""

    id: str
    name: str


class BattleOpened(Event, frozen=True, gc=False, tag="table.battle_opened"):
    """A battle begins. `tables` is the digest of the rule tables in force, whose text is kept beside the log.

    `by_hand` names the seats whose dice are entered, not drawn. `referee` says whether questions wait for an answer
    ("present") or take their stated default ("absent").
    """

    kind: ClassVar[Kind] = "table"
    title: str
    rule_set: str
    edition: str
    seats: tuple[Seat, ...]
    tables: str
    options: dict[str, Option] = {}
    by_hand: tuple[str, ...] = ()
    referee: Literal["present", "absent"] = "present"


class DiceCommitted(Event, frozen=True, gc=False, tag="table.dice_committed"):
    """The dice of turns `first_turn` … `first_turn + turns - 1` are fixed by secrets that hash to `commitment`.

    A what-if line may share its dice with others of the same `stream`: then neither line nor orders go into them, so
    that what differs between two such lines is the decision and not luck.

    By algorithm `hmac-sha256/2` the secrets of all lines follow from one root. `root` is the commitment to it, the same
    on every line, and `lineage` says where this line stands in the tree of the battle.
    """

    kind: ClassVar[Kind] = "table"
    algorithm: str
    commitment: str
    first_turn: int
    turns: int
    stream: str = ""
    root: str = ""
    lineage: str = ""


class DiceRecommitted(Event, frozen=True, gc=False, tag="ruling.dice_recommitted"):
    """The root of the dice is not in this file: from here on they come from another, of another keeper.

    The commitment to it follows. The client seeds of all seats are void. `without` names the seats that the referee
    does not wait for: the next act may open although they have given no new seed.
    """

    kind: ClassVar[Kind] = "ruling"
    why: str
    without: tuple[str, ...] = ()


class RootRevealed(Event, frozen=True, gc=False, tag="clock.dice_root_revealed"):
    """The battle is closed and the root of its dice comes out, in hex: now every line's secrets can be derived."""

    kind: ClassVar[Kind] = "clock"
    root: str


class NonceAdded(Event, frozen=True, gc=False, tag="table.nonce_added"):
    """A seat gives a client seed, so that the keeper of the secrets cannot choose the dice.

    By algorithm `hmac-sha256/1` it counts for every later roll, by `hmac-sha256/2` from the next turn on: whoever knows
    the secrets knows the coming rolls of a turn whose orders are in, and could choose a seed by them. Before the first
    act, and after the dice got another keeper, it counts at once.
    """

    kind: ClassVar[Kind] = "table"
    seat: str
    nonce: str


class BeaconNamed(Event, frozen=True, gc=False, tag="table.beacon_named"):
    """The table agrees beforehand on a public random value that nobody can know yet: a round of a beacon."""

    kind: ClassVar[Kind] = "table"
    beacon: str
    round: int


class BeaconAdded(Event, frozen=True, gc=False, tag="table.beacon_added"):
    """A round that was named has come out. `signature` is its public signature in hex (see `events.dice.beacons`).

    Its SHA-256, the round's value, is stirred into every later roll. One that nobody named beforehand changes nothing.
    """

    kind: ClassVar[Kind] = "table"
    beacon: str
    round: int
    signature: str


class DicePolicyDeclared(Event, frozen=True, gc=False, tag="table.dice_policy"):
    """The table says whether its referee may set dice aside. Whatever it says, doing so is a ruling on record."""

    kind: ClassVar[Kind] = "table"
    fudging: Literal["forbidden", "allowed"]
    why: str = ""


class ActOpened(Event, frozen=True, gc=False, tag="table.act_opened"):
    """The engine begins to resolve something: a phase, or an order that takes effect at once.

    `seq` is this fact's own place, where the act starts; `content` is the digest of the orders that it resolves and
    goes into its dice; the orders of `slots` are taken in hand. `by_hand` names seats that enter dice in this act only.
    """

    kind: ClassVar[Kind] = "table"
    name: str
    seq: int
    content: str
    slots: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()


class Noted(Event, frozen=True, gc=False, tag="table.noted"):
    """Somebody's words beside the record. They change nothing."""

    kind: ClassVar[Kind] = "table"
    text: str


class NotedPrivately(Event, frozen=True, gc=False, tag="table.noted_privately"):
    """Somebody's words for some eyes only. `digest` seals readers and words, as an order is sealed."""

    kind: ClassVar[Kind] = "table"
    digest: str


class SeatTaken(Event, frozen=True, gc=False, tag="table.seat_taken"):
    """Somebody sits down at a seat, in place of `was` (empty for the first). What `was` had ordered is not used."""

    kind: ClassVar[Kind] = "table"
    seat: str
    player: str
    was: str = ""


class BattleEnded(Event, frozen=True, gc=False, tag="table.battle_ended"):
    """The battle is over; `winner` is a seat, or empty."""

    kind: ClassVar[Kind] = "table"
    reason: str
    winner: str = ""


# ---------------------------------------------------------------------------------------------------- the clock


class TurnBegan(Event, frozen=True, gc=False, tag="clock.turn_began"):
    """Turn `turn` begins (counted from 1)."""

    kind: ClassVar[Kind] = "clock"
    turn: int


class SecretRevealed(Event, frozen=True, gc=False, tag="clock.secret_revealed"):
    """The dice secret of a finished turn, in hex: from now on anybody can work out that turn's faces again."""

    kind: ClassVar[Kind] = "clock"
    turn: int
    secret: str


# ---------------------------------------------------------------------------------------------------- orders


class Declared(Event, frozen=True, gc=False, tag="order.declared"):
    """A seat says what a piece means to do. Fields as in `Ordered`."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    piece: str
    slot: str
    text: str


class Ordered(Event, frozen=True, gc=False, tag="order.given"):
    """A seat orders a piece. `text` is canonical; a later order of the same piece and `slot` replaces this one."""

    kind: ClassVar[Kind] = "order"
    seat: str
    piece: str
    slot: str
    text: str


class Sealed(Event, frozen=True, gc=False, tag="order.sealed"):
    """A seat has ordered a piece, for nobody to read yet. `digest` stands for salt and text (see `events.seals`).

    It is the seat's receipt. A later order of the same piece and `slot` replaces this one. Where they are empty they
    are secret, too, and it comes out at the reveal which order replaces which. With `own` the seat keeps the text
    itself: it has made the digest, and hands the text in later.
    """

    kind: ClassVar[Kind] = "declaration"
    seat: str
    piece: str
    slot: str
    digest: str
    own: bool = False


class Revealed(Event, frozen=True, gc=False, tag="order.revealed"):
    """A sealed order is opened, because the act that resolves it begins. `verify` holds it against its digest.

    `means` is the canonical order, where a player sealed one in other words (`text`).
    """

    kind: ClassVar[Kind] = "declaration"
    seat: str
    piece: str
    slot: str
    text: str
    salt: str
    digest: str
    means: str = ""


class TextSubmitted(Event, frozen=True, gc=False, tag="order.text_handed_in"):
    """The text of an order of which only the digest was known has come in. It stays sealed until its act begins."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    digest: str


class Withheld(Event, frozen=True, gc=False, tag="order.withheld"):
    """Stands in a copy of the record in place of an order that its reader may not see yet. No battle records it."""

    kind: ClassVar[Kind] = "declaration"
    seat: str


Unused: TypeAlias = Literal["late", "replaced", "owner removed", "withdrawn"]


class NotUsed(Event, frozen=True, gc=False, tag="order.not_used"):
    """An order is kept, but does not count. It is named by `piece` and `slot`, or by `digest` where it is sealed."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    reason: Unused
    piece: str = ""
    slot: str = ""
    digest: str = ""


class OrdersMarked(Event, frozen=True, gc=False, tag="order.marked"):
    """A seat says of its orders for `act` that it may still change them (provisional), or that it is done (final)."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    mark: Literal["provisional", "final"]
    act: str


class StandingGiven(Event, frozen=True, gc=False, tag="order.standing_given"):
    """A seat says what is to be done whenever it orders nothing. `digest` seals the sheet; empty: nothing any more."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    digest: str


class OrdersSupplied(Event, frozen=True, gc=False, tag="order.supplied"):
    """A seat ordered nothing for `act`. What follows are its standing orders, or what was agreed for that case."""

    kind: ClassVar[Kind] = "declaration"
    seat: str
    act: str
    source: Literal["standing", "drill"]


class OrderLapsed(Event, frozen=True, gc=False, tag="order.lapsed"):
    """An order could no longer be carried out when its time came; `rule` says why."""

    kind: ClassVar[Kind] = "outcome"
    piece: str
    text: str
    reason: str
    rule: str


# ---------------------------------------------------------------------------------------------------- dice


class Term(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line of a calculation: what counts, how much, by which rule, from which source (seed, found, house, book)."""

    label: str
    value: int
    rule: str = ""
    source: str = ""


class Chance(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The exact chance of a result: `of` in `out_of`."""

    label: str
    of: int
    out_of: int


Test: TypeAlias = Literal["at_most", "below", "at_least", "above", "read"]


class RollCalled(Event, frozen=True, gc=False, tag="roll.called"):
    """Dice are called for, before they fall: what for, how many, what they must show and how likely that is.

    `key` says what the roll is for and is stable over lines (`t3/missile/grubnik>aldric/hit`). `terms` are added to the
    target when `adds_to` is "target", to the dice when it is "total"; `target` is what is left after the rules' own
    `limits`, the least and the greatest that it may be, and `before_limits` what it was where they changed it. With
    `test` "read" the total is looked up in a table, and `chances` tells how likely each result is, that of the lowest
    total first. Where two rolls are compared with each other, `against` is the key of the other one.
    """

    kind: ClassVar[Kind] = "roll"
    key: str
    purpose: str
    seat: str
    piece: str
    dice: str
    test: Test
    target: int = 0
    adds_to: Literal["target", "total"] = "target"
    terms: tuple[Term, ...] = ()
    chances: tuple[Chance, ...] = ()
    rule: str = ""
    by_hand: bool = False
    against: str = ""
    limits: tuple[int | None, int | None] = (None, None)
    before_limits: int | None = None


class DiceRolled(Event, frozen=True, gc=False, tag="roll.rolled"):
    """The dice fell. `total` and `success` follow from the call and the faces; `verify` works them out again.

    `source` is "seeded" (drawn from the turn's secret by `algorithm`), "entered" by hand, "imported", or "kept": the
    same roll fell on the line `kept_from`, which a ruling has put right.
    """

    kind: ClassVar[Kind] = "roll"
    key: str
    faces: tuple[int, ...]
    total: int
    success: bool | None
    source: Literal["seeded", "entered", "imported", "kept"]
    turn: int
    algorithm: str = ""
    kept_from: str = ""
    surplus: tuple[int, ...] = ()


class DicePartlyEntered(Event, frozen=True, gc=False, tag="roll.partly_entered"):
    """Fewer faces were entered than are called for. They stand, in reading order; the rest is still waited for."""

    kind: ClassVar[Kind] = "roll"
    key: str
    faces: tuple[int, ...]


# ---------------------------------------------------------------------------------------------------- rulings


class RulingRequested(Event, frozen=True, gc=False, tag="ruling.requested"):
    """The rules leave a question to the referee. The battle waits, unless the referee is absent: then `default`."""

    kind: ClassVar[Kind] = "ruling"
    key: str
    rule: str
    question: str
    choices: tuple[str, ...]
    default: str


class RulingGiven(Event, frozen=True, gc=False, tag="ruling.given"):
    """The answer to a question, by the referee, or by default (`by_default`)."""

    kind: ClassVar[Kind] = "ruling"
    key: str
    answer: str
    why: str = ""
    by_default: bool = False


class Bookmarked(Event, frozen=True, gc=False, tag="table.bookmarked"):
    """A point of the battle gets a name."""

    kind: ClassVar[Kind] = "table"
    name: str
    seq: int


class Posted(Event, frozen=True, gc=False, tag="table.posted"):
    """A turn, or one phase of it, was posted: to `board`, as `viewer` may see it, as it stood after event `seq`.

    `head` is the digest of that event. A later post of the same to the same readers takes the place of this one.
    """

    kind: ClassVar[Kind] = "table"
    turn: int
    board: str
    viewer: str
    seq: int
    head: str
    phase: str = ""


COMMON: tuple[type[Event], ...] = (
    BattleOpened,
    DiceCommitted,
    DiceRecommitted,
    RootRevealed,
    NonceAdded,
    ActOpened,
    Noted,
    BattleEnded,
    TurnBegan,
    SecretRevealed,
    Declared,
    Ordered,
    Sealed,
    Revealed,
    OrderLapsed,
    RollCalled,
    DiceRolled,
    RulingRequested,
    RulingGiven,
    Corrected,
    Superseded,
    Stood,
    Deferred,
    DeferredSettled,
    Modified,
    FactStated,
    CorrectionAsked,
    CorrectionAnswered,
    Bookmarked,
    BeaconNamed,
    BeaconAdded,
    DicePolicyDeclared,
    DicePartlyEntered,
    EditionAdopted,
    WhatIfOpened,
    Posted,
    NotedPrivately,
    SeatTaken,
    TextSubmitted,
    Withheld,
    NotUsed,
    OrdersMarked,
    StandingGiven,
    OrdersSupplied,
    *DEADLINES,
)
"""Every common fact, oldest first."""
