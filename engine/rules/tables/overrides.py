"""Laying a referee's own tables over the shipped ones.

A file takes the place of the shipped one of the same name, and answers for each of its rows: it gives the row, or names
it in `[meta] leave_out`; a row that the shipped table does not have says `new = true`. So a slip of the pen in an id is
always found. With `merge = true` in its `[meta]` the file gives only what differs: rows by their key, and of a row only
the columns that change. Bands are given all together, since half of them would leave holes.

Whose figure a figure is stays known. What differs from the shipped table is marked `book`; what is the same keeps the
shipped mark, whatever the own file says in its `source`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from engine.rules.tables.checks import known
from engine.rules.tables.files import Document, form_problems
from engine.rules.tables.sets import Part, RawRow, Table, Value
from engine.rules.words import hint

Key: TypeAlias = tuple[str, ...]
"""What tells a row of an array from the others."""

_ORDERS: Final = ("merge", "leave_out")
_FIXED: Final = ("system", "schema_version", "table")
_NO_FIGURE: Final = frozenset({"source", "marks", "note"})


def merge_overrides(shipped: Table, own: Document, shape: Mapping[str, Part], problems: list[str]) -> Table:
    """The shipped table with the own one over it. What is wrong is added to `problems`, each with file and place."""
    file = shipped.file
    wrong = [*form_problems(file, own, shape), *_meta_problems(file, own.get("meta", {}), shipped.meta)]
    problems += wrong
    if wrong:
        return shipped
    meta = own.get("meta", {})
    assert isinstance(meta, Mapping)
    laying = _Laying(shipped, bool(meta.get("merge", False)), _words(meta.get("leave_out", [])), problems)
    grids = {name: laying.grid(name, part, own) for name, part in shape.items() if part.grid}
    moved = any(grids[name] != shipped.parts[name] for name in grids)
    arrays = {
        name: laying.array(name, part, own, moved) if part.key else laying.bands(name, own, moved)
        for name, part in shape.items()
        if not part.grid
    }
    laying.finish()
    said = {word: value for word, value in meta.items() if word not in (*_ORDERS, *_FIXED, "source")}
    source = {"source": "book"} if moved else {}
    return Table(shipped.name, {**shipped.meta, **said, **source}, {**grids, **arrays})


class _Laying:
    """One file being laid over one table."""

    def __init__(self, shipped: Table, merge: bool, leave_out: tuple[str, ...], problems: list[str]) -> None:
        self.shipped = shipped
        self.merge = merge
        self.leave_out = leave_out
        self.problems = problems
        self.left: set[str] = set()
        self.seen: list[str] = []

    def say(self, problem: str) -> None:
        self.problems.append(f"{self.shipped.file}: {problem}")

    def lacks(self, name: str, own: Document) -> bool:
        """Whether the own file leaves this part as it is; wrong where the file replaces the shipped one."""
        if name in own:
            return False
        if not self.merge:
            self.say(f"the part {name!r} is missing; give it too, or write merge = true in [meta]")
        return True

    def grid(self, name: str, part: Part, own: Document) -> Value:
        shipped = self.shipped.grid(name)
        given = own.get(name)
        if self.lacks(name, own) or not isinstance(given, Mapping):
            return shipped
        if part.rows == "fixed" or self.merge:
            for problem in known(given, shipped, "row"):
                self.say(f"{name}: {problem}")
        if part.rows == "fixed" and not self.merge:
            for row in shipped:
                if row not in given:
                    self.say(f"{name}: row {row!r} is missing")
        return {**shipped, **given} if self.merge else given

    def bands(self, name: str, own: Document, moved: bool) -> Value:
        """The bands in force: all of the own file's, or all of the shipped ones."""
        shipped = self.shipped.rows(name)
        if self.lacks(name, own):
            return list(shipped)
        same = [next((old for old in shipped if _figures(old) == _figures(row)), None) for row in _rows(own, name)]
        return [_marked(row, None if moved else old, ()) for row, old in zip(_rows(own, name), same, strict=True)]

    def array(self, name: str, part: Part, own: Document, moved: bool) -> Value:
        """The rows in force. `moved`: a grid of the file, such as its axes, differs, so no row means what it did."""
        before = {_key(row, part): row for row in self.shipped.rows(name)}
        self.seen += map(_text, before)
        given = {} if self.lacks(name, own) else self.given(name, part, own, before)
        rows = []
        for key, old in before.items():
            if self.goes(name, part, key, old, key in given):
                continue
            if key in given:
                row = {**old, **given[key]} if self.merge else given[key]
                for column in sorted(_figures(old).keys() - row.keys()):
                    self.say(f"{name} {_text(key)}, {column}: is missing")
                rows.append(_marked(row, None if moved else old, part.key))
                continue
            if not self.merge and name in own:
                self.say(self.missing(name, part, key, old))
            rows.append(_marked(old, None, ()) if moved else old)
        return rows + [_marked(row, None, ()) for key, row in given.items() if key not in before]

    def given(self, name: str, part: Part, own: Document, before: Mapping[Key, RawRow]) -> dict[Key, RawRow]:
        """The own rows of an array by their key: those that the shipped table has, and those said to be new."""
        found: dict[Key, RawRow] = {}
        for number, row in enumerate(_rows(own, name), 1):
            lacking = [column for column in part.key if column not in row]
            key = _key(row, part)
            if lacking:
                self.say(f"{name} row {number}: it has no {' and no '.join(lacking)}, so nobody knows which row it is")
            elif key in found:
                self.say(f"{name} {_text(key)!r} stands there twice")
            elif wrong := _newness(row, key, part, before):
                self.say(f"{name} {wrong}")
            else:
                found[key] = {column: value for column, value in row.items() if column != "new"}
        return found

    def missing(self, name: str, part: Part, key: Key, old: RawRow) -> str:
        leave_out = f", or leave_out = [{_text(key)!r}] in [meta]" if part.may_leave_out(old) else ""
        return f"{name} {_text(key)!r} is missing; give its row, or write merge = true in [meta]{leave_out}"

    def goes(self, name: str, part: Part, key: Key, old: RawRow, given: bool) -> bool:
        """Whether the own file leaves this shipped row out."""
        text = _text(key)
        if text not in self.leave_out:
            return False
        self.left.add(text)
        if given:
            self.say(f"{name} {text!r} is both given and left out")
        elif not part.may_leave_out(old):
            self.say(f"{name} {text!r} cannot be left out: the rules use it")
        return True

    def finish(self) -> None:
        for word in self.leave_out:
            if word not in self.left:
                self.say(f"leave_out names {word!r}, which is no row of the shipped table{hint(word, self.seen)}")


