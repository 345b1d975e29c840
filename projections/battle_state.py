"""The state that every battle shares: seats, turn, orders handed in, what the battle waits for. Pure reducers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

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
from events.deadlines import ClockFrozen, ClockUnfrozen, DeadlineMoved, OrdersCalled, OrdersClosed, ScheduleSet
from events.dice.beacons import nonce_name, value_of
from events.facts import (
    ActOpened,
    BattleEnded,
    BattleOpened,
    BeaconAdded,
    BeaconNamed,
    Bookmarked,
    Declared,
    DiceCommitted,
    DicePartlyEntered,
    DicePolicyDeclared,
    DiceRecommitted,
    DiceRolled,
    Event,
    NonceAdded,
    Noted,
    NotedPrivately,
    NotUsed,
    Option,
    Ordered,
    OrderLapsed,
    OrdersMarked,
    OrdersSupplied,
    Posted,
    Revealed,
    RollCalled,
    RootRevealed,
    RulingGiven,
    RulingRequested,
    Sealed,
    Seat,
    SeatTaken,
    SecretRevealed,
    StandingGiven,
    TextSubmitted,
    TurnBegan,
    Unknown,
    Withheld,
)
from projections.deadlines import Deadline, called

REFEREE = "referee"
ENGINE = "engine"


class PendingOrder(msgspec.Struct, frozen=True, gc=False):
    """An order that waits for its time. One piece has at most one in each slot.

    A sealed order has only a `digest` until it is revealed; its `text` is empty, and `piece` and `slot` may be, too.
    With `own` the seat keeps the text itself and hands it in later. `salt` is that of a sealed order once it is
    revealed.
    """

    seat: str
    piece: str
    slot: str
    text: str
    digest: str = ""
    own: bool = False
    salt: str = ""


class BattleState(msgspec.Struct, frozen=True, gc=False):
    """What stands on the table beside the field. `called` and `asked` hold what the battle waits for.

    `players` tells who sits at a seat, `marks` what it said last of its orders, and for which act,
    `standing` the seal of its standing orders. `deadline` is the call for orders that is open, `last_due` when the last
    one was that is not, by its call. `nonces` are the client seeds that count now, `coming_seeds` those that count from
    the next turn on, `seeds_awaited` the seats that must give one before the next act opens.
    """

    title: str = ""
    rule_set: str = ""
    edition: str = ""
    seats: tuple[Seat, ...] = ()
    tables: str = ""
    options: dict[str, Option] = {}
    by_hand: tuple[str, ...] = ()
    referee: str = "present"
    turn: int = 0
    ended: str = ""
    winner: str = ""
    orders: tuple[PendingOrder, ...] = ()
    in_hand: tuple[PendingOrder, ...] = ()
    act: ActOpened | None = None
    called: dict[str, RollCalled] = {}
    asked: dict[str, RulingRequested] = {}
    committed: DiceCommitted | None = None
    nonces: dict[str, str] = {}
    coming_seeds: dict[str, str] = {}
    seeds_awaited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    corrected: Corrected | None = None
    superseded_by: str = ""
    held: tuple[Deferred, ...] = ()
    modifiers: dict[str, tuple[Modified, ...]] = {}
    requests: dict[int, CorrectionAsked] = {}
    consents: dict[int, tuple[str, ...]] = {}
    bookmarks: dict[str, int] = {}
    beacons: tuple[BeaconNamed, ...] = ()
    fudging: str = ""
    entered: dict[str, tuple[int, ...]] = {}
    what_if: str = ""
    posted: tuple[Posted, ...] = ()
    players: dict[str, str] = {}
    marks: dict[str, OrdersMarked] = {}
    standing: dict[str, str] = {}
    schedule: ScheduleSet | None = None
    deadline: Deadline | None = None
    last_due: int = 0
    frozen: ClockFrozen | None = None

    @property
    def waiting(self) -> bool:
        """Whether the battle waits for a die or a ruling."""
        return bool(self.called or self.asked)

    def option(self, name: str, default: Option) -> Option:
        """Return an option of the battle, or its default."""
        return self.options.get(name, default)


class State(msgspec.Struct, frozen=True, gc=False):
    """Base of every rule set's state. A rule set adds its own fields."""

    table: BattleState = BattleState()


