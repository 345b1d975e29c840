"""The facts of Dresda: what is set up, ordered, shot, struck, fled from and counted afterwards.

Each outcome names the rule that did it and, where dice decided, the key of the roll. Facts hold results, so that
folding them needs neither rules nor tables. Lengths are whole millimetres, bearings whole degrees.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from events.facts import Event, Kind, Term
from events.places import Point

# ---------------------------------------------------------------------------------------------------- what stands there


class Arm(Struct, frozen=True, gc=False, omit_defaults=True):
    """A weapon that a figure has: its row in hand-to-hand, and its row as a missile weapon if it is one."""

    name: str
    melee: str
    missile: str = ""
    two_handed: bool = False


class Character(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who a figure is. `health` is the number of wounds that kill; `record` the marks of earlier battles."""

    id: str
    name: str
    seat: str
    race: str
    status: str
    health: int
    armour: str = ""
    shield: str = ""
    leader: str = ""
    unit: str = ""
    battles: int = 0
    record: str = ""


class Area(Struct, frozen=True, gc=False, omit_defaults=True):
    """Ground with an outline. `row` slows movement; `ground` is how high it lies.

    If it `hides`, one sees `sight` far into it, and past it from ground as high as its `height`. `cover` is the firing
    modifier for who stands in it.
    """

    id: str
    outline: tuple[Point, ...]
    row: str = ""
    ground: int = 0
    hides: bool = False
    sight: int = 0
    height: int = 0
    cover: str = ""


class Barrier(Struct, frozen=True, gc=False, omit_defaults=True):
    """A wall, hedge, fence or door. `climb` and `leap` are the actions that cross it, on foot and mounted, if any do.

    `door` is open, shut, barred or broken; empty for what is no door. `barred_by` is the side that barred it.
    """

    id: str
    points: tuple[Point, ...]
    climb: str = ""
    leap: str = ""
    hides: bool = False
    height: int = 0
    cover: str = ""
    door: str = ""
    barred_by: str = ""


class Fire(Struct, frozen=True, gc=False):
    """A fire that lights up what is within `radius`."""

    id: str
    place: Point
    radius: int


class Hurt(Struct, frozen=True, gc=False, omit_defaults=True):
    """A wound on its way: to a figure, or to its mount. `key` names it; `keys` are all rolls that decided it."""

    figure: str
    by: str
    wounds: int
    rule: str
    key: str
    mount: bool = False
    keys: tuple[str, ...] = ()


class FieldLaid(Event, frozen=True, gc=False, tag="dresda.field_laid"):
    """The field is so wide (east) and deep (north); no turn limit is 0, as is no asking after the sky."""

    kind: ClassVar[Kind] = "table"
    width: int
    depth: int
    turn_limit: int = 0
    sky_every: int = 0


class AreaLaid(Event, frozen=True, gc=False, tag="dresda.area_laid"):
    """Ground is laid out."""

    kind: ClassVar[Kind] = "table"
    area: Area


class BarrierLaid(Event, frozen=True, gc=False, tag="dresda.barrier_laid"):
    """A wall is laid out."""

    kind: ClassVar[Kind] = "table"
    barrier: Barrier


class FireLit(Event, frozen=True, gc=False, tag="dresda.fire_lit"):
    """A fire burns."""

    kind: ClassVar[Kind] = "table"
    fire: Fire


class ThingPlaced(Event, frozen=True, gc=False, tag="dresda.thing_placed"):
    """Something lies there that can be taken; `weight` is light, heavy, or empty where nobody has said.

    With an `arm` it can be used as a weapon.
    """

    kind: ClassVar[Kind] = "table"
    thing: str
    name: str
    place: Point
    weight: str = ""
    arm: Arm | None = None


class SideSet(Event, frozen=True, gc=False, tag="dresda.side_set"):
    """A side has its own edge: north, east, south, west, or none."""

    kind: ClassVar[Kind] = "table"
    seat: str
    edge: str = ""


