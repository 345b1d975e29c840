"""The commands that move a battle on, built into a step: the next act, dice, rulings, facts, bookmarks."""

from __future__ import annotations

from engine.errors import CorrectionRefused, DeadlineRefused, NothingPending
from engine.step import StepBuilder
from events.commands import (
    AddBookmark,
    AnswerRuling,
    EnterDice,
    MarkPosted,
    Proceed,
    StateFact,
)
from events.facts import Bookmarked, Posted
from events.store.errors import NameTaken
from replays.points import find_point, is_point
from replays.resolved import refusal, resolution_of


def proceed(step: StepBuilder, command: Proceed) -> None:
    """Close the orders and resolve up to the next point where a person must act.

    Raises `DeadlineRefused` if another act than the one that is meant comes next, `AlreadyResolved` if that one was
    resolved before; `SeatUnknown`, `InputPending`, `BattleOver`.
    """
    if command.act:
        refuse_other_act(step, command.act)
    step.proceed(command.by_hand)


def refuse_other_act(step: StepBuilder, meant: str, seen: int = 0) -> None:
    """Raise `AlreadyResolved` or `DeadlineRefused` if another act than the one that is meant comes next.

    `seen` is the event up to which the caller knows the line: an act of that name before it is another one.
    """
    due = "" if step.table.waiting or step.table.ended else step.rules.next_act(step.situation)
    if due == meant:
        return
    if (found := resolution_of(step.view, meant, seen)) is not None:
        raise refusal(found)
    if not seen:
        raise DeadlineRefused(f"the battle does not stand before {meant}" + (due and f", but before {due}"))


def enter_dice(step: StepBuilder, command: EnterDice) -> None:
    """Answer rolls that are waited for: entered faces, or None to let the engine roll.

    Raises `NothingPending`, `NotationError` (wrong number of dice, impossible face), `NotAuthorized`.
    """
    dice = command.dice or dict.fromkeys(step.table.called)
    if not dice:
        raise NothingPending("dice", list(step.table.asked))
    step.roll(command.seat, dice)


def answer_ruling(step: StepBuilder, command: AnswerRuling) -> None:
    """Answer a question of the rules. Raises `NothingPending`, `AnswerRefused`."""
    step.rule(command.key, command.answer, command.why)


def state_fact(step: StepBuilder, command: StateFact) -> None:
    """Set a fact, here and now. Raises `OrderError`, `InputPending`."""
    step.state_fact(command.text, command.why)


def add_bookmark(step: StepBuilder, command: AddBookmark) -> None:
    """Give a point a name. Raises `NameTaken` for one that reads like another point, `PointUnknown`."""
    if is_point(command.name):
        raise NameTaken("point", command.name)
    seq = find_point(step.view, command.point) if command.point else step.seq
    step.add(Bookmarked(command.name, seq), command.seat)


def mark_posted(step: StepBuilder, command: MarkPosted) -> None:
    """Record that a turn was posted. Raises `CorrectionRefused` for an event that the line does not have."""
    if not 0 < command.seq <= step.seq:
        raise CorrectionRefused(f"there is no event {command.seq}: line {step.line.name} ends at {step.seq}")
    fact = Posted(command.turn, command.board, command.viewer, command.seq, command.head, command.phase)
    step.add(fact, command.seat)
