"""Cavalry charges: who may declare one, and how it is ridden (DR-012 to DR-015, DA-05 to DA-07, DG-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from engine.field.plane import towards, within
from engine.rules.dresda.ground import barriers_on, rows_on
from engine.rules.dresda.movement import Allowance, allowance, gait_objection, march
from engine.rules.dresda.orders import Charge
from engine.rules.dresda.play import Table, engaged_now
from engine.rules.rule_set import Objection
from events.facts import RulingRequested
from events.places import Point
from projections.dresda.state import Figure

CHARGED, STAYS = "full distance", "stays"


class Ride(Struct, frozen=True):
    """A charge as it is ridden: along which path, with what allowance, and whether it meets its target."""

    figure: str
    target: str
    path: tuple[Point, ...]
    allowed: Allowance
    contact: bool


def charge_objections(table: Table, figure: Figure, order: Charge) -> Iterator[Objection]:
    """Why a figure may not declare this charge (DR-002, DR-010, DR-012, DR-014, DR-015, DR-016, DR-114)."""
    name, target = figure.who.name, table.state.figures[order.target]
    if not figure.mounted:
        yield Objection(f"{name} is on foot: only cavalry charges", "DA-07")
        return
    if figure.gait_before == "charge":
        yield Objection(f"{name} charged last turn", "DR-015")  # DA-06
    elif figure.gait_before not in ("walk", "run"):
        yield Objection(f"{name} did not move last turn: no charge from a standstill", "DR-012")
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
    for barrier in barriers_on(table.state, way):
        if not barrier.leap:
            yield Objection(f"{barrier.id} is in the way of the charge", "DR-016")
    allowed = allowance(table, figure, "charge", ground, figure.halves)
    if not within(figure.place, target.place, allowed.mm):
        yield Objection(f"{target.who.name} is out of reach of {figure.who.name}'s charge", "DR-014")


# ---------------------------------------------------------------------------------------------------- riding


def ends_of_charges(
    table: Table, chargers: Sequence[Figure], ends: Mapping[str, Point]
) -> dict[str, tuple[Point, ...]]:
    """Where each charger makes for: the place at which its target ends, whatever moves at the same time (L64).

    `ends` are the places of all who do not charge, after their moves. A charger whose target charges too makes for
    where that one comes to stand; two who charge each other meet half way; and of a longer ring each makes for where
    its target stood. So the result is the same in whatever order the orders came.
    """
    settled = dict(ends)
    goals: dict[str, tuple[Point, ...]] = {}
    open_ones = {figure.id: figure for figure in chargers}
    while open_ones:
        ready = [name for name in sorted(open_ones) if open_ones[name].charge in settled]
        if not ready:
            ready = sorted(open_ones)
            for name in ready:
                figure = open_ones[name]
                goals[name] = (_ring_goal(open_ones, figure),)
        stops = {}
        for name in ready:
            figure = open_ones[name]
            goals.setdefault(name, (settled.get(figure.charge, figure.place),))
            stops[name] = _ridden(table, figure, goals[name][0])[0][-1]
            del open_ones[name]
        settled.update(stops)
    return goals


def _ring_goal(ring: Mapping[str, Figure], figure: Figure) -> Point:
    target = ring[figure.charge]
    if target.charge == figure.id:
        return Point((figure.place.x + target.place.x) // 2, (figure.place.y + target.place.y) // 2)
    return target.place


def ride(table: Table, figure: Figure, goal: Point, target_end: Point, target_stands: bool) -> Ride:
    """Ride a charge at a goal; it meets its target if it comes within 2 cm of where that one ends (DR-014, DA-05)."""
    path, allowed = _ridden(table, figure, goal)
    contact = target_stands and within(path[-1], target_end, table.tables.engagement_mm)
    return Ride(figure.id, figure.charge, tuple(path[1:]), allowed, contact)


def _ridden(table: Table, figure: Figure, goal: Point) -> tuple[list[Point], Allowance]:
    """The way of a charge: straight at the goal, up to half the engagement distance, as far as it can."""
    if goal == figure.place:
        return [figure.place], allowance(table, figure, "charge", (), figure.halves)
    short = towards(goal, figure.place, table.tables.engagement_mm // 2)
    way = [figure.place, short] if short != figure.place else [figure.place]
    barred = next((each for each in barriers_on(table.state, way) if not each.leap), None)
    if barred is not None:
        return [figure.place], allowance(table, figure, "charge", (), figure.halves)
    return march(table, figure, "charge", way, figure.halves)


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
