"""What every fact is made of: its base, its kinds, and the stand-in for facts that are not known here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["declaration", "order", "roll", "outcome", "ruling", "clock", "table"]
Option: TypeAlias = str | int | bool
Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the raw fields of one version of a fact into those of the next. It need not change the wire name."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True):
    """Base of every fact. `kind` sorts facts for readers; it is stored beside the body.

    `upcasts` read the older shapes of the fact: the first turns version 1 into version 2, the second version 2 into 3.
    """

    kind: ClassVar[Kind] = "outcome"
    upcasts: ClassVar[tuple[Upcast, ...]] = ()


class Unknown(Event, frozen=True, gc=False, tag="unknown"):
    """A fact of a type that this version does not know: kept, named, never folded and never dropped."""

    kind: ClassVar[Kind] = "outcome"
    name: str
    body: str
