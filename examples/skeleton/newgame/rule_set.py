"""The rules: one order, one act, one roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from newgame.facts import Hurt, Placed
from newgame.state import Field, fold
from wardiary.facts import BattleEnded, Event, Fold, OrderLapsed, Term, TurnBegan
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
    read_part,
    roll_all,
    write_order,
)

HEALTH, TO_HIT = 2, 4


class Strike(Order, frozen=True, gc=False, tag="strike"):
    """Strike an enemy."""

    target: Piece


class NewGame(RuleSet):
    """The rule set; found through the entry point `wardiary.rules`."""

    name, edition = "newgame", "1"
    grammar: tuple[type[AnyOrder], ...] = (Strike,)

    def fold(self) -> Fold:
        return fold()

    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        """Put the fighters of a scenario on the field."""
        fighters = read_part(scenario.rest.get("fighters", {}), dict[str, str], "fighters")
        wrong = [f"fighters.{name}: no side {seat!r}" for name, seat in fighters.items() if seat not in scenario.seats]
        if wrong or not fighters:
            raise ScenarioInvalid(wrong or ["fighters: there is nobody to fight"])
        return [Placed(name, seat, HEALTH) for name, seat in sorted(fighters.items())]

    def vocabulary(self, situation: Situation[Field, Any]) -> Vocabulary:
        return Vocabulary({name: name for name in situation.state.fighters})

    def owner(self, situation: Situation[Field, Any], piece: str) -> str:
        return situation.state.fighters[piece].seat

    def slot_for(self, situation: Situation[Field, Any], order: AnyOrder) -> OrderSlot:
        """Every order waits for the act `blows`."""
        return OrderSlot("blows")

    def objections(self, situation: Situation[Field, Any], order: AnyOrder) -> Iterator[Objection]:
        """NG-1: who is down does nothing; nobody strikes their own side."""
        assert isinstance(order, Strike)
        striker, target = situation.state.fighters[order.piece], situation.state.fighters[order.target]
        if striker.health <= 0:
            yield Objection(f"{order.piece} is down", "NG-1")
        if target.seat == striker.seat:
            yield Objection(f"{order.target} is on the same side", "NG-1")

    def next_act(self, situation: Situation[Field, Any]) -> str:
        """A turn is one act, begun by `wardiary next`."""
        return f"t{situation.state.table.turn}/blows"

    def procedure(self, situation: Situation[Field, Any], act: str) -> Procedure:
        return self._blows(situation, act)

    def autoplay(self, situation: Situation[Field, Any], seat: str) -> Sequence[AnyOrder]:
        """Everybody who stands strikes the first enemy who stands."""
        standing = {name: each for name, each in sorted(situation.state.fighters.items()) if each.health > 0}
        foes = [name for name, each in standing.items() if each.seat != seat]
        return [Strike(name, foes[0]) for name, each in standing.items() if each.seat == seat and foes]

    def _blows(self, situation: Situation[Field, Any], act: str) -> Procedure:
        """NG-2: all blows fall at once, each a d6 that must show 4 or more; who has fallen meanwhile is not hurt."""
        orders: list[Strike] = self.in_hand(situation)
        calls = [
            check(
                RollFor(
                    f"{act}/{order.piece}>{order.target}",
                    f"{order.piece} strikes {order.target}",
                    situation.state.fighters[order.piece].seat,
                    order.piece,
                    "NG-2",
                ),
                "d6",
                Goal("at_least", (Term("a blow", TO_HIT, "NG-2"),), success="hurt"),
            )
            for order in orders
        ]
        readings = yield from roll_all(calls)
        for order, call, reading in zip(orders, calls, readings, strict=True):
            if situation.state.fighters[order.target].health <= 0:
                yield OrderLapsed(order.piece, write_order(order), f"{order.target} is down", "NG-2")
            elif reading.success:
                yield Hurt(order.target, order.piece, "NG-2", call.key)
        standing = sorted({each.seat for each in situation.state.fighters.values() if each.health > 0})
        if len(standing) < 2:
            yield BattleEnded("only one side stands", *standing)
        else:
            yield TurnBegan(situation.state.table.turn + 1)
