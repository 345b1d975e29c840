"""StepBuilder a correction: what was worked out is recorded, the old line is closed, both in one transaction."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.battle import SNAPSHOT_EVERY, Battle
from engine.corrections.plan import Plan, next_name
from engine.dice.source import SeededDice
from engine.errors import CorrectionRefused
from engine.rules.editions import in_force
from engine.rules.errors import EditionMissing
from engine.rules.rule_set import Situation
from engine.step import StepBuilder
from events.corrections import Corrected, DicePolicy, Superseded, WhatIfOpened
from events.facts import DiceCommitted, DiceRolled, Revealed
from events.store.record import Closing, Draft, Line, Snapshot
from projections.battle_state import ENGINE, REFEREE, State
from replays.audit.lineage import next_lineage
from replays.lines import closing_of
from replays.seek import common_root, state_at

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def apply_correction(battle: Battle, plan: Plan) -> Line:
    """Make a correction that was worked out. Raises `Conflict` if the line has moved on since; then nothing changes."""
    wish = plan.wish
    made = battle.log.fork(
        battle.line, plan.name, plan.after, battle.clock(), wish.seat, wish.why, played=battle.line.played,
        drafts=plan.drafts, secret="\n".join(plan.secrets),
        closing=_closing(battle, plan.head, Superseded(plan.name, wish.what, wish.why), wish.seat),
    )  # fmt: skip
    _save_snapshots(battle, made, plan.drafts)
    return made


def _closing(battle: Battle, head: int, superseded: Superseded, seat: str) -> Closing:
    """Return what ends the old line. Nothing is rolled on it any more: its running turn's secret comes out, too."""
    drafts = [Draft(superseded, seat)]
    table = battle.state.table
    if battle.line.played and not table.ended and table.turn > 0:
        revealed = SeededDice(battle.log.secret, battle.line.battle, battle.line.name).reveal(table.turn, battle.state)
        if revealed is not None:
            drafts.insert(0, Draft(revealed, ENGINE))
    return Closing(battle.line, tuple(drafts), head)


def _save_snapshots(battle: Battle, line: Line, drafts: Iterable[Draft]) -> None:
    """Keep snapshots along a long new line, so that it can be looked at as fast as one that was played step by step."""
    log, fold = battle.log, battle.fold
    events = [draft.event for draft in drafts]
    if len(events) < SNAPSHOT_EVERY:
        return
    state: State = state_at(log, fold, line, line.after)
    for start in range(0, len(events) - SNAPSHOT_EVERY + 1, SNAPSHOT_EVERY):
        state = fold.advance(state, events[start : start + SNAPSHOT_EVERY])
        seq = line.after + start + SNAPSHOT_EVERY
        record = next(log.records(line, seq - 1, seq))
        log.save_snapshot(line, Snapshot(seq, record.hash, fold.fingerprint, fold.save_snapshot(state)))


def adopt(battle: Battle, other: str, seat: str, why: str, policy: DicePolicy = "keep") -> Line:
    """Make another line the battle: one that was put right, to undo an undo, or a what-if line.

    A new line carries on from that line's end; without `other`, from the line that this one has put right. Rolls that
    the battle saw since the two parted show the same faces when they are called again, unless the policy is another.
    Raises `LineUnknown`, `CorrectionRefused`, `Conflict`.
    """
    battle.refresh()
    battle.refuse_closed()
    log = battle.log
    if not battle.line.played:
        raise CorrectionRefused(
            f"line {battle.line.name} is NOT PLAYED: adopt a line in place of the battle, not of it"
        )
    line = log.line(battle.line.battle, other or _put_right(battle))
    if line.name == battle.line.name:
        raise CorrectionRefused(f"line {line.name} is the battle already")
    end = log.head(line).seq - len(closing_of(log, line))
    root = min(common_root(log, line, battle.line), end)
    name = next_name(battle)
    what_if = "" if line.played else ", whose events and dice were a what-if until now"
    change = f"line {line.name} is adopted as it stood at event {end}{what_if}"
    fresh = () if policy in ("keep", "stand") else tuple(_rolled(battle, root))
    corrected = Corrected("adopt", battle.line.name, battle.seq, policy, why, (change,), fresh, root)
    state = state_at(log, battle.fold, line, end)
    step = StepBuilder(log, line, battle.rules, Situation(state, battle.tables_of(state)), end, name)
    step.add(corrected, seat)
    step.commit(next_lineage(log.lines(line.battle), line.name, end, played=True))
    return log.fork(
        line, name, end, battle.clock(), seat, why, played=True, drafts=step.drafts, secret="\n".join(step.secrets),
        closing=_closing(battle, battle.seq, Superseded(name, "adopt", why), seat),
    )  # fmt: skip


