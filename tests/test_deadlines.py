"""Deadlines: by the clock on the wall, daylight saving right, moved by rulings alone, told so that all read them."""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import now
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from engine.deadlines.due import due, told
from engine.deadlines.schedule import Rule, next_time, read_rule
from engine.deadlines.walltime import (
    Moment,
    TimeRefused,
    at_wall,
    at_wall_or_next,
    find_zone,
    later,
    local,
    read_moment,
    read_span,
)
from engine.delivery.notices import notices
from engine.delivery.recipients import Recipient, Recipients
from engine.errors import DeadlineRefused, SeatUnknown
from events.corrections import WhatIfOpened
from events.store.memory import MemoryLog
from events.store.sqlite import SqliteLog
from projections.deadlines import SECOND, remaining, span, stamp, when
from projections.journal import caption
from replays.lines import adopted
from replays.publish.ics import appointments, calendar_of
from replays.seek import steps
from tests.by_command import call, end_schedule, extend, freeze, mark_ready, tick, unfreeze
from tests.calendar_table import NEW_YORK, at, opened, utc
from tests.table import Table, apply_correction
from tests.toy import ToyRules

HOUR = 3600 * SECOND
ZONE = ZoneInfo(NEW_YORK)
SUNDAYS = read_rule("Sundays 18:00")


def captions(battle: Table) -> list[str]:
    return [caption(battle.fold, step.event, step.before) for step in steps(battle.log, battle.fold, battle.line)]


# ------------------------------------------------------------------------------------------------- L54


@pytest.mark.parametrize(
    ("after", "deadline"),
    [
        ("2026-02-26 12:00", "2026-03-01 23:00"),
        ("2026-03-05 12:00", "2026-03-08 22:00"),
        ("2026-10-30 12:00", "2026-11-01 23:00"),
    ],
)
def test_l54_a_weekly_deadline_stays_at_18_00_on_the_wall(after: str, deadline: str) -> None:
    found = next_time(SUNDAYS, ZONE, at(after))
    assert utc(found.until) == deadline
    assert read_moment("sunday 18:00", ZONE, at(after)) == found
    assert f"{local(found.until, ZONE):%A %H:%M}" == "Sunday 18:00"


def test_l54_an_extension_of_24_h_moves_this_deadline_only_and_is_a_logged_ruling() -> None:
    battle = opened(MemoryLog())
    monday = at("2026-03-02 12:00")
    call(battle, "+48h", NEW_YORK, monday, every="monday,wednesday,friday 18:00")
    before = battle.state.table.deadline
    assert before is not None
    extend(battle, "+24h", "Ann's train is late", monday)
    table = battle.state.table
    assert table.deadline is not None
    assert table.deadline.until - before.until == 24 * HOUR
    assert table.deadline.call == before.call
    last = list(battle.log.records(battle.line))[-1]
    assert (last.kind, last.type, last.actor) == ("ruling", "ruling.deadline_moved", "referee")
    assert captions(battle)[-1] == (
        "the referee moves the deadline for t1/blows to Thursday 2026-03-05 07:00 America/New_York "
        "(Thursday 2026-03-05 12:00 UTC), 1 d later — Ann's train is late"
    )
    tick(battle, table.deadline.until)
    following = battle.state.table.deadline
    assert following is not None
    assert utc(following.until) == "2026-03-06 23:00"


def test_l54_a_message_shows_local_and_utc_and_remaining_time_and_discords_form() -> None:
    battle = opened(MemoryLog())
    thursday = at("2026-03-05 21:30")
    call(battle, "sunday 18:00", NEW_YORK, thursday, reminders=(86_400, 7200))
    text = "\n".join(told(due(battle, thursday), thursday))
    for part in (
        "Sunday 2026-03-08 18:00 America/New_York", "Sunday 2026-03-08 22:00 UTC", "in 3 d", "<t:1773007200:F>",
        "missing: red, blue", "reminder 1 d before: at 2026-03-07T22:00:00Z",
    ):  # fmt: skip
        assert part in text
    assert "orders for t1/blows, please, until Sunday 2026-03-08 18:00 America/New_York" in captions(battle)[-1]


