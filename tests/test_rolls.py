"""Calls for dice work out their own chances, and refuse terms and bands that do not add up."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.rolls import Goal, RollFor, RollInvalid, Side, check, in_bands, in_table, opposed, total_of
from events.facts import Chance, RollCalled, Term, Test
from projections.dice.rolls import dice_of, read_roll

WHAT = RollFor("t1/hit/ann>bob", "Ann hits Bob", "red", "ann", "BR-4")
TESTS: list[Test] = ["at_most", "below", "at_least", "above"]


def faces_of(dice: str) -> list[tuple[int, ...]]:
    return list(product(*(range(low, high + 1) for low, high in dice_of(dice).faces())))


def share(call: RollCalled) -> Fraction:
    """Count, over every way in which the dice can fall, how often the call is met."""
    every = faces_of(call.dice)
    return Fraction(sum(bool(read_roll(call, faces).success) for faces in every), len(every))


@given(st.sampled_from(TESTS), st.integers(-3, 15), st.sampled_from(["d6", "2d6", "d10", "3D+1B", "d6+2"]))
def test_the_chance_of_a_check_is_that_of_all_ways_in_which_its_dice_can_fall(
    test: Test, target: int, dice: str
) -> None:
    call = check(WHAT, dice, Goal(test, target=target, success="hit"))
    assert Fraction(call.chances[0].of, call.chances[0].out_of) == share(call)


def test_the_target_is_the_sum_of_the_terms_within_the_limits_of_the_rule() -> None:
    terms = (Term("a blow", 5), Term("friends at it", -4))
    call = check(WHAT, "d6", Goal("at_least", terms, limits=(2, None), success="hurt"))
    assert (call.target, call.before_limits, call.terms) == (2, 1, terms)
    assert call.chances == (Chance("hurt", 5, 6),)
    assert check(WHAT, "d6", Goal("at_least", terms)).before_limits is None


def test_terms_that_do_not_come_to_the_target_are_refused_with_the_key() -> None:
    with pytest.raises(RollInvalid, match=r"^the roll t1/hit/ann>bob: its terms come to 5, not to 4$"):
        check(WHAT, "d6", Goal("at_least", (Term("a blow", 5),), target=4))


def test_pool_terms_are_shown_first_and_not_counted() -> None:
    call = check(WHAT, "2d6", Goal("at_least", (Term("a blow", 7),), pool=(Term("test dice", 2),)))
    assert (call.target, [term.label for term in call.terms]) == (7, ["test dice", "a blow"])


def test_failure_is_listed_when_it_has_a_name_and_chances_can_stand_in_all_cases() -> None:
    call = check(WHAT, "d100", Goal("at_most", target=30, success="hit", failure="miss"))
    assert call.chances == (Chance("hit", 30, 100), Chance("miss", 70, 100))
    assert check(WHAT, "d100", Goal("at_most", target=30, in_cases=True)).chances == (Chance("success", 30, 100),)


def test_a_roll_that_is_only_read_is_no_check() -> None:
    with pytest.raises(RollInvalid, match="use in_table or total_of"):
        check(WHAT, "d6", Goal("read"))


def test_a_table_lists_its_results_from_the_lowest_total_up_with_the_terms_added() -> None:
    call = in_table(WHAT, "d6", lambda total: "retreat" if total >= 6 else "hold", (Term("odds", 2),))
    assert call.chances == (Chance("hold", 3, 6), Chance("retreat", 3, 6))
    assert read_roll(call, (4,)).total == 6


def test_bands_must_hold_every_case_of_the_dice() -> None:
    assert in_bands(WHAT, "d6", [("leg", 2), ("body", 4)]).chances == (Chance("leg", 2, 6), Chance("body", 4, 6))
    with pytest.raises(RollInvalid, match="its bands hold 5 of 6 cases"):
        in_bands(WHAT, "d6", [("leg", 2), ("body", 3)])


def test_a_total_lists_each_sum_with_its_terms_unless_there_are_too_many() -> None:
    call = total_of(WHAT, "2d6", terms=(Term("strength", 1),))
    assert call.chances[0] == Chance("3", 1, 36)
    assert sum(each.of for each in call.chances) == 36
    assert read_roll(call, (1, 1)).total == 3
    assert total_of(WHAT, "2d6", most_listed=10).chances == ()


@given(st.integers(-4, 4), st.integers(-4, 4))
def test_each_side_of_an_opposed_roll_lists_the_results_as_it_sees_them(mine: int, theirs: int) -> None:
    def read(lead: int) -> str:
        return "win" if lead > 0 else "loss" if lead < 0 else "draw"

    ann = Side(WHAT, (Term("skill", mine),), read)
    bob = Side(RollFor("t1/hit/bob>ann", "Bob hits Ann", "blue", "bob", "BR-4"), (Term("skill", theirs),), read)
    first, second = opposed(ann, bob, "d6")
    assert (first.against, second.against) == (second.key, first.key)
    every = list(product(faces_of("d6"), repeat=2))
    leads = [read_roll(first, one).total - read_roll(second, other).total for one, other in every]
    for call, sign in ((first, 1), (second, -1)):
        counted = {each.label: each.of for each in call.chances}
        told = [read(sign * lead) for lead in leads]
        assert {label: told.count(label) for label in set(told)} == counted
