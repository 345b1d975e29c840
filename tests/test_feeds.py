"""Feeds: valid by outside readers, ids that never change, an erratum that updates its entry, one for each viewer."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.cli.main import cli
from engine.rules.rule_set import find_rules
from events.facts import Noted
from events.store.sqlite import SqliteLog
from replays.publish.feed import ATOM, Entry, Feed, atom, json_feed
from tests.table import Table
from tests.test_errata import Run, ford, misread

__all__ = ["ford"]
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("feeds") / "war.db"
    assert CliRunner().invoke(cli, ["demo", "dresda", "--keep", str(path)]).exit_code == 0
    return path


def fed(path: Path, *words: str) -> str:
    result = CliRunner().invoke(cli, ["feed", "demo", "--db", str(path), *words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def check_atom(text: str) -> xml.Element:
    """Hold a feed to what RFC 4287 asks of one; outside readers let too much pass."""
    root = xml.fromstring(text)
    names = [child.tag.removeprefix(f"{{{ATOM}}}") for child in root]
    assert root.tag == f"{{{ATOM}}}feed"
    assert [names.count(name) for name in ("id", "title", "updated", "author")] == [1, 1, 1, 1]
    ids = []
    for entry in root.iter(f"{{{ATOM}}}entry"):
        inner = [child.tag.removeprefix(f"{{{ATOM}}}") for child in entry]
        assert [inner.count(name) for name in ("id", "title", "updated", "published", "content")] == [1] * 5
        ids.append(entry.findtext(f"{{{ATOM}}}id"))
    assert len(set(ids)) == len(ids)
    for name in ("updated", "published"):
        assert all(_TIME.fullmatch(each.text or "") for each in root.iter(f"{{{ATOM}}}{name}"))
    assert all(str(each).startswith("tag:") for each in ids)
    return root


def test_an_outside_reader_finds_the_turns(war: Path) -> None:
    text = fed(war, "--authority", "example.org", "--url", "https://example.org/war.atom")
    check_atom(text)
    found: Any = import_module("feedparser").parse(text.encode())
    assert not found.bozo
    assert found.version == "atom10"
    assert found.feed.links[0].href == "https://example.org/war.atom"
    assert found.entries
    assert found.entries[-1].id.startswith("tag:example.org,")
    assert "turn 1" in found.entries[-1].title
    assert "<h3" in found.entries[0].content[0].value


def test_both_formats_tell_the_same(war: Path) -> None:
    root, told = check_atom(fed(war)), json.loads(fed(war, "--format", "json"))
    assert told["version"] == "https://jsonfeed.org/version/1.1"
    entries = list(root.iter(f"{{{ATOM}}}entry"))
    for entry, item in zip(entries, told["items"], strict=True):
        pairs = {"id": "id", "title": "title", "content": "content_html", "updated": "date_modified"}
        for name, key in pairs.items():
            assert entry.findtext(f"{{{ATOM}}}{name}") == item[key]


def test_the_same_record_gives_the_same_bytes(war: Path) -> None:
    assert fed(war) == fed(war)
    assert fed(war, "--format", "json") == fed(war, "--format", "json")


def test_every_viewer_has_a_feed_of_his_own(war: Path) -> None:
    ids = [
        json.loads(fed(war, "--format", "json", "--as", who))["items"][0]["id"] for who in ("spectator", "orcs", "men")
    ]
    assert len(set(ids)) == 3


def test_a_feed_goes_to_a_file(war: Path, tmp_path: Path) -> None:
    out = tmp_path / "war.atom"
    assert "entries" in fed(war, "--out", str(out))
    check_atom(out.read_text(encoding="utf-8"))


def test_an_erratum_keeps_the_id_and_moves_the_time(ford: Run) -> None:
    (before,) = json.loads(ford("feed", "ford", "--format", "json"))["items"]
    ford("post", "ford", "--turn", "1", "--for", "mail")
    assert json.loads(ford("feed", "ford", "--format", "json"))["items"] == [before]
    misread(ford)
    (after,) = json.loads(ford("feed", "ford", "--format", "json"))["items"]
    assert after["id"] == before["id"]
    assert after["date_published"] == before["date_published"]
    assert after["date_modified"] > before["date_modified"]
    assert "rolled 72 = 72 &lt;= 35: no" in after["content_html"]


def test_the_time_of_a_feed_never_goes_back(ford: Run) -> None:
    ford("next", "ford")

    def times() -> tuple[str, str]:
        root = xml.fromstring(ford("feed", "ford"))
        return str(root.findtext(f"{{{ATOM}}}updated")), str(
            next(root.iter(f"{{{ATOM}}}entry")).findtext(f"{{{ATOM}}}updated")
        )

    first = times()
    misread(ford)
    second = times()
    ford("adopt", "ford", "main", "--why", "it was right")
    third = times()
    assert first < second < third
    assert first[1] < second[1] < third[1]


def test_what_xml_cannot_hold_never_gets_into_a_feed(ford: Run) -> None:
    with SqliteLog(os.environ["WARDIARY_DB"]) as log:  # the door refuses such a note; an older record may hold one
        said = "bell \x07, null-ish \x0b, no character \ufffe, turned \u202e, <b>bold</b> ]]>"
        Table(log, "ford", find_rules("dresda")).say("referee", Noted(said))
    ford("next", "ford")
    ford("next", "ford")
    for text in (ford("feed", "ford"), ford("feed", "ford", "--as", "referee")):
        check_atom(text)
        assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text)


def test_a_feed_without_turns_is_a_feed() -> None:
    empty = Feed("tag:example.org,2026-01-01:x/spectator", "A & B <c>", 1_700_000_000_000_000, "", ())
    assert check_atom(atom(empty)).findtext(f"{{{ATOM}}}title") == "A & B <c>"
    assert json.loads(json_feed(empty))["items"] == []


def test_markup_in_titles_is_text() -> None:
    entry = Entry("tag:example.org,2026-01-01:x/turn-1", "<b>1</b> & 2", 1_000_000, 2_000_000, "", "<p>x</p>")
    feed = Feed(
        "tag:example.org,2026-01-01:x", "T", 2_000_000, "", (entry, replace(entry, id="tag:example.org,2026:y"))
    )
    found: Any = import_module("feedparser").parse(atom(feed).encode())
    assert not found.bozo
    assert check_atom(atom(feed)).find(f"{{{ATOM}}}entry/{{{ATOM}}}title").text == "<b>1</b> & 2"  # type: ignore[union-attr]
