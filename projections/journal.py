"""The battle in words: one caption for every event, made from its own facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
from events.dice.beacons import value_of
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
    SeatTaken,
    SecretRevealed,
    StandingGiven,
    Term,
    TextSubmitted,
    TurnBegan,
    Unknown,
    Withheld,
)
from projections.battle_state import REFEREE, BattleState, State
from projections.deadlines import span, when
from projections.dice.rolls import Limits, print_roll
from projections.fold import Caption, Fold


def caption(fold: Fold, event: Event, before: State) -> str:
    """Tell an event in one line. `before` is the state it was folded onto."""
    teller = fold.captions.get(type(event)) or _COMMON[type(event)]
    return teller(event, before)


def chance(call: RollCalled) -> str:
    """Tell how likely each result of a roll is.

    >>> from events.facts import Chance
    >>> chance(RollCalled("k", "to hit", "red", "snaga", "d100", "at_most", 35, chances=(Chance("hit", 35, 100),)))
    'hit 35.0 %'
    """
    return ", ".join(f"{each.label} {_tenths(each.of, each.out_of)} %" for each in call.chances)


def short(digest: str) -> str:
    """Show the beginning of a digest; the reasons of its event show it whole.

    >>> short("0c04f21b13225905a272")
    '0c04f21b…'
    """
    return f"{digest[:8]}…" if len(digest) > 8 else digest


def printable(text: str) -> str:
    """Show a person's words on one line, nothing in them invisible or in colour.

    >>> printable("Ann rolls 1d100: 01\\x1b[31m")
    'Ann rolls 1d100: 01<U+001B>[31m'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)


def quoted(text: str) -> str:
    """Quote a person's words, so that they cannot pass for the record's own."""
    return f"“{printable(text)}”"


def _tenths(of: int, out_of: int) -> str:
    """Show a chance in percent with one decimal, rounded half up, without floats."""
    tenths = (2000 * of + out_of) // (2 * out_of)
    return f"{tenths // 10}.{tenths % 10}"


def _opened(event: BattleOpened, before: State) -> str:
    seats = " against ".join(seat.name for seat in event.seats)
    hand = f"; dice by hand: {', '.join(event.by_hand)}" if event.by_hand else ""
    return f"{event.title}: {seats}, by {event.rule_set} edition {event.edition}{hand}"


def _committed(event: DiceCommitted, before: State) -> str:
    return f"dice fixed for turns {event.first_turn}–{event.first_turn + event.turns - 1}: {event.commitment[:16]}…"


def _beacon_added(event: BeaconAdded, before: State) -> str:
    if BeaconNamed(event.beacon, event.round) not in before.table.beacons:
        return f"round {event.round} of {event.beacon} changes nothing: nobody had named it beforehand"
    return f"round {event.round} of {event.beacon} is stirred into the dice: {value_of(event.signature)[:16]}…"


def _policy(event: DicePolicyDeclared, before: State) -> str:
    was = f", {before.table.fudging} until now" if before.table.fudging else ""
    return f"table rule: setting dice aside is {event.fudging}{was}" + (f" — {event.why}" if event.why else "")


def _act(event: ActOpened, before: State) -> str:
    return f"— {event.name} —"


def _ended(event: BattleEnded, before: State) -> str:
    return f"the battle is over: {event.reason}" + (f"; {event.winner} wins" if event.winner else "")


def _order(event: Ordered | Declared, before: State) -> str:
    return f"{event.seat} {'declares' if isinstance(event, Declared) else 'orders'}: {event.text}"


def _rolled(event: DiceRolled, before: State) -> str:
    call = before.table.called.get(event.key)
    if call is None:
        return f"{event.key}: {', '.join(map(str, event.faces))}"
    badge = "" if event.source == "seeded" else f" [{event.source} dice]"
    if event.surplus:
        badge += f" [surplus, set aside: {', '.join(map(str, event.surplus))}]"
    return print_roll(call, event) + badge


def _partly_entered(event: DicePartlyEntered, before: State) -> str:
    call = before.table.called.get(event.key)
    faces = ", ".join(map(str, event.faces))
    return f"{call.purpose if call else event.key}: {faces} entered, the rest of the dice is waited for"


