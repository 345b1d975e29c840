"""The state of a mass battle: units, heroes, posts, ground, walls, engines. Frozen; made by the reducers."""

from __future__ import annotations

from typing import Final

import msgspec

from events.ice_and_fire.kit import Profile
from events.ice_and_fire.units import Condition
from events.places import Point
from projections.battle_state import State

CONDITIONS: Final[tuple[Condition, ...]] = ("organized", "disorganized", "routed", "destroyed", "annihilated")
"""From the best to the worst."""
ROUND_STANCES: Final = frozenset(("hold", "taking_cover"))
"""Stances that end with the battle round."""
TURN_STANCES: Final = frozenset(("withdrawing", "counter", "set", "scaling", "staggered"))
"""Stances that last until the unit acts again."""


def worse(condition: Condition, steps: int) -> Condition:
    """The condition so many steps worse; nothing is worse than annihilated.

    >>> worse("organized", 2), worse("destroyed", 2)
    ('routed', 'annihilated')
    """
    return CONDITIONS[min(CONDITIONS.index(condition) + steps, len(CONDITIONS) - 1)]


def rounded(training: tuple[int, int]) -> str:
    """A training level for people, to the nearest hundredth; it is kept exact.

    >>> rounded((164, 25)), rounded((7, 1)), rounded((25, 3))
    ('6.56', '7', '8.33')
    """
    top, bottom = training
    hundredths = (200 * top + bottom) // (2 * bottom)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}" if rest else str(whole)


def sky_of(light: str, weather: str) -> str:
    """Light and weather in words; nothing for a fair day.

    >>> sky_of("dim", "heavy_rain"), sky_of("day", "fair")
    ('dim light, heavy rain', '')
    """
    shown = {"dim": "dim light", "dark": "darkness"}.get(light, "")
    falling = "" if weather == "fair" else weather.replace("_", " ")
    return ", ".join(each for each in (shown, falling) if each)


class Post(msgspec.Struct, frozen=True, gc=False):
    """A place in the chain of command. `since` is the turn in which its holder took over, 0 from the start."""

    id: str
    name: str
    seat: str
    holder: str
    above: str = ""
    since: int = 0