class FigureSet(Event, frozen=True, gc=False, tag="dresda.figure_set"):
    """A figure stands on the field. `gait` is how it moved just before; `mount_fights` is yes, no, or ask."""

    kind: ClassVar[Kind] = "table"
    who: Character
    place: Point
    facing: int
    arms: tuple[Arm, ...] = ()
    in_hand: str = ""
    off_hand: bool = False
    mount: str = ""
    mount_fights: str = ""
    torch: bool = False
    wounds: int = 0
    gait: str = "stand"


class SkyChanged(Event, frozen=True, gc=False, tag="dresda.sky_changed"):
    """The weather and the light are so from now on."""

    weather: tuple[str, ...]
    light: str
    rule: str


class PhaseReached(Event, frozen=True, gc=False, tag="dresda.phase_reached"):
    """The turn has come to a phase: declare, aimed, move, missile, melee, morale, aftermath."""

    kind: ClassVar[Kind] = "clock"
    phase: str
    rule: str


# ---------------------------------------------------------------------------------------------------- declarations


class ChargeDeclared(Event, frozen=True, gc=False, tag="dresda.charge_declared"):
    """A mounted figure will charge a target, which stands at `aimed_at` now."""

    figure: str
    target: str
    aimed_at: Point
    rule: str


class AimBegun(Event, frozen=True, gc=False, tag="dresda.aim_begun"):
    """A figure takes aim for the whole turn; `halves` is what that costs, in half moves."""

    figure: str
    weapon: str
    target: str
    halves: int
    rule: str


class AimLost(Event, frozen=True, gc=False, tag="dresda.aim_lost"):
    """The aimed shot is lost."""

    figure: str
    reason: str
    rule: str


class ChoiceDue(Event, frozen=True, gc=False, tag="dresda.choice_due"):
    """These figures are in hand-to-hand, and must choose next turn whether they fight on or break off."""

    kind: ClassVar[Kind] = "clock"
    figures: tuple[str, ...]
    rule: str


class FightChosen(Event, frozen=True, gc=False, tag="dresda.fight_chosen"):
    """A figure in hand-to-hand chooses: on, or disengage."""

    figure: str
    choice: str
    rule: str


# ---------------------------------------------------------------------------------------------------- moving and doing


class Moved(Event, frozen=True, gc=False, tag="dresda.moved"):
    """A figure moves along a path (its start is not in it) and faces; without a path it turns on the spot.

    `rate` is the gait's rate; `terms` are the percentages that came off, `cut` what they came to after the cap;
    `shared` are half moves gone on actions before. `halves` is what of its turn the way took, in half moves. `why` is
    set when it was not ordered, or went otherwise than ordered. A `short` move is no start for a charge.
    """

    figure: str
    gait: str
    path: tuple[Point, ...]
    facing: int
    rule: str
    rate: int = 0
    cut: int = 0
    terms: tuple[Term, ...] = ()
    shared: int = 0
    halves: int = 0
    why: str = ""
    short: bool = False


class ActionTaken(Event, frozen=True, gc=False, tag="dresda.action_taken"):
    """A figure does something that costs `halves` half moves of this turn; with `left`, so many more are needed.

    What is not None changes: weapon in hand, posture, shield away, torch, in the saddle or not. `loaded` is the weapon
    that is ready to shoot again.
    """

    figure: str
    action: str
    halves: int
    rule: str
    left: int = 0
    in_hand: str | None = None
    prone: bool | None = None
    shield_away: bool | None = None
    torch: bool | None = None
    mounted: bool | None = None
    loaded: str = ""


class ThingWeighed(Event, frozen=True, gc=False, tag="dresda.thing_weighed"):
    """It is settled whether an object is heavy."""

    thing: str
    weight: str
    rule: str


