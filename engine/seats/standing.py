"""What is done when a seat orders nothing: its standing orders, else what the table has agreed on for that case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol

from engine.orders import AnyOrder, given_by, read_sheet, write_order
from engine.orders.errors import OrderError, SheetRefused
from engine.rules.rule_set import OrderSlot, RuleSet, Situation
from engine.seats.sealing import place_of
from events.facts import Declared, Event, Ordered, OrdersSupplied
from events.seals import unpack
from projections.battle_state import ENGINE, BattleState, turn_of


class Step(Protocol):
    """What is needed of a step that is being built, to give orders in the name of a seat."""

    rules: RuleSet
    situation: Situation[Any, Any]

    @property
    def table(self) -> BattleState:
        """The common part of the state as the step leaves it."""
        ...

    def add(self, event: Event, actor: str, act: int = 0) -> None:
        """Add an event and apply it."""
        ...

    def seen_from(self, seat: str) -> Situation[Any, Any]:
        """Return the situation as a seat sees it."""
        ...

    def examine(self, seat: str, order: AnyOrder) -> tuple[str, OrderSlot]:
        """Return who commands the piece and where the order goes. Raises `OrderNotAllowed`."""
        ...

    def unlock(self, digest: str) -> str | None:
        """Return what the vault keeps behind a digest."""
        ...


def supply(step: Step, act: str, slots: Sequence[str]) -> None:
    """Give orders in the name of each seat from which none came for an act, out of what it left for that case.

    A seat that has said that its orders for this act are final, or provisional, has decided: nothing is supplied. What
    the rules do not allow now is passed over, and so is what is not for this act. Then the act begins at once, so these
    orders are open in every battle. The seats are taken in the order in which they sit.
    """
    if not slots:
        return
    for seat in [each.id for each in step.table.seats]:
        if _decided(step, seat, act, slots) or _came(step, seat, slots):
            continue
        for source, left in _left_by(step, seat):
            orders = list(_fitting(step, seat, left, slots))
            if orders:
                step.add(OrdersSupplied(seat, act, source), ENGINE)
                for event in orders:
                    step.add(event, ENGINE)
                break


def _decided(step: Step, seat: str, act: str, slots: Sequence[str]) -> bool:
    """Whether a seat has said of its orders that they are all for this act: of it, or of one that goes on to it."""
    mark = step.table.marks.get(seat)
    if mark is None or mark.act == act:
        return mark is not None
    deadline = step.table.deadline
    whole_turn = deadline is not None and deadline.call.scope == "turn"
    return turn_of(mark.act) == turn_of(act) and (whole_turn or {*slots} <= {*step.rules.orders_for(mark.act)})


def _came(step: Step, seat: str, slots: Sequence[str]) -> bool:
    """Whether an order of a seat waits for these slots, as far as is known here."""
    for order in step.table.orders:
        if order.seat == seat:
            place = place_of(order, step.unlock) if order.digest else order
            if place is not None and place.slot in slots:
                return True
    return False


def _left_by(step: Step, seat: str) -> Iterator[tuple[Literal["standing", "drill"], Iterable[AnyOrder]]]:
    """Yield what a seat left for this case, and what the table agreed on."""
    digest = step.table.standing.get(seat, "")
    kept = step.unlock(digest) if digest else None
    if kept is not None:
        yield "standing", readable(step, unpack(kept.partition(" ")[2]))
    if step.table.option("missing_orders", "nothing") == "drill":
        yield "drill", step.rules.autoplay(step.seen_from(seat), seat)


def _fitting(step: Step, seat: str, left: Iterable[AnyOrder], slots: Sequence[str]) -> Iterator[Ordered | Declared]:
    """Yield those of the orders that are for these slots and allowed now."""
    for order in left:
        try:
            owner, placing = step.examine(seat, order)
        except OrderError:
            continue
        if placing.slot in slots and not placing.at_once:
            made = Declared if placing.declaration else Ordered
            yield made(owner, given_by(order), placing.slot, write_order(order))


def readable(step: Step, lines: Sequence[str]) -> Iterator[AnyOrder]:
    """Yield the orders of a sheet that can be read now; names may have left the field since it was written."""
    names = step.rules.vocabulary(step.situation)
    for line in lines:
        try:
            yield from (each.order for each in read_sheet(line, step.rules.grammar, names))
        except SheetRefused:
            continue
