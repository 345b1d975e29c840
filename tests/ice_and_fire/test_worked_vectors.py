"""The seven worked vectors of the game, by number: the totals they state are entered as dice, the rest must follow."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.aftermath import count, outcome_of
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.condition import worsen
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.turn import SLOTS, give_orders, heroes, initiative
from events.facts import ActOpened, DiceRolled, Ordered
from events.ice_and_fire.siege import DoorBroken, PassageOpened, StructureStruck
from events.ice_and_fire.units import (
    Attacked,
    CasualtiesCounted,
    Condition,
    OrderPassed,
    Reformed,
    TrainingReckoned,
    UnitDamaged,
)
from tests.ice_and_fire.table_top import ADA, BLUE, BRAM, RED, Top, scenario, unit


def do(top: Top, text: str) -> list[Any]:
    """A unit does what it is told, the order itself not in question."""
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def tell(top: Top, text: str) -> None:
    """Write an order to a unit, pass it down the chain and have it carried out."""
    order = top.order(text)
    assert list(rules().objections(top.field, order)) == []
    top.apply(
        Ordered(rules().owner(top.field, order.piece), order.piece, rules().slot_for(top.field, order).slot, text)
    )
    for phase, procedure in (("initiative", initiative), ("heroes", heroes), ("orders", give_orders)):
        top.apply(ActOpened(f"t{top.state.table.turn}/{phase}", 0, "", SLOTS.get(phase, ())))
        top.play(procedure(top.field))


def rolled(top: Top, part: str) -> list[int]:
    """What the dice came to in the rolls whose key holds `part`."""
    return [each.total for each in top.made(DiceRolled) if part in each.key]


def facing(red: str, blue: str, **red_has: Any) -> Top:
    """A trained red unit `a` and a trained blue one `b`, 60 yards before it."""
    return Top(scenario([unit("a", "red", red, (200, 100), **red_has), unit("b", "blue", blue, (200, 165))]))


def test_vector_1_trained_longbowmen_shoot_at_guardsmen() -> None:
    """18 against 11: margin 7, two degrees; 5 × 2 = 10, less armour 4 of which 1 is pierced: 7 of 10: tested."""
    top = facing("longbowmen", "guardsmen")
    top.totals["attack/a>b"] = 18
    do(top, "a: attack b with longbow")
    call = top.called("attack/a>b")
    assert (call.dice, call.target, rolled(top, "attack/a>b")) == ("4D", 11, [18])
    assert top.terms("attack/a>b")["shield"] == 4
    longbow = next(arm for arm in top.unit("a").profile.arms if arm.id == "longbow")
    assert (longbow.damage, longbow.piercing, top.unit("b").profile.ar) == (5, 1, 4)
    assert [(each.weapon, each.degrees, each.damage) for each in top.made(Attacked)] == [("longbow", 2, 7)]
    assert (top.unit("b").damage, top.unit("b").profile.health) == (7, 10)
    assert top.unit("b").condition == "organized"
    assert outcome_of(top.state, top.unit("b")) == "tested"


@pytest.mark.parametrize(("formation", "dice"), [([], "4D+1B-1P"), (["wedge"], "5D+1B-1P")])
def test_vector_2_trained_men_at_arms_charge_militia_with_the_lance(formation: list[str], dice: str) -> None:
    """Fighting 4, training takes the spear's die, charge -1D, mounted +1B, wedge +1D; (7+1+2) × 2 - 1 = 19: routed."""
    top = facing("men_at_arms", "militia", formation=formation)
    top.margins["charge/a>b"] = 5
    do(top, "a: charge b with war_lance")
    assert top.called("charge/a>b").dice == dice
    terms = top.terms("charge/a>b")
    assert (terms["penalty dice: charging"], terms["bonus dice: mounted against men on foot"]) == (1, 1)
    lance = next(arm for arm in top.unit("a").profile.arms if arm.id == "war_lance")
    assert lance.damage == 7 + 1
    assert [(each.degrees, each.damage) for each in top.made(Attacked)] == [(2, 19)]
    assert (top.unit("b").profile.health, top.unit("b").profile.ar, top.unit("b").condition) == (10, 1, "routed")


