"""Damage, condition, nerve, reforming, flight (IF-130 to IF-133, IF-160 to IF-170, IF-180 to IF-185)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.ice_and_fire.aftermath import finished, withdraw_side
from engine.rules.ice_and_fire.alone import act_alone
from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.condition import Harm, condition_after, disorder, harm_of, hurt, step, worsen
from engine.rules.ice_and_fire.fighting import damage_of
from engine.rules.ice_and_fire.moving import finish_quitting, half_organized
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.turn import end
from events.facts import BattleEnded, OrderLapsed
from events.ice_and_fire.units import ConditionWorsened, MoraleTested, Reformed, SideWithdrew, UnitActed, UnitLeft
from events.places import Point
from projections.ice_and_fire.state import CONDITIONS
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def line(*names: str) -> Top:
    """Red militia shoulder to shoulder, a blue unit far away."""
    units = [unit(name, "red", "militia", (100 + 20 * n, 100)) for n, name in enumerate(names)]
    return Top(scenario([*units, unit("foe", "blue", "militia", (300, 400))]))


def do(top: Top, text: str, carried: Carried = ALONE) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), carried, text))


@pytest.mark.parametrize(
    ("total", "blow", "condition", "rule"),
    [
        (9, 9, "organized", ""),
        (10, 5, "organized", ""),
        (11, 5, "disorganized", "IF-161"),
        (20, 5, "disorganized", "IF-161"),
        (21, 5, "routed", "IF-162"),
        (10, 10, "routed", "IF-162"),
        (30, 5, "routed", "IF-162"),
        (31, 5, "destroyed", "IF-163"),
        (20, 20, "destroyed", "IF-163"),
        (19, 19, "routed", "IF-162"),
        (50, 5, "destroyed", "IF-163"),
        (51, 5, "annihilated", "IF-164"),
        (30, 30, "annihilated", "IF-164"),
    ],
)
def test_what_damage_makes_of_a_unit_with_health_ten(total: int, blow: int, condition: str, rule: str) -> None:
    """IF-160 to IF-165, AMB-25: more than in total, as much as in one attack; exactly health in total is organized."""
    assert condition_after(tables(), 10, total, blow, "organized") == (condition, rule)


@pytest.mark.parametrize(
    ("base", "degrees", "armour", "fire", "damage", "before"),
    [
        (5, 4, 2, False, 18, None),
        (5, 3, 2, True, 5, None),
        (2, 1, 1, False, 1, None),
        (2, 1, 2, False, 0, None),
        (2, 1, 3, False, 0, -1),
        (2, 0, 3, False, 0, None),
    ],
)
def test_damage_is_never_below_nothing_and_says_what_armour_left(
    base: int, degrees: int, armour: int, fire: bool, damage: int, before: int | None
) -> None:
    """B-24, B-25: what armour leaves is recorded where it is below nothing, and only for a hit."""
    assert harm_of(base, degrees, armour, fire=fire) == Harm(damage, before)


@given(st.integers(1, 30), st.integers(0, 300), st.integers(0, 300), st.sampled_from(CONDITIONS))
def test_damage_never_makes_a_condition_better(health: int, total: int, blow: int, now: Any) -> None:
    after, _ = condition_after(tables(), health, max(total, blow), blow, now)
    assert step(after) >= step(now)


@given(st.integers(0, 30), st.integers(0, 4), st.integers(0, 12), st.booleans())
def test_damage_is_never_negative(base: int, degrees: int, armour: int, fire: bool) -> None:
    assert damage_of(base, degrees, armour, fire=fire) >= 0


def test_l76_the_damage_arithmetic_of_a_published_battle() -> None:
    """(3+2)×4 = 20, less 2: 18; and a hit reduced to 0."""
    assert damage_of(3 + 2, 4, 2) == 18
    assert damage_of(1, 1, 4) == 0


def test_condition_is_kept_beside_damage() -> None:
    """IF-169: it worsens without damage and then weighs as much."""
    top = line("a")
    top.play(worsen(top.field, "a", "disorganized", "a test", "IF-050"))
    assert (top.unit("a").condition, top.unit("a").damage) == ("disorganized", 0)


def test_times_and_hurts_are_counted() -> None:
    """IF-170, AMB-28b: a fall straight to routed is no time disorganized; a reform back is none either."""
    top = line("a")
    top.play(hurt(top.field, "a", 10, "foe", ""))
    assert (top.unit("a").times_disorganized, top.unit("a").times_routed, top.unit("a").hurt) == (0, 1, True)
    do(top, "a: reform")
    assert (top.unit("a").condition, top.unit("a").times_disorganized, top.unit("a").reforms) == ("disorganized", 0, 1)


@pytest.mark.parametrize(
    ("to", "tn", "rule"),
    [("destroyed", 9, "IF-167"), ("annihilated", 12, "IF-168"), ("routed", 0, ""), ("disorganized", 0, "")],
)
def test_whom_a_fall_shakes(to: Any, tn: int, rule: str) -> None:
    """IF-167, IF-168, AMB-26: adjacent allied units, once, by the harder test."""
    top = line("a", "b", "c")
    top.play(worsen(top.field, "a", to, "a test", ""))
    tests = [(call.target, call.rule) for key, call in top.calls.items() if "nerve" in key]
    assert tests == ([(tn, rule)] if tn else [])


@pytest.mark.parametrize(
    ("margin", "to"), [(0, "organized"), (-1, "disorganized"), (-4, "disorganized"), (-5, "routed")]
)
def test_a_failed_nerve_costs_one_condition_and_a_critical_one_two(margin: int, to: str) -> None:
    """IF-074, IF-167."""
    top = line("a", "b")
    top.margins["nerve/b"] = margin
    top.play(worsen(top.field, "a", "destroyed", "a test", ""))
    assert top.unit("b").condition == to


def test_fear_runs_on_along_the_line() -> None:
    top = line("a", "b", "c")
    top.put("b", condition="routed")
    top.margins["nerve/b"] = -1
    top.margins["nerve/c"] = -1
    top.play(worsen(top.field, "a", "destroyed", "a test", ""))
    assert [each.unit for each in top.made(ConditionWorsened)] == ["a", "b", "c"]


def test_forced_tests_are_not_hindered_by_disorder() -> None:
    """AMB-42: only what carries out an order; routed men keep the lost die there (AMB-43)."""
    top = line("a", "b")
    top.put("b", condition="disorganized")
    top.play(worsen(top.field, "a", "destroyed", "a test", ""))
    assert top.called("nerve/b").dice == "3D+1B"
    assert [share.number for share in disorder(top.unit("b"))] == [1]
    top.put("b", condition="routed")
    assert [share.rule for share in disorder(top.unit("b"))] == ["AMB-43"]


@pytest.mark.parametrize(
    ("condition", "damage", "after", "left"),
    [
        ("disorganized", 15, "organized", 5),
        ("disorganized", 3, "organized", 3),
        ("routed", 24, "disorganized", 15),
        ("routed", 4, "disorganized", 4),
    ],
)
def test_reforming(condition: str, damage: int, after: str, left: int) -> None:
    """IF-109, IF-131, AMB-20, AMB-21: half or one and a half of health, but never more than it was."""
    top = line("a")
    top.put("a", condition=condition, damage=damage)
    do(top, "a: reform", Carried(sure=True))
    (made,) = top.made(Reformed)
    assert (made.to, made.total) == (after, left)
    assert top.called("reform/a").target == 9


def test_an_odd_health_is_rounded_up() -> None:
    """AMB-21: health 13: half is 7, one and a half 20."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=8), unit("b", "blue", "militia", (300, 300))]))
    assert top.unit("a").profile.health == 13
    for condition, left in (("disorganized", 7), ("routed", 20)):
        top.put("a", condition=condition, damage=50)
        top.turn(top.state.table.turn + 1)
        do(top, "a: reform")
        assert top.made(Reformed)[-1].total == left


