"""Calling for orders, and the rulings that move or stop a deadline. Each is one step on record."""

from __future__ import annotations

from typing import Literal
from zoneinfo import ZoneInfo

from engine.deadlines.schedule import next_time, read_rule
from engine.deadlines.walltime import Moment, find_zone, later, local, moment_of, read_moment, read_span
from engine.errors import BattleOver, DeadlineRefused, SeatUnknown
from engine.step import StepBuilder
from events.commands import (
    CallForOrders,
    EndSchedule,
    ExtendDeadline,
    FreezeCalendar,
    MarkOrders,
    UnfreezeCalendar,
)
from events.deadlines import ClockFrozen, ClockUnfrozen, DeadlineMoved, OrdersCalled, ScheduleSet
from events.facts import OrdersMarked
from projections.battle_state import REFEREE, BattleState
from projections.deadlines import Deadline, ready, remaining, when
from replays.resolved import refusal, resolution_of


def call_for_orders(step: StepBuilder, command: CallForOrders) -> None:
    """Call for orders for the act that comes next, by a time as it is typed (see `read_moment`).

    With a schedule and no time it is the next fixed time, or nothing but the schedule if orders are called for already.
    Raises `TimeRefused`, `DeadlineRefused`, `InputPending`, `BattleOver`.
    """
    until, every, now = command.until, command.every, step.now
    if not until and not every:
        raise DeadlineRefused("say until when orders are due, or give a schedule")
    place = find_zone(command.zone or _known_zone(step.table))
    rule = str(read_rule(every)) if every else ""
    moment = read_moment(until, place, now) if until or not rule else next_time(read_rule(rule), place, now)
    if moment.until <= now:
        raise DeadlineRefused(f"{when(moment.until, place.key, moment.offset)} is past: {remaining(moment.until, now)}")
    terms = (command.scope, command.early, command.reminders)
    if rule:
        step.refuse_over()
        step.add(ScheduleSet(rule, place.key, *terms), REFEREE)
        if not until and step.table.deadline is not None:
            return
    event = OrdersCalled(callable_act(step), moment.until, place.key, moment.offset, *terms, bool(rule))
    step.add(event, REFEREE)


def end_schedule(step: StepBuilder, command: EndSchedule) -> None:
    """End the schedule; a call that is open stays. Raises `DeadlineRefused` if there is none."""
    schedule = step.table.schedule
    if schedule is None:
        raise DeadlineRefused("there is no schedule to end")
    step.add(ScheduleSet("", schedule.zone), REFEREE)


def callable_act(step: StepBuilder) -> str:
    """Return the act that orders may be called for now. Raises what keeps it from being called for."""
    step.refuse_over()
    step.refuse_waiting()
    table = step.table
    if table.frozen is not None:
        raise DeadlineRefused(f"the calendar is frozen ({table.frozen.why}): unfreeze it first")
    act = step.rules.next_act(step.situation)
    if not act:
        raise BattleOver("there is nothing left to order")
    open_call = table.deadline
    if open_call is not None and (open_call.call.act == act or open_call.call.scope == "turn"):
        due = when(open_call.until, open_call.call.zone, open_call.offset)
        raise DeadlineRefused(f"orders for {open_call.call.act} are due {due} already: extend that deadline instead")
    return act


def _known_zone(table: BattleState) -> str:
    if table.deadline is not None:
        return table.deadline.call.zone
    if table.schedule is not None:
        return table.schedule.zone
    raise DeadlineRefused("say in which time zone: America/New_York, for example")


# ---------------------------------------------------------------------------------------------------- rulings


def extend_deadline(step: StepBuilder, command: ExtendDeadline) -> None:
    """Move the deadline that is open: to a time as it is typed, or by a span such as `+24h`.

    A span counts from the deadline as it stands. Raises `TimeRefused`, `DeadlineRefused`.
    """
    deadline, now, to = _open_deadline(step), step.now, command.to
    zone = find_zone(deadline.call.zone)
    moment = later(deadline.until, read_span(to[1:]), zone) if to.startswith("+") else read_moment(to, zone, now)
    if moment.until <= now:
        raise DeadlineRefused(f"{when(moment.until, zone.key, moment.offset)} is past: {remaining(moment.until, now)}")
    if step.table.frozen is not None:
        raise DeadlineRefused("the calendar is frozen: unfreeze it with the new time")
    step.add(DeadlineMoved(deadline.call.act, moment.until, moment.offset, deadline.until, command.why), REFEREE)


