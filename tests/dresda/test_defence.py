"""Defence Factor, wounds, death, and shields that are slung.

Rules held here: DR-040, DR-041, DR-042, DR-043, DR-044, DR-045.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.dresda.wounds import defence, shield_slung, wounds_of
from events.dresda import ShotFired, Wounded
from tests.dresda.table_top import TableTop, fig


def field(figure: dict[str, Any], **parts: Any) -> TableTop:
    shooter = fig("blue", "human", 50, 70, weapons=["long_bow"], facing=180)
    top = TableTop({"one": figure, "shooter": shooter}, **parts)
    top.until("move")
    return top


def factor(top: TableTop, behind: bool = False) -> int:
    return defence(top.battle.tables, top["one"], from_behind=behind)


@pytest.mark.parametrize(("race", "number"), [("orc", 3), ("goblin", 2), ("giant", 8)])
def test_dr_040_dr_041_the_defence_factor_is_also_the_wounds_that_kill(race: str, number: int) -> None:
    top = field(fig("red", race, 50, 50))
    assert (factor(top), top["one"].who.health) == (number, number)


def test_dr_042_armour_and_shield_raise_the_factor_not_the_wounds() -> None:
    top = field(fig("red", "orc", 50, 50, armour="heavy_armour", shield="large_shield"))
    assert (factor(top), top["one"].who.health) == (3 + 3 + 2, 3)


def test_dr_043_wounds_spoil_fire_blows_and_ways() -> None:
    top = field(fig("red", "orc", 50, 50, wounds=1, weapons=["short_bow"]))
    assert top.refused("one: walk 50,62.1") == ["DR-017"]
    top.until("missile")
    top.say("one: shoot short_bow at shooter")
    top.next()
    terms = {term.label: (term.value, term.rule) for term in top.call("one>shooter/hit").terms}
    assert terms["firer wounded"] == (-15, "DR-043")
    close = TableTop({"one": fig("red", "orc", 50, 50, wounds=2), "two": fig("blue", "orc", 50, 52, facing=180)})
    close.turn()
    assert ("wounded", -4) in [(term.label, term.value) for term in close.call("one~two/one").terms]


@pytest.mark.parametrize(
    ("figure", "slung"),
    [
        ({"weapons": ["sword"]}, False),
        ({"weapons": ["halberd"]}, True),
        ({"weapons": ["long_bow"]}, True),
        ({"weapons": ["sling"]}, False),
    ],
)
def test_dr_044_two_handed_weapons_sling_the_shield(figure: dict[str, Any], slung: bool) -> None:
    top = field(fig("red", "orc", 50, 50, shield="shield", **figure))
    assert shield_slung(top["one"]) is slung
    assert factor(top) == (3 if slung else 4)


def test_dr_044_firing_or_carrying_a_heavy_thing_slings_it() -> None:
    things = [{"id": "keg", "place": [50, 51], "weight": "heavy"}]
    top = field(fig("red", "orc", 50, 50, weapons=["sling"], shield="shield"), things=things)
    top.until("missile")
    top.say("one: shoot sling at shooter", "shooter: shoot long_bow at one")
    top.next({"shooter>one/hit": 1})
    assert [each.defence for each in top.facts(ShotFired) if each.figure == "shooter"] == [3]
    top.until("move")
    top.say("one: take keg")
    top.next()
    assert factor(top) == 3


def test_dr_045_a_slung_shield_counts_from_behind() -> None:
    top = field(fig("red", "orc", 50, 50, weapons=["halberd"], shield="shield"))
    assert (factor(top), factor(top, behind=True)) == (3, 4)


def test_da_08_a_mounts_own_factor_does_not_count() -> None:
    top = field(fig("red", "goblin", 50, 50, mount="giant_boar"))
    assert factor(top) == 2


def test_da_09_halves_and_thirds_are_strict() -> None:
    tables = field(fig("red", "orc", 50, 50)).battle.tables
    assert [wounds_of(tables, attack, 3) for attack in (6, 7, 9, 10)] == [1, 2, 2, 3]


def test_da_12a_the_shield_is_slung_all_the_turn_even_when_aiming() -> None:
    top = field(fig("red", "orc", 50, 50, weapons=["halberd", "sword"], shield="shield"))
    top.say("one: draw sword")
    top.next()
    assert shield_slung(top["one"])
    top.turn()
    assert not shield_slung(top["one"])
    aiming = TableTop(
        {"one": fig("red", "orc", 50, 50, weapons=["sling"], shield="shield"), "foe": fig("blue", "orc", 50, 70)}
    )
    aiming.say("one: aim sling at foe")
    aiming.next()
    assert shield_slung(aiming["one"])


def test_da_20_wounds_beyond_death_do_not_matter() -> None:
    top = field(fig("red", "goblin", 50, 60))
    top.until("missile")
    top.say("shooter: shoot long_bow at one")
    top.next({"hit": 1})  # Attack Factor 7 on 2: three wounds
    assert [(each.wounds, each.dead) for each in top.facts(Wounded)] == [(2, True)]
    assert (top["one"].wounds, top["one"].left) == (2, 0)
