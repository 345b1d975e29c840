"""The story: a line for an action, shot or blow with its roll in it; in brief, what decided the battle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.opening import read_scenario
from events.facts import Event
from projections.battle_state import State
from projections.ice_and_fire.story import story
from projections.journal import caption
from tests.ice_and_fire.table_top import SCENARIOS
from tests.ice_and_fire.test_properties import Fought


@pytest.fixture(scope="module")
def field() -> Fought:
    return Fought(read_scenario(SCENARIOS / "if_field.toml"), 1)


def frames(battle: Fought) -> Iterator[tuple[Event, State, str]]:
    for before, event, _ in battle.steps:
        yield event, before, caption(battle.fold, event, before)


def test_a_field_battle_in_brief_is_a_page(field: Fought) -> None:
    told = list(story(frames(field), True))
    assert 20 < len(told) < 110
    assert any("is routed" in line for line in told)
    assert any("loses" in line for line in told)
    assert told[-1] == caption(field.fold, field.steps[-1][1], field.steps[-1][0])


def test_a_blow_is_told_in_one_line_with_its_roll_and_what_came_of_it(field: Fought) -> None:
    told = list(story(frames(field)))
    blow = r"strikes .* with .*: \d degrees?, .* damage \(\d+ against \d+\)"
    struck = [line for line in told if " strikes " in line]
    assert struck
    assert all(re.search(blow, line) for line in struck)
    assert any(re.search(r"in all; .* is (disorganized|routed|destroyed|annihilated)", line) for line in struck)


def test_no_action_is_told_twice_and_no_inner_word_is_shown(field: Fought) -> None:
    told = [line for line in story(frames(field)) if " lapses: " not in line]
    assert not [line for line in told if re.search(r"combat rounds? on|\(lesser action\)|takes aim|_|=>", line)]
    assert not [one for one, other in pairwise(told) if one == other]


def test_initiative_is_one_line_with_both_totals(field: Fought) -> None:
    told = [line for line in story(frames(field)) if "orders go first to" in line]
    assert len(told) == field.state.table.turn
    assert all(len(re.findall(r"\(\d+\)", line)) <= 2 for line in told)
    assert len(re.findall(r"\(\d+\)", told[0])) == 2
