"""No float, decimal or date anywhere in what is recorded or folded: they would not add up the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from events.facts import COMMON, Event, Unknown
from events.store.record import Appended, Draft, Head, Line, Recorded, Request, Snapshot
from projections.battle_state import State
from projections.fold import find_fold
from tests.rule_sets import NAMES

INEXACT = (
    inspect.FloatType,
    inspect.DecimalType,
    inspect.DateTimeType,
    inspect.DateType,
    inspect.TimeType,
    inspect.TimeDeltaType,
    inspect.AnyType,
    inspect.CustomType,
    inspect.RawType,
)


def inexact_fields(types: Iterable[Any]) -> list[str]:
    """Return every field, however deep, whose type may hold what does not compare exactly, as `Type.field.field`."""
    found: list[str] = []
    seen: set[type] = set()
    for each in types:
        found += _walk(inspect.type_info(each), each.__name__, seen)
    return found


def _walk(info: inspect.Type, path: str, seen: set[type]) -> Iterator[str]:
    if isinstance(info, INEXACT):
        yield f"{path}: {type(info).__name__.removesuffix('Type')}"
    elif isinstance(info, inspect.StructType | inspect.DataclassType | inspect.TypedDictType | inspect.NamedTupleType):
        if info.cls not in seen:
            seen.add(info.cls)
            for field in info.fields:
                yield from _walk(field.type, f"{path}.{field.name}", seen)
    else:
        for name in ("item_type", "key_type", "value_type", "type"):
            inner = getattr(info, name, None)
            if isinstance(inner, inspect.Type):
                yield from _walk(inner, path, seen)
        for inner in (*getattr(info, "item_types", ()), *getattr(info, "types", ())):
            yield from _walk(inner, path, seen)


def test_no_common_fact_holds_anything_inexact() -> None:
    assert inexact_fields([*COMMON, Unknown]) == []


def test_nothing_that_the_log_takes_or_gives_is_inexact() -> None:
    assert inexact_fields([Appended, Head, Line, Recorded, Request, Snapshot, State]) == []
    assert all(issubclass(fact, Event) for fact in COMMON)
    assert Draft.__annotations__["event"] in (Event, "Event")


@pytest.mark.parametrize("name", NAMES)
def test_no_fact_and_no_state_of_a_rule_set_holds_anything_inexact(name: str) -> None:
    fold = find_fold(name)
    assert inexact_fields([*fold.catalogue.types, type(fold.start)]) == []


class Leaf(msgspec.Struct):
    weight: float


class Tree(msgspec.Struct):
    leaves: dict[str, tuple[Leaf | None, ...]]
    again: list[Tree]
    day: datetime | None
    price: tuple[int, Decimal]
    any: Any
    fine: dict[str, tuple[int, bool, str | None]]


def test_the_walk_finds_what_is_inexact_however_deep_it_lies() -> None:
    assert inexact_fields([Tree]) == [
        "Tree.leaves.weight: Float",
        "Tree.day: DateTime",
        "Tree.price: Decimal",
        "Tree.any: Any",
    ]
