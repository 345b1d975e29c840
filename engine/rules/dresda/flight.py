"""Moves that morale forces: falling back, and flight to a figure's own edge (DR-114, DG-06, DG-10)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.field.plane import away, step
from engine.rules.dresda.actions import Deed, listed
from engine.rules.dresda.ground import border_at, nearest, onto_field, rows_on
from engine.rules.dresda.movement import Spent, march, rate_of, slowing_rows
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.ways import Way, facts_of_way, go
from engine.rules.rule_set import Yielded, ask_all
from events.dresda import EdgeJudged, LeaderJudged, LeftField
from events.facts import RulingRequested
from events.places import Point
from projections.dresda.state import Figure

DEAD, ABSENT = "dead", "absent"
EDGES: Final = ("north", "east", "south", "west")


def forced_move(situation: Situation, figure: Figure) -> str:
    """The move that morale forces on a figure this turn, or "none"."""
    letter = figure.mood_at(situation.state.turn)
    if not letter or figure.lost_until >= situation.state.turn:
        return "none"
    return situation.tables.morale_effect(letter).forced_move


def own_edge(situation: Situation, figure: Figure) -> str:
    """The edge to which a figure flees: ruled for it, or its side's; empty if nobody has said."""
    return figure.edge or situation.state.edges.get(figure.who.seat, "")


def judge_edges(situation: Situation, fleeing: Sequence[Figure]) -> Generator[Yielded, Any, None]:
    """Ask to which edge figures flee whose side has none (DG-10). Default: the nearest."""
    lost = [figure for figure in fleeing if not own_edge(situation, figure)]
    answers = yield from ask_all(
        [
            RulingRequested(
                f"t{situation.state.turn}/edge/{figure.id}",
                "DG-10",
                f"{figure.who.name} flees: which edge of the table is its own?",
                EDGES,
                nearest_edge(situation, figure),
            )
            for figure in lost
        ]
    )
    for figure, answer in zip(lost, answers, strict=True):
        yield EdgeJudged(figure.id, answer, "DG-10")


def nearest_edge(situation: Situation, figure: Figure) -> str:
    """The edge nearest to a figure; of equally near ones the first clockwise from north."""
    state, place = situation.state, figure.place
    gaps = {"north": state.depth - place.y, "east": state.width - place.x, "south": place.y, "west": place.x}
    return min(EDGES, key=lambda edge: gaps[edge])


def rise_first(situation: Situation, figure: Figure) -> list[Deed]:
    """Who must flee from the ground gets up first (house reading)."""
    return [listed(situation, figure, "stand_up")] if figure.prone and not figure.mounted and not figure.halves else []


def forced_way(situation: Situation, figure: Figure, kind: str, why: str, rule: str = "DR-114") -> Way:
    """The way itself: one full walk straight away from the nearest enemy, or a run straight to its own edge.

    House readings: it pays for barriers as every move does, stops at one that it cannot cross, and walks where there is
    no running.
    """
    goal = (
        _away_goal(situation, figure)
        if kind == "walk_away"
        else edge_point(situation, figure, own_edge(situation, figure))
    )
    path = [figure.place] if goal == figure.place else [figure.place, goal]
    gait, spent = "walk" if kind == "walk_away" else "run", Spent(figure.halves)
    gone = march(situation, figure, gait, path, spent)
    if gait == "run" and not _may_run(situation, figure, gone.path):
        gait = "walk"
        gone = march(situation, figure, gait, path, spent)
    return Way(figure.id, gait, tuple(gone.path), rule, spent, why=why)


def _may_run(situation: Situation, figure: Figure, path: Sequence[Point]) -> bool:
    return all(row.may_run(figure.mounted) for row in slowing_rows(situation, figure, rows_on(situation.state, path)))


def _away_goal(situation: Situation, figure: Figure) -> Point:
    """A full walk away from the nearest enemy, on the field."""
    far = rate_of(situation, figure, "walk")
    foe = nearest(figure, situation.state.enemies(figure))
    if foe is None or foe.place == figure.place:
        east, north = step(figure.facing + 180, far)
        return onto_field(situation.state, Point(figure.place.x + east, figure.place.y + north))
    return onto_field(situation.state, away(figure.place, foe.place, far))


def edge_point(situation: Situation, figure: Figure, edge: str) -> Point:
    """The point of an edge straight over from a figure."""
    x, y = figure.place.x, figure.place.y
    points = {
        "north": Point(x, situation.state.depth),
        "east": Point(situation.state.width, y),
        "south": Point(x, 0),
        "west": Point(0, y),
    }
    return points[edge]


def leave_field(situation: Situation, leaving: Sequence[tuple[Figure, bool]]) -> Generator[Yielded, Any, None]:
    """Take figures off the table, each with whether it routs; ask whether a leader who left counts as dead (DG-06)."""
    leaders: list[Figure] = []
    for figure, routed in leaving:
        edge = border_at(situation.state, situation.state.figures[figure.id].place)
        yield LeftField(figure.id, edge, routed, "DR-114" if routed else "DR-010")
        if any(each.who.leader == figure.id for each in situation.state.standing()):
            leaders.append(figure)
    answers = yield from ask_all(
        [
            RulingRequested(
                f"t{situation.state.turn}/leader/{figure.id}",
                "DG-06",
                f"{figure.who.name} has left the table alive: does the leader count as dead, or only as absent?",
                (ABSENT, DEAD),
                ABSENT,
            )
            for figure in leaders
        ]
    )
    for figure, answer in zip(leaders, answers, strict=True):
        yield LeaderJudged(figure.id, answer == DEAD, "DG-06")


def flee_at_once(situation: Situation, figures: Sequence[str]) -> Generator[Yielded, Any, None]:
    """Carry out at once the forced moves of figures whose morale broke before a charge (DR-121)."""
    driven = [situation.state.figures[name] for name in sorted(figures)]
    driven = [figure for figure in driven if not figure.gone and forced_move(situation, figure) != "none"]
    yield from judge_edges(
        situation, [figure for figure in driven if forced_move(situation, figure) == "run_to_own_edge"]
    )
    ways = {}
    for figure in driven:
        # The order that it carried out in (c) costs it nothing here: the result is applied whole, and now.
        fresh = replace(situation.state.figures[figure.id], halves=0)
        ways[figure.id] = forced_way(situation, fresh, forced_move(situation, fresh), figure.mood_name)
    gone = go(situation, ways)
    for name in sorted(gone):
        yield from facts_of_way(gone[name])
    fled = [situation.state.figures[name] for name in sorted(gone)]
    yield from leave_field(situation, [(figure, True) for figure in fled if flees_off(situation, figure)])


def flees_off(situation: Situation, figure: Figure) -> bool:
    """Whether a fleeing figure has come to its own edge."""
    return figure.routs and border_at(situation.state, figure.place) == own_edge(situation, figure) != ""
