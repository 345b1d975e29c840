"""What must be true of Rhand's tables, whoever wrote them, before a battle is fought with them.

Each check names the tables that it reads. It is run only when these could be read whole, so that one slip is told once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from engine.field.hexes import ARC_NAMES
from engine.rules.rhand.table_reading import DAMAGE, PARRY
from engine.rules.rhand.tables import Tables
from engine.rules.tables.checks import covers, falls, known, rises, same, unique, within
from engine.rules.tables.declared import Check, Loader
from engine.rules.tables.grid import Grid
from events.dice.expression import NotationError
from events.dice.notation import parse
from projections.dice.odds import distribution

HIGHEST_SKILL: Final = 20
"""The Combat Skill Levels that the Field of Attack must tell of run from 0 to this."""
SIDES: Final = ("left_", "right_")
NEEDED: Final = ("fist", "kick", "pommel_strike", "shield_bash")
"""Blows of 2A that the rules name."""
_REACH: Final = re.compile(r"[0-9]{1,2}\+?")


def weapons(tables: Tables) -> Iterator[str]:
    """Every weapon can strike in some way, with dice that can be read, over some distance (SP-032)."""
    yield from _of("table_2a_weapons", "weapon", known(NEEDED, tables.weapons, "weapon"))
    for weapon in tables.weapons.values():
        dice = [weapon.dice(kind) for kind in weapon.kinds]
        problems = [] if dice else ["it cannot strike in any way"]
        problems += _dice(dice)
        if not _REACH.fullmatch(weapon.reach) or weapon.half_hexes < 1:
            problems.append(f"range must be hexes such as 2 or 2+, not {weapon.reach!r}")
        if weapon.weapon_speed <= 0:
            problems.append("weapon_speed must be above 0")
        yield from _of("table_2a_weapons", weapon.id, problems)


def gear(tables: Tables) -> Iterator[str]:
    """Armour is of a class that every damage table has; shields have a speed."""
    for code, damage in tables.damage.items():
        classes = [armor.armor_class for armor in tables.armors.values()]
        yield from _of("table_2b_armor", "armor", known(dict.fromkeys(classes), damage.classes, f"class of {code}"))
    for shield in tables.shields.values():
        if shield.shield_speed <= 0:
            yield f"table_2c_shields.toml, {shield.id}: shield_speed must be above 0"


def weights(tables: Tables) -> Iterator[str]:
    """Nothing weighs less than nothing, and a heavier parry stops no less (SPX-02, SPX-19)."""
    weighed: dict[str, list[tuple[str, Fraction]]] = {
        "table_2a_weapons.toml, weight_lb": [(each.id, each.weight_lb) for each in tables.weapons.values()],
        "table_2b_armor.toml, weight_lb": [(each.id, each.weight_lb) for each in tables.armors.values()],
        "table_2c_shields.toml, weight_lb": [(each.id, each.weight_lb) for each in tables.shields.values()],
        "table_3a_archery.toml, weight_lb": [(each.id, each.weight_lb) for each in tables.missiles.values()],
        "opt_shield_and_parry_cut_through.toml, per_lb": [(each.by, each.per_lb) for each in tables.stops],
    }
    for place, figures in weighed.items():
        yield from (f"{place}: {figure} at {name} is below 0" for name, figure in figures if figure < 0)


def missiles(tables: Tables) -> Iterator[str]:
    """An arrow loses force with range, never gains; its damage table is there (SPX-14)."""
    for missile in tables.missiles.values():
        reach = [(number, upto) for number, (upto, _) in enumerate(missile.impact, 1)]
        force = [(f"{upto} hexes", impact) for upto, impact in missile.impact]
        problems = [*rises(reach), *falls(force, strictly=False), *known([missile.table], DAMAGE, "damage table")]
        yield from _of("table_3a_archery", missile.id, problems if force else ["it has no range band"])


def archery(tables: Tables) -> Iterator[str]:
    """Far, small and fast targets are harder to hit; a better shot hits more often (SPX-14)."""
    bands = [(f"{band.up_to_hex} hexes", band) for band in tables.ranges]
    yield from _of("table_3b_range_alm", "range", rises([(where, band.up_to_hex) for where, band in bands]))
    yield from _of("table_3b_range_alm", "alm", falls([(where, band.alm) for where, band in bands], strictly=False))
    yield from _of("table_3c_target_size_alm", "formation", rises([(f.area_sq_ft, f.alm) for f in tables.formations]))
    motions = [(f"speed {row.up_to_speed}", row) for row in tables.motions]
    yield from _of("table_3d_motion_alm", "motion", rises([(where, row.up_to_speed) for where, row in motions]))
    for who in ("target", "shooter"):
        figures = [(where, getattr(row, who)) for where, row in motions]
        yield from _of("table_3d_motion_alm", who, falls(figures, strictly=False))
    odds = list(tables.accuracy_odds.items())
    yield from _of("table_3e_archery_odds", "odds", _whole_steps([level for level, _ in odds]))
    yield from _of("table_3e_archery_odds", "odds", rises(odds, strictly=False))
    yield from _of("table_3e_archery_odds", "odds", within(odds, 0, 100))


def parry_types(tables: Tables) -> Iterator[str]:
    """Every ratio of parries to blows has its table, and each table of 4A to 4G its row (SP-025 to SP-027)."""
    table = "table_4_parry_types"
    yield from _of(table, "table", same([row.table for row in tables.parry_types], PARRY, "table"))
    bad = [row for row in tables.parry_types if row.min_ratio != "none" and not _RATIO.fullmatch(row.min_ratio)]
    yield from (f"{table}.toml, {row.table}: min_ratio must be such as '3/4', or 'none'" for row in bad)
    if bad:
        return
    ratios = [(row.table, Fraction(row.min_ratio)) for row in tables.parry_types if row.min_ratio != "none"]
    yield from _of(table, "min_ratio", falls(ratios))
    last = [row for row in tables.parry_types if row.exclusive]
    if not ratios or ratios[0] != ("4A", Fraction(1)) or ratios[-1][1] != 0 or [row.table for row in last] != ["4F"]:
        yield f"{table}.toml: 4A must begin at '1/1', and 4F, exclusive, at '0'"
    if [row.table for row in tables.parry_types if row.min_ratio == "none"] != ["4G"]:
        yield f"{table}.toml: 4G, and no other, must have the ratio 'none'"


def attack_tables(tables: Tables) -> Iterator[str]:
    """No cell is missing; a better attacker hits more often, a better defender and more parries less (SP-030)."""
    for code, grid in tables.attack.items():
        name = PARRY[code]
        yield from _of(name, "odds", _whole_steps(grid.rows))
        yield from _of(name, "axes columns", _whole_steps(grid.columns))
        yield from _of(name, "odds", _runs(grid, rows_rise=True, columns_rise=False, high=100))
    for (one, full), (other, part) in pairwise(tables.attack.items()):
        levels = sorted({*full.rows, *part.rows})
        for level in levels:
            for skill in sorted({*full.columns, *part.columns}):
                if full.cell(level, skill) > part.cell(level, skill):
                    where = f"Attack Level {level}, skill {skill}"
                    yield f"{PARRY[one]}.toml: at {where} it is easier to hit than with {other}, but {one} parries more"


def damage_tables(tables: Tables) -> Iterator[str]:
    """Every roll strikes one place; more impact harms more, better armour stops more (SP-035, SP-036)."""
    for code, damage in tables.damage.items():
        name = DAMAGE[code]
        bands = [(each.roll_from, each.roll_to) for each in damage.locations]
        yield from _of(name, "location", covers(bands, 0, 99))
        yield from _of(name, "location", unique(each.id for each in damage.locations))
        yield from _of(name, "axes armor_classes", same(damage.classes, tables.damage["5A"].classes, "class"))
        for each in damage.locations:
            if each.limb != "vital" and not each.id.startswith(SIDES):
                yield f"{name}.toml, location {each.id}: a limb is a left_ or a right_ one"
            for place, armor_class in enumerate(damage.classes):
                figures = [
                    (f"impact {impact}, {armor_class}", line[place])
                    for impact, line in zip(damage.impacts, each.damage, strict=True)
                ]
                yield from _of(name, each.id, rises(figures, strictly=False))
            for impact, line in zip(damage.impacts, each.damage, strict=True):
                figures = [(f"impact {impact}, {of}", cell) for of, cell in zip(damage.classes, line, strict=True)]
                yield from _of(name, each.id, falls(figures, strictly=False))


def figures_of_men(tables: Tables) -> Iterator[str]:
    """Strength carries more, load slows down, skill quickens and strikes harder (SPX-02)."""
    yield from _of("table_6a_combat_speed", "speed", _runs(tables.speed, rows_rise=True, columns_rise=False))
    yield from _of("table_6b_base_action_time", "bat", _runs(tables.action_time, rows_rise=True, columns_rise=True))
    yield from _of("table_6c_damage_bonus", "bonus", _runs(tables.bonus, rows_rise=True, columns_rise=True))


def wounds(tables: Tables) -> Iterator[str]:
    """Both arms and legs have their limit; the chance of a knockout rises, that of survival falls (SP-040, SP-042)."""
    yield from _of("disabling", "limb", same(tables.disabling, ("arm", "leg"), "limb"))
    brackets = [(str(each.over_multiple), each) for each in tables.knockout]
    yield from _of("knockout", "over_multiple", rises([(where, each.over_multiple) for where, each in brackets]))
    yield from _of("knockout", "chance", rises([(where, each.chance) for where, each in brackets], strictly=False))
    yield from _of("knockout", "chance", within([(where, each.chance) for where, each in brackets], 0, 100))
    damage = [(number, each.damage) for number, each in enumerate(tables.recovery, 1)]
    yield from _of("recovery", "damage", rises(damage))
    chances = [(f"damage {each.damage}", each.chance) for each in tables.recovery]
    yield from _of("recovery", "chance", [*falls(chances, strictly=False), *within(chances, 0, 100)])


def strokes(tables: Tables) -> Iterator[str]:
    """A longer stroke costs and does more; a parry does nothing (SP-022, SP-033)."""
    yield from _of("strokes", "stroke", same(tables.strokes, ("short", "normal", "long", "parry"), "stroke"))
    order = [(name, tables.strokes[name]) for name in ("short", "normal", "long") if name in tables.strokes]
    yield from _of("strokes", "actions", rises([(name, row.actions) for name, row in order]))
    yield from _of("strokes", "impact_multiplier", rises([(name, row.impact_multiplier) for name, row in order]))
    for name, row in order:
        if row.actions < 1:
            yield f"strokes.toml, {name}: a blow costs at least one action"


def field_of_attack(tables: Tables) -> Iterator[str]:
    """Every skill has its zones, more for more skill; the zones are the six sectors (SPX-11)."""
    bands = [(band.level_from, band.level_to) for band in tables.field_bands]
    yield from _of("field_of_attack", "band", covers(bands, 0, HIGHEST_SKILL, beyond=True))
    ordered = [(f"level {band.level_from}", band.zones) for band in tables.field_bands]
    yield from _of("field_of_attack", "zones", [*rises(ordered), *within(ordered, 1, len(tables.zones))])
    yield from _of("field_of_attack", "zone", same([zone.name for zone in tables.zones], ARC_NAMES, "zone"))
    numbers = [(zone.name, zone.zone) for zone in tables.zones]
    yield from _of("field_of_attack", "zone", [*rises(numbers), *within(numbers, 1, len(ARC_NAMES))])
    for zone in tables.zones:
        middle = 60 * ARC_NAMES.index(zone.name) if zone.name in ARC_NAMES else None
        if middle is not None and (zone.bearing_from + zone.bearing_to - 2 * middle) % 720 != 0:
            yield f"field_of_attack.toml, {zone.name}: its bearings are not those of the sector round {middle} degrees"


def options(tables: Tables) -> Iterator[str]:
    """Glancing: a higher roll lets more through, better armour less. Horses have tables that are there."""
    grid = tables.glancing
    yield from _of("opt_3f_glancing", "axes", same(grid.names, tables.damage["5A"].classes, "class"))
    yield from _of("opt_3f_glancing", "factor", _runs(grid, rows_rise=True, columns_rise=False, high=1))
    for mount in tables.mounts.values():
        codes = known((mount.attack_table, mount.defence_table), PARRY, "attack table")
        yield from _of("mounts", mount.id, [*codes, *_dice([mount.impact] if mount.attacks else [])])
    for blow in tables.unarmed.values():
        yield from _of("unarmed", blow.id, known([blow.weapon], tables.weapons, "weapon"))
        costs = [(stroke, blow.cost(stroke)) for stroke in ("short", "normal", "long")]
        yield from _of("unarmed", blow.id, rises(costs, strictly=False))


_RATIO: Final = re.compile(r"[0-9]{1,3}(/[1-9][0-9]{0,2})?")

CHECKS: Final = (
    Check(("table_2a_weapons",), weapons),
    Check(("table_2b_armor", "table_2c_shields", *DAMAGE.values()), gear),
    Check(
        (
            "table_2a_weapons",
            "table_2b_armor",
            "table_2c_shields",
            "table_3a_archery",
            "opt_shield_and_parry_cut_through",
        ),
        weights,
    ),
    Check(("table_3a_archery",), missiles),
    Check(("table_3b_range_alm", "table_3c_target_size_alm", "table_3d_motion_alm", "table_3e_archery_odds"), archery),
    Check(("table_4_parry_types",), parry_types),
    Check(tuple(PARRY.values()), attack_tables),
    Check(tuple(DAMAGE.values()), damage_tables),
    Check(("table_6a_combat_speed", "table_6b_base_action_time", "table_6c_damage_bonus"), figures_of_men),
    Check(("disabling", "knockout", "recovery"), wounds),
    Check(("strokes",), strokes),
    Check(("field_of_attack",), field_of_attack),
    Check(("opt_3f_glancing", "mounts", "unarmed", "table_2a_weapons", "table_5a_cutting"), options),
)
"""Every check with the tables that it reads."""


@lru_cache(maxsize=1)
def loader() -> Loader[Tables]:
    """Return what loads Rhand's tables, made once."""
    return Loader(Tables, files(__package__) / "tables", CHECKS)


