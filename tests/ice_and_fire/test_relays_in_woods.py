"""In a wood whoever gives the order must be with the unit: the last link of the chain, not the first (IF-223)."""

from __future__ import annotations

from engine.rules.ice_and_fire.turn import give_orders
from events.facts import ActOpened, Ordered, OrderLapsed
from events.ice_and_fire.units import InitiativeWon, OrderPassed
from tests.ice_and_fire.table_top import BLUE, BRAM, RED, Top, scenario, unit

WOOD = {"id": "wood", "terrain": "forest", "corners": [[50, 50], [150, 50], [150, 150], [50, 150]]}


def relayed(with_unit: str, elsewhere: str) -> Top:
    """Ada orders the levy in the wood through Bo; one of them is with it."""
    units = [
        unit("levy", "red", "militia", (100, 100), post="van"),
        unit("far", "red", "militia", (300, 100)),
        unit("guards", "blue", "guardsmen", (300, 400)),
    ]
    heroes = [
        {"id": with_unit, "seat": "red", "unit": "levy", "weapons": ["mace"], "abilities": {"warfare": 4}},
        {"id": elsewhere, "seat": "red", "unit": "far", "weapons": ["mace"], "abilities": {"warfare": 4}},
        BRAM,
    ]
    posts = [RED, {"id": "van", "seat": "red", "holder": "bo", "above": "red_host"}, BLUE]
    top = Top(scenario(units, heroes, posts, ground=[WOOD]))
    top.apply(InitiativeWon(("red", "blue"), "AMB-40"))
    top.apply(Ordered("red", "levy", "order", "levy: move 100,120 by ada"))
    top.apply(ActOpened("t1/orders", 0, "", ("order",)))
    top.play(give_orders(top.field))
    return top


def test_a_sub_commander_with_the_unit_hands_a_relayed_order_on() -> None:
    top = relayed("bo", "ada")
    assert top.made(OrderLapsed) == []
    assert [each.receiver for each in top.made(OrderPassed)] == ["bo", "levy"]


def test_a_sub_commander_elsewhere_cannot_though_the_general_is_there() -> None:
    top = relayed("ada", "bo")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-223"]
    assert top.made(OrderPassed) == []
