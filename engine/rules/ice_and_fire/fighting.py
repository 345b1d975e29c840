"""One attack from pool to damage: what is rolled, what it is rolled against, what follows (IF-041, IF-081, B-24)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from engine.rules.ice_and_fire.calls import (
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
from engine.rules.ice_and_fire.carried import Carried, order_shares
from engine.rules.ice_and_fire.condition import harm_of, hurt, try_nerves
from engine.rules.ice_and_fire.defences import Blow, defence, engaged_elsewhere
from engine.rules.ice_and_fire.ground import (
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
from engine.rules.ice_and_fire.profiles import bonus_dice
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.walls_held import after_rout
from engine.rules.ice_and_fire.weather import weather_shares
from engine.rules.rule_set import Yielded
from events.facts import Term
from events.ice_and_fire.kit import Arm, Profile
from events.ice_and_fire.units import ArmourShattered, Attacked, StanceTaken, WeaponLost
from projections.ice_and_fire.state import Unit


def skill_shares(situation: Situation, profile: Profile, arm: Arm, who: str) -> list[Share]:
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
    return shares + _of_the_grade(situation, arm) + weather_shares(situation, arm.skill)


def _of_the_grade(situation: Situation, arm: Arm) -> list[Share]:
    """What a weapon's make does for those who wield it: a poor one costs a die, a good one gains a point (B-35)."""
    if arm.grade == "poor":
        return [penalty_dice(situation.tables.number("poor_dice"), f"poor {arm.name}", "B-35", "found")]
    if arm.grade in ("superior", "extraordinary"):
        return [added(situation.tables.number("superior_points"), f"{arm.grade} {arm.name}", "B-35", "found")]
    return []


def attack_pool(situation: Situation, unit: Unit, target: Unit, arm: Arm, carried: Carried, blow: Blow) -> Pool:
    """All that goes into a unit's attack on another."""
    shares = skill_shares(situation, unit.profile, arm, unit.name)
    shares += order_shares(unit, carried, charging=blow.way in ("charge", "trample"))
    numbers = situation.tables.number
    if "aim" in unit.stances:
        shares.append(spare_dice(numbers("aim_bonus"), "aim", "IF-100"))  # B-70
    if unit.mounted and arm.skill == "fighting" and not target.mounted:
        shares.append(spare_dice(numbers("mounted_bonus"), "mounted against men on foot", "B-76"))
    high = stands_higher(situation, unit, target)
    if high:
        shares.append(spare_dice(numbers("high_bonus"), "higher ground", high))  # AMB-44
    if "hold" in unit.stances:
        shares.append(penalty_dice(1, "holding the line", "IF-106"))  # B-74
    if blow.way == "charge":
        shares.append(penalty_dice(1, "charging", "IF-103"))
    if blow.way in ("charge", "trample") and "wedge" in unit.stances and not _breaks_wedge(situation, unit, target):
        shares.append(kept_dice(1, "wedge", "IF-144"))  # no foe has engaged it, else it is spent (AMB-24)
    if blow.dice:
        shares.append(penalty_dice(-blow.dice, "one target after another", "B-75"))
    shares += handling(situation, arm, mounted=unit.mounted)
    shares += _shooting(situation, unit, target, arm, carried) if arm.shoots else _reaching(situation, unit, target)
    shares += _facing(situation, unit, target)
    return Pool(tuple(shares), unit.profile.abilities[arm.skill])


def _breaks_wedge(situation: Situation, unit: Unit, target: Unit) -> bool:
    """Whether a target's shield wall undoes the wedge: not if it is in melee with another unit already (IF-134)."""
    return "shield_wall" in target.stances and not engaged_elsewhere(situation, target, unit.id)


def handling(situation: Situation, arm: Arm, *, mounted: bool) -> list[Share]:
    """Weapons that are awkward on horseback, or on foot (B §5)."""
    dice = situation.tables.number("unwieldy_dice")
    if mounted and "unwieldy" in arm.qualities:
        return [penalty_dice(dice, f"{arm.name} on horseback", "B-76")]
    if not mounted and "mounted" in arm.qualities:
        return [penalty_dice(dice, f"{arm.name} on foot", "B-76")]
    return []


def _reaching(situation: Situation, unit: Unit, target: Unit) -> list[Share]:
    """Over the heads of friends (IF-082)."""
    return [] if next_to(situation, unit, target) else [penalty_dice(1, "over friends' heads", "IF-082")]


