"""The turn: six phases in their order, where people must act between them, and when the battle is over (DR-001)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from engine.orders import RefereeOrder, read_recorded, write_order
from engine.rules.dresda import orders
from engine.rules.dresda.aftermath import aftermath
from engine.rules.dresda.aiming import aimed_fire, begin_aim
from engine.rules.dresda.calls import option
from engine.rules.dresda.choices import choice_due, choices, in_movement
from engine.rules.dresda.hand_to_hand import hand_to_hand
from engine.rules.dresda.missiles import Shot, volley
from engine.rules.dresda.morale import charge_tests, morale
from engine.rules.dresda.moving import movement
from engine.rules.dresda.objections import when_its_time
from engine.rules.dresda.reading_orders import in_hand
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.weather import ask_for_sky, weather_of
from engine.rules.rule_set import Procedure, Yielded
from events.dresda import ChargeDeclared, PhaseReached, SkyChanged
from events.facts import BattleEnded, OrderLapsed, TurnBegan

DECLARE, AIMED, MOVE, MISSILE, MELEE, MORALE, AFTERMATH = (
    "declare", "aimed", "move", "missile", "melee", "morale", "aftermath",
)  # fmt: skip
REFEREE: Final = "referee"
PERSON_FIRST: Final = (DECLARE, MOVE, MISSILE)
"""Phases that wait for orders and a word from a person; the others follow by themselves."""
ACT_SLOTS: Final[Mapping[str, tuple[str, ...]]] = {
    DECLARE: orders.DECLARED,
    MOVE: (*orders.MOVING, orders.CHOICE),
    MISSILE: orders.SHOOTING,
    REFEREE: (REFEREE,),
}
"""The slots that an act takes in hand."""


def next_act(situation: Situation) -> str:
    """The act that begins when a person says so; empty when the battle is over."""
    state = situation.state
    return "" if state.table.ended else f"t{state.turn}/{state.phase}"


def next_automatic_act(situation: Situation) -> str:
    """The act that follows by itself; empty while people give orders."""
    state = situation.state
    return "" if state.table.ended or state.phase in PERSON_FIRST else f"t{state.turn}/{state.phase}"


def procedure(situation: Situation, act: str) -> Procedure:
    """The procedure of an act."""
    return _PROCEDURES[act.rpartition("/")[2]](situation)


# ---------------------------------------------------------------------------------------------------- the phases


def _declare(situation: Situation) -> Procedure:
    """(a) Charges and aim are declared, who fights says whether he goes on (DR-002, DR-003, DA-16a)."""
    given = in_hand(situation, orders.DECLARED)
    yield from list(choices(situation, given, last=not in_movement(situation)))
    for name in sorted(given):
        for order in given[name]:
            figure = situation.state.figures[name]
            why = next(when_its_time(situation, figure, order), None)
            if why is not None:
                yield OrderLapsed(name, write_order(order), why.reason, why.rule)
            elif isinstance(order, orders.Charge):
                yield ChargeDeclared(name, order.target, situation.state.figures[order.target].place, "DR-002")
            elif isinstance(order, orders.Aim):
                yield begin_aim(situation, figure, order)
    if option(situation, "charge_test") == "in_a":  # DA-02
        yield from charge_tests(situation)
    yield PhaseReached(AIMED, "DR-001")


def _aimed(situation: Situation) -> Procedure:
    """(b) Aimed fire (DR-004)."""
    yield from aimed_fire(situation)
    yield from _go_on(situation, MOVE)


def _move(situation: Situation) -> Procedure:
    """(c) Movement, charges, and the tests of the charged."""
    yield from list(choices(situation, in_hand(situation, (orders.CHOICE,)), last=True))
    yield from movement(situation)
    yield from _go_on(situation, MISSILE)


def _missile(situation: Situation) -> Procedure:
    """(d) All other fire (DR-005)."""
    shots: list[Shot] = []
    given = in_hand(situation, orders.SHOOTING)
    for name in sorted(given):
        for order in given[name]:
            why = next(when_its_time(situation, situation.state.figures[name], order), None)
            gone = (
                bool(situation.state.figures[name].gone)
                or situation.state.figures[name].lost_until >= situation.state.turn
            )
            if gone:
                yield OrderLapsed(name, write_order(order), "it can do nothing", "DR-005")
            elif why is not None:
                yield OrderLapsed(name, write_order(order), why.reason, why.rule)
            elif isinstance(order, orders.Shoot | orders.Throw):
                shots.append(Shot(name, order.weapon, order.target, write_order(order)))
    yield from volley(situation, shots)
    yield from _go_on(situation, MELEE)


def _melee(situation: Situation) -> Procedure:
    """(e) Hand-to-hand."""
    yield from hand_to_hand(situation)
    yield from _go_on(situation, MORALE)


def _morale(situation: Situation) -> Procedure:
    """(f) Morale; then the next turn, unless that was the last (DG-11)."""
    yield from morale(situation)
    state = situation.state
    if state.turn_limit and state.turn >= state.turn_limit:
        yield PhaseReached(AFTERMATH, "DR-130")
        return
    yield from ask_for_sky(situation)
    if (due := choice_due(situation)) is not None:
        yield due
    yield TurnBegan(state.turn + 1)


def _go_on(situation: Situation, phase: str) -> Generator[Yielded, Any, None]:
    """Come to the next phase, or to the end when a side has no figure left on the table (house reading: at once)."""
    over = len({figure.who.seat for figure in situation.state.standing()}) < 2
    yield PhaseReached(AFTERMATH if over else phase, "DR-130" if over else "DR-001")


def _aftermath(situation: Situation) -> Procedure:
    """After the battle: desertion, marks, and who has won."""
    yield from aftermath(situation)
    left = sorted({figure.who.seat for figure in situation.state.standing()})
    limit = situation.state.turn_limit
    if len(left) == 1:
        yield BattleEnded("only one side is left on the table", left[0])
    else:
        yield BattleEnded(f"{limit} turns are over" if left else "nobody is left on the table", "")


def _referee(situation: Situation) -> Procedure:
    """The referee changes the sky, or ends the battle (DG-11)."""
    given = next(order for order in situation.state.table.in_hand if order.slot == REFEREE)
    order = read_recorded(given.text, orders.GRAMMAR)
    assert isinstance(order, RefereeOrder)
    match order:
        case orders.Weather():
            yield SkyChanged(weather_of(order.words), situation.state.light, "DG-11")
        case orders.Light():
            yield SkyChanged(situation.state.weather, order.light, "DG-11")
        case orders.End():
            yield from aftermath(situation)
            yield BattleEnded(order.reason, "")


_PROCEDURES: Final = {
    DECLARE: _declare,
    AIMED: _aimed,
    MOVE: _move,
    MISSILE: _missile,
    MELEE: _melee,
    MORALE: _morale,
    AFTERMATH: _aftermath,
    REFEREE: _referee,
}
