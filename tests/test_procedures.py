"""What the rules of an author get told when their fold or a procedure of theirs is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.driver import NullSource, Walk
from engine.rules.procedures import ProcedureFailed, ProcedureInvalid
from engine.rules.rule_set import Procedure, Situation, roll_all
from events.facts import Chance, DiceRolled, Event, RollCalled, TurnBegan
from projections.fold import Fold, FoldInvalid
from tests.toy import Placed, Toy, Wounded, toy_fold


class Stray(Event, frozen=True, gc=False, tag="toy.stray"):
    pass


def keep(state: Toy, event: Event) -> Toy:
    return state


def tell(event: Event, before: Toy) -> str:
    return "something"


def fold_of(events: tuple[type[Event], ...], reduced: tuple[type[Event], ...], told: tuple[type[Event], ...]) -> Fold:
    return Fold("toy", events, Toy(), dict.fromkeys(reduced, keep), dict.fromkeys(told, tell), str)


@pytest.mark.parametrize(
    ("events", "reduced", "told", "problem"),
    [
        ((Placed, Wounded), (Placed,), (Placed, Wounded), "no reducer for Wounded"),
        ((Placed, Wounded), (Placed, Wounded), (Placed,), "no caption for Wounded"),
        ((Placed,), (Placed, Wounded), (Placed,), "a reducer for Wounded, which the list of events lacks"),
        ((Placed,), (Placed,), (Placed, Wounded), "a caption for Wounded, which the list of events lacks"),
    ],
)
def test_a_fold_names_what_has_no_reducer_or_caption_and_what_is_not_an_event(
    events: tuple[type[Event], ...], reduced: tuple[type[Event], ...], told: tuple[type[Event], ...], problem: str
) -> None:
    with pytest.raises(FoldInvalid) as refused:
        fold_of(events, reduced, told)
    assert refused.value.problems == (problem,)


def test_a_rule_set_may_fold_and_tell_a_common_fact_in_its_own_way() -> None:
    fold_of((Placed,), (Placed, TurnBegan), (Placed, TurnBegan))


def call(key: str) -> RollCalled:
    return RollCalled(
        key, "hits", "red", "ann", "d6", "at_least", 4, "target", (), (Chance("hit", 1, 2),), "TOY-1"
    )  # fmt: skip


def strays() -> Procedure:
    yield Stray()


def shouts() -> Procedure:
    yield "a hit"  # type: ignore[misc]


def mixes() -> Procedure:
    yield (call("a"), Stray())  # type: ignore[misc]


def forges() -> Procedure:
    yield DiceRolled("a", (6,), 6, True, "seeded", 1)


def repeats() -> Procedure:
    yield from roll_all([call("a"), call("a")])


def within_another() -> Procedure:
    yield from strays()


def stumbles() -> Procedure:
    yield Placed("ann", "red", 3)
    raise KeyError("bob")


def hits_nobody() -> Procedure:
    yield Wounded("nobody", "ann", 1, "TOY-2")


def walk(procedure: Procedure) -> None:
    fold = toy_fold()
    Walk(fold, Situation[Any, Any](replace(fold.start), None), (), NullSource()).run(procedure)


@pytest.mark.parametrize(
    ("procedure", "function", "problem"),
    [
        (strays, "strays", "it yields a Stray, which is not among the events of the fold of toy"),
        (within_another, "strays", "it yields a Stray, which is not among the events of the fold of toy"),
        (shouts, "shouts", "it yields a str, which is neither an event nor a question"),
        (mixes, "mixes", "it yields a Stray among several questions; yield an outcome alone"),
        (forges, "forges", "it yields a DiceRolled, but answers come from the dice and the referee, not from rules"),
        (repeats, "repeats", "it asks 'a' a second time in this act, which would give the same dice"),
    ],
)
def test_a_yield_that_cannot_be_recorded_is_named_with_file_line_and_procedure(
    procedure: Callable[[], Procedure], function: str, problem: str
) -> None:
    with pytest.raises(ProcedureInvalid) as refused:
        walk(procedure())
    assert refused.value.problem == problem
    assert refused.value.place.endswith(f"in {function}")
    if procedure is strays:
        line = strays.__code__.co_firstlineno + 1
        assert refused.value.place == f"tests/test_procedures.py line {line}, in strays"


def test_an_error_in_a_procedure_is_told_with_its_place_and_the_yield_before_it() -> None:
    with pytest.raises(ProcedureFailed, match=r"^tests/test_procedures.py line \d+, in stumbles, after it yielded Pl"):
        walk(stumbles())


def test_an_error_in_a_reducer_is_told_with_the_yield_that_led_to_it() -> None:
    with pytest.raises(ProcedureFailed, match=r"in hits_nobody, after it yielded Wounded: KeyError: 'nobody'"):
        walk(hits_nobody())
