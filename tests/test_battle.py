"""The engine: orders, acts, waiting, going on, requests, conflicts."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from engine.errors import AnswerRefused, InputPending, NotAuthorized, NothingPending
from engine.orders.errors import SheetRefused
from engine.rules.rule_set import Scenario
from events.dice.expression import NotationError
from events.store.errors import Conflict, RequestReused
from events.store.sqlite import SqliteLog
from replays.audit.verify import verify
from replays.points import find_point
from replays.seek import replay, state_at, steps
from tests.table import Table, open_battle
from tests.toy import ToyRules

SCENARIO = Scenario("A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob"]})


@pytest.fixture
def log(tmp_path: Path) -> SqliteLog:
    return SqliteLog(tmp_path / "war.db")


@pytest.fixture
def battle(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> Table:
    ticks = itertools.count(1_700_000_000_000_000)
    open_battle(log, "b", SCENARIO, clock=lambda: next(ticks), rules=ToyRules())
    return Table(log, "b", ToyRules(), clock=lambda: next(ticks))


def told(battle: Table) -> list[str]:
    return [record.type for record in battle.log.records(battle.line)]


def test_a_turn_from_orders_to_the_next_turn(battle: Table) -> None:
    battle.order("red", "ann: hit bob\nal: hit bob")
    battle.order("blue", "bob: hit ann")
    battle.proceed()
    assert battle.state.table.turn == 2
    assert told(battle).count("roll.rolled") == 3
    assert verify(battle.log, "b").proved == 3


def test_a_bad_line_spoils_the_whole_sheet_and_every_problem_is_named(battle: Table) -> None:
    before = battle.seq
    with pytest.raises(SheetRefused) as refused:
        battle.order("red", "ann: hit bob\nal: bite bob\nbob: hit ann")
    assert battle.log.head(battle.line).seq == before
    assert "line 2" in str(refused.value)


def test_a_seat_orders_only_its_own_pieces(battle: Table) -> None:
    with pytest.raises(SheetRefused, match="takes orders from blue"):
        battle.order("red", "bob: hit ann")


def test_a_later_order_replaces_an_earlier_one(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.order("red", "ann: hit al")
    assert [order.text for order in battle.state.table.orders] == ["ann: hit al"]


def test_dice_by_hand_stop_the_act_and_another_process_goes_on(battle: Table) -> None:
    battle.order("red", "ann: hit bob\nal: hit bob")
    battle.order("blue", "bob: hit ann")
    battle.proceed(by_hand=["red"])
    assert sorted(battle.state.table.called) == ["t1/hit/al>bob", "t1/hit/ann>bob"]
    with pytest.raises(InputPending):
        battle.proceed()
    battle.roll({"t1/hit/ann>bob": (6,)}, seat="red")
    other = Table(battle.log, "b", ToyRules())
    other.roll({"t1/hit/al>bob": (1,)})
    assert other.state.table.turn == 2
    assert other.state == replay(battle.log, other.fold, other.line)
    assert verify(battle.log, "b").entered == 2


def test_the_answers_of_one_phase_may_come_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ["t1/hit/al>bob", "t1/hit/ann>bob", "t1/hit/bob>ann"]
    faces = dict(zip(keys, [(5,), (2,), (6,)], strict=True))
    ends = set()
    for number, arrival in enumerate(itertools.permutations(keys)):
        log = SqliteLog(tmp_path / f"{number}.db")
        open_battle(log, "b", SCENARIO, rules=ToyRules())
        battle = Table(log, "b", ToyRules())
        battle.order("red", "ann: hit bob\nal: hit bob")
        battle.order("blue", "bob: hit ann")
        battle.proceed(by_hand=["red", "blue"])
        for key in arrival:
            battle.roll({key: faces[key]})
        ends.add(battle.fold.picture(battle.state))
    assert ends == {"al:3 ann:2 bob:2"}


def test_impossible_faces_are_refused_and_nothing_is_recorded(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    before = battle.seq
    for wrong in [(7,), (), (1, 7)]:
        with pytest.raises(NotationError):
            battle.roll({"t1/hit/ann>bob": wrong})
    with pytest.raises(NothingPending, match="t1/hit/ann>bob"):
        battle.roll({"t1/hit/bob>ann": (3,)})
    with pytest.raises(NotAuthorized):
        battle.roll({"t1/hit/ann>bob": (3,)}, seat="blue")
    assert battle.log.head(battle.line).seq == before


def test_the_engine_can_be_told_to_draw_a_die_that_was_to_be_entered(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    battle.roll({"t1/hit/ann>bob": None})
    assert verify(battle.log, "b").proved == 1


def test_orders_that_come_in_while_the_battle_waits_are_kept_for_their_time(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    battle.order("blue", "bob: hit ann")
    battle.roll({"t1/hit/ann>bob": (6,)})
    assert [order.text for order in battle.state.table.orders] == ["bob: hit ann"]
    assert battle.state == replay(battle.log, battle.fold, battle.line)


def test_a_question_waits_for_the_referee(battle: Table) -> None:
    battle.order("red", "ann: curse bob")
    with pytest.raises(AnswerRefused, match="yes / no"):
        battle.rule("curse/bob", "perhaps")
    battle.rule("curse/bob", "yes", "it was a good curse")
    assert battle.fold.picture(battle.state) == "al:3 ann:3 bob:2"


def test_the_same_request_twice_gives_one_act_and_the_same_answer(battle: Table) -> None:
    first = battle.order("red", "ann: hit bob", request="k1")
    again = battle.order("red", "ann: hit bob", request="k1")
    assert (first.first, first.last) == (again.first, again.last)
    assert again.repeated
    with pytest.raises(RequestReused):
        battle.order("red", "al: hit bob", request="k1")


def test_a_stale_caller_gets_a_conflict_that_lists_what_came_between(battle: Table) -> None:
    seen = battle.seq
    battle.order("red", "ann: hit bob")
    with pytest.raises(Conflict) as conflict:
        battle.order("blue", "bob: hit ann", expected=seen)
    assert [record.type for record in conflict.value.between] == ["order.given"]


def test_every_way_to_a_point_gives_the_same_state(battle: Table) -> None:
    for _ in range(3):
        battle.order("red", "ann: hit bob\nal: hit bob")
        battle.proceed()
        if battle.state.table.ended:
            break
    walked = [step.after for step in steps(battle.log, battle.fold, battle.line)]
    for seq in range(1, battle.seq + 1):
        assert walked[seq - 1] == state_at(battle.log, battle.fold, battle.line, seq)
    assert find_point(battle.view, "t2") > find_point(battle.view, "t1/blows")
