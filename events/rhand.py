"""The facts of Rhand: who stands where, what was released, struck and parried, what each blow did and by which cell.

Every outcome carries the rule that made it and, where dice decided, the key of their roll. Where a table decided, the
fact names the table, its row and its column. Speeds are fractions as text (`5/2` hexes a phase); damage is in points.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import msgspec

from events.facts import Event, Kind, Term
from events.places import Hex

Step: TypeAlias = Literal["release", "movement", "declare"]
"""Where a phase stands: spells and missiles, movement, blows (SP-001)."""

Effect: TypeAlias = Literal["nothing", "down", "pd", "distracted", "moved"]
"""What a spell or a hold can do to somebody (SG-03)."""


# ---------------------------------------------------------------------------------------------------- setting out


class FieldLaid(Event, frozen=True, gc=False, tag="rhand.field_laid"):
    """The hexes that can be stood on: columns and rows, both from 0, but for the `closed` ones."""

    kind: ClassVar[Kind] = "table"
    columns: int
    rows: int
    closed: tuple[Hex, ...] = ()
    last_phase: int = 0
    aid: dict[str, int] = {}


class SpellListed(Event, frozen=True, gc=False, tag="rhand.spell_listed"):
    """A spell that somebody knows: its force, and what it does to a target unless the referee says otherwise.

    `max_targets`, `max_range` (hexes) and `max_casts` (by one mage in the battle) limit it; 0 is no limit.
    """

    kind: ClassVar[Kind] = "table"
    spell: str
    force: int
    effect: Effect
    amount: int = 0
    max_targets: int = 0
    max_range: int = 0
    max_casts: int = 0


class FighterPlaced(Event, frozen=True, gc=False, tag="rhand.fighter_placed"):
    """A combatant stands on the field. `skills` are his Combat Skill Levels with other things than `skill` is for.

    `hands` is what the weapon takes, `carries` what else they could take in hand; `mount` the row of a horse that is a
    piece of its own; `rides` the horse's id; `cover` the row of table 3C for what hides them, empty in the open.
    """

    kind: ClassVar[Kind] = "table"
    fighter: str
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
    weapon_arm: Literal["right", "left"]
    combat_speed: str
    action_time: str = ""
    braced: bool = False
    mount: str = ""
    rides: str = ""
    total: int = 0
    carries: tuple[str, ...] = ()
    cover: str = ""


class StepBegan(Event, frozen=True, gc=False, tag="rhand.step_began"):
    """The next step of the phase begins."""

    kind: ClassVar[Kind] = "clock"
    step: Step
    rule: str = "SP-001"


# ---------------------------------------------------------------------------------------------------- release


class Place(msgspec.Struct, frozen=True, gc=False):
    """One mage's or archer's place in the order of release: who, his total, and his Agility."""

    fighter: str
    total: int
    agility: int


class ReleaseOrdered(Event, frozen=True, gc=False, tag="rhand.release_ordered"):
    """The order in which spells and missiles are let go. Those in one group are tied and release together."""

    groups: tuple[tuple[Place, ...], ...]
    rule: str = "SP-012"


class Released(Event, frozen=True, gc=False, tag="rhand.released"):
    """A spell or missile is let go. `ready` is the phase from which the weapon is loaded, or the mage rested, again."""

    fighter: str
    what: Literal["spell", "missile"]
    name: str
    targets: tuple[str, ...]
    ready: int
    hands: int
    rule: str


class SpellTook(Event, frozen=True, gc=False, tag="rhand.spell_took"):
    """What a spell or a hold did to somebody, as the referee ruled."""

    fighter: str
    by: str
    spell: str
    effect: Effect
    amount: int = 0
    to: Hex | None = None
    rule: str = "SG-03"


class Preparing(Event, frozen=True, gc=False, tag="rhand.preparing"):
    """A mage begins to prepare a spell, which he can release from phase `ready` on."""

    fighter: str
    spell: str
    ready: int
    rule: str = "SPX-15"


class ShotJudged(Event, frozen=True, gc=False, tag="rhand.shot_judged"):
    """A missile comes down: the level of accuracy with what it is made of, the odds by table 3E, whether it hit."""

    fighter: str
    target: str
    weapon: str
    level: int
    odds: int
    hit: bool
    key: str
    rule: str = "SPX-14"
    terms: tuple[Term, ...] = ()


class ShotStopped(Event, frozen=True, gc=False, tag="rhand.shot_stopped"):
    """A missile of a volley struck a shield or the ground."""

    fighter: str
    target: str
    key: str
    rule: str = "SPX-14"


# ---------------------------------------------------------------------------------------------------- movement


class Moved(Event, frozen=True, gc=False, tag="rhand.moved"):
    """A figure moved along `path` (its own hex first). `pace` is how many times Combat Speed, as a fraction."""

    fighter: str
    path: tuple[Hex, ...]
    facing: int
    pace: str
    fast: bool
    rule: str


class Halted(Event, frozen=True, gc=False, tag="rhand.halted"):
    """A figure had to stop before the end of its move."""

    fighter: str
    before: Hex
    why: str
    rule: str


class ActionCount(msgspec.Struct, frozen=True, gc=False):
    """What one fighter can do this phase; `combat` are the actions of one who fights unarmed."""

    fighter: str
    weapon: int
    shield: int
    combat: int = 0


class ActionsCounted(Event, frozen=True, gc=False, tag="rhand.actions_counted"):
    """The Weapon and Shield Actions of everybody who can fight, saved ones included."""

    counts: tuple[ActionCount, ...]
    rule: str = "SPX-02"


class CoverTaken(Event, frozen=True, gc=False, tag="rhand.cover_taken"):
    """A figure is behind cover until it moves: the row of table 3C that archers read; empty for none."""

    fighter: str
    cover: str
    rule: str = "SPX-14"


class ControlLost(Event, frozen=True, gc=False, tag="rhand.control_lost"):
    """A rider does not master his horse this phase."""

    fighter: str
    horse: str
    rule: str = "SPX-16"


class Unhorsed(Event, frozen=True, gc=False, tag="rhand.unhorsed"):
    """A rider is off his horse."""

    fighter: str
    horse: str
    combat_speed: str
    rule: str = "SPX-16"


# ---------------------------------------------------------------------------------------------------- blows


class ActionsSpent(Event, frozen=True, gc=False, tag="rhand.actions_spent"):
    """What a fighter did with their actions: blows struck, parries, a dodge. `saved` is carried to the next phase.

    `weapon`, `shield` and `combat` are the actions of each kind that are gone. Weapon Actions and the combat actions of
    unarmed blows come out of one phase: what is spent of the one is gone from the other (SPX-17).
    """

    fighter: str
    blows: int
    weapon: int
    shield: int
    parries: int
    dodged: bool
    saved: int
    rule: str = "SP-022"
    combat: int = 0


class ActionsKept(Event, frozen=True, gc=False, tag="rhand.actions_kept"):
    """Fighters who had no orders did nothing: how many actions each of them saves for the next phase."""

    saved: dict[str, int]
    rule: str = "SPX-04"


class ParryTyped(Event, frozen=True, gc=False, tag="rhand.parry_typed"):
    """The Parry Type of a defender: blows inside his Field of Attack, parries, and the table that follows."""

    fighter: str
    blows: int
    parries: int
    unseen: int
    table: str
    rule: str


class BlowJudged(Event, frozen=True, gc=False, tag="rhand.blow_judged"):
    """A blow and whether it hit: the Combat Attack Table with row and column, its odds, and the roll's key."""

    fighter: str
    target: str
    number: int
    stroke: str
    blow: str
    weapon: str
    table: str
    attack_level: int
    skill: int
    odds: int
    hit: bool
    key: str
    rule: str = "SP-031"