# ------------------------------------------------------------------------------------------------- L55


def test_l55_all_ready_on_friday_resolves_then_and_the_next_deadline_stays_the_following_sunday() -> None:
    battle = opened(MemoryLog())
    call(battle, "", NEW_YORK, at("2026-03-03 12:00"), early=True, every="sundays 18:00")
    assert utc(_until(battle)) == "2026-03-08 22:00"
    friday = at("2026-03-06 12:00")
    mark_ready(battle, "red")
    assert tick(battle, friday).what == "nothing"
    mark_ready(battle, "blue")
    assert tick(battle, friday).what == "resolved"
    assert battle.state.table.turn == 2
    assert "orders for t1/blows are closed: all are ready" in captions(battle)
    assert utc(_until(battle)) == "2026-03-15 22:00"


def test_l55_without_leave_to_be_early_being_ready_changes_nothing() -> None:
    battle = opened(MemoryLog())
    call(battle, "sunday 18:00", NEW_YORK, at("2026-03-03 12:00"))
    mark_ready(battle, "red")
    mark_ready(battle, "blue")
    assert tick(battle, at("2026-03-06 12:00")).what == "nothing"
    assert tick(battle, at("2026-03-08 22:00")).what == "resolved"


def test_l55_a_late_resolution_calls_for_the_next_fixed_time_that_is_still_to_come() -> None:
    battle = opened(MemoryLog())
    call(battle, "", NEW_YORK, at("2026-03-03 12:00"), every="sunday 18:00")
    tick(battle, at("2026-03-24 12:00"))
    assert utc(_until(battle)) == "2026-03-29 22:00"


def test_ready_is_for_one_act_and_can_be_taken_back() -> None:
    battle = opened(MemoryLog())
    call(battle, "+1h", "UTC", at("2026-03-03 12:00"), early=True)
    mark_ready(battle, "red")
    with pytest.raises(DeadlineRefused, match="final already"):
        mark_ready(battle, "red")
    mark_ready(battle, "red", done=False)
    mark_ready(battle, "blue")
    assert due(battle, at("2026-03-03 12:00")).ready == ("blue",)
    with pytest.raises(SeatUnknown):
        mark_ready(battle, "referee")
    battle.proceed()
    assert due(battle, at("2026-03-03 12:00")).ready == ()


def _until(battle: Table) -> int:
    table = battle.state.table
    assert table.deadline is not None
    return table.deadline.until


# ------------------------------------------------------------------------------------------------- who is missing


def test_who_has_ordered_or_is_ready_is_not_missing() -> None:
    battle = opened(MemoryLog())
    start = at("2026-03-03 12:00")
    call(battle, "+1d", NEW_YORK, start)
    assert due(battle, start).missing == ("red", "blue")
    battle.order("red", "ann: hit bob")
    assert due(battle, start).missing == ("blue",)
    mark_ready(battle, "blue")
    assert due(battle, start).missing == ()


def test_a_reminder_is_due_from_its_time_until_the_deadline() -> None:
    battle = opened(MemoryLog())
    start = at("2026-03-03 12:00")
    call(battle, "+2d", "UTC", start, reminders=(86_400, 7200))
    seen = {hours: [each.due for each in due(battle, start + hours * HOUR).reminders] for hours in (23, 24, 46, 48)}
    assert seen == {23: [False, False], 24: [True, False], 46: [True, True], 48: [False, False]}


# ------------------------------------------------------------------------------------------------- freezing


