"""The verbs dice, policy and beacon: what is asked for is answered, in words, CSV, JSON or on a page."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli
from engine.rules import rule_set
from projections.dice.ledger import read_ledger
from replays.audit.exported import write_export
from tests.dice_table import fight, open_table
from tests.table import Table
from tests.test_dice_proof import BEFORE_ROUND_1000, ROUND_1000, VALUE_1000
from tests.toy import ToyRules

OUTSIDE = Path(__file__).parent / "outside"


@pytest.fixture
def battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rule_set, "find_rules", lambda name: ToyRules())
    table = open_table(tmp_path / "war.db", BEFORE_ROUND_1000)
    fight(table, 2)
    return table


def call(*words: str, fails: bool = False) -> Result:
    result = CliRunner().invoke(cli, words)
    assert (result.exit_code != 0) == fails, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_the_ledger_lists_every_roll(battle: Table) -> None:
    told = call("dice", "b").output
    for entry in read_ledger(battle.log, "b"):
        assert f"{entry.seq:5d}  t{entry.turn}" in told
    assert "8 rolls on record" in told


def test_rolls_are_chosen_by_seat_piece_kind_turn_and_line(battle: Table) -> None:
    assert "4 rolls on record" in call("dice", "b", "--seat", "red").output
    assert "2 rolls on record" in call("dice", "b", "--piece", "ann").output
    assert "1 roll on record" in call("dice", "b", "--piece", "ann", "--turn", "2", "--line", "main").output
    assert "0 rolls on record" in call("dice", "b", "--kind", "missile").output


def test_luck_fairness_and_proof_come_in_words_with_pictures(battle: Table) -> None:
    told = call("dice", "b", "--luck", "--fairness", "--proof").output
    assert "things were looked at" in told
    assert "tests were made" in told
    assert "8 rolls proved from revealed secrets" in told
    assert "successes less expectation, at the end of each turn" in told
    assert "d6 of the generator: 8 dice" in told
    assert all(len(line) < 400 for line in told.splitlines())


def test_csv_and_json_are_for_programs(battle: Table) -> None:
    rows = list(csv.DictReader(io.StringIO(call("dice", "b", "--csv").stdout)))
    assert len(rows) == 8
    told = json.loads(call("dice", "b", "--json", "--luck", "--fairness", "--proof").stdout)
    assert len(told["rolls"]) == 8
    assert told["totals"][0]["expected"] == "2"
    assert {"luck", "fairness", "proof"} <= told.keys()


def test_the_page_is_written_whole(battle: Table, tmp_path: Path) -> None:
    call("dice", "b", "--html", "dice.html")
    page = (tmp_path / "dice.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "rolls proved from revealed secrets" in page
    assert not list(tmp_path.glob("*.part"))
    failed = call("dice", "b", "--html", "no/such/place.html", fails=True).output
    assert "No such file" in failed


def test_an_exported_file_can_be_asked_as_well(battle: Table, tmp_path: Path) -> None:
    (tmp_path / "b.record").write_bytes(b"".join(write_export(battle.log, "b", [battle.state.table.tables])))
    (tmp_path / "war.db").unlink()
    assert "8 rolls proved" in call("dice", "b.record", "--proof").output
    told = call("dice", "b.record", "--key", "t1/hit/ann>bob").output
    assert "message:    15:wardiary-dice/2,1:b,4:main," in told
    assert json.loads(call("dice", "b.record", "--key", "t1/hit/ann>bob", "--json").stdout)["faces"]
    assert "no roll of that key" in call("dice", "b.record", "--key", "x", fails=True).output


def test_a_line_that_somebody_shows_is_looked_up(battle: Table) -> None:
    entry = read_ledger(battle.log, "b")[0]
    face = entry.faces[0]
    printed = f"{entry.purpose} (+4 base) [d6] rolled {face} = {face} >= 4: {'yes' if face >= 4 else 'no'}"
    assert f"on record: event {entry.seq} of line main" in call("dice", "b", "--find", printed).output
    assert "not an event" in call("dice", "b", "--find", "Ann rolls 1d100: 01 (critical)", fails=True).output


def test_luck_can_be_weighted_and_turned_round(battle: Table) -> None:
    assert "weighted by what was at stake" in call("dice", "b", "--luck", "--stake", "ann=10").output
    call("dice", "b", "--luck", "--bad", "hit")
    assert "write a piece and a whole number" in call("dice", "b", "--stake", "ann", fails=True).output


def test_what_to_audit_must_be_said(battle: Table) -> None:
    for words in ((), ("b", "--import", "x.txt")):
        assert "give a BATTLE, or --import FILE" in call("dice", *words, fails=True).output
    assert "no battle 'c'" in call("dice", "c", fails=True).output
    assert "nowhere" in call("dice", "b", "--line", "nowhere", fails=True).output


def test_dice_from_elsewhere_are_audited_as_our_own() -> None:
    log = ("dice", "--import", str(OUTSIDE / "phpbb.txt"), "--from", "phpbb", "--zone", "UTC")
    assert "[imported dice]" in call(*log).output
    told = call(*log, "--luck", "--fairness", "--proof").output
    assert "phpbb.txt, SHA-256 " in told
    assert "looked at" in told
    assert "say what wrote the log" in call(*log[:3], fails=True).output
    assert "phpbb" in call("dice", "--from", "list").output


def test_a_policy_is_declared_and_told(battle: Table) -> None:
    assert "setting dice aside: nothing declared" in call("policy", "b").output
    assert "table rule: setting dice aside is forbidden" in call("policy", "b", "forbidden", "--why", "league").output
    assert "setting dice aside: forbidden" in call("policy", "b").output
    assert "only the referee may declare dice" in call("policy", "b", "allowed", "--seat", "red", fails=True).output


def test_a_beacon_is_named_and_pasted(battle: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    call("beacon", "b", "ours", "7")
    assert "waited for: round 7 of ours" in call("beacon", "b").output
    call("beacon", "b", "ours", "7", "--signature", ROUND_1000, "--randomness", VALUE_1000)
    assert call("beacon", "b").output == "waiting for no beacon\n"
    assert "name one that nobody can know yet" in call("beacon", "b", "quicknet", "1000", fails=True).output
    assert "name the ROUND too" in call("beacon", "b", "quicknet", fails=True).output
