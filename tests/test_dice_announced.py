"""What holds for the dice of a table is said in every view: the declared policy, and whose dice are entered by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.opening import open_battle, read_scenario
from events.sqlite import SqliteLog

SCENARIO = Path(__file__).resolve().parent.parent / "scenarios" / "rhand_duel.toml"
FORBIDDEN = "table rule: setting dice aside is forbidden"


def call(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(autouse=True)
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = read_scenario(SCENARIO)
    with SqliteLog("war.db", durability="normal") as log:
        open_battle(log, "duel", scenario)


def test_l45_a_policy_that_was_declared_is_told_in_every_view() -> None:
    assert "table rule" not in call("show", "duel")
    call("policy", "duel", "forbidden", "--why", "league rules")
    assert FORBIDDEN in call("show", "duel")
    assert f"{FORBIDDEN} — league rules" in call("log", "duel")
    assert FORBIDDEN in call("dice", "duel")
    told = call("post", "duel", "--for", "mail", "--preview")
    assert told.count(FORBIDDEN) == 2  # when it was declared, and as what holds
    call("replay", "duel", "--film", "film.html")
    assert FORBIDDEN in Path("film.html").read_text(encoding="utf-8")


def test_l45_a_change_says_what_held_until_then() -> None:
    call("policy", "duel", "forbidden")
    call("policy", "duel", "allowed", "--why", "a teaching battle")
    changed = "table rule: setting dice aside is allowed, forbidden until now — a teaching battle"
    assert changed in call("log", "duel")
    assert changed in " ".join(call("post", "duel", "--for", "mail", "--preview").split())
    assert FORBIDDEN not in call("show", "duel")
