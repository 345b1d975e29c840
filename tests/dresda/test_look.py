"""A look before ordering tells what the rules would: range, sight, cover, chance, harm, reach (DR-050 to DR-055)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.dresda.look import look, told
from tests.dresda.table_top import TableTop, fig


def field(foe: dict[str, Any] | None = None, **parts: Any) -> TableTop:
    figures = {
        "tam": fig("red", "human", 50, 50, weapons=["short_bow", "javelin"]),
        "foe": {**fig("blue", "human", 50, 70, facing=180, weapons=["sword"]), **(foe or {})},
    }
    top = TableTop(figures, **parts)
    top.until("missile")
    return top


def test_the_chance_is_the_one_that_is_rolled_against() -> None:
    top = field({"armour": "light_armour"}, walls=[{"id": "wall", "kind": "low_wall", "points": [[40, 69], [60, 69]]}])
    seen = look(top.battle.situation(), "tam", "foe")
    assert (seen.range_mm, seen.sight, seen.cover, seen.arc) == (200, "clear", "target_hard_cover", "front")
    top.say("tam: shoot short_bow at foe")
    top.next({"hit": 1})
    call = top.call("tam>foe/hit")
    (shot,) = [each for each in seen.shots if each.weapon == "short_bow"]
    assert shot.percent == call.target
    assert shot.terms == tuple((term.label, term.value) for term in call.terms)


def test_dr_054_it_says_what_cannot_be_wounded() -> None:
    top = field({"race": "dwarf", "armour": "heavy_armour", "shield": "large_shield"})
    seen = look(top.battle.situation(), "tam", "foe")
    assert [each.wounds for each in seen.shots if each.weapon == "short_bow"] == [0]
    assert any("cannot wound" in line for line in told(top.battle.situation(), seen))


def test_dr_050_it_says_what_is_out_of_range_or_sight() -> None:
    far = look(field({"place": [50, 190]}).battle.situation(), "tam", "foe")
    assert {each.why_not.rule for each in far.shots if each.why_not} == {"DR-050"}
    walls = [{"id": "wall", "kind": "high_wall", "points": [[40, 60], [60, 60]], "hides": True}]
    hidden = look(field(walls=walls).battle.situation(), "tam", "foe")
    assert hidden.sight == "blocked"
    assert {each.why_not.rule for each in hidden.shots if each.why_not} == {"DG-02"}


@pytest.mark.parametrize(("y", "walk", "run"), [(64, True, True), (75, False, True), (99, False, False)])
def test_dr_010_it_says_what_is_in_reach(y: int, walk: bool, run: bool) -> None:
    seen = look(field({"place": [50, y]}).battle.situation(), "tam", "foe")
    assert {each.gait: each.why_not is None for each in seen.reach} == {"walk": walk, "run": run}


def test_a_look_without_a_target_tells_how_far_a_figure_gets() -> None:
    top = field()
    seen = look(top.battle.situation(), "tam")
    assert [(each.gait, each.mm) for each in seen.gaits] == [("walk", 160), ("run", 320)]
    assert told(top.battle.situation(), seen) == ["Tam: walk 16 cm, run 32 cm"]


def test_a_look_records_nothing() -> None:
    top = field()
    before = top.battle.seq
    look(top.battle.situation(), "tam", "foe")
    assert top.battle.seq == before
