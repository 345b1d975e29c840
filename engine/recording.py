"""The only place that writes to a log: a step, a new line, a new battle. `engine.door` decides what comes here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.battle import SNAPSHOT_EVERY, Battle
from engine.step import StepBuilder
from events.event import Event
from events.store.errors import LogError
from events.store.log import Log
from events.store.record import Appended, Closing, Draft, Line, Request, Snapshot
from projections.battle_state import State
from replays.seek import state_at


class NewLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is worked out and not recorded: what it leaves, where, its first step, and what it ends."""

    parent: Line
    name: str
    after: int
    played: bool
    seat: str
    why: str
    drafts: Sequence[Draft]
    secrets: Sequence[str]
    closing: Closing | None = None


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A battle that is worked out and not recorded: its first step, its dice secret, the texts that it names."""

    drafts: Sequence[Draft]
    secret: str
    documents: Mapping[str, str]


def record_opening(log: Log, battle: str, opening: Opening, now: int, request: Request | None = None) -> Appended:
    """Open a battle. Raises `NameTaken`, `RequestReused`; then nothing is recorded."""
    for digest, text in opening.documents.items():
        log.keep_document(digest, text)
    return log.begin(battle, opening.drafts, now, opening.secret, request=request)


def record_step(battle: Battle, step: StepBuilder, request: Request | None = None) -> Appended:
    """Record a step that was built on the battle's head, whole or not at all. Raises `Conflict`, `RequestReused`."""
    for digest, text in step.documents.items():
        battle.log.keep_document(digest, text)
    secrets = "\n".join(step.secrets)
    done = battle.log.append(battle.line, step.drafts, battle.seq, step.now, request, secrets)
    if not done.repeated:
        battle.move_to(step.situation.state, done.last)
        _save_snapshot(battle, done)
    return done


def record_line(battle: Battle, new: NewLine, now: int, request: Request | None = None) -> Line:
    """Open a line, and end the one that it replaces, in one transaction.

    Raises `NameTaken`, `EventUnknown`, `RequestReused`, and `Conflict` if the line that ends has moved on.
    """
    made = battle.log.fork(
        new.parent, new.name, new.after, now, new.seat, new.why, played=new.played, drafts=new.drafts,
        secret="\n".join(new.secrets), closing=new.closing, request=request,
    )  # fmt: skip
    _save_snapshots(battle, made, [draft.event for draft in new.drafts])
    return made


def _save_snapshot(battle: Battle, done: Appended) -> None:
    """Keep a snapshot if one is due. It is a cache: where it cannot be written, the step is recorded all the same."""
    if done.last - battle.snapshot_at < SNAPSHOT_EVERY:
        return
    saved = battle.fold.save_snapshot(battle.state)
    try:
        battle.log.save_snapshot(battle.line, Snapshot(done.last, done.hash, battle.fold.fingerprint, saved))
    except LogError:
        return
    battle.snapshot_at = done.last


def _save_snapshots(battle: Battle, line: Line, events: Sequence[Event]) -> None:
    """Keep snapshots along a long new line, so that it can be read as fast as one that was played step by step."""
    if len(events) < SNAPSHOT_EVERY:
        return
    log, fold = battle.log, battle.fold
    state: State = state_at(log, fold, line, line.after)
    for start in range(0, len(events) - SNAPSHOT_EVERY + 1, SNAPSHOT_EVERY):
        state = fold.advance(state, events[start : start + SNAPSHOT_EVERY])
        seq = line.after + start + SNAPSHOT_EVERY
        record = next(log.records(line, seq - 1, seq))
        try:
            log.save_snapshot(line, Snapshot(seq, record.hash, fold.fingerprint, fold.save_snapshot(state)))
        except LogError:
            return