def test_a_frozen_calendar_resolves_nothing_and_goes_on_with_the_time_that_was_left() -> None:
    battle = opened(MemoryLog())
    start = at("2026-03-03 12:00")
    call(battle, "+48h", NEW_YORK, start)
    freeze(battle, "a dispute", start + 40 * HOUR)
    assert tick(battle, start + 100 * HOUR).told == "the calendar is frozen: a dispute"
    battle.order("red", "ann: hit bob")
    with pytest.raises(DeadlineRefused, match="frozen already"):
        freeze(battle, "again", start)
    with pytest.raises(DeadlineRefused, match="unfreeze"):
        extend(battle, "+24h", "more", start)
    unfreeze(battle, "", "settled", start + 100 * HOUR)
    assert _until(battle) == start + 108 * HOUR
    assert [record.type for record in battle.log.records(battle.line)][-3:] == [
        "ruling.clock_frozen", "order.given", "ruling.clock_unfrozen",
    ]  # fmt: skip
    assert tick(battle, start + 108 * HOUR).what == "resolved"


def test_a_fixed_time_that_passed_in_the_freeze_is_followed_by_the_next_fixed_time() -> None:
    battle = opened(MemoryLog())
    call(battle, "", NEW_YORK, at("2026-03-03 12:00"), every="sunday 18:00")
    freeze(battle, "holidays", at("2026-03-04 12:00"))
    unfreeze(battle, "", "", at("2026-03-05 12:00"))
    assert utc(_until(battle)) == "2026-03-08 22:00"
    freeze(battle, "holidays", at("2026-03-06 12:00"))
    unfreeze(battle, "", "", at("2026-03-10 12:00"))
    assert utc(_until(battle)) == "2026-03-15 22:00"


def test_a_freeze_without_a_call_keeps_the_schedule_from_calling() -> None:
    battle = opened(MemoryLog())
    start = at("2026-03-03 12:00")
    call(battle, "", NEW_YORK, start, every="daily 18:00")
    battle.proceed()
    freeze(battle, "holidays", start)
    assert tick(battle, start).what == "nothing"
    with pytest.raises(DeadlineRefused, match="unfreeze"):
        call(battle, "+1d", "UTC", start)
    unfreeze(battle, "", "", start)
    assert tick(battle, start).what == "called"
    end_schedule(battle)
    battle.proceed()
    assert tick(battle, start).told == "no orders are called for"


# ------------------------------------------------------------------------------------------------- beside the rest


def test_a_schedule_may_be_set_while_orders_are_called_for() -> None:
    battle = opened(MemoryLog())
    call(battle, "+36h", NEW_YORK, at("2026-03-03 12:00"))
    before = _until(battle)
    call(battle, "", "", at("2026-03-03 12:00"), every="sunday 18:00")
    assert _until(battle) == before
    tick(battle, before)
    assert utc(_until(battle)) == "2026-03-08 22:00"


def test_a_correction_of_an_earlier_act_leaves_the_open_deadline_and_the_schedule_as_they_are() -> None:
    log = MemoryLog()
    battle = opened(log)
    start = at("2026-03-03 12:00")
    call(battle, "", NEW_YORK, start, every="sunday 18:00")
    battle.order("red", "ann: hit bob")
    order = battle.seq
    tick(battle, at("2026-03-08 22:00"))
    extend(battle, "+24h", "Ann is away", at("2026-03-09 22:00"))
    wish = CorrectionRequest("amend", (order,), "referee", "typing slip", "keep", text="ann: hit ann")
    apply_correction(battle, plan(battle, wish))
    again = Table(log, "b", ToyRules(), adopted(log, "b").name)
    assert again.line.name != "main"
    for name in ("deadline", "schedule", "last_due"):
        assert getattr(again.state.table, name) == getattr(battle.state.table, name)
    assert utc(_until(again)) == "2026-03-16 22:00"


def test_a_what_if_line_has_no_deadline_and_no_schedule() -> None:
    battle = opened(MemoryLog())
    call(battle, "", NEW_YORK, at("2026-03-03 12:00"), every="sunday 18:00")
    state = battle.fold.advance(battle.state, (WhatIfOpened("red", "what if?"),))
    assert (state.table.deadline, state.table.schedule) == (None, None)


