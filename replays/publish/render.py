"""From a document to the text of a board: strips, each a line with what stands round it, then put together.

A strip knows its plain text and how it is written, so that a post can be split anywhere without breaking what is
written: what is open at the end of a part is closed there and opened again in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, takewhile
from typing import Final, Literal

from msgspec import Struct

from replays.publish.dialect import Dialect
from replays.publish.document import Block, Document, Fold, Heading, Item, Items, Mono, Plain, Quote, Says, Table
from replays.publish.letters import cut, pad, shown, width, wrap

NARROW: Final = 40
"""How many columns a line has in narrow mode, addresses aside."""

_SHORTEST_NAME: Final = 16
_EMPTY: Final = "–"
_BULLETS: Final = ("-", "*", "•", "–")
_TAGS: Final = re.compile(r"\[[^\]]*\]|<[^>]*>")


class Wrap(Struct, frozen=True, gc=False):
    """What stands before and after a run of strips, on lines of its own. `number` tells two like ones apart."""

    number: int
    before: str
    after: str


class Strip(Struct, frozen=True, gc=False):
    """A line of a post. `text` is plain (and `shown`) unless it is "ready"; strips of one `block` belong together.

    A strip that `leads` is never the last of its part, if it can be helped.
    """

    text: str
    form: str = "{text}"
    kind: Literal["text", "code", "ready"] = "text"
    inside: tuple[Wrap, ...] = ()
    block: int = 0
    leads: bool = False

    def written(self, dialect: Dialect) -> str:
        """Return the line as the board reads it."""
        match self.kind:
            case "text":
                return self.form.replace("{text}", dialect.text(self.text))
            case "code":
                return self.form.replace("{text}", dialect.code(self.text)).rstrip()
            case "ready":
                return self.text


def render(document: Document, dialect: Dialect, *, narrow: bool = False) -> list[Strip]:
    """Lay a document out in a dialect. In narrow mode no line is wider than `NARROW`, and tables are told in lines."""
    return list(_Layout(dialect, narrow).document(document))


def written(strips: Sequence[Strip], dialect: Dialect) -> str:
    """Put strips together: blocks apart, everything that is opened closed again."""
    lines: list[str] = []
    inside: tuple[Wrap, ...] = ()
    block = strips[0].block if strips else 0
    for strip in strips:
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(inside, strip.inside, strict=False)))
        lines += _closed(inside[kept:])
        if strip.block != block and lines:
            lines.append("")
        lines += [wrap.before for wrap in strip.inside[kept:]]
        lines.append(strip.written(dialect))
        inside, block = strip.inside, strip.block
    return "\n".join([*lines, *_closed(inside)])


def _closed(inside: Sequence[Wrap]) -> list[str]:
    return [wrap.after for wrap in reversed(inside) if wrap.after]


class _Layout:
    """Lays one document out."""

    def __init__(self, dialect: Dialect, narrow: bool) -> None:
        self.dialect = dialect
        self.narrow = narrow
        self.numbers = count(1)
        self.columns = 0 if dialect.flows else NARROW if narrow else dialect.wrap
        self.mono_columns = (NARROW if narrow else dialect.columns) - room_of(dialect.mono_line)

    def document(self, document: Document) -> Iterator[Strip]:
        whole = self.wrap(self.dialect.whole)
        for block in document.blocks:
            yield from self.block(block, whole)

    def wrap(self, pair: Sequence[str], title: str = "", more: str = "") -> tuple[Wrap, ...]:
        """Make a wrap of a dialect's pair; none where the board has none. `more` is opened with it each time."""
        if not pair:
            return (Wrap(next(self.numbers), more, ""),) if more else ()
        before = pair[0].replace("{title}", self.dialect.text(re.sub(r'["\[\]]', "'", cut(shown(title), 60))))
        return (Wrap(next(self.numbers), f"{before}\n{more}" if more else before, pair[1]),)

    def block(self, block: Block, inside: tuple[Wrap, ...]) -> Iterator[Strip]:
        if not isinstance(block, Fold):
            yield from self.plain(block, inside)
            return
        if self.dialect.fold:
            inside += self.wrap(self.dialect.fold, block.title)
        else:
            yield from self.lines(block.title, self.dialect.bold, inside, next(self.numbers), leads=True)
        for each in block.blocks:
            yield from self.plain(each, inside)

    def plain(self, block: Plain, inside: tuple[Wrap, ...]) -> Iterator[Strip]:
        dialect, number = self.dialect, next(self.numbers)
        match block:
            case Heading(text=text, level=level):
                yield from self.lines(
                    text, dialect.title if level == 1 else dialect.heading, inside, number, leads=True
                )
            case Says(text=text, strong=strong, due=due):
                yield from self.lines(text, dialect.bold if strong else dialect.says, inside, number)
                if due and dialect.time:
                    yield Strip(dialect.moment(due), kind="ready", inside=inside, block=number)
            case Items(items=items):
                inside += self.wrap(dialect.items)
                for item in items:
                    yield from self.item(item, inside, number)
            case Quote(by=by, lines=lines):
                inside += self.wrap(dialect.quote)
                for line in (by, *lines):
                    yield from self.lines(line, dialect.quote_line, inside, number)
            case Mono(lines=lines):
                inside += self.wrap(dialect.mono)
                for line in lines:
                    for part in wrap(line, NARROW) if self.narrow else [line]:
                        yield Strip(part, dialect.mono_line, "code", inside, number)
            case Table():
                yield from self.table(block, inside, number)

    def item(self, item: Item, inside: tuple[Wrap, ...], number: int) -> Iterator[Strip]:
        yield from self.lines(item.text, self.dialect.item, inside, number, leads=bool(item.under))
        for line in item.under:
            yield from self.lines(line, self.dialect.under, inside, number)

    def lines(
        self, text: str, form: str, inside: tuple[Wrap, ...], number: int, *, leads: bool = False
    ) -> Iterator[Strip]:
        """Yield a text as one strip, or as several where lines have an end."""
        text = shown(text)
        if not self.columns:
            yield Strip(text, form, "text", inside, number, leads)
            return
        later, hang = self.later(form)
        room = self.columns - room_of(form)
        for place, part in enumerate(wrap(text, room, max(0, hang - room_of(form)))):
            yield Strip(part, later if place else form, "text", inside, number, leads)

    def later(self, form: str) -> tuple[str, int]:
        """Return the form of the lines after the first, and its room: so that none of them looks like a first one."""
        if form in (self.dialect.title, self.dialect.heading):
            form = self.dialect.bold
        before = form.split("{text}")[0]
        if before.strip() in _BULLETS or form == "{text}":
            hanging = f"{self.dialect.more or ' ' * (len(before) + 2)}{{text}}"
            return hanging, room_of(hanging)
        return form, room_of(form)

    # ------------------------------------------------------------------------------------------------ tables

    def table(self, table: Table, inside: tuple[Wrap, ...], number: int) -> Iterator[Strip]:
        form = "none" if self.narrow and not self.dialect.flows else self.dialect.table
        rows = [tuple(shown(cell) or _EMPTY for cell in row) for row in table.rows]
        if form == "mono" and (kept := self.most_columns(table.columns, rows)):
            short = self.fitting(table.columns[:kept], [row[:kept] for row in rows])
            yield from self.aligned(table.columns[:kept], short, inside, number)
            yield from self.below(table.columns, rows, [row[0] for row in short], kept, inside)
        elif form == "pipes" and self.short([table.columns, *rows]):
            head = "\n".join([self.piped(table.columns), "|" + "---|" * len(table.columns)])
            inside += self.wrap((), more=head)
            yield from (Strip(self.piped(row), kind="ready", inside=inside, block=number) for row in rows)
        elif form == "tags" and self.short([table.columns, *rows]):
            yield from self.tagged(table.columns, rows, inside, number)
        else:
            yield from self.told(table.columns, rows, inside)

    def fitting(self, columns: Sequence[str], rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return rows that fit in mono text, names cut if they must be and stay different; none if they cannot."""
        over = self.total(columns, rows) - self.mono_columns
        if over <= 0:
            return rows
        longest = max(_widths(columns, rows)[0] - over, _SHORTEST_NAME)
        short = [(cut(row[0], longest), *row[1:]) for row in rows]
        distinct = len({row[0] for row in short}) == len({row[0] for row in rows})
        return short if distinct and self.total(columns, short) <= self.mono_columns else []

    def total(self, columns: Sequence[str], rows: list[tuple[str, ...]]) -> int:
        return sum(_widths(columns, rows)) + 2 * (len(columns) - 1)

    def aligned(
        self, columns: Sequence[str], rows: list[tuple[str, ...]], inside: tuple[Wrap, ...], number: int
    ) -> Iterator[Strip]:
        widths = _widths(columns, rows)
        top = [_row(columns, widths), "  ".join("-" * each for each in widths)]
        form, dialect = self.dialect.mono_line, self.dialect
        head = "\n".join(Strip(line, form, "code").written(dialect) for line in top)
        inside += self.wrap(dialect.mono, more=head)
        yield from (Strip(_row(row, widths), form, "code", inside, number) for row in rows)

    def most_columns(self, columns: Sequence[str], rows: list[tuple[str, ...]]) -> int:
        """Return how many columns fit in mono text, if at least two do; else 0."""
        for kept in range(len(columns), 1, -1):
            if self.fitting(columns[:kept], [row[:kept] for row in rows]):
                return kept
        return 0

    def below(
        self, columns: Sequence[str], rows: list[tuple[str, ...]], names: Sequence[str], kept: int,
        inside: tuple[Wrap, ...],
    ) -> Iterator[Strip]:  # fmt: skip
        """Tell in lines below a table what it has no room for: its last columns, and names that were cut."""
        number = next(self.numbers)
        inside += self.wrap(self.dialect.items)
        for row, name in zip(rows, names, strict=True):
            pairs = [pair for pair in zip(columns[kept:], row[kept:], strict=True) if pair[1] != _EMPTY]
            told = [f"{each} {cell}" if kept + 1 < len(columns) else cell for each, cell in pairs]
            if told or name != row[0]:
                line = "; ".join([f"{columns[0]}: {row[0]}", *told])
                yield from self.lines(line, self.dialect.item, inside, number)

    def tagged(
        self, columns: Sequence[str], rows: list[tuple[str, ...]], inside: tuple[Wrap, ...], number: int
    ) -> Iterator[Strip]:
        tags = self.dialect.table_tags
        assert tags is not None  # a dialect without them is refused when it is read

        def row(cells: Sequence[str], pair: tuple[str, str]) -> str:
            return "".join([tags.row[0], *(pair[0] + self.dialect.text(cell) + pair[1] for cell in cells), tags.row[1]])

        inside += self.wrap(tags.table, more=row(columns, tags.head))
        yield from (Strip(row(cells, tags.cell), kind="ready", inside=inside, block=number) for cells in rows)

    def told(self, columns: Sequence[str], rows: list[tuple[str, ...]], inside: tuple[Wrap, ...]) -> Iterator[Strip]:
        """Tell a table line by line, `name: value`."""
        for row in rows:
            number = next(self.numbers)
            yield from self.lines(f"{columns[0]}: {row[0]}", self.dialect.bold, inside, number, leads=True)
            listed = inside + self.wrap(self.dialect.items)
            for name, cell in zip(columns[1:], row[1:], strict=True):
                yield from self.lines(f"{name}: {cell}", self.dialect.item, listed, number)

    def piped(self, cells: Sequence[str]) -> str:
        return "| " + " | ".join(map(self.dialect.text, cells)) + " |"

    def short(self, rows: Sequence[Sequence[str]]) -> bool:
        """Whether every row is short enough to stay whole in whatever part it comes to stand."""
        limit = self.dialect.limit
        return not limit or all(self.dialect.size(self.piped(row)) + 20 * len(row) <= limit // 4 for row in rows)


def room_of(form: str) -> int:
    """How many columns a form takes beside its text; tags take none."""
    first = form.replace("{text}", "").split("\n")[0]
    return width(_TAGS.sub("", first))


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width, column)) for column in zip(columns, *rows, strict=True)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(pad(cell, room) for cell, room in zip(cells, widths, strict=True)).rstrip()
