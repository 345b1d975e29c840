"""Reading stored bodies back: one decoder per set of types, upcasts for old shapes, nothing ever skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, Union

import msgspec

from events.errors import CatalogueBroken, EventUnreadable
from events.facts import COMMON, Event, Unknown

Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


def tag_of(event_type: type[Event]) -> str:
    """Return the wire name of a type, such as `dresda.wounded` or, from version 2 on, `dresda.wounded@2`."""
    return str(event_type.__struct_config__.tag)


def split_tag(tag: str) -> tuple[str, int]:
    """Split a wire name into name and version; no suffix means version 1.

    >>> split_tag("dresda.wounded@2")
    ('dresda.wounded', 2)
    """
    name, _, version = tag.partition("@")
    return name, int(version) if version.isdecimal() else 1


class Catalogue:
    """The types that a battle may hold, and how to read each, old ones included.

    `types` are the current ones; `upcasts` maps the wire name of an old shape to a function from its raw fields to
    those of the next version. Gaps are refused when the catalogue is made: `CatalogueBroken`.
    """

    def __init__(self, types: Iterable[type[Event]], upcasts: Mapping[str, Upcast] | None = None) -> None:
        self.types: tuple[type[Event], ...] = (*COMMON, *types)
        self.upcasts: Mapping[str, Upcast] = dict(upcasts or {})
        self._current = {tag_of(t): t for t in self.types}
        self._check()
        union: Any = Union.__getitem__(self.types)
        self._one: msgspec.json.Decoder[Event] = msgspec.json.Decoder(union)
        self._many: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[union])

    def _check(self) -> None:
        if len(self._current) != len(self.types):
            raise CatalogueBroken("two event types share a wire name")
        newest = {}
        for tag in self._current:
            name, version = split_tag(tag)
            if name in newest:
                raise CatalogueBroken(f"{name} is current in two versions")
            newest[name] = version
        for name, version in newest.items():
            for old in range(1, version):
                if _tag(name, old) not in self.upcasts:
                    raise CatalogueBroken(f"{name}: no upcast from version {old} to {old + 1}")
        for tag in self.upcasts:
            name, version = split_tag(tag)
            if version >= newest.get(name, 0):
                raise CatalogueBroken(f"{tag}: an upcast that leads nowhere")

    def versions(self) -> list[str]:
        """Return every wire name that can be read, old ones included, sorted."""
        return sorted([*self._current, *self.upcasts])

    def read(self, body: str, seq: int = 0) -> Event:
        """Read one body. A known type that does not fit raises `EventUnreadable`, which names place and type."""
        try:
            return self._one.decode(body)
        except msgspec.MsgspecError as error:
            return self._read_slowly(body, seq, error)

    def read_all(self, bodies: Sequence[str], seq: int = 0) -> list[Event]:
        """Read many bodies in a row at once (half the price of one by one). `seq` is the place of the first."""
        try:
            return self._many.decode("[" + ",".join(bodies) + "]")
        except msgspec.MsgspecError:
            return [self.read(body, seq + index) for index, body in enumerate(bodies)]

    def _read_slowly(self, body: str, seq: int, error: Exception) -> Event:
        try:
            raw = msgspec.json.decode(body, type=dict[str, Any])
            tag = str(raw["type"])
        except (msgspec.MsgspecError, KeyError):
            raise EventUnreadable(seq, "?", 0, str(error)) from error
        name, version = split_tag(tag)
        while (step := self.upcasts.get(_tag(name, version))) is not None:
            raw, version = step(raw), version + 1
        current = self._current.get(_tag(name, version))
        if current is None:
            return Unknown(name=tag, body=body)
        try:
            return msgspec.convert({**raw, "type": tag_of(current)}, current)
        except msgspec.ValidationError as why:
            raise EventUnreadable(seq, name, version, str(why)) from why


def _tag(name: str, version: int) -> str:
    return name if version == 1 else f"{name}@{version}"


_ENCODER = msgspec.json.Encoder(order="deterministic")


def write(event: Event) -> bytes:
    """Return the canonical bytes of a fact, as they are stored and hashed. An `Unknown` keeps its own."""
    return event.body.encode() if isinstance(event, Unknown) else _ENCODER.encode(event)
