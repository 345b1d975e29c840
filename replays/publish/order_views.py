"""The orders of a turn as they are posted: given in it or carried out in it, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from events.facts import ActOpened, Declared, NotUsed, Ordered, OrderLapsed, Revealed, Sealed, Withheld
from replays.seek import Frame

_SECRET = "an order, still secret"
_Key: TypeAlias = "tuple[str, str]"


class OrderView(Struct, frozen=True, gc=False):
    """An order of the turn. `note` tells what became of it, if it was not simply carried out."""

    seat: str
    text: str
    note: str = ""


def order_views(way: Sequence[Frame]) -> Iterator[OrderView]:
    """Yield the orders of a stretch, as they came in; one that was replaced in time is not told."""
    found = _Orders({seat.id: seat.name for seat in way[-1].after.table.seats})
    stood = way[0].before.table.orders
    for number, order in enumerate(stood, 1 - len(stood)):
        text = order.text or (f"sealed, receipt {order.digest[:16]}…" if order.digest else _SECRET)
        found.add(number, order.seat, text, (order.piece, order.slot), order.digest)
        found.from_before.add(number)
    for step in way:
        found.follow(step)
    return found.told()


class _Orders:
    """Rows by the event that gave them; 0 and less for those that stood before. `active` are still to be taken."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.rows: dict[int, OrderView] = {}
        self.active: dict[int, _Key] = {}
        self.digests: dict[str, int] = {}
        self.from_before: set[int] = set()

    def follow(self, step: Frame) -> None:
        event, seq = step.event, step.record.seq
        match event:
            case Ordered() | Declared():
                self.add(seq, event.seat, event.text, (event.piece, event.slot))
            case Revealed():
                self.drop(self.digests.get(event.digest))
                self.add(seq, event.seat, event.means or event.text, (event.piece, event.slot))
            case Sealed():
                told = f"sealed, receipt {event.digest[:16]}…"
                self.add(seq, event.seat, told, (event.piece, event.slot), event.digest)
            case Withheld():
                self.add(seq, event.seat, _SECRET, ("", ""))
            case ActOpened():
                taken = [row for row, (_, slot) in self.active.items() if slot and slot in event.slots]
                self.from_before.difference_update(taken)
                for row in taken:
                    del self.active[row]
            case OrderLapsed():
                last = [row for row, told in self.rows.items() if told.text == event.text][-1:]
                self.note(last, f"lapsed: {event.reason}")
            case NotUsed():
                named = [row for row, key in self.active.items() if event.piece and key == (event.piece, event.slot)]
                sealed = [self.digests[event.digest]] if event.digest in self.digests else []
                self.note(named or sealed, f"not used: {event.reason}")

    def add(self, seq: int, seat: str, text: str, key: _Key, digest: str = "") -> None:
        """Add an order; it takes the place of one of the same piece and slot that was not taken in hand yet."""
        if key[0]:
            for row in [row for row, each in self.active.items() if each == key]:
                self.drop(row)
        self.rows[seq] = OrderView(self.names.get(seat, seat), text)
        self.active[seq] = key
        if digest:
            self.digests[digest] = seq

    def drop(self, row: int | None) -> None:
        if row is not None:
            self.rows.pop(row, None)
            self.active.pop(row, None)

    def note(self, rows: Sequence[int], note: str) -> None:
        for row in rows:
            if row in self.rows:
                self.rows[row] = msgspec.structs.replace(self.rows[row], note=note)

    def told(self) -> Iterator[OrderView]:
        """Yield what was given in the stretch or taken in hand in it, oldest first."""
        return (told for seq, told in sorted(self.rows.items(), key=lambda row: row[0]) if seq not in self.from_before)