class ThingTaken(Event, frozen=True, gc=False, tag="dresda.thing_taken"):
    """A figure carries something; `burden` is the row that slows it, or empty; `heavy` slings its shield."""

    figure: str
    thing: str
    burden: str
    heavy: bool
    rule: str


class ThingDropped(Event, frozen=True, gc=False, tag="dresda.thing_dropped"):
    """A figure lays down what it carries, where it stands."""

    figure: str
    thing: str
    rule: str


class ArmPicked(Event, frozen=True, gc=False, tag="dresda.arm_picked"):
    """A figure picks up a thing as a weapon, and has it in hand."""

    figure: str
    thing: str
    rule: str


class DoorChanged(Event, frozen=True, gc=False, tag="dresda.door_changed"):
    """A door is open, shut, barred or broken from now on."""

    figure: str
    barrier: str
    door: str
    rule: str


class WeaponPassed(Event, frozen=True, gc=False, tag="dresda.weapon_passed"):
    """A weapon goes from one figure, or from the body in which it sticks, to another."""

    giver: str
    taker: str
    weapon: str
    from_body: bool
    rule: str


class ChargeEnded(Event, frozen=True, gc=False, tag="dresda.charge_ended"):
    """A charge has met its target or not; `bore` tells whether it was carried out at all."""

    figure: str
    target: str
    contact: bool
    rule: str
    bore: bool = True
    reason: str = ""


class LeftField(Event, frozen=True, gc=False, tag="dresda.left_field"):
    """A figure leaves the table alive, in rout or of its own will."""

    figure: str
    edge: str
    routed: bool
    rule: str


class EngagementsSet(Event, frozen=True, gc=False, tag="dresda.engagements_set"):
    """These enemies are engaged with each other, and no others."""

    pairs: tuple[tuple[str, str], ...]
    rule: str


# ---------------------------------------------------------------------------------------------------- shooting


class ShotFired(Event, frozen=True, gc=False, tag="dresda.shot_fired"):
    """A shot or throw, hit or miss.

    `thrown`: the weapon is gone, into the victim on a hit. `unloads`: it must be loaded again. `terms` of a hit tell
    what the Attack Factor and the Defence Factor are made of.
    """

    figure: str
    target: str
    weapon: str
    hit: bool
    rule: str
    key: str
    aimed: bool = False
    attack_factor: int = 0
    defence: int = 0
    thrown: bool = False
    unloads: bool = False
    halves: int = 0
    terms: tuple[Term, ...] = ()


class ShotStrayed(Event, frozen=True, gc=False, tag="dresda.shot_strayed"):
    """A miss into a hand-to-hand strikes somebody else."""

    figure: str
    target: str
    struck: str
    rule: str


class HurtHeld(Event, frozen=True, gc=False, tag="dresda.hurt_held"):
    """A wound waits until all fire of the turn is over."""

    hurt: Hurt
    rule: str


class Wounded(Event, frozen=True, gc=False, tag="dresda.wounded"):
    """A figure takes wounds; `dead` if they are as many as it can bear."""

    figure: str
    by: str
    wounds: int
    dead: bool
    rule: str
    key: str = ""
    keys: tuple[str, ...] = ()


class MountLost(Event, frozen=True, gc=False, tag="dresda.mount_lost"):
    """A mount is out of action; its rider is on the ground."""

    figure: str
    by: str
    rule: str
    key: str = ""
    keys: tuple[str, ...] = ()


class MountTaken(Event, frozen=True, gc=False, tag="dresda.mount_taken"):
    """A figure gets into the saddle of a mount whose rider `of` is dead."""

    figure: str
    of: str
    rule: str


class RiderThrown(Event, frozen=True, gc=False, tag="dresda.rider_thrown"):
    """How a rider fell. He can do nothing up to and with turn `lost_until`; a fall that kills is `dead`."""

    figure: str
    result: str
    prone: bool
    lost_until: int
    dead: bool
    rule: str
    key: str


# ---------------------------------------------------------------------------------------------------- hand-to-hand


