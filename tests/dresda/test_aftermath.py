"""After the battle: how it ends, desertion, R marks, Status, and the roster that enters the next battle.

Rules held here: DR-130, DR-131.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli_w

from engine.opening import read_scenario
from engine.rules.errors import ScenarioInvalid
from engine.rules.rule_set import find_rules
from events.dresda import CareerCounted, DesertionRolled
from events.facts import BattleEnded
from events.store.memory import MemoryLog
from projections.dresda.state import Battlefield
from tests.dresda.table_top import TableTop, fig
from tests.table import Table, open_battle


def routing(**foe: Any) -> TableTop:
    """A battle from which foe flees in turn 2, while its friend stays."""
    figures = {
        "archer": fig("red", "human", 50, 165, weapons=["short_bow"]),
        "foe": {**fig("blue", "human", 50, 185), **foe},
        "friend": fig("blue", "skeleton", 190, 190),
    }
    top = TableTop(figures)
    top.until("missile")
    top.say("archer: shoot short_bow at foe")
    top.turn({"hit": 100, "morale": 1})
    top.until("missile")
    assert top["foe"].gone == "routed"
    return top


def test_the_battle_ends_when_a_side_has_nobody_left() -> None:
    top = TableTop({"ann": fig("red", "human", 50, 0), "bob": fig("blue", "human", 50, 90)})
    top.until("move")
    top.say("ann: walk 51,0 off")
    top.next()
    assert [(each.reason, each.winner) for each in top.facts(BattleEnded)] == [
        ("only one side is left on the table", "blue")
    ]


def test_or_after_the_last_turn_or_when_the_referee_says() -> None:
    figures = {"ann": fig("red", "human", 50, 10), "bob": fig("blue", "human", 50, 90)}
    top = TableTop(figures, field={"turn_limit": 2})
    top.turn()
    top.turn()
    assert [(each.reason, each.winner) for each in top.facts(BattleEnded)] == [("2 turns are over", "")]
    said = TableTop(figures)
    said.say('referee: end "the light has gone"')
    assert said.state.table.ended == "the light has gone"


@pytest.mark.parametrize(
    ("foe", "percent"), [({}, 30), ({"status": "recruit"}, 40), ({"race": "goblin", "status": "veteran"}, 20 + 10)]
)
def test_dr_130_the_roll_must_beat_the_percentage(foe: dict[str, Any], percent: int) -> None:
    top = routing(**foe)
    top.say('referee: end "enough"')
    top.settle({"desertion": percent + 1}, {})
    call = top.call("after/desertion/foe")
    assert (call.target, call.test, call.rule) == (percent, "above", "DR-130")
    assert [(each.label, each.of * (100 // each.out_of)) for each in call.chances] == [("stays", 100 - percent)]
    assert [each.lost for each in top.facts(DesertionRolled)] == [False]


def test_da_21a_an_equal_roll_is_lost() -> None:
    top = routing()
    top.say('referee: end "enough"')
    top.settle({"desertion": 30}, {})
    assert [each.lost for each in top.facts(DesertionRolled)] == [True]
    assert "foe" not in top.battle.rules.roster(top.battle.situation())["figures"]


def test_dr_131_a_battle_fled_from_is_marked_r_and_does_not_count() -> None:
    top = routing(battles=2, record="++")
    top.say('referee: end "enough"')
    top.settle({"desertion": 99}, {})
    careers = {each.figure: (each.mark, each.battles, each.status) for each in top.facts(CareerCounted)}
    assert careers == {
        "archer": ("+", 1, "regular"),
        "foe": ("R", 2, "regular"),
        "friend": ("+", 1, "regular"),
    }
    assert top["foe"].who.record == "++R"


def test_dr_131_battles_that_count_raise_the_status() -> None:
    figures = {
        "ann": fig("red", "human", 50, 10, status="regular", battles=2),
        "bob": fig("blue", "human", 50, 90, status="hero"),
    }
    top = TableTop(figures)
    top.say('referee: end "enough"')
    assert (top["ann"].who.status, top["bob"].who.status) == ("veteran", "hero")


def test_the_survivors_enter_the_next_battle_from_the_roster(tmp_path: Path) -> None:
    top = TableTop(
        {
            "ann": fig("red", "human", 50, 50, name="Ann Wade", weapons=["falchion", "long_bow"], shield="shield"),
            "bob": fig("blue", "goblin", 50, 60, wounds=1, mount="wolf", weapons=["sword"]),
            "cat": fig("blue", "human", 90, 90, leader="bob", battles=2),
        },
        weapons={"falchion": "one_handed_weapon"},
    )  # fmt: skip
    top.say('referee: end "enough"')
    roster = top.battle.rules.roster(top.battle.situation())
    (tmp_path / "veterans.toml").write_text(tomli_w.dumps(roster))
    (tmp_path / "next.toml").write_text(
        """
