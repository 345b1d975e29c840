"""Reading orders: from a sheet as somebody pasted it to typed orders, all of them or none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, ParamSpec, TypeVar, cast

import msgspec

from engine.orders.errors import OrderAmbiguous, OrderError, OrderUnreadable, SheetRefused
from engine.orders.forms import REFEREE, AnyOrder, Form, Grammar, Order, SideOrder, Slot, forms_of
from engine.orders.kinds import Flag
from engine.orders.names import SIDES, Names, Vocabulary, closest, unknown
from engine.orders.words import LONGEST_LINE, Token, cut, fold, shown

MAX_LINES: Final = 2_000
"""Lines of a sheet."""
MAX_ITEMS: Final = 100
"""Places of one path, and items of any other list."""
MAX_PROBLEMS: Final = 500
"""Problems of a sheet after which it is read no further."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class NumberedOrder(msgspec.Struct, frozen=True):
    """An order and the line of the sheet, counted from 1, on which it stands."""

    line: int
    order: AnyOrder


def read_order(text: str, grammar: Grammar, names: Vocabulary) -> AnyOrder:
    """Read exactly one order, such as `grubnik: charge aldric`.

    Raises OrderUnreadable or OrderAmbiguous: the first thing that is wrong. Raises nothing else, whatever the text.
    """
    return read_with(Names(names), text, grammar)


def read_with(names: Names, text: str, grammar: Grammar) -> AnyOrder:
    """Read exactly one order with names that are ready for looking up. Raises as `read_order` does."""
    try:
        found = _read(text, grammar, names)
    except SheetRefused as refused:
        raise refused.problems[0] from None
    if len(found) != 1:
        count = "no order" if not found else f"{len(found)} orders"
        raise OrderUnreadable(f"there is {count} here: write one, such as PIECE: ORDER", 1, text[:LONGEST_LINE])
    return found[0].order


def read_sheet(text: str, grammar: Grammar, names: Vocabulary) -> list[NumberedOrder]:
    """Read a sheet: one line for each piece, several orders to it parted by `;`, comments behind `#`.

    Raises SheetRefused with every problem of the sheet; then nothing of it counts. Raises nothing else, whatever the
    text (GrammarInvalid apart, which is about the grammar). Cost: linear in lines, and in pieces for each name.
    """
    return _read(text, grammar, Names(names))


def _read(text: str, grammar: Grammar, names: Names) -> list[NumberedOrder]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MAX_LINES:
        raise SheetRefused([OrderUnreadable(f"a sheet has {MAX_LINES} lines at most: divide it", MAX_LINES + 1)])
    reader = _Reader(grammar, names)
    for number, line in enumerate(lines, 1):
        reader.read_line(number, line)
        if len(reader.problems) > MAX_PROBLEMS:
            reader.note(OrderUnreadable("there are too many problems: what follows was not read"))
            break
    if reader.problems:
        raise SheetRefused(reader.problems)
    return reader.orders


