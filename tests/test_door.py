"""The door: what it shows, what it records, what it refuses; and that nothing else writes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import recording
from engine.adjudication.readjudicate import Readjudicator
from engine.door import Door, NoPreview
from engine.errors import BattleClosed, DeadlineRefused
from engine.orders.errors import OrderError, StalePhase
from engine.texts import TextRefused
from events.commands import (
    AddBookmark,
    AddNote,
    AddPrivateNote,
    Amend,
    Autoplay,
    CallForOrders,
    Proceed,
    StateFact,
    Strike,
    SubmitOrders,
    TakeSeat,
    WithdrawOrders,
)
from events.facts import NotUsed
from events.store.errors import LogBusy, LogError, LogUnusable
from events.store.memory import MemoryLog
from events.store.record import Line, Snapshot
from events.store.sqlite import SqliteLog
from projections.deadlines import SECOND
from replays.audit.verify import verify
from tests.table import Table
from tests.test_permissions import heads, table
from tests.test_viewer import table as sealed_table
from tests.toy import ToyRules

ROOT = Path(__file__).parents[1]


# ------------------------------------------------------------------------------------------------------ who writes


def test_nothing_but_the_recording_of_a_command_writes_to_a_log() -> None:
    writing = re.compile(r"\b\w*log\.(append|fork|begin)\(")
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "engine").rglob("*.py")
        if writing.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"engine/recording.py"}


def test_a_refused_command_records_nothing_of_what_it_would_have_kept() -> None:
    battle = table()
    before = heads(battle)
    with pytest.raises(OrderError):
        battle.order("red", "ann: hit bob\nann: fly away")
    assert heads(battle) == before


# ---------------------------------------------------------------------------------------------------- what is shown


def shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("done", [False, True])
def test_a_correction_shows_a_seat_no_more_than_it_may_see(done: bool) -> None:
    secret = "bob: hit ann"
    own = 6

    def changes(seat: str) -> str:
        battle = table(corrections="free")
        command = Strike(battle="b", seat=seat, events=(own,), why="a slip")
        return shown(battle.execute(command) if done else battle.door.preview(command))

    assert secret in changes("referee")
    assert secret not in changes("red")
    assert "ann: hit bob" in changes("red")


def test_a_preview_of_a_what_if_line_of_ones_own_shows_both_lines() -> None:
    from events.commands import OpenBranch

    battle = table(corrections="free")
    battle.give(OpenBranch, name="mine", seat="red")
    order = battle.door.execute(SubmitOrders(battle="b", line="mine", seat="red", text="ann: hit bob"))
    command = Strike(battle="b", line="mine", seat="red", events=(order.first,), why="no")
    for found in (battle.door.preview(command), battle.door.execute(command)):
        assert found.change is not None
        assert found.change.counts == {"same": 0, "different": 0, "gone": 1, "new": 0}


def test_only_corrections_are_previewed() -> None:
    battle = table()
    with pytest.raises(NoPreview):
        battle.door.preview(Proceed(battle="b"))


def test_a_seat_gets_receipts_for_its_own_orders_alone() -> None:
    battle = sealed_table(orders="sealed")
    (receipt,) = battle.order("red", "ann: hit bob").receipts
    assert (receipt.seat, receipt.text) == ("red", "ann: hit bob")
    assert [each.seat for each in battle.order("referee", "ann: hit bob\nbob: hit ann").receipts] == ["red", "blue"]
    assert battle.proceed().receipts == ()


def test_an_answer_says_what_is_pending() -> None:
    battle = table()
    answer = battle.proceed(by_hand=["red"])
    (roll,) = answer.pending.dice
    assert (roll.key, roll.seat, roll.dice, answer.pending.next_act) == ("t1/hit/ann>bob", "red", "d6", "")
    assert battle.roll({roll.key: (6,)}).pending.next_act == "t2/blows"
    (question,) = battle.order("red", "ann: curse bob").pending.questions
    assert question.choices == ("yes", "no")


# ------------------------------------------------------------------------------------- recorded is never told as failed


class NoSnapshots(MemoryLog):
    """A log that takes events and no snapshot."""

    def __init__(self, error: LogError) -> None:
        super().__init__()
        self.error = error

    def save_snapshot(self, line: Line, snapshot: Snapshot) -> None:
        raise self.error


@pytest.mark.parametrize("error", [LogUnusable("disk is full"), LogBusy("war.db", 9)])
def test_a_snapshot_that_cannot_be_written_is_no_error(error: LogError, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.calendar_table import opened

    monkeypatch.setattr(recording, "SNAPSHOT_EVERY", 1)
    log = NoSnapshots(error)
    battle = opened(log)
    order = battle.order("red", "ann: hit bob")
    assert battle.log.head(battle.line).seq == order.last
    assert battle.execute(Strike(battle="b", events=(order.last,), why="x")).new_line == "main.2"
    verify(log, "b")


@pytest.mark.parametrize("words", ["next d", "note d x", "note d x --json", "branch d w"])
def test_a_step_whose_answer_cannot_be_printed_is_told_as_recorded(tmp_path: Path, words: str) -> None:
    wardiary, db = [sys.executable, "-m", "wardiary"], str(tmp_path / "war.db")
    subprocess.run(
        [*wardiary, "new", "d", "--scenario", "dresda_skirmish", "--db", db], check=True, capture_output=True
    )

    def events() -> int:
        with SqliteLog(db, read_only=True) as log:
            return sum(log.head(line).seq for line in log.lines("d"))

    before = events()
    nobody, output = os.pipe()
    os.close(nobody)
    done = subprocess.run([*wardiary, *words.split(), "--db", db], stdout=output, stderr=subprocess.PIPE, text=True)
    os.close(output)
    assert events() > before
    assert (done.returncode, "are recorded; what came of them could not be printed" in done.stderr) == (0, True)
    assert len(done.stderr.splitlines()) == 1


# ---------------------------------------------------------------------------------------------------- what is said

SPOILT = ("two\nlines", "esc \x1b[31m", "turned \u202e", "half \ud800", "bell \x07")


@pytest.mark.parametrize("text", SPOILT)
@pytest.mark.parametrize(
    ("kind", "field", "rest"),
    [
        (StateFact, "why", {"text": "ann: health 2"}),
        (Strike, "why", {"events": (6,)}),
        (Amend, "modifier", {"event": 6, "why": "x"}),
        (TakeSeat, "player", {"taken": "red"}),
        (AddBookmark, "name", {}),
        (CallForOrders, "zone", {"until": "+1h"}),
        (Proceed, "act", {}),
        (Proceed, "request", {}),
    ],
)
def test_words_that_could_pass_for_another_line_of_the_log_are_refused(
    kind: Any, field: str, rest: dict[str, Any], text: str
) -> None:
    battle = table()
    before = heads(battle)
    value = (text, 3) if field == "modifier" else text
    with pytest.raises(TextRefused, match=f"{field} holds a character that cannot be shown"):
        battle.execute(kind(battle="b", **{field: value}, **rest))
    assert heads(battle) == before


def test_notes_and_sheets_have_lines_and_nothing_that_steers_a_terminal() -> None:
    battle = table()
    battle.give(AddNote, seat="red", text="one\n\ttwo 👨‍👩‍👧 größe")
    battle.order("red", "ann: hit bob\n\nann: hit bob")
    for kind, rest in ((AddNote, {}), (AddPrivateNote, {"to": ("blue",)}), (SubmitOrders, {})):
        with pytest.raises(TextRefused):
            battle.give(kind, seat="red", text="\x1b[2J", **rest)


# ------------------------------------------------------------------------------------------- withdrawing, playing alone


@pytest.mark.parametrize("orders", ["open", "sealed"])
def test_a_seat_withdraws_orders_that_wait(orders: str) -> None:
    battle = sealed_table(orders=orders)
    battle.order("red", "ann: hit bob\nal: hit ben")
    battle.order("blue", "bob: hit ann")
    battle.give(WithdrawOrders, seat="red", pieces=("ann",))
    assert [each.seat for each in battle.state.table.orders] == ["red", "blue"]
    battle.give(WithdrawOrders, seat="red")
    assert [each.seat for each in battle.state.table.orders] == ["blue"]
    assert [event.reason for _, event in battle.view.events(NotUsed)] == ["withdrawn"] * 2
    with pytest.raises(OrderError, match="no order of red waits"):
        battle.give(WithdrawOrders, seat="red")
    with pytest.raises(OrderError, match="no order of ann waits"):
        battle.give(WithdrawOrders, seat="red", pieces=("ann",))
    battle.proceed()
    assert not [key for key in battle.state.table.called if "ann" in key]
    verify(battle.log, "b")
    Readjudicator(battle.log, battle.line, battle.rules).run()


def test_what_was_withdrawn_stays_so_when_something_else_is_corrected() -> None:
    battle = sealed_table()
    first = battle.order("blue", "bob: hit ann").first
    battle.order("red", "ann: hit bob")
    battle.give(WithdrawOrders, seat="red")
    answer = battle.execute(Strike(battle="b", events=(first,), why="x"))
    assert battle.door.battle("b", answer.new_line).state.table.orders == ()


def test_after_the_deadline_nothing_is_withdrawn() -> None:
    battle = sealed_table(late_orders="kept")
    now = battle.clock()
    battle.order("red", "ann: hit bob")
    battle.give(CallForOrders, until="+1d", zone="UTC")
    battle.clock = lambda: now + 2 * 86_400 * SECOND
    with pytest.raises(DeadlineRefused, match="the deadline has passed"):
        battle.give(WithdrawOrders, seat="red")
    assert len(battle.state.table.orders) == 1


def test_the_referee_says_whose_orders_are_withdrawn() -> None:
    with pytest.raises(OrderError, match="say whose"):
        table().give(WithdrawOrders)


def test_the_simple_ai_orders_for_a_seat() -> None:
    from engine.scenario_files import find_scenario
    from events.commands import OpenBattle

    door = Door(MemoryLog())
    door.execute(OpenBattle(battle="d", scenario=find_scenario("rhand_duel").read_text(encoding="utf-8")))
    seat = door.battle("d").state.table.seats[0].id
    while not door.battle("d").rules.autoplay(door.battle("d").situation(), seat):
        door.execute(Proceed(battle="d"))
    answer = door.execute(Autoplay(battle="d", seat=seat))
    assert answer.receipts
    assert {each.seat for each in answer.receipts} == {seat}
    with pytest.raises(StalePhase):
        door.execute(Autoplay(battle="d", seat=seat, act="t9/fight"))
    with pytest.raises(OrderError, match="no pieces"):
        door.execute(Autoplay(battle="d"))


# ---------------------------------------------------------------------------------------------------- lines


def test_a_line_that_was_superseded_takes_no_command() -> None:
    battle = table()
    battle.execute(Strike(battle="b", events=(6,), why="x"))
    with pytest.raises(BattleClosed):
        battle.execute(AddNote(battle="b", line="main", text="late"))
    assert battle.door.execute(AddNote(battle="b", text="here")).line == "main.2"


def test_the_door_gives_the_same_battle_each_time() -> None:
    battle = table()
    door = Door(battle.log, rules=lambda name: ToyRules())
    assert door.battle("b") is door.battle("b", "main")
    other: Table = battle
    other.note("red", "elsewhere")
    assert door.execute(AddNote(battle="b", text="x")).first == battle.log.head(battle.line).seq
