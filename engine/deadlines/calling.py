"""Calling for orders, and the rulings that move or stop a deadline. Each is one step on record."""

from __future__ import annotations

from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from engine.battle import Battle
from engine.deadlines.schedule import next_time, read_rule
from engine.deadlines.walltime import Moment, find_zone, later, local, moment_of, read_moment, read_span
from engine.errors import BattleOver, DeadlineRefused, SeatUnknown
from engine.step import StepBuilder
from events.deadlines import ClockFrozen, ClockUnfrozen, DeadlineMoved, OrdersCalled, ScheduleSet, Scope
from events.facts import OrdersMarked
from events.store.record import Appended
from projections.battle_state import REFEREE, BattleState
from projections.deadlines import Deadline, ready, remaining, when
from replays.resolved import refusal, resolution_of

NO_SCHEDULE = "none"


class Terms(msgspec.Struct, frozen=True, gc=False):
    """What a call is for besides its time: see `events.deadlines.OrdersCalled`. Reminders in seconds before."""

    scope: Scope = "act"
    early: bool = False
    reminders: tuple[int, ...] = ()


def call(
    battle: Battle, until: str, zone: str, now: int, terms: Terms | None = None, *, every: str = "",
    expected: int | None = None, request: str | None = None,
) -> Appended:  # fmt: skip
    """Call for orders for the act that comes next, by a time as it is typed (see `read_moment`).

    `every` sets a schedule, and `until` may then be empty: the next fixed time, or nothing but the schedule if orders
    are called for already. An empty zone is that of the schedule or of the last call. Raises `TimeRefused`,
    `DeadlineRefused`, `InputPending`, `BattleOver`, `Conflict`.
    """
    terms = terms or Terms()
    place = find_zone(zone or _known_zone(battle.state.table))
    rule = "" if every in ("", NO_SCHEDULE) else str(read_rule(every))
    moment = read_moment(until, place, now) if until or not rule else next_time(read_rule(rule), place, now)
    if moment.until <= now:
        raise DeadlineRefused(f"{when(moment.until, place.key, moment.offset)} is past: {remaining(moment.until, now)}")

    def make(step: StepBuilder) -> None:
        if every:
            step.refuse_over()
            step.add(ScheduleSet(rule, place.key, terms.scope, terms.early, terms.reminders), REFEREE)
            if not until and step.table.deadline is not None:
                return
        act = callable_act(step)
        event = OrdersCalled(
            act, moment.until, place.key, moment.offset, terms.scope, terms.early, terms.reminders, bool(rule)
        )
        step.add(event, REFEREE)

    return battle.step(f"call {until} {place.key} {every} {terms}", make, expected, request)


def end_schedule(battle: Battle, *, expected: int | None = None, request: str | None = None) -> Appended:
    """End the schedule; a call that is open stays. Raises `DeadlineRefused` if there is none."""

    def make(step: StepBuilder) -> None:
        schedule = step.table.schedule
        if schedule is None:
            raise DeadlineRefused("there is no schedule to end")
        step.add(ScheduleSet("", schedule.zone), REFEREE)

    return battle.step("end the schedule", make, expected, request)


def callable_act(step: StepBuilder) -> str:
    """Return the act that orders may be called for now. Raises what keeps it from being called for."""
    step.refuse_over()
    step.refuse_waiting()
    table = step.table
    if table.frozen is not None:
        raise DeadlineRefused(f"the calendar stands still ({table.frozen.why}): `wardiary unfreeze` first")
    act = step.rules.next_act(step.situation)
    if not act:
        raise BattleOver("there is nothing left to order")
    open_call = table.deadline
    if open_call is not None and (open_call.call.act == act or open_call.call.scope == "turn"):
        due = when(open_call.until, open_call.call.zone, open_call.offset)
        raise DeadlineRefused(f"orders for {open_call.call.act} are due {due} already: `wardiary extend` moves that")
    return act


def _known_zone(table: BattleState) -> str:
    if table.deadline is not None:
        return table.deadline.call.zone
    if table.schedule is not None:
        return table.schedule.zone
    raise DeadlineRefused("say by which clocks: --zone America/New_York, or the variable WARDIARY_ZONE")


# ---------------------------------------------------------------------------------------------------- rulings


def extend(
    battle: Battle, to: str, why: str, now: int, *, expected: int | None = None, request: str | None = None
) -> Appended:
    """Move the deadline that is open, and no other: to a time as it is typed, or by a span such as `+24h`.

    A span counts from the deadline as it stands. Raises `TimeRefused`, `DeadlineRefused`, `AlreadyResolved`,
    `Conflict`.
    """
    seen = open_deadline(battle)
    zone = find_zone(seen.call.zone)
    moment = later(seen.until, read_span(to[1:]), zone) if to.startswith("+") else read_moment(to, zone, now)
    if moment.until <= now:
        raise DeadlineRefused(f"{when(moment.until, zone.key, moment.offset)} is past: {remaining(moment.until, now)}")

    def make(step: StepBuilder) -> None:
        deadline = _still_open(battle, step, seen)
        if step.table.frozen is not None:
            raise DeadlineRefused("the calendar stands still: `wardiary unfreeze --until` sets the new time")
        step.add(DeadlineMoved(seen.call.act, moment.until, moment.offset, deadline.until, why), REFEREE)

    return battle.step(f"extend {seen.call.act} {to}\n{why}", make, expected, request)


