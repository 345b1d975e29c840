"""Doors: open, shut, barred or broken; what each change takes, and when it is not possible (DR-030).

House readings: a door that is open or broken is in nobody's way, one that is shut or barred is a wall. Who bars a door
keeps others out: only their own side opens it again, others must break it down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.rules.dresda import orders
from engine.rules.dresda.bases import reaches
from engine.rules.dresda.ground import nearest_on
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection
from events.dresda import Barrier
from projections.dresda.state import Figure

OPEN, SHUT, BARRED, BROKEN = "open", "shut", "barred", "broken"
DoorOrder: TypeAlias = orders.Open | orders.Close | orders.Bar | orders.Break


class Change(NamedTuple):
    """What an order makes of a door: the action that it is, from which states, into which."""

    action: str
    before: tuple[str, ...]
    after: str


CHANGES: Final[Mapping[type[DoorOrder], Change]] = {
    orders.Open: Change("open_or_close_door", (SHUT, BARRED), OPEN),
    orders.Close: Change("open_or_close_door", (OPEN,), SHUT),
    orders.Bar: Change("bar_door", (SHUT,), BARRED),
    orders.Break: Change("break_down_door", (SHUT, BARRED), BROKEN),
}


def door_named(situation: Situation, name: str) -> Barrier:
    """The door of that name."""
    return next(each for each in situation.state.barriers if each.id == name)


def door_objections(situation: Situation, figure: Figure, order: DoorOrder) -> Iterator[Objection]:
    """Why a figure cannot do that to a door: not on foot, out of reach, or not as the door is now."""
    door, change, name = door_named(situation, order.door), CHANGES[type(order)], figure.who.name
    if figure.mounted:
        yield Objection(f"{name} cannot do that mounted", "DR-030")
    if not reaches(situation, figure, nearest_on(door.points, figure.place), situation.tables.engagement_mm):
        yield Objection(f"{door.id} is out of {name}'s reach", "DR-030")
    if door.door not in change.before:
        yield Objection(f"{door.id} is {door.door} already", "DR-030")
    elif isinstance(order, orders.Open) and door.door == BARRED and door.barred_by != figure.who.seat:
        yield Objection(f"{door.id} is barred: `break {door.id}`", "DR-030")
