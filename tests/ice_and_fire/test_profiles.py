"""Unit types, ranks, kit: the derived table row by row (IF-061, IF-070 to IF-084, AMB-13, AMB-14)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.defences import Blow, has_shield
from engine.rules.ice_and_fire.fighting import attack_pool, best_arm
from engine.rules.ice_and_fire.profiles import Kit, bonus_dice, hero_profile, unit_profile
from engine.rules.ice_and_fire.ways import profile
from events.ice_and_fire.kit import Profile
from tests.ice_and_fire.table_top import Top, scenario, tables, unit

# type, upgraded, Agi/Ath/Awa, CD bare, CD with shield, AR, bulk, move, x 10, sprint x 10, health raw/3/6/10, damage
TABLE = [
    ("peasant_archers", 0, (2, 2, 2), 6, None, 0, 0, 4, 40, 160, (6, 7, 9, 11), {"hunting_bow": 2, "knife": 0}),
    ("archer_militia", 0, (3, 2, 2), 7, None, 1, 0, 4, 40, 160, (6, 7, 9, 11), {"hunting_bow": 3, "knife": 0}),
    ("archer_militia", 1, (3, 2, 2), 7, None, 1, 0, 4, 40, 160, (6, 7, 9, 11), {"light_crossbow": 4, "knife": 0}),
    ("longbowmen", 0, (3, 3, 2), 7, None, 2, 1, 4, 40, 150, (6, 7, 9, 11), {"longbow": 5, "maul": 4}),
    ("longbowmen", 1, (3, 3, 2), 6, 7, 4, 2, 3, 30, 100, (6, 7, 9, 11), {"longbow": 5, "maul": 4}),
    ("crossbowmen", 0, (3, 2, 2), 6, None, 2, 0, 4, 40, 160, (6, 7, 9, 11), {"light_crossbow": 4, "knife": 0}),
    ("crossbowmen", 1, (3, 2, 2), 5, None, 4, 1, 4, 40, 150, (6, 7, 9, 11), {"heavy_crossbow": 5, "stiletto": 3}),
    ("engineers", 0, (2, 2, 3), 7, None, 1, 0, 4, 40, 160, (9, 10, 12, 14), {"knife": 0}),
    ("peasant_levies", 0, (2, 2, 2), 6, None, 0, 0, 4, 40, 160, (6, 7, 9, 11), {"peasant_tool": 4}),
    ("guardsmen", 0, (3, 3, 3), 7, 11, 4, 2, 3, 30, 100, (9, 10, 12, 14), {"spear": 3, "mace": 3}),
    ("guardsmen", 1, (3, 3, 3), 6, 10, 5, 4, 2, 20, 40, (9, 10, 12, 14), {"halberd": 6, "mace": 3}),
    ("militia", 0, (2, 3, 2), 7, 9, 1, 0, 4, 40, 160, (9, 10, 12, 14), {"spear": 3}),
    ("militia", 1, (2, 3, 2), 6, 10, 2, 1, 4, 40, 150, (9, 10, 12, 14), {"pike": 5, "mace": 3}),
    ("soldiers", 0, (3, 3, 3), 6, 10, 5, 3, 3, 30, 90, (9, 10, 12, 14), {"pike": 5, "mace": 3}),
    ("freeriders", 0, (2, 3, 2), 5, 9, 4, 4, 6, 60, 200, (9, 10, 12, 14), {"war_lance": 7, "spear": 3, "mace": 3}),
    ("freeriders", 1, (2, 3, 2), 4, 8, 5, 5, 6, 60, 190, (9, 10, 12, 14), {"war_lance": 7, "longsword": 4, "mace": 3}),
    ("men_at_arms", 0, (3, 3, 3), 6, 10, 5, 5, 6, 60, 190, (9, 10, 12, 14), {"war_lance": 7, "longsword": 4}),
    ("men_at_arms", 1, (3, 3, 3), 3, 7, 10, 8, 5, 50, 120, (9, 10, 12, 14), {"war_lance": 7, "longsword": 4}),
    ("scouts", 0, (2, 2, 3), 7, 9, 1, 0, 8, 80, 320, (6, 7, 9, 11), {"hunting_bow": 2, "spear": 2}),
    ("scouts", 1, (2, 2, 3), 5, 7, 4, 1, 8, 80, 310, (6, 7, 9, 11), {"hunting_bow": 2, "longsword": 3}),
]  # fmt: skip


def made(kind: str, upgraded: bool, training: int, *, elite: bool = True) -> Profile:
    pair = (training, 1)
    rank = tables().ranks[tables().rank_of(pair)]
    return unit_profile(tables(), tables().unit_types[kind], upgraded, rank, pair, elite)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}{'+' * row[1]}")
def test_every_row_of_the_derived_table(row: tuple) -> None:  # type: ignore[type-arg]
    """IF-061a, IF-061b, IF-061c, IF-061d, IF-061e, IF-061f, IF-061g, IF-061h, IF-061i, IF-061j, IF-061k, IF-061m."""
    kind, upgraded, abilities, bare, shielded, ar, bulk, move, moved, sprinted, health, damage = row
    raw = made(kind, bool(upgraded), 0)
    assert tuple(raw.abilities[name] for name in ("agility", "athletics", "awareness")) == abilities
    assert raw.cd == bare
    assert (raw.cd + raw.shield if raw.shield else None) == shielded
    assert (raw.ar, raw.bulk, raw.move_yd) == (ar, bulk, move)
    assert (raw.move_yd * 10, raw.sprint_yd * 10) == (moved, sprinted)
    assert tuple(made(kind, bool(upgraded), training).health for training in (0, 3, 6, 10)) == health
    assert {arm.id: arm.damage for arm in raw.arms} == damage


def test_all_twelve_types_are_there_and_all_upgrades_are_tried() -> None:
    """IF-061, AMB-13: what has better equipment is in the table twice."""
    assert len(tables().unit_types) == 12
    better = {row.id for row in tables().unit_types.values() if row.upgradable}
    assert better == {row[0] for row in TABLE if row[1]}


@pytest.mark.parametrize(
    ("training", "rank", "dice", "order", "special"),
    [
        ("0", "raw", "2D", 3, 0),
        ("9/10", "raw", "2D", 3, 0),
        ("1", "green", "2D+1B", 1, 0),
        ("3", "trained", "3D+1B", 0, 1),
        ("6", "seasoned", "3D+2B", 0, 2),
        ("10", "veteran", "4D+1B", -3, 2),
        ("15", "elite", "4D+2B", -3, 2),
        ("40", "elite", "4D+2B", -3, 2),
    ],
)
def test_training_gives_the_rank_and_the_rank_its_dice(
    training: str, rank: str, dice: str, order: int, special: int
) -> None:
    """IF-070, IF-071, AMB-46: the highest row that is not above the unit's training, as printed."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=training)]))
    it = top.unit("a")
    bonus = f"+{it.profile.morale_bonus}B" if it.profile.morale_bonus else ""
    assert (it.rank, f"{it.profile.morale_test}D{bonus}") == (rank, dice)
    assert (it.profile.order_tn, it.profile.specialty) == (order, special)


