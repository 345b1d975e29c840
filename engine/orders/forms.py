"""From an order's Struct to its notation: what comes first, which words introduce the rest.

    class Aim(Order, frozen=True, gc=False, tag="aim"):
        \"""Shoot at a target that was declared.\"""

        weapon: Annotated[str, Word(of="weapons")]
        target: Annotated[Piece, After("at")]

reads and writes `snaga: aim short_bow at aldric`. The tag is the verb. Fields without `After` stand first, in the order
in which they are declared; the others are clauses, each introduced by its keyword, written in the order declared and
read in any order. A field of type `X | None` with default None, a tuple with default `()` and any other field with a
default may be left out; `bool` fields (default False) are words that are there or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

import msgspec

from engine.orders.errors import GrammarInvalid
from engine.orders.kinds import Choice, Flag, HexNumber, Kind, Number, Place
from engine.orders.words import fold, spelled
from events.places import Hex, Point

REFEREE: Final = "referee"
"""Who stands before the colon in the referee's own orders."""
MAX_FORMS: Final = 1_024
"""Order types whose forms are kept; more are worked out again."""


class Order(msgspec.Struct, frozen=True, gc=False):
    """Base of orders to a piece, such as `grubnik: charge aldric`; `piece` is its id."""

    piece: str


class SideOrder(msgspec.Struct, frozen=True, gc=False):
    """Base of orders of a whole side, such as `red: yield`; `side` is a word of the vocabulary "sides"."""

    side: str


class RefereeOrder(msgspec.Struct, frozen=True, gc=False):
    """Base of the referee's own orders, such as `referee: weather rain`."""


AnyOrder: TypeAlias = Order | SideOrder | RefereeOrder
Grammar: TypeAlias = tuple[type[AnyOrder], ...]
"""The order types of a rule set."""

_GIVER_FIELDS: Final[Mapping[type, str]] = {Order: "piece", SideOrder: "side"}


class After(msgspec.Struct, frozen=True):
    """Makes a field a clause that `keyword` introduces: `at aldric`.

    With `each`, a tuple's items have the keyword before every one (`then climb_low_wall then jump_ditch`), else once
    before all (`via 1,2 3,4`).
    """

    keyword: str
    each: bool = False


class Slot(NamedTuple):
    """One field's part in the notation. `keyword` is empty for a field that stands first."""

    field: str
    kind: Kind
    keyword: str
    each: bool
    many: bool
    required: bool
    default: object

    def shape(self) -> str:
        """Give the part of the help text that stands for this field.

        Parts that may be left out are in brackets; `...` says that what is before it may come again.
        """
        if isinstance(self.kind, Flag):
            return f"[{self.keyword}]"
        word = self.kind.form(self.field.removesuffix("s") if self.many else self.field)
        if self.many and not self.each:
            word += " ..."
        if self.keyword:
            word = f"{self.keyword} {word}"
        if not self.required:
            word = f"[{word}]"
        return f"{word} ..." if self.each else word


class Form(NamedTuple):
    """The notation of one order type. `clauses` maps folded keyword to slot."""

    order: type[AnyOrder]
    verb: str
    leading: tuple[Slot, ...]
    clauses: Mapping[str, Slot]

    @property
    def giver_field(self) -> str:
        """The field that holds who gives the order; empty for the referee's."""
        return next((field for base, field in _GIVER_FIELDS.items() if issubclass(self.order, base)), "")

    def shape(self) -> str:
        """Give the whole form, such as `PIECE: aim WEAPON at PIECE`."""
        giver = self.giver_field.upper() or REFEREE
        slots = (slot.shape() for slot in (*self.leading, *self.clauses.values()))
        return " ".join((f"{giver}:", self.verb, *slots))


def given_by(order: AnyOrder) -> str:
    """Give who gives an order: the id of a piece, a side, or `referee`."""
    if isinstance(order, Order):
        return order.piece
    return order.side if isinstance(order, SideOrder) else REFEREE


def describe(grammar: Grammar) -> list[tuple[str, str]]:
    """List form and summary of each order: the help text of a rule set. The summary is the first line of its docstring.

    Raises GrammarInvalid.
    """
    forms = forms_of(grammar).values()
    return [(form.shape(), (form.order.__doc__ or "").strip().partition("\n")[0].rstrip()) for form in forms]


@lru_cache(maxsize=MAX_FORMS)
def forms_of(grammar: Grammar) -> Mapping[str, Form]:
    """Map each folded verb of a grammar to its form. Raises GrammarInvalid when two orders share a verb."""
    forms: dict[str, Form] = {}
    for order in grammar:
        form = form_of(order)
        twin = forms.setdefault(fold(form.verb), form)
        if twin is not form:
            raise GrammarInvalid(f"{order.__name__} and {twin.order.__name__} have the same verb {form.verb!r}")
    return forms


