"""Figures take room: nobody ends on another or walks through an enemy, and a push stops at a body (DA-30)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.field.plane import squared
from engine.rules.dresda.bodies import Body, stops, straight_stop
from events.dresda import ChargeEnded, Moved
from events.places import Point
from projections.dresda.state import Battlefield
from tests.dresda.autoplayed import played
from tests.dresda.table_top import TableTop, fig


def crowd(**options: str) -> TableTop:
    """Four orcs behind each other, and an enemy before them."""
    orcs = {f"orc{at}": fig("red", "orc", 50, 32 + 2 * at, weapons=["sword"]) for at in range(4)}
    top = TableTop({**orcs, "foot": fig("blue", "human", 50, 46, facing=180, weapons=["sword"])}, options=options)
    top.until("move")
    return top


def touching(top: TableTop, one: str, other: str) -> bool:
    return squared(top[one].place, top[other].place) < 23**2


def test_da_30_three_who_walk_to_one_spot_do_not_stand_on_each_other() -> None:
    top = crowd()
    top.say(*(f"orc{at}: walk 50,44" for at in range(3)))
    top.until("missile")
    places = [top[f"orc{at}"].place for at in range(4)]
    assert all(squared(a, b) >= 20**2 for a, b in combinations(places, 2))
    assert sum(touching(top, f"orc{at}", "foot") for at in range(4)) == 1


def test_da_30_nobody_walks_through_an_enemy() -> None:
    top = crowd()
    top.say("orc3: walk 50,48 50,54")
    top.until("missile")
    assert top["orc3"].place == Point(500, 440)
    assert [each.why for each in top.facts(Moved)] == ["stops at Foot"]


def test_da_30_friends_are_passed() -> None:
    top = crowd()
    top.say("orc0: walk 50,43.5")
    top.until("missile")
    assert top["orc0"].place == Point(500, 435)


def test_da_30_with_the_option_figures_take_no_room() -> None:
    top = crowd(bases="points")
    top.say("orc3: walk 50,48 50,54", *(f"orc{at}: walk 50,44" for at in range(3)))
    top.until("missile")
    assert {top[f"orc{at}"].place for at in range(3)} == {Point(500, 440)}
    assert top["orc3"].place == Point(500, 540)


def test_da_30_a_push_stops_at_a_body() -> None:
    top = TableTop(
        {
            "ann": fig("red", "human", 50, 50, weapons=["sword"]),
            "bob": fig("blue", "human", 50, 52, weapons=["sword"], facing=180),
            "cid": fig("blue", "human", 50, 56, weapons=["sword"], facing=180),
        }
    )
    top.turn({"ann~bob/ann": 6, "ann~bob/bob": 4})
    assert top["bob"].place == Point(500, 540)
    assert top["bob"].pushed_before


def test_da_30_a_charge_that_meets_another_enemy_on_its_way_does_not_strike_its_target() -> None:
    figures = {
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90, facing=180),
        "other": fig("blue", "human", 53.5, 75, facing=270),
    }
    top = TableTop(figures)
    top.say("rider: charge foe")
    top.until("move")
    top.say("other: walk 50,75")
    top.until("missile")
    assert [(each.contact, each.reason) for each in top.facts(ChargeEnded)] == [(False, "somebody is in its way")]
    assert top.state.engaged == (("other", "rider"),)


def test_da_30_no_charge_through_an_enemy() -> None:
    figures = {
        "rider": fig("red", "human", 50, 50, weapons=["lance"], mount="warhorse", moving="walk"),
        "foe": fig("blue", "human", 50, 90, facing=180),
        "other": fig("blue", "human", 50, 75, facing=270),
    }
    assert TableTop(figures).refused("rider: charge foe") == ["DR-014"]


@pytest.mark.parametrize("seed", range(3))
def test_da_30_in_no_battle_do_two_figures_stand_on_each_other(seed: int) -> None:
    battle = played("dresda_ford", seed)
    state = battle.state
    assert isinstance(state, Battlefield)
    for one, other in combinations(state.standing(), 2):
        assert squared(one.place, other.place) >= 20**2, (one.id, other.id)


# ---------------------------------------------------------------------------------------------------- the geometry

places = st.builds(Point, st.integers(0, 300), st.integers(0, 300))


@st.composite
def walkers(draw: st.DrawFn) -> list[Body]:
    """Figures of two sides, none on another at first, each with a way of its own."""
    found: list[Body] = []
    for at in range(draw(st.integers(2, 7))):
        start = draw(places)
        if all(squared(start, each.path[0]) >= 25**2 for each in found):
            way = draw(st.lists(places, max_size=3))
            found.append(
                Body(f"f{at}", draw(st.sampled_from(["red", "blue"])), draw(st.sampled_from([20, 25])), (start, *way))
            )
    return found


@given(walkers())
def test_nobody_ends_on_anybody_and_all_stay_on_their_ways(bodies: list[Body]) -> None:
    reached = stops(bodies)
    for one, other in combinations(bodies, 2):
        apart = squared(reached[one.figure][-1], reached[other.figure][-1])
        assert 4 * apart >= (one.base + other.base) ** 2
    assert all(reached[body.figure][0] == body.path[0] for body in bodies)


@given(walkers())
def test_the_order_in_which_they_are_taken_counts_for_nothing(bodies: list[Body]) -> None:
    assert stops(bodies) == stops(bodies[::-1])


def test_two_enemies_who_walk_at_each_other_meet() -> None:
    one = Body("a", "red", 20, (Point(0, 0), Point(0, 200)))
    two = Body("b", "blue", 20, (Point(0, 200), Point(0, 0)))
    ends = stops([one, two])
    assert 20 <= ends["b"][-1].y - ends["a"][-1].y <= 24


def test_who_follows_one_that_goes_away_is_not_stopped() -> None:
    one = Body("a", "red", 20, (Point(0, 0), Point(0, 100)))
    two = Body("b", "blue", 20, (Point(0, 30), Point(0, 130)))
    assert [path[-1].y for path in stops([one, two]).values()] == [100, 130]


def test_a_straight_way_ends_where_bases_touch() -> None:
    assert straight_stop(Point(0, 0), Point(0, 50), 20, {Point(0, 40): 20}) == Point(0, 20)
    assert straight_stop(Point(0, 0), Point(0, 50), 20, {Point(0, -10): 20}) == Point(0, 50)
