"""What heroes do for their units: join, inspire, lead, take command (IF-046 to IF-056)."""

from __future__ import annotations

from engine.field.plane import distance_mm, towards
from engine.rules.ice_and_fire.calls import against, call, kept_dice, outcome
from engine.rules.ice_and_fire.command import can_spend, hero_pool, rounds_used
from engine.rules.ice_and_fire.ground import adjacent_foes, next_to, place_of, rectangle, yards
from engine.rules.ice_and_fire.melee import Refusal, lapse
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import rounds_to
from engine.rules.rule_set import Procedure
from events.ice_and_fire.heroes import HeroAlone, HeroAttached, HeroMoved, RoundsSpent
from events.ice_and_fire.units import Inspired, PostTaken
from events.places import Point
from projections.ice_and_fire.state import Hero, Unit

DEEDS = {"inspire": "IF-052", "lead": "IF-053", "first": "IF-054"}


def attach(situation: Situation, hero: str, unit: str, text: str, *, leading: bool = False) -> Procedure:
    """Join an adjacent unit, leaving the other: a hero is with one at a time (IF-040, IF-048)."""
    him, it = situation.state.heroes[hero], situation.state.units[unit]
    if not _reaches(situation, him, it) or not it.on_field or it.seat != him.seat:
        yield lapse(hero, text, Refusal(f"{it.name} is not next to {him.name}", "IF-048"))
    elif not can_spend(situation, him, "deeds"):
        yield lapse(hero, text, Refusal(f"{him.name} has no time left", "IF-046"))
    else:
        yield RoundsSpent(hero, "deeds", 1, "IF-048")
        yield HeroAttached(hero, unit, "IF-048", leading and situation.state.leader(unit) is None)


def _reaches(situation: Situation, him: Hero, unit: Unit) -> bool:
    """Whether a hero is next to a unit: his own unit is, or he stands within ten yards of it."""
    if him.unit:
        return next_to(situation, situation.state.units[him.unit], unit)
    corners = rectangle(unit).outline()
    near = yards(situation, situation.tables.number("hero_reach_yd"))
    at = place_of(situation.state, him)
    return corners.west - near <= at.x <= corners.east + near and corners.south - near <= at.y <= corners.north + near


def deed_refusal(situation: Situation, him: Hero, deed: str) -> Refusal | None:
    """Why a hero's deed does nothing for his unit now (IF-052 to IF-056, AMB-10, AMB-11a)."""
    it = situation.state.units.get(him.unit)
    if it is None:
        return Refusal(f"{him.name} is with no unit", "IF-056")
    if it.spirit is not None:
        return Refusal(f"{it.name} has had its hero's deed this round", "IF-056")
    if deed == "inspire" and not him.leader:
        return Refusal(f"{him.name} does not lead {it.name}", "IF-052")
    if deed == "lead" and not adjacent_foes(situation, it):
        return Refusal(f"{it.name} is not in melee", "IF-053")
    if deed == "first" and "wedge" not in it.stances:
        return Refusal(f"{it.name} is in no wedge", "IF-054")
    if not can_spend(situation, him, "deeds"):
        return Refusal(f"{him.name} has no time left", "IF-046")
    return None


def deed(situation: Situation, hero: str, what: str, text: str) -> Procedure:
    """Inspire the troops, lead from the front, ride first in the wedge (IF-052 to IF-054)."""
    him = situation.state.heroes[hero]
    refusal = deed_refusal(situation, him, what)
    if refusal is not None:
        yield lapse(hero, text, refusal)
        return
    yield RoundsSpent(hero, "deeds", 1, DEEDS[what])
    bonus = penalty = 0
    key = ""
    if what in ("inspire", "first"):
        key = f"t{situation.state.table.turn}/inspire/{hero}"
        more = [kept_dice(1, "with the unit", "IF-047")]
        if what == "first":
            more.append(kept_dice(1, "leads from the front", "IF-053"))
        pool = hero_pool(situation, him, "warfare", "command", more)
        tn = situation.tables.number("inspire_tn")
        lines = (against(tn, "to inspire", "IF-052"),)
        made = call(
            key, f"{him.name} inspires {situation.state.units[him.unit].name}", him.seat, hero, pool, lines, "IF-052"
        )
        reading = yield made
        result = outcome(situation.tables, reading, made.target)
        bonus, penalty = result.degrees, int(result.critical)
    only = "charge" if what == "first" else ""
    yield Inspired(him.unit, hero, what, bonus, penalty, only, DEEDS[what], key)  # type: ignore[arg-type]


def take_post(situation: Situation, hero: str, post: str) -> Procedure:
    """A hero takes a post over; for this round all below him feel it (IF-016 to IF-018)."""
    yield PostTaken(post, hero, situation.state.table.turn, "IF-016")


def ride(situation: Situation, hero: str, to: Point, text: str) -> Procedure:
    """A hero goes somewhere by themselves, two moves a combat round; they leave their unit, if they are with one.

    IF-040: a hero is attached to a unit at will; to join another, or this one again, takes an action (IF-048).
    """
    him = situation.state.heroes[hero]
    move = yards(situation, him.profile.move_yd)
    here, left = (
        place_of(situation.state, him),
        situation.tables.number("combat_rounds") - rounds_used(situation.state, him),
    )
    if left <= 0:
        yield lapse(hero, text, Refusal(f"{him.name} has no time left", "IF-046"))
        return
    if him.unit:
        yield HeroAlone(hero, here, "IF-040")
    there = towards(here, to, 2 * move * left)
    yield RoundsSpent(hero, "moving", max(rounds_to(distance_mm(here, there), move), 1), "IF-046")
    yield HeroMoved(hero, there, "IF-046")
