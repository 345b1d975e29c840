"""What every fact is made of: its base, its kinds, and the stand-in for facts that are not known here."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["declaration", "order", "roll", "outcome", "ruling", "clock", "table"]
Option: TypeAlias = str | int | bool


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True):
    """Base of every fact. `kind` sorts facts for readers; it is stored beside the body."""

    kind: ClassVar[Kind] = "outcome"


class Unknown(Event, frozen=True, gc=False, tag="unknown"):
    """A fact of a type that this version does not know: kept, named, never folded and never dropped."""

    kind: ClassVar[Kind] = "outcome"
    name: str
    body: str
