"""A step being built: inputs worked out on top of a state, to be recorded together or not at all.

Nothing here writes. `engine.battle` records a step; `engine.corrections` works out longer ones on new lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from engine.dice.errors import DiceKeeperMissing, DiceRefused, SeedsAwaited
from engine.dice.source import SeededDice, commitment_on, first_commitment, new_commitment, new_root
from engine.driver import Question, Source, Walk, entries
from engine.errors import AnswerRefused, BattleClosed, BattleOver, InputPending, NotAuthorized, NothingPending
from engine.orders import AnyOrder, given_by, read_order, read_sheet, write_order
from engine.orders.errors import TABLE_RULE, OrderError, OrderNotAllowed, SheetRefused
from engine.rules.rule_set import OrderSlot, RuleSet, Situation
from engine.seats.sealing import open_seals, seal, seals_all, seen_from
from engine.seats.standing import supply
from events.corrections import FactStated
from events.facts import (
    ActOpened,
    Declared,
    DicePartlyEntered,
    DiceRecommitted,
    DiceRolled,
    Event,
    Ordered,
    RollCalled,
    RulingGiven,
    Sealed,
)
from events.store.log import Log
from events.store.record import Draft, Line
from projections.battle_state import ENGINE, REFEREE, BattleState, PendingOrder, State
from projections.dice.rolls import dice_of, read_roll
from projections.fold import Fold
from replays.audit.algorithms import act_content
from replays.audit.lineage import lineage_of
from replays.seek import state_at
from replays.view import View, view_line

Faces: TypeAlias = Sequence[int] | None


class Started(NamedTuple):
    """An act in progress: its opening, the act it counts for, and the state right after the opening."""

    opened: ActOpened
    act: int
    state: State


class Mark(NamedTuple):
    """A point within a step that it can go back to."""

    state: State
    drafts: int
    secrets: int
    started: Started | None


class StepBuilder:
    """A step being built. `line` is where it is read from; `name` the line that it is built for; `now` its time, in µs.

    After any method has raised, the step is spoilt: throw it away, or `rewind` it to a mark.
    """

    def __init__(
        self, log: Log, line: Line, rules: RuleSet, situation: Situation[Any, Any], seq: int, name: str = "", *,
        now: int = 0,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.fold: Fold = rules.fold()
        self.situation = situation
        self.drafts: list[Draft] = []
        self.seq = seq
        self.secrets: list[str] = []
        self.name = name or line.name
        self.now = now
        self.documents: dict[str, str] = {}
        self.log = log
        self.line = line
        self.source: Source = SeededDice(self.unlock, line.battle, self.name)
        self._base = seq
        self._started: Started | None = None

    @property
    def view(self) -> View:
        """The referee's view of the line that the step stands on, without the step itself."""
        return view_line(self.log, self.fold, self.line)

    @property
    def table(self) -> BattleState:
        """The common part of the state as this step leaves it."""
        table: BattleState = self.situation.state.table
        return table

    def add(self, event: Event, actor: str, act: int = 0) -> None:
        """Add an event and apply it."""
        self.situation.state = self.fold.advance(self.situation.state, (event,))
        self.take((event,), actor, act)

    def take(self, events: Sequence[Event], actor: str, act: int) -> None:
        """Add events that have been applied already."""
        self.drafts += [Draft(event, actor, act) for event in events]
        self.seq += len(events)

    def mark(self) -> Mark:
        """Remember where the step stands, to come back to it if what is tried next fails."""
        return Mark(self.situation.state, len(self.drafts), len(self.secrets), self._started)

    def rewind(self, mark: Mark) -> None:
        """Go back to a mark, as if nothing had been tried since."""
        self.seq -= len(self.drafts) - mark.drafts
        del self.drafts[mark.drafts :], self.secrets[mark.secrets :]
        self.situation.state, self._started = mark.state, mark.started

    def unlock(self, digest: str) -> str | None:
        """Return what the vault, or this step itself, keeps behind a digest."""
        own = (each.partition(":")[2] for each in self.secrets if each.startswith(f"{digest}:"))
        return next(own, None) or self.log.secret(digest)

    def document(self, digest: str) -> str | None:
        """Return a text that is kept beside the log, or will be with this step, such as rule tables."""
        return self.documents.get(digest) or self.log.document(digest)

    # ------------------------------------------------------------------------------------------------------ orders

    def orders(self, seat: str, text: str, salt: str = "") -> None:
        """Take a sheet of orders. Raises `SheetRefused` with every problem, `BattleOver`.

        `salt` is the seat's own, for orders that are sealed; without it each gets a fresh one.
        """
        self.refuse_over()
        sheet = read_sheet(text, self.rules.grammar, self.rules.vocabulary(self.situation))
        if not sheet:
            raise OrderError("the sheet holds no order: write one a line, such as NAME: VERB …")
        problems: list[OrderError] = []
        lines = text.splitlines()
        for numbered in sheet:
            try:
                self.take_order(seat, numbered.order, salt)
            except OrderError as error:
                source = lines[numbered.line - 1].strip() if numbered.line <= len(lines) else ""
                problems.append(error.placed(numbered.line, source))
        if problems:
            raise SheetRefused(problems)

    def examine(self, seat: str, order: AnyOrder) -> tuple[str, OrderSlot]:
        """Return who commands the piece that an order is for, and where the order goes. Raises `OrderNotAllowed`.

        It is looked at as its owner sees things: what others have ordered is not asked, and so cannot be told.
        """
        piece = given_by(order)
        owner = self.rules.owner(self.situation, piece)
        if seat not in (owner, REFEREE):
            raise OrderNotAllowed(f"{piece} takes orders from {owner}, not from {seat}", TABLE_RULE)
        seen = self.seen_from(owner)
        objections = list(self.rules.objections(seen, order))
        if objections:
            raise OrderNotAllowed("; ".join(each.reason for each in objections), objections[0].rule)
        return owner, self.rules.slot_for(seen, order)

    def seen_from(self, seat: str) -> Situation[Any, Any]:
        """Return the situation as a seat sees it, its own sealed orders open and nobody else's."""
        return seen_from(self.situation, seat, self.unlock, self.canonical)

    def canonical(self, text: str) -> str:
        """Return the canonical text of an order that somebody has typed. Raises `OrderError`."""
        return write_order(read_order(text, self.rules.grammar, self.rules.vocabulary(self.situation)))

    def take_order(self, seat: str, order: AnyOrder, salt: str = "") -> None:
        """Take one order, from `seat` in the name of who commands the piece. Raises `OrderNotAllowed`."""
        owner, placing = self.examine(seat, order)
        blank = seals_all(self.table)
        if not placing.at_once and (placing.sealed or blank):
            sealed, secrets = seal(owner, order, placing, salt, blank=blank)
            if salt and self.unlock(sealed.digest) is not None:
                raise OrderError("this salt was used for the same order before: choose another")
            self.secrets += secrets
            self.add(sealed, seat)
            return
        made = Declared if placing.declaration else Ordered
        self.add(made(owner, given_by(order), placing.slot, write_order(order)), seat)
        if placing.at_once:
            self.refuse_waiting()
            self._open_act(placing.at_once, (), act=self.seq)
            self.follow()

    def seal_again(self, seat: str, order: PendingOrder, text: str) -> None:
        """Take a sealed order that was taken before, under the same receipt. Raises `OrderError`, `BattleOver`.

        It is examined anew if its `text` is here; a battle that came without its vault takes it as it is.
        """
        self.refuse_over()
        blank = seals_all(self.table)
        if text:
            read = read_order(text, self.rules.grammar, self.rules.vocabulary(self.situation))
            owner, placing = self.examine(seat, read)
            if not placing.sealed and not blank:
                self.take_order(seat, read)
                return
            piece, slot = ("", "") if blank else (given_by(read), placing.slot)
            order = PendingOrder(owner, piece, slot, "", order.digest, order.own)
        elif not order.piece and not blank and not order.own:
            raise BattleClosed("the text of this sealed order is not in this file: give an order in its place")
        self.add(Sealed(order.seat, order.piece, order.slot, order.digest, order.own), seat)

    def _reveal(self, act: str, slots: Sequence[str]) -> None:
        """Open the sealed orders of an act, sorted by slot and piece. Raises `BattleClosed` if a text is not here."""
        for event in open_seals(self.table, act, slots, self.unlock, self.canonical):
            self.add(event, ENGINE)

    # -------------------------------------------------------------------------------------------------------- acts

    def proceed(self, by_hand: Sequence[str] = ()) -> None:
        """Begin the next act and follow it up to where a person must act. Raises `InputPending`, `BattleOver`."""
        self.refuse_over()
        self.refuse_waiting()
        name = self.rules.next_act(self.situation)
        if not name:
            raise BattleOver("there is nothing left to resolve")
        self._open_act(name, by_hand)
        self.follow()

    def follow(self) -> None:
        """Go on with what follows by itself, until a person must act."""
        while not self.table.waiting and not self.table.ended:
            name = self.rules.next_automatic_act(self.situation)
            if not name:
                return
            act = self.table.act
            self._open_act(name, act.by_hand if act else ())

    def _open_act(self, name: str, by_hand: Sequence[str], act: int = 0) -> None:
        slots = self.rules.slots(name)
        self.ensure_secret()
        if not act:
            supply(self, name, slots)
        self._reveal(name, slots)
        content = act_content(name, self.table, slots)
        opened = ActOpened(name, self.seq + 1, content, slots, tuple(by_hand))
        self.add(opened, ENGINE, act)
        self._started = Started(opened, act or opened.seq, self.situation.state)
        walk = Walk(self.fold, self.situation, (), self.source, self.name)
        walk.run(self.rules.procedure(self.situation, name))
        self.take(walk.made, ENGINE, act or opened.seq)

    def ensure_secret(self) -> None:
        """Commit to further dice where the commitment has run out. Raises `DiceKeeperMissing`, `SeedsAwaited`."""
        table = self.table
        if table.seeds_awaited:
            raise SeedsAwaited(table.seeds_awaited)
        if table.committed is not None and table.turn >= table.committed.first_turn + table.committed.turns:
            self.commit()

    def commit(self, lineage: str = "", stream: str = "") -> None:
        """Commit to a chain of secrets, from the running turn on; for a new line, by its lineage.

        What-if lines that share the dice of a `stream` are committed from turn 1 on, so that lines which leave earlier
        can share them too. Raises `DiceKeeperMissing`, `RootBroken`.
        """
        committed, first = self.table.committed, 1 if stream else max(1, self.table.turn)
        if committed is not None and not committed.root:
            event, secret = new_commitment(first, stream)
            self.secrets.append(secret)
        else:
            root = self.unlock(committed.root) if committed is not None else None
            if committed is None or root is None:
                raise DiceKeeperMissing(self.line.battle)
            event = commitment_on(root, committed.root, lineage or committed.lineage, first, stream)
        self.add(event, ENGINE)

    def commit_to_practice(self, lineage: str) -> None:
        """Commit to dice that nobody ever plays with, for a preview: the true ones would tell a player what comes."""
        event, secret = first_commitment(new_root(), lineage, self.table.turn)
        self.secrets.append(secret)
        self.add(event, ENGINE)

    def recommit(self, why: str, without: Sequence[str], root: bytes) -> None:
        """Let the dice come from a new root from now on, as a ruling. Raises `DiceRefused` if the old one is here."""
        committed = self.table.committed
        if committed is not None and self.unlock(committed.root or committed.commitment) is not None:
            raise DiceRefused("the root of the dice is in this file: they need no other")
        self.add(DiceRecommitted(why, tuple(without)), REFEREE)
        event, secret = first_commitment(root, lineage_of(self.log.lines(self.line.battle), self.name), self.table.turn)
        self.secrets.append(secret)
        self.add(event, ENGINE)

    # ----------------------------------------------------------------------------------------------------- answers

    def roll(self, seat: str, dice: Mapping[str, Faces]) -> None:
        """Answer rolls that are waited for. Raises `NothingPending`, `NotAuthorized`, `NotationError`, `AnswerRefused`.

        Of faces beyond those called for the first are used, in reading order, and the others are set aside on record.
        Too few are kept, and the rest is waited for.
        """
        self.ensure_secret()
        act, answered = self.started().act, False
        for key, faces in dice.items():
            call = self.table.called.get(key)
            if call is None:
                raise NothingPending(key, [*self.table.called, *self.table.asked])
            if seat not in (call.seat, REFEREE):
                raise NotAuthorized(f"the dice for {key} are thrown by {call.seat}, not by {seat}")
            event = self._drawn(call) if faces is None else self._entered(call, tuple(faces))
            if isinstance(event, DiceRolled):
                answered = True
                self.add(event, seat, act)
            else:
                self.add(event, seat)
        if answered:
            self.go_on()

    def _drawn(self, call: RollCalled) -> DiceRolled:
        here, called = len(self.table.entered.get(call.key, ())), len(dice_of(call.dice).faces())
        if here:
            raise AnswerRefused(f"{here} of {called} dice for {call.key} were entered: enter the other {called - here}")
        return SeededDice(self.unlock, self.line.battle, self.name).draw(call, self.situation.state)

    def _entered(self, call: RollCalled, faces: tuple[int, ...]) -> DiceRolled | DicePartlyEntered:
        dice = dice_of(call.dice)
        ranges = dice.faces()
        shown = (*self.table.entered.get(call.key, ()), *faces)
        used, surplus = shown[: len(ranges)], shown[len(ranges) :]
        if ranges and not faces:
            dice.check_faces(faces)
        dice.check_faces((*used, *(low for low, _ in ranges[len(used) :])))
        for face in surplus if ranges else ():
            dice.check_faces((*used[:-1], face))
        if len(used) < len(ranges):
            return DicePartlyEntered(call.key, faces)
        reading = read_roll(call, used)
        turn = self.table.turn
        return DiceRolled(call.key, used, reading.total, reading.success, "entered", turn, surplus=surplus)

    def answer_from(self, source: Source) -> None:
        """Answer what is waited for as far as `source` can, and go on; nothing happens where it cannot."""
        if not self.table.waiting:
            return
        act, before = self.started().act, self.seq
        questions: tuple[Question, ...] = (*self.table.called.values(), *self.table.asked.values())
        for question in questions:
            event = source.answer(question, self.situation.state)
            if event is not None:
                self.add(event, ENGINE, act)
        if self.seq > before:
            self.go_on()

    def rule(self, key: str, answer: str, why: str) -> None:
        """Answer a question put to the referee. Raises `NothingPending`, `AnswerRefused`."""
        question = self.table.asked.get(key)
        if question is None:
            raise NothingPending(key, [*self.table.asked, *self.table.called])
        if question.choices and answer not in question.choices:
            raise AnswerRefused(f"{answer!r} does not answer {question.question!r}: {' / '.join(question.choices)}")
        self.add(RulingGiven(key, answer, why), REFEREE, self.started().act)
        self.go_on()

    def state_fact(self, text: str, why: str) -> None:
        """Let the referee set a fact, such as `aldric: prone`. Raises `OrderError`, `InputPending`."""
        self.refuse_waiting()
        fact = read_order(text, self.rules.fact_grammar, self.rules.vocabulary(self.situation))
        outcomes = self.rules.state_fact(self.situation, fact)
        self.add(FactStated(write_order(fact), why), REFEREE)
        act = self.seq
        for event in outcomes:
            self.add(event, REFEREE, act)

    def started(self) -> Started:
        """Return the act in progress, read from the log if it began in an earlier step."""
        if self._started is None:
            opened = self.table.act
            if opened is None:
                raise NothingPending("an act", ())
            record = next(self.log.records(self.line, opened.seq - 1, opened.seq))
            self._started = Started(opened, record.act, state_at(self.log, self.fold, self.line, opened.seq))
        return self._started

    def go_on(self) -> None:
        """Run the act in progress again from its start, beside the record and the new answers, and on from there.

        If the act is complete, what follows it by itself is done.
        """
        opened, act, state = self.started()
        read = self.fold.catalogue.read
        record = [
            (each.seq, each.act, read(each.body, each.seq))
            for each in self.log.records(self.line, opened.seq, max(opened.seq, self._base))
        ]
        fresh = [(self._base + place, draft) for place, draft in enumerate(self.drafts, 1)]
        record += [(seq, draft.act, draft.event) for seq, draft in fresh if seq > opened.seq]
        self.situation.state = state
        walk = Walk(self.fold, self.situation, entries(record, act), self.source, self.name)
        walk.run(self.rules.procedure(self.situation, opened.name))
        self.take(walk.made, ENGINE, act)
        if not walk.waiting:
            self.follow()

    # ---------------------------------------------------------------------------------------------------- refusing

    def refuse_over(self) -> None:
        """Raise `BattleOver` if the battle has ended."""
        if self.table.ended:
            raise BattleOver(f"the battle is over: {self.table.ended}")

    def refuse_waiting(self) -> None:
        """Raise `InputPending` while dice or a ruling are waited for."""
        if self.table.waiting:
            raise InputPending([*self.table.called, *self.table.asked])
