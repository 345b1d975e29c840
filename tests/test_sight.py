"""Lines of sight past woods and walls: clear, doubtful or blocked, and the same from both ends."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.field.polygon import Polygon, polygon
from engine.field.sight import Blocker, Sight, Wall, line_of_sight, wall
from events.places import PlaceInvalid, Point

points = st.builds(Point, st.integers(-6, 16), st.integers(-6, 16))


def box(west: int, south: int, side: int) -> Polygon:
    corners = [(west, south), (west + side, south), (west + side, south + side), (west, south + side)]
    return polygon([Point(x, y) for x, y in corners])


def wall_through(*spots: tuple[int, int]) -> Wall:
    return wall([Point(x, y) for x, y in spots])


WOOD = Blocker("wood", box(0, 0, 10))
SCENE = (WOOD, Blocker("barn", box(12, 2, 3)), Blocker("wall", wall_through((-3, -3), (-3, 5), (2, 12), (9, 12))))


def see(a: tuple[int, int], b: tuple[int, int], *blockers: Blocker, depth: int | Fraction = 0) -> Sight:
    return line_of_sight(Point(*a), Point(*b), blockers, depth)


def test_an_open_field_hides_nobody() -> None:
    assert see((0, 0), (900, 900)) == Sight("clear")


def test_what_stands_between_hides_and_is_named() -> None:
    barn = Blocker("barn", box(30, 0, 10))
    assert see((-5, 5), (50, 5), WOOD, barn) == Sight("blocked", ("wood", "barn"))
    assert see((-5, 5), (20, 5), WOOD, barn) == Sight("blocked", ("wood",))


@pytest.mark.parametrize(("a", "b"), [((-5, 10), (20, 10)), ((-5, 5), (5, 15)), ((0, -5), (0, 20))])
def test_a_line_along_an_edge_or_past_a_corner_is_doubtful(a: tuple[int, int], b: tuple[int, int]) -> None:
    assert see(a, b, WOOD) == Sight("doubtful", ("wood",))


def test_a_blocked_line_names_only_what_blocks_it() -> None:
    grazed = Blocker("hut", box(20, 5, 5))
    assert see((-5, 5), (50, 5), WOOD, grazed) == Sight("blocked", ("wood",))


@pytest.mark.parametrize(
    ("inside", "depth", "verdict"),
    [(3, 3, "clear"), (3, Fraction(29, 10), "blocked"), (4, 3, "blocked"), (0, 0, "clear")],
)
def test_one_sees_out_of_a_wood_as_far_as_the_stated_depth(inside: int, depth: int | Fraction, verdict: str) -> None:
    assert see((inside, 5), (-30, 5), WOOD, depth=depth).verdict == verdict


def test_the_depth_is_measured_along_the_line() -> None:
    assert see((3, 5), (-1, 2), WOOD, depth=3).verdict == "blocked"
    assert see((3, 5), (-1, 2), WOOD, depth=Fraction(15, 4)).verdict == "clear"


def test_within_a_wood_one_sees_as_far_as_the_stated_depth() -> None:
    assert see((2, 5), (6, 5), WOOD, depth=4).verdict == "clear"
    assert see((2, 5), (7, 5), WOOD, depth=4).verdict == "blocked"


def test_depth_does_not_help_to_look_through_a_wood() -> None:
    assert see((-1, 5), (11, 5), WOOD, depth=10).verdict == "blocked"


def test_a_wood_on_whose_edge_one_stands_does_not_hide_the_field_before_it() -> None:
    assert see((0, 5), (-30, 9), WOOD) == Sight("clear")


@given(points, points, st.integers(0, 8))
def test_sight_is_the_same_from_both_ends(a: Point, b: Point, depth: int) -> None:
    assert line_of_sight(a, b, SCENE, depth) == line_of_sight(b, a, SCENE, depth)


@given(points, points, st.integers(0, 8))
def test_more_depth_never_hides_more(a: Point, b: Point, depth: int) -> None:
    order = ("clear", "doubtful", "blocked")
    shallow, deep = (line_of_sight(a, b, SCENE, allowed).verdict for allowed in (depth, depth + 3))
    assert order.index(deep) <= order.index(shallow)


# -- walls -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "meeting"),
    [
        ((-5, 3), (5, 3), "crosses"),
        ((-5, 5), (5, 5), "crosses"),  # through a straight joint
        ((-5, 15), (5, 5), "crosses"),  # through the bend, from side to side
        ((-5, 5), (5, 15), "touches"),  # at the bend, from one side only
        ((0, -5), (0, 15), "touches"),  # along it and over the bend: the wall turns off to one side
        ((-5, 0), (5, 0), "touches"),  # past its end
        ((0, 3), (5, 3), "touches"),  # from the wall itself
        ((0, 5), (5, 5), "touches"),  # from a joint of it
        ((1, 0), (1, 9), "apart"),
    ],
)
def test_how_a_line_meets_a_wall(a: tuple[int, int], b: tuple[int, int], meeting: str) -> None:
    bent = wall_through((0, 0), (0, 5), (0, 10), (8, 10))
    assert bent.crosses(Point(*a), Point(*b)) == bent.crosses(Point(*b), Point(*a)) == meeting


def test_a_line_that_follows_a_wall_and_leaves_it_on_the_other_side_crosses_it() -> None:
    stepped = wall_through((-4, 0), (0, 3), (0, 6), (4, 9))
    assert stepped.crosses(Point(0, 0), Point(0, 9)) == "crosses"
    assert stepped.crosses(Point(0, 0), Point(0, 5)) == "touches"


def test_a_wall_hides_what_is_behind_it_but_not_from_those_who_man_it() -> None:
    rampart = Blocker("rampart", wall_through((0, 0), (0, 10)))
    assert see((-5, 5), (5, 5), rampart) == Sight("blocked", ("rampart",))
    assert see((-5, 0), (5, 0), rampart) == Sight("doubtful", ("rampart",))
    assert see((0, 5), (5, 5), rampart) == Sight("clear")


def test_pausing_on_a_wall_does_not_get_one_across_unseen() -> None:
    fence = wall_through((0, 0), (0, 10))
    assert fence.crossed([Point(-5, 5), Point(5, 5)])
    assert fence.crossed([Point(-5, 5), Point(0, 5), Point(5, 5)])
    assert not fence.crossed([Point(-5, 5), Point(0, 5)])
    assert not fence.crossed([Point(-5, 5), Point(-5, 20), Point(5, 5)])


@pytest.mark.parametrize(
    ("spots", "message"),
    [([(0, 0)], "fence: has 1 point; a wall needs at least 2"), ([(0, 0), (0, 0)], "fence: points 1 and 2 are both")],
)
def test_a_bad_wall_is_refused(spots: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(PlaceInvalid, match=message):
        wall([Point(x, y) for x, y in spots], "fence")
