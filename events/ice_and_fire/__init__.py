"""The facts of a mass battle by the Ice and Fire rules. What each fact does is in `projections.ice_and_fire`."""

from __future__ import annotations

from events.facts import Event
from events.ice_and_fire import heroes, siege, units
from events.ice_and_fire.kit import Arm, Profile

EVENTS: tuple[type[Event], ...] = (*units.EVENTS, *heroes.EVENTS, *siege.EVENTS)
"""Every fact of the rule set, oldest first within each part."""

__all__ = ["EVENTS", "Arm", "Profile", "heroes", "siege", "units"]