def freeze(battle: Battle, why: str, now: int, *, expected: int | None = None, request: str | None = None) -> Appended:
    """Stop the calendar: nothing is resolved or called for by the clock until it is let run again.

    Orders are still taken, and the referee may go on by his own word. Raises `DeadlineRefused`, `AlreadyResolved` if
    the deadline that was seen is no longer open, `Conflict`.
    """
    seen = battle.state.table.deadline

    def make(step: StepBuilder) -> None:
        step.refuse_over()
        if step.table.frozen is not None:
            raise DeadlineRefused(f"the calendar stands still already: {step.table.frozen.why}")
        if seen is None:
            step.add(ClockFrozen("", 0, why), REFEREE)
            return
        deadline = _still_open(battle, step, seen)
        step.add(ClockFrozen(seen.call.act, max(0, deadline.until - now), why), REFEREE)

    return battle.step(f"freeze\n{why}", make, expected, request)


def unfreeze(
    battle: Battle, until: str, why: str, now: int, *, expected: int | None = None, request: str | None = None
) -> Appended:
    """Let the calendar go on. The open deadline is then at `until`, or without one as `_thawed` says.

    Raises `DeadlineRefused`, `TimeRefused`, `Conflict`.
    """

    def make(step: StepBuilder) -> None:
        table = step.table
        if table.frozen is None:
            raise DeadlineRefused("the calendar is running: there is nothing to unfreeze")
        if table.deadline is None:
            if until:
                raise DeadlineRefused("no orders are called for: unfreeze without --until, then `wardiary call`")
            step.add(ClockUnfrozen("", 0, 0, why), REFEREE)
            return
        zone = find_zone(table.deadline.call.zone)
        moment = read_moment(until, zone, now) if until else _thawed(table, table.deadline, zone, now)
        if moment.until <= now:
            raise DeadlineRefused(f"{when(moment.until, zone.key, moment.offset)} is past")
        step.add(ClockUnfrozen(table.deadline.call.act, moment.until, moment.offset, why), REFEREE)

    return battle.step(f"unfreeze {until}\n{why}", make, expected, request)


def _thawed(table: BattleState, deadline: Deadline, zone: ZoneInfo, now: int) -> Moment:
    """Return the deadline after a freeze: on a schedule a fixed time again, otherwise after the time that was left."""
    schedule, frozen = table.schedule, table.frozen
    if deadline.call.scheduled and schedule is not None:
        if deadline.until > now:
            return Moment(deadline.until, deadline.offset)
        return next_time(read_rule(schedule.rule), find_zone(schedule.zone), now)
    left = frozen.left if frozen is not None and frozen.act == deadline.call.act else deadline.until - now
    if left <= 0:
        raise DeadlineRefused("no time was left when the calendar was stopped: say --until when orders are due")
    return moment_of(local(now + left, zone))


# ---------------------------------------------------------------------------------------------------- seats


def mark_ready(
    battle: Battle, seat: str, *, done: bool = True, expected: int | None = None, request: str | None = None
) -> Appended:
    """Let a seat say that it is done with its orders for the act that comes next, or (`done=False`) that it is not.

    Raises `SeatUnknown`, `InputPending`, `BattleOver`, `DeadlineRefused`, `Conflict`.
    """

    def make(step: StepBuilder) -> None:
        step.refuse_over()
        step.refuse_waiting()
        act = step.rules.next_act(step.situation)
        mark: Literal["final", "provisional"] = "final" if done else "provisional"
        seats = [each.id for each in step.table.seats]
        if seat not in seats:
            raise SeatUnknown(f"no seat {seat!r} at this table that could be ready: there are {', '.join(seats)}")
        if (seat in ready(step.table.seats, step.table.marks, act)) == done:
            raise DeadlineRefused(f"the orders of {seat} for {act} are {mark} already")
        step.add(OrdersMarked(seat, mark, act), seat)

    return battle.step(f"ready {seat} {done}", make, expected, request)


# ---------------------------------------------------------------------------------------------------- looking


def open_deadline(battle: Battle) -> Deadline:
    """Return the deadline that is open. Raises `DeadlineRefused`."""
    deadline = battle.state.table.deadline
    if deadline is None:
        raise DeadlineRefused("no orders are called for: `wardiary call` does")
    return deadline


def _still_open(battle: Battle, step: StepBuilder, seen: Deadline) -> Deadline:
    """Return the deadline that was seen, as it stands in a step. Raises `AlreadyResolved`, `DeadlineRefused`."""
    deadline = step.table.deadline
    if deadline is not None and deadline.call == seen.call:
        return deadline
    found = resolution_of(battle.view, seen.call.act)
    if found is not None:
        raise refusal(found)
    raise DeadlineRefused(f"orders for {seen.call.act} are no longer called for: look with `wardiary due`")