def _called(event: RollCalled, before: State) -> str:
    odds = f" — {chance(event)}" if event.chances else ""
    by_hand = " (to be entered)" if event.by_hand else ""
    return f"{event.purpose}: {event.dice}{by_hand}{odds}"


def _asked(event: RulingRequested, before: State) -> str:
    return f"the referee is asked ({event.rule}): {event.question} [{' / '.join(event.choices)}]"


def _ruled(event: RulingGiven, before: State) -> str:
    by = "by default" if event.by_default else "the referee rules"
    question = before.table.asked.get(event.key)
    asked = f" ({question.question})" if question else ""
    return f"{by}: {event.answer}{asked}" + (f" — {event.why}" if event.why else "")


def _corrected(event: Corrected, before: State) -> str:
    changes = "; ".join(event.changes)
    seen = f" [taken back, but seen: {'; '.join(event.known)}]" if event.known else ""
    agreed = f", with the consent of {', '.join(event.consents)}" if event.consents else ""
    by = f" by {event.by}{agreed}" if event.by and event.by != REFEREE else ""
    return f"ruling{by} on line {event.of_line} ({event.what}, dice: {event.policy}): {changes} — {event.why}{seen}"


def _held(event: Deferred, before: State) -> str:
    told = f"the word to begin {event.text}" if event.form == "next" else quoted(event.text)
    return f"held for the referee, no. {event.number}: {told}: {event.reason}"


def _edition(event: EditionAdopted, before: State) -> str:
    number = len(event.differences)
    earlier = "1 earlier result" if number == 1 else f"{number} earlier results"
    found = f"; it would have changed {earlier}" if number else ""
    tables = "" if event.tables == before.table.tables else f", tables {event.tables[:12]}…"
    options = "".join(
        f", {name} = {value}" for name, value in event.options.items() if before.table.options.get(name) != value
    )
    return f"from here on by edition {event.edition}{tables}{options}{found} — {event.why}"


def _what_if(event: WhatIfOpened, before: State) -> str:
    kept = f"; {len(event.withheld)} sealed orders are not known here" if event.withheld else ""
    return f"NOT PLAYED from here on: {event.seat} asks {quoted(event.why)}{kept}"


def _posted(event: Posted, before: State) -> str:
    phase = f", {event.phase}," if event.phase else ""
    return f"turn {event.turn}{phase} posted for {event.viewer} to {quoted(event.board)}, as of event {event.seq}"


def _correction_asked(event: CorrectionAsked, before: State) -> str:
    targets = ", ".join(map(str, event.targets))
    needed = f"; {', '.join(event.needed)} must consent" if event.needed else ""
    return f"{event.seat} asks, no. {event.number}: {event.what} of {targets}: {event.why}{needed}"


def _correction_answered(event: CorrectionAnswered, before: State) -> str:
    return f"{event.seat} {'consents to' if event.consents else 'refuses'} no. {event.number}" + (
        f": {event.why}" if event.why else ""
    )


def _sealed(event: Sealed, before: State) -> str:
    return f"{event.seat} seals an order{event.piece and f' for {event.piece}'}: receipt {short(event.digest)}"


def _revealed(event: Revealed, before: State) -> str:
    return f"{event.seat} had ordered: {event.means or event.text} (receipt {short(event.digest)})"


def _submitted(event: TextSubmitted, before: State) -> str:
    return f"{event.seat} submits the text of the order with receipt {short(event.digest)}"


def _not_used(event: NotUsed, before: State) -> str:
    of = event.piece and f" for {event.piece}"
    receipt = event.digest and f": receipt {short(event.digest)}"
    return f"an order of {event.seat}{of} is kept, but not used ({event.reason}){receipt}"


def _standing(event: StandingGiven, before: State) -> str:
    if not event.digest:
        return f"{event.seat} has no standing orders any more"
    return f"{event.seat} gives standing orders: receipt {short(event.digest)}"


