"""Every action of the table, once allowed and once not (IF-100 to IF-118, IF-243, IF-246, IF-254)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.rules.ice_and_fire.carried import ALONE
from engine.rules.ice_and_fire.objections import ACTION, carry_out, spends
from events.facts import OrderLapsed
from events.ice_and_fire.units import UnitActed
from tests.ice_and_fire.table_top import Top, scenario, tables, unit

GROUND = [{"id": "moat", "terrain": "trench", "corners": [[20, 20], [60, 20], [60, 30], [20, 30]]}]
WALL = [{"id": "wall", "wall": "low_palisade", "start": [560, 400], "end": [500, 400]}]
GATE = [{"id": "gate", "gate": "palisade", "start": [360, 400], "end": [330, 400]}]
UNITS = [
    unit("foot", "red", "militia", (200, 100)),
    unit("bows", "red", "longbowmen", (100, 100)),
    unit("horse", "red", "men_at_arms", (300, 100)),
    unit("sappers", "red", "engineers", (40, 17)),
    unit("storm", "red", "militia", (520, 397)),
    unit("guard", "red", "guardsmen", (540, 396), on_wall="wall"),
    unit("ram", "red", "militia", (345, 397)),
    unit("crew", "red", "engineers", (420, 100)),
    unit("foe", "blue", "militia", (200, 106)),
    unit("far", "blue", "militia", (300, 150)),
]
ENGINE = [
    {"id": "onager", "seat": "red", "engine": "onager", "crew": "crew"},
    {"id": "left", "seat": "red", "engine": "scorpion", "crew": "foot"},
]

# action: an order that is allowed, one that is not, and the rule that says so
ORDERS = {
    "aim": ("foot: stand aim", "foot: attack foe aim reform", "IF-005"),
    "break": ("ram: break gate", "foot: break gate", "IF-101"),
    "breath": ("foot: breath", "", ""),
    "charge": ("horse: charge far", "horse: charge crew", "IF-113"),
    "counter": ("foot: counter set_for charge", "", ""),
    "stakes": ("bows: stakes plant", "foot: stakes plant", "IF-121"),
    "hold": ("foot: stand hold", "", ""),
    "move": ("foot: move 150,100", "foot: move 150,100 aim reform", "IF-005"),
    "quit": ("foot: quit", "", ""),
    "reform": ("horse: reform wedge", "foot: reform", "IF-131"),
    "scale": ("storm: scale wall", "horse: scale wall", "IF-110"),
    "shieldwall": ("foot: shieldwall", "bows: shieldwall", "IF-111"),
    "sprint": ("foot: sprint to 200,50", "foot: sprint to 200,200", "IF-112"),
    "attack": ("foot: attack foe", "foot: attack far", "IF-113"),
    "trample": ("horse: trample to 300,300", "foot: trample to 200,300", "IF-114"),
    "serve": ("crew: serve left", "foot: serve onager", "IF-280"),
    "bombard": ("crew: bombard far with onager", "foot: bombard far with onager", "IF-280"),
    "wedge": ("horse: wedge", "foot: wedge", "IF-116"),
    "withdraw": ("foot: withdraw", "foot: withdraw to 200,200", "IF-117"),
    "yield": ("foot: yield", "", ""),
    "cover": ("guard: cover", "foot: cover", "IF-246"),
    "bridge": ("sappers: bridge moat", "foot: bridge moat", "IF-254"),
    "man": ("storm: man wall", "horse: man wall", "IF-243"),
}


def field() -> Top:
    top = Top(scenario(UNITS, ground=GROUND, wall=WALL, gate=GATE, engine=ENGINE))
    top.put("horse", stances=("wedge_spent",))
    left = replace(top.state.engines["left"], crew="", at=top.unit("crew").at)
    top.field.state = replace(top.state, engines={**top.state.engines, "left": left})
    return top


def test_no_action_is_left_out() -> None:
    """IF-090."""
    assert set(ORDERS) == set(tables().actions)
    assert set(ACTION.values()) <= set(ORDERS)


@pytest.mark.parametrize("action", ORDERS)
def test_an_action_that_is_allowed_is_done(action: str) -> None:
    """IF-005: and spends what the table says; a move, a scaling and a trample may be part of more."""
    top = field()
    text = ORDERS[action][0]
    assert top.objections(text) == []
    top.play(carry_out(top.field, top.order(text), ALONE, text))
    assert top.made(OrderLapsed) == []
    done = [each for each in top.made(UnitActed) if each.action == action]
    assert done
    assert done[0].lesser == {"lesser": 1, "greater": 2, "free": 0}[tables().actions[action].cost]


@pytest.mark.parametrize("action", [action for action, order in ORDERS.items() if order[1]])
def test_an_action_that_is_not_allowed_is_refused_or_lapses(action: str) -> None:
    _, text, rule = ORDERS[action]
    top = field()
    told = top.objections(text)
    if not told:
        top.play(carry_out(top.field, top.order(text), ALONE, text))
        told = [each.rule for each in top.made(OrderLapsed)]
    assert told[0] == rule


@pytest.mark.parametrize("action", ORDERS)
def test_no_action_is_open_to_a_destroyed_unit_nor_most_to_a_routed_one(action: str) -> None:
    """IF-162, IF-163."""
    top = field()
    text = ORDERS[action][0]
    name = text.split(":")[0]
    top.put(name, condition="destroyed")
    assert "IF-163" in top.objections(text)
    top.put(name, condition="routed")
    assert ("IF-162" in top.objections(text)) is (action not in ("reform", "withdraw", "yield"))
    assert spends(top.order(text))[0] <= 2


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("foot: move 150,100", ""),
        ("foot: move 150,100 9999,100", "IF-130"),
        ("foot: sprint to 200,0", "IF-130"),
        ("foot: withdraw to 9999,1", "IF-130"),
        ("foot: attack foe going 600,10", "IF-130"),
        ("foot: attack foe then 10,500", "IF-130"),
        ("horse: trample to 9999,1", "IF-130"),
        ("foot: standing scale at gate", "IF-091"),
        ("foot: standing scale", "IF-091"),
        ("foot: standing scale at wall", ""),
        ("foot: standing break at gate", ""),
        ("foot: standing break at foe", "IF-091"),
        ("foot: standing fight at bows", "IF-091"),
        ("foot: standing fight at foe", ""),
        ("ada: go to 10,10", ""),
        ("ada: go to 10,9999", "IF-046"),
    ],
)
def test_places_and_marks_that_do_not_fit_are_told_at_once(text: str, rule: str) -> None:
    """IF-057, IF-091, IF-130: nobody walks off the field; a standing order needs a fitting mark."""
    assert field().objections(text) == ([rule] if rule else [])
