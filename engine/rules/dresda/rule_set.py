"""Dresda as the engine plays it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.orders import AnyOrder, RefereeOrder, Vocabulary
from engine.rules.book import Book
from engine.rules.dresda import facts_stated, objections, turn
from engine.rules.dresda.aftermath import roster
from engine.rules.dresda.autoplay import autoplay
from engine.rules.dresda.options import book, options
from engine.rules.dresda.orders import DECLARED, GRAMMAR, SLOTS
from engine.rules.dresda.scenario import deploy
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.table_checks import loader
from engine.rules.dresda.tables import Tables
from engine.rules.dresda.vocabulary import vocabulary
from engine.rules.rule_set import Objection, OrderSlot, Procedure, RuleSet, Scenario
from engine.rules.tables.declared import Loader
from events.facts import Event
from projections.dresda import fold
from projections.fold import Fold


class Dresda(RuleSet):
    """The rule set: see `engine.rules.rule_set.RuleSet` for what each method promises."""

    name = "dresda"
    edition = "1996.2"
    grammar: tuple[type[AnyOrder], ...] = GRAMMAR
    fact_grammar: tuple[type[AnyOrder], ...] = facts_stated.FACTS

    def __init__(self) -> None:
        self.options: Mapping[str, tuple[str, ...]] = options()

    def fold(self) -> Fold:
        """Return the fold of a Dresda battle."""
        return fold()

    def book(self) -> Book:
        """Return the list of rules."""
        return book()

    def loader(self) -> Loader[Tables]:
        """Return what loads the tables."""
        return loader()

    def deploy(self, scenario: Scenario, tables: Tables) -> Sequence[Event]:
        """Put a scenario on the table."""
        return deploy(scenario, tables)

    def vocabulary(self, situation: Situation) -> Vocabulary:
        """Return what orders may name."""
        return vocabulary(situation)

    def owner(self, situation: Situation, piece: str) -> str:
        """Return the seat of a figure; the referee's orders are the referee's."""
        figure = situation.state.figures.get(piece)
        return figure.who.seat if figure is not None else piece

    def slot_for(self, situation: Situation, order: AnyOrder) -> OrderSlot:
        """Tell where an order waits; the referee's take effect at once."""
        if isinstance(order, RefereeOrder):
            return OrderSlot(turn.REFEREE, False, f"t{situation.state.turn}/{turn.REFEREE}")
        slot = SLOTS[type(order)]
        return OrderSlot(slot, slot in DECLARED)

    def objections(self, situation: Situation, order: AnyOrder) -> Iterator[Objection]:
        """Yield why an order is not allowed now."""
        return objections.objections(situation, order)

    def state_fact(self, situation: Situation, fact: AnyOrder) -> Sequence[Event]:
        """Return the outcomes that make a stated fact true."""
        return facts_stated.state_fact(situation, fact)

    def next_act(self, situation: Situation) -> str:
        """Name the act that a person begins."""
        return turn.next_act(situation)

    def next_automatic_act(self, situation: Situation) -> str:
        """Name the act that follows by itself."""
        return turn.next_automatic_act(situation)

    def slots(self, act: str) -> tuple[str, ...]:
        """Name the slots that an act takes in hand."""
        return turn.ACT_SLOTS.get(act.rpartition("/")[2], ())

    def procedure(self, situation: Situation, act: str) -> Procedure:
        """Return the procedure of an act."""
        return turn.procedure(situation, act)

    def autoplay(self, situation: Situation, seat: str) -> Sequence[AnyOrder]:
        """Return plain orders for a side."""
        return autoplay(situation, seat)

    def roster(self, situation: Situation) -> dict[str, Any]:
        """Return the survivors for the next battle."""
        return roster(situation)


@lru_cache(maxsize=1)
def rules() -> Dresda:
    """Return the rule set, made once."""
    return Dresda()
