"""Moving on when the time has come: once, whoever tries at the same moment; the second is told who was first."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from click.testing import CliRunner
from freezegun import freeze_time

from engine.answers import Answer
from engine.backoff import Backoff
from engine.cli.main import cli
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from engine.deadlines.tick import Ticked
from engine.errors import DeadlineRefused, InputPending
from engine.rules.rule_set import Scenario
from events.errors import DiaryError
from events.store.errors import Conflict
from events.store.memory import MemoryLog
from events.store.record import Appended
from events.store.sqlite import SqliteLog
from replays.lines import adopted
from replays.resolved import AlreadyResolved
from tests.by_command import call, extend, freeze, mark_ready, tick
from tests.calendar_table import SCENARIO, at, opened, types
from tests.table import Table, apply_correction
from tests.toy import ToyRules

Sit = Callable[[], Table]
START, DUE = at("2026-03-03 12:00"), at("2026-03-04 12:00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        battle = opened(log)
        call(battle, "2026-03-04 12:00", "UTC", START)
        battle.order("red", "ann: hit bob")
    return tmp_path / "war.db"


@pytest.fixture
def sit(path: Path) -> Iterator[Callable[[], Table]]:
    """Sit down at the battle, each time through a connection of one's own."""
    with ExitStack() as stack:
        yield lambda: Table(stack.enter_context(SqliteLog(path)), "b", ToyRules())


def between(battle: Table, act: Callable[[], object]) -> None:
    """Let something else happen once between what `battle` looks at and what it records."""
    log: Any = battle.log
    append, waiting = log.append, [act]

    def late(*args: Any, **kwargs: Any) -> Appended:
        if waiting:
            waiting.pop()()
        done: Appended = append(*args, **kwargs)
        return done

    log.append = late


def resolutions(battle: Table) -> int:
    return len(types(battle, "clock.orders_closed"))


# ------------------------------------------------------------------------------------------------- L62


def test_l62_a_freeze_that_is_first_leaves_the_clock_nothing_to_do(sit: Sit) -> None:
    clock, referee = sit(), sit()
    between(clock, lambda: freeze(referee, "a dispute", DUE))
    assert tick(clock, DUE).told == "the calendar is frozen: a dispute"
    assert resolutions(sit()) == 0
    assert len(types(referee, "ruling.clock_frozen")) == 1


def test_l62_a_freeze_that_is_second_is_told_that_the_clock_was_first(sit: Sit) -> None:
    clock, referee = sit(), sit()
    between(referee, lambda: tick(clock, DUE))
    with pytest.raises(
        AlreadyResolved, match=r"t1/blows is already resolved by the clock at .*Z \(event \d+\)"
    ) as told:
        freeze(referee, "a dispute", DUE)
    assert told.value.by == "the clock"
    assert resolutions(sit()) == 1
    assert types(clock, "ruling.clock_frozen") == []


def test_l62_the_referee_who_resolves_by_hand_while_the_clock_does_is_told_so(sit: Sit) -> None:
    clock, referee = sit(), sit()
    between(referee, lambda: tick(clock, DUE))
    with pytest.raises(AlreadyResolved, match="by the clock"):
        referee.proceed()
    assert resolutions(sit()) == 1


def test_l62_the_clock_that_comes_second_is_told_that_the_referee_was_first(sit: Sit) -> None:
    clock, referee = sit(), sit()
    between(clock, referee.proceed)
    with pytest.raises(AlreadyResolved, match="by the referee"):
        tick(clock, DUE)
    assert [len(types(clock, name)) for name in ("clock.orders_closed", "clock.turn_began")] == [0, 2]


# ------------------------------------------------------------------------------------------------- L63


def test_l63_two_referees_resolve_at_once_and_the_second_is_told_who_was_first(sit: Sit) -> None:
    first, second = sit(), sit()
    first.proceed()
    with pytest.raises(AlreadyResolved, match="t1/blows is already resolved by the referee"):
        second.proceed()
    assert len(types(second, "clock.turn_began")) == 2
    second.proceed()
    assert len(types(second, "clock.turn_began")) == 3


