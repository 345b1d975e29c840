"""Gates, rams and ways over trenches: each row of their tables and each action (IF-250 to IF-276)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.alone import choose
from engine.rules.ice_and_fire.breaking import break_refusal, break_tn, ram_ranks, weaken
from engine.rules.ice_and_fire.carried import ALONE, Carried
from engine.rules.ice_and_fire.ground import barred, stands_higher
from engine.rules.ice_and_fire.objections import carry_out
from engine.rules.ice_and_fire.orders import Attack
from engine.rules.ice_and_fire.ways import slowed
from events.facts import OrderLapsed
from events.ice_and_fire.siege import (
    BridgeWorked,
    DoorBroken,
    PassageClosed,
    PassageOpened,
    StructureStruck,
    WallLeft,
)
from events.ice_and_fire.units import Attacked
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


# -- breaking ----------------------------------------------------------------------------------------------------------


def gate(kind: str = "castle") -> dict[str, Any]:
    return {"id": "gate", "gate": kind, "start": [220, 300], "end": [190, 300]}


def ramming(kind: str = "castle", *, ram: bool = True, **more: Any) -> Top:
    engine = [{"id": "ram", "seat": "blue", "engine": "capped_ram", "crew": "b"}] if ram else []
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "guardsmen", (205, 303), training=0, **more)]
    return Top(scenario(units, gate=[gate(kind)], engine=engine))


GATES = {"palisade": (15, 1), "castle": (21, 1), "superior_castle": (21, 2), "extraordinary_castle": (21, 3)}


@pytest.mark.parametrize("kind", GATES)
def test_every_row_of_the_gate_table(kind: str) -> None:
    """IF-250, IF-252, IF-253."""
    row = tables().gates[kind]
    assert (row.break_tn, row.doors) == GATES[kind]


def test_a_gate_is_the_weak_place_of_its_wall() -> None:
    """IF-250: each breaks more easily than the walls of its kind."""
    walls = {
        "palisade": ("low_palisade", "high_palisade"),
        "castle": ("stone",),
        "superior_castle": ("superior_stone",),
        "extraordinary_castle": ("extraordinary_stone",),
    }
    assert set(walls) == set(tables().gates)
    for kind, around in walls.items():
        assert all(tables().gates[kind].break_tn < tables().walls[wall].break_tn for wall in around)


def test_a_castle_gate_breaks_in_three_blows() -> None:
    """Worked example: 5D, damage 5: 23 gives 1 degree and 16 left; 22 two and 6 left; 12 two and -4: broken."""
    top = ramming()
    for number, total in enumerate((23, 22, 12), 2):
        top.turn(number)
        top.calls.clear()
        top.margins["break"] = total - break_tn(top.field, "gate")
        do(top, "b: break gate")
        assert top.called("break").dice == "5D"
    assert [each.left for each in top.made(StructureStruck)] == [16, 6, -4]
    assert [(each.doors) for each in top.made(DoorBroken)] == [0]
    assert [each.over for each in top.made(PassageOpened)] == ["gate"]


def test_door_after_door() -> None:
    """IF-252: the next door has its whole number again; AMB-35: what is broken stays so."""
    top = ramming("superior_castle")
    for number in range(2, 6):
        top.turn(number)
        top.margins["break"] = 5
        do(top, "b: break gate")
    assert [each.doors for each in top.made(DoorBroken)] == [1]
    assert top.state.gates["gate"].break_tn <= 21


@pytest.mark.parametrize(("gear", "capped", "ranks"), [([], True, 2), (["small_ram"], False, 1), ([], False, 0)])
def test_rams_raise_dice_and_damage(gear: list[str], capped: bool, ranks: int) -> None:
    """IF-262, IF-275, IF-276, AMB-35."""
    top = ramming(ram=capped, gear=gear)
    top.margins["break"] = 0
    do(top, "b: break gate")
    assert top.called("break").dice == f"{3 + ranks}D"
    struck = top.made(StructureStruck)
    assert not struck or struck[0].amount == 3 + ranks


def test_a_capped_ram_helps_against_gates_only() -> None:
    """IF-276, AMB-36."""
    top = castle(gear=["small_ram"], engine=[{"id": "ram", "seat": "blue", "engine": "capped_ram", "crew": "b"}])
    assert ram_ranks(top.field, top.unit("b"), "wall") == 1
    gated = ramming(gear=["small_ram"])
    assert ram_ranks(gated.field, gated.unit("b"), "gate") == 2


def test_a_capped_ram_does_not_move_and_strike_in_one_round() -> None:
    """IF-276: 40 yards a round."""
    top = ramming()
    assert slowed(top.field, top.unit("b")) == 400
    top.put("b", moved=True)
    refusal = break_refusal(top.field, top.unit("b"), "gate")
    assert refusal is not None
    assert refusal.rule == "IF-276"


def test_breaking_is_the_unit_s_attack() -> None:
    """IF-006, IF-101, B-90."""
    top = ramming()
    do(top, "b: break gate")
    do(top, "b: break gate")
    assert lapsed(top) == ["IF-006"]


def test_a_breach_in_stone_is_a_narrow_way_on_a_steep_slope() -> None:
    """IF-260, IF-261: its defenders stand higher; only one unit fits."""
    top = castle(manned=False, gear=["small_ram"])
    top.play(weaken(top.field, "wall", "b", 30, top.unit("b").at, "IF-262", "k"))
    (made,) = top.made(PassageOpened)
    assert made.breach
    assert top.state.grounds[made.id].terrain == "narrow_passage"
    top.put("b", at=Point(2000, 2010))
    top.put("a", at=Point(2000, 1950))
    assert stands_higher(top.field, top.unit("a"), top.unit("b")) == "IF-261"
    assert barred(top.field, top.unit("b"), top.unit("a")) == ""


# -- ways over trenches ------------------------------------------------------------------------------------------------


def moat() -> Top:
    ditch = {"id": "moat", "terrain": "trench", "corners": [[100, 110], [300, 110], [300, 120], [100, 120]]}
    units = [unit("a", "red", "engineers", (200, 107)), unit("b", "blue", "militia", (200, 123))]
    return Top(scenario(units, ground=[ditch]))


@pytest.mark.parametrize(("answer", "rounds"), [("1", 1), ("2", 2)])
def test_a_way_over_a_trench_takes_as_long_as_the_referee_says(answer: str, rounds: int) -> None:
    """IF-254, RUL-09, IF-240: unattended one battle round."""
    top = moat()
    top.answers["battle/bridge"] = answer
    for number in range(rounds):
        assert top.made(PassageOpened) == []
        top.turn(number + 2)
        do(top, "a: bridge moat")
    assert len(top.made(BridgeWorked)) == rounds
    (made,) = top.made(PassageOpened)
    assert (made.over, made.break_tn) == ("moat", 9)
    assert next(each.default for each in top.asked.values() if each.rule == "RUL-09") == "1"
    top.put("b", at=Point(4000, 4000))
    top.turn(9)
    do(top, "a: move 200,140")
    assert top.unit("a").at.y > 1200


def test_there_may_be_no_way_over_at_all() -> None:
    """RUL-09."""
    top = moat()
    top.answers["battle/bridge"] = "not at all"
    do(top, "a: bridge moat")
    assert lapsed(top) == ["RUL-09"]


def test_a_makeshift_bridge_can_be_broken() -> None:
    """IF-254: against 9."""
    top = moat()
    do(top, "a: bridge moat")
    name = top.made(PassageOpened)[0].id
    for number in range(2, 6):
        top.turn(number)
        top.margins["break"] = 5
        do(top, f"b: break {name}") if name in top.state.grounds else None
    assert [each.passage for each in top.made(PassageClosed)] == [name]


@pytest.mark.parametrize(("contested", "inside"), [(True, False), (False, True)])
def test_who_leaves_a_wall_is_within_unless_he_is_still_a_climber(contested: bool, inside: bool) -> None:
    """IF-241, AMB-34a: a climber who has not won the wall goes down outside."""
    top = castle(gear=["ladders"])
    do(top, "b: scale wall")
    top.put("b", contested=contested)
    do(top, "b: move 150,150" if inside else "b: move 150,250")
    assert top.made(WallLeft)[0].unit == "b"
    assert (top.unit("b").at.y < 2000) is inside


@pytest.mark.parametrize("how", ["hold", "fight", "shoot", "independent"])
@pytest.mark.parametrize(
    ("mine", "stores", "weapon"),
    [
        ("militia", [], "stones"),
        ("militia", ["boiling_oil", "boiling_water"], "boiling_oil"),
        ("militia", ["no_stones"], None),
        ("longbowmen", [], None),
    ],
)
def test_men_on_a_wall_throw_what_harms_most(how: str, mine: str, stores: list[str], weapon: str | None) -> None:
    """IF-243, IF-244, RUL-01: on their own, too; archers whose bows do more go on shooting."""
    top = castle("stone", mine=mine, stores=stores)
    order = choose(top.field, top.unit("a"), how, "")
    assert (order.weapon if isinstance(order, Attack) else None) == weapon
    if weapon is not None:
        assert isinstance(order, Attack)
        top.play(carry_out(top.field, order, ALONE, ""))
        assert [each.weapon for each in top.made(Attacked)] == [weapon]


def test_nobody_throws_farther_than_ten_yards() -> None:
    """IF-243, B-86."""
    top = castle("stone", stores=["boiling_oil"])
    top.put("b", at=Point(2000, 2200))
    order = choose(top.field, top.unit("a"), "hold", "")
    assert not isinstance(order, Attack)
