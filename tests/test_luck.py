"""Luck: result against expectation, exactly, in words that neither accuse nor soothe."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.dice.notation import parse
from events.facts import Chance
from projections.dice.ledger import Entry
from projections.dice.luck import (
    Check,
    Luck,
    Streak,
    Sums,
    checks_of,
    luck_of,
    report_luck,
    streak_of,
    sums_of,
    verdict,
)
from projections.dice.luck_text import in_so_many, looks_sentence, luck_sentence, range_sentence, streak_sentence
from projections.dice.many_rolls import many_equal, run_at_least, successes, total_of
from projections.dice.odds import Distribution, binomial, distribution, longest_run, poisson_binomial, significant
from projections.dice.report import audit, luck_lines
from projections.dice.table_results import Result, result_of, results_of
from tests.dice_table import roll


def checks(*odds: tuple[int, int], hits: int = 0) -> list[Check]:
    return [Check(roll("d6", 1), each, place < hits, "roll under") for place, each in enumerate(odds)]


# L29


def test_l29_impossible_dice_are_told_as_rare_as_they_are() -> None:
    luck = luck_of("red", checks(*[(4, 6)] * 5, *[(3, 6)] * 14, hits=5))
    assert luck.expected == Fraction(31, 3)
    assert significant(luck.expected, 6) == "10.3333"
    assert significant(luck.at_most, 6) == "0.0117285"
    told = luck_sentence(luck, met="hits")
    assert "10.33 hits expected, 5 came; 5 hits or fewer had a 1.17 % chance, about 1 battle in 85" in told
    assert in_so_many(luck.at_most) == "of 85 battles of that size, expect one such"


def test_l29_nobody_is_called_a_cheat_and_nobody_is_cleared() -> None:
    bad = [roll("d6", 5, test="at_most", target=4) for _ in range(5)]
    worse = [roll("d6", 5, test="at_most", target=3) for _ in range(14)]
    told = "\n".join(luck_lines(audit("b", bad + worse)))
    for word in ("rigged", "fine", "cheat", "fair"):
        assert word not in told
    assert "very unusual" in told


# L30


@pytest.mark.parametrize(
    ("notation", "low", "high", "chance"),
    [
        ("40d6", 120, 140, "0.4897"),
        ("40d6", 113, 165, "0.9859"),
        ("6d6", 17, 27, "0.7946"),
        ("6d6", 36, 36, "2.143e-5"),
    ],
)
def test_l30_what_range_is_normal_is_worked_out_exactly(notation: str, low: int, high: int, chance: str) -> None:
    assert significant(distribution(parse(notation)).chance_between(low, high), 4) == chance


def test_l30_a_usual_range_is_called_ordinary() -> None:
    assert range_sentence("40d6", 113, 165).endswith("ordinary")
    assert "48.97 %" in range_sentence("40d6", 120, 140)
    hour = [roll("40d6", *([3, 4] * 20)) for _ in range(10)]
    assert "ordinary" in "\n".join(luck_lines(audit("b", hour)))


# L32


@pytest.mark.parametrize(
    ("attacks", "run", "chance"), [(40, 5, "0.468"), (60, 6, "0.369"), (20, 4, "0.478")]
)  # fmt: skip
def test_l32_a_streak_is_as_likely_as_it_is(attacks: int, run: int, chance: str) -> None:
    assert significant(run_at_least([(1, 2)] * attacks, run), 3) == chance
    misses = [Check(roll("d6", 1), (1, 2), place >= run, "roll over") for place in range(attacks)]
    streak = streak_of("red", "failures", misses)
    assert (streak.length, streak.checks) == (run, attacks)
    assert significant(streak.rarity, 3) == chance
    assert verdict(streak.rarity) == "ordinary"
    assert f"longest run {run} failures in {attacks} checks" in streak_sentence(streak)


def test_l32_sides_are_compared_by_result_less_expectation() -> None:
    rolls = [roll("d6", face, test="at_least", target=4, seat=seat) for seat, face in [("ai", 6), ("ai", 5), ("me", 1)]]
    ai, me = report_luck(rolls).seats
    assert (ai.about, ai.over, me.about, me.over) == ("ai", Fraction(1), "me", Fraction(-1, 2))


@given(st.lists(st.tuples(st.integers(0, 6), st.just(6)), min_size=1, max_size=9), st.integers(1, 4))
def test_l32_a_streak_of_unequal_checks_is_what_counting_all_cases_gives(odds: list[tuple[int, int]], run: int) -> None:
    exact = Fraction(0)
    for case in itertools.product((True, False), repeat=len(odds)):
        chance = Fraction(1)
        for hit, (of, out_of) in zip(case, odds, strict=True):
            chance *= Fraction(of if hit else out_of - of, out_of)
        if "1" * run in "".join("1" if hit else "0" for hit in case):
            exact += chance
    assert abs(run_at_least(odds, run) - exact) < Fraction(1, 2**120)


def test_l32_a_streak_of_equal_checks_is_what_the_exact_count_gives() -> None:
    for trials, run in [(40, 5), (200, 9), (3, 4), (7, 1)]:
        exact = longest_run(Fraction(2, 7), trials, at_least=run)
        assert abs(run_at_least([(2, 7)] * trials, run) - exact) < Fraction(1, 2**120)


# L34


def test_l34_lucky_is_not_rolled_high() -> None:
    faces = (12, 55, 3, 91, 40)
    under = luck_of("u", checks_of(roll("d100", face, test="at_most", target=40) for face in faces))
    over = luck_of("o", checks_of(roll("d100", face, test="above", target=40) for face in faces))
    assert (under.successes, under.over) == (3, Fraction(1))
    assert (over.successes, over.over) == (2, Fraction(-1))
    assert "(roll under)" in luck_sentence(under)
    assert "(roll over)" in luck_sentence(over)


def test_l34_where_success_is_bad_the_sign_turns() -> None:
    rolls = [roll("d100", 12, test="at_most", target=40, kind="panic")]
    assert luck_of("r", checks_of(rolls)).over == Fraction(3, 5)
    assert luck_of("r", checks_of(rolls, bearing={"panic": "bad"})).over == Fraction(-3, 5)


def test_l34_where_success_is_good_for_nobody_the_check_is_left_out() -> None:
    mount = roll("d100", 12, test="at_most", target=40, kind="missile/mount")
    rolls = [mount, roll("d6", 4, test="at_least", target=4)]
    assert [check.entry for check in checks_of(rolls, bearing={"mount": "neither"})] == rolls[1:]
    told = "\n".join(luck_lines(audit("b", rolls, bearing={"mount": "neither", "panic": "bad"})))
    assert "for the seat that threw, as bad luck in panic; left out, being neither: mount" in told


def test_l34_opposed_rolls_are_won_by_the_higher_total() -> None:
    mine = roll("d10", 7, key="a", against="b", added=2, total=9)
    theirs = roll("d10", 8, key="b", against="a", seat="bob")
    won, lost = checks_of([mine, theirs])
    assert (won.success, won.direction, won.odds) == (True, "opposed", (16, 25))
    assert (lost.success, lost.odds) == (False, (7, 25))  # the remaining 8 in 100 are equal, and win for nobody


def test_l34_pools_are_judged_by_what_they_keep() -> None:
    (check,) = checks_of([roll("4D+2B", 1, 2, 3, 4, 5, 6, test="at_least", target=15)])
    assert check.odds == (37919, 46656)
    assert check.success


# L35


def test_l35_luck_is_weighted_by_what_was_at_stake() -> None:
    pawns = [roll("d6", 6, test="at_least", target=4, key=f"t1/hit/ann>pawn{number}") for number in range(3)]
    general = roll("d6", 1, test="at_least", target=4, key="t1/hit/ann>general")
    (luck,) = report_luck([*pawns, general], stakes={"general": 10}).seats
    assert luck.over == Fraction(1)
    assert luck.staked == Fraction(3, 2) - 5
    assert luck.weighted
    told = "\n".join(luck_lines(audit("b", [*pawns, general], stakes={"general": 10})))
    assert "+1.00; weighted by what was at stake -3.50" in told


# L44


def test_l44_exact_odds_and_simulation_agree() -> None:
    random = Random(44)
    for battle in range(50):
        odds = [Fraction(random.randint(1, 5), 6) for _ in range(random.randint(3, 12))]
        exact = poisson_binomial(odds)
        runs = 400
        hits = [sum(random.random() < float(chance) for chance in odds) for _ in range(runs)]
        error = (float(exact.variance()) / runs) ** 0.5
        assert abs(sum(hits) / runs - float(exact.mean())) <= 4 * error, battle


# Many looks


def test_the_number_of_looks_is_said_and_corrected_for() -> None:
    rolls = [
        roll("d6", 6, test="at_least", target=6, seat=seat, piece=piece, kind=kind)
        for seat, piece, kind in [("a", "p", "x"), ("a", "q", "y"), ("b", "r", "x")]
    ]
    report = report_luck(rolls)
    # 2 seats, 3 seats with kinds, 3 pieces, 4 streaks
    assert report.looks == 12
    assert report.corrected(Fraction(1, 100)) == Fraction(12, 100)
    assert looks_sentence(12) == "12 things were looked at, so a chance of 1 in 240 is what counts as unusual here"
    assert looks_sentence(12) in "\n".join(luck_lines(audit("b", rolls)))


def test_one_in_a_hundred_is_ordinary_among_a_hundred_looks() -> None:
    assert verdict(Fraction(1, 100)) == "unusual"
    assert verdict(100 * Fraction(1, 100)) == "ordinary"
    assert verdict(Fraction(1, 2000)) == "very unusual"


def test_fair_battles_are_seldom_called_unusual() -> None:
    random = Random(7)
    unusual = 0
    for _ in range(200):
        rolls = [
            roll("d6", random.randint(1, 6), test="at_least", target=random.randint(2, 6), seat=seat, piece=seat)
            for seat in ("red", "blue")
            for _ in range(15)
        ]
        report = report_luck(rolls)
        looked: list[Luck | Sums | Streak] = [
            *report.seats,
            *report.kinds,
            *report.pieces,
            *report.sums,
            *report.streaks,
        ]
        assert len(looked) == report.looks
        unusual += any(verdict(report.corrected(each.rarity)) != "ordinary" for each in looked)
    assert unusual <= 10


# Rolls that are read in a table


def test_totals_that_are_read_are_compared_with_expectation() -> None:
    chances = (Chance("arm", 30, 100), Chance("leg", 70, 100))
    rolls = [roll("d100", face, chances=chances) for face in (99, 98, 97)]
    sums = sums_of("red", rolls)
    assert (sums.total, sums.expected) == (294, Fraction(303, 2))
    assert sums.at_least == distribution(parse("3d100")).chance_at_least(294)
    assert sums.results == (Result("arm", 0, Fraction(9, 10)), Result("leg", 3, Fraction(21, 10)))
    assert sums.exact


def test_results_are_counted_beside_what_was_to_be_expected() -> None:
    chances = (Chance("routs", 2, 6), Chance("stands", 4, 6))
    rolls = [roll("d6", face, chances=chances, kind="morale") for face in (1, 2, 2, 5)]
    told = "\n".join(luck_lines(audit("b", rolls)))
    assert "results, in brackets what was to be expected: routs 3 (1.33), stands 1 (2.67)" in told


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (roll("d6", 2, chances=(Chance("low", 2, 6), Chance("high", 4, 6))), "low"),
        (roll("d6", 3, chances=(Chance("low", 2, 6), Chance("high", 4, 6))), "high"),
        (roll("d6", 2, added=1, total=3, chances=(Chance("low", 2, 6), Chance("high", 4, 6))), "low"),
        (roll("2d6", 1, 1, chances=(Chance("two", 1, 36), Chance("more", 35, 36))), "two"),
        (roll("d6", 2, chances=(Chance("low", 2, 6), Chance("high", 3, 6))), ""),  # not all of it
        (roll("2d6", 1, 1, chances=(Chance("two", 1, 6), Chance("more", 5, 6))), "two"),
        (roll("2d6", 1, 1, chances=(Chance("two", 1, 7), Chance("more", 6, 7))), ""),  # no total parts it so
        (roll("d6", 2, chances=(Chance("low", 1, 1),), against="other"), ""),
        (roll("d6", 2), ""),
    ],
)
def test_a_row_is_told_where_the_chances_part_the_totals_and_never_guessed(entry: Entry, told: str) -> None:
    assert result_of(entry) == told


def test_rolls_that_are_their_own_result_have_no_results_to_count() -> None:
    chances = tuple(Chance(str(face), 1, 6) for face in range(1, 7))
    assert results_of([roll("d6", 3, chances=chances)]) == ()


def test_more_totals_than_can_be_worked_out_are_told_by_the_normal_curve_and_it_says_so() -> None:
    sums = sums_of("red", [roll("d100", 1 + number % 100) for number in range(1000)])
    assert not sums.exact
    assert abs(sums.at_most - Fraction(1, 2)) < Fraction(1, 100)


def test_only_what_is_known_counts() -> None:
    doubtful = roll("d6", 6, test="at_least", target=4, certainty="ambiguous")
    assert report_luck([doubtful]).looks == 0
    assert list(luck_lines(audit("b", []))) == ["no checks yet: there is nothing to be lucky with"]


# Very many rolls


@given(st.dictionaries(st.fractions(0, 1, max_denominator=100), st.integers(1, 120), min_size=1, max_size=4))
def test_very_many_checks_give_the_exact_odds_to_dozens_of_digits(counted: dict[Fraction, int]) -> None:
    exact = poisson_binomial(chance for chance, times in counted.items() for _ in range(times))
    near = successes(counted)
    for number in range(0, exact.high + 1, 7):
        assert abs(near.chance_at_most(number) - exact.chance_at_most(number)) < Fraction(1, 10**30)


def test_a_hundred_thousand_checks_agree_with_the_binomial_far_out() -> None:
    near, exact = many_equal(2000, Fraction(1, 3)), binomial(2000, Fraction(1, 3))
    for number in (500, 600, 666, 700, 800):
        ratio = near.chance_at_least(number) / exact.chance_at_least(number)
        assert abs(ratio - 1) < Fraction(1, 10**20)


def test_the_total_of_many_rolls_is_exact_while_it_can_be() -> None:
    dice = distribution(parse("2d6"))
    total = total_of({dice: 30})
    assert total is not None
    exact = distribution(parse("60d6"))
    assert abs(total.chance_at_least(230) - exact.chance_at_least(230)) < Fraction(1, 10**40)
    assert total_of({distribution(parse("d100")): 1000}) is None
    assert total_of({}) == Distribution(0, (1,))


def test_nothing_is_told_as_impossible() -> None:
    rolls: list[Entry] = [roll("d6", 6, test="at_least", target=6) for _ in range(500)]
    (luck,) = report_luck(rolls).seats
    assert 0 < luck.at_least < Fraction(1, 2**100)