class Spirit(msgspec.Struct, frozen=True, gc=False):
    """What a hero's deed adds to a unit's tests this round; `only` "charge" limits it (IF-052 to IF-056)."""

    hero: str
    deed: str
    bonus: int
    penalty: int
    only: str


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A unit. What is noted of one battle round is dropped when the next begins.

    `condition` stands beside `damage`, since it may worsen without any (IF-169). Counted for the battle are `hurt`,
    `times_disorganized`, `times_routed` and `reforms` (IF-170).
    """

    id: str
    name: str
    seat: str
    type: str
    rank: str
    training: tuple[int, int]
    men: int
    establishment: int
    post: str
    profile: Profile
    at: Point
    facing: int
    front: int
    depth: int
    upgraded: bool = False
    mounted: bool = False
    owner: str = ""
    condition: Condition = "organized"
    damage: int = 0
    hurt: bool = False
    times_disorganized: int = 0
    times_routed: int = 0
    reforms: int = 0
    felled: int = 0
    gear: tuple[str, ...] = ()
    stances: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    shield_lost: int = 0
    ar_lost: int = 0
    in_hand: str = ""
    stakes: str = "none"
    stakes_area: tuple[Point, ...] = ()
    on_wall: str = ""
    contested: bool = False
    climbed: dict[str, int] = {}
    left: str = ""
    good_order: bool = False
    melee_turn: int = 0
    withdrew_turn: int = 0
    outcome: str = ""
    casualties: int = 0
    merged: str = ""
    starts_disorganized: bool = False
    # of this round alone
    lesser: int = 0
    attacked: bool = False
    acted: bool = False
    struck: tuple[str, ...] = ()
    struck_by: tuple[str, ...] = ()
    moved: bool = False
    spirit: Spirit | None = None

    @property
    def on_field(self) -> bool:
        """Whether it is still there."""
        return not self.left and not self.merged

    @property
    def fights(self) -> bool:
        """Whether it is there and takes orders: a destroyed unit takes none (IF-163)."""
        return self.on_field and self.condition not in ("destroyed", "annihilated")


class Hero(msgspec.Struct, frozen=True, gc=False):
    """A hero, with one `unit`, or alone if that is empty (IF-040). The rounds spent are those of this battle round."""

    id: str
    name: str
    seat: str
    profile: Profile
    at: Point
    unit: str = ""
    leader: bool = False
    notable: bool = False
    damage: int = 0
    injuries: int = 0
    wounds: int = 0
    fate: str = ""
    foe: str = ""
    foe_damage: int = 0
    felled: int = 0
    orders: int = 0
    moving: int = 0
    rush: int = 0
    deeds: int = 0

    @property
    def up(self) -> bool:
        """Whether he has not fallen."""
        return not self.fate


class Ground(msgspec.Struct, frozen=True, gc=False):
    """A stretch of ground. `passage_over` names what a narrow way leads through or over."""

    id: str
    name: str
    terrain: str
    corners: tuple[Point, ...]
    uphill: int = -1
    otherwise: str = ""
    over: str = ""
    breach: bool = False
    break_tn: int = 0
    worked: int = 0
    used: int = 0


class Wall(msgspec.Struct, frozen=True, gc=False):
    """A section of wall; the inside is on the left of the way from `start` to `end`. `holder` is who took it."""

    id: str
    name: str
    wall: str
    start: Point
    end: Point
    break_tn: int
    seat: str = ""
    earthworks: bool = False
    battlements: bool = True
    stores: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    taken_by: str = ""
    gear: tuple[str, ...] = ()
    followed_turn: int = 0
    broken: bool = False


class Gate(msgspec.Struct, frozen=True, gc=False):
    """A gate; open once no door is left."""

    id: str
    name: str
    gate: str
    start: Point
    end: Point
    break_tn: int
    doors: int
    seat: str = ""


class Engine(msgspec.Struct, frozen=True, gc=False):
    """A machine, tower or capped ram."""

    id: str
    name: str
    seat: str
    engine: str
    crew: str
    at: Point
    ar: int
    health: int
    throws: bool
    damage: int = 0
    destroyed: bool = False
    fired: int = 0


def is_with(unit: Unit, engine: Engine) -> bool:
    """Whether a unit is with its engine: men in flight leave it behind and must come back to it first (ours)."""
    dx, dy, reach = unit.at.x - engine.at.x, unit.at.y - engine.at.y, unit.front + unit.depth
    return unit.on_field and dx * dx + dy * dy <= reach * reach


class Fire(msgspec.Struct, frozen=True, gc=False):
    """What burns, and for how many rounds more. `lit` is the turn in which it began, which is not one of them."""

    target: str
    damage: int
    rounds: int
    by: str
    lit: int = 0


class BattleField(State, frozen=True, gc=False):
    """All that stands on the field, by id. `rulings` keeps the referee's answers that hold for the whole battle."""

    width: int = 0
    height: int = 0
    mm_each_yard: int = 10
    last_turn: int = 0
    light: str = "day"
    weather: str = "fair"
    initiative: tuple[str, ...] = ()
    withdrawing: tuple[str, ...] = ()
    withdrawn: dict[str, bool] = {}
    units: dict[str, Unit] = {}
    heroes: dict[str, Hero] = {}
    posts: dict[str, Post] = {}
    grounds: dict[str, Ground] = {}
    walls: dict[str, Wall] = {}
    gates: dict[str, Gate] = {}
    engines: dict[str, Engine] = {}
    fires: dict[str, Fire] = {}
    rulings: dict[str, str] = {}

    @property
    def counted(self) -> bool:
        """Whether the fighting is over and its cost is known."""
        return any(unit.outcome for unit in self.units.values())

    @property
    def sky(self) -> str:
        """Light and weather in words; nothing on a fair day."""
        return sky_of(self.light, self.weather)

    def attached(self, unit: str) -> tuple[Hero, ...]:
        """The heroes with a unit who have not fallen, by id."""
        return tuple(hero for _, hero in sorted(self.heroes.items()) if hero.unit == unit and not hero.fate)

    def leader(self, unit: str) -> Hero | None:
        """The hero who leads a unit, if one does (IF-049)."""
        return next((hero for hero in self.attached(unit) if hero.leader), None)

    def is_here(self, hero: str) -> bool:
        """Whether a hero is on the field and on his feet: not fallen, nor gone with his unit."""
        him = self.heroes.get(hero)
        return him is not None and not him.fate and (not him.unit or self.units[him.unit].on_field)

    def ruling(self, key: str, default: str) -> str:
        """What the referee has said for the whole battle."""
        return self.rulings.get(key, default)

    def said(self, name: str, default: str) -> str:
        """What holds for the whole battle by the referee's word, else by an option, else by default."""
        return self.ruling(name, str(self.table.option(name, default))).replace(" ", "_")
