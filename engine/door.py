"""The one door: every command of a battle goes through `Door.execute`, and nothing else writes.

It decides who may, answers a request that was met before, works the step out and records it, whole or not at all. The
command line, a web page, a bot and mail build commands and show what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from engine.answers import Answer, Change, Preview, pending_of
from engine.battle import Battle
from engine.clock import now
from engine.corrections import consent, edition, settle
from engine.corrections.change import change_of
from engine.corrections.new_lines import adopted_line, corrected_line, what_if_line
from engine.corrections.permission import require
from engine.corrections.plan import plan
from engine.deadlines import calling, clock_work
from engine.dice import agreed
from engine.errors import BattleError
from engine.opening import first_step
from engine.permissions import check_may
from engine.play import add_bookmark, answer_ruling, enter_dice, mark_posted, proceed, refuse_other_act, state_fact
from engine.recording import NewLine, record_line, record_opening, record_step
from engine.rules.rule_set import RuleSet, find_rules
from engine.seats import sitting, submissions
from engine.step import StepBuilder
from engine.texts import check_texts
from events.commands import (
    AddBeacon,
    AddBookmark,
    AddClientSeed,
    AddNote,
    AddPrivateNote,
    Adopt,
    AdoptEdition,
    Amend,
    AnswerConsent,
    AnswerRuling,
    AnyCommand,
    AskConsent,
    Autoplay,
    CallForOrders,
    Command,
    DeclareDicePolicy,
    EndSchedule,
    EnterDice,
    ExtendDeadline,
    FreezeCalendar,
    LeaveStandingOrders,
    LetStand,
    MarkOrders,
    MarkPosted,
    NameBeacon,
    OpenBattle,
    OpenBranch,
    Proceed,
    RecommitDice,
    RevealDiceRoot,
    RevealOrder,
    SettleDeferred,
    StateFact,
    Strike,
    SubmitDigest,
    SubmitOrders,
    TakeSeat,
    Tick,
    Undo,
    UnfreezeCalendar,
    WithdrawOrders,
    canonical,
)
from events.corrections import CorrectionAsked
from events.store.errors import Conflict, EventUnknown, RequestReused
from events.store.log import MAIN, Log
from events.store.record import Appended, Line, Request
from projections.battle_state import REFEREE
from replays.lines import adopted, opening_of, superseded_by

_TRIES = 50
"""How often a command without an expected head is worked out again when others write first."""

C = TypeVar("C", bound=Command)
Build: TypeAlias = Callable[[StepBuilder, Any], object]
Correct: TypeAlias = Undo | Strike | Amend

STEPS: Mapping[type[Command], Build] = {
    SubmitOrders: submissions.submit_orders,
    SubmitDigest: submissions.submit_digest,
    RevealOrder: submissions.reveal_order,
    WithdrawOrders: submissions.withdraw_orders,
    LeaveStandingOrders: submissions.leave_standing_orders,
    Autoplay: submissions.autoplay,
    MarkOrders: calling.mark_orders,
    Proceed: proceed,
    EnterDice: enter_dice,
    AnswerRuling: answer_ruling,
    StateFact: state_fact,
    AddNote: sitting.add_note,
    AddPrivateNote: sitting.add_private_note,
    TakeSeat: sitting.take_seat,
    AddClientSeed: agreed.add_client_seed,
    DeclareDicePolicy: agreed.declare_policy,
    RecommitDice: agreed.recommit_dice,
    RevealDiceRoot: agreed.reveal_root,
    NameBeacon: agreed.name_beacon,
    AddBeacon: agreed.add_beacon,
    AddBookmark: add_bookmark,
    MarkPosted: mark_posted,
    CallForOrders: calling.call_for_orders,
    EndSchedule: calling.end_schedule,
    ExtendDeadline: calling.extend_deadline,
    FreezeCalendar: calling.freeze_calendar,
    UnfreezeCalendar: calling.unfreeze_calendar,
    Tick: clock_work.do_what_is_due,
    SettleDeferred: settle.settle,
    AdoptEdition: edition.adopt_edition,
    AnswerConsent: consent.answer,
}
"""Commands that are one step on a line, by what builds it. On another line the same function gives them again."""

_WITHOUT_RULES = (AddNote, AddPrivateNote, AdoptEdition)
"""Commands that can be given where the battle's edition is not installed."""

_SUBMITTED = (SubmitOrders, SubmitDigest, RevealOrder, LeaveStandingOrders, Autoplay)
"""Commands that a seat gets receipts for."""


class NoPreview(BattleError, ValueError):
    """There is nothing to look at beforehand in a command of this kind."""

    code = "battle/no-preview"


