"""Rhand's tables: full, in order, with a book's own over them, odd axes, and holes that are refused by place."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from engine.opening import read_scenario
from engine.rules.rhand import rules
from engine.rules.rhand.positions import reaches
from engine.rules.rhand.table_checks import loader
from engine.rules.rhand.table_reading import DAMAGE, PARRY
from engine.rules.tables.errors import RowUnknown, TablesInvalid
from events.store.memory import MemoryLog
from replays.audit.verify import verify
from tests.rhand.ring import TABLES, Ring, pair
from tests.table import Table, open_battle

HOME = Path(__file__).resolve().parents[2] / "engine" / "rules" / "rhand" / "tables"
FOUR_A = "table_4a_full_parry"
LEVELS, SKILLS = range(-4, 25), range(21)


def own(tmp_path: Path, name: str, change: dict[str, str]) -> Path:
    """A directory with one shipped table, some of its text replaced."""
    text = (HOME / f"{name}.toml").read_text()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / f"{name}.toml").write_text(text)
    return tmp_path


def refused(directory: Path) -> str:
    with pytest.raises(TablesInvalid) as error:
        loader().load(directory)
    return str(error.value)


def test_every_table_that_is_read_is_shipped_and_the_other_way_round() -> None:
    assert {path.stem for path in HOME.glob("*.toml")} == set(loader().shape)


@pytest.mark.parametrize("code", PARRY)
def test_attack_tables_are_full_and_run_the_right_way(code: str) -> None:
    for level in LEVELS:
        for skill in SKILLS:
            odds = TABLES.odds(code, level, skill)
            assert 1 <= odds <= 99
            assert TABLES.odds(code, level + 1, skill) >= odds
            assert TABLES.odds(code, level, skill + 1) <= odds


def test_fewer_parries_never_make_a_blow_harder() -> None:
    for one, other in pairwise(PARRY):
        assert all(TABLES.odds(one, a, d) <= TABLES.odds(other, a, d) for a in LEVELS for d in SKILLS)


@pytest.mark.parametrize("code", DAMAGE)
def test_damage_tables_cover_every_roll_once_and_run_the_right_way(code: str) -> None:
    table = TABLES.damage[code]
    assert len(table.locations) == 8
    assert [sum(p.roll_from <= roll <= p.roll_to for p in table.locations) for roll in range(100)] == [1] * 100
    for place in table.locations:
        for row in place.damage:
            assert len(row) == 5
            assert all(right <= left for left, right in pairwise(row))
        for above, below in pairwise(place.damage):
            assert all(more >= less for less, more in zip(above, below, strict=True))


def test_the_rest_runs_the_right_way() -> None:
    assert [TABLES.survival(damage) for damage in (0, 2, 18, 450)] == [97, 97, 83, 0]
    assert TABLES.action_time.cell(2, 13) == 1
    assert TABLES.bonus.cell(10, 13) == 1
    for strength in range(1, 21):
        for load in (10, 50, 200):
            less, more = (TABLES.speed.first_not_exceeded(each, load) for each in (strength, strength + 1))
            assert less is not None
            assert more is not None
            assert less <= more
    assert TABLES.speed.first_not_exceeded(10, 201) is None
    assert TABLES.range_alm(18) == 20
    assert TABLES.range_alm(601) is None
    assert len(TABLES.weapons) >= 30


def test_the_text_kept_beside_a_battle_gives_the_same_tables() -> None:
    assert loader().restore(TABLES.text) == TABLES


def test_a_row_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(RowUnknown, match="broadsword"):
        TABLES.weapon("broadswrd")


def test_reach_knows_half_hexes() -> None:
    ring = Ring(pair(weapon="saber"))
    ann, bob = ring.state.fighters["ann"], ring.state.fighters["bob"]
    assert TABLES.weapon("saber").half_hexes == 5
    assert reaches(TABLES.weapon("saber"), ann, bob, TABLES, 2)
    assert not reaches(TABLES.weapon("saber"), ann, bob, TABLES, 3)


# ---------------------------------------------------------------------------------------------------- own tables


def test_own_odds_are_used_and_marked_as_the_books(tmp_path: Path) -> None:
    own(tmp_path, "table_4a_full_parry", {'"3" = [76, 51, 33,': '"3" = [76, 51, 34,'})
    tables = loader().load(tmp_path)
    assert tables.odds("4A", 3, 2) == 34
    assert tables.attack["4A"].source == "book"
    assert tables.attack["4B"].source == "house"


def test_axes_of_another_size_are_read_from_the_file(tmp_path: Path) -> None:
    """Fewer attack levels and skills, and three locations instead of eight."""
    for code, name in PARRY.items():
        first = 10 + 5 * list(PARRY).index(code)
        rows = "\n".join(f'"{level}" = [{first + 2 * level}, {first + level}]' for level in range(3))
        (tmp_path / f"{name}.toml").write_text(f"[axes]\ncolumns = [0, 1]\n\n[odds]\n{rows}\n")
    places = "\n".join(
        f'[[location]]\nid = "{name}"\nroll_from = {low}\nroll_to = {high}\nlimb = "{limb}"\n'
        'damage = [["1", "0", "0", "0", "0"], ["2H", "1H", "9", "5", "1"]]'
        for name, low, high, limb in (
            ("body", 0, 79, "vital"),
            ("left_arm", 80, 89, "arm"),
            ("right_arm", 90, 99, "arm"),
        )
    )
    classes = '["NO", "LT", "ML", "BR", "PL"]'
    (tmp_path / "table_5a_cutting.toml").write_text(
        f"[axes]\narmor_classes = {classes}\nimpact_rows = [1, 7]\n\n{places}\n"
    )
    tables = loader().load(tmp_path)
    assert tables.odds("4A", 3, 5) == tables.odds("4A", 2, 1) == 12
    assert [place.id for place in tables.damage["5A"].locations] == ["body", "left_arm", "right_arm"]
    assert tables.damage["5A"].damage(tables.damage["5A"].location(5), 50, "LT") == 100
    assert loader().restore(tables.text) == tables


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        (FOUR_A, {'"3" = [76, 51, 33,': '"3" = [76, 51,'}, "table_4a_full_parry.toml, odds 3: it has 20"),
        (FOUR_A, {'"3" = [': '"33" = ['}, "nothing stands between 2 and 4"),
        (FOUR_A, {'"3" = [76, 51, 33,': '"3" = [76, 51, 99,'}, "table_4a_full_parry.toml, odds: the figure"),
        ("table_5a_cutting", {"roll_to = 9\n": "roll_to = 8\n"}, "table_5a_cutting.toml, location: nothing covers 9"),
        ("table_5a_cutting", {"roll_to = 9\n": "roll_to = 11\n"}, "table_5a_cutting.toml, location: 10 to 11 are"),
        ("table_5a_cutting", {'"BR", "PL"]': '"BR"]'}, "location head, row 1: it has 5 cells for 4 armour classes"),
        ("table_5a_cutting", {'"1"': '"1X"'}, "'1X' is no damage such as 6 or 2H"),
        ("table_4_parry_types", {'min_ratio = "7/10"': 'min_ratio = "17/10"'}, "table_4_parry_types.toml, min_ratio"),
        ("table_4_parry_types", {'min_ratio = "7/10"': 'min_ratio = "most"'}, "4B: min_ratio must be such as '3/4'"),
        ("table_2a_weapons", {'cut = "1d3+1"': 'cut = "three"'}, "table_2a_weapons.toml, dagger: dice"),
        ("table_2a_weapons", {'range = "1"': 'range = "near"'}, "dagger: range must be hexes such as 2 or 2+"),
        ("knockout", {"chance = 98": "chance = 8"}, "knockout.toml, chance: the figure must not fall"),
        ("strokes", {"actions = 3": "actions = 1"}, "strokes.toml, actions: the figure must rise"),
        ("field_of_attack", {"level_from = 3": "level_from = 4"}, "field_of_attack.toml, band: nothing covers 3"),
        ("recovery", {"chance = 95": "chance = 99"}, "recovery.toml, chance"),
        ("table_3e_archery_odds", {'"5" = 4': '"55" = 4'}, "nothing stands between 4 and 6"),
        ("table_3a_archery", {'table = "5B"': 'table = "5X"'}, "there is no damage table '5X'"),
        ("table_2b_armor", {'armor_class = "LT"': 'armor_class = "XX"'}, "there is no class of 5A 'XX'"),
        ("opt_3f_glancing", {'"32" = [1.00,': '"32" = [9.00,'}, "opt_3f_glancing.toml, factor"),
        ("table_2b_armor", {"weight_lb = 4": "weight_lb = -4"}, "table_2b_armor.toml, weight_lb: -4 at"),
        ("opt_shield_and_parry_cut_through", {"per_lb = 5": "per_lb = -5"}, "per_lb: -5 at shield is below 0"),
        ("mounts", {"combat_speed = ": "combat_speed = -"}, "combat_speed: must be a whole number of 1 or more, not -"),
        ("constants", {"value = 6": "value = -6"}, "value: must be a whole number of 0 or more, not -6"),
    ],
)  # fmt: skip
def test_a_set_with_a_hole_or_a_slip_is_refused_with_its_place(
    tmp_path: Path, name: str, change: dict[str, str], told: str
) -> None:
    assert told in refused(own(tmp_path, name, change))


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    own(tmp_path, "table_5a_cutting", {"roll_to = 9\n": "roll_to = 8\n"})
    own(tmp_path, "knockout", {"chance = 98": "chance = 8"})
    shutil.copy(HOME / "strokes.toml", tmp_path / "stroke.toml")
    told = refused(tmp_path)
    assert "nothing covers 9" in told
    assert "knockout.toml" in told
    assert "did you mean strokes.toml" in told


def test_a_battle_keeps_the_tables_that_it_was_opened_with(tmp_path: Path) -> None:
    folder = own(tmp_path, FOUR_A, {'"3" = [76, 51, 33,': '"3" = [76, 51, 34,'})
    log = MemoryLog()
    scenario = read_scenario(HOME.parents[3] / "scenarios" / "rhand_duel.toml")
    open_battle(log, "own", scenario, tables_folder=folder)
    open_battle(log, "shipped", scenario)
    odds = [Table(log, name, rules()).tables.odds("4A", 3, 2) for name in ("own", "shipped")]
    assert odds == [34, 33]
    verify(log, "own")
