"""Who may correct what, and when: asked beforehand, answered with a reason.

The policy is an option of the battle, `corrections`: `referee` (only the referee), `free` (everybody, own orders),
`before-dice` (own orders while no die has fallen since), `consent` (own orders, if the seats affected consent). What a
player takes back may not take anything of another seat with it, unless that seat consents.

`corrections_lapse` says when the time for it is over, for everybody: when the next act begins (`act`), when another
seat has done something since (`other`), when the next turn begins (`turn`), or so many hours after the event
(`corrections_hours`). After that the referee may still override, with a reason, and the ruling says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from engine.battle import Battle
from engine.corrections.history_slice import find_input, last_input
from engine.corrections.inputs import Input
from engine.corrections.request import CorrectionRequest
from engine.errors import CorrectionNotAllowed
from events.facts import ActOpened, Declared, DiceRolled, Ordered, Revealed, Sealed, TurnBegan
from projections.battle_state import ENGINE, REFEREE
from replays.seek import Frame, steps

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "corrections": ("referee", "free", "before-dice", "consent"),
    "corrections_lapse": ("never", "act", "other", "turn"),
    "corrections_hours": ("0", "1", "6", "12", "24", "48", "72", "168"),
}
"""Options of every battle, with their choices, default first. No hours (0): no limit by the clock."""

_HOUR_US = 3_600_000_000

Code: TypeAlias = Literal["yes", "not-yours", "referee-only", "dice-after", "revealed", "lapsed", "needs-consent"]


class Permission(msgspec.Struct, frozen=True, gc=False):
    """Whether a seat may make a correction. `needed` names seats whose consent is missing."""

    allowed: bool
    code: Code
    reason: str
    needed: tuple[str, ...] = ()


_YES = Permission(True, "yes", "allowed")


def may_correct(battle: Battle, wish: CorrectionRequest) -> Permission:
    """Tell whether a seat may make a correction now, and why not. Nothing is recorded.

    The referee may correct anything, within its time or, with `overrides`, after it. `wish.consents` are the seats that
    have consented to exactly this. Raises `CorrectionRefused` for events that are not there.
    """
    seat, targets = wish.seat, wish.targets
    chosen = [last_input(battle)] if not targets else [find_input(battle, each, answers=True) for each in targets]
    way = list(steps(battle.log, battle.fold, battle.line, min(item.seq for item in chosen) - 1, battle.seq))
    lapsed = _lapsed(battle, chosen, way)
    if seat == REFEREE:
        if lapsed and not wish.overrides:
            return Permission(False, "lapsed", f"{lapsed}: the referee may override that, with a reason")
        return Permission(True, "yes", f"the referee may correct anything, with a reason{lapsed and ': ' + lapsed}")
    strange = _not_own(way, seat, targets or [item.at for item in chosen], wish.what, _policy(battle))
    if strange is not None:
        return strange
    if wish.policy in ("reroll-act", "reroll-phase"):
        return Permission(False, "referee-only", "only the referee may have dice rerolled: keep them")
    if lapsed:
        return Permission(False, "lapsed", f"{lapsed}: only the referee may override that")
    return _by_policy(battle, wish, way)


def _policy(battle: Battle) -> str:
    return str(battle.state.table.option("corrections", "referee"))


def _not_own(way: Sequence[Frame], seat: str, targets: Sequence[int], what: str, policy: str) -> Permission | None:
    """Refuse what is not an order of the seat, and an undo that would take others' orders with it."""
    for step in way:
        at, event = step.record.seq, step.event
        order = isinstance(event, Ordered | Declared | Sealed)
        owner = getattr(event, "seat", "") if order else ""
        if at in targets and owner != seat:
            return Permission(False, "not-yours", f"event {at} is not an order of {seat}: only the referee may do that")
        if what == "undo" and order and owner != seat and policy != "consent":
            told = f"it would take event {at} of {owner} back, too: strike your own order instead"
            return Permission(False, "not-yours", told)
    return None


def _lapsed(battle: Battle, chosen: Sequence[Input], way: Sequence[Frame]) -> str:
    """Say why the time for a correction is over, or nothing."""
    table = battle.state.table
    match table.option("corrections_lapse", "never"):
        case "turn" if turn := _first(way, TurnBegan):
            return f"its time is over, a new turn has begun since (event {turn})"
        case "act" if act := next((step.record.seq for step in way if _begins_after(step, chosen)), 0):
            return f"its time is over, the next act has begun since (event {act})"
        case "other":
            for step in way:
                if step.record.actor not in (ENGINE, REFEREE, way[0].record.actor):
                    return f"its time is over, {step.record.actor} has done something since (event {step.record.seq})"
    hours = int(table.option("corrections_hours", 0))
    if hours and battle.clock() - way[0].record.at > hours * _HOUR_US:
        return f"its time is over, more than {hours} hours have gone by"
    return ""


def _begins_after(step: Frame, chosen: Sequence[Input]) -> bool:
    """Whether an act begins here that is not what is to be corrected, nor a part of it."""
    return isinstance(step.event, ActOpened) and step.record.act not in [item.at for item in chosen]


def _by_policy(battle: Battle, wish: CorrectionRequest, way: Sequence[Frame]) -> Permission:
    policy, seat = _policy(battle), wish.seat
    if REFEREE in wish.consents:
        return Permission(True, "yes", "the referee has consented")
    if policy == "referee":
        return Permission(False, "referee-only", "in this battle only the referee makes corrections")
    for step in way:
        if isinstance(step.event, Revealed) and step.event.seat != seat:
            told = f"event {step.record.seq} has shown {seat} the sealed order of {step.event.piece}"
            return Permission(False, "revealed", f"{told}: only the referee may correct this")
    if policy == "before-dice" and (dice := _first(way, DiceRolled)):
        return Permission(False, "dice-after", f"dice were rolled since (event {dice}): only the referee may now")
    if policy == "consent":
        needed = tuple(each for each in _affected(battle, seat, way) if each not in wish.consents)
        if needed:
            return Permission(False, "needs-consent", f"{', '.join(needed)} must consent: ask for it", needed)
    return _YES


def _first(way: Sequence[Frame], kind: type) -> int:
    return next((step.record.seq for step in way if isinstance(step.event, kind)), 0)


def _affected(battle: Battle, seat: str, way: Sequence[Frame]) -> list[str]:
    """Name the other seats that have acted, or thrown dice, since."""
    acted = {step.record.actor for step in way}
    acted |= {str(getattr(step.event, "seat", "")) for step in way}
    return [each.id for each in battle.state.table.seats if each.id in acted and each.id != seat]


def require(battle: Battle, wish: CorrectionRequest) -> None:
    """Raise `CorrectionNotAllowed` unless the seat may make a correction."""
    found = may_correct(battle, wish)
    if not found.allowed:
        raise CorrectionNotAllowed(found.code, found.reason)
