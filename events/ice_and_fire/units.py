"""Facts about units: where they stand, what they do and suffer, how the battle ends for them."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from events.facts import Event, Kind
from events.ice_and_fire.kit import Profile
from events.places import Point

Condition: TypeAlias = Literal["organized", "disorganized", "routed", "destroyed", "annihilated"]
Leaving: TypeAlias = Literal["quit", "yielded", "fled"]


class PostSet(Event, frozen=True, gc=False, tag="ice_and_fire.post_set"):
    """A place in the chain of command: `holder` is a hero, `above` the post over it, empty for the army's (IF-010)."""

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    seat: str
    holder: str
    above: str = ""


class UnitPlaced(Event, frozen=True, gc=False, tag="ice_and_fire.unit_placed"):
    """A unit comes on the field. Training is an exact fraction; lengths are map millimetres; `post` commands it."""

    kind: ClassVar[Kind] = "table"
    id: str
    name: str
    seat: str
    unit_type: str
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
    condition: Condition = "organized"
    gear: tuple[str, ...] = ()
    stances: tuple[str, ...] = ()
    stakes: Literal["none", "carried", "planted", "stuck"] = "none"
    stakes_area: tuple[Point, ...] = ()
    on_wall: str = ""
    owner: str = ""


class InitiativeWon(Event, frozen=True, gc=False, tag="ice_and_fire.initiative_won"):
    """The order in which the sides' orders are carried out this round (AMB-40)."""

    seats: tuple[str, ...]
    rule: str


class OrderPassed(Event, frozen=True, gc=False, tag="ice_and_fire.order_passed"):
    """One link of an order: `giver` to `receiver`, what came of it and what the next link gains or suffers."""

    giver: str
    receiver: str
    result: Literal["carried", "blurred", "misread"]
    bonus: int
    penalty: int
    rule: str
    key: str


class PlanWorkedOut(Event, frozen=True, gc=False, tag="ice_and_fire.plan_worked_out"):
    """A receiver thought about a blurred order: it is clear now, stays blurred, or was misjudged (IF-025)."""

    receiver: str
    result: Literal["clear", "blurred", "misjudged"]
    rule: str
    key: str


class OrderRefused(Event, frozen=True, gc=False, tag="ice_and_fire.order_refused"):
    """A leader or the men themselves will not do it (IF-030, IF-031)."""

    unit: str
    by: str
    rule: str


class PostTaken(Event, frozen=True, gc=False, tag="ice_and_fire.post_taken"):
    """Somebody else takes a post over (IF-016)."""

    post: str
    holder: str
    turn: int
    rule: str


class UnitActed(Event, frozen=True, gc=False, tag="ice_and_fire.unit_acted"):
    """A unit begins an action: `lesser` lesser actions, two for a greater one; `attack` marks its one of the round."""

    unit: str
    action: str
    lesser: int
    rule: str
    attack: bool = False


class UnitMoved(Event, frozen=True, gc=False, tag="ice_and_fire.unit_moved"):
    """A unit stands elsewhere, `distance` map millimetres on."""

    unit: str
    at: Point
    facing: int
    distance: int
    rule: str


class MoveStopped(Event, frozen=True, gc=False, tag="ice_and_fire.move_stopped"):
    """A unit went less far than it was to go: `gone` of `wanted` map millimetres, 0 for a way without an end.

    `by` is the id of what is in the way; if nothing is, its movement of the round is used up.
    """

    unit: str
    by: str
    gone: int
    wanted: int
    rule: str


class StanceTaken(Event, frozen=True, gc=False, tag="ice_and_fire.stance_taken"):
    """A unit readies something: aim, hold, wedge, shield wall and the like."""

    unit: str
    stance: str
    rule: str


class StanceLeft(Event, frozen=True, gc=False, tag="ice_and_fire.stance_left"):
    """A stance has ended or was broken."""

    unit: str
    stance: str
    rule: str


class Attacked(Event, frozen=True, gc=False, tag="ice_and_fire.attacked"):
    """A unit attacked. `degrees` is 0 for a miss, `damage` what is left after armour; `turn` notes the melee.

    `before_limits` is what armour would have left below nothing.
    """

    unit: str
    target: str
    weapon: str
    degrees: int
    damage: int
    melee: bool
    turn: int
    rule: str
    key: str
    free: bool = False
    before_limits: int | None = None


class UnitDamaged(Event, frozen=True, gc=False, tag="ice_and_fire.unit_damaged"):
    """A unit takes damage, `total` in all now."""

    unit: str
    amount: int
    total: int
    by: str
    rule: str
    key: str = ""


class BreathCaught(Event, frozen=True, gc=False, tag="ice_and_fire.breath_caught"):
    """A unit recovers from damage, `total` is left (IF-102)."""

    unit: str
    amount: int
    total: int
    rule: str
    key: str


