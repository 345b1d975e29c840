"""Missile fire: ranges, modifiers, the dark, thrown weapons, sight and cover.

Rules held here: DR-050, DR-051, DR-052, DR-053, DR-054, DR-055, DR-056, DR-057, DR-058.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.dresda.arms import arm_of
from engine.rules.dresda.table_checks import loader
from events.dresda import ShotFired, ShotStrayed, Wounded
from events.facts import OrderLapsed, RollCalled
from projections.dice.rolls import read_roll
from tests.dresda.table_top import TableTop, box, fig


def shooting(
    archer: dict[str, Any] | None = None, foe: dict[str, Any] | None = None, y: int = 65, **parts: Any
) -> TableTop:
    figures = {
        "archer": {**fig("red", "human", 50, 50, weapons=["short_bow"]), **(archer or {})},
        "foe": {**fig("blue", "human", 50, y, facing=180), **(foe or {})},
    }
    top = TableTop(figures, **parts)
    top.until("missile")
    return top


def shot(top: TableTop, weapon: str = "short_bow", face: int = 100, **rulings: str) -> RollCalled:
    verb = "throw" if weapon in ("spear", "javelin", "axe", "dagger", "boulder", "stone") else "shoot"
    top.say(f"archer: {verb} {weapon} at foe")
    top.next({"hit": face}, rulings)
    return top.call("missile/archer>foe/hit")


def terms(call: RollCalled) -> dict[str, int]:
    return {term.label: term.value for term in call.terms}


@pytest.mark.parametrize(("y", "percent"), [(60, 65), (61, 55), (70, 55), (71, 45)])
def test_dr_050_the_range_gives_the_cell(y: int, percent: int) -> None:
    call = shot(shooting(y=y))
    assert (call.terms[0].value, call.terms[0].rule) == (percent, "DR-050")


def test_dr_050_out_of_range_there_is_no_shot() -> None:
    top = shooting(y=111)
    assert top.refused("archer: shoot short_bow at foe") == ["DR-050"]


def test_dr_051_all_modifiers_add_and_each_tells_its_source() -> None:
    top = shooting({"race": "orc", "status": "veteran", "wounds": 1}, {"moving": "stand"})
    call = shot(top)
    assert terms(call) == {
        "short_bow at 15 cm": 55,
        "orc": -5,
        "firer wounded": -15,
        "target stationary": 10,
        "status veteran": 10,
    }
    assert call.target == 55
    assert {term.source for term in call.terms} == {"house"}
    assert [(each.label, each.of, each.out_of) for each in call.chances] == [("hit", 11, 20)]


def test_dr_052_in_range_the_chance_is_at_least_1() -> None:
    top = shooting({"race": "zombie", "wounds": 3}, y=105)
    assert shot(top).target == 1


@pytest.mark.parametrize(("face", "hit"), [(65, True), (66, False)])
def test_dr_053_a_roll_up_to_the_chance_hits(face: int, hit: bool) -> None:
    top = shooting()
    assert shot(top, face=face).target == 65
    assert top.facts(ShotFired)[0].hit is hit


def test_dr_054_a_hit_below_the_defence_factor_does_not_wound() -> None:
    top = shooting(foe={"armour": "heavy_armour"})
    shot(top, face=1)
    (fired,) = top.facts(ShotFired)
    assert (fired.hit, fired.attack_factor, fired.defence) == (True, 5, 6)
    assert top.facts(Wounded) == []


def test_dr_055_one_two_or_three_wounds_and_never_more() -> None:
    for race, wounds in (("human", 1), ("goblin", 2)):
        top = shooting(foe={"race": race})
        shot(top, face=1)  # Attack Factor 5
        assert [each.wounds for each in top.facts(Wounded)] == [wounds]


@pytest.mark.parametrize(
    ("foe", "parts", "label", "value"),
    [
        ({}, {}, "night", -50),
        ({"torch": True}, {}, "night target lit", -25),
        ({}, {"fires": [{"id": "fire", "place": [50, 70], "radius": 5}]}, "night target lit", -25),
    ],
)
def test_dr_056_da_24a_by_night_a_lit_target_replaces_the_dark(
    foe: dict[str, Any], parts: dict[str, Any], label: str, value: int
) -> None:
    call = shot(shooting(foe=foe, field={"light": "night"}, **parts))
    assert terms(call)[label] == value
    assert len([name for name in terms(call) if "night" in name]) == 1


def test_da_24_night_fog_and_rain_all_add() -> None:
    top = shooting(field={"light": "night", "weather": ["fog", "rain"]})
    found = terms(shot(top))
    assert (found["night"], found["fog"], found["rain"]) == (-50, -30, -15)


def test_races_that_see_in_the_dark_do_not_mind_it() -> None:
    assert "night" not in terms(shot(shooting({"race": "goblin"}, field={"light": "night"})))


def test_dr_057_da_17_a_thrown_weapon_stays_with_its_victim_or_is_lost() -> None:
    miss = shooting({"weapons": ["spear", "club"]}, y=58)
    shot(miss, "spear")
    assert [arm.name for arm in miss["archer"].arms] == ["club"]
    assert (miss["archer"].in_hand, miss["foe"].stuck) == ("", ())
    hit = shooting({"weapons": ["spear", "club"]}, {"race": "goblin", "wounds": 1}, y=52)
    shot(hit, "spear", 1)
    assert hit["foe"].gone == "dead"
    assert [arm.name for arm in hit["foe"].stuck] == ["spear"]


def test_dr_057_it_is_recovered_from_the_body() -> None:
    figures = {
        "archer": fig("red", "human", 50, 50, weapons=["spear", "club"]),
        "foe": fig("blue", "goblin", 50, 55, wounds=1),
        "other": fig("blue", "goblin", 150, 150),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: throw spear at foe")
    top.until("move", {"hit": 1})
    assert top.refused("archer: recover spear from foe") == ["DR-057"]
    top.say("archer: walk 50,54")
    top.until("move")
    top.say("archer: recover spear from foe")
    top.next()
    assert [arm.name for arm in top["archer"].arms] == ["club", "spear"]
    assert top["foe"].stuck == ()


def test_da_11a_every_weapon_marked_as_thrown_is_lost() -> None:
    for weapon in ("axe", "dagger", "stone"):
        top = shooting({"weapons": [weapon]}, y=58)
        shot(top, weapon)
        assert top["archer"].arms == ()


@pytest.mark.parametrize(
    ("name", "row"), [("barrel", "large_improvised"), ("boulder", "large_improvised"), ("dice", "small_improvised")]
)
def test_dr_058_improvised_weapons_are_large_or_small(name: str, row: str) -> None:
    arm = arm_of(loader().load(), name)
    assert arm is not None
    assert arm.missile == row


def test_da_11_a_javelin_is_a_spear_and_a_dagger_can_be_aimed() -> None:
    tables = loader().load()
    javelin, dagger = arm_of(tables, "javelin"), arm_of(tables, "dagger")
    assert javelin is not None
    assert dagger is not None
    assert not tables.weapon(javelin.missile).aimable
    assert tables.weapon(dagger.missile).aimable


def test_da_21_a_double_nought_is_100() -> None:
    call = shot(shooting())
    assert read_roll(call, (100,)).success is False
    assert read_roll(call, (1,)).success is True


@pytest.mark.parametrize(
    ("archer", "foe", "label", "value"),
    [
        ({"mount": "pony"}, {}, "firer mounted halted", -10),
        ({}, {"mount": "pony"}, "target large", 15),
        ({}, {"race": "goblin"}, "target small", -10),
        ({}, {"race": "giant"}, "target huge", 30),
    ],
)
def test_circumstances_of_firer_and_target(archer: dict[str, Any], foe: dict[str, Any], label: str, value: int) -> None:
    assert terms(shot(shooting(archer, foe)))[label] == value


def test_walking_and_running_spoil_fire_and_half_a_move_must_be_left() -> None:
    top = TableTop({"archer": fig("red", "human", 50, 50, weapons=["short_bow"]), "foe": fig("blue", "human", 50, 90)})
    top.until("move")
    top.say("archer: walk 50,58", "foe: run 50,80")
    top.next()
    found = terms(shot(top))
    assert (found["firer walked"], found["target ran"]) == (-15, -15)
    late = TableTop({"archer": fig("red", "human", 50, 50, weapons=["short_bow"]), "foe": fig("blue", "human", 50, 90)})
    late.until("move")
    late.say("archer: walk 50,58.1")
    late.next()
    assert late.refused("archer: shoot short_bow at foe") == ["DR-021"]


def test_who_is_on_higher_ground_shoots_better_and_fog_hides_the_far() -> None:
    hill = [box("hill", "gentle_slope_up", 40, 40, 60, 60, ground=5)]
    assert terms(shot(shooting(areas=hill)))["firer on higher ground"] == 5
    top = shooting(y=100, field={"weather": ["fog"]})
    assert top.refused("archer: shoot short_bow at foe") == ["DR-050"]


# ---------------------------------------------------------------------------------------------------- sight and cover


def test_woods_hide_and_the_depth_of_sight_counts() -> None:
    wood = box("wood", "light_wood", 40, 55, 60, 62, hides=True, sight=5)
    top = shooting(areas=[wood])
    assert top.refused("archer: shoot short_bow at foe") == ["DG-02"]
    inside = shooting(foe={"place": [50, 60]}, areas=[wood])
    shot(inside)
    deep = shooting(foe={"place": [50, 61]}, areas=[wood])
    assert deep.refused("archer: shoot short_bow at foe") == ["DG-02"]


@pytest.mark.parametrize(("answer", "shots"), [("seen", 1), ("hidden", 0)])
def test_dg_02_a_line_that_grazes_something_is_the_referees_to_judge(answer: str, shots: int) -> None:
    wood = box("wood", "light_wood", 50, 55, 60, 62, hides=True, sight=5)
    top = shooting(areas=[wood])
    top.say("archer: shoot short_bow at foe")
    top.next({}, {"sight": answer})
    assert [each.default for each in top.asked("DG-02")] == ["seen"]
    assert len(top.facts(ShotFired)) == shots
    assert [each.rule for each in top.facts(OrderLapsed)] == ["DG-02"] * (1 - shots)


@pytest.mark.parametrize(("answer", "covered"), [("in cover", True), ("in the open", False)])
def test_dg_02_cover_just_on_the_edge_is_disputed(answer: str, covered: bool) -> None:
    top = shooting(areas=[box("hedge", "scrub", 40, 65, 60, 70, cover="soft")])
    call = shot(top, cover=answer)
    assert ("target soft cover" in terms(call)) is covered
    assert [each.default for each in top.asked("DG-02")] == ["in cover"]


def test_a_wall_covers_who_is_behind_it() -> None:
    walls = [{"id": "wall", "kind": "low_wall", "points": [[40, 64], [60, 64]]}]
    assert terms(shot(shooting(walls=walls)))["target hard cover"] == -30
    assert "target hard cover" not in terms(shot(shooting(foe={"place": [50, 67]}, walls=walls)))


# ---------------------------------------------------------------------------------------------------- into a melee


def melee() -> TableTop:
    figures = {
        "archer": fig("red", "human", 50, 30, weapons=["long_bow"]),
        "friend": fig("red", "human", 50, 50),
        "foe": fig("blue", "human", 50, 52, facing=180),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot long_bow at foe")
    return top


def test_dg_08_a_miss_into_a_melee_may_strike_a_friend() -> None:
    top = melee()
    top.next({"hit": 100}, {"stray": "friend"})
    (question,) = top.asked("DG-08")
    assert (question.choices, question.default) == (("nobody", "friend"), "nobody")
    assert [each.struck for each in top.facts(ShotStrayed)] == ["friend"]
    assert top["friend"].wounds == 1
    assert not top["friend"].fired_at  # friends' missiles are no enemy's
    assert terms(top.call("archer>foe/hit"))["target in hand to hand"] == -20


def test_dg_08_by_default_nobody_is_struck_and_a_hit_asks_nothing() -> None:
    top = melee()
    top.next({"hit": 100})
    assert top.facts(ShotStrayed) == []
    hit = melee()
    hit.next({"hit": 1})
    assert hit.asked("DG-08") == []
