"""What a rule set must bring to be played, and how it is found."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from engine.orders import AnyOrder, Grammar, Vocabulary, read_recorded
from engine.rules.tables.declared import Loader
from engine.rules.tables.errors import TablesInvalid
from events.facts import Event, RollCalled, RulingRequested
from projections.battle_state import BattleState, PendingOrder, State
from projections.dice.rolls import Reading
from projections.fold import Fold, RuleSetUnknown

if TYPE_CHECKING:
    from engine.rules.book import Book

S = TypeVar("S", bound=State)
T = TypeVar("T")

Yielded: TypeAlias = Event | Sequence[RollCalled | RulingRequested]
Procedure: TypeAlias = Generator[Yielded, Any, None]
"""A rule as it is carried out. What it yields is what is recorded.

A `RollCalled` is answered with a `Reading`, a `RulingRequested` with the answer's text, a sequence of them with a list
of answers in the same order; they may be answered in any order and across processes. Any other event is an outcome:
it is recorded, applied at once, and answered with None.
"""


class Situation(Generic[S, T]):
    """What a procedure sees: the state as its own events have made it so far, and the tables in force."""

    def __init__(self, state: S, tables: T) -> None:
        self.state = state
        self.tables = tables

    def after(self, act: str) -> bool:
        """Whether the act of this name (`walking` for `t3/walking`) of the running turn has just been resolved."""
        opened = self.state.table.act
        return opened is not None and opened.name == f"t{self.state.table.turn}/{act}"


class Objection(msgspec.Struct, frozen=True, gc=False):
    """Why an order is not allowed now, in plain words, with the rule that says so."""

    reason: str
    rule: str


class OrderSlot(msgspec.Struct, frozen=True, gc=False):
    """Where an order goes. It waits in its `slot` until an act takes that slot in hand.

    With `at_once` naming an act, the order is resolved by that act as soon as it is recorded. A `sealed` order goes on
    record as a digest only, and is revealed when the act that takes its slot in hand begins. An act may also look at an
    order without taking it in hand: then `read_in` is the last part of its name, so that it is revealed for that, too.
    """

    slot: str
    declaration: bool = False
    at_once: str = ""
    sealed: bool = False
    read_in: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """A scenario file, read: who sits at the table, how it is played, and the rule set's own part, still raw."""

    title: str
    rule_set: str
    seats: dict[str, str]
    options: dict[str, str | int | bool] = {}
    by_hand: tuple[str, ...] = ()
    referee: str = "present"
    rest: dict[str, Any] = {}
    folder: str = ""


