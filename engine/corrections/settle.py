"""Settling what a correction could not play again: given again as it was, replaced, or dropped; never forgotten."""

from __future__ import annotations

from engine.corrections.inputs import Input, attempt, give, input_of, text_kept
from engine.errors import CorrectionRefused
from engine.step import StepBuilder
from events.commands import SettleDeferred
from events.corrections import Deferred, DeferredSettled, Stood
from projections.battle_state import REFEREE


def settle(step: StepBuilder, command: SettleDeferred) -> None:
    """Settle something deferred: give it `again`, give the order `text` in its place, or drop it (neither).

    Without a number, everything again. Raises `CorrectionRefused` if nothing is deferred under the number, and what
    giving an order would raise.
    """
    number, text = command.number, command.text
    if not number:
        _settle_all(step, command)
        return
    held = next((each for each in step.table.held if each.number == number), None)
    if held is None:
        numbers = ", ".join(str(each.number) for each in step.table.held) or "nothing"
        raise CorrectionRefused(f"nothing is deferred under no. {number}: deferred are {numbers}")
    if text and command.again:
        raise CorrectionRefused("give it again as it was, or an order in its place, not both")
    step.add(DeferredSettled(number, "given again" if text or command.again else "dropped", command.why), REFEREE)
    if text:
        step.orders(held.seat, text)
    elif command.again:
        give(step, _again(step, held))


def _settle_all(step: StepBuilder, command: SettleDeferred) -> None:
    """Give everything that is deferred again, in order, up to the first that still cannot be given."""
    if not command.again or command.text:
        raise CorrectionRefused("say which one: without a number, all can only be given again as they were")
    if not step.table.held:
        raise CorrectionRefused("nothing is deferred")
    for count, held in enumerate(step.table.held):
        mark = step.mark()
        step.add(DeferredSettled(held.number, "given again", command.why), REFEREE)
        reason = attempt(step, _again(step, held))
        if reason and not count:
            raise CorrectionRefused(f"no. {held.number} cannot be given again: {reason}")
        if reason:
            step.rewind(mark)
            return


def let_stand(step: StepBuilder, events: tuple[int, ...], why: str, seat: str) -> None:
    """Note that mistakes stand: nothing is played again."""
    for event in events:
        step.add(Stood(event, why), seat)


def _again(step: StepBuilder, held: Deferred) -> Input:
    return input_of(held, lambda digest: text_kept(step.unlock(digest)))
