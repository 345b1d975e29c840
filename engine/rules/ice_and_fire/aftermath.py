"""After the battle: what it cost, what was learned, who joins whom (§10, §11)."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from itertools import combinations
from typing import Any

from engine.orders import read_recorded
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.moving import half_organized, withdraw
from engine.rules.ice_and_fire.orders import GRAMMAR, Join
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.tables import Tables
from engine.rules.rolls import RollFor, total_of
from engine.rules.rule_set import Procedure, Yielded, ask, roll_all
from events.facts import OrderLapsed, RollCalled, RulingRequested
from events.ice_and_fire.units import CasualtiesCounted, SideWithdraws, SideWithdrew, TrainingReckoned, UnitsMerged
from projections.ice_and_fire.state import BattleField, Unit, worse


def finished(state: BattleField) -> tuple[str, str] | None:
    """Why the battle is over and who has won, or None (IF-180 to IF-183)."""
    seats = [seat.id for seat in state.table.seats]
    for seat in seats:
        if seat in state.withdrawn:
            others = [other for other in seats if other != seat and other not in state.withdrawn]
            return f"{seat} has drawn off", others[0] if len(others) == 1 else ""
    standing = [seat for seat in seats if any(unit.fights for unit in state.units.values() if unit.seat == seat)]
    if len(standing) <= 1 < len(seats):
        return "one side is gone from the field", standing[0] if standing else ""
    if state.last_turn and state.table.turn >= state.last_turn:
        return "night falls", ""
    return None


def withdraw_side(situation: Situation, seat: str) -> Procedure:
    """A side is told to draw off, and its units that can withdraw at once; the battle ends with the round (IF-181)."""
    yield SideWithdraws(seat, "IF-181")
    for name in sorted(situation.state.units):
        unit = situation.state.units[name]
        if unit.seat == seat and unit.fights and unit.condition != "routed" and not unit.acted:
            yield from withdraw(situation, name, None)


def draw_off(situation: Situation) -> Procedure:
    """At the end of the round: a side draws off in good order if half its units are organized then (IF-182, IF-183)."""
    for seat in situation.state.withdrawing:
        yield SideWithdrew(seat, half_organized(situation.state, seat), "IF-182")


def final_condition(state: BattleField, unit: Unit) -> str:
    """The condition that counts: one worse in an army that drew off in disorder (IF-183, AMB-28).

    Not for a unit that left earlier in good order (IF-184).
    """
    disorder = state.withdrawn.get(unit.seat) is False
    if disorder and not (unit.left == "quit" and unit.good_order):
        return worse(unit.condition, 1)
    return unit.condition


def outcome_of(state: BattleField, unit: Unit) -> str:
    """How the battle ended for a unit (IF-190, AMB-28, AMB-28a)."""
    condition = final_condition(state, unit)
    if condition != "organized":
        return condition
    if unit.times_disorganized or unit.times_routed or step(unit.condition):
        return "bloodied"
    return "tested" if unit.hurt else "unscathed"


def added_men(tables: Tables, unit: Unit, outcome: str) -> int:
    """What is added to the roll for times disorganized and routed (IF-192, IF-193)."""
    row = tables.casualty_modifiers.get(outcome)
    if row is None:
        return 0
    again = max(unit.times_disorganized - 1, 0) * row.again_disorganized
    routed = row.first_routed * min(unit.times_routed, 1) + row.again_routed * max(unit.times_routed - 1, 0)
    return again + routed


def men_lost(rolled: int, added: int, felled: int, men: int, *, mounted: bool, felled_last: bool, halve: int) -> int:
    """The men lost: the roll and what is added, not below nothing; those felled by heroes; half for horsemen, rounded
    up; at most all (IF-194, IF-195, IF-196, AMB-29).

    >>> men_lost(7, 3, 0, 50, mounted=True, felled_last=False, halve=2)
    5
    """
    lost = max(rolled + added, 0)
    if not felled_last:
        lost += felled
    if mounted:
        lost = -(-lost // halve)
    if felled_last:
        lost += felled
    return min(lost, men)


def count(situation: Situation) -> Procedure:
    """Roll the casualties of every unit and reckon its training (IF-191 to IF-200)."""
    state, tables = situation.state, situation.tables
    units = [state.units[name] for name in sorted(state.units)]
    calls = []
    for unit in units:
        ended = outcome_of(state, unit)
        dice = tables.casualties[unit.rank][ended]
        calls.append(casualty_call(f"battle/casualties/{unit.id}", unit, ended, dice))
    readings = yield from roll_all(calls)
    last = state.table.option("hero_kills", "before_halving") == "after_halving"
    for unit, call, reading in zip(units, calls, readings, strict=True):
        ended = outcome_of(state, unit)
        added = added_men(tables, unit, ended)
        halve = tables.number("casualty_rider")
        lost = men_lost(
            reading.total, added, unit.felled, unit.men, mounted=unit.mounted, felled_last=last, halve=halve
        )  # fmt: skip
        yield CasualtiesCounted(unit.id, ended, reading.total, added, unit.felled, lost, "IF-191", call.key)
        yield trained(tables, situation.state.units[unit.id])


def casualty_call(key: str, unit: Unit, ended: str, dice: str) -> RollCalled:
    """Call for a casualty roll, with the chance of every result."""
    what = RollFor(key, f"{unit.name}, {ended}: men lost", unit.seat, unit.id, "IF-191")
    return total_of(what, dice, most_listed=12)


def trained(tables: Tables, unit: Unit) -> TrainingReckoned:
    """A survivor has a battle more; empty places count as nothing; few men lower the rank (IF-198 to 200, AMB-30).

    `training` is the average over all places, the empty ones too. The men who were there share what it comes to, those
    who are left gain one each, and the average is taken again: so it stays about the years and the battles of the
    average man (IF-070). Called after the losses are counted.
    """
    before = unit.men + unit.casualties
    each = Fraction(*unit.training) * unit.establishment / before + 1 if before else Fraction(0)
    new = each * unit.men / unit.establishment
    pair = (new.numerator, new.denominator)
    rank, shaken = rank_by_strength(tables, pair, unit.men, unit.establishment)
    return TrainingReckoned(unit.id, pair, rank, shaken, "IF-198")


def rank_by_strength(tables: Tables, training: tuple[int, int], men: int, establishment: int) -> tuple[str, bool]:
    """The rank by training, one lower at 80 in 100 men, two at 50; below raw is raw and disorganized (IF-199, IF-200).

    A squad's limits are 8 and 5 men, or 4 and 2 with horses (AMB-01).
    """
    ranks = list(tables.ranks)
    place = ranks.index(tables.rank_of(training))
    if men <= establishment * tables.number("half_strength_pct") // 100:
        place -= 2
    elif men <= establishment * tables.number("understrength_pct") // 100:
        place -= 1
    return ranks[max(place, 0)], place < 0


def merge_refusal(one: Unit, other: Unit) -> str:
    """Why a unit cannot take another in once the casualties are known; empty if it can (IF-201)."""
    if one.id == other.id or one.type != other.type or one.seat != other.seat:
        return f"{other.name} is no other unit of its side and type"
    if one.merged or other.merged:
        return f"{(one if one.merged else other).name} has joined another unit"
    if not one.men or not other.men:
        return f"{(other if one.men else one).name} has no men left"
    if one.men + other.men > one.establishment:
        return f"together they are {one.men + other.men} men of {one.establishment}"
    return ""


def can_merge(state: BattleField) -> bool:
    """Whether any two units may merge."""
    units = sorted(state.units.values(), key=lambda unit: unit.id)
    return any(not merge_refusal(one, other) for one, other in combinations(units, 2))


def merge(situation: Situation) -> Procedure:
    """Carry out the orders to merge, by unit (IF-201, RUL-08)."""
    state = situation.state
    waiting = sorted((order.piece, order.text) for order in state.table.orders if order.slot == "merge")
    for piece, text in waiting:
        order = read_recorded(text, GRAMMAR)
        assert isinstance(order, Join)
        one, other = situation.state.units[piece], situation.state.units[order.unit]
        refusal = merge_refusal(one, other)
        if refusal:
            yield OrderLapsed(piece, text, refusal, "IF-201")
            continue
        upgraded = yield from _better_kit(situation, one, other)
        men = one.men + other.men
        both = Fraction(*one.training) * one.establishment + Fraction(*other.training) * other.establishment
        whole = both / one.establishment
        pair = (whole.numerator, whole.denominator)
        yield UnitsMerged(piece, other.id, men, pair, upgraded, "IF-201")
        rank, shaken = rank_by_strength(situation.tables, pair, men, one.establishment)
        yield TrainingReckoned(piece, pair, rank, shaken, "IF-199")


def _better_kit(situation: Situation, one: Unit, other: Unit) -> Generator[Yielded, Any, bool]:
    """The lower quality, unless the referee lets a victor keep the better (RUL-08)."""
    if one.upgraded == other.upgraded:
        return one.upgraded
    if situation.state.table.winner not in ("", one.seat):
        return False
    over = finished(situation.state)
    if over is None or over[1] != one.seat:
        return False
    key = f"battle/kit/{one.id}"
    question = f"may {one.name} and {other.name} keep the better equipment between them?"
    answer = yield from ask(RulingRequested(key, "RUL-08", question, ("no", "yes"), "no"))
    return answer == "yes"
