"""What must be true of Dresda's tables, whoever wrote them, before a battle is fought with them.

Each check names the tables that it reads. It is run only when these could be read whole, so that one slip is told once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from engine.rules.dresda.table_rows import Modifier
from engine.rules.dresda.tables import Tables
from engine.rules.tables.checks import covers, falls, joins, known, rises, same, within
from engine.rules.tables.declared import Check, Loader

HTH_SPAN: Final = (0, 40)
"""Differences that the hand-to-hand results must hold; a greater one takes the last band."""
MORALE_SPAN: Final = (-15, 30)
"""Modified rolls that the morale results must hold; one further out takes the band at that end."""
BASES_MM: Final = (5, 100)
"""How wide bases may be, in millimetres."""
TRAINING: Final = "status"
"""The exclusive group of the rows `status_...`, one for each Status."""


def races(tables: Tables) -> Iterator[str]:
    """Running is faster than walking; Defence Factors are such as the wounds of a game can reach (DR-010, DR-041)."""
    for race in tables.races.values():
        yield from _of("races", race.id, _speeds(("walk", race.walk_mm), ("run", race.run_mm)))
    yield from _of("races", "base", within([(r.id, r.base_mm) for r in tables.races.values()], *BASES_MM))
    yield from _of("races", "defence_factor", within([(r.id, r.defence_factor) for r in tables.races.values()], 1, 20))


def mounts(tables: Tables) -> Iterator[str]:
    """A charge is faster than a run, a run than a walk."""
    for mount in tables.mounts.values():
        speeds = ("walk", mount.walk_mm), ("run", mount.run_mm), ("charge", mount.charge_mm)
        yield from _of("mounts", mount.id, _speeds(*speeds))
    yield from _of("mounts", "base", within([(m.id, m.base_mm) for m in tables.mounts.values()], *BASES_MM))


def movement(tables: Tables) -> Iterator[str]:
    """Terrain, weather and wounds slow a figure down, at most to a halt; one row is for wounds (DR-016, DR-019)."""
    for column in ("infantry_pct", "cavalry_pct"):
        figures = [(row.id, getattr(row, column)) for row in tables.movement.values()]
        yield from _of("movement_modifiers", column, within(figures, -100, 0))
    wounds = [row.id for row in tables.movement.values() if row.kind == "wound"]
    if len(wounds) != 1:
        yield f"movement_modifiers.toml: one row must be of the kind 'wound', but {', '.join(wounds) or 'none'} is"


def actions(tables: Tables) -> Iterator[str]:
    """Every action of the list is one that somebody can do (DR-030)."""
    for row in tables.actions.values():
        if not row.foot and not row.mounted:
            yield f"action_costs.toml, action {row.id}: nobody can do it, on foot or mounted"


def weapons(tables: Tables) -> Iterator[str]:
    """Percent falls with range, and the Attack Factor does not rise; no band between two is out of range (DR-050)."""
    for weapon in tables.weapons.values():
        by_range = [(f"{upper // 10} cm", cell) for upper, cell in weapon.bands]
        percents = [(where, cell.percent) for where, cell in by_range]
        factors = [(where, cell.attack_factor) for where, cell in by_range]
        problems = (
            *falls(percents),
            *within(percents, 1, 100),
            *falls(factors, strictly=False),
            *within(factors, 1, 99),
        )
        yield from _of("missile_weapons", weapon.id, problems)


def weapons_elsewhere(tables: Tables) -> Iterator[str]:
    """The action that reloads a weapon, and the row of it in hand, are there."""
    fighting = [row.id for row in tables.hth.values() if row.kind == "weapon"]
    for weapon in tables.weapons.values():
        problems = known([weapon.reload_action], [*tables.actions, "none"], "action")
        yield from _of("missile_weapons", weapon.id, problems)
        yield from _of("missile_weapons", weapon.id, known([weapon.in_hand], fighting, "weapon of hth_modifiers"))


def firing(tables: Tables) -> Iterator[str]:
    """Wounds, cover, speed and the dark make a shot harder; aim makes it easier (DR-051, DR-056, DR-061)."""
    rows = tables.firing
    yield from _lists("firing_modifiers", rows)
    harder = ("firer_wounded", "target_soft_cover", "target_small", "night", "fog", "night_target_lit")
    figures = [(row, rows[row].value) for row in harder if row in rows]
    yield from _of("firing_modifiers", "pct", within(figures, -100, -1))
    yield from _of("firing_modifiers", "pct", _order(rows, "night", "night_target_lit", strictly=False))
    yield from _of(
        "firing_modifiers", "pct", _order(rows, "target_arrow_slit", "target_hard_cover", "target_soft_cover")
    )
    yield from _of("firing_modifiers", "pct", _order(rows, "firer_ran", "firer_walked"))
    yield from _of("firing_modifiers", "pct", _order(rows, "target_small", "target_large", "target_huge"))
    if "aimed" in rows and rows["aimed"].value <= 0:
        yield "firing_modifiers.toml, aimed: aim must raise the chance"


def hth(tables: Tables) -> Iterator[str]:
    """Wounds and a bad position tell against a fighter; who has no weapon still has a row (DR-081, DR-088)."""
    rows = tables.hth
    yield from _lists("hth_modifiers", rows)
    yield from _of("hth_modifiers", "modifier", known(["unarmed", "wounded"], rows, "row"))
    fighting = [row.id for row in rows.values() if row.kind == "weapon"]
    for row in rows.values():
        yield from _of("hth_modifiers", row.id, known([row.otherwise] if row.otherwise else [], fighting, "weapon"))
        yield from _of("hth_modifiers", row.id, known(row.weapons, fighting, "weapon"))
    yield from _of("hth_modifiers", "value", _order(rows, "attacked_in_rear", "attacked_in_side"))
    against = [(row, rows[row].value) for row in ("wounded", "attacked_in_side", "prone_or_rising") if row in rows]
    yield from _of("hth_modifiers", "value", within(against, -99, -1))


def morale(tables: Tables) -> Iterator[str]:
    """Wounds and a fallen leader shake a man; a leader near steadies him (DR-110, DR-111)."""
    rows = tables.morale
    yield from _lists("morale_modifiers", rows)
    against = [(row, rows[row].value) for row in ("wounded", "leader_dead", "no_friend_near") if row in rows]
    yield from _of("morale_modifiers", "value", within(against, -99, -1))
    steady = [(row, rows[row].value) for row in ("leader_near", "friends_near") if row in rows]
    yield from _of("morale_modifiers", "value", within(steady, 1, 99))


def morale_weapons(tables: Tables) -> Iterator[str]:
    """Weapons that morale speaks of are weapons of hand-to-hand."""
    fighting = [row.id for row in tables.hth.values() if row.kind == "weapon"]
    for row in tables.morale.values():
        yield from _of("morale_modifiers", row.id, known(row.weapons, fighting, "weapon of hth_modifiers"))


def equipment(tables: Tables) -> Iterator[str]:
    """What a man wears has a row where he is struck and one where he fights (DR-042, DR-081)."""
    worn = [row.id for row in tables.defence.values() if row.slot != "mount"]
    fought = [row.id for row in tables.hth.values() if row.kind == "equipment"]
    yield from _of("hth_modifiers", "equipment", same(fought, worn, "item of defence_modifiers"))


def training(tables: Tables) -> Iterator[str]:
    """There is a row for each Status wherever training counts, and it always helps."""
    order = list(tables.statuses)
    lists: tuple[tuple[str, Mapping[str, Modifier]], ...] = (
        ("firing_modifiers", tables.firing),
        ("hth_modifiers", tables.hth),
        ("morale_modifiers", tables.morale),
    )
    for name, rows in lists:
        trained = [row.id for row in rows.values() if row.exclusive_group == TRAINING]
        wrong = [*same(trained, [f"status_{status}" for status in order], "row")]
        wrong = wrong or [*rises([(status, rows[f"status_{status}"].value) for status in order])]
        yield from _of(name, TRAINING, wrong)


def statuses(tables: Tables) -> Iterator[str]:
    """A higher Status takes more battles, and the lowest none (DR-131)."""
    figures = [(row.id, row.battles) for row in tables.statuses.values()]
    yield from _of("status", "battles", rises(figures))
    if figures and figures[0][1] != 0:
        yield f"status.toml, {figures[0][0]}: the first Status must take 0 battles"


def desertion(tables: Tables) -> Iterator[str]:
    """Better men desert less; a chance for each Status, and no race that is not there (DR-130)."""
    order = list(tables.statuses)
    wrong = [*same(tables.desertion, order, "status")]
    figures = [(status, tables.desertion[status].percent) for status in order if status in tables.desertion]
    yield from _of("rout_desertion", "row", wrong or (*falls(figures), *within(figures, 0, 100)))
    yield from _of("rout_desertion", "race_adjustment", known(tables.desertion_by_race, tables.races, "race"))


def mount_hit(tables: Tables) -> Iterator[str]:
    """Every roll of the d100 strikes one of the two (DR-070)."""
    yield from _of("mount_hit", "band", covers(((b.roll_from, b.roll_to) for b in tables.mount_hit), 1, 100))


def thrown(tables: Tables) -> Iterator[str]:
    """Every roll of the d100 has its fall; a higher roll hurts no less (DR-072)."""
    yield from _of("thrown_from_saddle", "band", covers(((b.roll_from, b.roll_to) for b in tables.thrown), 1, 100))
    harm = [(f"{b.roll_from} to {b.roll_to}", 99 if b.dead else b.wounds) for b in tables.thrown]
    yield from _of("thrown_from_saddle", "wounds", rises(harm, strictly=False))


def hth_results(tables: Tables) -> Iterator[str]:
    """Every difference has its result; 0 is a draw without effect, and more hurts no less (DR-082, DR-083)."""
    bands = tables.hth_results
    yield from _of("hth_results", "band", covers(((b.diff_from, b.diff_to) for b in bands), *HTH_SPAN, beyond=True))
    harm = [(f"difference {b.diff_from}", b.wounds) for b in bands]
    yield from _of("hth_results", "wounds", rises(harm, strictly=False))
    for band in bands:
        if band.diff_from <= 0 <= band.diff_to and (band.diff_to > 0 or band.wounds or band.push_back_mm or band.prone):
            yield f"hth_results.toml, band {band.result}: equal totals are a draw, a band of its own without effect"


def morale_results(tables: Tables) -> Iterator[str]:
    """Every roll has its letter and every letter its effect; a higher roll is never worse (DR-111, DR-114)."""
    bands, letters = tables.morale_results, list(tables.morale_effects)
    yield from _of(
        "morale_results", "band", covers(((b.roll_from, b.roll_to) for b in bands), *MORALE_SPAN, beyond=True)
    )
    wrong = [*same({b.letter: b for b in bands}, letters, "letter")]
    places = [(f"roll {b.roll_from}", letters.index(b.letter)) for b in bands if b.letter in letters]
    yield from _of("morale_results", "band", wrong or [*falls(places, strictly=False)])
    for better, worse in pairwise(tables.morale_effects.values()):
        for column in ("may_advance", "may_run", "may_contact", "may_charge", "may_fire"):
            if getattr(worse, column) and not getattr(better, column):
                yield f"morale_results.toml, effect {worse.letter}: {column} must not come back after {better.letter}"
    for effect in tables.morale_effects.values():
        named = (*effect.rally_letters, *([effect.rallied_to] if effect.rallied_to else []))
        yield from _of("morale_results", effect.letter, known(named, letters, "letter"))


def facing(tables: Tables) -> Iterator[str]:
    """The arcs go round from the front to straight behind."""
    yield from _of("facing", "arc", joins(((a.bearing_from, a.bearing_to) for a in tables.arcs.values()), 0, 180))


def constants(tables: Tables) -> Iterator[str]:
    """The chance stays a chance, and no fixed number is below nothing (DR-017, DR-052, DR-055)."""
    rows = tables.constants
    for row in rows.values():
        unit, times = ("millimetres", 10) if row.unit == "cm" else (row.unit, 1)
        if (row.value * times).denominator != 1:
            yield f"constants.toml, {row.name}: the value must be whole {unit}"
    yield from _of("constants", "value", within([(row.name, row.value) for row in rows.values()], 0, 1000))
    chances = [(name, rows[name].value) for name in ("hit_floor_pct", "hit_ceiling_pct") if name in rows]
    yield from _of("constants", "value", (*rises(chances), *within(chances, 0, 100)))


CHECKS: Final = (
    Check(("races",), races),
    Check(("mounts",), mounts),
    Check(("movement_modifiers",), movement),
    Check(("action_costs",), actions),
    Check(("missile_weapons",), weapons),
    Check(("missile_weapons", "action_costs", "hth_modifiers"), weapons_elsewhere),
    Check(("firing_modifiers",), firing),
    Check(("hth_modifiers",), hth),
    Check(("morale_modifiers",), morale),
    Check(("morale_modifiers", "hth_modifiers"), morale_weapons),
    Check(("defence_modifiers", "hth_modifiers"), equipment),
    Check(("status", "firing_modifiers", "hth_modifiers", "morale_modifiers"), training),
    Check(("status",), statuses),
    Check(("rout_desertion", "status", "races"), desertion),
    Check(("mount_hit",), mount_hit),
    Check(("thrown_from_saddle",), thrown),
    Check(("hth_results",), hth_results),
    Check(("morale_results",), morale_results),
    Check(("facing",), facing),
    Check(("constants",), constants),
)
"""Every check with the tables that it reads."""


@lru_cache(maxsize=1)
def loader() -> Loader[Tables]:
    """Return what loads Dresda's tables, made once."""
    return Loader(Tables, files(__package__) / "tables", CHECKS)


def _of(table: str, where: str, problems: Iterable[str]) -> Iterator[str]:
    yield from (f"{table}.toml, {where}: {problem}" for problem in problems)


def _speeds(*gaits: tuple[str, int]) -> Iterator[str]:
    """Whether each gait is faster than the one before it, and the slowest gets somewhere."""
    yield from rises([("standing", 0), *gaits])


def _order(rows: Mapping[str, Modifier], *names: str, strictly: bool = True) -> Iterator[str]:
    """Whether these rows stand in rising order, the worst first."""
    yield from rises([(name, rows[name].value) for name in names if name in rows], strictly=strictly)


def _lists(table: str, rows: Mapping[str, Modifier]) -> Iterator[str]:
    """What holds for any list of modifiers: rows that are replaced are there, and a wound never helps."""
    for row in rows.values():
        yield from _of(table, row.id, known(row.replaces, rows, "row"))
        if row.per == "wound" and row.value >= 0:
            yield f"{table}.toml, {row.id}: a wound must not help"
