"""A battle that is being run: orders in, acts resolved, every step recorded whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from secrets import token_hex
from typing import Any

from engine.clock import now
from engine.dice.source import Drawn, new_commitment
from engine.driver import Source, Walk, entries
from engine.orders import AnyOrder, given_by, read_sheet, write_order
from engine.rules.rule_set import RuleSet, Situation
from events.errors import (
    AnswerRefused,
    BattleClosed,
    BattleOver,
    BattleWaits,
    Conflict,
    NothingWaits,
    NotYours,
    OrderError,
    OrderNotAllowed,
    SeatUnknown,
    SheetRefused,
)
from events.facts import (
    ActOpened,
    Declared,
    DiceRolled,
    Event,
    NonceAdded,
    Noted,
    Ordered,
    Revealed,
    RulingGiven,
    Sealed,
)
from events.log import MAIN, Log
from events.record import Appended, Draft, Request, Snapshot
from events.seals import seal_of
from projections.fold import Fold
from projections.rolls import read_roll
from projections.table import ENGINE, REFEREE, StandingOrder, State
from replays.seek import state_at

SNAPSHOT_EVERY = 256
_TRIES = 50
"""How often a step without an expected head is worked out anew when others write first."""

Faces = Sequence[int] | None


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
        self.refresh()

    # ---------------------------------------------------------------------------------------------------- looking

    def refresh(self) -> None:
        """Come up to the head of the line."""
        head = self.log.head(self.line).seq
        if head == self.seq:
            return
        if self.seq:
            for page in self.log.bodies(self.line, self.seq, head):
                self.state = self.fold.advance(self.state, self.fold.catalogue.read_all(page, self.seq + 1))
                self.seq += len(page)
        else:
            self.state, self.seq = state_at(self.log, self.fold, self.line, head), head
            self._snapshot_at = head

    def situation(self) -> Situation[Any, Any]:
        """Return what the rules see now."""
        return Situation(self.state, self.tables)

    @property
    def tables(self) -> Any:
        """The rule tables that this battle opened with. Raises `BattleClosed` if their text is not here."""
        digest = self.state.table.tables
        if self._tables[0] != digest:
            text = self.log.document(digest)
            if text is None:
                raise BattleClosed(f"the rule tables {digest[:12]}… of this battle are not in this file")
            self._tables = (digest, self.rules.restore_tables(text))
        return self._tables[1]

    # ---------------------------------------------------------------------------------------------------- acting

    def order(self, seat: str, text: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Take one or more orders from a seat, a line each; all of them or none.

        Raises `SheetRefused` with every problem found (unreadable, ambiguous, or not allowed with the rule's id),
        `SeatUnknown`, `BattleOver`, `Conflict`, `RequestReused`.
        """
        self._check_seat(seat)
        return self._step(
            seat, f"order {seat}\n{text}", lambda step: self._take_orders(step, seat, text), expected, request
        )

    def proceed(
        self, *, by_hand: Sequence[str] = (), expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Close the orders and resolve up to the next point where a person must act.

        `by_hand` names seats that enter their dice in this act. Raises `BattleWaits`, `BattleOver`, `Conflict`.
        """
        for seat in by_hand:
            self._check_seat(seat)
        return self._step(
            ENGINE, f"proceed {' '.join(by_hand)}", lambda step: self._proceed(step, by_hand), expected, request
        )

    def roll(
        self, dice: Mapping[str, Faces], *, seat: str = REFEREE, expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Answer rolls that are waited for: faces that fell on a table, or None to let the engine draw.

        Raises `NothingWaits`, `NotationError` (wrong number of dice, impossible face), `NotYours`, `Conflict`.
        """
        self._check_seat(seat)
        content = f"roll {seat} {sorted((key, faces) for key, faces in dice.items())}"
        return self._step(seat, content, lambda step: self._roll(step, seat, dice), expected, request)

    def rule(
        self, key: str, answer: str, why: str = "", *, expected: int | None = None, request: str | None = None
    ) -> Appended:
        """Answer a question that the rules leave to the referee. Raises `NothingWaits`, `AnswerRefused`, `Conflict`."""
        content = f"rule {key}\n{answer}\n{why}"
        return self._step(REFEREE, content, lambda step: self._rule(step, key, answer, why), expected, request)

    def note(self, seat: str, text: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Put words beside the record."""
        self._check_seat(seat)
        return self._step(seat, f"note {text}", lambda step: step.add(Noted(text), seat), expected, request)

    def stir(self, seat: str, nonce: str, *, expected: int | None = None, request: str | None = None) -> Appended:
        """Stir a seat's own text into every later roll. Raises `BattleWaits` while dice are waited for."""
        self._check_seat(seat)

        def add(step: Step) -> None:
            self._refuse_waiting(step.situation.state)
            step.add(NonceAdded(seat, nonce), seat)

        return self._step(seat, f"stir {nonce}", add, expected, request)

    # ---------------------------------------------------------------------------------------------------- steps

    def _step(
        self, actor: str, content: str, make: Callable[[Step], None], expected: int | None, request: str | None
    ) -> Appended:  # fmt: skip
        """Work a step out and record it. Whatever `make` raises, nothing is recorded."""
        key = Request(request, sha256(content.encode()).hexdigest()) if request else None
        if key is not None and (known := self.log.answer(self.line.battle, key)) is not None:
            return known
        for attempt in range(_TRIES):
            self.refresh()
            if expected is not None and expected != self.seq:
                between = tuple(self.log.records(self.line, expected, self.seq))
                raise Conflict(self.line.battle, self.line.name, expected, self.seq, between)
            self._refuse_unknown()
            step = Step(self)
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
            saved = self.fold.save(self.state)
            self.log.shelve(self.line, Snapshot(done.last, done.hash, self.fold.fingerprint, saved))

    def _take_orders(self, step: Step, seat: str, text: str) -> None:
        self._refuse_over(step.situation.state)
        sheet = read_sheet(text, self.rules.grammar, self.rules.vocabulary(step.situation))
        if not sheet:
            raise OrderError("the sheet holds no order: write one a line, such as NAME: VERB …")
        problems: list[OrderError] = []
        lines = text.splitlines()
        for numbered in sheet:
            try:
                self._take_order(step, seat, numbered.order)
            except OrderError as error:
                source = lines[numbered.line - 1].strip() if numbered.line <= len(lines) else ""
                problems.append(error.placed(numbered.line, source))
        if problems:
            raise SheetRefused(problems)

    def _take_order(self, step: Step, seat: str, order: AnyOrder) -> None:
        rules, situation = self.rules, step.situation
        piece = given_by(order)
        owner = rules.owner(situation, piece)
        if seat not in (owner, REFEREE):
            raise OrderNotAllowed(f"{piece} takes orders from {owner}, not from {seat}", "table")
        objections = rules.objections(situation, order)
        if objections:
            raise OrderNotAllowed("; ".join(each.reason for each in objections), objections[0].rule)
        placing = rules.place(situation, order)
        text = write_order(order)
        if placing.sealed:
            step.add(self._sealed(step, StandingOrder(owner, piece, placing.slot, text)), seat)
        else:
            made = Declared if placing.declaration else Ordered
            step.add(made(owner, piece, placing.slot, text), seat)
        if placing.at_once:
            self._refuse_waiting(situation.state)
            self._open_act(step, placing.at_once, (), act=step.seq)
            self._follow(step)

    def _sealed(self, step: Step, order: StandingOrder) -> Sealed:
        """Put an order's text with a fresh salt into the vault; return the fact that shows its digest alone."""
        salt = token_hex(16)
        digest = seal_of(salt, order.text)
        step.secrets.append(f"{digest}:{salt} {order.text}")
        return Sealed(order.seat, order.piece, order.slot, digest)

    def _reveal(self, step: Step, slots: Sequence[str]) -> None:
        """Open the sealed orders of these slots, sorted by piece. Raises `BattleClosed` if their text is not here."""
        sealed = [order for order in step.situation.state.table.orders if order.digest and order.slot in slots]
        for order in sorted(sealed, key=lambda each: (each.slot, each.piece)):
            kept = step.unlock(order.digest) or self.log.secret(order.digest)
            if kept is None:
                raise BattleClosed(f"the sealed order of {order.piece} is not in this file: it cannot be opened here")
            salt, _, text = kept.partition(" ")
            if seal_of(salt, text) != order.digest:
                raise BattleClosed(f"what is kept for {order.piece} does not match its receipt {order.digest}")
            step.add(Revealed(order.seat, order.piece, order.slot, text, salt, order.digest), ENGINE)

    def _proceed(self, step: Step, by_hand: Sequence[str]) -> None:
        self._refuse_over(step.situation.state)
        self._refuse_waiting(step.situation.state)
        name = self.rules.next_act(step.situation)
        if not name:
            raise BattleOver("there is nothing left to resolve")
        self._open_act(step, name, by_hand)
        self._follow(step)

    def _follow(self, step: Step) -> None:
        """Go on with what follows by itself, until a person must act."""
        while not step.situation.state.table.waiting and not step.situation.state.table.ended:
            name = self.rules.follows(step.situation)
            if not name:
                return
            act = step.situation.state.table.act
            self._open_act(step, name, act.by_hand if act else ())

    def _open_act(self, step: Step, name: str, by_hand: Sequence[str], act: int = 0) -> None:
        slots = self.rules.slots(name)
        self._ensure_secret(step)
        self._reveal(step, slots)
        state = step.situation.state
        opened = ActOpened(name, step.seq + 1, content_of(name, state, slots), slots, tuple(by_hand))
        step.add(opened, ENGINE, act)
        walk = Walk(self.fold, step.situation, (), self._source(), self.line.name)
        walk.run(self.rules.procedure(step.situation, name))
        step.take(walk.made, ENGINE, act or opened.seq)

    def _source(self) -> Source:
        return Drawn(self.log, self.line)

    def _ensure_secret(self, step: Step) -> None:
        """Commit to new dice where the battle came without its secrets, or where the commitment has run out."""
        table = step.situation.state.table
        committed = table.committed
        covered = committed is not None and table.turn < committed.first_turn + committed.turns
        if covered and committed is not None and self.log.secret(committed.commitment) is not None:
            return
        event, secret = new_commitment(max(1, table.turn))
        step.secrets.append(secret)
        step.add(event, ENGINE)

    def _roll(self, step: Step, seat: str, dice: Mapping[str, Faces]) -> None:
        table = step.situation.state.table
        source = Drawn(self.log, self.line)
        self._ensure_secret(step)
        for key, faces in dice.items():
            call = table.called.get(key)
            if call is None:
                raise NothingWaits(key, [*table.called, *table.asked])
            if seat not in (call.seat, REFEREE):
                raise NotYours(f"the dice for {key} are thrown by {call.seat}, not by {seat}")
            if faces is None:
                event = source.draw(call, step.situation.state)
            else:
                reading = read_roll(call, faces)
                event = DiceRolled(key, tuple(faces), reading.total, reading.success, "entered", table.turn)
            step.add(event, seat, self._act())
        self._go_on(step)

    def _rule(self, step: Step, key: str, answer: str, why: str) -> None:
        table = step.situation.state.table
        question = table.asked.get(key)
        if question is None:
            raise NothingWaits(key, [*table.asked, *table.called])
        if question.choices and answer not in question.choices:
            raise AnswerRefused(f"{answer!r} does not answer {question.question!r}: {' / '.join(question.choices)}")
        step.add(RulingGiven(key, answer, why), REFEREE, self._act())
        self._go_on(step)

    def _act(self) -> int:
        """Return the act in progress, as the log counts acts."""
        opened = self.state.table.act
        assert opened is not None
        return next(self.log.records(self.line, opened.seq - 1, opened.seq)).act

    def _go_on(self, step: Step) -> None:
        """Run the act in progress again from its start, beside the record and the new answers, and on from there."""
        opened = self.state.table.act
        assert opened is not None
        act = self._act()
        read = self.fold.catalogue.read
        record = [
            (each.seq, each.act, read(each.body, each.seq))
            for each in self.log.records(self.line, opened.seq, self.seq)
        ]
        record += [(self.seq + place, draft.act, draft.event) for place, draft in enumerate(step.drafts, 1)]
        step.situation.state = state_at(self.log, self.fold, self.line, opened.seq)
        walk = Walk(self.fold, step.situation, entries(record, act), self._source(), self.line.name)
        walk.run(self.rules.procedure(step.situation, opened.name))
        step.take(walk.made, ENGINE, act)
        if not walk.waiting:
            self._follow(step)

    # ---------------------------------------------------------------------------------------------------- refusing

    def _check_seat(self, seat: str) -> None:
        seats = [each.id for each in self.state.table.seats]
        if seat != REFEREE and seat not in seats:
            raise SeatUnknown(f"no seat {seat!r} at this table: there are {', '.join([*seats, REFEREE])}")

    def _refuse_over(self, state: State) -> None:
        if state.table.ended:
            raise BattleOver(f"the battle is over: {state.table.ended}")

    def _refuse_waiting(self, state: State) -> None:
        if state.table.waiting:
            raise BattleWaits([*state.table.called, *state.table.asked])

    def _refuse_unknown(self) -> None:
        if self.state.table.unknown:
            raise BattleClosed(
                f"the record holds events of unknown types ({', '.join(self.state.table.unknown)}), made by a newer "
                "version: it can be read and exported, but not continued here"
            )


class Step:
    """A step in the making: drafts that will be recorded together, and the situation as they leave it."""

    def __init__(self, battle: Battle) -> None:
        self.situation = battle.situation()
        self.drafts: list[Draft] = []
        self.seq = battle.seq
        self.secrets: list[str] = []
        self._fold = battle.fold

    def add(self, event: Event, actor: str, act: int = 0) -> None:
        """Add an event and apply it."""
        self.situation.state = self._fold.advance(self.situation.state, (event,))
        self.take((event,), actor, act)

    def unlock(self, digest: str) -> str | None:
        """Return what this step itself puts into the vault behind a digest."""
        return next((each.partition(":")[2] for each in self.secrets if each.startswith(f"{digest}:")), None)

    def take(self, events: Sequence[Event], actor: str, act: int) -> None:
        """Add events that have been applied already."""
        self.drafts += [Draft(event, actor, act) for event in events]
        self.seq += len(events)


def content_of(name: str, state: State, slots: Sequence[str]) -> str:
    """Digest the orders that an act resolves, sorted, so that the order of arrival cannot touch the dice."""
    texts = sorted(f"{order.seat} {order.text}" for order in state.table.orders if order.slot in slots)
    return sha256("\n".join([name, *texts]).encode()).hexdigest()
