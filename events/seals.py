"""Sealed orders: a digest now, the text with its salt later, so that all can declare before any can read.

The digest is SHA-256 over salt, one space and the canonical text, so any SHA-256 tool can check it. The salt is what
keeps a digest from being guessed: the orders that somebody may give are few.
"""

from __future__ import annotations

from hashlib import sha256


def seal_of(salt: str, text: str) -> str:
    """Return the digest that stands for an order until it is revealed.

    >>> seal_of("5a17", "ann: hit bob")[:16]
    '2d4408ec9aaec8d0'
    """
    return sha256(f"{salt} {text}".encode()).hexdigest()
