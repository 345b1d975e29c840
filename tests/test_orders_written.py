"""Orders are written so that they are read back; their notation follows from their fields."""

from __future__ import annotations

import doctest
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.field.hexes import hex_named
from engine.orders import (
    After,
    AnyOrder,
    Dice,
    Length,
    Number,
    Order,
    Piece,
    RefereeOrder,
    SideOrder,
    Text,
    Vocabulary,
    Word,
    describe,
    digest,
    forms,
    kinds,
    names,
    read_order,
    reading,
    words,
    write_order,
    writing,
)
from engine.orders.errors import GrammarInvalid, OrderUnreadable
from events.dice.notation import parse
from events.places import Hex, Point
from tests.sample_orders import FIELD, GRAMMAR, Charge, Gait, Ride, Walk, Weather

# -- writing and reading back ------------------------------------------------------------------------------------------

SIGNS = st.characters(
    blacklist_categories=("Cs", "Cc", "Zl", "Zp"), blacklist_characters="\u202a\u202b\u202c\u202d\u202e"
)
WRITABLE = SIGNS.filter(lambda sign: not "\u2066" <= sign <= "\u2069")
KNOWN = ["short bow", "at", "then", "Sling", "sling", "#1", "a;b", 'x"y', "“", "龍", "-", "é", "e\u0301", "1,2"]
EVERYTHING = Vocabulary(pieces={name: name.upper() for name in KNOWN}, words={"things": KNOWN, "sides": KNOWN})
ITEMS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (Piece, st.sampled_from(KNOWN)),
    (Annotated[str, Word(of="things")], st.sampled_from(KNOWN)),
    (Annotated[int, Number(-50, 50)], st.integers(-50, 50)),
    (Length, st.integers(0, kinds.FARTHEST_CM * 10)),
    (Point, st.builds(Point, st.integers(-1_000_000, 1_000_000), st.integers(-1_000_000, 1_000_000))),
    (Hex, st.builds(hex_named, st.from_regex(r"\A[0-9]{4}\Z"))),
    (Dice, st.sampled_from(["2d6+3", "1d100", "4d6k3"]).map(lambda text: str(parse(text)))),
    (Text, st.text(WRITABLE, max_size=60)),
    (Literal["at", "low wall", 3], st.sampled_from(["at", "low wall", 3])),
    (Gait, st.sampled_from(Gait)),
]
KEYWORDS = ["at", "with", "facing", "to", "then", "via"]


def order_type(fields: list[Any], base: type, tag: str | None = "do_it", kw_only: bool = False) -> Any:
    """Make an order type without writing a class."""
    return msgspec.defstruct("Made", fields, bases=(base,), tag=tag, frozen=True, gc=False, kw_only=kw_only)


SHAPES = ["one", "optional", "several", "any number", "each", "flag"]


def shaped(item: tuple[Any, st.SearchStrategy[Any]], shape: str) -> tuple[Any, Any, st.SearchStrategy[Any]]:
    """Type, default and values of a field that holds one such word, perhaps one, several, …"""
    hint, items = item
    several: Any = tuple
    if shape == "optional":
        return hint | None, None, st.none() | items
    if shape == "several":
        return several[hint, ...], msgspec.NODEFAULT, st.lists(items, min_size=1, max_size=4).map(tuple)
    if shape in ("any number", "each"):
        return several[hint, ...], (), st.lists(items, max_size=4).map(tuple)
    return (bool, False, st.booleans()) if shape == "flag" else (hint, msgspec.NODEFAULT, items)


@st.composite
def orders(draw: st.DrawFn) -> AnyOrder:
    """Draw an order of a type made up on the spot."""
    base, giver = draw(st.sampled_from([(Order, "piece"), (SideOrder, "side"), (RefereeOrder, "")]))
    values = {giver: draw(st.sampled_from(KNOWN))} if giver else {}
    fields: list[tuple[str, Any, Any]] = []
    leading, clauses = draw(st.integers(0, 3)), draw(st.integers(0, 4))
    for place in range(leading + clauses):
        keyword = KEYWORDS[place - leading] if place >= leading else ""
        free = SHAPES if keyword else [shape for shape in SHAPES if shape != "each"]
        shape = draw(st.sampled_from(free if place >= leading - 1 else ["one"]))
        hint, default, strategy = shaped(draw(st.sampled_from(ITEMS)), shape)
        if keyword and shape != "flag":
            hint = Annotated[hint, After(keyword, each=shape == "each")]
        name = f"field_{place}"
        fields.append((name, hint, default))
        values[name] = draw(strategy)
    order: AnyOrder = order_type(fields, base, kw_only=True)(**values)
    return order


