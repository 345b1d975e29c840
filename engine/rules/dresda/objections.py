"""What may be ordered when: every order is held against the rules, on being given and again when its time comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.orders import AnyOrder, Order
from engine.rules.dresda import orders
from engine.rules.dresda.actions import barred_by_fight
from engine.rules.dresda.aiming import aim_objections
from engine.rules.dresda.charges import charge_objections
from engine.rules.dresda.choices import in_movement
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.missiles import farthest_mm, range_mm
from engine.rules.dresda.orders import CHOICE, DECLARED, MOVING, SHOOTING, SLOTS
from engine.rules.dresda.plans import plan_of
from engine.rules.dresda.reading_orders import waiting
from engine.rules.dresda.sight_and_arcs import sight
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.weather import CLEAR
from engine.rules.rule_set import Objection
from projections.dresda.state import Figure

_OPEN: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(DECLARED, ("declare",)),
    **dict.fromkeys(MOVING, ("declare", "aimed", "move")),
    **dict.fromkeys(SHOOTING, ("declare", "aimed", "move", "missile")),
}
_TIME: Final = {
    **dict.fromkeys(DECLARED, "declare"),
    **dict.fromkeys(MOVING, "move"),
    **dict.fromkeys(SHOOTING, "missile"),
}
_LATE: Final = {"charge": "DR-013", "aim": "DR-060", "fight": "DA-16a", "disengage": "DA-16a"}


def objections(situation: Situation, order: AnyOrder) -> Iterator[Objection]:
    """Yield why an order is not allowed now; nothing if it is.

    An order for a later phase of the turn is held against what is known already, and again when its time comes.
    """
    if isinstance(order, orders.Weather):
        mixed = CLEAR in order.words and len(order.words) > 1
        if mixed:
            yield Objection("the weather is clear or something else, not both", "DG-11")
    if not isinstance(order, Order):
        return
    figure = situation.state.figures[order.piece]
    found = list(_not_at_all(situation, figure, order))
    if found:
        yield from found
        return
    now = situation.state.phase in _times(situation, SLOTS[type(order)])
    yield from when_its_time(situation, figure, order) if now else _beforehand(situation, figure, order)


def when_its_time(situation: Situation, figure: Figure, order: Order) -> Iterator[Objection]:
    """All that speaks against an order in its own phase, other orders of the figure counted in."""
    if SLOTS[type(order)] not in MOVING:
        yield from _own(situation, figure, order)
        return
    others = [each for each in waiting(situation, figure.id, MOVING) if SLOTS[type(each)] != SLOTS[type(order)]]
    yield from plan_of(situation, figure, [*others, order]).objections_to(order)


def _not_at_all(situation: Situation, figure: Figure, order: Order) -> Iterator[Objection]:
    """What speaks against any order to the figure in this phase (DR-001, DR-013)."""
    state, name = situation.state, figure.who.name
    if figure.gone:
        gone = {"dead": ("is dead", "DR-041"), "routed": ("has fled the field", "DR-114")}
        why, rule = gone.get(figure.gone, ("has left the field", "DR-001"))
        yield Objection(f"{name} {why}", rule)
        return
    slot = SLOTS[type(order)]
    verb = str(type(order).__struct_config__.tag)
    resolving = bool(state.table.waiting) and state.phase in _times(situation, slot)
    if state.phase not in (*_OPEN[slot], *_times(situation, slot)) or resolving:
        yield Objection(f"it is too late in the turn for `{verb}`", _LATE.get(verb, "DR-001"))
    if figure.lost_until >= state.turn:
        yield Objection(f"{name} can do nothing until turn {figure.lost_until} is over", "DR-072")


def _times(situation: Situation, slot: str) -> tuple[str, ...]:
    """The phases whose own orders those of a slot are; with an option the choice may also be made in (c) (DA-16a)."""
    return (_TIME[slot], "move") if slot == CHOICE and in_movement(situation) else (_TIME[slot],)


def _own(situation: Situation, figure: Figure, order: Order) -> Iterator[Objection]:
    match order:
        case orders.Charge():
            yield from charge_objections(situation, figure, order)
        case orders.Aim():
            yield from aim_objections(situation, figure, order)
        case orders.Fight() | orders.Disengage():
            if not engaged_now(situation, figure):
                yield Objection(f"{figure.who.name} is not in hand-to-hand since last turn", "DA-16a")
        case orders.Shoot() | orders.Throw():
            yield from _weapon_objections(situation, figure, order)
            yield from shot_objections(situation, figure, order)


def _beforehand(situation: Situation, figure: Figure, order: Order) -> Iterator[Objection]:
    """What speaks already against an order for a later phase, as all stand now."""
    if isinstance(order, orders.Shoot | orders.Throw):
        yield from _weapon_objections(situation, figure, order)
    elif SLOTS[type(order)] in MOVING:
        yield from _declared_objections(situation, figure, order)
        yield from when_its_time(situation, figure, order)


def _declared_objections(situation: Situation, figure: Figure, order: Order) -> Iterator[Objection]:
    """Whether what a figure is to declare in (a) leaves it its move (DR-013, DR-060)."""
    for declared in waiting(situation, figure.id, DECLARED):
        if isinstance(declared, orders.Charge):
            yield Objection(f"{figure.who.name} is to charge {declared.target} this turn", "DR-013")
        elif isinstance(declared, orders.Aim) and not isinstance(order, orders.Hold):
            yield Objection(f"{figure.who.name} is to aim: it does not move, nor do anything else", "DR-060")


# ---------------------------------------------------------------------------------------------------- shooting in (d)


def _weapon_objections(situation: Situation, figure: Figure, order: orders.Shoot | orders.Throw) -> Iterator[Objection]:
    """Whether the figure has such a weapon, and an enemy at whom to use it."""
    arm, target = figure.arm_named(order.weapon), situation.state.figures[order.target]
    if arm is None or not arm.missile:
        yield Objection(f"{figure.who.name} has no missile weapon {order.weapon}", "DR-050")
    elif situation.tables.weapon(arm.missile).thrown != isinstance(order, orders.Throw):
        verb = "shoot" if isinstance(order, orders.Throw) else "throw"
        yield Objection(f"one does not {_verb(order)} {arm.name}: write `{verb} {arm.name} at …`", "DR-057")
    if target.gone or target.who.seat == figure.who.seat:
        yield Objection(f"{target.who.name} is no enemy on the table", "DR-005")


def shot_objections(situation: Situation, figure: Figure, order: orders.Shoot | orders.Throw) -> Iterator[Objection]:
    """Why a figure cannot shoot now (DR-005, DR-050, DR-060, DR-085, DR-114; DR-021 for what it has done already)."""
    state, tables, name = situation.state, situation.tables, figure.who.name
    arm, target = figure.arm_named(order.weapon), state.figures[order.target]
    if arm is None or not arm.missile or target.gone:
        return
    if figure.fired:
        yield Objection(f"{name} has fired this turn", "DR-005")
    elif figure.aim_turn == state.turn:
        yield Objection(f"{name} is aiming this turn", "DR-060")
    elif (
        figure.halves + tables.action("throw_weapon" if tables.weapon(arm.missile).thrown else "fire_missile").halves
        > 2
    ):
        yield Objection(f"{name} has too little of its move left to {_verb(order)}", "DR-021")
    letter = figure.mood_at(state.turn)
    if letter and not tables.morale_effect(letter).may_fire:
        yield Objection(f"{name} {figure.mood_name} and does not fire", "DR-114")
    if figure.in_hand != arm.name:
        yield Objection(f"{name} has not {arm.name} in hand", "DR-030")
    if arm.name in figure.unloaded:
        yield Objection(f"{arm.name} is not loaded", "DR-030")
    if figure.heavy:
        yield Objection(f"{name} carries {figure.carrying} and has no hand free", "DR-044")
    if barred_by_fight(situation, figure):
        yield Objection(f"{name} and the enemy both fight on: neither may shoot", "DR-085")
    if range_mm(figure, target) > farthest_mm(situation, arm):
        yield Objection(f"{target.who.name} is out of range", "DR-050")
    elif sight(situation, figure, target).verdict == "blocked":
        yield Objection(f"{name} does not see {target.who.name}", "DG-02")


def _verb(order: Order) -> str:
    return str(type(order).__struct_config__.tag)
