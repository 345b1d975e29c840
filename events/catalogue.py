"""Reading stored bodies back: one decoder per set of types, upcasts for old shapes, nothing ever skipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Union

import msgspec

from events.errors import DiaryError
from events.event import Event, Unknown, Upcast
from events.facts import COMMON
from events.store.record import type_of


class CatalogueBroken(DiaryError, TypeError):
    """Event types or upcasts do not fit together: a programmer's mistake, found when the catalogue is made."""

    code = "log/catalogue"


class EventUnreadable(DiaryError, ValueError):
    """A stored event of a known type does not fit its type. The replay stops here; nothing is skipped."""

    code = "log/unreadable"

    def __init__(self, seq: int, name: str, version: int, why: str, position: int = 0) -> None:
        place = f" at position {position}" if position else ""
        super().__init__(f"event {seq}{place} ({name} version {version}) cannot be read: {why}")
        self.seq = seq
        self.position = position
        self.name = name
        self.version = version
        self.why = why


_UNREADABLE = (msgspec.MsgspecError, UnicodeEncodeError, RecursionError)


def tag_of(event_type: type[Event]) -> str:
    """Return the wire name of a type, such as `dresda.wounded` or, from version 2 on, `dresda.wounded@2`."""
    return str(event_type.__struct_config__.tag)


def split_tag(tag: str) -> tuple[str, int]:
    """Split a wire name into name and version; no suffix means version 1.

    What only looks like a version (`x@1`, `x@02`, `x@new`) is part of the name: each version has one spelling.

    >>> split_tag("dresda.wounded@2")
    ('dresda.wounded', 2)
    >>> split_tag("dresda.wounded@02")
    ('dresda.wounded@02', 1)
    """
    name, _, suffix = tag.rpartition("@")
    version = int(suffix) if suffix.isascii() and suffix.isdecimal() and len(suffix) < 10 else 0
    return (name, version) if version > 1 and name and suffix == str(version) else (tag, 1)


class Catalogue:
    """The types that a battle may hold, and how to read each, old shapes included.

    `types` are those of a rule set in their newest shape; the common ones are added. How to read their older shapes
    stands on the types themselves (`Event.upcasts`). A gap is refused when the catalogue is made: `CatalogueBroken`.
    """

    def __init__(self, types: Iterable[type[Event]]) -> None:
        self.types: tuple[type[Event], ...] = (*COMMON, *types)
        self._current = {tag_of(t): t for t in self.types}
        self._newest: dict[str, int] = {}
        self._upcasts: dict[str, Upcast] = {}
        self._check()
        union: Any = Union[self.types]  # noqa: UP007  (the members are only known now)
        self._one: msgspec.json.Decoder[Event] = msgspec.json.Decoder(union)
        self._many: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[union])

    def _check(self) -> None:
        if len(self._current) != len(self.types):
            raise CatalogueBroken("two event types share a wire name")
        for tag, event_type in self._current.items():
            name, version = split_tag(tag)
            if name in self._newest:
                raise CatalogueBroken(f"{name} is current in two versions")
            steps = len(event_type.upcasts)
            if steps < version - 1:
                raise CatalogueBroken(f"{name}: no upcast from version {steps + 1} to {steps + 2}")
            if steps >= version:
                raise CatalogueBroken(f"{name}: an upcast from version {version} leads nowhere")
            self._newest[name] = version
            self._upcasts |= {_tag(name, old): upcast for old, upcast in enumerate(event_type.upcasts, 1)}

    def versions(self) -> list[str]:
        """Return every wire name that can be read, old ones included, sorted."""
        return sorted([*self._current, *self._upcasts])

    def read(self, body: str, seq: int = 0) -> Event:
        """Read one body; `seq` is its place. Fields that the type does not know are passed over.

        A type that is not in the catalogue comes back as `Unknown`. A known type that does not fit raises
        `EventUnreadable`, which names place, type and version.
        """
        try:
            return self._one.decode(body)
        except _UNREADABLE as error:
            return self._read_slowly(body, seq, error)

    def read_all(self, bodies: Sequence[str], seq: int = 0) -> list[Event]:
        """Read many bodies in a row at once (half the price of one by one). `seq` is the place of the first."""
        try:
            events = self._many.decode("[" + ",".join(bodies) + "]")
            if len(events) == len(bodies):
                return events
        except _UNREADABLE:
            pass
        return [self.read(body, seq + index) for index, body in enumerate(bodies)]

    def _read_slowly(self, body: str, seq: int, error: Exception) -> Event:
        """Read what the quick way refused: an old shape, an unknown type, or one that cannot be read at all."""
        tag = type_of(body)
        if tag is None:
            raise EventUnreadable(seq, "?", 0, f"its body is not a JSON object with a type ({error})") from error
        name, version = split_tag(tag)
        newest = self._newest.get(name, 0)
        if version > newest:
            return Unknown(name=tag, body=body)
        try:
            raw = msgspec.json.decode(body, type=dict[str, Any])
            for old in range(version, newest):
                raw = self._upcasts[_tag(name, old)](raw)
            return self._one.decode(msgspec.json.encode({**raw, "type": _tag(name, newest)}))
        except Exception as why:  # an upcast that stumbles over a damaged body may raise anything
            raise EventUnreadable(seq, name, version, f"{type(why).__name__}: {why}") from why


def _tag(name: str, version: int) -> str:
    return name if version == 1 else f"{name}@{version}"


@lru_cache(maxsize=1)
def common_facts() -> Catalogue:
    """Return the catalogue of the facts that every battle shares. Those of a rule set come back as `Unknown`."""
    return Catalogue(())


_ENCODER = msgspec.json.Encoder(order="deterministic")


def write(event: Event) -> bytes:
    """Return the canonical bytes of a fact, as they are stored and hashed. An `Unknown` keeps its own."""
    return event.body.encode() if isinstance(event, Unknown) else _ENCODER.encode(event)