title = "Again"
rule_set = "dresda"
[seats]
red = "Red"
blue = "Blue"
[field]
width = 100
depth = 100
[sides.red]
roster = "veterans.toml"
[sides.blue]
roster = "veterans.toml"
[figures.ann]
side = "red"
from_roster = "ann"
place = [10, 10]
[figures.bob]
side = "blue"
from_roster = "bob"
place = [90, 90]
torch = true
[figures.cat]
side = "blue"
from_roster = "cat"
place = [80, 90]
"""
    )
    log = MemoryLog()
    open_battle(log, "again", read_scenario(tmp_path / "next.toml"))
    state = Table(log, "again", top.battle.rules).state
    assert isinstance(state, Battlefield)
    ann, bob, cat = (state.figures[name] for name in ("ann", "bob", "cat"))
    assert (ann.who.name, ann.who.battles, ann.who.record, ann.who.shield) == ("Ann Wade", 1, "+", "shield")
    assert [(arm.name, arm.melee) for arm in ann.arms] == [
        ("falchion", "one_handed_weapon"),
        ("long_bow", "small_improvised"),
    ]
    assert (bob.mount, bob.wounds, bob.torch) == ("wolf", 0, True)
    assert (cat.who.leader, cat.who.status) == ("bob", "veteran")


AGAIN = """
title = "Again"
rule_set = "dresda"
[seats]
red = "Red"
blue = "Blue"
[field]
width = 100
depth = 100
[sides.red]
roster = "veterans.toml"
[sides.blue]
roster = "veterans.toml"
[figures.dan]
side = "red"
from_roster = "ann"
place = [10, 10]
[figures.eve]
side = "red"
from_roster = "bob"
place = [20, 10]
[figures.foe]
side = "blue"
from_roster = "cat"
place = [80, 90]
"""


def again(tmp_path: Path, text: str = AGAIN) -> Battlefield:
    """The next battle of ann, whom bob followed, and of cat, whose leader is not there any more."""
    veteran = 'race = "human"\nweapons = ["sword"]\n'
    (tmp_path / "veterans.toml").write_text(
        f'rule_set = "dresda"\n[figures.ann]\n{veteran}[figures.bob]\nleader = "ann"\n{veteran}'
        f'[figures.cat]\nleader = "sue"\n{veteran}'
    )
    (tmp_path / "next.toml").write_text(text)
    log = MemoryLog()
    open_battle(log, "again", read_scenario(tmp_path / "next.toml"))
    state = Table(log, "again", find_rules("dresda")).state
    assert isinstance(state, Battlefield)
    return state


def test_veterans_follow_their_leader_under_his_name_here_and_nobody_when_he_stayed_away(tmp_path: Path) -> None:
    state = again(tmp_path)
    assert [state.figures[name].who.leader for name in ("dan", "eve", "foe")] == ["", "dan", ""]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"bob"', '"ann"', ["figures.eve.from_roster: 'ann' is in this battle already, as 'dan'"]),
        ('"bob"', '"bobb"', ["figures.eve.from_roster: no figure of that roster 'bobb'; nearest: bob"]),
        (
            "[figures.foe]",
            '[figures.foe]\nleader = "sue"',
            ["figures.foe.leader: no figure 'sue'; there are dan, eve, foe"],
        ),
        ('[sides.blue]\nroster = "veterans', '[sides.blue]\nroster = "none', None),
    ],
)
def test_slips_about_veterans_are_told_once(tmp_path: Path, old: str, new: str, told: list[str] | None) -> None:
    assert old in AGAIN
    with pytest.raises(ScenarioInvalid) as refused:
        again(tmp_path, AGAIN.replace(old, new))
    assert told is None or list(refused.value.problems) == told
    assert len(refused.value.problems) == 1
