"""What readers of outside dice logs hand on: rolls as they stand in the source, and what is wrong with them."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from events.facts import Test
from projections.dice.ledger import Entry
from projections.journal import printable
from replays.outside.sums import COMMON, Dialect, Plain, Spelling


class Finding(msgspec.Struct, frozen=True, gc=False):
    """Something in a log that does not hold or cannot be read. `code` is for programs and stable.

    Nothing is ever mended: the roll, if there is one, stays as its source tells it.
    """

    path: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return printable(f"{self.path}, line {self.line}: {self.message}")


class OutsideLog(msgspec.Struct, frozen=True):
    """What a log of outside dice says. `digest` is the SHA-256 of the file, `trust` what such a log can prove."""

    path: str
    digest: str
    format: str
    version: int
    trust: str
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]


class Shown(msgspec.Struct, frozen=True, gc=False):
    """Faces of dice that the source shows one by one, and which of them it marks as counting, if it marks them."""

    faces: tuple[int, ...]
    kept: tuple[bool, ...] | None = None


class Run(msgspec.Struct, frozen=True, gc=False):
    """Faces written without anything between them, as in `(116)`."""

    digits: str


Operand: TypeAlias = Plain | Shown | Run
"""What a printed sum adds up: a plain number, dice shown one by one, or dice whose digits run together."""


class Post(msgspec.Struct, frozen=True, gc=False):
    """Where a roll was made: `key` names the post or message, `copy` tells how often that key came up before."""

    key: str = ""
    who: str = ""
    at: int | None = None
    copy: int = 0


class Found(msgspec.Struct, frozen=True):
    """One roll as its source tells it.

    * `asked` is the dice as written, to be read with `spelling` and worked out in `dialect`.
    * `printed` is the sum as printed; None if the source gives the total only. A `flat` list has the faces of each
      term, or of all in a row, and leaves the plain numbers out.
    * `total` is the stated result, None if there is none.
    * `unused` marks a roll that its owner set aside.
    * `words` says why this stands among somebody's words and is no roll; empty for a roll.
    """

    line: int
    raw: str
    asked: str
    printed: tuple[Operand, ...] | None
    total: int | None
    post: Post = Post()
    label: str = ""
    piece: str = ""
    key: str = ""
    dialect: Dialect = "math"
    spelling: Spelling = COMMON
    flat: bool = False
    test: Test = "read"
    target: int | None = None
    remarks: tuple[str, ...] = ()
    unused: bool = False
    words: str = ""
