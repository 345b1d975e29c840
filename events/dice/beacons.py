"""Public beacons: values that come out at a known time, for all to see, and that nobody can know before.

A beacon of the drand kind publishes a signature for each round; the round's random value is the signature's SHA-256.
That the signature is genuine is for whoever doubts it to look up on the beacon's own page, or to check with a tool for
BLS signatures; here only the digest is worked out. What a table agrees on is a round that lies in the future.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec


class Beacon(msgspec.Struct, frozen=True, gc=False):
    """A beacon that is known by name: when its first round came out (seconds since 1970) and how many seconds apart."""

    name: str
    chain: str
    genesis: int
    period: int

    def out_at(self, number: int) -> int:
        """Return when a round comes out, in microseconds UTC.

        >>> KNOWN["quicknet"].out_at(1) // 1_000_000
        1692803367
        """
        return (self.genesis + (number - 1) * self.period) * 1_000_000


KNOWN = {
    each.name: each
    for each in (
        Beacon("quicknet", "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", 1692803367, 3),
        Beacon("drand", "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce", 1595431050, 30),
    )
}
"""Beacons of the League of Entropy. A table may name any other; then nobody here can tell when a round comes out."""


def value_of(signature: str) -> str:
    """Return the random value of a round, in hex, from its signature in hex. What is not hex is taken as text.

    >>> value_of("00ff")[:16]
    '06eb7d6a69ee19e5'
    """
    try:
        raw = bytes.fromhex(signature)
    except ValueError:
        raw = signature.encode(errors="backslashreplace")
    return sha256(raw).hexdigest()


def nonce_name(beacon: str, number: int) -> str:
    """Return the name under which a round is stirred in. It holds a space, so it can be no seat's.

    >>> nonce_name("quicknet", 1000)
    'beacon quicknet 1000'
    """
    return f"beacon {beacon} {number}"
