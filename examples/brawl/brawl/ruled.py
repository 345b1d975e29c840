"""The rules of a brawl as procedures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from brawl.happened import Entered, Hurt, Ring, Walked, fold
from wardiary.facts import BattleEnded, Event, Fold, OrderLapsed, Point, RollCalled, Term, TurnBegan
from wardiary.rules import (
    AnyOrder,
    Goal,
    Objection,
    Order,
    OrderSlot,
    Piece,
    Procedure,
    RollFor,
    RuleSet,
    Scenario,
    ScenarioInvalid,
    Situation,
    Vocabulary,
    check,
    plane,
    read_part,
    roll_all,
)  # fmt: skip

WALK_MM, REACH_MM, HEALTH, TO_HIT, SUPPORT = 100, 30, 3, 5, 1
Here: TypeAlias = Situation[Ring, None]


class Walk(Order, frozen=True, gc=False, tag="walk"):
    """Walk up to 10 cm."""

    to: Point


class Hit(Order, frozen=True, gc=False, tag="hit"):
    """Hit an enemy within 3 cm, after everybody has walked."""

    target: Piece


class Brawl(RuleSet):
    name, edition, grammar = "brawl", "1", (Walk, Hit)

    def fold(self) -> Fold:
        return fold()

    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        fighters = read_part(scenario.rest.get("fighters", {}), dict[str, tuple[str, int, int]], "fighters")
        wrong = [f"{who}: no side {side!r}" for who, (side, *_) in fighters.items() if side not in scenario.seats]
        if wrong or not fighters:
            raise ScenarioInvalid(wrong or ["fighters: there is nobody to fight"])
        return [Entered(name, side, Point(10 * x, 10 * y), HEALTH) for name, (side, x, y) in sorted(fighters.items())]

    def vocabulary(self, situation: Here) -> Vocabulary:
        return Vocabulary({name: name for name in situation.state.fighters})

    def owner(self, situation: Here, piece: str) -> str:
        return situation.state.fighters[piece].side

    def slot_for(self, situation: Here, order: AnyOrder) -> OrderSlot:
        return OrderSlot("walking" if isinstance(order, Walk) else "blows")

    def objections(self, situation: Here, order: AnyOrder) -> Sequence[Objection]:
        assert isinstance(order, Order)
        fighter = situation.state.fighters[order.piece]
        far = isinstance(order, Walk) and not plane.within(fighter.at, order.to, WALK_MM)
        down = [Objection(f"{order.piece} is down", "BR-1")] if fighter.health <= 0 else []
        return down + ([Objection(f"that is farther than {WALK_MM // 10} cm", "BR-2")] if far else [])

    def next_act(self, situation: Here) -> str:
        return f"t{situation.state.table.turn}/walking"

    def next_automatic_act(self, situation: Here) -> str:
        return f"t{situation.state.table.turn}/blows" if situation.after("walking") else ""

    def procedure(self, situation: Here, act: str) -> Procedure:
        return self._walking(situation) if act.endswith("/walking") else self._blows(situation)

    def _walking(self, situation: Here) -> Procedure:
        for order in self.in_hand(situation):
            yield Walked(order.piece, order.to, "BR-2")

    def _blows(self, situation: Here) -> Procedure:
        state, blows = situation.state, []
        for order in self.in_hand(situation):
            if plane.within(state.fighters[order.piece].at, state.fighters[order.target].at, REACH_MM):
                blows.append(order)
            else:
                yield OrderLapsed(order.piece, f"{order.piece}: hit {order.target}", "out of reach", "BR-3")
        calls = [self._blow(state, order, sum(each.target == order.target for each in blows) - 1) for order in blows]
        readings = yield from roll_all(calls)
        for order, call, reading in zip(blows, calls, readings, strict=True):
            if reading.success:
                yield Hurt(order.target, order.piece, "BR-4", call.key)
        standing = sorted({each.side for each in situation.state.fighters.values() if each.health > 0})
        over = len(standing) < 2
        yield BattleEnded("only one side stands", *standing) if over else TurnBegan(state.table.turn + 1)

    def _blow(self, state: Ring, order: Hit, friends: int) -> RollCalled:
        """BR-4: a blow needs 5, one less for each friend who hits the same enemy."""
        side, key = state.fighters[order.piece].side, f"t{state.table.turn}/blows/{order.piece}>{order.target}"
        what = RollFor(key, f"{order.piece} hits {order.target}", side, order.piece, "BR-4")
        terms = Term("a blow", TO_HIT, "BR-4"), Term("friends at it", -SUPPORT * friends, "BR-4")
        return check(what, "d6", Goal("at_least", terms, limits=(2, None), success="hurt"))
