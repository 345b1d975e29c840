"""What holds for the dice of a table is said in every view: the declared policy, and whose dice are entered by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.opening import read_scenario
from events.store.sqlite import SqliteLog
from projections.dice.ledger import read_ledger
from projections.dice.ledger_text import as_csv, entry_line
from projections.dice.report import audit, dice_html
from projections.journal import dice_at
from projections.viewer import SPECTATOR
from replays.audit.dice_proof import proof_of
from replays.html_replay import html_replay
from replays.publish.dialect import board_names, find_board
from replays.publish.layout import lay_out
from replays.publish.split import posts
from replays.publish.turn import gather
from replays.view import open_view
from tests.dresda.table_top import TableTop, fig
from tests.table import open_battle

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
    call("replay", "duel", "--html", "film.html")
    assert FORBIDDEN in Path("film.html").read_text(encoding="utf-8")


def test_l45_a_change_says_what_held_until_then() -> None:
    call("policy", "duel", "forbidden")
    call("policy", "duel", "allowed", "--why", "a teaching battle")
    changed = "table rule: setting dice aside is allowed, forbidden until now — a teaching battle"
    assert changed in call("log", "duel")
    assert changed in " ".join(call("post", "duel", "--for", "mail", "--preview").split())
    assert FORBIDDEN not in call("show", "duel")


def test_l42_entered_dice_bear_their_badge_in_every_output() -> None:
    top = TableTop(
        {"archer": fig("red", "human", 50, 50, weapons=["short_bow"]), "foe": fig("blue", "human", 50, 65)},
        by_hand=True,
    )
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.next({"hit": 30})
    battle = top.battle
    entry = next(entry for entry in read_ledger(battle.log, "b") if entry.key.endswith("/hit"))
    assert entry_line(entry).endswith("[entered dice]")
    assert ",entered," in "".join(as_csv([entry]))
    assert "<td>entered dice</td>" in "".join(dice_html(audit("b", [entry])))
    film = html_replay(battle.view)
    assert f"rolled 30 = 30 \\u003c= {entry.target}: yes [entered dice]" in film
    hands = "dice of red, blue are entered by hand: nothing proves them"
    assert hands in film
    assert dice_at(battle.state.table) == [hands]
    turn = gather(battle.view.seen_by(SPECTATOR), 1)
    for name in board_names():
        told = "".join(posts(lay_out(turn), find_board(name)))
        assert "entered dice" in told, name


def test_a_copy_for_a_seat_does_not_pass_its_heads_off_as_the_battles() -> None:
    with SqliteLog("war.db") as log:
        proof = proof_of(open_view(log, "duel"))
    assert f"head of main: {proof.verdict.heads['main']}" in list(proof.lines())
    told = list(proof.lines("red"))
    assert not [line for line in told if line.startswith("head of")]
    assert told[-1].startswith("this is a copy for red")


def test_a_seat_sees_the_dice_but_not_what_another_asks_of_what_if_lines() -> None:
    call("branch", "duel", "ours", "--seat", "blue", "--why", "and if")
    assert "line ours" not in call("dice", "duel", "--proof", "--as", "red")
    assert "no line 'ours'" in CliRunner().invoke(cli, ["dice", "duel", "--line", "ours", "--as", "red"]).output
    assert CliRunner().invoke(cli, ["dice", "duel", "--line", "ours", "--as", "blue"]).exit_code == 0
