"""A piece that was used twice: the orders that a league's rule voids together."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import Battle
from engine.corrections.inputs import Input, inputs_of
from engine.errors import CorrectionRefused
from events.facts import ActOpened
from replays.points import find_point


def orders_of(battle: Battle, piece: str, turn: int = 0) -> tuple[int, ...]:
    """Return the events of the orders by which a piece was used twice or more in a turn (0: the running one).

    An order that a later one replaced, before it was carried out, does not count. Raises `CorrectionRefused` if the
    piece was not used twice, `PointUnknown` for a turn that has not been. Cost: folding the turn.
    """
    running = battle.state.table.turn
    turn = turn or running
    begin = find_point(battle.view, f"t{turn}")
    end = battle.seq if turn == running else find_point(battle.view, f"t{turn + 1}") - 1
    way = list(battle.view.frames(begin - 1, end))
    acts = [step.event for step in way if isinstance(step.event, ActOpened)]
    inputs = inputs_of(way, battle.rules, battle.tables_of, battle.log.secret)
    given = [item for item in inputs if item.standing is not None and item.piece == piece]
    used = [item.at for place, item in enumerate(given) if not _replaced(item, given[place + 1 :], acts)]
    if len(used) < 2:
        raise CorrectionRefused(f"{piece} was not used twice in turn {turn}: {len(used) or 'no'} order of it counts")
    return tuple(used)


def _replaced(item: Input, later: Sequence[Input], acts: Sequence[ActOpened]) -> bool:
    """Whether a later order took the place of one that no act had taken in hand yet."""
    taken = [act.seq for act in acts if set(act.slots) & set(item.slots)]
    same = [other for other in later if other.slots == item.slots]
    return any(not any(item.at < at < other.at for at in taken) for other in same)
