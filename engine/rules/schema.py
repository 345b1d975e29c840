"""Raw parts of a file turned into typed values, and all that is wrong with them told at once, in plain words.

A rule set declares the parts of its scenario files as frozen Structs; `read_part` does the rest:

    class Entry(Struct, frozen=True, forbid_unknown_fields=True):
        side: str
        at: tuple[int, int]

    entries = read_part(scenario.rest, dict[str, Entry])
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from engine.rules.errors import ScenarioInvalid
from engine.rules.numbers import decimal_text
from engine.rules.words import hint

T = TypeVar("T")

_WORDS: Final[Mapping[object, str]] = {
    int: "a whole number",
    Decimal: "a number",
    Fraction: "a number or a fraction such as '3/2'",
    str: "text in quotes",
    bool: "true or false",
}
_LONGEST_SHOWN: Final = 60


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file with exact numbers (Decimal for fractions). Raises `ScenarioInvalid` with the line."""
    return parse_toml(read_text(path), str(path))


def read_text(path: Path) -> str:
    """Read a text file. Raises `ScenarioInvalid` if it cannot be read, or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScenarioInvalid([f"{path}: {error.strerror or error}"]) from error
    except UnicodeDecodeError as error:
        raise ScenarioInvalid([f"{path}: not TOML: it is not UTF-8 text (byte {error.start + 1})"]) from error


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Read TOML with exact numbers; `name` says in errors where it is from. Raises `ScenarioInvalid` with the line."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError as error:
        raise ScenarioInvalid([f"{name}: not TOML that can be read: it is nested too deep"]) from error
    except tomllib.TOMLDecodeError as error:
        raise ScenarioInvalid([f"{name}: not TOML: {error}"]) from error
    except ValueError as error:
        raise ScenarioInvalid([f"{name}: a number in it has thousands of digits"]) from error


def read_part(raw: object, wanted: type[T], where: str = "") -> T:
    """Turn a raw part into its type. `where` stands before the place of each problem.

    Raises `ScenarioInvalid` with every problem, such as `fighter.ann.strength: must be a whole number, not "much"`.

    >>> read_part({"side": "smiths"}, dict[str, int])
    Traceback (most recent call last):
    ...
    engine.rules.errors.ScenarioInvalid: side: must be a whole number, not 'smiths'
    """
    try:
        return msgspec.convert(raw, wanted)
    except msgspec.ValidationError as error:
        raise ScenarioInvalid(list(problems_in(raw, wanted, where)) or [str(error)]) from error


def kind_of(wanted: object) -> str:
    """Tell a type in plain words.

    >>> kind_of(Annotated[int, msgspec.Meta(ge=1, le=30)])
    'a whole number from 1 to 30'
    >>> kind_of(tuple[str, ...])
    'a list, each text in quotes'
    """
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        limits = [meta for meta in inner[1:] if isinstance(meta, msgspec.Meta)]
        return kind_of(inner[0]) + "".join(map(_ends, limits))
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin in (Union, UnionType):
        passed_over = {NoneType, int} if Decimal in inner else {NoneType}
        return " or ".join(kind_of(each) for each in inner if each not in passed_over)
    if origin is tuple:
        if Ellipsis in inner:
            return f"a list, each {kind_of(inner[0])}"
        return f"a list of {len(inner)}: {', '.join(map(kind_of, inner))}"
    if origin is not None or (isinstance(wanted, type) and issubclass(wanted, Struct)):
        return "a table of NAME = VALUE"
    return _WORDS.get(wanted, str(wanted))


def shown(value: object) -> str:
    """Show a value as it would be written, shortened.

    >>> shown(True), shown("x"), shown([1, Decimal("2.5")])
    ('true', "'x'", '[1, 2.5]')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        text = _fraction(value)
    elif isinstance(value, list):
        text = f"[{', '.join(map(shown, value[:_LONGEST_SHOWN]))}]"
    else:
        text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def _fraction(value: Fraction) -> str:
    """Write a fraction as a decimal where it is one, for then it was written so."""
    try:
        return decimal_text(value)
    except ValueError:
        return str(value)


def _ends(limits: msgspec.Meta) -> str:
    if limits.ge is not None and limits.le is not None:
        return f" from {limits.ge} to {limits.le}"
    return f" of {limits.ge} or more" if limits.ge is not None else f" of at most {limits.le}"


DecodeHook: TypeAlias = Callable[[type, Any], Any]


def problems_in(
    raw: object, wanted: Any, where: str, joined: str = ".", hook: DecodeHook | None = None
) -> Iterator[str]:
    """Tell all that is wrong with a part, each with its place: down into tables and lists as far as their types go.

    `joined` stands between the steps of a place; `hook` decodes types that TOML does not have (see `msgspec.convert`).
    """
    origin, inner = get_origin(wanted), get_args(wanted)
    if isinstance(raw, Mapping) and isinstance(wanted, type) and issubclass(wanted, Struct):
        yield from _table_problems(raw, wanted, where, joined, hook)
    elif isinstance(raw, Mapping) and origin is dict:
        for name, each in raw.items():
            yield from problems_in(each, inner[1], _at(where, name, joined), joined, hook)
    elif isinstance(raw, Sequence) and not isinstance(raw, str) and origin is tuple and inner[1:] == (...,):
        for number, each in enumerate(raw, 1):
            name = each.get("id") if isinstance(each, Mapping) else None
            place = _at(where, name if isinstance(name, str) else str(number), joined)
            yield from problems_in(each, inner[0], place, joined, hook)
    else:
        try:
            msgspec.convert(raw, wanted, dec_hook=hook)
        except msgspec.ValidationError:
            words = inner if origin is Literal and isinstance(raw, str) else ()
            yield f"{where or 'it'}: must be {kind_of(wanted)}, not {shown(raw)}{hint(str(raw), map(str, words))}"


def _table_problems(
    raw: Mapping[str, object], wanted: type[Struct], where: str, joined: str, hook: DecodeHook | None
) -> Iterator[str]:
    known = {field.encode_name: field for field in fields(wanted)}
    for name in raw:
        if name not in known:
            yield f"{_at(where, name, joined)}: nothing is called so here{hint(name, known)}"
    for name, field in known.items():
        if name in raw:
            yield from problems_in(raw[name], field.type, _at(where, name, joined), joined, hook)
        elif field.required:
            yield f"{_at(where, name, joined)}: is missing"


def _at(where: str, name: object, joined: str) -> str:
    return f"{where}{joined}{name}" if where else str(name)
