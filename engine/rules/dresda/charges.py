"""Cavalry charges: who may declare one, and how it is ridden (DR-012 to DR-015, DA-05 to DA-07, DG-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from engine.field.plane import distance_mm, towards, within
from engine.rules.dresda.calls import Table, option
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.ground import barriers_on, rows_on
from engine.rules.dresda.movement import Allowance, March, allowance, gait_objection, march
from engine.rules.dresda.orders import Charge
from engine.rules.rule_set import Objection
from events.facts import RulingRequested
from events.places import Point
from projections.dresda.captions import cm
from projections.dresda.state import Figure

CHARGED, STAYS = "full distance", "stays"


class Ride(Struct, frozen=True):
    """A charge as it is ridden: along which path, with what allowance, whether it meets its target."""

    figure: str
    target: str
    path: tuple[Point, ...]
    allowed: Allowance
    contact: bool
    jumps: tuple[str, ...] = ()
    """The actions that cross what barriers are in its way (DR-030)."""


def charge_objections(table: Table, figure: Figure, order: Charge) -> Iterator[Objection]:
    """Why a figure may not declare this charge (DR-002, DR-010, DR-012, DR-014, DR-015, DR-016, DR-114)."""
    name, target = figure.who.name, table.state.figures[order.target]
    if not figure.mounted:
        yield Objection(f"{name} is on foot: only cavalry charges", "DA-07")
        return
    if figure.gait_before == "charge":
        yield Objection(f"{name} charged last turn", "DR-015")  # DA-06
    elif figure.gait_before not in ("walk", "run") or not figure.rode_before:
        yield Objection(f"{name} did not ride last turn: no charge from a standstill", "DR-012")
    elif figure.short_before and option(table, "charge_start") == "half_walk":
        yield Objection(f"{name} rode less than half a walk last turn: that is no start for a charge", "DA-29")
    if target.gone or target.who.seat == figure.who.seat:
        yield Objection(f"{target.who.name} is no enemy on the table", "DR-014")
        return
    letter = figure.mood_at(table.state.turn)
    if letter and not table.tables.morale_effect(letter).may_charge:
        yield Objection(f"{name} {figure.mood_name} and does not charge", "DR-114")
    if engaged_now(table, figure):
        yield Objection(f"{name} is in hand-to-hand: it must break off first", "DR-084")
    if figure.halves or figure.busy:
        yield Objection(f"{name} is at something else", "DR-021")
    yield from _way_objections(table, figure, target)


def _way_objections(table: Table, figure: Figure, target: Figure) -> Iterator[Objection]:
    """Whether the charge's straight way is open, and long enough to reach where the target stands (DA-05)."""
    way = [figure.place, target.place]
    ground = rows_on(table.state, way)
    blocked = gait_objection(table, figure, "charge", ground)
    if blocked is not None:
        yield blocked
    jumps = barriers_on(table.state, way)
    for barrier in jumps:
        if not barrier.leap:
            yield Objection(f"{barrier.id} is in the way of the charge", "DR-016")
    cost = sum(table.tables.action(barrier.leap).halves for barrier in jumps if barrier.leap)
    allowed = allowance(table, figure, "charge", ground, figure.halves + cost)  # DR-021: a jump shortens a charge, too
    if not within(figure.place, target.place, allowed.mm):
        over = f" over {', '.join(barrier.id for barrier in jumps)}" if cost else ""
        away = f"{cm(distance_mm(figure.place, target.place))} cm away"
        reach = f"{figure.who.name} charges {cm(allowed.mm)} cm{over}"
        yield Objection(f"{target.who.name} is {away}, and {reach}", "DR-014")


# ---------------------------------------------------------------------------------------------------- riding


def ride_all(table: Table, chargers: Sequence[Figure], ends: Mapping[str, Point]) -> list[Ride]:
    """Ride all charges at once, at where their targets end; `ends` are the places of all others after their moves.

    A charger whose target charges too makes for where that one comes to stand; two who charge each other meet half way;
    and of a longer ring each makes for where its target stood. So the order in which orders came counts for nothing.
    A charge meets its target if it comes within 2 cm of where that one ends (DR-014, DA-05).
    """
    ways = _ways(table, chargers, ends)
    stops = {**ends, **{name: way.path[-1] for name, way in ways.items()}}
    rides = []
    for figure in chargers:
        way = ways[figure.id]
        stands = not table.state.figures[figure.charge].gone
        contact = stands and within(way.path[-1], stops[figure.charge], table.tables.engagement_mm)
        rides.append(Ride(figure.id, figure.charge, tuple(way.path[1:]), way.allowed, contact, way.climbs))
    return rides


def _ways(table: Table, chargers: Sequence[Figure], ends: Mapping[str, Point]) -> dict[str, March]:
    """Each charger's way, worked out from those whose targets' ends are known already to those that wait for them."""
    settled = dict(ends)
    ways: dict[str, March] = {}
    waiting = {figure.id: figure for figure in chargers}
    while waiting:
        ready = [name for name in sorted(waiting) if waiting[name].charge in settled]
        goals = {name: settled[waiting[name].charge] for name in ready}
        goals = goals or {name: _ring_goal(waiting, waiting[name]) for name in sorted(waiting)}
        for name, goal in goals.items():
            ways[name] = _way(table, waiting[name], goal)
            del waiting[name]
        settled.update({name: ways[name].path[-1] for name in goals})
    return ways


def _ring_goal(ring: Mapping[str, Figure], figure: Figure) -> Point:
    target = ring[figure.charge]
    if target.charge == figure.id:
        return Point((figure.place.x + target.place.x) // 2, (figure.place.y + target.place.y) // 2)
    return target.place


def _way(table: Table, figure: Figure, goal: Point) -> March:
    """The way of a charge: straight at the goal, up to half the engagement distance, as far as it can.

    House reading: it stops short of ground on which there is no charging, and of a barrier that no mount leaps.
    """
    start = figure.place
    path = [start] if goal == start else [start, towards(goal, start, table.tables.engagement_mm // 2)]
    return march(table, figure, "charge", path if path[-1] != start else path[:1], figure.halves)


def failed_question(table: Table, figure: Figure) -> RulingRequested:
    """Ask what becomes of a charge that can no longer connect (DG-07). Default: it goes its full distance (DA-05)."""
    target = table.state.figures[figure.charge]
    return RulingRequested(
        f"t{table.state.turn}/charge/{figure.id}>{target.id}",
        "DG-07",
        f"{figure.who.name}'s charge cannot reach {target.who.name} any more: does it go its full distance, "
        "and count as a charge, or stay where it is?",
        (CHARGED, STAYS),
        CHARGED,
    )
