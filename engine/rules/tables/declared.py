"""Rule tables declared once: each field of a Struct says which part of which file it holds, and of what kind.

    class Tables(RuleTables, frozen=True, kw_only=True):
        races: Annotated[Mapping[str, Race], Rows("races", "race", ids="free")]
        falls: Annotated[Sequence[Fall], Rows("falls", "band", order="roll_from")]
        results: Annotated[Grid[str], Cells("results", "result")]

A `Mapping` holds the rows by their key, a `Sequence` all of them in order. `Loader` reads the files so, lays a
referee's own over them, makes the checks, and does the same with the text that a battle keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from engine.rules.tables import load_set
from engine.rules.tables.errors import RowUnknown, TablesInvalid
from engine.rules.tables.files import form_problems
from engine.rules.tables.reading import Reading
from engine.rules.tables.rows import Row
from engine.rules.tables.sets import Part, Shape, Table, TableSet, restore_set
from engine.rules.words import nearest

R = TypeVar("R", bound=Row)
T = TypeVar("T", bound="RuleTables")

_KEPT_RESTORED: Final = 8
"""Sets of tables of old battles that are kept after they were read."""


class RuleTables(Struct, frozen=True, kw_only=True):
    """Base of a rule set's tables in force. Made by a `Loader`, which promises that all its checks hold."""

    raw: TableSet
    text: str
    """The whole set as one canonical text, to be kept beside the record of a battle."""
    digest: str
    """SHA-256 of that text, in hexadecimal."""


class Rows(Struct, frozen=True):
    """Says of a field that it holds the rows of a part. Their type is that of the field.

    `key` names the columns that tell rows apart; in a `Mapping` the first is the key, without it `id`. `ids` says whose
    they are, as `Part.rows` does. `order` is a column to sort by, else the rows stand as in the file. A part that was
    `added` later is taken from the shipped tables where a battle's own, older ones do not have it.
    """

    file: str
    part: str
    key: tuple[str, ...] = ()
    ids: Literal["fixed", "grows", "free"] = "fixed"
    free_groups: tuple[str, ...] = ()
    order: str = ""
    added: bool = False

    def parts(self, kind: object) -> Mapping[str, Mapping[str, Part]]:
        """Return the parts that are read for a field of that type."""
        key = self.key or (("id",) if get_origin(kind) is Mapping else ())
        return {self.file: {self.part: Part(key, rows=self.ids, free_groups=self.free_groups)}}

    def read(self, reading: Reading, kind: object) -> object:
        """Return the value of a field of that type."""
        keyed = get_origin(kind) is Mapping
        found = reading.rows(self.file, self.part, get_args(kind)[-1])
        if self.order:
            found = tuple(sorted(found, key=lambda row: getattr(row, self.order)))
        key = self.key[0] if self.key else "id"
        return {getattr(row, key): row for row in found} if keyed else found


class Numbers(Struct, frozen=True):
    """Says of a field that it holds a list of whole numbers, each with another: `3 = 45`."""

    file: str
    part: str
    added: bool = False

    def parts(self, kind: object) -> Mapping[str, Mapping[str, Part]]:
        """Return the parts that are read."""
        return {self.file: {self.part: Part(grid=True, rows="free")}}

    def read(self, reading: Reading, kind: object) -> object:
        """Return the value of the field."""
        return reading.numbers(self.file, self.part)


class Cells(Struct, frozen=True):
    """Says of a field that it holds a `Grid`. Its columns stand in the part `axes` under `axis`.

    They are rising numbers if that is `columns`, else names.
    """

    file: str
    part: str
    axis: str = "columns"
    added: bool = False

    def parts(self, kind: object) -> Mapping[str, Mapping[str, Part]]:
        """Return the parts that are read."""
        return {self.file: {"axes": Part(grid=True), self.part: Part(grid=True, rows="free")}}

    def read(self, reading: Reading, kind: object) -> object:
        """Return the value of the field."""
        return reading.grid(self.file, self.part, get_args(kind)[0], self.axis)


class Made(Struct, frozen=True):
    """Says of a field that a function of the rule set makes it out of some parts."""

    shape: Mapping[str, Mapping[str, Part]]
    make: Callable[[Reading], object]
    added: bool = False

    def parts(self, kind: object) -> Mapping[str, Mapping[str, Part]]:
        """Return the parts that are read."""
        return self.shape

    def read(self, reading: Reading, kind: object) -> object:
        """Return the value of the field."""
        return self.make(reading)


Declaration = Rows | Numbers | Cells | Made


