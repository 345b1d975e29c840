"""Every rule of a list of rules is cited by the code that carries it out and by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.rules.book import Book, load_book

ROOT = Path(__file__).parents[1]
BOOKS = sorted(path.parent.name for path in (ROOT / "engine" / "rules").glob("*/rules.toml"))
_ID = re.compile(r"[A-Za-z]{1,6}[-_][0-9]+[a-z]?(?![0-9A-Za-z])")


def cited_in(paths: Iterator[Path]) -> set[str]:
    """Return every rule id in some files, as it is written in lists of rules: `dr_013` in a name is DR-013."""
    return {_plain(found) for path in paths for found in _ID.findall(path.read_text(encoding="utf-8"))}


def _plain(rule: str) -> str:
    letters, _, number = rule.replace("_", "-").partition("-")
    return f"{letters.upper()}-{number}"


def code_of(name: str) -> Iterator[Path]:
    """Yield what carries the rules out: procedures, reducers, and the tables that their numbers stand in."""
    yield from (ROOT / "engine" / "rules" / name / "tables").glob("*.toml")
    for folder in (ROOT / "engine" / "rules" / name, ROOT / "projections" / name):
        yield from folder.rglob("*.py")


def files_that_test(name: str) -> Iterator[Path]:
    for path in (ROOT / "tests").rglob("*.py"):
        if name in path.parts or name in path.stem:
            yield path


def built(name: str) -> Book:
    """Return the list of rules of a rule set."""
    return load_book(f"engine.rules.{name}")


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_is_cited_beside_the_code_that_does_it(name: str) -> None:
    book = built(name)
    cited = cited_in(code_of(name))
    assert [rule.id for rule in book if _plain(rule.id) not in cited] == []


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    book = built(name)
    cited = cited_in(files_that_test(name))
    assert [rule.id for rule in book if _plain(rule.id) not in cited] == []


@pytest.mark.parametrize("name", BOOKS)
def test_no_rule_is_cited_that_is_not_on_the_list(name: str) -> None:
    """A mistyped id would send a reader to nothing. A rule with lettered companions may be cited without its letter."""
    book = built(name)
    letters = {_plain(rule.id).partition("-")[0] for rule in book}
    known = {_plain(rule.id) for rule in book}
    known |= {each.rstrip("abcdefghijklmnopqrstuvwxyz") for each in known}
    strange = {each for each in cited_in(code_of(name)) if each.partition("-")[0] in letters}
    assert sorted(strange - known) == []
