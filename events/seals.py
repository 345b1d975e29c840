"""Sealed orders: a digest now, the text with its salt later, so that all can declare before any can read.

The digest is SHA-256 over salt, one space and the canonical text, so any SHA-256 tool can check it. The salt is what
keeps a digest from being guessed: the orders that somebody may give are few. A sheet is sealed as a JSON list of lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

import msgspec

_DIGEST = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[!-~]{4,64}")


def seal_of(salt: str, text: str) -> str:
    """Return the digest that stands for an order until it is revealed.

    >>> seal_of("5a17", "ann: hit bob")[:16]
    '2d4408ec9aaec8d0'
    """
    return sha256(f"{salt} {text}".encode()).hexdigest()


def is_digest(text: str) -> bool:
    """Tell whether a text is a SHA-256 digest as we write them: 64 lower-case hex digits."""
    return _DIGEST.fullmatch(text) is not None


def is_salt(text: str) -> bool:
    """Tell whether a text can be a salt: 4 to 64 visible ASCII characters, no space."""
    return _SALT.fullmatch(text) is not None


def pack(lines: Sequence[str]) -> str:
    """Write lines as the one text that is sealed.

    >>> pack(["ann: hit bob", "al: hit bob"])
    '["ann: hit bob","al: hit bob"]'
    """
    return msgspec.json.encode(list(lines)).decode()


def unpack(text: str) -> list[str]:
    """Return the lines of what was sealed: those of a sheet, or the one line of an order.

    >>> unpack('["ann: hit bob","al: hit bob"]'), unpack("ann: hit bob")
    (['ann: hit bob', 'al: hit bob'], ['ann: hit bob'])
    """
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError:
        return [text]
