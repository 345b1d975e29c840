"""Who holds a wall once somebody on it is routed (IF-256, IF-257, AMB-33, AMB-34a)."""

from __future__ import annotations

from engine.rules.ice_and_fire.calls import Pool, kept_dice, spare_dice
from engine.rules.ice_and_fire.carried import ALONE, order_shares
from engine.rules.ice_and_fire.condition import one_test, step, worsen
from engine.rules.ice_and_fire.ground import engine_of, manning, touches
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import beside
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Procedure
from events.ice_and_fire.siege import EngineDestroyed, GearShattered, WallLeft, WallTaken
from events.ice_and_fire.units import StanceLeft
from projections.ice_and_fire.state import Unit, Wall, is_with


def after_rout(situation: Situation, unit: str, by: str, *, melee: bool) -> Procedure:
    """A unit routed on a wall is driven off it: the wall may change hands (IF-257), gear may be broken (IF-256).

    By whatever it was routed: `by` names the unit whose attack did it, or is empty; `melee` says that it was a blow.
    """
    it = situation.state.units[unit]
    if step(it.condition) < step("routed"):
        return
    if it.contested or "scaling" in it.stances:
        yield from _fall_back(situation, unit, by)
        return
    wall = situation.state.walls.get(it.on_wall)
    if wall is None or not by:
        return
    yield WallLeft(unit, beside(it, wall.start, wall.end, inside=wall.taken_by != it.id), "IF-257")
    winner = situation.state.units[by]
    if melee and not manning(situation.state, wall.id, against=winner.seat):
        gear = tuple(each for each in winner.gear if situation.tables.gear[each].climb_dice)
        yield WallTaken(wall.id, by, gear, "IF-257")


def _fall_back(situation: Situation, unit: str, by: str) -> Procedure:
    """A routed unit that was climbing is off the wall, and its defenders may break what it climbed with (IF-256).

    It is the unit that routed it, if that mans the wall, else the first that does.
    """
    it = situation.state.units[unit]
    walls = [wall for _, wall in sorted(situation.state.walls.items()) if _climbs(situation, it, wall)]
    if it.on_wall:
        wall = situation.state.walls[it.on_wall]
        yield WallLeft(unit, beside(it, wall.start, wall.end, inside=False), "IF-257")
    if "scaling" in it.stances:
        yield StanceLeft(unit, "scaling", "IF-256")
    men = [each.id for wall in walls for each in manning(situation.state, wall.id, against=it.seat)]
    if men:
        yield from shatter_gear(situation, unit, by if by in men else men[0])


def _climbs(situation: Situation, unit: Unit, wall: Wall) -> bool:
    """Whether a wall is the one that a climbing unit is on, or at the foot of."""
    return wall.id == unit.on_wall if unit.on_wall else touches(situation, unit, wall.start, wall.end)


def wreck(situation: Situation, engine: str, rule: str) -> Procedure:
    """An engine is no more; the men in a tower are destroyed with it (IF-274)."""
    it = situation.state.engines[engine]
    yield EngineDestroyed(engine, rule)
    crew = situation.state.units.get(it.crew)
    if it.engine == "siege_tower" and crew is not None and is_with(crew, it):
        yield from worsen(situation, it.crew, "destroyed", f"{it.name} comes down", "IF-274")


def shatter_gear(situation: Situation, unit: str, by: str) -> Procedure:
    """Defenders try to break what a routed unit climbed with: a test of Athletics, once, free (IF-256, AMB-33)."""
    it, defender = situation.state.units[unit], situation.state.units[by]
    pool = Pool(
        (
            kept_dice(defender.profile.abilities["athletics"], f"athletics of {defender.name}", "AMB-33"),
            spare_dice(bonus_dice(defender.profile, "athletics", "strength"), "strength", "AMB-33"),
            *order_shares(defender, ALONE),
            *weather_shares(situation, "athletics"),
        ),
        defender.profile.abilities["athletics"],
    )
    climbing = [gear for gear in it.gear if situation.tables.gear[gear].shatter_tn]
    tower = engine_of(situation.state, unit, "siege_tower")
    for gear in [*climbing, *(["siege_tower"] if tower else [])]:
        key = f"t{situation.state.table.turn}/shatter/{by}>{unit}/{gear}"
        row = situation.tables.gear[gear]
        purpose = f"{defender.name} breaks the {row.name} of {it.name}"
        result = yield from one_test(situation, key, purpose, defender, pool, row.shatter_tn, row.name, "IF-256")
        if result.success and gear == "siege_tower" and tower:
            yield from wreck(situation, tower, "IF-256")
        elif result.success:
            yield GearShattered(unit, gear, by, "IF-256", key)
