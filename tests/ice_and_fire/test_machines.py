"""Towers, fire arrows, throwing machines: each row of their table and each action (IF-272 to IF-285)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.ice_and_fire.alone import act_alone
from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.engines import burn, damage_engine
from engine.rules.ice_and_fire.ground import engine_of, stands_higher
from engine.rules.ice_and_fire.judgement import muster_questions
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.scaling import scale_refusal
from events.facts import OrderLapsed
from events.ice_and_fire.siege import (
    EngineDamaged,
    EngineDestroyed,
    FireBurned,
    FireStarted,
    GearShattered,
    StructureStruck,
)
from events.ice_and_fire.units import Attacked, ConditionWorsened, UnitDamaged
from events.places import Point
from tests.ice_and_fire.table_top import Top, scenario, tables, unit


def do(top: Top, text: str, carried: Carried = ALONE) -> list[Any]:
    return top.play(carry_out(top.field, top.order(text), carried, text))


def lapsed(top: Top) -> list[str]:
    return [each.rule for each in top.made(OrderLapsed)]


def wall(kind: str = "stone", **more: Any) -> dict[str, Any]:
    """A wall from east to west at y = 200: the inside, on its left, is to the south; red stands there."""
    return {"id": "wall", "wall": kind, "start": [300, 200], "end": [100, 200], **more}


def castle(
    kind: str = "stone", *, manned: bool = True, foe: str = "militia", gear: list[str] | None = None, **more: Any
) -> Top:
    """Red within a wall, on it if `manned`; a blue unit at its foot outside, to the north."""
    rest = {key: more.pop(key) for key in ("gate", "engine", "ground", "options") if key in more}
    reds = [unit("a", "red", more.pop("mine", "militia"), (200, 190), **({"on_wall": "wall"} if manned else {}))]
    blues = [unit("b", "blue", foe, (200, 203), gear=gear or [])]
    extra = more.pop("units", [])
    return Top(scenario([*reds, *blues, *extra], wall=[wall(kind, **more)], **rest))


# -- towers and fire ---------------------------------------------------------------------------------------------------


def tower(**more: Any) -> Top:
    engine = [{"id": "belfry", "seat": "blue", "engine": "siege_tower", "crew": "b"}]
    return castle(engine=engine, **more)


@pytest.mark.parametrize(("margin", "broken"), [(0, True), (-1, False)])
def test_defenders_break_the_siege_tower_of_a_routed_climber(margin: int, broken: bool) -> None:
    """IF-256, IF-274, AMB-33: besides what the unit carries; with the tower the men in it are destroyed."""
    top = tower(gear=["ladders"])
    do(top, "b: scale wall")
    top.put("b", damage=20)
    top.margins["shatter"] = margin
    do(top, "a: attack b")
    assert top.unit("b").condition == ("destroyed" if broken else "routed")
    assert top.called("b/siege_tower").target == tables().gear["siege_tower"].shatter_tn
    assert [each.engine for each in top.made(EngineDestroyed)] == (["belfry"] if broken else [])
    assert [each.gear for each in top.made(GearShattered)] == (["ladders"] if broken else [])


def test_a_tower_s_unit_needs_no_climb_and_fights_at_once() -> None:
    """IF-273, AMB-34a: higher ground, no 3 less, 5 against shots."""
    top = tower(mine="longbowmen")
    do(top, "a: attack b with longbow")
    assert top.terms("attack/a>b")["Siege Tower"] == 5
    assert stands_higher(top.field, top.unit("b"), top.unit("a")) == "IF-273"
    do(top, "b: attack a")
    assert top.terms("attack/b>a")["bonus dice: higher ground"] == 1
    top.turn(2)
    do(top, "b: scale wall")
    assert not any("scale" in key for key in top.calls)
    assert top.unit("b").contested
    do(top, "a: attack b with maul")
    assert "scaling" not in top.terms("t2/attack/a>b")


def test_a_tower_rolls_twenty_yards_a_round() -> None:
    """IF-272."""
    top = tower()
    top.put("b", at=Point(2000, 3000))
    engines = {name: replace(each, at=Point(2000, 3000)) for name, each in top.state.engines.items()}
    top.field.state = replace(top.state, engines=engines)
    do(top, "b: move 200,203")
    assert top.unit("b").at == Point(2000, 2800)
    assert top.state.engines["belfry"].at == Point(2000, 2800)
    do(top, "b: move 200,203")
    assert top.unit("b").at == Point(2000, 2800)


def test_a_destroyed_tower_destroys_who_is_in_it() -> None:
    """IF-272, IF-274: rating 8, health 20."""
    top = tower()
    assert (top.state.engines["belfry"].ar, top.state.engines["belfry"].health) == (8, 20)
    top.play(damage_engine(top.field, "belfry", 19, "IF-272"))
    assert not top.state.engines["belfry"].destroyed
    top.play(damage_engine(top.field, "belfry", 1, "IF-272"))
    assert [each.engine for each in top.made(EngineDestroyed)] == ["belfry"]
    assert top.unit("b").condition == "destroyed"


def test_fire_arrows_halve_damage_and_frighten() -> None:
    """IF-277, AMB-37: halved before armour; who is hurt tests morale against 7."""
    units = [unit("a", "red", "longbowmen", (200, 100), gear=["incendiary"]), unit("b", "blue", "militia", (200, 160))]
    top = Top(scenario(units))
    top.margins["attack"] = 5
    top.margins["nerve/b<t1/attack"] = -1
    do(top, "a: attack b fire")
    assert top.made(UnitDamaged)[0].amount == 5 * 2 // 2
    assert top.called("nerve/b").target == 7
    assert top.unit("b").condition == "disorganized"
    assert "IF-277" in top.objections("b: attack a fire")


def test_who_is_not_hurt_by_fire_arrows_is_not_frightened() -> None:
    """IF-277: halved before armour, nothing may be left."""
    units = [
        unit("a", "red", "peasant_archers", (200, 100), gear=["incendiary"]),
        unit("b", "blue", "soldiers", (200, 160)),
    ]
    top = Top(scenario(units))
    do(top, "a: attack b fire")
    assert top.made(Attacked)[0].damage == 0
    assert not any("nerve" in key for key in top.calls)


@pytest.mark.parametrize("rounds", [0, 2, 4])
def test_fire_goes_on_upon_engines(rounds: int) -> None:
    """IF-272, IF-278, AMB-37: the damage after armour again, each round for 2d3-2 rounds."""
    top = tower(mine="longbowmen")
    top.put("a", gear=("incendiary",))
    top.margins["attack"] = 15
    top.totals["t1/fire"] = rounds
    do(top, "a: attack belfry fire")
    (first,) = top.made(EngineDamaged)
    assert first.amount == 5 * 4 // 2 - (8 - 1)
    assert top.called("t1/fire").dice == "2d3-2"
    for turn in range(2, 8):
        top.play(burn(top.field))
        top.turn(turn)
    assert [each.amount for each in top.made(EngineDamaged)] == [first.amount] * (1 + rounds)


def test_plain_arrows_do_engines_no_harm() -> None:
    """IF-272."""
    top = tower(mine="longbowmen")
    assert top.objections("a: attack belfry") == ["IF-272"]


# -- machines ----------------------------------------------------------------------------------------------------------


def battery(kind: str, *, training: int = 10, foe: str = "guardsmen", **more: Any) -> Top:
    units = [
        unit("crew", "red", "engineers", (200, 100), training=training),
        unit("b", "blue", foe, (200, 190)),
    ]
    engine = [{"id": "gun", "seat": "red", "engine": kind, "crew": "crew"}, *more.pop("engines", [])]
    return Top(scenario(units, engine=engine, **more))


MACHINES = {
    "trebuchet": (7, -1, -1, 0, 500, 4, 40),
    "mangonel": (6, -1, -1, 0, 200, 3, 20),
    "onager": (5, -1, -1, 0, 400, 5, 20),
    "scorpion": (4, 0, 0, -1, 500, 1, 10),
    "spitfire": (0, 0, 0, 0, 500, 2, 20),
}


@pytest.mark.parametrize("kind", MACHINES)
def test_every_row_of_the_machine_table(kind: str) -> None:
    """IF-283, IF-285, B-110."""
    row = tables().machines[kind]
    shown = (row.athletics, row.unit_dice, row.gate_dice, row.structure_dice, row.range_yd, row.ar, row.health)
    assert shown == MACHINES[kind]


@pytest.mark.parametrize("kind", ["trebuchet", "mangonel", "onager", "scorpion"])
def test_a_machine_at_a_unit(kind: str) -> None:
    """IF-115, IF-281, IF-283: defence without shields, damage Athletics each degree, whatever the armour."""
    top = battery(kind)
    do(top, "crew: bombard b with gun")
    call = top.called("bombard")
    assert call.target == 7
    assert call.dice == ("3D" if kind == "scorpion" else "3D-1P")
    assert top.made(UnitDamaged)[0].amount == MACHINES[kind][0]


@pytest.mark.parametrize(("training", "dice"), [(0, "3D-2P"), (3, "3D-1P"), (6, "3D"), (10, "3D")])
def test_serving_a_machine_takes_training(training: int, dice: str) -> None:
    """IF-280, B-34: two bonus dice of Cunning (Siege Weapons)."""
    top = battery("scorpion", training=training)
    do(top, "crew: bombard b with gun")
    assert top.called("bombard").dice == dice


@pytest.mark.parametrize(("kind", "tn"), [("stone", 9), ("superior_stone", 12), ("extraordinary_stone", 15)])
def test_a_machine_at_a_wall(kind: str, tn: int) -> None:
    """IF-282: then the machine's own Athletics, a die more each degree beyond the first; damage as in breaking."""
    line = {"id": "wall", "wall": kind, "start": [300, 200], "end": [100, 200]}
    top = battery("trebuchet", wall=[line])
    top.margins["bombard/crew>wall"] = 5 if tn < 15 else 0
    top.margins["bombard/crew>wall/break"] = 5
    do(top, "crew: bombard wall with gun")
    calls = [call for key, call in top.calls.items() if "bombard" in key]
    assert calls[0].target == tn
    assert calls[1].dice == ("8D" if tn < 15 else "7D")
    assert calls[1].target == tables().walls[kind].break_tn
    assert top.made(StructureStruck)[0].amount == 7 * 2


