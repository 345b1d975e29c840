"""Who is near whom, and who is in hand-to-hand with whom: asked here, and in one way everywhere (DR-080)."""

from __future__ import annotations

from itertools import combinations

from engine.rules.dresda.bases import gap_within
from engine.rules.dresda.calls import Table
from engine.rules.dresda.ground import barrier_shape
from events.dresda import Barrier, EngagementsSet
from projections.dresda.state import Figure


def near(table: Table, one: Figure, other: Figure) -> bool:
    """Whether two figures are within 2 cm of each other, base to base, the boundary included (DR-080, DA-30)."""
    return gap_within(table, one, other, table.tables.engagement_mm)


def can_strike(table: Table, one: Figure, other: Figure) -> bool:
    """Whether two figures are near enough to fight, with nothing between them that stops blows (DR-080)."""
    return near(table, one, other) and not walled_off(table, one, other)


def walled_off(table: Table, one: Figure, other: Figure) -> bool:
    """Whether a barrier between two figures stops blows.

    House reading: a barrier stops them if it hides, or if it takes a figure on foot more than half a move to cross.
    """
    return any(
        stops_blows(table, barrier) and barrier_shape(barrier.points).crosses(one.place, other.place) == "crosses"
        for barrier in table.state.barriers
    )


def stops_blows(table: Table, barrier: Barrier) -> bool:
    """Whether nobody strikes across a barrier: it hides, or is too high (house reading)."""
    return barrier.hides or not barrier.climb or table.tables.action(barrier.climb).halves > 1


def engaged_now(table: Table, figure: Figure) -> list[Figure]:
    """The enemies with which a figure is in hand-to-hand, sorted by id.

    Only those count that are still on the table and still near. Engagements begin at the end of (c) and end as soon as
    the two are parted, whatever parts them (DR-080, DR-086).
    """
    return [foe for foe in table.state.foes_of(figure.id) if can_strike(table, figure, foe)]


def engagements(table: Table) -> EngagementsSet | None:
    """The fact that enemies who are near each other are engaged from now on, or None if nothing changes (DR-080)."""
    return _noted(
        table,
        [
            (one.id, other.id)
            for one, other in combinations(table.state.standing(), 2)
            if one.who.seat != other.who.seat and can_strike(table, one, other)
        ],
    )


def parted(table: Table) -> EngagementsSet | None:
    """The fact that engaged enemies who have been parted are no longer engaged, or None if none have (DR-080).

    Nobody becomes engaged by it: that happens at the end of (c) alone.
    """
    figures = table.state.figures
    return _noted(
        table,
        [
            (one, other)
            for one, other in table.state.engaged
            if not figures[one].gone and not figures[other].gone and can_strike(table, figures[one], figures[other])
        ],
    )


def _noted(table: Table, pairs: list[tuple[str, str]]) -> EngagementsSet | None:
    return EngagementsSet(tuple(pairs), "DR-080") if tuple(pairs) != table.state.engaged else None
