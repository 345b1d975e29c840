"""A toy battle with orders in which somebody can write something, for tests that look for it where it must not be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli
from engine.orders import AnyOrder, Order
from engine.orders.kinds import FreeText
from engine.rules.book import Book
from engine.rules.rule_set import Objection, OrderSlot, Procedure, Situation
from events.facts import OrderLapsed
from projections.fold import Fold
from tests.toy import Curse, Hit, ToyRules
from tests.toy import _blows as blows
from tests.toy_scene import drawn_toy

CANARY = "XQ7-CANARY"
"""Stands in every secret of blue's. Nothing that anybody else gets may hold it before its time."""

SCENARIO = """\
title = "A toy fight"
rule_set = "toy"
red = ["ann", "al"]
blue = ["bob", "ben"]
[seats]
red = "Red"
blue = "Blue"
[options]
"""


class Chant(Order, frozen=True, gc=False, tag="chant"):
    """Say something in this turn's blows."""

    words: Annotated[str, FreeText()]


class CanaryToy(ToyRules):
    """The toy rules with chants: they go with the blows, but change nothing."""

    grammar: tuple[type[AnyOrder], ...] = (Hit, Curse, Chant)

    def fold(self) -> Fold:
        return drawn_toy()

    def book(self) -> Book:
        return Book("toy", "Toy", {})

    def slot_for(self, situation: Situation[Any, Any], order: AnyOrder) -> OrderSlot:
        return OrderSlot("chants", declaration=True) if isinstance(order, Chant) else super().slot_for(situation, order)

    def objections(self, situation: Situation[Any, Any], order: AnyOrder) -> Sequence[Objection]:
        return [] if isinstance(order, Chant) else super().objections(situation, order)

    def slots(self, act: str) -> tuple[str, ...]:
        return ("blows", "chants") if act.endswith("/blows") else ("words",)

    def procedure(self, situation: Situation[Any, Any], act: str) -> Procedure:
        return _chanted(situation) if act.endswith("/blows") else super().procedure(situation, act)


def _chanted(situation: Situation[Any, Any]) -> Procedure:
    from msgspec.structs import replace

    table = situation.state.table
    chants = sorted((each for each in table.in_hand if each.slot == "chants"), key=lambda each: each.piece)
    for each in chants:
        yield OrderLapsed(each.piece, each.text, "nobody listens", "TOY-4")
    fighting = tuple(each for each in situation.state.table.in_hand if each.slot == "blows")
    situation.state = replace(situation.state, table=replace(situation.state.table, in_hand=fighting))
    yield from blows(situation)


Run = Callable[..., Result]


def at_the_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that calls the command line in `path`, where the canary rules are the installed ones."""
    rules = CanaryToy()
    monkeypatch.chdir(path)
    monkeypatch.setattr("engine.rules.rule_set.find_rules", lambda name: rules)
    monkeypatch.setattr("projections.fold.find_fold", lambda name: rules.fold())

    def call(*words: str, given: str | None = None) -> Result:
        result = CliRunner().invoke(cli, list(words), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
        return result

    return call


def open_table(run: Run, *options: str) -> Run:
    """Open the battle `b` with some options, such as `orders = "sealed"`."""
    Path("toy.toml").write_text(SCENARIO + "\n".join(options) + "\n", encoding="utf-8")
    result = run("new", "b", "--scenario", "toy.toml")
    assert result.exit_code == 0, result.stderr
    return run
