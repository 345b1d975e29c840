"""Writing orders: the canonical text, which is what the record holds and what a player's receipt is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from engine.orders.errors import OrderUnreadable
from engine.orders.forms import AnyOrder, Form, Slot, form_of, given_by
from engine.orders.kinds import Flag
from engine.orders.names import refuse_wrong_name
from engine.orders.reading import MAX_ITEMS
from engine.orders.words import refuse_unwritable, spelled


def write_order(order: AnyOrder) -> str:
    """Write an order's canonical text; `read_order` turns it into an equal order wherever the same names are known.

    Names stand as ids, clauses in the order in which the type declares them, defaults are left out. Raises
    OrderUnreadable when a value cannot be written, such as a number beyond the limits.
    """
    form = form_of(type(order))
    giver = given_by(order)
    refuse_wrong_name(giver)
    parts = [f"{spelled(giver)}:", form.verb]
    for slot in (*form.leading, *form.clauses.values()):
        value = getattr(order, slot.field)
        if slot.required or value != slot.default:
            parts += _written(form, slot, value)
    text = " ".join(parts)
    refuse_unwritable(text)
    return text


def write_sheet(orders: Iterable[AnyOrder]) -> str:
    """Write a sheet of orders, a line each; `read_sheet` reads it. Empty for no orders."""
    return "\n".join(map(write_order, orders))


def digest(order: AnyOrder) -> str:
    """Give the SHA-256 of the canonical text in UTF-8 (no line end), in hex: any SHA-256 tool gives the same.

    It proves that an order was not changed. It does not hide it: whoever can guess the order can check the guess. A
    sealed order therefore needs a secret beside it.
    """
    return hashlib.sha256(write_order(order).encode()).hexdigest()


def _written(form: Form, slot: Slot, value: object) -> list[str]:
    """Write one field that is not left out."""
    if isinstance(slot.kind, Flag):
        return [slot.keyword]
    items = value if slot.many and isinstance(value, tuple) else (value,)
    if not 1 <= len(items) <= MAX_ITEMS:
        raise OrderUnreadable(f"{slot.field} of {form.verb} has {len(items)} items: 1 to {MAX_ITEMS} can be written")
    words = [spelled(slot.kind.write(item), form.clauses) for item in items]
    if slot.each:
        return [word for item in words for word in (slot.keyword, item)]
    return [slot.keyword, *words] if slot.keyword else words
