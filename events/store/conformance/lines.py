"""Tests of lines: forks by reference, read across."""

from __future__ import annotations

from msgspec.structs import replace

from events.store.conformance.stage import AT, Deferred, begun, branched, notes, refusal, texts
from events.store.errors import Conflict, EventUnknown, NameTaken
from events.store.record import Closing, Head


class Lines(Deferred):
    """A fork shares its past with its parent and changes nothing of it."""

    def test_a_fork_shares_what_came_before_and_changes_nothing_of_it(self) -> None:
        log = self.open_log()
        main = begun(log, further=5)
        before, head = list(log.records(main)), log.head(main)
        fork = log.fork(main, "what-if", 4, AT, "red", "try it", played=False)
        assert (fork.parent, fork.after, fork.played, fork.why) == ("main", 4, False, "try it")
        assert log.head(fork) == Head(4, before[3].hash)
        assert list(log.records(fork)) == before[:4]
        log.append(fork, notes("other 5"), 4, AT)
        assert texts(log, fork) == ["2", "3", "4", "other 5"]
        assert (list(log.records(main)), log.head(main)) == (before, head)
        assert list(log.records(fork))[4].prev == before[3].hash

    def test_forks_of_forks_are_read_across(self) -> None:
        log = self.open_log()
        main, _, second = branched(log)
        assert texts(log, second) == ["2", "3", "4", "first 5", "first 6", "second 7"]
        assert [record.line for record in log.records(second)] == ["main"] * 4 + ["first"] * 2 + ["second"]
        assert [record.seq for record in log.records(second)] == list(range(1, 8))
        for after in range(8):
            for upto in range(9):
                window = [record.seq for record in log.records(second, after, upto)]
                assert window == list(range(after + 1, min(upto, 7) + 1))
        assert texts(log, main) == ["2", "3", "4", "5", "6"]

    def test_a_line_may_fork_within_the_part_that_its_parent_shares(self) -> None:
        log = self.open_log()
        _, first, second = branched(log)
        for after in range(1, 8):
            fork = log.fork(second, f"from {after}", after, AT, "red", "", played=False)
            shared = list(log.records(second, 0, after))
            assert log.head(fork) == Head(after, shared[-1].hash)
            log.append(fork, notes("own"), after, AT)
            assert list(log.records(fork))[:-1] == shared
        empty = log.fork(
            log.fork(first, "empty", 7, AT, "red", "", played=False), "child", 7, AT, "red", "", played=True
        )
        assert log.head(empty) == log.head(first)

    def test_a_fork_needs_an_event_to_fork_from_and_a_name_of_its_own(self) -> None:
        log = self.open_log()
        main = begun(log, further=2)
        for after in (0, -1, 4):
            unknown = refusal(EventUnknown, lambda: log.fork(main, "x", after, AT, "red", "", played=False))  # noqa: B023
            assert (unknown.code, unknown.battle, unknown.line) == ("log/event-unknown", "ford", "main")
            assert (unknown.seq, unknown.head) == (after, 3)
            assert isinstance(unknown, ValueError)
        taken = refusal(NameTaken, lambda: log.fork(main, "main", 2, AT, "red", "", played=False))
        assert taken.name == "main"
        assert log.lines("ford") == [main]

    def test_a_fork_comes_with_its_first_step_and_the_end_of_another_line_or_not_at_all(self) -> None:
        log = self.open_log()
        main = begun(log, further=2)
        stale = Closing(main, tuple(notes("closed")), 2)
        conflict = refusal(
            Conflict, lambda: log.fork(main, "new", 2, AT, "red", "", played=True, drafts=notes("a"), closing=stale)
        )
        assert (conflict.expected, conflict.actual) == (2, 3)
        good, bad, fresh = notes("a"), notes("half a pair \ud800"), Closing(main, tuple(notes("closed")), 3)
        for drafts, secret, closing in (
            (bad, "", None),
            (good, "no colon", fresh),
            (good, "", replace(fresh, drafts=tuple(bad))),
            (good, "", replace(fresh, drafts=())),
        ):
            refusal(
                ValueError,
                lambda: log.fork(
                    main, "new", 2, AT, "red", "", played=True,
                    drafts=drafts, secret=secret, closing=closing,  # noqa: B023
                ),
            )  # fmt: skip
        assert (log.lines("ford"), log.head(main).seq) == ([main], 3)
        new = log.fork(
            main, "new", 2, AT, "red", "", played=True, drafts=notes("first", "step"), secret="c:r",
            closing=Closing(main, tuple(notes("closed")), 3),
        )  # fmt: skip
        assert texts(log, new) == ["2", "first", "step"]
        assert texts(log, main) == ["2", "3", "closed"]
        assert log.secret("c") == "r"
