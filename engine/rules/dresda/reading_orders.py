"""Orders as the record has them, read back into what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import Order
from engine.rules.dresda.calls import Table
from engine.rules.dresda.orders import GRAMMAR
from engine.rules.rule_set import orders_in_hand, waiting_orders


def in_hand(table: Table, slots: Sequence[str]) -> dict[str, list[Order]]:
    """The orders that an act has taken in hand, by figure, both sorted: the order of arrival does not count."""
    found: dict[str, list[Order]] = {}
    for given, order in orders_in_hand(table.state.table, GRAMMAR, slots):
        assert isinstance(order, Order)
        found.setdefault(given.piece, []).append(order)
    return found


def waiting(table: Table, figure: str, slots: Sequence[str]) -> list[Order]:
    """The orders of a figure that still wait for their time, by slot; not those that are sealed still."""
    found = waiting_orders(table.state.table, GRAMMAR, figure, slots)
    return [order for _, order in found if isinstance(order, Order)]