def test_l47_nothing_that_the_calendar_says_holds_a_word_of_an_order(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "war.db") as log:
        battle = opened(log)
        start = at("2026-03-03 12:00")
        call(battle, "+2d", NEW_YORK, start, reminders=(172_800,))
        battle.order("blue", "bob: hit ann")
        notices(log, battle, Recipients({"club": Recipient("spectator"), "ann": Recipient("red")}), start)
        said = [msgspec.json.encode(due(battle, start)).decode(), *told(due(battle, start), start)]
        said += [each.subject + each.text + each.html for each in log.outbox().messages()]
        said += [calendar_of("A toy fight", appointments(battle.view))]
    assert len(said) > 6
    assert not [text for text in said if "bob" in text or "hit" in text]


# ------------------------------------------------------------------------------------------------- refusing


def test_what_cannot_be_called_for_is_refused_and_not_recorded() -> None:
    battle = opened(MemoryLog())
    start = at("2026-03-03 12:00")
    with pytest.raises(DeadlineRefused, match="time zone"):
        call(battle, "+1d", "", start)
    with pytest.raises(DeadlineRefused, match="is past: 1 h ago"):
        call(battle, "2026-03-03 11:00", "UTC", start)
    with pytest.raises(DeadlineRefused, match="no orders are called for"):
        extend(battle, "+1d", "why", start)
    head = battle.seq
    assert battle.log.head(battle.line).seq == head
    call(battle, "+1d", "UTC", start)
    with pytest.raises(DeadlineRefused, match="extend"):
        call(battle, "+2d", "UTC", start)
    battle.order("red", "ann: curse bob")
    battle.rule("curse/bob", "no")
    assert battle.state.table.deadline is not None


@pytest.mark.parametrize(
    ("zone", "near"),
    [
        ("Europe/Berln", "Europe/Berlin"),
        ("new york", NEW_YORK),
        ("EST", "you mean America/New_York"),
        ("CET", "you mean Europe/Berlin"),
    ],
)
def test_a_zone_is_called_by_its_name(zone: str, near: str) -> None:
    with pytest.raises(TimeRefused, match=near):
        find_zone(zone)


@pytest.mark.parametrize(
    "text", ["", "soon", "sunday", "18:00", "someday 18:00", "sunday 25:00", "2026-02-30 18:00", "2026-03-08 9:5",
             "9999-01-01 00:00", "+", "+5", "+24x", "2026-03-08 18:00 EST", "s 18:00", "+9999w"],
)  # fmt: skip
def test_what_is_no_time_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(TimeRefused) as refused:
        read_moment(text, ZONE, at("2026-03-01 12:00"))
    assert "\n" not in str(refused.value)


def test_a_time_that_the_clocks_leave_out_or_show_twice_is_asked_about() -> None:
    with pytest.raises(TimeRefused, match=r"does not exist .* give 2026-03-08 03:30"):
        at_wall(datetime(2026, 3, 8, 2, 30), ZONE)
    with pytest.raises(TimeRefused, match=r"comes twice .*01:30-04:00 or 2026-11-01 01:30-05:00"):
        at_wall(datetime(2026, 11, 1, 1, 30), ZONE)
    first = read_moment("2026-11-01 01:30-04:00", ZONE, 0)
    second = read_moment("2026-11-01 01:30-05:00", ZONE, 0)
    assert second.until - first.until == HOUR


def test_a_schedule_meets_changes_of_clocks_without_asking() -> None:
    nightly = Rule(tuple(range(7)), time(2, 30))
    assert utc(next_time(nightly, ZONE, at("2026-03-08 00:00")).until) == "2026-03-08 07:30"
    assert utc(next_time(nightly, ZONE, at("2026-03-08 07:30")).until) == "2026-03-09 06:30"
    twice = Rule((6,), time(1, 30))
    assert utc(next_time(twice, ZONE, at("2026-11-01 00:00")).until) == "2026-11-01 05:30"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Sundays 18:00", "sunday 18:00"),
        ("weekly sunday 9:05", "sunday 09:05"),
        ("thursday and Monday at 20:00", "monday, thursday 20:00"),
        ("daily 18:00", "daily 18:00"),
        ("every day 18:00", "daily 18:00"),
    ],
)
def test_a_schedule_is_read_as_people_write_it_and_reads_back(text: str, rule: str) -> None:
    assert str(read_rule(text)) == rule
    assert str(read_rule(rule)) == rule


