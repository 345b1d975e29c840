"""The rows of the tables as they are used. Field names are the columns of the files."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from engine.rules.tables import Row

Cost: TypeAlias = Literal["lesser", "greater", "free"]
Who: TypeAlias = Literal["any", "foot", "mounted", "shield", "stakes", "crew"]


class UnitType(Row, frozen=True, kw_only=True):
    """What men of a type are and carry; the `better_` columns hold for an upgraded unit (IF-061).

    The rows of unit_types.toml are, in their order: peasant archers IF-061a, archer militia IF-061b, longbowmen
    IF-061c, crossbowmen IF-061d, engineers IF-061e, peasant levies IF-061f, guardsmen IF-061g, militia IF-061h,
    soldiers IF-061i, freeriders IF-061j, men at arms IF-061k and scouts IF-061m. `better_barding` is mail for men at
    arms alone (IF-083).
    """

    id: str
    name: str
    abilities: Mapping[str, int]
    weapons: tuple[str, ...]
    armour: str
    shield: str
    mount: str
    stakes: bool
    upgradable: bool
    better_weapons: tuple[str, ...]
    better_armour: str
    better_shield: str
    better_mount: str
    better_barding: str
    rule: str


class Rank(Row, frozen=True, kw_only=True):
    """What experience brings (IF-071); the rows of ranks.toml stand as printed (AMB-46)."""

    id: str
    training: int
    morale_test: int
    morale_bonus: int
    order_tn: int
    ability: int
    specialty: int


class CasualtyModifier(Row, frozen=True, kw_only=True):
    """What is added to the casualty roll of an outcome (IF-192, IF-193)."""

    id: str
    again_disorganized: int
    first_routed: int
    again_routed: int


class Weapon(Row, frozen=True, kw_only=True):
    """A weapon: damage each degree is an ability's rank, or nothing, and `plus`."""

    id: str
    name: str
    skill: Literal["fighting", "marksmanship"]
    specialty: str
    ability: str
    plus: int
    training: int
    range_yd: int
    qualities: tuple[str, ...]
    bulk: int
    piercing: int
    shattering: int


class Armour(Row, frozen=True, kw_only=True):
    """Armour: rating, penalty to Agility and Combat Defense, bulk (B §3)."""

    id: str
    ar: int
    penalty: int
    bulk: int


class Shield(Row, frozen=True, kw_only=True):
    """A shield."""

    id: str
    defence: int
    bulk: int
    training: int


class Mount(Row, frozen=True, kw_only=True):
    """A horse: how far it moves and what its hooves do; the rows `rounsey` and `courser` are those of B-77d."""

    id: str
    move: int
    trample: int
    athletics: int
    endurance: int


class Barding(Row, frozen=True, kw_only=True):
    """What a horse wears (AMB-17): the row `mail` has the rating and bulk of B-77d."""

    id: str
    ar: int
    bulk: int


class Terrain(Row, frozen=True, kw_only=True):
    """What a kind of ground does (IF-220 to IF-229)."""

    id: str
    foot_speed: Fraction
    mounted_speed: Fraction
    uphill_only: bool
    mounted_charge: bool
    foot_charge: bool
    sprint: bool
    trample: bool
    passable: bool
    fighting: bool
    ranged_dice: int
    cover_shot: int
    cover_fight: int
    higher_ground: bool
    charge_damage: int
    orders_need_hero: bool
    hides: bool
    rule: str

    def speed(self, mounted: bool) -> Fraction:
        """The share of its speed that a unit keeps."""
        return self.mounted_speed if mounted else self.foot_speed

    def lets_charge(self, mounted: bool) -> bool:
        """Whether a unit may charge over it."""
        return self.mounted_charge if mounted else self.foot_charge


class WallKind(Row, frozen=True, kw_only=True):
    """A kind of wall (IF-249)."""

    id: str
    name: str
    fighting: bool
    hides: bool
    cover: int
    cover_behind: int
    scale_tn: int
    scale_degrees: int
    break_tn: int
    stones: bool
    stone_dice: int
    stone_damage: int
    of_stone: bool
    siege_tn: int


class GateKind(Row, frozen=True, kw_only=True):
    """A kind of gate (IF-253): each breaks more easily than the wall it hangs in, so it is the weak place (IF-250).

    That a castle has one is for the scenario to see to; a section of wall may have none.
    """

    id: str
    name: str
    break_tn: int
    doors: int
    siege_tn: int
    wall: str = "stone"
    """The kind of wall that such a gate hangs in, and so how well it hides (IF-247)."""


class Gear(Row, frozen=True, kw_only=True):
    """Siege gear that a unit carries or goes with (IF-270 to IF-278)."""

    id: str
    name: str
    climb_dice: int
    bulk: int
    ram_gate: int
    ram_wall: int
    cover_shot: int
    move_yd: int
    ar: int
    health: int
    shatter_tn: int


class Machine(Row, frozen=True, kw_only=True):
    """A throwing machine (IF-283); `range_yd`, `ar` and `health` are B-110, the onager's ours.

    The `_dice` columns are penalty dice, written with their minus.
    """

    id: str
    name: str
    athletics: int
    unit_dice: int
    gate_dice: int
    structure_dice: int
    range_yd: int
    ar: int
    health: int
    move_yd: int
    missiles: tuple[str, ...]


class Missile(Row, frozen=True, kw_only=True):
    """What a machine throws; `damage` 0 means the machine's Athletics. `burns` says for how many rounds."""

    id: str
    damage: int
    ignores_armour: bool
    burns: str
    burn_damage: int


class Action(Row, frozen=True, kw_only=True):
    """What an action costs and who can do it; `move_rounds` is how many combat rounds of movement it has."""

    id: str
    cost: Cost
    who: Who
    move_rounds: int
    attack: bool
    rule: str


class Constant(Row, frozen=True, kw_only=True):
    """A fixed number of the rules."""

    name: str
    value: int
    unit: str
    rule: str
