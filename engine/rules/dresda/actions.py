"""Actions: what each costs, what it changes, when it is not possible (DR-030 to DR-032)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.field.plane import squared
from engine.orders import AnyOrder
from engine.rules.dresda import orders
from engine.rules.dresda.bases import reaches
from engine.rules.dresda.contact import engaged_now, near
from engine.rules.dresda.doors import CHANGES, door_objections
from engine.rules.dresda.movement import WHOLE
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection
from events.dresda import (
    ActionTaken,
    ArmPicked,
    DoorChanged,
    MountTaken,
    ThingDropped,
    ThingTaken,
    ThingWeighed,
    WeaponPassed,
)
from events.facts import Event, RulingRequested
from projections.dresda.state import Figure

NO, FREE, HALF, ALL = "not possible", "none", "half", "whole"
PRICES: Final[Mapping[str, int]] = {FREE: 0, HALF: 1, ALL: WHOLE}
"""What the referee may say that an unlisted action costs, in half moves (DG-01)."""

LIGHT, HEAVY = "light", "heavy"
LOAD, BODY = "heavy_load", "carrying_a_body"
"""The rows that slow who carries something heavy, or a body."""

_VERBS: Final[Mapping[str, str]] = {
    "aim": "aim",
    "fire_missile": "shoot",
    "throw_weapon": "throw",
    "draw_or_change_weapon": "draw",
    "ready_missile_weapon": "ready",
    "pick_up_item": "take",
    "lift_heavy_object": "take",
    "recover_thrown_weapon": "recover",
    "pass_item": "pass",
    "search_body": "recover",
    "open_or_close_door": "open",
    "bar_door": "bar",
    "break_down_door": "break",
}
"""Actions of the list that need to know of what: they have orders of their own."""


class Deed(Struct, frozen=True):
    """One thing that a figure does: what it costs this turn, and the facts that follow when it does it."""

    name: str
    halves: int
    facts: tuple[Event, ...]


def action_cost(situation: Situation, name: str) -> int:
    """The cost of an action of the list, in half moves (DR-030, DA-04, DA-04a: the same for the wounded)."""
    return situation.tables.action(name).halves


def deeds_of(situation: Situation, figure: Figure, order: AnyOrder, ruled: Mapping[str, str]) -> Iterator[Deed]:
    """What an order makes a figure do. `ruled` holds the referee's answers by key of the question.

    An unlisted action that was not allowed, or not asked about, makes nothing.
    """
    match order:
        case orders.Do():
            for name in order.actions:
                if name in situation.tables.actions:
                    yield listed(situation, figure, name)
                elif (price := ruled.get(unlisted_key(situation, figure, name), NO)) != NO:
                    done = ActionTaken(figure.id, name, PRICES[price], "DR-031")
                    yield Deed(name, done.halves, (done,))
        case orders.Draw():
            yield _taking(situation, figure, "draw_or_change_weapon", in_hand=order.weapon)
        case orders.Ready():
            yield _taking(situation, figure, "ready_missile_weapon", in_hand=order.weapon)
        case orders.Load():
            arm = figure.arm_named(order.weapon)
            if arm is not None and arm.missile:
                yield listed(situation, figure, situation.tables.weapon(arm.missile).reload_action)
        case orders.Mount():
            loose = "" if _own_mount_at_hand(situation, figure) else loose_at_hand(situation, figure)
            deed = _taking(situation, figure, "mount") if loose else listed(situation, figure, "mount")
            taken = (MountTaken(figure.id, loose, "DR-030"),) if loose else ()
            yield Deed(deed.name, deed.halves, (*deed.facts, *taken))
        case orders.Dismount():
            yield listed(situation, figure, "dismount")
        case orders.Stand():
            yield listed(situation, figure, "stand_up")
        case orders.Kneel():
            yield listed(situation, figure, "go_prone_or_kneel")
        case orders.Shield():
            yield _taking(situation, figure, "ready_or_sling_shield", shield_away=order.how == "away")
        case orders.Take():
            yield from _take(situation, figure, order.thing, ruled)
        case orders.Drop():
            yield Deed("drop", 0, (ThingDropped(figure.id, figure.carrying, "DR-030"),))
        case orders.Recover():
            sticks = any(arm.name == order.weapon for arm in situation.state.figures[order.body].stuck)
            deed = _taking(situation, figure, "recover_thrown_weapon" if sticks else "search_body")
            passed = WeaponPassed(order.body, figure.id, order.weapon, sticks, "DR-057" if sticks else "DR-030")
            yield Deed(deed.name, deed.halves, (*deed.facts, passed))
        case orders.Open() | orders.Close() | orders.Bar() | orders.Break():
            change = CHANGES[type(order)]
            deed = _taking(situation, figure, change.action)
            changed = DoorChanged(figure.id, order.door, change.after, "DR-030")
            yield Deed(deed.name, deed.halves, (*deed.facts, changed))
        case orders.Pass():
            deed = _taking(situation, figure, "pass_item")
            passed = WeaponPassed(figure.id, order.taker, order.weapon, False, "DR-030")
            yield Deed(deed.name, deed.halves, (*deed.facts, passed))


def listed(situation: Situation, figure: Figure, name: str) -> Deed:
    """An action of the list with what it changes; one of several turns only begins (DR-030, DR-032)."""
    return _taking(situation, figure, name, **_changes(situation, figure, name))


def going_on(situation: Situation, figure: Figure) -> Deed:
    """What a figure is busy with goes on by itself (DR-032)."""
    return _portion(figure, figure.busy, figure.busy_halves, _changes(situation, figure, figure.busy))


def may_go_on(situation: Situation, figure: Figure) -> bool:
    """Whether nothing keeps a figure from what it is busy with, such as a fight from loading (DR-085)."""
    return not any(_listed_objections(situation, figure, figure.busy))


def _changes(situation: Situation, figure: Figure, name: str) -> dict[str, Any]:
    """What an action of the list changes about who does it."""
    match name:
        case "stand_up":
            return {"prone": False}
        case "go_prone_or_kneel":
            return {"prone": True}
        case "mount" | "dismount":
            return {"mounted": name == "mount"}
        case "light_torch":
            return {"torch": True}
        case "ready_or_sling_shield":
            return {"shield_away": not figure.shield_away}
    loads = _loads(situation, figure, name)
    return {"loaded": loads} if loads else {}


def _taking(situation: Situation, figure: Figure, name: str, **changes: Any) -> Deed:
    return _portion(figure, name, action_cost(situation, name), changes)


def _portion(figure: Figure, name: str, cost: int, changes: Mapping[str, Any]) -> Deed:
    """An action, or as much of it as goes into one turn; what it changes comes when it is finished."""
    if cost > WHOLE:
        return Deed(name, WHOLE, (ActionTaken(figure.id, name, WHOLE, "DR-032", left=cost - WHOLE),))
    return Deed(name, cost, (ActionTaken(figure.id, name, cost, "DR-030", **changes),))


def _loads(situation: Situation, figure: Figure, action: str) -> str:
    """The weapon that an action would load: the first unloaded one that is loaded so."""
    for name in figure.unloaded:
        arm = figure.arm_named(name)
        if arm is not None and arm.missile and situation.tables.weapon(arm.missile).reload_action == action:
            return name
    return ""


def _take(situation: Situation, figure: Figure, thing: str, ruled: Mapping[str, str]) -> Iterator[Deed]:
    """Take up a thing, light or heavy, or somebody's body (DR-044, DG-04)."""
    known = situation.state.things.get(thing)
    if known is None:
        deed = _taking(situation, figure, "lift_heavy_object")
        yield Deed(deed.name, deed.halves, (*deed.facts, ThingTaken(figure.id, thing, BODY, True, "DR-044")))
        return
    if known.arm is not None:  # DR-058: an improvised weapon is picked up to be used
        deed = _taking(situation, figure, "pick_up_item")
        yield Deed(deed.name, deed.halves, (*deed.facts, ArmPicked(figure.id, thing, "DR-058")))
        return
    weight = known.weight or ruled.get(weight_key(situation, thing), LIGHT)
    heavy = weight == HEAVY
    deed = _taking(situation, figure, "lift_heavy_object" if heavy else "pick_up_item")
    weighed = () if known.weight else (ThingWeighed(thing, weight, "DG-04"),)
    taken = ThingTaken(figure.id, thing, LOAD if heavy else "", heavy, "DR-044" if heavy else "DR-030")
    yield Deed(deed.name, deed.halves, (*weighed, *deed.facts, taken))


