"""What happens in a brawl, and what it adds up to. Nothing here knows the rules."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from wardiary.facts import Caption, Event, Fold, Point, Reducer, State, changed


class Entered(Event, frozen=True, gc=False, tag="brawl.entered"):
    fighter: str
    side: str
    at: Point
    health: int


class Walked(Event, frozen=True, gc=False, tag="brawl.walked"):
    fighter: str
    to: Point
    rule: str


class Hurt(Event, frozen=True, gc=False, tag="brawl.hurt"):
    fighter: str
    by: str
    rule: str
    key: str


class Fighter(Struct, frozen=True, gc=False):
    side: str
    at: Point
    health: int


class Ring(State, frozen=True, gc=False):
    fighters: dict[str, Fighter] = {}


def entered(ring: Ring, event: Entered) -> Ring:
    return replace(ring, fighters={**ring.fighters, event.fighter: Fighter(event.side, event.at, event.health)})


def walked(ring: Ring, event: Walked) -> Ring:
    return replace(ring, fighters=changed(ring.fighters, event.fighter, at=event.to))


def hurt(ring: Ring, event: Hurt) -> Ring:
    return replace(ring, fighters=changed(ring.fighters, event.fighter, health=ring.fighters[event.fighter].health - 1))


def picture(ring: Ring) -> str:
    return "\n".join(f"{name:8} {each.side:8} {each.health}" for name, each in sorted(ring.fighters.items()))


REDUCERS: dict[type[Event], Reducer] = {Entered: entered, Walked: walked, Hurt: hurt}
CAPTIONS: dict[type[Event], Caption] = {
    Entered: lambda event, before: f"{event.fighter} enters for {event.side}",
    Walked: lambda event, before: f"{event.fighter} walks",
    Hurt: lambda event, before: f"{event.by} hurts {event.fighter}",
}


@lru_cache(maxsize=1)
def fold() -> Fold:
    return Fold("brawl", (Entered, Walked, Hurt), Ring(), REDUCERS, CAPTIONS, picture)
