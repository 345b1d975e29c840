"""Opening a battle: whatever is wrong with a scenario file is told in plain words, with its place, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.opening import read_scenario
from engine.rules.errors import ScenarioInvalid
from engine.rules.schema import read_toml
from engine.scenario_files import find_scenario
from events.store.memory import MemoryLog
from tests.table import open_battle

SKIRMISH = find_scenario("dresda_skirmish").read_text(encoding="utf-8")


def problems(folder: Path, text: str | bytes) -> list[str]:
    """What a battle from this file is refused for; nothing is recorded then."""
    file, log = folder / "scenario.toml", MemoryLog()
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ScenarioInvalid) as refused:
        open_battle(log, "ford", read_scenario(file))
    assert log.battles() == []
    return list(refused.value.problems)


def test_everything_that_every_scenario_must_say_is_asked_for_at_once(tmp_path: Path) -> None:
    assert problems(tmp_path, "") == ["title: is missing", "rule_set: is missing", "seats: is missing"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('rule_set = "dresda"', "rule_set = 4", "rule_set: must be text in quotes, not 4"),
        ("[seats]", 'by_hand = "orcs"\n[seats]', "by_hand: must be a list, each text in quotes, not 'orcs'"),
        ("[field]", "[options]\ndisputes = [1]\n[field]", "options.disputes: must be text in quotes or a whole number"),
        ('men = "The Toll Wardens"', "men = 1979-05-27", "seats.men: must be text in quotes, not 1979-05-27"),
        ('title = "The Toll', 'title = "\\u001b[31m', "title: must be a text on one line"),
        ('men = "The Toll Wardens"', f'men = "{"x" * 201}"', "seats.men: must be a text on one line"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    (found,) = problems(tmp_path, SKIRMISH.replace(old, new))
    assert found.startswith(told)


@pytest.mark.parametrize("width", ["1e400", "1e999999999", "99999999999999999999", "nan", "-90", '"wide"'])
def test_a_field_of_no_sensible_width_is_refused_for_that_alone(tmp_path: Path, width: str) -> None:
    """Where the field ends nobody knows then, so nothing is said of figures that stand off it."""
    (found,) = problems(tmp_path, SKIRMISH.replace("width = 90", f"width = {width}"))
    assert found.startswith("field.width: must be a length in cm")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"\xff\xfet\x00", "not UTF-8 text (byte 1)"),
        (b"title = ", "not TOML: "),
        (b"title = " + b"[" * 5000, "nested too deep"),
        (b"width = " + b"9" * 5000, "thousands of digits"),
    ],
)
def test_a_file_that_is_no_toml_is_refused_in_one_line(tmp_path: Path, raw: bytes, told: str) -> None:
    (found,) = problems(tmp_path, raw)
    assert told in found
    assert "\n" not in found


def test_a_byte_order_mark_and_line_ends_of_windows_are_read_over(tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_bytes(b"\xef\xbb\xbf" + SKIRMISH.replace("\n", "\r\n").encode())
    assert read_toml(file)["title"] == "The Toll at Mossback Ford"
