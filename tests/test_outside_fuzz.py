"""Whatever stands in a log: it is read, or refused in one clear line that names the file. Never anything else."""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays.outside import FORMATS, OutsideLog, read_outside
from replays.outside.source import OutsideUnreadable

SAMPLES = Path(__file__).parent / "outside"
TEMPLATES = {"vassal": "** $name$ = $result$ *** <$playerName$>", "marti": "d6"}
TEXTS = {
    name: "\n".join(path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob(f"{name}.*"))) for name in FORMATS
}

MARKS = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "`",
    "**",
    "~~",
    "=",
    " = ",
    ": ",
    " - ",
    "- ",
    ",",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "$",
]
DICE = [
    "1d20",
    "3d6",
    "4d6k3",
    "d%",
    "1d20+3",
    "2d20kh1",
    "0d0",
    "99999999999d6",
    "1d6/0",
    "[12]",
    "(116)",
    "6",
    "-1",
    "9" * 11,
]
WORDS = [
    *("Rolls", "Rolling 1d6:", "Total = 4", "**Total**: 5", "Dice Roll: 1d6", "d6 Results: 1 (Total = 1)", "NaN"),
    *("Your dice are: 1,2", "=== post 1 by A at 2031-05-01 19:02 ===", "[quote]", "[/quote]", "[roll=1]", "[/roll]"),
    *(
        "** 2d6 = 3,4 *** <A>",
        "From x\n",
        "Subject: =?utf-8?q?=FF?=\n\n",
        "<html>",
        "<![x",
        "</",
        "&#0;",
        "null",
        "1e999",
    ),
    *('{"random":', '"data":[1', "[" * 2000, "time,dice,faces\n", "2031-99-99 99:99"),
    *("\x00", "\x1b[31m", "\u200b", "\u2028", "\ud800", "٣", "👩‍🚀", "ﬁ", "\\"),
]
PIECES = st.sampled_from(MARKS + DICE + WORDS)


def attempt(format_: str, data: bytes) -> None:
    """Read a log; check that whatever comes of it is clean."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(data)
        log: OutsideLog | None = None
        refused = f"{path}: nothing"
        try:
            log = read_outside(path, format_, "Europe/Berlin", None, TEMPLATES.get(format_))
        except OutsideUnreadable as error:
            refused = str(error)
    assert refused.startswith(str(path))
    assert refused.isprintable()
    if log is None:
        return
    for finding in log.findings:
        assert str(finding).startswith(f"{path}, line ")
        assert str(finding).isprintable()
        assert finding.line >= 1
    for entry in log.entries:
        assert len(entry.faces) == len(entry.kept)
        assert (entry.certainty == "dice") <= bool(entry.faces or "0d" in entry.notation)
    msgspec.json.encode(log)


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=40)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(format_: str, data: bytes) -> None:
    attempt(format_, data)


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=40)
@given(pieces=st.lists(PIECES | st.text(max_size=5), max_size=14))
def test_any_text_of_the_formats_own_words_is_read_or_refused(format_: str, pieces: list[str]) -> None:
    attempt(format_, "".join(pieces).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_any_damaged_log_is_read_or_refused(format_: str, seed: int) -> None:
    dice = random.Random(seed)
    text = TEXTS[format_]
    for _ in range(dice.randint(1, 6)):
        at, end = sorted(dice.choices(range(len(text) + 1), k=2))
        end = min(end, at + 12)
        filling = dice.choice(["", text[end : end + 9], "9", "]", "(", '"', "\n", "\ufffd", "0d0"])
        text = text[:at] + filling + text[end:]
    attempt(format_, text.encode("utf-8"))


KEYS = (
    *(
        "type",
        "rolls",
        "results",
        "content",
        "v",
        "d",
        "dice",
        "sides",
        "mods",
        "total",
        "expr",
        "random",
        "data",
        "min",
    ),
    *("max", "n", "rollType", "rollLong", "rollShort", "time", "inlinerolls", "keep", "result", "serialNumber"),
)
PLAIN = st.sampled_from(["2d6", "(1, 2)", "5", "R", "G"]) | st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=20,
)


@pytest.mark.parametrize("format_", ["beyond20", "roll20", "random-org"])
@settings(max_examples=50)
@given(value=VALUES, kind=st.sampled_from(["rollresult", "general"]))
def test_json_of_any_shape_is_read_or_refused(format_: str, value: object, kind: str) -> None:
    attempt(format_, json.dumps([value]).encode())
    attempt(format_, json.dumps([{"type": kind, "content": value, "inlinerolls": value}]).encode())
    attempt(format_, json.dumps([{"type": kind, "content": {"total": 3, "rolls": value}}]).encode())


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    "filling", ["(", "[", " ", "1d6+", "1d", "a: ", "~~", "(1d6) [3]- ", "1" * 7 + ",", "=", "<", "\n", '{"a":', "> "]
)
def test_long_lines_cost_no_more_than_their_length(format_: str, filling: str) -> None:
    began = time.process_time()
    attempt(format_, (filling * (60_000 // len(filling))).encode())
    attempt(format_, (filling * (19_000 // len(filling)) + "1d20: [3] = 3`)]").encode())
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("missing", None, "No such file"),
        ("empty", b"", "no roll in it"),
        ("latin", b"a\nb\nk\xe9", "line 3: not UTF-8"),
        ("zip", b"PK\x03\x04", "packed file"),
        ("nul", b"a\nb\0", "line 2: not text"),
        ("prose", b"We met at dawn.", "no roll in it: phpBB dice extension writes rolls as Punch: 1d20+8: [16]+8 = 24"),
    ],
)
def test_files_that_are_no_logs_are_refused_by_name(tmp_path: Path, name: str, data: bytes | None, told: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(OutsideUnreadable) as refused:
        read_outside(tmp_path / name, "phpbb")
    assert told in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[\n{"a": 1},\n{"a" 1}]', "line 3: not JSON"),
        ('[\n{"rollType": "1d6"}', "line 2: the JSON array is never closed"),
        ("[" * 100_000, "nested too deeply"),
        ('[\n{"a": 1, "a": 2}]', "line 2: not JSON that can be trusted: 'a' is given twice in one object"),
        ("[" + "9" * 5000 + "]", "not JSON that can be trusted"),
        ("[1] x", "something follows"),
    ],
)
def test_broken_json_names_its_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "log.json").write_text(text, encoding="utf-8")
    with pytest.raises(OutsideUnreadable, match=f"(?s).*{told.replace('[', '.')}"):
        read_outside(tmp_path / "log.json", "beyond20")


def test_half_a_character_in_json_spoils_no_output(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(r'[{"rollType": "1d6", "rollShort": "3", "title": "a\ud800"}]', encoding="utf-8")
    log = read_outside(tmp_path / "log.json", "beyond20")
    assert log.entries[0].purpose == "a\ufffd"
    assert r"\ud800" in log.entries[0].raw
    msgspec.json.encode(log)


def test_a_folder_and_an_unknown_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutsideUnreadable, match="directory"):
        read_outside(tmp_path, "csv")
    with pytest.raises(OutsideUnreadable, match="no format 'csvv': known are beyond20"):
        read_outside(tmp_path, "csvv")


def test_utf16_with_a_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("dice,faces\n1d6,3\n", encoding="utf-16")
    assert read_outside(tmp_path / "log.csv", "csv").entries[0].faces == (3,)
