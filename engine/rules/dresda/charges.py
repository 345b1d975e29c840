"""Cavalry charges: who may declare one, and how it is ridden (DR-012 to DR-015, DA-05 to DA-07, DG-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.field.plane import NM_PER_MM, path_fits, path_length, squared, within
from engine.rules.dresda.bases import base_mm, contact_mm, take_room, touching
from engine.rules.dresda.bodies import straight_stop
from engine.rules.dresda.calls import option
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.ground import rows_on
from engine.rules.dresda.movement import Spent, gait_objection, impassable, march, priced
from engine.rules.dresda.orders import Charge
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection
from events.facts import RulingRequested
from events.places import Point
from projections.dresda.captions import cm
from projections.dresda.state import Figure

CHARGED, STAYS = "full distance", "stays"


class Ride(Struct, frozen=True):
    """A charge as it is ridden: along which path, its start first, and whether it meets its target."""

    figure: str
    target: str
    path: tuple[Point, ...]
    contact: bool


def charge_objections(situation: Situation, figure: Figure, order: Charge) -> Iterator[Objection]:
    """Why a figure may not declare this charge (DR-002, DR-010, DR-012, DR-014, DR-015, DR-016, DR-114)."""
    name, target = figure.who.name, situation.state.figures[order.target]
    if not figure.mounted:
        yield Objection(f"{name} is on foot: only cavalry charges", "DA-07")
        return
    if figure.gait_before == "charge":
        yield Objection(f"{name} charged last turn", "DR-015")  # DA-06
    elif figure.gait_before not in ("walk", "run") or not figure.rode_before:
        yield Objection(f"{name} did not ride last turn: no charge from a standstill", "DR-012")
    elif figure.short_before and option(situation, "charge_start") == "half_walk":
        yield Objection(f"{name} rode less than half a walk last turn: that is no start for a charge", "DA-29")
    if target.gone or target.who.seat == figure.who.seat:
        yield Objection(f"{target.who.name} is no enemy on the table", "DR-014")
        return
    letter = figure.mood_at(situation.state.turn)
    if letter and not situation.tables.morale_effect(letter).may_charge:
        yield Objection(f"{name} {figure.mood_name} and does not charge", "DR-114")
    if engaged_now(situation, figure):
        yield Objection(f"{name} is in hand-to-hand: it must break off first", "DR-084")
    if figure.halves or figure.busy:
        yield Objection(f"{name} is at something else", "DR-021")
    yield from _way_objections(situation, figure, target)


def _way_objections(situation: Situation, figure: Figure, target: Figure) -> Iterator[Objection]:
    """Whether the charge's straight way is open, and long enough to reach where the target stands (DA-05)."""
    goal = touching(figure.place, target.place, _contact(situation, figure, target))
    way = [figure.place] if goal == figure.place else [figure.place, goal]
    blocked = gait_objection(situation, figure, "charge", rows_on(situation.state, way))
    if blocked is not None:
        yield blocked
    barred = impassable(situation, figure, way)
    if barred is not None:
        yield Objection(f"{barred.id} is in the way of the charge", "DR-016")
        return
    charge = priced(situation, figure, "charge", way, Spent(figure.halves))  # DR-021: a jump shortens a charge, too
    if not path_fits(way, charge.allowed.mm):
        over = f", with {' and '.join(name.replace('_', ' ') for name in charge.climbs)}" if charge.climbs else ""
        apart = f"it is {cm(-(-path_length(way) // NM_PER_MM))} cm to {target.who.name}"
        yield Objection(f"{apart}, and {figure.who.name} charges {cm(charge.allowed.mm)} cm{over}", "DR-014")
    elif (met := _between(situation, figure, way, target)) is not None:
        yield Objection(f"{met.who.name} stands in the way of the charge", "DR-014")


def _between(situation: Situation, figure: Figure, way: Sequence[Point], target: Figure) -> Figure | None:
    """An enemy between a charger and its target, as all stand now (DA-30)."""
    if not take_room(situation) or len(way) < 2:
        return None
    base = base_mm(situation, figure)
    others = [foe for foe in situation.state.enemies(figure) if foe.id != target.id]
    stop = straight_stop(way[0], way[-1], base, {foe.place: base_mm(situation, foe) for foe in others})
    if stop == way[-1]:
        return None
    return min(others, key=lambda foe: squared(stop, foe.place) - contact_mm(situation, figure, foe) ** 2)


