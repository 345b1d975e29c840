"""The command line with the toy rules installed: what the tests of rulings type, and what they read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.rules.rule_set import RuleSet
from tests.toy import toy_fold

SCENARIO = """
title = "A toy fight"
rule_set = "toy"
red = ["ann", "al"]
blue = ["bob", "ben"]
by_hand = [{hands}]
[seats]
red = "Red"
blue = "Blue"
[options]
{options}
"""
SHEET = {"red": "ann: hit bob\nal: hit bob", "blue": "bob: hit ann\nben: hit al"}


class Desk:
    """Runs `wardiary` on one file, each call as if in a process of its own."""

    def __init__(self, folder: Path, rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.db = folder / "war.db"
        self.installed = {rules.edition: rules}
        self.current = rules
        self._runner = CliRunner()
        monkeypatch.setattr("engine.rules.rule_set.find_rules", lambda name: self.current)
        for name in ("engine.rules.editions.find_edition", "engine.corrections.edition.find_edition"):
            monkeypatch.setattr(name, lambda name, edition: self.installed.get(edition))
        monkeypatch.setattr("projections.fold.find_fold", lambda name: toy_fold())
        monkeypatch.setenv("WARDIARY_DB", str(self.db))

    def install(self, rules: RuleSet, *, keep: bool = True) -> None:
        """Put another edition in place of the current one; with `keep` the old stays, as `toy@EDITION`."""
        if not keep:
            self.installed.clear()
        self.installed[rules.edition] = rules
        self.current = rules

    def run(self, *words: object) -> str:
        """Run a command that must succeed; return what it printed."""
        result = self._runner.invoke(cli, [str(word) for word in words])
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.output

    def refused(self, *words: object, code: int = 1) -> str:
        """Run a command that must be refused, in one line and without a traceback; return what it printed."""
        result = self._runner.invoke(cli, [str(word) for word in words])
        assert result.exit_code == code, (words, result.output, result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit | click.ClickException), result
        return result.output

    def data(self, *words: object) -> Any:
        """Run a command with --json; return what it told."""
        return msgspec.json.decode(self.run(*words, "--json"))

    def events(self, *words: object, line: str = "") -> list[dict[str, Any]]:
        """Return the events of a line, as `log --json` tells them."""
        told = self.run("log", "b", "--json", *(("--line", line) if line else ()), *words)
        return [msgspec.json.decode(text) for text in told.splitlines()]

    def heads(self) -> dict[str, tuple[int, str]]:
        """Return what may never change: of each line its last event and its digest."""
        found = self.data("lines", "b")
        return {each["name"]: (each["head"], self.events(line=each["name"])[-1]["hash"]) for each in found}

    # ------------------------------------------------------------------------------------------------- a battle

    def new(self, *, by_hand: tuple[str, ...] = (), **options: str) -> None:
        """Open battle `b`."""
        path = self.folder / "toy.toml"
        hands = ", ".join(f'"{seat}"' for seat in by_hand)
        chosen = "\n".join(f'{name} = "{value}"' for name, value in options.items())
        path.write_text(SCENARIO.format(hands=hands, options=chosen))
        self.run("new", "b", "--scenario", path)

    def orders(self, sheets: Mapping[str, str] = SHEET, line: str = "") -> None:
        """Hand in a sheet of each seat."""
        for seat, sheet in sheets.items():
            path = self.folder / f"{seat}.txt"
            path.write_text(sheet)
            self.run("orders", "b", path, "--seat", seat, *(("--line", line) if line else ()))

    def turn(self, sheets: Mapping[str, str] = SHEET, line: str = "") -> None:
        """Hand in sheets and go on."""
        self.orders(sheets, line)
        self.run("next", "b", *(("--line", line) if line else ()))

    def bodies(self, kind: str, line: str = "") -> list[dict[str, Any]]:
        """Return the facts of one type."""
        return [each["body"] for each in self.events(line=line) if each["body"]["type"] == kind]

    def seq_of(self, kind: str, nth: int = 0, line: str = "") -> int:
        """Return the nth event of a type."""
        found = [each["seq"] for each in self.events(line=line) if each["body"]["type"] == kind]
        return int(found[nth])

    def faces(self, line: str = "") -> dict[str, list[int]]:
        """Return every roll of a line."""
        return {each["key"]: each["faces"] for each in self.bodies("roll.rolled", line)}

    def state(self, *words: object) -> Any:
        """Return the state that `show` tells."""
        return self.data("show", "b", *words)["state"]
