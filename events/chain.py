"""The chain that makes the record tamper-evident.

Each event's hash is SHA-256 over one zero byte, the length-prefixed header fields and the exact stored bytes of the
body. The header starts with the hash of the event before, so changing, dropping or inserting any event changes every
hash after it. A chain proves nothing against somebody who rewrites the whole file, unless you kept a digest: keep the
one that `wardiary verify` prints.
"""

from __future__ import annotations

from hashlib import sha256


def field(text: str) -> bytes:
    """Write one header field: length in bytes, colon, UTF-8 text, comma (a netstring).

    >>> field("main")
    b'4:main,'
    """
    raw = text.encode()
    return b"%d:%b," % (len(raw), raw)


def origin(battle: str) -> str:
    """Return what the first event of a battle is chained to: a digest of the battle's id."""
    return sha256(b"\x00wardiary/1," + field(battle)).hexdigest()


class Chain:
    """Links the events of one line. Battle and line name are hashed by name, so that a copy keeps its hashes."""

    __slots__ = ("_place",)

    def __init__(self, battle: str, line: str) -> None:
        self._place = b"\x00" + field(battle) + field(line)

    def link(
        self, prev: str, seq: int, act: int, kind: str, actor: str, at: int, request: str | None, body: bytes
    ) -> str:
        """Return the hash of one event, as lower-case hex.

        Fields in order: battle, line, prev, seq, act, kind, actor, at, request (empty if none), body.
        """
        name, key = actor.encode(), (request or "").encode()
        header = b"64:%b,%b,%b,%d:%b,%d:%b,%b,%d:%b,%d:%b" % (
            prev.encode(),
            _number(seq),
            _number(act),
            len(kind),
            kind.encode(),
            len(name),
            name,
            _number(at),
            len(key),
            key,
            len(body),
            body,
        )
        return sha256(self._place + header).hexdigest()


def _number(value: int) -> bytes:
    digits = b"%d" % value
    return b"%d:%b" % (len(digits), digits)
