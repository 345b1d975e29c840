"""The rule set as the engine knows it: orders in, acts in their order, rosters out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.orders import AnyOrder, SideOrder, Vocabulary, given_by
from engine.rules.book import Book, load_book
from engine.rules.ice_and_fire import autoplay, facts_stated, objections, scenario, turn, vocabulary
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.aftermath import merge_refusal
from engine.rules.ice_and_fire.command import chain_down
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.table_checks import loader
from engine.rules.ice_and_fire.tables import Tables
from engine.rules.rule_set import Objection, OrderSlot, Procedure, RuleSet, Scenario
from engine.rules.tables.declared import Loader
from events.facts import Event
from projections.fold import Fold
from projections.ice_and_fire import fold
from projections.ice_and_fire.state import BattleField

_DEEDS = (o.Inspire, o.Lead, o.First)


@lru_cache(maxsize=1)
def _book() -> Book:
    return load_book("engine.rules.ice_and_fire")


class IceAndFire(RuleSet):
    """Ice and Fire, edition 2: mass battle by units of a hundred men."""

    name = "ice_and_fire"
    edition = "2"
    grammar: tuple[type[AnyOrder], ...] = o.GRAMMAR
    lasting = ("standing", "merge")
    fact_grammar: tuple[type[AnyOrder], ...] = facts_stated.FACTS

    def __init__(self) -> None:
        self.options: Mapping[str, tuple[str, ...]] = self.book().options

    def fold(self) -> Fold:
        """How the facts add up."""
        return fold()

    def book(self) -> Book:
        """Every rule in our own words."""
        return _book()

    def loader(self) -> Loader[Tables]:
        """Return what loads the tables."""
        return loader()

    def deploy(self, scenario_file: Scenario, tables: Tables) -> Sequence[Event]:
        """The events that put a scenario on the table."""
        return scenario.deploy(scenario_file, tables)

    def vocabulary(self, situation: Situation) -> Vocabulary:
        """The names that orders may use now."""
        return vocabulary.vocabulary(situation)

    def owner(self, situation: Situation, piece: str) -> str:
        """The seat of a unit, hero or engine; a side commands itself."""
        state = situation.state
        for kind in (state.units, state.heroes, state.engines):
            if piece in kind:
                return str(kind[piece].seat)
        return piece

    def slot_for(self, situation: Situation, order: AnyOrder) -> OrderSlot:
        """Orders wait for the act of their kind; a standing order waits for ever."""
        match order:
            case o.UnitOrder():
                return OrderSlot("leader" if _from_leader(situation.state, order) else "order")
            case o.Standing():
                return OrderSlot("standing", read_in="alone")
            case o.Join():
                return OrderSlot("merge", read_in="disband")
            case o.TakePost():
                return OrderSlot("take")
            case o.Attach():
                return OrderSlot("attach")
            case o.Fight():
                return OrderSlot("fight")
            case o.Manner():
                return OrderSlot("stance")
            case o.Ride():
                return OrderSlot("go")
            case SideOrder():
                return OrderSlot("side")
            case _:
                return OrderSlot("deed")

    def objections(self, situation: Situation, order: AnyOrder) -> Sequence[Objection]:
        """Why an order is not allowed now."""
        state = situation.state
        if state.counted and not isinstance(order, o.Join):
            return [Objection("the fighting is over: units of one type may merge", "IF-180")]
        if isinstance(order, o.UnitOrder):
            found = list(objections.objections(situation, order))
            if not found:
                found += _chain_objections(state, order)
            return found
        if isinstance(order, SideOrder):
            return []
        piece = given_by(order)
        if isinstance(order, o.Standing | o.Join):
            if piece not in state.units:
                return [Objection(f"{piece} is no unit", "IF-091")]
            return _join_objections(state, order) if isinstance(order, o.Join) else _standing_objections(state, order)
        if piece not in state.heroes:
            return [Objection(f"{piece} is no hero", "IF-046")]
        if not state.heroes[piece].up:
            return [Objection(f"{state.heroes[piece].name} has fallen", "RUL-16")]
        return _hero_objections(state, order)

    def state_fact(self, situation: Situation, fact: AnyOrder) -> Sequence[Event]:
        """The outcomes that make a stated fact true."""
        return facts_stated.state_fact(situation, fact)

    def next_act(self, situation: Situation) -> str:
        """A round begins with initiative; before the first the armies muster."""
        state = situation.state
        if state.table.ended:
            return ""
        first = "muster" if state.table.act is None else "disband" if state.counted else "initiative"
        return f"t{state.table.turn}/{first}"

    def next_automatic_act(self, situation: Situation) -> str:
        """The acts of a round follow each other; then orders are written for the next."""
        state = situation.state
        act = state.table.act
        if state.table.ended or act is None or "/" not in act.name:
            return ""
        name, _, phase = act.name.partition("/")
        if name != f"t{state.table.turn}" or phase not in turn.PHASES[:-1]:
            return ""
        return f"{name}/{turn.PHASES[turn.PHASES.index(phase) + 1]}"

    def slots(self, act: str) -> tuple[str, ...]:
        """The orders that an act takes in hand."""
        return turn.SLOTS.get(act.partition("/")[2], ())

    def orders_for(self, act: str) -> tuple[str, ...]:
        """The orders of a whole round: it goes on by itself to its end. At the end of the battle, those to merge."""
        if act.partition("/")[2] == "disband":
            return ("merge",)
        return tuple(slot for slots in turn.SLOTS.values() for slot in slots)

    def procedure(self, situation: Situation, act: str) -> Procedure:
        """The procedure of an act."""
        return turn.PROCEDURES[act.partition("/")[2]](situation)

    def autoplay(self, situation: Situation, seat: str) -> Sequence[AnyOrder]:
        """Plain orders for a side."""
        return autoplay.autoplay(situation, seat)

    def roster(self, situation: Situation) -> dict[str, Any]:
        """The armies as they are after the battle, for a roster file (IF-197, IF-198, IF-201)."""
        state = situation.state
        units = [
            {
                "id": unit.id,
                "name": unit.name,
                "seat": unit.seat,
                "type": unit.type,
                "upgraded": unit.upgraded,
                "training": f"{unit.training[0]}/{unit.training[1]}",
                "men": unit.men,
                "squad": unit.establishment < situation.tables.number("riders"),
            }
            for _, unit in sorted(state.units.items())
            if not unit.merged and unit.men > 0
        ]
        fallen = {hero.id: hero.fate for hero in state.heroes.values() if hero.fate}
        return {"rule_set": self.name, "unit": units, "fallen": fallen}


def _from_leader(state: BattleField, order: o.UnitOrder) -> bool:
    """Whether an order is the unit leader's own, beside the chain of command (IF-049)."""
    by = order.by
    unit = state.units.get(order.piece)
    if by is None or unit is None or by not in state.heroes:
        return False
    hero = state.heroes[by]
    return hero.leader and hero.unit == unit.id and chain_down(state, by, unit) is None


