"""Rhand as the engine sees it: which orders, which acts in which order, whose they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.orders import AnyOrder, Vocabulary, given_by
from engine.rules.rhand import facts_stated, hands, objections, release, scenario, strides, turn
from engine.rules.rhand.autoplay import autoplay
from engine.rules.rhand.editions import CURRENT, FIRST
from engine.rules.rhand.movement import move
from engine.rules.rhand.orders import (
    GRAMMAR,
    SLOTS,
    STEP_OF,
    Cast,
    Don,
    Draw,
    Fight,
    Pass,
    Prepare,
    Rouse,
    Run,
    Shoot,
    Switch,
    Walk,
)
from engine.rules.rhand.positions import gap
from engine.rules.rhand.recovery import roster
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_checks import loader
from engine.rules.rhand.tables import Tables
from engine.rules.rhand.vocabulary import vocabulary
from engine.rules.rule_set import Objection, OrderSlot, Procedure, RuleSet, Scenario
from engine.rules.tables.declared import Loader
from events.facts import Event
from projections.fold import Fold
from projections.rhand import fold
from projections.rhand.state import Rhand

if TYPE_CHECKING:
    from engine.rules.book import Book


OPTIONS: Mapping[str, tuple[str, ...]] = {
    "hit_die": ("00-99", "1-100"),
    "leg_disabling": ("over", "at_least"),
    "half_impact": ("down", "nearest"),
    "resolution": ("simultaneous", "sequential"),
    "rounding": ("nearest", "chance"),
    "other_hand": ("ask", "allowed"),
    "preparation": ("off", "on"),
    "mounted": ("off", "on"),
    "unarmed": ("off", "on"),
    "glancing": ("off", "on"),
    "impact_multipliers": ("off", "on"),
    "cut_through": ("off", "on"),
    "damage_bonus": ("off", "on"),
    "recovery": ("at_end", "off"),
}
"""What a scenario may choose; the first is the default. The list of rules tells which rule each belongs to."""

_ACTS = {"release": "release", "movement": "movement", "declare": "blows"}
_TAKES = {"release": ("release",), "movement": ("move", "passing"), "blows": ("declare",), "end": ()}
_SAID = {"release": "magic and archery", "movement": "movement", "declare": "blows and parries"}


class RhandRules(RuleSet):
    """The rule set (see `engine.rules.rule_set.RuleSet`)."""

    name = "rhand"
    grammar: tuple[type[AnyOrder], ...] = GRAMMAR
    fact_grammar: tuple[type[AnyOrder], ...] = facts_stated.FACTS
    options: Mapping[str, tuple[str, ...]] = OPTIONS

    def __init__(self, edition: str = CURRENT) -> None:
        self.edition = edition

    def of_edition(self, edition: str) -> RuleSet | None:
        """Return the rules in the current or the first edition."""
        return RhandRules(edition) if edition in (FIRST, CURRENT) else None

    def fold(self) -> Fold:
        """Return how the facts add up."""
        return fold()

    def book(self) -> Book:
        """Return the list of rules."""
        from engine.rules.book import load_book

        return load_book("engine.rules.rhand")

    def loader(self) -> Loader[Tables]:
        """Return what loads the tables."""
        return loader()

    def deploy(self, scenario_: Scenario, tables: Tables) -> Sequence[Event]:
        """Return the events that put a scenario on the field. Raises `ScenarioInvalid`."""
        return scenario.deploy(scenario_, tables)

    def vocabulary(self, situation: Situation) -> Vocabulary:
        """Return the names and words of orders."""
        return vocabulary(situation)

    def owner(self, situation: Situation, piece: str) -> str:
        """Return the seat that commands a fighter."""
        fighter = situation.state.fighters.get(piece)
        return fighter.seat if fighter is not None else piece

    def slot_for(self, situation: Situation, order: AnyOrder) -> OrderSlot:
        """Every order is sealed and waits for its step (SA-14)."""
        return OrderSlot(SLOTS[type(order)], sealed=True)

    def objections(self, situation: Situation, order: AnyOrder) -> Sequence[Objection]:
        """Tell why an order is not allowed now."""
        state = situation.state
        fighter = state.fighters[given_by(order)]
        if fighter.out:
            return [Objection(f"{fighter.name} is out of the fight", "SP-044")]
        step = STEP_OF[SLOTS[type(order)]]
        if step != state.step:
            return [Objection(f"now is the time for {_SAID[state.step]}, not for {_SAID[step]}", "SP-001")]
        return list(_objections(situation, order))

    def state_fact(self, situation: Situation, fact: AnyOrder) -> Sequence[Event]:
        """Return the outcomes that make a stated fact true."""
        return facts_stated.state_fact(situation, fact)

    def next_act(self, situation: Situation) -> str:
        """Name the act of the step that the phase stands at."""
        return f"t{situation.state.phase}/{_ACTS[situation.state.step]}"

    def next_automatic_act(self, situation: Situation) -> str:
        """The phase ends by itself after its blows."""
        act, now = situation.state.table.act, situation.state.phase
        return f"t{now}/end" if act is not None and act.name == f"t{now}/blows" else ""

    def slots(self, act: str) -> tuple[str, ...]:
        """Name the slots that an act takes in hand."""
        return _TAKES[act.split("/")[1]]

    def procedure(self, situation: Situation, act: str) -> Procedure:
        """Return the procedure of an act."""
        match act.split("/")[1]:
            case "release":
                return release.release(situation)
            case "movement":
                return move(situation)
            case "blows":
                return turn.fight(situation)
            case _:
                return turn.finish(situation)

    def autoplay(self, situation: Situation, seat: str) -> Sequence[AnyOrder]:
        """Return plain orders for a seat."""
        return autoplay(situation, seat)

    def roster(self, situation: Situation) -> dict[str, Any]:
        """Return those who live, as fighters of the next scenario, with their wounds (SPX-20)."""
        return roster(situation.state)


def _objections(situation: Situation, order: AnyOrder) -> Sequence[Objection]:
    state, tables = situation.state, situation.tables
    match order:
        case Shoot() | Cast() | Prepare():
            return list(release.objections(situation, order))
        case Walk() | Run():
            return list(strides.objections(state, tables, order))
        case Pass():
            foe = state.fighters[order.blow.target]
            if objections.row_of(state, tables, state.fighters[order.piece], order.blow) is None or foe.out:
                return [Objection("no such passing blow can be struck", "SPX-13")]
        case Fight():
            return list(objections.objections(situation, order))
        case Draw() | Don() | Switch():
            return list(hands.objections(state, tables, order))
        case Rouse():
            return _rouse(state, order)
    return []


def _rouse(state: Rhand, order: Rouse) -> Sequence[Objection]:
    fighter, friend = state.fighters[order.piece], state.fighters[order.friend]
    if not friend.down or friend.seat != fighter.seat or gap(fighter, friend) > 1:
        return [Objection(f"{friend.name} is not a dazed friend beside {fighter.name}", "SG-07")]
    return []
