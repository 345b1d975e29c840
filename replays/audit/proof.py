"""Dice that anybody can work out again: the derivation used to draw them and to check them.

A chain of secrets is made backwards: the last is random, each earlier one is the SHA-256 of the next. The digest of the
first is published before any dice fall (the commitment). The secret of a turn is revealed when the turn ends; hashing
it as many times as turns have gone by gives the commitment, and HMAC-SHA256 with it gives every face of the turn.
Nothing here is secret and nothing here is random. The algorithm has a name, so that a later one can stand beside it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from events.store.chain import field

ALGORITHM = "hmac-sha256/1"
TURNS = 1000
"""How many turns one commitment covers."""


def secret_of(root: bytes, index: int, turns: int = TURNS) -> bytes:
    """Return the secret of the `index`-th turn (from 1) of a chain whose last secret is `root`. O(turns)."""
    secret = root
    for _ in range(turns - index):
        secret = sha256(secret).digest()
    return secret


def commitment_of(root: bytes, turns: int = TURNS) -> str:
    """Return the public commitment to a whole chain, in hex."""
    return sha256(secret_of(root, 1, turns)).hexdigest()


def keeps_commitment(secret: bytes, index: int, commitment: str) -> bool:
    """Tell whether a revealed secret is the one that was committed to for the `index`-th turn."""
    for _ in range(index):
        secret = sha256(secret).digest()
    return hmac.compare_digest(secret.hex(), commitment)


def message(battle: str, line: str, content: str, key: str, nonces: Mapping[str, str]) -> bytes:
    """Return what is stirred with the secret: battle, line, the digest of the orders, what the roll is for, nonces.

    Each part is written with its length (`4:main,`), so that no two different inputs give the same message.
    """
    parts = ["wardiary-dice/1", battle, line, content, key]
    for seat in sorted(nonces):
        parts += [seat, nonces[seat]]
    return b"".join(map(field, parts))


def faces(secret: bytes, text: bytes, ranges: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the faces of dice with the given lowest and highest face, in order.

    Bytes come from HMAC-SHA256(secret, message + block number). A die of up to 256 sides takes one byte, a larger one
    four; a number in the uneven rest at the top is thrown away, so that every face is equally likely.

    >>> faces(b"k", b"m", [(1, 6), (1, 6), (1, 100)])
    (5, 4, 50)
    """
    stream = _bytes(secret, text)
    shown = []
    for low, high in ranges:
        sides = high - low + 1
        width = 1 if sides <= 256 else 4
        space = 256**width
        limit = space - space % sides
        number = limit
        while number >= limit:
            number = int.from_bytes(bytes(next(stream) for _ in range(width)), "big")
        shown.append(low + number % sides)
    return tuple(shown)


def keyed_digest(secret: bytes, text: bytes) -> bytes:
    """Return HMAC-SHA256 (RFC 2104) of a text under a secret: 32 bytes."""
    return hmac.digest(secret, text, "sha256")


def _bytes(secret: bytes, text: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from keyed_digest(secret, text + field(str(block)))
        block += 1
