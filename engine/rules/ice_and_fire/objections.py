"""From a unit's order to what it does: what an order costs, whether it is allowed, which rule carries it out (§8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.breaking import break_open, bridge
from engine.rules.ice_and_fire.calls import Pool, kept_dice, spare_dice
from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.condition import nerve_pool, one_test, step
from engine.rules.ice_and_fire.engines import bombard, shoot_engine
from engine.rules.ice_and_fire.engines_at_hand import break_engine, serve, serve_refusal
from engine.rules.ice_and_fire.ground import engine_of
from engine.rules.ice_and_fire.melee import Refusal, attack, charge, lapse, trample
from engine.rules.ice_and_fire.moving import begin, face, leave, move, quit_field, sprint, withdraw
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.scaling import man, scale, take_cover
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.stakes import stakes_area
from engine.rules.ice_and_fire.ways import off_field
from engine.rules.rule_set import Objection, Procedure, ask
from events.facts import RulingRequested
from events.ice_and_fire.units import (
    BreathCaught,
    Reformed,
    StakesPlanted,
    StakesPulled,
    StanceLeft,
    StanceTaken,
)
from projections.ice_and_fire.state import CONDITIONS, Unit

ACTION = {
    o.Attack: "attack",
    o.Move: "move",
    o.Charge: "charge",
    o.Trample: "trample",
    o.Sprint: "sprint",
    o.Withdraw: "withdraw",
    o.Quit: "quit",
    o.Reform: "reform",
    o.Breathe: "breath",
    o.Counter: "counter",
    o.Stakes: "stakes",
    o.ShieldWall: "shieldwall",
    o.Wedge: "wedge",
    o.Yield: "yield",
    o.Scale: "scale",
    o.Break: "break",
    o.Man: "man",
    o.Cover: "cover",
    o.Bridge: "bridge",
    o.Bombard: "bombard",
    o.Serve: "serve",
}
"""The action that stands at the head of each order."""


def spends(order: o.UnitOrder) -> tuple[int, int]:
    """The lesser actions and the attacks of an order; a greater action is two (IF-005, IF-006, AMB-41).

    A move that turns out longer than one Move spends both.
    """
    match order:
        case o.Attack():
            return 1 + order.aim + order.reform + bool(order.going) + bool(order.then), 1
        case o.Move():
            return 1 + order.aim + order.reform, 0
        case o.Stand():
            return int(order.aim), 0
        case o.Reform():
            return 1 + order.aim + order.twice, 0
        case o.Scale():
            more = order.twice + (order.target is not None) + bool(order.going)
            return 1 + more, int(order.target is not None)
        case o.Serve():
            return 1 + bool(order.going), 0
        case o.Man():
            return 1 + order.aim, 0
        case o.Break():
            return 1 + bool(order.going), 1
        case o.Charge() | o.Trample() | o.Bombard():
            return 2, 1
        case _:
            return 2, 0


def objections(situation: Situation, order: o.UnitOrder) -> Iterator[Objection]:
    """Why a unit's order is not allowed, as far as can be told before its time comes."""
    it = situation.state.units.get(order.piece)
    if it is None:
        yield Objection(f"{order.piece} is no unit", "AMB-41")
        return
    if not it.on_field:
        yield Objection(f"{it.name} is off the field", "IF-185")
        return
    if not it.fights:
        yield Objection(f"{it.name} is {it.condition} and takes no orders", "IF-163")
    if it.condition == "routed" and not isinstance(order, o.Reform | o.Withdraw | o.Yield):
        yield Objection(f"{it.name} is routed: it can be told to reform, withdraw or yield", "IF-162")
    if spends(order)[0] > 2:
        yield Objection("that is more than two lesser actions", "IF-005")
    if "staggered" in it.stances and is_greater(situation, order):
        yield Objection(f"{it.name} was staggered and can do no greater action in its next turn", "IF-090")
    yield from _able(situation, it, order)
    yield from _aimed(situation, it, order)
    yield from _going(situation, order)


def is_greater(situation: Situation, order: o.UnitOrder) -> bool:
    """Whether an order is for a greater action (IF-005)."""
    action = situation.tables.actions.get(ACTION.get(type(order), ""))
    return action is not None and action.cost == "greater"


