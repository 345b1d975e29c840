"""For authors of rule sets: what can happen, what it adds up to, how it looks. Enough to look back at a battle.

The other half, the rules themselves, is in `wardiary.rules`.
"""

from events.event import Event as Event
from events.event import Upcast as Upcast
from events.facts import BattleEnded as BattleEnded
from events.facts import Chance as Chance
from events.facts import OrderLapsed as OrderLapsed
from events.facts import RollCalled as RollCalled
from events.facts import RulingRequested as RulingRequested
from events.facts import Term as Term
from events.facts import TurnBegan as TurnBegan
from events.places import Hex as Hex
from events.places import Point as Point
from events.places import digits_of as digits_of
from projections.battle_state import BattleState as BattleState
from projections.battle_state import Reducer as Reducer
from projections.battle_state import State as State
from projections.battle_state import changed as changed
from projections.fold import Caption as Caption
from projections.fold import Fold as Fold
from projections.hex_map import HexMap as HexMap
from projections.scene import Area as Area
from projections.scene import Look as Look
from projections.scene import Mark as Mark
from projections.scene import Scene as Scene
from projections.scene import Standing as Standing
from projections.scene import Wall as Wall
from projections.scene import side_of as side_of
from projections.scene import sides_of as sides_of
