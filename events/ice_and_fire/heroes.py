"""Facts about heroes: their place, what they spend and suffer."""

from __future__ import annotations

from typing import ClassVar, Literal

from events.facts import Event, Kind
from events.ice_and_fire.kit import Profile
from events.places import Point


class HeroPlaced(Event, frozen=True, gc=False, tag="ice_and_fire.hero_placed"):
    """A hero comes on the field, with a unit or alone at `at`. A `notable` one shakes an army if he falls (IF-051)."""

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    seat: str
    profile: Profile
    at: Point
    unit: str = ""
    leader: bool = False
    notable: bool = False


class RoundsSpent(Event, frozen=True, gc=False, tag="ice_and_fire.rounds_spent"):
    """A hero spends combat rounds: on orders, on moving along, on a rush (charge or trample) or on a deed (IF-046)."""

    hero: str
    on: Literal["orders", "moving", "rush", "deeds"]
    rounds: int
    rule: str


class HeroAttached(Event, frozen=True, gc=False, tag="ice_and_fire.hero_attached"):
    """A hero joins a unit and leaves the one he was with (IF-048); `leader` if he leads it now (IF-049)."""

    hero: str
    unit: str
    rule: str
    leader: bool = False


class HeroAlone(Event, frozen=True, gc=False, tag="ice_and_fire.hero_alone"):
    """A hero stands alone: he was left behind, or his unit is no more (IF-058)."""

    hero: str
    at: Point
    rule: str


class HeroMoved(Event, frozen=True, gc=False, tag="ice_and_fire.hero_moved"):
    """A hero on his own went somewhere."""

    hero: str
    at: Point
    rule: str


class Struck(Event, frozen=True, gc=False, tag="ice_and_fire.struck"):
    """A blow or shot of single combat, by a hero or at one; `soldier` marks a nameless man's (IF-042, IF-043).

    `before_limits` is what armour would have left below nothing. `defence` is what the roll of an attack on his unit
    was held against (IF-041).
    """

    by: str
    target: str
    weapon: str
    degrees: int
    damage: int
    rule: str
    key: str
    soldier: bool = False
    before_limits: int | None = None
    defence: int = 0


class HeroHurt(Event, frozen=True, gc=False, tag="ice_and_fire.hero_hurt"):
    """A hero takes harm: `damage` stays, `injuries` and `wounds` are what he bears now (B-27)."""

    hero: str
    damage: int
    total: int
    injuries: int
    wounds: int
    by: str
    rule: str


class HeroFell(Event, frozen=True, gc=False, tag="ice_and_fire.hero_fell"):
    """A hero is out of the battle; `fate` is the referee's word (RUL-16)."""

    hero: str
    fate: str
    rule: str


class SoldierHurt(Event, frozen=True, gc=False, tag="ice_and_fire.soldier_hurt"):
    """The man that a hero fights has taken `total` damage; he still stands."""

    hero: str
    unit: str
    total: int
    rule: str


class SoldierFelled(Event, frozen=True, gc=False, tag="ice_and_fire.soldier_felled"):
    """A hero has felled a man of a unit: a casualty more after the battle (IF-044)."""

    hero: str
    unit: str
    rule: str


EVENTS: tuple[type[Event], ...] = (
    HeroPlaced,
    RoundsSpent,
    HeroAttached,
    HeroAlone,
    HeroMoved,
    Struck,
    HeroHurt,
    HeroFell,
    SoldierHurt,
    SoldierFelled,
)
