"""The chain of command: who may order whom, each link's test, what comes of it (§2, §3)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from engine.rules.ice_and_fire.calls import (
    Outcome,
    Pool,
    Share,
    added,
    against,
    call,
    kept_dice,
    odds,
    outcome,
    penalty_dice,
    spare_dice,
)
from engine.rules.ice_and_fire.carried import Carried
from engine.rules.ice_and_fire.condition import worsen
from engine.rules.ice_and_fire.ground import place_of, screens_between, underfoot
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Yielded, ask, roll_all
from events.facts import RollCalled, RulingRequested, Term
from events.ice_and_fire.heroes import RoundsSpent
from events.ice_and_fire.units import OrderPassed, PlanWorkedOut
from projections.ice_and_fire.state import BattleField, Hero, Post, Unit, worse

ON_ITS_OWN = "acts on its own"
NOTHING = "does nothing"


class Link(msgspec.Struct, frozen=True, gc=False):
    """What a link hands on to the next: a bonus, a blur, a new man in the chain.

    `lost` is the rule by which the order ends there; `idle` says that the receiver then does nothing.
    """

    bonus: int = 0
    blurred: bool = False
    new_chain: bool = False
    sure: bool = False
    lost: str = ""
    idle: bool = False


def held_by(state: BattleField, hero: str) -> list[Post]:
    """The posts that a hero holds, by id."""
    return [post for _, post in sorted(state.posts.items()) if post.holder == hero]


def chain_down(state: BattleField, hero: str, unit: Unit) -> tuple[Post, ...] | None:
    """The posts between a hero's own and a unit, from the top down; empty if he commands it himself; None if not his.

    IF-010, IF-013: an order to a part goes to whoever commands it.
    """
    path: list[Post] = []
    here = state.posts.get(unit.post)
    while here is not None:
        if here.holder == hero:
            return tuple(reversed(path))
        path.append(here)
        here = state.posts.get(here.above)
    return None


def last_giver(state: BattleField, hero: Hero, unit: Unit) -> Hero | None:
    """Who gives a unit an order that comes from a hero: the lowest sub-commander between, or the hero (IF-013)."""
    path = chain_down(state, hero.id, unit)
    return state.heroes.get(path[-1].holder) if path else hero


def issuer_of(state: BattleField, unit: Unit, by: str | None) -> str:
    """The hero who gives an order: the one named, else who holds the unit's post, else whoever leads it (IF-029)."""
    if by:
        return by
    here = state.posts.get(unit.post)
    while here is not None:
        if state.is_here(here.holder):
            return here.holder
        here = state.posts.get(here.above)
    leader = state.leader(unit.id)
    return leader.id if leader is not None else ""


def rounds_used(state: BattleField, hero: Hero) -> int:
    """The combat rounds a hero has spent in this battle round (IF-046, IF-059, AMB-12, AMB-12a)."""
    if state.table.option("move_and_orders", "together") == "together":
        marching = max(hero.moving, hero.orders)
    else:
        marching = hero.moving + hero.orders
    return marching + hero.rush + hero.deeds


def rounds_after(situation: Situation, hero: Hero, on: str, rounds: int) -> int:
    """The rounds a hero would have spent if he spent these too."""
    return rounds_used(situation.state, msgspec.structs.replace(hero, **{on: getattr(hero, on) + rounds}))


def can_spend(situation: Situation, hero: Hero, on: str, rounds: int = 1) -> bool:
    """Whether a hero has the rounds left: ten in all (IF-004, IF-046), ten orders at most (IF-011, IF-012)."""
    if on == "orders" and hero.orders + rounds > situation.tables.number("orders"):
        return False
    return rounds_after(situation, hero, on, rounds) <= situation.tables.number("combat_rounds")


def hero_pool(situation: Situation, hero: Hero, ability: str, specialty: str, more: Sequence[Share] = ()) -> Pool:
    """A hero's test of an ability: dice, specialty, what armour takes from Agility, injuries, wounds (B-26, B-27)."""
    shares = [
        kept_dice(hero.profile.abilities[ability], f"{ability} of {hero.name}", "B-01"),
        spare_dice(bonus_dice(hero.profile, ability, specialty), specialty, "B-02"),
        *more,
        *weather_shares(situation, ability),
    ]
    if ability == "agility" and hero.profile.armour_penalty:
        shares.append(added(-hero.profile.armour_penalty, "armour", "B-26", "found"))
    if hero.injuries:
        shares.append(added(-hero.injuries, "injuries", "B-27"))
    if hero.wounds:
        shares.append(penalty_dice(hero.wounds, "wounds", "B-27"))
    return Pool(tuple(shares), hero.profile.abilities[ability])


def leads_now(state: BattleField, hero: Hero, *, charging: bool) -> bool:
    """Whether he leads from the front; riding first in the wedge he does for charges alone (IF-053, IF-054, AMB-11)."""
    spirit = state.units[hero.unit].spirit if hero.unit in state.units else None
    if spirit is None or spirit.hero != hero.id:
        return False
    return spirit.deed == "lead" or (spirit.deed == "first" and charging)


