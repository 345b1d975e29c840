"""Checks of a rule set as a whole: what `wardiary rules --check NAME` finds.

Each finding is one line that says what is wrong and where. A rule set without findings has been played from a scenario
to its end, twice with the same dice, and adjudicated.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from engine.authoring.bare import BareBattle
from engine.orders import describe
from engine.rules.book import Book
from engine.rules.rule_set import RuleSet, Scenario
from events.catalogue import split_tag, tag_of, write
from events.dice.expression import Target
from events.errors import DiaryError, did_you_mean
from events.facts import COMMON, Chance, Event, RollCalled, RulingRequested, Unknown
from events.store.record import type_of
from projections.battle_state import State
from projections.dice.odds import distribution
from projections.dice.rolls import dice_of
from projections.fold import Fold

SAMPLES: Final = "samples.json"
"""The file beside a rule set's module that holds a stored body of every event type, for good."""

_ID: Final = re.compile(r"\b[A-Z]{1,6}-[0-9]+[a-z]?(?![0-9A-Za-z])")
_NOT_IN_BOOK: Final = ("", "ruling", "table", "policy")
"""What may stand in place of a rule's id."""


class RulesFaulty(DiaryError, ValueError):
    """A rule set does not hold what is asked of every one. `problems` lists everything found."""

    code = "rules/faulty"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class PlayFailed(DiaryError, RuntimeError):
    """A scenario that was played in one process cannot be played in another."""

    code = "rules/play-failed"

    def __init__(self, why: str) -> None:
        super().__init__(f"in a process of its own the scenario cannot be played: {why}")


def home_of(rules: RuleSet) -> Path:
    """Return the folder in which the module of a rule set lies."""
    return Path(str(sys.modules[type(rules).__module__].__file__)).parent


def samples_of(rules: RuleSet) -> Path:
    """Return the file of a rule set's samples. In a checkout, those of the built-in ones lie among the tests."""
    beside = home_of(rules) / SAMPLES
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden" / f"{rules.name}.json"
    return golden if golden.is_file() and not beside.is_file() else beside


def check_definition(rules: RuleSet) -> Iterator[str]:
    """Yield what is wrong before anything is played: the fold, floats, the forms of orders, rule ids in the code.

    Raises `FoldInvalid` or `GrammarInvalid` where the rest cannot be looked at.
    """
    fold, book = rules.fold(), rules.book()
    if fold.name != rules.name:
        yield f"the fold is called {fold.name!r}, the rule set {rules.name!r}"
    own = [each for each in fold.catalogue.types if each not in COMMON]
    for what in (*own, type(fold.start), *rules.grammar, *rules.fact_grammar):
        yield from floats_in(what)
    for form, meaning in describe((*rules.grammar, *rules.fact_grammar)):
        if not meaning:
            yield f"the order `{form}` has no docstring: its first line is the help text"
    yield from cited(book, home_of(rules))


def floats_in(kind: type[Struct]) -> Iterator[str]:
    """Yield the fields of a Struct that hold floats, however deep: a float is not the same on every machine."""
    seen: set[type] = set()

    def floats(info: inspect.Type) -> bool:
        if isinstance(info, inspect.FloatType):
            return True
        if isinstance(info, inspect.StructType):
            if info.cls in seen:
                return False
            seen.add(info.cls)
            return any(floats(field.type) for field in info.fields)
        inner = [getattr(info, name, None) for name in ("item_type", "key_type", "value_type", "type")]
        many = [*getattr(info, "item_types", ()), *getattr(info, "types", ())]
        return any(floats(each) for each in (*inner, *many) if isinstance(each, inspect.Type))

    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    for field in described.fields:
        seen.clear()
        if floats(field.type):
            yield f"{kind.__name__}.{field.name} holds a float: use whole numbers of a small unit, or a pair of them"


def cited(book: Book, home: Path) -> Iterator[str]:
    """Yield rule ids in the code beside a list of rules that are not on it; an id may be cited without its letter."""
    known = {rule.id for rule in book} | {rule.id.rstrip("abcdefghijklmnopqrstuvwxyz") for rule in book}
    letters = {rule.partition("-")[0] for rule in known}
    for path in sorted(home.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for found in _ID.findall(line):
                if found.partition("-")[0] in letters and found not in known:
                    meant = did_you_mean(book.nearest(found))
                    yield f"{path.name} line {number}: {found} is not on the list of rules{meant}"


def check_play(rules: RuleSet, scenario: Scenario, seed: str = "1") -> tuple[list[str], BareBattle]:
    """Play a scenario to its end, twice, and adjudicate it. Returns what is wrong, and the battle.

    Raises whatever keeps it from being played: `ScenarioInvalid`, `SheetRefused`, `ProcedureInvalid`, `NeverEnds`.
    """
    battle, again = BareBattle(rules, scenario, seed=seed), BareBattle(rules, scenario, seed=seed)
    battle.autoplay()
    again.autoplay()
    found = list(_differences(battle, again))
    try:
        battle.adjudicate()
    except DiaryError as error:
        found.append(f"adjudicated again the battle comes out otherwise: {error}")
    found += check_record(rules.fold(), rules.book(), battle.events)
    found += (f"the state cannot be saved and loaded: {problem}" for problem in _unsaved(rules.fold(), battle.state))
    return found, battle


def digest_of(events: Iterable[Event]) -> str:
    """Return the SHA-256 of events as they are stored: the same wherever the same happened."""
    return sha256(b"\n".join(map(write, events))).hexdigest()


def played_elsewhere(name: str, scenario: Path, seed: str = "1") -> str:
    """Play a scenario in a process of its own, in which sets have another order; return the digest of its events.

    Raises `PlayFailed` if it does not come to an end there.
    """
    code = (
        "import sys; from pathlib import Path; from engine.authoring import checks, bare; "
        "from engine.opening import read_scenario; from engine.rules.rule_set import find_rules; "
        "battle = bare.BareBattle(find_rules(sys.argv[1]), read_scenario(Path(sys.argv[2])), seed=sys.argv[3]); "
        "battle.autoplay(); print(checks.digest_of(battle.events))"
    )
    other = "1" if os.environ.get("PYTHONHASHSEED") == "2" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code, name, str(scenario), seed],
        env={**os.environ, "PYTHONHASHSEED": other}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        raise PlayFailed(done.stderr.strip().rpartition("\n")[2])
    return done.stdout.strip()


