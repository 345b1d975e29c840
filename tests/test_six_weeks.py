"""Each rule set, played by post for six weeks from the call for orders to the last post, with nothing but text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.post_readers import rolls
from tests.six_weeks import BOARDS, SUNDAYS, Game, Script, sat_down
from tests.six_weeks_scripts import SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.scenario)
def test_a_battle_of_six_weeks_is_played_by_post(script: Script, tmp_path: Path) -> None:
    with sat_down(script, tmp_path) as game:
        orders_are_called_for(game)
        week_1_provisional_then_final(game)
        week_2_one_is_late(game)
        week_3_one_is_missing(game)
        week_4_one_is_replaced(game)
        week_5_the_calendar_stands_still_and_a_posted_turn_is_put_right(game)
        week_6_is_the_last(game)
        every_line_holds(game)
        every_post_reads_back(game)
        calendar_and_messages_are_there(game)


def orders_are_called_for(game: Game) -> None:
    scope = ("--whole-turn",) if len(set(game.script.turns)) == len(SUNDAYS) else ()
    told = game.run("call", "b", "--every", "sundays 18:00", "--zone", "America/New_York", *scope, *game.to)
    assert "due Sunday 2026-02-22 18:00 America/New_York (Sunday 2026-02-22 23:00 UTC)" in told
    game.run("seat", "b", game.script.red, "--player", "Ann")
    game.run("seat", "b", game.script.blue, "--player", "Bob")


def week_1_provisional_then_final(game: Game) -> None:
    red, blue = game.begin(1, "2026-02-17")
    game.note(game.script.red)
    game.note(game.script.blue)
    game.hand_in(game.script.red, red.splitlines()[0], "--provisional")
    game.hand_in(game.script.blue, blue, "--final")
    game.at("2026-02-20 12:00")
    assert f"missing: nobody; ready: {game.script.blue}" in game.run("due", "b")
    game.hand_in(game.script.red, red, "--final")
    game.own_words_are_seen()
    game.almost_time()
    assert "until Sunday 2026-03-01 18:00" in game.deadline_comes()
    (turn,) = game.shown("--turn", "1", "--for", "phpbb")
    assert "are due Sunday 2026-03-01 18:00 America/New_York (Sunday 2026-03-01 23:00 UTC)" in turn
    seen = game.run("log", "b", "--as", "spectator")
    assert [line for line in (*red.splitlines(), *blue.splitlines()) if line not in seen] == []
    assert game.supplied() == []
    game.post_turn()


def week_2_one_is_late(game: Game) -> None:
    red, blue = game.begin(2, "2026-02-24")
    game.hand_in(game.script.red, red, "--final")
    game.at("2026-02-28 23:00")
    assert f"missing: {game.script.blue}" in game.run("due", "b")
    assert "due since 2026-02-28T23:00:00Z" in game.run("due", "b")
    game.run("tick", "b", *game.to)
    game.run("deliver", *game.to, "--out", str(game.path / "out"))
    game.almost_time()
    game.at("2026-03-01 23:01")
    game.hand_in(game.script.blue, blue)
    assert game.leaks() == []
    assert game.events("order.not_used")[-1]["body"]["reason"] == "late"
    game.deadline_comes()
    assert (game.script.blue, "drill") in game.supplied()
    game.post_turn()


def week_3_one_is_missing(game: Game) -> None:
    red, _ = game.begin(3, "2026-03-03")
    game.hand_in(game.script.red, red, "--final")
    game.run("standing", "b", game.script.blue, "-", given=game.script.standing)
    game.almost_time()
    told = game.deadline_comes()
    assert (game.script.blue, "standing") in game.supplied()
    assert "until Sunday 2026-03-15 18:00 America/New_York (Sunday 2026-03-15 22:00 UTC)" in told
    game.post_turn()


def week_4_one_is_replaced(game: Game) -> None:
    red, blue = game.begin(4, "2026-03-10")
    game.hand_in(game.script.blue, blue, "--final")
    game.hand_in(game.script.red, red)
    game.run("seat", "b", game.script.red, "--player", "Una")
    assert game.events("order.not_used")[-1]["body"]["reason"] == "owner removed"
    assert f"missing: {game.script.red}" in game.run("due", "b")
    game.hand_in(game.script.red, red, "--final")
    game.almost_time()
    game.deadline_comes()
    game.post_turn()


def week_5_the_calendar_stands_still_and_a_posted_turn_is_put_right(game: Game) -> None:
    red, blue = game.begin(5, "2026-03-17")
    game.hand_in(game.script.red, red, "--final")
    game.run("freeze", "b", "--why", "we look into it")
    game.at("2026-03-22 22:05")
    assert "the calendar is frozen" in game.run("tick", "b")
    (turn,) = game.shown("--turn", str(game.script.turns[4]), "--for", "mail")
    assert "are due" not in turn
    assert "the calendar stands still: we look into it" in turn
    key, faces = game.script.ruling
    (roll,) = [each["seq"] for each in game.events("roll.rolled") if each["body"]["key"] == key]
    game.run("amend", "b", str(roll), "--faces", faces, "--dice", "keep", "--why", "misread")
    assert game.leaks() == []
    game.at("2026-03-22 22:06")
    errata = game.posted("--errata", *game.to)
    assert {each["board"] for each in errata} == {*BOARDS, "mail"}
    assert {each["viewer"] for each in errata} == {"spectator", game.script.red, game.script.blue}
    assert "nothing that was posted has changed" in game.run("post", "b", "--errata")
    told = game.run("unfreeze", "b", "--why", "it is settled", *game.to)
    assert "due Sunday 2026-03-29 18:00 America/New_York (Sunday 2026-03-29 22:00 UTC)" in told
    game.hand_in(game.script.blue, blue, "--final")
    game.almost_time()
    game.deadline_comes()
    game.post_turn()


def week_6_is_the_last(game: Game) -> None:
    red, blue = game.begin(6, "2026-03-31")
    game.hand_in(game.script.red, red, "--final")
    game.hand_in(game.script.blue, blue, "--final")
    game.almost_time()
    game.deadline_comes()
    game.run("call", "b", "--every", "none")
    game.post_turn()


# ------------------------------------------------------------------------------------------------- at the end


def every_line_holds(game: Game) -> None:
    names = [each["name"] for each in json.loads(game.run("lines", "b", "--json"))]
    assert len(names) == 2
    told = game.run("verify", "b", "--adjudicate")
    assert [name for name in names if f"rules: line {name}: " not in told] == []
    game.run("verify", str(game.path / "copy-spectator.jsonl"))


def every_post_reads_back(game: Game) -> None:
    """Hold the rolls that are read in a post to those that the line holds that it was made of."""
    drawn = {}
    for line in json.loads(game.run("lines", "b", "--json")):
        found = game.events("roll.rolled", line["name"])
        drawn[line["name"]] = {each["seq"]: (tuple(each["body"]["faces"]), each["body"]["total"]) for each in found}
    read = 0
    for post in game.posts:
        if "erratum" in post["what"]:
            continue
        turn = post["turn"]
        told = rolls(post["board"], "\n\n".join(post["parts"]))
        held = {at: each for at, each in drawn[turn["line"]].items() if turn["first"] <= at <= turn["last"]}
        assert {at: (each.faces, each.total) for at, each in told.items()} == held
        assert [each for each in told.values() if each.said != each.worked_out] == []
        read += len(told)
    assert read


def calendar_and_messages_are_there(game: Game) -> None:
    calendar = (game.path / "b.ics").read_text(encoding="utf-8")
    for at in ("20260222T230000Z", "20260308T220000Z", "20260329T220000Z", "20260405T220000Z"):
        assert f"DTSTART:{at}" in calendar
    assert json.loads(game.run("outbox", "b", "--state", "pending", "--json")) == []
    written = [path.read_text(encoding="utf-8") for path in sorted((game.path / "out").glob("*.txt"))]
    for words in ("Erratum", SUNDAYS[-1], "that is in 1 d"):
        assert any(words in text for text in written), words
    assert not [text for text in written if "XQ7" in text]
    assert "XQ7" not in (game.path / "feed.atom").read_text(encoding="utf-8")
