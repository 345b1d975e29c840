"""Settling what a correction could not play again: given again as it was, replaced, or dropped; never forgotten."""

from __future__ import annotations

from engine.battle import Battle
from engine.corrections.inputs import Input, attempt, give, input_of, text_kept
from engine.errors import CorrectionRefused
from engine.step import StepBuilder
from events.corrections import Deferred, DeferredSettled
from events.store.record import Appended
from projections.battle_state import REFEREE


def settle(
    battle: Battle, number: int, text: str = "", why: str = "", *, again: bool = False,
    expected: int | None = None, request: str | None = None,
) -> Appended:  # fmt: skip
    """Settle something held: give it `again`, give the order `text` in its place, or drop it (neither).

    Raises `CorrectionRefused` if nothing is held under the number, and what giving an order would raise.
    """

    def make(step: StepBuilder) -> None:
        held = next((each for each in step.table.held if each.number == number), None)
        if held is None:
            numbers = ", ".join(str(each.number) for each in step.table.held) or "nothing"
            raise CorrectionRefused(f"nothing is held under no. {number}: held are {numbers}")
        step.add(DeferredSettled(number, "given again" if text or again else "dropped", why), REFEREE)
        if text:
            step.orders(held.seat, text)
        elif again:
            give(step, _again(step, held))

    return battle.step(f"settle {number} {again}\n{text}\n{why}", make, expected, request)


def settle_all(battle: Battle, why: str = "", *, expected: int | None = None, request: str | None = None) -> Appended:
    """Give everything that is held again, in order, up to the first that still cannot be given.

    Raises `CorrectionRefused` if nothing is held, or if the first of it cannot be given, with the reason.
    """

    def make(step: StepBuilder) -> None:
        if not step.table.held:
            raise CorrectionRefused("nothing is held")
        for count, held in enumerate(step.table.held):
            mark = step.mark()
            step.add(DeferredSettled(held.number, "given again", why), REFEREE)
            reason = attempt(step, _again(step, held))
            if reason and not count:
                raise CorrectionRefused(f"no. {held.number} cannot be given again: {reason}")
            if reason:
                step.rewind(mark)
                return

    return battle.step(f"settle everything\n{why}", make, expected, request)


def _again(step: StepBuilder, held: Deferred) -> Input:
    return input_of(held, lambda digest: text_kept(step.unlock(digest)))
