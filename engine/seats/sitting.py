"""Who sits where, and words beside the record, for everybody or for some."""

from __future__ import annotations

from secrets import token_hex

from engine.errors import SeatUnknown
from engine.orders.errors import OrderError
from engine.step import StepBuilder
from events.commands import AddNote, AddPrivateNote, TakeSeat
from events.facts import Noted, NotedPrivately, NotUsed, SeatTaken, StandingGiven
from events.seals import seal_of
from projections.battle_state import REFEREE
from projections.viewer import private_note


def take_seat(step: StepBuilder, command: TakeSeat) -> None:
    """Let somebody sit down at a seat. Whoever sat there leaves nothing: orders that wait, standing orders.

    They stay on record as not used. Where nobody is known to have sat there, and none is named, the seat's orders are
    those of the player who is named now. Raises `SeatUnknown`, `OrderError`.
    """
    seat, player, table = command.taken, command.player, step.table
    seats = [each.id for each in table.seats]
    if seat not in seats:
        raise SeatUnknown(f"no seat {seat!r} at this table: there are {', '.join(seats)}")
    if not player.strip():
        raise OrderError("say who takes the seat")
    sat = table.players.get(seat, command.was)
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


def add_note(step: StepBuilder, command: AddNote) -> None:
    """Put words beside the record for everybody."""
    step.add(Noted(command.text), command.seat)


def add_private_note(step: StepBuilder, command: AddPrivateNote) -> None:
    """Put words beside the record that only their author, those in `to` and the referee can read.

    The record shows neither the words nor who may read them. Raises `SeatUnknown`.
    """
    seats = [*(each.id for each in step.table.seats), REFEREE]
    for each in command.to:
        if each not in seats:
            raise SeatUnknown(f"no seat {each!r} at this table: there are {', '.join(seats)}")
    salt, words = token_hex(16), private_note(command.seat, command.to, " ".join(command.text.split()))
    digest = seal_of(salt, words)
    step.secrets.append(f"{digest}:{salt} {words}")
    step.add(NotedPrivately(digest), command.seat)
