"""What people put into a battle, read back from its record: orders, the word to go on, notes, nonces.

Dice and rulings are not among them: whether an old face or answer serves again is a matter of the dice policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

import msgspec

from engine.rules.rule_set import RuleSet, Situation
from engine.step import Step as Making
from events.errors import BattleWaits, DiaryError, OrderNotAllowed
from events.facts import ActOpened, Declared, FactStated, NonceAdded, Noted, Ordered, Sealed
from replays.seek import Step

InputKind: TypeAlias = Literal["order", "next", "note", "nonce", "fact"]


class Input(msgspec.Struct, frozen=True, gc=False):
    """One input. `seq` is where its first event stands; `text` the order, the act that was begun, or the words."""

    seq: int
    kind: InputKind
    seat: str
    text: str
    by_hand: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"next ({self.text})" if self.kind == "next" else self.text


def inputs_of(way: Iterable[Step], rules: RuleSet, tables: Any, unlock: Callable[[str], str | None]) -> list[Input]:
    """Read the inputs of a stretch of a line. `unlock` opens sealed orders; one that cannot be opened is left out."""
    found = []
    for step in way:
        record, event = step.record, step.event
        match event:
            case Ordered() | Declared():
                found.append(Input(record.seq, "order", record.actor, event.text, slots=(event.slot,)))
            case Sealed():
                kept = unlock(event.digest)
                if kept is not None:
                    text = kept.partition(" ")[2]
                    found.append(Input(record.seq, "order", record.actor, text, slots=(event.slot,)))
            case ActOpened() if record.act == record.seq and not _follows(step, rules, tables):
                found.append(Input(record.seq, "next", record.actor, event.name, event.by_hand, event.slots))
            case Noted():
                found.append(Input(record.seq, "note", record.actor, event.text))
            case NonceAdded():
                found.append(Input(record.seq, "nonce", record.actor, event.nonce))
            case FactStated():
                found.append(Input(record.seq, "fact", record.actor, event.text))
    return found


def _follows(step: Step, rules: RuleSet, tables: Any) -> bool:
    """Whether an act was begun by the engine itself, because it follows."""
    assert isinstance(step.event, ActOpened)
    return rules.follows(Situation(step.before, tables)) == step.event.name


def give(step: Making, item: Input) -> None:
    """Give an input again, in a step on another line. Raises what giving it for the first time would raise."""
    match item.kind:
        case "order":
            step.orders(item.seat, item.text)
        case "next":
            due = step.rules.next_act(step.situation)
            if not step.table.ended and not step.table.waiting and due != item.text:
                raise OrderNotAllowed(f"the battle stands before {due}, not before {item.text}", "table")
            step.proceed(item.by_hand)
        case "note":
            step.add(Noted(item.text), item.seat)
        case "nonce":
            step.refuse_waiting()
            step.add(NonceAdded(item.seat, item.text), item.seat)
        case "fact":
            step.state_fact(item.text, "stated before the correction")


def attempt(step: Making, item: Input) -> str:
    """Give an input again if it can be given; return why not, or an empty text."""
    mark = step.mark()
    try:
        if step.table.waiting and item.kind == "next":
            raise BattleWaits([*step.table.called, *step.table.asked])
        give(step, item)
    except DiaryError as error:
        step.rewind(mark)
        return str(error)
    return ""
