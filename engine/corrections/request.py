"""What a correction is about, once points and pieces in its command have been looked up on the line."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.battle import Battle
from engine.corrections.history_slice import first_after, last_input
from engine.corrections.shared import orders_of
from engine.errors import CorrectionRefused
from events.commands import Amend, LetStand, Strike, Undo
from events.corrections import Correction, DicePolicy
from replays.points import find_point

CorrectionCommand: TypeAlias = Undo | Strike | Amend | LetStand


class CorrectionRequest(msgspec.Struct, frozen=True):
    """What is to be corrected.

    `targets` are events: for `undo` the one to go back before (none: the last thing that somebody did), for `strike`
    one of each act that is taken out, for `amend` the order, roll or ruling that is replaced. `text` replaces an order,
    `faces` the dice of a roll, `answer` a ruling; `modifier` (label and value) is added to a check. `overrides` says
    that the referee corrects something whose time was over. `consents` are the seats that have consented to it.
    """

    what: Correction
    targets: tuple[int, ...]
    seat: str
    why: str
    policy: DicePolicy
    text: str = ""
    faces: tuple[int, ...] | None = None
    modifier: tuple[str, int] | None = None
    answer: str = ""
    overrides: bool = False
    consents: tuple[str, ...] = ()


def request_of(battle: Battle, command: CorrectionCommand) -> CorrectionRequest:
    """Look up what a command is about. Raises `CorrectionRefused`, `PointUnknown`."""
    given = (command.seat, command.why)
    match command:
        case Undo():
            targets = _undone(battle, command.point, command.before)
            return CorrectionRequest("undo", targets, *given, command.dice, overrides=command.override)
        case Strike():
            return CorrectionRequest(
                "strike", _struck(battle, command), *given, command.dice, overrides=command.override
            )
        case LetStand():
            targets = command.events or _undone(battle, command.point, 0) or (last_input(battle).at,)
            for target in targets:
                battle.check_event(target)
            return CorrectionRequest("strike", targets, *given, "stand", overrides=command.override)
        case Amend():
            return CorrectionRequest(
                "amend", (command.event,), *given, command.dice, command.text, command.faces, command.modifier,
                command.answer, command.override,
            )  # fmt: skip


def _undone(battle: Battle, point: str, before: int) -> tuple[int, ...]:
    if before:
        battle.check_event(before)
        return (before,)
    return (first_after(battle, find_point(battle.view, point)),) if point else ()


def _struck(battle: Battle, command: Strike) -> tuple[int, ...]:
    if bool(command.events) == bool(command.piece):
        raise CorrectionRefused("name the events to strike, or a piece that was used twice")
    return orders_of(battle, command.piece, command.turn) if command.piece else command.events
