"""What a unit's men or a hero are worth: abilities, defence, health, movement, weapons (IF-061 to IF-073)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from engine.rules.ice_and_fire.table_rows import Rank, UnitType
from engine.rules.ice_and_fire.tables import Tables
from events.ice_and_fire.kit import Arm, Profile

ABILITIES = (
    "agility",
    "animal_handling",
    "athletics",
    "awareness",
    "cunning",
    "endurance",
    "fighting",
    "marksmanship",
    "warfare",
)
"""The abilities that a battle tests."""
SPECIALTIES = (
    "charm",
    "command",
    "climb",
    "decipher",
    "dodge",
    "drive",
    "empathy",
    "fencing",
    "jump",
    "logic",
    "memory",
    "notice",
    "quickness",
    "resilience",
    "ride",
    "run",
    "shields",
    "siege",
    "siege_weapons",
    "stamina",
    "strategy",
    "strength",
    "swim",
    "tactics",
    "throw",
    "train",
)
"""The specialties that a hero may have beside those of the weapons; not every one is ever tested in a battle."""


GRADES = ("poor", "common", "superior", "extraordinary")
"""How well a weapon is made; a superior blade is castle-forged (B-35)."""
COMMON = GRADES[1]


class Kit(msgspec.Struct, frozen=True):
    """What somebody wears and bears, by the ids of the tables."""

    weapons: tuple[str, ...]
    armour: str = "none"
    shield: str = "none"
    mount: str = "none"
    barding: str = "none"
    grades: Mapping[str, str] = {}


def kit_of(kind: UnitType, upgraded: bool) -> Kit:
    """The kit of a unit type, or the better one, with barding where that has it (IF-061, IF-083, AMB-13)."""
    if upgraded:
        return Kit(
            kind.better_weapons, kind.better_armour, kind.better_shield, kind.better_mount, kind.better_barding
        )  # fmt: skip
    return Kit(kind.weapons, kind.armour, kind.shield, kind.mount)


def unit_profile(
    tables: Tables,
    kind: UnitType,
    upgraded: bool,
    rank: Rank,
    training: tuple[int, int],
    elite_ranks: bool,
) -> Profile:
    """The profile of a unit. With `elite_ranks` the elite's +1D is a rank more in everything (AMB-14), else a test die.

    Extra health is a point for every two whole levels of training (IF-073).
    """
    raised = rank.ability if elite_ranks else 0
    top, bottom = training
    extra = top // (tables.number("training_each_health") * bottom)
    return _profile(
        tables,
        {name: number + raised for name, number in _abilities(tables, kind.abilities).items()},
        {},
        rank.specialty,
        kit_of(kind, upgraded),
        extra,
        test_die=rank.ability - raised,
        morale=(rank.morale_test, rank.morale_bonus, rank.order_tn),
    )


def hero_profile(tables: Tables, abilities: Mapping[str, int], specialties: Mapping[str, int], kit: Kit) -> Profile:
    """The profile of a hero; abilities that are not named are 2 (B-09), a specialty is at most its ability (B-06)."""
    return _profile(tables, _abilities(tables, abilities), dict(specialties), 0, kit, 0)


def _abilities(tables: Tables, named: Mapping[str, int]) -> dict[str, int]:
    usual = tables.number("ability")
    return dict.fromkeys(ABILITIES, usual) | dict(named)


def _profile(
    tables: Tables,
    abilities: dict[str, int],
    specialties: dict[str, int],
    specialty: int,
    kit: Kit,
    extra_health: int,
    test_die: int = 0,
    morale: tuple[int, int, int] = (0, 0, 0),
) -> Profile:
    """Health, defence, bulk and pace from abilities and kit, in one way for units and heroes (IF-084).

    Bulk is that of armour, shield, barding and weapons together. Shields are added to the defence by the attack.
    """
    armour, shield, mount = tables.armour[kit.armour], tables.shields[kit.shield], tables.mounts[kit.mount]
    barding = tables.barding[kit.barding]
    weapons = [tables.weapons[name] for name in kit.weapons]
    bulk = armour.bulk + shield.bulk + barding.bulk + sum(weapon.bulk for weapon in weapons)
    run = mount.move
    if not run:
        run_bonus = min(specialties.get("run", specialty), abilities["athletics"]) // tables.number("run_bonus_dice")
        run = tables.number("foot_move") + run_bonus
    move = max(run - bulk // tables.number("bulk_each_yard"), 1)  # B-28
    return Profile(
        abilities=abilities,
        health=tables.number("health_each_endurance") * abilities["endurance"] + extra_health,  # B-23
        cd=abilities["agility"] + abilities["athletics"] + abilities["awareness"] - armour.penalty,  # B-20
        ar=armour.ar,
        armour_penalty=armour.penalty,
        bulk=bulk,
        run_yd=run,
        move_yd=move,
        sprint_yd=max(tables.number("sprint_times") * move - bulk, 1),  # B-29
        arms=tuple(
            graded(tables, arm(tables, name, abilities, specialties, specialty), kit.grades.get(name, COMMON))
            for name in kit.weapons
        ),
        shield=shield.defence,
        specialty=specialty,
        specialties=specialties,
        test_die=test_die,
        mount="" if kit.mount == "none" else kit.mount,
        trample=mount.trample,
        horse_ar=barding.ar,
        morale_test=morale[0],
        morale_bonus=morale[1],
        order_tn=morale[2],
    )


def arm(
    tables: Tables, name: str, abilities: Mapping[str, int], specialties: Mapping[str, int], specialty: int
) -> Arm:  # fmt: skip
    """A weapon in these hands: damage worked out, Strength added where it is powerful (B §4, B §5)."""
    weapon = tables.weapons[name]
    damage = abilities.get(weapon.ability, 0) + weapon.plus
    if "powerful" in weapon.qualities:
        strength = min(specialties.get("strength", specialty), abilities["athletics"])
        damage += tables.number("powerful_each") * strength
    return Arm(
        weapon.id,
        weapon.name,
        weapon.skill,
        weapon.specialty,
        max(damage, 0),
        weapon.training,
        weapon.range_yd,
        weapon.piercing,
        weapon.shattering,
        weapon.qualities,
    )


def graded(tables: Tables, weapon: Arm, grade: str) -> Arm:
    """A weapon as well made as its grade: an extraordinary one does more damage (B-35)."""
    more = tables.number("extraordinary_damage") if grade == "extraordinary" else 0
    return msgspec.structs.replace(weapon, damage=weapon.damage + more, grade=grade)


def bonus_dice(profile: Profile, ability: str, specialty: str) -> int:
    """The bonus dice of a specialty, never more than its ability's rank (IF-072, B-06)."""
    if not specialty:
        return 0
    return min(profile.specialties.get(specialty, profile.specialty), profile.abilities.get(ability, 0))


def loaded(tables: Tables, profile: Profile, bulk: int) -> Profile:
    """The profile with `bulk` more or less to carry, as when ladders are lost (IF-084, B-28, B-29)."""
    total = profile.bulk + bulk
    move = max(profile.run_yd - total // tables.number("bulk_each_yard"), 1)
    sprint = max(tables.number("sprint_times") * move - total, 1)
    return msgspec.structs.replace(profile, bulk=total, move_yd=move, sprint_yd=sprint)