def _supplied(event: OrdersSupplied, before: State) -> str:
    what = "its standing orders are used" if event.source == "standing" else "it does the usual drill, as agreed"
    return f"{event.seat} ordered nothing for {event.act}: {what}"


def _seat_taken(event: SeatTaken, before: State) -> str:
    was = f" in place of {printable(event.was)}" if event.was else ""
    return f"{printable(event.player)} plays {event.seat}{was}"


def _schedule(event: ScheduleSet, before: State) -> str:
    if not event.rule:
        return "the schedule ends: orders are called for by hand from now on"
    what = "each turn" if event.scope == "turn" else "each act"
    return f"orders for {what} will be due at fixed times: {event.rule} {event.zone}{_early(event)}"


def _early(event: ScheduleSet | OrdersCalled) -> str:
    return ", or as soon as all are ready" if event.early else ""


def _orders_called(event: OrdersCalled, before: State) -> str:
    rest = " and the rest of its turn" if event.scope == "turn" else ""
    return f"orders for {event.act}{rest}, please, until {when(event.until, event.zone, event.offset)}{_early(event)}"


def _orders_closed(event: OrdersClosed, before: State) -> str:
    return f"orders for {event.act} are closed: {'all are ready' if event.cause == 'ready' else 'the time is up'}"


def _zone(act: str, before: State) -> str:
    deadline = before.table.deadline
    return deadline.call.zone if deadline is not None and deadline.call.act == act else ""


def _deadline_moved(event: DeadlineMoved, before: State) -> str:
    later = event.until - event.was
    by = f"{span(abs(later))} {'later' if later >= 0 else 'earlier'}"
    until = when(event.until, _zone(event.act, before), event.offset)
    return f"the referee moves the deadline for {event.act} to {until}, {by} — {event.why}"


def _frozen(event: ClockFrozen, before: State) -> str:
    left = f", {span(event.left)} before the deadline for {event.act}" if event.act else ""
    return f"the referee stops the calendar{left} — {event.why}"


def _unfrozen(event: ClockUnfrozen, before: State) -> str:
    due = f": {event.act} is due {when(event.until, _zone(event.act, before), event.offset)}" if event.act else ""
    return f"the calendar goes on{due}" + (f" — {event.why}" if event.why else "")


_COMMON: Mapping[type[Event], Caption] = {
    BattleOpened: _opened,
    DiceCommitted: _committed,
    DiceRecommitted: lambda event, before: f"the dice have another keeper from here on: {event.why}",
    RootRevealed: lambda event, before: f"the root of the dice is revealed ({event.root[:16]}…)",
    NonceAdded: lambda event, before: f"{event.seat} gives the client seed {event.nonce!r}",
    ActOpened: _act,
    Noted: lambda event, before: f"note: {quoted(event.text)}",
    BattleEnded: _ended,
    TurnBegan: lambda event, before: f"turn {event.turn} begins",
    SecretRevealed: lambda event, before: f"dice of turn {event.turn} revealed (secret {event.secret[:16]}…)",
    Declared: _order,
    Ordered: _order,
    Sealed: _sealed,
    Revealed: _revealed,
    TextSubmitted: _submitted,
    Withheld: lambda event, before: f"{event.seat} gives an order, which is still secret",
    NotUsed: _not_used,
    OrdersMarked: lambda event, before: f"the orders of {event.seat} for {event.act} are {event.mark}",
    StandingGiven: _standing,
    OrdersSupplied: _supplied,
    NotedPrivately: lambda event, before: f"a private note: receipt {short(event.digest)}",
    SeatTaken: _seat_taken,
    ScheduleSet: _schedule,
    OrdersCalled: _orders_called,
    OrdersClosed: _orders_closed,
    DeadlineMoved: _deadline_moved,
    ClockFrozen: _frozen,
    ClockUnfrozen: _unfrozen,
    OrderLapsed: lambda event, before: f"{event.text!r} lapses: {event.reason} ({event.rule})",
    RollCalled: _called,
    DiceRolled: _rolled,
    RulingRequested: _asked,
    RulingGiven: _ruled,
    Corrected: _corrected,
    Superseded: lambda event, before: f"this line was put right ({event.what}) by {event.by_line}: {event.why}",
    Stood: lambda event, before: f"event {event.about} stands as it is: {event.why}",
    Deferred: _held,
    DeferredSettled: lambda event, before: f"no. {event.number} was {event.outcome}" + (event.why and f": {event.why}"),
    Modified: lambda event, before: f"the referee adds {event.value:+d} {event.label} to {event.key}: {event.why}",
    FactStated: lambda event, before: f"the referee states: {event.text} — {event.why}",
    CorrectionAsked: _correction_asked,
    CorrectionAnswered: _correction_answered,
    Bookmarked: lambda event, before: f"event {event.seq} is called {event.name!r}",
    BeaconNamed: lambda event, before: f"round {event.round} of {event.beacon} will be stirred into the dice",
    BeaconAdded: _beacon_added,
    DicePolicyDeclared: _policy,
    DicePartlyEntered: _partly_entered,
    EditionAdopted: _edition,
    WhatIfOpened: _what_if,
    Posted: _posted,
    Unknown: lambda event, before: f"an event of unknown type {event.name}: kept, not understood",
}


