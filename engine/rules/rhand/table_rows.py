"""The rows of Rhand's tables as they are used. Field names are the columns of the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from engine.rules.tables import Row

Count: TypeAlias = Annotated[int, Meta(ge=0)]
OneOrMore: TypeAlias = Annotated[int, Meta(ge=1)]
StrokeName: TypeAlias = Literal["short", "normal", "long", "parry"]
DamageKind: TypeAlias = Literal["cut", "stab", "flange", "blunt"]
Limb: TypeAlias = Literal["arm", "leg", "vital"]

KINDS: tuple[DamageKind, ...] = ("cut", "stab", "flange", "blunt")
"""The ways in which a weapon may strike, in the order in which a blow takes the first that the weapon has (SP-034)."""

DAMAGE_CODES: Mapping[str, str] = {"cut": "5A", "stab": "5B", "flange": "5C", "blunt": "5D"}
"""The damage table of each (SP-034)."""

SUFFIXES: Mapping[str, int] = {"H": 100, "K": 1_000, "T": 10_000}
"""What the letter behind a figure of Physical Damage multiplies it by (SP-038)."""


class Noted(Row, frozen=True, kw_only=True):
    """A row that may say more about where its figures are from."""

    source_note: str = ""


class Weapon(Noted, frozen=True, kw_only=True):
    """A weapon in a grip (2A). `reach` is in hexes; `+` means half a hex more."""

    id: str
    hands: Annotated[int, Meta(ge=0, le=2)]
    weight_lb: Fraction
    weapon_speed: Fraction
    weapon_class: int
    reach: str = field(name="range")
    cut: str
    stab: str
    flange: str
    blunt: str

    def dice(self, kind: str) -> str:
        """The Impact Damage of a blow of that kind as dice, or "-" where the weapon cannot strike so (SP-032)."""
        return str(getattr(self, kind))

    @property
    def kinds(self) -> tuple[DamageKind, ...]:
        """How it can strike, the first kind being the one meant when nothing is said."""
        return tuple(kind for kind in KINDS if self.dice(kind) != "-")

    @property
    def half_hexes(self) -> int:
        """The reach in half hexes, so that `2+` is more than `2` and less than `3`."""
        return 2 * int(self.reach.rstrip("+")) + self.reach.endswith("+")


class Armor(Noted, frozen=True, kw_only=True):
    """Armour (2B): it resists by its class alone (SP-037)."""

    id: str
    armor_class: str
    weight_lb: Fraction


class Shield(Noted, frozen=True, kw_only=True):
    """A shield (2C)."""

    id: str
    weight_lb: Fraction
    shield_speed: Fraction


class Missile(Noted, frozen=True, kw_only=True):
    """A bow, sling or thrown weapon (3A). `impact` are pairs of farthest hex and Impact Damage."""

    id: str
    kind: Literal["bow", "crossbow", "sling", "thrown"]
    weight_lb: Fraction
    min_strength: Count
    reload_phases: Count
    accuracy: int
    table: str
    impact: tuple[tuple[int, int], ...]

    def impact_at(self, hexes: int) -> int | None:
        """The Impact Damage at a range; None beyond the last band, where there is no shot (SPX-14)."""
        return next((impact for upto, impact in self.impact if hexes <= upto), None)


class RangeBand(Noted, frozen=True, kw_only=True):
    """What range adds to the accuracy (3B)."""

    up_to_hex: Count
    alm: int


class Size(Noted, frozen=True, kw_only=True):
    """What the size of a target adds to the accuracy (3C)."""

    id: str
    alm: int


class Formation(Noted, frozen=True, kw_only=True):
    """What the area of a formation adds to the accuracy (3C)."""

    area_sq_ft: Count
    alm: int


class Motion(Noted, frozen=True, kw_only=True):
    """What speed, in hexes a phase, takes off the accuracy (3D)."""

    up_to_speed: Count
    target: int
    shooter: int


class ParryType(Noted, frozen=True, kw_only=True):
    """Which Combat Attack Table a ratio of parries to blows uses (SP-025 to SP-027)."""

    table: str
    title: str
    min_ratio: str
    exclusive: bool
    representative_ratio: Fraction

    def takes(self, ratio: Fraction) -> bool:
        """Whether a ratio above zero falls under this row, given that it fell under none before."""
        if self.min_ratio == "none":
            return False
        least = Fraction(self.min_ratio)
        return ratio > least if self.exclusive else ratio >= least


class LocationRow(Noted, frozen=True, kw_only=True):
    """A hit location (5A to 5D) as its file has it: one row of cells for each Impact Damage."""

    id: str
    roll_from: int
    roll_to: int
    limb: Limb
    damage: tuple[tuple[str, ...], ...]


class Location(Struct, frozen=True):
    """A hit location with its Physical Damage read: `damage[row][column]`."""

    id: str
    roll_from: int
    roll_to: int
    limb: Limb
    damage: tuple[tuple[int, ...], ...]
    source: str

    @property
    def width(self) -> int:
        """How many of the hundred rolls strike here."""
        return self.roll_to - self.roll_from + 1


class SeedOdds(Struct, frozen=True):
    """A cell of 4A to 4G that the rules text itself gives."""

    attack_level: int
    combat_skill_level: int
    odds: int

    @property
    def place(self) -> tuple[Fraction, Fraction]:
        """Its row and column."""
        return Fraction(self.attack_level), Fraction(self.combat_skill_level)


class SeedDamage(Struct, frozen=True):
    """A cell of 5A to 5D that the rules text itself gives, and a roll that strikes there."""

    roll: int
    location: str
    impact: int
    armor_class: str
    damage: str

    @property
    def place(self) -> tuple[str, int, str]:
        """Its location, row and column."""
        return self.location, self.impact, self.armor_class

    def stands_in(self, location: Location, impacts: Sequence[int], classes: Sequence[str]) -> bool:
        """Whether the location, as it was read, holds that figure there."""
        if location.id != self.location or self.impact not in impacts or self.armor_class not in classes:
            return False
        return str(location.damage[impacts.index(self.impact)][classes.index(self.armor_class)]) == self.damage


class Stroke(Noted, frozen=True, kw_only=True):
    """What a stroke costs in Weapon Actions, and what it does to the impact (SP-022, SP-033)."""

    id: StrokeName
    actions: Count
    impact_multiplier: Fraction


class LimbRow(Noted, frozen=True, kw_only=True):
    """The damage of one blow over which a limb is disabled (SP-040)."""

    limb: Limb
    over: Count


class KnockoutBracket(Noted, frozen=True, kw_only=True):
    """The chance of a knockout once the total is over so many times the Knockout Value (SP-042)."""

    over_multiple: Fraction
    chance: Count


class FieldBand(Noted, frozen=True, kw_only=True):
    """How many zones a Combat Skill Level sees and reaches (SPX-11)."""

    level_from: Count
    level_to: Count
    zones: Count


class Zone(Noted, frozen=True, kw_only=True):
    """A zone of the Field of Attack; bearings in degrees clockwise from the facing."""

    zone: int
    name: str
    bearing_from: int
    bearing_to: int


class Distraction(Noted, frozen=True, kw_only=True):
    """What keeps a mage or an archer from releasing (SP-014)."""

    id: str
    mage: bool
    archer: bool


class Recovery(Noted, frozen=True, kw_only=True):
    """The chance to survive by the damage total (SPX-20)."""

    damage: Count
    chance: Count


class Multiplier(Noted, frozen=True, kw_only=True):
    """A circumstance that multiplies the impact (SPX-19)."""

    id: str
    multiplier: Fraction


class Stop(Noted, frozen=True, kw_only=True):
    """What a shield or parry takes from the impact of a blow that strikes it (SPX-19)."""

    by: Literal["shield", "weapon_1h", "weapon_2h"]
    attack: Literal["stabbing", "slashing", "any"]
    flat: Count
    per_lb: Fraction


class Mount(Noted, frozen=True, kw_only=True):
    """A horse (SPX-16)."""

    id: str
    attack_table: str
    defence_table: str
    knockout_value: OneOrMore
    combat_speed: OneOrMore
    body_divisor: OneOrMore
    leg_divisor: OneOrMore
    attacks: bool
    impact: str
    skill: Count
    strength: OneOrMore
    agility: OneOrMore
    health: OneOrMore


class UnarmedBlow(Noted, frozen=True, kw_only=True):
    """A blow without a weapon and what it costs in combat actions (SPX-17). `weapon` is its row of 2A."""

    id: Literal["punch", "elbow", "knee", "kick", "grapple"]
    weapon: str
    short: Count
    normal: Count
    long: Count

    def cost(self, stroke: str) -> int:
        """Combat actions of a stroke."""
        return int(getattr(self, stroke))


class Constant(Noted, frozen=True, kw_only=True):
    """A number that the rules give once and for all."""

    name: str
    value: Count
    unit: str
