"""What the facts add up to, and how they are told. Nothing here knows the rules."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from newgame.facts import Hurt, Placed
from wardiary.facts import Caption, Event, Fold, Reducer, State, changed


class Fighter(Struct, frozen=True, gc=False):
    """A fighter: whose it is, and how much it can still take."""

    seat: str
    health: int


class Field(State, frozen=True, gc=False):
    """The field: every fighter by name."""

    fighters: dict[str, Fighter] = {}


def placed(state: Field, event: Placed) -> Field:
    return replace(state, fighters={**state.fighters, event.fighter: Fighter(event.seat, event.health)})


def hurt(state: Field, event: Hurt) -> Field:
    left = state.fighters[event.fighter].health - 1
    return replace(state, fighters=changed(state.fighters, event.fighter, health=left))


def picture(state: Field) -> str:
    """The state as text, for `wardiary show`."""
    return "\n".join(f"{name:12} {each.seat:12} {each.health}" for name, each in sorted(state.fighters.items()))


REDUCERS: dict[type[Event], Reducer] = {Placed: placed, Hurt: hurt}
CAPTIONS: dict[type[Event], Caption] = {
    Placed: lambda event, before: f"{event.fighter} stands for {event.seat}",
    Hurt: lambda event, before: f"{event.by} hurts {event.fighter}",
}


@lru_cache(maxsize=1)
def fold() -> Fold:
    """Return how the facts add up; found through the entry point `wardiary.folds`."""
    return Fold("newgame", (Placed, Hurt), Field(), REDUCERS, CAPTIONS, picture)
