"""The page for contributors is true: its names lead somewhere, and its ways to add an event, a verb, a rule work."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli import main
from engine.rules.book import load_book
from events.catalogue import Catalogue
from events.store.sqlite import SqliteLog
from projections.fold import Fold, FoldInvalid
from projections.journal import caption
from tests.dice_table import open_table
from tests.named_code import ROOT, lost_names
from tests.test_golden import problems
from tests.test_rules_cited import cited_in, code_of
from tests.toy import TOY_EVENTS, TOY_REDUCERS, Toy

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """The example of a name, without the indent of the list that it stands in."""
    found = re.search(rf"^( *)```\w+ {name}\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.sub(f"^{found[1]}", "", found[2], flags=re.MULTILINE)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", ".github/pull_request_template.md"])
def test_every_name_in_the_page_leads_somewhere(page: str) -> None:
    assert lost_names((ROOT / page).read_text(encoding="utf-8")) == []


def test_a_lost_name_is_found() -> None:
    assert lost_names("`events.facts.Ordered` `events.facts.Gone` `tests/gone.py` `events/` `DR-053`") == [
        "events.facts.Gone",
        "tests/gone.py",
    ]


def test_the_commands_of_the_page_are_those_of_the_hooks_and_of_the_whole_check() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    whole = (ROOT / ".ci/run").read_text(encoding="utf-8")
    for command in ("ruff check", "ruff format", "mypy"):
        assert command in PAGE
        assert command in hooks
        assert command in whole
    assert ".ci/run" in (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")


def module(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An example in a module of its own, with what it needs imported."""
    needs = (
        "from typing import ClassVar\nfrom msgspec.structs import replace\nfrom events.facts import Event\n"
        "from tests.toy import TOY_CAPTIONS, TOY_REDUCERS, Toy\n"
    )
    (folder / f"{name}_example.py").write_text(needs + block(name), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    return import_module(f"{name}_example")


@pytest.fixture
def rallied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The event of the page in a module of its own."""
    yield module("event", tmp_path, monkeypatch)
    del sys.modules["event_example"]


def test_the_event_of_the_page_is_folded_and_told(rallied: Any) -> None:
    fold = Fold("toy", (*TOY_EVENTS, rallied.Rallied), Toy(), rallied.REDUCERS, rallied.CAPTIONS, str)
    event = rallied.Rallied("ann", 3, "T-1")
    after = fold.advance(Toy(), [event])
    assert isinstance(after, Toy)
    assert after.health == {"ann": 3}
    assert caption(fold, event, Toy()) == "ann rallies: health 3 (T-1)"


def test_an_event_without_reducer_or_sample_is_noticed(rallied: Any) -> None:
    events = (*TOY_EVENTS, rallied.Rallied)
    with pytest.raises(FoldInvalid, match="Rallied"):
        Fold("toy", events, Toy(), TOY_REDUCERS, rallied.CAPTIONS, str)
    catalogue = Fold("toy", events, Toy(), rallied.REDUCERS, rallied.CAPTIONS, str).catalogue
    assert problems(catalogue, [rallied.Rallied], []) == ["no sample of toy.rallied"]


def test_a_changed_event_is_read_from_its_old_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = module("upcast", tmp_path, monkeypatch).Rallied
    del sys.modules["upcast_example"]
    old = '{"type":"toy.rallied","fighter":"ann","health":3,"rule":"T-1"}'
    assert Catalogue([changed]).read(old) == changed("ann", 3, "T-1", "ann")


def test_the_verb_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heads = ModuleType("engine.cli.heads")
    exec(compile(block("verb"), "CONTRIBUTING.md", "exec"), vars(heads))
    monkeypatch.setitem(sys.modules, heads.__name__, heads)
    monkeypatch.setitem(main.VERBS, "heads", ("heads", "List the last event of each line of a battle."))
    battle = open_table(tmp_path / "war.db")
    assert isinstance(battle.log, SqliteLog)
    battle.log.close()
    ran = CliRunner().invoke(main.cli, ["heads", "b", "--db", str(tmp_path / "war.db")])
    assert (ran.output, ran.exit_code) == (f"main: {battle.seq}\n", 0)
    ran = CliRunner().invoke(main.cli, ["heads", "gone", "--db", str(tmp_path / "war.db")])
    assert (len(ran.output.splitlines()), ran.exit_code) == (1, 1)


def test_the_rule_of_the_page_can_be_looked_up_and_must_be_cited(tmp_path: Path) -> None:
    listed = ROOT / "engine/rules/dresda/rules.toml"
    book = tmp_path / "rules.toml"
    book.write_text(listed.read_text(encoding="utf-8") + block("rule"), encoding="utf-8")
    rule = load_book(book)["DR-999"]
    assert (rule.title, rule.state) == ("Rallying", "built")
    assert rule.id not in cited_in(code_of("dresda"))