def test_vector_2_one_point_more_would_have_destroyed_the_militia() -> None:
    """The same charge on men whose one point of armour is gone: 20, twice their health in one attack."""
    top = facing("men_at_arms", "militia")
    top.put("b", ar_lost=1)
    top.margins["charge/a>b"] = 5
    do(top, "a: charge b with war_lance")
    assert [each.amount for each in top.made(UnitDamaged)] == [20]
    assert top.unit("b").condition == "destroyed"


def at_the_gate(*totals: int) -> Top:
    """A castle gate struck by guardsmen with a capped ram, once a round, with these totals."""
    gate = {"id": "gate", "gate": "castle", "start": [220, 300], "end": [190, 300]}
    ram = {"id": "ram", "seat": "blue", "engine": "capped_ram", "crew": "b"}
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "guardsmen", (205, 303), training=0)]
    top = Top(scenario(units, gate=[gate], engine=[ram]))
    for turn, total in enumerate(totals, 2):
        top.turn(turn)
        top.totals["break"] = total
        do(top, "b: break gate")
    assert rolled(top, "break") == list(totals)
    return top


def test_vector_3_a_capped_ram_breaks_a_castle_gate() -> None:
    """5D, damage 5, from 21: by 23 one degree, 16 left; by 22 two, 6 left; by 12 two, -4: broken."""
    top = at_the_gate(23, 22, 12)
    calls = [call for key, call in top.calls.items() if "break" in key]
    assert [(call.dice, call.target) for call in calls] == [("5D", 21), ("5D", 16), ("5D", 6)]
    assert [(each.amount, each.left) for each in top.made(StructureStruck)] == [(5, 16), (10, 6), (10, -4)]
    assert [each.doors for each in top.made(DoorBroken)] == [0]
    assert [each.over for each in top.made(PassageOpened)] == ["gate"]


def test_vector_3_a_third_blow_of_one_degree_would_have_left_one() -> None:
    """10 against 6 is one degree: 1 is left and the gate holds."""
    top = at_the_gate(23, 22, 10)
    assert [each.left for each in top.made(StructureStruck)] == [16, 6, 1]
    assert top.made(DoorBroken) == []


def test_vector_4_an_order_is_relayed_to_a_green_unit() -> None:
    """Command 14, Tactics 10 against 9: the lower has one degree, +0; then Command against 9 + 1."""
    units = [
        unit("guard", "red", "guardsmen", (100, 60)),
        unit("green", "red", "militia", (150, 60), post="van", training=1),
        unit("foe", "blue", "militia", (150, 300)),
    ]
    carl = {**ADA, "id": "carl", "unit": "", "at": [160, 40]}
    van = {"id": "van", "seat": "red", "holder": "carl", "above": "red_host"}
    top = Top(scenario(units, [{**ADA, "unit": "guard"}, carl, {**BRAM, "unit": "foe"}], [RED, van, BLUE]))
    top.totals.update({"van/command": 14, "van/tactics": 10})
    tell(top, "green: stand hold by ada")
    relayed = [call for key, call in top.calls.items() if "relay/ada" in key]
    assert [call.target for call in relayed] == [9, 9]
    assert rolled(top, "relay/ada") == [14, 10]
    first, last = top.made(OrderPassed)
    assert (first.giver, first.receiver, first.result, first.bonus) == ("ada", "carl", "carried", 0)
    assert first.key.endswith("tactics")
    assert (last.giver, last.receiver, last.result) == ("carl", "green", "carried")
    assert top.called("order/carl>green").target == 9 + 1
    assert "to the total: order given well" not in top.terms("order/carl>green")
    assert top.unit("green").rank == "green"


