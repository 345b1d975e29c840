"""The words of an order: cutting a line into words, comparing names, putting names in quotes.

What people paste is mended where no meaning can change: curly quotes, the several dashes, no-break spaces, invisible
marks. Text inside quotes stays exactly as it was typed. Nothing here knows what an order means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engine.orders.errors import OrderUnreadable

LONGEST_LINE: Final = 4_000
"""Characters in one line of a sheet."""
MAX_FOLDED: Final = 2_048
"""Names whose folded form is kept."""
LONGEST_SHOWN: Final = 60
"""Characters of somebody's words that a message repeats."""

# Dashes, curly apostrophes and quotes, and full-width marks: what word processors, telephones and East Asian keyboards
# put for the plain signs.
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_APOSTROPHES: Final = "\u2018\u2019\u201a\u201b"
_CURLY_QUOTES: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_QUOTES: Final = '"' + _CURLY_QUOTES
_MARKS: Final = {":": ":", "\uff1a": ":", ";": ";", "\uff1b": ";"}
# Marks that show nothing: soft hyphen, direction marks, zero-width space, word joiner, byte order mark. The joiners
# within an emoji or a Persian word are not among them: those change what is seen.
_INVISIBLE: Final = "\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff"
_JOINERS: Final = "\u200c\u200d"

_PLAIN: Final = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_CURLY_QUOTES, '"')
    | dict.fromkeys(_INVISIBLE)
    | {"\uff0c": ","}
)
_COMPARED: Final = str.maketrans(
    dict.fromkeys(_DASHES + "-_", " ") | dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_INVISIBLE)
)
_BARE: Final = re.compile("[^\\s:;\uff1a\uff1b]+")
# Control characters, line and paragraph separators, halves of a surrogate pair, and the marks that turn the direction
# of text: with those a sheet could show another order than it holds.
_FORBIDDEN: Final = re.compile(
    "[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


class Token(NamedTuple):
    """One word of a line, or one of the marks `:` and `;`. A quoted word is never a keyword."""

    text: str
    quoted: bool = False
    mark: bool = False


@lru_cache(maxsize=MAX_FOLDED)
def fold(name: str) -> str:
    """Give the form in which names are compared; it is never shown or stored.

    Case, composition (NFC or NFD), and the kind of space, underscore, dash or apostrophe do not count; letters do, so
    that a Cyrillic look-alike stays another letter. Cost: linear, once for each of the names in use.

    >>> fold("Old_Tom") == fold("  old-tom ") == fold("OLD TOM")
    True
    """
    lowered = unicodedata.normalize("NFD", name).casefold()
    return " ".join(unicodedata.normalize("NFC", lowered).translate(_COMPARED).split())


def refuse_unwritable(line: str) -> None:
    """Promise that a line is not too long and holds no control characters; tabs count as spaces.

    Raises OrderUnreadable.
    """
    if len(line) > LONGEST_LINE:
        raise OrderUnreadable(f"the line has {len(line)} characters, {LONGEST_LINE} is the most: shorten or divide it")
    found = _FORBIDDEN.search(line)
    if found:
        sign = ord(found.group())
        raise OrderUnreadable(f"character {found.start() + 1} is a control character (U+{sign:04X}): delete it")


def cut(line: str) -> list[Token]:
    """Cut one line into words and marks; `#` at the start of a word begins a comment.

    A quoted word may hold anything; a straight quotation mark inside it is written twice. Raises OrderUnreadable.
    Cost: linear.

    >>> [token.text for token in cut('“Old Tom”: aim bow at "d""Art" # soon')]
    ['Old Tom', ':', 'aim', 'bow', 'at', 'd"Art']
    """
    refuse_unwritable(line)
    tokens: list[Token] = []
    at = 0
    while at < len(line):
        sign = line[at]
        if sign.isspace() or sign in _INVISIBLE:
            at += 1
        elif sign == "#":
            break
        elif sign in _MARKS:
            tokens.append(Token(_MARKS[sign], mark=True))
            at += 1
        elif sign in _QUOTES:
            text, at = _quoted(line, at)
            tokens.append(Token(text, quoted=True))
        else:
            bare = _BARE.match(line, at)
            assert bare is not None  # the sign is neither space nor mark
            tokens.append(Token(bare.group().translate(_PLAIN)))
            at = bare.end()
    return tokens


def _quoted(line: str, start: int) -> tuple[str, int]:
    """Read the quoted word that opens at `start`; give its text and where it ends.

    A straight quote is closed by a straight one, a curly quote by any curly one, since nations open and close alike.
    """
    straight = line[start] == '"'
    at = start + 1
    parts: list[str] = []
    while at < len(line):
        sign = line[at]
        if straight and line.startswith('""', at):
            parts.append('"')
            at += 2
            continue
        if sign == '"' if straight else sign in _CURLY_QUOTES:
            _refuse_glued(line, at + 1)
            return "".join(parts), at + 1
        parts.append(sign)
        at += 1
    raise OrderUnreadable(f"the quotation mark at character {start + 1} is never closed: close it")


def _refuse_glued(line: str, end: int) -> None:
    """Promise that a closed quotation is followed by a space, a mark or nothing."""
    after = line[end : end + 1]
    if after and not (after.isspace() or after in _INVISIBLE or after in _MARKS):
        raise OrderUnreadable(f"put a space between the closing quotation mark and {shown(line[end:])}")


def spelled(text: str, keywords: Collection[str] = ()) -> str:
    """Write a word so that `cut` reads it back exactly: bare where that is safe, in quotes elsewhere.

    `keywords` (folded) are words with a meaning of their own in the place where this one is written.

    >>> spelled("grubnik"), spelled("Old Tom"), spelled("at", {"at"}), spelled('5"')
    ('grubnik', '"Old Tom"', '"at"', '5"')
    """
    bare = (
        _BARE.fullmatch(text) is not None
        and text[0] not in _QUOTES + "#"
        and text.translate(_PLAIN) == text
        and fold(text) not in keywords
    )
    return text if bare else '"' + text.replace('"', '""') + '"'


def shown(text: str) -> str:
    """Repeat somebody's words within a message: in quotes, on one line, not too long, nothing hidden.

    >>> shown("gr" + chr(0) + "bnik")
    "'gr<U+0000>bnik'"
    """
    return "'" + visible(text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…") + "'"


def offered(names: Iterable[str]) -> str:
    """List right words within a message, as they are to be typed.

    >>> offered(["grubnik", "Old Tom"])
    'grubnik, "Old Tom"'
    """
    return ", ".join(visible(spelled(name)) for name in names)


def visible(text: str) -> str:
    """Spell out each sign that cannot be seen, line ends among them.

    The joiners stay: they are part of what is seen in emoji and in Persian and Indian names.
    """
    return "".join(sign if sign.isprintable() or sign in _JOINERS else f"<U+{ord(sign):04X}>" for sign in text)
