"""The second and third step, and the end of a phase (SP-001, SP-020, SP-045): blows, hands, rousing, the next phase."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from engine.orders import Order, write_order
from engine.rules.rhand.blows import Guard, Strike, guards, resolve
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.hands import in_hand_now, take_up
from engine.rules.rhand.objections import cost, doubts, guard_of, lame_arms, objections, spent, strikes_of
from engine.rules.rhand.orders import Dodge, Don, Draw, Fight, GiveUp, Rouse, Switch
from engine.rules.rhand.positions import able, in_hand, option
from engine.rules.rhand.recovery import recover
from engine.rules.rhand.release import may_release
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Objection, Procedure, Yielded, ask, ask_all
from events import rhand as facts
from events.facts import BattleEnded, OrderLapsed, RulingRequested, TurnBegan
from projections.rhand.state import Fighter, Rhand


def fight(situation: Situation) -> Procedure:
    """Blows and parries: what was declared becomes guards and strikes; each is resolved (SP-024 to SP-045)."""
    orders = yield from _possible(situation, in_hand(situation, "declare"))
    act = f"t{situation.state.phase}/blows"
    no_kicks, no_shield = yield from lame_arms(situation, orders)
    strikes: list[Strike] = []
    for order in orders:
        if isinstance(order, Fight) and order.piece in no_kicks:
            yield OrderLapsed(order.piece, f"{order.piece}: fight", "he may not kick with a disabled arm", "SG-05")
        elif isinstance(order, Fight):
            strikes += strikes_of(situation, order)
    strikes = yield from doubts(situation, strikes)
    declared = _guards(situation, orders, strikes, no_shield)  # parries stand whatever becomes of the arm now (SA-21)
    yield from _spend(situation, orders, declared)
    found = yield from guards(situation, strikes, declared)
    yield from resolve(situation, strikes, found, act)
    yield from _hands(situation, orders)
    for order in orders:
        if isinstance(order, GiveUp) and not situation.state.fighters[order.piece].out:
            yield facts.Yielded(order.piece)


def _possible(situation: Situation, orders: Sequence[Order]) -> Generator[Yielded, Any, list[Order]]:
    """The orders that can still be carried out: the referee may have stated a fact since they were given (SP-044)."""
    kept = []
    for order in orders:
        fighter = situation.state.fighters[order.piece]
        problem = Objection(f"{fighter.name} is out of the fight", "SP-044") if fighter.out else None
        if problem is None and isinstance(order, Fight):
            problem = next(objections(situation, order), None)
        if problem is None:
            kept.append(order)
        else:
            yield OrderLapsed(order.piece, write_order(order), problem.reason, problem.rule)
    return kept


def _guards(
    situation: Situation, orders: Sequence[Order], strikes: Sequence[Strike], no_shield: set[str]
) -> dict[str, Guard]:
    given = {each.piece: each for each in orders if isinstance(each, Fight | Dodge)}
    found = {}
    for fighter in situation.state.men():
        guard = guard_of(situation, given.get(fighter.id), fighter, strikes)
        found[fighter.id] = Guard(guard.weapon, 0, guard.dodge, guard.was_dodging) if fighter.id in no_shield else guard
    return found


def _spend(
    situation: Situation, orders: Sequence[Order], declared: Mapping[str, Guard]
) -> Generator[Yielded, Any, None]:  # fmt: skip
    """What everybody did with his actions; one unused Weapon Action is saved (SPX-04)."""
    state, tables = situation.state, situation.tables
    given = {each.piece: each for each in orders if not isinstance(each, GiveUp)}
    idle: dict[str, int] = {}
    for fighter in list(state.men()):
        order, guard = given.get(fighter.id), declared[fighter.id]
        did = _spent(state, tables, fighter, order, guard)
        if order is None and did.saved == fighter.saved and not fighter.dodging:
            continue
        if order is None and not first_edition(state):
            idle[fighter.id] = did.saved
        else:
            yield did
    if idle:
        yield facts.ActionsKept(idle)


def _spent(
    state: Rhand, tables: Tables, fighter: Fighter, order: Order | None, guard: Guard
) -> facts.ActionsSpent:  # fmt: skip
    blows, weapon, combat = 0, 0, 0
    if isinstance(order, Fight):
        weapon, combat = cost(state, tables, fighter, order)
        blows = len(order.blows)
        if not first_edition(state):
            weapon, combat = spent(fighter, weapon, combat)
    elif order is not None:  # a dodge, a weapon or a shield takes the whole phase (SPX-12, SG-05)
        weapon = fighter.weapon_actions
        combat = fighter.combat_actions
    left = 0 if fighter.is_horse else fighter.weapon_actions - weapon
    saved = max(0, min(left, tables.constant("carried_weapon_actions")))
    gone = 0 if first_edition(state) else combat
    return facts.ActionsSpent(
        fighter.id, blows, weapon, guard.shield, guard.parries, guard.dodge, saved, combat=gone
    )  # fmt: skip


def _hands(situation: Situation, orders: Sequence[Order]) -> Generator[Yielded, Any, None]:
    """Take up weapons and shields, and rouse the dazed (SG-05, SG-07)."""
    for order in orders:
        if situation.state.fighters[order.piece].out:
            continue
        if isinstance(order, Draw | Don | Switch):
            yield from take_up(situation, order)
        elif isinstance(order, Rouse):
            fighters = situation.state.fighters
            yield from _rouse(situation, fighters[order.piece], fighters[order.friend])


def _rouse(situation: Situation, fighter: Fighter, friend: Fighter) -> Generator[Yielded, Any, None]:
    key = f"t{situation.state.phase}/rouse/{friend.id}/{fighter.id}"
    question = f"is {friend.name} only dazed, so that {fighter.name} can rouse him?"
    answer = yield from ask(RulingRequested(key, "SG-07", question, ("yes", "no"), "no"))
    if answer == "yes" and friend.down:
        yield facts.Roused(friend.id, fighter.id)


# ---------------------------------------------------------------------------------------------------- the end


def finish(situation: Situation) -> Procedure:
    """End a phase: what was taken up is in hand; the battle ends, or the next phase begins (SP-001)."""
    for fighter in list(situation.state.men()):
        if fighter.taking_up is not None and fighter.taking_up[2] <= situation.state.phase:
            what, name, _ = fighter.taking_up
            yield in_hand_now(situation, fighter, what, name, "SG-05")
    state = situation.state
    left = able(tuple(state.fighters.values()))
    over = len(left) < 2
    if over or (state.last_phase and state.phase >= state.last_phase):
        yield from recover(situation)
        winner = left[0] if len(left) == 1 else ""
        alone = f"only {winner} still fights" if winner else "nobody still fights"
        yield BattleEnded(alone if over else f"phase {state.phase} was the last", winner)
        return
    yield TurnBegan(state.phase + 1)
    yield from _control(situation)
    yield facts.StepBegan("release" if may_release(situation.state) else "movement")


def _control(situation: Situation) -> Generator[Yielded, Any, None]:
    """Each rider's control of his horse, every phase; the roll itself is not known, so the referee says (SPX-16)."""
    state = situation.state
    if option(state, "mounted", "off") == "off":
        return
    riders = [each for each in state.men() if each.rides]
    questions = [
        RulingRequested(
            f"t{state.phase}/control/{each.id}", "SPX-16", f"does {each.name} master his horse?", ("yes", "no"), "yes"
        )
        for each in riders
    ]
    answers = yield from ask_all(questions)
    for rider, answer in zip(riders, answers, strict=True):
        if answer == "no":
            yield facts.ControlLost(rider.id, rider.rides)
