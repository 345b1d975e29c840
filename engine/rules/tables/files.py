"""Reading the files of rule tables: TOML with exact numbers, and the names that a directory may hold."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, TypeAlias

from engine.rules.numbers import exact_number
from engine.rules.tables.checks import known, same
from engine.rules.tables.sets import Part, Shape, Value
from engine.rules.words import hint

Document: TypeAlias = "dict[str, Value]"

META: Final = frozenset(
    ("system", "schema_version", "table", "title", "source", "row_key", "column_key", "units", "lookup", "anchor")
)
"""What every shipped table says of itself."""

MOST: Final = 10**15
"""The greatest whole number that a table may hold."""


def read_home(home: Traversable, shape: Shape, problems: list[str]) -> dict[str, Document]:
    """The shipped tables by name, in the order of `shape`. What is wrong is added to `problems`."""
    names = [entry.name.removesuffix(".toml") for entry in home.iterdir() if entry.name.endswith(".toml")]
    problems += same(names, shape, "shipped table")
    found = {name: _read(home / f"{name}.toml", f"{name}.toml", problems) for name in shape if name in names}
    return {name: document for name, document in found.items() if document is not None}


def read_own(directory: Path, shape: Shape, problems: list[str]) -> dict[str, Document]:
    """A referee's own tables by name. A file that names no table is a problem; so is a directory without one.

    Files that have nothing to do with tables, such as a note on where they are from, are passed over.
    """
    if not directory.is_dir():
        problems.append(f"{directory}: there is no such directory of tables")
        return {}
    documents: dict[str, Document] = {}
    right = [f"{name}.toml" for name in shape]
    seen = False
    for path in sorted(directory.iterdir()):
        stem = path.name.split(".", 1)[0]
        if path.name.startswith(".") or path.is_dir() or not (".toml" in path.name.lower() or stem in shape):
            continue
        seen = True
        if path.name not in right:
            meant = hint(f"{stem}.toml", right)
            problems.append(f"{path.name}: the rule set has no table file of that name{meant}")
        elif (document := _read(path, path.name, problems)) is not None:
            documents[stem] = document
    if not seen:
        problems.append(f"{directory}: there is no table in it; table files are named like {', '.join(right[:3])}")
    return documents


def form_problems(file: str, document: Mapping[str, Value], shape: Mapping[str, Part]) -> Iterator[str]:
    """Whether a file has the parts of its table and no others, each of the right kind. Says nothing of their rows."""
    if not isinstance(document.get("meta", {}), Mapping):
        yield f"{file}: meta must be a table, written [meta]"
    parts = [name for name in document if name != "meta"]
    yield from (f"{file}: {problem}" for problem in known(parts, shape, "part"))
    for name in parts:
        if name in shape and (wrong := _kind_problem(name, document[name], shape[name])):
            yield f"{file}: {wrong}"


def meta_problems(file: str, document: Mapping[str, Value]) -> Iterator[str]:
    """Whether a shipped table says of itself all that it must."""
    meta = document.get("meta")
    if isinstance(meta, Mapping):
        yield from (f"{file}: [meta] lacks {word!r}" for word in sorted(META - set(meta)))
    else:
        yield f"{file}: it has no [meta]"


def _kind_problem(name: str, value: Value, part: Part) -> str:
    if part.grid:
        return "" if isinstance(value, Mapping) else f"{name} must be a grid, written [{name}]"
    if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
        return f"{name} must be rows, each written under its own [[{name}]]"
    return "" if value else f"{name} has no row"


def _read(path: Traversable, file: str, problems: list[str]) -> Document | None:
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        document = tomllib.loads(text, parse_float=exact_number)
    except UnicodeDecodeError as error:
        problems.append(f"{file}: byte {error.start} is not UTF-8 text; save the file as UTF-8")
    except OSError as error:
        problems.append(f"{file}: it cannot be read: {error.strerror}")
    except RecursionError:
        problems.append(f"{file}: it is nested too deep for a table")
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{file}: {error}")
    except ValueError as error:
        told = str(error) if "digits" not in str(error) else "a number in it has thousands of digits"
        problems.append(f"{file}: {told}")
    else:
        strange = sorted(_strange(document))
        problems += (f"{file}: {where} is a {kind}, which has no place in a table" for where, kind in strange)
        return None if strange else document
    return None


def _strange(value: object, where: str = "") -> Iterable[tuple[str, str]]:
    """Whatever TOML knows and a table does not, such as dates and huge numbers, with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _strange(inner, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _strange(inner, f"{where} {number}")
    elif isinstance(value, int) and abs(value) > MOST:
        yield where, f"number beyond {MOST}"
    elif not isinstance(value, str | int | Fraction):
        yield where, type(value).__name__
