"""Plain drill: a sheet of orders for a side, for demonstrations and tests. It plays by the rules, not well.

Everybody goes for the nearest enemy: charges when that is allowed, shoots when in range, closes in and fights. What an
order may be is asked of the rules themselves, so a drill sheet is never refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from engine.field.plane import squared
from engine.orders import Order
from engine.rules.dresda import orders
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.flight import forced_move
from engine.rules.dresda.missiles import can_wound, farthest_mm, range_mm
from engine.rules.dresda.objections import objections
from engine.rules.dresda.sight_and_arcs import sight
from engine.rules.dresda.situation import Situation
from projections.dresda.state import Figure


def autoplay(situation: Situation, seat: str) -> list[Order]:
    """Return orders for every figure of a side that has something to do now; empty if none has."""
    found: list[Order] = []
    for figure in situation.state.standing():
        if (
            figure.who.seat == seat
            and figure.lost_until < situation.state.turn
            and forced_move(situation, figure) == "none"
        ):
            found += _chosen(situation, figure)
    return found


def _chosen(situation: Situation, figure: Figure) -> list[Order]:
    """The first wish of each kind that the rules allow."""
    foes = sorted(situation.state.enemies(figure), key=lambda foe: (squared(figure.place, foe.place), foe.id))
    if not foes:
        return []
    match situation.state.phase:
        case "declare":
            return _first(situation, _declarations(figure, foes))
        case "move":
            return _movement(situation, figure, foes)
        case "missile":
            return _first(situation, _shots(situation, figure, foes))
    return []


def _first(situation: Situation, wishes: Iterator[Order]) -> list[Order]:
    return next(([wish] for wish in wishes if not any(objections(situation, wish))), [])


def _declarations(figure: Figure, foes: Sequence[Figure]) -> Iterator[Order]:
    if figure.mounted:
        yield from (orders.Charge(figure.id, foe.id) for foe in foes)


def _shots(situation: Situation, figure: Figure, foes: Sequence[Figure]) -> Iterator[Order]:
    """Shots at whoever they can wound, the nearest first (DR-054)."""
    for foe in (foe for foe in foes if can_wound(situation, figure, foe, figure.arm)):
        yield orders.Shoot(figure.id, figure.in_hand, foe.id)
        yield orders.Throw(figure.id, figure.in_hand, foe.id)


def _movement(situation: Situation, figure: Figure, foes: Sequence[Figure]) -> list[Order]:
    """Stand up; load; shoot from where one stands; draw what one fights with; or go for the nearest enemy."""
    foe = foes[0]
    if figure.prone:
        return _first(situation, iter([orders.Stand(figure.id)]))
    if figure.busy:
        return []
    if figure.unloaded and not engaged_now(situation, figure):
        return _first(situation, iter([orders.Load(figure.id, figure.unloaded[0])]))
    if _has_target(situation, figure, foes) or engaged_now(situation, figure):
        return _first(situation, iter([orders.Hold(figure.id, towards=foe.id)])) + _drawn(situation, figure, foe)
    return _first(situation, _ways(figure, foe)) or _first(situation, iter([orders.Hold(figure.id, towards=foe.id)]))


def _has_target(situation: Situation, figure: Figure, foes: Sequence[Figure]) -> bool:
    arm = figure.arm
    if not arm.missile or arm.name in figure.unloaded:
        return False
    reach = farthest_mm(situation, arm)
    return any(
        range_mm(figure, foe) <= reach
        and can_wound(situation, figure, foe, arm)
        and sight(situation, figure, foe).verdict != "blocked"
        for foe in foes
    )


def _drawn(situation: Situation, figure: Figure, foe: Figure) -> list[Order]:
    """Whoever is in hand-to-hand with the wrong thing in hand takes the best that it has."""
    if not engaged_now(situation, figure):
        return []
    value = {arm.name: situation.tables.hth_row(arm.melee).value for arm in figure.arms if not arm.missile}
    best = max(sorted(value), key=lambda name: value[name], default="")
    if not best or value[best] <= situation.tables.hth_row(figure.arm.melee).value:
        return []
    return _first(situation, iter([orders.Draw(figure.id, best)]))


def _ways(figure: Figure, foe: Figure) -> Iterator[Order]:
    """Ways straight at the enemy, a run first, as far as barriers, ground and others allow."""
    far: tuple[Literal["far", "possible"], ...] = ("far", "possible")
    yield orders.Run(figure.id, to=foe.id, reach=far)
    yield orders.Walk(figure.id, to=foe.id, reach=far)
