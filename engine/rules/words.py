"""The nearest right words: what somebody may have meant who wrote a word that does not exist."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The words of `known` that look most like `word`, best first, at most `most`; none when nothing is like it.

    Capital and small letters count as the same, and so do a space, a hyphen and an underscore.

    >>> nearest("Short Bow", ["long_bow", "short_bow", "sling"], most=1)
    ('short_bow',)
    >>> nearest("zeppelin", ["long_bow", "short_bow"])
    ()
    """
    from difflib import get_close_matches  # wanted only once something is wrong

    plain = {_plain(right): right for right in sorted(known, reverse=True)}
    return tuple(plain[like] for like in get_close_matches(_plain(word), sorted(plain), most, 0.6))


def hint(word: str, known: Iterable[str]) -> str:
    """The best of the nearest words as the end of a message: ` (did you mean x?)`, or nothing.

    >>> hint("ork", ["orc", "elf"])
    ' (did you mean orc?)'
    """
    best = nearest(word, known, most=1)
    return f" (did you mean {best[0]}?)" if best else ""


def _plain(word: str) -> str:
    return word.casefold().replace(" ", "_").replace("-", "_")
