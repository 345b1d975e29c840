"""What a correction changes, for whoever looks: all of it for the referee, no more than they may see for a seat."""

from __future__ import annotations

from collections.abc import Iterable

from engine.answers import Caption, Change, ChangedRow, DeferredInput
from engine.battle import Battle
from engine.corrections.new_lines import corrected_line
from engine.corrections.plan import Plan
from events.corrections import Deferred
from events.event import Event
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Recorded
from projections.battle_state import REFEREE
from projections.viewer import Viewer
from replays.compare import Difference, Told, about_roll, compare, counts, state_difference, tell
from replays.view import open_view

_NO_SALTS = "00" * 32
"""The salts of a copy that is looked at and thrown away: nobody gets a hash of it."""


def change_of(battle: Battle, plan: Plan, *, recorded: bool) -> Change:
    """Return what a correction changes, as the seat that asked for it may see it.

    `recorded` says whether its line is in the log already. For a seat the two lines are compared in a copy of the
    battle from which everything is left out that the seat may not see. Cost: that of the copy.
    """
    if plan.wish.seat == REFEREE:
        return _change(battle, plan, plan.rows, plan.held, plan.field)
    name = battle.line.battle
    log = battle.log if recorded else _with_plan(battle, plan)
    new = open_view(log, name, plan.name, Viewer("seat", plan.wish.seat), battle.fold)
    old = new.on(plan.line)
    now = list(new.frames(plan.after))
    was = tell(battle.fold, old.frames(plan.after, plan.head))
    field = state_difference(old.state_at(plan.head), now[-1].after)
    return _change(battle, plan, compare(was, tell(battle.fold, now)), [step.event for step in now], field)


def _with_plan(battle: Battle, plan: Plan) -> Log:
    """Return a copy of a battle in memory, with the line of a plan beside the others."""
    copy, log = MemoryLog(), battle.log
    lines = log.lines(battle.line.battle)
    copy.restore(battle.line.battle, lines, _own(log, battle.line.battle))
    new = corrected_line(battle, plan)
    copy.fork(
        copy.line(battle.line.battle, new.parent.name), new.name, new.after, battle.clock(), new.seat, new.why,
        played=new.played, drafts=new.drafts, salt_root=_NO_SALTS if new.parent.text else "",
    )  # fmt: skip
    return copy


def _own(log: Log, battle: str) -> Iterable[Recorded]:
    for line in log.lines(battle):
        yield from log.records(line, line.after if line.parent is not None else 0)


def _change(
    battle: Battle, plan: Plan, rows: Iterable[Difference], events: Iterable[Event], field: Iterable[str]
) -> Change:
    rows = tuple(rows)
    rolled = set(map(about_roll, plan.thrown))
    return Change(
        line=plan.name,
        replaces=plan.line,
        after=plan.after,
        played=battle.line.played,
        rows=tuple(
            ChangedRow(what=row.what, act=row.act, old=_caption(row.old, ()), new=_caption(row.new, rolled))
            for row in rows
        ),
        counts={str(what): number for what, number in counts(rows).items()},
        deferred=tuple(
            DeferredInput(number=each.number, seat=each.seat, text=each.text, reason=each.reason)
            for each in events
            if isinstance(each, Deferred)
        ),
        rolled=plan.thrown,
        pending=plan.waiting,
        field=tuple(field),
    )


def _caption(told: Told | None, rolled: Iterable[str]) -> Caption | None:
    if told is None:
        return None
    return Caption(seq=told.seq, caption=told.caption, rolled=bool(told.about) and told.about[0] in rolled)
