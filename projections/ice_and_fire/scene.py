"""How a mass battle looks: ground, walls and gates, machines, units as they are formed, heroes on their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from projections.ice_and_fire.state import BattleField, Unit
from projections.scene import Area, Look, Mark, Scene, Standing, Wall, side_of, sides_of

_LOOKS: Final[Mapping[str, Look]] = {
    "forest": "wood",
    "mud": "marsh",
    "slope": "slope",
    "steep_slope": "slope",
    "ditch": "ditch",
    "trench": "ditch",
    "barrier": "works",
    "narrow_passage": "road",
}
_STANDINGS: Final[Mapping[str, Standing]] = {"routed": "routing", "destroyed": "down", "annihilated": "down"}
_HERO_YARDS: Final = 10
_ENGINE_YARDS: Final = 12


def scene(state: BattleField) -> Scene:
    """Draw the field as it stands."""
    table = state.table
    when = f"over: {table.ended}" if table.ended else f"turn {table.turn}"
    when += f", {state.sky}" if state.sky else ""
    return Scene(
        state.width,
        state.height,
        f"{table.title} — {when}" if table.title else when,
        sides_of(state),
        tuple(_areas(state)),
        tuple(_walls(state)),
        tuple(_marks(state)),
        state.mm_each_yard,
        "yd",
    )


def _areas(state: BattleField) -> Iterator[Area]:
    for ground in state.grounds.values():
        label = "" if ground.over else ground.name  # what it leads through or over has a name already
        yield Area(ground.id, label, ground.corners, _LOOKS.get(ground.terrain, "open"))
    for _, unit in sorted(state.units.items()):
        if unit.stakes_area:
            yield Area(f"stakes of {unit.id}", "", unit.stakes_area, "works")


def _walls(state: BattleField) -> Iterator[Wall]:
    for wall in state.walls.values():
        name = f"{wall.name} (broken)" if wall.broken else wall.name
        yield Wall(wall.id, name, (wall.start, wall.end), wall.broken)
    for gate in state.gates.values():
        doors = f"{gate.doors} door{'s' * (gate.doors > 1)}" if gate.doors else "open"
        yield Wall(f"gate {gate.id}", f"{gate.name} ({doors})", (gate.start, gate.end), True)


def _marks(state: BattleField) -> Iterator[Mark]:
    for name, unit in sorted(state.units.items()):
        standing: Standing = _STANDINGS.get(unit.condition, "up") if unit.on_field else "gone"
        side = side_of(state, unit.seat)
        note = _note(state, unit)
        yield Mark(name, unit.name, side, unit.at, unit.facing, unit.front, unit.depth, standing, note)
    for name, engine in sorted(state.engines.items()):
        size = _ENGINE_YARDS * state.mm_each_yard
        standing = "down" if engine.destroyed else "up"
        note = f"{engine.engine.replace('_', ' ')}; damage {engine.damage}/{engine.health}"
        side = side_of(state, engine.seat)
        yield Mark(f"engine {name}", engine.name, side, engine.at, None, size, size, standing, note)
    for name, hero in sorted(state.heroes.items()):
        if not hero.unit:
            size = _HERO_YARDS * state.mm_each_yard
            note = hero.fate or f"hero; damage {hero.damage}"
            standing = "up" if hero.up else "down"
            side = side_of(state, hero.seat)
            yield Mark(f"hero {name}", hero.name, side, hero.at, None, size, size, standing, note)


def _note(state: BattleField, unit: Unit) -> str:
    parts = [f"{unit.men} men", f"damage {unit.damage}/{unit.profile.health}"]
    if unit.condition != "organized":
        parts.append(unit.condition)
    parts += [unit.left] if unit.left else []
    parts += [f"with {unit.merged}"] if unit.merged else []
    parts += [stance.replace("_", " ") for stance in unit.stances]
    parts += [f"stakes {unit.stakes}"] * (unit.stakes in ("planted", "stuck"))
    parts += [f"with {hero.name}" for hero in state.attached(unit.id)]
    parts += ["burning"] * any(fire.target == unit.id for fire in state.fires.values())
    return "; ".join(parts)
