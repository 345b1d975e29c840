"""Who is near whom, and who is in hand-to-hand with whom: asked here, and in one way everywhere (DR-080)."""

from __future__ import annotations

from itertools import combinations

from engine.rules.dresda.bases import gap_within
from engine.rules.dresda.ground import barrier_shape
from engine.rules.dresda.situation import Situation
from events.dresda import Barrier, EngagementsSet
from projections.dresda.state import Figure


def near(situation: Situation, one: Figure, other: Figure) -> bool:
    """Whether two figures are within 2 cm of each other, base to base, the boundary included (DR-080, DA-30)."""
    return gap_within(situation, one, other, situation.tables.engagement_mm)


def can_strike(situation: Situation, one: Figure, other: Figure) -> bool:
    """Whether two figures are near enough to fight, with nothing between them that stops blows (DR-080)."""
    return near(situation, one, other) and not walled_off(situation, one, other)


def walled_off(situation: Situation, one: Figure, other: Figure) -> bool:
    """Whether a barrier between two figures stops blows.

    House reading: a barrier stops them if it hides, or if it takes a figure on foot more than half a move to cross.
    """
    return any(
        stops_blows(situation, barrier) and barrier_shape(barrier.points).crosses(one.place, other.place) == "crosses"
        for barrier in situation.state.walls
    )


def stops_blows(situation: Situation, barrier: Barrier) -> bool:
    """Whether nobody strikes across a barrier: it hides, or is too high (house reading)."""
    return barrier.hides or not barrier.climb or situation.tables.action(barrier.climb).halves > 1


def engaged_now(situation: Situation, figure: Figure) -> list[Figure]:
    """The enemies with which a figure is in hand-to-hand, sorted by id.

    Only those count that are still on the table and still near. Engagements begin at the end of (c) and end as soon as
    the two are parted, whatever parts them (DR-080, DR-086).
    """
    return [foe for foe in situation.state.foes_of(figure.id) if can_strike(situation, figure, foe)]


def engagements(situation: Situation) -> EngagementsSet | None:
    """The fact that enemies who are near each other are engaged from now on, or None if nothing changes (DR-080)."""
    return _noted(
        situation,
        [
            (one.id, other.id)
            for one, other in combinations(situation.state.standing(), 2)
            if one.who.seat != other.who.seat and can_strike(situation, one, other)
        ],
    )


def parted(situation: Situation) -> EngagementsSet | None:
    """The fact that engaged enemies who have been parted are no longer engaged, or None if none have (DR-080).

    Nobody becomes engaged by it: that happens at the end of (c) alone.
    """
    figures = situation.state.figures
    return _noted(
        situation,
        [
            (one, other)
            for one, other in situation.state.engaged
            if not figures[one].gone and not figures[other].gone and can_strike(situation, figures[one], figures[other])
        ],
    )


def _noted(situation: Situation, pairs: list[tuple[str, str]]) -> EngagementsSet | None:
    return EngagementsSet(tuple(pairs), "DR-080") if tuple(pairs) != situation.state.engaged else None