def _newness(row: RawRow, key: Key, part: Part, before: Mapping[Key, RawRow]) -> str:
    """What is wrong with a row that is, or is not, in the shipped table; nothing when all is well."""
    text, new = _text(key), row.get("new", False)
    if not isinstance(new, bool):
        return f"{text!r}: new must be true or false"
    if key in before:
        return f"{text!r} is in the shipped table already; take away new = true" if new else ""
    meant = hint(text, [_text(known_key) for known_key in before])
    if not part.may_add(row):
        return f"{text!r} is no row of the shipped table{meant}, and no rule would use it"
    return "" if new else f"{text!r} is no row of the shipped table{meant}; write new = true in it if it is a new one"


def _meta_problems(file: str, meta: Value, shipped: Mapping[str, Value]) -> Iterator[str]:
    if not isinstance(meta, Mapping):
        return
    for problem in known(meta, (*shipped, *_ORDERS, "source_note", "note"), "word"):
        yield f"{file}: [meta]: {problem}"
    for word in _FIXED:
        if word in meta and meta[word] != shipped.get(word):
            yield f"{file}: [meta]: {word} is {meta[word]!r}, but this table's is {shipped.get(word)!r}"
    if not isinstance(meta.get("merge", False), bool):
        yield f"{file}: [meta]: merge must be true or false"
    names = meta.get("leave_out", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        yield f"{file}: [meta]: leave_out must be a list of row ids"


def _marked(row: RawRow, old: RawRow | None, key: Sequence[str]) -> RawRow:
    """The row with true marks: `book` for the own figures, the shipped marks for those that are the same."""
    figures = {column: value for column, value in row.items() if column not in ("source", "marks")}
    if old is None:
        return {**figures, "source": "book"}
    if _figures(row) == _figures(old):
        return {**figures, **{column: old[column] for column in ("source", "marks") if column in old}}
    marks, source = old.get("marks", {}), old["source"]
    assert isinstance(marks, Mapping)
    kept = {
        column: marks.get(column, source)
        for column, value in _figures(row).items()
        if column not in key and old.get(column) == value
    }
    return {**figures, "source": "book", **({"marks": kept} if kept else {})}


def _figures(row: RawRow) -> dict[str, Value]:
    return {column: value for column, value in row.items() if column not in _NO_FIGURE}


def _rows(own: Document, name: str) -> list[RawRow]:
    rows = own.get(name, [])
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _key(row: RawRow, part: Part) -> Key:
    return tuple(str(row.get(column)) for column in part.key)


def _text(key: Key) -> str:
    return "/".join(key)


def _words(value: Value) -> tuple[str, ...]:
    return tuple(str(word) for word in value) if isinstance(value, list) else ()