class ConditionWorsened(Event, frozen=True, gc=False, tag="ice_and_fire.condition_worsened"):
    """A unit's condition is worse than before. It never gets better but by `Reformed`."""

    unit: str
    to: Condition
    why: str
    rule: str


class Reformed(Event, frozen=True, gc=False, tag="ice_and_fire.reformed"):
    """A unit's condition is better again, with `total` damage left (IF-131)."""

    unit: str
    to: Condition
    total: int
    rule: str
    key: str


class ConditionStated(Event, frozen=True, gc=False, tag="ice_and_fire.condition_stated"):
    """The referee states that a unit's condition is better than it stood: no reforming, and none is counted."""

    unit: str
    to: Condition
    rule: str


class UnitStated(Event, frozen=True, gc=False, tag="ice_and_fire.unit_stated"):
    """The referee states where a unit stands: it has not moved."""

    unit: str
    at: Point
    facing: int
    rule: str


class MoraleTested(Event, frozen=True, gc=False, tag="ice_and_fire.morale_tested"):
    """The men's nerve was tried; `steps` is how many conditions they fall."""

    unit: str
    why: str
    steps: int
    rule: str
    key: str


class WeaponLost(Event, frozen=True, gc=False, tag="ice_and_fire.weapon_lost"):
    """A weapon is gone for the battle (IF-081)."""

    unit: str
    weapon: str
    rule: str


class ArmourShattered(Event, frozen=True, gc=False, tag="ice_and_fire.armour_shattered"):
    """Blows broke `shield` points of shield and `ar` points of armour, for the battle."""

    unit: str
    shield: int
    ar: int
    rule: str


class StakesPlanted(Event, frozen=True, gc=False, tag="ice_and_fire.stakes_planted"):
    """Stakes stand on an area (IF-120)."""

    unit: str
    area: tuple[Point, ...]
    rule: str


class StakesPulled(Event, frozen=True, gc=False, tag="ice_and_fire.stakes_pulled"):
    """Stakes are on the men's shoulders again (IF-121)."""

    unit: str
    rule: str


class StakesStuck(Event, frozen=True, gc=False, tag="ice_and_fire.stakes_stuck"):
    """Stakes have impaled and cannot be pulled out any more (IF-085, IF-123)."""

    unit: str
    rule: str


class Inspired(Event, frozen=True, gc=False, tag="ice_and_fire.inspired"):
    """A hero with the unit tells on its tests of this round: `only` is empty, or "charge" (IF-052 to IF-054)."""

    unit: str
    hero: str
    deed: Literal["inspire", "lead", "first"]
    bonus: int
    penalty: int
    only: str
    rule: str
    key: str = ""


class UnitLeft(Event, frozen=True, gc=False, tag="ice_and_fire.unit_left"):
    """A unit is off the field. `good_order` if half its army was organized then (IF-184)."""

    unit: str
    how: Leaving
    good_order: bool
    rule: str


class SideWithdraws(Event, frozen=True, gc=False, tag="ice_and_fire.side_withdraws"):
    """A whole side is told to draw off; the battle ends with this round (IF-181)."""

    seat: str
    rule: str


class SideWithdrew(Event, frozen=True, gc=False, tag="ice_and_fire.side_withdrew"):
    """A whole side draws off (IF-181 to IF-183)."""

    seat: str
    good_order: bool
    rule: str


class CasualtiesCounted(Event, frozen=True, gc=False, tag="ice_and_fire.casualties_counted"):
    """What the battle cost a unit: the roll, what is added, men felled by heroes, men lost (IF-190 to IF-197)."""

    unit: str
    outcome: str
    rolled: int
    added: int
    felled: int
    lost: int
    rule: str
    key: str


class TrainingReckoned(Event, frozen=True, gc=False, tag="ice_and_fire.training_reckoned"):
    """A unit's new training, an exact fraction, and the rank it has by that and its strength (IF-198, IF-199)."""

    unit: str
    training: tuple[int, int]
    rank: str
    disorganized: bool
    rule: str


class UnitsMerged(Event, frozen=True, gc=False, tag="ice_and_fire.units_merged"):
    """Two units of one type are one from now on (IF-201)."""

    unit: str
    joined: str
    men: int
    training: tuple[int, int]
    upgraded: bool
    rule: str


EVENTS: tuple[type[Event], ...] = (
    PostSet,
    UnitPlaced,
    InitiativeWon,
    OrderPassed,
    PlanWorkedOut,
    OrderRefused,
    PostTaken,
    UnitActed,
    UnitMoved,
    MoveStopped,
    StanceTaken,
    StanceLeft,
    Attacked,
    UnitDamaged,
    BreathCaught,
    ConditionWorsened,
    Reformed,
    ConditionStated,
    UnitStated,
    MoraleTested,
    WeaponLost,
    ArmourShattered,
    StakesPlanted,
    StakesPulled,
    StakesStuck,
    Inspired,
    UnitLeft,
    SideWithdraws,
    SideWithdrew,
    CasualtiesCounted,
    TrainingReckoned,
    UnitsMerged,
)
