"""The lines that corrections, adoptions and what-ifs open, worked out. `engine.recording` records them."""

from __future__ import annotations

import re

from engine.battle import Battle
from engine.corrections.plan import Plan, next_name
from engine.dice.source import SeededDice
from engine.errors import CorrectionRefused
from engine.recording import NewLine
from engine.rules.editions import in_force
from engine.rules.errors import EditionMissing
from engine.rules.rule_set import Situation
from engine.step import StepBuilder
from events.commands import Adopt, OpenBranch
from events.corrections import Corrected, Superseded, WhatIfOpened
from events.facts import DiceCommitted, DiceRolled, Revealed
from events.store.record import Closing, Draft
from projections.battle_state import ENGINE, REFEREE, State
from replays.audit.lineage import next_lineage
from replays.lines import closing_of
from replays.points import find_point
from replays.seek import common_root, state_at

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def corrected_line(battle: Battle, plan: Plan) -> NewLine:
    """Return the line of a correction that was worked out, with what ends the old one."""
    wish = plan.wish
    return NewLine(
        parent=battle.line, name=plan.name, after=plan.after, played=battle.line.played, seat=wish.seat, why=wish.why,
        drafts=plan.drafts, secrets=plan.secrets,
        closing=_closing(battle, plan.head, Superseded(plan.name, wish.what, wish.why), wish.seat),
    )  # fmt: skip


def _closing(battle: Battle, head: int, superseded: Superseded, seat: str) -> Closing:
    """Return what ends the old line. Nothing is rolled on it any more: its running turn's secret comes out, too."""
    drafts = [Draft(superseded, seat)]
    table = battle.state.table
    if battle.line.played and not table.ended and table.turn > 0:
        revealed = SeededDice(battle.log.secret, battle.line.battle, battle.line.name).reveal(table.turn, battle.state)
        if revealed is not None:
            drafts.insert(0, Draft(revealed, ENGINE))
    return Closing(battle.line, tuple(drafts), head)


def adopted_line(battle: Battle, command: Adopt) -> NewLine:
    """Make another line the battle: one that was corrected, to undo an undo, or a what-if line.

    A new line carries on from that line's end; without `other`, from the line that this one has corrected. Rolls that
    the battle saw since the two parted show the same faces when they are called again, unless the policy is another.
    Raises `LineUnknown`, `CorrectionRefused`.
    """
    battle.refuse_closed()
    log, why, policy = battle.log, command.why, command.dice
    if not battle.line.played:
        raise CorrectionRefused(
            f"line {battle.line.name} is NOT PLAYED: adopt a line in place of the battle, not of it"
        )
    line = log.line(battle.line.battle, command.other or _put_right(battle))
    if line.name == battle.line.name:
        raise CorrectionRefused(f"line {line.name} is the battle already")
    end = log.head(line).seq - len(closing_of(log, line))
    root = min(common_root(log, line, battle.line), end)
    name = next_name(battle)
    what_if = "" if line.played else ", whose events and dice were a what-if until now"
    change = f"line {line.name} is adopted as it stood at event {end}{what_if}"
    fresh = () if policy == "keep" else tuple(_rolled(battle, root))
    corrected = Corrected(
        "adopt", battle.line.name, battle.seq, policy, why, (change,), fresh, root, by=command.seat
    )  # fmt: skip
    state = state_at(log, battle.fold, line, end)
    step = StepBuilder(log, line, battle.rules, Situation(state, battle.tables_of(state)), end, name)
    step.add(corrected, command.seat)
    step.commit(next_lineage(log.lines(line.battle), line.name, end, played=True))
    return NewLine(
        parent=line, name=name, after=end, played=True, seat=command.seat, why=why, drafts=step.drafts,
        secrets=step.secrets, closing=_closing(battle, battle.seq, Superseded(name, "adopt", why), command.seat),
    )  # fmt: skip


def _put_right(battle: Battle) -> str:
    corrected = battle.state.table.corrected
    if corrected is None:
        raise CorrectionRefused(f"line {battle.line.name} has corrected no other: name the line to adopt")
    return corrected.of_line


def _rolled(battle: Battle, after: int) -> list[str]:
    read = battle.fold.catalogue.read
    events = (read(each.body, each.seq) for each in battle.log.records(battle.line, after) if each.kind == "roll")
    return sorted({event.key for event in events if isinstance(event, DiceRolled)})


def what_if_line(battle: Battle, command: OpenBranch) -> NewLine:
    """Open a what-if line. Its dice are its own: they tell nothing of those to come on the line it leaves.

    With `dice_of` it shares the dice of another what-if line, so that two decisions can be compared without luck; that
    line must have been opened with dice to share (`dice_of` its own name). Orders that the seat cannot know are not on
    the line, sealed or open, so that a what-if betrays nothing.
    A line that leaves in the midst of an act goes on with it at once, up to where a person must act.
    Raises `NameTaken`, `EventUnknown`, `CorrectionRefused`. Constant cost, but for folding from the nearest snapshot
    and for the act that goes on.
    """
    name, seat, dice_of = command.name, command.seat, command.dice_of
    if not _NAME.fullmatch(name):
        raise CorrectionRefused(f"line name {name!r}: letters, digits, dash and underscore, at most 32")
    log = battle.log
    after = find_point(battle.view, command.point)
    state = state_at(log, battle.fold, battle.line, after)
    amid = _in_midst(battle, state, after)
    rules = in_force(battle.rules, state.table.edition)
    step = StepBuilder(log, battle.line, rules, Situation(state, battle.tables_of(state)), after, name)
    step.add(WhatIfOpened(seat, command.why, _withheld(battle, state, after, seat), seat != REFEREE), seat)
    if dice_of and dice_of != name:
        step.add(_shared_dice(battle, dice_of), seat)
    else:
        step.commit(next_lineage(log.lines(battle.line.battle), battle.line.name, after, played=False), dice_of)
    if amid:
        step.go_on()
    elif rules.edition == state.table.edition:
        step.follow()
    return NewLine(
        parent=battle.line, name=name, after=after, played=False, seat=seat, why=command.why, drafts=step.drafts,
        secrets=step.secrets,
    )  # fmt: skip


def _in_midst(battle: Battle, state: State, after: int) -> bool:
    """Tell whether an event stands amid an act that went on. Raises `CorrectionRefused` where none could go on."""
    following = next(battle.log.records(battle.line, after, after + 1), None)
    if following is None or following.act > after:
        return False
    if following.act == 1:
        raise CorrectionRefused(f"event {after} is within the opening of the battle: leave after it")
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
    opened = {event.digest for _, event in battle.view.events(Revealed, after=after)}
    return tuple(digest for digest in sealed if digest not in opened)


def _shared_dice(battle: Battle, other: str) -> DiceCommitted:
    """Return the commitment of a what-if line whose dice may be shared."""
    line = battle.log.line(battle.line.battle, other)
    committed = state_at(battle.log, battle.fold, line, battle.log.head(line).seq).table.committed
    if line.played or committed is None or not committed.stream:
        raise CorrectionRefused(f"the dice of line {other} are its own: it was not opened to share them")
    return committed
