"""The rows of Dresda's tables as they are used: lengths in whole millimetres, action costs in half moves.

Field names are the columns of the files; where the measure differs the file's column stands in `name`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from engine.rules.tables import Mm, Row, Scaled

Size: TypeAlias = Literal["small", "medium", "large", "huge"]
WeaponKind: TypeAlias = Literal["bow", "crossbow", "sling", "thrown", "improvised"]
Halves: TypeAlias = Annotated[int, Scaled(2, "half moves")]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
OneOrMore: TypeAlias = Annotated[int, Meta(ge=1)]


class Race(Row, frozen=True, kw_only=True):
    """What a race is like (DR-010, DR-040). `missile_pct` adds to a d100 chance, the values to a D10."""

    id: str
    walk_mm: Mm = field(name="walk")
    run_mm: Mm = field(name="run")
    defence_factor: OneOrMore
    hand_to_hand: int
    missile_pct: int
    morale: int
    size: Size
    sees_in_dark: bool
    morale_immune: bool
    base_mm: Mm = field(name="base", default=20)

    @property
    def wounds_that_kill(self) -> int:
        """As many wounds as its Defence Factor kill it (DR-041)."""
        return self.defence_factor


class Mount(Row, frozen=True, kw_only=True):
    """What a mount is like. One that `fights` attacks its rider's enemy (DR-089)."""

    id: str
    walk_mm: Mm = field(name="walk")
    run_mm: Mm = field(name="run")
    charge_mm: Mm = field(name="charge")
    defence_factor: OneOrMore
    hand_to_hand: int
    fights: bool
    size: Size
    base_mm: Mm = field(name="base", default=25)


class MovementModifier(Row, frozen=True, kw_only=True):
    """What terrain, weather, a load or a wound takes off a move (DR-016). `dark`: not for who sees in the dark."""

    id: str
    kind: Literal["terrain", "weather", "condition", "wound"]
    infantry_pct: int
    cavalry_pct: int
    infantry_may_run: bool
    cavalry_may_run_or_charge: bool
    dark: bool = False

    def cut(self, mounted: bool) -> int:
        """The percentage that it takes off, from 0 to 100."""
        return -(self.cavalry_pct if mounted else self.infantry_pct)

    def may_run(self, mounted: bool) -> bool:
        """Whether it leaves a figure free to run, or if mounted to run and charge."""
        return self.cavalry_may_run_or_charge if mounted else self.infantry_may_run

    def mark_of_cut(self, mounted: bool) -> str:
        """Where that percentage is from."""
        return self.mark("cavalry_pct" if mounted else "infantry_pct")


class Action(Row, frozen=True, kw_only=True):
    """What an action costs, in half moves: 1 is half a move, 2 a whole one, 4 two turns (DR-030)."""

    id: str
    halves: Halves = field(name="cost")
    foot: bool
    mounted: bool


class Cell(Struct, frozen=True):
    """A cell of the missile table: percent to hit, Attack Factor (DR-050)."""

    percent: int
    attack_factor: int


class WeaponRow(Row, frozen=True, kw_only=True):
    """A missile weapon as its file has it: one cell a range band, `percent/factor` or `-` for out of range."""

    id: str
    cells: tuple[str, ...]
    aimable: bool
    thrown: bool
    two_handed: bool
    reload_action: str
    kind: WeaponKind
    in_hand: str


class Weapon(WeaponRow, frozen=True, kw_only=True):
    """A missile weapon with its cells read: `bands` are (farthest millimetre, cell), near to far, none out of range.

    `in_hand` is the row of the hand-to-hand modifiers for a figure that fights with it.
    """

    bands: tuple[tuple[int, Cell], ...]

    @property
    def reach_mm(self) -> int:
        """The farthest range at which it has a cell."""
        return self.bands[-1][0]


class Modifier(Row, frozen=True, kw_only=True):
    """A row of a list of modifiers: once, or once a wound; of those in one `exclusive_group` only the worst counts.

    With `replaces` it stands in for other rows. `dark`: not for who sees in the dark. `weapons`: only with one of these
    hand-to-hand weapons in hand.
    """

    id: str
    value: int
    per: Literal["once", "wound"]
    exclusive_group: str = ""
    replaces: tuple[str, ...] = ()
    dark: bool = False
    weapons: tuple[str, ...] = ()


