"""What a viewer may not see is in no byte that he can get: a word in blue's secrets is looked for everywhere."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from replays.publish.dialect import board_names
from tests.canary import CANARY, Run, at_the_table, open_table

GIVEN = ("order.given", "order.declared", "order.sealed")
OTHERS = ("red", "spectator", "commentator", "commentator/2")


@pytest.fixture(params=["open", "sealed"])
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Two turns, then blue's secrets of the third: an order, one that it replaced, all else that a seat can keep."""
    run = open_table(at_the_table(tmp_path, monkeypatch), f'orders = "{request.param}"')
    did(run, "orders", "b", "-", given="ann: hit bob\nbob: hit ann")
    did(run, "next", "b")
    did(run, "order", "b", "red", "al: hit ben")
    secrets_of_blue(run)
    return run


def did(run: Run, *words: str, given: str | None = None) -> str:
    result = run(*words, given=given)
    assert result.exit_code == 0, (words, result.stderr)
    return result.stdout


def secrets_of_blue(run: Run) -> None:
    did(run, "order", "b", "blue", f'bob: chant "first {CANARY}"')
    did(run, "order", "b", "blue", f'bob: chant "{CANARY}"')
    did(run, "standing", "b", "blue", "-", given=f'ben: chant "stands {CANARY}"')
    did(run, "orders", "b", "-", "--seat", "blue", "--late", given=f'ben: chant "late {CANARY}"')
    did(run, "note", "b", f"for the referee: {CANARY}", "--seat", "blue", "--to", "referee")
    did(run, "branch", "b", CANARY, "--as", "blue", "--why", f"what about {CANARY}")
    did(run, "order", "b", "blue", f'ben: chant "if {CANARY}"', "--line", CANARY)
    did(run, "next", "b", "--line", CANARY)
    refused = run("orders", "b", "-", "--seat", "blue", "--from-post", given=f"I mean to say {CANARY}")
    assert refused.exit_code == 1


def events(run: Run) -> int:
    return len(did(run, "log", "b").splitlines())


def everything(run: Run, viewer: str) -> list[tuple[str, bytes]]:
    """Return what every verb tells a viewer, errors and files too."""
    told: list[tuple[str, bytes]] = []

    def note(*words: str, given: str | None = None) -> None:
        result = run(*words, given=given)
        told.append((" ".join(words), (result.stdout + result.stderr).encode()))

    as_him = ("--as", viewer)
    for json_too in ((), ("--json",)):
        for verb in ("show", "log", "replay", "lines", "receipts", "notes", "dice"):
            note(verb, "b", *as_him, *json_too)
        for seq in range(1, events(run) + 1):
            note("explain", "b", str(seq), *as_him, *json_too)
            note("show", "b", "--at", str(seq), *as_him, *json_too)
        note("compare", "b", "main", "main", "--all", *as_him, *json_too)
    for flags in (("--luck",), ("--fairness",), ("--proof",), ("--csv",), ("--html", "dice.html")):
        note("dice", "b", *flags, *as_him)
    for line in (CANARY, "nowhere"):
        note("show", "b", "--line", line.replace(CANARY, "XQ7-CANAR"), *as_him)
        note("log", "b", "--line", line.replace(CANARY, "XQ7-CANAR"), *as_him)
    note("show", "b", "--at", "t9", *as_him)
    note("show", "b", "--svg", "field.svg", *as_him)
    note("replay", "b", "--html", "film.html", *as_him)
    note("export", "b", "copy.jsonl", *as_him)
    note("verify", "copy.jsonl")
    note("verify", "copy.jsonl", "--adjudicate", "--json")
    note("dice", "copy.jsonl")
    for board in board_names():
        for turn in ("1", "2"):
            note("post", "b", "--turn", turn, "--for", board, "--preview", *as_him)
        note("post", "b", "--for", board, "--preview", "--json", *as_him)
    for form in ("atom", "json"):
        note("feed", "b", "--format", form, *as_him)
    return told + [(name, Path(name).read_bytes()) for name in
                   ("dice.html", "field.svg", "film.html", "copy.jsonl") if Path(name).exists()]  # fmt: skip


def red_acts(run: Run) -> list[tuple[str, bytes]]:
    """Return what red is told when he acts, well and badly."""
    told = []
    for words in (
        ("order", "b", "red", 'ann: chant "war"'),
        ("order", "b", "red", 'ann: chant "war"', "--expect", "3"),
        ("order", "b", "red", "bob: hit ann"),
        ("order", "b", "red", "ann: chnt bob"),
        ("order", "b", "red", "ann: hit XQ7"),
        ("order", "b", "red", "XQ7: hit bob"),
        ("order", "b", "red", "ann: hit bob", "--phase", "t1/blows"),
        ("order", "b", "red", "ann: hit bob", "--salt", "a b"),
        ("order", "b", "red", "ann: hit bob", "--line", "XQ7"),
        ("reveal", "b", "red", f'5a17 bob: chant "{CANARY[:3]}"'),
        ("may", "b", "red"),
        ("may", "b", "red", "16"),
        ("ask", "b", "red", "undo", "16", "--why", "please"),
        ("undo", "b", "--seat", "red", "--why", "x", "--dice", "keep"),
        ("strike", "b", "16", "--seat", "red", "--why", "x", "--dice", "keep"),
        ("roll", "b", "t9/hit", "--faces", "3", "--seat", "red"),
        ("seed", "b", "red", "luck"),
        ("note", "b", "hello", "--seat", "red"),
        ("seat", "b"),
    ):
        result = run(*words)
        told.append((" ".join(words), (result.stdout + result.stderr).encode()))
    return told