def order_line(situation: Situation, unit: Unit, *, reform: bool) -> list[Term]:
    """The target number of an order to a unit, line by line (IF-020, IF-028, AMB-05, AMB-06)."""
    number = situation.tables.number
    lines = [against(number("order_tn"), "an order", "IF-020")]
    if unit.profile.order_tn:
        lines.append(against(unit.profile.order_tn, f"{unit.rank} men", "IF-071"))
    if unit.condition == "routed":
        lines.append(against(number("routed_tn"), "routed", "IF-162"))
    elif unit.condition == "disorganized" and not reform:
        lines.append(against(number("disorganized_tn"), "disorganized", "IF-161"))
    if unit.reforms:
        lines.append(against(number("reformed_tn") * unit.reforms, "reformed before", "IF-132"))
    return lines


def _order_shares(
    situation: Situation, hero: Hero, upper: Link, *, tactics: bool, charging: bool, with_unit: bool, guided: bool
) -> list[Share]:  # fmt: skip
    """What a hero's test of an order gains and loses besides his own skill (IF-016, IF-023, IF-024, IF-047, IF-053)."""
    shares = []
    if upper.bonus:
        shares.append(added(upper.bonus, "order given well", "IF-023"))
    if upper.blurred:
        shares.append(penalty_dice(1, "order half understood", "IF-024"))
    if upper.new_chain:
        shares.append(penalty_dice(1, "new man in the chain", "IF-016"))
    if tactics and leads_now(situation.state, hero, charging=True):  # the losses hold for every order (AMB-11)
        shares.append(penalty_dice(1, "leads from the front", "IF-053"))
    elif not tactics and leads_now(situation.state, hero, charging=charging):
        shares.append(kept_dice(1, "leads from the front", "IF-053"))
    if with_unit and not tactics:
        shares.append(kept_dice(1, "with the unit", "IF-047"))
    if guided:
        shares.append(penalty_dice(1, "guides the shots", "IF-248"))
    return shares


def is_new(state: BattleField, hero: str) -> bool:
    """Whether a hero has taken a post over in this battle round (IF-016)."""
    return any(post.since == state.table.turn > 0 for post in held_by(state, hero))


def relay(
    situation: Situation, hero: Hero, path: Sequence[Post], upper: Link, key: str, *, charging: bool
) -> Generator[Yielded, Any, Link]:
    """One link to a sub-commander: Command and Tactics, the lower counts; harder with more between (IF-021, IF-022).

    `path` holds the sub-commanders still ahead. Costs the giver a combat round (IF-046).
    """
    receiver = situation.state.heroes[path[0].holder]
    tn = situation.tables.number("relay_tn") * (len(path) - 1)
    lines = [against(situation.tables.number("order_tn"), "an order", "IF-021")]
    if tn:
        lines.append(against(tn, f"{len(path)} sub-commanders", "IF-022"))
    new = upper.new_chain or is_new(situation.state, hero.id)
    upper = msgspec.structs.replace(upper, new_chain=new)
    yield RoundsSpent(hero.id, "orders", 1, "IF-046")
    calls = []
    for tactics in (False, True):
        specialty = "tactics" if tactics else "command"
        more = _order_shares(situation, hero, upper, tactics=tactics, charging=charging, with_unit=False, guided=False)
        pool = hero_pool(situation, hero, "warfare", specialty, more)
        purpose = f"{hero.name} orders {receiver.name}: {specialty}"
        calls.append(call(f"{key}/{specialty}", purpose, hero.seat, hero.id, pool, lines, "IF-021"))
    readings = yield from roll_all(calls)
    worst = min(zip(readings, calls, strict=True), key=lambda each: each[0].total - each[1].target)
    result = outcome(situation.tables, worst[0], worst[1].target)
    link = yield from _passed(situation, hero.id, receiver.id, result, new, "IF-021", worst[1].key)
    if link.blurred:
        link = yield from work_out(situation, receiver, receiver.name, receiver.id, link, worst[1].target, key)
    if link.lost:
        link = yield from _misread(situation, receiver.name, link, key)
    return link


def to_unit(
    situation: Situation, hero: Hero, unit: Unit, upper: Link, key: str, *, reform: bool, charging: bool, guided: bool
) -> Generator[Yielded, Any, Link]:  # fmt: skip
    """The last link: Command, against the unit's own difficulty (IF-020, IF-025 to IF-028). Costs a combat round."""
    new = upper.new_chain or is_new(situation.state, hero.id)
    upper = msgspec.structs.replace(upper, new_chain=new)
    yield RoundsSpent(hero.id, "orders", 1, "IF-046")
    with_unit = hero.unit == unit.id
    more = _order_shares(situation, hero, upper, tactics=False, charging=charging, with_unit=with_unit, guided=guided)
    pool = hero_pool(situation, hero, "warfare", "command", more)
    lines = order_line(situation, unit, reform=reform)
    made: RollCalled = call(key, f"{hero.name} orders {unit.name}", hero.seat, hero.id, pool, lines, "IF-020")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    link = yield from _passed(situation, hero.id, unit.id, result, new, "IF-020", key)
    if link.blurred:
        leader = situation.state.leader(unit.id)
        if leader is not None:
            link = yield from work_out(situation, leader, unit.name, unit.id, link, made.target, key)
    elif link.lost:
        link = msgspec.structs.replace(link, lost="IF-027")
        to = worse(situation.state.units[unit.id].condition, 1)
        yield from worsen(situation, unit.id, to, "order misunderstood", "IF-027")
    if link.lost:
        link = yield from _misread(situation, unit.name, link, key)
    return link


