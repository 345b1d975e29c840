"""The languages of boards, as data: how each writes bold, tables, folds, and what it would read as markup.

The dialects that come along are in `dialects/`. A board that differs is told in a file of the same shape; `base` names
the dialect that it takes the rest from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from events.errors import DiaryError
from events.times import rfc3339
from replays.publish.letters import shown


class BoardUnknown(DiaryError, LookupError):
    """There is no dialect of that name. `known` holds those that there are."""

    code = "post/board-unknown"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no board {name!r}: there are {', '.join(known)}; or name a dialect file, such as mine.toml")
        self.name = name
        self.known = tuple(known)


class DialectInvalid(DiaryError, ValueError):
    """A dialect file cannot be used; the message says where and why."""

    code = "post/dialect"


BREAK: Final = "\u200b"
"""What is put where a board would see markup: no width, no meaning. A person's own is shown by its number."""

_ADDRESS: Final = re.compile(r"(\bhttps?://[A-Za-z0-9](?:[A-Za-z0-9./?=%-]|(?<=[A-Za-z0-9])[_&](?=[A-Za-z0-9]))*)")

LEAST: Final = 400
"""The smallest limit to which posts are split."""


class Inert(Struct, frozen=True, forbid_unknown_fields=True):
    """How text is kept from being read as markup.

    `after` are patterns behind which `BREAK` is put; `signs` take a backslash before them; `entities` writes `<`, `>`,
    `&` as HTML does. `code_after` is what `after` is, within mono text, where nothing else is done. Plain addresses are
    left alone.
    """

    after: tuple[str, ...] = ()
    signs: str = ""
    entities: bool = False
    code_after: tuple[str, ...] = ()


