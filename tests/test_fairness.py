"""Fairness of a source: what is loaded is found, what is fair is left in peace, and the number of tests is said."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fairness import LOADED, fair_campaign, loaded_campaign
from projections.dice.fairness import (
    FairTest,
    evenness,
    face_shares,
    fairness_sentence,
    furthest_face,
    is_even,
    longest_repeat,
    repeat_chance,
    report_fairness,
    rerolled,
    result_sentence,
    two_sided,
)
from projections.dice.ledger import Entry
from projections.dice.luck import verdict
from projections.dice.many_rolls import many_equal
from projections.dice.report import audit, fairness_lines
from replays.audit.dice_proof import faces_of
from replays.audit.proof import faces
from tests.dice_table import roll


def mail(seat: str, shown: Sequence[int], sides: int = 6) -> Entry:
    return roll(f"{len(shown)}d{sides}", *shown, seat=seat, source="imported")


def named(tests: Sequence[FairTest], method: str) -> FairTest:
    return next(test for test in tests if test.method == method)


# L31


def test_l31_the_number_of_tests_is_said() -> None:
    report = fair_campaign(Random(1), players=20, dice=60, sides=6)
    assert len(report.tests) == 20 * 4 + 1  # and one for repeats between the players
    assert fairness_sentence(report).startswith("81 tests were made")
    assert report.corrected(report.tests[0]) == min(81 * report.tests[0].rarity, Fraction(1))


def test_l31_fair_campaigns_are_flagged_in_at_most_five_in_a_hundred() -> None:
    random = Random(31)
    flagged = sum(bool(fair_campaign(random, players=20, dice=60, sides=6).flagged) for _ in range(100))
    assert flagged <= 5


def test_l31_a_loaded_die_is_found() -> None:
    random = Random(31)
    found = sum(any(test.source == "loader" for test in loaded_campaign(random, 0).flagged) for _ in range(60))
    assert found >= 57
    assert Fraction(LOADED.count(6), len(LOADED)) == Fraction(1, 3)


def test_l31_without_correction_two_in_three_campaigns_would_be_flagged() -> None:
    assert round(1 - 0.95**20, 3) == 0.642


# Chances that hold for few dice


@pytest.mark.parametrize(("dice", "sides"), [(2, 3), (6, 3), (5, 2)])
def test_every_chance_is_at_least_what_it_says_for_all_possible_throws(dice: int, sides: int) -> None:
    cases = list(itertools.product(range(sides), repeat=dice))
    counts = [[case.count(face) for face in range(sides)] for case in cases]
    for chances in (
        [furthest_face(each)[1] for each in counts],
        [two_sided(dice, Fraction(1, sides), each[0]) for each in counts],
    ):
        for level in {chance for chance in chances if chance <= 1}:
            share = Fraction(sum(chance <= level for chance in chances), len(cases))
            assert share <= level * (1 + Fraction(1, 10**30))


def test_evenness_is_no_smaller_than_it_says_for_all_possible_throws() -> None:
    dice, sides = 20, 3
    ways: dict[tuple[int, ...], int] = {}
    for first in range(dice + 1):
        for second in range(dice + 1 - first):
            counts = (first, second, dice - first - second)
            ways[counts] = _multinomial(counts)
    chances = {counts: evenness(counts) for counts in ways}
    assert sum(ways.values()) == sides**dice
    for level in set(chances.values()):
        share = Fraction(sum(times for counts, times in ways.items() if chances[counts] <= level), sides**dice)
        assert share <= level * (1 + Fraction(1, 10**9))


def _multinomial(counts: Sequence[int]) -> int:
    from math import factorial, prod

    return factorial(sum(counts)) // prod(map(factorial, counts))


def test_even_counts_are_as_likely_as_can_be_and_uneven_ones_are_not() -> None:
    assert evenness([10] * 6) == 1
    assert evenness([40, 40, 40, 40, 40, 100]) < Fraction(1, 10**7)
    assert evenness([3, 1]) == 1  # too few for any parting


def test_chances_are_those_that_another_library_gives() -> None:
    """The figures are scipy 1.17.1's: binom.sf(97, 300, 1/6), and combine_pvalues of the five partings by Fisher."""
    assert float(many_equal(300, Fraction(1, 6)).chance_at_least(98)) == pytest.approx(9.492304567828746e-12, rel=1e-12)
    assert float(evenness([40, 40, 40, 40, 40, 100])) == pytest.approx(1.2475866646027176e-08, rel=1e-11)


