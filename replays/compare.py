"""Laying two lines side by side: which events are the same, which differ, and what differs in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from events.facts import ActOpened, DiceRolled, Event
from projections.fold import Fold
from projections.journal import caption
from projections.table import State
from replays.seek import Step

_NOT_TOLD = frozenset({"table", "clock"})


class Told(msgspec.Struct, frozen=True, gc=False):
    """One event as it is laid beside another: where, what it is about, in words, and what makes it different."""

    seq: int
    act: str
    about: str
    caption: str
    content: bytes


What: TypeAlias = Literal["same", "different", "gone", "new"]


class Difference(msgspec.Struct, frozen=True, gc=False):
    """One row of a comparison. `old` is missing for something new, `new` for something that is gone."""

    what: What
    act: str
    old: Told | None
    new: Told | None


class _Place(NamedTuple):
    act: str
    about: str
    nth: int


def tell(fold: Fold, way: Iterable[Step]) -> Iterator[Told]:
    """Yield what is to be compared of a way through a line: orders, rolls, outcomes, rulings; not the bookkeeping."""
    act = ""
    for step in way:
        event = step.event
        if isinstance(event, ActOpened):
            act = event.name
        if event.kind not in _NOT_TOLD and step.record.type != "roll.called":
            words = caption(fold, event, step.before)
            yield Told(step.record.seq, act, _about(step.record.type, event), words, _content(event))


def _about(name: str, event: Event) -> str:
    """Say what an event is about: its type with its key, or with the first name in it."""
    key = getattr(event, "key", None)
    if key is None:
        key = next((value for value in msgspec.structs.astuple(event) if isinstance(value, str)), "")
    return f"{name} {key}"


def _content(event: Event) -> bytes:
    """Return what must be equal for two events to count as the same. Where dice came from is no difference."""
    if isinstance(event, DiceRolled):
        return msgspec.json.encode((event.faces, event.total, event.success))
    return msgspec.json.encode(event, order="deterministic")


def compare(old: Iterable[Told], new: Iterable[Told]) -> list[Difference]:
    """Pair the events of two lines, phase by phase, and tell how each pair differs. Linear."""
    before, after = _placed(old), _placed(new)
    rows = []
    for place, told in before.items():
        other = after.get(place)
        if other is None:
            rows.append(Difference("gone", place.act, told, None))
        else:
            rows.append(Difference("same" if told.content == other.content else "different", place.act, told, other))
    rows += [Difference("new", place.act, None, told) for place, told in after.items() if place not in before]
    return sorted(rows, key=lambda row: (_seq(row.new or row.old), row.what))


def _placed(events: Iterable[Told]) -> dict[_Place, Told]:
    seen: Counter[tuple[str, str]] = Counter()
    placed = {}
    for told in events:
        nth = seen[told.act, told.about]
        seen[told.act, told.about] += 1
        placed[_Place(told.act, told.about, nth)] = told
    return placed


def _seq(told: Told | None) -> int:
    return told.seq if told is not None else 0


def state_difference(old: State, new: State) -> list[str]:
    """Tell what differs between two states of the field, one `path: old → new` a line; the table is left out."""
    before, after = msgspec.to_builtins(old), msgspec.to_builtins(new)
    before.pop("table")
    after.pop("table")
    return list(_differ("", before, after))


def _differ(path: str, old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _differ(f"{path}.{key}" if path else str(key), old.get(key), new.get(key))
        return
    yield f"{path}: {_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode() if value is not None else "nothing"
    return text if len(text) <= 60 else f"{text[:57]}…"


def counts(rows: Sequence[Difference]) -> dict[What, int]:
    """Count the rows of a comparison by what they tell."""
    found = Counter(row.what for row in rows)
    return {what: found[what] for what in ("same", "different", "gone", "new")}
