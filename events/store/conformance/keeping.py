"""Tests of what callers need beside the record: messages on their way out, closing, health, names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

from msgspec.structs import replace

from events.store.conformance.stage import AT, OPENED, Deferred, begun, branched, notes, record_of, refusal
from events.store.errors import BattleUnknown, DocumentBroken, LogClosed, NameInvalid, RecordBroken
from events.store.outbox import Outbox, Parcel
from events.store.record import Draft, Recorded, Request

STALE = 600


def put(box: Outbox, key: str, recipient: str = "ann", battle: str = "ford", at: int = AT) -> bool:
    """Put a message in whose text is its key."""
    return box.put(battle, recipient, key, f"about {key}", key, "", at)


def keys(parcels: list[Parcel]) -> list[list[str]]:
    """Return what is in parcels."""
    return [[each.key for each in parcel.messages] for parcel in parcels]


class Keeping(Deferred):
    """The outbox, closing, health, names, documents that come with a battle."""

    def _box(self) -> Outbox:
        log = self.open_log()
        begun(log)
        begun(log, "hill")
        return log.outbox()

    def test_a_message_is_put_in_once_for_each_key_and_recipient(self) -> None:
        box = self._box()
        assert [put(box, "a"), put(box, "a"), put(box, "b"), put(box, "a", "bob"), put(box, "a", battle="hill")] == [
            True, False, True, True, True,
        ]  # fmt: skip
        assert [(each.id, each.key, each.state) for each in box.messages("ford")] == [
            (1, "a", "pending"), (2, "b", "pending"), (3, "a", "pending"),
        ]  # fmt: skip
        assert [each.battle for each in box.messages(state="pending")] == ["ford"] * 3 + ["hill"]
        assert (box.messages("valley"), box.messages(state="sent")) == ([], [])
        assert refusal(BattleUnknown, lambda: put(box, "a", battle="valley")).battle == "valley"

    def test_what_is_due_for_a_recipient_goes_out_together_battle_by_battle(self) -> None:
        box = self._box()
        for key, recipient, battle in (("a", "ann", "ford"), ("b", "bob", "ford"), ("c", "ann", "hill")):
            put(box, key, recipient, battle)
        put(box, "d")
        assert keys(box.take("ann", AT, STALE, "hill")) == [["c"]]
        assert keys(box.take("ann", AT, STALE)) == [["a", "d"]]
        assert box.take("ann", AT, STALE) == []

    def test_a_parcel_that_nobody_marked_comes_out_again_as_it_was(self) -> None:
        box = self._box()
        put(box, "a")
        (first,) = box.take("ann", AT, STALE)
        put(box, "b")
        assert keys(box.take("ann", AT + STALE - 1, STALE)) == [["b"]]
        (again,) = box.take("ann", AT + STALE, STALE)
        assert (again.name, again.kept, first.kept, keys([again])) == (first.name, True, False, [["a"]])

    def test_what_did_not_go_out_waits_and_then_goes_with_what_came_since(self) -> None:
        box = self._box()
        put(box, "a")
        (parcel,) = box.take("ann", AT, STALE)
        box.put_back(parcel, "down", AT + 100)
        put(box, "b")
        assert box.take("ann", AT + 99, STALE) == []
        (both,) = box.take("ann", AT + 100, STALE)
        assert (keys([both]), both.tries, both.kept) == ([["a", "b"]], 1, False)
        assert box.messages()[0].problem == "down"

    def test_what_may_have_gone_out_stays_the_parcel_that_it_is(self) -> None:
        box = self._box()
        put(box, "a")
        (parcel,) = box.take("ann", AT, STALE)
        box.put_back(parcel, "broke off", AT, unsure=True)
        put(box, "b")
        one, other = box.take("ann", AT, STALE)
        assert (one.name, one.kept, keys([one, other])) == (parcel.name, True, [["a"], ["b"]])
        box.part_sent(other, 1)
        box.put_back(other, "broke off", AT)
        assert [each.parts_sent for each in box.take("ann", AT, STALE) if each.name == other.name] == [1]

    def test_messages_are_sent_or_fail_and_can_be_tried_again(self) -> None:
        box = self._box()
        put(box, "a")
        put(box, "b", "bob")
        (ours,), (theirs,) = box.take("ann", AT, STALE), box.take("bob", AT, STALE)
        box.sent(ours, AT + 5)
        box.failed(theirs, "no such address")
        sent, failed = box.messages()
        assert (sent.state, sent.sent_at, sent.tries, sent.problem) == ("sent", AT + 5, 1, "")
        assert (failed.state, failed.problem, failed.claimed_at) == ("failed", "no such address", None)
        assert (box.retry("hill"), box.retry("ford"), box.messages()[0].state) == (0, 1, "sent")
        assert [each.tries for each in box.messages(state="pending")] == [0]

    def test_messages_are_no_part_of_the_record(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        begun(log)
        before = record_of(log)
        put(log.outbox(), "a")
        assert record_of(log) == before
        other.restore("ford", *before)
        assert other.outbox().messages() == []

    def test_a_log_that_was_closed_says_so(self) -> None:
        log = self.open_log()
        line = begun(log)
        log.close()
        log.close()
        acts: tuple[Callable[[], object], ...] = (
            log.battles, lambda: log.head(line), lambda: log.append(line, notes("x"), 1, AT), log.outbox,
            lambda: log.document("d"), lambda: log.secret("c"), log.health,
        )  # fmt: skip
        for act in acts:
            assert refusal(LogClosed, act).store == log.name
        with self.open_log("second") as other:
            assert (other.battles(), other.warning) == ([], "")
        refusal(LogClosed, other.battles)

    def test_a_store_says_how_much_it_holds(self) -> None:
        log = self.open_log()
        branched(log)
        found = log.health()
        assert (found.integrity, found.problem, found.battles, found.snapshots) == ("ok", "", 1, 0)
        assert found.events == len(record_of(log)[1])
        assert found.durability
        assert found.software
        assert log.name

    def test_names_with_control_characters_are_refused_and_leave_no_trace(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        line = begun(log)
        for bad in ("a\tb", "nul\0", "\x7f", "\x85", "two\nlines"):
            acts: dict[str, Callable[[], object]] = {
                "battle": lambda: log.begin(bad, [Draft(OPENED, "referee")], AT),  # noqa: B023
                "line": lambda: log.fork(line, bad, 1, AT, "red", "", played=False),  # noqa: B023
                "actor": lambda: log.append(line, notes("x", actor=bad), 1, AT),  # noqa: B023
                "request": lambda: log.append(line, notes("x"), 1, AT, Request(bad, "content")),  # noqa: B023
            }
            for what, act in acts.items():
                refused = refusal(NameInvalid, act)
                assert (refused.code, refused.what, refused.name) == ("log/name-invalid", what, bad)
                assert isinstance(refused, ValueError)
        assert (log.battles(), log.lines("ford"), log.head(line).seq) == (["ford"], [line], 1)
        _, records = record_of(log)
        bad_battle = [replace(line, battle="a\tb")]
        assert refusal(RecordBroken, lambda: other.restore("a\tb", bad_battle, records)).seq == 0
        assert other.battles() == []

    def test_documents_come_with_a_battle_or_not_at_all(self) -> None:
        log, other = self.open_log(), self.open_log("second")
        begun(log, further=3)
        lines, records = record_of(log)
        digest = sha256(b"tables").hexdigest()
        refusal(DocumentBroken, lambda: other.restore("ford", lines, records, {digest: "Tables"}))
        refusal(RecordBroken, lambda: other.restore("ford", lines, records[:-2] + records[-1:], {digest: "tables"}))
        assert (other.battles(), other.document(digest)) == ([], None)
        other.restore("ford", lines, records, {digest: "tables"})
        assert (other.battles(), other.document(digest)) == (["ford"], "tables")

    def test_others_write_while_the_records_of_a_takeover_come_in(self) -> None:
        log, other, again = self.open_log(), self.open_log("second"), self.open_log("second")
        begun(log, further=3)
        begun(other, "hill")
        lines, records = record_of(log)

        def slow() -> Iterator[Recorded]:
            for record in records:
                again.append(again.line("hill"), notes("meanwhile"), again.head(again.line("hill")).seq, AT)
                yield record

        assert other.restore("ford", lines, slow()) == 4
        assert again.head(again.line("hill")).seq == 5
