"""Laying two lines side by side: which events are the same, which differ, and what differs in the end."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from events.corrections import Corrected, Deferred, DeferredSettled, Superseded
from events.facts import ActOpened, Declared, DiceRolled, Event, Ordered, Revealed, RollCalled, Sealed, Term, Unknown
from events.places import Hex, digits_of
from projections.battle_state import State
from projections.fold import Fold
from projections.journal import caption
from replays.seek import Frame

_NOT_TOLD = frozenset({"table", "clock"})
_BOOKKEEPING = (RollCalled, Corrected, Superseded, Deferred, DeferredSettled)


class Told(msgspec.Struct, frozen=True, gc=False):
    """One event as it is laid beside another: where, in words, and by what it is known again on another line.

    `content` makes two events the same; `about` are names for what it is about, the closest first.
    """

    seq: int
    act: str
    caption: str
    content: bytes
    about: tuple[str, ...]


What: TypeAlias = Literal["same", "different", "gone", "new"]


class Difference(msgspec.Struct, frozen=True, gc=False):
    """One row of a comparison. `old` is missing for something new, `new` for something that is gone."""

    what: What
    act: str
    old: Told | None
    new: Told | None


def tell(fold: Fold, way: Iterable[Frame]) -> Iterator[Told]:
    """Yield what is to be compared of a way through a line: orders, rolls, outcomes, rulings; not the bookkeeping."""
    act = ""
    for step in way:
        event = step.event
        if isinstance(event, ActOpened):
            act = event.name
        if event.kind not in _NOT_TOLD and not isinstance(event, _BOOKKEEPING):
            words = caption(fold, event, step.before)
            yield Told(step.record.seq, act, words, _content(event), tuple(_about(event)))


def about_roll(key: str) -> str:
    """Return what a roll is known by on any line."""
    return f"{DiceRolled.__name__} {key}"


def _about(event: Event) -> Iterator[str]:
    """Yield what an event is about: its key; or the piece and slot of an order; or all names in it, then the first."""
    name = event.name if isinstance(event, Unknown) else type(event).__name__
    key = getattr(event, "key", None)
    if key is not None:
        yield f"{name} {key}"
        return
    if isinstance(event, Ordered | Declared | Sealed | Revealed):
        yield f"{name} {event.piece} {event.slot}"
        return
    names = [value for value in msgspec.structs.astuple(event) if isinstance(value, str)]
    yield f"{name} {' '.join(names)}"
    yield f"{name} {names[0] if names else ''}"


def _content(event: Event) -> bytes:
    """Return what must be equal for two events to count as the same. Where dice and figures came from is none."""
    if isinstance(event, DiceRolled):
        return msgspec.json.encode((event.key, event.faces, event.total, event.success))
    if isinstance(event, Revealed):
        return event.text.encode()
    return msgspec.json.encode(_unsourced(event), order="deterministic")


def _unsourced(event: Event) -> Event:
    """Return an event whose terms do not say from which tables their figures are."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    worked = {
        name: tuple(replace(each, source="") if isinstance(each, Term) else each for each in value)
        for name, value in fields.items()
        if isinstance(value, tuple) and any(isinstance(each, Term) for each in value)
    }
    return replace(event, **worked) if worked else event


def compare(old: Iterable[Told], new: Iterable[Told]) -> list[Difference]:
    """Pair the events of two lines, phase by phase, and tell how each pair differs.

    What is the same is paired first, then what is about the same, so that one event too few does not make all that
    follow different. Rows come in the order of the new line, what is gone where it stood. Linear.
    """
    before, after = list(old), list(new)
    pairs = _paired(before, after)
    partner = {there: here for here, there in pairs.items()}
    gone = deque(place for place in range(len(before)) if place not in pairs)
    rows: list[Difference] = []
    for place, each in enumerate(after):
        here = partner.get(place)
        while here is not None and gone and gone[0] < here:
            rows.append(_gone(before[gone.popleft()]))
        rows.append(_row(before[here] if here is not None else None, each))
    return rows + [_gone(before[place]) for place in gone]


def _gone(old: Told) -> Difference:
    return Difference("gone", old.act, old, None)


def _row(old: Told | None, new: Told) -> Difference:
    if old is None:
        return Difference("new", new.act, None, new)
    return Difference("same" if old.content == new.content else "different", new.act, old, new)


def _paired(old: Sequence[Told], new: Sequence[Told]) -> dict[int, int]:
    """Map places in `old` to places in `new`: by content, then by each name of what an event is about."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for name_of in (_by_content, _by_closest, _by_first):
        waiting: dict[tuple[str, object], deque[int]] = {}
        for place, told in enumerate(new):
            if place not in taken:
                waiting.setdefault((told.act, name_of(told)), deque()).append(place)
        for place, told in enumerate(old):
            queue = waiting.get((told.act, name_of(told))) if place not in pairs else None
            if queue:
                pairs[place] = queue.popleft()
                taken.add(pairs[place])
    return pairs


def _by_content(told: Told) -> object:
    return told.about[0], told.content


def _by_closest(told: Told) -> object:
    return told.about[0]


def _by_first(told: Told) -> object:
    return told.about[-1]


def state_difference(old: State, new: State) -> list[str]:
    """Tell what differs between two states of the field, one `path: old → new` a line; the table is left out.

    Hexes are shown as orders name them, such as 0304.
    """
    before, after = _plain(old), _plain(new)
    before.pop("table")
    after.pop("table")
    return list(_differ("", before, after))


def _plain(value: Any) -> Any:
    """Return a value as lists, mappings and plain values; a hex by its name."""
    if isinstance(value, Hex):
        return digits_of(value)
    if isinstance(value, msgspec.Struct):
        fields = {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        return list(fields.values()) if value.__struct_config__.array_like else fields
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, Set):
        return sorted(_plain(each) for each in value)
    return [_plain(each) for each in value] if isinstance(value, Sequence) and not isinstance(value, str) else value


def _differ(path: str, old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _differ(f"{path}.{key}" if path else str(key), old.get(key), new.get(key))
        return
    if isinstance(old, list) and isinstance(new, list) and (named := _named(old, new)):
        yield from _differ(path, *named)
        return
    yield f"{path}: {_short(old)} → {_short(new)}"


def _named(old: list[Any], new: list[Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return two lists as mappings, by what their members are called; None if they have no names."""
    for name in ("id", "name", "piece", "key"):
        called = [
            {str(each[name]): each for each in members if isinstance(each, dict) and name in each}
            for members in (old, new)
        ]
        if (len(called[0]), len(called[1])) == (len(old), len(new)):
            return called[0], called[1]
    return None


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode() if value is not None else "nothing"
    return text if len(text) <= 60 else f"{text[:57]}…"


def counts(rows: Sequence[Difference]) -> dict[What, int]:
    """Count the rows of a comparison by what they tell."""
    found = Counter(row.what for row in rows)
    return {what: found[what] for what in ("same", "different", "gone", "new")}
