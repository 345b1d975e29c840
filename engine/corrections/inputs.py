"""What people put into a battle, read back from its record, and given again on another line.

Orders, the word to go on, dice and rulings given by hand, facts, notes. Whether an old face serves again is a matter of
the dice policy: an answer is only the moment at which somebody gave one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from engine.errors import BattleClosed, InputPending
from engine.orders.errors import OrderNotAllowed
from engine.rules.editions import in_force
from engine.rules.rule_set import RuleSet, Situation
from engine.step import StepBuilder
from events.corrections import (
    Corrected,
    CorrectionAnswered,
    CorrectionAsked,
    Deferred,
    DeferredSettled,
    EditionAdopted,
    FactStated,
    Superseded,
    WhatIfOpened,
)
from events.errors import DiaryError
from events.facts import (
    ActOpened,
    Declared,
    DiceCommitted,
    DicePartlyEntered,
    DiceRolled,
    Event,
    NonceAdded,
    NotUsed,
    Ordered,
    OrdersSupplied,
    Revealed,
    RulingGiven,
    Sealed,
)
from projections.battle_state import ENGINE, PendingOrder, State
from replays.seek import Frame

Form: TypeAlias = Literal["order", "next", "fact", "nonce", "answer", "said"]

_NOT_GIVEN_AGAIN = (Corrected, Superseded, CorrectionAsked, CorrectionAnswered, WhatIfOpened)
"""What belongs to one line: its beginning and end, and requests, which name events of that line."""


class Input(msgspec.Struct, frozen=True, gc=False):
    """One input. `seq` is where its first event stands, `at` the event by which it is named.

    `text` is the order, the act that was begun, or the words. `shown` stands for it in public where it is sealed.
    `standing` is the order as it stood, for `piece`; `event` what was said as it is.
    """

    seq: int
    at: int
    form: Form
    seat: str
    text: str
    by_hand: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    why: str = ""
    shown: str = ""
    standing: PendingOrder | None = None
    piece: str = ""
    event: Event | None = None

    @property
    def told(self) -> str:
        """Return the input in words that everybody may read."""
        return self.shown or (f"next ({self.text})" if self.form == "next" else self.text)

    @property
    def plays(self) -> bool:
        """Whether it moves the battle on, so that it can come to be held."""
        return self.form not in ("answer", "said")


def inputs_of(
    way: Sequence[Frame], rules: RuleSet, tables_of: Callable[[State], Any], unlock: Callable[[str], str | None]
) -> list[Input]:
    """Read the inputs of a stretch of a line, oldest first. `unlock` opens the vault, for sealed orders.

    `tables_of` gives the tables in force in a state: by them an act that a person began is told from one that followed.
    """
    shown = {step.event.digest: step.event for step in way if isinstance(step.event, Revealed)}
    found: list[Input] = []
    for place in range(len(way)):
        item = _input(way, place, rules, tables_of, lambda digest: _opened(digest, shown, unlock))
        if item is not None:
            found.append(item)
    return found


def _opened(digest: str, shown: Mapping[str, Revealed], unlock: Callable[[str], str | None]) -> Revealed:
    """Return what a sealed order says, from its reveal or from the vault; with no text if it is in neither."""
    if digest in shown:
        return shown[digest]
    text = text_kept(unlock(digest))
    return Revealed("", text.partition(":")[0], "", text, "", digest)


def text_kept(kept: str | None) -> str:
    """Return the order of what the vault keeps behind a receipt, which is salt and text; empty if it is not here."""
    return kept.partition(" ")[2] if kept else ""


def _input(
    way: Sequence[Frame],
    place: int,
    rules: RuleSet,
    tables_of: Callable[[State], Any],
    opened: Callable[[str], Revealed],
) -> Input | None:
    record, event = way[place].record, way[place].event
    seq, seat = record.seq, record.actor
    match event:
        case Ordered() | Declared() | NotUsed() if seat == ENGINE:
            return None  # what a seat left for the case that it orders nothing comes again with the word to go on
        case Ordered() | Declared():
            standing = PendingOrder(event.seat, event.piece, event.slot, event.text)
            return Input(seq, seq, "order", seat, event.text, (), (event.slot,), standing=standing, piece=event.piece)
        case Sealed():
            standing = PendingOrder(event.seat, event.piece, event.slot, "", event.digest)
            shown = f"the sealed order of {event.piece or event.seat}, receipt {event.digest[:16]}…"
            order = opened(event.digest)
            slots, piece = (event.slot or order.slot,), event.piece or order.piece
            return Input(seq, seq, "order", seat, order.text, (), slots, "", shown, standing, piece)
        case ActOpened() if record.act == seq and not _follows(way[place], rules, tables_of):
            return Input(_begun(way, place), seq, "next", seat, event.name, event.by_hand, event.slots)
        case NonceAdded():
            return Input(seq, seq, "nonce", seat, event.nonce)
        case FactStated():
            return Input(seq, seq, "fact", seat, event.text, why=event.why)
        case DiceRolled() | RulingGiven() if seat != ENGINE:
            return Input(seq, seq, "answer", seat, event.key, event=event)
        case DicePartlyEntered():
            return Input(seq, seq, "answer", seat, event.key, event=event)
        case Deferred():
            return msgspec.structs.replace(input_of(event, lambda digest: opened(digest).text), seq=seq, at=seq)
        case _ if record.act == seq and seat != ENGINE and not isinstance(event, _NOT_GIVEN_AGAIN):
            return Input(seq, seq, "said", seat, str(getattr(event, "text", "")), event=event)
    return None


def _follows(step: Frame, rules: RuleSet, tables_of: Callable[[State], Any]) -> bool:
    """Whether an act was begun by the engine itself, because it follows."""
    assert isinstance(step.event, ActOpened)
    rules = in_force(rules, step.before.table.edition)
    return rules.next_automatic_act(Situation(step.before, tables_of(step.before))) == step.event.name


def _begun(way: Sequence[Frame], place: int) -> int:
    """Return where the word to go on begins: before the orders opened or supplied, and the dice committed, for it."""
    while place and _goes_before(way[place - 1]):
        place -= 1
    return way[place].record.seq


def _goes_before(step: Frame) -> bool:
    """Whether the engine records this when an act is about to begin."""
    if isinstance(step.event, Ordered | Declared | NotUsed):
        return step.record.actor == ENGINE
    return isinstance(step.event, Revealed | DiceCommitted | OrdersSupplied)


def deferred_of(number: int, item: Input, reason: str) -> Deferred:
    """Return the fact that holds an input for the referee. Raises TypeError for one that cannot come to be held."""
    if item.form == "answer" or item.form == "said":
        raise TypeError(f"{item.form} is never held")
    digest = item.standing.digest if item.standing is not None else ""
    return Deferred(number, item.seat, item.shown or item.text, reason, item.form, item.by_hand, digest, item.why)


def input_of(held: Deferred, text_of: Callable[[str], str]) -> Input:
    """Return what is held as an input, to be given again. `text_of` opens a sealed order."""
    if not held.digest:
        return Input(0, 0, held.form, held.seat, held.text, held.by_hand, why=held.why, event=held)
    standing = PendingOrder(held.seat, "", "", "", held.digest)
    text = text_of(held.digest)
    return Input(0, 0, held.form, held.seat, text, shown=held.text, standing=standing, event=held)


# ---------------------------------------------------------------------------------------------------- giving again


def attempt(step: StepBuilder, item: Input) -> str:
    """Give an input again if it can be given; return why not, or an empty text."""
    mark = step.mark()
    try:
        give(step, item)
    except DiaryError as error:
        step.rewind(mark)
        return str(error)
    return ""


def give(step: StepBuilder, item: Input) -> None:
    """Give an input again, in a step on another line. Raises what giving it for the first time would raise."""
    match item.form:
        case "order":
            _give_order(step, item)
        case "next":
            _go_on(step, item)
        case "nonce":
            step.refuse_waiting()
            step.add(NonceAdded(item.seat, item.text), item.seat)
        case "fact":
            step.state_fact(item.text, item.why)
        case "answer":
            _answer(step, item)
        case "said":
            _say(step, item)


def _give_order(step: StepBuilder, item: Input) -> None:
    if isinstance(item.event, Deferred) and not item.text:
        raise BattleClosed(f"the text of {item.shown} is not in this file: give an order in its place")
    if item.standing is not None and item.standing.digest and not isinstance(item.event, Deferred):
        step.seal_again(item.seat, item.standing, item.text)
    else:
        step.orders(item.seat, item.text)


def _go_on(step: StepBuilder, item: Input) -> None:
    step.refuse_over()
    if step.table.waiting:
        raise InputPending([*step.table.called, *step.table.asked])
    due = step.rules.next_act(step.situation)
    if due != item.text:
        raise OrderNotAllowed(f"the battle stands before {due or 'its end'}, not before {item.text}", "table")
    step.proceed(item.by_hand)


def _answer(step: StepBuilder, item: Input) -> None:
    """Answer where somebody had answered, if it is asked here: with what the dice policy keeps, or drawn if it was."""
    key = item.text
    if isinstance(item.event, DicePartlyEntered):
        if key in step.table.called:
            step.roll(item.seat, {key: item.event.faces})
        return
    step.answer_from(step.source)
    drawn = isinstance(item.event, DiceRolled) and item.event.source == "seeded"
    if drawn and key in step.table.called:
        step.roll(item.seat, {key: None})


def _say(step: StepBuilder, item: Input) -> None:
    assert item.event is not None
    if isinstance(item.event, DeferredSettled) and item.event.number not in [each.number for each in step.table.held]:
        return  # what it settles is not held here
    step.add(item.event, item.seat)
    if isinstance(item.event, EditionAdopted):
        adopt_tables(step, item.event)


def adopt_tables(step: StepBuilder, adopted: EditionAdopted) -> None:
    """Let a step go on by the rules and tables of an edition that a ruling adopted. Raises `BattleClosed`."""
    rules = in_force(step.rules, adopted.edition)
    text = step.document(adopted.tables)
    if rules.edition != adopted.edition or text is None:
        raise BattleClosed(f"edition {adopted.edition} of {rules.name}, or its tables, are not here")
    step.rules, step.situation.tables = rules, rules.restore_tables(text)