def _put_right(battle: Battle) -> str:
    corrected = battle.state.table.corrected
    if corrected is None:
        raise CorrectionRefused(f"line {battle.line.name} has put no other right: name the line to adopt")
    return corrected.of_line


def _rolled(battle: Battle, after: int) -> list[str]:
    read = battle.fold.catalogue.read
    events = (read(each.body, each.seq) for each in battle.log.records(battle.line, after) if each.kind == "roll")
    return sorted({event.key for event in events if isinstance(event, DiceRolled)})


def branch(battle: Battle, name: str, after: int, seat: str, why: str, *, dice_of: str = "") -> Line:
    """Open a what-if line. Its dice are its own: they tell nothing of those to come on the line it leaves.

    With `dice_of` it shares the dice of another what-if line, so that two decisions can be compared without luck; that
    line must have been opened with dice to share (`dice_of` its own name). Orders that `seat` cannot know are not on
    the line, sealed or open, so that a what-if betrays nothing.
    A line that leaves in the midst of an act goes on with it at once, up to where a person must act.
    Raises `NameTaken`, `EventUnknown`, `CorrectionRefused`. Constant cost, but for folding from the nearest snapshot
    and for the act that goes on.
    """
    if not _NAME.fullmatch(name):
        raise CorrectionRefused(f"line name {name!r}: letters, digits, dash and underscore, at most 32")
    log = battle.log
    state = state_at(log, battle.fold, battle.line, after)
    amid = _in_midst(battle, state, after)
    rules = in_force(battle.rules, state.table.edition)
    step = StepBuilder(log, battle.line, rules, Situation(state, battle.tables_of(state)), after, name)
    step.add(WhatIfOpened(seat, why, _withheld(battle, state, after, seat), seat != REFEREE), seat)
    if dice_of and dice_of != name:
        step.add(_shared_dice(battle, dice_of), seat)
    else:
        step.commit(next_lineage(log.lines(battle.line.battle), battle.line.name, after, played=False), dice_of)
    if amid:
        step.go_on()
    elif rules.edition == state.table.edition:
        step.follow()
    return log.fork(
        battle.line, name, after, battle.clock(), seat, why, played=False, drafts=step.drafts,
        secret="\n".join(step.secrets),
    )  # fmt: skip


def _in_midst(battle: Battle, state: State, after: int) -> bool:
    """Tell whether an event stands amid an act that went on. Raises `CorrectionRefused` where none could go on."""
    following = next(battle.log.records(battle.line, after, after + 1), None)
    if following is None or following.act > after:
        return False
    if following.act == 1:
        raise CorrectionRefused(f"event {after} is amid the setting out of the battle: leave after it")
    opened = state.table.act
    if opened is None or opened.seq < following.act:
        raise CorrectionRefused(f"event {after} took effect at once: leave before it, at {following.act - 1}")
    if in_force(battle.rules, state.table.edition).edition != state.table.edition:
        raise EditionMissing(battle.line.battle, battle.rules.name, state.table.edition, battle.rules.edition)
    return True


def _withheld(battle: Battle, state: State, after: int, seat: str) -> tuple[str, ...]:
    """Return the receipts of sealed orders that a seat does not know after event `after`.

    The referee, who looks back at the whole battle, knows those that the line has opened since.
    """
    sealed = [order.digest for order in state.table.orders if order.digest and order.seat != seat]
    if not sealed or seat != REFEREE:
        return tuple(sealed)
    read = battle.fold.catalogue.read
    later = (each for each in battle.log.records(battle.line, after) if each.type == "order.revealed")
    opened = {event.digest for each in later if isinstance(event := read(each.body, each.seq), Revealed)}
    return tuple(digest for digest in sealed if digest not in opened)


def _shared_dice(battle: Battle, other: str) -> DiceCommitted:
    """Return the commitment of a what-if line whose dice may be shared."""
    line = battle.log.line(battle.line.battle, other)
    committed = state_at(battle.log, battle.fold, line, battle.log.head(line).seq).table.committed
    if line.played or committed is None or not committed.stream:
        raise CorrectionRefused(f"the dice of line {other} are its own: open it with `--dice-of {other}` to share them")
    return committed