def _shooting(situation: Situation, unit: Unit, target: Unit, arm: Arm, carried: Carried) -> list[Share]:
    """Range, melee, what hides the target (B §5, B-85, IF-221, IF-247, IF-248)."""
    shares = []
    far = range_dice(situation, unit, target, arm)
    if far:
        shares.append(penalty_dice(far, "range", "B-80"))
    if engaged_with(situation, unit):
        shares.append(penalty_dice(situation.tables.number("melee_shot_dice"), "shooting in melee", "B-85"))
    hidden = hiding_wall(situation, unit, target)
    if hidden and not carried.guided:
        shares.append(penalty_dice(situation.tables.number("wall_hides_dice"), f"across {hidden}", "IF-247"))
    if not stands_higher(situation, unit, target):
        for name in sorted(situation.state.grounds):
            ground = situation.state.grounds[name]
            row = label(situation, ground)
            if row.ranged_dice and area(ground.corners).crosses(unit.at, target.at) == "enters":
                shares.append(penalty_dice(-row.ranged_dice, ground.name, row.rule))
    if "from_wall" in arm.qualities and unit.on_wall:
        wall = situation.tables.walls[situation.state.walls[unit.on_wall].wall]
        if arm.id == "stones" and wall.stone_dice:
            shares.append(kept_dice(wall.stone_dice, wall.name, "IF-249"))
    return shares


def range_dice(situation: Situation, unit: Unit, target: Unit, arm: Arm) -> int:
    """Penalty dice for the range between two units."""
    return dice_at(situation, distance(unit, target), arm)