# ---------------------------------------------------------------------------------------------------- questions


def unlisted_key(situation: Situation, figure: Figure, action: str) -> str:
    """The key of the question about an unlisted action."""
    return f"t{situation.state.turn}/action/{figure.id}/{action}"


def weight_key(situation: Situation, thing: str) -> str:
    """The key of the question about an object's weight."""
    return f"t{situation.state.turn}/weight/{thing}"


def questions_of(situation: Situation, figure: Figure, order: AnyOrder) -> Iterator[RulingRequested]:
    """What must be asked before an order can be done: unlisted actions (DG-01), unknown weights (DG-04)."""
    match order:
        case orders.Do():
            for name in order.actions:
                if name not in situation.tables.actions:
                    yield RulingRequested(
                        unlisted_key(situation, figure, name),
                        "DG-01",
                        f"{figure.who.name} wants to {name}: is it possible, and what does it cost of a move?",
                        (NO, *PRICES),
                        NO,
                    )
        case orders.Take():
            thing = situation.state.things.get(order.thing)
            if thing is not None and not thing.weight and thing.arm is None:
                yield RulingRequested(
                    weight_key(situation, thing.id), "DG-04", f"is {thing.name} a heavy object?", (LIGHT, HEAVY), LIGHT
                )


# ---------------------------------------------------------------------------------------------------- objections


