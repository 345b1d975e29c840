"""A post before it is written in the language of a board: headings, items, tables, quotes. Every text is plain.

Nothing in a text is markup, whoever wrote it; what a board would read as such is made inert when it is rendered.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Heading(Struct, frozen=True, gc=False):
    """A heading: `level` 1 is the post's own, 2 that of a part."""

    text: str
    level: int = 2


class Says(Struct, frozen=True, gc=False):
    """A paragraph; `strong` for what must not be missed. `due`: an instant, told by local clocks where a board can."""

    text: str
    strong: bool = False
    due: int = 0


class Item(Struct, frozen=True, gc=False):
    """One line of a list, with lines that belong to it."""

    text: str
    under: tuple[str, ...] = ()


class Items(Struct, frozen=True, gc=False):
    """A list."""

    items: tuple[Item, ...]


class Table(Struct, frozen=True, gc=False):
    """Rows under columns. The first column names its row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Quote(Struct, frozen=True, gc=False):
    """A person's own words, line by line."""

    by: str
    lines: tuple[str, ...]


class Mono(Struct, frozen=True, gc=False):
    """Lines in which every sign has its column."""

    lines: tuple[str, ...]


Plain: TypeAlias = Heading | Says | Items | Table | Quote | Mono


class Fold(Struct, frozen=True, gc=False):
    """What a reader may open or leave closed."""

    title: str
    blocks: tuple[Plain, ...]


Block: TypeAlias = Plain | Fold


class Document(Struct, frozen=True, gc=False):
    """A whole post. `title` stands over every part if it is split; `mark` beside it, if it is not the battle."""

    title: str
    mark: str
    blocks: tuple[Block, ...]
