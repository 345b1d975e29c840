"""Text as it is seen: what is invisible made visible, how wide it stands, where it may be cut.

Widths are columns of a fixed-width font: wide and emoji signs take two, marks that sit on others none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from unicodedata import category, combining, east_asian_width

_JOINER, _NON_JOINER, _EMOJI_LOOK, _TEXT_LOOK = "\u200d", "\u200c", "\ufe0f", "\ufe0e"
_SPACE: Final = "␣"
ELLIPSIS: Final = "…"
_MOST: Final = 32
"""How many code points one sign has at most. Heaps of marks on one letter are cut after so many."""


def shown(text: str) -> str:
    """Show a person's words on one line and nothing in them unseen: controls, zero widths, spaces that get lost.

    Joiners are left where they belong: between emoji, and between letters of scripts that join.

    >>> shown("Ann  rolls\\x1b[31m "), shown("👩\\u200d🚀"), shown("An\\u200dn")
    ('Ann ␣rolls<U+001B>[31m␣', '👩\\u200d🚀', 'An<U+200D>n')
    """
    if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    return "".join(_shown(text, place) for place in range(len(text)))


def _shown(text: str, place: int) -> str:
    char = text[place]
    if char == " ":
        lost = place == 0 or place == len(text) - 1 or text[place - 1] == " "
        return _SPACE if lost else char
    if char.isprintable():
        return char
    if char in (_JOINER, _NON_JOINER) and 0 < place < len(text) - 1 and _joins(text, place):
        return char
    return f"<U+{ord(char):04X}>"


def _joins(text: str, place: int) -> bool:
    """Whether a joiner stands between signs that it joins."""
    before = place - 1
    while before > 0 and (combining(text[before]) or text[before] in (_EMOJI_LOOK, _TEXT_LOOK) or _tone(text[before])):
        before -= 1
    sides = {category(text[before]), category(text[place + 1])}
    return (sides == {"So"} and text[place] == _JOINER) or sides <= {"Lo", "Mn", "Mc"}


def _tone(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


# ---------------------------------------------------------------------------------------------------- graphemes


def graphemes(text: str) -> Iterator[str]:
    """Yield what a reader takes for one sign each: a letter with its marks, a flag, a joined emoji.

    >>> [len(each) for each in graphemes("e\\u0301👩\\u200d🚀🇵🇱x")]
    [2, 3, 2, 1]
    """
    start = 0
    for place in range(1, len(text)):
        if not _hangs_on(text, start, place) or place - start == _MOST:
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def _hangs_on(text: str, start: int, place: int) -> bool:
    """Whether the sign at `place` belongs to the one that began at `start`."""
    char, before = text[place], text[place - 1]
    if char.isascii():
        return char == "\n" and before == "\r"
    if category(char) in ("Mn", "Mc", "Me") or char in (_JOINER, _NON_JOINER) or _tone(char):
        return True
    if "\U000e0020" <= char <= "\U000e007f":  # the letters within a flag of a region
        return True
    if before == _JOINER:
        return True
    if _regional(char):
        return _regional(text[start]) and place - start == 1
    return _jamo(before, char)


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _jamo(before: str, char: str) -> bool:
    """Whether two signs are parts of one Korean syllable: lead and vowel, vowel and tail."""
    lead, syllable = "\u1100" <= before <= "\u115f", "\uac00" <= before <= "\ud7a3"
    vowel, tail = "\u1160" <= before <= "\u11a7", "\u11a8" <= before <= "\u11ff"
    if "\u1100" <= char <= "\u115f":
        return lead
    if "\u1160" <= char <= "\u11a7" or "\uac00" <= char <= "\ud7a3":
        return lead or (char < "\uac00" and (vowel or syllable))
    return "\u11a8" <= char <= "\u11ff" and (vowel or tail or syllable)


def width(text: str) -> int:
    """Return how many columns a text takes.

    >>> width("Łódź"), width("龍"), width("e\\u0301"), width("👩\\u200d🚀")
    (4, 2, 1, 2)
    """
    return len(text) if text.isascii() else sum(map(_width, graphemes(text)))


@lru_cache(maxsize=4096)
def _width(sign: str) -> int:
    if _EMOJI_LOOK in sign or _regional(sign[0]):
        return 2
    return max((2 if east_asian_width(char) in "WF" else 1 for char in sign if not _weightless(char)), default=0)


def _weightless(char: str) -> bool:
    return char in (_JOINER, _NON_JOINER, _TEXT_LOOK) or category(char) in ("Mn", "Me", "Cf")


# ---------------------------------------------------------------------------------------------------- cutting


def cut(text: str, columns: int) -> str:
    """Cut a text to some columns, between signs, with an ellipsis where something is missing.

    >>> cut("Orléans", 7), cut("Orléans", 5), cut("龍龍龍", 4)
    ('Orléans', 'Orlé…', '龍…')
    """
    return text if width(text) <= columns else take(text, columns - 1) + ELLIPSIS


def take(text: str, columns: int) -> str:
    """Return as many signs from the beginning of a text as fit in some columns; at least one of a text that has any."""
    used = end = 0
    for sign in graphemes(text):
        used += _width(sign)
        if used > columns and end:
            break
        end += len(sign)
        if used > columns:
            break
    return text[:end]


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text up with spaces to some columns."""
    room = " " * max(0, columns - width(text))
    return room + text if right else text + room


def wrap(text: str, columns: int, hang: int = 0) -> list[str]:
    """Break a line between words into lines of at most so many columns; later lines leave `hang` columns free.

    A word that is too long is broken between signs, but an address never is. Joined by spaces, or by nothing where a
    word was broken, the lines give the text again.

    >>> wrap("Wilmot shoots at Grubnik", 10)
    ['Wilmot', 'shoots at', 'Grubnik']
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        room = columns - (hang if lines else 0)
        if line and width(line) + 1 + width(word) <= room:
            line = f"{line} {word}"
            continue
        if line:
            lines.append(line)
        line = word
        while width(line) > (room := columns - (hang if lines else 0)) and not line.startswith(("http://", "https://")):
            head = take(line, room)
            if head == line:
                break
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line] if line or not lines else lines