Reducer: TypeAlias = Callable[[Any, Any], Any]

P = TypeVar("P", bound=msgspec.Struct)


def changed(pieces: Mapping[str, P], name: str, /, **changes: Any) -> dict[str, P]:
    """Return pieces by name with one of them changed.

    >>> seats = {"red": Seat("red", "Red")}
    >>> changed(seats, "red", name="The Reds")["red"].name
    'The Reds'
    """
    return {**pieces, name: replace(pieces[name], **changes)}


def _opened(state: State, event: BattleOpened) -> State:
    return replace(
        state,
        table=replace(
            state.table,
            title=event.title,
            rule_set=event.rule_set,
            edition=event.edition,
            seats=event.seats,
            tables=event.tables,
            options=event.options,
            by_hand=event.by_hand,
            referee=event.referee,
        ),
    )


def _committed(state: State, event: DiceCommitted) -> State:
    return replace(state, table=replace(state.table, committed=event))


def _recommitted(state: State, event: DiceRecommitted) -> State:
    awaited = tuple(seat.id for seat in state.table.seats if seat.id not in event.without)
    return replace(state, table=replace(state.table, nonces={}, coming_seeds={}, seeds_awaited=awaited))


def _nonce(state: State, event: NonceAdded) -> State:
    table = state.table
    delayed = table.committed is not None and bool(table.committed.root)
    if delayed and table.act is not None and event.seat not in table.seeds_awaited:
        return replace(state, table=replace(table, coming_seeds={**table.coming_seeds, event.seat: event.nonce}))
    awaited = tuple(seat for seat in table.seeds_awaited if seat != event.seat)
    return replace(state, table=replace(table, nonces={**table.nonces, event.seat: event.nonce}, seeds_awaited=awaited))


def _beacon_named(state: State, event: BeaconNamed) -> State:
    return replace(state, table=replace(state.table, beacons=(*state.table.beacons, event)))


def _beacon_added(state: State, event: BeaconAdded) -> State:
    table = state.table
    if BeaconNamed(event.beacon, event.round) not in table.beacons:
        return state  # a value that was not named beforehand may have been chosen
    nonces = {**table.nonces, nonce_name(event.beacon, event.round): value_of(event.signature)}
    left = tuple(each for each in table.beacons if (each.beacon, each.round) != (event.beacon, event.round))
    return replace(state, table=replace(table, nonces=nonces, beacons=left))


def _policy(state: State, event: DicePolicyDeclared) -> State:
    return replace(state, table=replace(state.table, fudging=event.fudging))


def turn_of(act: str) -> str:
    """Return the turn in an act's name.

    >>> turn_of("t3/move")
    't3'
    """
    return act.partition("/")[0]


def _still_said(marks: Mapping[str, OrdersMarked], act: str) -> dict[str, OrdersMarked]:
    """Return what seats have said of their orders in the turn of an act: it may hold for what comes after that act."""
    return {seat: mark for seat, mark in marks.items() if turn_of(mark.act) == turn_of(act)}


def _act(state: State, event: ActOpened) -> State:
    table = state.table
    taken = tuple(order for order in table.orders if order.slot in event.slots)
    left = tuple(order for order in table.orders if order.slot not in event.slots)
    table = replace(table, act=event, in_hand=taken, orders=left, marks=_still_said(table.marks, event.name))
    open_call = table.deadline.call if table.deadline else None
    if open_call is not None and open_call.scope == "act" and open_call.act == event.name:
        table = _closed(table)
    return replace(state, table=table)


def _turn(state: State, event: TurnBegan) -> State:
    nonces = {**state.table.nonces, **state.table.coming_seeds}
    table = replace(state.table, turn=event.turn, nonces=nonces, coming_seeds={})
    open_call = table.deadline.call if table.deadline else None
    if open_call is not None and open_call.scope == "turn":
        table = _closed(table)
    return replace(state, table=table)


def _ended(state: State, event: BattleEnded) -> State:
    return replace(state, table=replace(_closed(state.table), ended=event.reason, winner=event.winner))