def deed_objections(situation: Situation, figure: Figure, order: AnyOrder) -> Iterator[Objection]:
    """Why a figure cannot do what an order says, whatever it costs (DR-030, DR-085)."""
    name = figure.who.name
    match order:
        case orders.Do():
            for action in order.actions:
                yield from _listed_objections(situation, figure, action)
        case orders.Draw() | orders.Ready():
            arm = figure.arm_named(order.weapon)
            if arm is None:
                yield _has_not(figure, order.weapon)
            elif arm.name == figure.in_hand:
                yield Objection(f"{name} has {arm.name} in hand already", "DR-030")
            elif isinstance(order, orders.Ready) and not arm.missile:
                yield Objection(f"{arm.name} is no missile weapon: write `draw {arm.name}`", "DR-030")
            elif isinstance(order, orders.Ready) and barred_by_fight(situation, figure):
                yield Objection(f"{name} and the enemy both fight on: no missile weapon is readied", "DR-085")
        case orders.Load():
            arm = figure.arm_named(order.weapon)
            if arm is None:
                yield _has_not(figure, order.weapon)
            elif arm.name not in figure.unloaded:
                yield Objection(f"{arm.name} need not be loaded", "DR-030")
            elif figure.busy == situation.tables.weapon(arm.missile).reload_action:
                yield Objection(f"{name} is loading {arm.name} already, and goes on by itself", "DR-032")
            else:
                yield from _listed_objections(situation, figure, situation.tables.weapon(arm.missile).reload_action)
        case orders.Mount():
            yield from _listed_objections(situation, figure, "mount")
        case orders.Dismount():
            yield from _listed_objections(situation, figure, "dismount")
        case orders.Stand():
            yield from _listed_objections(situation, figure, "stand_up")
        case orders.Kneel():
            yield from _listed_objections(situation, figure, "go_prone_or_kneel")
        case orders.Shield():
            if not figure.who.shield:
                yield Objection(f"{name} has no shield", "DR-042")
            elif figure.shield_away == (order.how == "away"):
                yield Objection(f"{name}'s shield is {order.how} already", "DR-030")
        case orders.Open() | orders.Close() | orders.Bar() | orders.Break():
            yield from door_objections(situation, figure, order)
        case orders.Take() | orders.Drop() | orders.Recover() | orders.Pass():
            yield from _thing_objections(situation, figure, order)