@settings(max_examples=400, deadline=None)
@given(orders())
def test_every_order_is_read_back_from_its_text(order: AnyOrder) -> None:
    text = write_order(order)
    again = read_order(text, (type(order),), EVERYTHING)
    assert again == order
    assert write_order(again) == text


def test_the_canonical_text_is_the_same_however_it_was_typed() -> None:
    typed = "GRUBNIK :  Walk  34.0,12 THEN jump-ditch   Facing 007 # now"
    assert write_order(read_order(typed, GRAMMAR, FIELD)) == "grubnik: walk 34,12 facing 7 then jump_ditch"


@pytest.mark.parametrize(
    "order",
    [
        Charge("", "tom"),
        Charge("tom", "x" * 201),
        Charge("tom", "a\nb"),
        Charge("tom", "\ud800"),
        Walk("tom", ()),
        Walk("tom", (Point(0, 0),) * 101),
        Walk("tom", (Point(1_000_001, 0),)),
        Walk("tom", (Point(0, 0),), 360),
        Ride("tom", Gait.TROT, Hex(-1, 0)),
        Ride("tom", Gait.TROT, Hex(1, 1), -1),
        Ride("tom", Gait.TROT, Hex(1, 1), 1, "x" * 501),
        Walk("tom", (Point(0, 0),), True),
        Charge("x" * 201, "tom"),
        Weather("rain", "D6"),
        Weather("snow"),  # type: ignore[arg-type]
    ],
)
def test_what_could_not_be_read_back_is_not_written(order: AnyOrder) -> None:
    with pytest.raises(OrderUnreadable):
        write_order(order)


def test_the_digest_is_plain_sha256_of_the_text() -> None:
    # as printed by: printf 'grubnik: charge aldric' | sha256sum
    assert digest(Charge("grubnik", "aldric")) == "1aac131ece5f40ae4b2fda0778493d1699fbd24afb54dbbe2b107e7eb031808b"
    assert digest(Charge("龍", "aldric")) == "ab0ba3c1b2d182caa882aea68be1502542ba2d56eb6d0bd0ee6474953758fe28"


# -- declaring orders --------------------------------------------------------------------------------------------------


def test_the_help_shows_each_form_with_its_summary() -> None:
    assert describe(GRAMMAR) == [
        ("PIECE: charge PIECE", "Charge a target."),
        ("PIECE: aim WEAPON at PIECE", "Aim a weapon."),
        ("PIECE: walk X,Y ... [facing 0..359] [then ACTION] ... [quietly]", "Walk along a path."),
        ('PIECE: ride trot|full_gallop to HEX [reach CM] [saying "LAST_WORD"] [in_haste]', "Ride to a hex."),
        ("PIECE: rest [TURNS]", "Rest for some turns."),
        ("SIDE: yield", "Give the field up."),
        ("referee: weather fair|rain [hail DICE]", "Set the weather."),
    ]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ([("name", str)], "say what kind of word"),
        ([("length", float)], "say what kind of word"),
        ([("name", Annotated[int, Word(of="weapons")])], "needs the type str"),
        ([("name", Annotated[Piece, Word(of="weapons")])], "one kind of word is enough"),
        ([("path", tuple[Point, ...]), ("target", Piece)], "only the last field"),
        ([("first", Annotated[int, After("at")]), ("second", Annotated[int, After("AT")])], "introduces another"),
        ([("first", Annotated[int, After("a b")])], "not one plain word"),
        ([("first", Annotated[int, After("at", each=True)])], "for tuples"),
        ([("first", tuple[int, int])], "one type and any length"),
        ([("first", int | Point)], "with default None"),
        ([("first", int | None, 3)], "with default None"),
        ([("first", bool, True)], "default False"),
        ([("first", Annotated[bool, After("at")], False)], "Flag('word')"),
        ([("first", tuple[int, ...], (1,))], "must be ()"),
        ([("first", Literal["a b", "A_b"])], "told apart"),
    ],
)
def test_fields_that_make_no_notation_are_named(fields: list[Any], problem: str) -> None:
    made = order_type(fields, Order)
    with pytest.raises(GrammarInvalid) as caught:
        describe((made,))
    assert problem in str(caught.value)
    assert "Made." in str(caught.value)


def test_verbs_are_plain_and_stand_once() -> None:
    for tag in ("", "a b", None):
        with pytest.raises(GrammarInvalid, match="plain word"):
            describe((order_type([], Order, tag),))
    twin = order_type([], SideOrder, "CHARGE")
    with pytest.raises(GrammarInvalid, match="same verb"):
        describe((Charge, twin))
    with pytest.raises(GrammarInvalid, match="limits"):
        Number(5, 1)


@pytest.mark.parametrize("module", [forms, kinds, names, reading, words, writing])
def test_examples_in_the_docs_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