def test_vector_5_a_routed_unit_reforms_for_the_second_time() -> None:
    """Order 9 + 3 + 1, trained men +0; morale 9 at -1D; disorganized with min(24, 15) damage; later orders +2."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100)), unit("foe", "blue", "militia", (300, 400))]))
    top.put("a", condition="routed", damage=24, hurt=True, times_routed=1, reforms=1)
    assert top.unit("a").profile.health == 10
    tell(top, "a: reform")
    assert top.called("order/ada>a").target == 9 + 3 + 1
    morale = top.called("reform/a")
    assert (morale.dice, morale.target) == ("3D+1B-1P", 9)
    assert [(each.to, each.total) for each in top.made(Reformed)] == [("disorganized", 15)]
    assert (top.unit("a").condition, top.unit("a").damage) == ("disorganized", 15)
    top.calls.clear()
    top.turn(2)
    tell(top, "a: stand hold")
    assert top.terms("order/ada>a")["reformed before"] == 2
    assert top.called("order/ada>a").target == 9 + 3 + 2


def test_vector_5_the_rank_counts_in_the_order() -> None:
    """A green unit is harder to order by one more: 9 + 3 + 1 + 1."""
    green = unit("a", "red", "militia", (100, 100), training=1)
    top = Top(scenario([green, unit("foe", "blue", "militia", (300, 400))]))
    top.put("a", condition="routed", damage=24, reforms=1)
    tell(top, "a: reform")
    assert top.called("order/ada>a").target == 9 + 3 + 1 + 1


@pytest.mark.parametrize(("squad", "total", "lost"), [(False, 8, 6), (False, 7, 5), (True, 8, 5)])
def test_vector_6_casualties_of_a_trained_mounted_unit(squad: bool, total: int, lost: int) -> None:
    """Disorganized twice, routed once, ends disorganized: 2d6 + 1 + 2, half of it rounded up, at most all its men.

    The reform from routed to disorganized does not count as a third time (AMB-28b).
    """
    riders = unit("riders", "red", "freeriders", (100, 100), squad=squad)
    top = Top(scenario([riders, unit("foe", "blue", "militia", (500, 400))]))
    assert (top.unit("riders").rank, top.unit("riders").men) == ("trained", 5 if squad else 50)
    falls: tuple[tuple[Condition, ...], ...] = (("disorganized",), ("disorganized", "routed"))
    for turn, fall in enumerate(falls, 1):
        top.turn(turn)
        for to in fall:
            top.play(worsen(top.field, "riders", to, "a test", "IF-050"))
        do(top, "riders: reform")
    it = top.unit("riders")
    assert (it.condition, it.times_disorganized, it.times_routed) == ("disorganized", 2, 1)
    top.totals["casualties/riders"] = total
    top.play(count(top.field))
    assert top.called("casualties/riders").dice == "2d6"
    (made,) = [each for each in top.made(CasualtiesCounted) if each.unit == "riders"]
    assert (made.outcome, made.rolled, made.added, made.lost) == ("disorganized", total, 1 + 2, lost)


@pytest.mark.parametrize(
    ("total", "training", "rank"), [(10, (9, 5), "green"), (19, (81, 50), "green"), (20, (8, 5), "raw")]
)
def test_vector_7_training_of_a_green_unit(total: int, training: tuple[int, int], rank: str) -> None:
    """100 men, training 1, 10 lost: (90 × 2 + 10 × 0) / 100 = 1.8: green; with 80 men left one rank lower."""
    units = [unit("a", "red", "militia", (100, 100), training=1), unit("foe", "blue", "militia", (300, 400))]
    top = Top(scenario(units))
    assert (top.unit("a").rank, top.unit("a").men) == ("green", 100)
    top.put("a", condition="disorganized", times_disorganized=1)
    top.totals["casualties/a"] = total
    top.play(count(top.field))
    assert top.unit("a").men == 100 - total
    (made,) = [each for each in top.made(TrainingReckoned) if each.unit == "a"]
    assert (made.training, made.rank, made.disorganized) == (training, rank, False)