class Door:
    """The way in to every battle of a log.

    >>> from events.store.memory import MemoryLog
    >>> Door(MemoryLog()).execute(Proceed(battle="ford"))
    Traceback (most recent call last):
    ...
    events.store.errors.BattleUnknown: no battle 'ford' here; `wardiary battles` lists them
    """

    def __init__(self, log: Log, clock: Callable[[], int] = now, rules: Callable[[str], RuleSet] = find_rules) -> None:
        self.log = log
        self.clock = clock
        self._rules = rules
        self._battles: dict[tuple[str, str], Battle] = {}

    def battle(self, name: str, line: str = "") -> Battle:
        """Return a line of a battle to look at; an empty line is the adopted one.

        The same object is given each time; `refresh` brings it up to the head. Raises `BattleUnknown`, `LineUnknown`.
        """
        where = self.log.line(name, line) if line else adopted(self.log, name)
        known = self._battles.get((name, where.name))
        if known is None:
            rules = self._rules(opening_of(self.log, name).rule_set)
            known = self._battles[name, where.name] = Battle(self.log, name, rules, where.name, self.clock)
        return known

    def execute(self, command: AnyCommand) -> Answer:
        """Do what a command asks, and return what came of it. Whatever is raised, nothing was recorded.

        Raises `NotAuthorized`, `SeatUnknown` or `CorrectionNotAllowed` for who may not, `TextRefused`, `Conflict` if
        the line has moved on past `expected`, `RequestReused` for a key that was used for something else,
        `BattleClosed` where the line cannot go on, and what the command itself raises (see `STEPS`).
        """
        check_texts(command)
        if isinstance(command, OpenBattle):
            return self._open(command)
        if (known := self._answered(command)) is not None:
            return self._answer(self.battle(command.battle, known.line), command, known)
        battle = self.battle(command.battle, command.line)
        guard = _watch(battle, command)
        for attempt in range(_TRIES):
            self._check(battle, command)
            try:
                return self._carry_out(battle, command, guard)
            except Conflict:
                if command.expected is not None or attempt == _TRIES - 1:
                    raise
            if (known := self._answered(command)) is not None:
                return self._answer(battle, command, known)
        raise AssertionError("unreachable: the last try raises")

    def preview(self, command: AnyCommand) -> Preview:
        """Return what a correction or another edition would change. It needs the same permission; nothing is recorded.

        A seat is shown no more than it may see. Raises what `execute` raises, and `NoPreview` for other commands.
        """
        check_texts(command)
        if not isinstance(command, Undo | Strike | Amend | LetStand | AdoptEdition):
            raise NoPreview("only corrections and editions can be previewed")
        battle = self.battle(command.battle, command.line)
        self._check(battle, command)
        name, line = command.battle, battle.line.name
        if isinstance(command, AdoptEdition):
            step = battle.begin_step(self.clock())
            return Preview(
                battle=name, line=line, compared=edition.compare_rules(step, edition.rules_for(step, command))
            )
        wish = consent.wish_of(battle, command)
        require(battle, wish)
        if isinstance(command, LetStand):
            return Preview(battle=name, line=line, stands=wish.targets)
        return Preview(
            battle=name, line=line, change=change_of(battle, plan(battle, wish, preview=True), recorded=False)
        )

    # ------------------------------------------------------------------------------------------------- checking

    def _answered(self, command: Command) -> Appended | None:
        """Return the first answer to a request, if it was met before. Raises `RequestReused`.

        An empty line stands for the line that was adopted when the command came first, which may be another by now.
        """
        if not command.request:
            return None
        lines = [command.line] if command.line else _adopted_so_far(self.log, command.battle)
        for place, line in enumerate(lines, 1):
            request = _request(command, line)
            assert request is not None
            try:
                return self.log.answer(command.battle, request)
            except RequestReused:
                if place == len(lines):
                    raise
        return None

    def _check(self, battle: Battle, command: Command) -> None:
        """Check what can be told of a command before it is worked out, on the head of its line."""
        battle.refresh()
        check_may(battle, command)
        if command.expected is not None and command.expected != battle.seq:
            between = tuple(self.log.records(battle.line, command.expected, battle.seq))
            if command.expected > battle.seq:
                raise EventUnknown(command.battle, battle.line.name, command.expected, battle.seq)
            raise Conflict(command.battle, battle.line.name, command.expected, battle.seq, between)
        if not isinstance(command, OpenBranch):
            battle.refuse_closed(any_edition=isinstance(command, _WITHOUT_RULES))

    # ------------------------------------------------------------------------------------------------- doing

    def _open(self, command: OpenBattle) -> Answer:
        request = _request(command, MAIN)
        if request is not None and (known := self.log.answer(command.battle, request)) is not None:
            return self._answer(self.battle(command.battle, known.line), command, known)
        if command.seat != REFEREE or command.line not in ("", MAIN) or command.expected:
            raise BattleError("a battle is opened by the referee, on its main line, before any event")
        done = record_opening(
            self.log, command.battle, first_step(command, self._rules), self.clock(), request
        )  # fmt: skip
        return self._answer(self.battle(command.battle), command, done)

    def _carry_out(self, battle: Battle, command: Command, guard: Callable[[StepBuilder], None]) -> Answer:
        """Work a command out on the head of its line, and record it."""
        request, at = _request(command, battle.line.name), self.clock()
        match command:
            case Undo() | Strike() | Amend():
                return self._correct(battle, command, at, request)
            case Adopt():
                return self._line(battle, command, adopted_line(battle, command), at, request)
            case OpenBranch():
                return self._line(battle, command, what_if_line(battle, command), at, request)
        step = battle.begin_step(at)
        guard(step)
        compared = None
        match command:
            case LetStand():
                wish = consent.wish_of(battle, command)
                require(battle, wish)
                settle.let_stand(step, wish.targets, command.why, command.seat)
            case AskConsent():
                consent.ask(battle, step, command)
            case AdoptEdition():
                compared = edition.adopt_edition(step, command)
            case _:
                STEPS[type(command)](step, command)
        answer = self._answer(battle, command, record_step(battle, step, request))
        return replace(answer, compared=compared) if compared is not None else answer

    def _correct(self, battle: Battle, command: Correct, at: int, request: Request | None) -> Answer:
        wish = consent.wish_of(battle, command)
        require(battle, wish)
        made = plan(battle, wish)
        answer = self._line(battle, command, corrected_line(battle, made), at, request)
        change: Change | None = None if answer.repeated else change_of(battle, made, recorded=True)
        return replace(answer, change=change)

    def _line(self, battle: Battle, command: Command, new: NewLine, at: int, request: Request | None) -> Answer:
        """Record a new line, and answer with it."""
        made = record_line(battle, new, at, request)
        head = self.log.head(made)
        done = Appended(made.name, made.after + 1, made.after + len(new.drafts), head.hash)
        return self._answer(self.battle(command.battle, made.name), command, done)

    def _answer(self, battle: Battle, command: Command, done: Appended) -> Answer:
        """Return the answer to a command, from what stands on record."""
        battle.refresh()
        number = 0
        correction = None
        if isinstance(command, AskConsent):
            number = _asked(battle, done)
        elif isinstance(command, AnswerConsent):
            number = command.number
            correction = consent.granted(battle, number) if command.consents else None
        return Answer(
            battle=command.battle,
            line=done.line,
            first=done.first,
            last=done.last,
            repeated=done.repeated,
            pending=pending_of(battle.state.table, battle.next_act()),
            receipts=_receipts(battle, command, done),
            new_line=done.line if isinstance(command, Undo | Strike | Amend | Adopt | OpenBranch) else "",
            number=number,
            granted=correction,
        )