def dice_at(table: BattleState) -> list[str]:
    """Tell what holds for the dice at a table: whether they may be set aside, and whose are entered by hand.

    >>> dice_at(BattleState(fudging="forbidden", by_hand=("red",)))
    ['table rule: setting dice aside is forbidden', 'dice of red are entered by hand: nothing proves them']
    """
    told = [f"table rule: setting dice aside is {table.fudging}"] if table.fudging else []
    hands = dict.fromkeys((*table.by_hand, *(table.act.by_hand if table.act else ())))
    if hands:
        told.append(f"dice of {', '.join(hands)} are entered by hand: nothing proves them")
    return told


def reasons(event: Event, before: State) -> list[str]:
    """Tell why: the terms of a roll or an outcome, one a line, each with its rule and the source of its number."""
    call: Any = event if isinstance(event, RollCalled) else None
    if isinstance(event, DiceRolled):
        call = before.table.called.get(event.key)
    if isinstance(event, BattleOpened):
        return _agreed(event)
    if call is None:
        lines = _terms(getattr(event, "terms", ()))
        if isinstance(event, _WITH_RECEIPT) and event.digest:
            lines.append(f"receipt {event.digest}")
        return [*lines, f"rule {rule}"] if (rule := rule_of(event, before)) else lines
    lines = _terms(call.terms)
    if call.before_limits is not None:
        lines.append(f"{call.before_limits:5d}  before the limits: {_limits(call.limits)}")
    if call.test != "read":
        lines.append(f"{call.target:5d}  to reach ({call.test.replace('_', ' ')}), by {call.rule}")
    elif call.rule:
        lines.append(f"looked up by {call.rule}")
    if call.chances:
        lines.append(f"chances before the dice fell: {chance(call)}")
    return lines


_WITH_RECEIPT = (Sealed, Revealed, NotUsed, StandingGiven, TextSubmitted, NotedPrivately)
"""Events whose caption shows the beginning of a receipt only."""


def rule_of(event: Event, before: State) -> str:
    """Return the id of the rule that an event names; of a ruling, that of its question. Empty if there is none."""
    if isinstance(event, RulingGiven):
        question = before.table.asked.get(event.key)
        return question.rule if question is not None else ""
    return str(getattr(event, "rule", ""))


def _agreed(opened: BattleOpened) -> list[str]:
    """What a battle was opened with."""
    chosen = [f"option {name} = {value}" for name, value in sorted(opened.options.items())]
    hands = [f"dice entered by {', '.join(opened.by_hand)}"] * bool(opened.by_hand)
    return [f"rule tables {opened.tables}", *chosen, *hands, f"referee {opened.referee}"]


def _terms(terms: Sequence[Term]) -> list[str]:
    return [
        f"{term.value:+5d}  {term.label}"
        + (f"  {term.rule}" if term.rule else "")
        + (f"  [{term.source}]" if term.source else "")
        for term in terms
    ]


def _limits(limits: Limits) -> str:
    low, high = limits
    return ", ".join([f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None))