class TableTags(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in tags: what stands before and after the whole, a row, a cell of the head, another cell."""

    table: tuple[str, str]
    row: tuple[str, str]
    head: tuple[str, str]
    cell: tuple[str, str]


class Dialect(Struct, frozen=True, forbid_unknown_fields=True):
    """What one kind of board understands. In the forms `{text}` stands for the text and `{title}` for a fold's title.

    `limit` is the longest post in `unit`s as the board counts; 0 is none. `columns` is the widest mono text, `wrap` the
    longest line of all text, 0 for a board that breaks lines itself. `flows`: line breaks in the source do not show.
    `more` begins a line that goes on with the one before, where spaces at its beginning would not show.
    Empty `fold` and `quote` mean that the board has none. `time` is how it shows an instant by each reader's own clock,
    with `{unix}`, or with `{date}` and `{clock}` in UTC. `whole` stands round every post or part of one.
    """

    name: str
    about: str
    limit: int
    unit: Literal["characters", "utf-16", "bytes"]
    columns: int = 76
    wrap: int = 0
    flows: bool = False
    bold: str = "{text}"
    title: str = "{text}"
    heading: str = "{text}"
    says: str = "{text}"
    item: str = "- {text}"
    under: str = "  - {text}"
    more: str = ""
    items: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()
    quote_line: str = "> {text}"
    fold: tuple[str, ...] = ()
    mono: tuple[str, ...] = ()
    mono_line: str = "{text}"
    table: Literal["mono", "pipes", "tags", "none"] = "none"
    table_tags: TableTags | None = None
    whole: tuple[str, ...] = ()
    time: str = ""
    inert: Inert = Inert()

    def text(self, text: str) -> str:
        """Write a text so that the board shows it as it is. What is invisible in it is shown by its number."""
        return self._inert(shown(text), self.inert.after)

    def code(self, text: str) -> str:
        """Write a line of mono text. Its spaces stay as they are."""
        seen = re.sub(r"[^ ]+(?: [^ ]+)*", lambda found: shown(found[0]), text)
        if self.inert.entities:
            return escape(seen, quote=False)
        return _broken(seen, self.inert.code_after)

    def _inert(self, text: str, after: tuple[str, ...]) -> str:
        if self.inert.entities:
            return escape(text, quote=False)
        parts = _ADDRESS.split(text)  # every other one is an address: it stays whole, so that it can be followed
        return "".join(part if at % 2 else self._backslashed(_broken(part, after)) for at, part in enumerate(parts))

    def _backslashed(self, text: str) -> str:
        signs = self.inert.signs
        return re.sub(f"([{re.escape(signs)}])", r"\\\1", text) if signs else text

    def moment(self, at: int) -> str:
        """Write an instant so that the board shows it to each reader by his own clock.

        >>> board("discord").moment(1_773_007_200_000_000)
        '<t:1773007200:F> (<t:1773007200:R>)'
        """
        told = rfc3339(at)
        parts = {"{unix}": str(at // 1_000_000), "{date}": told[:10], "{clock}": told[11:19]}
        return re.sub(r"\{\w+\}", lambda found: parts.get(found[0], found[0]), self.time)

    def size(self, text: str) -> int:
        """Count a text as the board does.

        >>> board("discord").size("👩 ok"), board("phpbb").size("👩 ok")
        (5, 4)
        """
        match self.unit:
            case "characters":
                return len(text)
            case "utf-16":
                return len(text) + sum(char > "\uffff" for char in text)
            case "bytes":
                return len(text.encode())


def _broken(text: str, after: tuple[str, ...]) -> str:
    for pattern in after:
        text = re.sub(pattern, rf"\g<0>{BREAK}", text)
    return text


def unbroken(text: str) -> str:
    """Take out what was put in to keep a text inert, as a reader sees it."""
    return text.replace(BREAK, "")


def board_names() -> list[str]:
    """Return the names of the dialects that come along."""
    home = files("replays.publish") / "dialects"
    return sorted(each.name.removesuffix(".toml") for each in home.iterdir() if each.name.endswith(".toml"))


@lru_cache(maxsize=64)
def board(name: str) -> Dialect:
    """Return a dialect that comes along, by name. Raises `BoardUnknown`."""
    known = board_names()
    if name.lower() not in known:
        raise BoardUnknown(name, known)
    home = files("replays.publish") / "dialects" / f"{name.lower()}.toml"
    return _made(tomllib.loads(home.read_text(encoding="utf-8")), f"{name}.toml")


def find_board(name: str, limit: int | None = None) -> Dialect:
    """Return a dialect by name or from a file that ends in `.toml`; `limit` in place of its own.

    Raises `BoardUnknown`, `DialectInvalid`.
    """
    found = _from_file(Path(name)) if name.lower().endswith(".toml") else board(name)
    if limit is not None:
        found = msgspec.structs.replace(found, limit=limit)
    if found.limit and found.limit < LEAST:
        raise DialectInvalid(f"{name}: a limit of {found.limit} leaves no room for a post; give {LEAST} or more, or 0")
    return found


def _from_file(path: Path) -> Dialect:
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DialectInvalid(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, a number of thousands of digits
        raise DialectInvalid(f"{path}: not TOML ({error})") from error
    return _made(told, str(path))


def _made(told: Mapping[str, Any], where: str) -> Dialect:
    """Read a dialect and check its forms. Raises `DialectInvalid`, `BoardUnknown` for its base."""
    if base := told.get("base"):
        known = msgspec.to_builtins(board(str(base)))
        own = {key: value for key, value in told.items() if key != "base"}
        told = {**known, **own, "inert": {**known["inert"], **told.get("inert", {})}}
    try:
        found = msgspec.convert(told, Dialect)
        for pattern in (*found.inert.after, *found.inert.code_after):
            re.compile(pattern)
    except msgspec.ValidationError as error:
        raise DialectInvalid(f"{where}: {error}") from error
    except re.error as error:
        raise DialectInvalid(f"{where}: the pattern {error.pattern!r} cannot be read: {error}") from error
    for form in ("bold", "title", "heading", "says", "item", "under", "quote_line", "mono_line"):
        if "{text}" not in getattr(found, form):
            raise DialectInvalid(f"{where}: {form} must hold {{text}}")
    for pair in ("items", "quote", "fold", "mono", "whole"):
        if len(getattr(found, pair)) not in (0, 2):
            raise DialectInvalid(f"{where}: {pair} is two texts, what stands before and what after")
    if found.table == "tags" and found.table_tags is None:
        raise DialectInvalid(f"{where}: table = 'tags' needs table_tags")
    return found
