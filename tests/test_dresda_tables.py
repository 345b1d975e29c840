"""Dresda's tables: every roll covered, every figure the right way, the figures of the rules text, a referee's own."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise, product

import pytest

from engine.rules.dresda.table_checks import loader
from engine.rules.dresda.tables import Tables, counted
from engine.rules.tables import Row
from engine.rules.tables.errors import RowUnknown

HOME = files("engine.rules.dresda") / "tables"
T = loader().load()
STATUSES = ["recruit", "regular", "veteran", "champion", "hero"]


def shipped(name: str) -> str:
    return (HOME / f"{name}.toml").read_text(encoding="utf-8")


def every_row(tables: Tables) -> list[Row]:
    found: list[Row] = []
    for name in tables.__struct_fields__:
        value = getattr(tables, name)
        each = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
        found += [row for row in each if isinstance(row, Row)]
    return found


# What the shipped tables hold


def test_every_shipped_row_says_where_it_is_from() -> None:
    marks = {mark for row in every_row(T) for mark in (row.source, *row.marks.values())}
    assert marks == {"seed", "house"}
    assert len(every_row(T)) > 200


@pytest.mark.parametrize("name", loader().shape)
def test_a_table_says_of_itself_what_a_reader_needs(name: str) -> None:
    meta = tomllib.loads(shipped(name))["meta"]
    assert (meta["system"], meta["table"]) == ("dresda", name)
    assert all(len(str(meta[word])) > 0 for word in ("title", "row_key", "column_key", "units", "lookup", "anchor"))
    assert "seed" not in " ".join(str(value) for word, value in meta.items() if word != "source")


def test_the_figures_of_the_rules_text_are_there_and_marked() -> None:
    orc, wall, aim = T.race("orc"), T.action("climb_low_wall"), T.action("aim")
    assert (orc.walk_mm, orc.mark("walk"), orc.mark("run")) == (160, "seed", "house")
    assert (orc.defence_factor, orc.wounds_that_kill, orc.mark("defence_factor")) == (3, 3, "seed")
    assert (wall.halves, wall.mark("cost"), aim.halves, aim.mark("cost")) == (1, "seed", 2, "seed")
    for row, cut in ((T.movement_row("scrub"), 25), (T.movement_row("river"), 50), (T.wound_row(), 25)):
        assert (row.cut(mounted=False), row.mark_of_cut(mounted=False)) == (cut, "seed")
    assert T.movement_row("river").mark_of_cut(mounted=True) == "house"
    lit, aimed = T.firing_row("night_target_lit"), T.firing_row("aimed")
    assert (lit.value, lit.source, aimed.value, aimed.source) == (-25, "seed", 10, "seed")
    push = T.hth_result(1)
    assert (push.push_back_mm, push.mark("push_back_cm"), push.source) == (50, "seed", "house")
    assert (T.engagement_mm, T.movement_cap_pct, T.hit_floor_pct, T.hit_ceiling_pct) == (20, 75, 1, 100)
    assert (T.whole("two_wound_divisor"), T.whole("three_wound_divisor"), T.whole("mount_out_at_wounds")) == (2, 3, 1)


def test_cavalry_in_a_building_is_over_the_cap_by_one_row_alone() -> None:
    over = [row.id for row in T.movement.values() if row.cut(mounted=True) > T.movement_cap_pct]
    assert over == ["inside_building", "stairs"]
    assert not any(row.cut(mounted=False) > T.movement_cap_pct for row in T.movement.values())


@pytest.mark.parametrize("roll", range(1, 101))
def test_every_percentile_roll_has_one_row(roll: int) -> None:
    for bands in (T.mount_hit, T.thrown):
        assert sum(band.roll_from <= roll <= band.roll_to for band in bands) == 1
    assert T.struck(roll).struck == ("mount" if roll <= 60 else "rider")
    assert T.fall(roll).roll_from <= roll <= T.fall(roll).roll_to


@pytest.mark.parametrize("difference", range(60))
def test_every_difference_has_one_result(difference: int) -> None:
    band = T.hth_result(difference)
    assert sum(each.diff_from <= difference <= each.diff_to for each in T.hth_results) == 1
    assert band.diff_from <= difference <= band.diff_to
    assert (band.wounds, band.push_back_mm, band.prone) == (0, 0, False) if difference == 0 else band.result != "draw"
    assert difference == 0 or band.wounds >= T.hth_result(difference - 1).wounds


def test_every_morale_roll_has_one_letter_and_a_higher_roll_is_never_worse() -> None:
    letters = [T.morale_letter(total).letter for total in range(-200, 200)]
    assert letters == sorted(letters, reverse=True)
    assert set(letters) == set(T.morale_effects) == set("ABCDE")
    assert [T.morale_letter(total).letter for total in (1, 2, 3, 4, 5)] == list("EDCBA")
    assert T.worst_letter(["B", "D", "A"]) == "D"


def test_fire_gets_harder_and_weaker_with_range() -> None:
    for weapon in T.weapons.values():
        uppers = [upper for upper, _ in weapon.bands]
        assert uppers == [100, 200, 300, 450, 600, 800, 1000][: len(uppers)]
        for (_, near), (_, far) in pairwise(weapon.bands):
            assert far.percent < near.percent
            assert far.attack_factor <= near.attack_factor
        assert T.missile_cell(weapon.id, weapon.reach_mm) == weapon.bands[-1][1]
        assert T.missile_cell(weapon.id, weapon.reach_mm + 1) is None
        assert weapon.reload_action == "none" or weapon.reload_action in T.actions
        assert T.hth_row(weapon.in_hand).kind == "weapon"


def test_a_band_holds_its_upper_bound() -> None:
    assert T.missile_cell("short_bow", 100) == T.missile_cell("short_bow", 0)
    beyond = T.missile_cell("short_bow", Fraction(1001, 10))
    assert beyond is not None
    assert (beyond.percent, beyond.attack_factor) == (55, 5)


def test_only_axes_spears_and_improvised_weapons_cannot_be_aimed() -> None:
    assert {row.id for row in T.weapons.values() if not row.aimable} == {
        "axe",
        "spear",
        "large_improvised",
        "small_improvised",
    }


def test_running_beats_walking_and_a_charge_beats_both() -> None:
    assert all(race.walk_mm < race.run_mm for race in T.races.values())
    assert all(mount.walk_mm < mount.run_mm < mount.charge_mm for mount in T.mounts.values())
    assert all(mount.fights for mount in (T.mount("wolf"), T.mount("warhorse")))


def test_training_always_helps() -> None:
    assert list(T.statuses) == STATUSES
    for table in (T.firing, T.hth, T.morale):
        values = [table[f"status_{status}"].value for status in STATUSES]
        assert all(lower < higher for lower, higher in pairwise(values))
    chances = [T.desertion[status].percent for status in STATUSES]
    assert all(better < worse for worse, better in pairwise(chances))


def test_status_comes_with_battles() -> None:
    assert [T.status_after(battles) for battles in (0, 1, 2, 3, 6, 9, 10, 99)] == [
        "recruit",
        "regular",
        "regular",
        "veteran",
        "champion",
        "champion",
        "hero",
        "hero",
    ]


def test_desertion_adds_the_race() -> None:
    assert (T.desertion_percent("regular", "orc"), T.desertion_percent("recruit", "goblin")) == (30, 50)
    assert T.desertion_percent("hero", "dwarf") == -5  # kept within 0 and 100 where it is rolled for


def test_the_boundary_of_two_arcs_lies_in_both() -> None:
    assert [T.arcs_at(bearing) for bearing in (0, 60, 61, 120, 180)] == [
        ("front",),
        ("front", "side"),
        ("side",),
        ("side", "rear"),
        ("rear",),
    ]


def test_costs_come_in_half_moves() -> None:
    assert [
        T.action(name).halves
        for name in ("jump_low_wall_mounted", "fire_missile", "climb_high_wall", "load_heavy_crossbow")
    ] == [
        0,
        1,
        2,
        4,
    ]


# What the tables say of themselves is so


def test_equal_fighters_fare_as_the_table_says() -> None:
    falls = Counter(T.hth_result(abs(one - other)).result for one, other in product(range(1, 11), repeat=2))
    wounds = sum(times for result, times in falls.items() if T.hth_results[0].result != result != "pushed back")
    assert (falls["draw"], falls["pushed back"], wounds) == (10, 34, 56)


def test_morale_fares_as_the_table_says() -> None:
    plain = Counter(T.morale_letter(roll).letter for roll in range(1, 11))
    assert (plain["A"], plain["E"]) == (6, 1)
    shaken = T.race("goblin").morale + T.morale_row("wounded").value + T.morale_row("leader_dead").value
    assert sum(T.morale_letter(roll + shaken).letter == "E" for roll in range(1, 11)) == 6


def test_falls_from_the_saddle_fare_as_the_table_says() -> None:
    falls = [T.fall(roll) for roll in range(1, 101)]
    unhurt = sum(not fall.rest_of_turn_lost for fall in falls)
    assert (unhurt, sum(fall.wounds > 0 for fall in falls), sum(fall.dead for fall in falls)) == (40, 33, 2)


def test_armour_stops_what_the_table_says() -> None:
    def farthest(weapon: str, defence: int) -> int:
        return max((upper for upper, cell in T.weapon(weapon).bands if cell.attack_factor >= defence), default=0)

    mail = 3 + T.defence_row("medium_armour").points + T.defence_row("shield").points
    plate = 3 + T.defence_row("heavy_armour").points + T.defence_row("shield").points
    assert (farthest("short_bow", mail), farthest("long_bow", mail)) == (0, 450)
    reach = {weapon: farthest(weapon, plate) for weapon in T.weapons}
    assert {weapon: far for weapon, far in reach.items() if far} == {
        "long_bow": 200,
        "light_crossbow": 100,
        "heavy_crossbow": 600,
    }


# Looking up and adding


def test_an_unknown_row_is_refused_with_the_nearest() -> None:
    with pytest.raises(RowUnknown, match=r"no row 'ork'; did you mean orc\?") as caught:
        T.race("ork")
    assert isinstance(caught.value, KeyError)
    with pytest.raises(RowUnknown):
        counted(T.firing, ["firer_hides"])


def points(table: dict[str, int], *ids: str, wounds: int = 0) -> None:
    assert {each.row.id: each.points for each in counted(T.firing, ids, wounds)} == table


def test_modifiers_are_counted_as_the_book_says() -> None:
    points({"aimed": 10, "status_veteran": 10}, "status_veteran", "aimed")
    points({"firer_wounded": -30}, wounds=2)
    points({}, wounds=0)
    points({"target_hard_cover": -30}, "target_soft_cover", "target_hard_cover")
    points({"night_target_lit": -25}, "night", "night_target_lit")
    points({"firer_mounted_moving": -20}, "firer_ran", "firer_mounted_moving")
    points({"night": -50, "fog": -30}, "night", "fog")


def test_a_firing_row_knows_whom_it_concerns() -> None:
    night, rain, prone = T.firing_row("night"), T.firing_row("rain"), T.firing_row("firer_prone")
    assert night.concerns("bow", sees_in_dark=False)
    assert not night.concerns("bow", sees_in_dark=True)
    assert [rain.concerns(kind, False) for kind in ("bow", "sling", "crossbow")] == [True, True, False]
    assert not prone.concerns("crossbow", sees_in_dark=False)
    assert T.firing_row("fog").no_fire_beyond_mm == 450
