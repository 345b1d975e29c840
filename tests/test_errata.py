"""Errata and secrets of posts: what a ruling changes is told again, and nobody reads in a post what is not for him."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import cli

Run = Callable[..., str]
SHOT = "t1/missile/wilmot>grubnik/hit"


@pytest.fixture
def ford(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A battle of one whole turn, its dice entered by hand: Wilmot hits, and Grubnik tests his morale twice."""
    monkeypatch.setenv("WARDIARY_DB", str(tmp_path / "war.db"))
    monkeypatch.chdir(tmp_path)

    def run(*words: str, given: str | None = None) -> str:
        result = CliRunner().invoke(cli, list(words), input=given)
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.stdout

    run("new", "ford", "--scenario", "dresda_skirmish", "--by-hand", "orcs", "--by-hand", "men")
    run("next", "ford")
    run("orders", "ford", "-", given="grubnik: run 31,30\naldric: walk 34,40\nwilmot: shoot light_crossbow at grubnik")
    run("next", "ford")
    run("next", "ford")
    run("roll", "ford", SHOT, "--faces", "27")
    run("roll", "ford", "t1/morale/grubnik/wounded", "--faces", "4")
    run("roll", "ford", "t1/morale/grubnik/first_fired_at", "--faces", "6")
    return run


def posted(run: Run, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("post", "ford", *words, "--json"))
    return found


def misread(run: Run) -> None:
    """Let the referee rule that the shot showed 72."""
    rolls = [json.loads(line) for line in run("log", "ford", "--kind", "roll", "--json").splitlines()]
    seq = next(each["seq"] for each in rolls if each["body"]["key"] == SHOT and each["body"]["type"] == "roll.rolled")
    run("amend", "ford", str(seq), "--faces", "72", "--dice", "keep", "--why", "misread: 72, not 27")


