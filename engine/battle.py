"""A line of a battle at its head: its state, its tables, and the steps that can be built on it. Records nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.clock import now
from engine.dice.reused import Memory, ReusedDice, recall
from engine.driver import Source
from engine.errors import BattleClosed, CorrectionRefused, SeatUnknown
from engine.rules.editions import in_force
from engine.rules.errors import EditionMissing
from engine.rules.rule_set import RuleSet, Situation
from engine.step import StepBuilder
from events.corrections import Corrected
from events.store.log import MAIN, Log
from projections.battle_state import REFEREE, State
from projections.fold import Fold
from replays.seek import state_at
from replays.view import View, view_line

SNAPSHOT_EVERY = 256
"""A snapshot every so many events: the farthest that a seek has to fold."""


class Battle:
    """One line of a battle, as it stands. Commands that change it go to `engine.door.Door`.

    `snapshot_at` is the event of the last snapshot that is known of.
    """

    def __init__(self, log: Log, battle: str, rules: RuleSet, line: str = MAIN, clock: Callable[[], int] = now) -> None:
        self.log = log
        self.rules = rules
        self.fold: Fold = rules.fold()
        self.line = log.line(battle, line)
        self.clock = clock
        self.seq = 0
        self.state: State = self.fold.start
        self._tables: tuple[str, Any] = ("", None)
        self.snapshot_at = 0
        self._memory: tuple[Corrected, Memory] | None = None
        self.refresh()

    # ---------------------------------------------------------------------------------------------------- looking

    def refresh(self) -> None:
        """Come up to the head of the line."""
        head = self.log.head(self.line).seq
        if not self.seq:
            self.state, self.seq = state_at(self.log, self.fold, self.line, head), head
            snapshot = self.log.snapshot(self.line, head, self.fold.fingerprint)
            self.snapshot_at = snapshot.seq if snapshot is not None else 0
        elif head != self.seq:
            self.state, self.seq = self.view.read_on(self.state, self.seq, head), head
        self.rules = in_force(self.rules, self.state.table.edition)

    @property
    def view(self) -> View:
        """The referee's view of this line."""
        return view_line(self.log, self.fold, self.line)

    def state_at(self, seq: int) -> State:
        """Return the state after an event of this line."""
        return state_at(self.log, self.fold, self.line, seq)

    def situation(self) -> Situation[Any, Any]:
        """Return what the rules see now."""
        return Situation(self.state, self.tables)

    @property
    def tables(self) -> Any:
        """The rule tables in force: those it opened with, or that a ruling adopted since. Raises `BattleClosed`."""
        return self.tables_of(self.state)

    def tables_of(self, state: State) -> Any:
        """Return the rule tables that were in force in a state of this battle. Raises `BattleClosed`."""
        digest = state.table.tables
        if self._tables[0] != digest:
            text = self.log.document(digest)
            if text is None:
                raise BattleClosed(f"the rule tables {digest[:12]}… of this battle are not in this file")
            rules = in_force(self.rules, state.table.edition)
            self._tables = (digest, rules.restore_tables(text))
        return self._tables[1]

    # ---------------------------------------------------------------------------------------------------- steps

    def begin_step(self, now: int = 0) -> StepBuilder:
        """Return a step on top of the state as it was last read, to be built at time `now`. Nothing is recorded."""
        step = StepBuilder(self.log, self.line, self.rules, self.situation(), self.seq, now=now)
        step.source = self._remembering(step.source)
        return step

    def move_to(self, state: State, seq: int) -> None:
        """Take over the state after an event that has just been recorded."""
        self.state, self.seq = state, seq

    def next_act(self) -> str:
        """Return the act that comes next as far as this object has looked, or an empty text."""
        table = self.state.table
        idle = not (table.waiting or table.ended or table.superseded_by or table.unknown)
        return self.rules.next_act(self.situation()) if idle and table.edition == self.rules.edition else ""

    # ---------------------------------------------------------------------------------------------------- refusing

    def check_seat(self, seat: str) -> None:
        """Raise `SeatUnknown` if nobody of that name sits at this table."""
        seats = [each.id for each in self.state.table.seats]
        if seat != REFEREE and seat not in seats:
            raise SeatUnknown(f"no seat {seat!r} at this table: there are {', '.join([*seats, REFEREE])}")

    def check_event(self, seq: int) -> None:
        """Raise `CorrectionRefused` if the line has no such event."""
        if not 0 < seq <= self.seq:
            raise CorrectionRefused(f"there is no event {seq}: line {self.line.name} ends at {self.seq}")

    def _remembering(self, source: Source) -> Source:
        """On a line that puts another right, rolls that are called again show the faces that they showed there."""
        corrected = self.state.table.corrected
        if corrected is None:
            return source
        return ReusedDice(lambda: self._recalled(corrected), source)

    def _recalled(self, corrected: Corrected) -> Memory:
        """Return what a correction keeps, read when it is first asked for. Cost: the stretch that it replaced."""
        if self._memory is None or self._memory[0] != corrected:
            self._memory = corrected, recall(self.log, self.fold, self.line.battle, corrected)
        return self._memory[1]

    def refuse_closed(self, *, any_edition: bool = False) -> None:
        """Raise `BattleClosed` or `EditionMissing` if nothing can be recorded on this line here."""
        table = self.state.table
        if table.edition != self.rules.edition and not any_edition:
            raise EditionMissing(self.line.battle, self.rules.name, table.edition, self.rules.edition)
        if table.superseded_by:
            raise BattleClosed(f"line {self.line.name} was superseded by {table.superseded_by}: go on there")
        if table.unknown:
            raise BattleClosed(
                f"the record holds events of unknown types ({', '.join(table.unknown)}), made by a newer "
                "version: it can be read and exported, but not continued here"
            )
