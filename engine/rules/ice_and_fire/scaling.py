"""Walls: climbing, manning, taking cover (IF-240 to IF-257)."""

from __future__ import annotations

from engine.rules.ice_and_fire.calls import Pool, against, call, kept_dice, outcome, penalty_dice, spare_dice
from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.condition import step
from engine.rules.ice_and_fire.ground import in_tower, is_inside, manning, touches, yards
from engine.rules.ice_and_fire.melee import Refusal, attack, lapse
from engine.rules.ice_and_fire.moving import begin, drag_engines, engines_with, keep_up
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.ways import allowance, on_top
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Procedure
from events.ice_and_fire.siege import WallClimbed, WallMounted, WallTaken
from events.ice_and_fire.units import StanceLeft, StanceTaken
from projections.ice_and_fire.state import Unit, Wall


def scale_refusal(situation: Situation, unit: Unit, wall: Wall) -> Refusal | None:
    """Why a unit cannot scale a wall now (IF-225, IF-241, IF-257)."""
    if unit.mounted:
        return Refusal("mounted men cannot scale walls", "IF-241")
    if unit.on_wall == wall.id:
        return Refusal(f"it is on {wall.name} already", "IF-241")
    if not touches(situation, unit, wall.start, wall.end):
        return Refusal(f"{wall.name} is not within reach", "IF-110")
    if ours(situation, unit, wall) and wall.followed_turn == situation.state.table.turn:
        return Refusal(f"a unit has gone up {wall.name} this round already", "IF-257")
    return None


def ours(situation: Situation, unit: Unit, wall: Wall) -> bool:
    """Whether the wall has been taken by the unit's own side."""
    taker = situation.state.units.get(wall.taken_by)
    return taker is not None and taker.seat == unit.seat and not manning(situation.state, wall.id, against=unit.seat)


def scale(
    situation: Situation, unit: str, wall: str, carried: Carried, text: str, *, twice: bool, target: str, weapon: str
) -> Procedure:  # fmt: skip
    """Climb a wall: once or twice in the round, and strike at who mans it (IF-110, IF-255, AMB-34, AMB-34a)."""
    refusal = scale_refusal(situation, situation.state.units[unit], situation.state.walls[wall])
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    for _ in range(2 if twice else 1):
        it = situation.state.units[unit]
        if it.on_wall == wall or step(it.condition) >= step("routed"):
            break
        yield from begin(situation, unit, "scale")
        yield from _try(situation, unit, wall, carried)
    it = situation.state.units[unit]
    if target and it.on_wall == wall and it.lesser < 2:
        yield from attack(situation, unit, target, weapon, carried, text)


def climb_pool(situation: Situation, unit: Unit, wall: Wall, carried: Carried) -> Pool:
    """Athletics (Climb), with gear, without foes above, without gear where it takes some (IF-255, IF-270, IF-271)."""
    row = situation.tables.walls[wall.wall]
    gear = [situation.tables.gear[name] for name in unit.gear if situation.tables.gear[name].climb_dice]
    shares = [
        kept_dice(unit.profile.abilities["athletics"], f"athletics of {unit.name}", "B-01"),
        spare_dice(bonus_dice(unit.profile, "athletics", "climb"), "climb", "B-02"),
        *order_shares(unit, carried),
        *weather_shares(situation, "athletics"),
    ]
    if gear:
        best = max(gear, key=lambda each: each.climb_dice)
        shares.append(kept_dice(best.climb_dice, best.name, "IF-270" if best.id == "grapnels" else "IF-271"))
    elif row.scale_tn >= situation.tables.number("no_gear_tn"):
        shares.append(penalty_dice(1, "nothing to climb with", "IF-255"))
    if not manning(situation.state, wall.id, against=unit.seat):
        shares.append(kept_dice(situation.tables.number("unmanned_dice"), "nobody above", "IF-255"))
    return Pool(tuple(shares), unit.profile.abilities["athletics"])


