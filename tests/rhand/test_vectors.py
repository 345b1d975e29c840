"""The worked examples of Rhand, ST-01 to ST-23, by their ids."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine.opening import read_scenario
from engine.orders.errors import SheetRefused
from engine.rules.rhand import rules
from engine.rules.rhand.archery import Flight, accuracy
from engine.rules.rhand.blows import parry_type
from engine.rules.rhand.impact import final_impact, glanced, multiplier, stopped
from engine.rules.rhand.positions import by_chance
from engine.rules.rhand.recovery import aided, critical_minutes
from engine.rules.rhand.release import in_order
from engine.rules.rhand.strides import points
from engine.rules.rhand.table_reading import physical_damage
from engine.rules.rhand.wounds import disables
from events import rhand as facts
from events.facts import OrderLapsed
from events.store.memory import MemoryLog
from tests.rhand.ring import TABLES, Ring, man, pair
from tests.table import Table, open_battle

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
SPELL = {"id": "thunder", "force": 30, "effect": "down"}


def shooting() -> Ring:
    """A bowman and a mage against another mage."""
    return Ring(
        [
            man(
                "bow", "red", "0510", agility=10, missile="long_bow", ammunition=3, strength=14, skills={"long_bow": 5}
            ),
            man("mage", "red", "0710", agility=10, spells=["thunder"]),
            man("foe", "blue", "0603", "south", agility=14, spells=["thunder"]),
        ],
        spells=[SPELL],
        by_hand=["red", "blue"],
    )


RELEASE = {"bow/order": (4, 5), "mage/order": (1, 3), "foe/order": (1, 2)}


def test_st_01_totals_19_14_17_release_bowman_then_enemy_mage_then_mage() -> None:
    ring = shooting()
    ring.order("bow: shoot at foe", "mage: cast thunder at foe", "foe: cast thunder at bow mage")
    ring.battle.proceed()
    ring.throw(RELEASE)
    groups = ring.facts(facts.ReleaseOrdered)[0].groups
    assert [[(place.fighter, place.total) for place in group] for group in groups] == [
        [("bow", 19)],
        [("foe", 17)],
        [("mage", 14)],
    ]


def test_st_02_an_arrow_in_the_air_counts_and_the_felled_mage_never_releases() -> None:
    ring = shooting()
    ring.order("bow: shoot at foe", "mage: cast thunder at foe", "foe: cast thunder at bow mage")
    ring.battle.proceed()
    ring.throw({**RELEASE, "bow>foe/hit": 0})
    assert ring.state.fighters["bow"].down
    assert ring.state.fighters["mage"].down
    assert [each.fighter for each in ring.facts(facts.ShotJudged)] == ["bow"]
    assert [each.fighter for each in ring.facts(facts.Released)] == ["bow", "foe"]
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("mage", "SP-015")]


@pytest.mark.parametrize(("parries", "blows", "table"), [(3, 4, "4B"), (2, 4, "4D"), (1, 2, "4D")])
def test_st_03_partial_parries(parries: int, blows: int, table: str) -> None:
    assert TABLES.parry_table(parries, blows) == table


@pytest.mark.parametrize(
    ("parries", "seen", "unseen", "table"), [(2, 2, 0, "4A"), (3, 2, 0, "4A"), (0, 5, 0, "4G"), (4, 0, 2, "4G")]
)
def test_st_04_full_and_no_parry(parries: int, seen: int, unseen: int, table: str) -> None:
    found = parry_type(TABLES, seen=seen, unseen=unseen, parries=parries, dodge=False, was_dodging=False)
    assert found[0] == table


@pytest.mark.parametrize(("guard", "table"), [("fight parry 1 shield 1", "4A"), ("fight shield 1", "4D")])
def test_st_05_shield_and_weapon_against_two_short_blows(guard: str, table: str) -> None:
    ring = duel()
    ring.go("declare")
    ring.order("tomas: fight guard/short/cut guard/short/cut", f"guard: {guard}")
    ring.battle.proceed()
    assert [each.table for each in ring.facts(facts.ParryTyped) if each.fighter == "guard"] == [table]


@pytest.mark.parametrize("blows", ["bob/normal", "bob/short bob/short"])
def test_st_06_two_weapon_actions_buy_one_normal_or_two_short(blows: str) -> None:
    ring = Ring(pair())
    ring.go("declare")
    assert ring.state.fighters["ann"].weapon_actions == 2
    ring.order(f"ann: fight {blows}")


def test_st_06_two_weapon_actions_buy_no_long_one() -> None:
    ring = Ring(pair())
    ring.go("declare")
    with pytest.raises(SheetRefused, match="SA-22"):
        ring.order("ann: fight bob/long")


def test_st_07_attack_level_3_skill_2_full_parry_is_33() -> None:
    assert TABLES.odds("4A", 3, 2) == 33


@pytest.mark.parametrize(("roll", "hits"), [(40, False), (29, True), (33, True), (34, False)])
def test_st_08_rolls_against_33(roll: int, hits: bool) -> None:
    ring = duel()
    ring.go("declare")
    ring.order("tomas: fight guard/short/cut", "guard: fight parry 1")
    ring.battle.proceed(by_hand=["red", "blue"])
    ring.throw({"/hit": roll})
    assert [(each.odds, each.hit) for each in ring.facts(facts.BlowJudged)] == [(33, hits)]


def test_st_09_ten_and_four_halved_is_seven() -> None:
    assert TABLES.weapon("hand_and_a_half_sword_2h").cut == "1d10+4"
    assert final_impact(10 + 4, TABLES.strokes["short"].impact_multiplier) == 7


@pytest.mark.parametrize(("roll", "right_arm"), [(72, True), (68, True), (81, True), (67, False), (82, False)])
def test_st_10_cutting_locations(roll: int, right_arm: bool) -> None:
    assert (TABLES.damage["5A"].location(roll).id == "right_arm") is right_arm


def test_st_11_a_cut_of_7_to_the_right_arm_in_leather_does_6() -> None:
    table = TABLES.damage["5A"]
    assert table.damage(table.location(72), 7, "LT") == 6


@pytest.mark.parametrize(
    ("limb", "damage", "lame"), [("arm", 6, True), ("arm", 5, False), ("leg", 11, True), ("leg", 10, False)]
)
def test_st_12_disabling(limb: str, damage: int, lame: bool) -> None:
    assert disables(TABLES, limb, damage) is lame


@pytest.mark.parametrize(("roll", "down"), [(38, False), (9, True), (10, False)])
def test_st_13_a_chance_of_10(roll: int, down: bool) -> None:
    assert TABLES.knockout_chance(6, 11) == 10
    ring = phase_of_the_example({"knockout": roll})
    assert ring.state.fighters["guard"].down is down


def test_st_14_chances_for_a_knockout_value_of_11() -> None:
    totals = (1, 2, 11, 12, 22, 23, 33, 34)
    assert [TABLES.knockout_chance(total, 11) for total in totals] == [0, 10, 10, 25, 25, 75, 75, 98]


def test_st_15_suffixes() -> None:
    assert [physical_damage(cell) for cell in ("2H", "3K", "7T")] == [200, 3000, 70000]


DICE = {"1/hit": 40, "2/hit": 29, "impact": 10, "location": 72, "knockout": 38}


def duel() -> Ring:
    """The duel that comes along, in memory."""
    ring = Ring(pair())
    ring.log = MemoryLog()
    open_battle(ring.log, "duel", read_scenario(SCENARIOS / "rhand_duel.toml"))
    ring.battle = Table(ring.log, "duel", rules())
    return ring


def phase_of_the_example(changed: dict[str, int] | None = None) -> Ring:
    ring = duel()
    ring.go("declare")
    ring.order("tomas: fight guard/short/cut guard/short/cut", "guard: fight parry 1 shield 1")
    ring.battle.proceed(by_hand=["red", "blue"])
    ring.throw({**DICE, **(changed or {})})
    return ring


def test_st_16_the_whole_phase_of_the_example() -> None:
    ring = phase_of_the_example()
    assert [(each.table, each.odds, each.hit) for each in ring.facts(facts.BlowJudged)] == [
        ("4A", 33, False),
        ("4A", 33, True),
    ]
    (struck,) = ring.facts(facts.Struck)
    assert (struck.location, struck.table, struck.impact, struck.row, struck.column) == ("right_arm", "5A", 7, 7, "LT")
    guard = ring.state.fighters["guard"]
    assert (struck.damage, guard.total, guard.disabled, guard.down) == (6, 6, ("right_arm",), False)
    assert guard.in_hand == ""


@pytest.mark.parametrize(("skill", "zones"), [(1, 1), (2, 2), (3, 3), (7, 4), (11, 5), (15, 6)])
def test_st_17_zones_of_the_field_of_attack(skill: int, zones: int) -> None:
    assert len(TABLES.zones_of(skill)) == zones


@pytest.mark.parametrize(
    "strides", [["forward", "forward", "forward"], ["forward", "turn_left", "forward"], ["forward", "back"]]
)
def test_st_18_moves_that_cost_three(strides: list[str]) -> None:
    assert points(strides) == 3
    ring = Ring([man("ann", "red", "0510"), man("bob", "blue", "0502", "south")])
    ring.order(f"ann: walk {' '.join(strides)}")
    with pytest.raises(SheetRefused, match="SPX-09"):
        ring.order(f"ann: walk {' '.join(strides)} forward")


def test_st_19_recovery() -> None:
    assert TABLES.survival(18) == 83
    assert critical_minutes(67, 83) == 5562
    assert aided(TABLES, 18, 8) == 2
    assert TABLES.survival(2) == 97


def test_st_20_glancing_and_what_a_sword_stops() -> None:
    assert glanced(TABLES, "5B", "ML", 6, 32) == (32, 2)
    assert glanced(TABLES, "5A", "ML", 6, 32) == (42, 3)
    assert glanced(TABLES, "5A", "PL", 26, 28) == (38, 9)
    assert 9 - stopped(TABLES, "5A", "weapon_1h", TABLES.weapon("short_sword").weight_lb) == 5


def test_st_21_all_multipliers_together() -> None:
    factor = multiplier(TABLES, bonus=Fraction(2), stroke="long", striking_down=True, braced=False, closing=18)
    assert factor == 12


def test_st_22_range_18_and_a_standing_target() -> None:
    ring = Ring(
        [
            man("bow", "red", "0520", missile="long_bow", ammunition=1, strength=14),
            man("bob", "blue", "0502", "south"),
        ]
    )
    terms = accuracy(ring.state, TABLES, Flight("bow", "bob", "long_bow", False))
    assert [term.value for term in terms[2:4]] == [20, 8]


def test_st_23_variable_actions() -> None:
    weapon, shield = Fraction(22, 10), Fraction(13, 10)
    assert [by_chance(weapon, 3), by_chance(shield, 3)] == [2, 2]
    assert [by_chance(weapon, 1), by_chance(shield, 1)] == [3, 2]


def test_ties_go_to_agility_and_then_are_shared() -> None:
    """SA-01."""
    places = [facts.Place("a", 15, 9), facts.Place("b", 15, 11), facts.Place("c", 15, 9), facts.Place("d", 16, 4)]
    assert [[place.fighter for place in group] for group in in_order(places)] == [["d"], ["b"], ["a", "c"]]