class CutThrough(Event, frozen=True, gc=False, tag="rhand.cut_through"):
    """A blow struck the parry: `stopped` of its impact stayed there, `left` goes on."""

    fighter: str
    target: str
    by: str
    stopped: int
    left: int
    rule: str = "SPX-19"


class Glanced(Event, frozen=True, gc=False, tag="rhand.glanced"):
    """A blow met armour aslant: table 3F left `left` of its impact."""

    fighter: str
    target: str
    roll: int
    row: int
    column: str
    left: int
    key: str
    rule: str = "SPX-19"


class Struck(Event, frozen=True, gc=False, tag="rhand.struck"):
    """What a hit did: the damage table, location, row (Impact Damage) and column (Armor Class), and the damage.

    `total` is what the wounded man has in all. Damage of 0 is no wound (SA-09). `terms` tell what became of the impact
    and what the cell holds; `keys` are the rolls beside the one for the location, such as that of the impact.
    """

    fighter: str
    by: str
    location: str
    limb: str
    table: str
    impact: int
    row: int
    column: str
    damage: int
    total: int
    key: str
    rule: str = "SP-036"
    terms: tuple[Term, ...] = ()
    keys: tuple[str, ...] = ()


class LimbDisabled(Event, frozen=True, gc=False, tag="rhand.limb_disabled"):
    """An arm or leg cannot be used for the rest of the fight."""

    fighter: str
    limb: str
    damage: int
    rule: str = "SP-040"


