"""What a hero's blows and shots suffer, what he cannot reach, whom a vicious weapon kills (IF-042, B §5)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.duels import fight
from engine.rules.ice_and_fire.heroes_hit import harm_hero
from engine.rules.ice_and_fire.orders import Fight
from events.facts import OrderLapsed
from events.ice_and_fire.heroes import HeroFell, Struck
from tests.ice_and_fire.table_top import Top, scenario, unit

ADA = {
    "id": "ada", "seat": "red", "unit": "a", "weapons": ["longsword", "hunting_bow", "war_lance", "pike"],
    "abilities": {"fighting": 5, "marksmanship": 5},
}  # fmt: skip
BRAM = {"id": "bram", "seat": "blue", "unit": "b", "weapons": ["mace"]}


def facing(gap: int = 1, ada: dict[str, Any] | None = None, **rest: Any) -> Top:
    units = [
        unit("a", "red", "militia", (200, 100)),
        unit("b", "blue", "peasant_archers", (200, 105 + gap)),
    ]
    return Top(scenario(units, [{**ADA, **(ada or {})}, BRAM], **rest))


def lapsed(top: Top) -> list[str]:
    return [each.rule for each in top.made(OrderLapsed)]


@pytest.mark.parametrize("target", ["b", "bram"])
@pytest.mark.parametrize(("gap", "dice"), [(100, 0), (101, 1), (201, 2)])
def test_range_costs_a_hero_dice_and_those_who_shoot_back(target: str, gap: int, dice: int) -> None:
    """IF-042, IF-045, B §5."""
    top = facing(gap)
    top.play(fight(top.field, Fight("ada", target, 1, "hunting_bow"), {}, ""))
    shots = [call for key, call in top.calls.items() if key.endswith(("/1/ada", ">b/1", "return/b>ada/1"))]
    assert shots
    for call in shots:
        assert {term.label: term.value for term in call.terms}.get("penalty dice: range", 0) == dice


@pytest.mark.parametrize(
    ("gap", "weapons", "answers"),
    [
        (80, ["mace"], []),  # a mace does not reach over eighty yards
        (80, ["mace", "hunting_bow"], ["hunting_bow"]),
        (1, ["hunting_bow", "mace"], ["mace"]),
        (1, ["hunting_bow"], []),
    ],
)
def test_a_hero_answers_with_what_reaches(gap: int, weapons: list[str], answers: list[str]) -> None:
    """IF-042."""
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 105 + gap))]
    top = Top(scenario(units, [ADA, {**BRAM, "weapons": weapons}]))
    top.margins["bram/1"] = -1
    top.play(fight(top.field, Fight("ada", "bram", 1, "hunting_bow"), {}, ""))
    assert [each.weapon for each in top.made(Struck) if each.by == "bram"] == answers


def test_archers_about_a_hero_shoot_back_for_him() -> None:
    """IF-045, RUL-06."""
    top = facing(50)
    top.margins["bram/1"] = -1
    top.play(fight(top.field, Fight("ada", "bram", 1, "hunting_bow"), {}, ""))
    assert len([key for key in top.calls if "return/b>ada" in key]) == 2


def test_a_hero_whose_unit_is_in_melee_shoots_worse() -> None:
    """B-85."""
    top = facing()
    top.put("a", melee_turn=1)
    top.play(fight(top.field, Fight("ada", "bram", 1, "hunting_bow"), {}, ""))
    assert top.terms("bram/1/ada")["penalty dice: shooting in melee"] == 1


@pytest.mark.parametrize(
    ("mount", "weapon", "label", "dice"),
    [
        ("rounsey", "longsword", "bonus dice: mounted against men on foot", 1),
        ("rounsey", "pike", "penalty dice: Pike on horseback", 2),
        ("none", "war_lance", "penalty dice: War Lance on foot", 2),
        ("none", "longsword", "bonus dice: mounted against men on foot", 0),
    ],
)
def test_the_saddle_counts_for_heroes_too(mount: str, weapon: str, label: str, dice: int) -> None:
    """B-76, IF-042."""
    top = facing(ada={"mount": mount})
    top.play(fight(top.field, Fight("ada", "bram", 1, weapon), {}, ""))
    assert top.terms("bram/1/ada").get(label, 0) == dice


def test_no_blows_through_a_wall() -> None:
    """IF-242."""
    wall = [{"id": "wall", "wall": "stone", "start": [250, 103], "end": [150, 103]}]
    top = facing(wall=wall)
    top.play(fight(top.field, Fight("ada", "bram", 1, "longsword"), {}, ""))
    assert lapsed(top) == ["IF-242"]


def test_no_shots_at_who_takes_cover() -> None:
    """IF-246."""
    top = facing(50)
    top.put("b", stances=("taking_cover",))
    top.play(fight(top.field, Fight("ada", "bram", 1, "hunting_bow"), {}, ""))
    assert lapsed(top) == ["IF-246"]


def test_no_shots_through_a_wood() -> None:
    """RUL-15."""
    wood = [{"id": "wood", "terrain": "forest", "corners": [[150, 110], [250, 110], [250, 200], [150, 200]]}]
    top = facing(120, ground=wood)
    top.play(fight(top.field, Fight("ada", "b", 1, "hunting_bow"), {}, ""))
    assert lapsed(top) == ["RUL-15"]


def test_nobody_fights_who_has_gone() -> None:
    """IF-042."""
    top = facing()
    top.put_hero("bram", fate="captured")
    top.play(fight(top.field, Fight("ada", "bram", 1, "longsword"), {}, ""))
    assert lapsed(top) == ["IF-042"]


@pytest.mark.parametrize(("deadly", "fate", "asked"), [(True, "killed", []), (False, "falls", ["RUL-16"])])
def test_a_vicious_weapon_kills_whom_it_fells(deadly: bool, fate: str, asked: list[str]) -> None:
    """B §5, RUL-16: the referee is not asked."""
    top = facing()
    top.put_hero("bram", injuries=2, wounds=1)
    top.play(harm_hero(top.field, "bram", 20, "ada", "B-27", deadly=deadly))
    assert [each.fate for each in top.made(HeroFell)] == [fate]
    assert [each.rule for each in top.asked.values()] == asked


def test_a_war_lance_is_vicious_in_single_combat() -> None:
    """B §5."""
    top = facing(ada={"mount": "rounsey"})
    top.put_hero("bram", injuries=2, wounds=1, damage=5)
    top.totals["quick/ada"] = 30
    top.margins["bram/1/ada"] = 4
    top.play(fight(top.field, Fight("ada", "bram", 1, "war_lance"), {}, ""))
    assert [each.fate for each in top.made(HeroFell)] == ["killed"]


@pytest.mark.parametrize(("armour", "penalty"), [("none", None), ("mail", -3), ("full_plate", -6)])
def test_armour_slows_a_hero(armour: str, penalty: int | None) -> None:
    """B-26, B-33: the penalty comes off the test of quickness."""
    top = facing(ada={"armour": armour})
    top.play(fight(top.field, Fight("ada", "bram", 1, "longsword"), {}, ""))
    assert top.terms("quick/ada").get("to the total: armour") == penalty