def leaks(told: list[tuple[str, bytes]]) -> list[str]:
    return [what for what, content in told if CANARY.encode() in content]


@pytest.mark.parametrize("viewer", OTHERS)
def test_l47_no_byte_that_another_gets_holds_a_secret_before_its_time(table: Run, viewer: str) -> None:
    told = everything(table, viewer)
    assert len([content for _, content in told if content]) > 60
    assert leaks(told) == []


def test_l47_no_answer_to_what_red_does_holds_a_secret_of_blue(table: Run) -> None:
    assert leaks(red_acts(table)) == []


@pytest.mark.parametrize("viewer", ["red", "spectator"])
def test_l47_a_ruling_about_a_secret_order_does_not_repeat_it(table: Run, viewer: str) -> None:
    for which in (0, -1):  # what it replaced is still there, then the order itself, on the new line
        record = map(json.loads, did(table, "log", "b", "--json").splitlines())
        orders = [each["seq"] for each in record if each["actor"] == "blue" and each["body"]["type"] in GIVEN]
        other = f'bob: chant "other {CANARY}"'
        did(table, "amend", "b", str(orders[which]), "--text", other, "--why", "slip", "--dice", "keep")
    assert '"ruling.corrected"' in did(table, "log", "b", "--json", "--as", viewer)
    did(table, "undo", "b", "--why", "slip again", "--dice", "keep")
    assert leaks(everything(table, viewer)) == []


def test_what_was_secret_is_told_once_its_act_has_begun(table: Run) -> None:
    did(table, "next", "b")
    for viewer in ("red", "spectator"):
        assert CANARY in did(table, "log", "b", "--as", viewer)
        assert f"first {CANARY}" not in did(table, "show", "b", "--as", viewer)


def test_the_owner_sees_his_own(table: Run) -> None:
    shown = did(table, "show", "b", "--as", "blue")
    assert f"{CANARY}" in shown
    assert f"late {CANARY}" in did(table, "receipts", "b", "--as", "blue")
    assert f"for the referee: {CANARY}" in did(table, "notes", "b", "--as", "blue")
    assert CANARY in did(table, "lines", "b", "--as", "blue")


def test_the_referee_reads_a_note_to_him_and_does_not_see_sealed_orders(table: Run) -> None:
    assert CANARY in did(table, "notes", "b")
    if json.loads(did(table, "show", "b", "--json"))["state"]["table"]["options"]["orders"] == "sealed":
        assert CANARY not in did(table, "show", "b", "--json")
        assert CANARY not in did(table, "log", "b", "--json")


def test_l50_the_vault_leaves_in_no_file(table: Run) -> None:
    with sqlite3.connect("war.db") as db:
        roots = [root for (root,) in db.execute("SELECT root FROM secret")]
    assert len(roots) > 3
    for viewer in ("", *OTHERS, "blue"):
        did(table, "export", "b", f"{viewer.replace('/', '-')}.jsonl", *(("--as", viewer) if viewer else ()))
        content = Path(f"{viewer.replace('/', '-')}.jsonl").read_text(encoding="utf-8")
        words = [text[:20] for root in roots if (text := root.partition(" ")[2])]
        assert [secret for secret in roots if secret in content] == []
        assert [text for text in words if text in content.split('"')] == []


def test_l50_a_sealed_battle_is_exported_hash_by_hash_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_table(at_the_table(tmp_path, monkeypatch), 'orders = "sealed"')
    did(run, "order", "b", "blue", f'bob: chant "{CANARY}"')
    did(run, "export", "b", "whole.jsonl")
    did(run, "export", "b", "red.jsonl", "--as", "red")
    assert _hashes("red.jsonl") == _hashes("whole.jsonl")
    assert CANARY.encode() not in Path("whole.jsonl").read_bytes()


def test_l50_an_extract_has_hashes_of_its_own_from_the_first_secret_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_table(at_the_table(tmp_path, monkeypatch))
    did(run, "order", "b", "blue", f'bob: chant "{CANARY}"')
    did(run, "order", "b", "red", "ann: hit bob")
    did(run, "export", "b", "whole.jsonl")
    said = did(run, "export", "b", "red.jsonl", "--as", "red")
    whole, red = _hashes("whole.jsonl"), _hashes("red.jsonl")
    assert "an extract for red" in said
    assert whole[:-2] == red[:-2]
    assert not set(whole[-2:]) & set(red)
    did(run, "verify", "red.jsonl", "--adjudicate")


def _hashes(name: str) -> list[str]:
    return [json.loads(line)["hash"] for line in Path(name).read_text(encoding="utf-8").splitlines()[1:]]


def test_an_unknown_viewer_is_told_who_may_look(table: Run) -> None:
    refused = table("show", "b", "--as", "green")
    assert refused.exit_code == 1
    assert "red, blue, spectator or commentator" in refused.stderr
