"""A view: one line of a battle as one viewer may see it. Whatever is shown of a battle is read through a view.

A view hands out typed events, states, captions and numbers of events, and takes names of lines, never a `Line`: so what
one viewer's copy gave cannot be used on another copy or on the record. Views of the same battle for the same viewer
share one copy (`View.on`); two views of different copies cannot be compared: `ViewsDiffer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from events.catalogue import EventUnreadable
from events.errors import DiaryError
from events.facts import BattleOpened, Event
from events.store.log import Log
from events.store.record import Line, Recorded
from projections import fold as folds
from projections.battle_state import State
from projections.dice.ledger import Entry, line_ledger, read_ledger
from projections.journal import caption
from projections.scene import Scene
from projections.viewer import THE_REFEREE, Viewer, read_viewer
from replays.lines import (
    LineStanding,
    adopted,
    label,
    opening_of,
    own_start,
    read,
    standings,
    successive,
    superseded_by,
    tables_named,
)
from replays.seek import Frame, common_root, frames, read_on, saved_state, state_at, steps
from replays.seen import SeenLog, seen_by

E = TypeVar("E", bound=Event)
T = TypeVar("T")


class ViewsDiffer(DiaryError, ValueError):
    """Two views that are to be compared do not show the same battle to the same viewer."""

    code = "replay/views-differ"

    def __init__(self, one: View, other: View) -> None:
        super().__init__(
            f"{one.battle} for {one.viewer} and {other.battle} for {other.viewer} are different views: "
            "compare lines of one view"
        )


class _Copy:
    """What the views of one battle for one viewer share: the log that they read, and the record behind it."""

    def __init__(self, record: Log, battle: str, viewer: Viewer, fold: folds.Fold | None, line: str) -> None:
        self.record, self.battle, self.viewer, self._fold = record, battle, viewer, fold
        self.log = record if viewer == THE_REFEREE else seen_by(record, self.fold, battle, viewer, line)

    @property
    def opening(self) -> BattleOpened:
        return opening_of(self.record, self.battle)

    @property
    def fold(self) -> folds.Fold:
        if self._fold is None:
            self._fold = folds.find_fold(self.opening.rule_set)
        return self._fold

    @property
    def exact(self) -> bool:
        return not isinstance(self.log, SeenLog) or self.log.exact


class View:
    """One line of a battle for one viewer. Made by `open_view`; it reads only."""

    def __init__(self, copy: _Copy, line: Line) -> None:
        self._copy, self._line = copy, line
        self._log = copy.log

    # ------------------------------------------------------------------------------------------------ what it is of

    @property
    def battle(self) -> str:
        """The id of the battle."""
        return self._copy.battle

    @property
    def viewer(self) -> Viewer:
        """For whom everything is shown."""
        return self._copy.viewer

    @property
    def opening(self) -> BattleOpened:
        """The first fact of the battle: its title, seats and rule set."""
        return self._copy.opening

    @property
    def fold(self) -> folds.Fold:
        """How the battle's events are folded and told. Raises `RuleSetUnknown` where its package is not installed."""
        return self._copy.fold

    @property
    def name(self) -> str:
        """The name of the line."""
        return self._line.name

    @property
    def played(self) -> bool:
        """Whether the line was played; a what-if line was not."""
        return self._line.played

    @property
    def why(self) -> str:
        """Why the line was opened; empty for the first line of a battle."""
        return self._line.why if self._line.parent is not None else ""

    @property
    def own_after(self) -> int:
        """The event after which the line's own events begin: those up to it belong to its parent."""
        return own_start(self._line)

    @property
    def opened_at(self) -> int:
        """When the line was opened, in µs UTC."""
        return self._line.at

    @property
    def label(self) -> str:
        """What must stand beside everything that is shown of the line: NOT PLAYED, superseded; or empty."""
        return label(self._log, self._line)

    @property
    def mark(self) -> str:
        """The label for a title: `NOT PLAYED`, or empty."""
        return "" if self.played else "NOT PLAYED"

    @property
    def superseded_by(self) -> str:
        """The line that has taken the place of this one, or empty."""
        return superseded_by(self._log, self._line)

    @property
    def exact(self) -> bool:
        """Whether nothing is withheld: all hashes are those of the record."""
        return self._copy.exact

    @property
    def log(self) -> Log:
        """The log that is read, for what concerns a battle as a whole, such as its chain or its dice."""
        return self._log

    # ------------------------------------------------------------------------------------------------ other lines

    def on(self, line: str) -> View:
        """Return the same view of another line. Raises `LineUnknown`; a line that the viewer may not see is unknown."""
        return View(self._copy, self._log.line(self.battle, line))

    def now(self) -> View:
        """Return the same view of the line that is the battle now."""
        return View(self._copy, adopted(self._log, self.battle))

    def successive(self) -> list[View]:
        """Return views of the lines that were the battle one after another; the last one is the battle now."""
        return [View(self._copy, line) for line in successive(self._log, self.battle)]

    def lines(self) -> list[View]:
        """Return views of all lines that the viewer may see, oldest first."""
        return [View(self._copy, line) for line in self._log.lines(self.battle)]

    def standings(self) -> list[LineStanding]:
        """Return what became of each line that the viewer may see, oldest first."""
        return standings(self._log, self.battle)

    def root(self, other: View) -> int:
        """Return the last event that this line shares with another. Raises `ViewsDiffer`."""
        if self._copy is not other._copy:
            raise ViewsDiffer(self, other)
        return common_root(self._log, self._line, other._line)

    def seen_by(self, viewer: Viewer) -> View:
        """Return what another viewer may see of the battle as it is now. For the referee's view alone: ValueError."""
        if self.viewer != THE_REFEREE:
            raise ValueError(f"a view for {self.viewer} cannot show what others see")
        return open_view(self._log, self.battle, viewer=viewer, fold=self._copy.fold)

    # ------------------------------------------------------------------------------------------------ its events

    @property
    def head(self) -> int:
        """The last event of the line."""
        return self._log.head(self._line).seq

    @property
    def head_hash(self) -> str:
        """The hash of the last event in this copy."""
        return self._log.head(self._line).hash

    def records(self, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Go through the events as they stand in the copy: `after < seq <= upto`."""
        return self._log.records(self._line, after, upto)

    def record(self, seq: int) -> Recorded:
        """Return one event of the line; `seq` is from 1 to `head`."""
        return next(self.records(seq - 1, seq))

    def events(self, *types: type[E], after: int = 0, upto: int | None = None) -> Iterator[tuple[Recorded, E]]:
        """Go through the facts of some types that every battle shares, without folding. Raises `EventUnreadable`."""
        kinds = {each.kind for each in types}
        for record in self.records(after, upto):
            if record.kind in kinds and isinstance(event := read(record), types):
                yield record, event

    def frames(self, after: int = 0, upto: int | None = None) -> Iterator[Frame]:
        """Go through the events with the states around them. Raises `EventUnreadable` after those before it."""
        return steps(self._log, self.fold, self._line, after, upto)

    def frames_from(self, state: State, after: int, upto: int | None = None) -> Iterator[Frame]:
        """Go on as `frames` does from a state that is known, that after event `after`."""
        return frames(self._log, self.fold, self._line, state, after, upto)

    def state_at(self, seq: int) -> State:
        """Return the state after an event (0: before the first). Raises `EventUnreadable`."""
        return state_at(self._log, self.fold, self._line, seq)

    def saved_state(self, seq: int) -> tuple[int, State]:
        """Return the latest saved state at or before an event, with its event: (0, the start) if there is none."""
        return saved_state(self._log, self.fold, self._line, seq)

    def read_on(self, state: State, after: int, upto: int) -> State:
        """Return the state after event `upto`, folded on that after event `after`. Raises `EventUnreadable`."""
        return read_on(self._log, self.fold, self._line, state, after, upto)

    def fault(self) -> EventUnreadable | None:
        """Return what keeps the line from being read up to its head; None if nothing does."""
        try:
            self.state_at(self.head)
        except EventUnreadable as error:
            return error
        return self._log.faults.get(self.name) if isinstance(self._log, SeenLog) else None

    @property
    def readable(self) -> int:
        """The last event up to which the line can be read: the head, or the one before the first fault."""
        fault = self.fault()
        return self.head if fault is None else min(self.head, fault.seq - 1)

    @property
    def last_state(self) -> State:
        """The state at the end, as far as the line can be read."""
        return self.state_at(self.readable)

    def caption(self, frame: Frame) -> str:
        """Tell an event in one line. Raises `EventUnreadable`."""
        return self.shown(frame, lambda: caption(self.fold, frame.event, frame.before))

    def picture(self, seq: int) -> str:
        """Draw the field after an event as text. Raises `EventUnreadable`."""
        return self._drawn(seq, self.fold.picture)

    def scene(self, seq: int) -> Scene | None:
        """Return how the field looks after an event; None where the rule set draws none. Raises `EventUnreadable`."""
        return self._drawn(seq, self.fold.scene) if self.fold.scene is not None else None

    def _drawn(self, seq: int, draw: Callable[[State], T]) -> T:
        state = self.state_at(seq)
        for frame in self.frames(seq - 1, seq):
            return self.shown(frame, lambda: draw(state))
        return draw(state)

    def shown(self, frame: Frame, make: Callable[[], T]) -> T:
        """Return what is made of a frame to be shown.

        A record that was forged may hold facts that can be folded and not shown. Raises `EventUnreadable` for them.
        """
        try:
            return make()
        except DiaryError:
            raise
        except Exception as error:  # a caption or a picture that meets a forged fact may raise anything
            raise folds.misfit(frame.before, frame.event, frame.record.seq, error) from error

    # ------------------------------------------------------------------------------------------------ beside them

    def proven_hash(self, seq: int) -> str:
        """Return the hash of an event if it is the one that the record has; empty where something was withheld."""
        mine = self.record(seq).hash
        if self._log is self._copy.record:
            return mine
        line = self._copy.record.line(self.battle, self.name)
        return mine if next(self._copy.record.records(line, seq - 1, seq)).hash == mine else ""

    def secret(self, digest: str) -> str | None:
        """Return the text behind a digest, if this viewer may read it and it is in the file."""
        return self._log.secret(digest)

    def rolls(self) -> tuple[Entry, ...]:
        """Return the rolls that led to where the line stands, in order. Cost: that of `all_rolls`."""
        return line_ledger(self._log, self._line)

    def all_rolls(self) -> tuple[Entry, ...]:
        """Return every roll of the battle on any line that the viewer may see (`projections.dice.ledger`)."""
        return read_ledger(self._log, self.battle)

    def document(self, digest: str) -> str | None:
        """Return a text that is kept beside the battle, such as its rule tables."""
        return self._log.document(digest)

    def way(self) -> tuple[Line, ...]:
        """Return the lines on which this one rests, oldest first, and the line itself, as an export states them."""
        found = [self._line]
        while found[-1].parent is not None:
            found.append(self._log.line(self.battle, found[-1].parent))
        return tuple(reversed(found))

    def tables(self) -> list[str]:
        """Return the digests of all rule tables that the battle was ever fought by. O(events)."""
        return tables_named(self._log, self.battle)


def open_view(
    log: Log, battle: str, line: str = "", viewer: Viewer | str = THE_REFEREE, fold: folds.Fold | None = None
) -> View:
    """Open a view of a battle: of `line`, or without one of the line that is the battle now, as the viewer sees it.

    `viewer` as text is read as `projections.viewer.read_viewer` does; empty is the referee. On a what-if line of their
    own a viewer sees what they knew where it leaves. `fold` is found by the battle's rule set if it is not given.
    Raises `BattleUnknown`, `LineUnknown`, `ViewerUnknown`, `RecordBroken`, `RuleSetUnknown`.

    >>> from events.facts import BattleOpened, Seat
    >>> from events.store.memory import MemoryLog
    >>> from events.store.record import Draft
    >>> opened = BattleOpened("At the ford", "dresda", "1", (Seat("men", "Men"), Seat("orcs", "Orcs")), "")
    >>> log = MemoryLog()
    >>> _ = log.begin("ford", [Draft(opened, "referee")], 0)
    >>> view = open_view(log, "ford", viewer="men")
    >>> view.head, view.state_at(view.head).table.title, [view.caption(frame) for frame in view.frames()]
    (1, 'At the ford', ['At the ford: Men against Orcs, by dresda edition 1'])
    """
    if isinstance(viewer, str):
        seats = [seat.id for seat in opening_of(log, battle).seats]
        viewer = read_viewer(viewer, seats) if viewer else THE_REFEREE
    copy = _Copy(log, battle, viewer, fold, line)
    return View(copy, copy.log.line(battle, line) if line else adopted(copy.log, battle))


def view_line(log: Log, fold: folds.Fold, line: Line) -> View:
    """Return the referee's view of a line that was got from this log, as whoever plays the battle has it."""
    return View(_Copy(log, line.battle, THE_REFEREE, fold, ""), line)