@pytest.mark.parametrize("text", ["", "sunday", "18:00", "s 18:00", "fortnightly 18:00", "sunday 24:00"])
def test_what_is_no_schedule_is_refused(text: str) -> None:
    with pytest.raises(TimeRefused):
        read_rule(text)


# ------------------------------------------------------------------------------------------------- properties

ZONES = st.sampled_from(["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
TIMES = st.integers(1_700_000_000, 1_900_000_000).map(lambda seconds: seconds * SECOND)


@given(ZONES, TIMES, st.sets(st.integers(0, 6), min_size=1), st.integers(0, 23), st.sampled_from([0, 15, 30, 45]))
def test_a_schedule_never_stands_still_never_skips_and_keeps_its_day(
    zone: str, after: int, days: set[int], hour: int, minute: int
) -> None:
    rule, place = Rule(tuple(sorted(days)), time(hour, minute)), ZoneInfo(zone)
    found = next_time(rule, place, after)
    assert after < found.until <= after + 7 * 24 * HOUR + 2 * HOUR
    there = local(found.until, place)
    assert there.weekday() in days
    assert int((there.utcoffset() or there - there).total_seconds()) == found.offset
    if (there.hour, there.minute) != (hour, minute):
        with pytest.raises(TimeRefused, match="does not exist"):
            at_wall(datetime.combine(there.date(), rule.at), place)


@given(ZONES, TIMES)
def test_what_the_wall_shows_reads_back_to_the_instant(zone: str, instant: int) -> None:
    place = ZoneInfo(zone)
    minute = instant - instant % (60 * SECOND)
    there = local(minute, place)
    typed = f"{there:%Y-%m-%d %H:%M%z}"
    assert read_moment(typed, place, 0) == Moment(minute, int((there.utcoffset() or there - there).total_seconds()))
    assert at_wall_or_next(there.replace(tzinfo=None), place).until <= minute


@given(ZONES, TIMES, st.integers(0, 1000))
def test_hours_pass_and_days_keep_the_time_on_the_wall(zone: str, instant: int, count: int) -> None:
    place = ZoneInfo(zone)
    assert later(instant, read_span(f"{count}h 1min"), place).until - instant == count * HOUR + 60 * SECOND
    there, then = local(instant, place), local(later(instant, read_span("7d"), place).until, place)
    assert (then.date() - there.date()).days == 7


# ------------------------------------------------------------------------------------------------- words and edges


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (3601, "1 h"), (90_061, "1 d 1 h"), (86_400 + 60, "1 d")]
)
def test_a_span_is_told_by_its_two_largest_parts(seconds: int, text: str) -> None:
    assert span(seconds * SECOND) == text


def test_a_deadline_in_utc_is_told_once() -> None:
    assert when(0, "UTC", 0) == "Thursday 1970-01-01 00:00 UTC"
    assert stamp(1_500_000) == "<t:1:F>"
    assert remaining(5 * SECOND, 5 * SECOND) == "0 s ago"


@freeze_time("2026-03-08 21:59:59")
def test_the_clock_that_is_frozen_for_a_test_is_the_one_that_counts() -> None:
    battle = opened(MemoryLog())
    call(battle, "sunday 18:00", NEW_YORK, now())
    assert tick(battle, now()).what == "nothing"
    with freeze_time("2026-03-08 22:00:00"):
        assert tick(battle, now()).what == "resolved"
    assert msgspec.json.encode(due(battle, now()))
