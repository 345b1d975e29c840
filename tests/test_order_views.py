"""The orders in a post: those of the turn, each once, with what became of it; and every kind of fact can be posted."""

from __future__ import annotations

import pytest

from events.facts import (
    ActOpened,
    BattleOpened,
    Event,
    NotUsed,
    Ordered,
    OrderLapsed,
    Revealed,
    Sealed,
    TurnBegan,
    Withheld,
)
from projections.viewer import SPECTATOR, THE_REFEREE, Viewer
from replays.points import turns_of
from replays.publish.dialect import board, board_names
from replays.publish.layout import lay_out
from replays.publish.split import posts
from replays.publish.turn import Turn, gather, gather_turns
from replays.view import open_view
from tests.every_fact import EVERY, SEATS, long_battle, record
from tests.toy import Placed, toy_fold

OPENED = (BattleOpened("A fight", "toy", "1", SEATS, ""), Placed("ann", "red", 3), Placed("bob", "blue", 3))
DIGEST = "d" * 64


def told(*events: Event, turn: int = 1, viewer: Viewer = THE_REFEREE) -> list[tuple[str, str, str]]:
    log, line = record((*OPENED, TurnBegan(1), *events))
    found = gather(open_view(log, "b", line.name, viewer, toy_fold()), turn)
    return [(order.seat, order.text, order.note) for order in found.orders]


def act(seq: int, turn: int = 1) -> ActOpened:
    return ActOpened(f"t{turn}/blows", seq, "digest", ("blows",))


def test_an_order_that_was_replaced_in_time_is_not_told() -> None:
    first, second = Ordered("red", "ann", "blows", "ann: wait"), Ordered("red", "ann", "blows", "ann: hit bob")
    assert told(first, second, act(7)) == [("Red", "ann: hit bob", "")]


def test_an_order_of_the_next_round_does_not_replace_one_that_was_carried_out() -> None:
    first, second = Ordered("red", "ann", "blows", "ann: hit bob"), Ordered("red", "ann", "blows", "ann: hit al")
    assert [text for _, text, _ in told(first, act(6), second)] == ["ann: hit bob", "ann: hit al"]


def test_an_order_that_lapsed_says_why() -> None:
    order = Ordered("red", "ann", "blows", "ann: hit bob")
    lapsed = OrderLapsed("ann", "ann: hit bob", "bob is down", "TOY-1")
    assert told(order, act(6), lapsed) == [("Red", "ann: hit bob", "lapsed: bob is down")]


def test_a_late_order_is_told_and_marked() -> None:
    order = Ordered("red", "ann", "blows", "ann: hit bob")
    assert told(order, NotUsed("red", "late", "ann", "blows")) == [("Red", "ann: hit bob", "not used: late")]


@pytest.mark.parametrize("piece", ["bob", ""])
def test_a_sealed_order_is_told_once(piece: str) -> None:
    sealed = Sealed("blue", piece, "blows" if piece else "", DIGEST)
    revealed = Revealed("blue", "bob", "blows", "bob: hit ann", "salt", DIGEST)
    assert told(sealed) == [("Blue", f"sealed, receipt {'d' * 16}…", "")]
    assert told(sealed, revealed, act(7)) == [("Blue", "bob: hit ann", "")]


def test_an_order_of_an_earlier_turn_is_told_in_the_turn_that_carries_it_out() -> None:
    order = Ordered("red", "ann", "blows", "ann: hit bob")
    assert told(order, TurnBegan(2), act(7, 2), turn=2) == [("Red", "ann: hit bob", "")]
    assert told(order, TurnBegan(2), turn=2) == []


def test_orders_that_are_secret_say_whose_they_are_and_no_more() -> None:
    order = Ordered("red", "ann", "blows", "ann: hit bob")
    assert told(order, viewer=SPECTATOR) == [("Red", "an order, still secret", "")]
    assert told(order, act(6), viewer=SPECTATOR) == [("Red", "ann: hit bob", "")]
    assert told(Withheld("red")) == [("Red", "an order, still secret", "")]


def posted(events: tuple[Event, ...]) -> list[Turn]:
    views = [open_view(record(events)[0], "b", viewer=viewer, fold=toy_fold()) for viewer in (SPECTATOR, THE_REFEREE)]
    return [gather(view, turn.number) for turn in turns_of(views[0]) for view in views]


def test_a_battle_with_every_kind_of_fact_can_be_posted_everywhere() -> None:
    found = posted(EVERY)
    assert found
    for turn in found:
        for name in board_names():
            assert posts(lay_out(turn, "words"), board(name))


def test_all_turns_in_one_reading_are_the_turns_one_by_one() -> None:
    for events in (EVERY, tuple(long_battle(600))):
        for viewer in (SPECTATOR, THE_REFEREE):
            view = open_view(record(events)[0], "b", viewer=viewer, fold=toy_fold())
            assert list(gather_turns(view)) == [gather(view, turn.number) for turn in turns_of(view)]


def test_a_long_battle_is_posted_turn_by_turn() -> None:
    turns = posted(tuple(long_battle(600)))
    assert len(turns) > 6
    assert all(turn.over for turn in turns[:-2])
    assert not turns[-1].over
    assert [turn.first for turn in turns[2::2]] == [turn.last + 1 for turn in turns[:-2:2]]
