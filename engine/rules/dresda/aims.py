"""Where an order to walk or run leads: along its points, or by its aim to a place from which the way follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from msgspec import Struct

from engine.field.plane import NM_PER_MM, away, path_fits, path_length, squared, within
from engine.field.polygon import turn
from engine.orders import Place, Vocabulary
from engine.orders.names import Names
from engine.rules.dresda.bases import base_mm, contact_mm, take_room, touching
from engine.rules.dresda.ground import border_at, nearest, nearest_on, on_field, rows_on
from engine.rules.dresda.movement import Allowance, March, Spent, gait_objection, impassable, march, priced
from engine.rules.dresda.orders import THE, Going, Walk
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection
from events.dresda import Barrier
from events.places import Point
from projections.dresda.captions import cm, spot
from projections.dresda.state import Figure

_BEYOND: Final = 2
"""How many mm behind a wall one stands whose base would touch it."""


class Route(Struct, frozen=True):
    """The way that an order leads: its points (the start first), and whether it is less than what was ordered."""

    gait: str
    path: tuple[Point, ...]
    spent: Spent
    allowed: Allowance
    shortened: bool = False


def gait_of(order: Going) -> str:
    """The gait of an order that leads somewhere."""
    return "walk" if isinstance(order, Walk) else "run"


def route_of(
    situation: Situation, figure: Figure, going: Going, spent: Spent, *, shorten: bool = False
) -> Route | Objection:
    """The way that an order leads from where a figure stands, or why it cannot be gone (DR-010 to DR-030).

    A way that is too long is no objection with `shorten`, nor for an order that says `as far as possible`.
    """
    path = path_of(situation, figure, going)
    if isinstance(path, Objection):
        return path
    far = shorten or bool(going.reach) or going.aims == ["towards"]
    gait, name = gait_of(going), figure.who.name
    barred = impassable(situation, figure, path)
    if barred is not None and not far:
        return Objection(f"{name} cannot cross {barred.id}", "DR-030")
    gone = None if barred is not None else priced(situation, figure, gait, path, spent)
    fits = gone is not None and path_fits(path, gone.allowed.mm)
    if gone is None or (far and not fits):
        gone = march(situation, figure, gait, path, spent)
    unfit = gait_objection(situation, figure, gait, rows_on(situation.state, gone.path))
    stuck = len(gone.path) == 1 < len(path)
    if unfit is None and ((not fits and not far) or stuck):
        unfit = _too_long(figure, gait, path, gone)
    return unfit or Route(gait, tuple(gone.path), spent, gone.allowed, gone.path[-1] != path[-1])


def end_objections(situation: Situation, figure: Figure, going: Going, route: Route) -> Iterator[Objection]:
    """Why a figure may not end its way there: not the edge of the table, or too near the enemy for its mood."""
    end = route.path[-1]
    if going.off and not border_at(situation.state, end):
        yield Objection(f"{spot(end)} is not on the edge of the table", "DR-010")
    letter = figure.mood_at(situation.state.turn)
    if not letter:
        return
    effect, name = situation.tables.morale_effect(letter), figure.who.name
    enemies = situation.state.enemies(figure)
    foe = nearest(figure, enemies)
    if not effect.may_advance and foe is not None and squared(end, foe.place) < squared(figure.place, foe.place):
        yield Objection(f"{name} {figure.mood_name}: not a step nearer to the enemy", "DR-114")
    reach = situation.tables.engagement_mm
    near = any(within(end, other.place, contact_mm(situation, figure, other) + reach) for other in enemies)
    if not effect.may_contact and near:
        yield Objection(f"{name} {figure.mood_name} and does not close with the enemy", "DR-114")


# ---------------------------------------------------------------------------------------------------- the way


def path_of(situation: Situation, figure: Figure, going: Going) -> list[Point] | Objection:
    """The points of the way that an order means, the start first, however long it is."""
    if len(going.aims) != 1:
        how = "two ways are given" if going.aims else "no way is given"
        return Objection(f"{how}: write one, as points, `to`, `into contact with`, `behind` or `towards`", "DR-010")
    if going.points:
        outside = next((place for place in going.points if not on_field(situation.state, place)), None)
        if outside is not None:
            return Objection(f"{spot(outside)} is not on the field", "DR-010")
        return [figure.place, *going.points]
    end = _end_of(situation, figure, going)
    if isinstance(end, Objection):
        return end
    return [figure.place] if end == figure.place else [figure.place, end]


def _end_of(situation: Situation, figure: Figure, going: Going) -> Point | Objection:
    if going.behind:
        named = next((name for name in going.behind if name != THE), "")
        barrier = next((each for each in situation.state.barriers if each.id == named), None)
        if barrier is None:
            return Objection("it is not said behind which wall", "DR-010")
        return _behind(situation, figure, barrier)
    goal = going.foe or going.to or going.towards or ""
    found = place_of(situation, figure, goal)
    if found is None:
        return Objection(f"{goal} is not on the field", "DR-010")
    place, contact = found
    return touching(figure.place, place, contact)


def place_of(situation: Situation, figure: Figure, goal: str) -> tuple[Point, Fraction] | None:
    """Where something is that orders name, and how far from it the middle of a figure stands that has come to it.

    A figure, a body, a thing, a barrier (its nearest point), or a place as x,y. None if it is not on the field.
    """
    own = Fraction(base_mm(situation, figure), 2)
    other, thing = situation.state.figures.get(goal), situation.state.things.get(goal)
    if other is not None:
        if other.gone == "dead":
            return other.place, own
        apart = (
            contact_mm(situation, figure, other)
            if take_room(situation)
            else Fraction(situation.tables.engagement_mm, 2)
        )
        return None if other.gone else (other.place, apart)
    if thing is not None:
        return thing.place, own
    barrier = next((each for each in situation.state.barriers if each.id == goal), None)
    if barrier is not None:
        return nearest_on(barrier.points, figure.place), own + _BEYOND
    place = Place().read(goal, Names(Vocabulary()))
    return (place, Fraction(0)) if on_field(situation.state, place) else None


def _behind(situation: Situation, figure: Figure, barrier: Barrier) -> Point | Objection:
    """The place beside a barrier, where it is nearest, on the side away from the nearest enemy."""
    foe = nearest(figure, situation.state.enemies(figure))
    edge = nearest_on(barrier.points, figure.place)
    apart = base_mm(situation, figure) // 2 + _BEYOND
    a, b = next((a, b) for a, b in pairwise(barrier.points) if nearest_on((a, b), figure.place) == edge)
    dx, dy = b.x - a.x, b.y - a.y
    sides = [away(edge, Point(edge.x + sign * dy, edge.y - sign * dx), apart) for sign in (1, -1)]
    sides = [place for place in sides if on_field(situation.state, place)]
    if not sides:
        return Objection(f"there is no room behind {barrier.id}", "DR-010")
    if foe is None:
        return min(sides, key=lambda place: squared(figure.place, place))
    against = turn(a, b, foe.place)
    return max(sides, key=lambda place: (turn(a, b, place) * against < 0, squared(place, foe.place)))


# ---------------------------------------------------------------------------------------------------- what is in it


def _too_long(figure: Figure, gait: str, path: Sequence[Point], way: March) -> Objection:
    allowed = way.allowed
    length = -(-path_length(path) // NM_PER_MM)
    over = f", with {' and '.join(name.replace('_', ' ') for name in way.climbs)}" if way.climbs else ""
    rule = "DR-021" if allowed.shared else "DR-017" if allowed.cut else "DR-010"
    has = f"{cm(allowed.mm)} cm that {figure.who.name} has to {gait}"
    return Objection(f"the way of {cm(length)} cm is longer than the {has}{over}", rule)
