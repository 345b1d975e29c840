"""Looking after a file of battles: what it promises, whether it is whole, snapshots made anew."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.battle import SNAPSHOT_EVERY
from events.store.record import Snapshot
from events.store.sqlite import SqliteLog


class Health(msgspec.Struct, frozen=True, gc=False):
    """What `doctor` found. Sizes in bytes. `durability` is what SQLite does now, not what was asked for."""

    integrity: str
    durability: str
    battles: int
    events: int
    snapshots: int
    file_bytes: int
    wal_bytes: int
    sqlite: str

    def lines(self) -> list[tuple[str, str]]:
        """Return what to print: name and value."""
        return [
            ("integrity", self.integrity),
            ("guards", "in place"),
            ("durability", self.durability),
            ("battles", f"{self.battles} with {self.events} events, {self.snapshots} snapshots"),
            ("size", f"{self.file_bytes:,} bytes, and {self.wal_bytes:,} in the write-ahead log"),
            ("sqlite", self.sqlite),
        ]


def examine(log: SqliteLog) -> Health:
    """Examine a file that is open, and whose guards were therefore found in place. Cost: about 0.5 µs an event."""
    facts = log.pragmas()
    synchronous = {"1": "normal (survives a crash of the program)", "2": "full (survives power loss)"}
    wal = log.path.with_name(log.path.name + "-wal")
    return Health(
        integrity=facts["integrity_check"],
        durability=synchronous.get(facts["synchronous"], facts["synchronous"]),
        battles=int(facts["battles"]),
        events=int(facts["events"]),
        snapshots=int(facts["snapshots"]),
        file_bytes=log.path.stat().st_size,
        wal_bytes=wal.stat().st_size if wal.exists() else 0,
        sqlite=facts["version"],
    )


def rebuild_snapshots(
    log: SqliteLog, battle: str, rule_set: str, progress: Callable[[int], None] = lambda events: None
) -> int:
    """Throw a battle's snapshots away and make one every `SNAPSHOT_EVERY` events; return how many were made. O(n)."""
    from projections.fold import find_fold

    fold = find_fold(rule_set)
    log.clear_snapshots(battle)
    made = 0
    for line in log.lines(battle):
        start = line.after if line.parent is not None else 0
        state, seq = fold.start, 0
        for page in log.bodies(line):
            state = fold.read_on(state, page, seq)
            seq += len(page)
            progress(len(page))
            if seq > start and seq // SNAPSHOT_EVERY > (seq - len(page)) // SNAPSHOT_EVERY:
                this = next(log.records(line, seq - 1, seq)).hash
                log.save_snapshot(line, Snapshot(seq, this, fold.fingerprint, fold.save_snapshot(state)))
                made += 1
    return made
