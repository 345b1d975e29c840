"""One attack from pool to damage: what is rolled, what it is rolled against, what follows (IF-041, IF-081, B-24)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.condition import harm_of, hurt, try_nerves
from engine.rules.ice_and_fire.defences import Blow, defence, engaged_elsewhere
from engine.rules.ice_and_fire.ground import (
    Field,
    area,
    distance,
    engaged_with,
    label,
    next_to,
    rectangle,
    screens_between,
    stands_higher,
    yards,
)
from engine.rules.ice_and_fire.heroes_hit import strike_heroes
from engine.rules.ice_and_fire.pools import (
    Outcome,
    Pool,
    Share,
    added,
    call,
    kept_dice,
    outcome,
    penalty_dice,
    spare_dice,
)
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.walls_held import after_rout
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Yielded
from events.facts import Term
from events.ice_and_fire.kit import Arm, Profile
from events.ice_and_fire.units import ArmourShattered, Attacked, StanceTaken, WeaponLost
from projections.ice_and_fire.state import Unit


def skill_shares(field: Field, profile: Profile, arm: Arm, who: str) -> list[Share]:
    """Test dice of the skill and bonus dice of the specialty, less what the weapon's training takes (B-02, B-34)."""
    dice = profile.abilities[arm.skill]
    special = bonus_dice(profile, arm.skill, arm.specialty)
    shares = [kept_dice(dice, f"{arm.skill} of {who}", "B-01")]
    if profile.test_die:
        shares.append(kept_dice(profile.test_die, "elite", "AMB-14"))
    if special > arm.training:
        shares.append(spare_dice(special - arm.training, arm.specialty.replace("_", " "), "B-34"))
    elif special < arm.training:
        shares.append(penalty_dice(arm.training - special, f"{arm.name} needs training", "B-34"))
    return shares + _of_the_grade(field, arm) + weather_shares(field, arm.skill)


def _of_the_grade(field: Field, arm: Arm) -> list[Share]:
    """What a weapon's make does for those who wield it: a poor one costs a die, a good one gains a point (B-35)."""
    if arm.grade == "poor":
        return [penalty_dice(field.tables.number("poor_dice"), f"poor {arm.name}", "B-35", "found")]
    if arm.grade in ("superior", "extraordinary"):
        return [added(field.tables.number("superior_points"), f"{arm.grade} {arm.name}", "B-35", "found")]
    return []


def attack_pool(field: Field, unit: Unit, target: Unit, arm: Arm, carried: Carried, blow: Blow) -> Pool:
    """All that goes into a unit's attack on another."""
    shares = skill_shares(field, unit.profile, arm, unit.name)
    shares += order_shares(unit, carried, charging=blow.way in ("charge", "trample"))
    numbers = field.tables.number
    if "aim" in unit.stances:
        shares.append(spare_dice(numbers("aim_bonus"), "aim", "IF-100"))  # B-70
    if unit.mounted and arm.skill == "fighting" and not target.mounted:
        shares.append(spare_dice(numbers("mounted_bonus"), "mounted against men on foot", "B-76"))
    high = stands_higher(field, unit, target)
    if high:
        shares.append(spare_dice(numbers("high_bonus"), "higher ground", high))  # AMB-44
    if "hold" in unit.stances:
        shares.append(penalty_dice(1, "holding the line", "IF-106"))  # B-74
    if blow.way == "charge":
        shares.append(penalty_dice(1, "charging", "IF-103"))
    if blow.way in ("charge", "trample") and "wedge" in unit.stances and not _breaks_wedge(field, unit, target):
        shares.append(kept_dice(1, "wedge", "IF-144"))  # no foe has engaged it, else it is spent (AMB-24)
    if blow.dice:
        shares.append(penalty_dice(-blow.dice, "one target after another", "B-75"))
    shares += handling(field, arm, mounted=unit.mounted)
    shares += _shooting(field, unit, target, arm, carried) if arm.shoots else _reaching(field, unit, target)
    shares += _facing(field, unit, target)
    return Pool(tuple(shares), unit.profile.abilities[arm.skill])


def _breaks_wedge(field: Field, unit: Unit, target: Unit) -> bool:
    """Whether a target's shield wall undoes the wedge: not if it is in melee with another unit already (IF-134)."""
    return "shield_wall" in target.stances and not engaged_elsewhere(field, target, unit.id)


def handling(field: Field, arm: Arm, *, mounted: bool) -> list[Share]:
    """Weapons that are awkward on horseback, or on foot (B §5)."""
    dice = field.tables.number("unwieldy_dice")
    if mounted and "unwieldy" in arm.qualities:
        return [penalty_dice(dice, f"{arm.name} on horseback", "B-76")]
    if not mounted and "mounted" in arm.qualities:
        return [penalty_dice(dice, f"{arm.name} on foot", "B-76")]
    return []