def test_a_ruling_that_changes_a_posted_turn_is_told_where_it_was_posted(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail", "--for", "discord")
    assert posted(ford, "--errata") == []
    misread(ford)
    found = posted(ford, "--errata")
    assert [(each["board"], each["what"]) for each in found] == [
        ("discord", "erratum-t1"),
        ("discord", "t1"),
        ("mail", "erratum-t1"),
        ("mail", "t1"),
    ]
    (told,) = found[2]["parts"]
    assert "ruling on line main (amend, dice: keep)" in told
    assert "misread: 72, not 27" in told
    assert "rolled 27 = 27 <= 35" in told.replace("\n    ", " ")
    assert "rolled 72 = 72 <= 35" in told.replace("\n      ", " ")
    assert "gone: Grubnik the Loud takes 1 wound" in told
    assert "light armour; shield; halts next turn → wounds 0/3" in told.replace("\n    ", " ")


def test_an_erratum_says_which_dice_did_not_change(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    misread(ford)
    told = posted(ford, "--errata")[0]["parts"][0]
    assert "1 roll shows the same faces as before; 1 roll shows other faces" in told
    _, kept = told.split("The dice that did not change")
    assert "Grubnik the Loud tests morale: first fired at: 6" in kept
    assert "Wilmot Thrice-Late to hit" not in kept


def test_what_was_told_again_is_not_told_a_third_time(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    misread(ford)
    assert len(posted(ford, "--errata", "--preview")) == 2
    assert len(posted(ford, "--errata")) == 2
    assert posted(ford, "--errata") == []
    assert "nothing that was posted has changed" in ford("post", "ford", "--errata")


def test_rolls_that_are_new_are_counted(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    rolls = [json.loads(line) for line in ford("log", "ford", "--kind", "roll", "--json").splitlines()]
    seq = next(each["seq"] for each in rolls if each["body"].get("key") == SHOT and "faces" in each["body"])
    ford("amend", "ford", str(seq), "--faces", "72", "--dice", "keep", "--why", "misread")
    posted(ford, "--errata")
    seq = next(
        each["seq"]
        for each in map(json.loads, ford("log", "ford", "--kind", "roll", "--json").splitlines())
        if each["body"].get("key") == SHOT and "faces" in each["body"]
    )
    ford("amend", "ford", str(seq), "--faces", "27", "--dice", "keep", "--why", "it was 27 after all")
    told = " ".join(posted(ford, "--errata")[0]["parts"][0].split())
    assert "1 roll shows other faces; 1 roll is new:" in told
    assert "No die was rolled again" not in told


def test_a_ruling_that_is_undone_is_an_erratum_again(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    misread(ford)
    assert len(posted(ford, "--errata")) == 2
    ford("adopt", "ford", "main", "--why", "it was right")
    told = posted(ford, "--errata")
    assert [each["what"] for each in told] == ["erratum-t1", "t1"]
    assert "is adopted as it stood" in " ".join(told[0]["parts"][0].split())
    assert posted(ford, "--errata") == []


def test_a_ruling_that_is_undone_before_it_was_posted_is_no_erratum(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    misread(ford)
    ford("adopt", "ford", "main", "--why", "it was right")
    assert posted(ford, "--errata") == []


def test_a_post_gives_places_as_orders_do(ford: Run) -> None:
    ford("new", "mill", "--scenario", "dresda_skirmish")
    ford("next", "mill")
    ford("orders", "mill", "-", given="grubnik: run 30.9,18.9")
    ford("next", "mill")
    (told,) = json.loads(ford("post", "mill", "--turn", "1", "--for", "mail", "--json"))
    places = {each["name"]: each["place"] for each in told["turn"]["pieces"]}
    assert places["Grubnik the Loud"] == "30.9,18.9 cm"
    assert places["Wilmot Thrice-Late"] == "50,52 cm"
    ford("show", "mill", "--svg", "field.svg")
    assert "30.9,18.9 cm" in Path("field.svg").read_text(encoding="utf-8")


def test_what_was_not_posted_has_no_erratum(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail", "--preview")
    posted(ford, "--turn", "1", "--phase", "move", "--for", "mail")
    misread(ford)
    assert posted(ford, "--errata") == []


def test_a_turn_that_was_taken_back_is_said_to_be(ford: Run) -> None:
    posted(ford, "--turn", "1", "--for", "mail")
    ford("next", "ford")
    posted(ford, "--turn", "2", "--for", "mail")
    ford("undo", "ford", "t1/move", "--dice", "keep", "--why", "from the movement on once more")
    found = posted(ford, "--errata")
    assert [each["what"] for each in found] == ["erratum-t1", "t1", "erratum-t2"]
    assert "The turn has been taken back" in found[2]["parts"][0]


def test_l47_nothing_that_is_secret_is_in_a_post_a_feed_or_an_erratum(ford: Run) -> None:
    ford("next", "ford")
    ford("order", "ford", "orcs", "snaga: walk 46.3,9.7")
    canary = "46.3"
    for who in ("spectator", "men", "commentator"):
        told = [ford("post", "ford", "--turn", turn, "--for", "html", "--as", who) for turn in ("1", "2")]
        told += [ford("feed", "ford", "--format", form, "--as", who) for form in ("atom", "json")]
        told += [ford("post", "ford", "--errata", "--json")]
        told += [ford("post", "ford", "--turn", "2", "--for", "mail", "--json", "--as", who)]
        assert all(canary not in each for each in told), who
    assert "an order, still secret" in ford("post", "ford", "--turn", "2", "--for", "mail")
    for who in ("orcs", "referee"):
        assert canary in ford("post", "ford", "--turn", "2", "--for", "mail", "--as", who)


def test_a_digest_that_would_help_to_guess_an_order_is_not_told(ford: Run) -> None:
    ford("next", "ford")
    ford("order", "ford", "orcs", "snaga: walk 46.3,9.7")
    (public,) = posted(ford, "--turn", "2", "--for", "mail")
    (own,) = posted(ford, "--turn", "2", "--for", "mail", "--as", "referee")
    assert public["turn"]["digest"] == ""
    assert own["turn"]["digest"]
    recorded = [json.loads(line) for line in ford("log", "ford", "--kind", "table", "--json").splitlines()]
    heads = [each["body"]["head"] for each in recorded if each["body"]["type"] == "table.posted"]
    assert heads[0] == ""


def test_a_commentator_is_told_nothing_before_its_time(ford: Run) -> None:
    ford("next", "ford")
    ford("order", "ford", "orcs", "snaga: walk 46.3,9.7")
    (told,) = posted(ford, "--turn", "2", "--for", "mail", "--as", "commentator")
    assert (told["turn"]["orders"], told["turn"]["phases"], told["turn"]["deadline"]) == ([], [], "")
    result = CliRunner().invoke(cli, ["post", "ford", "--turn", "2", "--for", "mail", "--as", "commentator/2"])
    assert result.exit_code == 1
    assert "turns of line main so far: 1" in result.stderr
