"""A battle as one viewer may see it: a copy of its record, from which everything for that viewer is made.

Whatever is shown, told, explained, drawn, filmed, exported or posted for a viewer is made by the same code as for the
referee, out of this copy. So nothing else has to know what is secret, and no secret is anywhere near.

Orders that the viewer may not see yet have `order.withheld` in their place; all else stands where it stood, so events
keep their numbers and dice can be checked. Lines that are not for the viewer are not there. Where nothing is hidden the
copy is the record, hash by hash. Where something is, its hashes are its own: the true ones would let anybody try out
which order fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from events.catalogue import EventUnreadable, write
from events.corrections import Corrected, EditionAdopted, Superseded, WhatIfOpened
from events.facts import (
    ActOpened,
    BattleEnded,
    BattleOpened,
    Declared,
    Event,
    NotedPrivately,
    Ordered,
    Posted,
    TurnBegan,
)
from events.store.chain import Chain, origin
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Line, Recorded
from projections.fold import Fold
from projections.viewer import Viewer, in_time, may_open, readers_of, redact, sees_line, slot_of
from replays.lines import adopted
from replays.seek import placed

_SET_OUT = 1
"""The act in which a battle is set out: orders that its scenario gives are for all to see."""

Way: TypeAlias = tuple[int, dict[str, int]]
"""How far a played line shares another's events, and where it last took each slot in hand."""


class SeenLog(MemoryLog):
    """The copy. `exact` tells whether it is the record itself, hash by hash; its vault has the viewer's own texts.

    A line with an event that cannot be read ends before it in the copy; `faults` tells which.
    """

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self.viewer = viewer
        self.exact = True
        self.faults: dict[str, EventUnreadable] = {}
        self.own: dict[str, str] = {}

    def secret(self, commitment: str) -> str | None:
        """Return what is kept behind a digest, if it is the viewer's own."""
        return self.own.get(commitment)


def seen_by(log: Log, fold: Fold, battle: str, viewer: Viewer, line: str = "") -> Log:
    """Return a battle as a viewer may see it; for the referee that is the log itself.

    With `line` a what-if line that is the viewer's own question, nothing else is in the copy, and of what came before
    it no more than the viewer knew at the point where it leaves, whatever came out later.
    Anything written to the copy is lost with it. Cost: reading the whole record, some ten microseconds an event.
    Raises `BattleUnknown`.
    """
    return log if viewer.kind == "referee" else _Copying(log, fold, battle, viewer, line).copy()


class _Own:
    """A line with its own events; `end` is the last that is copied. None at all are if it does not reach `after`."""

    def __init__(self, log: Log, fold: Fold, line: Line) -> None:
        self.line = line
        self.after = line.after if line.parent is not None else 0
        self.records = list(log.records(line, self.after))
        bodies = [record.body for record in self.records]
        self.fault: EventUnreadable | None = None
        try:
            self.events = fold.catalogue.read_all(bodies, self.after + 1)
        except EventUnreadable as error:
            self.fault = placed(log, line, error)
            del self.records[error.seq - self.after - 1 :]
            self.events = fold.catalogue.read_all(bodies[: len(self.records)], self.after + 1)
        self.end = self.after + len(self.records)
        self.ways: list[Way] = []

    @property
    def kept(self) -> bool:
        """Whether the line is in the copy."""
        return self.end >= max(1, self.after)

    @property
    def asked_by(self) -> str:
        """The seat whose question a what-if line is."""
        first = self.events[0] if self.events else None
        return first.seat if isinstance(first, WhatIfOpened) else self.line.actor

    def orders(self) -> Iterator[tuple[int, Ordered | Declared]]:
        """Go through the orders of the line that are not sealed."""
        for seq, event in enumerate(self.events, self.after + 1):
            if isinstance(event, Ordered | Declared):
                yield seq, event

    def is_opened(self, event: Event, seq: int) -> bool:
        """Whether, on some line that was played, an act has taken the slot of this order in hand after it."""
        slot = slot_of(event)
        return slot is not None and any(seq <= upto and taken.get(slot, 0) > seq for upto, taken in self.ways)