def test_gates_are_hard_to_hit_and_scorpions_poor_at_breaking() -> None:
    """IF-283."""
    line = {"id": "gate", "gate": "castle", "start": [220, 200], "end": [190, 200]}
    top = battery("mangonel", gate=[line])
    do(top, "crew: bombard gate with gun")
    assert top.terms("bombard/crew>gate" if len(top.calls) == 1 else "bombard/crew>gate/break")
    assert next(iter(top.calls.values())).dice == "3D-1P"
    weak = battery("scorpion", gate=[line])
    do(weak, "crew: bombard gate with gun")
    assert [call.dice for call in weak.calls.values()] == ["3D", "4D-1P"]


def test_oil_and_wildfire() -> None:
    """IF-284, AMB-38: 5 or 10 each degree whatever the armour; wildfire burns a flat 10 for 1d6 rounds more."""
    top = battery("spitfire", foe="soldiers")
    do(top, "crew: bombard b with gun")
    assert top.made(UnitDamaged)[0].amount == 5
    assert top.made(FireStarted) == []
    top.turn(2)
    top.totals["fire"] = 2
    do(top, "crew: bombard b with gun throwing wildfire")
    assert top.made(UnitDamaged)[1].amount == 10
    for turn in range(3, 7):
        top.play(burn(top.field))
        top.turn(turn)
    assert [each.amount for each in top.made(UnitDamaged)][2:] == [10, 10]
    assert [each.rounds for each in top.made(FireBurned)] == [1, 0]