def _listed_objections(situation: Situation, figure: Figure, action: str) -> Iterator[Objection]:
    name = figure.who.name
    row = situation.tables.actions.get(action)
    if row is None:
        return
    if action in _VERBS:
        yield Objection(f"`{action}` needs to know of what: use the order `{_VERBS[action]}`", "DR-030")
    elif not (row.mounted if figure.mounted else row.foot):
        yield Objection(f"{name} cannot {_words(action)} {'mounted' if figure.mounted else 'on foot'}", "DR-030")
    elif action == "mount" and not _own_mount_at_hand(situation, figure) and not loose_at_hand(situation, figure):
        yield Objection(f"{name} has no mount at hand", "DR-030")
    elif action == "stand_up" and not figure.prone:
        yield Objection(f"{name} stands already", "DR-030")
    elif action == "go_prone_or_kneel" and figure.prone:
        yield Objection(f"{name} is down already", "DR-030")
    elif action == "ready_or_sling_shield" and not figure.who.shield:
        yield Objection(f"{name} has no shield", "DR-042")
    elif action.startswith("load_") and not _loads(situation, figure, action):
        yield Objection(f"{name} has nothing to load so", "DR-030")
    elif action.startswith("load_") and barred_by_fight(situation, figure):
        yield Objection(f"{name} and the enemy both fight on: no missile weapon is readied", "DR-085")


def _own_mount_at_hand(situation: Situation, figure: Figure) -> bool:
    """Whether a figure's own mount stands within its reach."""
    place = figure.mount_place
    return place is not None and reaches(situation, figure, place, situation.tables.engagement_mm)


def loose_at_hand(situation: Situation, figure: Figure) -> str:
    """Whose loose mount stands within a figure's reach, the nearest first; empty if none does."""
    reach, state = situation.tables.engagement_mm, situation.state
    near = [name for name, mount in state.loose.items() if reaches(situation, figure, mount.place, reach)]
    return min(near, key=lambda name: (squared(figure.place, state.loose[name].place), name), default="")


def _thing_objections(situation: Situation, figure: Figure, order: AnyOrder) -> Iterator[Objection]:
    state, name, reach = situation.state, figure.who.name, situation.tables.engagement_mm
    match order:
        case orders.Take():
            thing, body = state.things.get(order.thing), state.figures.get(order.thing)
            place = thing.place if thing is not None else body.place if body is not None else None
            if figure.carrying:
                yield Objection(f"{name} carries {figure.carrying} already", "DR-030")
            if place is None or not reaches(situation, figure, place, reach):
                yield Objection(f"{order.thing} is out of {name}'s reach", "DR-030")
            elif thing is not None and thing.bearer:
                yield Objection(f"{thing.bearer} carries {thing.name}", "DR-030")
        case orders.Drop():
            if not figure.carrying:
                yield Objection(f"{name} carries nothing", "DR-030")
        case orders.Recover():
            body = state.figures[order.body]
            if body.gone != "dead" or not reaches(situation, figure, body.place, reach):
                yield Objection(f"there is no body of {body.who.name} in {name}'s reach", "DR-057")
            elif all(arm.name != order.weapon for arm in (*body.stuck, *body.arms)):
                has = ", ".join(arm.name for arm in (*body.stuck, *body.arms)) or "nothing"
                yield Objection(f"{body.who.name} has no {order.weapon}; there is {has}", "DR-057")
        case orders.Pass():
            taker = state.figures[order.taker]
            if figure.arm_named(order.weapon) is None:
                yield _has_not(figure, order.weapon)
            if (
                taker.gone
                or taker.id == figure.id
                or taker.who.seat != figure.who.seat
                or not near(situation, figure, taker)
            ):
                yield Objection(f"{taker.who.name} is no friend within reach", "DR-030")


def barred_by_fight(situation: Situation, figure: Figure) -> bool:
    """Whether a figure has fought an enemy since last turn and both fight on: then no missiles (DR-085, DA-16)."""
    state = situation.state
    return _fights_on(situation, figure) and any(
        _fights_on(situation, foe) and _both(state.engaged_before, figure.id, foe.id)
        for foe in engaged_now(situation, figure)
    )


def _fights_on(situation: Situation, figure: Figure) -> bool:
    """Whether a figure has chosen to fight on; who has not said yet by (b) counts as one that does (DA-16a)."""
    return figure.choice == "on" or (not figure.choice and situation.state.phase == "aimed")


def _both(pairs: Sequence[tuple[str, str]], one: str, other: str) -> bool:
    return (one, other) in pairs or (other, one) in pairs


def _has_not(figure: Figure, weapon: str) -> Objection:
    has = ", ".join(arm.name for arm in figure.arms) or "nothing"
    return Objection(f"{figure.who.name} has no {weapon}; it has {has}", "DR-030")


def _words(action: str) -> str:
    return action.replace("_", " ")