class Fought(Event, frozen=True, gc=False, tag="dresda.fought"):
    """A combat is decided. With `mount`, it is the mount of `one` that fought. `loser` is empty for a draw."""

    one: str
    other: str
    one_total: int
    other_total: int
    loser: str
    result: str
    rule: str
    keys: tuple[str, ...]
    mount: bool = False
    one_in_rear: bool = False
    other_in_rear: bool = False


class PushIgnored(Event, frozen=True, gc=False, tag="dresda.push_ignored"):
    """A push back does not count, for rider or mount."""

    figure: str
    mount: bool
    rule: str
    keys: tuple[str, ...] = ()


class PushedBack(Event, frozen=True, gc=False, tag="dresda.pushed_back"):
    """A figure is pushed back to a place."""

    figure: str
    to: Point
    rule: str
    keys: tuple[str, ...] = ()


class KnockedDown(Event, frozen=True, gc=False, tag="dresda.knocked_down"):
    """A figure is on the ground, out of its saddle if it had one."""

    figure: str
    rule: str
    keys: tuple[str, ...] = ()


# ---------------------------------------------------------------------------------------------------- morale


class MoraleTested(Event, frozen=True, gc=False, tag="dresda.morale_tested"):
    """A morale test gave a letter."""

    figure: str
    cause: str
    letter: str
    result: str
    rule: str
    key: str


class MoodSet(Event, frozen=True, gc=False, tag="dresda.mood_set"):
    """A morale letter binds a figure from one turn until another, or with `until` 0 until it rallies.

    `routs`: it flees. An empty letter sets it free.
    """

    figure: str
    letter: str
    result: str
    since: int
    until: int
    routs: bool
    rule: str
    keys: tuple[str, ...] = ()


# ---------------------------------------------------------------------------------------------------- rulings


class MountJudged(Event, frozen=True, gc=False, tag="dresda.mount_judged"):
    """It is settled whether a figure's mount fights."""

    figure: str
    fights: bool
    rule: str


class EdgeJudged(Event, frozen=True, gc=False, tag="dresda.edge_judged"):
    """It is settled to which edge a figure flees."""

    figure: str
    edge: str
    rule: str


class LeaderJudged(Event, frozen=True, gc=False, tag="dresda.leader_judged"):
    """It is settled whether a leader who left counts as dead."""

    figure: str
    dead: bool
    rule: str


# ---------------------------------------------------------------------------------------------------- afterwards


class DesertionRolled(Event, frozen=True, gc=False, tag="dresda.desertion_rolled"):
    """One who routed stays, or is lost for good."""

    figure: str
    lost: bool
    rule: str
    key: str


class CareerCounted(Event, frozen=True, gc=False, tag="dresda.career_counted"):
    """A battle is put on a survivor's record: `mark` is R if he routed from it, else +."""

    figure: str
    mark: str
    battles: int
    status: str
    rule: str


EVENTS: tuple[type[Event], ...] = (
    FieldLaid,
    AreaLaid,
    BarrierLaid,
    FireLit,
    ThingPlaced,
    SideSet,
    FigureSet,
    SkyChanged,
    PhaseReached,
    ChargeDeclared,
    AimBegun,
    AimLost,
    ChoiceDue,
    FightChosen,
    Moved,
    ActionTaken,
    ThingWeighed,
    ThingTaken,
    ThingDropped,
    ArmPicked,
    DoorChanged,
    WeaponPassed,
    ChargeEnded,
    LeftField,
    EngagementsSet,
    ShotFired,
    ShotStrayed,
    HurtHeld,
    Wounded,
    MountLost,
    MountTaken,
    RiderThrown,
    Fought,
    PushIgnored,
    PushedBack,
    KnockedDown,
    MoraleTested,
    MoodSet,
    MountJudged,
    EdgeJudged,
    LeaderJudged,
    DesertionRolled,
    CareerCounted,
)
"""Every fact of Dresda."""