@pytest.mark.parametrize(("kind", "amount"), [("high_palisade", 5), ("stone", 0)])
def test_wildfire_on_wood_and_stone(kind: str, amount: int) -> None:
    """IF-284: half on wood, nothing on stone."""
    line = {"id": "wall", "wall": kind, "start": [300, 200], "end": [100, 200]}
    top = battery("spitfire", wall=[line])
    do(top, "crew: bombard wall with gun throwing wildfire")
    assert sum(each.amount for each in top.made(StructureStruck)) == amount


def test_broken_wood_catches_fire() -> None:
    """IF-284."""
    line = {"id": "wall", "wall": "high_palisade", "start": [300, 200], "end": [100, 200]}
    top = battery("spitfire", wall=[line])
    state = top.state
    top.field.state = replace(state, walls={"wall": replace(state.walls["wall"], break_tn=3)})
    do(top, "crew: bombard wall with gun throwing wildfire")
    assert [each.target for each in top.made(FireStarted)] == ["wall"]


def test_machines_shoot_at_engines() -> None:
    """IF-272, IF-276: rating 8."""
    engines = [{"id": "ram", "seat": "blue", "engine": "capped_ram", "crew": "b"}]
    top = battery("trebuchet", engines=engines)
    top.margins["bombard"] = 5
    do(top, "crew: bombard ram with gun")
    assert top.made(EngineDamaged)[0].amount == 7 * 2 - 8


