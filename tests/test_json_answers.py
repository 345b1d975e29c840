"""Answers for programs: every verb that acts gives one, of the type that the page documents; errors too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from engine.answers import Answer, Failure, Pending, Preview
from engine.cli.json_page import error_codes, json_page
from engine.cli.main import VERBS, cli
from tests.toy import ToyRules
from tests.toy_desk import Desk

ROOT = Path(__file__).parents[1]
READING = {
    "demo", "battles", "roster", "show", "log", "explain", "replay", "lines", "compare", "may", "notes", "receipts",
    "due", "tick", "ics", "post", "feed", "outbox", "deliver", "dice", "rules", "tables", "verify", "export", "import",
    "doctor", "backup",
}  # fmt: skip
"""Verbs that give no command, or, as `tick` and `post`, make their own request keys."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, ToyRules(), monkeypatch)


def call(*words: object) -> Any:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_the_page_is_what_the_types_say() -> None:
    page = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    assert page == json_page(), "write it again: python -m engine.cli.json_page > docs/json.md"


def test_no_two_errors_share_a_code() -> None:
    from engine.cli.json_page import _family
    from events.errors import DiaryError

    error_codes()
    codes = [each.code for each in _family(DiaryError)]
    assert sorted(codes) == sorted(set(codes))


@pytest.mark.parametrize("verb", sorted({*VERBS} - READING))
def test_every_verb_that_acts_takes_request_expect_and_json(verb: str) -> None:
    with click.Context(cli) as context:
        command = cli.get_command(context, verb)
    assert command is not None
    options = {name for each in command.params for name in each.opts}
    assert {"--request", "--json"} <= options
    assert "--expect" in options or verb == "new"


def acts(desk: Desk) -> list[tuple[object, ...]]:
    """Commands that can be given one after another, one of each kind that a toy battle has."""
    sheet = desk.folder / "sheet"
    sheet.write_text("ann: hit bob\nbob: hit ann\n", encoding="utf-8")
    empty = desk.folder / "empty"
    empty.write_text("", encoding="utf-8")
    return [
        ("order", "b", "red", "ann: hit bob"),
        ("withdraw", "b", "red"),
        ("orders", "b", sheet),
        ("standing", "b", "red", sheet.with_name("empty")),
        ("note", "b", "a word"),
        ("note", "b", "a word", "--seat", "red", "--to", "blue"),
        ("seat", "b", "red", "--player", "Ann"),
        ("seed", "b", "red", "words"),
        ("policy", "b", "forbidden"),
        ("beacon", "b", "ours", 7),
        ("beacon", "b", "ours", 7, "--signature", "ab"),
        ("call", "b", "--until", "+2d", "--zone", "UTC"),
        ("extend", "b", "--by", "1d", "--why", "x"),
        ("freeze", "b", "--why", "x"),
        ("unfreeze", "b", "--why", "x"),
        ("ready", "b", "red"),
        ("bookmark", "b", "here"),
        ("branch", "b", "what"),
        ("next", "b", "--by-hand", "red"),
        ("roll", "b", "t1/hit/ann>bob", "--faces", "3"),
        ("order", "b", "red", "ann: curse bob"),
        ("rule", "b", "curse/bob", "yes"),
        ("fact", "b", "ann: health 2", "--why", "x"),
        ("undo", "b", "--why", "x", "--dice", "stand"),
        ("undo", "b", "--why", "x", "--dice", "keep"),
        ("adopt", "b", "main", "--why", "x"),
    ]


def test_every_verb_that_acts_answers_in_the_documented_type(desk: Desk) -> None:
    desk.new()
    for words in acts(desk):
        result = call(*words, "--json", "--request", f"{words[0]} {len(desk.heads())} {words[-1]}")
        assert result.exit_code == 0, (words, result.output, result.exception)
        answer = msgspec.json.decode(result.stdout, type=Answer)
        assert msgspec.json.decode(result.stdout) == msgspec.json.decode(msgspec.json.encode(answer)), words
        assert 0 < answer.first <= answer.last, words
        assert not answer.repeated, words


