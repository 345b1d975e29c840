"""The state of a Rhand fight: fighters on hexes, what they hold, what they have left, how badly they are hurt."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from events.places import Hex
from projections.battle_state import State


class Spell(msgspec.Struct, frozen=True, gc=False):
    """A spell that is known: its force, what it does unless the referee says otherwise, its limits (0 is none)."""

    force: int
    effect: str
    amount: int
    max_targets: int = 0
    max_range: int = 0
    max_casts: int = 0


class Fighter(msgspec.Struct, frozen=True, gc=False):
    """One combatant, or a horse. `total` is all his Physical Damage (SP-039); `disabled` his lame limbs, for good.

    `happened` says in which phase something last disturbed him, by the ids of the distraction table. `pace` is how many
    times Combat Speed he moved this phase, `last_pace` the phase before; `came_from` is where the phase found him.
    `covered_by` is the row of table 3C that hides them, `spells_cast` how often they cast what; `died` is what the
    Recovery Roll finds (SPX-20). `kick_as_weapon` is how the first edition read kicks.
    """

    id: str
    name: str
    seat: str
    at: Hex
    facing: int
    strength: int
    agility: int
    health: int
    knockout_value: int
    skill: int
    skills: dict[str, int]
    weapon: str
    hands: int
    shield: str
    armor: str
    armor_class: str
    missile: str
    ammunition: int
    spells: tuple[str, ...]
    weapon_arm: str
    combat_speed: str
    action_time: str
    braced: bool
    mount: str
    rides: str
    total: int
    carries: tuple[str, ...]
    came_from: Hex
    disabled: tuple[str, ...] = ()
    down: bool = False
    yielded: bool = False
    weapon_actions: int = 0
    shield_actions: int = 0
    combat_actions: int = 0
    saved: int = 0
    pace: str = "0"
    last_pace: str = "0"
    fast: bool = False
    happened: dict[str, int] = {}
    ready: int = 0
    released: int = 0
    released_hands: int = 0
    preparing: str = ""
    prepared_from: int = 0
    prepared_at: int = 0
    taking_up: tuple[str, str, int] | None = None
    dodging: bool = False
    strapped: bool = False
    kicks: bool = False
    kick_as_weapon: bool = False
    covered_by: str = ""
    spells_cast: dict[str, int] = {}
    died: bool = False

    @property
    def out(self) -> bool:
        """Whether he takes no more part: knocked out (SP-044) or given up."""
        return self.down or self.yielded

    @property
    def is_horse(self) -> bool:
        """Whether this is a horse and not a man."""
        return bool(self.mount)

    @property
    def lame_arms(self) -> int:
        """How many arms are disabled."""
        return sum(limb.endswith("arm") for limb in self.disabled)

    @property
    def on_knees(self) -> bool:
        """Whether a disabled leg keeps him on his knees (SPX-10)."""
        return any(limb.endswith("leg") for limb in self.disabled)

    @property
    def shield_arm(self) -> str:
        """The arm that holds no weapon (SA-18)."""
        return "left" if self.weapon_arm == "right" else "right"

    @property
    def in_hand(self) -> str:
        """The weapon that they can use: none with a disabled weapon arm, no two-handed one with either (SP-041)."""
        if self.kick_as_weapon:
            return "kick"
        lame = f"{self.weapon_arm}_arm" in self.disabled or (self.hands > 1 and self.lame_arms > 0)
        return "" if lame else self.weapon

    @property
    def shield_in_use(self) -> str:
        """The shield that he can use: none on a disabled arm, unless it is strapped (SP-041, SG-05)."""
        lame = f"{self.shield_arm}_arm" in self.disabled and not self.strapped
        return "" if lame or self.hands > 1 else self.shield

    @property
    def speed(self) -> Fraction:
        """His Combat Speed in hexes a phase."""
        return Fraction(self.combat_speed)

    def level(self, weapon: str) -> int:
        """His Combat Skill Level with something; with nothing in hand, unarmed (SA-20)."""
        return self.skills.get(weapon or "unarmed", self.skill if weapon else self.skills.get("unarmed", self.skill))


class Rhand(State, frozen=True, gc=False):
    """A Rhand fight. `step` is release, movement or declare (SP-001); a phase is a turn of the table."""

    columns: int = 0
    rows: int = 0
    closed: tuple[Hex, ...] = ()
    last_phase: int = 0
    aid: dict[str, int] = {}
    spells: dict[str, Spell] = {}
    fighters: dict[str, Fighter] = {}
    step: str = "release"

    @property
    def phase(self) -> int:
        """The running phase, from 1."""
        return self.table.turn

    def men(self) -> Iterator[Fighter]:
        """Everybody who still fights, horses too, sorted by id."""
        return (self.fighters[name] for name in sorted(self.fighters) if not self.fighters[name].out)

    def rider_of(self, horse: str) -> Fighter | None:
        """Who sits on a horse."""
        return next((each for each in self.fighters.values() if each.rides == horse), None)
