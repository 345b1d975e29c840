"""Tests of reading: pages, exact texts, documents, secrets and snapshots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256

from events.facts import Noted, RollCalled, Term, Unknown
from events.store.conformance.stage import (
    AT,
    OPENED,
    UNICODE,
    Deferred,
    begun,
    branched,
    notes,
    record_of,
    refusal,
    texts,
)
from events.store.errors import Conflict, DocumentBroken
from events.store.log import PAGE, Log
from events.store.memory import MemoryLog
from events.store.record import Draft, Line, Request, Snapshot, type_of


class Reading(Deferred):
    """What is read is what was written, to the byte."""

    def test_pages_leave_no_hole_and_nothing_twice(self) -> None:
        log = self.open_log()
        line = begun(log, further=2 * PAGE + 2)
        fork = log.fork(line, "fork", PAGE + 1, AT, "red", "", played=True)
        log.append(fork, notes(*("x" * PAGE)), PAGE + 1, AT)
        total = 2 * PAGE + 3
        edges = (0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, total - 1, total, total + 5)
        for after in edges:
            for upto in (*edges, None):
                last = total if upto is None else min(upto, total)
                assert [record.seq for record in log.records(line, after, upto)] == list(range(after + 1, last + 1))
                assert sum(map(len, log.bodies(line, after, upto))) == max(0, last - after)
        assert [record.seq for record in log.records(fork)] == list(range(1, 2 * PAGE + 2))
        assert all(log.bodies(line)), "a page is never empty"

    def test_a_reader_sees_the_line_as_it_was_when_it_began(self) -> None:
        log = self.open_log()
        line = begun(log, further=PAGE + 10)
        length = PAGE + 11
        for read in (self._seqs, self._counted):
            reader = read(log, line)
            seen = [next(reader)]
            grown = log.append(line, notes("meanwhile"), log.head(line).seq, AT).last
            seen += reader
            assert seen == list(range(1, length + 1))
            assert log.head(line).seq == grown
            length = grown

    def _seqs(self, log: Log, line: Line) -> Iterator[int]:
        return (record.seq for record in log.records(line))

    def _counted(self, log: Log, line: Line) -> Iterator[int]:
        pages = log.bodies(line)
        return (seq for seq, _ in enumerate((body for page in pages for body in page), 1))

    def test_nothing_is_held_while_the_caller_looks_at_a_page(self) -> None:
        log, other = self.open_log(), self.open_log()
        line = begun(log, further=3 * PAGE)
        readers: Sequence[Iterator[object]] = (log.records(line), log.bodies(line), other.records(line))
        for reader in readers:
            next(reader)
        for number in range(3):
            log.append(line, notes(f"log {number}"), log.head(line).seq, AT)
            other.append(line, notes(f"other {number}"), other.head(line).seq, AT)
        log.fork(line, "fork", 5, AT, "red", "", played=False)
        assert [sum(1 for _ in reader) for reader in readers] == [3 * PAGE, 3, 3 * PAGE]

    def test_a_document_is_kept_once_under_its_digest(self) -> None:
        log = self.open_log()
        text = "a table\n" * 3 + UNICODE[0]
        digest = sha256(text.encode()).hexdigest()
        assert log.document(digest) is None
        log.keep_document(digest, text)
        log.keep_document(digest, text)
        assert log.document(digest) == text
        broken = refusal(DocumentBroken, lambda: log.keep_document(digest, text + "!"))
        assert (broken.code, broken.digest) == ("log/document", digest)
        assert log.document(digest) == text

    def test_the_vault_gives_each_secret_back_and_shows_none_in_the_record(self) -> None:
        log = self.open_log()
        log.begin("ford", [Draft(OPENED, "referee")], AT, "c1:root one")
        line = log.line("ford")
        log.append(line, notes("more"), 1, AT, None, "c2:root: two\nc3:root three")
        assert [log.secret(c) for c in ("c1", "c2", "c3", "c4")] == ["root one", "root: two", "root three", None]
        refusal(Conflict, lambda: log.append(line, notes("stale"), 1, AT, None, "c4:root four"))
        assert log.secret("c4") is None
        log.append(line, notes("again"), 2, AT, None, "c1:root one")
        assert "root" not in repr(record_of(log))

    def test_the_latest_snapshot_that_fits_is_found(self) -> None:
        log = self.open_log()
        line = begun(log, further=9)
        hashes = {record.seq: record.hash for record in log.records(line)}
        for seq in (3, 6, 9):
            log.save_snapshot(line, Snapshot(seq, hashes[seq], "f", f"state {seq}"))
        found = [log.snapshot(line, upto, "f") for upto in range(12)]
        assert [each.seq if each else 0 for each in found] == [0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9]
        assert found[5] == Snapshot(3, hashes[3], "f", "state 3")
        log.save_snapshot(line, Snapshot(6, hashes[6], "f", "state 6 anew"))
        assert log.snapshot(line, 8, "f") == Snapshot(6, hashes[6], "f", "state 6 anew")

    def test_a_stale_or_wrong_snapshot_is_passed_over(self) -> None:
        log = self.open_log()
        line = begun(log, further=9)
        hashes = {record.seq: record.hash for record in log.records(line)}
        log.save_snapshot(line, Snapshot(2, hashes[2], "new", "good"))
        log.save_snapshot(line, Snapshot(4, hashes[4], "old", "by older code"))
        log.save_snapshot(line, Snapshot(6, hashes[5], "new", "on another event"))
        log.save_snapshot(line, Snapshot(99, hashes[9], "new", "beyond the end"))
        assert log.snapshot(line, 200, "new") == Snapshot(2, hashes[2], "new", "good")
        assert log.snapshot(line, 10, "newer") is None

    def test_lines_share_the_snapshots_of_what_they_share_and_no_more(self) -> None:
        log = self.open_log()
        main, first, second = branched(log)
        hashes = {record.seq: record.hash for record in log.records(second)}
        log.save_snapshot(second, Snapshot(3, hashes[3], "f", "shared by all"))
        assert [log.snapshot(line, 9, "f") for line in (main, first, second)] == [
            Snapshot(3, hashes[3], "f", "shared by all")
        ] * 3
        log.save_snapshot(second, Snapshot(6, hashes[6], "f", "shared by two"))
        log.save_snapshot(main, Snapshot(6, log.head(main).hash, "f", "main's own"))
        log.save_snapshot(first, Snapshot(7, log.head(first).hash, "f", "first's own"))
        found = [log.snapshot(line, 9, "f") for line in (main, first, second)]
        assert [each and each.state for each in found] == ["main's own", "first's own", "shared by two"]

    def test_snapshots_are_cleared_battle_by_battle(self) -> None:
        log = self.open_log()
        _, first, _ = branched(log)
        hill = begun(log, "hill")
        for line in (first, hill):
            for record in log.records(line):
                log.save_snapshot(line, Snapshot(record.seq, record.hash, "f", ""))
        assert log.clear_snapshots("ford") == 7
        assert (log.clear_snapshots("ford"), log.clear_snapshots("nowhere")) == (0, 0)
        assert log.snapshot(first, 9, "f") is None
        assert log.snapshot(hill, 9, "f") is not None

    def test_any_text_comes_back_as_it_was(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        names = [text for text in UNICODE if text.isprintable() and text]
        for text in names:
            log.begin(text, [Draft(OPENED, text)], AT)
            line = log.line(text)
            log.append(line, [Draft(Noted(each), text) for each in UNICODE], 1, AT, Request(text, text))
            fork = log.fork(line, text, 2, AT, text, text, played=False)
            log.append(fork, notes(text), 2, AT)
            records = list(log.records(line))
            assert [record.actor for record in records] == [text] * (len(UNICODE) + 1)
            assert texts(log, line) == [json.dumps(each, ensure_ascii=False)[1:-1] for each in UNICODE]
            assert [record.request for record in records[:2]] == [None, text]
            assert log.lines(text) == [line, fork]
            assert log.line(text, text).why == text
            assert other.restore(text, *record_of(log, text)) == len(UNICODE) + 2
        assert log.battles() == other.battles() == names

    def test_a_type_that_nobody_knows_is_kept_as_it_came(self) -> None:
        log = self.open_log()
        line = begun(log)
        body = '{"rare":[1,2.50,{"b":1,"a":2}],"type":"tomorrow.storm@3","again":"\\u00e9"}'
        log.append(line, [Draft(Unknown("tomorrow.storm@3", body), "red")], 1, AT)
        (kept,) = log.records(line, 1)
        assert (kept.body, kept.type, type_of(kept.body)) == (body, "tomorrow.storm@3", "tomorrow.storm@3")

    def test_every_store_gives_the_same_events_the_same_hashes(self) -> None:
        log, reference = self.open_log(), MemoryLog()
        call = RollCalled(
            "k", "to hit", "red", "ann", "1d100", "at_most", 45, terms=(Term("base", 60), Term("dark", -15))
        )
        for store in (log, reference):
            main, first, second = branched(store)
            store.append(main, [Draft(call, "engine"), *notes(*UNICODE, act=7)], 6, AT + 1, Request("key", "content"))
            store.append(second, notes("last"), 7, AT + 2)
            store.append(first, notes("last"), 7, AT + 3)
        assert record_of(log)[1] == record_of(reference)[1]
