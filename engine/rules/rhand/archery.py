"""Archery and thrown weapons: accuracy, odds, force, volleys (SPX-14)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.field.hexes import arcs_of
from engine.rules.rhand import calls
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.impact import damage_bonus, final_impact
from engine.rules.rhand.orders import Shoot
from engine.rules.rhand.positions import gap, option, sees
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_rows import Missile
from engine.rules.rhand.tables import Tables
from engine.rules.rhand.wounds import Hit, wound
from engine.rules.rule_set import Objection, Yielded, roll_all
from events import rhand as facts
from events.facts import RollCalled, Term
from projections.rhand.captions import words
from projections.rhand.state import Fighter, Rhand


class Flight(Struct, frozen=True, gc=False):
    """A missile in the air."""

    by: str
    target: str
    weapon: str
    volley: bool


def shot_objections(situation: Situation, fighter: Fighter, order: Shoot) -> Iterator[Objection]:
    """Why somebody cannot shoot at a target now."""
    state, tables = situation.state, situation.tables
    target = state.fighters[order.target]
    if not fighter.missile:
        yield Objection(f"{fighter.name} has nothing to shoot with", "SPX-14")
        return
    missile = tables.missile(fighter.missile)
    if fighter.ammunition < 1:
        yield Objection(f"{fighter.name} has nothing left to shoot", "SPX-14")
    if fighter.ready > state.phase:
        yield Objection(f"{fighter.name}'s {words(missile.id)} is ready in phase {fighter.ready}", "SPX-14")
    if fighter.strength + fighter.level(missile.id) < missile.min_strength:
        need = f"{missile.min_strength} of Strength and skill"
        yield Objection(f"{words(missile.id)} needs {need}, {fighter.name} has too little", "SPX-14")
    lame = fighter.lame_arms if missile.kind != "thrown" else f"{fighter.weapon_arm}_arm" in fighter.disabled
    if lame:
        yield Objection(f"{fighter.name} has an arm disabled", "SP-041")
    if target.id == fighter.id or target.out:
        yield Objection(f"{target.name} is no target", "SP-021")
    elif target.seat == fighter.seat and not order.own_side and not first_edition(state):
        yield Objection(f"{target.name} is on the same side: add own_side to shoot at them", "SP-021")
    if not sees(fighter, target.at, tables):
        yield Objection(f"{target.name} is outside {fighter.name}'s Field of Attack", "SPX-11")
    if missile.impact_at(gap(fighter, target)) is None or tables.range_alm(gap(fighter, target)) is None:
        yield Objection(f"{target.name} is out of range, {gap(fighter, target)} hexes away", "SPX-14")


def accuracy(state: Rhand, tables: Tables, flight: Flight) -> tuple[Term, ...]:
    """What makes up the Effective Accuracy Level: skill, weapon, range, size and motion (SPX-14)."""
    shooter, target = state.fighters[flight.by], state.fighters[flight.target]
    missile = tables.missile(flight.weapon)
    hexes = gap(shooter, target)
    band = tables.range_band(hexes)
    assert band is not None, "out of range is no shot, and is refused before"
    moved, aimed_from = tables.motion(_speed(target)), tables.motion(_speed(shooter))
    return (
        Term(f"skill with {words(missile.id)}", shooter.level(missile.id), "SPX-05"),
        Term(words(missile.id), missile.accuracy, "SPX-14", missile.mark("accuracy")),
        Term(f"range {hexes} hexes (3B)", band.alm, "SPX-14", band.mark("alm")),
        _size(state, tables, flight, shooter, target),
        Term("target moves (3D)", moved.target, "SPX-14", moved.mark("target")),
        Term("shooter moves (3D)", aimed_from.shooter, "SPX-14", aimed_from.mark("shooter")),
    )


def _size(state: Rhand, tables: Tables, flight: Flight, shooter: Fighter, target: Fighter) -> Term:
    if flight.volley:
        mass = sum(gap(each, target) <= 1 for each in state.men() if each.seat == target.seat and not each.is_horse)
        rows = [row for row in tables.formations if row.area_sq_ft <= max(1, mass) * tables.constant("man_sq_ft")]
        row = rows[-1] if rows else tables.formations[0]
        return Term(f"a mass of {mass} (3C)", row.alm, "SPX-14", row.mark("alm"))
    size = tables.sizes[_posture(target, shooter)]
    return Term(f"{words(size.id)} (3C)", size.alm, "SPX-14", size.mark("alm"))


def _posture(target: Fighter, shooter: Fighter) -> str:
    """The row of table 3C: what hides the target, or how they stand and move."""
    if target.is_horse:
        return "horse"
    if target.covered_by:
        return target.covered_by
    if target.down:
        return "prone"
    if target.rides:
        return "mounted_rider"
    if target.on_knees:
        return "kneeling"
    if target.fast:
        return "running"
    arcs = arcs_of(target.at, target.facing, shooter.at)
    return "standing_front_or_rear" if {"front", "rear"} & set(arcs) else "standing_side"


def _speed(fighter: Fighter) -> int:
    """How many hexes he moved in his last step of movement, which archery finds him in."""
    return int(Fraction(fighter.pace) * int(fighter.speed))


def land(situation: Situation, flights: Sequence[Flight]) -> Generator[Yielded, Any, None]:
    """All missiles of the phase come down together, after all spells and before movement (SP-016, SA-16)."""
    state, tables = situation.state, situation.tables
    called = [_to_hit(state, tables, flight) for flight in flights]
    rolls = yield from roll_all(called)
    struck: list[tuple[Flight, str]] = []
    for flight, call, reading in zip(flights, called, rolls, strict=True):
        parts = accuracy(state, tables, flight)
        yield facts.ShotJudged(
            flight.by, flight.target, flight.weapon, sum(part.value for part in parts), call.target,
            bool(reading.success), call.key, terms=parts,
        )  # fmt: skip
        if reading.success:
            struck.append((flight, call.key.removesuffix("/hit")))
    volleys = [(flight, key) for flight, key in struck if flight.volley]
    stops = yield from roll_all([_stopped(state, tables, flight, key) for flight, key in volleys])
    gone = {key for (_, key), reading in zip(volleys, stops, strict=True) if reading.success}
    for flight, key in volleys:
        if key in gone:
            yield facts.ShotStopped(flight.by, flight.target, f"{key}/shield")
    hits = [_hit(state, tables, flight, key) for flight, key in struck if key not in gone]
    yield from wound(situation, hits)


def _to_hit(state: Rhand, tables: Tables, flight: Flight) -> RollCalled:
    shooter, target = state.fighters[flight.by], state.fighters[flight.target]
    parts = accuracy(state, tables, flight)
    level = sum(term.value for term in parts)
    odds = tables.archery_odds(level)
    told = ", ".join(f"{term.label} {term.value:+d}" for term in parts)
    terms = (Term(f"table 3E, accuracy {level}: {told}", odds, "SPX-14", tables.accuracy_source),)
    key = f"t{state.phase}/release/{shooter.id}>{target.id}/hit"
    what = f"{shooter.name}'s {words(flight.weapon)} at {target.name}, accuracy {level} (3E)"
    return calls.to_hit(
        key, what, shooter.seat, shooter.id, odds, terms, "SPX-14", option(state, "hit_die", "00-99")
    )  # fmt: skip


def _stopped(state: Rhand, tables: Tables, flight: Flight, key: str) -> RollCalled:
    shooter, stopped = state.fighters[flight.by], tables.constants["volley_stopped_pct"]
    return calls.below(
        f"{key}/shield", "whether shield or ground stop it", shooter.seat, shooter.id, stopped.value,
        (Term("a volley into shields", stopped.value, "SPX-14", stopped.mark("value")),), "SPX-14", "stopped",
    )  # fmt: skip


def force(missile: Missile, hexes: int, bonus: Fraction) -> int:
    """The Impact Damage of a missile: of a bow as listed, of a throw times the Damage Bonus (SPX-14)."""
    listed = missile.impact_at(hexes) or 0
    return final_impact(listed, bonus) if missile.kind == "thrown" else listed


def _hit(state: Rhand, tables: Tables, flight: Flight, key: str) -> Hit:
    shooter, target = state.fighters[flight.by], state.fighters[flight.target]
    missile = tables.missile(flight.weapon)
    impact = force(missile, gap(shooter, target), damage_bonus(shooter, tables))
    terms = (Term(f"impact of {words(missile.id)}", impact, "SPX-14", missile.mark("impact")),)
    return Hit(target.id, shooter.id, shooter.seat, key, missile.table, impact, terms=terms)
