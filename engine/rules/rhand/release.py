"""The first step: spells and missiles let go in order of Agility and luck (SP-010 to SP-017, SPX-14, SPX-15)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import groupby
from typing import Any

from engine.orders import AnyOrder
from engine.rules.rhand.archery import Flight, land, shot_objections
from engine.rules.rhand.orders import Cast, Prepare, Shoot
from engine.rules.rhand.positions import gap, in_hand, menaced_by, option, sees
from engine.rules.rhand.rulings import effects
from engine.rules.rhand.situation import Situation
from engine.rules.rolls import RollFor, total_of
from engine.rules.rule_set import Objection, Procedure, Yielded, ask_all, roll_all
from events import rhand as facts
from events.facts import OrderLapsed, RollCalled, RulingRequested, Term
from projections.rhand.captions import words
from projections.rhand.state import Fighter, Rhand

ORDER_DICE = "2d6"
UNSEEN = "target_not_seen"


def may_release(state: Rhand) -> bool:
    """Whether anybody could cast or shoot, so that the step is worth calling (SP-010)."""
    return any(each.spells or (each.missile and each.ammunition > 0) for each in state.men())


def objections(situation: Situation, order: Shoot | Cast | Prepare) -> Iterator[Objection]:
    """Why somebody cannot let go a spell or a missile now."""
    fighter = situation.state.fighters[order.piece]
    if isinstance(order, Shoot):
        yield from shot_objections(situation, fighter, order)
        return
    if order.spell not in fighter.spells:
        yield Objection(f"{fighter.name} does not know {words(order.spell)}", "SPX-15")
    if fighter.ready > situation.state.phase:
        yield Objection(f"{fighter.name} must rest until phase {fighter.ready}", "SPX-15")
    prepares = option(situation.state, "preparation", "off") == "on"
    if isinstance(order, Prepare) and not prepares:
        yield Objection("in this battle spells need no preparation", "SPX-15")
    if isinstance(order, Cast) and prepares:
        if fighter.preparing != order.spell:
            yield Objection(f"{fighter.name} has not prepared {words(order.spell)}", "SPX-15")
        elif fighter.prepared_at > situation.state.phase:
            yield Objection(f"{words(order.spell)} is ready in phase {fighter.prepared_at}", "SPX-15")
    if isinstance(order, Cast) and order.spell in situation.state.spells:
        yield from _limits(situation.state, fighter, order)
    if isinstance(order, Cast) and not order.memorised:
        for name in order.targets:
            target = situation.state.fighters[name]
            if target.id != fighter.id and not sees(fighter, target.at, situation.tables):
                yield Objection(f"{fighter.name} does not see {target.name}: turn, or add memorised", "SP-014")


def _limits(state: Rhand, fighter: Fighter, order: Cast) -> Iterator[Objection]:
    """Why a spell cannot be cast so, by the limits that the scenario sets it (SG-03)."""
    spell, name = state.spells[order.spell], words(order.spell)
    if spell.max_targets and len(order.targets) > spell.max_targets:
        yield Objection(f"{name} has {spell.max_targets} target(s) at most, not {len(order.targets)}", "SG-03")
    if spell.max_casts and fighter.spells_cast.get(order.spell, 0) >= spell.max_casts:
        yield Objection(f"{fighter.name} has cast {name} as often as they can: {spell.max_casts}", "SG-03")
    for each in map(state.fighters.__getitem__, order.targets):
        if spell.max_range and gap(fighter, each) > spell.max_range:
            far = gap(fighter, each)
            yield Objection(f"{each.name} is {far} hexes away, {name} reaches {spell.max_range}", "SG-03")


def release(situation: Situation) -> Procedure:
    """Order the releases, let each spell work before the next, then let the missiles come down (SP-011 to SP-016)."""
    orders = in_hand(situation, "release")
    for order in orders:
        if isinstance(order, Prepare) and not situation.state.fighters[order.piece].out:
            yield from _prepare(situation, order)
    letting_go = {each.piece: each for each in orders if isinstance(each, Cast | Shoot)}
    groups = yield from _order(situation, letting_go)
    flights: list[Flight] = []
    for group in groups:
        able = yield from _undistracted(situation, [letting_go[place.fighter] for place in group])
        for order in able:
            yield from _let_go(situation, order, flights)
        for order in able:
            if isinstance(order, Cast):
                yield from _spell(situation, order)
    yield from land(situation, flights)
    yield facts.StepBegan("movement")


def _order(
    situation: Situation, letting_go: dict[str, Cast | Shoot]
) -> Generator[Yielded, Any, tuple[tuple[facts.Place, ...], ...]]:
    """Roll 2d6 and add Agility for each; highest first, ties by Agility, then together (SP-011, SP-012, SA-01)."""
    state = situation.state
    names = sorted(letting_go)
    rolls = yield from roll_all([_order_roll(state, state.fighters[name], names) for name in names])
    places = [
        facts.Place(name, reading.total, state.fighters[name].agility)
        for name, reading in zip(names, rolls, strict=True)
    ]
    if not places:
        return ()
    groups = in_order(places)
    yield facts.ReleaseOrdered(groups, "SA-01" if any(len(group) > 1 for group in groups) else "SP-012")
    return groups


def in_order(places: Sequence[facts.Place]) -> tuple[tuple[facts.Place, ...], ...]:
    """Sort into groups that release together: by total, then Agility; equal in both are tied (SP-012, SA-01)."""
    ordered = sorted(places, key=lambda place: (-place.total, -place.agility, place.fighter))
    return tuple(tuple(group) for _, group in groupby(ordered, key=lambda place: (place.total, place.agility)))


def _order_roll(state: Rhand, fighter: Fighter, names: Sequence[str]) -> RollCalled:
    """The roll for when somebody releases; where two foes do, the one is held against the other."""
    foes = [name for name in names if state.fighters[name].seat != fighter.seat] if len(names) == 2 else []
    key, other = (f"t{state.phase}/release/{name}/order" for name in (fighter.id, "".join(foes)))
    what = RollFor(key, f"when {fighter.name} releases", fighter.seat, fighter.id, "SP-011")
    terms = (Term("Agility", fighter.agility, "SP-011"),)
    return total_of(what, ORDER_DICE, terms=terms, against=other if foes else "")


def _undistracted(
    situation: Situation, orders: Sequence[Cast | Shoot]
) -> Generator[Yielded, Any, list[Cast | Shoot]]:  # fmt: skip
    """Those of a group who can still release; the others' orders lapse (SP-014, SP-015, SG-02)."""
    able: list[Cast | Shoot] = []
    asked: list[tuple[Cast | Shoot, RulingRequested]] = []
    for order in orders:
        fighter = situation.state.fighters[order.piece]
        why, rule = _disturbance(situation, fighter, order)
        if why:
            yield OrderLapsed(order.piece, _text(order), why, rule)
            if fighter.preparing and rule == "SP-014":
                yield facts.Distracted(fighter.id, _event(situation, fighter) or UNSEEN, "SPX-15")
            continue
        foe = menaced_by(situation.state, situation.tables, fighter)
        if foe is not None:
            key = f"t{situation.state.phase}/release/{fighter.id}/distracted"
            question = f"does {foe.name}, within weapon range, distract {fighter.name}?"
            asked.append((order, RulingRequested(key, "SG-02", question, ("yes", "no"), "no")))
        else:
            able.append(order)
    answers = yield from ask_all([question for _, question in asked])
    for (order, _), answer in zip(asked, answers, strict=True):
        if answer == "yes":
            yield OrderLapsed(order.piece, _text(order), "an enemy distracts him", "SG-02")
        else:
            able.append(order)
    return sorted(able, key=lambda order: order.piece)


