"""The chain of command: links, numbers, degrees, failures, replacements (IF-010 to IF-032)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.orders import write_sheet
from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.autoplay import autoplay, taken_over
from engine.rules.ice_and_fire.command import chain_down, order_line, rounds_used
from engine.rules.ice_and_fire.turn import SLOTS, alone, duels, give_orders, heroes, initiative
from engine.rules.rule_set import Procedure
from events.facts import ActOpened, Ordered, OrderLapsed
from events.ice_and_fire.heroes import RoundsSpent
from events.ice_and_fire.units import (
    ConditionWorsened,
    InitiativeWon,
    OrderPassed,
    OrderRefused,
    PlanWorkedOut,
    StanceTaken,
    UnitActed,
)
from events.places import Point
from projections.ice_and_fire.state import Spirit
from tests.ice_and_fire.table_top import BLUE, BRAM, RED, Top, scenario, unit

LADY = {"id": "ada", "seat": "red", "unit": "guard", "leader": True, "weapons": ["mace"], "abilities": {"warfare": 5}}
CARL = {"id": "carl", "seat": "red", "unit": "first", "leader": True, "weapons": ["mace"], "abilities": {"warfare": 4}}
DORA = {"id": "dora", "seat": "red", "unit": "second", "weapons": ["mace"], "abilities": {"warfare": 3}}
VAN = {"id": "van", "seat": "red", "holder": "carl", "above": "red_host"}
WING = {"id": "wing", "seat": "red", "holder": "dora", "above": "van"}


def host(**options: Any) -> Top:
    """A general with a guard; a vanguard under Carl; a wing of it under Dora."""
    units = [
        unit("guard", "red", "guardsmen", (100, 60)),
        unit("first", "red", "militia", (150, 60), post="van"),
        unit("second", "red", "militia", (200, 60), post="wing", training=1),
        unit("third", "red", "militia", (250, 60), post="wing"),
        unit("foe", "blue", "militia", (150, 300)),
    ]
    return Top(scenario(units, [LADY, CARL, DORA, {**BRAM, "unit": "foe"}], [RED, VAN, WING, BLUE], options))


def run(top: Top, procedure: Procedure, phase: str) -> list[Any]:
    turn = top.state.table.turn
    top.apply(ActOpened(f"t{turn}/{phase}", 0, "", SLOTS.get(phase, ())))
    return top.play(procedure)


def tell(top: Top, *sheet: str) -> list[Any]:
    """Write orders and carry them out."""
    for text in sheet:
        order = top.order(text)
        assert rules().objections(top.field, order) == []
        placing = rules().slot_for(top.field, order)
        top.apply(Ordered(rules().owner(top.field, order.piece), order.piece, placing.slot, text))
    if not top.state.initiative:
        run(top, initiative(top.field), "initiative")
    run(top, heroes(top.field), "heroes")
    made = run(top, give_orders(top.field), "orders")
    run(top, duels(top.field), "duels")
    return made


def passed(top: Top) -> list[tuple[str, str, str, int]]:
    return [(each.giver, each.receiver, each.result, each.bonus) for each in top.made(OrderPassed)]


def test_the_chain_leads_from_the_general_through_the_parts() -> None:
    """IF-010, IF-013, IF-015: posts and who holds them are set before the battle."""
    top = host()
    names = [post.id for post in chain_down(top.state, "ada", top.unit("second")) or ()]
    assert names == ["van", "wing"]
    assert chain_down(top.state, "dora", top.unit("second")) == ()
    assert chain_down(top.state, "dora", top.unit("first")) is None


def test_an_order_to_a_unit_is_a_test_of_command_against_nine() -> None:
    """IF-020, IF-022, AMB-05: the last link bears the unit's own modifiers."""
    top = host()
    tell(top, "second: stand hold")
    made = top.called("order/dora>second")
    assert made.target == 9 + 1
    assert passed(top) == [("dora", "second", "carried", 0)]


def test_a_relayed_order_is_tested_twice_and_the_lower_counts() -> None:
    """IF-021, AMB-05: general 12 (both tests), first sub 9 (both), second sub 9 and the unit's own."""
    top = host()
    top.margins.update({"relay/ada": 3, "tactics": 0, "relay/ada/50/ada>van>wing/command": 9})
    tell(top, "second: stand hold by ada")
    assert [call.target for call in top.calls.values() if call.rule != "AMB-40"] == [12, 12, 9, 9, 10]
    assert passed(top)[0] == ("ada", "carl", "carried", 0)
    assert [each.receiver for each in top.made(OrderPassed)] == ["carl", "dora", "second"]


