"""Phase (c): everything that moves, moves at once (DR-010 to DR-032); charges strike, and the charged test morale.

House reading: every way is worked out from where all stood when the phase began, with their actions done first; so the
result does not depend on the order in which orders came, or in which figures are taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any

from engine.orders import Order, write_order
from engine.rules.dresda import orders
from engine.rules.dresda.actions import (
    NO,
    Deed,
    deed_objections,
    deeds_of,
    going_on,
    may_go_on,
    questions_of,
    unlisted_key,
)
from engine.rules.dresda.aims import Route, place_of
from engine.rules.dresda.calls import option
from engine.rules.dresda.charges import STAYS, Ride, failed_question, ride_all
from engine.rules.dresda.contact import can_strike, engaged_now, engagements
from engine.rules.dresda.flight import (
    flee_at_once,
    flees_off,
    forced_move,
    forced_way,
    judge_edges,
    leave_field,
    rise_first,
)
from engine.rules.dresda.ground import border_at
from engine.rules.dresda.morale import charge_tests
from engine.rules.dresda.movement import Spent
from engine.rules.dresda.orders import Going
from engine.rules.dresda.plans import Plan, plan_of
from engine.rules.dresda.reading_orders import in_hand
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.ways import Gone, Way, ends, facing, facts_of_way, go
from engine.rules.rule_set import Objection, Yielded, ask_all
from events.dresda import ChargeEnded
from events.facts import OrderLapsed
from projections.dresda.state import Figure

Given = dict[str, list[Order]]

CUT_SHORT = "it cannot go the whole way"


def movement(situation: Situation) -> Generator[Yielded, Any, None]:
    """Phase (c) from the orders to the engagements that stand at its end."""
    given: Given = in_hand(situation, orders.MOVING)
    ruled = yield from _ask(situation, given)
    fleeing = [each for each in situation.state.standing() if forced_move(situation, each) == "run_to_own_edge"]
    yield from judge_edges(situation, fleeing)
    plans, lapsed = _plans(situation, given, ruled)
    yield from lapsed
    for deed in _all_deeds(situation, plans):
        yield from deed.facts
    ways = _ways(situation, plans)
    rides = yield from _rides(situation, ways)
    ways.update({ridden.figure: _charged(situation, ridden) for ridden in rides})
    gone = go(situation, ways)
    for name in sorted(gone):
        yield from facts_of_way(_faced(situation, gone, plans.get(name), name))
    yield from [_end_of(situation, ridden) for ridden in rides]
    yield from _done_afterwards(situation, plans, ruled)
    yield from leave_field(situation, _leavers(situation, gone, plans))
    if option(situation, "charge_test") == "after_c":  # DA-02
        tested = yield from charge_tests(situation)
        yield from flee_at_once(situation, tested)  # DR-121
    if (engaged := engagements(situation)) is not None:  # after those whom a charge has put to flight are gone
        yield engaged


# ---------------------------------------------------------------------------------------------------- orders


def _ask(situation: Situation, given: Given) -> Generator[Yielded, Any, Mapping[str, str]]:
    """Put all questions that the orders raise (DG-01, DG-04), each once."""
    questions = {}
    for name in sorted(given):
        figure = situation.state.figures[name]
        plan = plan_of(situation, figure, given[name], shorten=True)
        for order in given[name]:
            if not _why_idle(situation, figure) and not any(plan.objections_to(order)):
                questions.update({question.key: question for question in questions_of(situation, figure, order)})
    wanted = [questions[key] for key in sorted(questions)]
    answers = yield from ask_all(wanted)
    return {question.key: answer for question, answer in zip(wanted, answers, strict=True)}


def _plans(situation: Situation, given: Given, ruled: Mapping[str, str]) -> tuple[dict[str, Plan], list[OrderLapsed]]:
    """What each figure does, now that its orders are held against the rules again; and what of them lapses."""
    plans: dict[str, Plan] = {}
    lapsed: list[OrderLapsed] = []
    grabs = Counter(wanted for each in given.values() for order in each if (wanted := _grabs(order)) != ("", ""))
    for name in sorted(given):
        figure = situation.state.figures[name]
        refused = [(order, why) for order in given[name] if (why := _why_not(situation, figure, order, ruled, grabs))]
        unfit = [order for order, _ in refused]
        fit = [order for order in given[name] if not any(order is each for each in unfit)]
        plans[name] = plan_of(situation, figure, fit, ruled, shorten=True) if fit else Plan()
        refused += plans[name].refused
        lapsed += [OrderLapsed(name, write_order(order), why.reason, why.rule) for order, why in refused]
    return plans, lapsed


def _why_idle(situation: Situation, figure: Figure) -> Objection | None:
    """Why a figure can do nothing at all this turn, or None."""
    if figure.gone or figure.lost_until >= situation.state.turn:
        return Objection(f"{figure.who.name} can do nothing", "DR-041" if figure.gone else "DR-072")
    return None


def _why_not(
    situation: Situation, figure: Figure, order: Order, ruled: Mapping[str, str], grabs: Mapping[tuple[str, str], int]
) -> Objection | None:
    """Why an order cannot be carried out, whatever else its figure does."""
    if (idle := _why_idle(situation, figure)) is not None:
        return idle
    if grabs[_grabs(order)] > 1:
        return Objection("two reach for the same at once, and neither gets it", "DR-030")
    if isinstance(order, orders.Do):
        refused = [deed for deed in order.actions if ruled.get(unlisted_key(situation, figure, deed)) == NO]
        if refused:
            return Objection(f"the referee does not allow {refused[0]!r}", "DR-031")
    return None


def _grabs(order: Order) -> tuple[str, str]:
    """What an order reaches for that only one can get: a thing, or a weapon in a body; nothing for other orders.

    House reading: of two who reach for the same at once neither gets it.
    """
    match order:
        case orders.Take():
            return order.thing, ""
        case orders.Recover():
            return order.body, order.weapon
    return "", ""


def _all_deeds(situation: Situation, plans: Mapping[str, Plan]) -> list[Deed]:
    """What everybody does before any way is gone, worked out before anybody has done it."""
    deeds: list[Deed] = []
    for figure in situation.state.standing():
        plan = plans.get(figure.id)
        if forced_move(situation, figure) != "none":
            deeds += rise_first(situation, figure)
        elif plan is not None and (plan.before or plan.after or plan.route):
            deeds += plan.before
        elif (
            figure.busy
            and not figure.charge
            and figure.lost_until < situation.state.turn
            and may_go_on(situation, figure)
        ):
            deeds.append(going_on(situation, figure))
    return deeds


def _done_afterwards(
    situation: Situation, plans: Mapping[str, Plan], ruled: Mapping[str, str]
) -> Generator[Yielded, Any, None]:
    """What figures do where their ways have ended, as far as it is still possible there."""
    for name in sorted(plans):
        for order in plans[name].after:
            figure = situation.state.figures[name]
            why = next(deed_objections(situation, figure, order), None)
            if why is not None:
                yield OrderLapsed(name, write_order(order), why.reason, why.rule)
                continue
            for deed in list(deeds_of(situation, figure, order, ruled)):
                yield from deed.facts


# ---------------------------------------------------------------------------------------------------- ways


def _ways(situation: Situation, plans: Mapping[str, Plan]) -> dict[str, Way]:
    """The ways of all who do not charge: forced, ordered, or a breaking off that was not ordered more closely."""
    found: dict[str, Way] = {}
    for figure in situation.state.standing():
        forced = forced_move(situation, figure)
        plan = plans.get(figure.id, Plan())
        if forced != "none":
            found[figure.id] = forced_way(situation, figure, forced, figure.mood_name)
        elif plan.route is not None and plan.going is not None:
            found[figure.id] = _ordered(figure, plan.going, plan.route)
        elif _breaks_off(situation, figure):
            found[figure.id] = forced_way(situation, figure, "walk_away", "breaks off", "DR-084")
        elif plan.hold is not None:
            found[figure.id] = Way(figure.id, "stand", (figure.place,), "DR-010", facing=plan.hold.facing)
    return found


def _ordered(figure: Figure, going: Going, route: Route) -> Way:
    """The way that was ordered; as much of it as is left to one who has been wounded since (DR-019)."""
    short = route.shortened and not going.reach and going.aims != ["towards"]
    rule = "DR-017" if short and route.allowed.cut else "DR-021" if short else "DR-010"
    return Way(figure.id, route.gait, route.path, rule, route.spent, going.facing, CUT_SHORT if short else "")


def _breaks_off(situation: Situation, figure: Figure) -> bool:
    """Whether a figure breaks off without having been told where to go (house reading: straight away, a full walk)."""
    free = not figure.charge and figure.lost_until < situation.state.turn
    return free and figure.choice == "disengage" and bool(engaged_now(situation, figure))


def _faced(situation: Situation, gone: Mapping[str, Gone], plan: Plan | None, name: str) -> Gone:
    """A way with its end facing what was ordered, or what it leads to, where both have come to stand."""
    order = None if plan is None else plan.going or plan.hold
    if order is None or order.facing is not None:
        return gone[name]
    whom = order.towards or (isinstance(order, Going) and (order.foe or order.to)) or ""
    found = place_of(situation, situation.state.figures[name], whom) if whom else None
    if found is None:
        return gone[name]
    there = gone[whom].move.path if whom in gone else ()
    return facing(situation, gone[name], there[-1] if there else found[0])


def _rides(situation: Situation, ways: Mapping[str, Way]) -> Generator[Yielded, Any, list[Ride]]:
    """Ride the charges at where their targets end; ask about those that can no longer connect (DA-05, DG-07)."""
    figures = situation.state.figures
    declared = [each for each in situation.state.standing() if each.charge]
    chargers = [each for each in declared if _can_ride(situation, each)]
    riding = {each.id for each in chargers}
    away = {name: figure.place for name, figure in figures.items() if name not in riding}
    rides = ride_all(situation, chargers, {**away, **ends(situation, ways, sorted(riding))})
    failed = [ridden.figure for ridden in rides if not ridden.contact]
    answers = yield from ask_all([failed_question(situation, figures[name]) for name in failed])
    stay = {name for name, answer in zip(failed, answers, strict=True) if answer == STAYS}
    for each in declared:
        if each.id in stay or each.id not in riding:
            reason = "the referee excuses it" if each.id in stay else "it can no longer be ridden"
            yield ChargeEnded(each.id, each.charge, False, "DG-07", bore=False, reason=reason)
    return [ridden for ridden in rides if ridden.figure not in stay]


def _can_ride(situation: Situation, figure: Figure) -> bool:
    return figure.mounted and figure.lost_until < situation.state.turn and forced_move(situation, figure) == "none"


def _charged(situation: Situation, ridden: Ride) -> Way:
    spent = Spent(situation.state.figures[ridden.figure].halves)
    return Way(ridden.figure, "charge", ridden.path, "DR-014", spent)


def _end_of(situation: Situation, ridden: Ride) -> ChargeEnded:
    """How a charge ended, now that all stand where they have come to stand."""
    figures = situation.state.figures
    struck = ridden.contact and can_strike(situation, figures[ridden.figure], figures[ridden.target])
    reason = "" if struck else "somebody is in its way" if ridden.contact else "the target is not where it was"
    return ChargeEnded(ridden.figure, ridden.target, struck, "DR-014" if struck else "DA-05", True, reason)


def _leavers(situation: Situation, gone: Mapping[str, Gone], plans: Mapping[str, Plan]) -> list[tuple[Figure, bool]]:
    """Who leaves the table: the routed who have come to their edge, and who was ordered off (DR-114)."""
    found: list[tuple[Figure, bool]] = []
    for name in sorted(gone):
        figure, going = situation.state.figures[name], plans.get(name, Plan()).going
        if flees_off(situation, figure) and forced_move(situation, figure) != "none":
            found.append((figure, True))
        elif going is not None and going.off and border_at(situation.state, figure.place):
            found.append((figure, False))
    return found
