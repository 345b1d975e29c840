"""What a procedure may yield, and where in its author's code something else was yielded or went wrong."""

from __future__ import annotations

import traceback
from collections.abc import Generator, Sequence
from pathlib import Path
from types import GeneratorType
from typing import Any, Final, TypeAlias

from engine.rules import rule_set
from events.errors import DiaryError
from events.facts import DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, SecretRevealed
from projections.fold import Fold

Question: TypeAlias = RollCalled | RulingRequested

_ASKING: Final = str(rule_set.__file__)
_ANSWERS: Final = (DiceRolled, RulingGiven, SecretRevealed)


class ProcedureInvalid(DiaryError, TypeError):
    """A procedure yields what cannot be recorded: a mistake in the rules. `place` is the file, line and function."""

    code = "rules/procedure"

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}; nothing was recorded")
        self.place = place
        self.problem = problem


class ProcedureFailed(DiaryError, RuntimeError):
    """The code of a rule set stumbles over an error of its own, which is the cause (`__cause__`)."""

    code = "rules/failed"

    def __init__(self, place: str, yielded: str, error: Exception) -> None:
        after = f", after it yielded {yielded}" if yielded else ""
        super().__init__(f"{place}{after}: {type(error).__name__}: {error}; nothing was recorded")
        self.place = place
        self.yielded = yielded


def place_of(procedure: Generator[Any, Any, Any]) -> str:
    """Tell where a suspended procedure stands: the yield of the innermost one that it has gone into.

    Of the functions that put questions (`roll`, `ask` …) the caller is named.
    For example `brawl/ruled.py line 78, in Brawl._blows`.
    """
    assert isinstance(procedure, GeneratorType)
    inner = procedure
    while isinstance(inner.gi_yieldfrom, GeneratorType) and inner.gi_yieldfrom.gi_code.co_filename != _ASKING:
        inner = inner.gi_yieldfrom
    frame = inner.gi_frame
    return _place(inner.gi_code.co_filename, frame.f_lineno if frame is not None else 0, inner.gi_code.co_qualname)


def place_of_error(error: Exception) -> str:
    """Tell where an error was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return _place(last.filename, last.lineno or 0, last.name)


def questions_in(wanted: object, fold: Fold) -> tuple[Question, ...] | None:
    """Return the questions that were yielded, one or several; None for an event, which is an outcome.

    Raises TypeError, whose text says what is wrong, if it is neither or if the fold does not know the event.
    """
    if isinstance(wanted, RollCalled | RulingRequested):
        return (wanted,)
    if isinstance(wanted, Event):
        _check_outcome(wanted, fold)
        return None
    if not isinstance(wanted, Sequence) or isinstance(wanted, str):
        raise TypeError(f"it yields {_named(wanted)}, which is neither an event nor a question")
    for each in wanted:
        if not isinstance(each, RollCalled | RulingRequested):
            raise TypeError(f"it yields {_named(each)} among several questions; yield an outcome alone")
    return tuple(wanted)


def _check_outcome(event: Event, fold: Fold) -> None:
    if isinstance(event, _ANSWERS):
        raise TypeError(f"it yields {_named(event)}, but answers come from the dice and the referee, not from rules")
    if type(event) not in fold.reducers:
        raise TypeError(f"it yields {_named(event)}, which is not among the events of the fold of {fold.name}")


def _named(thing: object) -> str:
    name = type(thing).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _place(file: str, line: int, name: str) -> str:
    return f"{'/'.join(Path(file).parts[-2:])} line {line}, in {name}"
