"""A table for tests: a scenario built in a few words, orders given as text, dice put down by hand.

Everything goes through the ordinary path: a scenario is set out, a `Battle` takes orders and resolves, dice are entered
for the keys that are waited for, questions are answered as a referee would.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from engine.orders.errors import OrderNotAllowed, SheetRefused
from engine.rules.dresda import rules
from engine.rules.rule_set import Scenario
from events.facts import Event, RollCalled, RulingRequested
from events.store.memory import MemoryLog
from projections.dice.rolls import dice_of
from projections.dresda.state import Battlefield, Figure
from tests.table import Table, open_battle

E = TypeVar("E", bound=Event)

SEATS = {"red": "Red", "blue": "Blue"}
MISS, STEADY = 100, 10
"""What dice show unless a test says otherwise: a d100 that misses, a D10 that gives draws and steady men."""


def fig(side: str, race: str, x: object, y: object, **more: Any) -> dict[str, Any]:
    """Return the scenario's table of a figure at a place in cm."""
    return {"side": side, "race": race, "place": [in_cm(x), in_cm(y)], "status": "regular", **more}


def in_cm(length: object) -> object:
    """Return a length as a scenario file has it: a decimal fraction is exact there."""
    return Decimal(str(length)) if isinstance(length, float) else length


def area(name: str, row: str, *corners: Sequence[int], **more: Any) -> dict[str, Any]:
    """Return the scenario's table of an area."""
    return {"id": name, "row": row, "outline": [list(corner) for corner in corners], **more}


def box(name: str, row: str, west: int, south: int, east: int, north: int, **more: Any) -> dict[str, Any]:
    """Return the scenario's table of a rectangular area."""
    return area(name, row, (west, south), (east, south), (east, north), (west, north), **more)


class TableTop:
    """A battle that is waiting for the first orders of turn 1."""

    def __init__(
        self,
        figures: Mapping[str, dict[str, Any]],
        *,
        options: Mapping[str, str] | None = None,
        referee: str = "present",
        tables: Path | None = None,
        field: Mapping[str, Any] | None = None,
        by_hand: bool = True,
        **parts: Any,
    ) -> None:
        seats = parts.pop("seats", SEATS)
        sides = parts.pop("sides", {"red": {"edge": "south"}, "blue": {"edge": "north"}})
        laid = {"width": 200, "depth": 200, **(field or {})}
        rest = {"field": laid, "sides": sides, "figures": dict(figures), **parts}
        hands = tuple(seats) if by_hand else ()
        scenario = Scenario("A test", "dresda", seats, dict(options or {}), hands, referee, rest)
        ticks = itertools.count(1_700_000_000_000_000)
        log = MemoryLog()
        open_battle(log, "b", scenario, tables_folder=tables, clock=lambda: next(ticks))
        self.battle = Table(log, "b", rules(), clock=lambda: next(ticks))

    @property
    def state(self) -> Battlefield:
        """The battle as it stands."""
        state = self.battle.state
        assert isinstance(state, Battlefield)
        return state

    def __getitem__(self, figure: str) -> Figure:
        return self.state.figures[figure]

    # ------------------------------------------------------------------------------------------------- playing

    def say(self, *lines: str) -> None:
        """Give orders, as the referee may for everybody."""
        self.battle.order("referee", "\n".join(lines))

    def refused(self, *lines: str) -> list[str]:
        """Give orders that are not allowed; return the ids of the rules that say so. Nothing is recorded."""
        before = self.battle.seq
        try:
            self.say(*lines)
        except SheetRefused as refused:
            assert self.battle.log.head(self.battle.line).seq == before
            return [each.rule for each in refused.problems if isinstance(each, OrderNotAllowed)]
        raise AssertionError("the orders were taken")

    def next(self, dice: Mapping[str, int] | None = None, rulings: Mapping[str, str] | None = None) -> None:
        """Resolve up to the next point where orders are wanted.

        `dice` maps a part of a key to the face that falls; `rulings` a part of a key to the referee's answer, else the
        default is given. Entries that are waited for longest match first.
        """
        self.battle.proceed()
        self.settle(dice or {}, rulings or {})

    def settle(self, dice: Mapping[str, int], rulings: Mapping[str, str]) -> None:
        """Answer all that is waited for."""
        while self.state.table.waiting:
            for key, question in sorted(self.state.table.asked.items()):
                self.battle.rule(key, _found(rulings, key, question.default))
            for key, call in sorted(self.state.table.called.items()):
                ((_, sides),) = dice_of(call.dice).faces()
                self.battle.roll({key: (_found(dice, key, MISS if sides == MISS else STEADY),)})

    def until(
        self, phase: str, dice: Mapping[str, int] | None = None, rulings: Mapping[str, str] | None = None
    ) -> None:
        """Resolve until orders of a phase are wanted: declare (of the next turn), move or missile."""
        self.next(dice, rulings)
        while self.state.phase != phase and not self.state.table.ended:
            self.next(dice, rulings)

    def turn(self, dice: Mapping[str, int] | None = None, rulings: Mapping[str, str] | None = None) -> None:
        """Resolve to the first orders of the next turn."""
        self.until("declare", dice, rulings)

    # ------------------------------------------------------------------------------------------------- looking

    def facts(self, kind: type[E]) -> list[E]:
        """Return every recorded fact of a type, oldest first."""
        read = self.battle.fold.catalogue.read
        records = self.battle.log.records(self.battle.line)
        return [event for event in (read(each.body, each.seq) for each in records) if isinstance(event, kind)]

    def call(self, part: str) -> RollCalled:
        """Return the one roll that was called for with this in its key."""
        (found,) = [each for each in self.facts(RollCalled) if part in each.key]
        return found

    def calls(self, part: str) -> list[str]:
        """Return the keys of all rolls with this in their key."""
        return [each.key for each in self.facts(RollCalled) if part in each.key]

    def asked(self, rule: str) -> list[RulingRequested]:
        """Return the questions that were put under a rule."""
        return [each for each in self.facts(RulingRequested) if each.rule == rule]


def _found(wanted: Mapping[str, Any], key: str, default: Any) -> Any:
    """What a test says for a key: by the longest part that the key holds."""
    parts = [part for part in wanted if part in key]
    return wanted[max(parts, key=len)] if parts else default