# Succession


def test_dice_that_follow_each_other_are_found() -> None:
    stepping = [1 + number % 6 for number in range(120)]
    report = report_fairness([mail("ann", stepping)])
    assert named(report.tests, "faces").rarity == 1
    assert report.verdict(named(report.tests, "succession")) == "very unusual"


def test_dice_that_stick_are_found() -> None:
    random = Random(5)
    sticky = [1]
    for _ in range(299):
        sticky.append(sticky[-1] if random.random() < 0.4 else random.randint(1, 6))
    report = report_fairness([mail("ann", sticky[start : start + 100]) for start in (0, 100, 200)])
    assert report.verdict(named(report.tests, "succession")) == "very unusual"


# L33


def test_l33_a_remainder_of_a_byte_is_not_even() -> None:
    shares = face_shares(lambda byte: byte % 6 + 1, range(256))
    assert shares == {1: 43, 2: 43, 3: 43, 4: 43, 5: 42, 6: 42}
    assert not is_even(shares)


def test_l33_throwing_the_rest_away_is_even() -> None:
    shares = face_shares(lambda byte: byte % 6 + 1 if byte < 252 else None, range(256))
    assert shares == dict.fromkeys(range(1, 7), 42)
    assert is_even(shares)


@pytest.mark.parametrize("read", [lambda number: number % 6, lambda number: number * 6 // 100])
def test_l33_six_faces_cannot_come_evenly_from_a_hundred_numbers(read: object) -> None:
    shares = face_shares(read, range(100))  # type: ignore[arg-type]
    assert sorted(shares.values()) == [16, 16, 17, 17, 17, 17]
    assert not is_even(shares)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100, 256])
def test_l33_our_own_reading_of_a_byte_is_even(sides: int) -> None:
    shares = face_shares(lambda byte: next(iter(faces_of(bytes([byte]), ((1, sides),))), None), range(256))
    assert is_even(shares)
    assert len(shares) == sides


@given(st.lists(st.sampled_from([6, 10, 20, 100, 1000]), min_size=1, max_size=30))
def test_the_two_readings_of_a_stream_agree(sides: list[int]) -> None:
    import hmac

    ranges = tuple((1, each) for each in sides)
    blocks = b"".join(hmac.digest(b"secret", b"text" + b"%d:%d," % (len(str(n)), n), "sha256") for n in range(40))
    assert faces_of(blocks, ranges) == faces(b"secret", b"text", ranges)


def test_l33_a_biased_generator_is_found_by_what_it_throws_too() -> None:
    random = Random(33)
    biased = [min(random.randint(1, 7), 6) for _ in range(400)]
    assert report_fairness([mail("ann", biased[start : start + 100]) for start in range(0, 400, 100)]).flagged


# L37


def test_l37_the_same_dice_twice_are_the_same_stream() -> None:
    random = Random(37)
    shown = [random.randint(1, 6) for _ in range(20)]
    report = report_fairness([mail("ann", shown), mail("ann", shown)])
    test = named(report.tests, "repeats")
    assert "same stream, chance 2.7e-16 (6^-20)" in result_sentence(report, test)
    assert "20 faces in a row come twice, from the 1. die and from the 21." in test.seen
    assert report.verdict(test) == "very unusual"


def test_l37_the_same_dice_for_two_people_are_found_too() -> None:
    random = Random(370)
    shown = [random.randint(1, 6) for _ in range(20)]
    report = report_fairness([mail("ann", shown), mail("bob", shown)])
    assert [(test.source, test.method) for test in report.flagged] == [("everybody together", "repeats")]


def test_l37_one_die_that_comes_again_is_nothing() -> None:
    report = report_fairness([mail("ann", [4]), mail("ann", [4])])
    assert not report.tests
    assert repeat_chance(2, 6, 1) == Fraction(1, 6)