def _able(situation: Situation, unit: Unit, order: o.UnitOrder) -> Iterator[Objection]:
    """Who can do it: mounted, on foot, with shields, with stakes (IF-105, IF-110, IF-111, IF-114, IF-116)."""
    action = situation.tables.actions.get(ACTION.get(type(order), ""))
    if action is None:
        return
    name = unit.name
    if action.who == "mounted" and not unit.mounted:
        yield Objection(f"{name} is not mounted", action.rule)
    if action.who == "foot" and unit.mounted:
        yield Objection(f"{name} is mounted", action.rule)
    if action.who == "shield" and (unit.mounted or not unit.profile.shield - unit.shield_lost > 0):
        yield Objection(f"{name} is mounted or has no shields", action.rule)
    if isinstance(order, o.Stakes):
        wanted = "carried" if order.what == "plant" else "planted"
        if unit.stakes != wanted:
            has = "no stakes" if unit.stakes == "none" else f"its stakes {unit.stakes}"
            yield Objection(f"{name} has {has}", "IF-121")
    if isinstance(order, o.Trample) and not unit.profile.trample:
        yield Objection(f"{name} has no horses to trample with", "IF-140")


def _aimed(situation: Situation, unit: Unit, order: o.UnitOrder) -> Iterator[Objection]:
    """At whom and with what."""
    state = situation.state
    target = getattr(order, "target", None)
    if target is not None and not isinstance(order, o.Bombard):
        if target in state.units:
            if state.units[target].seat == unit.seat:
                yield Objection(f"{state.units[target].name} is on its own side", "IF-113")
            elif not state.units[target].on_field:
                yield Objection(f"{state.units[target].name} is off the field", "IF-113")
        elif not (isinstance(order, o.Attack) and target in state.engines):
            yield Objection(f"{target} is no unit: heroes are fought by heroes", "IF-042")
    if isinstance(order, o.Bombard):
        yield from _bombarding(situation, unit, order)
    weapon = getattr(order, "weapon", None)
    if weapon is not None:
        yield from _armed(situation, unit, weapon)
    if getattr(order, "stagger", False):
        arms = [arm for arm in unit.profile.arms if arm.id not in unit.lost and weapon in (None, arm.id)]
        if not any("staggering" in arm.qualities for arm in arms):
            yield Objection(f"{unit.name} has nothing there that staggers", "IF-090")
    if isinstance(order, o.Attack) and order.fire and "incendiary" not in unit.gear:
        yield Objection(f"{unit.name} has no fire arrows", "IF-277")
    if isinstance(order, o.Attack) and target in state.engines and not order.fire:
        yield Objection("shoot at an engine with fire arrows or a machine, or break it by hand", "IF-272")
    if isinstance(order, o.Break):
        engine = state.engines.get(order.what)
        if engine is not None and engine.seat == unit.seat:
            yield Objection(f"{engine.name} is on its own side", "IF-101")
        if order.going and engine_of(state, unit.id, "capped_ram"):
            yield Objection("a capped ram cannot move and strike in one round", "IF-276")
    if isinstance(order, o.Serve):
        refusal = serve_refusal(situation, unit, state.engines[order.engine])
        if refusal is not None and not order.going:
            yield Objection(refusal.reason, refusal.rule)


def _going(situation: Situation, order: o.UnitOrder) -> Iterator[Objection]:
    """Places on the field: nobody leaves it but by quitting or in flight (IF-107, IF-130)."""
    match order:
        case o.Move():
            places = order.path
        case o.Attack():
            places = (*order.going, *order.then)
        case o.Scale() | o.Break() | o.Serve():
            places = order.going
        case o.Sprint() | o.Trample() | o.Withdraw():
            places = () if order.to is None else (order.to,)
        case _:
            return
    if any(off_field(situation, place) for place in places):
        yield Objection("that place is not on the field: to leave it, withdraw and then quit", "IF-130")


def _bombarding(situation: Situation, unit: Unit, order: o.Bombard) -> Iterator[Objection]:
    """With one's own machine, at the other side, what it throws (IF-280, IF-281, IF-283)."""
    state = situation.state
    engine = state.engines[order.engine]
    if engine.crew != unit.id:
        yield Objection(f"{unit.name} does not serve {engine.name}", "IF-280")
    mark = state.units.get(order.target) or state.engines.get(order.target)
    if mark is not None and mark.seat == unit.seat:
        yield Objection(f"{mark.name} is on its own side", "IF-281")
    machine = situation.tables.machines[engine.engine]
    if order.missile is not None and order.missile not in machine.missiles:
        yield Objection(f"{engine.name} throws {' or '.join(machine.missiles)}", "IF-283")


def _armed(situation: Situation, unit: Unit, weapon: str) -> Iterator[Objection]:
    if "from_wall" in situation.tables.weapons[weapon].qualities:
        if not unit.on_wall:
            yield Objection(f"{unit.name} mans no wall", "IF-243")
    elif weapon not in [arm.id for arm in unit.profile.arms]:
        rule = situation.tables.unit_types[unit.type].rule
        yield Objection(f"{unit.name} has no {weapon.replace('_', ' ')}", rule)
    elif weapon in unit.lost:
        yield Objection(f"{unit.name} has lost its {weapon.replace('_', ' ')}", "IF-081")