class _Shown(NamedTuple):
    """An event of the copy: where it stood in the record, and what is shown of it."""

    record: Recorded
    event: Event
    changed: bool


class _Copying:
    """Goes over a battle once, line by line, parents first."""

    def __init__(self, log: Log, fold: Fold, battle: str, viewer: Viewer, line: str) -> None:
        self.log, self.battle, self.viewer = log, battle, viewer
        self.lines = {line.name: _Own(log, fold, line) for line in log.lines(battle)}
        self._leave_out_turns()
        self._leave_out_lines()
        self._go_back_to(line)
        self._note_openings()

    def copy(self) -> SeenLog:
        """Make the copy."""
        seen = SeenLog(self.viewer)
        kept = {name: own for name, own in self.lines.items() if own.kept}
        records = list(self._chained({name: self._shown(own) for name, own in kept.items()}))
        hashes = {record.hash for own in self.lines.values() for record in own.records}
        seen.exact = len(records) == len(hashes) and all(record.hash in hashes for record in records)
        seen.restore(self.battle, [own.line for own in kept.values()], records)
        for name, own in kept.items():
            self._keep_texts(seen, own)
            if own.fault is not None and own.end == own.fault.seq - 1:
                seen.faults[name] = own.fault
        return seen

    def way(self, name: str, upto: int) -> Iterator[tuple[int, Event]]:
        """Go through a line from its first event up to one, ancestors' events first."""
        own = self.lines[name]
        if own.line.parent is not None:
            yield from self.way(own.line.parent, min(upto, own.after))
        yield from enumerate(own.events[: max(0, upto - own.after)], own.after + 1)

    # --------------------------------------------------------------------------------------------- what is left out

    def _leave_out_turns(self) -> None:
        """End every line where what is too new for the viewer begins."""
        now = adopted(self.log, self.battle).name
        told = [event for _, event in self.way(now, self.lines[now].end)]
        turn_now = max((event.turn for event in told if isinstance(event, TurnBegan)), default=0)
        if not self.viewer.delay or any(isinstance(event, BattleEnded) for event in told):
            return
        for name, own in self.lines.items():
            turn = 0
            for seq, event in self.way(name, own.end):
                if not in_time(self.viewer, turn, turn_now, ended=False):
                    own.end = seq - 1
                    break
                turn = event.turn if isinstance(event, TurnBegan) else turn

    def _leave_out_lines(self) -> None:
        """Leave out what-if lines of others, but for what a line that was played took over from them."""
        for own in self.lines.values():  # a line whose parent ends before it forks is too new
            parent = self.lines.get(own.line.parent or "")
            if parent is not None and (not parent.kept or parent.end < own.after):
                own.end = 0
        for own in reversed(self.lines.values()):  # forks come before their parents
            if not sees_line(self.viewer, played=own.line.played, seat=own.asked_by):
                forks = [each.after for each in self.lines.values() if each.line.parent == own.line.name and each.kept]
                own.end = min(own.end, max(forks, default=0))

    def _go_back_to(self, name: str) -> None:
        """Leave out all but the way to a what-if line that the viewer has asked for, as if the rest were to come."""
        asked = self.lines.get(name)
        if asked is None or not asked.kept or asked.line.played or asked.asked_by != self.viewer.seat:
            return
        ends = dict.fromkeys(self.lines, 0)
        self._keep_way(asked, asked.end, ends)
        for each, own in self.lines.items():
            own.end = min(own.end, ends[each])

    def _keep_way(self, own: _Own, upto: int, ends: dict[str, int]) -> None:
        """Note how far the lines are kept on which one of them rests; a line that it put right is kept whole."""
        ends[own.line.name] = max(ends[own.line.name], upto)
        if own.line.parent is not None:
            self._keep_way(self.lines[own.line.parent], min(upto, own.after), ends)
        first = own.events[0] if own.events and upto > own.after else None
        if isinstance(first, Corrected):
            old = self.lines[first.of_line]
            self._keep_way(old, old.end, ends)

    def _note_openings(self) -> None:
        """Note, for each line, what the lines that were played took in hand of its orders."""
        for name, own in self.lines.items():
            if not own.kept or not own.line.played:
                continue
            taken: dict[str, int] = {}
            for seq, event in self.way(name, own.end):
                if isinstance(event, ActOpened):
                    taken.update(dict.fromkeys(event.slots, seq))
            upto = own.end
            own.ways.append((upto, taken))
            while own.line.parent is not None:
                upto, own = min(upto, own.after), self.lines[own.line.parent]
                own.ways.append((upto, taken))

    # ----------------------------------------------------------------------------------------------------- copying

    def _shown(self, own: _Own) -> list[_Shown]:
        """Return what is shown of a line's own events."""
        found = []
        mine = not own.line.played and sees_line(self.viewer, played=False, seat=own.asked_by)
        for record, event in zip(own.records[: max(0, own.end - own.after)], own.events, strict=False):
            opened = mine or record.act == _SET_OUT or own.is_opened(event, record.seq)
            seen = redact(self.viewer, event, opened=opened, is_secret=self._secrets_around(own))
            found.append(_Shown(record, seen, seen != event))
        last = own.events[-1] if own.events else None
        if len(found) < len(own.records) and isinstance(last, Superseded) and self.lines[last.by_line].kept:
            seq = own.end + 1  # without it, two lines would seem to be the battle
            found.append(_Shown(replace(own.records[-1], seq=seq, act=seq), last, True))
        return found

    def _secrets_around(self, own: _Own) -> Callable[[int, str], bool]:
        """Return what tells whether an event on the way here is a secret order, or words repeat one."""

        def is_secret(seq: int, words: str) -> bool:
            line: _Own | None = own
            while line is not None:
                for at, event in line.orders():
                    if event.seat == self.viewer.seat or line.is_opened(event, at):
                        continue
                    if at == seq or event.text in words:
                        return True
                line = self.lines.get(line.line.parent or "")
            return False

        return is_secret

    def _chained(self, shown: dict[str, list[_Shown]]) -> Iterator[Recorded]:
        """Chain what is shown anew. What is not changed, and comes after nothing that is, keeps its own hash."""
        hashes: dict[str, dict[int, str]] = {name: {} for name in shown}
        for name, events in shown.items():
            line = self.lines[name].line
            fork = self._hash_at(hashes, line.parent, line.after)
            prev = origin(self.battle) if fork is None else fork
            chain = Chain(line)
            for record, event, changed in events:
                if isinstance(event, Posted) and event.head != self._hash_at(hashes, name, event.seq):
                    event, changed = replace(event, head=""), True
                if changed:
                    record = replace(record, kind=event.kind, body=write(event).decode(), request=None)
                before, filed = prev, (record.kind, record.actor, record.at, record.request)
                prev = chain.link(before, record.seq, record.act, *filed, record.body.encode())
                hashes[name][record.seq] = prev
                yield replace(record, prev=before, hash=prev)

    def _hash_at(self, hashes: dict[str, dict[int, str]], name: str | None, seq: int) -> str | None:
        """Return the hash that an event has in the copy: on a line, or on the one of its ancestors that holds it."""
        while name is not None and seq not in hashes[name]:
            name = self.lines[name].line.parent
        return hashes[name][seq] if name is not None else None

    def _keep_texts(self, seen: SeenLog, own: _Own) -> None:
        """Keep the tables beside the copy, and what the viewer has sealed himself or may read."""
        for record, event in zip(own.records, own.events, strict=True):
            match event:
                case BattleOpened() | EditionAdopted():
                    text = self.log.document(event.tables)
                    if text is not None:
                        seen.keep_document(event.tables, text)
                case NotedPrivately():
                    kept = self.log.secret(event.digest)
                    if kept is not None and self.viewer.seat in readers_of(kept.partition(" ")[2]):
                        seen.own[event.digest] = kept
                case _:
                    digest = may_open(self.viewer, event, record.actor)
                    kept = self.log.secret(digest) if digest else None
                    if kept is not None:
                        seen.own[digest] = kept
