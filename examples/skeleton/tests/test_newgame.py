"""The rules of a new game."""

from __future__ import annotations

from pathlib import Path

import newgame
import pytest
from newgame.facts import Hurt
from newgame.rule_set import NewGame

from wardiary.rules import OrderNotAllowed, Scenario
from wardiary.testing import BareBattle, check_definition, check_play, check_samples, read_scenario

HOME = Path(newgame.__file__).parent
SCENARIO: Scenario = read_scenario(HOME / "scenario.toml")


@pytest.mark.parametrize(("face", "hurt"), [(4, ["bob"]), (3, [])])
def test_a_blow_needs_4_or_more(face: int, hurt: list[str]) -> None:
    battle = BareBattle(NewGame(), SCENARIO, faces={"t1/blows/ann>bob": (face,)})
    battle.order("red", "ann: strike bob")
    assert [event.fighter for event in battle.proceed() if isinstance(event, Hurt)] == hurt


def test_nobody_strikes_their_own_side() -> None:
    with pytest.raises(OrderNotAllowed, match="al is on the same side"):
        BareBattle(NewGame(), SCENARIO).order("red", "ann: strike al")


def test_the_rule_set_is_whole() -> None:
    found, battle = check_play(NewGame(), SCENARIO)
    found += check_definition(NewGame())
    found += check_samples(NewGame().fold(), HOME / "samples.json", battle.events)
    assert found == []
