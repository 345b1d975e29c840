"""What the facts about ground, walls, engines and fire do to the field."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from events.facts import Event
from events.ice_and_fire import siege as facts
from projections.battle_state import Reducer
from projections.ice_and_fire.state import BattleField, Engine, Fire, Gate, Ground, Unit, Wall


def _field(state: BattleField, event: facts.FieldLaid) -> BattleField:
    return replace(
        state,
        width=event.width,
        height=event.height,
        mm_each_yard=event.mm_each_yard,
        last_turn=event.last_turn,
        light=event.light,
        weather=event.weather,
    )


def _ground(state: BattleField, event: facts.GroundMarked) -> BattleField:
    ground = Ground(event.id, event.name, event.terrain, event.corners, event.uphill, event.otherwise)
    return replace(state, grounds={**state.grounds, event.id: ground})


def _named(state: BattleField, event: facts.GroundNamed) -> BattleField:
    ground = replace(state.grounds[event.ground], terrain=event.terrain)
    return replace(state, grounds={**state.grounds, event.ground: ground})


def _wall(state: BattleField, event: facts.WallBuilt) -> BattleField:
    wall = Wall(
        event.id,
        event.name,
        event.wall,
        event.start,
        event.end,
        event.break_tn,
        event.seat,
        event.earthworks,
        event.battlements,
        event.stores,
        event.unsaid,
    )
    return replace(state, walls={**state.walls, event.id: wall})


def _gate(state: BattleField, event: facts.GateHung) -> BattleField:
    gate = Gate(
        event.id, event.name, event.gate, event.start, event.end, event.break_tn, event.doors, event.seat
    )  # fmt: skip
    return replace(state, gates={**state.gates, event.id: gate})


def _engine(state: BattleField, event: facts.EnginePlaced) -> BattleField:
    engine = Engine(
        event.id,
        event.name,
        event.seat,
        event.engine,
        event.crew,
        event.at,
        event.ar,
        event.health,
        event.throws,
    )
    return replace(state, engines={**state.engines, event.id: engine})


def _engine_moved(state: BattleField, event: facts.EngineMoved) -> BattleField:
    engine = replace(state.engines[event.engine], at=event.at)
    return replace(state, engines={**state.engines, event.engine: engine})


def _served(state: BattleField, event: facts.EngineServed) -> BattleField:
    engine = replace(state.engines[event.engine], crew=event.unit, seat=event.seat)
    return replace(state, engines={**state.engines, event.engine: engine})


def _fired(state: BattleField, event: facts.EngineFired) -> BattleField:
    engine = replace(state.engines[event.engine], fired=event.turn)
    return replace(state, engines={**state.engines, event.engine: engine})


def _engine_damaged(state: BattleField, event: facts.EngineDamaged) -> BattleField:
    engine = replace(state.engines[event.engine], damage=event.total)
    return replace(state, engines={**state.engines, event.engine: engine})


def _engine_destroyed(state: BattleField, event: facts.EngineDestroyed) -> BattleField:
    engine = replace(state.engines[event.engine], destroyed=True)
    fires = {name: fire for name, fire in state.fires.items() if name != event.engine}
    return replace(state, engines={**state.engines, event.engine: engine}, fires=fires)


def _with(state: BattleField, unit: Unit) -> BattleField:
    return replace(state, units={**state.units, unit.id: unit})


def _gear_shattered(state: BattleField, event: facts.GearShattered) -> BattleField:
    unit = state.units[event.unit]
    return _with(state, replace(unit, gear=tuple(each for each in unit.gear if each != event.gear)))


def _climbed(state: BattleField, event: facts.WallClimbed) -> BattleField:
    unit = state.units[event.unit]
    return _with(state, replace(unit, climbed={**unit.climbed, event.wall: event.degrees}))


def _mounted(state: BattleField, event: facts.WallMounted) -> BattleField:
    unit = state.units[event.unit]
    climbed = {name: degrees for name, degrees in unit.climbed.items() if name != event.wall}
    unit = replace(
        unit,
        on_wall=event.wall,
        at=event.at,
        facing=event.facing,
        contested=event.contested,
        climbed=climbed,
        moved=True,
    )
    wall = state.walls[event.wall]
    if wall.taken_by and wall.taken_by != event.unit:
        state = replace(state, walls={**state.walls, wall.id: replace(wall, followed_turn=event.turn)})
    return _with(state, unit)


def _wall_left(state: BattleField, event: facts.WallLeft) -> BattleField:
    unit = replace(state.units[event.unit], on_wall="", contested=False, at=event.at)
    return _with(state, unit)


def _taken(state: BattleField, event: facts.WallTaken) -> BattleField:
    wall = replace(state.walls[event.wall], taken_by=event.unit, gear=event.gear)
    state = replace(state, walls={**state.walls, event.wall: wall})
    unit = state.units[event.unit]
    return _with(state, replace(unit, contested=False))


def _struck(state: BattleField, event: facts.StructureStruck) -> BattleField:
    name = event.structure
    if name in state.walls:
        return replace(state, walls={**state.walls, name: replace(state.walls[name], break_tn=event.left)})
    if name in state.gates:
        return replace(state, gates={**state.gates, name: replace(state.gates[name], break_tn=event.left)})
    return replace(state, grounds={**state.grounds, name: replace(state.grounds[name], break_tn=event.left)})


def _door(state: BattleField, event: facts.DoorBroken) -> BattleField:
    gate = replace(state.gates[event.gate], doors=event.doors, break_tn=event.break_tn)
    return replace(state, gates={**state.gates, event.gate: gate})


def _way_name(state: BattleField, event: facts.PassageOpened) -> str:
    """What people call a narrow way: after the wall, gate or trench that it leads through or over."""
    for kind in (state.walls, state.gates):
        if event.over in kind:
            return f"the way through {kind[event.over].name}"
    return f"the bridge over {state.grounds[event.over].name}" if event.over in state.grounds else event.id


def _opened(state: BattleField, event: facts.PassageOpened) -> BattleField:
    passage = Ground(
        event.id,
        _way_name(state, event),
        "narrow_passage",
        event.corners,
        over=event.over,
        breach=event.breach,
        break_tn=event.break_tn,
    )
    state = replace(state, grounds={**state.grounds, event.id: passage})
    if event.over in state.walls:
        wall = replace(state.walls[event.over], broken=True)
        state = replace(state, walls={**state.walls, event.over: wall})
    return state


def _closed(state: BattleField, event: facts.PassageClosed) -> BattleField:
    return replace(state, grounds={name: each for name, each in state.grounds.items() if name != event.passage})


def _used(state: BattleField, event: facts.PassageUsed) -> BattleField:
    passage = state.grounds[event.passage]
    return replace(state, grounds={**state.grounds, passage.id: replace(passage, used=passage.used + 1)})


def _bridge(state: BattleField, event: facts.BridgeWorked) -> BattleField:
    ground = replace(state.grounds[event.ground], worked=event.rounds)
    return replace(state, grounds={**state.grounds, event.ground: ground})


def _fire(state: BattleField, event: facts.FireStarted) -> BattleField:
    if event.rounds <= 0:
        return state
    old = state.fires.get(event.target)
    lit = old.lit if old is not None else state.table.turn
    fire = Fire(event.target, event.damage, event.rounds, event.by, lit)
    return replace(state, fires={**state.fires, event.target: fire})


def _burned(state: BattleField, event: facts.FireBurned) -> BattleField:
    fires = {name: fire for name, fire in state.fires.items() if name != event.target}
    if event.rounds > 0 and event.target in state.fires:
        fires[event.target] = replace(state.fires[event.target], rounds=event.rounds)
    return replace(state, fires=fires)


SIEGE_REDUCERS: Mapping[type[Event], Reducer] = {
    facts.FieldLaid: _field,
    facts.GroundMarked: _ground,
    facts.GroundNamed: _named,
    facts.WallBuilt: _wall,
    facts.GateHung: _gate,
    facts.EnginePlaced: _engine,
    facts.EngineMoved: _engine_moved,
    facts.EngineServed: _served,
    facts.EngineFired: _fired,
    facts.EngineDamaged: _engine_damaged,
    facts.EngineDestroyed: _engine_destroyed,
    facts.GearShattered: _gear_shattered,
    facts.WallClimbed: _climbed,
    facts.WallMounted: _mounted,
    facts.WallLeft: _wall_left,
    facts.WallTaken: _taken,
    facts.StructureStruck: _struck,
    facts.DoorBroken: _door,
    facts.PassageOpened: _opened,
    facts.PassageClosed: _closed,
    facts.PassageUsed: _used,
    facts.BridgeWorked: _bridge,
    facts.FireStarted: _fire,
    facts.FireBurned: _burned,
}
