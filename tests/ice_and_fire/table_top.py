"""A field for tests: units set up by hand, procedures run with the dice and rulings that a test wants."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.orders import read_order
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.orders import GRAMMAR
from engine.rules.ice_and_fire.scenario import deploy
from engine.rules.ice_and_fire.table_checks import loader
from engine.rules.ice_and_fire.tables import Tables
from engine.rules.ice_and_fire.vocabulary import vocabulary
from engine.rules.rule_set import Procedure, Scenario, Situation
from events.facts import BattleOpened, DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, Seat, TurnBegan
from projections.dice.rolls import dice_of, read_roll
from projections.ice_and_fire import fold
from projections.ice_and_fire.state import BattleField, Hero, Unit

E = TypeVar("E", bound=Event)
SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
RED = {"id": "red_host", "seat": "red", "holder": "ada"}
BLUE = {"id": "blue_host", "seat": "blue", "holder": "bram"}
ADA = {"id": "ada", "seat": "red", "unit": "spears", "weapons": ["longsword"], "abilities": {"warfare": 4}}
BRAM = {"id": "bram", "seat": "blue", "unit": "guards", "weapons": ["mace"], "abilities": {"warfare": 4}}
SPEARS = {"id": "spears", "seat": "red", "type": "militia", "training": 3, "post": "red_host", "at": [200, 100]}
GUARDS = {
    "id": "guards", "seat": "blue", "type": "guardsmen", "training": 3, "post": "blue_host", "at": [200, 160],
    "facing": 180,
}  # fmt: skip


@lru_cache(maxsize=1)
def tables() -> Tables:
    return loader().load()


def unit(name: str, seat: str, kind: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    """A unit as a scenario has it; red faces north, blue south."""
    facing = {"red": 0, "blue": 180}[seat]
    whole = {"id": name, "seat": seat, "type": kind, "training": 3, "post": f"{seat}_host", "at": list(at)}
    return {**whole, "facing": facing, **more}


def scenario(
    units: list[dict[str, Any]] | None = None,
    heroes: list[dict[str, Any]] | None = None,
    posts: list[dict[str, Any]] | None = None,
    options: dict[str, Any] | None = None,
    **rest: Any,
) -> Scenario:
    units = [SPEARS, GUARDS] if units is None else units
    if heroes is None:
        first = {seat: next((each["id"] for each in units if each["seat"] == seat), "") for seat in ("red", "blue")}
        heroes = [
            {**ADA, "unit": first["red"], **({} if first["red"] else {"at": [10, 10]})},
            {**BRAM, "unit": first["blue"], **({} if first["blue"] else {"at": [390, 290]})},
        ]
    parts = {"field": {"width": 600, "height": 500}, "unit": units, "hero": heroes, "post": posts or [RED, BLUE]}
    seats = {"red": "Red", "blue": "Blue"}
    return Scenario("a test", "ice_and_fire", seats, options or {}, rest={**parts, **rest})


class Top:
    """A situation and what has happened in it. Dice: by margin over the target, by part of the roll's key.

    `margins` says for a part of a key how far over its target a roll comes (`totals` for rolls that are read); without
    one a roll just succeeds. `answers` gives rulings by part of a key, else the default is taken.
    """

    def __init__(self, setup: Scenario | None = None, *, turn: int = 1) -> None:
        self.setup = setup or scenario()
        self.fold = fold()
        self.events: list[Event] = []
        opened = BattleOpened(
            "a test", "ice_and_fire", "1", (Seat("red", "Red"), Seat("blue", "Blue")), "", dict(self.setup.options)
        )
        start = self.fold.advance(BattleField(), (opened, *deploy(self.setup, tables()), TurnBegan(turn)))
        assert isinstance(start, BattleField)
        self.field: Situation[BattleField, Tables] = Situation(start, tables())
        self.margins: dict[str, int] = {}
        self.totals: dict[str, int] = {}
        self.answers: dict[str, str] = {}
        self.calls: dict[str, RollCalled] = {}
        self.asked: dict[str, RulingRequested] = {}

    @property
    def state(self) -> BattleField:
        return self.field.state

    def unit(self, name: str) -> Unit:
        return self.state.units[name]

    def hero(self, name: str) -> Hero:
        return self.state.heroes[name]

    def put(self, name: str, **what: Any) -> None:
        """Change a unit as a test needs it."""
        self.field.state = replace(self.state, units={**self.state.units, name: replace(self.unit(name), **what)})

    def put_hero(self, name: str, **what: Any) -> None:
        """Change a hero as a test needs him."""
        heroes = {**self.state.heroes, name: replace(self.hero(name), **what)}
        self.field.state = replace(self.state, heroes=heroes)

    def apply(self, *events: Event) -> None:
        state = self.fold.advance(self.state, events)
        assert isinstance(state, BattleField)
        self.field.state = state
        self.events += events

    def turn(self, number: int) -> None:
        self.apply(TurnBegan(number))

    def play(self, procedure: Procedure) -> list[Event]:
        """Run a procedure to its end; return what it made of outcomes."""
        before = len(self.events)
        answer: Any = None
        while True:
            try:
                wanted = procedure.send(answer)
            except StopIteration:
                break
            if isinstance(wanted, RollCalled | RulingRequested):
                answer = self._answer(wanted)
            elif isinstance(wanted, Event):
                self.apply(wanted)
                answer = None
            else:
                answer = [self._answer(each) for each in wanted]
        return self.events[before:]

    def _answer(self, question: RollCalled | RulingRequested) -> Any:
        self.apply(question)
        if isinstance(question, RulingRequested):
            assert question.key not in self.asked, f"{question.key} is asked twice"
            self.asked[question.key] = question
            answer = next((told for part, told in self.answers.items() if part in question.key), question.default)
            assert answer in question.choices
            self.apply(RulingGiven(question.key, answer))
            return answer
        assert question.key not in self.calls, f"{question.key} is rolled twice"
        self.calls[question.key] = question
        faces = showing(question, self._wanted(question))
        reading = read_roll(question, faces)
        rolled = DiceRolled(question.key, faces, reading.total, reading.success, "entered", self.state.table.turn)
        self.apply(rolled)
        return reading

    def _wanted(self, call: RollCalled) -> int | None:
        parts = [part for part in self.totals if part in call.key]
        if parts:
            return self.totals[max(parts, key=len)]
        parts = [part for part in self.margins if part in call.key]
        if parts:
            return call.target + self.margins[max(parts, key=len)]
        return None if call.test == "read" else call.target

    def order(self, text: str) -> Any:
        return read_order(text, GRAMMAR, vocabulary(self.field))

    def objections(self, text: str) -> list[str]:
        """The rules by which an order is not allowed."""
        return [each.rule for each in rules().objections(self.field, self.order(text))]

    def made(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def terms(self, part: str) -> dict[str, int]:
        """The lines of the one roll whose key holds `part`, by label."""
        (call,) = [each for key, each in self.calls.items() if part in key]
        return {term.label: term.value for term in call.terms}

    def called(self, part: str) -> RollCalled:
        (call,) = [each for key, each in self.calls.items() if key.endswith(part) or part in key]
        return call


def showing(call: RollCalled, wanted: int | None) -> tuple[int, ...]:
    """Faces for a roll that come to what is wanted, or as near as the dice can; threes if nothing is."""
    dice = dice_of(call.dice)
    sides = dice.faces()
    faces = [low for low, _ in sides]
    if wanted is None:
        return tuple(min(3, high) for _, high in sides)
    for place in range(len(faces)):
        while read_roll(call, faces).total < wanted and faces[place] < sides[place][1]:
            faces[place] += 1
    return tuple(faces)
