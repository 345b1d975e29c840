"""The room that figures take: round bases that neither overlap nor let an enemy through (DA-30).

Distances between two figures that stand side by side run from base to base. Ranges, which are long, run from middle to
middle. With the option `bases = "points"` figures take no room: all is measured from middle to middle.
"""

from __future__ import annotations

from fractions import Fraction

from engine.field.plane import along, distance_mm, squared, within
from engine.rules.dresda.calls import option
from engine.rules.dresda.situation import Situation
from events.places import Point
from projections.dresda.state import Figure


def take_room(situation: Situation) -> bool:
    """Whether figures have bases in this battle."""
    return option(situation, "bases") == "round"


def base_mm(situation: Situation, figure: Figure) -> int:
    """How wide a figure's base is, in mm: that of its mount while it rides; 0 where figures are points."""
    if not take_room(situation):
        return 0
    return (
        situation.tables.mount(figure.mount).base_mm
        if figure.mounted
        else situation.tables.race(figure.who.race).base_mm
    )


def contact_mm(situation: Situation, one: Figure, other: Figure) -> Fraction:
    """How far apart the middles of two figures are whose bases touch, in mm."""
    return Fraction(base_mm(situation, one) + base_mm(situation, other), 2)


def overlap(situation: Situation, one: Figure, other: Figure) -> bool:
    """Whether two figures stand on each other; bases that touch do not."""
    return 4 * squared(one.place, other.place) < (base_mm(situation, one) + base_mm(situation, other)) ** 2


def gap_within(situation: Situation, one: Figure, other: Figure, mm: int) -> bool:
    """Whether two figures are at most so many mm apart, base to base; exact, the boundary included."""
    return within(one.place, other.place, contact_mm(situation, one, other) + mm)


def reaches(situation: Situation, figure: Figure, place: Point, mm: int) -> bool:
    """Whether a place is at most so many mm from the edge of a figure's base."""
    return within(figure.place, place, Fraction(base_mm(situation, figure), 2) + mm)


def touching(start: Point, goal: Point, contact: Fraction) -> Point:
    """Where a straight way from `start` to something at `goal` ends in contact with it: as near as may be, not nearer.

    At `start` if that is nearer already.
    """
    if within(start, goal, contact):
        return start
    far = distance_mm(goal, start)
    for mm in range(-(-contact.numerator // contact.denominator), far):
        place = along(goal, start, mm)
        if squared(place, goal) >= contact**2:
            return place
    return start
