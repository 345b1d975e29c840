"""Why an event came out as it did: the event, the rolls that decided it, their terms and chances."""

from __future__ import annotations

import msgspec

from events.facts import DiceRolled, Event, RollCalled
from events.times import rfc3339
from projections.journal import reasons, rule_of
from replays.points import PointUnknown
from replays.seek import Frame
from replays.view import View


class Part(msgspec.Struct, frozen=True, gc=False):
    """One event that had a say, with its reasons line by line."""

    seq: int
    caption: str
    reasons: tuple[str, ...]


class Explanation(msgspec.Struct, frozen=True, gc=False):
    """An event explained. `rules` are the ids of the rules that were at work, in the order in which they came up."""

    seq: int
    act: int
    time: str
    actor: str
    caption: str
    parts: tuple[Part, ...]
    rules: tuple[str, ...]


def explain_event(view: View, seq: int) -> Explanation:
    """Explain one event. Its causes are looked for in its own act, by roll key. Raises `PointUnknown`."""
    if not 0 < seq <= view.head:
        raise PointUnknown(str(seq), f"the line ends at event {view.head}")
    record = view.record(seq)
    act = list(view.frames(record.act - 1, seq))
    this = act[-1]
    keys = set(keys_of(this.event))
    causes = [step for step in act if _decides(step.event, keys) and step.record.act == record.act]
    parts = [_part(view, step) for step in causes if step is not this]
    parts.append(_part(view, this))
    rules: dict[str, None] = {}
    for step in [*causes, this]:
        for rule in rules_of(step):
            rules[rule] = None
    return Explanation(
        seq,
        record.act,
        rfc3339(record.at),
        record.actor,
        view.caption(this),
        tuple(part for part in parts if part.reasons),
        tuple(rules),
    )


def keys_of(event: Event) -> list[str]:
    """Return the roll keys that an event names, whatever its fields are called."""
    values = (getattr(event, name) for name in ("key", "keys") if hasattr(event, name))
    return [key for value in values for key in ((value,) if isinstance(value, str) else value) if key]


def _decides(event: Event, keys: set[str]) -> bool:
    return isinstance(event, DiceRolled) and event.key in keys


def _part(view: View, step: Frame) -> Part:
    return Part(step.record.seq, view.caption(step), view.shown(step, lambda: tuple(reasons(step.event, step.before))))


def rules_of(step: Frame) -> list[str]:
    """Return the ids of the rules at work in an event: of a roll, those of its call and terms."""
    event = step.event
    call = step.before.table.called.get(event.key) if isinstance(event, DiceRolled) else None
    if isinstance(event, RollCalled):
        call = event
    if call is not None:
        return [rule for rule in (call.rule, *(term.rule for term in call.terms)) if rule]
    named = (rule_of(event, step.before), *(term.rule for term in getattr(event, "terms", ())))
    return [rule for rule in named if rule]