def test_the_second_reform_of_a_routed_unit() -> None:
    """Worked example: health 10, damage 24, one reform before: morale 9 at a die less, then 15 damage; orders +2."""
    top = line("a")
    top.put("a", condition="routed", damage=24, reforms=1)
    do(top, "a: reform", Carried(sure=True, ordered=True))
    call = top.called("reform/a")
    assert (call.dice, call.target) == ("3D+1B-1P", 9)
    assert (top.unit("a").condition, top.unit("a").damage, top.unit("a").reforms) == ("disorganized", 15, 2)


def test_each_reform_makes_later_orders_harder() -> None:
    """IF-132."""
    top = line("a")
    top.put("a", condition="disorganized", damage=12)
    do(top, "a: reform")
    assert top.unit("a").reforms == 1


def test_a_failed_reform_changes_nothing() -> None:
    top = line("a")
    top.put("a", condition="disorganized", damage=12)
    top.margins["reform"] = -1
    do(top, "a: reform")
    assert (top.unit("a").condition, top.unit("a").reforms) == ("disorganized", 0)


def test_catching_breath_lessens_damage_not_disorder() -> None:
    """IF-102, AMB-18, B-71: each degree a point."""
    top = line("a")
    top.put("a", condition="disorganized", damage=12)
    top.margins["breath"] = 12
    do(top, "a: breath")
    assert (top.unit("a").damage, top.unit("a").condition) == (9, "disorganized")


def test_a_routed_unit_flees_by_the_way_that_leads_farthest() -> None:
    """IF-162: 160 yards of sprint, away from the enemy."""
    top = line("a")
    top.put("a", condition="routed", at=Point(3000, 3800))
    top.play(act_alone(top.field, "a", "independent", ""))
    assert top.unit("a").at == Point(3000, 3800 - 1600)
    assert [each.action for each in top.made(UnitActed)] == ["sprint"]


