"""What the facts about heroes do to the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.facts import Event
from events.ice_and_fire import heroes as facts
from projections.battle_state import Reducer
from projections.ice_and_fire.state import BattleField


def _changed(state: BattleField, hero: str, **what: Any) -> BattleField:
    return replace(state, heroes={**state.heroes, hero: replace(state.heroes[hero], **what)})


def _spent(state: BattleField, event: facts.RoundsSpent) -> BattleField:
    spent = getattr(state.heroes[event.hero], event.on)
    return _changed(state, event.hero, **{event.on: spent + event.rounds})


def _attached(state: BattleField, event: facts.HeroAttached) -> BattleField:
    at = state.units[event.unit].at
    return _changed(state, event.hero, unit=event.unit, at=at, leader=event.leader, foe="", foe_damage=0)


def _alone(state: BattleField, event: facts.HeroAlone) -> BattleField:
    return _changed(state, event.hero, unit="", at=event.at, leader=False)


def _moved(state: BattleField, event: facts.HeroMoved) -> BattleField:
    return _changed(state, event.hero, at=event.at)


def _nothing(state: BattleField, event: Event) -> BattleField:
    return state


def _hurt(state: BattleField, event: facts.HeroHurt) -> BattleField:
    return _changed(state, event.hero, damage=event.total, injuries=event.injuries, wounds=event.wounds)


def _fell(state: BattleField, event: facts.HeroFell) -> BattleField:
    hero = state.heroes[event.hero]
    at = state.units[hero.unit].at if hero.unit else hero.at
    return _changed(state, event.hero, fate=event.fate, at=at, unit="", leader=False)


def _soldier_hurt(state: BattleField, event: facts.SoldierHurt) -> BattleField:
    return _changed(state, event.hero, foe=event.unit, foe_damage=event.total)


def _soldier_felled(state: BattleField, event: facts.SoldierFelled) -> BattleField:
    felled = state.heroes[event.hero].felled + 1
    state = _changed(state, event.hero, foe="", foe_damage=0, felled=felled)
    unit = state.units[event.unit]
    return replace(state, units={**state.units, event.unit: replace(unit, felled=unit.felled + 1)})


HERO_REDUCERS: Mapping[type[Event], Reducer] = {
    facts.RoundsSpent: _spent,
    facts.HeroAttached: _attached,
    facts.HeroAlone: _alone,
    facts.HeroMoved: _moved,
    facts.Struck: _nothing,
    facts.HeroHurt: _hurt,
    facts.HeroFell: _fell,
    facts.SoldierHurt: _soldier_hurt,
    facts.SoldierFelled: _soldier_felled,
}
