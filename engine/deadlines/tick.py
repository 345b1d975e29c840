"""Moving a battle on when its time has come: once, however many clocks and people try at the same moment.

A tick acts on the head that it saw, under a request key made of that head. If another tick was first, its answer is
given again; if anything else came in between, the tick looks again, and does what is left to do, if anything is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from engine.battle import Battle
from engine.deadlines.schedule import next_time, read_rule
from engine.deadlines.walltime import find_zone
from engine.step import StepBuilder
from events.deadlines import OrdersCalled, OrdersClosed
from events.store.errors import Conflict
from events.store.record import Appended
from projections.battle_state import ENGINE, REFEREE, BattleState
from projections.deadlines import Deadline, ready, remaining, when
from replays.resolved import refusal, resolution_of

Cause: TypeAlias = Literal["time", "ready"]
_TRIES = 50


class Ticked(msgspec.Struct, frozen=True, gc=False):
    """What a tick did. `done` is what it put on record: a resolution, a call for orders, both, or None for nothing."""

    battle: str
    what: Literal["resolved", "called", "nothing"]
    told: str
    done: Appended | None = None


class _Work(msgspec.Struct, frozen=True, gc=False):
    """What there is to do, if anything."""

    told: str
    what: Literal["resolved", "called", "nothing"] = "nothing"
    make: Callable[[StepBuilder], None] | None = None


def tick(battle: Battle, now: int) -> Ticked:
    """Resolve what is due, and call for orders if a schedule says so; tell why if there is nothing to do.

    Raises `AlreadyResolved` if somebody else resolved it at the same moment, and whatever the rules raise.
    """
    battle.refresh()
    name = battle.line.battle
    watched = battle.state.table.deadline
    for _ in range(_TRIES):
        seen = battle.seq
        work = _work(battle, now)
        if work.make is None:
            return Ticked(name, "nothing", work.told)
        try:
            key = f"tick:{battle.log.head(battle.line).hash[:32]}"
            done = battle.step(f"tick at {seen}", work.make, seen, key)
        except Conflict:
            battle.refresh()
            _refuse_gone(battle, watched)
            continue
        if not done.repeated:
            return Ticked(name, work.what, work.told, done)
        battle.refresh()
        _refuse_gone(battle, watched)
        return Ticked(name, "nothing", "another tick has called for orders at the same moment")
    raise AssertionError("unreachable: somebody else gets on with every try")


def _refuse_gone(battle: Battle, watched: Deadline | None) -> None:
    """Raise `AlreadyResolved` if what was to be resolved has been resolved since."""
    deadline = battle.state.table.deadline
    if watched is None or (deadline is not None and deadline.call == watched.call):
        return
    found = resolution_of(battle.view, watched.call.act)
    if found is not None:
        raise refusal(found)


def _work(battle: Battle, now: int) -> _Work:
    """Return what is to be done at an instant, or why there is nothing to do."""
    table = battle.state.table
    if table.ended:
        return _Work(f"the battle is over: {table.ended}")
    if table.frozen is not None:
        return _Work(f"the calendar stands still: {table.frozen.why}")
    if table.waiting:
        return _Work(f"it waits for {', '.join([*table.called, *table.asked])}")
    deadline = table.deadline
    if deadline is None:
        if table.schedule is None:
            return _Work("no orders are called for")
        return _Work("orders are called for by the schedule", "called", lambda step: call_by_schedule(step, now))
    act = battle.rules.next_act(battle.situation())
    call = deadline.call
    if call.scope == "act" and act != call.act:
        return _Work(f"orders are called for {call.act}, but the battle stands before {act or 'its end'}")
    cause = due_by(table, act, now)
    if cause is None:
        due = when(deadline.until, call.zone, deadline.offset)
        return _Work(f"orders for {call.act} are due {due}, {remaining(deadline.until, now)}")
    if _put_right(battle, deadline, cause):
        return _Work(f"{call.act} was taken back: `wardiary next` goes on, `wardiary extend` sets another time")
    told = f"{act} is resolved: {'the time is up' if cause == 'time' else 'all are ready'}"
    return _Work(told, "resolved", lambda step: _resolve(step, cause, now))


def due_by(table: BattleState, act: str, now: int) -> Cause | None:
    """Return why the orders of the open call are to be closed now, or None. `act` is the one that comes next."""
    deadline = table.deadline
    if deadline is not None and now >= deadline.until:
        return "time"
    if deadline is not None and deadline.call.early and len(ready(table.seats, table.marks, act)) == len(table.seats):
        return "ready"
    return None


def _put_right(battle: Battle, deadline: Deadline, cause: Cause) -> bool:
    """Whether a ruling has brought back a deadline that had come before: then a person must say when to go on."""
    if battle.state.table.corrected is None:
        return False
    if cause == "time":
        return deadline.until <= battle.line.at
    (last,) = battle.log.records(battle.line, battle.seq - 1, battle.seq)
    return last.at <= battle.line.at


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
