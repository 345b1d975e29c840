"""A battle for tests: a few words for the commands that tests give most, all of them through the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w
from msgspec.structs import asdict

from engine.answers import Answer
from engine.battle import Battle
from engine.clock import now
from engine.corrections.new_lines import corrected_line
from engine.corrections.plan import Plan
from engine.deadlines.tick import Ticked, tick
from engine.door import Door
from engine.recording import record_line, record_step
from engine.rules.rule_set import RuleSet, Scenario, find_rules
from events.commands import (
    AddBookmark,
    AddClientSeed,
    AddNote,
    Adopt,
    AnswerRuling,
    AnyCommand,
    Command,
    EnterDice,
    LetStand,
    OpenBattle,
    OpenBranch,
    Proceed,
    SettleDeferred,
    StateFact,
    SubmitOrders,
)
from events.corrections import DicePolicy
from events.event import Event
from events.store.log import MAIN, Log
from events.store.record import Line


def open_battle(
    log: Log,
    battle: str,
    scenario: Scenario,
    *,
    tables_folder: Path | None = None,
    clock: Callable[[], int] = now,
    rules: RuleSet | None = None,
) -> None:
    """Open a battle from a scenario that a test has made."""
    raw = {name: value for name, value in asdict(scenario).items() if name not in ("rest", "folder")}
    command = OpenBattle(
        battle=battle, scenario=tomli_w.dumps({**raw, **scenario.rest}), folder=scenario.folder,
        tables=str(tables_folder or ""),
    )  # fmt: skip
    Door(log, clock, lambda name: rules or find_rules(name)).execute(command)


class Table(Battle):
    """A line of a battle that orders and dice can be given to."""

    def __init__(self, log: Log, battle: str, rules: RuleSet, line: str = MAIN, clock: Callable[[], int] = now) -> None:
        super().__init__(log, battle, rules, line, clock)
        self.door = Door(log, lambda: self.clock(), lambda name: rules)
        self.door._battles[battle, self.line.name] = self  # the door acts on this very object

    def give(self, kind: type[Command], **fields: Any) -> Answer:
        """Give a command on this line."""
        request = fields.pop("request", None) or ""
        command: Any = kind(battle=self.line.battle, line=self.line.name, request=request, **fields)
        return self.execute(command)

    def execute(self, command: AnyCommand) -> Answer:
        return self.door.execute(command)

    def order(self, seat: str, text: str, **how: Any) -> Answer:
        return self.give(SubmitOrders, seat=seat, text=text, **how)

    def proceed(self, *, by_hand: Sequence[str] = (), act: str = "", **how: Any) -> Answer:
        return self.give(Proceed, by_hand=tuple(by_hand), act=act, **how)

    def roll(self, dice: Mapping[str, Sequence[int] | None], **how: Any) -> Answer:
        faces = {key: None if shown is None else tuple(shown) for key, shown in dice.items()}
        return self.give(EnterDice, dice=faces, **how)

    def rule(self, key: str, answer: str, why: str = "", **how: Any) -> Answer:
        return self.give(AnswerRuling, key=key, answer=answer, why=why, **how)

    def state_fact(self, text: str, why: str, **how: Any) -> Answer:
        return self.give(StateFact, text=text, why=why, **how)

    def stand(self, seat: str, about: int, why: str, **how: Any) -> Answer:
        return self.give(LetStand, seat=seat, events=(about,), why=why, **how)

    def note(self, seat: str, text: str, **how: Any) -> Answer:
        return self.give(AddNote, seat=seat, text=text, **how)

    def bookmark(self, seat: str, name: str, seq: int, **how: Any) -> Answer:
        return self.give(AddBookmark, seat=seat, name=name, point=str(seq), **how)

    def seed(self, seat: str, words: str, **how: Any) -> Answer:
        return self.give(AddClientSeed, seat=seat, seed=words, **how)

    def settle(self, number: int = 0, text: str = "", why: str = "", **how: Any) -> Answer:
        return self.give(SettleDeferred, number=number, text=text, why=why, **how)

    def say(self, seat: str, event: Event) -> None:
        """Record a fact as it is, behind the back of the door."""
        self.refresh()
        step = self.begin_step(self.clock())
        step.add(event, seat)
        record_step(self, step)

    def tick(self) -> Ticked:
        return tick(self.door, self.line.battle)

    def settle_all(self) -> Answer:
        return self.settle(again=True)


def apply_correction(battle: Battle, plan: Plan) -> Line:
    """Make a correction as it was worked out, dice and all; `Conflict` if the line has moved on since."""
    return record_line(battle, corrected_line(battle, plan), battle.clock())


def adopt(battle: Table, other: str, seat: str, why: str, policy: DicePolicy = "keep") -> Line:
    answer = battle.give(Adopt, other=other, seat=seat, why=why, dice=policy)
    return battle.log.line(answer.battle, answer.new_line)


def branch(battle: Table, name: str, after: int, seat: str, why: str, *, dice_of: str = "") -> Line:
    battle.give(OpenBranch, name=name, point=str(after), seat=seat, why=why, dice_of=dice_of)
    return battle.log.line(battle.line.battle, name)
