"""Functions for tests that give one command each, at a time that the test names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.answers import Answer
from engine.corrections.permission import Permission, may_correct
from engine.corrections.request import CorrectionRequest
from engine.deadlines.tick import Ticked
from events.commands import (
    AddBeacon,
    AddPrivateNote,
    AnswerConsent,
    AskConsent,
    CallForOrders,
    DeclareDicePolicy,
    EndSchedule,
    ExtendDeadline,
    FreezeCalendar,
    LeaveStandingOrders,
    MarkOrders,
    NameBeacon,
    RevealOrder,
    Strike,
    SubmitDigest,
    SubmitOrders,
    TakeSeat,
    Undo,
    UnfreezeCalendar,
)
from tests.table import Table


@contextmanager
def at_time(battle: Table, now: int) -> Iterator[None]:
    """Let the clock of a battle stand at an instant."""
    clock, battle.clock = battle.clock, lambda: now
    try:
        yield
    finally:
        battle.clock = clock


def call(battle: Table, until: str, zone: str, now: int, **how: Any) -> Answer:
    with at_time(battle, now):
        return battle.give(CallForOrders, until=until, zone=zone, **how)


def end_schedule(battle: Table) -> Answer:
    return battle.give(EndSchedule)


def extend(battle: Table, to: str, why: str, now: int, **how: Any) -> Answer:
    with at_time(battle, now):
        return battle.give(ExtendDeadline, to=to, why=why, **how)


def freeze(battle: Table, why: str, now: int) -> Answer:
    with at_time(battle, now):
        return battle.give(FreezeCalendar, why=why)


def unfreeze(battle: Table, until: str, why: str, now: int) -> Answer:
    with at_time(battle, now):
        return battle.give(UnfreezeCalendar, until=until, why=why)


def mark_ready(battle: Table, seat: str, *, done: bool = True) -> Answer:
    return battle.give(MarkOrders, seat=seat, final=done)


def tick(battle: Table, now: int) -> Ticked:
    with at_time(battle, now):
        return battle.tick()


def hand_in(battle: Table, seat: str, text: str, **how: Any) -> Answer:
    return battle.give(SubmitOrders, seat=seat, text=text, **how)


def hand_in_digest(battle: Table, seat: str, digest: str, **how: Any) -> Answer:
    return battle.give(SubmitDigest, seat=seat, digest=digest, **how)


def hand_in_text(battle: Table, seat: str, sealed: str, **how: Any) -> Answer:
    return battle.give(RevealOrder, seat=seat, sealed=sealed, **how)


def leave_standing(battle: Table, seat: str, text: str, **how: Any) -> Answer:
    return battle.give(LeaveStandingOrders, seat=seat, text=text, **how)


def take_seat(battle: Table, seat: str, player: str, was: str = "") -> Answer:
    return battle.give(TakeSeat, taken=seat, player=player, was=was)


def note_privately(battle: Table, seat: str, to: Sequence[str], text: str) -> Answer:
    return battle.give(AddPrivateNote, seat=seat, to=tuple(to), text=text)


def declare_policy(battle: Table, seat: str, fudging: str, why: str = "") -> Answer:
    return battle.give(DeclareDicePolicy, seat=seat, fudging=fudging, why=why)


def name_beacon(battle: Table, seat: str, beacon: str, number: int) -> Answer:
    return battle.give(NameBeacon, seat=seat, beacon=beacon, round=number)


def add_beacon(
    battle: Table, seat: str, beacon: str, number: int, signature: str, randomness: str = ""
) -> Answer:  # fmt: skip
    how = {"signature": signature, "randomness": randomness}
    return battle.give(AddBeacon, seat=seat, beacon=beacon, round=number, **how)


def may(battle: Table, seat: str, targets: Sequence[int], *, overrides: bool = False) -> Permission:
    """Ask whether a seat may strike events."""
    battle.refresh()
    return may_correct(battle, CorrectionRequest("strike", tuple(targets), seat, "", "keep", overrides=overrides))


def ask(battle: Table, seat: str, what: str, targets: Sequence[int], why: str) -> Answer:
    name = battle.line.battle
    command: Strike | Undo = (
        Strike(battle=name, events=tuple(targets), why=why)
        if what == "strike"
        else Undo(battle=name, before=targets[0], why=why)
    )
    return battle.give(AskConsent, seat=seat, correction=command)


def answer(battle: Table, seat: str, number: int, consents: bool, why: str) -> Answer:
    return battle.give(AnswerConsent, seat=seat, number=number, consents=consents, why=why)