def test_the_worked_relay_to_a_green_unit() -> None:
    """Command 14, Tactics 10 against 9: the lower gives one degree; the sub-commander needs 9 + 1."""
    top = host()
    top.put("second", post="van")
    top.margins.update({"command": 5, "tactics": 1})
    tell(top, "second: stand hold by ada")
    assert passed(top)[0] == ("ada", "carl", "carried", 0)
    assert top.called("order/carl>second").target == 10


@pytest.mark.parametrize(("margin", "bonus"), [(0, 0), (5, 1), (10, 2), (15, 3)])
def test_degrees_beyond_the_first_help_the_next_link_alone(margin: int, bonus: int) -> None:
    """IF-023, AMB-04."""
    top = host()
    top.margins["relay/ada"] = margin
    tell(top, "first: stand hold by ada")
    assert passed(top)[0][3] == bonus
    assert top.terms("order/carl>first").get("to the total: order given well", 0) == bonus
    assert passed(top)[1][3] == 0


def test_a_good_order_helps_the_attack_that_carries_it_out() -> None:
    """IF-023: +1 for each degree beyond the first on the unit's test."""
    top = host()
    top.put("foe", at=Point(1500, 652))
    top.margins["order/carl>first"] = 10
    tell(top, "first: attack foe")
    assert top.terms("attack/first>foe")["to the total: order given well"] == 2


def test_a_poor_order_costs_a_die_on_every_test() -> None:
    """IF-024, IF-032: nobody there to work the plan out."""
    top = host()
    top.put("third", at=Point(1500, 3000 - 52), facing=0)
    top.margins["order/dora>third"] = -1
    tell(top, "third: attack foe")
    assert top.terms("attack/third>foe")["penalty dice: order half understood"] == 1


def test_a_receiver_may_see_the_plan() -> None:
    """IF-025, AMB-04a: Tactics against the failed order's number, once; success takes the loss away."""
    top = host()
    top.margins["order/carl>first"] = -1
    top.margins["order/carl>first/plan"] = 0
    tell(top, "first: stand hold")
    (plan,) = top.made(PlanWorkedOut)
    assert (plan.receiver, plan.result) == ("first", "clear")
    assert top.called("order/carl>first/plan").target == 9


@pytest.mark.parametrize(("margin", "result"), [(-1, "blurred"), (-5, "misjudged")])
def test_a_plan_not_seen_stays_blurred_or_is_misjudged(margin: int, result: str) -> None:
    """IF-025."""
    top = host()
    top.put_hero("carl", wounds=1)
    top.margins.update({"order/carl>first": -1, "order/carl>first/plan": margin})
    tell(top, "first: stand hold")
    assert top.made(PlanWorkedOut)[0].result == result
    held = [each.unit for each in top.made(StanceTaken) if each.stance == "hold"]
    assert held == (["first"] if result == "blurred" else [])


def test_a_critical_failure_on_the_way_loses_the_order() -> None:
    """IF-026, RUL-05."""
    top = host()
    top.put_hero("ada", wounds=2)
    top.margins["relay/ada"] = -5
    tell(top, "first: stand hold by ada")
    assert top.made(OrderLapsed)[0].rule == "IF-026"
    (question,) = [each for each in top.asked.values() if each.rule == "RUL-05"]
    assert question.default == "does nothing"
    assert top.unit("first").condition == "organized"


def test_a_critical_failure_towards_a_unit_shakes_it() -> None:
    """IF-027, RUL-05: one condition worse, and unattended it does nothing this round."""
    top = host()
    top.put_hero("carl", wounds=2)
    top.margins["order/carl>first"] = -5
    tell(top, "first: stand hold")
    (made,) = top.made(ConditionWorsened)
    assert (made.unit, made.to, made.rule) == ("first", "disorganized", "IF-027")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-027"]
    assert any(each.unit == "first" and each.action == "idle" for each in top.made(UnitActed))


def test_a_misunderstood_unit_may_act_on_its_own() -> None:
    """RUL-05: the referee's other choice."""
    top = host()
    top.put_hero("carl", wounds=2)
    top.margins["order/carl>first"] = -5
    top.answers["misread"] = "acts on its own"
    tell(top, "first: stand hold")
    assert not top.unit("first").acted