@lru_cache(maxsize=MAX_FORMS)
def form_of(order: type[AnyOrder]) -> Form:
    """Work out the notation of an order type from its fields, once for each type.

    Raises GrammarInvalid, which names type and field, when the fields cannot be told apart in a text.
    """
    verb = order.__struct_config__.tag
    if not isinstance(verb, str) or not fold(verb) or spelled(verb) != verb:
        raise GrammarInvalid(f"{order.__name__}: declare the verb as one plain word, such as tag='charge'")
    form = Form(order, verb, (), {})
    fields = [field for field in msgspec.structs.fields(order) if field.name != form.giver_field]
    slots = [_slot(order, field) for field in fields]
    leading = tuple(slot for slot in slots if not slot.keyword)
    clauses: dict[str, Slot] = {}
    for slot in slots:
        if slot.keyword and clauses.setdefault(fold(slot.keyword), slot) is not slot:
            raise _wrong(order, slot.field, f"the keyword {slot.keyword!r} introduces another field already")
    for slot in leading[:-1]:
        if slot.many or not slot.required:
            raise _wrong(order, slot.field, "only the last field before the clauses may be repeated or left out")
    return form._replace(leading=leading, clauses=clauses)


def _slot(order: type[AnyOrder], field: msgspec.structs.FieldInfo) -> Slot:
    """Work out one field's part from its annotation and default."""
    hint, marks = _bared(field.type)
    optional = get_origin(hint) in (Union, UnionType)
    if optional:
        others = [part for part in get_args(hint) if part is not NoneType]
        if len(others) != 1 or field.default is not None:
            raise _wrong(order, field.name, "a union must be `X | None` with default None")
        hint, more = _bared(others[0])
        marks = (*more, *marks)
    many = get_origin(hint) is tuple
    if many:
        item, *rest = get_args(hint)
        if rest != [...]:
            raise _wrong(order, field.name, "a tuple must be of one type and any length, such as tuple[Point, ...]")
        hint, more = _bared(item)
        marks = (*more, *marks)
    kind = _kind(order, field.name, hint, marks)
    after = next((mark for mark in reversed(marks) if isinstance(mark, After)), None)
    keyword = after.keyword if after else ""
    if isinstance(kind, Flag):
        if after:
            raise _wrong(order, field.name, "a flag follows no keyword; Flag('word') gives it another word")
        keyword = kind.word or field.name
    if (after or isinstance(kind, Flag)) and not (fold(keyword) and spelled(keyword) == keyword):
        raise _wrong(order, field.name, f"the keyword {keyword!r} is not one plain word")
    _check_default(order, field, kind, many, optional)
    each = after is not None and after.each
    if each and not many:
        raise _wrong(order, field.name, "`each` is for tuples")
    return Slot(field.name, kind, keyword, each, many, field.required, field.default)


def _bared(hint: object) -> tuple[object, tuple[object, ...]]:
    """Part a type from what `Annotated` says about it."""
    if get_origin(hint) is Annotated:
        base, *marks = get_args(hint)
        return base, tuple(marks)
    return hint, ()


def _kind(order: type[AnyOrder], field: str, hint: object, marks: tuple[object, ...]) -> Kind:
    """Give the kind that the annotation declares, or the one that follows from the type."""
    declared = [mark for mark in marks if isinstance(mark, Kind)]
    if len(declared) > 1:
        raise _wrong(order, field, "one kind of word is enough")
    if declared:
        if declared[0].holds is not hint:
            raise _wrong(order, field, f"{type(declared[0]).__name__} needs the type {declared[0].holds.__name__}")
        return declared[0]
    if get_origin(hint) is Literal:
        return _choice(order, field, tuple((str(value), value) for value in get_args(hint)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _choice(order, field, tuple((str(member.value), member) for member in hint))
    natural: dict[object, Kind] = {int: Number(), Point: Place(), Hex: HexNumber(), bool: Flag()}
    if hint not in natural:
        raise _wrong(order, field, "say what kind of word it is, such as Annotated[str, Word(of='weapons')]")
    return natural[hint]


def _choice(order: type[AnyOrder], field: str, options: tuple[tuple[str, object], ...]) -> Choice:
    if len({fold(word) for word, _ in options} - {""}) != len(options):
        raise _wrong(order, field, "two of its words cannot be told apart, or one is empty")
    return Choice(options)


def _check_default(
    order: type[AnyOrder], field: msgspec.structs.FieldInfo, kind: Kind, many: bool, optional: bool
) -> None:
    """Promise that leaving a field out means one thing: its default."""
    if field.default_factory is not msgspec.NODEFAULT:
        raise _wrong(order, field.name, "a default must be a plain value")
    if isinstance(kind, Flag) and (many or optional or field.default is not False):
        raise _wrong(order, field.name, "a flag is a bool with default False")
    if many and not field.required and field.default not in ((), None):
        raise _wrong(order, field.name, "the default of a tuple must be ()")


def _wrong(order: type[AnyOrder], field: str, problem: str) -> GrammarInvalid:
    return GrammarInvalid(f"{order.__name__}.{field}: {problem}")
