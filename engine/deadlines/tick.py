"""Moving a battle on when its time has come: once, however many clocks and people try at the same moment.

A tick acts on the head that it saw, under a request key made of that head. If another tick was first, its answer is
given again; if anything else came in between, the tick looks again, and does what is left to do, if anything is.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.answers import Answer
from engine.battle import Battle
from engine.deadlines.clock_work import NothingDue, work_of
from engine.door import Door
from events.commands import Tick
from events.store.errors import Conflict
from projections.battle_state import ENGINE
from projections.deadlines import Deadline
from replays.resolved import refusal, resolution_of

_TRIES = 50


class Ticked(msgspec.Struct, frozen=True, gc=False):
    """What a tick did. `done` is what it put on record: a resolution, a call for orders, both, or None for nothing."""

    battle: str
    what: Literal["resolved", "called", "nothing"]
    told: str
    done: Answer | None = None


def tick(door: Door, name: str) -> Ticked:
    """Resolve what is due, and call for orders if a schedule says so; tell why if there is nothing to do.

    Raises `AlreadyResolved` if somebody else resolved it at the same moment, and whatever the rules raise.
    """
    battle = door.battle(name)
    battle.refresh()
    watched = battle.state.table.deadline
    for _ in range(_TRIES):
        seen = battle.seq
        work = work_of(battle.begin_step(door.clock()))
        if work.make is None:
            return Ticked(name, "nothing", work.told)
        key = f"tick:{battle.log.head(battle.line).hash[:32]}"
        command = Tick(battle=name, line=battle.line.name, seat=ENGINE, expected=seen, request=key)
        try:
            done = door.execute(command)
        except (Conflict, NothingDue):
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