def test_l63_who_names_the_act_is_refused_however_late_he_comes(sit: Sit) -> None:
    battle = sit()
    battle.proceed(act="t1/blows")
    battle = sit()
    with pytest.raises(AlreadyResolved, match="by the referee"):
        battle.proceed(act="t1/blows")
    with pytest.raises(DeadlineRefused, match="not stand before t3/blows, but before t2/blows"):
        battle.proceed(act="t3/blows")


def test_l63_who_comes_second_while_dice_are_waited_for_is_told_who_was_first(tmp_path: Path) -> None:
    from msgspec.structs import replace

    with SqliteLog(tmp_path / "war.db") as log, SqliteLog(tmp_path / "war.db") as other:
        first = opened(log, scenario=replace(SCENARIO, by_hand=("red",)))
        first.order("red", "ann: hit bob")
        second = Table(other, "b", ToyRules())
        first.proceed()
        with pytest.raises(AlreadyResolved):
            second.proceed()
        with pytest.raises(InputPending):
            second.proceed()


@pytest.mark.parametrize("people", [0, 1, 3])
def test_l63_however_many_try_at_the_same_moment_one_resolves(path: Path, sit: Sit, people: int) -> None:
    clocks = 4
    start = Barrier(clocks + people)

    def one(number: int) -> object:
        with SqliteLog(path, patience=Backoff()) as log:
            battle = Table(log, "b", ToyRules())
            start.wait()
            try:
                return tick(battle, DUE) if number < clocks else battle.proceed(act="t1/blows")
            except AlreadyResolved as refused:
                return refused

    with ThreadPoolExecutor(clocks + people) as pool:
        told = list(pool.map(one, range(clocks + people)))
    battle = sit()
    assert len(types(battle, "clock.turn_began")) == 2
    assert len(types(battle, "outcome.order_lapsed")) == 0
    did = [each for each in told if isinstance(each, Answer) or (isinstance(each, Ticked) and each.done)]
    assert len(did) == 1
    others = [each for each in told if each not in did]
    assert all(isinstance(each, AlreadyResolved) or "no orders are called" in str(each) for each in others)


