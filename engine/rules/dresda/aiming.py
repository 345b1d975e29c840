"""Aimed fire: a turn spent aiming, the shot in the next turn's (b), and how it is lost (DR-060 to DR-065)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from engine.rules.dresda.actions import action_cost, barred_by_fight
from engine.rules.dresda.missiles import Shot, farthest_mm, range_mm, volley
from engine.rules.dresda.orders import Aim
from engine.rules.dresda.sight_and_arcs import sight
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Objection, Yielded
from events.dresda import AimBegun, AimLost, Arm
from projections.dresda.state import Figure


def aim_objections(situation: Situation, figure: Figure, order: Aim) -> Iterator[Objection]:
    """Why a figure cannot begin to aim (DR-060, DR-064)."""
    name, arm = figure.who.name, figure.arm_named(order.weapon)
    target = situation.state.figures[order.target]
    if arm is None or not arm.missile:
        yield Objection(f"{name} has no missile weapon {order.weapon}", "DR-064")
        return
    if not situation.tables.weapon(arm.missile).aimable:
        yield Objection(f"{arm.name} cannot be aimed", "DR-064")  # DA-11: a javelin is a spear, a dagger a knife
    if figure.in_hand != arm.name:
        yield Objection(f"{name} has not {arm.name} in hand", "DR-030")
    if arm.name in figure.unloaded:
        yield Objection(f"{arm.name} is not loaded", "DR-030")
    if target.gone or target.who.seat == figure.who.seat:
        yield Objection(f"{target.who.name} is no enemy on the table", "DR-060")
    if figure.aim_turn == situation.state.turn - 1 and figure.aim_turn:
        yield Objection(f"{name} has an aimed shot to take first", "DR-065")
    elif figure.halves or figure.busy:
        yield Objection(f"{name} is at something else: aiming takes the whole move", "DR-060")
    if arm.name == figure.in_hand and not target.gone:
        yield from _target_objections(situation, figure, arm, target)
    letter = figure.mood_at(situation.state.turn)
    if letter and not situation.tables.morale_effect(letter).may_fire:
        yield Objection(f"{name} {figure.mood_name} and does not fire", "DR-114")


def _target_objections(situation: Situation, figure: Figure, arm: Arm, target: Figure) -> Iterator[Objection]:
    """Why nobody can aim there now: not seen, out of range, or both fight on (DR-063, DR-085)."""
    if barred_by_fight(situation, figure):
        yield Objection(f"{figure.who.name} and the enemy both fight on: neither may shoot", "DR-085")
    if range_mm(figure, target) > farthest_mm(situation, arm):
        yield Objection(f"{target.who.name} is out of range", "DR-063")
    elif sight(situation, figure, target).verdict == "blocked":
        yield Objection(f"{figure.who.name} does not see {target.who.name}", "DR-063")


def begin_aim(situation: Situation, figure: Figure, order: Aim) -> AimBegun:
    """The fact of beginning to aim: the noted target, and the whole move that it takes (DR-003, DR-060, DA-04)."""
    return AimBegun(figure.id, order.weapon, order.target, action_cost(situation, "aim"), "DR-060")


def why_lost(situation: Situation, figure: Figure) -> Objection | None:
    """Why a figure that aimed last turn has lost its shot, or None (DR-062, DR-063)."""
    state = situation.state
    target, arm = state.figures[figure.aim_target], figure.arm_named(figure.aim_weapon)
    letter = figure.mood_at(state.turn)
    if figure.aim_spoilt:
        return Objection("wounded since it began to aim", "DR-062")
    if figure.lost_until >= state.turn or figure.prone:
        return Objection("thrown down since it began to aim", "DR-065")
    if letter and not situation.tables.morale_effect(letter).may_fire:
        return Objection(f"it {figure.mood_name}", "DR-114")
    if arm is None or figure.in_hand != arm.name:
        return Objection(f"{figure.aim_weapon} is not in hand", "DR-065")
    if barred_by_fight(situation, figure):
        return Objection("it and its enemy fight on", "DR-085")
    if target.gone or sight(situation, figure, target).verdict == "blocked":
        return Objection(f"{target.who.name} is out of sight", "DR-063")
    if range_mm(figure, target) > farthest_mm(situation, arm):
        return Objection(f"{target.who.name} is out of range", "DR-063")
    return None


def aimed_fire(situation: Situation) -> Generator[Yielded, Any, None]:
    """Phase (b): whoever aimed last turn, and may still, shoots at the target noted then (DR-004, DR-061, DR-065)."""
    shots: list[Shot] = []
    for figure in situation.state.standing():
        if not figure.aim_turn or figure.aim_turn == situation.state.turn:
            continue
        lost = why_lost(situation, figure)
        if lost is not None:
            yield AimLost(figure.id, lost.reason, lost.rule)
        else:
            shots.append(Shot(figure.id, figure.aim_weapon, figure.aim_target, aimed=True))
    yield from volley(situation, shots)
