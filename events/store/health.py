"""What a store says of itself when it is looked after."""

from __future__ import annotations

import msgspec


class Health(msgspec.Struct, frozen=True, gc=False):
    """What was found in a store. Sizes are in bytes, 0 where the store does not know.

    `integrity` is `ok`, or what is wrong. `durability` is what the store does now, not what was asked for. `problem`
    says what probably happened and what to do; it is empty where nothing is wrong.
    """

    integrity: str
    durability: str
    battles: int
    events: int
    snapshots: int
    file_bytes: int
    wal_bytes: int
    software: str
    problem: str = ""
