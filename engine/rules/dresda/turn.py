"""The turn: six phases in their order, where people must act between them, and when the battle is over (DR-001)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from engine.orders import RefereeOrder, read_recorded, write_order
from engine.rules.dresda import orders
from engine.rules.dresda.aftermath import aftermath
from engine.rules.dresda.aiming import aimed_fire, begin_aim
from engine.rules.dresda.calls import Table, option
from engine.rules.dresda.choices import choice_due, choices, in_movement
from engine.rules.dresda.hand_to_hand import hand_to_hand
from engine.rules.dresda.missiles import Shot, volley
from engine.rules.dresda.morale import charge_tests, morale
from engine.rules.dresda.moving import movement
from engine.rules.dresda.objections import when_its_time
from engine.rules.dresda.reading_orders import in_hand
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


def next_act(table: Table) -> str:
    """The act that begins when a person says so; empty when the battle is over."""
    state = table.state
    return "" if state.table.ended else f"t{state.turn}/{state.phase}"


def next_automatic_act(table: Table) -> str:
    """The act that follows by itself; empty while people give orders."""
    state = table.state
    return "" if state.table.ended or state.phase in PERSON_FIRST else f"t{state.turn}/{state.phase}"


def procedure(table: Table, act: str) -> Procedure:
    """The procedure of an act."""
    return _PROCEDURES[act.rpartition("/")[2]](table)


# ---------------------------------------------------------------------------------------------------- the phases


def _declare(table: Table) -> Procedure:
    """(a) Charges and aim are declared, who fights says whether he goes on (DR-002, DR-003, DA-16a)."""
    given = in_hand(table, orders.DECLARED)
    yield from list(choices(table, given, last=not in_movement(table)))
    for name in sorted(given):
        for order in given[name]:
            figure = table.state.figures[name]
            why = next(when_its_time(table, figure, order), None)
            if why is not None:
                yield OrderLapsed(name, write_order(order), why.reason, why.rule)
            elif isinstance(order, orders.Charge):
                yield ChargeDeclared(name, order.target, table.state.figures[order.target].place, "DR-002")
            elif isinstance(order, orders.Aim):
                yield begin_aim(table, figure, order)
    if option(table, "charge_test") == "in_a":  # DA-02
        yield from charge_tests(table)
    yield PhaseReached(AIMED, "DR-001")


def _aimed(table: Table) -> Procedure:
    """(b) Aimed fire (DR-004)."""
    yield from aimed_fire(table)
    yield from _go_on(table, MOVE)


def _move(table: Table) -> Procedure:
    """(c) Movement, charges, and the tests of the charged."""
    yield from list(choices(table, in_hand(table, (orders.CHOICE,)), last=True))
    yield from movement(table)
    yield from _go_on(table, MISSILE)


def _missile(table: Table) -> Procedure:
    """(d) All other fire (DR-005)."""
    shots: list[Shot] = []
    given = in_hand(table, orders.SHOOTING)
    for name in sorted(given):
        for order in given[name]:
            why = next(when_its_time(table, table.state.figures[name], order), None)
            gone = bool(table.state.figures[name].gone) or table.state.figures[name].lost_until >= table.state.turn
            if gone:
                yield OrderLapsed(name, write_order(order), "it can do nothing", "DR-005")
            elif why is not None:
                yield OrderLapsed(name, write_order(order), why.reason, why.rule)
            elif isinstance(order, orders.Shoot | orders.Throw):
                shots.append(Shot(name, order.weapon, order.target, write_order(order)))
    yield from volley(table, shots)
    yield from _go_on(table, MELEE)


def _melee(table: Table) -> Procedure:
    """(e) Hand-to-hand."""
    yield from hand_to_hand(table)
    yield from _go_on(table, MORALE)


def _morale(table: Table) -> Procedure:
    """(f) Morale; then the next turn, unless that was the last (DG-11)."""
    yield from morale(table)
    state = table.state
    if state.turn_limit and state.turn >= state.turn_limit:
        yield PhaseReached(AFTERMATH, "DR-130")
        return
    yield from ask_for_sky(table)
    if (due := choice_due(table)) is not None:
        yield due
    yield TurnBegan(state.turn + 1)


def _go_on(table: Table, phase: str) -> Generator[Yielded, Any, None]:
    """Come to the next phase, or to the end when a side has no figure left on the table (house reading: at once)."""
    over = len({figure.who.seat for figure in table.state.standing()}) < 2
    yield PhaseReached(AFTERMATH if over else phase, "DR-130" if over else "DR-001")


def _aftermath(table: Table) -> Procedure:
    """After the battle: desertion, marks, and who has won."""
    yield from aftermath(table)
    left = sorted({figure.who.seat for figure in table.state.standing()})
    limit = table.state.turn_limit
    if len(left) == 1:
        yield BattleEnded("only one side is left on the table", left[0])
    else:
        yield BattleEnded(f"{limit} turns are over" if left else "nobody is left on the table", "")


def _referee(table: Table) -> Procedure:
    """The referee changes the sky, or ends the battle (DG-11)."""
    given = next(order for order in table.state.table.in_hand if order.slot == REFEREE)
    order = read_recorded(given.text, orders.GRAMMAR)
    assert isinstance(order, RefereeOrder)
    match order:
        case orders.Weather():
            yield SkyChanged(weather_of(order.words), table.state.light, "DG-11")
        case orders.Light():
            yield SkyChanged(table.state.weather, order.light, "DG-11")
        case orders.End():
            yield from aftermath(table)
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
