"""Submitting orders: sheets, late ones, digests first and texts later, standing orders, and the receipts for it all.

A receipt is what a seat keeps to show what it submitted: the SHA-256 of salt, one space and the canonical text. For a
sealed order the salt is random, and the reveal repeats the receipt. For an open one it is where the order stands
(`ford/main/20`): enough for the seat, to whom alone it is told. The hash of its event would not do: whoever gets that
can try out which order of another seat came before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from secrets import token_hex

import msgspec

from engine.errors import AnswerRefused, DeadlineRefused
from engine.orders import given_by, read_order, read_sheet, write_order, write_sheet
from engine.orders.errors import OrderError, StalePhase
from engine.seats.sealing import place_of, place_secret
from engine.step import StepBuilder
from events.commands import (
    Autoplay,
    LeaveStandingOrders,
    RevealOrder,
    SubmitDigest,
    SubmitOrders,
    WithdrawOrders,
)
from events.facts import Declared, NotUsed, Ordered, OrdersMarked, Sealed, StandingGiven, TextSubmitted
from events.seals import is_digest, is_salt, pack, seal_of, unpack
from projections.battle_state import REFEREE, BattleState, PendingOrder
from replays.view import View


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """What a seat has submitted with one event, in open words or sealed. What is not here is empty."""

    seq: int
    seat: str
    text: str
    digest: str
    salt: str = ""
    is_open: bool = False


def submit_orders(step: StepBuilder, command: SubmitOrders) -> None:
    """Take a sheet: all of it, or nothing. One that is late (see `is_late`) is kept, and not used.

    Raises `StalePhase`, `SheetRefused`, `OrderError`, `BattleOver`.
    """
    if command.salt and not is_salt(command.salt):
        raise OrderError("a salt has 4 to 64 visible characters of ASCII, and no space")
    if (command.mark or command.late) and command.seat == REFEREE:
        raise OrderError("orders that are marked or late belong to a seat: say which")
    if command.late or is_late(step.table, command.seat, step.now):
        _keep_late(step, command)
    else:
        _take(step, command)


def autoplay(step: StepBuilder, command: Autoplay) -> None:
    """Take the orders that the rule set's simple AI gives for a seat, from what the seat can see.

    Raises `OrderError` for the referee and where it has nothing to order, `StalePhase`, `BattleOver`.
    """
    if command.seat == REFEREE:
        raise OrderError("the referee has no pieces: say for which seat orders are made")
    refuse_stale(step, command.act, "")
    orders = step.rules.autoplay(step.seen_from(command.seat), command.seat)
    step.orders(command.seat, write_sheet(orders))


def is_late(table: BattleState, seat: str, now: int) -> bool:
    """Tell whether a seat's orders come too late to count: after the deadline, where the battle has it so.

    While the calendar is frozen nothing is late, and what the referee gives never is.
    """
    due = table.deadline
    kept = table.option("late_orders", "taken") == "kept"
    return kept and seat != REFEREE and due is not None and table.frozen is None and now > due.until


def _take(step: StepBuilder, sheet: SubmitOrders) -> None:
    now = refuse_stale(step, sheet.phase, sheet.text)
    if sheet.text.strip() or not sheet.mark:
        step.orders(sheet.seat, sheet.text, sheet.salt)
    if sheet.mark:
        step.refuse_over()
        step.add(OrdersMarked(sheet.seat, sheet.mark, now), sheet.seat)


def _keep_late(step: StepBuilder, sheet: SubmitOrders) -> None:
    """Keep orders that came too late: sealed, for they tell what their seat is about."""
    lines = [line.strip() for line in sheet.text.splitlines() if line.strip()]
    digest = _sealed_sheet(step, lines)
    step.add(NotUsed(sheet.seat, "late", digest=digest), sheet.seat)


def _sealed_sheet(step: StepBuilder, lines: Sequence[str]) -> str:
    salt, text = token_hex(16), pack(lines)
    digest = seal_of(salt, text)
    step.secrets.append(f"{digest}:{salt} {text}")
    return digest


def refuse_stale(step: StepBuilder, phase: str, text: str) -> str:
    """Return the act that comes next; raise `StalePhase` if `phase` names another, or one that has begun."""
    now = step.rules.next_act(step.situation)
    begun = step.table.act.name if step.table.act is not None and step.table.waiting else ""
    if phase and (phase == begun or (now != phase and not now.startswith(f"{phase}/"))):
        raise StalePhase(phase, now if now != begun else f"the end of {begun}", text)
    return now


# ------------------------------------------------------------------------------------------ digests first, texts later


def submit_digest(step: StepBuilder, command: SubmitDigest) -> None:
    """Take an order of which only the digest is known: `SHA-256(salt, space, text)`, made by the seat itself.

    Raises `OrderError` for what is not a digest, or one that somebody has given before; `BattleOver`.
    """
    seat, digest = command.seat, command.digest
    if not is_digest(digest):
        raise OrderError(f"{digest!r} is not a digest: write SHA-256 as 64 hex digits, in lower case")
    step.refuse_over()
    if step.unlock(digest) is not None or digest in [each.digest for each in step.table.orders]:
        raise OrderError("this digest was given before: choose a salt of your own, and make another")
    if is_late(step.table, seat, step.now):
        step.add(NotUsed(seat, "late", digest=digest), seat)
        return
    step.add(Sealed(seat, "", "", digest, own=True), seat)


def reveal_order(step: StepBuilder, command: RevealOrder) -> None:
    """Take the text behind a digest: salt, space and order, exactly as they were sealed. It is examined now.

    It stays sealed until its act begins. Raises `AnswerRefused` if no order of the seat waits under its digest,
    `OrderError` if it cannot be read or is not allowed.
    """
    seat, sealed = command.seat, command.sealed
    digest = sha256(sealed.encode()).hexdigest()
    waiting = [each.digest for each in step.table.orders if each.seat == seat and each.own]
    if digest not in waiting:
        open_ones = ", ".join(f"{each[:16]}…" for each in waiting) or "none"
        raise AnswerRefused(
            f"no digest of {seat} waits for this text, whose digest is {digest[:16]}… (waiting: {open_ones}): give "
            "salt, one space and the order, letter by letter as they were sealed"
        )
    if step.unlock(digest) is not None:
        raise AnswerRefused(f"the text with receipt {digest} was submitted before")
    _examine_sealed(step, seat, digest, sealed)


def _examine_sealed(step: StepBuilder, seat: str, digest: str, sealed: str) -> None:
    salt, _, text = sealed.partition(" ")
    if not is_salt(salt) or len(sealed.splitlines()) != 1:
        raise OrderError("what was sealed must be a salt of 4 to 64 visible characters, one space, and one order")
    order = read_order(text, step.rules.grammar, step.rules.vocabulary(step.situation))
    _, placing = step.examine(seat, order)
    if placing.at_once:
        raise OrderError("an order that takes effect at once is not sealed: submit it openly")
    step.secrets += [f"{digest}:{sealed}", place_secret(digest, given_by(order), placing)]
    step.add(TextSubmitted(seat, digest), seat)


# ------------------------------------------------------------------------------------------------------ standing orders


def leave_standing_orders(step: StepBuilder, command: LeaveStandingOrders) -> None:
    """Take what a seat wants done whenever it orders nothing; an empty sheet takes that back.

    Each line must be readable now; whether it is allowed is asked each time. Raises `SheetRefused`, `OrderError`.
    """
    seat, text = command.seat, command.text
    if seat == REFEREE:
        raise OrderError("the referee leaves no standing orders: say whose they are")
    step.refuse_over()
    if not text.strip():
        step.add(StandingGiven(seat, ""), seat)
        return
    sheet = read_sheet(text, step.rules.grammar, step.rules.vocabulary(step.situation))
    for numbered in sheet:
        owner = step.rules.owner(step.situation, given_by(numbered.order))
        if owner != seat:
            raise OrderError(f"{given_by(numbered.order)} takes orders from {owner}, not from {seat}", numbered.line)
    if not sheet:
        raise OrderError("the sheet holds no order: write one a line, such as NAME: VERB …")
    step.add(StandingGiven(seat, _sealed_sheet(step, [write_order(each.order) for each in sheet])), seat)


# ---------------------------------------------------------------------------------------------------------- withdrawing


def withdraw_orders(step: StepBuilder, command: WithdrawOrders) -> None:
    """Take back orders of a seat that no act has resolved: those of some pieces, or all; they stay on record.

    Orders in a slot that lasts are taken back only where their piece is named. Raises `OrderError` where a piece has no
    order, or the seat none at all; `DeadlineRefused` after a deadline that closes the orders; `BattleOver`.
    """
    seat, wanted = command.seat, command.pieces
    if seat == REFEREE:
        raise OrderError("the referee has no orders of their own: say whose are withdrawn")
    step.refuse_over()
    if is_late(step.table, seat, step.now):
        raise DeadlineRefused("the deadline has passed: orders can no longer be withdrawn")
    own = [(order, _piece_of(step, order)) for order in step.table.orders if order.seat == seat]
    missing = [piece for piece in wanted if piece not in [found for _, found in own]]
    if missing:
        raise OrderError(f"no order of {missing[0]} waits: there are orders of {_named(own)}")
    taken = [order for order, piece in own if piece in wanted or (not wanted and order.slot not in step.rules.lasting)]
    if not taken:
        raise OrderError(f"no order of {seat} waits that could be withdrawn")
    for order in taken:
        step.add(NotUsed(seat, "withdrawn", order.piece, order.slot, order.digest), seat)


def _piece_of(step: StepBuilder, order: PendingOrder) -> str:
    place = place_of(order, step.unlock) if order.digest else None
    return place.piece if place is not None else order.piece


def _named(own: Sequence[tuple[PendingOrder, str]]) -> str:
    return ", ".join(dict.fromkeys(piece or "a digest" for _, piece in own)) or "nobody"


# ------------------------------------------------------------------------------------------------------------- receipts


_SUBMITTED = (Ordered, Declared, Sealed, TextSubmitted, StandingGiven, NotUsed)


def receipts_of(view: View, first: int, last: int, unlock: Callable[[str], str | None]) -> list[Receipt]:
    """Return a receipt for everything that was submitted from event `first` to `last`, in order.

    `unlock` opens what may be opened: the vault for the step that has just been made, a viewer's own texts later.
    """
    found = []
    for record, event in view.events(*_SUBMITTED, after=first - 1, upto=last):
        match event:
            case Ordered() | Declared():
                salt = f"{view.battle}/{record.line}/{record.seq}"
                found.append(Receipt(record.seq, event.seat, event.text, seal_of(salt, event.text), salt, is_open=True))
            case Sealed() | TextSubmitted() | StandingGiven() | NotUsed() if event.digest:
                salt, _, text = (unlock(event.digest) or "").partition(" ")
                found.append(Receipt(record.seq, event.seat, "; ".join(unpack(text)), event.digest, salt))
    return found


def sheet_receipt(receipts: Sequence[Receipt]) -> str:
    """Return one receipt for all that a seat submitted together: SHA-256 over the receipts, a line each.

    >>> sheet_receipt([Receipt(1, "red", "ann: hit bob", "5a" * 32)])[:16]
    '0e53aae2eabd5755'
    """
    return sha256("\n".join(each.digest for each in receipts).encode()).hexdigest()
