"""Ways as they are gone, all at once: who stops whom, what climbing is paid for, and the facts of the moves (DA-30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.field.plane import NM_PER_MM, bearing, path_length, squared
from engine.rules.dresda.actions import Deed, listed
from engine.rules.dresda.bases import base_mm, contact_mm, take_room
from engine.rules.dresda.bodies import Body, stops
from engine.rules.dresda.ground import rows_on
from engine.rules.dresda.movement import Spent, allowance, priced
from engine.rules.dresda.situation import Situation
from events.dresda import Moved
from events.facts import Event
from events.places import Point
from projections.dresda.state import Figure


class Way(Struct, frozen=True):
    """A way that a figure means to go, its start first. Without a facing it looks where it went."""

    figure: str
    gait: str
    path: tuple[Point, ...]
    rule: str
    spent: Spent = Spent()
    facing: int | None = None
    why: str = ""


class Gone(Struct, frozen=True):
    """A way as it was gone: the climbing that it took, and the move."""

    climbs: tuple[Deed, ...]
    move: Moved


def go(situation: Situation, ways: Mapping[str, Way]) -> dict[str, Gone]:
    """Go all these ways at once; all others stay. Enemies stop each other, and nobody ends on anybody."""
    reached = _reached(situation, ways)
    return {name: _gone(situation, ways[name], reached[name], reached) for name in sorted(ways)}


def ends(situation: Situation, ways: Mapping[str, Way], without: Sequence[str]) -> dict[str, Point]:
    """Where all come to stand by these ways if some figures were not there."""
    return {name: path[-1] for name, path in _reached(situation, ways, without).items()}


def _reached(
    situation: Situation, ways: Mapping[str, Way], without: Sequence[str] = ()
) -> dict[str, tuple[Point, ...]]:
    """How much of their ways all get to go, the start first; those who stay have their place alone."""
    there = [each for each in situation.state.standing() if each.id not in without]
    paths = {each.id: ways[each.id].path if each.id in ways else (each.place,) for each in there}
    if not take_room(situation):
        return paths
    bodies = [Body(each.id, each.who.seat, base_mm(situation, each), paths[each.id]) for each in there]
    return {name: tuple(path) for name, path in stops(bodies).items()}


def _gone(situation: Situation, way: Way, path: tuple[Point, ...], reached: Mapping[str, tuple[Point, ...]]) -> Gone:
    figure = situation.state.figures[way.figure]
    if way.gait == "stand":
        return Gone((), Moved(figure.id, way.gait, (), _facing(figure, way.facing, path), way.rule))
    found = priced(situation, figure, way.gait, path, way.spent)
    why = way.why
    if path[-1] != way.path[-1] and (met := _met(situation, figure, path[-1], reached)):
        why = f"{why}; stops at {met}" if why else f"stops at {met}"
    move = Moved(
        figure.id,
        way.gait,
        path[1:],
        _facing(figure, way.facing, path),
        way.rule,
        rate=found.allowed.rate,
        cut=found.allowed.cut,
        terms=found.allowed.terms,
        shared=found.allowed.shared,
        halves=found.allowed.halves_of(path),
        why=why,
        short=_is_short(situation, figure, path),
    )
    return Gone(tuple(listed(situation, figure, name) for name in found.climbs), move)


def _facing(figure: Figure, ordered: int | None, path: Sequence[Point]) -> int:
    """Where a figure looks at the end of its way: as ordered, else where it went."""
    if ordered is not None:
        return ordered
    return bearing(path[-2], path[-1]) if len(path) > 1 and path[-2] != path[-1] else figure.facing


def _is_short(situation: Situation, figure: Figure, path: Sequence[Point]) -> bool:
    """Whether a mount went less than half of its walk: then it cannot charge next turn (DA-29)."""
    if not figure.mounted or len(path) < 2:
        return False
    walk = allowance(situation, figure, "walk", rows_on(situation.state, path), 0)
    return path_length(path) * 2 < walk.mm * NM_PER_MM


def _met(situation: Situation, figure: Figure, end: Point, reached: Mapping[str, tuple[Point, ...]]) -> str:
    """The name of whoever a figure comes up against at the end of its way."""
    others = [situation.state.figures[name] for name in reached if name != figure.id]
    gaps = {
        other.id: squared(end, reached[other.id][-1]) - contact_mm(situation, figure, other) ** 2 for other in others
    }
    nearest = min(others, key=lambda other: (gaps[other.id], other.id), default=None)
    return nearest.who.name if nearest is not None else ""


def facing(situation: Situation, gone: Gone, towards: Point) -> Gone:
    """A way with its end facing a place."""
    end = gone.move.path[-1] if gone.move.path else situation.state.figures[gone.move.figure].place
    return gone if end == towards else replace(gone, move=replace(gone.move, facing=bearing(end, towards)))


def facts_of_way(gone: Gone) -> list[Event]:
    """The facts of a way: first the climbing, then the move."""
    return [*(fact for deed in gone.climbs for fact in deed.facts), gone.move]
