"""Working a correction out without making it: what stays, what comes out differently, what is no longer allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.battle import Battle
from engine.correction.inputs import Input, attempt, inputs_of
from engine.dice.kept import Kept, Memory, remember
from engine.rules.rule_set import Situation
from engine.step import Step as Making
from events.catalogue import write
from events.errors import CorrectionRefused
from events.facts import (
    ActOpened,
    Corrected,
    Correction,
    DicePolicy,
    Event,
    Held,
    Modified,
    RollCalled,
)
from events.record import Draft, Recorded
from projections.rolls import dice_of
from projections.table import State
from replays.compare import Difference, compare, state_difference, tell
from replays.seek import Step, state_at, steps


class Wish(msgspec.Struct, frozen=True):
    """What is to be put right.

    `targets` are events: for `undo` the one to go back before, for `strike` one of each act that is taken out, for
    `amend` the order or roll that is replaced. `text` replaces an order, `faces` the dice of a roll, `modifier` (label
    and value) is added to a check.
    """

    what: Correction
    targets: tuple[int, ...]
    seat: str
    why: str
    policy: DicePolicy
    text: str = ""
    faces: tuple[int, ...] | None = None
    modifier: tuple[str, int] | None = None


class Plan(msgspec.Struct, frozen=True):
    """A correction worked out: a new line from `after` on, with its events and what it changes."""

    wish: Wish
    line: str
    head: int
    name: str
    after: int
    drafts: tuple[Draft, ...]
    secrets: tuple[str, ...]
    rows: tuple[Difference, ...]
    held: tuple[Held, ...]
    field: tuple[str, ...]


def plan(battle: Battle, wish: Wish) -> Plan:
    """Work a correction out. Nothing is recorded. Raises `CorrectionRefused` if there is nothing to put right.

    Cost: folding from the nearest snapshot before the target to the head, and playing as much again.
    """
    battle.refresh()
    first = min(wish.targets)
    around = _Around(battle, first)
    chosen = [around.input_of(target) for target in wish.targets]
    start = min(item.seq for item in chosen)
    after = start - 1
    kept = [] if wish.what == "undo" else [item for item in around.inputs if item.seq >= start]
    changes = []
    entered: dict[str, tuple[int, ...]] = {}
    added: list[Modified] = []
    if wish.what == "strike":
        gone = {item.seq for item in chosen}
        kept = [item for item in kept if item.seq not in gone]
        changes = [f"event {item.seq} ({item}) is struck out" for item in chosen]
    elif wish.what == "amend":
        kept, change = _amend(around, wish, kept, entered, added)
        changes = [change]
    else:
        changes = [f"everything from event {start} on ({chosen[0]}) is taken back"]
    corrected = Corrected(
        wish.what,
        battle.line.name,
        battle.seq,
        wish.policy,
        wish.why,
        tuple(changes),
        tuple(around.fresh(wish, chosen)),
    )
    name = next_name(battle)
    making = around.on_new_line(name, after, corrected, wish.seat, entered)
    making.commit()
    for each in added:
        making.add(each, wish.seat)
    for number, (item, reason) in enumerate(_play(making, kept), 1):
        making.add(Held(number, item.seat, str(item), reason), wish.seat)
    return _finished(battle, around, wish, name, after, making)


def _play(making: Making, kept: Sequence[Input]) -> list[tuple[Input, str]]:
    """Give the inputs again, in order; return those that cannot be given, with the reason."""
    return [(item, reason) for item in kept if (reason := attempt(making, item))]


def _finished(battle: Battle, around: _Around, wish: Wish, name: str, after: int, making: Making) -> Plan:
    old = [step for step in around.way if step.record.seq > after]
    rows = compare(tell(battle.fold, old), tell(battle.fold, _steps_of(battle, making, around.state(after), after)))
    return Plan(
        wish,
        battle.line.name,
        battle.seq,
        name,
        after,
        tuple(making.drafts),
        tuple(making.secrets),
        tuple(rows),
        making.table.held,
        tuple(state_difference(battle.state, making.situation.state)),
    )


def _steps_of(battle: Battle, making: Making, state: State, after: int) -> Iterator[Step]:
    """Yield the drafts of a step as if they were recorded, to be told and compared."""
    for place, draft in enumerate(making.drafts, 1):
        event, seq = draft.event, after + place
        record = Recorded(
            position=0, battle=battle.line.battle, line=making.name, seq=seq, act=draft.act or seq, kind=event.kind,
            body=write(event).decode(), actor=draft.actor, at=0, request=None, prev="", hash="",
        )  # fmt: skip
        before, state = state, battle.fold.advance(state, (event,))
        yield Step(record, event, before, state)


def next_name(battle: Battle) -> str:
    """Return the name of the next line that puts this battle right: `main.2`, `main.3` …"""
    names = {line.name for line in battle.log.lines(battle.line.battle)}
    stem = battle.line.name.partition(".")[0]
    return next(name for number in range(2, len(names) + 3) if (name := f"{stem}.{number}") not in names)


def _amend(
    around: _Around, wish: Wish, kept: list[Input], entered: dict[str, tuple[int, ...]], added: list[Modified]
) -> tuple[list[Input], str]:
    """Replace an order, the faces of a roll, or add a modifier to a check; say so in words."""
    target = wish.targets[0]
    if wish.text:
        old = next((item for item in kept if item.seq == target and item.kind == "order"), None)
        if old is None:
            raise CorrectionRefused(f"event {target} is no order: give the event of the order that is to be replaced")
        new = replace(old, text=wish.text)
        return [new if item is old else item for item in kept], f"event {target}: {old.text!r} becomes {wish.text!r}"
    call = around.call_of(target)
    if wish.faces is not None:
        dice_of(call.dice).check_faces(wish.faces)
        entered[call.key] = wish.faces
        return kept, f"the dice for {call.key} are {', '.join(map(str, wish.faces))}"
    if wish.modifier is None:
        raise CorrectionRefused("say what replaces it: --text for an order, --faces for dice, --modifier for a check")
    label, value = wish.modifier
    added.append(Modified(call.key, label, value, wish.why))
    return kept, f"{value:+d} {label} is added to {call.key}"


class _Around:
    """The stretch of the old line that a correction is about, read once."""

    def __init__(self, battle: Battle, first: int) -> None:
        self.battle = battle
        if not 0 < first <= battle.seq:
            raise CorrectionRefused(f"there is no event {first}: line {battle.line.name} ends at {battle.seq}")
        begin = next(battle.log.records(battle.line, first - 1, first)).act
        self.way, self.inputs = self._read(begin)
        while not any(item.seq <= first for item in self.inputs):
            if begin <= 1:
                raise CorrectionRefused("the opening of a battle cannot be put right: open another battle")
            begin = max(1, begin - 50)
            self.way, self.inputs = self._read(begin)

    def _read(self, begin: int) -> tuple[list[Step], list[Input]]:
        battle = self.battle
        way = list(steps(battle.log, battle.fold, battle.line, begin - 1, battle.seq))
        return way, inputs_of(way, battle.rules, battle.tables, battle.log.secret)

    def input_of(self, seq: int) -> Input:
        """Return the input that an event goes back to: itself, or the one that set its act going."""
        if seq > self.battle.seq:
            raise CorrectionRefused(f"there is no event {seq}: line {self.battle.line.name} ends at {self.battle.seq}")
        return max((item for item in self.inputs if item.seq <= seq), key=lambda item: item.seq)

    def call_of(self, seq: int) -> RollCalled:
        """Return the call of a roll, given the event of the call or of the dice."""
        step = next(step for step in self.way if step.record.seq == seq)
        key = getattr(step.event, "key", "")
        call = step.event if isinstance(step.event, RollCalled) else step.before.table.called.get(key)
        if call is None:
            raise CorrectionRefused(f"event {seq} is no roll: `wardiary log --kind roll` lists them")
        return call

    def state(self, seq: int) -> State:
        """Return the state after an event."""
        return state_at(self.battle.log, self.battle.fold, self.battle.line, seq)

    def fresh(self, wish: Wish, chosen: Sequence[Input]) -> list[str]:
        """Name the rolls that are thrown anew under the dice policy."""
        if wish.policy in ("keep", "stand") or wish.what == "undo":
            return [] if wish.policy in ("keep", "stand") else sorted(self.memory().rolls)
        own: list[str] = []
        for target, item in zip(wish.targets, chosen, strict=True):
            own += self._own_rolls(target, item)
        if wish.policy == "reroll-act":
            return sorted(set(own))
        return sorted({key for key, act in self._acts_of_rolls().items() if act in self._acts_with(own)})

    def _own_rolls(self, target: int, item: Input) -> list[str]:
        """Name the rolls that belong to an order or to a roll: those of its piece, or of the same exchange."""
        step = next(step for step in self.way if step.record.seq == target)
        key = getattr(step.event, "key", "")
        calls = [each.event for each in self.way if isinstance(each.event, RollCalled)]
        if key:
            stem = key.rpartition("/")[0]
            return [call.key for call in calls if call.key.rpartition("/")[0] == stem]
        if item.kind != "order":
            return [call.key for each, call in self._called() if each.record.act == item.seq]
        piece = getattr(step.event, "piece", "")
        resolving = {each.name for each in self._openings() if set(each.slots) & set(item.slots) and each.seq > target}
        acts = self._acts_of_rolls()
        own_act = [call.key for each, call in self._called() if each.record.act == item.seq]
        return own_act or [call.key for call in calls if call.piece == piece and acts[call.key] in resolving]

    def _called(self) -> list[tuple[Step, RollCalled]]:
        return [(each, each.event) for each in self.way if isinstance(each.event, RollCalled)]

    def _openings(self) -> list[ActOpened]:
        return [each.event for each in self.way if isinstance(each.event, ActOpened)]

    def _acts_of_rolls(self) -> Mapping[str, str]:
        """Map each roll to the name of the act in which it was called."""
        acts = {}
        for step, call in self._called():
            opened = step.before.table.act
            acts[call.key] = opened.name if opened is not None else ""
        return acts

    def _acts_with(self, keys: Sequence[str]) -> set[str]:
        acts = self._acts_of_rolls()
        return {acts[key] for key in keys if key in acts}

    def memory(self) -> Memory:
        """Return the dice and rulings of the stretch."""
        return remember(step.event for step in self.way)

    def on_new_line(
        self, name: str, after: int, corrected: Corrected, seat: str, entered: Mapping[str, tuple[int, ...]]
    ) -> Making:
        """Begin the new line in memory, with a source that keeps the dice that the policy keeps."""
        battle = self.battle
        situation: Situation[Any, Any] = Situation(self.state(after), battle.tables)
        making = Making(battle.log, battle.line, battle.rules, situation, after, name)
        making.add(corrected, seat)
        events: list[Event] = [step.event for step in self.way if step.record.seq > after]
        making.source = Kept(remember(events), battle.line.name, making.source, corrected.fresh, entered)
        return making
