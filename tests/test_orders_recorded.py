"""Orders read back from canonical text: the same order as with the names, whatever is on the field, each text once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from engine.orders import AnyOrder, read_order, read_recorded, read_sheet, write_order, write_sheet
from engine.orders.errors import OrderUnreadable
from engine.rules.dresda.orders import GRAMMAR as DRESDA
from engine.rules.rhand.orders import GRAMMAR as RHAND
from engine.rules.rule_set import orders_in_hand, waiting_orders
from projections.battle_state import BattleState, PendingOrder
from tests.sample_orders import FIELD, GRAMMAR, Charge, Rest
from tests.test_orders_written import orders


@settings(max_examples=300, deadline=None)
@given(orders())
def test_canonical_text_means_its_order_without_any_names(order: AnyOrder) -> None:
    assert read_recorded(write_order(order), (type(order),)) == order


@pytest.mark.parametrize(
    "text", ["grubnik: aim short_bow at aldric", "grubnik: walk 34,12 5,6 facing 7 then jump_ditch", "red: yield"]
)
def test_canonical_text_is_read_as_it_is_with_the_names(text: str) -> None:
    assert read_recorded(text, GRAMMAR) == read_order(text, GRAMMAR, FIELD)


@pytest.mark.parametrize(
    ("text", "grammar"),
    [
        ("snaga: do climb_low_wall", DRESDA),
        ('snaga: do "swing from the chandelier"', DRESDA),
        ("ann: fight eve/long/cut/head parry 2", RHAND),
    ],
)
def test_words_of_a_rule_set_s_own_kinds_are_taken_as_they_are_written(text: str, grammar: tuple[type, ...]) -> None:
    assert write_order(read_recorded(text, grammar)) == text


def test_text_that_an_older_version_wrote_otherwise_is_read_too() -> None:
    assert read_recorded("grubnik: rest 1", GRAMMAR) == Rest("grubnik")


@pytest.mark.parametrize("text", ["grubnik: fly", "grubnik: charge", "rest", ""])
def test_what_is_of_no_form_is_refused(text: str) -> None:
    with pytest.raises(OrderUnreadable):
        read_recorded(text, GRAMMAR)


def test_a_text_is_read_once() -> None:
    assert read_recorded("tom: rest 3", GRAMMAR) is read_recorded("tom: rest 3", GRAMMAR)


def test_orders_in_hand_are_by_piece_and_slot_and_those_asked_for() -> None:
    held = [PendingOrder("red", who, slot, f"{who}: rest 2") for who, slot in [("b", "x"), ("a", "y"), ("a", "x")]]
    found = orders_in_hand(BattleState(in_hand=tuple(held)), GRAMMAR)
    assert [(given.piece, given.slot, order) for given, order in found] == [
        ("a", "x", Rest("a", 2)),
        ("a", "y", Rest("a", 2)),
        ("b", "x", Rest("b", 2)),
    ]
    assert [given.piece for given, _ in orders_in_hand(BattleState(in_hand=tuple(held)), GRAMMAR, ("y",))] == ["a"]


def test_waiting_orders_are_those_of_the_piece_that_are_not_sealed() -> None:
    waiting = (
        PendingOrder("red", "a", "x", "a: charge b"),
        PendingOrder("red", "a", "x", "", "digest"),
        PendingOrder("red", "a", "z", "a: rest 2"),
        PendingOrder("red", "b", "x", "b: rest 2"),
    )
    found = waiting_orders(BattleState(orders=waiting), GRAMMAR, "a", ("x", "y"))
    assert [order for _, order in found] == [Charge("a", "b")]


def test_a_sheet_is_written_a_line_each_and_read_back() -> None:
    sheet = [Charge("grubnik", "aldric"), Rest("tom", 2)]
    assert write_sheet(sheet) == "grubnik: charge aldric\ntom: rest 2"
    assert [each.order for each in read_sheet(write_sheet(sheet), GRAMMAR, FIELD)] == sheet
    assert write_sheet([]) == ""