def test_a_repeated_verb_says_so_and_does_nothing(desk: Desk) -> None:
    desk.new()
    for words in acts(desk):
        first = call(*words, "--json", "--request", "k" + str(words))
        before = desk.heads()
        again = call(*words, "--json", "--request", "k" + str(words))
        assert again.exit_code == 0, (words, again.output)
        one, two = (msgspec.json.decode(each.stdout, type=Answer) for each in (first, again))
        assert (two.repeated, two.line, two.first, two.last) == (True, one.line, one.first, one.last), words
        assert desk.heads() == before
        assert "carried out before" in call(*words, "--request", "k" + str(words)).stdout, words


def test_a_preview_and_what_is_pending_have_types_of_their_own(desk: Desk) -> None:
    desk.new()
    desk.orders()
    order = desk.seq_of("order.given")
    strike = call("strike", "b", order, "--why", "x", "--dice", "keep", "--preview", "--json")
    preview = msgspec.json.decode(strike.stdout, type=Preview)
    assert preview.change is not None
    assert preview.change.line == "main.2"
    call("next", "b", "--by-hand", "red")
    assert msgspec.json.decode(call("roll", "b", "--json").stdout, type=Pending).dice
    assert msgspec.json.decode(call("rule", "b", "--json").stdout, type=Pending).next_act == ""


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        (("next", "nowhere"), 1, "log/battle-unknown"),
        (("order", "b", "red", "ann: fly"), 1, "order/unreadable"),
        (("order", "b", "red"), 2, "usage"),
        (("next", "b", "--expect", "1"), 1, "log/conflict"),
        (("next", "b", "--seat", "red"), 1, "battle/not-yours"),
        (("strike", "b", "8", "--seat", "red", "--why", "x", "--dice", "keep"), 1, "correction/not-allowed"),
        (("orders", "b", "no-such-file"), 2, "usage"),
        (("fly", "b"), 2, "usage"),
    ],
)
def test_a_refusal_is_one_document_with_its_code_and_one_line_for_people(
    desk: Desk, words: tuple[str, ...], code: int, name: str
) -> None:
    desk.new()
    desk.orders()
    result = call(*words, "--json")
    failure = msgspec.json.decode(result.stdout, type=Failure)
    assert (result.exit_code, failure.exit_code) == (code, code)
    assert [each.code for each in failure.error] == [name] * len(failure.error)
    assert result.stderr.splitlines() == [f"wardiary: {each.message}" for each in failure.error]
    assert not call(*words).stdout


def test_every_problem_of_a_sheet_is_told_with_its_code(desk: Desk) -> None:
    desk.new()
    sheet = desk.folder / "sheet"
    sheet.write_text("ann: fly\nbob: hit nobody\n", encoding="utf-8")
    failure = msgspec.json.decode(call("orders", "b", sheet, "--json").stdout, type=Failure)
    assert len(failure.error) == 2
    assert {each.code for each in failure.error} <= {*error_codes()}


@pytest.mark.parametrize(
    ("words", "new"),
    [
        (("stir", "b", "red", "x"), "wardiary seed"),
        (("film", "b"), "replay BATTLE --html"),
        (("judge", "b"), "verify BATTLE --adjudicate"),
        (("verify", "b", "--judge"), "--judge is now --adjudicate"),
        (("replay", "b", "--film", "x"), "--film is now --html"),
        (("hand-in", "b"), "wardiary orders"),
    ],
)
def test_an_old_name_is_answered_by_the_new_one(desk: Desk, words: tuple[str, ...], new: str) -> None:
    desk.new()
    result = call(*words)
    assert result.exit_code == 2
    assert new in result.stderr


def test_the_hint_is_the_safe_form(desk: Desk) -> None:
    desk.new()
    assert "`wardiary next b --act t1/blows`" in desk.run("note", "b", "x")


def test_an_error_is_told_with_what_to_type(desk: Desk) -> None:
    desk.new(corrections_lapse="other")
    desk.orders()
    own = desk.seq_of("order.given")
    assert "--override" in desk.refused("strike", "b", own, "--why", "x", "--dice", "keep")