def test_l37_a_stream_that_begins_anew_elsewhere_is_found() -> None:
    random = Random(38)
    shown = [random.randint(1, 6) for _ in range(60)]
    moved = [random.randint(1, 6) for _ in range(7)] + shown[11:41]
    report = report_fairness([mail("ann", shown), mail("ann", moved)])
    assert named(report.tests, "repeats") in report.flagged


@given(st.lists(st.integers(1, 3), max_size=40))
def test_the_longest_repeat_is_what_looking_at_all_pairs_finds(stream: list[int]) -> None:
    longest = 0
    for first in range(len(stream)):
        for second in range(first + 1, len(stream)):
            length = 0
            while second + length < len(stream) and stream[first + length] == stream[second + length]:
                length += 1
            longest = max(longest, length)
    length, first, second = longest_repeat(stream)
    assert length == longest
    assert stream[first : first + length] == stream[second : second + length]


# L38


def attack(face: int, standing: str, purpose: str = "Attack vs Orc") -> Entry:
    return roll("1d20", face, purpose=purpose, standing=standing, source="imported")


def test_l38_rolling_until_it_is_good_is_found() -> None:
    ledger = [attack(face, "surplus") for face in (4, 9, 2, 11)] + [attack(19, "in force")]
    (found,) = rerolled(ledger)
    assert found.told() == "Attack vs Orc: 4 earlier rolls with same label unused, best used"
    assert Fraction(1, 5) < found.chance < Fraction(1, 4)
    assert found.told() in "\n".join(fairness_lines(audit("b", ledger)))


def test_l38_different_labels_accuse_nobody() -> None:
    ledger = [attack(face, "surplus", f"Attack {face}") for face in (4, 9, 2, 11)] + [attack(19, "in force")]
    assert rerolled(ledger) == ()
    assert rerolled([attack(face, "surplus", "") for face in (4, 9)] + [attack(19, "in force", "")]) == ()


def test_l38_once_is_chance_and_every_time_is_not() -> None:
    once = [attack(4, "surplus"), attack(19, "in force")]
    report = report_fairness(once)
    assert report.verdict(named(report.tests, "best of several")) == "ordinary"
    often = [
        each
        for number in range(12)
        for each in (attack(4, "surplus", f"{number}"), attack(19, "in force", f"{number}"))
    ]
    report = report_fairness(often)
    assert report.verdict(named(report.tests, "best of several")) != "ordinary"


def test_l38_low_is_best_where_one_must_stay_under() -> None:
    low = [roll("d100", face, test="at_most", target=40, purpose="x", source="imported") for face in (50, 3)]
    from msgspec.structs import replace

    (found,) = rerolled([replace(low[0], standing="surplus"), low[1]])
    assert found.best


# The words


def test_sources_are_told_apart_and_entered_dice_left_out() -> None:
    random = Random(9)
    seeded = [roll("5d6", *(random.randint(1, 6) for _ in range(5))) for _ in range(10)]
    entered = [roll("5d6", 6, 6, 6, 6, 6, source="entered") for _ in range(10)]
    report = report_fairness([*seeded, *entered, mail("bob", [1, 2, 3, 4, 5])])
    assert {test.source for test in report.tests} == {"the generator"}
    assert fairness_sentence(report) == (
        "4 tests were made; a corrected chance is a chance times that number; 50 dice entered by hand left out; "
        "5 dice of kinds with fewer than 20 not tested"
    )
    assert [each.counts for each in report.faces if each.source == "bob"] == [(1, 1, 1, 1, 1, 0)]


def test_a_roll_whose_notation_cannot_be_read_is_passed_over() -> None:
    from msgspec.structs import replace

    odd = replace(roll("d6", 3), notation="5d10o10k2")
    assert report_fairness([odd] * 30).tests == ()


def test_nothing_that_stands_out_is_said_so() -> None:
    random = Random(2)
    fair = [mail("ann", [random.randint(1, 6) for _ in range(60)])]
    assert list(fairness_lines(audit("b", fair)))[-1] == "nothing here stands out"
    loaded = [mail("ann", [6] * 100)]
    assert list(fairness_lines(audit("b", loaded)))[-1].endswith("deserve a closer look")
    assert verdict(Fraction(1)) == "ordinary"
