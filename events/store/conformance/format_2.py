"""Tests of record format 2: salted leaves, a number of its own for every event, copies that prove themselves."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from events.facts import Noted
from events.store.conformance.stage import AT, OPENED, Deferred, begun, notes, record_of, refusal, texts
from events.store.errors import Conflict, LogUnusable, RecordBroken, RequestReused
from events.store.leaves import battle_start, line_start
from events.store.log import Log, check_line, origin_of
from events.store.memory import MemoryLog
from events.store.record import Closing, Draft, Head, Line, Recorded, Request, Snapshot, line_text
from events.store.sealing import hide

ROOT = "00112233445566778899aabbccddeeff" * 2


def sealed(log: Log, battle: str = "ford", further: int = 0) -> Line:
    """Begin a battle of record format 2 with 1 + `further` events."""
    log.begin(battle, [Draft(OPENED, "referee")], AT, salt_root=ROOT)
    line = log.line(battle)
    if further:
        log.append(line, notes(*map(str, range(2, further + 2))), 1, AT)
    return line


def forked(log: Log) -> tuple[Line, Line, Line]:
    """Begin a battle with a line that forks from `main` after 4 and one that forks from that after 6."""
    main = sealed(log, further=5)
    made = notes("first 5", "first 6", "first 7")
    first = log.fork(main, "first", 4, AT, "referee", "what if", played=False, drafts=made)
    second = log.fork(first, "second", 6, AT, "red", "and then", played=True, drafts=notes("second 7"))
    return main, first, second


class FormatTwo(Deferred):
    """What format 2 promises of every store."""

    def test_a_line_is_what_its_text_says_and_is_hashed_so(self) -> None:
        main, first, _ = forked(self.open_log())
        assert main.text == line_text(main)
        assert first.text == line_text(first)
        assert origin_of(main) == battle_start("ford")

    def test_events_are_numbered_over_all_lines_without_a_gap(self) -> None:
        log = self.open_log()
        forked(log)
        begun(log, "another", further=2)
        assert sorted(record.position for record in record_of(log)[1]) == list(range(1, 11))

    def test_a_step_is_read_back_whole_and_follows_its_chain(self) -> None:
        log = self.open_log()
        main = sealed(log)
        draft = Draft(Noted("hush"), "red", seat="blue", commitment="c0", signature="51")
        done = log.append(main, [draft, *notes("aloud", act=2)], 1, AT + 1)
        second, third = log.records(main, 1)
        assert (second.actor, second.at, second.act, second.kind) == ("red", AT + 1, 2, "table")
        assert second.header == (
            f'{{"act":2,"actor":"red","at":{AT + 1},"seat":"blue","type":"table.noted",'
            '"commitment":"c0","signature":"51"}'
        )
        assert (third.hash, third.act) == (done.hash, 2)
        assert check_line(main, Head(0, origin_of(main)), log.records(main)) == log.head(main) == Head(3, done.hash)

    def test_lines_are_read_across_their_forks(self) -> None:
        log = self.open_log()
        main, first, second = forked(log)
        assert texts(log, second) == ["2", "3", "4", "first 5", "first 6", "second 7"]
        assert [record.line for record in log.records(second)] == ["main"] * 4 + ["first"] * 2 + ["second"]
        for after in range(8):
            for upto in range(9):
                window = [record.seq for record in log.records(second, after, upto)]
                assert window == list(range(after + 1, min(upto, 7) + 1))
        assert check_line(first, Head(4, list(log.records(main))[3].hash), log.records(first, 4)) == log.head(first)

    def test_every_line_has_an_event_of_its_own(self) -> None:
        log = self.open_log()
        main = sealed(log, further=2)
        refusal(ValueError, lambda: log.fork(main, "empty", 2, AT, "red", "", played=False))
        assert [line.name for line in log.lines("ford")] == ["main"]

    def test_two_writers_do_not_lose_each_other(self) -> None:
        log = self.open_log()
        main = sealed(log, further=1)
        log.append(main, notes("one"), 2, AT)
        conflict = refusal(Conflict, lambda: log.append(main, notes("two"), 2, AT))
        assert [record.body for record in conflict.between] == ['{"type":"table.noted","text":"one"}']

    def test_a_request_is_answered_once(self) -> None:
        log = self.open_log()
        main = sealed(log)
        done = log.append(main, notes("one"), 1, AT, Request("key", "content"))
        again = log.append(main, notes("one"), 1, AT, Request("key", "content"))
        assert (again.first, again.hash, again.repeated) == (done.first, done.hash, True)
        refusal(RequestReused, lambda: log.append(main, notes("two"), 2, AT, Request("key", "other")))

    def test_a_snapshot_serves_the_lines_that_share_its_event(self) -> None:
        log = self.open_log()
        main, first, _ = forked(log)
        fourth = list(log.records(main))[3]
        log.save_snapshot(first, Snapshot(4, fourth.hash, "f", "state"))
        log.save_snapshot(main, Snapshot(6, "another hash", "f", "state"))
        assert log.snapshot(main, 6, "f") == log.snapshot(first, 7, "f") == Snapshot(4, fourth.hash, "f", "state")

    def test_a_battle_taken_over_is_the_same_battle_and_is_sealed_on_under_salts_of_its_own(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        main, *_ = forked(log)
        lines, records = record_of(log)
        records.sort(key=lambda record: record.position)
        assert other.restore("ford", lines, iter(records)) == len(records)
        assert sorted(record_of(other)[1], key=lambda record: record.position) == records
        taken = other.line("ford")
        refusal(LogUnusable, lambda: other.append(taken, notes("on"), 6, AT))
        other.append(taken, notes("on"), 6, AT, secret=f"salts/ford:{'ab' * 32}")
        log.append(main, notes("on"), 6, AT)
        ours, theirs = list(log.records(main))[-1], list(other.records(taken))[-1]
        assert (ours.body, ours.position) == (theirs.body, theirs.position)
        assert ours.salts != theirs.salts

    def test_a_copy_that_hides_bodies_or_headers_has_the_true_heads(self) -> None:
        log, other, third = self.open_log(), self.open_log("second"), self.open_log("third")
        forked(log)
        lines, records = record_of(log)
        for store, header in ((other, False), (third, True)):
            copy = [hide(record, header=header) if record.seq % 2 else record for record in records]
            store.restore("ford", lines, copy)
            assert [store.head(store.line("ford", line.name)) for line in lines] == [log.head(line) for line in lines]
            shown = [record.body for record in store.records(store.line("ford"))]
            assert shown[1::2] == [record.body for record in records if record.line == "main" and not record.seq % 2]
            assert {"order.withheld" in body for body in shown[::2]} == {True}

    def test_the_first_event_that_was_changed_is_named_and_nothing_is_taken_over(self) -> None:
        source, log = MemoryLog(), self.open_log()
        main = sealed(source)
        for seq in range(1, 10):
            source.append(main, notes(f"text {seq}"), seq, AT)
        lines, records = record_of(source)
        for seq in (1, 5, 10):
            for name, change in CHANGES.items():
                changed = replace(records[seq - 1], **{name: change(getattr(records[seq - 1], name))})
                bad = [*records[: seq - 1], changed, *records[seq:]]
                broken = self._refused(log, lines, bad)
                assert (broken.line, broken.seq) == ("main", seq), (name, broken)
        assert self._refused(log, lines, [*records[:4], *records[5:]]).seq == 5
        assert self._refused(log, [replace(main, text=main.text.replace("played", "Played"))], records).seq == 0
        assert log.restore("ford", lines, records) == 10

    def _refused(self, log: Log, lines: list[Line], records: list[Recorded]) -> RecordBroken:
        broken = refusal(RecordBroken, lambda: log.restore("ford", lines, records))
        assert log.battles() == []
        return broken

    def test_an_older_battle_goes_on_in_format_2_on_a_line_of_its_own(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        old = begun(log, further=3)
        closing = Closing(old, tuple(notes("closed")), 4)
        new = log.fork(
            old, "next", 4, AT, "referee", "upgrade", played=True, drafts=notes("on"), closing=closing, salt_root=ROOT
        )
        assert (old.text, new.text) == ("", line_text(new))
        assert [(record.format, record.seq) for record in log.records(new)] == [(1, n) for n in range(1, 5)] + [(2, 5)]
        assert log.head(old).seq == 5
        (first,) = log.records(new, 4)
        assert first.position == 6  # after the four that both share and the one that closes the older line
        lines, records = record_of(log)
        assert other.restore("ford", lines, records) == 6
        assert other.head(other.line("ford", "next")) == log.head(new)
        fourth = list(log.records(old))[3].hash
        assert check_line(new, Head(4, fourth), [first]) == log.head(new)
        assert line_start(fourth, new.text) != line_start(battle_start("ford"), new.text)

    def test_every_store_gives_the_same_events_the_same_hashes_and_salts(self) -> None:
        log, reference = self.open_log(), MemoryLog()
        for store in (log, reference):
            main, _, second = forked(store)
            store.append(main, notes("Füßé ⚔"), 6, AT + 1)
            store.append(second, notes("last"), 7, AT + 2)
        assert record_of(log)[1] == record_of(reference)[1]


CHANGES: dict[str, Callable[[str], object]] = {
    "position": lambda n: int(n) + 1,
    "battle": lambda battle: "hill",
    "line": lambda line: "other",
    "seq": lambda seq: int(seq) + 1,
    "kind": lambda kind: "ruling",
    "body": lambda body: f"{body[:-2]}!{body[-2:]}",
    "header": lambda header: header.replace('"at":1', '"at":2'),
    "act": lambda act: int(act) - 1 or 2,
    "actor": lambda actor: actor + "x",
    "at": lambda at: int(at) + 1,
    "salts": lambda salts: salts[:-1] + ("0" if salts[-1] != "0" else "1"),
    "hash": lambda this: this[:-1] + ("0" if this[-1] != "0" else "1"),
}
"""A change to each field of a recorded event that taking over must find."""