# ---------------------------------------------------------------------------------------------------- riding


def ride_all(situation: Situation, chargers: Sequence[Figure], ends: Mapping[str, Point]) -> list[Ride]:
    """Ride all charges at once, at where their targets end; `ends` are the places of all others after their moves.

    A charger whose target charges too makes for where that one comes to stand; two who charge each other meet half way;
    and of a longer ring each makes for where its target stood. So the order in which orders came counts for nothing.
    A charge meets its target if it comes within 2 cm of where that one ends (DR-014, DA-05).
    """
    paths = _paths(situation, chargers, ends)
    stops = {**ends, **{name: path[-1] for name, path in paths.items()}}
    rides = []
    for figure in chargers:
        path, target = paths[figure.id], situation.state.figures[figure.charge]
        reach = contact_mm(situation, figure, target) + situation.tables.engagement_mm
        contact = not target.gone and within(path[-1], stops[target.id], reach)
        rides.append(Ride(figure.id, target.id, tuple(path), contact))
    return rides


def _paths(situation: Situation, chargers: Sequence[Figure], ends: Mapping[str, Point]) -> dict[str, list[Point]]:
    """Each charger's way, worked out from those whose targets' ends are known already to those that wait for them."""
    settled = dict(ends)
    paths: dict[str, list[Point]] = {}
    waiting = {figure.id: figure for figure in chargers}
    while waiting:
        ready = [name for name in sorted(waiting) if waiting[name].charge in settled]
        goals = {name: settled[waiting[name].charge] for name in ready}
        rings = {} if goals else {name: _ring_goal(waiting, waiting[name]) for name in sorted(waiting)}
        meeting = {name for name in rings if _meets(waiting, waiting[name])}
        for name, goal in (goals or rings).items():
            paths[name] = _path(situation, waiting[name], goal, name in meeting)
            del waiting[name]
        settled.update({name: paths[name][-1] for name in goals or rings})
    return paths


def _meets(ring: Mapping[str, Figure], figure: Figure) -> bool:
    """Whether a charger and its target charge each other."""
    target = ring.get(figure.charge)
    return target is not None and target.charge == figure.id


def _ring_goal(ring: Mapping[str, Figure], figure: Figure) -> Point:
    target = ring[figure.charge]
    if _meets(ring, figure):
        return Point((figure.place.x + target.place.x) // 2, (figure.place.y + target.place.y) // 2)
    return target.place


def _path(situation: Situation, figure: Figure, goal: Point, half_way: bool) -> list[Point]:
    """The way of a charge: straight at the goal, up to contact, as far as it can; or `half_way`, at one who comes too.

    House reading: it stops short of ground on which there is no charging, and of a barrier that no mount leaps.
    """
    start = figure.place
    contact = _contact(situation, figure, situation.state.figures[figure.charge])
    stop = touching(start, goal, contact / 2 if half_way else contact)
    return march(situation, figure, "charge", [start] if stop == start else [start, stop], Spent(figure.halves)).path


def _contact(situation: Situation, figure: Figure, target: Figure) -> Fraction:
    """How far apart the two are whose charge has struck: base to base (DR-014, DA-30)."""
    return (
        contact_mm(situation, figure, target) if take_room(situation) else Fraction(situation.tables.engagement_mm, 2)
    )


def failed_question(situation: Situation, figure: Figure) -> RulingRequested:
    """Ask what becomes of a charge that can no longer connect (DG-07). Default: it goes its full distance (DA-05)."""
    target = situation.state.figures[figure.charge]
    return RulingRequested(
        f"t{situation.state.turn}/charge/{figure.id}>{target.id}",
        "DG-07",
        f"{figure.who.name}'s charge cannot reach {target.who.name} any more: does it go its full distance, "
        "and count as a charge, or stay where it is?",
        (CHARGED, STAYS),
        CHARGED,
    )