@pytest.mark.parametrize(("answer", "throws"), [("every_round", 2), ("every_other_round", 1)])
def test_how_often_machines_throw(answer: str, throws: int) -> None:
    """RUL-10, B-101, option reload."""
    top = battery("trebuchet", options={"reload": answer})
    for turn in (2, 3):
        top.turn(turn)
        do(top, "crew: bombard b with gun")
    assert len(top.made(Attacked)) == throws


def test_out_of_range_is_out_of_range() -> None:
    """RUL-10, IF-285: a mangonel reaches 200 yards."""
    top = battery("mangonel")
    top.put("b", at=Point(2000, 3200))
    do(top, "crew: bombard b with gun")
    assert lapsed(top) == ["RUL-10"]


def test_only_its_crew_serves_a_machine_and_it_throws_what_it_throws() -> None:
    """IF-280, IF-283."""
    top = battery("trebuchet")
    do(top, "crew: bombard b with gun throwing wildfire")
    assert lapsed(top) == ["IF-283"]
    do(top, "b: bombard crew with gun")
    assert lapsed(top)[-1] == "IF-280"


def test_no_question_is_asked_that_the_battle_does_not_raise() -> None:
    units = [unit("a", "red", "peasant_levies", (100, 100)), unit("b", "blue", "peasant_levies", (300, 300))]
    asked = {each.rule for each in muster_questions(Top(scenario(units)).field)}
    assert asked == set()


def test_scaling_needs_to_be_at_the_wall() -> None:
    """IF-110."""
    top = castle()
    top.put("b", at=Point(2000, 3000))
    refusal = scale_refusal(top.field, top.unit("b"), top.state.walls["wall"])
    assert refusal is not None
    assert refusal.rule == "IF-110"
    assert top.made(ConditionWorsened) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("crew: bombard foe with onager", ""),
        ("other: bombard foe with onager", "IF-280"),
        ("crew: bombard other with onager", "IF-281"),
        ("crew: bombard onager with onager", "IF-281"),
        ("crew: bombard foe with onager throwing wildfire", "IF-283"),
    ],
)
def test_what_a_machine_cannot_be_told(text: str, rule: str) -> None:
    """IF-280, IF-281, IF-283: said when the order is given, not when it comes to nothing."""
    units = [
        unit("crew", "red", "engineers", (100, 100)),
        unit("other", "red", "engineers", (200, 100)),
        unit("foe", "blue", "militia", (100, 200)),
    ]
    engine = [{"id": "onager", "seat": "red", "engine": "onager", "crew": "crew"}]
    assert Top(scenario(units, engine=engine)).objections(text) == ([rule] if rule else [])


@pytest.mark.parametrize("kind", ["siege_tower", "capped_ram", "scorpion"])
def test_men_in_flight_leave_their_engine_behind(kind: str) -> None:
    """IF-162, IF-272, IF-276: they run as fast as others, and have to come back to it."""
    units = [unit("crew", "red", "militia", (200, 200)), unit("foe", "blue", "militia", (200, 260))]
    engine = [{"id": "e", "seat": "red", "engine": kind, "crew": "crew"}]
    top = Top(scenario(units, engine=engine))
    top.put("crew", condition="routed", damage=25)
    top.play(act_alone(top.field, "crew", "fight", ""))
    assert top.unit("crew").at.y < 1000
    assert top.state.engines["e"].at == Point(2000, 2000)
    top.put("crew", condition="organized")
    assert engine_of(top.state, "crew", kind) is None
    top.play(damage_engine(top.field, "e", 1, "IF-272"))
    assert top.unit("crew").condition == "organized"
    if kind == "scorpion":
        order = top.order("crew: bombard foe with e")
        top.turn(2)
        top.play(carry_out(top.field, order, ALONE, ""))
        assert [each.rule for each in top.made(OrderLapsed)] == ["IF-280"]
    top.put("crew", at=Point(2000, 1950))
    assert engine_of(top.state, "crew", kind) == "e"


def test_a_tower_that_was_left_takes_nobody_down_with_it() -> None:
    """IF-274: the men are no longer in it."""
    top = tower()
    top.put("b", at=Point(2000, 3000))
    top.play(damage_engine(top.field, "belfry", 20, "IF-272"))
    assert top.state.engines["belfry"].destroyed
    assert top.unit("b").condition == "organized"
