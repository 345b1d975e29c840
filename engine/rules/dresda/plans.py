"""What a figure means to do in (c), all its orders together: what they cost, and why they may not go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.field.plane import path_fits, squared, within
from engine.orders import AnyOrder
from engine.rules.dresda.actions import Deed, deeds_of, listed
from engine.rules.dresda.calls import Table
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.ground import barriers_on, border_at, nearest, on_field, rows_on
from engine.rules.dresda.movement import WHOLE, allowance, crossing, gait_objection
from engine.rules.dresda.orders import Going, Hold, Run, Walk
from engine.rules.rule_set import Objection, Situation
from events.facts import Event
from events.places import Point
from projections.dresda import fold
from projections.dresda.captions import cm, spot
from projections.dresda.state import Battlefield, Figure

NONE: Final[Mapping[str, str]] = {}


def gait_of(order: Going) -> str:
    """The gait of an order that leads along a path."""
    return "walk" if isinstance(order, Walk) else "run"


def plan_deeds(table: Table, figure: Figure, given: Sequence[AnyOrder], ruled: Mapping[str, str] = NONE) -> list[Deed]:
    """What a figure's orders make it do, the climbing that its path needs included (DR-030)."""
    deeds = [deed for order in given for deed in deeds_of(table, figure, order, ruled)]
    rider = after(table, facts_of(deeds)).state.figures[figure.id]
    climbs = Counter(_climbs(table, rider, given)) - Counter(deed.name for deed in deeds)
    return deeds + [listed(table, figure, name) for name in sorted(climbs.elements())]


def after(table: Table, facts: Sequence[Event]) -> Table:
    """The table as it would be once these facts are so."""
    state = fold().advance(table.state, facts)
    assert isinstance(state, Battlefield)
    return Situation(state, table.tables)


def facts_of(deeds: Sequence[Deed]) -> list[Event]:
    """All facts of some deeds, in order."""
    return [fact for deed in deeds for fact in deed.facts]


def plan_objections(
    table: Table, figure: Figure, given: Sequence[AnyOrder], ruled: Mapping[str, str] = NONE, *, shorten: bool = False
) -> Iterator[Objection]:
    """Why a figure may not do all that these orders say in one turn (DR-016 to DR-032, DR-060, DR-084, DR-114).

    With `shorten` a way that has become too long is no objection: the figure goes as far as it can (DR-019).
    """
    bound = _bound(table, figure, given)
    if bound is not None:
        yield bound
        return
    deeds = plan_deeds(table, figure, given, ruled)
    total = figure.halves + sum(deed.halves for deed in deeds)
    if total > WHOLE:
        yield Objection(f"{figure.who.name} would need {_moves(total)} moves for all that", "DR-032")  # DA-25
        return
    going = next((order for order in given if isinstance(order, Going)), None)
    if going is not None:
        then = after(table, facts_of(deeds))
        yield from path_objections(then, then.state.figures[figure.id], going, shorten=shorten)


def _bound(table: Table, figure: Figure, given: Sequence[AnyOrder]) -> Objection | None:
    """What keeps a figure from any deed or move of its own this turn."""
    name, turn = figure.who.name, table.state.turn
    letter = figure.mood_at(turn)
    if letter and table.tables.morale_effect(letter).forced_move != "none":
        return Objection(f"{name} {figure.mood_name}: it moves of itself", "DR-114")
    if all(isinstance(order, Hold) for order in given):
        return None
    if figure.charge:
        return Objection(f"{name} charges {figure.charge} this turn", "DR-013")
    if figure.aim_turn == turn:
        return Objection(f"{name} is aiming: it does not move, nor do anything else", "DR-060")
    return None


def pinned(table: Table, figure: Figure) -> bool:
    """Whether a figure is held in hand-to-hand: it fights on, and so does an enemy (DR-084, DA-16)."""
    if figure.choice == "disengage":
        return False
    return any(foe.choice != "disengage" and not _driven_off(table, foe) for foe in engaged_now(table, figure))


def _driven_off(table: Table, figure: Figure) -> bool:
    letter = figure.mood_at(table.state.turn)
    return bool(letter) and table.tables.morale_effect(letter).forced_move != "none"


def off_the_field(table: Table, going: Going) -> Objection | None:
    """Why a way cannot be gone by anybody, at any time: it leaves the field."""
    outside = next((place for place in going.path if not on_field(table.state, place)), None)
    return Objection(f"{spot(outside)} is not on the field", "DR-010") if outside is not None else None


def path_objections(table: Table, figure: Figure, going: Going, *, shorten: bool = False) -> Iterator[Objection]:
    """Why a figure may not go this way, with what it does before counted in."""
    name, gait = figure.who.name, gait_of(going)
    path = [figure.place, *going.path]
    if pinned(table, figure):
        yield Objection(f"{name} fights on: only who breaks off in (a) moves away", "DR-084")
    outside = off_the_field(table, going)
    if outside is not None:
        yield outside
        return
    for barrier in barriers_on(table.state, path):
        if not crossing(barrier, figure.mounted):
            yield Objection(f"{name} cannot cross {barrier.id}", "DR-030")
    ground = rows_on(table.state, path)
    unfit = gait_objection(table, figure, gait, ground)
    if unfit is not None:
        yield unfit
    allowed = allowance(table, figure, gait, ground, figure.halves)
    if not shorten and not path_fits(path, allowed.mm):
        rule = "DR-021" if allowed.shared else "DR-017" if allowed.cut else "DR-010"
        yield Objection(f"the way is longer than the {cm(allowed.mm)} cm that {name} has to {gait}", rule)
    if going.off and not border_at(table.state, going.path[-1]):
        yield Objection(f"{spot(going.path[-1])} is not on the edge of the table", "DR-010")
    yield from _mood_objections(table, figure, going.path[-1])


def _mood_objections(table: Table, figure: Figure, end: Point) -> Iterator[Objection]:
    """Whether a shaken figure may end there: not nearer its nearest enemy, or not within reach of any (DR-114)."""
    letter = figure.mood_at(table.state.turn)
    if not letter:
        return
    effect = table.tables.morale_effect(letter)
    enemies = table.state.enemies(figure)
    foe = nearest(figure, enemies)
    if not effect.may_advance and foe is not None and squared(end, foe.place) < squared(figure.place, foe.place):
        yield Objection(f"{figure.who.name} {figure.mood_name}: not a step nearer to the enemy", "DR-114")
    reach = table.tables.engagement_mm
    if not effect.may_contact and any(within(end, other.place, reach) for other in enemies):
        yield Objection(f"{figure.who.name} {figure.mood_name} and does not close with the enemy", "DR-114")


def _climbs(table: Table, figure: Figure, given: Sequence[AnyOrder]) -> Iterator[str]:
    """The actions that the barriers on its path need."""
    for order in given:
        if isinstance(order, Walk | Run):
            for barrier in barriers_on(table.state, [figure.place, *order.path]):
                if action := crossing(barrier, figure.mounted):
                    yield action


def _moves(halves: int) -> str:
    return f"{halves // 2}½" if halves % 2 else f"{halves // 2}"
