"""Who sees whom, who stands in cover, and from which side an attack comes; and what the referee is asked about it."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from engine.field.plane import bearing, turn_between, within
from engine.field.sight import Blocker, Sight, line_of_sight
from engine.rules.dresda.ground import area_shape, barrier_shape, height_at
from engine.rules.dresda.situation import Situation
from events.facts import RulingRequested
from events.places import Point
from projections.dresda.state import Figure

SEEN, HIDDEN = "seen", "hidden"
IN_COVER, OPEN = "in cover", "in the open"


class Cover(Struct, frozen=True):
    """The firing modifier for a target's cover, or none; `disputed` when the ground leaves it open (DG-02)."""

    row: str = ""
    disputed: bool = False


def sight(situation: Situation, one: Figure, other: Figure) -> Sight:
    """Whether two figures see each other past all that hides: clear, blocked, or doubtful (DR-063, DG-02).

    Each area lets its own depth be seen through by who stands in it. House readings: figures hide nothing; and from, or
    to, ground as high as its top a thing hides nothing.
    """
    state = situation.state
    a, b = one.place, other.place
    top = max(height_at(state, a), height_at(state, b))
    found = [
        line_of_sight(a, b, [Blocker(area.id, area_shape(area.outline))], area.sight)
        for area in state.areas
        if area.hides and not (area.height and top >= area.height)
    ]
    found += [
        line_of_sight(a, b, [Blocker(barrier.id, barrier_shape(barrier.points))])
        for barrier in state.walls
        if barrier.hides and not (barrier.height and top >= barrier.height)
    ]
    for verdict in ("blocked", "doubtful"):
        met = tuple(name for each in found if each.verdict == verdict for name in each.met)
        if met:
            return Sight(verdict, met)
    return Sight("clear")


def cover(situation: Situation, firer: Figure, target: Figure) -> Cover:
    """What cover a target has against a firer: the ground that it stands in, or a barrier before it.

    House reading: a barrier covers who stands within 2 cm of it when the line of fire crosses it. Disputed (DG-02) is
    who stands just on the edge of covering ground, or whose barrier the line only touches.
    """
    found: list[tuple[int, Cover]] = []
    for area in situation.state.areas:
        if not area.cover:
            continue
        shape = area_shape(area.outline)
        if shape.contains(target.place) and not shape.contains(firer.place):
            found.append(_weighed(situation, area.cover, shape.on_edge(target.place)))
    for barrier in situation.state.walls:
        if barrier.cover and beside(situation, target.place, barrier.points):
            meeting = barrier_shape(barrier.points).crosses(firer.place, target.place)
            if meeting != "apart":
                found.append(_weighed(situation, barrier.cover, meeting == "touches"))
    return min(found, key=lambda each: each[0])[1] if found else Cover()


def _weighed(situation: Situation, row: str, disputed: bool) -> tuple[int, Cover]:
    """A cover with what orders it: the heavier first, and of equal ones the sure one."""
    return 2 * situation.tables.firing_row(row).value + disputed, Cover(row, disputed)


def beside(situation: Situation, place: Point, points: tuple[Point, ...]) -> bool:
    """Whether a place is within 2 cm of a line of points (the engagement distance, as a house reading of "at" it)."""
    reach = situation.tables.engagement_mm
    return any(_near_segment(place, a, b, reach) for a, b in pairwise(points))


def _near_segment(place: Point, a: Point, b: Point, reach: int) -> bool:
    dx, dy = b.x - a.x, b.y - a.y
    along = (place.x - a.x) * dx + (place.y - a.y) * dy
    square = dx * dx + dy * dy
    if along <= 0:
        return within(place, a, reach)
    if along >= square:
        return within(place, b, reach)
    across = (place.x - a.x) * dy - (place.y - a.y) * dx
    return across * across <= reach * reach * square


def covered_place(situation: Situation, figure: Figure) -> bool:
    """Whether a figure stands in covering ground or beside a covering barrier."""
    state = situation.state
    if any(area.cover and area_shape(area.outline).contains(figure.place) for area in state.areas):
        return True
    return any(barrier.cover and beside(situation, figure.place, barrier.points) for barrier in state.walls)


def arcs(situation: Situation, target: Figure, attacker: Figure) -> tuple[str, ...]:
    """The arcs of a target from which an attack comes; two when it lies just on their boundary (DG-03, DA-14).

    Figures on one spot face each other.
    """
    if attacker.place == target.place:
        return (next(iter(situation.tables.arcs)),)
    return situation.tables.arcs_at(turn_between(target.facing, bearing(target.place, attacker.place)))


def sight_question(situation: Situation, one: Figure, other: Figure, met: tuple[str, ...]) -> RulingRequested:
    """Ask whether a line that grazes something is a line of sight (DG-02). Default: it is."""
    return RulingRequested(
        f"t{situation.state.turn}/sight/{one.id}>{other.id}",
        "DG-02",
        f"the line from {one.who.name} to {other.who.name} grazes {', '.join(met)}: is the target seen?",
        (SEEN, HIDDEN),
        SEEN,
    )


def cover_question(situation: Situation, firer: Figure, target: Figure) -> RulingRequested:
    """Ask whether a target at the very edge of cover has it (DG-02). Default: it has."""
    return RulingRequested(
        f"t{situation.state.turn}/cover/{firer.id}>{target.id}",
        "DG-02",
        f"{target.who.name} is just on the edge of cover from {firer.who.name}: does it count?",
        (IN_COVER, OPEN),
        IN_COVER,
    )


def arc_question(
    situation: Situation, target: Figure, attacker: Figure, between: tuple[str, ...], phase: str
) -> RulingRequested:
    """Ask from which side an attack comes that lies on a boundary (DG-03). Default: the side nearer the front."""
    return RulingRequested(
        f"t{situation.state.turn}/{phase}/arc/{attacker.id}>{target.id}",
        "DG-03",
        f"{attacker.who.name} is just between the {' and the '.join(between)} of {target.who.name}: which is it?",
        between,
        between[0],
    )
