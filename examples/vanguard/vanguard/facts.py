"""What can happen in a battle of vanguards."""

from __future__ import annotations

from wardiary.facts import Event, Hex


class GroundLaid(Event, frozen=True, gc=False, tag="vanguard.ground_laid"):
    """The map: so many columns and rows, these hexes wooded. The battle lasts so many turns."""

    columns: int
    rows: int
    woods: tuple[Hex, ...]
    turns: int


class Arrived(Event, frozen=True, gc=False, tag="vanguard.arrived"):
    """A unit stands on the map."""

    unit: str
    seat: str
    horse: bool
    strength: int
    steadiness: int
    at: Hex


class Marched(Event, frozen=True, gc=False, tag="vanguard.marched"):
    """A unit has marched along a path."""

    unit: str
    path: tuple[Hex, ...]
    rule: str


class Fought(Event, frozen=True, gc=False, tag="vanguard.fought"):
    """An attack was resolved: the result of the table, by the roll with that key."""

    attackers: tuple[str, ...]
    target: str
    result: str
    rule: str
    key: str


class Lost(Event, frozen=True, gc=False, tag="vanguard.lost"):
    """A unit has lost strength; at none it is gone."""

    unit: str
    points: int
    rule: str


class Retreated(Event, frozen=True, gc=False, tag="vanguard.retreated"):
    """A unit has gone back one hex."""

    unit: str
    to: Hex
    rule: str


class Shaken(Event, frozen=True, gc=False, tag="vanguard.shaken"):
    """A unit has failed its morale test, by the roll with that key."""

    unit: str
    rule: str
    key: str


class Recovered(Event, frozen=True, gc=False, tag="vanguard.recovered"):
    """A unit that kept still is steady again."""

    unit: str
    rule: str


EVENTS: tuple[type[Event], ...] = (GroundLaid, Arrived, Marched, Fought, Lost, Retreated, Shaken, Recovered)
