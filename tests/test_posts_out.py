"""Posts on their way: the deadline as each board tells it, turns and errata in the outbox, to each as he may see."""

from __future__ import annotations

import json
from pathlib import Path

from tests.test_errata import Run, ford, misread

__all__ = ["ford"]
BOOK = """
[recipients.all]
viewer = "spectator"
webhook = "https://example.org/hook"

[recipients.orcs]
viewer = "orcs"
mail = "orcs@example.org"
"""


def outbox(run: Run) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(run("outbox", "ford", "--json"))
    return found


def test_the_next_deadline_is_told_in_words_and_by_the_clocks_of_the_board(ford: Run) -> None:
    ford("call", "ford", "--until", "2099-03-08 18:00", "--zone", "America/New_York", "--remind", "none")
    words = "orders for t2/declare are due Sunday 2099-03-08 18:00 America/New_York (Sunday 2099-03-08 22:00 UTC)"
    for board in ("mail", "discord", "discourse", "html", "phpbb"):
        told = json.loads(ford("post", "ford", "--turn", "2", "--for", board, "--json", "--preview"))[0]["parts"]
        assert words in " ".join("".join(told).replace("\u200b", "").replace("\\", "").split()), board
    (discord,) = json.loads(ford("post", "ford", "--turn", "2", "--for", "discord", "--json", "--preview"))[0]["parts"]
    assert "\n<t:4076690400:F> (<t:4076690400:R>)" in discord
    (discourse,) = json.loads(ford("post", "ford", "--turn", "2", "--for", "discourse", "--json"))[0]["parts"]
    assert '\n[date=2099-03-08 time=22:00:00 timezone="UTC"]' in discourse
    turn_1 = ("post", "ford", "--turn", "1", "--for", "mail", "--preview")
    assert words in " ".join(ford(*turn_1).split())  # the last turn that is over tells what comes next
    assert "due" not in ford(*turn_1, "--phase", "missile")
    for _ in range(3):
        ford("next", "ford")
    ford("call", "ford", "--until", "2099-03-15 18:00", "--zone", "America/New_York")
    assert "due" not in ford(*turn_1)


def test_a_turn_goes_to_everybody_once_as_he_may_see_it(ford: Run, tmp_path: Path) -> None:
    book = tmp_path / "who.toml"
    book.write_text(BOOK, encoding="utf-8")
    ford("next", "ford")
    ford("order", "ford", "orcs", "snaga: walk 46.3,9.7")
    ford("post", "ford", "--turn", "2", "--to", str(book), "--preview")
    assert outbox(ford) == []
    ford("post", "ford", "--turn", "2", "--to", str(book))
    ford("post", "ford", "--turn", "2", "--to", str(book))
    found = {each["recipient"]: each for each in outbox(ford)}
    assert len(outbox(ford)) == 2
    assert "46.3" in str(found["orcs"])
    assert "46.3" not in str(found["all"])


def test_an_erratum_goes_where_the_turn_went(ford: Run, tmp_path: Path) -> None:
    book = tmp_path / "who.toml"
    book.write_text(BOOK, encoding="utf-8")
    ford("post", "ford", "--turn", "1", "--to", str(book))
    misread(ford)
    ford("post", "ford", "--errata", "--to", str(book))
    subjects = sorted((each["recipient"], each["subject"].partition(":")[0]) for each in outbox(ford))
    assert [who for who, _ in subjects] == ["all", "all", "all", "orcs", "orcs", "orcs"]
    assert [what for _, what in subjects].count("Erratum") == 2