def _reaching(field: Field, unit: Unit, target: Unit) -> list[Share]:
    """Over the heads of friends (IF-082)."""
    return [] if next_to(field, unit, target) else [penalty_dice(1, "over friends' heads", "IF-082")]


def _shooting(field: Field, unit: Unit, target: Unit, arm: Arm, carried: Carried) -> list[Share]:
    """Range, melee, what hides the target (B §5, B-85, IF-221, IF-247, IF-248)."""
    shares = []
    far = range_dice(field, unit, target, arm)
    if far:
        shares.append(penalty_dice(far, "range", "B-80"))
    if engaged_with(field, unit):
        shares.append(penalty_dice(field.tables.number("melee_shot_dice"), "shooting in melee", "B-85"))
    hidden = hiding_wall(field, unit, target)
    if hidden and not carried.guided:
        shares.append(penalty_dice(field.tables.number("wall_hides_dice"), f"across {hidden}", "IF-247"))
    if not stands_higher(field, unit, target):
        for name in sorted(field.state.grounds):
            ground = field.state.grounds[name]
            row = label(field, ground)
            if row.ranged_dice and area(ground.corners).crosses(unit.at, target.at) == "enters":
                shares.append(penalty_dice(-row.ranged_dice, ground.name, row.rule))
    if "from_wall" in arm.qualities and unit.on_wall:
        wall = field.tables.walls[field.state.walls[unit.on_wall].wall]
        if arm.id == "stones" and wall.stone_dice:
            shares.append(kept_dice(wall.stone_dice, wall.name, "IF-249"))
    return shares


def range_dice(field: Field, unit: Unit, target: Unit, arm: Arm) -> int:
    """Penalty dice for the range between two units."""
    return dice_at(field, distance(unit, target), arm)