@pytest.mark.parametrize(
    ("changes", "reforming", "tn"),
    [
        ({}, False, 9),
        ({"condition": "disorganized"}, False, 12),
        ({"condition": "disorganized"}, True, 9),
        ({"condition": "routed"}, False, 12),
        ({"condition": "routed"}, True, 12),
        ({"condition": "routed", "reforms": 1}, True, 13),
        ({"reforms": 3}, False, 12),
    ],
)
def test_what_makes_a_unit_hard_to_order(changes: dict[str, Any], reforming: bool, tn: int) -> None:
    """IF-028, AMB-06: rank, disorder and reforms add up; a routed unit is 3, not 6."""
    top = host()
    top.put("third", **changes)
    assert sum(line.value for line in order_line(top.field, top.unit("third"), reform=reforming)) == tn


@pytest.mark.parametrize(("training", "more"), [(0, 3), (1, 1), (3, 0), (6, 0), (10, -3), (15, -3)])
def test_rank_makes_orders_harder_or_easier(training: int, more: int) -> None:
    """IF-028, IF-071, AMB-46."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=training)]))
    assert sum(line.value for line in order_line(top.field, top.unit("a"), reform=False)) == 9 + more


def test_a_commander_gives_ten_orders_and_no_more() -> None:
    """IF-011, IF-046."""
    units = [unit(f"u{n:02}", "red", "militia", (60 + 40 * n, 100)) for n in range(11)]
    top = Top(scenario([*units, unit("foe", "blue", "militia", (300, 400))]))
    tell(top, *(f"u{n:02}: stand hold" for n in range(11)))
    assert top.hero("ada").orders == 10
    assert [(each.piece, each.rule) for each in top.made(OrderLapsed)] == [("u10", "IF-011")]


def test_a_sub_commander_has_ten_orders_of_his_own() -> None:
    """IF-012: the general spends one order, the sub-commander one for each unit of it."""
    top = host()
    top.put("third", post="van")
    tell(top, "first: stand hold by ada", "third: stand hold by ada")
    assert (top.hero("ada").orders, top.hero("carl").orders) == (1, 2)


def test_sub_commanders_and_leaders_order_on_their_own() -> None:
    """IF-029: nobody above is asked."""
    top = host()
    tell(top, "second: stand hold by dora")
    assert passed(top) == [("dora", "second", "carried", 0)]


def test_nobody_orders_what_he_does_not_command() -> None:
    top = host()
    assert top.objections("first: stand by dora") == ["IF-010"]
    assert top.objections("foe: stand by ada") == ["IF-010"]


def test_a_new_commander_loses_a_die_and_so_do_all_below() -> None:
    """IF-016, IF-017, AMB-03: his own tests, his links' tests, the units' tests, in the first round only."""
    top = host()
    top.put("foe", at=Point(1500, 652))
    tell(top, "dora: take van", "first: attack foe by ada")
    assert "penalty dice: new man in the chain" not in top.terms("relay/ada/50/ada>van/command")
    assert top.terms("order/dora>first")["penalty dice: new man in the chain"] == 1
    assert top.terms("attack/first>foe")["penalty dice: new man in the chain"] == 1
    top.calls.clear()
    top.turn(2)
    tell(top, "first: stand hold by ada")
    assert "penalty dice: new man in the chain" not in top.terms("order/dora>first")


def test_several_new_men_in_a_chain_cost_one_die() -> None:
    """IF-018."""
    top = host()
    tell(top, "carl: take red_host", "ada: take van", "second: stand hold by carl")
    for name in ("relay/carl/50/carl>van>wing/command", "order/dora>second"):
        assert top.terms(name)["penalty dice: new man in the chain"] == 1


def test_a_hero_with_a_unit_orders_it_better() -> None:
    """IF-047: a test die more on Command that concerns his unit."""
    top = host()
    tell(top, "first: stand hold", "second: stand hold")
    assert top.terms("order/carl>first")["test dice: with the unit"] == 1
    assert top.called("order/carl>first").dice == "5D"


def beset(top: Top) -> None:
    """Two enemies beside the first unit, with more than twice its men."""
    top.put("foe", at=Point(1500, 652), men=150)
    second = replace(top.unit("foe"), id="foe2", at=Point(1500, 548))
    top.field.state = replace(top.state, units={**top.state.units, "foe2": second})


def test_a_rash_order_may_be_refused_by_its_leader() -> None:
    """IF-030, RUL-03: one question, when outnumbered men are to attack."""
    top = host()
    beset(top)
    top.answers["rash/first"] = "the leader refuses"
    tell(top, "first: attack foe")
    (made,) = top.made(OrderRefused)
    assert (made.unit, made.rule) == ("first", "IF-030")
    assert [each.default for each in top.asked.values() if each.rule in ("RUL-03", "RUL-04")] == ["obeyed"]


def test_an_order_is_not_rash_against_one_unit_nor_for_men_in_disorder() -> None:
    """RUL-03: two units or more, with twice the men."""
    top = host()
    top.put("foe", at=Point(1500, 652), men=500)
    top.put("first", condition="disorganized")
    tell(top, "first: attack foe")
    assert not top.asked


@pytest.mark.parametrize(("margin", "refused"), [(0, False), (-1, True)])
def test_the_men_may_have_to_pass_a_test_first(margin: int, refused: bool) -> None:
    """IF-031, RUL-04."""
    top = host()
    beset(top)
    top.answers["rash/first"] = "morale test at 9"
    top.margins["willing"] = margin
    tell(top, "first: attack foe")
    assert bool(top.made(OrderRefused)) is refused


def test_another_lord_s_men_may_refuse() -> None:
    """IF-014: a unit names its owner; at another's bidding the question is put."""
    top = host()
    top.put("first", owner="carl")
    top.put("foe", at=Point(1500, 652))
    tell(top, "first: attack foe by ada")
    assert any(each.rule == "RUL-03" for each in top.asked.values())


