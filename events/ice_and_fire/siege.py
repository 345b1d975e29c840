"""Facts about the ground and what is built on it: terrain, walls, gates, machines, fire."""

from __future__ import annotations

from typing import ClassVar, Literal

from events.facts import Event, Kind
from events.places import Point


class FieldLaid(Event, frozen=True, gc=False, tag="ice_and_fire.field_laid"):
    """The field: its size in map millimetres and how many of them make a yard. `last_turn` 0: no end is set.

    Light and weather hold for the whole battle (B-82, B-83).
    """

    kind: ClassVar[Kind] = "table"
    width: int
    height: int
    mm_each_yard: int
    last_turn: int = 0
    light: Literal["day", "dim", "dark"] = "day"
    weather: Literal["fair", "heavy_rain", "light_snow", "heavy_snow"] = "fair"


class GroundMarked(Event, frozen=True, gc=False, tag="ice_and_fire.ground_marked"):
    """A stretch of ground with a label of the terrain table; `uphill` is the bearing in which a slope rises.

    `terrain` "ask" leaves the label to the referee, `otherwise` stands if he is absent (RUL-17).
    """

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    terrain: str
    corners: tuple[Point, ...]
    uphill: int = -1
    otherwise: str = ""


class GroundNamed(Event, frozen=True, gc=False, tag="ice_and_fire.ground_named"):
    """The referee has said as what a stretch of ground counts."""

    ground: str
    terrain: str
    rule: str


class WallBuilt(Event, frozen=True, gc=False, tag="ice_and_fire.wall_built"):
    """A section of wall between two points, the inside on the left of the way from the first to the second.

    `stores` names what is at hand on it; `asked` what the scenario says nothing of (RUL-14).
    """

    kind: ClassVar[Kind] = "table"
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


class GateHung(Event, frozen=True, gc=False, tag="ice_and_fire.gate_hung"):
    """A gate between two points: `doors` stand one behind the other (IF-252)."""

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    gate: str
    start: Point
    end: Point
    break_tn: int
    doors: int
    seat: str = ""


class EnginePlaced(Event, frozen=True, gc=False, tag="ice_and_fire.engine_placed"):
    """A throwing machine, siege tower or capped ram, with the unit that serves it or goes with it."""

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    seat: str
    engine: str
    crew: str
    at: Point
    ar: int
    health: int
    throws: bool


class EngineMoved(Event, frozen=True, gc=False, tag="ice_and_fire.engine_moved"):
    """An engine went along with its unit."""

    engine: str
    at: Point
    rule: str


class EngineServed(Event, frozen=True, gc=False, tag="ice_and_fire.engine_served"):
    """A unit has taken over an engine that nobody served; it is `seat`'s now (IF-280)."""

    engine: str
    unit: str
    seat: str
    rule: str


class EngineFired(Event, frozen=True, gc=False, tag="ice_and_fire.engine_fired"):
    """A machine has thrown (IF-115)."""

    engine: str
    turn: int
    rule: str


class EngineDamaged(Event, frozen=True, gc=False, tag="ice_and_fire.engine_damaged"):
    """An engine takes damage, `total` in all now."""

    engine: str
    amount: int
    total: int
    rule: str
    key: str = ""


class EngineDestroyed(Event, frozen=True, gc=False, tag="ice_and_fire.engine_destroyed"):
    """An engine is no more (IF-272, IF-276)."""

    engine: str
    rule: str


class GearShattered(Event, frozen=True, gc=False, tag="ice_and_fire.gear_shattered"):
    """A unit's siege gear is broken (IF-256)."""

    unit: str
    gear: str
    by: str
    rule: str
    key: str


class WallClimbed(Event, frozen=True, gc=False, tag="ice_and_fire.wall_climbed"):
    """A unit got on with a wall: `degrees` are gained in all (IF-255)."""

    unit: str
    wall: str
    degrees: int
    rule: str
    key: str


class WallMounted(Event, frozen=True, gc=False, tag="ice_and_fire.wall_mounted"):
    """A unit is on top of a wall; `contested` while a foe mans it (AMB-34a)."""

    unit: str
    wall: str
    at: Point
    facing: int
    contested: bool
    turn: int
    rule: str


class WallLeft(Event, frozen=True, gc=False, tag="ice_and_fire.wall_left"):
    """A unit is off a wall, on the ground at `at`."""

    unit: str
    at: Point
    rule: str


class WallTaken(Event, frozen=True, gc=False, tag="ice_and_fire.wall_taken"):
    """A wall is in the hands of `unit`; `gear` stays in place for those who follow (IF-257)."""

    wall: str
    unit: str
    gear: tuple[str, ...]
    rule: str


class StructureStruck(Event, frozen=True, gc=False, tag="ice_and_fire.structure_struck"):
    """A wall, gate or bridge is weaker: `left` is the target number that is left (IF-262)."""

    structure: str
    by: str
    amount: int
    left: int
    rule: str
    key: str


class DoorBroken(Event, frozen=True, gc=False, tag="ice_and_fire.door_broken"):
    """A door of a gate is down; `doors` still bar the way, the next with `break_tn`."""

    gate: str
    doors: int
    break_tn: int
    rule: str


class PassageOpened(Event, frozen=True, gc=False, tag="ice_and_fire.passage_opened"):
    """There is a narrow way through or over something, `breach` if through a wall of stone (IF-260, IF-261)."""

    id: str
    over: str
    corners: tuple[Point, ...]
    breach: bool
    break_tn: int
    rule: str


class PassageClosed(Event, frozen=True, gc=False, tag="ice_and_fire.passage_closed"):
    """A makeshift bridge is destroyed (IF-254)."""

    passage: str
    rule: str


class PassageUsed(Event, frozen=True, gc=False, tag="ice_and_fire.passage_used"):
    """A unit went through a narrow passage (IF-226)."""

    passage: str
    unit: str
    rule: str


class BridgeWorked(Event, frozen=True, gc=False, tag="ice_and_fire.bridge_worked"):
    """A unit has worked a round on a way over a trench (RUL-09)."""

    unit: str
    ground: str
    rounds: int
    rule: str


class FireStarted(Event, frozen=True, gc=False, tag="ice_and_fire.fire_started"):
    """Something burns: `damage` again in each of the next `rounds` battle rounds (IF-278, IF-284)."""

    target: str
    damage: int
    rounds: int
    by: str
    rule: str
    key: str


class FireBurned(Event, frozen=True, gc=False, tag="ice_and_fire.fire_burned"):
    """A fire has done its damage of the round; `rounds` are left."""

    target: str
    rounds: int
    rule: str


EVENTS: tuple[type[Event], ...] = (
    FieldLaid,
    GroundMarked,
    GroundNamed,
    WallBuilt,
    GateHung,
    EnginePlaced,
    EngineMoved,
    EngineServed,
    EngineFired,
    EngineDamaged,
    EngineDestroyed,
    GearShattered,
    WallClimbed,
    WallMounted,
    WallLeft,
    WallTaken,
    StructureStruck,
    DoorBroken,
    PassageOpened,
    PassageClosed,
    PassageUsed,
    BridgeWorked,
    FireStarted,
    FireBurned,
)