def test_a_unit_that_flees_over_the_edge_is_gone_and_shakes_its_neighbours() -> None:
    """IF-162, IF-166."""
    top = line("a", "b")
    top.put("a", condition="routed")
    top.margins["nerve/b"] = -1
    top.put("a", at=Point(1000, 60))
    top.put("b", at=Point(1200, 60))
    top.play(act_alone(top.field, "a", "independent", ""))
    assert [(each.unit, each.how) for each in top.made(UnitLeft)] == [("a", "fled")]
    assert top.unit("b").condition == "organized" or top.made(MoraleTested)[0].rule == "IF-166"


def test_a_surrender_of_routed_men_shakes_their_neighbours() -> None:
    """IF-118, IF-166, IF-185, RUL-07."""
    top = line("a", "b")
    top.put("a", condition="routed")
    do(top, "a: yield")
    assert top.called("nerve/b").target == 9
    assert top.unit("a").left == "yielded"
    (question,) = [each for each in top.asked.values() if each.rule == "RUL-07"]
    assert question.default.startswith("prisoners")


def test_destroyed_units_take_no_orders_flee_and_can_still_be_struck() -> None:
    """IF-163."""
    top = line("a")
    top.put("a", condition="destroyed")
    assert "IF-163" in top.objections("a: stand")
    top.put("foe", at=Point(1000, 1052))
    do(top, "foe: attack a")
    assert "attack/foe>a" in "".join(top.calls)
    top.play(act_alone(top.field, "a", "independent", ""))
    assert top.unit("a").at.y < 1000


def test_routed_units_are_told_to_reform_withdraw_or_yield_only() -> None:
    """IF-162."""
    top = line("a")
    top.put("a", condition="routed")
    assert top.objections("a: attack foe") == ["IF-162"]
    for text in ("a: reform", "a: withdraw", "a: yield"):
        assert top.objections(text) == []


# -- leaving -----------------------------------------------------------------------------------------------------------


def quitting(**changes: Any) -> Top:
    top = line("a", "b")
    top.turn(2)
    top.put("a", withdrew_turn=1, **changes)
    do(top, "a: quit")
    return top


def test_a_unit_that_drew_back_and_is_left_alone_is_gone() -> None:
    """IF-108, IF-130, IF-184: in good order while half the army is organized."""
    top = quitting()
    top.play(finish_quitting(top.field, "a"))
    assert [(each.how, each.good_order) for each in top.made(UnitLeft)] == [("quit", True)]


def test_a_unit_that_is_pressed_only_draws_back() -> None:
    """IF-130: an enemy has moved to attack it."""
    top = quitting()
    top.put("foe", at=Point(1000, 1052), moved=True)
    top.play(finish_quitting(top.field, "a"))
    assert top.made(UnitLeft) == []
    assert top.unit("a").at.y < 1000


def test_quitting_without_drawing_back_first_is_a_withdrawal() -> None:
    """IF-130: so is it for routed men, who may not quit."""
    top = line("a")
    top.turn(2)
    do(top, "a: quit")
    assert top.unit("a").withdrew_turn == 2
    assert "quitting" not in top.unit("a").stances


def test_the_battle_ends_when_a_side_is_gone() -> None:
    """IF-180, IF-163."""
    top = line("a")
    assert finished(top.state) is None
    top.put("foe", left="yielded")
    assert finished(top.state) == ("one side is gone from the field", "red")


def test_a_side_that_draws_off_ends_the_battle() -> None:
    """IF-181, IF-182, AMB-27: half of all it began with; the gone count as they left, the yielded not at all."""
    top = line("a", "b", "c", "d")
    top.put("c", left="quit", condition="organized")
    top.put("d", left="yielded")
    top.put("b", condition="routed")
    assert half_organized(top.state, "red")
    top.play(withdraw_side(top.field, "red"))
    assert top.made(SideWithdrew) == []
    top.play(end(top.field))
    assert top.made(SideWithdrew)[0].good_order
    assert top.made(BattleEnded)[0].winner == "blue"


def test_orders_can_lapse_but_are_recorded() -> None:
    top = line("a")
    do(top, "a: reform")
    assert top.made(OrderLapsed)[0].rule == "IF-131"


def test_routed_men_who_cannot_get_away_surrender() -> None:
    """IF-162, IF-185: their leader judges that to be better."""
    pen = [
        {"id": name, "terrain": "barrier", "corners": corners}
        for name, corners in (
            ("north", [[180, 101], [220, 101], [220, 106], [180, 106]]),
            ("south", [[180, 94], [220, 94], [220, 99], [180, 99]]),
            ("west", [[196, 94], [199, 94], [199, 106], [196, 106]]),
        )
    ]
    units = [unit("a", "red", "militia", (200, 100)), unit("foe", "blue", "militia", (220, 100))]
    top = Top(scenario(units, ground=pen))
    top.put("a", condition="routed")
    top.play(act_alone(top.field, "a", "independent", ""))
    assert top.unit("a").left == "yielded"


def test_a_withdrawal_leads_away_from_the_enemy() -> None:
    """IF-117."""
    top = line("a")
    do(top, "a: withdraw to 150,150")
    assert top.made(OrderLapsed)[0].rule == "IF-117"
