"""A side draws off: its units withdraw first, and its order is judged after the last fight (IF-181 to IF-183)."""

from __future__ import annotations

from engine.rules.ice_and_fire.turn import alone, end, give_orders
from events.facts import ActOpened, BattleEnded, Ordered
from events.ice_and_fire.units import InitiativeWon, SideWithdrew
from tests.ice_and_fire.table_top import Top, scenario, unit


def drawn_off(top: Top) -> Top:
    """Red draws off while blue charges; the round is fought to its end."""
    top.apply(InitiativeWon(("blue", "red"), "AMB-40"))
    top.apply(Ordered("red", "red", "side", "red: withdraw_all"))
    top.apply(Ordered("blue", "lances", "order", "lances: charge levy with war_lance"))
    top.apply(ActOpened("t1/orders", 0, "", ("side", "order", "leader")))
    top.play(give_orders(top.field))
    top.play(alone(top.field))
    top.play(end(top.field))
    return top


def hosts() -> Top:
    units = [
        unit("levy", "red", "peasant_levies", (200, 150)),
        unit("bows", "red", "longbowmen", (300, 60)),
        unit("lances", "blue", "men_at_arms", (200, 200)),
    ]
    return Top(scenario(units))


def test_good_order_is_judged_after_the_last_fight() -> None:
    """IF-182, IF-183: half its units are organized when it is told to go; the levy is broken before the round ends."""
    top = hosts()
    top.put("bows", condition="disorganized")
    top.margins["charge"] = 15
    drawn_off(top)
    assert top.unit("levy").condition != "organized"
    assert [each.good_order for each in top.made(SideWithdrew)] == [False]
    assert top.unit("bows").outcome == "routed"
    assert top.made(BattleEnded)[0].reason == "red has drawn off"


def test_units_of_a_side_that_draws_off_withdraw() -> None:
    """IF-117: they move away and have five more defence."""
    top = hosts()
    before = top.unit("bows").at.y
    top.margins["charge"] = -1
    drawn_off(top)
    assert top.unit("bows").at.y < before
    assert top.called("charge/lances>levy").target >= 6 + 5
    assert [each.good_order for each in top.made(SideWithdrew)] == [True]
