"""Exact odds: held against enumeration, another program, and figures worked out elsewhere."""

from __future__ import annotations

import doctest
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import projections.dice.odds
from events.dice.notation import Target, parse
from projections.dice.odds import (
    Distribution,
    about_one_in,
    binomial,
    chance_to_meet,
    difference,
    distribution,
    longest_run,
    percent,
    poisson_binomial,
    significant,
    sum_of,
)

HALF = Fraction(1, 2)


def odds(text: str) -> Distribution:
    return distribution(parse(text))


def counted(one: Distribution) -> dict[int, int]:
    return {one.low + place: weight for place, weight in enumerate(one.weights) if weight}


def test_the_examples_in_the_text_hold() -> None:
    tried = doctest.testmod(projections.dice.odds)
    assert tried.attempted
    assert not tried.failed


# Against enumeration and another program


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "0d6",
        "0d6+3",
        "1d1",
        "2d6+3",
        "5-2d6",
        "1d6-1d4-2",
        "d00",
        "2d00k1",
        "d66",
        "40-d66+1d3",
        "4d6k3",
        "4d6kl1",
        "10-4d4k2+1d3",
        "5d4kl3",
        "5d3k4",
        "3D+2B",
        "3D+1B-1P",
        "2D+1B-1P+1d4",
        "2D-2P",
        "1D-3P+2",
        "0D+2B",
    ],
)
def test_odds_are_those_of_counting_every_throw(text: str) -> None:
    dice = parse(text)
    throws = itertools.product(*(range(low, high + 1) for low, high in dice.faces()))
    assert counted(distribution(dice)) == Counter(dice.total(faces) for faces in throws)


@given(
    parts=st.lists(
        st.tuples(st.integers(0, 4), st.integers(1, 6), st.integers(1, 4), st.sampled_from("+-"), st.booleans())
    ),
    number=st.integers(-5, 5),
)
@settings(max_examples=60, deadline=None)
def test_odds_of_any_small_dice_are_those_of_counting(
    parts: list[tuple[int, int, int, str, bool]], number: int
) -> None:
    text = str(number)
    for count, sides, keep, sign, lowest in parts:
        text += f"{sign}{count}d{sides}" + (f"k{'l' if lowest else 'h'}{keep}" if keep <= count else "")
    assume(math.prod(sides**count for count, sides, *_ in parts) <= 5000)
    assume(len(parts) < 20)
    dice = parse(text)
    throws = itertools.product(*(range(low, high + 1) for low, high in dice.faces()))
    assert counted(distribution(dice)) == Counter(dice.total(faces) for faces in throws)


def highest(count: int, sides: int, keep: int) -> Any:
    return icepool.d(sides).highest(count, keep)


ORACLE: dict[str, Callable[[], Any]] = {
    "3d6": lambda: 3 @ icepool.d(6),
    "40d6": lambda: 40 @ icepool.d(6),
    "100d10": lambda: 100 @ icepool.d(10),
    "2d20+3d8-4d4+7": lambda: 2 @ icepool.d(20) + 3 @ icepool.d(8) - 4 @ icepool.d(4) + 7,
    "d%-d00": lambda: icepool.d(100) - icepool.z(100),
    "5d00": lambda: 5 @ icepool.z(100),
    "d66": lambda: 10 * icepool.d(6) + icepool.d(6),
    "30-d66+2d10": lambda: 30 - (10 * icepool.d(6) + icepool.d(6)) + 2 @ icepool.d(10),
    "12d6k8": lambda: highest(12, 6, 8),
    "9d20kl4": lambda: icepool.d(20).lowest(9, 4),
    "2d20k1+2d20kl1": lambda: highest(2, 20, 1) + icepool.d(20).lowest(2, 1),
    "50-7d12k5": lambda: 50 - highest(7, 12, 5),
    "20d10k19": lambda: highest(20, 10, 19),
    "4D+2B-1P+3": lambda: highest(6, 6, 3) + 3,
    "7D+5B": lambda: highest(12, 6, 7),
    "12d6k8+3d6+d66-2": lambda: highest(12, 6, 8) + 3 @ icepool.d(6) + 10 * icepool.d(6) + icepool.d(6) - 2,
}


