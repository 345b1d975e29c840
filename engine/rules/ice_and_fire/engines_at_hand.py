"""What a unit does to engines with its own hands: take one over that nobody serves, or break one (IF-101, IF-280)."""

from __future__ import annotations

from engine.rules.ice_and_fire.breaking import break_pool
from engine.rules.ice_and_fire.calls import against, call, outcome
from engine.rules.ice_and_fire.carried import Carried
from engine.rules.ice_and_fire.engines import damage_engine
from engine.rules.ice_and_fire.ground import next_to, rectangle, walled_off, yards
from engine.rules.ice_and_fire.melee import Refusal, lapse
from engine.rules.ice_and_fire.moving import LESSER, begin
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.rule_set import Procedure
from events.ice_and_fire.siege import EngineServed
from events.ice_and_fire.units import UnitActed
from projections.ice_and_fire.state import Engine, Unit, is_with


def crew_of(situation: Situation, engine: Engine) -> Unit | None:
    """The unit that serves an engine and is with it; men who are destroyed serve nothing."""
    crew = situation.state.units.get(engine.crew)
    return crew if crew is not None and crew.fights and is_with(crew, engine) else None


def serves(situation: Situation, unit: Unit, engine: Engine) -> bool:
    """Whether a unit serves an engine and is with it."""
    crew = crew_of(situation, engine)
    return crew is not None and crew.id == unit.id


def serve_refusal(situation: Situation, unit: Unit, engine: Engine) -> Refusal | None:
    """Why a unit cannot take an engine over now: it is served, too far, or wants men on foot (IF-272, IF-280)."""
    if engine.destroyed:
        return Refusal(f"{engine.name} is destroyed", "IF-280")
    crew = crew_of(situation, engine)
    if crew is not None and crew.id != unit.id:
        return Refusal(f"{crew.name} serves {engine.name}", "IF-280")
    if crew is not None:
        return Refusal(f"{unit.name} serves {engine.name} already", "IF-280")
    if unit.mounted:
        return Refusal(f"{unit.name} is mounted", "IF-280")
    if not at_engine(situation, unit, engine):
        return Refusal(f"{engine.name} is not within reach", "IF-280")
    return None


def at_engine(situation: Situation, unit: Unit, engine: Engine) -> bool:
    """Whether a unit is beside an engine, or beside the men who serve it, with no wall between."""
    if walled_off(situation, unit.at, engine.at):
        return False
    crew = crew_of(situation, engine)
    if crew is not None and crew.id != unit.id and next_to(situation, unit, crew):
        return True
    box, reach = rectangle(unit).outline(), yards(situation, situation.tables.number("engine_reach_yd"))
    return box.west - reach <= engine.at.x <= box.east + reach and box.south - reach <= engine.at.y <= box.north + reach


def serve(situation: Situation, unit: str, engine: str, text: str) -> Procedure:
    """Take over an engine, whoever's it was: a lesser action (IF-280)."""
    it, machine = situation.state.units[unit], situation.state.engines[engine]
    refusal = serve_refusal(situation, it, machine)
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    yield from begin(situation, unit, "serve")
    yield EngineServed(engine, unit, it.seat, "IF-280")


def break_engine(situation: Situation, unit: str, engine: str, carried: Carried, text: str) -> Procedure:
    """Break an engine by hand: Athletics (Strength), and what it does is lessened by the engine's rating (IF-101).

    As for fire arrows and machines, the target number is that of an object.
    """
    it, target = situation.state.units[unit], situation.state.engines[engine]
    refusal = None
    if target.destroyed:
        refusal = Refusal(f"{target.name} is destroyed already", "IF-101")
    elif it.attacked:
        refusal = Refusal("it has attacked already", "IF-006")
    elif not at_engine(situation, it, target):
        refusal = Refusal(f"{target.name} is not within reach", "IF-101")
    if refusal is not None:
        yield lapse(unit, text, refusal)
        return
    yield UnitActed(unit, "break", LESSER["lesser"], "IF-101", attack=True)
    it = situation.state.units[unit]
    key = f"t{situation.state.table.turn}/break/{unit}>{engine}"
    lines = (against(situation.tables.number("object_tn"), target.name, "IF-272", "house"),)
    pool = break_pool(situation, it, engine, carried)
    made = call(key, f"{it.name} breaks {target.name}", it.seat, unit, pool, lines, "IF-101")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    harm = max(it.profile.abilities["athletics"] * result.degrees - target.ar, 0)
    yield from damage_engine(situation, engine, harm, "IF-101", key)