def _closed(table: BattleState) -> BattleState:
    """Take the open call off the table. What counts for the schedule is when it was called for, whatever came of it."""
    if table.deadline is None:
        return table
    return replace(table, deadline=None, last_due=max(table.last_due, table.deadline.call.until))


def _scheduled(state: State, event: ScheduleSet) -> State:
    return replace(state, table=replace(state.table, schedule=event if event.rule else None))


def _orders_called(state: State, event: OrdersCalled) -> State:
    return replace(state, table=replace(state.table, deadline=called(event)))


def _deadline_moved(state: State, event: DeadlineMoved | ClockUnfrozen) -> State:
    table = state.table
    if isinstance(event, ClockUnfrozen):
        table = replace(table, frozen=None)
    if table.deadline is not None and table.deadline.call.act == event.act:
        table = replace(table, deadline=replace(table.deadline, until=event.until, offset=event.offset))
    return replace(state, table=table)


def _frozen(state: State, event: ClockFrozen) -> State:
    return replace(state, table=replace(state.table, frozen=event))


def _order(state: State, event: Ordered | Declared | Sealed | Revealed) -> State:
    table = state.table
    kept = table.orders
    if isinstance(event, Sealed):
        new = PendingOrder(event.seat, event.piece, event.slot, "", event.digest, event.own)
    elif isinstance(event, Revealed):
        new = PendingOrder(event.seat, event.piece, event.slot, event.means or event.text, salt=event.salt)
        kept = tuple(old for old in kept if old.digest != event.digest)
    else:
        new = PendingOrder(event.seat, event.piece, event.slot, event.text)
    if new.piece:
        kept = tuple(old for old in kept if old.piece != new.piece or old.slot != new.slot)
    return replace(state, table=replace(table, orders=(*kept, new)))


def _withheld(state: State, event: Withheld) -> State:
    return replace(
        state, table=replace(state.table, orders=(*state.table.orders, PendingOrder(event.seat, "", "", "")))
    )


def _not_used(state: State, event: NotUsed) -> State:
    named = (event.seat, event.piece, event.slot, event.digest)
    left = tuple(old for old in state.table.orders if (old.seat, old.piece, old.slot, old.digest) != named)
    return replace(state, table=replace(state.table, orders=left))


def _marked(state: State, event: OrdersMarked) -> State:
    return replace(state, table=replace(state.table, marks={**state.table.marks, event.seat: event}))


def _standing(state: State, event: StandingGiven) -> State:
    standing = {seat: digest for seat, digest in state.table.standing.items() if seat != event.seat}
    if event.digest:
        standing[event.seat] = event.digest
    return replace(state, table=replace(state.table, standing=standing))


def _seat_taken(state: State, event: SeatTaken) -> State:
    table = state.table
    marks = {seat: mark for seat, mark in table.marks.items() if seat != event.seat or not event.was}
    return replace(state, table=replace(table, players={**table.players, event.seat: event.player}, marks=marks))


def _called(state: State, event: RollCalled) -> State:
    return replace(state, table=replace(state.table, called={**state.table.called, event.key: event}))


def _rolled(state: State, event: DiceRolled) -> State:
    table = state.table
    left = table.called.copy()
    left.pop(event.key, None)
    if event.key not in table.entered:
        return replace(state, table=replace(table, called=left))
    entered = {key: faces for key, faces in table.entered.items() if key != event.key}
    return replace(state, table=replace(table, called=left, entered=entered))


def _partly_entered(state: State, event: DicePartlyEntered) -> State:
    faces = (*state.table.entered.get(event.key, ()), *event.faces)
    return replace(state, table=replace(state.table, entered={**state.table.entered, event.key: faces}))


def _asked(state: State, event: RulingRequested) -> State:
    return replace(state, table=replace(state.table, asked={**state.table.asked, event.key: event}))


def _ruled(state: State, event: RulingGiven) -> State:
    left = {key: question for key, question in state.table.asked.items() if key != event.key}
    return replace(state, table=replace(state.table, asked=left))


def _corrected(state: State, event: Corrected) -> State:
    return replace(state, table=replace(state.table, corrected=event, superseded_by="", what_if=""))


def _edition(state: State, event: EditionAdopted) -> State:
    table = replace(state.table, edition=event.edition, tables=event.tables, options=event.options)
    return replace(state, table=table)


