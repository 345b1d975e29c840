"""A toy rule set for testing the engine: fighters with wounds, one d6 to hit, all blows of a turn at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec.structs import replace

from engine.orders import AnyOrder, Order, PieceName, Vocabulary
from engine.rules.rule_set import (
    Objection,
    OrderSlot,
    Procedure,
    RuleSet,
    Scenario,
    Situation,
    ask,
    roll_all,
)
from events.facts import (
    BattleEnded,
    Chance,
    Event,
    OrderLapsed,
    RollCalled,
    RulingRequested,
    Term,
    TurnBegan,
)
from projections.battle_state import Reducer, State
from projections.fold import Caption, Fold

if TYPE_CHECKING:
    from engine.rules.book import Book


class Placed(Event, frozen=True, gc=False, tag="toy.placed"):
    fighter: str
    seat: str
    health: int


class Wounded(Event, frozen=True, gc=False, tag="toy.wounded"):
    fighter: str
    by: str
    wounds: int
    rule: str


class Toy(State, frozen=True, gc=False):
    seat: dict[str, str] = {}
    health: dict[str, int] = {}


def _placed(state: Toy, event: Placed) -> Toy:
    seats = {**state.seat, event.fighter: event.seat}
    return replace(state, seat=seats, health={**state.health, event.fighter: event.health})


def _wounded(state: Toy, event: Wounded) -> Toy:
    left = state.health[event.fighter] - event.wounds
    return replace(state, health={**state.health, event.fighter: left})


TOY_EVENTS: tuple[type[Event], ...] = (Placed, Wounded)
TOY_REDUCERS: dict[type[Event], Reducer] = {Placed: _placed, Wounded: _wounded}
TOY_CAPTIONS: dict[type[Event], Caption] = {
    Placed: lambda event, before: f"{event.fighter} stands for {event.seat}",
    Wounded: lambda event, before: f"{event.fighter} is wounded by {event.by}",
}


def toy_fold(sources: Sequence[ModuleType] = ()) -> Fold:
    return Fold(
        "toy",
        TOY_EVENTS,
        Toy(),
        TOY_REDUCERS,
        TOY_CAPTIONS,
        lambda state: " ".join(f"{name}:{health}" for name, health in sorted(state.health.items())),
        sources,
    )


class Hit(Order, frozen=True, gc=False, tag="hit"):
    """Strike at somebody in this turn's blows."""

    target: Annotated[str, PieceName()]


class Curse(Order, frozen=True, gc=False, tag="curse"):
    """Curse somebody at once; the referee says whether it works."""

    target: Annotated[str, PieceName()]


class Health(Order, frozen=True, gc=False, tag="health"):
    """State how healthy somebody is."""

    points: int


class ToyRules(RuleSet):
    name = "toy"
    edition = "1"
    grammar: tuple[type[AnyOrder], ...] = (Hit, Curse)
    fact_grammar: tuple[type[AnyOrder], ...] = (Health,)
    options: Mapping[str, tuple[str, ...]] = {}
    base: ClassVar[int] = 4

    def fold(self) -> Fold:
        return toy_fold()

    def book(self) -> Book:
        raise NotImplementedError

    def load_tables(self, directory: Path | None) -> tuple[Any, str]:
        return {"to_hit": self.base}, msgspec.json.encode({"to_hit": self.base}).decode()

    def restore_tables(self, text: str) -> Any:
        return msgspec.json.decode(text)

    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        return [Placed(name, seat, 3) for seat in scenario.seats for name in scenario.rest[seat]]

    def vocabulary(self, situation: Situation[Toy, Any]) -> Vocabulary:
        return Vocabulary({name: name.title() for name in situation.state.health})

    def owner(self, situation: Situation[Toy, Any], piece: str) -> str:
        return situation.state.seat[piece]

    def slot_for(self, situation: Situation[Toy, Any], order: AnyOrder) -> OrderSlot:
        assert isinstance(order, Hit | Curse)
        return OrderSlot("blows") if isinstance(order, Hit) else OrderSlot("words", True, f"curse/{order.target}")

    def objections(self, situation: Situation[Toy, Any], order: AnyOrder) -> Sequence[Objection]:
        assert isinstance(order, Hit | Curse)
        return [Objection(f"{order.piece} is down", "TOY-1")] if situation.state.health[order.piece] <= 0 else []

    def state_fact(self, situation: Situation[Toy, Any], fact: AnyOrder) -> Sequence[Event]:
        assert isinstance(fact, Health)
        return [Wounded(fact.piece, "ruling", situation.state.health[fact.piece] - fact.points, "ruling")]

    def next_act(self, situation: Situation[Toy, Any]) -> str:
        return f"t{situation.state.table.turn}/blows"

    def next_automatic_act(self, situation: Situation[Toy, Any]) -> str:
        act = situation.state.table.act
        return f"t{situation.state.table.turn}/end" if act is not None and act.name.endswith("/blows") else ""

    def slots(self, act: str) -> tuple[str, ...]:
        return ("blows",) if act.endswith("/blows") else ("words",)

    def procedure(self, situation: Situation[Toy, Any], act: str) -> Procedure:
        match act.split("/"):
            case ["curse", target]:
                return _curse(situation, target)
            case [_, "blows"]:
                return _blows(situation)
            case _:
                return _end(situation)

    def autoplay(self, situation: Situation[Toy, Any], seat: str) -> Sequence[AnyOrder]:
        state = situation.state
        foes = [name for name, of in state.seat.items() if of != seat and state.health[name] > 0]
        mine = [name for name, of in state.seat.items() if of == seat and state.health[name] > 0]
        return [Hit(name, foes[0]) for name in mine if foes]

    def roster(self, situation: Situation[Toy, Any]) -> dict[str, Any]:
        return {}


def _blows(situation: Situation[Toy, Any]) -> Procedure:
    state = situation.state
    orders = sorted(state.table.in_hand, key=lambda order: order.piece)
    blows = [(order.piece, order.text.split()[-1]) for order in orders]
    calls = [
        RollCalled(
            f"t{state.table.turn}/hit/{who}>{whom}", f"{who} strikes {whom}", order.seat, who, "d6", "at_least",
            situation.tables["to_hit"], "target", (Term("base", situation.tables["to_hit"]),), (Chance("hit", 3, 6),),
            "TOY-2",
        )
        for order, (who, whom) in zip(orders, blows, strict=True)
    ]  # fmt: skip
    readings = yield from roll_all(calls)
    for (who, whom), reading in zip(blows, readings, strict=True):
        if situation.state.health[whom] <= 0:
            yield OrderLapsed(who, f"{who}: hit {whom}", f"{whom} is down", "TOY-1")
        elif reading.success:
            yield Wounded(whom, who, 1, "TOY-2")


def _curse(situation: Situation[Toy, Any], target: str) -> Procedure:
    answer = yield from ask(
        RulingRequested(f"curse/{target}", "TOY-3", f"does the curse take {target}?", ("yes", "no"), "no")
    )
    if answer == "yes":
        yield Wounded(target, "curse", 1, "TOY-3")


def _end(situation: Situation[Toy, Any]) -> Procedure:
    state = situation.state
    standing = {state.seat[name] for name, health in state.health.items() if health > 0}
    if len(standing) < 2:
        yield BattleEnded("one side is down", *standing)
    else:
        yield TurnBegan(state.table.turn + 1)
