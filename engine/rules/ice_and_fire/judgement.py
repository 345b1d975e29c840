"""What the rules leave to the referee: before the battle, and when men may refuse (RUL-03, RUL-04, RUL-10 to 18)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.condition import nerve_pool, one_test
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.targets import outnumbered
from engine.rules.rule_set import Yielded, ask
from events.facts import RulingRequested
from events.ice_and_fire.units import OrderRefused
from projections.ice_and_fire.state import Unit

OBEYED, REFUSED = "obeyed", "the leader refuses"
RASH = (OBEYED, REFUSED, "morale test at 6", "morale test at 9", "morale test at 12", "morale test at 15")
"""What may come of a rash order (RUL-03, RUL-04)."""


def muster_questions(situation: Situation) -> list[RulingRequested]:
    """The questions that hold for the whole battle, as far as this battle raises them.

    What tables and options say already is not asked.
    """
    state, found = situation.state, []
    for wall in sorted(state.walls):
        for store in state.walls[wall].unsaid:
            question = f"is there {store.replace('_', ' ')} at hand on {state.walls[wall].name}?"
            key = f"battle/store/{wall}/{store}"
            found.append(RulingRequested(key, "RUL-14", question, ("no", "yes"), "no"))
    for name in sorted(state.grounds):
        ground = state.grounds[name]
        if ground.terrain == "ask":
            question = f"as what does {ground.name} count?"
            labels = tuple(sorted(situation.tables.terrain))
            found.append(RulingRequested(f"battle/ground/{name}", "RUL-17", question, labels, ground.otherwise))
    return found


def is_rash(situation: Situation, unit: Unit, order: o.UnitOrder) -> bool:
    """Whether an order is rash: to attack when outnumbered, or at another lord's bidding (IF-014, IF-030)."""
    if not isinstance(order, o.Attack | o.Charge | o.Trample | o.Scale):
        return False
    return bool(unit.owner and order.by and order.by != unit.owner) or outnumbered(situation, unit)


def may_refuse(situation: Situation, unit: str, order: o.UnitOrder) -> Generator[Yielded, Any, bool]:
    """Ask once whether a rash order is refused, by the leader or by the men on a test of morale (IF-030, IF-031)."""
    it = situation.state.units[unit]
    if situation.state.table.option("rash_orders", "ask") != "ask" or not is_rash(situation, it, order):
        return False
    turn = situation.state.table.turn
    leader = situation.state.leader(unit)
    who = leader.name if leader is not None else f"the leader of {it.name}"
    question = f"this order to {it.name} is rash: what comes of it?"
    answer = yield from ask(RulingRequested(f"t{turn}/rash/{unit}", "RUL-03", question, RASH, OBEYED))
    if answer == REFUSED:
        yield OrderRefused(unit, who, "IF-030")
        return True
    if answer == OBEYED:
        return False
    tn, key = int(answer.rpartition(" ")[2]), f"t{turn}/willing/{unit}"
    result = yield from one_test(
        situation, key, f"{it.name}: will they go?", it, nerve_pool(it), tn, "to obey", "IF-031"
    )
    if not result.success:
        yield OrderRefused(unit, "the men", "IF-031")
    return not result.success