def order_chance(situation: Situation, hero: Hero, unit: Unit, *, reform: bool) -> Fraction:
    """The chance that a hero's order to a unit succeeds, without help from above; nothing is rolled (IF-020)."""
    mine = hero.unit == unit.id
    upper = Link(new_chain=is_new(situation.state, hero.id))
    more = _order_shares(situation, hero, upper, tactics=False, charging=False, with_unit=mine, guided=False)
    pool = hero_pool(situation, hero, "warfare", "command", more)
    success, _ = odds(pool, sum(line.value for line in order_line(situation, unit, reform=reform)), situation.tables)
    return Fraction(0) if pool.hopeless else Fraction(success.of, success.out_of)


def _passed(
    situation: Situation, giver: str, receiver: str, result: Outcome, new: bool, rule: str, key: str
) -> Generator[Yielded, Any, Link]:  # fmt: skip
    """Record a link: degrees beyond the first help the next one, a failure blurs, a bad one loses (IF-023 to 026)."""
    if result.success:
        bonus = (result.degrees - 1) * situation.tables.number("bonus_each_degree")
        yield OrderPassed(giver, receiver, "carried", bonus, 0, rule, key)
        return Link(bonus=bonus, new_chain=new, sure=True)  # what helped this link is not handed on (AMB-04)
    yield OrderPassed(giver, receiver, "misread" if result.critical else "blurred", 0, 1, rule, key)
    return Link(blurred=not result.critical, new_chain=new, lost="IF-026" if result.critical else "")


def work_out(
    situation: Situation, thinker: Hero, name: str, receiver: str, link: Link, tn: int, key: str
) -> Generator[Yielded, Any, Link]:  # fmt: skip
    """The receiver of a blurred order tries to see the plan: Tactics at the order's own number, once (IF-025, AMB-04a).

    He tries where a success is likelier than a blunder; a nameless leader does not.
    """
    tactics = leads_now(situation.state, thinker, charging=True)
    more = [penalty_dice(1, "leads from the front", "IF-053")] if tactics else []
    pool = hero_pool(situation, thinker, "warfare", "tactics", more)
    lines = (against(tn, "as the order", "IF-025"),)
    made = call(f"{key}/plan", f"{name}: what was meant?", thinker.seat, thinker.id, pool, lines, "IF-025")
    success, blunder = odds(pool, tn, situation.tables)
    if success.of * blunder.out_of <= blunder.of * success.out_of:
        return link
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    if result.success:
        yield PlanWorkedOut(receiver, "clear", "IF-025", made.key)
        return msgspec.structs.replace(link, blurred=False)
    if result.critical:
        yield PlanWorkedOut(receiver, "misjudged", "IF-025", made.key)
        return msgspec.structs.replace(link, lost="IF-025")
    yield PlanWorkedOut(receiver, "blurred", "IF-025", made.key)
    return link


def _misread(situation: Situation, who: str, link: Link, key: str) -> Generator[Yielded, Any, Link]:
    """What a misunderstood order makes of its receiver is the referee's to say (RUL-05)."""
    question = f"{who} has misunderstood an order: what becomes of it?"
    choices = (NOTHING, ON_ITS_OWN)
    answer = yield from ask(RulingRequested(f"{key}/misread", "RUL-05", question, choices, NOTHING))
    return msgspec.structs.replace(link, idle=answer == NOTHING)


def carried_by(link: Link, *, guided: bool) -> Carried:
    """What the last link brings to the unit's own tests."""
    return Carried(link.bonus, link.blurred, link.new_chain, guided, link.sure, True)


def out_of_hand(situation: Situation, hero: Hero, unit: Unit) -> str:
    """The rule by which a hero cannot order a unit now, or nothing: in a wood he must be with it (IF-223)."""
    if underfoot(situation, unit, "forest") and hero.unit != unit.id:
        return "IF-223"
    return ""


def sees_over(situation: Situation, hero: Hero, target: str) -> bool:
    """Whether a commander sees a target past the walls: from the top of one, or with none between (IF-248)."""
    foe = situation.state.units.get(target)
    mine = situation.state.units.get(hero.unit)
    if foe is None:
        return False
    if mine is not None and mine.on_wall:
        return True
    return not any(row.hides for _, _, row in screens_between(situation, place_of(situation.state, hero), foe.at))
