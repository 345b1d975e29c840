"""Single combat as regular combat: aim, caution, dodge, yield; good and poor blades (B-35, B-70, B-74, B-78, B-88)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.ice_and_fire.duels import fight
from engine.rules.ice_and_fire.heroes_hit import hero_defence
from engine.rules.ice_and_fire.orders import Fight
from engine.rules.ice_and_fire.turn import duels
from events.facts import ActOpened, Ordered
from events.ice_and_fire.heroes import HeroFell, Struck
from events.ice_and_fire.units import MoraleTested
from tests.ice_and_fire.table_top import ADA, BRAM, Top, scenario, unit


def meeting(**ada: Any) -> Top:
    """Two units in contact, each with a hero; Ada is quicker."""
    units = [unit("a", "red", "militia", (200, 100)), unit("b", "blue", "militia", (200, 106))]
    heroes = [{**ADA, "unit": "a", "leader": True, **ada}, {**BRAM, "unit": "b", "leader": True}]
    top = Top(scenario(units, heroes))
    top.totals["quick/ada"] = 12
    return top


def duel(top: Top, rounds: int = 1, **manners: str) -> Top:
    top.play(fight(top.field, Fight("ada", "bram", rounds), manners, ""))
    return top


def test_aim_adds_a_bonus_die_to_each_blow() -> None:
    """B-70."""
    top = duel(meeting(), ada="aim")
    assert top.terms("1/ada")["bonus dice: aim"] == 1


def test_caution_costs_a_die_and_adds_three_to_the_defence_until_the_next_turn() -> None:
    """B-74."""
    top = meeting()
    plain = hero_defence(top.hero("ada"))
    duel(top, ada="caution")
    assert top.terms("1/ada")["penalty dice: caution"] == 1
    assert top.called("1/bram").target == plain + 3


def test_a_dodge_takes_the_place_of_the_defence_and_of_the_blow() -> None:
    """B-78: by a test of Agility."""
    top = meeting()
    top.totals["dodge"] = 11
    duel(top, ada="dodge")
    assert [each.by for each in top.made(Struck)] == ["bram"]
    assert top.called("1/bram").target == 11


def test_whoever_is_fought_has_a_manner_too() -> None:
    top = meeting()
    plain = hero_defence(top.hero("bram"))
    duel(top, rounds=2, bram="caution")
    assert [top.called(f"{number}/ada").target for number in (1, 2)] == [plain, plain + 3]


def test_a_hero_who_yields_is_out_and_nobody_asks_what_becomes_of_them() -> None:
    """B-88, IF-050: their men take it as a fall."""
    top = duel(meeting(), rounds=3, bram="yield")
    assert [(each.hero, each.fate, each.rule) for each in top.made(HeroFell)] == [("bram", "yielded", "B-88")]
    assert not top.asked
    assert [each.unit for each in top.made(MoraleTested)] == ["b"]
    assert len(top.made(Struck)) == 1


def test_a_manner_is_ordered_for_the_round() -> None:
    """The order reaches the combat that another begins."""
    top = meeting()
    top.apply(Ordered("blue", "bram", "stance", "bram: stance yield"))
    top.apply(Ordered("red", "ada", "fight", "ada: fight bram for 2"))
    top.apply(ActOpened("t1/duels", 0, "", ("stance", "fight")))
    top.play(duels(top.field))
    assert [each.fate for each in top.made(HeroFell)] == ["yielded"]


@pytest.mark.parametrize(("grade", "label", "value", "damage"), [
    ("poor", "penalty dice: poor Longsword", 1, 3), ("superior", "to the total: superior Longsword", 1, 3),
    ("extraordinary", "to the total: extraordinary Longsword", 1, 4), ("common", "", 0, 3)])  # fmt: skip
def test_a_castle_forged_blade_hits_better(grade: str, label: str, value: int, damage: int) -> None:
    """B-35."""
    top = duel(meeting(grades={"longsword": grade}))
    terms = top.terms("1/ada")
    assert [terms.get(label, 0), top.hero("ada").profile.arms[0].damage] == [value, damage]
    assert sum("Longsword" in each for each in terms) == bool(label)