@pytest.mark.parametrize("text", ORACLE)
def test_another_program_gives_the_same_odds(text: str) -> None:
    other = ORACLE[text]()
    own = odds(text)
    assert own.low == other.min_outcome()
    assert own.high == other.max_outcome()
    for outcome, chance in zip(other.outcomes(), other.probabilities(), strict=True):
        assert own.chance_exactly(outcome) == chance
    assert own.mean() == other.mean()
    assert own.variance() == other.variance()


def test_every_small_keep_agrees_with_another_program() -> None:
    for sides, count in itertools.product((2, 3, 6, 10), range(1, 7)):
        for keep in range(1, count + 1):
            other = icepool.d(sides).highest(count, keep)
            expected = dict(zip(other.outcomes(), other.probabilities(), strict=True))
            own = odds(f"{count}d{sides}k{keep}")
            assert {result: Fraction(weight, own.cases) for result, weight in counted(own).items()} == expected


@pytest.mark.parametrize("text", ["2d6+3", "12d6k8", "4D+2B-1P-1", "d66-d00", "0d6", "2D-2P"])
def test_cases_are_the_product_of_the_sides(text: str) -> None:
    dice = parse(text)
    assert distribution(dice).cases == math.prod(high - low + 1 for low, high in dice.faces())


# What a distribution tells


@given(number=st.integers(-5, 30))
def test_the_chances_about_a_number_fit_together(number: int) -> None:
    roll = odds("4d6k3+2")
    assert roll.chance_below(number) + roll.chance_exactly(number) + roll.chance_above(number) == 1
    assert roll.chance_at_most(number) + roll.chance_above(number) == 1
    assert roll.chance_at_least(number) + roll.chance_below(number) == 1
    assert roll.chance_between(number, number) == roll.chance_exactly(number)
    assert roll.chance_between(number, 8) == sum((roll.chance_exactly(n) for n in range(number, 9)), Fraction(0))
    for sign, chance in {
        "at_most": roll.chance_at_most,
        "below": roll.chance_below,
        "at_least": roll.chance_at_least,
        "above": roll.chance_above,
    }.items():
        assert roll.chance_of(Target(sign, number)) == chance(number)  # type: ignore[arg-type]


def test_odds_33_hit_34_times_in_a_hundred_from_zero_and_33_times_from_one() -> None:
    at_most_33 = Target("at_most", 33)
    assert chance_to_meet(parse("d00"), at_most_33) == Fraction(34, 100)
    assert chance_to_meet(parse("d%"), at_most_33) == Fraction(33, 100)


def test_a_pool_check_has_the_published_chance() -> None:
    assert odds("4D+2B").chance_at_least(15) == Fraction(37919, 46656)


@given(share=st.fractions(0, 1))
def test_a_quantile_is_the_least_result_that_reaches_its_share(share: Fraction) -> None:
    roll = odds("3d6+d66")
    number = roll.quantile(share)
    assert roll.chance_at_most(number) >= share
    assert roll.chance_exactly(number) > 0
    assert number == roll.low or roll.chance_below(number) < share or share == 0


