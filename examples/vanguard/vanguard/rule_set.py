"""Vanguard as the engine plays it: orders, whose they are, what speaks against them, which act comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from vanguard.facts import Arrived, GroundLaid
from vanguard.fights import fights
from vanguard.marching import ALLOWANCE, blocked, cost, marching, route_towards
from vanguard.state import Field, fold
from vanguard.tables import Tables, loader
from wardiary.facts import Event, Fold, Hex, HexMap, digits_of
from wardiary.rules import (
    AnyOrder,
    Loader,
    Objection,
    Order,
    OrderSlot,
    Piece,
    Procedure,
    RuleSet,
    Scenario,
    ScenarioInvalid,
    Situation,
    Vocabulary,
    hexes,
    read_part,
)

Here: TypeAlias = Situation[Field, Tables]
Count = Annotated[int, Meta(ge=1, le=99)]


class March(Order, frozen=True, gc=False, tag="march"):
    """March from hex to hex: foot up to 2, horse up to 4; woods cost 2."""

    path: tuple[Hex, ...]


class Attack(Order, frozen=True, gc=False, tag="attack"):
    """Attack an enemy next to you, after everybody has marched."""

    target: Piece


class UnitPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit in a scenario file."""

    seat: str
    at: str
    strength: Count
    steadiness: Annotated[int, Meta(ge=1, le=5)] = 4
    horse: bool = False


class MapPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The map in a scenario file."""

    columns: Count
    rows: Count
    turns: Count = 8
    woods: tuple[str, ...] = ()


class Vanguard(RuleSet):
    """The rule set."""

    name, edition = "vanguard", "1"
    grammar: tuple[type[AnyOrder], ...] = (March, Attack)

    def fold(self) -> Fold:
        return fold()

    def loader(self) -> Loader[Tables]:
        return loader()

    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        laid = read_part(scenario.rest.get("map", {}), MapPart, "map")
        units = read_part(scenario.rest.get("unit", {}), dict[str, UnitPart], "unit")
        names = HexMap(laid.columns, laid.rows).names()
        wrong = [f"map.woods: {name!r} is not on the map" for name in laid.woods if name not in names]
        for name, unit in units.items():
            wrong += [f"unit.{name}.seat: no side {unit.seat!r}"] if unit.seat not in scenario.seats else []
            wrong += [f"unit.{name}.at: {unit.at!r} is not on the map"] if unit.at not in names else []
        if wrong or not units:
            raise ScenarioInvalid(wrong or ["unit: there is no unit"])
        ground = GroundLaid(laid.columns, laid.rows, tuple(map(hexes.hex_named, laid.woods)), laid.turns)
        return [
            ground,
            *(
                Arrived(name, unit.seat, unit.horse, unit.strength, unit.steadiness, hexes.hex_named(unit.at))
                for name, unit in sorted(units.items())
            ),
        ]

    def vocabulary(self, situation: Here) -> Vocabulary:
        field = situation.state
        return Vocabulary({name: name for name in field.standing()}, {"hexes": field.map.names()})

    def owner(self, situation: Here, piece: str) -> str:
        return situation.state.units[piece].seat

    def slot_for(self, situation: Here, order: AnyOrder) -> OrderSlot:
        return OrderSlot("marching" if isinstance(order, March) else "fights")

    def objections(self, situation: Here, order: AnyOrder) -> Iterator[Objection]:
        field = situation.state
        assert isinstance(order, March | Attack)
        unit = field.units[order.piece]
        if unit.shaken:
            yield Objection(f"{order.piece} is shaken and must keep still", "VG-5")
        if isinstance(order, Attack) and field.units[order.target].seat == unit.seat:
            yield Objection(f"{order.target} is on the same side", "VG-3")
        if isinstance(order, March):
            yield from _against_march(field, order)

    def next_act(self, situation: Here) -> str:
        return f"t{situation.state.table.turn}/marching"

    def next_automatic_act(self, situation: Here) -> str:
        return f"t{situation.state.table.turn}/fights" if situation.after("marching") else ""

    def orders_for(self, act: str) -> tuple[str, ...]:
        return "marching", "fights"

    def procedure(self, situation: Here, act: str) -> Procedure:
        if act.endswith("/marching"):
            return marching(situation, [(order.piece, order.path) for order in self.in_hand(situation)])
        return fights(situation, [(order.piece, order.target) for order in self.in_hand(situation)])

    def autoplay(self, situation: Here, seat: str) -> Sequence[AnyOrder]:
        """Everybody goes for the nearest enemy, and attacks if the way leads next to it."""
        field, found = situation.state, list[AnyOrder]()
        foes = {name: unit for name, unit in field.standing().items() if unit.seat != seat}
        for name, unit in field.standing().items():
            if unit.seat != seat or unit.shaken or not foes:
                continue
            foe = min(foes, key=lambda each: (hexes.distance(unit.at, foes[each].at), each))
            path = route_towards(field, name, foes[foe].at)
            found += [March(name, path)] if path else []
            if hexes.distance(path[-1] if path else unit.at, foes[foe].at) == 1:
                found.append(Attack(name, foe))
        return found


def _against_march(field: Field, order: March) -> Iterator[Objection]:
    """What speaks against a march (VG-1, VG-2)."""
    unit, here = field.units[order.piece], field.units[order.piece].at
    for place in order.path:
        if hexes.distance(here, place) != 1:
            yield Objection(f"{digits_of(place)} is not next to {digits_of(here)}", "VG-1")
        if unit.horse and place in field.woods:
            yield Objection(f"no horse goes into the woods at {digits_of(place)}", "VG-2")
        if blocked(field, order.piece, place):
            yield Objection(f"{field.unit_at(place)} stands at {digits_of(place)}", "VG-1")
        here = place
    if cost(field, order.path) > ALLOWANCE[unit.horse]:
        yield Objection(f"that costs {cost(field, order.path)}, it has {ALLOWANCE[unit.horse]}", "VG-1")
