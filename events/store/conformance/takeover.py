"""Tests of taking over a battle that was recorded elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from events.store.conformance.stage import (
    AT,
    CHANGES,
    Deferred,
    begun,
    branched,
    notes,
    rechained,
    record_of,
    record_of_forty,
    refusal,
)
from events.store.errors import NameTaken, RecordBroken, RequestReused
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Line, Recorded, Request


class TakingOver(Deferred):
    """A record is taken over as it stands, or refused with the first event that does not hold."""

    def test_a_battle_taken_over_is_the_same_battle(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        begun(other, "another", further=3)
        branched(log)
        lines, records = record_of(log)
        assert other.restore("ford", lines, iter(records)) == len(records)
        unplaced = [replace(record, position=0) for record in records]
        assert [replace(record, position=0) for record in record_of(other)[1]] == unplaced
        assert [replace(line, id=0) for line in other.lines("ford")] == [replace(line, id=0) for line in lines]
        for ours, theirs in zip(lines, other.lines("ford"), strict=True):
            assert other.head(theirs) == log.head(ours)
            assert other.append(theirs, notes("on"), other.head(theirs).seq, AT) == log.append(
                ours, notes("on"), log.head(ours).seq, AT
            )

    def test_a_battle_is_taken_over_in_the_order_in_which_it_was_played_too(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        main, first, second = branched(log)
        for line in (main, second, first, main):
            log.append(line, notes("more"), log.head(line).seq, AT)
        lines, records = record_of(log)
        records.sort(key=lambda record: record.position)
        assert other.restore("ford", lines, records) == len(records)
        for line in log.lines("ford"):
            assert other.head(other.line("ford", line.name)) == log.head(line)

    def test_a_line_that_forks_within_the_part_that_its_parent_shares_is_taken_over(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        _, _, second = branched(log)
        for after in (1, 4, 5, 6, 7):
            fork = log.fork(second, f"from {after}", after, AT, "red", "", played=False)
            if after % 2:
                log.append(fork, notes("own"), after, AT)
        other.restore("ford", *record_of(log))
        for line in log.lines("ford"):
            assert other.head(other.line("ford", line.name)) == log.head(line)

    def test_request_keys_of_a_battle_taken_over_count_as_used(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        line = begun(log)
        log.append(line, notes("one", "two"), 1, AT, Request("key", "content"))
        other.restore("ford", *record_of(log))
        taken = other.line("ford")
        refusal(RequestReused, lambda: other.append(taken, notes("one"), 1, AT, Request("key", "content")))
        assert not other.append(taken, notes("three"), 3, AT, Request("new", "content")).repeated

    def test_a_battle_that_is_here_already_is_not_taken_over(self) -> None:
        log = self.open_log()
        begun(log, further=2)
        assert refusal(NameTaken, lambda: log.restore("ford", *record_of(log))).name == "ford"

    def test_the_first_event_that_was_changed_is_named_and_nothing_is_taken_over(self) -> None:
        log, (lines, records) = self.open_log(), record_of_forty()
        for seq in (1, 2, 20, 40):
            for name, change in CHANGES.items():
                bad = list(records)
                bad[seq - 1] = replace(bad[seq - 1], **{name: change(getattr(bad[seq - 1], name))})
                broken = self._refused(log, lines, bad)
                assert (broken.code, broken.seq) == ("log/tampered", seq), (name, broken)
        for seq in (1, 20, 39):
            gone, next_one = records[seq - 1], records[seq]
            assert self._refused(log, lines, [r for r in records if r is not gone]).seq == seq
            swapped = [*records[: seq - 1], next_one, gone, *records[seq + 1 :]]
            assert self._refused(log, lines, swapped).seq == seq
            assert self._refused(log, lines, [*records[:seq], *records[seq - 1 :]]).seq == seq + 1
        assert log.restore("ford", lines, records) == 40

    def _refused(self, log: Log, lines: Sequence[Line], records: Sequence[Recorded]) -> RecordBroken:
        broken = refusal(RecordBroken, lambda: log.restore("ford", lines, records))
        assert isinstance(broken, ValueError)
        assert log.battles() == []
        return broken

    def test_an_event_that_no_log_would_have_taken_is_refused_though_its_hash_is_right(self) -> None:
        log, (lines, records) = self.open_log(), record_of_forty()
        for changes in (
            {"kind": "nonsense"},
            {"act": 31},
            {"act": 0},
            {"at": -1},
            {"at": 2**63},
            {"body": "not JSON"},
            {"body": "[1]"},
            {"body": '{"text":"no type"}'},
            {"request": "key 1"},
        ):
            forged = [*records[:29], replace(records[29], **changes), *records[30:]]
            broken = self._refused(log, lines, rechained(lines[0], forged))
            assert (broken.line, broken.seq) == ("main", 30), (changes, broken)
            twice = rechained(lines[0], forged)
            twice[35] = replace(twice[35], actor="blue")
            assert self._refused(log, lines, twice).seq == 30

    def test_lines_that_make_no_battle_are_refused(self) -> None:
        log, source = self.open_log(), MemoryLog()
        branched(source)
        (main, first, second), records = record_of(source)
        events = {
            line.name: [record for record in records if record.line == line.name] for line in (main, first, second)
        }
        for lines in (
            [],
            [first, main, second],
            [main, second, first],
            [main, first, first],
            [main, first, replace(second, parent="third")],
            [replace(main, battle="hill"), first, second],
            [main, replace(first, after=0), second],
            [replace(main, name="Main"), first, second],
        ):
            assert self._refused(log, lines, records).seq == 0
        assert self._refused(log, [main, first, second], []).seq == 1
        short = self._refused(log, [main, first, second], events["main"][:3])
        assert (short.line, short.seq) == ("main", 4)
        early = self._refused(log, [main, first, second], [*events["main"], *events["second"], *events["first"]])
        assert (early.line, early.seq) == ("second", 7)
        assert self._refused(log, [main, first], records).line == "second"

    def test_what_makes_a_line_what_it_is_cannot_be_changed(self) -> None:
        log, source = self.open_log(), MemoryLog()
        branched(source)
        (main, first, second), records = record_of(source)
        for changes in ({"played": True}, {"why": "because"}, {"actor": "blue"}, {"at": 5}, {"after": 3}):
            broken = self._refused(log, [main, replace(first, **changes), second], records)
            assert (broken.line, broken.seq) == ("first", 4 if "after" in changes else 5), (changes, broken)

    def test_an_interrupted_takeover_leaves_no_trace(self) -> None:
        log, (lines, records) = self.open_log(), record_of_forty()

        def torn() -> Iterator[Recorded]:
            yield from records[:30]
            raise EOFError("the file ends here")

        refusal(EOFError, lambda: log.restore("ford", lines, torn()))
        assert log.battles() == []
        assert log.restore("ford", lines, records) == 40