def test_quantiles_come_together() -> None:
    quarters = [Fraction(0), Fraction(1, 4), HALF, Fraction(3, 4), Fraction(1)]
    assert odds("2d6").quantiles(quarters) == (2, 5, 7, 9, 12)
    assert binomial(2, Fraction(1)).quantiles(quarters) == (2, 2, 2, 2, 2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        odds("2d6").quantile(Fraction(3, 2))


def test_an_opposed_roll_is_won_lost_or_tied() -> None:
    margin = difference(odds("1d10+2"), odds("1d10"))
    assert margin.chance_exactly(0) == Fraction(8, 100)
    assert margin.chance_above(0) == Fraction(64, 100)
    assert margin.chance_below(0) == Fraction(28, 100)


# Published figures


def test_a_hopeless_battle_in_plain_words() -> None:
    hits = poisson_binomial([Fraction(4, 6)] * 5 + [Fraction(3, 6)] * 14)
    assert significant(hits.mean(), 6) == "10.3333"
    assert significant(hits.chance_at_most(5), 6) == "0.0117285"
    assert percent(hits.chance_at_most(5)) == "1.17%"
    assert about_one_in(hits.chance_at_most(5)) == "about 1 in 85"
    assert round(85 * hits.chance_at_most(5)) == 1


def test_the_usual_range_of_many_dice() -> None:
    assert significant(odds("40d6").chance_between(120, 140), 5) == "0.48969"
    assert significant(odds("40d6").chance_between(113, 165), 5) == "0.98586"
    assert significant(odds("6d6").chance_between(17, 27), 5) == "0.79460"
    assert significant(odds("6d6").chance_exactly(36)) == "2.143e-5"


@pytest.mark.parametrize(("run", "trials", "shown"), [(5, 40, "0.468"), (6, 60, "0.369"), (4, 20, "0.478")])
def test_streaks_are_more_usual_than_they_seem(run: int, trials: int, shown: str) -> None:
    assert significant(longest_run(HALF, trials, at_least=run), 3) == shown


def test_chances_are_rounded_only_when_shown() -> None:
    tenth = Fraction(1, 10)
    assert poisson_binomial([tenth] * 10).mean() == 1
    assert sum([tenth] * 10, Fraction(0)) <= 1
    assert percent(Fraction(1, 3) * 3) == "100.00%"


# Many checks


@given(chances=st.lists(st.fractions(0, 1, max_denominator=12), max_size=7))
@settings(max_examples=60, deadline=None)
def test_successes_are_those_of_counting_every_outcome(chances: list[Fraction]) -> None:
    expected: Counter[int] = Counter()
    for outcome in itertools.product((0, 1), repeat=len(chances)):
        sides = zip(chances, outcome, strict=True)
        expected[sum(outcome)] += math.prod((p if hit else 1 - p for p, hit in sides), start=Fraction(1))  # type: ignore[assignment]
    own = poisson_binomial(chances)
    assert len(own.weights) == len(chances) + 1
    assert all(own.chance_exactly(hits) == chance for hits, chance in expected.items())


@given(chance=st.fractions(0, 1, max_denominator=20), trials=st.integers(0, 12))
def test_equal_checks_follow_the_binomial_formula(chance: Fraction, trials: int) -> None:
    own = binomial(trials, chance)
    for hits in range(trials + 1):
        assert own.chance_exactly(hits) == math.comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits)
    assert own.mean() == trials * chance
    assert own.variance() == trials * chance * (1 - chance)


@given(chance=st.fractions(0, 1, max_denominator=5), trials=st.integers(0, 9), run=st.integers(1, 10))
@settings(max_examples=80, deadline=None)
def test_runs_are_those_of_counting_every_sequence(chance: Fraction, trials: int, run: int) -> None:
    expected = Fraction(0)
    for sequence in itertools.product("hm", repeat=trials):
        if "h" * run in "".join(sequence):
            hits = sequence.count("h")
            expected += chance**hits * (1 - chance) ** (trials - hits)
    assert longest_run(chance, trials, at_least=run) == expected


@pytest.mark.parametrize("chance", [Fraction(-1, 10), Fraction(11, 10)])
def test_a_chance_outside_0_to_1_is_refused(chance: Fraction) -> None:
    for ask in (lambda: binomial(3, chance), lambda: poisson_binomial([chance]), lambda: longest_run(chance, 3, 1)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            ask()


def test_impossible_numbers_of_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="least is 0"):
        binomial(-1, HALF)
    with pytest.raises(ValueError, match="least is a run of 1"):
        longest_run(HALF, 5, at_least=0)