def _what_if(state: State, event: WhatIfOpened) -> State:
    left = tuple(
        order
        for order in state.table.orders
        if (not order.digest or order.digest not in event.withheld) and (not event.own_only or order.seat == event.seat)
    )
    return replace(state, table=replace(state.table, orders=left, what_if=event.seat, schedule=None, deadline=None))


def _superseded(state: State, event: Superseded) -> State:
    return replace(state, table=replace(state.table, superseded_by=event.by_line))


def _held(state: State, event: Deferred) -> State:
    return replace(state, table=replace(state.table, held=(*state.table.held, event)))


def _settled(state: State, event: DeferredSettled) -> State:
    left = tuple(each for each in state.table.held if each.number != event.number)
    return replace(state, table=replace(state.table, held=left))


def _modified(state: State, event: Modified) -> State:
    before = state.table.modifiers.get(event.key, ())
    return replace(state, table=replace(state.table, modifiers={**state.table.modifiers, event.key: (*before, event)}))


def _correction_asked(state: State, event: CorrectionAsked) -> State:
    return replace(state, table=replace(state.table, requests={**state.table.requests, event.number: event}))


def _correction_answered(state: State, event: CorrectionAnswered) -> State:
    table = state.table
    if not event.consents:
        left = {number: asked for number, asked in table.requests.items() if number != event.number}
        return replace(state, table=replace(table, requests=left))
    given = (*table.consents.get(event.number, ()), event.seat)
    return replace(state, table=replace(table, consents={**table.consents, event.number: given}))


def _bookmarked(state: State, event: Bookmarked) -> State:
    return replace(state, table=replace(state.table, bookmarks={**state.table.bookmarks, event.name: event.seq}))


def _posted(state: State, event: Posted) -> State:
    same = (event.turn, event.phase, event.board, event.viewer)
    kept = tuple(old for old in state.table.posted if (old.turn, old.phase, old.board, old.viewer) != same)
    return replace(state, table=replace(state.table, posted=(*kept, event)))


def _unknown(state: State, event: Unknown) -> State:
    if event.name in state.table.unknown:
        return state
    return replace(state, table=replace(state.table, unknown=(*state.table.unknown, event.name)))


def _nothing(state: State, event: Event) -> State:
    return state


COMMON_REDUCERS: Mapping[type[Event], Reducer] = {
    BattleOpened: _opened,
    DiceCommitted: _committed,
    DiceRecommitted: _recommitted,
    RootRevealed: _nothing,
    NonceAdded: _nonce,
    ActOpened: _act,
    Noted: _nothing,
    BattleEnded: _ended,
    TurnBegan: _turn,
    SecretRevealed: _nothing,
    Declared: _order,
    Ordered: _order,
    Sealed: _order,
    Revealed: _order,
    OrderLapsed: _nothing,
    RollCalled: _called,
    DiceRolled: _rolled,
    RulingRequested: _asked,
    RulingGiven: _ruled,
    Corrected: _corrected,
    Superseded: _superseded,
    Stood: _nothing,
    Deferred: _held,
    DeferredSettled: _settled,
    Modified: _modified,
    FactStated: _nothing,
    CorrectionAsked: _correction_asked,
    CorrectionAnswered: _correction_answered,
    Bookmarked: _bookmarked,
    BeaconNamed: _beacon_named,
    BeaconAdded: _beacon_added,
    DicePolicyDeclared: _policy,
    DicePartlyEntered: _partly_entered,
    EditionAdopted: _edition,
    WhatIfOpened: _what_if,
    Posted: _posted,
    NotedPrivately: _nothing,
    SeatTaken: _seat_taken,
    TextSubmitted: _nothing,
    Withheld: _withheld,
    NotUsed: _not_used,
    OrdersMarked: _marked,
    StandingGiven: _standing,
    OrdersSupplied: _nothing,
    ScheduleSet: _scheduled,
    OrdersCalled: _orders_called,
    OrdersClosed: _nothing,
    DeadlineMoved: _deadline_moved,
    ClockFrozen: _frozen,
    ClockUnfrozen: _deadline_moved,
    Unknown: _unknown,
}
"""What each common fact does to the table. A rule set may put its own in place of these, to note more."""
