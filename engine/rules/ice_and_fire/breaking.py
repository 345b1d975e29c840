"""Breaking gates and walls, ways over trenches (IF-254, IF-260 to IF-262, IF-275, IF-276, B-90)."""

from __future__ import annotations

from engine.field.plane import along, bearing, distance_mm
from engine.field.rectangle import Rectangle
from engine.rules.ice_and_fire.calls import Pool, against, call, kept_dice, outcome, spare_dice
from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.ground import area, called, engine_of, outline, rectangle, touches, yards
from engine.rules.ice_and_fire.melee import Refusal, lapse
from engine.rules.ice_and_fire.moving import LESSER
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Procedure, ask
from events.facts import RulingRequested
from events.ice_and_fire.siege import BridgeWorked, DoorBroken, PassageClosed, PassageOpened, StructureStruck
from events.ice_and_fire.units import UnitActed
from events.places import Point
from projections.ice_and_fire.state import Unit

NEVER = "not at all"


def break_tn(situation: Situation, structure: str) -> int:
    """The target number that is left of a wall, gate or bridge; 0 if it cannot be broken any more."""
    state = situation.state
    if structure in state.walls:
        return 0 if state.walls[structure].broken else state.walls[structure].break_tn
    if structure in state.gates:
        return state.gates[structure].break_tn if state.gates[structure].doors else 0
    return state.grounds[structure].break_tn if structure in state.grounds else 0


def break_refusal(situation: Situation, unit: Unit, structure: str) -> Refusal | None:
    """Why a unit cannot break something now (IF-006, IF-276)."""
    if break_tn(situation, structure) <= 0:
        return Refusal(f"{called(situation.state, structure)} needs no breaking", "IF-260")
    if unit.attacked:
        return Refusal("it has attacked already", "IF-006")
    if unit.moved and engine_of(situation.state, unit.id, "capped_ram"):
        return Refusal("a capped ram cannot move and strike in one round", "IF-276")
    if not _at(situation, unit, structure):
        return Refusal(f"{called(situation.state, structure)} is not within reach", "IF-101")
    return None


def _at(situation: Situation, unit: Unit, structure: str) -> bool:
    line = situation.state.walls.get(structure) or situation.state.gates.get(structure)
    if line is not None:
        return touches(situation, unit, line.start, line.end)
    shape = area(situation.state.grounds[structure].corners)
    near = yards(situation, situation.tables.number("adjacent_yd"))
    stand = rectangle(unit)
    wide = Rectangle(stand.centre, stand.width + 2 * near, stand.depth + 2 * near, stand.facing)
    return shape.meets(outline(wide)) != "apart"


def ram_ranks(situation: Situation, unit: Unit, structure: str) -> int:
    """The ranks of Athletics that rams add: a capped one for gates only (IF-275, IF-276, AMB-36)."""
    if structure in situation.state.engines:
        return 0
    gate = structure in situation.state.gates
    rows = [situation.tables.gear[name] for name in unit.gear]
    if engine_of(situation.state, unit.id, "capped_ram"):
        rows.append(situation.tables.gear["capped_ram"])
    return max([0, *(row.ram_gate if gate else row.ram_wall for row in rows)])


def break_pool(situation: Situation, unit: Unit, structure: str, carried: Carried) -> Pool:
    """Athletics (Strength), with the ranks that a ram adds (IF-262, IF-275, AMB-35)."""
    ranks, athletics = ram_ranks(situation, unit, structure), unit.profile.abilities["athletics"]
    shares = [
        kept_dice(athletics, f"athletics of {unit.name}", "B-01"),
        spare_dice(bonus_dice(unit.profile, "athletics", "strength"), "strength", "B-02"),
        *order_shares(unit, carried),
        *weather_shares(situation, "athletics"),
    ]
    if ranks:
        shares.append(kept_dice(ranks, "ram", "IF-275"))
    return Pool(tuple(shares), athletics + ranks)


