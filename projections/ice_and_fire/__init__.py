"""How the facts of a mass battle add up, and how they are told."""

from __future__ import annotations

from functools import lru_cache

from events import ice_and_fire as facts
from events import places
from events.ice_and_fire import heroes as hero_facts
from events.ice_and_fire import kit as kit_facts
from events.ice_and_fire import siege as siege_facts
from events.ice_and_fire import units as unit_facts
from projections.fold import Fold
from projections.ice_and_fire import heroes, reducers, siege, state
from projections.ice_and_fire.captions import CAPTIONS
from projections.ice_and_fire.picture import picture
from projections.ice_and_fire.reducers import REDUCERS
from projections.ice_and_fire.scene import scene
from projections.ice_and_fire.state import BattleField
from projections.ice_and_fire.story import story


@lru_cache(maxsize=1)
def fold() -> Fold:
    """The fold of the rule set, made once."""
    sources = (facts, places, hero_facts, kit_facts, siege_facts, unit_facts, heroes, reducers, siege, state)
    return Fold("ice_and_fire", facts.EVENTS, BattleField(), REDUCERS, CAPTIONS, picture, sources, scene, story=story)
