"""The numbers of Dresda held against another way of getting them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engine.rules.dresda.calls import opposed_calls, percent_call, table_call
from engine.rules.dresda.movement import Allowance
from engine.rules.dresda.table_checks import loader
from engine.rules.dresda.wounds import wounds_of
from events.dresda import Character
from events.facts import Term
from events.places import Point
from projections.dresda.state import Figure

TABLES = loader().load()
ANN, BOB = (
    Figure(Character(name, name.title(), "red", "human", "regular", 3), Point(0, 0), 0) for name in ("ann", "bob")
)


@given(st.integers(1, 30), st.integers(1, 20))
def test_wounds_are_as_many_as_the_text_says(attack: int, defence: int) -> None:
    """One wound if the factor is reached, two below a half, three below a third: DR-054, DR-055."""
    share = Fraction(defence, attack)
    expected = 0 if share > 1 else 3 if share < Fraction(1, 3) else 2 if share < Fraction(1, 2) else 1
    assert wounds_of(TABLES, attack, defence) == expected


@given(st.integers(-8, 8), st.integers(-8, 8))
def test_the_chances_of_an_opposed_roll_are_those_of_all_hundred_pairs(mine: int, yours: int) -> None:
    """DR-081 to DR-083, counted out."""
    sides = [("a", "a", ANN, (Term("x", mine),)), ("b", "b", BOB, (Term("y", yours),))]
    one, other = opposed_calls(sides, "DR-081", lambda at, lead: f"{at}:{lead:+d}")
    counted = Counter((a + mine) - (b + yours) for a, b in product(range(1, 11), repeat=2))
    assert {each.label: each.of for each in one.chances} == {f"0:{lead:+d}": of for lead, of in counted.items()}
    assert {each.label: each.of for each in other.chances} == {f"1:{-lead:+d}": of for lead, of in counted.items()}
    assert {each.out_of for each in (*one.chances, *other.chances)} == {100}


@given(st.integers(1, 100))
def test_the_chance_of_a_percentage_is_the_percentage(target: int) -> None:
    """DR-053 and, the other way round, DR-130."""
    (under,) = percent_call("k", "p", ANN, target, "DR-053", "hit").chances
    (over,) = percent_call("k", "p", ANN, target, "DR-130", "stays", test="above").chances
    assert Fraction(under.of, under.out_of) == Fraction(target, 100)
    assert Fraction(over.of, over.out_of) == 1 - Fraction(target, 100)


@given(st.integers(-12, 12))
def test_the_chances_of_morale_letters_are_those_of_ten_faces(bonus: int) -> None:
    """DR-111, counted out."""
    call = table_call(
        "k", "p", ANN, "DR-111", "d10", lambda total: TABLES.morale_letter(total).letter, (Term("x", bonus),)
    )
    counted = Counter(TABLES.morale_letter(face + bonus).letter for face in range(1, 11))
    assert {each.label: each.of for each in call.chances} == counted


@given(st.integers(1, 600), st.integers(0, 100), st.integers(0, 2))
def test_a_distance_is_shared_out_exactly(rate: int, cut: int, shared: int) -> None:
    """DR-020 to DR-022, DA-26: percentages first, then halves, and nothing is rounded."""
    left = Allowance("walk", rate, cut, (), shared).mm
    assert left == Fraction(rate) * (100 - cut) / 100 * (2 - shared) / 2


@given(st.integers(1, 300), st.integers(0, 400))
def test_more_than_half_the_way_takes_the_whole_turn(half: int, way: int) -> None:
    allowed = Allowance("walk", 2 * half, 0, (), 0)
    taken = allowed.halves_of([Point(0, 0), Point(0, way)])
    assert taken == (0 if not way else 1 if way <= half else 2)