def _of(table: str, part: str, problems: Iterable[str]) -> Iterator[str]:
    yield from (f"{table}.toml, {part}: {problem}" for problem in problems)


def _dice(texts: Iterable[str]) -> list[str]:
    found = []
    for text in texts:
        try:
            if distribution(parse(text)).low < 1:
                found.append(f"{text} can come to nothing")
        except NotationError as error:
            found.append(str(error))
    return found


def _whole_steps(axis: Iterable[int | Fraction]) -> Iterator[str]:
    """Whether an axis goes up one by one: a number left out would be a hole."""
    for one, other in pairwise(axis):
        if other != one + 1:
            yield f"nothing stands between {one} and {other}; give every whole number"


def _runs(grid: Grid[Any], *, rows_rise: bool, columns_rise: bool, high: int = 1000) -> Iterator[str]:
    """Whether figures run the right way along both axes, and stay within 0 and `high`."""
    names = grid.names or grid.columns
    for row, line in zip(grid.rows, grid.cells, strict=True):
        figures = [(f"row {row}, column {name}", cell) for name, cell in zip(names, line, strict=True)]
        yield from (rises if columns_rise else falls)(figures, strictly=False)
        yield from within(figures, 0, high)
    for place, name in enumerate(names):
        figures = [(f"row {row}, column {name}", line[place]) for row, line in zip(grid.rows, grid.cells, strict=True)]
        yield from (rises if rows_rise else falls)(figures, strictly=False)
