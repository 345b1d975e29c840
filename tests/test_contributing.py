"""The page for contributors is true: its names lead somewhere, and its ways to add an event, a verb, a rule work."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.cli import main
from engine.rules.book import load_book
from events.facts import Event
from events.store.sqlite import SqliteLog
from projections.fold import Fold, FoldInvalid
from projections.journal import caption
from tests import test_golden, test_rules_cited, toy
from tests.dice_table import open_table
from tests.named_code import ROOT, lost_names

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """The example of a name, without the indent of the list that it stands in."""
    found = re.search(rf"^( *)```\w+ {name}\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.sub(f"^{found[1]}", "", found[2], flags=re.MULTILINE)


def run(code: str, module: ModuleType, **names: Any) -> ModuleType:
    """Run an example as the text of a module."""
    vars(module).update(names)
    exec(compile(code, "CONTRIBUTING.md", "exec"), vars(module))
    return module


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


def rallied() -> ModuleType:
    return run(
        block("event"), ModuleType("rallied"), Event=Event, Toy=toy.Toy, replace=replace,
        TOY_REDUCERS=toy.TOY_REDUCERS, TOY_CAPTIONS=toy.TOY_CAPTIONS,
    )  # fmt: skip


def test_the_event_of_the_page_is_folded_and_told() -> None:
    made = rallied()
    fold = Fold("toy", (*toy.TOY_EVENTS, made.Rallied), toy.Toy(), made.REDUCERS, made.CAPTIONS, str)
    event = made.Rallied("ann", 3, "T-1")
    assert fold.advance(toy.Toy(), [event]).health == {"ann": 3}  # type: ignore[attr-defined]
    assert caption(fold, event, toy.Toy()) == "ann rallies: health 3 (T-1)"


def test_an_event_without_reducer_or_sample_is_noticed() -> None:
    made = rallied()
    events = (*toy.TOY_EVENTS, made.Rallied)
    with pytest.raises(FoldInvalid, match="Rallied"):
        Fold("toy", events, toy.Toy(), toy.TOY_REDUCERS, made.CAPTIONS, str)
    catalogue = Fold("toy", events, toy.Toy(), made.REDUCERS, made.CAPTIONS, str).catalogue
    assert test_golden.problems(catalogue, [made.Rallied], []) == ["no sample of toy.rallied"]


def test_the_verb_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "engine.cli.heads", run(block("verb"), ModuleType("engine.cli.heads")))
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
    assert rule.id not in test_rules_cited.cited_in(test_rules_cited.code_of("dresda"))
