"""What is open: until when, who is missing, when reminders are due."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.battle import Battle
from events.times import rfc3339
from projections.deadlines import SECOND, ready, remaining, reminders, span, stamp, wall, when


class Reminder(msgspec.Struct, frozen=True, gc=False):
    """A reminder: `seconds` before the deadline, at `at` (RFC 3339), and whether its time has come."""

    seconds: int
    at: str
    due: bool


class Due(msgspec.Struct, frozen=True, gc=False):
    """How a battle stands with the calendar. `until` is µs UTC, `left` seconds; both are 0 where nothing is open.

    `waits` names the dice and questions that must be answered before anything can be resolved.
    """

    battle: str
    title: str
    act: str
    scope: str
    until: int
    time: str
    local: str
    zone: str
    offset: int
    discord: str
    left: int
    over: bool
    early: bool
    frozen: str
    schedule: str
    ready: tuple[str, ...]
    missing: tuple[str, ...]
    waits: tuple[str, ...]
    reminders: tuple[Reminder, ...]


def due(battle: Battle, now: int) -> Due:
    """Return how a battle stands with the calendar at an instant. Raises what looking at the next act may raise."""
    table = battle.state.table
    deadline = table.deadline
    shared: dict[str, Any] = {
        "battle": battle.line.battle,
        "title": table.title,
        "frozen": table.frozen.why if table.frozen else "",
        "schedule": f"{table.schedule.rule} {table.schedule.zone}" if table.schedule else "",
        "ready": tuple(ready(table.seats, table.marks, _awaited(battle))),
        "waits": (*table.called, *table.asked),
    }
    if deadline is None:
        return Due(
            act="", scope="", until=0, time="", local="", zone="", offset=0, discord="", left=0, over=bool(table.ended),
            early=False, missing=(), reminders=(), **shared,
        )  # fmt: skip
    call, until = deadline.call, deadline.until
    return Due(
        act=call.act,
        scope=call.scope,
        until=until,
        time=rfc3339(until)[:19] + "Z",
        local=wall(until, deadline.offset),
        zone=call.zone,
        offset=deadline.offset,
        discord=stamp(until),
        left=(until - now) // SECOND,
        over=False,
        early=call.early,
        missing=tuple(not_in(battle)),
        reminders=tuple(
            Reminder((until - at) // SECOND, rfc3339(at)[:19] + "Z", at <= now < until) for at in reminders(deadline)
        ),
        **shared,
    )


def _awaited(battle: Battle) -> str:
    """Return the act that orders are awaited for; empty while dice or a ruling are."""
    table = battle.state.table
    return "" if table.waiting or table.ended else battle.rules.next_act(battle.situation())


def not_in(battle: Battle) -> list[str]:
    """Return the seats that have neither ordered anything for the open call nor said that they are done.

    Whether an order waits is no secret, only what it says. An order whose slot is sealed counts as given; one that
    stands for good, such as what a unit does without orders, does not.
    """
    table, act = battle.state.table, _awaited(battle)
    if table.deadline is None or not act:
        return []
    whole_turn = table.deadline.call.scope == "turn"
    slots, lasting = battle.rules.orders_for(act), battle.rules.lasting
    waiting = [order for order in table.orders if order.slot not in lasting]
    given = {order.seat for order in waiting if whole_turn or not order.slot or order.slot in slots}
    return [seat.id for seat in table.seats if seat.id not in {*given, *ready(table.seats, table.marks, act)}]


def told(found: Due, now: int) -> list[str]:
    """Tell how a battle stands, a line each."""
    lines = [f"{found.battle}: {_first(found, now)}"]
    if found.waits:
        lines.append(f"    it waits for {', '.join(found.waits)}")
    if found.act and not found.waits:
        absent, done = ", ".join(found.missing) or "nobody", ", ".join(found.ready) or "nobody"
        lines.append(f"    missing: {absent}; ready: {done}")
    if found.act and not found.frozen:
        lines += [f"    reminder {span(each.seconds * SECOND)} before: {_stands(each)}" for each in found.reminders]
        lines.append(f"    for Discord: {found.discord} {stamp(found.until, 'R')}")
    if found.schedule:
        lines.append(f"    schedule: {found.schedule}")
    return lines


def _first(found: Due, now: int) -> str:
    if found.frozen:
        wanted = f", orders for {found.act} are still taken" if found.act else ""
        return f"the calendar stands still: {found.frozen}{wanted}"
    if not found.act:
        return "the battle is over" if found.over else "no orders are called for"
    early = ", or as soon as all are ready" if found.early else ""
    due_at = when(found.until, found.zone, found.offset)
    rest = " and the rest of its turn" if found.scope == "turn" else ""
    return f"orders for {found.act}{rest} are due {due_at}, {remaining(found.until, now)}{early}"


def _stands(each: Reminder) -> str:
    return f"due since {each.at}" if each.due else f"at {each.at}"