def test_by_option_rash_orders_are_obeyed() -> None:
    """RUL-03, option rash_orders."""
    top = host(rash_orders="obey")
    beset(top)
    tell(top, "first: attack foe")
    assert not any(each.rule == "RUL-03" for each in top.asked.values())


def leader_s(top: Top) -> None:
    top.put_hero("dora", leader=True, unit="third")
    top.put("third", post="van")


@pytest.mark.parametrize(("answer", "done"), [("latest", "sprint"), ("commander", "shieldwall"), ("leader", "sprint")])
def test_of_two_orders_the_latest_accepted_goes(answer: str, done: str) -> None:
    """IF-049, AMB-08, RUL-02: the commander's and the leader's own; unattended the latest."""
    top = host()
    leader_s(top)
    top.answers["whose/third"] = answer
    tell(top, "third: shieldwall number 1", "third: sprint to 250,20 by dora number 2")
    assert [each.action for each in top.made(UnitActed) if each.unit == "third"] == [done]
    assert next(each.default for each in top.asked.values() if each.rule == "RUL-02") == "latest"


def test_if_the_later_order_fails_the_earlier_is_carried_out() -> None:
    """AMB-08: the last order that is accepted."""
    top = host()
    leader_s(top)
    top.margins["order/dora>third"] = -9
    top.answers["misread"] = "acts on its own"
    tell(top, "third: shieldwall number 1", "third: sprint to 250,20 by dora number 2")
    assert [each.action for each in top.made(UnitActed) if each.unit == "third"] == ["shieldwall"]


def test_orders_that_fit_together_are_both_carried_out() -> None:
    """IF-049: a leader's order may complement the commander's."""
    top = host()
    leader_s(top)
    tell(top, "third: stand aim number 1", "third: move 250,62 by dora number 2")
    assert [each.action for each in top.made(UnitActed) if each.unit == "third"] == ["aim", "move"]
    assert not any(each.rule == "RUL-02" for each in top.asked.values())


def test_initiative_is_a_contest_of_strategy_each_round() -> None:
    """AMB-40, B-33: the higher goes first, of equals the first seat."""
    top = host()
    top.totals.update({"initiative/red": 8, "initiative/blue": 20})
    run(top, initiative(top.field), "initiative")
    assert top.made(InitiativeWon)[0].seats == ("blue", "red")


def test_orders_alternate_and_are_carried_out_at_once() -> None:
    """AMB-40, AMB-41, B-101: by number within a side, the sides in turn."""
    top = host()
    top.apply(Ordered("blue", "foe", "order", "foe: stand hold"))
    tell(top, "first: stand hold number 1", "guard: stand hold number 2")
    told = [each.receiver for each in top.made(OrderPassed)]
    assert told == ["first", "foe", "guard"]


