"""The names and words that orders may use."""

from __future__ import annotations

from engine.orders import Vocabulary
from engine.rules.rhand.positions import COVERS, IN_THE_OPEN
from engine.rules.rhand.situation import Situation


def vocabulary(situation: Situation) -> Vocabulary:
    """The names and words that an order, or a fact that the referee states, may use."""
    state, tables = situation.state, situation.tables
    limbs = {each.id for table in tables.damage.values() for each in table.locations if each.limb != "vital"}
    return Vocabulary(
        {each.id: each.name for each in state.fighters.values()},
        {
            "spells": sorted(state.spells),
            "weapons": sorted(tables.weapons),
            "shields": sorted(tables.shields),
            "limbs": sorted(limbs),
            "covers": [*(name for name in COVERS if name in tables.sizes), IN_THE_OPEN],
            "distractions": sorted(tables.distractions),
        },
    )