def carry_out(situation: Situation, order: o.UnitOrder, carried: Carried, text: str) -> Procedure:
    """Do what an order says; what cannot be done any more lapses, and the rest is done."""
    unit = order.piece
    it = situation.state.units[unit]
    if not it.fights:
        return
    if it.lesser + spends(order)[0] > 2:
        yield lapse(unit, text, Refusal(f"{it.name} has done all it can this round", "IF-005"))
        return
    if "staggered" in it.stances and is_greater(situation, order):
        yield StanceLeft(unit, "staggered", "IF-090")
        yield lapse(unit, text, Refusal(f"{it.name} was staggered and can do no greater action", "IF-090"))
        return
    if getattr(order, "hold", False):
        yield from begin(situation, unit, "hold")
        yield StanceTaken(unit, "hold", "IF-106")
    if getattr(order, "reform", False):
        yield from reform(situation, unit, carried, text, wedge=False)
    if getattr(order, "aim", False):
        yield from begin(situation, unit, "aim")
        yield StanceTaken(unit, "aim", "IF-100")
    match order:
        case o.Attack():
            yield from _attack(situation, order, carried, text)
        case o.Move():
            yield from move(situation, unit, order.path, order.facing)
        case o.Stand():
            if order.loosen and "shield_wall" in situation.state.units[unit].stances:
                yield StanceLeft(unit, "shield_wall", "AMB-48a")
            if order.facing is not None:
                yield from face(situation, unit, order.facing)
        case o.Charge():
            yield from charge(situation, unit, order.target, order.weapon or "", carried, text, stagger=order.stagger)
        case o.Trample():
            yield from trample(situation, unit, order.to, order.weapon or "", carried, text, charging=order.charging)
        case o.Sprint():
            yield from sprint(situation, unit, order.to, text)
        case o.Withdraw():
            yield from withdraw(situation, unit, order.to, text=text)
        case o.Quit():
            yield from quit_field(situation, unit)
        case o.Reform():
            yield from reform(situation, unit, carried, text, wedge=order.wedge)
            if order.twice and situation.state.units[unit].condition in ("disorganized", "routed"):
                yield from reform(situation, unit, carried, text, wedge=False)
        case o.Breathe():
            yield from breathe(situation, unit, carried)
        case o.Counter():
            yield from begin(situation, unit, "counter")
            yield StanceTaken(unit, "set" if order.set_weapons else "counter", "IF-104")
        case o.Stakes():
            yield from stakes(situation, unit, order.what)
        case o.ShieldWall():
            yield from shield_wall(situation, unit, text)
        case o.Wedge():
            yield from wedge(situation, unit)
        case o.Yield():
            yield from surrender(situation, unit)
        case _:
            yield from _siege(situation, order, carried, text)


def _siege(situation: Situation, order: o.UnitOrder, carried: Carried, text: str) -> Procedure:
    unit = order.piece
    if isinstance(order, o.Scale | o.Break | o.Serve) and order.going:
        yield from move(situation, unit, order.going, None, once_only=True)
        if not situation.state.units[unit].fights or situation.state.units[unit].condition == "routed":
            return
    match order:
        case o.Scale():
            target, weapon = order.target or "", order.weapon or ""
            yield from scale(
                situation, unit, order.wall, carried, text, twice=order.twice, target=target, weapon=weapon
            )
        case o.Break() if order.what in situation.state.engines:
            yield from break_engine(situation, unit, order.what, carried, text)
        case o.Serve():
            yield from serve(situation, unit, order.engine, text)
        case o.Break():
            yield from break_open(situation, unit, order.what, carried, text)
        case o.Man():
            yield from man(situation, unit, order.wall, text)
        case o.Cover():
            yield from take_cover(situation, unit, text)
        case o.Bridge():
            yield from bridge(situation, unit, order.trench, text)
        case o.Bombard():
            yield from bombard(situation, unit, order.target, order.engine, order.missile or "", carried, text)


def _attack(situation: Situation, order: o.Attack, carried: Carried, text: str) -> Procedure:
    unit = order.piece
    if order.going:
        yield from move(situation, unit, order.going, None, once_only=True)
    if order.target in situation.state.engines:
        yield from shoot_engine(situation, unit, order.target, carried, text)
    else:
        yield from attack(
            situation, unit, order.target, order.weapon or "", carried, text, fire=order.fire, stagger=order.stagger
        )
    if order.then and situation.state.units[unit].fights and situation.state.units[unit].condition != "routed":
        yield from move(situation, unit, order.then, None)


