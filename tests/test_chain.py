"""The chain: its format can be worked out by anybody, and no change of a record escapes it."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.store.chain import Chain, field, origin, place
from events.store.conformance.stage import AT, CHANGES, begun, branched, notes, refusal
from events.store.errors import RecordBroken
from events.store.log import check_link, check_links
from events.store.memory import MemoryLog
from events.store.record import Head, Line, Recorded, Request
from events.store.schema import guards
from events.store.sqlite import SqliteLog

LINE = Line(7, "Førde", "what-if", "main", 4, False, "røde", 1_790_000_000_000_000, "2 — why: not?")


def by_hand(*parts: str | bytes) -> str:
    """SHA-256 over bytes written out here, with nothing of the product."""
    return hashlib.sha256(b"".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()


def test_the_first_event_is_chained_to_a_digest_of_the_battle() -> None:
    assert origin("ford") == by_hand(b"\0", "wardiary/1,4:ford,")
    assert origin("ford") == "76628fa9014823717fd7fa9fd1568ba367d967f76189cdfbbd4b9d43532cb7ef"


def test_the_place_of_a_line_is_the_digest_of_what_makes_it_what_it_is() -> None:
    assert place(LINE) == by_hand(
        b"\1", "6:Førde,7:what-if,4:main,1:4,1:0,5:røde,16:1790000000000000,15:2 — why: not?,"
    )
    main = Line(1, "b", "main", None, 0, True, "referee", 5, "")
    assert place(main) == by_hand(b"\1", "1:b,4:main,0:,1:0,1:1,7:referee,1:5,0:,")


def test_the_hash_of_an_event_can_be_worked_out_by_hand() -> None:
    body = '{"type":"table.noted","text":"Ærø"}'
    assert Chain(LINE).link("ab" * 32, 12, 9, "table", "røde", AT, "kéy", body.encode()) == by_hand(
        b"\0", place(LINE), "ab" * 32, " 12 9 1790000000000000 ", "5:table,5:røde,4:kéy,37:", body
    )
    assert Chain(LINE).link("ab" * 32, 12, 9, "table", "røde", AT, None, body.encode()) == by_hand(
        b"\0", place(LINE), "ab" * 32, " 12 9 1790000000000000 ", "5:table,5:røde,0:,37:", body
    )


def test_a_known_record_has_a_known_digest() -> None:
    log = MemoryLog()
    main, first, second = branched(log)
    assert [log.head(line).hash for line in (main, first, second)] == [
        "c82910defb6576d4c2eadcfe69c2421a35b5d646d00e5887662f14f49e3b8fbe",
        "0f672e971c3277a96246dc65e9e2efbc9e7a1c9ccefe8ff7b43a49d781a94e3e",
        "041d39ace4d6f68284faef82be8a42ae6005ae6f1b236030cc4a2c9cf187d291",
    ]


@given(st.lists(st.text(), min_size=2, max_size=4), st.lists(st.text(), min_size=2, max_size=4))
def test_different_fields_never_give_the_same_bytes(some: list[str], others: list[str]) -> None:
    assert (b"".join(map(field, some)) == b"".join(map(field, others))) == (some == others)


# ------------------------------------------------------------------------------------------------------------ changes


def known_record() -> tuple[Line, list[Recorded]]:
    log = MemoryLog()
    line = begun(log, further=5)
    log.append(line, notes("seven", "eight", act=6), 6, AT + 1, Request("key", "content"))
    return line, list(log.records(line))


def file_of_known_record() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with SqliteLog(Path(folder) / "war.db") as log:
            log.restore("ford", [MAIN], RECORD)
        return (Path(folder) / "war.db").read_bytes()


MAIN, RECORD = known_record()
FILE = file_of_known_record()
START = Head(0, origin("ford"))


def test_an_untouched_record_holds() -> None:
    assert check_links(Chain(MAIN), START, RECORD) == Head(8, RECORD[-1].hash)
    end = START
    for record in RECORD:
        check_link(Chain(MAIN), end, record)
        end = Head(record.seq, record.hash)


@given(st.integers(0, 7), st.sampled_from(["kind", "body", "actor", "prev", "hash", "battle", "line"]), st.data())
def test_any_changed_character_of_any_text_is_found_and_its_event_named(
    at: int, name: str, data: st.DataObject
) -> None:
    text = getattr(RECORD[at], name)
    where = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 1))
    changed = text[:where] + data.draw(st.text(max_size=2)) + text[where + cut :]
    if changed != text:
        assert broken_by(at, {name: changed}).seq == at + 1


@given(st.integers(0, 7), st.sampled_from(["seq", "act", "at"]), st.integers(-(2**63), 2**63 - 1))
def test_any_changed_number_is_found_and_its_event_named(at: int, name: str, number: int) -> None:
    if number != getattr(RECORD[at], name):
        assert broken_by(at, {name: number}).seq == at + 1


@given(st.integers(0, 7), st.none() | st.text(min_size=1))
def test_any_changed_request_is_found_and_its_event_named(at: int, request: str | None) -> None:
    if request != RECORD[at].request:
        assert broken_by(at, {"request": request}).seq == at + 1


@given(st.integers(0, 7), st.integers(0, 7))
def test_events_that_changed_places_are_found(one: int, other: int) -> None:
    swapped = list(RECORD)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    if one != other:
        broken = refusal(RecordBroken, lambda: check_links(Chain(MAIN), START, swapped))
        assert broken.seq == min(one, other) + 1


def broken_by(at: int, changes: dict[str, Any]) -> RecordBroken:
    changed = [*RECORD[:at], replace(RECORD[at], **changes), *RECORD[at + 1 :]]
    broken = refusal(RecordBroken, lambda: check_links(Chain(MAIN), START, changed))
    assert broken.line == "main"
    return broken


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seq": 5}, "event 4: an event is missing: after 3 comes 5"),
        ({"prev": "00"}, "event 4: it is not chained to the event before it"),
        ({"hash": "00"}, r"event 4: its content \(table.noted\) does not match its hash"),
        ({"battle": "hill"}, "event 4: it is filed under hill/main, it belongs to ford/main"),
        ({"position": 3}, "event 4: it stands at position 3, the event before it at 3"),
        ({"body": "\ud800"}, "event 4: it holds text that is not Unicode"),
    ],
)
def test_the_finding_says_what_does_not_hold(changes: dict[str, Any], why: str) -> None:
    import re

    assert re.search(why, str(broken_by(3, changes)))


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_change_made_in_the_file_is_found_whatever_the_column(tmp_path: Path, name: str) -> None:
    path = tmp_path / "war.db"
    with SqliteLog(path) as log:
        main = begun(log, further=6)
        other = log.fork(main, "other", 3, AT, "red", "", played=False)
        begun(log, "hill")
    plain = sqlite3.connect(path, isolation_level=None)
    kept = guards()
    for guard in kept:
        plain.execute(f"DROP TRIGGER {guard}")
    ((old,),) = plain.execute(f"SELECT {name} FROM event WHERE line = 1 AND seq = 4")
    new = {"line": other.id, "seq": 99}.get(name, CHANGES[name](old))
    plain.execute(f"UPDATE event SET {name} = ? WHERE line = 1 AND seq = 4", (new,))
    for sql in kept.values():
        plain.execute(sql)
    plain.close()
    with SqliteLog(path) as log:
        broken = refusal(RecordBroken, lambda: check_links(Chain(main), START, log.records(main)))
    assert (broken.line, broken.seq) == ("main", 4)


@given(st.integers(1, 8), st.booleans(), st.integers(0, 999), st.integers(0, 7))
@example(8, True, 100, 7)  # what is then no Unicode any more, in the hash that the line ends with
@example(1, False, 0, 0)
def test_any_flipped_bit_of_an_event_in_the_file_is_found_and_the_event_named(
    seq: int, in_hash: bool, where: int, bit: int
) -> None:
    row = RECORD[seq - 1]
    text = row.prev + row.hash if in_hash else row.body
    changed = bytearray(FILE)
    changed[FILE.index(text.encode()) + where % len(text)] ^= 1 << bit
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "war.db"
        path.write_bytes(changed)
        with SqliteLog(path, read_only=True) as log:
            broken = refusal(RecordBroken, lambda: check_links(Chain(MAIN), START, log.records(MAIN)))
    assert (broken.line, broken.seq) == ("main", seq)


def test_a_line_that_was_made_to_look_played_is_found(tmp_path: Path) -> None:
    path = tmp_path / "war.db"
    with SqliteLog(path) as log:
        branched(log)
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute("DROP TRIGGER line_no_update")
    plain.execute("UPDATE line SET played = 1 WHERE name = 'first'")
    plain.execute(guards()["line_no_update"])
    plain.close()
    with SqliteLog(path) as log:
        first = log.line("ford", "first")
        fork = next(log.records(first, 3, 4))
        broken = refusal(
            RecordBroken, lambda: check_links(Chain(first), Head(4, fork.hash), log.records(first, 4))
        )  # fmt: skip
    assert (broken.line, broken.seq) == ("first", 5)
