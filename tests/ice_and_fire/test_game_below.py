"""The game below that battles lean on: dice, defence, health, damage, pace, horses (B-04 to B-29, B-77d, B-107)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.calls import Pool, added, kept_dice, penalty_dice, spare_dice
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.duels import fight
from engine.rules.ice_and_fire.heroes_hit import hero_defence
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.orders import Fight
from engine.rules.ice_and_fire.profiles import ABILITIES, Kit, hero_profile
from events.dice.notation import parse
from events.facts import RulingGiven
from events.ice_and_fire.heroes import Struck
from events.ice_and_fire.kit import Profile
from events.ice_and_fire.units import Attacked, UnitDamaged
from events.places import Point
from projections.dice.odds import distribution
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def hero(abilities: dict[str, int] | None = None, **kit: Any) -> Profile:
    return hero_profile(tables(), abilities or {}, {}, Kit(("mace",), **kit))


def facing(red: str, blue: str, gap: int = 1) -> Top:
    return Top(scenario([unit("a", "red", red, (200, 100)), unit("b", "blue", blue, (200, 105 + gap))]))


def do(top: Top, text: str) -> None:
    top.play(carry_out(top.field, top.order(text), ALONE, text))


# -- dice --------------------------------------------------------------------------------------------------------------


def test_a_test_die_more_is_rolled_and_kept() -> None:
    """B-04: three and one are four, from 4 to 24; a bonus die more would leave the most at 18."""
    more = Pool((kept_dice(3, "", ""), kept_dice(1, "", "")))
    spread = distribution(parse(more.dice))
    assert more.dice == "4D"
    assert (spread.low, spread.low + len(spread.weights) - 1) == (4, 24)


def test_plain_numbers_are_added_after_the_dice() -> None:
    """B-05: all chances are as they were, three points higher."""
    bare = Pool((kept_dice(3, "", ""), spare_dice(2, "", ""), penalty_dice(1, "", "")))
    without, with_it = (distribution(parse(each.dice)) for each in (bare, bare.also(added(3, "", ""))))
    assert (with_it.low, with_it.weights) == (without.low + 3, without.weights)


def test_an_ability_that_is_not_named_is_2() -> None:
    """B-09: of heroes and of units."""
    assert hero({"agility": 4}).abilities == {**dict.fromkeys(ABILITIES, 2), "agility": 4}
    levies = facing("peasant_levies", "militia").unit("a").profile.abilities
    assert levies == dict.fromkeys(ABILITIES, 2)


@pytest.mark.parametrize(
    ("margin", "blows"),
    [(-100, ["ada", "bram", "bram", "ada", "bram"]), (-1, ["ada", "bram", "ada", "bram", "ada", "bram"])],
)
def test_a_hero_whose_dice_all_show_1_misses_his_next_blow(margin: int, blows: list[str]) -> None:
    """B-13: a fumble; who merely fails strikes again."""
    heroes = [
        {"id": "ada", "seat": "red", "unit": "a", "weapons": ["mace"]},
        {"id": "bram", "seat": "blue", "unit": "b", "weapons": ["mace"]},
    ]
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 106))]
    top = Top(scenario(units, heroes))
    top.totals |= {"quick/ada": 9, "quick/bram": 3}
    top.margins |= {"duel": -1, "duel/ada>bram/1/ada": margin}
    top.play(fight(top.field, Fight("ada", "bram", 3, "mace"), {}, ""))
    assert [each.by for each in top.made(Struck)] == blows


# -- men ---------------------------------------------------------------------------------------------------------------


def test_combat_defense_is_three_abilities_and_a_shield_less_the_armour_s_penalty() -> None:
    """B-20: 4 + 3 + 5 and 4 for a large shield, less 3 for mail; militia 2 + 3 + 2 and 2."""
    abilities = {"agility": 4, "athletics": 3, "awareness": 5}
    bram = {"id": "bram", "seat": "blue", "unit": "guards", "weapons": ["mace"], "abilities": abilities}
    ada = {"id": "ada", "seat": "red", "unit": "spears", "weapons": ["mace"]}
    top = Top(scenario(None, [ada, {**bram, "armour": "mail", "shield": "large_shield"}]))
    assert hero_defence(top.hero("bram")) == 4 + 3 + 5 - 3 + 4
    units = facing("guardsmen", "militia")
    do(units, "a: attack b")
    assert units.called("attack/a>b").target == 2 + 3 + 2 + 2


@pytest.mark.parametrize("endurance", [1, 2, 5])
def test_health_is_three_times_endurance(endurance: int) -> None:
    """B-23."""
    assert hero({"endurance": endurance, "athletics": 4}).health == 3 * endurance


@pytest.mark.parametrize(("margin", "damage"), [(-1, 0), (0, 5 - 3), (5, 10 - 3), (10, 15 - 3)])
def test_damage_is_the_base_times_the_degrees_less_armour_once(margin: int, damage: int) -> None:
    """B-24, B-25: a longbow does 5, and guardsmen have 4 less the 1 that it pierces."""
    top = facing("longbowmen", "guardsmen", gap=60)
    top.margins["attack/a>b"] = margin
    do(top, "a: attack b")
    assert [each.damage for each in top.made(Attacked)] == [damage]


def test_damage_is_never_below_nothing() -> None:
    """B-24: a hunting bow does 2, and that is less than the rating of 5 that soldiers have."""
    top = facing("peasant_archers", "soldiers", gap=60)
    do(top, "a: attack b")
    assert [(each.degrees, each.damage) for each in top.made(Attacked)] == [(1, 0)]
    assert top.made(UnitDamaged) == []


def test_armour_is_taken_off_each_attack_anew() -> None:
    """B-25: two attacks of ten, each less 3."""
    top = facing("longbowmen", "guardsmen", gap=60)
    for number in (1, 2):
        top.turn(number)
        top.calls.clear()
        top.margins["attack/a>b"] = 5
        do(top, "a: attack b")
    assert [each.damage for each in top.made(Attacked)] == [7, 7]
    assert top.unit("b").damage == 14


@pytest.mark.parametrize(
    ("kit", "move", "sprint"),
    [({}, 4, 16), ({"shield": "large_shield"}, 4, 15), ({"armour": "mail", "shield": "large_shield"}, 3, 9)],
)
def test_a_sprint_is_four_moves_less_a_yard_for_each_bulk(kit: dict[str, Any], move: int, sprint: int) -> None:
    """B-29, B-28: with a bulk of 0, 1 and 3."""
    it = hero(**kit)
    assert (it.move_yd, it.sprint_yd) == (move, sprint)


# -- horses, flanks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("horse", "move", "trample"), [("rounsey", 8, 4), ("courser", 9, 5)])
def test_horses_move_and_trample_as_their_figures_say(horse: str, move: int, trample: int) -> None:
    """B-77d: mail barding slows by a yard for its 2 bulk, and is a rating of 5 for the horse alone."""
    bare, barded = hero(mount=horse), hero(mount=horse, barding="mail")
    assert (bare.move_yd, bare.trample, bare.horse_ar) == (move, trample, 0)
    assert (barded.move_yd, barded.horse_ar, barded.ar) == (move - 1, 5, 0)


@pytest.mark.parametrize(
    ("front", "far", "dice"),
    [(180, 60, "2D+1B"), (90, 135, "2D+2B"), (270, 135, "2D+2B"), (0, 60, "3D+1B")],
    ids=["front", "left", "right", "rear"],
)
def test_flank_and_rear_gain_dice_where_they_are_in_use(front: int, far: int, dice: str) -> None:
    """B-107: with `facing` on, a bonus die in the flank, a test die in the rear; with it off, as to the front."""
    for answer, expected in (("on", dice), ("off", "2D+1B")):
        top = facing("peasant_levies", "militia")
        top.apply(RulingGiven("battle/facing", answer))
        top.put("b", facing=front, at=Point(2000, 1000 + far))
        do(top, "a: attack b")
        assert top.called("attack/a>b").dice == expected