def _try(situation: Situation, unit: str, wall: str, carried: Carried) -> Procedure:
    it, line = situation.state.units[unit], situation.state.walls[wall]
    tower = in_tower(situation, it)
    if not tower:
        yield StanceTaken(unit, "scaling", "IF-110")
    if tower or ours(situation, it, line):
        yield from _up(situation, unit, wall, "IF-273" if tower else "IF-257")
        return
    row = situation.tables.walls[line.wall]
    tries = it.lesser
    key = f"t{situation.state.table.turn}/scale/{unit}/{wall}/{tries}"
    lines = (against(row.scale_tn, line.name, "IF-249"),)
    pool = climb_pool(situation, it, line, carried)
    made = call(key, f"{it.name} climbs {line.name}", it.seat, unit, pool, lines, "IF-255")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    if not result.success:
        return
    degrees = it.climbed.get(wall, 0) + result.degrees
    yield WallClimbed(unit, wall, degrees, "IF-255", key)
    if degrees >= row.scale_degrees:
        yield from _up(situation, unit, wall, "IF-255")


def _up(situation: Situation, unit: str, wall: str, rule: str) -> Procedure:
    """On top: in melee with whoever mans the wall; nobody there, and it is theirs (AMB-34a)."""
    it, line = situation.state.units[unit], situation.state.walls[wall]
    at, facing = on_top(it, line.start, line.end, inward=not is_inside(line, it.at))
    foes = manning(situation.state, wall, against=it.seat)
    turn = situation.state.table.turn
    yield WallMounted(unit, wall, at, facing, bool(foes), turn, rule)
    yield from keep_up(situation, unit, yards(situation, 2))
    if (
        not foes
        and not ours(situation, situation.state.units[unit], situation.state.walls[wall])
        and line.seat != it.seat
    ):
        gear = tuple(each for each in it.gear if situation.tables.gear[each].climb_dice)
        yield WallTaken(wall, unit, gear, "IF-257")


def man(situation: Situation, unit: str, wall: str, text: str) -> Procedure:
    """Go up on one's own wall from within (IF-243); a palisade without battlements has no place to stand (IF-249)."""
    it, line = situation.state.units[unit], situation.state.walls[wall]
    refusal = man_refusal(situation, it, line)
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    yield from begin(situation, unit, "man")
    if "shield_wall" in it.stances:
        yield StanceLeft(unit, "shield_wall", "IF-135")
    with_it = engines_with(situation, unit)
    at, facing = on_top(it, line.start, line.end, inward=False)
    foes = manning(situation.state, wall, against=it.seat)
    yield WallMounted(unit, wall, at, facing, bool(foes), situation.state.table.turn, "IF-243")
    yield from drag_engines(situation, unit, with_it)


def man_refusal(situation: Situation, unit: Unit, wall: Wall) -> Refusal | None:
    """Why a unit cannot man a wall."""
    if unit.mounted:
        return Refusal("mounted men cannot man walls", "IF-241")
    if not wall.battlements:
        return Refusal(f"{wall.name} has no battlements", "IF-249")
    if not is_inside(wall, unit.at):
        return Refusal(f"{wall.name} is manned from within", "IF-243")
    reach = allowance(situation, unit, situation.tables.actions["man"].move_rounds)
    at, _ = on_top(unit, wall.start, wall.end, inward=False)
    if max(abs(at.x - unit.at.x), abs(at.y - unit.at.y)) > reach:
        return Refusal(f"{wall.name} is too far away", "IF-107")
    return None


def take_cover(situation: Situation, unit: str, text: str) -> Procedure:
    """A whole turn with heads down: no shot can be aimed at the unit (IF-246)."""
    it = situation.state.units[unit]
    if not it.on_wall or it.contested:
        yield lapse(unit, text, Refusal("it mans no wall", "IF-246"))
        return
    yield from begin(situation, unit, "cover")
    yield StanceTaken(unit, "taking_cover", "IF-246")
