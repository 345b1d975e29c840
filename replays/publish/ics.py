"""A battle's deadlines as a calendar file (RFC 5545) that phones and mail programs take in.

Each act that orders were called for is one event, under a UID that stays. Every change to it, and its end, raises its
SEQUENCE, on whatever line of the battle it was recorded. Times are UTC: a deadline is one instant, which every program
shows by its owner's clock, so that no rules of a zone need to come along that could be out of date. The time on the
wall where it was set is in the description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from events.corrections import Corrected
from events.deadlines import ClockFrozen, ClockUnfrozen, DeadlineMoved, OrdersCalled
from events.facts import ActOpened, BattleEnded, Event, TurnBegan
from projections.deadlines import SECOND, Deadline, when
from replays.seek import Frame
from replays.view import View

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PRODUCT = "-//War Diary//Deadlines//EN"
_WIDTH = 75
"""Octets in a line, without its end (RFC 5545, 3.1)."""


class Appointment(msgspec.Struct, frozen=True, gc=False):
    """One deadline as a calendar has it. `changed` is when it last changed; `sequence` rises with every change."""

    uid: str
    act: str
    deadline: Deadline
    sequence: int
    changed: int
    status: str


def appointments(view: View) -> list[Appointment]:
    """Return every deadline of a battle, in the order in which they were first called for.

    CONFIRMED is what stands, TENTATIVE what is frozen, CANCELLED what was resolved before its time, or taken back.
    Cost: the whole battle, once for each of its played lines.
    """
    played = [line for line in view.lines() if line.played]
    origin = view.record(1).hash[:32]
    changes = sorted(
        (step for line in played for step in line.frames(line.own_after, line.readable)),
        key=lambda step: step.record.position,
    )
    now = view.now()
    counts, times = _counted(changes)
    standing = _standing(now.frames(0, now.readable))
    gone = {act: (deadline, "CANCELLED") for act, deadline in _ever(changes)}
    return [
        Appointment(f"{origin}-{_plain(act)}@wardiary", act, deadline, counts[act], times[act], status)
        for act, (deadline, status) in (gone | standing).items()
    ]


def _ever(changes: Iterable[Frame]) -> Iterator[tuple[str, Deadline]]:
    for step in changes:
        if isinstance(step.event, OrdersCalled):
            yield step.event.act, Deadline(step.event, step.event.until, step.event.offset)


def _counted(changes: Iterable[Frame]) -> tuple[dict[str, int], dict[str, int]]:
    """Return how often each act's deadline changed after it was first called for, on any line, and when last."""
    counts: dict[str, int] = {}
    times: dict[str, int] = {}
    for step in changes:
        for act in _touched(step, counts):
            counts[act] = counts.get(act, -1) + 1
            times[act] = step.record.at
    return counts, times


def _touched(step: Frame, known: Iterable[str]) -> list[str]:
    """Return the acts whose deadline an event sets, changes or ends."""
    event = step.event
    deadline = step.before.table.deadline
    match event:
        case OrdersCalled():
            return [event.act]
        case Corrected():
            return list(known)
        case DeadlineMoved() | ClockFrozen() | ClockUnfrozen() if event.act:
            return [event.act]
        case ActOpened() | TurnBegan() | BattleEnded() if deadline is not None and step.after.table.deadline is None:
            return [deadline.call.act]
    return []


def _standing(way: Iterable[Frame]) -> dict[str, tuple[Deadline, str]]:
    """Return each deadline of a line as it stands at its end, with its status."""
    found: dict[str, tuple[Deadline, str]] = {}
    for step in way:
        before, after = step.before.table.deadline, step.after.table.deadline
        if before is not None and after is None:
            early = step.record.at < before.until
            found[before.call.act] = before, "CANCELLED" if early else "CONFIRMED"
        elif after is not None and _concerns(step.event):
            found[after.call.act] = after, "TENTATIVE" if step.after.table.frozen is not None else "CONFIRMED"
    return found


def _concerns(event: Event) -> bool:
    return isinstance(event, OrdersCalled | DeadlineMoved | ClockFrozen | ClockUnfrozen)


def _plain(act: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in act)


# ---------------------------------------------------------------------------------------------------- writing


def calendar_of(title: str, found: Iterable[Appointment]) -> str:
    """Write appointments as a calendar file: lines of at most 75 octets, ended as the format says."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "METHOD:PUBLISH", f"X-WR-CALNAME:{escaped(title)}"]
    for each in found:
        lines += _event(title, each)
    return "".join(f"{folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _event(title: str, each: Appointment) -> Iterator[str]:
    deadline = each.deadline
    call = deadline.call
    due = when(deadline.until, call.zone, deadline.offset)
    rest = " and the rest of its turn" if call.scope == "turn" else ""
    mark = {"TENTATIVE": "on hold: ", "CANCELLED": "closed: "}.get(each.status, "")
    summary = f"{mark}{title}: orders for {call.act}"
    yield "BEGIN:VEVENT"
    yield f"UID:{each.uid}"
    yield f"SEQUENCE:{each.sequence}"
    yield f"DTSTAMP:{stamped(each.changed)}"
    yield f"DTSTART:{stamped(deadline.until)}"
    yield f"SUMMARY:{escaped(summary)}"
    yield f"DESCRIPTION:{escaped(f'Orders for {call.act}{rest} are due {due}.')}"
    yield f"STATUS:{each.status}"
    yield "TRANSP:TRANSPARENT"
    for seconds in call.reminders if each.status == "CONFIRMED" else ():
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{escaped(summary)}"
        yield f"TRIGGER:-PT{seconds // 60}M" if seconds % 60 == 0 else f"TRIGGER:-PT{seconds}S"
        yield "END:VALARM"
    yield "END:VEVENT"


def stamped(at: int) -> str:
    """Write an instant, in UTC.

    >>> stamped(1_773_007_200_000_000)
    '20260308T220000Z'
    """
    return f"{_EPOCH + timedelta(seconds=at // SECOND):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    """Write a text so that nothing in it is read as the format's own.

    >>> print(escaped("a;b, c" + chr(10) + "d"))
    a\\;b\\, c\\nd
    """
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    return "".join(char if char.isprintable() else " " for char in text)


def folded(line: str) -> str:
    """Fold a line: no piece is longer than 75 octets, none ends within a sign."""
    pieces, here, size = [], "", 0
    for char in line:
        width = len(char.encode())
        if size + width > _WIDTH:
            pieces.append(here)
            here, size = " ", 1
        here, size = here + char, size + width
    return "\r\n".join([*pieces, here])
