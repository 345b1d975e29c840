"""What the rules leave to the referee: before the battle, and when men may refuse (RUL-03, RUL-04, RUL-10 to 18)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.condition import nerve_pool, one_test
from engine.rules.ice_and_fire.engines import OTHER_ROUND
from engine.rules.ice_and_fire.ground import Field, adjacent_foes
from engine.rules.rule_set import Yielded, ask_all
from events.facts import RulingRequested
from events.ice_and_fire.units import OrderRefused
from projections.ice_and_fire.state import Unit

NO_TEST = "no"
TESTS = ("no", "6", "9", "12", "15")


def muster_questions(field: Field) -> list[RulingRequested]:
    """The questions that hold for the whole battle, as far as this battle raises them."""
    state, found = field.state, []
    arms = {arm.id: arm for unit in state.units.values() for arm in unit.profile.arms}
    for name in sorted(arms):
        for quality, told in (("reach", "reach over friends' heads"), ("pointed", "have a pointed shaft")):
            usual = "yes" if quality in arms[name].qualities else "no"
            if usual == "yes":
                question = f"does the {arms[name].name} {told}?"
                found.append(RulingRequested(f"battle/{quality}/{name}", "RUL-11", question, ("yes", "no"), usual))
    if any(unit.mounted for unit in state.units.values()):
        question = "horses, barding and trampling: by the figures of the tables?"
        found.append(
            RulingRequested("battle/horses", "RUL-12", question, ("by the tables", "no trampling"), "by the tables")
        )
    if any(engine.throws for engine in state.engines.values()):
        question = "machines: range, rating and health by the tables; how often do they throw?"
        choices = ("every round", OTHER_ROUND)
        found.append(RulingRequested("battle/reload", "RUL-10", question, choices, "every round"))
    if any(arm.damage == 0 for arm in arms.values()):
        usual = str(state.table.option("minimum_damage", "none"))
        question = "does a hit without damage of its own do a point each degree?"
        found.append(RulingRequested("battle/minimum_damage", "RUL-13", question, ("none", "one"), usual))
    usual = str(state.table.option("facing", "off"))
    question = "do attacks in the flank or rear gain dice?"
    found.append(RulingRequested("battle/facing", "RUL-18", question, ("off", "on"), usual))
    for wall in sorted(state.walls):
        for store in state.walls[wall].unsaid:
            question = f"is there {store.replace('_', ' ')} at hand on {state.walls[wall].name}?"
            key = f"battle/store/{wall}/{store}"
            found.append(RulingRequested(key, "RUL-14", question, ("no", "yes"), "no"))
    for name in sorted(state.grounds):
        ground = state.grounds[name]
        if ground.terrain == "ask":
            question = f"as what does {ground.name} count?"
            labels = tuple(sorted(field.tables.terrain))
            found.append(RulingRequested(f"battle/ground/{name}", "RUL-17", question, labels, ground.otherwise))
    return found


def is_risky(field: Field, unit: Unit, order: o.UnitOrder) -> bool:
    """Whether an order looks rash: to attack while shaken or outnumbered, or at another's bidding (IF-014, IF-030)."""
    if not isinstance(order, o.Attack | o.Charge | o.Trample | o.Scale):
        return False
    if unit.owner and order.by and order.by != unit.owner:
        return True
    foes = [foe for foe in adjacent_foes(field, unit) if foe.fights]
    return (
        unit.condition != "organized"
        or sum(foe.men for foe in foes) >= field.tables.number("outnumbered_times") * unit.men
    )


def may_refuse(field: Field, unit: str, order: o.UnitOrder) -> Generator[Yielded, Any, bool]:
    """Ask whether a rash order is refused, by the leader or by the men on a test of morale (IF-030, IF-031)."""
    it = field.state.units[unit]
    if field.state.table.option("rash_orders", "ask") != "ask" or not is_risky(field, it, order):
        return False
    turn = field.state.table.turn
    leader = field.state.leader(unit)
    who = leader.name if leader is not None else f"the leader of {it.name}"
    questions = [
        RulingRequested(f"t{turn}/refuse/{unit}", "RUL-03", f"does {who} refuse this rash order?", ("no", "yes"), "no"),
        RulingRequested(
            f"t{turn}/obey/{unit}", "RUL-04", f"must {it.name} pass a test of morale first?", TESTS, NO_TEST
        ),
    ]
    refuses, tn = yield from ask_all(questions)
    if refuses == "yes":
        yield OrderRefused(unit, who, "IF-030")
        return True
    if tn == NO_TEST:
        return False
    key = f"t{turn}/willing/{unit}"
    result = yield from one_test(
        field, key, f"{it.name}: will they go?", it, nerve_pool(it), int(tn), "to obey", "IF-031"
    )
    if not result.success:
        yield OrderRefused(unit, "the men", "IF-031")
    return not result.success