def _disturbance(situation: Situation, fighter: Fighter, order: Cast | Shoot) -> tuple[str, str]:
    """What keeps somebody from releasing, and the rule; empty if nothing does."""
    state, tables = situation.state, situation.tables
    if fighter.out:
        return "he did not survive the spells before his", "SP-015"
    if name := _event(situation, fighter, mage=isinstance(order, Cast)):
        return f"he is distracted: {words(name)}", "SP-014"
    problem = next(objections(situation, order), None)
    if problem is not None:
        return problem.reason, problem.rule
    targets = order.targets if isinstance(order, Cast) else (order.target,)
    if isinstance(order, Shoot) or not order.memorised:
        for name in targets:
            if name != fighter.id and not sees(fighter, state.fighters[name].at, tables):
                return f"he does not see {state.fighters[name].name}", "SP-014"
    return "", ""


def _event(situation: Situation, fighter: Fighter, *, mage: bool = True) -> str:
    """What has disturbed somebody since the phase began, or for a mage since he began to prepare; empty if nothing."""
    since = fighter.prepared_from if mage and fighter.preparing else situation.state.phase
    for name, row in situation.tables.distractions.items():
        if (row.mage if mage else row.archer) and fighter.happened.get(name, 0) >= since:
            return name
    return ""


def _text(order: AnyOrder) -> str:
    from engine.orders import write_order

    return write_order(order)


def _let_go(situation: Situation, order: Cast | Shoot, flights: list[Flight]) -> Generator[Yielded, Any, None]:
    """Record a release; a missile is in the air from now on, whatever becomes of its archer (SP-016, SP-017, SA-15)."""
    state, tables = situation.state, situation.tables
    fighter = state.fighters[order.piece]
    if isinstance(order, Shoot):
        missile = tables.missile(fighter.missile)
        ready = state.phase + missile.reload_phases
        hands = 1 if missile.kind == "thrown" else 2
        yield facts.Released(fighter.id, "missile", missile.id, (order.target,), ready, hands, "SP-016")
        flights.append(Flight(fighter.id, order.target, missile.id, order.volley))
        return
    rests = tables.constant("rest_phases") if option(state, "preparation", "off") == "on" else 0
    yield facts.Released(fighter.id, "spell", order.spell, order.targets, state.phase + 1 + rests, 1, "SP-013")


def _spell(situation: Situation, order: Cast) -> Generator[Yielded, Any, None]:
    """A spell works at once, before the next release; what it does is the referee's (SP-013, SG-03)."""
    state = situation.state
    fighter, spell = state.fighters[order.piece], state.spells[order.spell]
    does = {"pd": f"pd {spell.amount}", "moved": "nothing"}.get(spell.effect, spell.effect)
    default = "; ".join(f"{name} {does}" for name in order.targets) if does != "nothing" else ""
    at = ", ".join(state.fighters[name].name for name in order.targets)
    question = f"what does {fighter.name}'s {words(order.spell)} do{f' to {at}' if at else ''}?"
    key = f"t{state.phase}/release/{fighter.id}/spell"
    yield from effects(
        situation, key, "SG-03", question, fighter.id, order.spell, order.targets, default or "nothing"
    )  # fmt: skip


def _prepare(situation: Situation, order: Prepare) -> Generator[Yielded, Any, None]:
    """Begin a spell: one phase for each twenty of its force or part of it (SPX-15)."""
    state = situation.state
    force, per_phase = state.spells[order.spell].force, situation.tables.constant("force_per_phase")
    yield facts.Preparing(order.piece, order.spell, state.phase + max(1, -(-force // per_phase)))