@given(one=st.lists(st.integers(0, 10**30), min_size=1), other=st.lists(st.integers(0, 10**9), min_size=1))
def test_sums_multiply_out_the_weights(one: list[int], other: list[int]) -> None:
    expected = [0] * (len(one) + len(other) - 1)
    for i, j in itertools.product(range(len(one)), range(len(other))):
        expected[i + j] += one[i] * other[j]
    assert sum_of(Distribution(-2, tuple(one)), Distribution(5, tuple(other))) == Distribution(3, tuple(expected))


# In words


@pytest.mark.parametrize(
    ("chance", "digits", "shown"),
    [
        (Fraction(0), 2, "0.00%"),
        (Fraction(1), 2, "100.00%"),
        (Fraction(1, 3), 2, "33.33%"),
        (Fraction(1, 3), 0, "33%"),
        (Fraction(125, 100_000), 2, "0.12%"),
        (Fraction(135, 100_000), 2, "0.14%"),
        (Fraction(5, 1000), 0, "<1%"),
        (Fraction(1, 100_000), 2, "<0.01%"),
        (Fraction(99_999, 100_000), 2, ">99.99%"),
        (Fraction(999, 1000), 0, ">99%"),
    ],
)
def test_percent_rounds_half_to_even_and_never_hides_a_chance(chance: Fraction, digits: int, shown: str) -> None:
    assert percent(chance, digits) == shown


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (Fraction(0), 4, "0"),
        (Fraction(1), 4, "1.000"),
        (Fraction(99_996, 100_000), 4, "1.000"),
        (Fraction(1, 1000), 4, "0.001000"),
        (Fraction(99_999, 10**8), 4, "0.001000"),
        (Fraction(1, 6**20), 2, "2.7e-16"),
        (Fraction(123_456), 3, "123000"),
        (Fraction(10) ** 5000, 3, "1.00e5000"),
        (1 / Fraction(10) ** 5000, 3, "1.00e-5000"),
    ],
)
def test_significant_digits(value: Fraction, digits: int, shown: str) -> None:
    assert significant(value, digits) == shown


@given(value=st.fractions(min_value=Fraction(1, 10**12), max_value=10**12), digits=st.integers(1, 8))
def test_significant_digits_are_near_the_value(value: Fraction, digits: int) -> None:
    shown = Fraction(significant(value, digits))
    assert abs(shown - value) * 2 <= value * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(0), "never"),
        (Fraction(1), "always"),
        (Fraction(1, 6), "1 in 6"),
        (Fraction(2, 3), "2 in 3"),
        (Fraction(3, 10), "3 in 10"),
        (Fraction(37, 100), "about 4 in 10"),
        (Fraction(2, 25), "about 1 in 12"),
        (Fraction(19, 20), "all but 1 in 20"),
        (Fraction(983, 1000), "all but about 1 in 59"),
        (Fraction(1, 46656), "1 in 46,656"),
        (Fraction(2, 93313), "about 1 in 46,700"),
        (Fraction(3, 6**20 + 1), "about 1 in 1.22e15"),
    ],
)
def test_a_chance_as_people_say_it(chance: Fraction, shown: str) -> None:
    assert about_one_in(chance) == shown


# Time


def test_large_dice_take_a_blink() -> None:
    for text, limit in (("100d10", 0.15), ("12d6k8", 0.05), ("200d50", 1.0), ("200d10k199", 1.0)):
        distribution.cache_clear()
        began = time.process_time()
        odds(text)
        assert time.process_time() - began < limit


def test_a_check_that_was_asked_before_is_at_hand() -> None:
    dice, target = parse("1d100"), Target("at_most", 45)
    chance_to_meet(dice, target)
    began = time.process_time()
    for _ in range(1000):
        chance_to_meet(dice, target)
    assert time.process_time() - began < 0.05
