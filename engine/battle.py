"""A battle that is being run: orders in, acts resolved, every step recorded whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from engine.clock import now
from engine.dice.reused import Memory, ReusedDice, recall
from engine.driver import Source
from engine.errors import BattleClosed, CorrectionRefused, DeadlineRefused, SeatUnknown
from engine.rules.editions import in_force
from engine.rules.errors import EditionMissing
from engine.rules.rule_set import RuleSet, Situation
from engine.step import Faces, StepBuilder
from events.corrections import Corrected, Stood
from events.facts import Bookmarked, Event, NonceAdded, Noted
from events.store.errors import Conflict, NameTaken
from events.store.log import MAIN, Log
from events.store.record import Appended, Request, Snapshot
from projections.battle_state import REFEREE, State
from projections.fold import Fold
from replays.points import is_point
from replays.resolved import refusal, resolution_of
from replays.seek import state_at
from replays.view import View, view_line

SNAPSHOT_EVERY = 256
"""A snapshot every so many events: the farthest that a seek has to fold."""

_TRIES = 50
"""How often a step without an expected head is worked out anew when others write first."""


class Battle:
    """One line of a battle at the table.

    Every method that changes something takes `expected` (the seq the caller saw: `Conflict` if the line has moved on;
    without it the step is worked out anew on the new head) and `request` (a key that makes repeating harmless).
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
        self._snapshot_at = 0
        self._memory: tuple[Corrected, Memory] | None = None
        self.refresh()

    # ---------------------------------------------------------------------------------------------------- looking

    def refresh(self) -> None:
        """Come up to the head of the line."""
        head = self.log.head(self.line).seq
        if not self.seq:
            self.state, self.seq = state_at(self.log, self.fold, self.line, head), head
            snapshot = self.log.snapshot(self.line, head, self.fold.fingerprint)
            self._snapshot_at = snapshot.seq if snapshot is not None else 0
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

    # ---------------------------------------------------------------------------------------------------- acting

    def order(self, seat: str, text: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Take one or more orders from a seat, a line each; all of them or none.

        Raises `SheetRefused` with every problem found (unreadable, ambiguous, or not allowed with the rule's id),
        `SeatUnknown`, `BattleOver`, `Conflict`, `RequestReused`.
        """
        self.check_seat(seat)
        return self.step(f"order {seat}\n{text}", lambda step: step.orders(seat, text), expected, request)

    def proceed(
        self, *, by_hand: Sequence[str] = (), act: str = "", expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Close the orders and resolve up to the next point where a person must act.

        `by_hand` names seats that enter their dice in this act. `act` is the one that is meant; without it, the one
        that came next when this object last looked. Raises `AlreadyResolved` if somebody else was first,
        `InputPending`,        `BattleOver`, `Conflict`, `DeadlineRefused` if another act than `act` comes next.
        """
        for seat in by_hand:
            self.check_seat(seat)
        seen = 0 if act else self.seq
        meant = act or self._next_act()

        def make(step: StepBuilder) -> None:
            due = "" if step.table.waiting or step.table.ended else step.rules.next_act(step.situation)
            if meant and due != meant:
                if (found := resolution_of(self.view, meant, seen)) is not None:
                    raise refusal(found)
                if act:
                    raise DeadlineRefused(f"the battle does not stand before {act}" + (due and f", but before {due}"))
            step.proceed(by_hand)

        return self.step(f"proceed {' '.join(by_hand)}", make, expected, request)

    def _next_act(self) -> str:
        """Return the act that comes next as far as this object has looked, or an empty text."""
        table = self.state.table
        idle = not (table.waiting or table.ended or table.superseded_by or table.unknown)
        return self.rules.next_act(self.situation()) if idle and table.edition == self.rules.edition else ""

    def roll(
        self, dice: Mapping[str, Faces], *, seat: str = REFEREE, expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Answer rolls that are waited for: faces that fell on a table, or None to let the engine draw.

        Raises `NothingPending`, `NotationError` (wrong number of dice, impossible face), `NotAuthorized`, `Conflict`.
        """
        self.check_seat(seat)
        content = f"roll {seat} {sorted((key, faces) for key, faces in dice.items())}"
        return self.step(content, lambda step: step.roll(seat, dice), expected, request)

    def rule(
        self, key: str, answer: str, why: str = "", *, expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Answer a question of the rules. Raises `NothingPending`, `AnswerRefused`, `Conflict`."""
        content = f"rule {key}\n{answer}\n{why}"
        return self.step(content, lambda step: step.rule(key, answer, why), expected, request)

    def state_fact(self, text: str, why: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Let the referee set a fact, here and now. Raises `OrderError`, `InputPending`, `Conflict`."""
        return self.step(f"fact {text}\n{why}", lambda step: step.state_fact(text, why), expected, request)

    def stand(
        self, seat: str, about: int, why: str, *, expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Let a mistake stand: nothing is played again, the ruling is noted. Raises `CorrectionRefused`."""
        self.check_event(about)
        return self.step(f"stand {about}\n{why}", lambda step: step.add(Stood(about, why), seat), expected, request)

    def say(self, seat: str, content: str, event: Event, *, request: str | None = None) -> Appended:
        """Record one fact of a seat that changes nothing on the field, such as a request or a bookmark."""
        self.check_seat(seat)
        return self.step(content, lambda step: step.add(event, seat), None, request)

    def bookmark(self, seat: str, name: str, seq: int, *, request: str | None = None) -> Appended:
        """Give a point of the battle a name. Raises `NameTaken` for one that reads like another point."""
        if is_point(name):
            raise NameTaken("point", name)
        return self.say(seat, f"bookmark {name} {seq}", Bookmarked(name, seq), request=request)

    def note(self, seat: str, text: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Put words beside the record."""
        self.check_seat(seat)
        said = Noted(text)
        return self.step(f"note {text}", lambda step: step.add(said, seat), expected, request, any_edition=True)

    def seed(self, seat: str, nonce: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Stir a seat's own text into every later roll. Raises `InputPending` while dice are waited for."""
        self.check_seat(seat)

        def add(step: StepBuilder) -> None:
            step.refuse_waiting()
            step.add(NonceAdded(seat, nonce), seat)

        return self.step(f"stir {nonce}", add, expected, request)

    # ---------------------------------------------------------------------------------------------------- steps

    def step(
        self,
        content: str,
        make: Callable[[StepBuilder], None],
        expected: int | None,
        request: str | None,
        *,
        any_edition: bool = False,
    ) -> Appended:
        """Work a step out and record it. Whatever `make` raises, nothing is recorded.

        `content` tells what is asked, so that a request key met again can be told from one that is used twice.
        `any_edition` is for what needs no rules: a note, and the ruling that adopts another edition.
        """
        key = Request(request, sha256(content.encode()).hexdigest()) if request else None
        if key is not None and (known := self.log.answer(self.line.battle, key)) is not None:
            return known
        for attempt in range(_TRIES):
            self.refresh()
            if expected is not None and expected != self.seq:
                between = tuple(self.log.records(self.line, expected, self.seq))
                raise Conflict(self.line.battle, self.line.name, expected, self.seq, between)
            self.refuse_closed(any_edition=any_edition)
            step = StepBuilder(self.log, self.line, self.rules, self.situation(), self.seq)
            step.source = self._remembering(step.source)
            make(step)
            try:
                done = self.log.append(self.line, step.drafts, self.seq, self.clock(), key, "\n".join(step.secrets))
            except Conflict:
                if expected is not None or attempt == _TRIES - 1:
                    raise
                continue
            if not done.repeated:
                self.state, self.seq = step.situation.state, done.last
                self._keep_snapshot(done)
            return done
        raise AssertionError("unreachable: the last try raises")

    def _keep_snapshot(self, done: Appended) -> None:
        if done.last - self._snapshot_at >= SNAPSHOT_EVERY:
            self._snapshot_at = done.last
            saved = self.fold.save_snapshot(self.state)
            self.log.save_snapshot(self.line, Snapshot(done.last, done.hash, self.fold.fingerprint, saved))

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
            raise BattleClosed(f"line {self.line.name} was put right by {table.superseded_by}: go on there")
        if table.unknown:
            raise BattleClosed(
                f"the record holds events of unknown types ({', '.join(table.unknown)}), made by a newer "
                "version: it can be read and exported, but not continued here"
            )
