"""Working a correction out without making it: what stays, what comes out differently, what is no longer allowed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.battle import Battle
from engine.corrections.history_slice import HistorySlice, answer_in_place, find_input, last_input
from engine.corrections.inputs import Input, attempt, deferred_of
from engine.corrections.permission import may_correct
from engine.corrections.request import CorrectionRequest
from engine.dice.reused import NOTHING, Memory, ReusedDice, recall, remember
from engine.errors import CorrectionRefused
from engine.rules.editions import in_force
from engine.rules.rule_set import Situation
from engine.step import StepBuilder
from events.catalogue import write
from events.corrections import Corrected, Deferred, Modified, Stood
from events.facts import Bookmarked, DicePartlyEntered, DiceRolled, Event, RulingGiven
from events.store.record import Draft, Recorded
from projections.battle_state import State
from projections.dice.rolls import dice_of
from replays.audit.lineage import next_lineage
from replays.compare import Difference, compare, state_difference, tell
from replays.seek import Frame


class Plan(msgspec.Struct, frozen=True):
    """A correction worked out: a new line from `after` on, with its events and what it changes.

    `thrown` names the rolls whose dice were drawn for it. A plan that is worked out again draws others, so that nobody
    can look at several and choose.
    """

    wish: CorrectionRequest
    line: str
    head: int
    name: str
    after: int
    drafts: tuple[Draft, ...]
    secrets: tuple[str, ...]
    rows: tuple[Difference, ...]
    held: tuple[Deferred, ...]
    field: tuple[str, ...]
    thrown: tuple[str, ...]
    waiting: tuple[str, ...]


class _Change(msgspec.Struct):
    """What a wish comes to: the inputs that are played again, and what is put in place of what."""

    inputs: list[Input]
    words: list[str]
    added: list[Modified] = msgspec.field(default_factory=list)
    entered: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    ruled: dict[str, RulingGiven] = msgspec.field(default_factory=dict)
    replaced: Input | None = None
    stops_at: int = 0


def plan(battle: Battle, wish: CorrectionRequest, *, preview: bool = False) -> Plan:
    """Work a correction out. Nothing is recorded. Raises `CorrectionRefused` if there is nothing to correct.

    The new dice of a `preview` are not those that the correction would roll: a player could try until they please.

    Cost: folding from the nearest snapshot before the target to the head, and playing as much again.
    """
    battle.refresh()
    battle.refuse_closed()
    if wish.policy == "stand":
        raise CorrectionRefused("a mistake that stands changes nothing: note it, with the reason")
    chosen = _chosen(battle, wish)
    after = min(item.seq for _, item in chosen) - 1
    stretch = HistorySlice(battle, after)
    change = _change(stretch, wish, chosen)
    if wish.overrides and may_correct(battle, replace(wish, overrides=False)).code == "lapsed":
        change.words.append("its time was over, which the referee has overridden")
    change.words += stretch.unanswered(wish.targets)
    fresh = stretch.fresh(wish.what, wish.policy, chosen)
    if wish.what == "undo":  # what was answered by hand is to be answered by hand again
        fresh = sorted({*fresh, *stretch.before.table.called, *stretch.before.table.asked})
    corrected = Corrected(
        wish.what,
        battle.line.name,
        battle.seq,
        wish.policy,
        wish.why,
        tuple(change.words),
        tuple(fresh),
        after,
        tuple(stretch.seen()),
        wish.seat,
        wish.consents,
    )
    name = next_name(battle)
    making = _on_new_line(stretch, name, corrected, wish.seat, change)
    lines = battle.log.lines(battle.line.battle)
    lineage = next_lineage(lines, battle.line.name, after, played=battle.line.played)
    making.commit_to_practice(lineage) if preview else making.commit(lineage)
    for each in change.added:
        making.add(each, wish.seat)
    _play(making, change, after, set(fresh), wish.seat)
    return _finished(battle, stretch, wish, name, making)


def _chosen(battle: Battle, wish: CorrectionRequest) -> list[tuple[int, Input]]:
    """Return the targets, each with the input that it goes back to."""
    if not wish.targets:
        if wish.what != "undo":
            raise CorrectionRefused(f"say which event is to be corrected by {wish.what}")
        item = last_input(battle)
        return [(item.at, item)]
    return [(target, find_input(battle, target, answers=wish.what == "undo")) for target in wish.targets]


def _change(stretch: HistorySlice, wish: CorrectionRequest, chosen: Sequence[tuple[int, Input]]) -> _Change:
    match wish.what:
        case "strike":
            gone = {item.seq for _, item in chosen}
            struck = [item for item in stretch.inputs if item.seq in gone]
            words = [f"event {item.at} ({item.told}) is struck out" for item in struck]
            stop = min((item.seq for item in struck if item.form == "next"), default=0)
            return _Change([item for item in stretch.inputs if item.seq not in gone], words, stops_at=stop)
        case "amend":
            return _amended(stretch, wish)
        case _:
            item = min((item for _, item in chosen), key=lambda each: each.seq)
            return _Change([], [f"everything from event {item.seq} on ({item.told}) is taken back"])


def _amended(stretch: HistorySlice, wish: CorrectionRequest) -> _Change:
    """Replace an order, the faces of a roll, a ruling, or add a modifier to a check; say so in words."""
    target = wish.targets[0]
    change = _Change(stretch.inputs, [])
    given = [wish.text != "", wish.faces is not None, wish.modifier is not None, wish.answer != ""]
    if len(wish.targets) != 1 or sum(given) != 1:
        raise CorrectionRefused(
            "amend one event, and say what replaces it: a text for an order, faces for dice, a modifier for a check, "
            "an answer for a ruling"
        )
    if wish.text:
        old = next((item for item in stretch.inputs if item.at == target and item.form == "order"), None)
        if old is None or isinstance(old.event, Deferred):
            raise CorrectionRefused(f"event {target} is no order: give the event of the order that is to be replaced")
        change.replaced = replace(old, text=wish.text, shown="", standing=None)
        change.inputs = [change.replaced if item is old else item for item in stretch.inputs]
        becomes = "is replaced" if old.shown else f"becomes {wish.text!r}"
        change.words.append(f"event {target}: {old.shown or repr(old.text)} {becomes}")
    elif wish.faces is not None:
        call = stretch.call_of(target)
        dice_of(call.dice).check_faces(wish.faces)
        change.entered[call.key] = wish.faces
        change.words.append(f"the dice for {call.key} are {', '.join(map(str, wish.faces))}")
    elif wish.modifier is not None:
        call, (label, value) = stretch.call_of(target), wish.modifier
        change.added.append(Modified(call.key, label, value, wish.why))
        change.words.append(f"{value:+d} {label} is added to {call.key}")
    else:
        ruling = answer_in_place(stretch.question_of(target), wish.answer, wish.why)
        change.ruled[ruling.key] = ruling
        change.words.append(f"the ruling on {ruling.key} is {ruling.answer!r}")
    return change


def _on_new_line(stretch: HistorySlice, name: str, corrected: Corrected, seat: str, change: _Change) -> StepBuilder:
    """Begin the new line in memory, with a source that keeps the dice that the policy keeps."""
    battle = stretch.battle
    situation: Situation[Any, Any] = Situation(stretch.before, battle.tables_of(stretch.before))
    rules = in_force(battle.rules, stretch.before.table.edition)
    making = StepBuilder(battle.log, battle.line, rules, situation, stretch.after, name)
    making.add(corrected, seat)
    recalled: list[Memory] = []

    def memory() -> Memory:
        if not recalled:
            recalled.append(_memory(stretch, corrected))
        return recalled[0]

    making.source = ReusedDice(memory, making.source, change.entered, change.ruled)
    return making


def _memory(stretch: HistorySlice, corrected: Corrected) -> Memory:
    """Return what is kept: the dice of the stretch, over what its line had kept itself and had not come to yet."""
    battle = stretch.battle
    before = battle.state.table.corrected
    older = recall(battle.log, battle.fold, battle.line.battle, before) if before is not None else NOTHING
    return remember(stretch.events(), battle.line.name).over(older).without(corrected.fresh)


def _play(making: StepBuilder, change: _Change, after: int, fresh: set[str], seat: str) -> None:
    """Give the inputs again, in order. What cannot be given is put on record as held, and nothing is lost.

    When the word to go on cannot be given, time stands still: what came after it is held with it.
    """
    stopped = ""
    old_seqs, new_seqs = [after], [after]
    left: list[tuple[Input, str]] = []
    for item in change.inputs:
        old_seqs.append(item.seq - 1)
        new_seqs.append(making.seq)
        if isinstance(item.event, DicePartlyEntered) and item.text in fresh:
            continue
        if not stopped and 0 < change.stops_at <= item.seq:
            stopped = "what came before it was struck out"
        if stopped and item.plays:
            left.append((item, stopped))
            continue
        reason = attempt(making, _shifted(item, old_seqs, new_seqs))
        if reason and item is change.replaced:
            raise CorrectionRefused(f"the order in its place cannot be given: {reason}")
        if reason and item.plays:
            left.append((item, reason))
            stopped = f"it came after {item.told}, which is held" if item.form == "next" else ""
    first = max((each.number for each in making.table.held), default=0) + 1
    for number, (item, reason) in enumerate(left, first):
        making.add(deferred_of(number, item, reason), seat)


def _shifted(item: Input, old_seqs: Sequence[int], new_seqs: Sequence[int]) -> Input:
    """Let what names an event of the old line name the place on the new line where the same input stands."""
    event = item.event
    if not isinstance(event, Bookmarked | Stood):
        return item
    seq = event.seq if isinstance(event, Bookmarked) else event.about
    if seq <= old_seqs[0]:
        return item
    place = bisect_right(old_seqs, seq if isinstance(event, Bookmarked) else seq - 1) - 1
    if isinstance(event, Bookmarked):
        return replace(item, event=replace(event, seq=new_seqs[place]))
    return replace(item, event=replace(event, about=new_seqs[place] + 1))


def _finished(battle: Battle, stretch: HistorySlice, wish: CorrectionRequest, name: str, making: StepBuilder) -> Plan:
    drafts = tuple(making.drafts)
    new = _steps_of(battle, stretch, name, drafts)
    return Plan(
        wish,
        battle.line.name,
        battle.seq,
        name,
        stretch.after,
        drafts,
        tuple(making.secrets),
        tuple(compare(tell(battle.fold, stretch.way), tell(battle.fold, new))),
        tuple(draft.event for draft in drafts if isinstance(draft.event, Deferred)),
        tuple(state_difference(battle.state, making.situation.state)),
        tuple(_thrown(draft.event for draft in drafts)),
        (*making.table.called, *making.table.asked),
    )


def _thrown(events: Iterable[Event]) -> Iterator[str]:
    return (event.key for event in events if isinstance(event, DiceRolled) and event.source == "seeded")


def _steps_of(battle: Battle, stretch: HistorySlice, name: str, drafts: Iterable[Draft]) -> Iterator[Frame]:
    """Yield drafts as if they were recorded, to be told and compared."""
    state: State = stretch.before
    for seq, draft in enumerate(drafts, stretch.after + 1):
        event, body = draft.event, write(draft.event).decode()
        record = Recorded(
            0, battle.line.battle, name, seq, draft.act or seq, event.kind, body, draft.actor, 0, None, "", ""
        )  # fmt: skip
        before, state = state, battle.fold.advance(state, (event,))
        yield Frame(record, event, before, state)


def next_name(battle: Battle) -> str:
    """Return the name of the next line that puts this battle right: `main.2`, `main.3` …"""
    names = {line.name for line in battle.log.lines(battle.line.battle)}
    stem = battle.line.name.partition(".")[0]
    return next(name for number in range(2, len(names) + 3) if (name := f"{stem}.{number}") not in names)
