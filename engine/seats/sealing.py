"""Orders under seal, within a step: into the vault, out of it, and what a seat's own waiting orders are.

In a battle with `orders = "sealed"` the record says nothing of an order but whose it is and a digest: neither the piece
nor the slot, which would tell what the piece is about to do. Both are kept in the vault beside the text, under the
digest and `/place`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_hex
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.errors import BattleClosed
from engine.orders import AnyOrder, given_by, write_order
from engine.orders.errors import OrderError
from engine.rules.rule_set import OrderSlot, Situation
from events.facts import Event, NotUsed, Revealed, Sealed
from events.seals import seal_of
from projections.battle_state import BattleState, PendingOrder, State

Unlock = Callable[[str], str | None]
"""Returns what the vault keeps behind a digest."""

Canonical = Callable[[str], str]
"""Returns the canonical text of an order that a seat has written itself. Raises `OrderError`."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where a sealed order waits. `read_in` is the last part of the name of an act that looks at it, too."""

    piece: str
    slot: str
    read_in: str = ""

    def is_due(self, act: str, slots: Sequence[str]) -> bool:
        """Tell whether an act takes the order in hand, or looks at it."""
        return self.slot in slots or (bool(self.read_in) and act.rpartition("/")[2] == self.read_in)


def seals_all(table: BattleState) -> bool:
    """Tell whether every order of a battle is sealed."""
    return table.option("orders", "open") == "sealed"


def place_key(digest: str) -> str:
    """Return the name under which the vault keeps where a sealed order waits."""
    return f"{digest}/place"


def place_secret(digest: str, piece: str, placing: OrderSlot) -> str:
    """Return the secret that tells where a sealed order waits."""
    place = Place(piece, placing.slot, placing.read_in)
    return f"{place_key(digest)}:{msgspec.json.encode(place).decode()}"


def place_of(order: PendingOrder, unlock: Unlock) -> Place | None:
    """Return where a sealed order waits: as the record shows it, or as the vault knows it; None if neither does."""
    kept = unlock(place_key(order.digest))
    if kept is not None:
        return msgspec.json.decode(kept, type=Place)
    return Place(order.piece, order.slot) if order.piece else None


def seal(seat: str, order: AnyOrder, placing: OrderSlot, salt: str, *, blank: bool) -> tuple[Sealed, list[str]]:
    """Seal an order; return the fact that shows its digest, and what goes into the vault.

    Without `salt` a fresh one is drawn. With `blank` the fact tells neither piece nor slot.
    """
    salt, text, piece = salt or token_hex(16), write_order(order), given_by(order)
    digest = seal_of(salt, text)
    secrets = [f"{digest}:{salt} {text}"]
    if blank or placing.read_in:
        secrets.append(place_secret(digest, piece, placing))
    shown = Sealed(seat, "", "", digest) if blank else Sealed(seat, piece, placing.slot, digest)
    return shown, secrets


def open_seals(table: BattleState, act: str, slots: Sequence[str], unlock: Unlock, canonical: Canonical) -> list[Event]:
    """Return the facts by which the sealed orders of an act are opened, sorted by slot and piece.

    Of several of one piece in one slot the last counts. An order whose text its seat keeps itself and has not handed in
    stays sealed. Raises `BattleClosed` if another's text is not in this file, or is not the one that was sealed.
    """
    due: dict[tuple[str, str], list[PendingOrder]] = {}
    for order in table.orders:
        if not order.digest:
            continue
        place = place_of(order, unlock)
        if place is None:
            if not order.own:
                raise BattleClosed(f"a sealed order of {order.seat} is not in this file: it cannot be opened here")
        elif place.is_due(act, slots):
            due.setdefault((place.slot, place.piece), []).append(order)
    found: list[Event] = []
    for (slot, piece), orders in sorted(due.items()):
        found += [NotUsed(each.seat, "replaced", each.piece, each.slot, each.digest) for each in orders[:-1]]
        salt, text = _opened(orders[-1], piece, unlock)
        means = canonical(text) if orders[-1].own else text
        found.append(
            Revealed(
                orders[-1].seat, piece, slot, text, salt, orders[-1].digest, means if means != text else ""
            )
        )  # fmt: skip
    return found


def _opened(order: PendingOrder, piece: str, unlock: Unlock) -> tuple[str, str]:
    kept = unlock(order.digest)
    if kept is None:
        raise BattleClosed(f"the sealed order of {piece} is not in this file: it cannot be opened here")
    salt, _, text = kept.partition(" ")
    if seal_of(salt, text) != order.digest:
        raise BattleClosed(f"what is kept for {piece} does not match its receipt {order.digest}")
    return salt, text


def seen_from(situation: Situation[Any, Any], seat: str, unlock: Unlock, canonical: Canonical) -> Situation[Any, Any]:
    """Return a situation as its owner sees it: own orders that wait are open, those of others have no text.

    So an order is examined beside the seat's other orders, sealed or not, and no objection can tell of another seat's.
    """
    state: State = situation.state
    orders: dict[tuple[str, str, str], PendingOrder] = {}
    for number, order in enumerate(state.table.orders):
        if order.seat != seat:
            orders["", "", str(number)] = PendingOrder(order.seat, "", "", "", order.digest)
        elif (own := _own_opened(order, unlock, canonical)) is not None:
            orders[own.piece, own.slot, ""] = own
    seen = replace(state, table=replace(state.table, orders=tuple(orders.values())))
    return Situation(seen, situation.tables)


def _own_opened(order: PendingOrder, unlock: Unlock, canonical: Canonical) -> PendingOrder | None:
    """Return a seat's own order with its text, or None if that is not here."""
    if not order.digest:
        return order
    place, kept = place_of(order, unlock), unlock(order.digest)
    if place is None or kept is None:
        return None
    text = kept.partition(" ")[2]
    try:
        return PendingOrder(order.seat, place.piece, place.slot, canonical(text) if order.own else text)
    except OrderError:
        return None  # it names what is no longer there
