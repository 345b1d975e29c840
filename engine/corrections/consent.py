"""Consent: asked for one correction as things stand, given to that one, and gone when the battle moves on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.battle import Battle
from engine.corrections.history_slice import last_input
from engine.corrections.permission import may_correct
from engine.corrections.request import CorrectionCommand, CorrectionRequest, request_of
from engine.errors import CorrectionNotAllowed, CorrectionRefused
from engine.step import StepBuilder
from events.commands import Amend, AnswerConsent, AskConsent, LetStand, Strike, Undo
from events.corrections import CorrectionAnswered, CorrectionAsked
from events.facts import Bookmarked, Declared, Noted, NotedPrivately, Ordered, Posted, Sealed
from projections.battle_state import REFEREE, BattleState
from replays.seek import steps

_BESIDE = (CorrectionAsked, CorrectionAnswered, Noted, NotedPrivately, Bookmarked, Posted)
"""Facts that change nothing in a battle: what was consented to is the same after them."""


def wish_of(battle: Battle, command: CorrectionCommand) -> CorrectionRequest:
    """Return what a command asks for, with the consents that are there for exactly that.

    Raises `CorrectionRefused`, `PointUnknown`.
    """
    wish = request_of(battle, command)
    if isinstance(command, LetStand) or not battle.state.table.requests:
        return wish
    found = matching(battle, resolved(battle, command))
    consents = [seat for number in found for seat in battle.state.table.consents.get(number, ())]
    return replace(wish, consents=tuple(dict.fromkeys(consents)))


def _before(battle: Battle, wish: CorrectionRequest) -> int:
    return wish.targets[0] if wish.targets else last_input(battle).at


def matching(battle: Battle, command: Undo | Strike | Amend) -> list[int]:
    """Return the numbers of the open requests that ask for exactly this, as things stand now."""
    asked = battle.state.table.requests.items()
    same = [(number, each) for number, each in asked if each.command is not None and _same(each.command, command)]
    return [number for number, each in same if not _moved_on(battle, each)]


def _same(asked: Undo | Strike | Amend, given: Undo | Strike | Amend) -> bool:
    """Whether two commands want the same of the battle. The words of the reason may differ."""
    return _bare(asked) == _bare(given)


def _bare(command: Undo | Strike | Amend) -> Undo | Strike | Amend:
    return replace(command, line="", expected=None, request="", why="")


def _moved_on(battle: Battle, asked: CorrectionAsked) -> bool:
    since = steps(battle.log, battle.fold, battle.line, asked.head, battle.seq)
    return any(not isinstance(step.event, _BESIDE) for step in since)


def resolved(battle: Battle, command: Undo | Strike | Amend) -> Undo | Strike | Amend:
    """Return a command that names its events by number, so that it means the same whenever it is given."""
    wish = request_of(battle, command)
    if isinstance(command, Undo):
        return replace(command, point="", before=_before(battle, wish))
    return replace(command, events=wish.targets, piece="", turn=0) if isinstance(command, Strike) else command


def ask(battle: Battle, step: StepBuilder, command: AskConsent) -> None:
    """Ask for a correction that a seat may not make alone; the request names the seats that must consent.

    Where no seat's consent is enough the referee's is asked for. Raises `CorrectionRefused` if no consent is needed or
    the same is asked for already, `CorrectionNotAllowed` for what consent cannot give.
    """
    seat = command.seat
    wanted = resolved(battle, replace(command.correction, battle=command.battle, line="", seat=seat))
    for number in matching(battle, wanted):
        missing = ", ".join(unanswered(battle.state.table, number)) or "nobody"
        raise CorrectionRefused(f"request no. {number} asks for exactly this: {missing} must still consent")
    wish = request_of(battle, wanted)
    found = may_correct(battle, wish)
    if found.allowed:
        raise CorrectionRefused(f"{seat} needs to ask nobody: {found.reason}")
    if wish.policy != "keep":
        raise CorrectionNotAllowed(found.code, "only the referee may have dice rerolled: ask to keep them")
    number = next_number(battle.state.table)
    targets = wish.targets or (_before(battle, wish),)
    along = _taken_along(battle, targets) if wish.what == "undo" else ()
    step.add(
        CorrectionAsked(
            number, seat, wish.what, targets, wish.why, found.needed or (REFEREE,), replace(wanted, request=""),
            battle.seq, along,
        ),
        seat,
    )  # fmt: skip


def _taken_along(battle: Battle, targets: Sequence[int]) -> tuple[int, ...]:
    way = steps(battle.log, battle.fold, battle.line, targets[0], battle.seq)
    return tuple(step.record.seq for step in way if isinstance(step.event, Ordered | Declared | Sealed))


def next_number(table: BattleState) -> int:
    """Return the number of the next request for consent."""
    return max([*table.requests, *table.consents], default=0) + 1


def unanswered(table: BattleState, number: int) -> list[str]:
    """Return the seats whose consent to a request is still missing."""
    return [seat for seat in table.requests[number].needed if seat not in table.consents.get(number, ())]


def answer(step: StepBuilder, command: AnswerConsent) -> None:
    """Consent to a request, or refuse it. Raises `CorrectionRefused` if it does not ask this seat."""
    seat, number = command.seat, command.number
    asked = step.table.requests.get(number)
    if asked is None or asked.seat == seat or seat not in (*asked.needed, REFEREE):
        open_ones = ", ".join(map(str, step.table.requests)) or "none"
        raise CorrectionRefused(f"no request {number} waits for {seat}: open are {open_ones}")
    if seat in step.table.consents.get(number, ()) and command.consents:
        raise CorrectionRefused(f"{seat} has consented to request {number} already")
    step.add(CorrectionAnswered(number, seat, command.consents, command.why), seat)


def granted(battle: Battle, number: int) -> Undo | Strike | Amend | None:
    """Return the correction that a request asks for, if its seat may make it now; else None."""
    asked = battle.state.table.requests.get(number)
    if asked is None or asked.command is None:
        return None
    command = replace(asked.command, seat=asked.seat)
    return command if may_correct(battle, wish_of(battle, command)).allowed else None