def test_a_tick_is_a_process_of_its_own_and_two_at_once_resolve_once(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "war.db")]
    wardiary = [sys.executable, "-m", "wardiary"]

    for words in (
        ("new", "ford", "--scenario", "dresda_skirmish"),
        ("call", "ford", "--until", "+1m", "--zone", "UTC", "--early"),
        ("ready", "ford", "orcs", "--no-tick"),
        ("ready", "ford", "men", "--no-tick"),
    ):
        subprocess.run([*wardiary, *words, *db], check=True, capture_output=True)
    ticking = [
        subprocess.Popen([*wardiary, "tick", "ford", *db], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    told = [process.communicate()[0] for process in ticking]
    with SqliteLog(tmp_path / "war.db") as log:
        assert [record.type for record in log.records(log.line("ford"))].count("clock.orders_closed") == 1, told
    assert sum("already resolved by the clock" in each or "no orders are called for" in each for each in told) == 1


# ------------------------------------------------------------------------------------------------- what a tick does


def test_a_tick_before_the_time_changes_nothing_and_says_how_long_it_is(sit: Sit) -> None:
    battle = sit()
    head = battle.seq
    assert tick(battle, DUE - 1).told.endswith("in 0 s")
    assert tick(battle, DUE - 3_600_000_000).told.endswith("in 1 h")
    assert battle.seq == head


def test_an_order_that_comes_in_at_the_last_moment_is_in(sit: Sit) -> None:
    clock, player = sit(), sit()
    between(clock, lambda: player.order("blue", "bob: hit ann"))
    assert tick(clock, DUE).what == "resolved"
    assert len(types(clock, "roll.rolled")) == 2


def test_a_tick_that_was_carried_out_is_not_carried_out_again(sit: Sit) -> None:
    tick(sit(), DUE)
    assert tick(sit(), DUE + 1).told == "no orders are called for"
    assert resolutions(sit()) == 1


def test_a_call_for_the_rest_of_the_turn_goes_on_to_its_end_and_stops_for_dice() -> None:
    from msgspec.structs import replace

    battle = opened(MemoryLog(), scenario=replace(SCENARIO, by_hand=("red",)))
    call(battle, "+1d", "UTC", START, scope="turn", every="daily 12:00")
    battle.order("red", "ann: hit bob")
    assert tick(battle, DUE).what == "resolved"
    assert battle.state.table.waiting
    assert battle.state.table.deadline is not None
    assert tick(battle, DUE + 1).told.startswith("it waits for t1/hit")
    battle.roll({"t1/hit/ann>bob": (6,)}, seat="red")
    assert battle.state.table.turn == 2
    assert battle.state.table.deadline is None
    assert tick(battle, DUE + 2).what == "called"
    assert battle.state.table.deadline.call.act == "t2/blows"


def test_what_was_taken_back_is_not_resolved_again_by_the_clock_alone() -> None:
    log = MemoryLog()
    battle = opened(log)
    call(battle, "2026-03-04 12:00", "UTC", START, early=True)
    mark_ready(battle, "red")
    mark_ready(battle, "blue")
    tick(battle, START)
    opened_at = types(battle, "table.act_opened")[0]
    apply_correction(battle, plan(battle, CorrectionRequest("undo", (opened_at,), "referee", "the wrong Bob", "keep")))
    again = Table(log, "b", ToyRules(), adopted(log, "b").name)
    assert again.line.name != "main"
    assert again.state.table.turn == 1
    assert "was taken back" in tick(again, START).told
    extend(again, "2126-03-04 12:00", "once more", START)
    assert again.state.table.deadline is not None
    assert tick(again, again.state.table.deadline.until).what == "resolved"


def test_l63_on_a_line_that_was_put_right_the_ruling_was_first() -> None:
    log = MemoryLog()
    battle = opened(log)
    call(battle, "2026-03-04 12:00", "UTC", START)
    order = battle.order("red", "ann: hit bob").first
    tick(battle, DUE)
    apply_correction(battle, plan(battle, CorrectionRequest("strike", (order,), "referee", "it was not hers", "keep")))
    again = Table(log, "b", ToyRules(), adopted(log, "b").name)
    with pytest.raises(AlreadyResolved, match="t1/blows is already resolved by a ruling at "):
        again.proceed(act="t1/blows")


def test_a_deadline_that_is_for_another_act_waits(sit: Sit) -> None:
    battle = sit()
    call_of_turn_two = battle.state.table.deadline
    assert call_of_turn_two is not None
    from events.deadlines import OrdersCalled

    battle.say("referee", OrdersCalled("t9/blows", DUE, "UTC", 0))
    assert tick(battle, DUE).told == "orders are called for t9/blows, but the battle stands before t1/blows"


def test_a_battle_that_is_over_has_no_deadline() -> None:
    battle = opened(
        MemoryLog(), scenario=Scenario("Short", "toy", {"red": "R", "blue": "B"}, rest={"red": ["ann"], "blue": []})
    )
    call(battle, "+1d", "UTC", START, every="daily 12:00")
    tick(battle, DUE)
    assert battle.state.table.ended
    assert battle.state.table.deadline is None
    assert tick(battle, DUE).told == "the battle is over: one side is down"


def test_a_change_on_an_expected_head_is_refused_with_what_came_between(sit: Sit) -> None:
    battle = sit()
    with pytest.raises(Conflict):
        extend(battle, "+1d", "late", START, expected=1)
    done = extend(battle, "+1d", "late", START, request="one")
    assert extend(battle, "+1d", "late", START, request="one").last == done.last
    assert isinstance(DeadlineRefused("x"), DiaryError)


def test_a_tick_of_all_battles_goes_on_past_one_that_cannot_be_moved(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "war.db")]

    def run(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, [*words, *db])
        assert result.exit_code == code, result.output
        return result.output

    with SqliteLog(tmp_path / "war.db") as log:
        opened(log, "toy")  # whose rules are not installed
    run("new", "ford", "--scenario", "dresda_skirmish")
    run("call", "ford", "--until", "+1h", "--zone", "UTC")
    told = run("tick", code=1)
    assert "toy: " in told
    assert "ford: orders for t1/declare are due" in told
    assert "ford: " not in run("tick", "--quiet", code=1)
    (ticked,) = json.loads(run("tick", "ford", "--json"))
    assert (ticked["what"], ticked["done"]) == ("nothing", None)
    with freeze_time("2126-01-01"):
        assert "t1/declare is resolved: the time is up" in run("tick", "ford")
