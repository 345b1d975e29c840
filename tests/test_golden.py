"""One stored sample of every shape ever recorded is read for ever.

`tests/golden/` holds a file for the common facts and one for each rule set: a JSON array with a stored body on each
line. Lines are added, never changed and never taken out: they stand for the records that people keep. A type that has
no sample fails the test. `python -m tests.test_golden BOOK` prints lines for such types, to be looked over and added.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from msgspec import inspect

from events.catalogue import Catalogue, EventUnreadable, split_tag, tag_of, write
from events.facts import COMMON, Event, Unknown
from events.store.record import type_of
from projections.fold import find_fold
from tests.rule_sets import NAMES

GOLDEN = Path(__file__).parent / "golden"


def catalogue_of(book: str) -> Catalogue:
    return Catalogue(()) if book == "common" else find_fold(book).catalogue


def types_of(book: str) -> list[type[Event]]:
    return [each for each in catalogue_of(book).types if book == "common" or each not in COMMON]


def samples_of(book: str) -> list[str]:
    """Return the stored bodies of a book, exactly as they are written there."""
    path = GOLDEN / f"{book}.json"
    raws = msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw]) if path.exists() else []
    return [bytes(raw).decode() for raw in raws]


def problems(catalogue: Catalogue, types: Sequence[type[Event]], samples: Sequence[str]) -> list[str]:
    """Return what is wrong with the samples of some of a catalogue's types."""
    current = {tag_of(each): each for each in types}
    names = {split_tag(tag)[0] for tag in current}
    stored = set(map(type_of, samples))
    found = [f"no sample of {tag}" for tag in catalogue.versions() if split_tag(tag)[0] in names and tag not in stored]
    for tag, each in current.items():
        shown = {key for sample in samples if type_of(sample) == tag for key in msgspec.json.decode(sample)}
        for field in each.__struct_fields__:
            if shown and field not in shown:
                found.append(f"no sample of {tag} shows {field}")
    for sample in samples:
        found += _misread(catalogue, current, sample)
    return found


def _misread(catalogue: Catalogue, current: dict[str, type[Event]], sample: str) -> list[str]:
    try:
        event = catalogue.read(sample)
    except EventUnreadable as error:
        return [f"{sample}: {error.why}"]
    if isinstance(event, Unknown):
        return [f"{sample}: of a type that is gone"]
    if type_of(sample) in current and write(event).decode() != sample:
        return [f"{sample}: written anew it is {write(event).decode()}"]
    return []


def filled(event_type: type[Event]) -> str:
    """Return a body of a type with something in every field."""
    info = inspect.type_info(event_type)
    assert isinstance(info, inspect.StructType)
    return msgspec.json.encode({"type": tag_of(event_type), **_fields(info)}).decode()


def _fields(info: inspect.StructType) -> dict[str, Any]:
    return {field.encode_name: _value(field.type, field.name, field.default) for field in info.fields}


def _value(info: inspect.Type, name: str, default: Any = None) -> Any:
    match info:
        case inspect.StructType(array_like=True):
            return list(_fields(info).values())
        case inspect.StructType():
            return ({"type": info.tag} if info.tag else {}) | _fields(info)
        case inspect.LiteralType():
            return next(value for value in info.values if value != default)
        case inspect.VarTupleType() | inspect.ListType():
            return [_value(info.item_type, name)]
        case inspect.TupleType():
            return [_value(item, name) for item in info.item_types]
        case inspect.DictType():
            return {"key": _value(info.value_type, name)}
        case inspect.UnionType():
            return _value(next(each for each in info.types if not isinstance(each, inspect.NoneType)), name)
        case inspect.BoolType():
            return not default
        case inspect.IntType():
            return 7
        case _:
            return name


@pytest.mark.parametrize("book", ["common", *NAMES])
def test_every_shape_ever_stored_is_still_read(book: str) -> None:
    catalogue = catalogue_of(book)
    assert "\n".join(problems(catalogue, types_of(book), samples_of(book))) == ""


def test_every_file_of_samples_belongs_to_something_that_is_read() -> None:
    assert {path.name for path in GOLDEN.iterdir() if path.is_file()} <= {f"{book}.json" for book in ("common", *NAMES)}


class Mark(msgspec.Struct, frozen=True, array_like=True):
    place: str
    depth: int


class Hurt(Event, frozen=True, gc=False, tag="toy.hurt@2"):
    upcasts: ClassVar = (lambda raw: {"mark": [raw["place"], 1]},)
    mark: Mark
    by: tuple[str, ...] = ()


TOY = Catalogue([Hurt])
OLD, NEW = '{"type":"toy.hurt","place":"arm"}', '{"type":"toy.hurt@2","mark":["mark",7],"by":["by"]}'


@pytest.mark.parametrize(
    ("samples", "found"),
    [
        ([OLD, NEW], []),
        ([NEW], ["no sample of toy.hurt"]),
        ([OLD], ["no sample of toy.hurt@2"]),
        ([OLD, '{"type":"toy.hurt@2","mark":["arm",2]}'], ["no sample of toy.hurt@2 shows by"]),
        ([OLD, NEW, '{"type":"toy.hurt@2","mark":"arm"}'], ["Expected `array`, got `str`"]),
        ([OLD, NEW, '{"type":"toy.hurt","where":"arm"}'], ["KeyError"]),
        ([OLD, NEW, '{"type":"toy.gone"}'], ["of a type that is gone"]),
        ([OLD, NEW, '{"type":"toy.hurt@2","by":["ann"],"mark":["arm",2]}'], ["written anew it is"]),
        ([OLD, NEW, '{"type":"toy.hurt@2","mark":["arm",2],"by":["ann"],"lost":1}'], ["written anew it is"]),
    ],
)
def test_whatever_is_wrong_with_a_sample_is_told(samples: list[str], found: list[str]) -> None:
    told = problems(TOY, [Hurt], samples)
    assert len(told) == len(found)
    for line, part in zip(told, found, strict=True):
        assert part in line


def test_a_filled_body_is_a_sample() -> None:
    assert filled(Hurt) == '{"type":"toy.hurt@2","mark":["place",7],"by":["by"]}'
    assert problems(TOY, [Hurt], [OLD, filled(Hurt)]) == []


if __name__ == "__main__":
    import sys

    told = "\n".join(problems(catalogue_of(sys.argv[1]), types_of(sys.argv[1]), samples_of(sys.argv[1])))
    print(",\n".join(filled(each) for each in types_of(sys.argv[1]) if f"no sample of {tag_of(each)}" in told))