def dice_at(field: Field, far: int, arm: Arm) -> int:
    """Penalty dice for a shot over so many map millimetres: one for each full reach beyond the first (B-80).

    A reach is a hundred yards, or ten for close weapons such as stones and what is poured from a wall (B-86).
    """
    reach = yards(field, field.tables.number("close_range_yd" if "close_range" in arm.qualities else "long_range_yd"))
    return max(-(-far // reach) - 1, 0)


def hiding_wall(field: Field, unit: Unit, target: Unit) -> str:
    """The wall or closed gate that hides two units from each other: neither of them mans it (IF-247, AMB-32a)."""
    for screen, name, row in screens_between(field, unit.at, target.at):
        if row.hides and screen not in (unit.on_wall, target.on_wall):
            return name
    return ""


def _facing(field: Field, unit: Unit, target: Unit) -> list[Share]:
    """A bonus die in the flank, a test die in the rear, where the referee has them in use (B-107, RUL-18)."""
    if field.state.said("facing", "off") != "on":
        return []
    side = rectangle(target).side_of(unit.at)
    if side == "flank":
        return [spare_dice(field.tables.number("flank_bonus"), "in the flank", "RUL-18")]
    return [kept_dice(field.tables.number("rear_dice"), "in the rear", "RUL-18")] if side == "rear" else []


def base_damage(field: Field, unit: Unit, target: Unit, arm: Arm, blow: Blow) -> int:
    """What each degree of a hit does, before armour (B-24, IF-103, B-76): nothing, or 1 by option (AMB-45)."""
    damage = arm.damage + blow.damage
    if unit.mounted and blow.way == "attack" and not unit.moved and arm.skill == "fighting":
        damage += field.tables.number("mounted_damage")
    if arm.id == "stones" and unit.on_wall:
        damage += field.tables.walls[field.state.walls[unit.on_wall].wall].stone_damage
    if damage <= 0 and field.state.said("minimum_damage", "none") == "one":
        return 1
    return max(damage, 0)


def armour_against(unit: Unit, arm: Arm, blow: Blow) -> int:
    """The armour rating that counts: of the horses for stakes, less what pierces (B-25, AMB-17)."""
    if "ignores_armour" in arm.qualities:
        return 0
    rating = unit.profile.horse_ar if blow.horse else max(unit.profile.ar - unit.ar_lost, 0)
    return max(rating - arm.piercing, 0)


def damage_of(base: int, degrees: int, armour: int, *, fire: bool = False) -> int:
    """The damage of one hit.

    >>> damage_of(3, 3, 2, fire=True)
    2
    """
    return harm_of(base, degrees, armour, fire=fire).damage


def strike(
    field: Field, unit: str, target: str, arm: Arm, carried: Carried, blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    """One attack of a unit on another, with all that follows from it.

    The same roll is held against each hero with the target (IF-041, AMB-07).
    """
    it, foe = field.state.units[unit], field.state.units[target]
    pool = attack_pool(field, it, foe, arm, carried, blow)
    return (yield from strike_with(field, it, foe, arm, pool, defence(field, foe, it, arm, blow), blow))


def strike_with(
    field: Field, it: Unit, foe: Unit, arm: Arm, pool: Pool, lines: Sequence[Term], blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    """One attack with a pool that is made up already, as for machines."""
    result = yield from _roll(field, it, foe, arm, pool, lines, blow)
    staggers = (
        blow.stagger and "staggering" in arm.qualities and result.degrees >= field.tables.number("stagger_degrees")
    )
    if staggers:
        result = Outcome(result.total, result.degrees - 1, False)
    base = base_damage(field, it, foe, arm, blow)
    harm = harm_of(base, result.degrees, armour_against(foe, arm, blow), fire=blow.fire)
    damage = harm.damage
    turn, target = field.state.table.turn, foe.id
    key = key_of(field, it.id, target, blow)
    yield Attacked(
        it.id, target, arm.id, result.degrees, damage, not arm.shoots, turn, blow.rule, key, free=blow.free,
        before_limits=harm.before,
    )  # fmt: skip
    yield from strike_heroes(field, it, foe, arm, base, result.total, damage, key, blow)
    if damage:
        yield from hurt(field, target, damage, it.id, "B-24", key)
        if blow.fire:
            near = [field.state.units[target]] if field.state.units[target].on_field else []
            tn = field.tables.number("incendiary_tn")
            yield from try_nerves(field, near, tn, "fire arrows", f"{key}/fire", "IF-277")
    if staggers and field.state.units[target].on_field:
        yield StanceTaken(target, "staggered", "IF-090")
    yield from _afterwards(field, it, foe, arm, result, blow)
    return result


def key_of(field: Field, unit: str, target: str, blow: Blow) -> str:
    """The key of an attack's roll, unique within a battle."""
    return f"t{field.state.table.turn}/{blow.way}/{unit}>{target}"


def _roll(
    field: Field, unit: Unit, foe: Unit, arm: Arm, pool: Pool, lines: Sequence[Term], blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    purpose = f"{unit.name} with {arm.name} at {foe.name}"
    made = call(key_of(field, unit.id, foe.id, blow), purpose, unit.seat, unit.id, pool, lines, blow.rule)
    reading = yield made
    return outcome(field.tables, reading, made.target)


def _afterwards(
    field: Field, unit: Unit, foe: Unit, arm: Arm, result: Outcome, blow: Blow
) -> Generator[Yielded, Any, None]:
    """Weapons left in the foe, armour broken, a wall won (IF-081, B §5, IF-257).

    What impales is all that a unit loses: that a weapon is fragile is taken no notice of (IF-080).
    """
    stuck = result.degrees >= field.tables.number("impale_degrees") and "impale" in arm.qualities
    if stuck and not blow.horse:
        yield WeaponLost(unit.id, arm.id, "IF-081")
    if arm.shattering and result.degrees >= field.tables.number("shatter_degrees"):
        left = max(foe.profile.shield - foe.shield_lost, 0)
        broken = min(arm.shattering, left)
        rest = min(arm.shattering - broken, max(foe.profile.ar - foe.ar_lost, 0))
        if broken or rest:
            yield ArmourShattered(foe.id, broken, rest, "IF-090")
    yield from after_rout(field, foe.id, unit.id, melee=not arm.shoots)


# -- choosing ----------------------------------------------------------------------------------------------------------


def arms_for(unit: Unit, *, shooting: bool, setting: bool = False) -> list[Arm]:
    """The weapons a unit still has for shots, or for blows; those to be set only when it sets them (B §5)."""
    return [
        arm
        for arm in unit.profile.arms
        if arm.shoots == shooting and arm.id not in unit.lost and (setting or "set_for_charge" not in arm.qualities)
    ]


def best_arm(field: Field, unit: Unit, target: Unit, *, shooting: bool, setting: bool = False) -> Arm | None:
    """The weapon that promises most against a target at two degrees; of equals the first in the list."""
    blow = Blow("attack")

    def worth(arm: Arm) -> tuple[int, int]:
        return damage_of(arm.damage, 2, armour_against(target, arm, blow)), -arm.training

    arms = arms_for(unit, shooting=shooting, setting=setting)
    if setting and any("set_for_charge" in arm.qualities for arm in arms):
        arms = [arm for arm in arms if "set_for_charge" in arm.qualities]
    return max(arms, key=worth) if arms else None
