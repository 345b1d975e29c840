"""A unit's card: figures, where they come from, and what it may do now with which chance."""

from __future__ import annotations

from fractions import Fraction

from engine.opening import read_scenario
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.card import Card, card
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.chances import chance_of
from engine.rules.ice_and_fire.objections import carry_out
from events.facts import RollCalled
from tests.ice_and_fire.table_top import SCENARIOS, Top, scenario, unit
from tests.ice_and_fire.test_by_themselves import castle


def shown(top: Top, name: str) -> Card:
    return card(top.field, name)


def test_a_card_holds_the_figures_of_a_unit() -> None:
    """IF-061g, IF-071, IF-107, IF-112, B-20."""
    top = Top(scenario([unit("a", "red", "guardsmen", (200, 100)), unit("b", "blue", "militia", (200, 300))]))
    top.put("a", reforms=2, condition="disorganized", damage=12)
    found = shown(top, "a")
    assert (found.move_yd, found.sprint_yd, found.defence, found.shield, found.armour) == (30, 100, 11, 4, 4)
    assert (found.damage, found.health, found.rank, found.condition) == (12, 10, "trained", "disorganized")
    assert found.order_tn == 9 + 3 + 2
    assert found.order_lines == (("an order", 9), ("disorganized", 3), ("reformed before", 2))
    arms = [(each.name, each.dice, each.damage) for each in found.weapons]
    assert arms == [("Spear", "3D+1B", 3), ("Mace", "3D+1B", 3)]


def test_training_is_shown_with_what_it_comes_from() -> None:
    """IF-198."""
    few = unit("a", "red", "militia", (200, 100), men=82, training="164/25")
    top = Top(scenario([few, unit("b", "blue", "militia", (200, 300))]))
    found = shown(top, "a")
    assert (found.training, found.training_from) == ("6.56", "82 of 100 men at 8 each")


def test_what_a_unit_may_do_comes_with_the_chance_that_the_roll_then_has() -> None:
    top = Top(scenario([unit("a", "red", "soldiers", (200, 100)), unit("b", "blue", "militia", (200, 150))]))
    may = {each.order: each.chance for each in shown(top, "a").may}
    assert 0 < may["a: charge b"] < 1
    assert may["a: breath"] == 1
    top.play(carry_out(top.field, top.order("a: charge b"), ALONE, "a: charge b"))
    (call,) = [each for each in top.events if isinstance(each, RollCalled) and "charge/a>b" in each.key]
    assert may["a: charge b"] == Fraction(call.chances[0].of, call.chances[0].out_of)


def test_a_card_names_the_wall_and_the_gear() -> None:
    top = castle(
        unit("a", "red", "militia", (100, 197), gear=["ladders"]),
        unit("b", "blue", "militia", (100, 205), on_wall="left"),
    )
    assert shown(top, "a").gear == ("Ladders",)
    assert shown(top, "b").wall == "on left"
    assert "a: scale left" in [each.order for each in shown(top, "a").may]
    assert "b: cover" in [each.order for each in shown(top, "b").may]


def test_every_act_on_every_card_of_the_castle_is_allowed() -> None:
    """Cards promise nothing that the rules refuse."""
    top = Top(read_scenario(SCENARIOS / "if_castle.toml"))
    for name in top.state.units:
        for act in shown(top, name).may:
            order = top.order(act.order)
            assert list(rules().objections(top.field, order)) == [], act.order
            assert act.chance == chance_of(top.field, order)