def test_health_grows_by_one_for_two_whole_levels() -> None:
    """IF-073, AMB-30: green +0, trained +1, seasoned +3, veteran +5, elite +7, training 14 +7."""
    raw = made("militia", False, 0).health
    assert [made("militia", False, training).health - raw for training in (1, 3, 6, 10, 14)] == [0, 1, 3, 5, 7]
    half = Top(scenario([unit("a", "red", "militia", (100, 100), training="39/10")]))
    assert half.unit("a").profile.health == raw + 1


def test_the_elite_have_a_rank_more_in_everything() -> None:
    """AMB-14: defence 3 more, health 3 + 7 more, damage 1 more."""
    raw, elite = made("guardsmen", False, 0), made("guardsmen", False, 15)
    assert elite.cd - raw.cd == 3
    assert elite.health - raw.health == 3 + 7
    assert elite.arms[0].damage - raw.arms[0].damage == 1


def test_by_option_the_elite_have_a_test_die_on_tests_alone() -> None:
    """AMB-14, option elite."""
    raw, elite = made("guardsmen", False, 0), made("guardsmen", False, 15, elite=False)
    assert (elite.cd, elite.health, elite.test_die) == (raw.cd, raw.health + 7, 1)
    top = Top(scenario([unit("a", "red", "guardsmen", (100, 100), training=15)], options={"elite": "test_die"}))
    assert top.unit("a").profile.test_die == 1


