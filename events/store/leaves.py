"""Record format 2: every event as two salted leaves, so that a redacted copy proves itself against the one true head.

All digests and salts are lower-case hex text in what is hashed, and every digest begins with a tag line of its own:

    battle = SHA-256("wardiary/2 battle\\n" battle-id)
    line   = SHA-256("wardiary/2 line\\n"   hash-at-the-fork " " line-text)      main: `battle` in place of the hash
    head   = SHA-256("wardiary/2 head\\n"   head-salt header-text)
    body   = SHA-256("wardiary/2 body\\n"   body-salt body-text)
    hash   = SHA-256("wardiary/2 link\\n"   prev " " head " " body " " seq " " n " " kind)
    end    = SHA-256("wardiary/2 end\\n"    seq " " hash-of-the-line's-last-event)
    digest = SHA-256("wardiary/2 digest\\n" end " " end …)                       all lines, oldest first

Header, body and line are hashed as the exact texts that are stored and exported. `kind` and `n` (the number of the
event within its battle, over all lines) stand in the clear, so that no copy can hide a ruling. A leaf is shown with its
salt or not at all; without the salt (128 bits) nobody can try out what a hidden leaf says.

The salts of an event come from a key of the line, its seq and its own texts. So a file that was restored from a backup
and played on differently never uses one salt for two contents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2s, sha256

SALT_DIGITS = 32
"""Hex digits of a salt."""

_SALTS = re.compile(r"[0-9a-f]{64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")

_HEAD = sha256(b"wardiary/2 head\n")
_BODY = sha256(b"wardiary/2 body\n")
_LINK = sha256(b"wardiary/2 link\n")


def _digest(tag: str, text: str) -> str:
    return sha256(f"wardiary/2 {tag}\n{text}".encode()).hexdigest()


def battle_start(battle: str) -> str:
    """Return what the place of `main` is derived from: a digest of the battle's id."""
    return _digest("battle", battle)


def line_start(at_fork: str, line_text: str) -> str:
    """Return what the first own event of a line is chained to.

    `at_fork` is the hash of the event after which the line forks; for `main`, `battle_start`.
    """
    return _digest("line", f"{at_fork} {line_text}")


def header_leaf(salt: str, header: bytes) -> str:
    """Return the leaf of a header. About a third of a microsecond for a header of a hundred bytes."""
    leaf = _HEAD.copy()
    leaf.update(salt.encode() + header)
    return leaf.hexdigest()


def body_leaf(salt: str, body: bytes) -> str:
    """Return the leaf of a body."""
    leaf = _BODY.copy()
    leaf.update(salt.encode() + body)
    return leaf.hexdigest()


def link(prev: str, header: str, body: str, seq: int, n: int, kind: str) -> str:
    """Return the hash of an event from its two leaves and what stands in the clear."""
    this = _LINK.copy()
    this.update(b"%b %b %b %d %d %b" % (prev.encode(), header.encode(), body.encode(), seq, n, kind.encode()))
    return this.hexdigest()


def end_leaf(seq: int, last: str) -> str:
    """Return the leaf of where a line ends. It stands for a line that a copy does not show."""
    return _digest("end", f"{seq} {last}")


def battle_digest(ends: Iterable[str]) -> str:
    """Return the digest of a whole battle from the ends of all its lines, oldest first."""
    return _digest("digest", " ".join(ends))


class Salter:
    """Derives the two salts of each event of one line from a root that is kept outside the record.

    `root` is 32 bytes that nobody else knows; it must never leave with an export, or every hidden leaf could be opened.
    """

    __slots__ = ("_keyed",)

    def __init__(self, root: bytes, line_text: str) -> None:
        self._keyed = blake2s(key=blake2s(line_text.encode(), key=root).digest())

    def salts(self, seq: int, header: bytes, body: bytes) -> str:
        """Return 64 hex digits: the salt of the header, then that of the body."""
        keyed = self._keyed.copy()
        keyed.update(b"%d %b%b" % (seq, header, body))
        return keyed.hexdigest()


def are_salts(text: str) -> bool:
    """Tell whether a text is a pair of salts as a row keeps them."""
    return _SALTS.fullmatch(text) is not None


def is_leaf(text: str) -> bool:
    """Tell whether a text can be a leaf or a hash.

    >>> is_leaf("0" * 64), is_leaf("0" * 63 + "G")
    (True, False)
    """
    return _DIGEST.fullmatch(text) is not None