def reform_pool(unit: Unit, carried: Carried) -> Pool:
    """The morale dice of a unit that reforms, with what its order brings (IF-131, AMB-42)."""
    return Pool((*nerve_pool(unit).shares, *order_shares(unit, carried)))


def reform(situation: Situation, unit: str, carried: Carried, text: str, *, wedge: bool) -> Procedure:
    """One condition better on a test of morale (IF-109, IF-131, AMB-20, AMB-21); or out of a wedge (AMB-22)."""
    it = situation.state.units[unit]
    if wedge or it.condition == "organized":
        open_wedge = [stance for stance in ("wedge", "wedge_spent") if stance in it.stances]
        if not open_wedge:
            yield lapse(unit, text, Refusal("there is nothing to reform", "IF-131"))
            return
        yield from begin(situation, unit, "reform")
        for stance in open_wedge:
            yield StanceLeft(unit, stance, "IF-133")
        return
    yield from begin(situation, unit, "reform")
    it = situation.state.units[unit]
    pool = reform_pool(it, carried)
    key = f"t{situation.state.table.turn}/reform/{unit}/{it.reforms}/{it.lesser}"
    tn = situation.tables.number("reform_tn")
    result = yield from one_test(situation, key, f"{it.name} reforms", it, pool, tn, "to reform", "IF-131")
    if not result.success:
        return
    health = it.profile.health
    name = "reform_organized_halves" if it.condition == "disorganized" else "reform_disorganized_halves"
    least = -(-situation.tables.number(name) * health // 2)
    yield Reformed(unit, CONDITIONS[step(it.condition) - 1], min(it.damage, least), "IF-131", key)


def breathe(situation: Situation, unit: str, carried: Carried) -> Procedure:
    """A test of Endurance: each degree takes a point of damage away; the condition stays (IF-102, AMB-18)."""
    yield from begin(situation, unit, "breath")
    it = situation.state.units[unit]
    endurance = it.profile.abilities["endurance"]
    shares = (
        kept_dice(endurance, f"endurance of {it.name}", "B-01"),
        spare_dice(bonus_dice(it.profile, "endurance", "stamina"), "stamina", "B-02"),
        *order_shares(it, carried),
    )
    key = f"t{situation.state.table.turn}/breath/{unit}"
    pool = Pool(shares, endurance)
    result = yield from one_test(situation, key, f"{it.name} catches its breath", it, pool, 0, "to breathe", "IF-102")
    better = min(result.degrees, it.damage)
    if better:
        yield BreathCaught(unit, better, it.damage - better, "IF-102", key)


def stakes(situation: Situation, unit: str, what: str) -> Procedure:
    """Plant the stakes before the front, or pull them out (IF-105, IF-120 to IF-123)."""
    yield from begin(situation, unit, "stakes")
    if what == "pull":
        yield StakesPulled(unit, "IF-121")
    else:
        yield StakesPlanted(unit, stakes_area(situation.state.units[unit]), "IF-120")


def shield_wall(situation: Situation, unit: str, text: str) -> Procedure:
    """Shields together until it is broken or the unit is routed (IF-111, IF-134, AMB-48a)."""
    it = situation.state.units[unit]
    if it.mounted or not it.profile.shield:
        yield lapse(unit, text, Refusal("only men on foot with shields form a wall of them", "IF-134"))
        return
    yield from begin(situation, unit, "shieldwall")
    yield StanceTaken(unit, "shield_wall", "IF-134")


def wedge(situation: Situation, unit: str) -> Procedure:
    """Form a wedge; a spent one is as new (IF-116, IF-149)."""
    yield from begin(situation, unit, "wedge")
    if "wedge_spent" in situation.state.units[unit].stances:
        yield StanceLeft(unit, "wedge_spent", "IF-149")
    yield StanceTaken(unit, "wedge", "IF-144")


def surrender(situation: Situation, unit: str) -> Procedure:
    """The unit lays down its arms; what becomes of the men is the referee's to say (IF-118, IF-185, RUL-07)."""
    it = situation.state.units[unit]
    yield from begin(situation, unit, "yield")
    key = f"t{situation.state.table.turn}/prisoners/{unit}"
    question = f"{it.name} surrenders: what becomes of the men?"
    choices = ("prisoners, out of the battle", "let go", "put to the sword")
    yield from ask(RulingRequested(key, "RUL-07", question, choices, choices[0]))
    yield from leave(situation, unit, "yielded", "IF-185")