def break_open(situation: Situation, unit: str, structure: str, carried: Carried, text: str) -> Procedure:
    """A test of Athletics (Strength) against what is left; success takes Athletics × degrees (IF-262, AMB-35)."""
    it = situation.state.units[unit]
    refusal = break_refusal(situation, it, structure)
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    yield UnitActed(unit, "break", LESSER["lesser"], "IF-101", attack=True)
    it = situation.state.units[unit]
    pool = break_pool(situation, it, structure, carried)
    key = f"t{situation.state.table.turn}/break/{unit}>{structure}"
    tn = break_tn(situation, structure)
    lines = (against(tn, f"{called(situation.state, structure)}, what is left of it", "IF-262"),)
    made = call(key, f"{it.name} breaks {called(situation.state, structure)}", it.seat, unit, pool, lines, "IF-101")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    if result.success:
        strength = it.profile.abilities["athletics"] + ram_ranks(situation, it, structure)
        yield from weaken(situation, structure, unit, strength * result.degrees, it.at, "IF-262", key)


def weaken(situation: Situation, structure: str, by: str, amount: int, near: Point, rule: str, key: str) -> Procedure:
    """Take from a target number, for the battle; at nothing a door, a wall or a bridge gives way (AMB-35)."""
    if amount <= 0:
        return
    left = break_tn(situation, structure) - amount
    yield StructureStruck(structure, by, amount, left, rule, key)
    if left > 0:
        return
    state = situation.state
    if structure in state.gates:
        gate = state.gates[structure]
        doors = gate.doors - 1
        yield DoorBroken(structure, doors, situation.tables.gates[gate.gate].break_tn, "IF-252")
        if not doors:
            corners = gap(situation, gate.start, gate.end, near)
            yield PassageOpened(f"way_{structure}", structure, corners, False, 0, "IF-260")
    elif structure in state.walls:
        wall = state.walls[structure]
        stone = situation.tables.walls[wall.wall].of_stone
        corners = gap(situation, wall.start, wall.end, near)
        yield PassageOpened(f"breach_{structure}", structure, corners, stone, 0, "IF-260")
    else:
        yield PassageClosed(structure, "IF-254")


def gap(situation: Situation, start: Point, end: Point, near: Point) -> tuple[Point, ...]:
    """The narrow way through a wall or gate, at the place nearest to whoever broke it (IF-260)."""
    length = distance_mm(start, end)
    width = min(yards(situation, situation.tables.number("passage_yd")), length)
    dx, dy = end.x - start.x, end.y - start.y
    ahead = ((near.x - start.x) * dx + (near.y - start.y) * dy) // max(length, 1)
    middle = along(start, end, min(max(ahead, width // 2), length - width // 2))
    return Rectangle(middle, width, width, (bearing(start, end) + 90) % 360).corners()


def bridge(situation: Situation, unit: str, trench: str, text: str) -> Procedure:
    """Work on a way over a trench; how long it takes is the referee's to say (IF-254, RUL-09)."""
    it = situation.state.units[unit]
    if not _at(situation, it, trench):
        yield lapse(unit, text, Refusal(f"{situation.state.grounds[trench].name} is not within reach", "IF-254"))
        return
    rounds = situation.state.ruling(f"bridge/{trench}", "")
    if not rounds:
        question = f"how many battle rounds does a way over {situation.state.grounds[trench].name} take?"
        choices = ("1", "2", "3", NEVER)
        rounds = yield from ask(RulingRequested(f"battle/bridge/{trench}", "RUL-09", question, choices, "1"))
    if rounds == NEVER:
        yield lapse(unit, text, Refusal("there is no way to bridge it", "RUL-09"))
        return
    yield UnitActed(unit, "bridge", LESSER["greater"], "IF-254")
    worked = situation.state.grounds[trench].worked + 1
    yield BridgeWorked(unit, trench, worked, "IF-254")
    if worked >= int(rounds):
        number = sum(1 for ground in situation.state.grounds.values() if ground.over == trench) + 1
        tn = situation.tables.number("bridge_tn")
        yield PassageOpened(f"bridge{number}_{trench}", trench, across(situation, it, trench), False, tn, "IF-254")


def across(situation: Situation, unit: Unit, trench: str) -> tuple[Point, ...]:
    """The way over a trench, straight ahead of the unit and a little beyond the far edge."""
    shape = area(situation.state.grounds[trench].corners)
    stand = rectangle(unit)
    step, far, entered = yards(situation, 1), 0, False
    while far < situation.state.width + situation.state.height:
        far += step
        inside = shape.contains(stand.advanced(far).centre)
        if entered and not inside:
            break
        entered = entered or inside
    width = yards(situation, situation.tables.number("passage_yd"))
    middle = stand.advanced(far // 2).centre
    return Rectangle(middle, width, far + 2 * step, unit.facing).corners()
