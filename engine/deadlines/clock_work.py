"""What the clock has to do in a battle at an instant: close the orders that are due, call for the next ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from engine.deadlines.schedule import next_time, read_rule
from engine.deadlines.walltime import find_zone
from engine.errors import BattleError
from engine.step import StepBuilder
from events.commands import Tick
from events.deadlines import OrdersCalled, OrdersClosed
from projections.battle_state import ENGINE, REFEREE, BattleState
from projections.deadlines import Deadline, ready, remaining, when

Cause: TypeAlias = Literal["time", "ready"]


class NothingDue(BattleError, RuntimeError):
    """The clock has nothing to do in a battle; the message says why."""

    code = "deadline/nothing-due"


class Work(msgspec.Struct, frozen=True, gc=False):
    """What there is to do, if anything."""

    told: str
    what: Literal["resolved", "called", "nothing"] = "nothing"
    make: Callable[[StepBuilder], None] | None = None


def do_what_is_due(step: StepBuilder, command: Tick) -> None:
    """Do what the clock says at the time of a step. Raises `NothingDue`, with the reason, if there is nothing to do."""
    work = work_of(step)
    if work.make is None:
        raise NothingDue(work.told)
    work.make(step)


def work_of(step: StepBuilder) -> Work:
    """Return what is to be done at the time of a step, or why there is nothing to do."""
    table, now = step.table, step.now
    if table.ended:
        return Work(f"the battle is over: {table.ended}")
    if table.frozen is not None:
        return Work(f"the calendar is frozen: {table.frozen.why}")
    if table.waiting:
        return Work(f"it waits for {', '.join([*table.called, *table.asked])}")
    deadline = table.deadline
    if deadline is None:
        if table.schedule is None:
            return Work("no orders are called for")
        return Work("orders are called for by the schedule", "called", lambda step: call_by_schedule(step, step.now))
    act = step.rules.next_act(step.situation)
    call = deadline.call
    if call.scope == "act" and act != call.act:
        return Work(f"orders are called for {call.act}, but the battle stands before {act or 'its end'}")
    cause = due_by(table, act, now)
    if cause is None:
        due = when(deadline.until, call.zone, deadline.offset)
        return Work(f"orders for {call.act} are due {due}, {remaining(deadline.until, now)}")
    if _put_right(step, deadline, cause):
        return Work(f"{call.act} was taken back: somebody must proceed, or extend the deadline")
    told = f"{act} is resolved: {'the time is up' if cause == 'time' else 'all are ready'}"
    return Work(told, "resolved", lambda step: _resolve(step, cause, step.now))


def due_by(table: BattleState, act: str, now: int) -> Cause | None:
    """Return why the orders of the open call are to be closed now, or None. `act` is the one that comes next."""
    deadline = table.deadline
    if deadline is not None and now >= deadline.until:
        return "time"
    if deadline is not None and deadline.call.early and len(ready(table.seats, table.marks, act)) == len(table.seats):
        return "ready"
    return None


def _put_right(step: StepBuilder, deadline: Deadline, cause: Cause) -> bool:
    """Whether a ruling has brought back a deadline that had come before: then a person must say when to go on."""
    if step.table.corrected is None:
        return False
    if cause == "time":
        return deadline.until <= step.line.at
    (last,) = step.log.records(step.line, step.seq - 1, step.seq)
    return last.at <= step.line.at


def _resolve(step: StepBuilder, cause: Cause, now: int) -> None:
    """Close the orders and go on: through one act, or through what is left of the turn; then call for the next."""
    deadline = step.table.deadline
    assert deadline is not None
    step.add(OrdersClosed(step.rules.next_act(step.situation), cause), ENGINE)
    step.proceed()
    while step.table.deadline == deadline and not step.table.waiting and not step.table.ended:
        step.proceed()
    if step.table.schedule is not None and not step.table.waiting and not step.table.ended:
        call_by_schedule(step, now)


def call_by_schedule(step: StepBuilder, now: int) -> None:
    """Call for orders by the next fixed time after the last deadline, as it was called for, and after now.

    So neither an early resolution nor an extension moves the calendar: who is ready on Friday for a Sunday has until
    the Sunday after it.
    """
    schedule = step.table.schedule
    assert schedule is not None
    act = step.rules.next_act(step.situation)
    if not act:
        return
    zone = find_zone(schedule.zone)
    moment = next_time(read_rule(schedule.rule), zone, max(now, step.table.last_due))
    event = OrdersCalled(
        act, moment.until, zone.key, moment.offset, schedule.scope, schedule.early, schedule.reminders, True
    )
    step.add(event, REFEREE)
