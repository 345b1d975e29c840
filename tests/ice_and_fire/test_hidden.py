"""What a gate, a breach, cover on a wall and fire do (IF-246, IF-247, IF-261, IF-284)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.ice_and_fire.breaking import weaken
from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.command import sees_over
from engine.rules.ice_and_fire.engines import bombard_refusal, burn, set_alight
from engine.rules.ice_and_fire.objections import carry_out
from events.facts import OrderLapsed
from events.ice_and_fire.siege import StructureStruck
from events.ice_and_fire.units import Attacked
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, unit

LEFT = {"id": "left", "wall": "stone", "start": [100, 200], "end": [190, 200], "seat": "blue"}
RIGHT = {"id": "right", "wall": "stone", "start": [210, 200], "end": [300, 200], "seat": "blue"}
GATE = {"id": "gate", "gate": "castle", "start": [190, 200], "end": [210, 200], "seat": "blue"}


def do(top: Top, text: str) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), ALONE, text))


def castle(*units: dict[str, Any], **more: Any) -> Top:
    """A castle to the north of y = 200 with a gate in the middle of its wall."""
    return Top(scenario(list(units), wall=[LEFT, RIGHT], gate=[GATE], **more))


@pytest.mark.parametrize("x", [150, 200])
def test_a_closed_gate_hides_men_as_the_wall_beside_it_does(x: int) -> None:
    """IF-247: two dice less, and half the wall's defence."""
    top = castle(unit("bows", "red", "longbowmen", (x, 150)), unit("men", "blue", "guardsmen", (x, 230)))
    do(top, "bows: attack men")
    call = next(iter(top.calls.values()))
    assert "-2P" in call.dice
    assert [term.value for term in call.terms if term.label.startswith("behind")] == [3]


def test_an_open_gate_hides_nobody() -> None:
    top = castle(unit("bows", "red", "longbowmen", (200, 150)), unit("men", "blue", "guardsmen", (200, 230)))
    top.play(weaken(top.field, "gate", "bows", 99, Point(2000, 1990), "IF-262", "k"))
    do(top, "bows: attack men")
    assert "P" not in top.called("attack").dice


def test_a_commander_does_not_see_through_a_closed_gate() -> None:
    """IF-248."""
    top = castle(unit("bows", "red", "longbowmen", (200, 150)), unit("men", "blue", "guardsmen", (200, 230)))
    assert not sees_over(top.field, top.hero("ada"), "men")


def breached(kind: str) -> Top:
    foes = unit("men", "blue", "militia", (200, 215))
    top = Top(scenario([unit("a", "red", "soldiers", (200, 150)), foes], wall=[
        {"id": "wall", "wall": kind, "start": [100, 200], "end": [300, 200], "seat": "blue"}]))  # fmt: skip
    top.play(weaken(top.field, "wall", "a", 99, Point(2000, 1990), "IF-262", "k"))
    return top


def test_nobody_charges_up_a_breach_in_a_stone_wall() -> None:
    """IF-261, IF-228: its defenders stand atop a steep slope."""
    top = breached("stone")
    do(top, "a: charge men")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-228"]


def test_a_breach_in_wood_may_be_charged_and_a_stone_one_from_within() -> None:
    top = breached("high_palisade")
    do(top, "a: charge men")
    assert top.made(Attacked)
    top = breached("stone")
    do(top, "men: charge a")
    assert top.made(Attacked)


def battery(kind: str, **more: Any) -> Top:
    crew = unit("crew", "red", "engineers", (200, 100), training=10)
    engine = [{"id": "gun", "seat": "red", "engine": kind, "crew": "crew"}]
    return castle(crew, unit("men", "blue", "militia", (150, 205), on_wall="left"), engine=engine, **more)


def test_machines_do_not_reach_men_who_keep_their_heads_down() -> None:
    """IF-246."""
    top = battery("scorpion")
    do(top, "men: cover")
    do(top, "crew: bombard men with gun")
    assert [each.rule for each in top.made(OrderLapsed)] == ["IF-246"]


@pytest.mark.parametrize(
    ("missile", "target", "able"),
    [("oil", "gate", False), ("oil", "left", False), ("wildfire", "gate", True), ("wildfire", "left", False)],
)
def test_of_what_a_spitfire_throws_wildfire_alone_harms_wood_and_nothing_stone(
    missile: str, target: str, able: bool
) -> None:
    """IF-284."""
    top = battery("spitfire")
    refusal = bombard_refusal(top.field, top.unit("crew"), top.state.engines["gun"], target, missile)
    assert (refusal is None) == able
    assert refusal is None or refusal.rule == "IF-284"


def test_a_spitfire_takes_wildfire_to_a_gate_by_itself() -> None:
    top = battery("spitfire")
    do(top, "crew: bombard gate with gun")
    assert [each.amount for each in top.made(StructureStruck)] == [5]


def test_a_second_wildfire_never_shortens_the_first() -> None:
    """IF-284."""
    top = battery("spitfire")
    crew = top.unit("crew")
    top.totals["t1/fire"] = 5
    top.play(set_alight(top.field, crew, "men", 10, "1d6", "IF-284"))
    top.turn(2)
    top.play(burn(top.field))
    top.totals["t2/fire"] = 1
    top.play(set_alight(top.field, crew, "men", 10, "1d6", "IF-284"))
    assert top.state.fires["men"].rounds == 4
    top.turn(3)
    top.totals["t3/fire"] = 6
    top.play(set_alight(top.field, crew, "men", 10, "1d6", "IF-284"))
    assert top.state.fires["men"].rounds == 6


def test_wildfire_burns_for_additional_rounds_after_the_one_in_which_it_lands() -> None:
    """IF-284: not again in the same round."""
    top = battery("spitfire")
    top.totals["fire"] = 1
    top.play(set_alight(top.field, top.unit("crew"), "men", 10, "1d6", "IF-284"))
    top.play(burn(top.field))
    assert top.unit("men").damage == 0
    top.turn(2)
    top.play(burn(top.field))
    assert top.unit("men").damage == 10
    assert top.state.fires == {}


def test_the_gate_kinds_hide_as_the_walls_they_hang_in() -> None:
    top = castle(unit("bows", "red", "longbowmen", (200, 150)), unit("men", "blue", "guardsmen", (200, 230)))
    gate = replace(top.state.gates["gate"], gate="palisade")
    top.field.state = replace(top.state, gates={"gate": gate})
    do(top, "bows: attack men")
    assert [term.value for term in top.called("attack").terms if term.label.startswith("behind")] == [2]