class Check(NamedTuple, Generic[T]):
    """Something that must hold of the tables. It is asked only if all files that it `reads` could be read whole.

    `find` yields each problem with its place, such as `races.toml, orc: …`.
    """

    reads: tuple[str, ...]
    find: Callable[[T], Iterator[str]]


class Loader(Generic[T]):
    """Loads a rule set's tables from `home`, a folder of files `NAME.toml`, as the fields of `tables` declare.

    Raises TypeError when it is asked for tables whose fields say nothing of where they are from.
    """

    def __init__(self, tables: type[T], home: Traversable, checks: Sequence[Check[T]] = ()) -> None:
        self.tables = tables
        self.checks = tuple(checks)
        self._home = home
        self._restored = lru_cache(maxsize=_KEPT_RESTORED)(self._restore)

    @cached_property
    def declared(self) -> Mapping[str, tuple[object, Declaration]]:
        """Every declared field by name, with its type and what it says."""
        own = [field for field in fields(self.tables) if field.name not in RuleTables.__struct_fields__]
        return {field.name: _declaration(field.name, field.type) for field in own}

    @cached_property
    def shape(self) -> Shape:
        """The parts of every file. Two fields may read the same file."""
        return _shape(declaration.parts(kind) for kind, declaration in self.declared.values())

    def load(self, own: Path | None = None) -> T:
        """Return the tables in force: the shipped ones with a referee's `own` folder laid over them.

        Raises TablesInvalid with all that is wrong, each with its file and place: files, parts, ids, columns, and what
        the checks find. The shipped ones are read once.
        """
        return self._shipped if own is None else self._loaded(own)

    def restore(self, text: str) -> T:
        """Return the tables of an old battle from their canonical text. Raises TablesInvalid as `load` does."""
        return self._restored(text)

    @cached_property
    def _shipped(self) -> T:
        return self._loaded(None)

    def _loaded(self, own: Path | None) -> T:
        problems: list[str] = []
        whole = load_set(self._home, self.shape, own, problems)
        return self._built(whole, problems, whole, whole.dump())

    def _restore(self, text: str) -> T:
        kept, problems = restore_set(text), list[str]()
        whole = self._with_added(kept)
        for file, parts in self.shape.items():
            if file not in whole.tables:
                problems.append(f"the stored tables lack {file}")
                continue
            held = whole[file].parts
            problems += (f"the stored tables lack {file}, {part}" for part in parts if part not in held)
            problems += form_problems(
                f"stored table {file}", {part: held[part] for part in parts if part in held}, parts
            )
        if problems:
            raise TablesInvalid(problems)
        return self._built(whole, problems, kept, text)

    def _with_added(self, kept: TableSet) -> TableSet:
        """The set with those parts of the shipped one that were added after it was stored."""
        tables = dict(kept.tables)
        for file, parts in _shape(each.parts(kind) for kind, each in self.declared.values() if each.added).items():
            there = tables.get(file)
            shipped = self._shipped.raw[file]
            added = {part: shipped.parts[part] for part in parts}
            tables[file] = Table(file, there.meta, {**added, **there.parts}) if there else shipped
        return TableSet(kept.system, tables)

    def _built(self, whole: TableSet, problems: list[str], kept: TableSet, text: str) -> T:
        reading = Reading(whole, problems)
        values = {name: declaration.read(reading, kind) for name, (kind, declaration) in self.declared.items()}
        make: Callable[..., T] = self.tables
        tables = make(raw=kept, text=text, digest=sha256(text.encode()).hexdigest(), **values)
        for check in self.checks:
            if reading.unsound.isdisjoint(check.reads):
                problems += check.find(tables)
        if problems:
            raise TablesInvalid(problems)
        return tables


def find_row(table: Mapping[str, R], name: str, what: str) -> R:
    """Return a row by its key. Raises RowUnknown, with the nearest names; `what` names the table."""
    if name not in table:
        raise RowUnknown(what, name, nearest(name, table))
    return table[name]


def _shape(parts: Iterable[Mapping[str, Mapping[str, Part]]]) -> Shape:
    found: dict[str, dict[str, Part]] = {}
    for each in parts:
        for file, held in each.items():
            found.setdefault(file, {}).update(held)
    return found


def _declaration(name: str, kind: Any) -> tuple[object, Declaration]:
    if get_origin(kind) is Annotated:
        inner, *said = get_args(kind)
        for each in said:
            if isinstance(each, Declaration):
                return inner, each
    raise TypeError(f"{name}: say which part of which file it holds, such as Annotated[…, Rows(file, part)]")
