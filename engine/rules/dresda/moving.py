"""Phase (c): everything that moves, moves at once (DR-010 to DR-032); charges strike, and the charged test morale.

House reading: every way is worked out from where all stood when the phase began, with their actions done first; so the
result does not depend on the order in which orders came, or in which figures are taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.field.plane import NM_PER_MM, bearing, clip_path, path_fits, path_length
from engine.orders import Order, write_order
from engine.rules.dresda import orders
from engine.rules.dresda.actions import (
    NO,
    Deed,
    deed_objections,
    going_on,
    listed,
    may_go_on,
    questions_of,
    unlisted_key,
)
from engine.rules.dresda.calls import Table, option
from engine.rules.dresda.charges import STAYS, Ride, failed_question, ride_all
from engine.rules.dresda.contact import engaged_now, engagements
from engine.rules.dresda.flight import (
    Way,
    flee_at_once,
    flees_off,
    forced_move,
    forced_way,
    judge_edges,
    leave_field,
    moved,
    rise_first,
)
from engine.rules.dresda.ground import rows_on
from engine.rules.dresda.morale import charge_tests
from engine.rules.dresda.movement import allowance
from engine.rules.dresda.objections import when_its_time
from engine.rules.dresda.orders import Going, Hold
from engine.rules.dresda.plans import gait_of, plan_deeds, plan_objections
from engine.rules.dresda.reading_orders import in_hand
from engine.rules.rule_set import Objection, Yielded, ask_all
from events.dresda import ChargeEnded, Moved
from events.facts import OrderLapsed
from events.places import Point
from projections.dresda.state import Figure

Given = dict[str, list[Order]]

CUT_SHORT = "it cannot go the whole way"


def movement(table: Table) -> Generator[Yielded, Any, None]:
    """Phase (c) from the orders to the engagements that stand at its end."""
    given: Given = in_hand(table, orders.MOVING)
    ruled = yield from _ask(table, given)
    fleeing = [each for each in table.state.standing() if forced_move(table, each) == "run_to_own_edge"]
    yield from judge_edges(table, fleeing)
    lapsed = _examine(table, given, ruled)
    yield from lapsed
    for deed in _all_deeds(table, given, ruled):
        yield from deed.facts
    ways = _ways(table, given)
    rides = yield from _rides(table, {name: way.move for name, way in ways.items()})
    ways.update({ridden.figure: _charged(table, ridden) for ridden in rides})
    for name in sorted(ways):
        for deed in ways[name].climbs:
            yield from deed.facts
    moves = {name: way.move for name, way in ways.items()}
    for name in sorted(moves):
        yield _measured(table, _faced(table, moves[name], moves, given.get(name, ())))
    yield from [_end_of(ridden) for ridden in rides]
    yield from leave_field(table, _leavers(table, moves, given))
    if option(table, "charge_test") == "after_c":  # DA-02
        tested = yield from charge_tests(table)
        yield from flee_at_once(table, tested)  # DR-121
    if (engaged := engagements(table)) is not None:  # after those whom a charge has put to flight are gone
        yield engaged


# ---------------------------------------------------------------------------------------------------- orders


def _ask(table: Table, given: Given) -> Generator[Yielded, Any, Mapping[str, str]]:
    """Put all questions that the orders raise (DG-01, DG-04), each once."""
    questions = {}
    for name in sorted(given):
        figure = table.state.figures[name]
        for order in given[name]:
            if not any(when_its_time(table, figure, order)):
                questions.update({question.key: question for question in questions_of(table, figure, order)})
    wanted = [questions[key] for key in sorted(questions)]
    answers = yield from ask_all(wanted)
    return {question.key: answer for question, answer in zip(wanted, answers, strict=True)}


def _examine(table: Table, given: Given, ruled: Mapping[str, str]) -> list[OrderLapsed]:
    """Hold every order against the rules again, now that its time has come; what is not allowed lapses and is struck.

    A figure's orders are taken in the order of their slots, ways last; each must go with those before it.
    """
    lapsed: list[OrderLapsed] = []
    grabs = Counter(wanted for each in given.values() for order in each if (wanted := _grabs(order)) != ("", ""))
    for name in sorted(given):
        figure = table.state.figures[name]
        kept: list[Order] = []
        for order in sorted(given[name], key=lambda each: (isinstance(each, Going | Hold), orders.SLOTS[type(each)])):
            why = _why_not(table, figure, [*kept, order], ruled, grabs)
            if why is None:
                kept.append(order)
            else:
                lapsed.append(OrderLapsed(name, write_order(order), why.reason, why.rule))
        given[name] = kept
    return lapsed


def _why_not(
    table: Table, figure: Figure, given: Sequence[Order], ruled: Mapping[str, str], grabs: Mapping[tuple[str, str], int]
) -> Objection | None:
    order = given[-1]
    if figure.gone or figure.lost_until >= table.state.turn:
        return Objection(f"{figure.who.name} can do nothing", "DR-072" if not figure.gone else "DR-041")
    if grabs[_grabs(order)] > 1:
        return Objection("two reach for the same at once, and neither gets it", "DR-030")
    if isinstance(order, orders.Do):
        refused = [deed for deed in order.actions if ruled.get(unlisted_key(table, figure, deed)) == NO]
        if refused:
            return Objection(f"the referee does not allow {refused[0]!r}", "DR-031")
    first = next(deed_objections(table, figure, order), None)
    return first or next(plan_objections(table, figure, given, ruled, shorten=True), None)


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


def _all_deeds(table: Table, given: Given, ruled: Mapping[str, str]) -> list[Deed]:
    """What everybody does, worked out before anybody has done it."""
    deeds: list[Deed] = []
    for figure in table.state.standing():
        mine = given.get(figure.id, [])
        if forced_move(table, figure) != "none":
            deeds += rise_first(table, figure)
        elif mine and not all(isinstance(order, Hold) for order in mine):
            deeds += plan_deeds(table, figure, mine, ruled)
        elif figure.busy and not figure.charge and figure.lost_until < table.state.turn and may_go_on(table, figure):
            deeds.append(going_on(table, figure))
    return deeds


# ---------------------------------------------------------------------------------------------------- ways


def _ways(table: Table, given: Given) -> dict[str, Way]:
    """The moves of all who do not charge: forced, ordered, or a breaking off that was not ordered more closely."""
    found: dict[str, Way] = {}
    for figure in table.state.standing():
        forced = forced_move(table, figure)
        mine = given.get(figure.id, [])
        going = next((order for order in mine if isinstance(order, Going)), None)
        if forced != "none":
            found[figure.id] = forced_way(table, figure, forced, figure.mood_name)
        elif going is not None:
            found[figure.id] = Way((), _ordered(table, figure, going))
        elif _breaks_off(table, figure):
            way = forced_way(table, figure, "walk_away", "breaks off")
            found[figure.id] = Way(way.climbs, replace(way.move, rule="DR-084"))
        elif any(isinstance(order, Hold) for order in mine):
            hold = next(order for order in mine if isinstance(order, Hold))
            facing = figure.facing if hold.facing is None else hold.facing
            found[figure.id] = Way((), Moved(figure.id, "stand", (), facing, "DR-010"))
    return found


def _ordered(table: Table, figure: Figure, going: Going) -> Moved:
    """The way that was ordered; as much of it as is left to one who has been wounded since (DR-019)."""
    path, gait = [figure.place, *going.path], gait_of(going)
    allowed = allowance(table, figure, gait, rows_on(table.state, path), figure.halves)
    if path_fits(path, allowed.mm):
        return moved(figure, gait, path, allowed, going.facing, "DR-010")
    rule = "DR-017" if allowed.cut else "DR-021"
    return moved(figure, gait, clip_path(path, allowed.mm), allowed, going.facing, rule, CUT_SHORT)


def _breaks_off(table: Table, figure: Figure) -> bool:
    """Whether a figure breaks off without having been told where to go (house reading: straight away, a full walk)."""
    free = not figure.charge and figure.lost_until < table.state.turn
    return free and figure.choice == "disengage" and bool(engaged_now(table, figure))


def _measured(table: Table, move: Moved) -> Moved:
    """The move, marked as short if a mount went less than half of its walk: then it cannot charge next turn (DA-29)."""
    figure = table.state.figures[move.figure]
    if not figure.mounted or not move.path:
        return move
    path = [figure.place, *move.path]
    walk = allowance(table, figure, "walk", rows_on(table.state, path), 0)
    return replace(move, short=not path_length(path) * 2 >= walk.mm * NM_PER_MM)


def _faced(table: Table, move: Moved, moves: Mapping[str, Moved], mine: Sequence[Order]) -> Moved:
    """The move with its facing towards somebody, if that was ordered, where both have come to stand."""
    whom = next((order.towards for order in mine if isinstance(order, Going | Hold) and order.towards), None)
    if whom is None:
        return move
    here, there = (_end(moves, table.state.figures[name]) for name in (move.figure, whom))
    return move if here == there else replace(move, facing=bearing(here, there))


def _rides(table: Table, moves: Mapping[str, Moved]) -> Generator[Yielded, Any, list[Ride]]:
    """Ride the charges at where their targets end; ask about those that can no longer connect (DA-05, DG-07)."""
    figures = table.state.figures
    declared = [each for each in table.state.standing() if each.charge]
    chargers = [each for each in declared if _can_ride(table, each)]
    riding = {each.id for each in chargers}
    ends = {name: _end(moves, each) for name, each in sorted(figures.items()) if name not in riding}
    rides = ride_all(table, chargers, ends)
    failed = [ridden.figure for ridden in rides if not ridden.contact]
    answers = yield from ask_all([failed_question(table, figures[name]) for name in failed])
    stay = {name for name, answer in zip(failed, answers, strict=True) if answer == STAYS}
    for each in declared:
        if each.id in stay or each.id not in riding:
            reason = "the referee excuses it" if each.id in stay else "it can no longer be ridden"
            yield ChargeEnded(each.id, each.charge, False, "DG-07", bore=False, reason=reason)
    return [ridden for ridden in rides if ridden.figure not in stay]


def _end(moves: Mapping[str, Moved], figure: Figure) -> Point:
    """Where a figure comes to stand."""
    move = moves.get(figure.id)
    return move.path[-1] if move is not None and move.path else figure.place


def _can_ride(table: Table, figure: Figure) -> bool:
    return figure.mounted and figure.lost_until < table.state.turn and forced_move(table, figure) == "none"


def _charged(table: Table, ridden: Ride) -> Way:
    figure = table.state.figures[ridden.figure]
    jumps = tuple(listed(table, figure, name) for name in ridden.jumps)
    return Way(jumps, moved(figure, "charge", [figure.place, *ridden.path], ridden.allowed, None, "DR-014"))


def _end_of(ridden: Ride) -> ChargeEnded:
    reason = "" if ridden.contact else "the target is not where it was"
    rule = "DR-014" if ridden.contact else "DA-05"
    return ChargeEnded(ridden.figure, ridden.target, ridden.contact, rule, True, reason)


def _leavers(table: Table, moves: Mapping[str, Moved], given: Given) -> list[tuple[Figure, bool]]:
    """Who leaves the table: the routed who have come to their edge, and who was ordered off (DR-114)."""
    gone: list[tuple[Figure, bool]] = []
    for name in sorted(moves):
        figure = table.state.figures[name]
        if flees_off(table, figure) and forced_move(table, figure) != "none":
            gone.append((figure, True))
        elif any(isinstance(order, Going) and order.off for order in given.get(name, ())):
            gone.append((figure, False))
    return gone
