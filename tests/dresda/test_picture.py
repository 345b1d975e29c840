"""The field and the facts in words."""

from __future__ import annotations

import pytest

from engine.opening import read_scenario
from engine.rules.dresda import rules
from events import dresda as facts
from events.store.memory import MemoryLog
from projections.dresda import fold
from projections.dresda.captions import cm
from projections.dresda.state import Battlefield
from projections.journal import caption
from replays.seek import steps
from tests.dresda.autoplayed import played
from tests.dresda.table_top import TableTop, box, fig
from tests.dresda.test_scenarios import SHIPPED
from tests.table import Table, open_battle


@pytest.mark.parametrize("name", ["dresda_skirmish", "dresda_ford", "dresda_examples"])
def test_no_line_is_wider_than_80_columns(name: str) -> None:
    log = MemoryLog()
    open_battle(log, "b", read_scenario(SHIPPED / f"{name}.toml"))
    battle = Table(log, "b", rules())
    lines = battle.fold.picture(battle.state).splitlines()
    assert max(map(len, lines)) <= 80
    assert isinstance(battle.state, Battlefield)
    for figure in battle.state.figures.values():
        assert any(figure.who.name[:24].strip() in line for line in lines)


def test_the_picture_says_all_without_colour() -> None:
    figures = {
        "ann": fig("red", "human", 50, 50, weapons=["sword"], shield="shield", wounds=1, torch=True),
        "bob": fig("blue", "goblin", 50, 52, weapons=["short_bow"], mount="wolf", facing=180),
    }
    top = TableTop(figures, areas=[box("marsh", "marsh", 10, 10, 40, 40)], field={"light": "night"})
    top.until("missile")
    shown = top.battle.fold.picture(top.state)
    assert "\x1b" not in shown
    for part in (
        "night",
        "CAPITALS: Red",
        '" marsh',
        "1/3",
        "sword",
        "bears a torch",
        "fights bob",
        "on a wolf",
        "50,52",
    ):
        assert part in shown


def test_the_dead_and_gone_are_told_but_not_drawn() -> None:
    top = TableTop(
        {"ann": fig("red", "human", 50, 50), "bob": fig("blue", "human", 50, 90), "cat": fig("blue", "orc", 9, 9)}
    )
    top.battle.state_fact("bob: wounded 9", "thunder")
    shown = top.battle.fold.picture(top.state)
    assert "  Bob" in shown
    assert "dead" in shown


def test_every_fact_has_its_caption_in_one_line() -> None:
    """A whole battle by drill is told without a line that breaks."""
    battle = played("dresda_ford", 1)
    for step in steps(battle.log, battle.fold, battle.line):
        assert "\n" not in caption(battle.fold, step.event, step.before)
    assert set(fold().captions) == set(facts.EVENTS)


@pytest.mark.parametrize(("mm", "text"), [(0, "0"), (125, "12.5"), (20, "2"), (-5, "-0.5")])
def test_millimetres_are_written_as_centimetres(mm: int, text: str) -> None:
    assert cm(mm) == text


def test_who_stays_is_not_said_to_turn_and_who_leaves_at_a_run_not_to_walk() -> None:
    top = TableTop({"ann": fig("red", "human", 50, 2, facing=90), "bob": fig("red", "human", 60, 60, facing=90),
                    "cat": fig("red", "human", 70, 70), "foe": fig("blue", "orc", 90, 90)})  # fmt: skip
    top.until("move")
    top.say("ann: run 50,0 off", "bob: hold", "cat: hold facing 180")
    top.next()
    battle = top.battle
    told = [caption(battle.fold, step.event, step.before) for step in steps(battle.log, battle.fold, battle.line)]
    assert "Ann goes off the south edge of the table" in told
    assert "Bob stays, facing 90°" in told
    assert "Cat turns to 180°" in told
