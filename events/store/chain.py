"""The chain that makes the record tamper-evident.

Everything is SHA-256, written as 64 lower-case hex digits. Texts are UTF-8 and are written with their length in bytes
(`4:main,`), numbers in decimal, so that no two different events give the same bytes.

* The *origin* of a battle, to which its first event is chained: digest of a zero byte, `wardiary/1,` and the battle id.
* The *place* of a line: digest of a one byte, then battle, name, parent, after, played (0 or 1), actor, at, why, each
  with its length; parent is empty for `main`. So nobody can make a what-if look played.
* The *hash* of an event: digest of a zero byte, the place of its line, the hash of the event before it, a space, then
  `seq act at` with a space after each, then kind, actor and request (empty if none), each with its length, then the
  length of the body in bytes, a colon, and the body exactly as it is stored.

Changing, dropping or inserting any event changes every hash after it. A chain proves nothing against somebody who
rewrites the whole file or cuts off its end, unless you kept a digest: keep the one that `wardiary verify` prints.
"""

from __future__ import annotations

from hashlib import sha256

from events.store.record import Line


def field(text: str) -> bytes:
    """Write one field: length in bytes, colon, UTF-8 text, comma (a netstring).

    >>> field("main")
    b'4:main,'
    """
    raw = text.encode()
    return b"%d:%b," % (len(raw), raw)


def origin(battle: str) -> str:
    """Return what the first event of a battle is chained to: a digest of the battle's id."""
    return sha256(b"\x00wardiary/1," + field(battle)).hexdigest()


def place(line: Line) -> str:
    """Return the digest of what makes a line what it is. It goes into the hash of each of the line's own events."""
    fork = (line.parent or "", str(line.after), str(int(line.played)), line.actor, str(line.at), line.why)
    return sha256(b"\x01" + b"".join(map(field, (line.battle, line.name, *fork)))).hexdigest()


class Chain:
    """Links the events of one line. Battle and line go in by name, so that a copy elsewhere keeps its hashes."""

    __slots__ = ("_start", "battle", "line")

    def __init__(self, line: Line) -> None:
        self.battle = line.battle
        self.line = line.name
        self._start = b"\x00" + place(line).encode()

    def link(
        self, prev: str, seq: int, act: int, kind: str, actor: str, at: int, request: str | None, body: bytes
    ) -> str:
        """Return the hash of one event of this line. About a microsecond: half of it is SHA-256."""
        filed, who, key = kind.encode(), actor.encode(), request.encode() if request else b""
        return sha256(
            b"%b%b %d %d %d %d:%b,%d:%b,%d:%b,%d:%b"
            % (
                self._start, prev.encode(), seq, act, at,
                len(filed), filed, len(who), who, len(key), key, len(body), body,
            )
        ).hexdigest()  # fmt: skip