def _chain_objections(state: BattleField, order: o.UnitOrder) -> list[Objection]:
    by = order.by
    if by is None:
        return []
    unit = state.units[order.piece]
    hero = state.heroes.get(by)
    if hero is None:
        return [Objection(f"{by} is no hero", "IF-010")]
    if not hero.up:
        return [Objection(f"{hero.name} has fallen", "RUL-16")]
    if chain_down(state, by, unit) is None and not _from_leader(state, order):
        return [Objection(f"{hero.name} does not command {unit.name}", "IF-010")]
    return []


def _join_objections(state: BattleField, order: o.Join) -> list[Objection]:
    one, other = state.units[order.piece], state.units.get(order.unit)
    if other is None or one.seat != other.seat or one.type != other.type or one.id == other.id:
        return [Objection("only another unit of the same side and type can join", "IF-201")]
    refusal = merge_refusal(one, other) if state.counted else ""
    return [Objection(refusal, "IF-201")] if refusal else []


def _standing_objections(state: BattleField, order: o.Standing) -> list[Objection]:
    """A standing order that needs a mark needs a fitting one (IF-091)."""
    walls, gates = state.walls, state.gates
    if order.how == "scale" and order.at not in walls:
        return [Objection("say with `at` a wall to scale", "IF-091")]
    if order.how == "break" and order.at not in walls and order.at not in gates:
        return [Objection("say with `at` a wall or gate to break", "IF-091")]
    mark = state.units.get(order.at or "") or state.engines.get(order.at or "")
    if mark is not None and mark.seat == state.units[order.piece].seat:
        return [Objection(f"{mark.name} is on its own side", "IF-091")]
    return []


def _hero_objections(state: BattleField, order: AnyOrder) -> list[Objection]:
    match order:
        case o.Attach():
            unit, hero = state.units.get(order.unit), state.heroes[order.piece]
            if unit is None or unit.seat != hero.seat or not unit.on_field:
                return [Objection("a hero joins a unit of their own side", "IF-048")]
        case o.Ride():
            if not (0 < order.to.x < state.width and 0 < order.to.y < state.height):
                return [Objection("that place is not on the field", "IF-046")]
        case o.TakePost():
            post, hero = state.posts[order.post], state.heroes[order.piece]
            if post.seat != hero.seat:
                return [Objection(f"{post.name} is a post of the other side", "IF-016")]
        case o.Fight():
            target = state.units.get(order.target) or state.heroes.get(order.target)
            hero = state.heroes[order.piece]
            if target is None or target.seat == hero.seat:
                return [Objection("single combat is with enemies", "IF-042")]
            if order.weapon and order.weapon not in [arm.id for arm in hero.profile.arms]:
                return [Objection(f"{hero.name} has no {order.weapon.replace('_', ' ')}", "IF-042")]
    return []