class RuleSet(Protocol):
    """A rule set in the engine. Found through the entry point `wardiary.rules`, a function that returns one.

    A class that derives from this one need only bring what has no sensible default: name, edition, grammar, `fold`,
    `deploy`, `vocabulary`, `owner`, `place`, `objections`, `next_act`, `procedure`.
    """

    name: str
    edition: str
    grammar: tuple[type[AnyOrder], ...]
    fact_grammar: tuple[type[AnyOrder], ...] = ()
    """What the referee may state as a fact, here and now: `aldric: prone`."""
    options: Mapping[str, tuple[str, ...]] = {}
    """Options that a scenario may set, with their choices; the first is the default."""

    lasting: tuple[str, ...] = ()
    """Slots whose orders stay when they have been used: to have left one is not to have ordered for an act."""

    def of_edition(self, edition: str) -> RuleSet | None:
        """Return these rules in one of the editions that they can be played by; None for any other."""
        return self if edition == self.edition else None

    @abstractmethod
    def fold(self) -> Fold:
        """Return the rule set's part in the room of projections."""

    def book(self) -> Book:
        """Return the list of rules: by default `rules.toml` beside the module."""
        from engine.rules.book import load_book

        return load_book(Path(str(sys.modules[type(self).__module__].__file__)).parent)

    def loader(self) -> Loader[Any] | None:
        """Return what loads the rule tables; by default there are none."""
        return None

    def load_tables(self, directory: Path | None) -> tuple[Any, str]:
        """Return the tables, with a referee's own laid over them, and their canonical text.

        Raises `TablesInvalid`.
        """
        loader = self.loader()
        if loader is not None:
            tables = loader.load(directory)
            return tables, tables.text
        if directory is not None:
            raise TablesInvalid([f"{directory}: {self.name} has no tables"])
        return None, "{}"

    def restore_tables(self, text: str) -> Any:
        """Return the tables from the text that `load_tables` gave. Raises `TablesInvalid`."""
        loader = self.loader()
        return loader.restore(text) if loader is not None else None

    @abstractmethod
    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        """Return the events that put a scenario on the table. Raises `ScenarioInvalid` with every problem found."""

    @abstractmethod
    def vocabulary(self, situation: Situation[Any, Any]) -> Vocabulary:
        """Return the names and words that an order may use now."""

    @abstractmethod
    def owner(self, situation: Situation[Any, Any], piece: str) -> str:
        """Return the seat that commands a piece; a seat commands itself."""

    @abstractmethod
    def slot_for(self, situation: Situation[Any, Any], order: AnyOrder) -> OrderSlot:
        """Tell where an order waits, or which act resolves it at once."""

    @abstractmethod
    def objections(self, situation: Situation[Any, Any], order: AnyOrder) -> Iterable[Objection]:
        """Yield why an order is not allowed now; nothing if it is. Asked for the first one more often than for all."""

    def state_fact(self, situation: Situation[Any, Any], fact: AnyOrder) -> Sequence[Event]:
        """Return the outcomes that make a stated fact true, with `ruling` as their rule. Raises `OrderNotAllowed`."""
        return ()

    @abstractmethod
    def next_act(self, situation: Situation[Any, Any]) -> str:
        """Name the act that begins when a person says so; empty if the battle is over."""

    def next_automatic_act(self, situation: Situation[Any, Any]) -> str:
        """Name the act that follows by itself now, without a person; empty if a person must act."""
        return ""

    def slots(self, act: str) -> tuple[str, ...]:
        """Name the slots whose orders an act takes in hand; by default the last part of its own name."""
        return (act.rpartition("/")[2],)

    def orders_for(self, act: str) -> tuple[str, ...]:
        """Name the slots that people fill before they begin an act: its own, and those of the acts that then follow."""
        return self.slots(act)

    def in_hand(self, situation: Situation[Any, Any]) -> list[Any]:
        """Return the orders (types of the grammar) that the act in progress resolves, by piece, not by arrival."""
        taken = orders_in_hand(situation.state.table, self.grammar)
        return [order for _, order in taken]

    @abstractmethod
    def procedure(self, situation: Situation[Any, Any], act: str) -> Procedure:
        """Return the procedure of an act, ready to run from its beginning."""

    def autoplay(self, situation: Situation[Any, Any], seat: str) -> Sequence[AnyOrder]:
        """Return plain orders for a seat, for demonstrations and absent players; empty if there is nothing to do."""
        return ()

    def roster(self, situation: Situation[Any, Any]) -> dict[str, Any]:
        """Return what is left for the next battle, as the raw form of a roster file."""
        return {}


_GROUP = "wardiary.rules"


def find_rules(name: str) -> RuleSet:
    """Return an installed rule set. Raises `RuleSetUnknown`, which lists those that are installed.

    >>> find_rules("rhand").name
    'rhand'
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=_GROUP, name=name):
        rules: RuleSet = entry.load()()
        return rules
    raise RuleSetUnknown(name, installed())


def installed() -> list[str]:
    """Return the names of the rule sets that are installed."""
    from importlib.metadata import entry_points

    return sorted(entry.name for entry in entry_points(group=_GROUP))


def orders_in_hand(
    table: BattleState, grammar: Grammar, slots: Collection[str] | None = None
) -> list[tuple[PendingOrder, AnyOrder]]:
    """Return the orders that an act has taken in hand, each as it stands and as it reads; of these slots, or all.

    They are sorted by piece and slot, so that the order of arrival counts for nothing.
    """
    taken = [order for order in table.in_hand if slots is None or order.slot in slots]
    taken.sort(key=lambda order: (order.piece, order.slot))
    return [(order, read_recorded(order.text, grammar)) for order in taken]


def waiting_orders(
    table: BattleState, grammar: Grammar, piece: str, slots: Collection[str]
) -> list[tuple[PendingOrder, AnyOrder]]:
    """Return the orders of a piece that still wait for their time, by slot; not those that are sealed still."""
    found = [order for order in table.orders if order.piece == piece and order.text and order.slot in slots]
    found.sort(key=lambda order: (order.slot, order.text))
    return [(order, read_recorded(order.text, grammar)) for order in found]


def roll(call: RollCalled) -> Generator[Yielded, Any, Reading]:
    """Call for one roll inside a procedure: `reading = yield from roll(call)`."""
    reading: Reading = yield call
    return reading


def roll_all(calls: Sequence[RollCalled]) -> Generator[Yielded, Any, list[Reading]]:
    """Call for several rolls at once; they may be answered in any order. None called, none answered."""
    if not calls:
        return []
    readings: list[Reading] = yield tuple(calls)
    return readings


def ask(question: RulingRequested) -> Generator[Yielded, Any, str]:
    """Put a question to the referee inside a procedure: `answer = yield from ask(question)`."""
    answer: str = yield question
    return answer


def ask_all(questions: Sequence[RulingRequested]) -> Generator[Yielded, Any, list[str]]:
    """Put several questions at once; they may be answered in any order."""
    if not questions:
        return []
    answers: list[str] = yield tuple(questions)
    return answers
