"""Who and what can be named in an order just now, and finding it from what somebody typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Final

import msgspec

from engine.orders.errors import OrderAmbiguous, OrderUnreadable
from engine.orders.words import fold, offered, shown

LONGEST_NAME: Final = 200
"""Characters in the name of a piece or in a word of a vocabulary."""
MAX_NEAREST: Final = 3
"""Right words that a message offers in place of a wrong one."""
LONGEST_COMPARED: Final = 40
"""Characters of a name that count in looking for near ones: more would let a sheet of long nonsense take minutes."""
MAX_LISTED: Final = 8
"""Right words that a message lists when none comes near."""

SIDES: Final = "sides"
"""The vocabulary that holds the sides at the table."""


class Vocabulary(msgspec.Struct, frozen=True):
    """The names that a situation supplies: `pieces` maps id to display name, `words` a vocabulary to its words.

    Messages offer these names. Whoever reads a seat's orders therefore puts in only what that seat may see.
    """

    pieces: Mapping[str, str] = {}
    words: Mapping[str, Collection[str]] = {}


class Names:
    """A vocabulary made ready for looking up; lives as long as one sheet is read.

    A name matches in three steps, the first that finds something decides: letter by letter as an id; compared by
    `fold`, as an id or display name; for pieces, as the beginning of one. The first step lets every id be written,
    even beside one that differs in case alone.
    """

    recorded: ClassVar[bool] = False
    """Whether canonical text is read, whose names are taken as they are."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._pieces = _folded((key, alias) for key, name in vocabulary.pieces.items() for alias in (key, name))
        self._words = {of: _folded((word, word) for word in words) for of, words in vocabulary.words.items()}

    def piece(self, text: str) -> str:
        """Give the id of the one piece that `text` names by id, display name or unique beginning.

        Raises OrderUnreadable (nobody is called that) or OrderAmbiguous. Cost: linear in pieces.
        """
        refuse_wrong_name(text)
        if text in self.vocabulary.pieces:
            return text
        wanted = fold(text)
        found = self._pieces.get(wanted, [])
        if not found and wanted:
            begun = (ids for name, ids in self._pieces.items() if name.startswith(wanted))
            found = _unique(key for ids in begun for key in ids)
        if not found:
            raise unknown(f"no piece is called {shown(text)}", text, self._pieces, "the pieces are")
        return _only(text, found)

    def word(self, text: str, of: str) -> str:
        """Give the word of the vocabulary `of` that `text` spells. Raises OrderUnreadable or OrderAmbiguous."""
        refuse_wrong_name(text)
        if text in self.vocabulary.words.get(of, ()):
            return text
        words = self._words.get(of, {})
        found = words.get(fold(text), [])
        if not found:
            raise unknown(f"{shown(text)} is not one of the {of}", text, words, "there are")
        return _only(text, found)

    def is_side(self, text: str) -> bool:
        """Tell whether `text` spells a side at the table."""
        return fold(text) in self._words.get(SIDES, {})


def closest(text: str, folded: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Give at most three of the right words that come nearest to `text`, the nearest first.

    Only beginnings are compared (`LONGEST_COMPARED`). Cost: linear in words.
    """
    from difflib import get_close_matches  # slow to import, needed only when something is wrong

    beginnings: dict[str, list[str]] = {}
    for name, words in folded.items():
        beginnings.setdefault(name[:LONGEST_COMPARED], []).extend(words)
    matches = get_close_matches(fold(text)[:LONGEST_COMPARED], list(beginnings), n=MAX_NEAREST)
    return tuple(_unique(word for match in matches for word in beginnings[match])[:MAX_NEAREST])


def containing(text: str, folded: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Give at most three of the right words that contain `text`, such as Old Tom for Tom. Cost: linear."""
    part = fold(text)
    found = (word for name, words in folded.items() if part and part in name for word in words)
    return tuple(_unique(found)[:MAX_NEAREST])


def unknown(problem: str, text: str, folded: Mapping[str, Sequence[str]], listed: str = "") -> OrderUnreadable:
    """Make the error for a word that is not known: the problem, then the nearest right words or all of them."""
    nearest = closest(text, folded) or containing(text, folded)
    if nearest:
        offer = "; nearest: " + offered(nearest) + _look_alike(text, nearest[0])
    elif not folded:
        offer = "; there are none here"
    else:
        words = _unique(word for some in folded.values() for word in some)
        more = ", …" if len(words) > MAX_LISTED else ""
        offer = f"; {listed or 'there are'}: " + offered(words[:MAX_LISTED]) + more
    return OrderUnreadable(problem + offer, nearest=nearest)


def refuse_wrong_name(text: str) -> None:
    """Promise that a name has at least one character and not too many. Raises OrderUnreadable."""
    if not text:
        raise OrderUnreadable('"" names nothing: write a name')
    if len(text) > LONGEST_NAME:
        raise OrderUnreadable(f"the name {shown(text)} has {len(text)} characters, {LONGEST_NAME} is the most")


def _look_alike(text: str, right: str) -> str:
    """Name the first letter that comes from another script than the one in its place, since nobody can see it."""
    typed, meant = (unicodedata.normalize("NFC", name) for name in (text, right))
    if len(typed) == len(meant):
        for place, (wrong, good) in enumerate(zip(typed, meant, strict=True), 1):
            names = unicodedata.name(wrong, "?"), unicodedata.name(good, "?")
            if names[0].split()[0] != names[1].split()[0] and wrong.isalpha() and good.isalpha():
                return f" (letter {place} was typed as {names[0]}, not {names[1]})"
    return ""


def _only(text: str, found: Sequence[str]) -> str:
    """Give the one name found; raises OrderAmbiguous with all of them when there are several."""
    if len(found) == 1:
        return found[0]
    choice = offered(found[:MAX_LISTED]) + (", …" if len(found) > MAX_LISTED else "")
    raise OrderAmbiguous(f"{shown(text)} may be any of {choice}: write more of the name", candidates=found)


def _folded(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Map each folded name to the ids that bear it. A name of which nothing is left can be written exactly only."""
    register: dict[str, list[str]] = {}
    for key, name in names:
        alias = fold(name)
        if alias and key not in register.setdefault(alias, []):
            register[alias].append(key)
    return register


def _unique(words: Iterable[str]) -> list[str]:
    """Give each word once, in the order in which they came."""
    return list(dict.fromkeys(words))
