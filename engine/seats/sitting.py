"""Who sits where, and words for some eyes only."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex

from engine.battle import Battle
from engine.orders.errors import OrderError
from engine.step import StepBuilder
from events.facts import NotedPrivately, NotUsed, SeatTaken, StandingGiven
from events.seals import seal_of
from events.store.record import Appended
from projections.battle_state import REFEREE
from projections.viewer import private_note


def take_seat(
    battle: Battle, seat: str, player: str, was: str = "", *, expected: int | None = None, request: str | None = None
) -> Appended:
    """Let somebody sit down at a seat. Whoever sat there leaves nothing: orders that wait, standing orders.

    They stay on record as not used. `was` names who sat there if the record does not know. Where nobody is known to
    have sat there, and none is named, the seat's orders are those of the player who is named now.
    Raises `SeatUnknown`, `OrderError`.
    """
    battle.check_seat(seat)
    if seat == REFEREE or not player.strip():
        raise OrderError("say which seat, and who takes it")

    def take(step: StepBuilder) -> None:
        table = step.table
        sat = table.players.get(seat, was)
        if sat == player:
            raise OrderError(f"{player} plays {seat} already")
        step.add(SeatTaken(seat, player, sat), REFEREE)
        if not sat:
            return
        for order in table.orders:
            if order.seat == seat:
                step.add(NotUsed(seat, "owner removed", order.piece, order.slot, order.digest), REFEREE)
        if seat in table.standing:
            step.add(StandingGiven(seat, ""), REFEREE)

    return battle.step(f"seat {seat} {player}\n{was}", take, expected, request)


def note_privately(
    battle: Battle, seat: str, to: Sequence[str], text: str, *, expected: int | None = None, request: str | None = None
) -> Appended:
    """Put words beside the record that only their author, those in `to` and the referee can read.

    The record shows neither the words nor who may read them. Raises `SeatUnknown`.
    """
    for each in (seat, *to):
        battle.check_seat(each)
    salt, words = token_hex(16), private_note(seat, to, " ".join(text.split()))
    digest = seal_of(salt, words)

    def add(step: StepBuilder) -> None:
        step.secrets.append(f"{digest}:{salt} {words}")
        step.add(NotedPrivately(digest), seat)

    return battle.step(f"note privately {words}", add, expected, request)
