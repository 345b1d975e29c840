"""Calendar files: an outside reader takes them in, UIDs stay, SEQUENCE rises with every change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from engine.cli.main import cli
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from events.deadlines import OrdersCalled
from events.store.log import Log
from events.store.memory import MemoryLog
from projections.deadlines import SECOND, Deadline
from replays.lines import adopted
from replays.publish.ics import Appointment, appointments, calendar_of, escaped, folded
from replays.view import open_view
from tests.by_command import call, extend, freeze, tick, unfreeze
from tests.calendar_table import NEW_YORK, at, opened, types
from tests.table import Table, apply_correction
from tests.toy import ToyRules, toy_fold

START = at("2026-03-05 12:00")


def read(text: str) -> list[Any]:
    return list(Calendar.from_ical(text).walk("VEVENT"))


def found(log: Log) -> list[Appointment]:
    return appointments(open_view(log, "b", fold=toy_fold()))


def called() -> tuple[MemoryLog, Table]:
    log = MemoryLog()
    battle = opened(log)
    call(battle, "sunday 18:00", NEW_YORK, START, reminders=(86_400, 5400))
    return log, battle


def test_an_outside_reader_sees_the_instant_the_reminders_and_the_time_on_the_wall() -> None:
    log, _ = called()
    (event,) = read(calendar_of("A toy fight", found(log)))
    assert event.decoded("DTSTART") == datetime(2026, 3, 8, 22, tzinfo=UTC)
    assert event["SUMMARY"] == "A toy fight: orders for t1/blows"
    assert "Sunday 2026-03-08 18:00 America/New_York (Sunday 2026-03-08 22:00 UTC)" in event["DESCRIPTION"]
    triggers = [alarm.decoded("TRIGGER") for alarm in event.walk("VALARM")]
    assert triggers == [timedelta(hours=-24), timedelta(minutes=-90)]


def test_an_extension_keeps_the_uid_and_raises_the_sequence() -> None:
    log, battle = called()
    (before,) = found(log)
    extend(battle, "+24h", "Ann is away", START)
    (after,) = found(log)
    assert (before.uid, before.sequence, after.sequence) == (after.uid, 0, 1)
    (event,) = read(calendar_of("x", [after]))
    assert event.decoded("DTSTART") == datetime(2026, 3, 9, 22, tzinfo=UTC)
    assert (event["SEQUENCE"], event["STATUS"]) == (1, "CONFIRMED")


def test_what_is_frozen_is_tentative_and_rings_no_bell() -> None:
    log, battle = called()
    freeze(battle, "a dispute", START)
    (event,) = read(calendar_of("x", found(log)))
    assert (event["STATUS"], event["SEQUENCE"], event.walk("VALARM")) == ("TENTATIVE", 1, [])
    unfreeze(battle, "", "", START)
    (event,) = read(calendar_of("x", found(log)))
    assert (event["STATUS"], event["SEQUENCE"]) == ("CONFIRMED", 2)


def test_what_was_resolved_before_its_time_is_cancelled_and_what_was_in_time_stands() -> None:
    log = MemoryLog()
    battle = opened(log)
    battle.clock = lambda: START
    call(battle, "", NEW_YORK, START, every="sunday 18:00")
    battle.proceed()
    tick(battle, START)
    battle.clock = lambda: at("2026-03-16 12:00")
    tick(battle, at("2026-03-16 12:00"))
    assert [(each.act, each.status, each.sequence) for each in found(log)] == [
        ("t1/blows", "CANCELLED", 1), ("t2/blows", "CONFIRMED", 1), ("t3/blows", "CONFIRMED", 0),
    ]  # fmt: skip


def test_on_a_line_that_puts_another_right_the_sequence_goes_on_rising() -> None:
    log, battle = called()
    battle.proceed()
    (before,) = found(log)
    seq = types(battle, "table.act_opened")[0]
    apply_correction(battle, plan(battle, CorrectionRequest("undo", (seq,), "referee", "the wrong Bob", "keep")))
    again = Table(log, "b", ToyRules(), adopted(log, "b").name)
    (back,) = found(log)
    assert back.uid == before.uid
    assert back.sequence > before.sequence
    extend(again, "+1d", "once more", START)
    (later,) = found(log)
    assert later.sequence > back.sequence
    assert later.status == "CONFIRMED"


def test_a_call_that_was_taken_back_is_cancelled() -> None:
    log, battle = called()
    seq = types(battle, "clock.orders_called")[0]
    apply_correction(battle, plan(battle, CorrectionRequest("undo", (seq,), "referee", "too soon", "keep")))
    (each,) = found(log)
    assert (each.status, each.sequence) == ("CANCELLED", 1)


def test_two_battles_of_one_name_have_uids_of_their_own() -> None:
    uids = set()
    for title in ("one", "two"):
        from msgspec.structs import replace

        from tests.calendar_table import SCENARIO

        log = MemoryLog()
        call(opened(log, scenario=replace(SCENARIO, title=title)), "+1d", "UTC", START)
        uids.add(found(log)[0].uid)
    assert len(uids) == 2


@given(st.text(), st.integers(60, 4_000_000_000), st.sampled_from(["CONFIRMED", "TENTATIVE", "CANCELLED"]))
def test_any_title_reads_back_and_no_line_is_longer_than_75_octets(title: str, until: int, status: str) -> None:
    deadline = Deadline(OrdersCalled("t1/blows", until * SECOND, "UTC", 0, reminders=(60,)), until * SECOND, 0)
    text = calendar_of(title, [Appointment("uid", "t1/blows", deadline, 0, 0, status)])
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    (event,) = read(text)
    lines = title.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    shown = "\n".join("".join(char if char.isprintable() else " " for char in line) for line in lines)
    assert event["SUMMARY"].endswith(f"{shown}: orders for t1/blows")
    assert event.decoded("DTSTART") == datetime.fromtimestamp(until, UTC)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=400))
def test_a_folded_line_unfolds_to_itself(line: str) -> None:
    assert folded(line).replace("\r\n ", "") == line
    assert escaped("a\\n;b") == "a\\\\n\\;b"


def test_the_file_is_written_at_the_command_line(tmp_path: Path) -> None:
    db, file = ["--db", str(tmp_path / "war.db")], tmp_path / "war.ics"

    def run(*words: str) -> str:
        result = CliRunner().invoke(cli, [*words, *db])
        assert result.exit_code == 0, result.output
        return result.output

    run("new", "ford", "--scenario", "dresda_skirmish")
    run("call", "ford", "--until", "2150-01-08 18:00", "--zone", NEW_YORK)
    assert "1 deadline is in" in run("ics", "ford", str(file))
    (event,) = read(file.read_bytes().decode())
    assert event.decoded("DTSTART") == datetime(2150, 1, 8, 23, tzinfo=UTC)
    assert CliRunner().invoke(cli, ["ics", "ford", "-", *db]).stdout_bytes == file.read_bytes()
    refused = CliRunner().invoke(cli, ["ics", "ford", str(tmp_path / "no" / "x.ics"), *db])
    assert refused.exit_code == 1


@pytest.mark.parametrize("text", ["BEGIN:VEVENT", "x" * 200, "é" * 100])
def test_nothing_that_a_person_writes_ends_an_entry(text: str) -> None:
    deadline = Deadline(OrdersCalled("t1", 60 * SECOND, "UTC", 0), 60 * SECOND, 0)
    written = calendar_of(f"{text}\r\nEND:VEVENT\r\n", [Appointment("uid", "t1", deadline, 0, 0, "CONFIRMED")])
    assert len(read(written)) == 1
