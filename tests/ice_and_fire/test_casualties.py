"""After the battle: the casualty table cell by cell, additions, training, strength, merging (IF-190 to IF-201)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.ice_and_fire import rules
from engine.rules.ice_and_fire.aftermath import (
    added_men,
    count,
    draw_off,
    finished,
    men_lost,
    merge,
    outcome_of,
    rank_by_strength,
    trained,
    withdraw_side,
)
from events.dice.notation import parse
from events.facts import Ordered
from events.ice_and_fire.units import CasualtiesCounted, UnitsMerged
from projections.dice.odds import distribution
from tests.ice_and_fire.table_top import Top, scenario, tables, unit

OUTCOMES = ("unscathed", "tested", "bloodied", "disorganized", "routed", "destroyed", "annihilated")
PRINTED = {
    "elite": ("1d6-5", "1d6-4", "1d6-3", "1d6-2", "1d6", "2d6", "4d6"),
    "veteran": ("1d6-4", "1d6-3", "1d6-2", "1d6", "1d6+2", "3d6", "6d6"),
    "seasoned": ("1d6-3", "1d6-2", "1d6", "1d6+2", "2d6", "4d6", "8d6"),
    "trained": ("1d6-2", "1d6", "1d6+2", "2d6", "4d6", "8d6", "16d6"),
    "green": ("1d6", "1d6+2", "2d6", "4d6", "8d6", "16d6", "32d6"),
    "raw": ("1d6+2", "3d6", "4d6", "8d6", "12d6", "24d6", "48d6"),
}
CELLS = [(rank, outcome, dice) for rank, row in PRINTED.items() for outcome, dice in zip(OUTCOMES, row, strict=True)]


def enumerated(dice: str) -> tuple[int, int, Fraction]:
    """Minimum, maximum and mean of NdS+K by plain counting, die by die."""
    number, _, rest = dice.partition("d")
    sign = "+" if "+" in rest else "-"
    sides, _, more = rest.partition(sign)
    flat = int(f"{sign}{more}") if more else 0
    sums = {0: 1}
    for _ in range(int(number)):
        grown: dict[int, int] = {}
        for (total, ways), face in product(sums.items(), range(1, int(sides) + 1)):
            grown[total + face] = grown.get(total + face, 0) + ways
        sums = grown
    cases = sum(sums.values())
    return min(sums) + flat, max(sums) + flat, Fraction(sum(t * w for t, w in sums.items()), cases) + flat


@pytest.mark.parametrize(("rank", "outcome", "dice"), CELLS)
def test_every_cell_of_the_casualty_table(rank: str, outcome: str, dice: str) -> None:
    """IF-191, AMB-46: minimum, maximum and mean by counting every case."""
    cell = tables().casualties[rank][outcome]
    spread = distribution(parse(cell))
    least, most, mean = enumerated(dice)
    assert (spread.low, spread.high, spread.mean()) == (least, most, mean)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, "unscathed"),
        ({"hurt": True}, "tested"),
        ({"hurt": True, "damage": 10}, "tested"),
        ({"times_disorganized": 1}, "bloodied"),
        ({"times_routed": 1, "hurt": True}, "bloodied"),
        ({"condition": "disorganized"}, "disorganized"),
        ({"condition": "routed"}, "routed"),
        ({"condition": "destroyed"}, "destroyed"),
        ({"condition": "annihilated"}, "annihilated"),
    ],
)
def test_how_the_battle_ended_for_a_unit(changes: dict[str, object], outcome: str) -> None:
    """IF-190, IF-170, AMB-28a: once disorganized and unhurt is bloodied."""
    top = Top()
    top.put("spears", **changes)
    assert outcome_of(top.state, top.unit("spears")) == outcome


@pytest.mark.parametrize(
    ("outcome", "disorganized", "routed", "added"),
    [
        ("bloodied", 1, 0, 0),
        ("bloodied", 3, 0, 2),
        ("bloodied", 2, 2, 1 + 4),
        ("disorganized", 2, 1, 1 + 2),
        ("routed", 3, 1, 0),
        ("routed", 0, 3, 4),
        ("tested", 2, 2, 0),
        ("destroyed", 2, 2, 0),
        ("annihilated", 2, 2, 0),
    ],
)
def test_what_is_added_for_times_disorganized_and_routed(
    outcome: str, disorganized: int, routed: int, added: int
) -> None:
    """IF-192, IF-193, AMB-28b."""
    top = Top()
    top.put("spears", times_disorganized=disorganized, times_routed=routed)
    assert added_men(tables(), top.unit("spears"), outcome) == added


def lost(
    rolled: int, added: int = 0, felled: int = 0, men: int = 100, *, mounted: bool = False, last: bool = False
) -> int:
    return men_lost(rolled, added, felled, men, mounted=mounted, felled_last=last, halve=2)


def test_the_order_of_reckoning() -> None:
    """IF-194, IF-195, IF-196, AMB-29: not below nothing, then those felled, then half, at most all."""
    assert lost(-4, 1, felled=3) == 3
    assert lost(7, mounted=True) == 4
    assert lost(6, felled=3, mounted=True) == 5
    assert lost(6, felled=3, mounted=True, last=True) == 6
    assert lost(50, men=12) == 12


def test_a_mounted_unit_twice_disorganized_and_once_routed() -> None:
    """Worked example: trained, ends disorganized: 2d6 + 1 + 2, halved up, capped at its men."""
    riders = unit("riders", "red", "freeriders", (100, 100), men=5)
    top = Top(scenario([riders, unit("b", "blue", "militia", (300, 300))]))
    top.put("riders", condition="disorganized", times_disorganized=2, times_routed=1, rank="trained")
    top.totals["casualties/riders"] = 6
    top.play(count(top.field))
    (made,) = [event for event in top.made(CasualtiesCounted) if event.unit == "riders"]
    assert (made.outcome, made.added, made.lost) == ("disorganized", 3, 5)


def test_the_hero_kills_option_counts_the_felled_after_halving() -> None:
    """AMB-29, option hero_kills."""
    riders = unit("riders", "red", "freeriders", (100, 100))
    top = Top(scenario([riders, unit("b", "blue", "militia", (300, 300))], options={"hero_kills": "after_halving"}))
    top.put("riders", felled=5)
    top.totals["casualties/riders"] = 4
    top.play(count(top.field))
    assert next(event.lost for event in top.made(CasualtiesCounted) if event.unit == "riders") == 2 + 5


def test_losses_are_for_good_and_survivors_learn() -> None:
    """IF-197, IF-198: 100 green men lose 10: (90 × 2 + 10 × 0) / 100 = 9/5, still green."""
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=1), unit("b", "blue", "militia", (300, 300))]))
    top.put("a", men=90, casualties=10)
    made = trained(tables(), top.unit("a"))
    assert (made.training, made.rank) == ((9, 5), "green")


@pytest.mark.parametrize(
    ("men", "full", "steps"),
    [(100, 100, 0), (81, 100, 0), (80, 100, 1), (51, 100, 1), (50, 100, 2), (41, 50, 0), (40, 50, 1), (25, 50, 2),
     (9, 10, 0), (8, 10, 1), (6, 10, 1), (5, 10, 2), (5, 5, 0), (4, 5, 1), (3, 5, 1), (2, 5, 2)],
)  # fmt: skip
def test_few_men_lower_the_rank(men: int, full: int, steps: int) -> None:
    """IF-199, AMB-01: 80 and 50 in a hundred, 40 and 25 riders, 8 and 5 in a squad, 4 and 2 mounted."""
    ranks = list(tables().ranks)
    assert rank_by_strength(tables(), (10, 1), men, full) == (ranks[ranks.index("veteran") - steps], False)


def test_below_raw_a_unit_begins_disorganized() -> None:
    """IF-200."""
    assert rank_by_strength(tables(), (1, 1), 50, 100) == ("raw", True)
    top = Top(scenario([unit("a", "red", "militia", (100, 100), training=0, men=70)]))
    assert (top.unit("a").rank, top.unit("a").condition) == ("raw", "disorganized")


def merged(top: Top, **winner: str) -> list[UnitsMerged]:
    top.apply(Ordered("red", "a", "merge", "a: merge c"))
    top.play(merge(top.field))
    return top.made(UnitsMerged)


@pytest.fixture
def weak() -> Top:
    units = [
        unit("a", "red", "militia", (100, 100), men=60, training=3, upgraded=True),
        unit("c", "red", "militia", (150, 100), men=30, training=6),
        unit("b", "blue", "militia", (300, 300)),
    ]
    return Top(scenario(units))


def test_units_of_one_type_merge_with_the_lower_equipment(weak: Top) -> None:
    """IF-201: the men of both share the places of one, so what their training comes to is added up."""
    (made,) = merged(weak)
    assert (made.men, made.training, made.upgraded) == (90, (9, 1), False)
    assert not weak.unit("c").on_field


def test_a_victor_may_be_allowed_the_better_equipment(weak: Top) -> None:
    """RUL-08: asked of the victor alone; else no."""
    weak.put("b", left="fled")
    assert finished(weak.state) == ("one side is gone from the field", "red")
    weak.answers["battle/kit"] = "yes"
    (made,) = merged(weak)
    assert made.upgraded
    assert weak.asked["battle/kit/a"].default == "no"


def test_only_the_same_type_can_join(weak: Top) -> None:
    assert weak.objections("a: merge b") == ["IF-201"]
    assert weak.objections("a: merge c") == []


def test_a_roster_carries_men_training_and_equipment_on(weak: Top) -> None:
    """IF-190 to IF-201: what the next battle begins with."""
    weak.play(count(weak.field))
    roster = rules().roster(weak.field)
    first = next(each for each in roster["unit"] if each["id"] == "a")
    assert first["men"] == weak.unit("a").men
    assert first["upgraded"]
    assert Fraction(first["training"]) == Fraction(*weak.unit("a").training)


@given(st.integers(-5, 300), st.integers(0, 9), st.integers(0, 40), st.integers(1, 100), st.booleans(), st.booleans())
def test_losses_are_never_below_nothing_nor_more_than_there_are(
    rolled: int, added: int, felled: int, men: int, mounted: bool, last: bool
) -> None:
    """IF-195."""
    assert 0 <= lost(rolled, added, felled, men, mounted=mounted, last=last) <= men


def test_an_army_in_disorder_takes_losses_one_step_worse() -> None:
    """IF-183, AMB-28: organized counts as disorganized, annihilated stays; IF-184: not who quit in good order."""
    units = [unit(name, "red", "militia", (100 + 40 * n, 100)) for n, name in enumerate("acdef")]
    top = Top(scenario([*units, unit("b", "blue", "militia", (300, 300))]))
    for name, condition in (("c", "disorganized"), ("d", "routed"), ("e", "annihilated")):
        top.put(name, condition=condition)
    top.put("f", left="quit", good_order=True)
    top.play(withdraw_side(top.field, "red"))
    top.play(draw_off(top.field))
    assert top.state.withdrawn == {"red": False}
    ended = {name: outcome_of(top.state, top.unit(name)) for name in "acdef"}
    assert ended == {"a": "disorganized", "c": "routed", "d": "destroyed", "e": "annihilated", "f": "unscathed"}
