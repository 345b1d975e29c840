"""Who may put right what, and when: asked beforehand, answered with a reason.

The policy is an option of the battle, `corrections`: `referee` (only the referee), `free` (everybody, own orders),
`before-dice` (own orders while no die has fallen since), `consent` (own orders, if the seats affected consent). With
`corrections_lapse = "turn"` an order can be put right until the next turn begins; after that only the referee may, who
may always, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from engine.battle import Battle
from events.errors import CorrectionNotAllowed, CorrectionRefused
from events.facts import (
    Correction,
    CorrectionAnswered,
    CorrectionAsked,
    Declared,
    DiceRolled,
    Ordered,
    Revealed,
    Sealed,
    TurnBegan,
)
from events.record import Appended
from projections.table import REFEREE
from replays.seek import Step, steps

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "corrections": ("referee", "free", "before-dice", "consent"),
    "corrections_lapse": ("never", "turn"),
}
"""Options of every battle, with their choices, default first."""

Code: TypeAlias = Literal["yes", "not-yours", "referee-only", "dice-after", "revealed", "lapsed", "needs-consent"]


class Permission(msgspec.Struct, frozen=True, gc=False):
    """Whether a seat may make a correction. `needed` names seats whose consent is missing."""

    allowed: bool
    code: Code
    reason: str
    needed: tuple[str, ...] = ()


_YES = Permission(True, "yes", "allowed")


def may_correct(battle: Battle, seat: str, targets: Sequence[int]) -> Permission:
    """Tell whether a seat may put right the orders at these events now, and why not. Nothing is recorded."""
    if seat == REFEREE:
        return Permission(True, "yes", "the referee may put anything right, with a reason")
    first = min(targets)
    if not 0 < first <= max(targets) <= battle.seq:
        raise CorrectionRefused(f"there is no event {max(targets)}: line {battle.line.name} ends at {battle.seq}")
    way = list(steps(battle.log, battle.fold, battle.line, first - 1, battle.seq))
    for step in way:
        if step.record.seq in targets and not _is_own(step, seat):
            what = f"event {step.record.seq} is not an order of {seat}"
            return Permission(False, "not-yours", f"{what}: only the referee may put it right")
    return _by_policy(battle, seat, targets, way)


def _is_own(step: Step, seat: str) -> bool:
    return isinstance(step.event, Ordered | Declared | Sealed) and step.event.seat == seat


def _by_policy(battle: Battle, seat: str, targets: Sequence[int], way: Sequence[Step]) -> Permission:
    table = battle.state.table
    policy = table.option("corrections", "referee")
    if policy == "referee":
        return Permission(False, "referee-only", "in this battle only the referee puts things right")
    if table.option("corrections_lapse", "never") == "turn" and (turn := _first(way, TurnBegan)):
        return Permission(False, "lapsed", f"a new turn has begun since (event {turn}): only the referee may now")
    for step in way:
        if isinstance(step.event, Revealed) and step.event.seat != seat:
            told = f"event {step.record.seq} has shown you the sealed order of {step.event.piece}"
            return Permission(False, "revealed", f"{told}: only the referee may put this right")
    if policy == "before-dice" and (dice := _first(way, DiceRolled)):
        return Permission(False, "dice-after", f"dice have fallen since (event {dice}): only the referee may now")
    if policy == "consent":
        needed = tuple(each for each in _affected(battle, seat, way) if each not in _consents(battle, seat, targets))
        if needed:
            told = f"{', '.join(needed)} must consent: ask with `wardiary ask`"
            return Permission(False, "needs-consent", told, needed)
    return _YES


def _first(way: Sequence[Step], kind: type) -> int:
    return next((step.record.seq for step in way if isinstance(step.event, kind)), 0)


def _affected(battle: Battle, seat: str, way: Sequence[Step]) -> list[str]:
    """Name the other seats that have acted, or thrown dice, since."""
    acted = {step.record.actor for step in way}
    acted |= {str(getattr(step.event, "seat", "")) for step in way}
    return [each.id for each in battle.state.table.seats if each.id in acted and each.id != seat]


def _consents(battle: Battle, seat: str, targets: Sequence[int]) -> set[str]:
    table = battle.state.table
    numbers = [n for n, asked in table.requests.items() if asked.seat == seat and asked.targets == tuple(targets)]
    return {given for number in numbers for given in table.consents.get(number, ())}


def require(battle: Battle, seat: str, targets: Sequence[int]) -> None:
    """Raise `CorrectionNotAllowed` unless the seat may."""
    found = may_correct(battle, seat, targets)
    if not found.allowed:
        raise CorrectionNotAllowed(found.code, found.reason)


def ask(battle: Battle, seat: str, what: Correction, targets: Sequence[int], why: str) -> Appended:
    """Ask for a correction that a seat may not make alone; the request names the seats that must consent."""
    found = may_correct(battle, seat, targets)
    if found.allowed:
        raise CorrectionRefused(f"{seat} needs to ask nobody: {found.reason}")
    number = max(battle.state.table.requests, default=0) + 1
    event = CorrectionAsked(number, seat, what, tuple(targets), why, found.needed)
    return battle.say(seat, f"ask {event}", event)


def answer(battle: Battle, seat: str, number: int, consents: bool, why: str) -> Appended:
    """Consent to a request, or refuse it. Raises `CorrectionRefused` if there is none for this seat."""
    asked = battle.state.table.requests.get(number)
    if asked is None or asked.seat == seat:
        open_ones = ", ".join(map(str, battle.state.table.requests)) or "none"
        raise CorrectionRefused(f"no request {number} waits for {seat}: open are {open_ones}")
    return battle.say(seat, f"answer {number} {consents} {why}", CorrectionAnswered(number, seat, consents, why))
