"""Tests of writing: battles begin, steps are appended or refused, requests are answered once."""

from __future__ import annotations

from hashlib import sha256

from msgspec.structs import replace

from events.errors import DiaryError
from events.store.chain import Chain, origin
from events.store.conformance.stage import AT, OPENED, Deferred, begun, branched, notes, record_of, refusal, texts
from events.store.errors import (
    BattleUnknown,
    Conflict,
    EventUnknown,
    LineUnknown,
    NameTaken,
    RecordBroken,
    RequestReused,
)
from events.store.log import check_links
from events.store.memory import MemoryLog
from events.store.record import Draft, Head, Request


class Writing(Deferred):
    """What is written is there once, whole, or not at all."""

    def test_a_battle_begins_with_its_first_step(self) -> None:
        log = self.open_log()
        answer = log.begin("ford", [Draft(OPENED, "referee"), *notes("hello", act=1)], AT)
        line = log.line("ford")
        assert (answer.line, answer.first, answer.last, answer.repeated) == ("main", 1, 2, False)
        assert log.head(line) == Head(2, answer.hash)
        assert (line.name, line.parent, line.after, line.played, line.actor) == ("main", None, 0, True, "referee")
        assert log.lines("ford") == [line]

    def test_a_battle_of_the_same_name_is_refused(self) -> None:
        log = self.open_log()
        line = begun(log)
        taken = refusal(NameTaken, lambda: log.begin("ford", notes("again"), AT))
        assert (taken.code, taken.name) == ("log/name-taken", "ford")
        assert isinstance(taken, ValueError)
        assert log.head(line).seq == 1

    def test_battles_are_listed_oldest_first(self) -> None:
        log = self.open_log()
        for battle, at in (("late", 30), ("early", 10), ("middle", 20)):
            log.begin(battle, [Draft(OPENED, "referee")], at)
        assert log.battles() == ["early", "middle", "late"]

    def test_an_unknown_battle_or_line_is_named_with_what_there_is(self) -> None:
        log = self.open_log()
        begun(log, "ford")
        unknown = refusal(BattleUnknown, lambda: log.line("fjord"))
        assert (unknown.code, unknown.battle, unknown.nearest) == ("log/battle-unknown", "fjord", ("ford",))
        assert isinstance(unknown, LookupError)
        absent = refusal(LineUnknown, lambda: log.line("ford", "mian"))
        assert (absent.code, absent.battle, absent.line) == ("log/line-unknown", "ford", "mian")
        assert absent.lines == ("main",)

    def test_a_line_of_another_log_is_refused(self) -> None:
        log = self.open_log()
        begun(log)
        other = MemoryLog()
        begun(other, "elsewhere")
        stranger = replace(begun(other, "ford"), actor="blue")
        refusal(LineUnknown, lambda: log.append(stranger, notes("lost"), 1, AT))
        refusal(LineUnknown, lambda: log.head(stranger))
        assert log.head(log.line("ford")).seq == 1

    def test_a_step_is_read_back_as_it_was_written(self) -> None:
        log = self.open_log()
        line = begun(log)
        answer = log.append(line, notes("one", "two"), 1, AT + 1, Request("key", "content"))
        first, second, third = log.records(line)
        assert (answer.first, answer.last, answer.hash) == (2, 3, third.hash)
        assert first.position < second.position < third.position
        assert first.prev == origin("ford")
        assert (second.battle, second.line, second.seq, second.act) == ("ford", "main", 2, 2)
        assert (second.kind, second.type, second.body) == (
            "table",
            "table.noted",
            '{"type":"table.noted","text":"one"}',
        )
        assert (second.actor, second.at, second.request, second.prev) == ("red", AT + 1, "key", first.hash)
        assert (third.act, third.request, third.prev) == (3, None, second.hash)
        assert check_links(Chain(line), Head(0, origin("ford")), log.records(line)) == log.head(line)

    def test_a_step_that_cannot_be_recorded_leaves_no_trace(self) -> None:
        log = self.open_log()
        line = begun(log)
        head = log.head(line)
        refusal(ValueError, lambda: log.append(line, [], 1, AT, Request("key", "content")))
        refusal(ValueError, lambda: log.append(line, notes("fine", "of a later act", act=3), 1, AT))
        refusal(ValueError, lambda: log.append(line, notes("before the clock"), 1, -1))
        refusal(ValueError, lambda: log.append(line, notes("after the clock"), 1, 2**63))
        refusal(ValueError, lambda: log.append(line, notes("fine", "half a pair \ud800"), 1, AT))
        refusal(ValueError, lambda: log.append(line, notes("fine"), 1, AT, secret="no colon"))
        refusal(ValueError, lambda: log.append(line, notes("fine"), 1, AT, secret=":no commitment"))
        refusal(ValueError, lambda: log.begin("empty", [], AT))
        refusal(ValueError, lambda: log.begin("bad", notes("half a pair \udfff"), AT))
        assert log.head(line) == head
        assert log.battles() == ["ford"]
        assert log.answer("ford", Request("key", "content")) is None
        assert log.append(line, notes("next"), 1, AT).first == 2

    def test_a_stale_append_is_told_what_came_between(self) -> None:
        log = self.open_log()
        line = begun(log)
        log.append(line, notes("one", "two"), 1, AT)
        conflict = refusal(Conflict, lambda: log.append(line, notes("late"), 1, AT))
        assert (conflict.code, conflict.battle, conflict.line) == ("log/conflict", "ford", "main")
        assert (conflict.expected, conflict.actual) == (1, 3)
        assert conflict.between == tuple(log.records(line, 1))
        assert isinstance(conflict, RuntimeError)
        early = refusal(Conflict, lambda: log.append(line, notes("early"), 9, AT))
        assert (early.expected, early.actual, early.between) == (9, 3, ())
        assert texts(log, line) == ["one", "two"]

    def test_every_error_is_of_the_family(self) -> None:
        for kind in (NameTaken, BattleUnknown, LineUnknown, EventUnknown, Conflict, RequestReused, RecordBroken):
            assert issubclass(kind, DiaryError)
            assert kind.code.count("/") == 1

    def test_the_same_request_twice_is_one_step_and_the_same_answer(self) -> None:
        log = self.open_log()
        line = begun(log)
        asked = Request("key", "content")
        first = log.append(line, notes("one", "two"), 1, AT, asked)
        log.append(line, notes("three"), 3, AT)
        again = log.append(line, notes("one", "two"), 1, AT + 5, asked)
        assert again == replace(first, repeated=True)
        assert log.answer("ford", asked) == again
        assert log.head(line).seq == 4

    def test_the_same_key_for_something_else_is_refused(self) -> None:
        log = self.open_log()
        line = begun(log)
        log.append(line, notes("one"), 1, AT, Request("key", "content"))
        reused = refusal(RequestReused, lambda: log.append(line, notes("else"), 2, AT, Request("key", "other")))
        assert (reused.code, reused.battle, reused.key) == ("log/request-reused", "ford", "key")
        assert isinstance(reused, ValueError)
        refusal(RequestReused, lambda: log.answer("ford", Request("key", "other")))
        assert log.head(line).seq == 2

    def test_a_request_key_counts_in_one_battle_and_on_all_its_lines(self) -> None:
        log = self.open_log()
        line, asked = begun(log), Request("key", "content")
        first = log.append(line, notes("one"), 1, AT, asked)
        fork = log.fork(line, "what-if", 1, AT, "red", "", played=False)
        assert log.append(fork, notes("one"), 1, AT, asked) == replace(first, repeated=True)
        other = begun(log, "hill")
        assert log.answer("hill", asked) is None
        assert not log.append(other, notes("one"), 1, AT, asked).repeated

    def test_a_refused_step_does_not_use_its_request_up(self) -> None:
        log = self.open_log()
        line, asked = begun(log), Request("key", "content")
        refusal(Conflict, lambda: log.append(line, notes("stale"), 0, AT, asked))
        assert log.answer("ford", asked) is None
        assert not log.append(line, notes("fresh"), 1, AT, asked).repeated

    def test_what_was_acknowledged_is_there_when_the_log_is_opened_again(self) -> None:
        log = self.open_log()
        main, first, second = branched(log)
        asked = Request("key", "content")
        answer = log.append(second, notes("asked"), 7, AT, asked, "commitment:root")
        log.keep_document(sha256(b"text").hexdigest(), "text")
        record = record_of(log)
        again = self.open_log()
        assert record_of(again) == record
        assert again.lines("ford") == [main, first, second]
        assert again.append(second, notes("asked"), 7, AT, asked) == replace(answer, repeated=True)
        refusal(RequestReused, lambda: again.answer("ford", Request("key", "other")))
        assert (again.secret("commitment"), again.document(sha256(b"text").hexdigest())) == ("root", "text")

    def test_two_handles_on_one_store_see_each_other(self) -> None:
        one, other = self.open_log(), self.open_log()
        line = begun(one)
        assert other.append(other.line("ford"), notes("by the other"), 1, AT).first == 2
        assert refusal(Conflict, lambda: one.append(line, notes("stale"), 1, AT)).actual == 2
        assert one.append(line, notes("fresh"), 2, AT).first == 3
        assert texts(other, line) == ["by the other", "fresh"]