def dice_at(situation: Situation, far: int, arm: Arm) -> int:
    """Penalty dice for a shot over so many map millimetres: one for each full reach beyond the first (B-80).

    A reach is a hundred yards, or ten for close weapons such as stones and what is poured from a wall (B-86).
    """
    reach = yards(
        situation, situation.tables.number("close_range_yd" if "close_range" in arm.qualities else "long_range_yd")
    )
    return max(-(-far // reach) - 1, 0)


def hiding_wall(situation: Situation, unit: Unit, target: Unit) -> str:
    """The wall or closed gate that hides two units from each other: neither of them mans it (IF-247, AMB-32a)."""
    for screen, name, row in screens_between(situation, unit.at, target.at):
        if row.hides and screen not in (unit.on_wall, target.on_wall):
            return name
    return ""


def _facing(situation: Situation, unit: Unit, target: Unit) -> list[Share]:
    """A bonus die in the flank, a test die in the rear, where the referee has them in use (B-107, RUL-18)."""
    if situation.state.said("facing", "off") != "on":
        return []
    side = rectangle(target).side_of(unit.at)
    if side == "flank":
        return [spare_dice(situation.tables.number("flank_bonus"), "in the flank", "RUL-18")]
    return [kept_dice(situation.tables.number("rear_dice"), "in the rear", "RUL-18")] if side == "rear" else []


def base_damage(situation: Situation, unit: Unit, target: Unit, arm: Arm, blow: Blow) -> int:
    """What each degree of a hit does, before armour (B-24, IF-103, B-76): nothing, or 1 by option (AMB-45)."""
    damage = arm.damage + blow.damage
    if unit.mounted and blow.way == "attack" and not unit.moved and arm.skill == "fighting":
        damage += situation.tables.number("mounted_damage")
    if arm.id == "stones" and unit.on_wall:
        damage += situation.tables.walls[situation.state.walls[unit.on_wall].wall].stone_damage
    if damage <= 0 and situation.state.said("minimum_damage", "none") == "one":
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
    situation: Situation, unit: str, target: str, arm: Arm, carried: Carried, blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    """One attack of a unit on another, with all that follows from it.

    The same roll is held against each hero with the target (IF-041, AMB-07).
    """
    it, foe = situation.state.units[unit], situation.state.units[target]
    pool = attack_pool(situation, it, foe, arm, carried, blow)
    return (yield from strike_with(situation, it, foe, arm, pool, defence(situation, foe, it, arm, blow), blow))


def strike_with(
    situation: Situation, it: Unit, foe: Unit, arm: Arm, pool: Pool, lines: Sequence[Term], blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    """One attack with a pool that is made up already, as for machines."""
    result = yield from _roll(situation, it, foe, arm, pool, lines, blow)
    staggers = (
        blow.stagger and "staggering" in arm.qualities and result.degrees >= situation.tables.number("stagger_degrees")
    )
    if staggers:
        result = Outcome(result.total, result.degrees - 1, False)
    base = base_damage(situation, it, foe, arm, blow)
    harm = harm_of(base, result.degrees, armour_against(foe, arm, blow), fire=blow.fire)
    damage = harm.damage
    turn, target = situation.state.table.turn, foe.id
    key = key_of(situation, it.id, target, blow)
    yield Attacked(
        it.id, target, arm.id, result.degrees, damage, not arm.shoots, turn, blow.rule, key, free=blow.free,
        before_limits=harm.before,
    )  # fmt: skip
    yield from strike_heroes(situation, it, foe, arm, base, result.total, damage, key, blow)
    if damage:
        yield from hurt(situation, target, damage, it.id, "B-24", key)
        if blow.fire:
            near = [situation.state.units[target]] if situation.state.units[target].on_field else []
            tn = situation.tables.number("incendiary_tn")
            yield from try_nerves(situation, near, tn, "fire arrows", f"{key}/fire", "IF-277")
    if staggers and situation.state.units[target].on_field:
        yield StanceTaken(target, "staggered", "IF-090")
    yield from _afterwards(situation, it, foe, arm, result, blow)
    return result


def key_of(situation: Situation, unit: str, target: str, blow: Blow) -> str:
    """The key of an attack's roll, unique within a battle."""
    return f"t{situation.state.table.turn}/{blow.way}/{unit}>{target}"


def _roll(
    situation: Situation, unit: Unit, foe: Unit, arm: Arm, pool: Pool, lines: Sequence[Term], blow: Blow
) -> Generator[Yielded, Any, Outcome]:
    purpose = f"{unit.name} with {arm.name} at {foe.name}"
    made = call(key_of(situation, unit.id, foe.id, blow), purpose, unit.seat, unit.id, pool, lines, blow.rule)
    reading = yield made
    return outcome(situation.tables, reading, made.target)


def _afterwards(
    situation: Situation, unit: Unit, foe: Unit, arm: Arm, result: Outcome, blow: Blow
) -> Generator[Yielded, Any, None]:
    """Weapons left in the foe, armour broken, a wall won (IF-081, B §5, IF-257).

    What impales is all that a unit loses: that a weapon is fragile is taken no notice of (IF-080).
    """
    stuck = result.degrees >= situation.tables.number("impale_degrees") and "impale" in arm.qualities
    if stuck and not blow.horse:
        yield WeaponLost(unit.id, arm.id, "IF-081")
    if arm.shattering and result.degrees >= situation.tables.number("shatter_degrees"):
        left = max(foe.profile.shield - foe.shield_lost, 0)
        broken = min(arm.shattering, left)
        rest = min(arm.shattering - broken, max(foe.profile.ar - foe.ar_lost, 0))
        if broken or rest:
            yield ArmourShattered(foe.id, broken, rest, "IF-090")
    yield from after_rout(situation, foe.id, unit.id, melee=not arm.shoots)


# -- choosing ----------------------------------------------------------------------------------------------------------


def arms_for(unit: Unit, *, shooting: bool, setting: bool = False) -> list[Arm]:
    """The weapons a unit still has for shots, or for blows; those to be set only when it sets them (B §5)."""
    return [
        arm
        for arm in unit.profile.arms
        if arm.shoots == shooting and arm.id not in unit.lost and (setting or "set_for_charge" not in arm.qualities)
    ]


def best_arm(situation: Situation, unit: Unit, target: Unit, *, shooting: bool, setting: bool = False) -> Arm | None:
    """The weapon that promises most against a target at two degrees; of equals the first in the list."""
    blow = Blow("attack")

    def worth(arm: Arm) -> tuple[int, int]:
        return damage_of(arm.damage, 2, armour_against(target, arm, blow)), -arm.training

    arms = arms_for(unit, shooting=shooting, setting=setting)
    if setting and any("set_for_charge" in arm.qualities for arm in arms):
        arms = [arm for arm in arms if "set_for_charge" in arm.qualities]
    return max(arms, key=worth) if arms else None
