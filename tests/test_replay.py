"""Looking back: every step forwards and backwards, jumps, what is shown on the way, what it costs."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine.cli.main import cli
from engine.cli.replay import Console
from engine.rules.rule_set import Scenario
from events.facts import DiceRolled, Noted
from events.store.memory import MemoryLog
from events.store.record import Draft, Line, Recorded
from events.store.sqlite import SqliteLog
from projections import fold as folds
from projections.journal import caption
from replays.html_replay import html_replay
from replays.points import PointUnknown, find_point
from replays.seek import replay, state_at, steps
from replays.stepper import STRIDE, Stepper, is_about
from replays.view import open_view, view_line
from tests.every_fact import BEGAN, EVERY, long_battle, record
from tests.table import Table, open_battle
from tests.test_sealed import SealedToy
from tests.toy import toy_fold
from tests.toy_scene import drawn_toy

FOLD = toy_fold()
LONG, LONG_LINE = record(long_battle(300))


def walker(at: int = 0) -> Stepper:
    return Stepper(view_line(LONG, FOLD, LONG_LINE), at)


def words(at: int = 0, *said: str) -> list[str]:
    """What the console says to these words, from a place in the long battle."""
    told: list[str] = []
    console = Console(walker(at), told.append, lambda seconds: None)
    for word in said:
        console.obey(word)
    return told


# ---------------------------------------------------------------------------------------------------- the log of bugs


def test_L21_the_last_roll_shown_is_the_last_up_to_where_one_stands() -> None:
    there = walker()
    shown = 0
    for step in steps(LONG, FOLD, LONG_LINE):
        there.forward()
        shown = step.record.seq if isinstance(step.event, DiceRolled) else shown
        last = there.last_roll
        assert (last.record.seq if last else 0) == shown
    while there.back():
        last = there.last_roll
        assert last is None or last.record.seq <= there.at


def test_L25_a_step_back_is_the_state_before_and_quick() -> None:
    there = walker(300)
    assert there.state == replay(LONG, FOLD, LONG_LINE, 300)
    began = time.process_time()
    there.back()
    assert there.state == replay(LONG, FOLD, LONG_LINE, 299)
    assert time.process_time() - began < 0.05


def test_L25_jumps_go_where_people_ask() -> None:
    log, line = record(EVERY)
    there = Stepper(view_line(log, FOLD, line))
    there.jump("dispute")
    assert there.at == 9
    there = walker()
    there.jump("t3")
    assert there.state.table.turn == 3
    assert there.next_roll("blue")
    step = there.step
    assert step is not None
    assert isinstance(step.event, DiceRolled)
    assert step.before.table.called[step.event.key].seat == "blue"
    assert there.turn_back()
    assert there.tell(next(steps(LONG, FOLD, LONG_LINE, there.at - 1))).endswith("turn 3 begins")


def test_L26_every_kind_of_fact_is_stepped_over_with_a_caption() -> None:
    log, line = record(EVERY)
    there = Stepper(view_line(log, FOLD, line))
    told = []
    while there.forward():
        step = there.step
        assert step is not None
        told.append(there.tell(step))
        assert caption(FOLD, step.event, step.before).strip()
        assert "\n" not in told[-1]
    assert len(told) == len(EVERY)
    kinds = {type(event).kind for event in EVERY}
    assert kinds == {"declaration", "order", "roll", "outcome", "ruling", "clock", "table"}
    assert any("future.strange" in line for line in told)
    while there.back():
        assert there.state == replay(log, FOLD, line, there.at)
    console: list[str] = []
    Console(Stepper(view_line(log, FOLD, line)), console.append, lambda seconds: None).obey("play 5")
    assert len(console) == len(EVERY)


def test_L27_the_first_page_of_a_long_battle_is_quick_and_small(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        _, line = record(long_battle(10_000), log=log)
        tracemalloc.start()
        began = time.process_time()
        page = list(islice(steps(log, FOLD, line), 50))
        took, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(page) == 50
    assert took < 1
    assert peak < 4_000_000


def test_L27_pages_have_no_hole_and_nothing_twice_while_events_arrive() -> None:
    log, line = record(long_battle(500))
    seen: list[int] = []
    while page := [record.seq for record in islice(log.records(line, seen[-1] if seen else 0), 70)]:
        seen += page
        if len(seen) < 400:
            head = log.head(line).seq
            log.append(line, [Draft(Noted(f"late {n}"), "red", 1) for n in range(5)], head, BEGAN + 10**12)
    assert seen == list(range(1, log.head(line).seq + 1))
    assert len(seen) > 500


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> Table:
    log = MemoryLog()
    seats = {"red": "Red", "blue": "Blue"}
    open_battle(log, "b", Scenario("Sealed", "toy", seats, rest={"red": ["ann"], "blue": ["bob"]}), rules=SealedToy())
    return Table(log, "b", SealedToy())


def test_L28_stepping_back_shows_no_secret_before_its_time(sealed: Table) -> None:
    sealed.order("red", "ann: hit bob")
    head = sealed.seq
    page = html_replay(view_line(sealed.log, drawn_toy(), sealed.line))
    assert "ann: hit bob" not in page
    sealed.proceed()
    there = Stepper(sealed.view, sealed.seq)
    while there.back():
        assert there.state == state_at(sealed.log, sealed.fold, sealed.line, there.at)
        told = there.tell(there.step) if there.step else ""
        if there.at <= head:
            assert "ann: hit bob" not in sealed.fold.save(there.state) + told


def test_L28_dice_secrets_stay_in_the_vault(sealed: Table) -> None:
    sealed.order("red", "ann: hit bob")
    committed = sealed.state.table.committed
    assert committed is not None
    root = sealed.log.secret(committed.root)
    assert root
    there = Stepper(sealed.view)
    while there.forward():
        assert there.step is not None
        assert root not in there.step.record.body + sealed.fold.save(there.state)
    assert root not in html_replay(view_line(sealed.log, drawn_toy(), sealed.line))


# ---------------------------------------------------------------------------------------------------- the stepper

STATES = [FOLD.start, *(step.after for step in steps(LONG, FOLD, LONG_LINE))]
MOVES = st.lists(
    st.sampled_from(["forward", "back", "next_turn", "turn_back", "next_act", "next_roll"]) | st.integers(0, 300),
    max_size=30,
)


@given(MOVES)
def test_every_way_of_getting_there_shows_the_same(moves: list[str | int]) -> None:
    there = walker()
    for move in moves:
        if isinstance(move, int):
            there.go(move)
        else:
            getattr(there, move)()
        assert there.state == STATES[there.at]
        assert (there.step.record.seq if there.step else 0) == there.at


class CountingLog(MemoryLog):
    """Counts the events that are read."""

    read = 0

    def records(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        for each in super().records(line, after, upto):
            self.read += 1
            yield each

    def bodies(self, line: Line, after: int = 0, upto: int | None = None) -> Iterator[list[str]]:
        for page in super().bodies(line, after, upto):
            self.read += len(page)
            yield page


def test_a_step_back_reads_at_most_a_stretch() -> None:
    log = CountingLog()
    _, line = record(long_battle(1000), log=log)
    there = Stepper(view_line(log, FOLD, line), 1000)
    assert there.state.table.turn
    while there.at:
        log.read = 0
        there.back()
        assert there.state is not None
        assert log.read <= STRIDE


def test_states_along_the_way_share_what_did_not_change() -> None:
    there = walker(200)
    step = there.step
    while step is None or not isinstance(step.event, DiceRolled):
        there.back()
        step = there.step
    assert step.before.seat is step.after.seat  # type: ignore[attr-defined]


def test_events_that_arrive_are_found() -> None:
    log, line = record(long_battle(100))
    there = Stepper(view_line(log, FOLD, line), 100)
    assert there.state.table.turn
    assert not there.forward()
    log.append(line, [Draft(Noted("one more"), "red", 100)], 100, BEGAN + 10**12)
    assert there.forward()
    assert there.step is not None
    assert isinstance(there.step.event, Noted)


def test_a_branch_is_walked_with_what_it_shares() -> None:
    log, line = record(long_battle(150))
    fork = log.fork(line, "if", 100, BEGAN + 10**12, "red", "what if", played=False)
    log.append(fork, [Draft(Noted("otherwise"), "red", 101)], 100, BEGAN + 10**12)
    there = Stepper(view_line(log, FOLD, fork), 101)
    assert there.state == replay(log, FOLD, fork)
    there.back()
    assert there.state == replay(log, FOLD, line, 100)


def test_a_place_outside_the_line_is_refused() -> None:
    for seq in (-1, 301):
        with pytest.raises(PointUnknown, match="ends at event 300"):
            walker(seq)


def test_the_next_event_about_a_piece_names_it() -> None:
    there = walker(100)
    found = 0
    while there.next_about("fighter_3"):
        assert there.step is not None
        assert "fighter_3" in there.step.record.body
        found += 1
    every = [step for step in steps(LONG, FOLD, LONG_LINE, 100) if is_about(step.event, "fighter_3")]
    assert found == len(every) > 3
    assert not is_about(every[0].event, "fighter")


# ---------------------------------------------------------------------------------------------------- at the terminal


def test_words_move_and_tell() -> None:
    assert words(0, "") == words(0, "n") == ["    1  A long battle: Red against Blue, by toy edition 1"]
    assert words(2, "b") == words(0, "1")
    assert words(0, "t") == words(0, "t1") == words(0, "j t1")
    assert words(150, "T")[0].endswith("begins")
    assert "— t1/blows —" in words(0, "a")[0]
    assert "rolled" in words(0, "r")[0]
    assert "orders" in words(0, "k order")[0]
    assert words(0, "r", "l")[0] == words(0, "r", "l")[1]
    assert any("to reach" in line for line in words(0, "r", "w"))
    assert words(300, "f") == [FOLD.picture(STATES[300])]


def test_words_that_lead_nowhere_say_so_and_stay() -> None:
    assert words(300, "n") == ["this is the end"]
    assert words(0, "b") == ["this is the beginning"]
    assert words(0, "w") == ["nothing has happened yet"]
    assert words(0, "l") == ["no dice yet"]
    assert words(0, "f") == [FOLD.picture(FOLD.start)]
    assert words(300, "r green") == ["no later roll of green; seats: red, blue"]
    assert words(0, "p nobody") == ["no later event about nobody"]
    assert words(0, "play quickly")[0].startswith("a speed is")
    (told,) = words(0, "nowhere")
    assert "nowhere" in told
    assert "? tells all words" in told


def test_autoplay_keeps_its_pace_and_stops_at_a_key() -> None:
    told: list[str] = []
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 10:
            raise KeyboardInterrupt

    console = Console(walker(), told.append, sleep)
    console.obey("play 4")
    assert slept == [0.25] * 10
    assert console.walker.at == 10


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(folds, "find_fold", lambda name: drawn_toy())
    path = tmp_path / "war.db"
    with SqliteLog(path, durability="normal") as log:
        _, line = record(long_battle(120), log=log)
        log.fork(line, "if", 60, BEGAN + 10**12, "red", "a charge", played=False)
    return str(path)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_without_a_terminal_everything_is_told_in_a_row(db: str) -> None:
    told = run("replay", "b", "--db", db)
    assert [line for line in told.splitlines() if line.startswith("  120  ")]
    rows = [msgspec.json.decode(line) for line in run("replay", "b", "--json", "--db", db).splitlines()]
    assert [row["seq"] for row in rows] == list(range(1, 121))
    assert all(row["played"] for row in rows)


def test_a_line_that_was_not_played_says_so_everywhere(db: str, tmp_path: Path) -> None:
    assert "NOT PLAYED" in run("replay", "b", "--line", "if", "--db", db)
    assert '"played":false' in run("replay", "b", "--line", "if", "--json", "--db", db)
    with SqliteLog(db) as log:
        there = Stepper(open_view(log, "b", "if", fold=FOLD), 5)
        assert Console(there).prompt == "if NOT PLAYED 5/60> "
    film, field = tmp_path / "film.html", tmp_path / "field.svg"
    assert "NOT PLAYED" in run("replay", "b", "--line", "if", "--html", str(film), "--db", db)
    run("show", "b", "--line", "if", "--svg", str(field), "--db", db)
    assert "NOT PLAYED" in film.read_text(encoding="utf-8")
    assert "NOT PLAYED" in field.read_text(encoding="utf-8")


def test_the_field_is_drawn_at_any_point(db: str, tmp_path: Path) -> None:
    field = tmp_path / "field.svg"
    told = run("show", "b", "--at", "t1", "--svg", str(field), "--db", db)
    assert told.startswith(f"{field}: the field as SVG")
    assert "turn 1" in field.read_text(encoding="utf-8")
    with SqliteLog(db) as log:
        assert find_point(open_view(log, "b"), "t1") == 26


def test_a_file_that_cannot_be_written_is_one_clear_line(db: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["show", "b", "--svg", str(tmp_path / "no" / "field.svg"), "--db", db])
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    assert "field.svg" in done.output


def test_the_page_on_replaying_knows_every_word() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "replaying.md").read_text(encoding="utf-8")
    for word in (*"nbatTrfwl?q", "r SEAT", "p PIECE", "k KIND", "play", "j POINT"):
        assert f"`{word}`" in page, word
