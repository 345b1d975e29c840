"""The names that orders may use on a field."""

from __future__ import annotations

from engine.orders import Vocabulary
from engine.rules.ice_and_fire.ground import label
from engine.rules.ice_and_fire.situation import Situation


def vocabulary(situation: Situation) -> Vocabulary:
    """Pieces are units, heroes and engines; words are weapons, walls and whatever else an order names."""
    state = situation.state
    pieces = {name: piece.name for kind in (state.units, state.heroes, state.engines) for name, piece in kind.items()}
    from_wall = [name for name, row in situation.tables.weapons.items() if "from_wall" in row.qualities]
    arms = {arm.id for unit in state.units.values() for arm in unit.profile.arms}
    arms |= {arm.id for hero in state.heroes.values() for arm in hero.profile.arms}
    trenches = [name for name, ground in state.grounds.items() if not label(situation, ground).passable]
    bridges = [name for name, ground in state.grounds.items() if ground.break_tn > 0]
    standing = sorted(name for name, engine in state.engines.items() if not engine.destroyed)
    return Vocabulary(
        pieces,
        {
            "sides": [seat.id for seat in state.table.seats],
            "weapons": sorted(arms | set(from_wall)),
            "walls": sorted(state.walls),
            "structures": sorted([*state.walls, *state.gates, *bridges, *standing]),
            "engines": standing,
            "trenches": sorted(trenches),
            "machines": sorted(name for name, engine in state.engines.items() if engine.throws),
            "marks": sorted([*state.units, *state.engines, *state.walls, *state.gates]),
            "posts": sorted(state.posts),
        },
    )
