"""What the referee answers about spells is read into facts: names, amounts, places (SG-03)."""

from __future__ import annotations

import pytest

from engine.rules.rhand.rulings import read_effects
from events.rhand import SpellTook
from tests.rhand.ring import Ring, pair


def read(answer: str, *targets: str) -> list[SpellTook] | None:
    return read_effects(answer, Ring(pair()).state, "ann", "sleep", targets)


def test_a_name_may_be_left_out_where_there_is_one_target() -> None:
    assert read("down", "bob") == [SpellTook("bob", "ann", "sleep", "down", 0, None, "SG-03")]


@pytest.mark.parametrize("targets", [(), ("ann", "bob")])
def test_a_name_may_not_be_left_out_where_there_is_no_one_target(targets: tuple[str, ...]) -> None:
    assert read("down", *targets) is None


def test_a_target_is_named_by_its_id_or_its_name_in_any_case() -> None:
    assert read("BOB distracted", "ann") == [SpellTook("bob", "ann", "sleep", "distracted", 0, None, "SG-03")]
    assert read("nobody down", "ann") is None


def test_several_effects_are_separated_by_semicolons() -> None:
    found = read("ann pd 3; ; bob nothing; bob down", "bob")
    assert found is not None
    assert [(each.fighter, each.effect, each.amount) for each in found] == [("ann", "pd", 3), ("bob", "down", 0)]


@pytest.mark.parametrize("answer", ["", "  ", "Nothing"])
def test_nothing_is_an_answer(answer: str) -> None:
    assert read(answer, "bob") == []


@pytest.mark.parametrize("answer", ["bob moved 0505", "bob moved 9999", "bob pd", "bob sleeps"])
def test_what_cannot_be_or_cannot_be_read_is_no_answer(answer: str) -> None:
    """Ann stands in 0505."""
    assert read(answer, "bob") is None


def test_somebody_may_stay_where_they_are() -> None:
    found = read("bob moved 0504", "bob")
    assert found is not None
    assert found[0].effect == "moved"
