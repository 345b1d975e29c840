"""An extract: just the facts, each of them provably part of the record; nothing else is in the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.toy import ToyRules
from tests.toy_desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A battle with chatter, a false start that was taken back, and a what-if."""
    made = Desk(tmp_path, ToyRules(), monkeypatch)
    made.new()
    for piece in ("ann", "al", "bob", "ben"):  # nobody falls, whatever the dice show
        made.run("fact", "b", f"{piece}: health 9", "--why", "a long fight")
    made.run("note", "b", "CHATTER one")
    made.turn()
    made.run("order", "b", "red", "ann: curse ben")
    made.run("rule", "b", "curse/ben", "yes")
    made.run("undo", "b", "--why", "a slip", "--dice", "keep")
    made.run("undo", "b", "--why", "another", "--dice", "keep")
    made.run("note", "b", "CHATTER two")
    made.run("bookmark", "b", "CHATTER-three")
    made.run("branch", "b", "dream", "--why", "dream")
    made.turn()
    made.turn()
    return made


def extract(desk: Desk, *words: str) -> Path:
    path = desk.folder / "extract"
    desk.run("export", "b", path, "--extract", *words)
    return path


def parts(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def test_l24_an_extract_says_what_it_is_and_holds_neither_chatter_nor_what_was_taken_back(desk: Desk) -> None:
    path = extract(desk)
    text = path.read_text()
    assert "CHATTER" not in text
    assert '"curse/ben"' not in text
    assert "dream" not in text
    header = parts(path)[0]
    assert (header["is"], header["format"], header["line"]) == ("extract", "wardiary-extract/1", "main.3")
    assert "an extract" in desk.run("verify", path)


def test_l24_what_is_kept_is_unchanged_dice_and_all(desk: Desk) -> None:
    path = extract(desk)
    kept = {each["seq"]: each for each in parts(path)[1:] if "body" in each}
    record = {each["seq"]: each for each in desk.events()}
    chatter = {seq for seq, each in record.items() if each["body"]["type"] in ("table.noted", "table.bookmarked")}
    assert set(record) - set(kept) == chatter
    assert len(chatter) == 3
    for seq, each in kept.items():
        assert msgspec.json.decode(each["body"]) == record[seq]["body"]
        assert each["hash"] == record[seq]["hash"]
    found = desk.data("verify", path)
    assert found["proved"] + found["unproved"] == sum(each["kind"] == "roll" for each in kept.values()) / 2
    assert found["proved"] > 0


def test_l24_its_events_prove_that_they_are_in_the_record_which_may_have_grown(desk: Desk) -> None:
    path = extract(desk)
    digest = desk.data("verify", path)["digest"]
    assert desk.data("verify", path)["head"] == desk.data("verify", "b")["heads"]["main.3"]
    desk.turn()
    desk.run("undo", "b", "--why", "x", "--dice", "keep")
    desk.run("verify", "b", "--head", digest)
    desk.run("export", "b", desk.folder / "whole")
    desk.run("verify", desk.folder / "whole", "--head", digest)
    desk.run("verify", path, "--head", digest)
    other = "0" * 64
    assert "does not contain" in desk.refused("verify", path, "--head", other)
    assert "does not contain" in desk.refused("verify", "b", "--head", other)


@pytest.mark.parametrize("damage", ["faces", "hash", "dropped", "swapped", "left", "more left out", "kept count"])
def test_an_extract_that_was_changed_is_refused_at_the_first_event_that_does_not_hold(desk: Desk, damage: str) -> None:
    path = extract(desk)
    lines = path.read_text().splitlines()
    roll = next(place for place, line in enumerate(lines) if "roll.rolled" in line)
    left = next(place for place, line in enumerate(lines) if "left_out" in line)
    match damage:
        case "faces":
            lines[roll] = lines[roll].replace('\\"total\\":', '\\"total\\":1')
        case "hash":
            lines[roll] = lines[roll].replace('"hash":"', '"hash":"f')
        case "dropped":
            del lines[roll]
        case "swapped":
            lines[roll], lines[roll + 1] = lines[roll + 1], lines[roll]
        case "left":
            lines[left] = lines[left].replace('"left_out":"', '"left_out":"0')
        case "more left out":
            event = msgspec.json.decode(lines[roll])
            lines[roll] = msgspec.json.encode({"seq": event["seq"], "left_out": event["hash"]}).decode()
        case "kept count":
            lines = lines[:-1]
    assert path.read_text().splitlines() != lines
    path.write_text("\n".join(lines) + "\n")
    told = desk.refused("verify", path)
    assert "event" in told
    assert desk.run("verify", "b")


def test_an_extract_is_verified_and_nothing_more(desk: Desk) -> None:
    path = extract(desk)
    assert "an extract can be verified, and nothing more" in desk.refused(
        "import", path, "--db", desk.folder / "other.db"
    )
    assert "must be whole" in desk.refused("verify", path, "--adjudicate", code=2)
    assert "--line goes with --extract" in desk.refused("export", "b", path, "--line", "main", code=2)
    assert "hashes of its own" in desk.refused("export", "b", path, "--extract", "--as", "red", code=2)


def test_an_extract_of_another_line_is_of_that_line(desk: Desk) -> None:
    for name in ("main", "main.2", "dream"):
        found = desk.data("verify", extract(desk, "--line", name))
        assert (found["line"], found["head"]) == (name, desk.data("verify", "b")["heads"][name])
    assert "NOT PLAYED" in desk.run("export", "b", desk.folder / "dream", "--extract", "--line", "dream")
    assert "NOT PLAYED" in desk.run("verify", desk.folder / "dream")


def test_a_file_that_claims_to_be_an_extract_is_refused_in_one_line(desk: Desk) -> None:
    path = desk.folder / "bad"
    for text in ('{"is":"extract"}', '{"is":"extract","format":"x"}\n{}', '{"is":"extract",'):
        path.write_text(text)
        assert len(desk.refused("verify", path).splitlines()) == 1
