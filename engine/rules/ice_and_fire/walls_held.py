"""Who holds a wall once somebody on it is routed (IF-256, IF-257, AMB-33, AMB-34a)."""

from __future__ import annotations

from engine.rules.ice_and_fire.carried import ALONE, order_shares
from engine.rules.ice_and_fire.condition import one_test, step
from engine.rules.ice_and_fire.ground import Field, engine_of, manning
from engine.rules.ice_and_fire.pools import Pool, kept_dice, spare_dice
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.ways import beside
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Procedure
from events.ice_and_fire.siege import EngineDestroyed, GearShattered, WallLeft, WallTaken
from projections.ice_and_fire.state import Unit


def after_rout(field: Field, unit: str, by: str, *, melee: bool) -> Procedure:
    """A unit routed on a wall is thrown off: the wall may change hands (IF-257), gear may be broken (IF-256)."""
    it = field.state.units[unit]
    if not it.on_wall and "scaling" not in it.stances:
        return
    if step(it.condition) < step("routed"):
        return
    name = it.on_wall or _wall_scaled(it)
    wall = field.state.walls.get(name)
    if wall is None:
        return
    climber = it.contested or not it.on_wall
    if it.on_wall:
        inside = not climber and field.state.walls[name].taken_by != it.id
        yield WallLeft(unit, beside(it, wall.start, wall.end, inside=inside), "IF-257")
    if climber:
        yield from shatter_gear(field, unit, by)
        return
    winner = field.state.units[by]
    won = melee and winner.on_wall == name and not manning(field.state, name, against=winner.seat)
    if won:
        gear = tuple(each for each in winner.gear if field.tables.gear[each].climb_dice)
        yield WallTaken(name, by, gear, "IF-257")


def _wall_scaled(unit: Unit) -> str:
    return next(iter(sorted(unit.climbed)), "")


def shatter_gear(field: Field, unit: str, by: str) -> Procedure:
    """Defenders try to break what a routed unit climbed with: a test of Athletics, once, free (IF-256, AMB-33)."""
    it, defender = field.state.units[unit], field.state.units[by]
    pool = Pool(
        (
            kept_dice(defender.profile.abilities["athletics"], f"athletics of {defender.name}", "AMB-33"),
            spare_dice(bonus_dice(defender.profile, "athletics", "strength"), "strength", "AMB-33"),
            *order_shares(defender, ALONE),
            *weather_shares(field, "athletics"),
        ),
        defender.profile.abilities["athletics"],
    )
    climbing = [gear for gear in it.gear if field.tables.gear[gear].shatter_tn]
    tower = engine_of(field.state, unit, "siege_tower")
    for gear in [*climbing, *(["siege_tower"] if tower else [])]:
        key = f"t{field.state.table.turn}/shatter/{by}>{unit}/{gear}"
        row = field.tables.gear[gear]
        purpose = f"{defender.name} breaks the {row.name} of {it.name}"
        result = yield from one_test(field, key, purpose, defender, pool, row.shatter_tn, row.name, "IF-256")
        if result.success and gear == "siege_tower" and tower:
            yield EngineDestroyed(tower, "IF-256")
        elif result.success:
            yield GearShattered(unit, gear, by, "IF-256", key)
