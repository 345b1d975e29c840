"""What a hit does: location, armour, Physical Damage, disabled limbs, knockout (SP-034 to SP-046)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from msgspec import Struct

from engine.rules.rhand import calls
from engine.rules.rhand.positions import foot_speed, option
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_rows import Location
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Yielded, ask, roll_all
from events import rhand as facts
from events.facts import RollCalled, RulingRequested, Term
from projections.rhand.captions import words
from projections.rhand.state import Fighter


class Hit(Struct, frozen=True, gc=False):
    """A blow or missile that hit: whom, by whom, on which damage table, with what impact.

    `aim` is the location that was aimed at, `ahead` by how many levels the striker is the better (SPX-18). `terms` tell
    where the impact is from, `keys` name its roll.
    """

    victim: str
    by: str
    seat: str
    key: str
    table: str
    impact: int
    aim: str = ""
    ahead: int = 0
    terms: tuple[Term, ...] = ()
    keys: tuple[str, ...] = ()


def wound(situation: Situation, hits: Sequence[Hit]) -> Generator[Yielded, Any, None]:
    """Carry out what hits do, in log order: where, how badly, which limbs, who goes down (SP-035 to SP-044)."""
    places = yield from _locations(situation, hits)
    checks: list[tuple[RollCalled, int]] = []
    for hit, place in zip(hits, places, strict=True):
        struck = _struck(situation, hit, *place)
        yield struck
        if struck.damage == 0:  # SA-09: no wound, no knockout
            continue
        yield from _limb(situation, struck)
        call = knockout_roll(situation, struck.fighter, struck.total, f"{hit.key}/knockout")
        if call is not None:
            checks.append((call, struck.total))
    yield from knockouts(situation, checks)


def _locations(situation: Situation, hits: Sequence[Hit]) -> Generator[Yielded, Any, list[tuple[Location, str]]]:
    """Find where each hit strikes: on the top line of its table, or where it was aimed (SP-035, SPX-18).

    Gives each location with the key of the roll that decided it.
    """
    tables = situation.tables
    places: list[tuple[Location, str] | None] = [None] * len(hits)
    aimed = [(at, hit) for at, hit in enumerate(hits) if hit.aim]
    rolls = yield from roll_all([_aim(situation, hit) for _, hit in aimed])
    for (at, hit), rolled in zip(aimed, rolls, strict=True):
        place = tables.damage[hit.table].named(hit.aim)
        if rolled.success and place is not None:
            places[at] = (place, f"{hit.key}/aim")
    attempt = 1
    while open_ones := [(at, hit) for at, hit in enumerate(hits) if places[at] is None]:
        again = "" if attempt == 1 else f"/{attempt}"
        called = [
            calls.location(
                f"{hit.key}/location{again}", _where(situation, hit), hit.seat, hit.by, tables.damage[hit.table]
            )
            for _, hit in open_ones
        ]
        rolls = yield from roll_all(called)
        for (at, hit), call, rolled in zip(open_ones, called, rolls, strict=True):
            found = tables.damage[hit.table].location(rolled.total)
            if found.id != hit.aim:  # a place that was missed is not struck by chance after all (SPX-18)
                places[at] = (found, call.key)
        attempt += 1
    return [place for place in places if place is not None]


def _where(situation: Situation, hit: Hit) -> str:
    return f"where {situation.state.fighters[hit.victim].name} is struck [table {hit.table}]"


def _aim(situation: Situation, hit: Hit) -> RollCalled:
    place = situation.tables.damage[hit.table].named(hit.aim)
    width = place.width if place is not None else 0
    chance = width * hit.ahead
    terms = (Term(f"{width} wide, {hit.ahead} levels ahead", chance, "SPX-18"),)
    purpose = f"whether the {words(hit.aim)} is struck as aimed"
    return calls.below(f"{hit.key}/aim", purpose, hit.seat, hit.by, chance, terms, "SPX-18", "as aimed", (None, 100))


def _struck(situation: Situation, hit: Hit, place: Location, key: str) -> facts.Struck:
    """Cross impact with armour, and add the damage to the running total (SP-036 to SP-039)."""
    tables, victim = situation.tables, situation.state.fighters[hit.victim]
    table, impact = tables.damage[hit.table], _on_horse(victim, tables, place, hit.impact)
    damage = table.damage(place, impact, victim.armor_class)
    rule, row = "SP-036" if damage else "SA-09", table.row(impact) or 0
    cell = f"table {hit.table}, {words(place.id)}, row {row}, column {victim.armor_class}"
    found = Term(cell, damage, rule, table.source_at(place, impact, victim.armor_class))
    return facts.Struck(
        fighter=victim.id, by=hit.by, location=place.id, limb=place.limb, table=hit.table, impact=impact,
        row=row, column=victim.armor_class, damage=damage, total=victim.total + damage, key=key, rule=rule,
        terms=(*hit.terms, found), keys=hit.keys,
    )  # fmt: skip


def _on_horse(victim: Fighter, tables: Tables, place: Location, impact: int) -> int:
    """A horse takes part of the impact only (SPX-16)."""
    if not victim.is_horse:
        return impact
    mount = tables.mount(victim.mount)
    return impact // (mount.body_divisor if place.limb == "vital" else mount.leg_divisor)


def disables(tables: Tables, limb: str, damage: int, leg: str = "over") -> bool:
    """Whether the damage of one blow disables a limb: over its limit, or for a leg at it (SP-040, SA-04)."""
    row = tables.disabling.get(limb)
    if row is None:
        return False
    return damage >= row.over if limb == "leg" and leg == "at_least" else damage > row.over


def _limb(situation: Situation, struck: facts.Struck) -> Generator[Yielded, Any, None]:
    state = situation.state
    leg = option(state, "leg_disabling", "over")
    if not disables(situation.tables, struck.limb, struck.damage, leg):
        return
    rule = "SA-04" if struck.limb == "leg" else "SP-040"
    yield facts.LimbDisabled(struck.fighter, struck.location, struck.damage, rule)


def knockout_roll(situation: Situation, who: str, total: int, key: str) -> RollCalled | None:
    """The roll that follows a wound, at the damage in all that it brought; None where there is no chance (SP-042)."""
    victim = situation.state.fighters[who]
    bracket = situation.tables.knockout_bracket(total, victim.knockout_value)
    if bracket is None or bracket.chance == 0:
        return None
    chance, mark = bracket.chance, bracket.mark("chance")
    terms = (Term(f"total {total} against Knockout Value {victim.knockout_value}", chance, "SP-042", mark),)
    purpose = f"whether {victim.name} is knocked out"
    return calls.below(key, purpose, victim.seat, victim.id, chance, terms, "SP-043", "knocked out")


def knockouts(situation: Situation, checks: Sequence[tuple[RollCalled, int]]) -> Generator[Yielded, Any, None]:
    """Roll for every wound, each with its total, in log order (SA-08); who is down already cannot go down again."""
    rolls = yield from roll_all([call for call, _ in checks])
    for (call, total), rolled in zip(checks, rolls, strict=True):
        victim = situation.state.fighters[call.piece]
        if rolled.success and not victim.down:
            yield facts.KnockedOut(victim.id, total, call.target, call.key)
            yield from fallen_horse(situation, victim.id)


def fallen_horse(situation: Situation, horse: str) -> Generator[Yielded, Any, None]:
    """When a horse goes down its rider is on foot; whether he is hurt is the referee's (SPX-16)."""
    rider = situation.state.rider_of(horse)
    if rider is None:
        return
    key = f"t{situation.state.phase}/fall/{rider.id}"
    question = RulingRequested(
        key,
        "SPX-16",
        f"{rider.name}'s horse falls: does he come off unhurt or is he down?",
        ("unhurt", "down"),
        "unhurt",
    )
    answer = yield from ask(question)
    yield facts.Unhorsed(rider.id, horse, str(foot_speed(rider, situation.tables)))
    if answer == "down" and not rider.down:
        yield facts.SpellTook(rider.id, rider.id, "fall", "down", rule="SPX-16")