def test_specialties_go_with_the_rank_but_not_over_the_ability() -> None:
    """IF-072: a specialty is at most its ability."""
    assert bonus_dice(made("militia", False, 6), "fighting", "spears") == 2
    raised = made("militia", False, 6)
    assert bonus_dice(raised, "animal_handling", "ride") == 2
    hero = hero_profile(tables(), {"warfare": 1}, {"command": 4}, Kit(("mace",)))
    assert bonus_dice(hero, "warfare", "command") == 1


def test_run_and_strength_follow_from_the_specialty_dice() -> None:
    """AMB-14, B-28: two bonus dice of Run are a yard; Strength feeds powerful weapons."""
    assert made("militia", False, 6).run_yd - made("militia", False, 3).run_yd == 1
    lance = {arm.id: arm.damage for arm in made("men_at_arms", False, 3).arms}
    assert lance["war_lance"] == 8


def test_bulk_slows_units_as_it_slows_men() -> None:
    """IF-084, IF-271, IF-275: a yard for two points; ladders and small rams weigh 2, till they are broken."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100), gear=["ladders"])]))
    with_ladders = profile(top.field, top.unit("a")).move_yd
    top.put("a", gear=())
    assert profile(top.field, top.unit("a")).move_yd - with_ladders == 1


def test_no_shield_while_both_hands_are_busy() -> None:
    """AMB-49: upgraded longbowmen shooting have 6, with the buckler up 7."""
    top = Top(scenario([unit("a", "red", "longbowmen", (100, 100), upgraded=True)]))
    assert has_shield(top.unit("a")) == 0
    top.put("a", in_hand="")
    assert has_shield(top.unit("a")) == 1


def test_units_take_no_notice_of_fragile_weapons() -> None:
    """IF-080: a peasant tool is still there after four degrees."""
    top = Top(scenario([unit("a", "red", "peasant_levies", (200, 100)), unit("b", "blue", "militia", (200, 106))]))
    top.margins["attack/a>b"] = 12
    top.play(_attack(top, "a", "b"))
    assert top.unit("a").lost == ()


def test_better_men_at_arms_ride_barded_horses() -> None:
    """IF-083, AMB-17: barding guards the horse, not the rider."""
    better, plain = made("men_at_arms", True, 3), made("men_at_arms", False, 3)
    assert (better.horse_ar, plain.horse_ar) == (5, 0)
    assert better.ar == 10


def test_a_weapon_that_takes_training_uses_up_bonus_dice() -> None:
    """B-34: a trained lancer has none left, a raw one loses a die."""
    for training, dice in ((0, "4D-1P"), (3, "4D"), (6, "4D+1B")):
        top = Top(
            scenario(
                [
                    unit("a", "red", "men_at_arms", (200, 100), training=training),
                    unit("b", "blue", "scouts", (200, 106)),
                ]
            )
        )
        arm = top.unit("a").profile.arms[0]
        assert attack_pool(top.field, top.unit("a"), top.unit("b"), arm, ALONE, Blow("attack")).dice == dice


def test_the_best_weapon_is_the_one_that_promises_most_damage() -> None:
    top = Top(
        scenario([unit("a", "red", "guardsmen", (200, 100), upgraded=True), unit("b", "blue", "soldiers", (200, 106))])
    )
    arm = best_arm(top.field, top.unit("a"), top.unit("b"), shooting=False)
    assert arm is not None
    assert arm.id == "halberd"


def test_guidance_on_ranks_is_the_scenario_s_to_follow() -> None:
    """IF-075: any type may have any training."""
    top = Top(scenario([unit("a", "red", "peasant_levies", (100, 100), training=15)]))
    assert top.unit("a").rank == "elite"
    assert Fraction(*top.unit("a").training) == 15


def _attack(top: Top, who: str, whom: str):  # type: ignore[no-untyped-def]
    from engine.rules.ice_and_fire.objections import carry_out

    return carry_out(top.field, top.order(f"{who}: attack {whom}"), ALONE, "")