def freeze_calendar(step: StepBuilder, command: FreezeCalendar) -> None:
    """Stop the calendar: nothing is resolved or called for by the clock until it is let run again.

    Orders are still taken, and the referee may proceed. Raises `DeadlineRefused`, `BattleOver`.
    """
    step.refuse_over()
    if step.table.frozen is not None:
        raise DeadlineRefused(f"the calendar is frozen already: {step.table.frozen.why}")
    deadline = step.table.deadline
    if deadline is None:
        step.add(ClockFrozen("", 0, command.why), REFEREE)
        return
    step.add(ClockFrozen(deadline.call.act, max(0, deadline.until - step.now), command.why), REFEREE)


def unfreeze_calendar(step: StepBuilder, command: UnfreezeCalendar) -> None:
    """Let the calendar go on. The open deadline is then at `until`, or without one as `_thawed` says.

    Raises `DeadlineRefused`, `TimeRefused`.
    """
    table, until, why, now = step.table, command.until, command.why, step.now
    if table.frozen is None:
        raise DeadlineRefused("the calendar is running: there is nothing to unfreeze")
    if table.deadline is None:
        if until:
            raise DeadlineRefused("no orders are called for: unfreeze without a time, then call for orders")
        step.add(ClockUnfrozen("", 0, 0, why), REFEREE)
        return
    zone = find_zone(table.deadline.call.zone)
    moment = read_moment(until, zone, now) if until else _thawed(table, table.deadline, zone, now)
    if moment.until <= now:
        raise DeadlineRefused(f"{when(moment.until, zone.key, moment.offset)} is past")
    step.add(ClockUnfrozen(table.deadline.call.act, moment.until, moment.offset, why), REFEREE)


def _thawed(table: BattleState, deadline: Deadline, zone: ZoneInfo, now: int) -> Moment:
    """Return the deadline after a freeze: on a schedule a fixed time again, otherwise after the time that was left."""
    schedule, frozen = table.schedule, table.frozen
    if deadline.call.scheduled and schedule is not None:
        if deadline.until > now:
            return Moment(deadline.until, deadline.offset)
        return next_time(read_rule(schedule.rule), find_zone(schedule.zone), now)
    left = frozen.left if frozen is not None and frozen.act == deadline.call.act else deadline.until - now
    if left <= 0:
        raise DeadlineRefused("no time was left when the calendar was frozen: say until when orders are due")
    return moment_of(local(now + left, zone))


# ---------------------------------------------------------------------------------------------------- seats


def mark_orders(step: StepBuilder, command: MarkOrders) -> None:
    """Let a seat say that it has finished its orders for the act that comes next, or that it has not.

    Raises `SeatUnknown`, `InputPending`, `BattleOver`, `DeadlineRefused`.
    """
    seat = command.seat
    step.refuse_over()
    step.refuse_waiting()
    act = step.rules.next_act(step.situation)
    mark: Literal["final", "provisional"] = "final" if command.final else "provisional"
    seats = [each.id for each in step.table.seats]
    if seat not in seats:
        raise SeatUnknown(f"no seat {seat!r} at this table that could be ready: there are {', '.join(seats)}")
    if (seat in ready(step.table.seats, step.table.marks, act)) == command.final:
        raise DeadlineRefused(f"the orders of {seat} for {act} are {mark} already")
    step.add(OrdersMarked(seat, mark, act), seat)


# ---------------------------------------------------------------------------------------------------- looking


def _open_deadline(step: StepBuilder) -> Deadline:
    deadline = step.table.deadline
    if deadline is None:
        raise DeadlineRefused("no orders are called for")
    return deadline


def still_open(step: StepBuilder, seen: Deadline) -> None:
    """Raise `AlreadyResolved` or `DeadlineRefused` if a deadline that was seen is not the open one in a step."""
    deadline = step.table.deadline
    if deadline is not None and deadline.call == seen.call:
        return
    found = resolution_of(step.view, seen.call.act)
    if found is not None:
        raise refusal(found)
    raise DeadlineRefused(f"orders for {seen.call.act} are no longer called for")
