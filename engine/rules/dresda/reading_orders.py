"""Orders as the record has them, read back into what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.orders import Order, read_recorded
from engine.rules.dresda.orders import GRAMMAR
from engine.rules.dresda.situation import Situation
from projections.battle_state import PendingOrder


def in_hand(situation: Situation, slots: Sequence[str]) -> dict[str, list[Order]]:
    """The orders that an act has taken in hand, by figure, sorted; those of each in the order in which they were given.

    In which order the figures were ordered counts for nothing.
    """
    return dict(sorted(_read([each for each in situation.state.table.in_hand if each.slot in slots]).items()))


def waiting(situation: Situation, figure: str, slots: Sequence[str]) -> list[Order]:
    """The orders of a figure that still wait for their time, as they were given; not those that are sealed still."""
    wanted = [
        each for each in situation.state.table.orders if each.piece == figure and each.text and each.slot in slots
    ]
    return _read(wanted).get(figure, [])


def _read(pending: Iterable[PendingOrder]) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for each in pending:
        order = read_recorded(each.text, GRAMMAR)
        assert isinstance(order, Order)
        found.setdefault(order.piece, []).append(order)
    return found