def check_record(fold: Fold, book: Book, events: Iterable[Event]) -> Iterator[str]:
    """Yield what is wrong with recorded events: rules, chances, keys, captions, stored bodies. Each kind once."""
    told: set[str] = set()
    keys: set[str] = set()
    state = fold.start
    for event in events:
        found = [*_rules_of(event, book), *_captions(fold, event, state), *_bodies(fold, event)]
        if isinstance(event, RollCalled):
            found += chances_of(event)
        if isinstance(event, RollCalled | RulingRequested):
            if event.key in keys:
                found.append(f"{event.key!r} is asked in two acts: put the turn and the act into the key")
            keys.add(event.key)
        for problem in found:
            if problem not in told:
                told.add(problem)
                yield problem
        state = fold.advance(state, (event,))


def chances_of(call: RollCalled) -> Iterator[str]:
    """Yield what is wrong with the chances that a call states."""
    stated = sum((Fraction(each.of, each.out_of) for each in call.chances), Fraction(0))
    if call.test == "read":
        if call.chances and stated != 1:
            yield f"the roll {call.key}: its chances come to {stated}, not to 1"
        return
    exact = distribution(dice_of(call.dice)).chance_of(Target(call.test, call.target))
    success: Chance | None = next(iter(call.chances), None)
    if success is None:
        yield f"the roll {call.key}: it states no chance"
    elif Fraction(success.of, success.out_of) != exact:
        yield f"the roll {call.key}: it states a chance of {success.of} in {success.out_of}, the dice give {exact}"


def check_samples(fold: Fold, file: Path, played: Iterable[Event] = ()) -> Iterator[str]:
    """Yield what is wrong with the stored samples of a rule set: one of every type, read and written as it is there.

    For a type without one the line to add is given, if the event was `played`.
    """
    try:
        raws = msgspec.json.decode(file.read_bytes(), type=list[msgspec.Raw]) if file.exists() else []
    except msgspec.MsgspecError as error:
        yield f"{file.name}: not a JSON list of stored events ({error})"
        return
    bodies = [bytes(raw).decode() for raw in raws]
    stored = set(map(type_of, bodies))
    lines = {tag_of(type(event)): write(event).decode() for event in played}
    own = {split_tag(tag_of(each))[0] for each in fold.catalogue.types if each not in COMMON}
    for tag in fold.catalogue.versions():
        if split_tag(tag)[0] in own and tag not in stored:
            yield f"{file.name}: no sample of {tag}" + (f"; add {lines[tag]}" if tag in lines else "")
    current = {tag_of(each) for each in fold.catalogue.types}
    for body in bodies:
        event = fold.catalogue.read(body)
        if isinstance(event, Unknown):
            yield f"{file.name}: the type {event.name} is gone, but old records hold it: keep it, or give an upcast"
        elif type_of(body) in current and write(event).decode() != body:
            yield f"{file.name}: {body} is now written as {write(event).decode()}: a changed type needs a new version"


def _differences(one: BareBattle, other: BareBattle) -> Iterator[str]:
    for number, (first, second) in enumerate(zip(one.events, other.events, strict=False), 1):
        if first != second:
            yield f"played twice with the same dice, event {number} differs: {first!r}, then {second!r}"
            return
    if len(one.events) != len(other.events):
        yield f"played twice with the same dice, one battle has {len(one.events)} events, one {len(other.events)}"


def _rules_of(event: Event, book: Book) -> Iterator[str]:
    """Yield the rules that an event, or a term of it, names and the list lacks."""
    named = [(f"{type(event).__name__}", getattr(event, "rule", ""))]
    named += [(f"the term {term.label!r}", term.rule) for term in getattr(event, "terms", ())]
    for what, rule in named:
        if isinstance(rule, str) and rule not in _NOT_IN_BOOK and rule not in book:
            yield f"{what} cites {rule!r}, which is not on the list of rules{did_you_mean(book.nearest(rule))}"


def _captions(fold: Fold, event: Event, before: State) -> Iterator[str]:
    tell: Callable[[Any, Any], str] | None = fold.captions.get(type(event))
    if tell is None:
        return
    try:
        text = tell(event, before)
    except Exception as error:  # whatever an author's caption may stumble over
        yield f"the caption of {type(event).__name__} fails: {type(error).__name__}: {error}"
        return
    if not isinstance(text, str) or not text.strip():
        yield f"the caption of {type(event).__name__} tells nothing"


def _bodies(fold: Fold, event: Event) -> Iterator[str]:
    read = fold.catalogue.read(write(event).decode())
    if read != event:
        yield f"{type(event).__name__} is not read back as it was written: {read!r}"


def _unsaved(fold: Fold, state: State) -> Iterator[str]:
    try:
        if fold.load(fold.save(state)) != state:
            yield "it comes back different"
    except (msgspec.MsgspecError, TypeError) as error:
        yield str(error)
