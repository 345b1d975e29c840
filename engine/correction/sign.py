"""Making a correction: what was worked out is recorded, the old line is closed, both in one transaction."""

from __future__ import annotations

from engine.battle import Battle
from engine.correction.plan import Plan, next_name
from engine.dice.source import new_commitment
from engine.rules.rule_set import Situation
from engine.step import Step
from events.errors import CorrectionRefused
from events.facts import Corrected, DiceCommitted, Superseded
from events.record import Closing, Draft, Line
from replays.lines import superseded_by
from replays.seek import state_at


def sign(battle: Battle, plan: Plan) -> Line:
    """Make a correction that was worked out. Raises `Conflict` if the line has moved on since; then nothing changes."""
    wish = plan.wish
    closing = Closing(battle.line, (Draft(Superseded(plan.name, wish.what, wish.why), wish.seat),), plan.head)
    return battle.log.fork(
        battle.line, plan.name, plan.after, battle.clock(), wish.seat, wish.why, played=battle.line.played,
        drafts=plan.drafts, secret="\n".join(plan.secrets), closing=closing,
    )  # fmt: skip


def adopt(battle: Battle, other: str, seat: str, why: str) -> Line:
    """Make another line the battle: a line that was superseded, to undo an undo, or a what-if line.

    A new line carries on from that line's end. Raises `LineUnknown`, `CorrectionRefused`, `Conflict`.
    """
    log, line = battle.log, battle.log.line(battle.line.battle, other)
    if line.name == battle.line.name:
        raise CorrectionRefused(f"line {other} is the battle already")
    end = log.head(line).seq - (1 if superseded_by(log, line) else 0)
    name = next_name(battle)
    what_if = "" if line.played else ", whose events and dice were a what-if until now"
    change = f"line {other} is adopted as it stood at event {end}{what_if}"
    corrected = Corrected("adopt", battle.line.name, battle.seq, "keep", why, (change,))
    state = state_at(log, battle.fold, line, end)
    step = Step(log, line, battle.rules, Situation(state, battle.tables), end, name)
    step.add(corrected, seat)
    step.commit()
    closing = Closing(battle.line, (Draft(Superseded(name, "adopt", why), seat),), battle.seq)
    return log.fork(
        line, name, end, battle.clock(), seat, why, played=True, drafts=step.drafts,
        secret="\n".join(step.secrets), closing=closing,
    )  # fmt: skip


def branch(battle: Battle, name: str, after: int, seat: str, why: str, *, dice_of: str = "") -> Line:
    """Open a what-if line. Its dice are its own: they tell nothing of those to come on the line it leaves.

    With `dice_of` it shares the dice of another what-if line, so that two decisions can be compared without luck; that
    line must have been opened with dice to share (`dice_of` its own name). Raises `NameTaken`, `EventUnknown`.
    """
    log = battle.log
    state = state_at(log, battle.fold, battle.line, after)
    step = Step(log, battle.line, battle.rules, Situation(state, battle.tables), after, name)
    if dice_of and dice_of != name:
        shared = _shared_dice(battle, dice_of)
        step.add(shared, seat)
    else:
        committed, secret = new_commitment(max(1, state.table.turn), dice_of)
        step.secrets.append(secret)
        step.add(committed, seat)
    return log.fork(
        battle.line, name, after, battle.clock(), seat, why, played=False, drafts=step.drafts,
        secret="\n".join(step.secrets),
    )  # fmt: skip


def _shared_dice(battle: Battle, other: str) -> DiceCommitted:
    """Return the commitment of a what-if line whose dice may be shared."""
    line = battle.log.line(battle.line.battle, other)
    committed = state_at(battle.log, battle.fold, line, battle.log.head(line).seq).table.committed
    if line.played or committed is None or not committed.stream:
        raise CorrectionRefused(f"the dice of line {other} are its own: open it with `--dice-of {other}` to share them")
    return committed