def _watch(battle: Battle, command: Command) -> Callable[[StepBuilder], None]:
    """Return what refuses a command if what its seat saw when it gave it is over by the time it is carried out."""
    if isinstance(command, Proceed) and not command.act and (meant := battle.next_act()):
        seen = battle.seq
        return lambda step: refuse_other_act(step, meant, seen)
    deadline = battle.state.table.deadline
    if isinstance(command, ExtendDeadline | FreezeCalendar) and deadline is not None:
        return lambda step: calling.still_open(step, deadline)
    return lambda step: None


def _request(command: Command, line: str) -> Request | None:
    """Return the key of a request with the digest of what is asked."""
    if not command.request:
        return None
    return Request(command.request, sha256(canonical(command, line)).hexdigest())


def _adopted_so_far(log: Log, battle: str) -> list[str]:
    """Return the lines that are or were the adopted one, newest first."""
    line: Line = log.line(battle, MAIN)
    found = [line.name]
    while by := superseded_by(log, line):
        line = log.line(battle, by)
        found.append(line.name)
    return found[::-1]


def _receipts(battle: Battle, command: Command, done: Appended) -> tuple[submissions.Receipt, ...]:
    if not isinstance(command, _SUBMITTED):
        return ()
    found = submissions.receipts_of(battle.view, done.first, done.last, battle.log.secret)
    return tuple(each for each in found if command.seat in (each.seat, REFEREE))


def _asked(battle: Battle, done: Appended) -> int:
    """Return the number of the request for consent that a step recorded."""
    asked = battle.view.events(CorrectionAsked, after=done.first - 1, upto=done.last)
    return next((event.number for _, event in asked), 0)
