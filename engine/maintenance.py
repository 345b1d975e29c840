"""Looking after a store of battles: its snapshots made again, its backups."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from engine.battle import SNAPSHOT_EVERY
from engine.output import OutputRefused, part_beside
from events.store.errors import BattleUnknown, LineUnknown, LogUnusable
from events.store.log import Log, check_line, origin_of
from events.store.record import Head, Line, Snapshot
from events.store.sqlite import SqliteLog


def rebuild_snapshots(
    log: Log, battle: str, rule_set: str, progress: Callable[[int], None] = lambda events: None
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


class BackedUp(msgspec.Struct, frozen=True, gc=False):
    """What a backup holds."""

    battles: int
    events: int


def back_up(log: Log, file: Path, *, replace: bool = False) -> BackedUp:
    """Copy a store to a file while others write, check the copy, and only then give it its name. O(n).

    An older backup is replaced only if `replace` says so and if the copy holds all that it held: a store that holds
    less than its backup has lost something. Raises `OutputRefused`, `LogUnusable`, `RecordBroken`.
    """
    place = Path(os.path.realpath(file))
    if os.path.lexists(place) and not replace:
        raise OutputRefused(file, "it exists already: choose another name, or --replace it")
    try:
        with part_beside(place) as part:
            part.touch(mode=0o600, exist_ok=False)  # what cannot be written there is told by the system itself
            part.unlink()
            log.back_up(part)
            with SqliteLog(part, read_only=True) as copy:
                done = _checked(copy)
                if replace and place.exists():
                    _refuse_loss(copy, place)
            for name in ("-wal", "-shm"):
                part.with_name(part.name + name).unlink(missing_ok=True)
    except LogUnusable:
        raise
    except OSError as error:
        raise OutputRefused(file, error.strerror or str(error)) from error
    return done


def _checked(copy: Log) -> BackedUp:
    """Check a copy: sound, and every line of every battle what its hashes say."""
    health = copy.health()
    if health.integrity != "ok":
        raise LogUnusable(f"the copy is damaged ({health.integrity}): {health.problem}")
    battles = copy.battles()
    for battle in battles:
        for line in copy.lines(battle):
            after = line.after if line.parent is not None else 0
            check_line(line, _fork_of(copy, line), copy.records(line, after))
    return BackedUp(len(battles), health.events)


def _fork_of(log: Log, line: Line) -> Head:
    if line.parent is None:
        return Head(0, origin_of(line))
    before = next(log.records(line, line.after - 1, line.after))
    return Head(line.after, before.hash)


def _refuse_loss(copy: Log, place: Path) -> None:
    with SqliteLog(place, read_only=True, guarded=False) as older:
        lost = missing_from(copy, older)
    if lost:
        raise OutputRefused(place, f"{lost[0]}: keep that backup, and find out what became of the file")


def missing_from(log: Log, other: Log) -> list[str]:
    """Say what another store holds that this one does not: battles, lines, the ends of lines. Cost: O(lines)."""
    found = []
    for battle in other.battles():
        for line in other.lines(battle):
            head = other.head(line)
            where = f"{battle} / {line.name}"
            try:
                here = log.line(battle, line.name)
            except (BattleUnknown, LineUnknown):
                found.append(f"{where} is missing here; {other.name} has it up to event {head.seq}")
                continue
            ours = log.head(here).seq
            if ours < head.seq:
                found.append(f"{where} ends at event {ours} here; {other.name} has it up to event {head.seq}")
            elif next(log.records(here, head.seq - 1, head.seq)).hash != head.hash:
                found.append(f"event {head.seq} of {where} is another here than in {other.name}")
    return found