class _Reader:
    """Goes through a sheet line by line, keeping the orders found and the problems met."""

    def __init__(self, grammar: Grammar, names: Names) -> None:
        self.forms = forms_of(grammar)
        self.names = names
        self.orders: list[NumberedOrder] = []
        self.problems: list[OrderError] = []
        self.line = 0
        self.text = ""

    def read_line(self, number: int, line: str) -> None:
        """Read one line; each order on it yields an order or at least one problem."""
        self.line, self.text = number, line[:LONGEST_LINE].strip()
        tokens = self.attempt(cut, line)
        if not tokens:
            return
        parts = self.attempt(_parted, tokens)
        if parts is None:
            return
        giver, texts = parts
        givers: dict[str, str | None] = {}  # by giver field, so that a wrong name before the colon is told once
        for verb, *words in texts:
            form = self.form(verb)
            if form is None:
                continue
            if form.giver_field not in givers:
                givers[form.giver_field] = self.attempt(self.giver, form, giver)
            values = self.values(form, words)
            who = givers[form.giver_field]
            if values is not None and who is not None:
                if form.giver_field:
                    values[form.giver_field] = who
                self.orders.append(NumberedOrder(number, cast("Callable[..., AnyOrder]", form.order)(**values)))
        if not givers and not self.names.is_side(giver) and fold(giver) != REFEREE:
            self.attempt(self.names.piece, giver)

    def form(self, verb: Token) -> Form | None:
        """Find the form of a verb, or note that there is no such order."""
        form = self.forms.get(fold(verb.text))
        if form is None:
            verbs = {key: [form.verb] for key, form in self.forms.items()}
            self.note(unknown(f"{shown(verb.text)} is not an order", verb.text, verbs, "the orders are"))
        return form

    def giver(self, form: Form, text: str) -> str:
        """Find who gives an order of this form. Raises OrderUnreadable or OrderAmbiguous."""
        if issubclass(form.order, SideOrder):
            return self.names.word(text, SIDES)
        if not issubclass(form.order, Order):
            if fold(text) != REFEREE:
                raise OrderUnreadable(f"only the referee gives this order: write {form.shape()}", nearest=[REFEREE])
            return REFEREE
        try:
            return self.names.piece(text)
        except OrderUnreadable:
            if self.names.is_side(text) or fold(text) == REFEREE:
                raise OrderUnreadable(f"{shown(text)} is not a piece: write {form.shape()}") from None
            raise

    def values(self, form: Form, words: Sequence[Token]) -> dict[str, object] | None:
        """Read the fields of one order; None, and the problems noted, when something is wrong."""
        noted = len(self.problems)
        values: dict[str, object] = {}
        rest = deque(words)
        for slot in form.leading:
            taken = _run(form, rest, slot)
            if taken:
                values[slot.field] = self.value(form, slot, taken)
        while rest:
            token = rest.popleft()
            clause = None if token.quoted else form.clauses.get(fold(token.text))
            if clause is None:
                self.note(_stray(form, token))
                return None  # what follows cannot be told apart
            self.read_clause(form, clause, rest, values)
        for slot in (*form.leading, *form.clauses.values()):
            if slot.required and slot.field not in values:
                self.note(OrderUnreadable(f"{slot.shape()} is missing: write {form.shape()}"))
        return values if len(self.problems) == noted else None

    def read_clause(self, form: Form, clause: Slot, rest: deque[Token], values: dict[str, object]) -> None:
        """Read what follows a keyword into `values`."""
        before = values.get(clause.field)
        if clause.field in values and not clause.each:
            self.note(OrderUnreadable(f"{clause.keyword!r} stands here twice: write it once"))
        if isinstance(clause.kind, Flag):
            values[clause.field] = True
            return
        taken = _run(form, rest, clause)
        if not taken:
            self.note(OrderUnreadable(f"something is missing after {clause.keyword!r}: write {form.shape()}"))
        value = self.value(form, clause, taken) if taken else None
        if isinstance(before, tuple) and isinstance(value, tuple):
            value = before + value
            if len(value) == MAX_ITEMS + 1:
                self.note(_too_many(clause))
        values[clause.field] = value

    def value(self, form: Form, slot: Slot, taken: Sequence[Token]) -> object:
        """Read the words of one field; None, and the problems noted, when one cannot be read."""
        if len(taken) > MAX_ITEMS:
            self.note(_too_many(slot))
            return None
        items = tuple(self.attempt(self.item, form, slot, token.text) for token in taken)
        if None in items:
            return None
        return items if slot.many else items[0]

    def item(self, form: Form, slot: Slot, text: str) -> object:
        """Read one word. In a list it may also be a keyword gone wrong. Raises OrderUnreadable or OrderAmbiguous."""
        try:
            return slot.kind.recall(text, self.names) if self.names.recorded else slot.kind.read(text, self.names)
        except OrderUnreadable as problem:
            meant = closest(text, _keywords(form)) if slot.many else ()
            if not meant:
                raise
            nearest = (*problem.nearest, *meant)
            raise OrderUnreadable(f"{problem.reason}; or is {meant[0]!r} meant?", nearest=nearest) from None

    def attempt(self, act: Callable[_Given, _Result], *args: _Given.args, **kwargs: _Given.kwargs) -> _Result | None:
        """Do something that may find a problem; note the problem and give None."""
        try:
            return act(*args, **kwargs)
        except OrderError as problem:
            self.note(problem)
            return None

    def note(self, problem: OrderError) -> None:
        """Keep a problem, with the line on which it was met."""
        if isinstance(problem, OrderAmbiguous):
            self.problems.append(OrderAmbiguous(problem.reason, self.line, self.text, problem.candidates))
        else:
            nearest = problem.nearest if isinstance(problem, OrderUnreadable) else ()
            self.problems.append(OrderUnreadable(problem.reason, self.line, self.text, nearest))


def _parted(tokens: Sequence[Token]) -> tuple[str, list[list[Token]]]:
    """Part a line into who is ordered and the words of each order. Raises OrderUnreadable."""
    marks = [(at, token.text) for at, token in enumerate(tokens) if token.mark]
    if not marks or marks[0][1] != ":":
        raise OrderUnreadable("it is not said who is ordered: begin with a name and a colon, such as PIECE: ORDER")
    colon = marks[0][0]
    giver = " ".join(token.text for token in tokens[:colon])
    if not giver:
        raise OrderUnreadable("there is no name before the colon: write PIECE: ORDER")
    if any(mark == ":" for _, mark in marks[1:]):
        raise OrderUnreadable("there is a second colon: begin a new line for another piece, or put the name in quotes")
    ends = [at for at, _ in marks[1:]] + [len(tokens)]
    starts = [colon, *ends]
    orders = [list(tokens[start + 1 : end]) for start, end in zip(starts, ends, strict=False)]
    if len(orders) > 1 and not orders[-1]:
        orders.pop()  # a semicolon at the end of the line does no harm
    if not all(orders):
        raise OrderUnreadable("an order is missing: write one after the colon and after each semicolon")
    return giver, orders


def _run(form: Form, rest: deque[Token], slot: Slot) -> list[Token]:
    """Take the words of one field off `rest`: one, or for a list all up to the next keyword."""
    taken: list[Token] = []
    single = slot.each or not slot.many
    while rest and (rest[0].quoted or fold(rest[0].text) not in form.clauses) and not (single and taken):
        taken.append(rest.popleft())
    return taken


def _keywords(form: Form) -> dict[str, list[str]]:
    return {key: [slot.keyword] for key, slot in form.clauses.items()}


def _stray(form: Form, token: Token) -> OrderUnreadable:
    nearest = closest(token.text, _keywords(form))
    offer = f"; nearest: {', '.join(nearest)}" if nearest else ""
    hint = "" if nearest else " (a name of several words goes in quotes)"
    problem = f"{shown(token.text)} does not belong here{offer}: write {form.shape()}{hint}"
    return OrderUnreadable(problem, nearest=nearest)


def _too_many(slot: Slot) -> OrderUnreadable:
    return OrderUnreadable(f"{slot.field} has more than {MAX_ITEMS} items: divide the order")