def test_each_order_costs_its_giver_a_combat_round() -> None:
    """IF-046."""
    top = host()
    tell(top, "first: stand hold by ada")
    spent = [(each.hero, each.on, each.rounds) for each in top.made(RoundsSpent)]
    assert spent == [("ada", "orders", 1), ("carl", "orders", 1)]
    assert rounds_used(top.state, top.hero("ada")) == 1


def test_in_a_wood_the_giver_must_be_with_the_unit() -> None:
    """IF-223."""
    wood = {"id": "wood", "terrain": "forest", "corners": [[130, 40], [300, 40], [300, 90], [130, 90]]}
    setup = host().setup
    top = Top(scenario(setup.rest["unit"], setup.rest["hero"], setup.rest["post"], ground=[wood]))
    tell(top, "first: stand hold", "third: stand hold")
    assert [(each.piece, each.rule) for each in top.made(OrderLapsed)] == [("third", "IF-223")]


def test_units_without_orders_act_by_themselves_at_the_end() -> None:
    """IF-091, RUL-01: asked once a round; a standing order needs no question."""
    top = host()
    run(top, initiative(top.field), "initiative")
    top.apply(Ordered("red", "first", "standing", "first: standing hold"))
    run(top, alone(top.field), "alone")
    assert any(each.unit == "first" and each.stance == "hold" for each in top.made(StanceTaken))
    (question,) = [each for each in top.asked.values() if each.rule == "RUL-01"]
    assert question.default == "independent"


def test_a_routed_unit_obeys_a_success_alone() -> None:
    """AMB-06a, IF-024: after a simple failure, clear or not, it flees."""
    for margin, reformed in ((0, True), (-1, False)):
        top = host()
        top.put("third", condition="routed", damage=22)
        top.margins["order/dora>third"] = margin
        tell(top, "third: reform")
        assert (top.unit("third").condition == "disorganized") is reformed
        run(top, alone(top.field), "alone")
        assert any(each.unit == "third" and each.action == "sprint" for each in top.made(UnitActed)) is not reformed


def test_leading_from_the_front_helps_commands_and_hinders_plans() -> None:
    """IF-053, AMB-11: a die more on Command, one less on Tactics; in the wedge the gain is for charges alone."""
    for deed, only, command in (("lead", "", 1), ("first", "charge", 0)):
        top = host()
        top.put("guard", spirit=Spirit("ada", deed, 0, 0, only))
        tell(top, "first: stand hold by ada")
        assert top.terms("relay/ada/50/ada>van/command").get("test dice: leads from the front", 0) == command
        assert top.terms("relay/ada/50/ada>van/tactics")["penalty dice: leads from the front"] == 1


def test_an_order_handed_on_and_one_of_his_own_are_two_orders_of_a_sub_commander() -> None:
    """IF-012, IF-029: each is tested for itself."""
    top = host()
    top.margins["relay/ada"] = 5
    tell(top, "second: stand hold by ada", "third: stand hold by carl")
    handed, own = "relay/ada/50/carl>wing/command", "relay/carl/50/carl>wing/command"
    assert top.terms(handed)["to the total: order given well"] == 1
    assert "to the total: order given well" not in top.terms(own)


def test_a_vacant_post_is_named_to_whoever_orders_past_it() -> None:
    """IF-013, IF-016: an order down a chain with a gap lapses, and says who is missing."""
    top = host()
    top.put_hero("dora", fate="killed")
    tell(top, "second: stand hold by ada")
    lapse = top.made(OrderLapsed)[-1]
    assert (lapse.rule, lapse.reason) == ("IF-013", "nobody holds wing: a hero must take it")


def test_a_drilled_side_fills_its_vacant_posts() -> None:
    """IF-016: by a hero without a post, who is with men of it first; else by who stands above it."""
    top = host()
    assert taken_over(top.state, "red") == []
    top.put_hero("carl", fate="killed")
    assert taken_over(top.state, "red") == [("van", "ada")]
    spare = replace(top.hero("dora"), id="spare", unit="first")
    other = replace(top.hero("dora"), id="other", unit="third", leader=True)
    top.field.state = replace(top.state, heroes={**top.state.heroes, "spare": spare, "other": other})
    assert taken_over(top.state, "red") == [("van", "spare")]
    sheet = write_sheet(autoplay(top.field, "red")).splitlines()
    assert sheet[0] == "spare: take van"
    tell(top, *sheet)
    assert not [each for each in top.made(OrderLapsed) if each.rule == "IF-013"]
