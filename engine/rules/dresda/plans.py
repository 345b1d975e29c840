"""What a figure means to do in (c): its orders in the order in which they were written, and why some may not go along.

What stands before the way is done where the figure stands, what stands after it where the way ends; both take their
part of the move (DR-021, DR-032).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.orders import Order
from engine.rules.dresda.actions import Deed, deed_objections, deeds_of
from engine.rules.dresda.aims import Route, end_objections, route_of
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.movement import WHOLE, Spent
from engine.rules.dresda.orders import Going, Hold
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection
from events.dresda import Moved
from events.facts import Event
from projections.dresda import fold
from projections.dresda.state import Battlefield, Figure

NONE: Final[Mapping[str, str]] = {}


class Plan(Struct, frozen=True):
    """What a figure does before its way, the way, what it does after it; and the orders that cannot be carried out."""

    before: tuple[Deed, ...] = ()
    going: Going | None = None
    route: Route | None = None
    hold: Hold | None = None
    after: tuple[Order, ...] = ()
    refused: tuple[tuple[Order, Objection], ...] = ()

    def objections_to(self, order: Order) -> Iterator[Objection]:
        """Why an order of the plan cannot be carried out; nothing if it can."""
        return (why for refused, why in self.refused if refused is order)


def after(situation: Situation, facts: Sequence[Event]) -> Situation:
    """The table as it would be once these facts are so."""
    state = fold().advance(situation.state, facts)
    assert isinstance(state, Battlefield)
    return Situation(state, situation.tables)


def facts_of(deeds: Sequence[Deed]) -> list[Event]:
    """All facts of some deeds, in order."""
    return [fact for deed in deeds for fact in deed.facts]


def plan_of(
    situation: Situation,
    figure: Figure,
    given: Sequence[Order],
    ruled: Mapping[str, str] = NONE,
    *,
    shorten: bool = False,
) -> Plan:
    """What orders come to, taken one after the other; one that cannot be carried out is left out, with the reason.

    `ruled` holds the referee's answers by key of the question. With `shorten` a way that has become too long is no
    objection: the figure goes as far as it can (DR-019).
    """
    bound = _bound(situation, figure, given)
    if bound is not None:
        return Plan(refused=tuple((order, bound) for order in given))
    planner = _Planner(situation, figure.id, ruled, shorten)
    for order in given:
        planner.take(order)
    return planner.plan()


class _Planner:
    """Takes orders one after the other, each on the table as those before it leave it."""

    def __init__(self, situation: Situation, figure: str, ruled: Mapping[str, str], shorten: bool) -> None:
        self.name, self.ruled, self.shorten = figure, ruled, shorten
        self.here = situation
        """The table as what is done before the way leaves it."""
        self.there = situation
        """The table as the way, and what is done after it, leave it."""
        self.before: list[Deed] = []
        self.after: list[Order] = []
        self.spent_after = 0
        self.going: Going | None = None
        self.route: Route | None = None
        self.hold: Hold | None = None
        self.refused: list[tuple[Order, Objection]] = []

    def take(self, order: Order) -> None:
        if isinstance(order, Hold):
            self.hold = order
            return
        why = self.go(order) if isinstance(order, Going) else self.do(order)
        if why is not None:
            self.refused.append((order, why))

    def go(self, order: Going, more: int = 0) -> Objection | None:
        """Find the way of an order, with `more` half moves for what is done after it."""
        figure = self.here.state.figures[self.name]
        if pinned(self.here, figure):
            return Objection(f"{figure.who.name} fights on: only who breaks off in (a) moves away", "DR-084")
        spent = Spent(figure.halves + more, tuple(deed.name for deed in self.before))
        route = route_of(self.here, figure, order, spent, shorten=self.shorten)
        if isinstance(route, Objection):
            return route
        why = next(end_objections(self.here, figure, order, route), None)
        if why is None:
            self.going, self.route = order, route
            self.there = self.at_the_end(figure, route)
        return why

    def at_the_end(self, figure: Figure, route: Route) -> Situation:
        """The table with the figure at the end of its way."""
        gone = Moved(figure.id, route.gait, route.path[1:], figure.facing, "DR-010")
        return after(self.here, [gone]) if len(route.path) > 1 else self.here

    def do(self, order: Order) -> Objection | None:
        """Add what an order makes the figure do, where it is by then."""
        situation = self.here if self.route is None else self.there
        figure = situation.state.figures[self.name]
        why = next(deed_objections(situation, figure, order), None)
        if why is not None:
            return why
        deeds = list(deeds_of(situation, figure, order, self.ruled))
        cost = sum(deed.halves for deed in deeds)
        total = self.here.state.figures[self.name].halves + self.spent_after + cost
        if total > WHOLE:
            return Objection(f"{figure.who.name} would need {_moves(total)} moves for all that", "DR-032")  # DA-25
        if self.route is None:
            self.before += deeds
            self.here = self.there = after(self.here, facts_of(deeds))
            return None
        return self.do_afterwards(order, deeds, cost)

    def do_afterwards(self, order: Order, deeds: Sequence[Deed], cost: int) -> Objection | None:
        """Add what is done at the end of the way, if the way leaves room for it (DR-021)."""
        assert self.going is not None
        if cost and (why := self.go(self.going, self.spent_after + cost)) is not None:
            return why
        self.spent_after += cost
        self.after.append(order)
        self.there = after(self.there, facts_of(deeds))
        return None

    def plan(self) -> Plan:
        return Plan(
            tuple(self.before), self.going, self.route, self.hold, tuple(self.after), tuple(self.refused)
        )  # fmt: skip


def _bound(situation: Situation, figure: Figure, given: Sequence[Order]) -> Objection | None:
    """What keeps a figure from any deed or move of its own this turn."""
    name, turn = figure.who.name, situation.state.turn
    letter = figure.mood_at(turn)
    if letter and situation.tables.morale_effect(letter).forced_move != "none":
        return Objection(f"{name} {figure.mood_name}: it moves of itself", "DR-114")
    if all(isinstance(order, Hold) for order in given):
        return None
    if figure.charge:
        return Objection(f"{name} charges {figure.charge} this turn", "DR-013")
    if figure.aim_turn == turn:
        return Objection(f"{name} is aiming: it does not move, nor do anything else", "DR-060")
    return None


def pinned(situation: Situation, figure: Figure) -> bool:
    """Whether a figure is held in hand-to-hand: it fights on, and so does an enemy (DR-084, DA-16).

    Before the choice is made nobody is.
    """
    if figure.choice == "disengage" or situation.state.phase == "declare":
        return False
    return any(foe.choice != "disengage" and not _driven_off(situation, foe) for foe in engaged_now(situation, figure))


def _driven_off(situation: Situation, figure: Figure) -> bool:
    letter = figure.mood_at(situation.state.turn)
    return bool(letter) and situation.tables.morale_effect(letter).forced_move != "none"


def _moves(halves: int) -> str:
    return f"{halves // 2}½" if halves % 2 else f"{halves // 2}"
