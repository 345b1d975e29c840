"""What the facts of a Dresda battle add up to: the ground, the figures, the phase of the turn."""

from __future__ import annotations

from msgspec import Struct

from events.dresda import Area, Arm, Barrier, Character, Fire, Hurt
from events.places import Point
from projections.battle_state import State

UNARMED = "unarmed"


class Thing(Struct, frozen=True, gc=False):
    """Something that can be taken; `bearer` carries it, if anybody does."""

    id: str
    name: str
    place: Point
    weight: str = ""
    bearer: str = ""
    arm: Arm | None = None
    """The weapon that it is to whoever picks it up, if it is one."""


class LooseMount(Struct, frozen=True, gc=False):
    """A mount whose rider is dead, where it stands; `fights` is yes, no, or ask."""

    mount: str
    fights: str
    place: Point


class Figure(Struct, frozen=True, gc=False):
    """A figure as it is now. What is "this turn" begins anew with each turn."""

    who: Character
    place: Point
    facing: int
    arms: tuple[Arm, ...] = ()
    in_hand: str = ""
    off_hand: bool = False
    wounds: int = 0
    gone: str = ""
    """Empty on the table; dead, routed (off the table in rout), left (walked off)."""

    mount: str = ""
    mounted: bool = False
    mount_fights: str = ""
    mount_place: Point | None = None
    torch: bool = False
    prone: bool = False
    shield_away: bool = False
    carrying: str = ""
    burden: str = ""
    heavy: bool = False
    unloaded: tuple[str, ...] = ()
    stuck: tuple[Arm, ...] = ()
    """Thrown weapons that stick in this figure."""

    busy: str = ""
    busy_halves: int = 0
    lost_until: int = 0
    """It can do nothing of its own up to and with this turn."""

    gait: str = "stand"
    gait_before: str = "stand"
    rode: bool = False
    """Whether it moved in the saddle this turn."""

    rode_before: bool = False
    short_move: bool = False
    """Whether it moved too little this turn to charge in the next (DR-012)."""

    short_before: bool = False
    halves: int = 0
    """Half moves spent this turn."""

    rose: bool = False
    slung: bool = False
    """Whether the shield was slung at any time this turn."""

    fired: bool = False
    fired_at: bool = False
    """Whether enemies have shot at it in this battle."""

    triggers: tuple[str, ...] = ()
    """What calls for a morale test at the end of this turn."""

    mood: str = ""
    mood_name: str = ""
    mood_since: int = 0
    mood_until: int = 0
    routs: bool = False
    has_routed: bool = False
    won: bool = False
    in_rear: bool = False
    pushed: bool = False
    pushed_before: bool = False
    charge: str = ""
    charge_at: Point | None = None
    charge_met: bool = False
    charged_by: tuple[str, ...] = ()
    choice: str = ""
    aim_weapon: str = ""
    aim_target: str = ""
    aim_turn: int = 0
    aim_spoilt: bool = False
    edge: str = ""
    """The edge to which it flees when that has been ruled for it alone."""

    counts_dead: bool = False
    """A leader who left the table alive but counts as dead."""

    owned_mount: str = ""
    """The mount with which it came, in or out of action."""

    lost_for_good: bool = False
    mark: str = ""

    @property
    def id(self) -> str:
        """The id by which it is ordered."""
        return self.who.id

    @property
    def left(self) -> int:
        """Wounds that it can still take before it is dead."""
        return self.who.health - self.wounds

    @property
    def arm(self) -> Arm:
        """The weapon in hand; bare hands if there is none."""
        return self.arm_named(self.in_hand) or Arm("bare hands", UNARMED)

    def arm_named(self, name: str) -> Arm | None:
        """The weapon of that name, if it has it."""
        return next((arm for arm in self.arms if arm.name == name), None)

    @property
    def slings_now(self) -> bool:
        """Whether something in its hands keeps its shield slung just now (DR-044)."""
        return self.heavy or self.arm.two_handed

    def mood_at(self, turn: int) -> str:
        """The morale letter that binds it in a turn, or nothing (DR-114)."""
        bound = self.mood and self.mood_since <= turn and (not self.mood_until or turn <= self.mood_until)
        return self.mood if bound else ""


class Battlefield(State, frozen=True, gc=False):
    """The state of a Dresda battle. Places are in millimetres from the south-west corner of the field."""

    width: int = 0
    depth: int = 0
    turn_limit: int = 0
    sky_every: int = 0
    areas: tuple[Area, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    fires: tuple[Fire, ...] = ()
    things: dict[str, Thing] = {}
    loose: dict[str, LooseMount] = {}
    """Mounts without riders, by the riders that they had."""

    edges: dict[str, str] = {}
    """Each side's own edge, empty where it has none."""

    figures: dict[str, Figure] = {}
    weapons: tuple[str, ...] = ()
    """The names of all weapons that were ever on the field, sorted."""

    weather: tuple[str, ...] = ()
    light: str = "day"
    phase: str = ""
    engaged: tuple[tuple[str, str], ...] = ()
    engaged_before: tuple[tuple[str, str], ...] = ()
    """Who was engaged when the turn began."""

    held: tuple[Hurt, ...] = ()

    @property
    def turn(self) -> int:
        """The running turn."""
        return self.table.turn

    @property
    def walls(self) -> list[Barrier]:
        """The barriers that are in anybody's way: all but doors that are open or broken."""
        return [barrier for barrier in self.barriers if barrier.door not in ("open", "broken")]

    def standing(self) -> list[Figure]:
        """The figures on the table, sorted by id."""
        return [figure for _, figure in sorted(self.figures.items()) if not figure.gone]

    def enemies(self, figure: Figure) -> list[Figure]:
        """The figures of other sides on the table, sorted by id."""
        return [other for other in self.standing() if other.who.seat != figure.who.seat]

    def friends(self, figure: Figure) -> list[Figure]:
        """The other figures of its side on the table, sorted by id."""
        return [other for other in self.standing() if other.who.seat == figure.who.seat and other.id != figure.id]

    def foes_of(self, figure: str) -> list[Figure]:
        """The figures with which it is engaged and that are still on the table, sorted by id."""
        others = {b if a == figure else a for a, b in self.engaged if figure in (a, b)}
        return [self.figures[other] for other in sorted(others) if not self.figures[other].gone]