class KnockedOut(Event, frozen=True, gc=False, tag="rhand.knocked_out"):
    """Unconscious or dazed: down, and out of the combat."""

    fighter: str
    total: int
    chance: int
    key: str
    rule: str = "SP-043"


class ArmRuled(Event, frozen=True, gc=False, tag="rhand.arm_ruled"):
    """What a disabled arm leaves a fighter, by the referee: a strapped shield, or fighting on with kicks.

    `as_weapon`: the kick stands for a weapon in hand, with its skill and its parries, as in the first edition.
    """

    fighter: str
    keeps: Literal["shield", "kicks"]
    rule: str = "SG-05"
    as_weapon: bool = True


class HandChanged(Event, frozen=True, gc=False, tag="rhand.hand_changed"):
    """A fighter holds the weapon in the other hand from now on; `arm` is the one that holds it."""

    fighter: str
    arm: Literal["right", "left"]
    rule: str = "SG-05"


class Readying(Event, frozen=True, gc=False, tag="rhand.readying"):
    """A fighter takes a shield or another weapon in hand, which is done by the end of phase `done`."""

    fighter: str
    what: Literal["weapon", "shield"]
    name: str
    done: int
    rule: str


class Readied(Event, frozen=True, gc=False, tag="rhand.readied"):
    """A fighter has a shield or another weapon in hand.

    `carries` is what they carry besides from now on, things put away included; None where nothing is put away and what
    was in hand is gone, as in the first edition. A grip with both hands puts the shield away.
    """

    fighter: str
    what: Literal["weapon", "shield"]
    name: str
    hands: int
    rule: str
    carries: tuple[str, ...] | None = None


class Distracted(Event, frozen=True, gc=False, tag="rhand.distracted"):
    """Something breaks a fighter's concentration."""

    fighter: str
    event: str
    rule: str


class Roused(Event, frozen=True, gc=False, tag="rhand.roused"):
    """A dazed fighter is on his feet again, by the referee's leave."""

    fighter: str
    by: str
    rule: str = "SG-07"


class Yielded(Event, frozen=True, gc=False, tag="rhand.yielded"):
    """A fighter gives up; nobody strikes him any more."""

    fighter: str
    rule: str = "SP-020"


class Recovered(Event, frozen=True, gc=False, tag="rhand.recovered"):
    """The Recovery Roll after the fight: damage total, chance, and how many minutes until it is due."""

    fighter: str
    damage_total: int
    aided: int
    chance: int
    minutes: int
    survived: bool
    key: str
    rule: str = "SPX-20"


EVENTS: tuple[type[Event], ...] = (
    FieldLaid, SpellListed, FighterPlaced, StepBegan, ReleaseOrdered, Released, SpellTook, Preparing, ShotJudged,
    ShotStopped, Moved, Halted, CoverTaken, ActionsCounted, ControlLost, Unhorsed, ActionsSpent, ActionsKept,
    ParryTyped, BlowJudged, CutThrough, Glanced, Struck, LimbDisabled, KnockedOut, ArmRuled, HandChanged, Readying,
    Readied, Distracted, Roused, Yielded, Recovered,
)  # fmt: skip
"""Every fact of Rhand."""