class FiringModifier(Modifier, frozen=True, kw_only=True):
    """A row of the firing modifiers, in percentage points (DR-051). `kinds`: only with such weapons; empty is all."""

    value: int = field(name="pct")
    side: Literal["firer", "target", "environment"]
    kinds: tuple[WeaponKind, ...] = ()
    no_fire_beyond_mm: Mm = field(name="no_fire_beyond_cm", default=0)

    def concerns(self, kind: WeaponKind, sees_in_dark: bool) -> bool:
        """Whether it counts for a shot with such a weapon by one who does, or does not, see in the dark."""
        return (not self.kinds or kind in self.kinds) and not (self.dark and sees_in_dark)


class HthModifier(Modifier, frozen=True, kw_only=True):
    """A row of the hand-to-hand modifiers (DR-081). A weapon that counts only at times is `otherwise` another row.

    With `one_enemy` the row is about one enemy, and counts in the combat with that one alone (DA-27).
    """

    kind: Literal["weapon", "equipment", "training", "condition", "position"]
    two_handed: bool = False
    otherwise: str = ""
    one_enemy: bool = False


class MoraleModifier(Modifier, frozen=True, kw_only=True):
    """A row of the morale modifiers (DR-111). `within_mm` is how near is near, `at_least` how many it takes."""

    kind: Literal["training", "support", "loss", "position"]
    within_mm: Mm = field(name="within_cm", default=0)
    at_least: OneOrMore = 1


class Defence(Row, frozen=True, kw_only=True):
    """What armour or a shield adds to the Defence Factor when struck, never to the wounds (DR-042)."""

    id: str
    points: Count
    slot: Literal["body", "shield", "mount"]


class MountHitBand(Row, frozen=True, kw_only=True):
    """Who is struck when a shot wounds a rider (DR-070)."""

    roll_from: int
    roll_to: int
    struck: Literal["mount", "rider"]


class ThrownBand(Row, frozen=True, kw_only=True):
    """What becomes of a rider thrown from the saddle (DR-072). `turns_lost` come after this one."""

    roll_from: int
    roll_to: int
    result: str
    wounds: Count
    prone: bool
    rest_of_turn_lost: bool
    turns_lost: Count
    dead: bool


class HthBand(Row, frozen=True, kw_only=True):
    """What befalls the loser of a hand-to-hand combat by that difference (DR-082)."""

    diff_from: int
    diff_to: int
    result: str
    wounds: Count
    push_back_mm: Mm = field(name="push_back_cm")
    prone: bool


class MoraleBand(Row, frozen=True, kw_only=True):
    """The letter of a modified morale roll (DR-111)."""

    roll_from: int
    roll_to: int
    letter: str


class MoraleEffect(Row, frozen=True, kw_only=True):
    """What a morale letter means for a figure, and how long (DR-114). The letters stand from best to worst."""

    letter: str
    name: str
    may_advance: bool
    may_run: bool
    may_contact: bool
    may_charge: bool
    may_fire: bool
    fire_pct: int
    hth: int
    forced_move: Literal["none", "walk_away", "run_to_own_edge"]
    lasts: Literal["none", "next_turn", "next_turn_and_subsequent"]
    ignores_run_limit: bool = False
    rally_within_mm: Mm = field(name="rally_within_cm", default=0)
    rally_letters: tuple[str, ...] = ()
    rallied_to: str = ""


class Desertion(Row, frozen=True, kw_only=True):
    """The chance that one who routed leaves for good, by Status (DR-130)."""

    status: str
    percent: int


class RaceDesertion(Row, frozen=True, kw_only=True):
    """What a race adds to the chance of desertion."""

    race: str
    percent: int


class Status(Row, frozen=True, kw_only=True):
    """A Status and the battles survived that it takes; battles marked R do not count (DR-131)."""

    id: str
    battles: Count


class Arc(Row, frozen=True, kw_only=True):
    """A side of a figure: degrees either way from the direction that it faces."""

    arc: Literal["front", "side", "rear"]
    bearing_from: int
    bearing_to: int


class Constant(Row, frozen=True, kw_only=True):
    """A number that the rules give once and for all, in its unit."""

    name: str
    value: Fraction
    unit: str
