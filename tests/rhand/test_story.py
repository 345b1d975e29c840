"""The story of a Rhand fight: a blow is one line, a brief story keeps outcomes, turn and phase are told apart."""

from __future__ import annotations

from click.testing import CliRunner

from engine.cli.main import cli
from projections.journal import caption
from projections.story import Line, outcomes
from replays.compare import state_difference
from replays.seek import steps
from tests.rhand.ring import Ring, man, pair


def lines_of(ring: Ring, *, brief: bool = False) -> list[str]:
    log, fold = ring.log, ring.battle.fold
    frames = list(steps(log, fold, ring.battle.line))
    return list(
        fold.story([(each.event, each.before, caption(fold, each.event, each.before)) for each in frames], brief)
    )


def test_a_blow_is_one_line_with_roll_place_damage_and_effect() -> None:
    """SP-031, SP-035, SP-036, SP-040, SP-043."""
    ring = Ring(pair(armor="none"), by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("ann: fight bob/normal/cut")
    ring.battle.proceed()
    ring.throw({"hit": 12, "impact": 6, "location": 70, "knockout": 9})
    line = (
        "    Ann hits Bob: normal cut, 12 within 99 [4G]; right arm, 9 impact, 18 PD, 18 in all [5A]; "
        "right arm disabled; Bob is down, 09 under 25"
    )
    assert [each for each in lines_of(ring) if "Ann hits" in each] == [line]
    assert line in lines_of(ring, brief=True)


def test_a_miss_and_a_hit_without_harm_are_details() -> None:
    ring = Ring(pair(armor="plate"), by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("ann: fight bob/short/cut", "bob: fight ann/short/cut parry 1")
    ring.battle.proceed()
    ring.throw({"ann>bob/1/hit": 0, "bob>ann/1/hit": 99, "impact": 1, "location": 20})
    told = [line for line in lines_of(ring) if "short cut" in line]
    assert len(told) == 2
    assert "not hurt" in told[0]
    assert not [line for line in lines_of(ring, brief=True) if "short cut" in line]


def test_each_roll_of_a_blow_is_told_in_its_line_alone() -> None:
    ring = Ring(pair(armor="none"), by_hand=["red", "blue"])
    ring.go("declare")
    ring.order("ann: fight bob/short/cut bob/short/cut")
    ring.battle.proceed()
    ring.throw({"hit": 0, "impact": 6, "location": 20, "knockout": 99})
    assert not [line for line in lines_of(ring) if "[1d" in line]
    assert len([line for line in lines_of(ring) if "Ann hits Bob" in line]) == 2


def test_a_shot_is_one_line() -> None:
    """SPX-14."""
    tom = man("tom", "red", "0510", missile="long_bow", ammunition=5, strength=15, skills={"long_bow": 9})
    ring = Ring([tom, man("foe", "blue", "0504", "south")], by_hand=["red", "blue"])
    ring.order("tom: shoot at foe")
    ring.battle.proceed()
    ring.throw({"hit": 0, "location": 20, "knockout": 99})
    (line,) = [line for line in lines_of(ring, brief=True) if "Tom hits" in line]
    assert line.startswith("    Tom hits Foe: long bow, 00 within ")


def test_the_record_speaks_of_phases() -> None:
    """SP-001."""
    ring = Ring(pair())
    ring.go("declare")
    ring.battle.proceed()
    told = lines_of(ring)
    assert "phase 2 begins" in told
    assert "    phase 2, movement: orders, please" in told
    assert not [text for text in told if text.strip().startswith("turn ")]


def test_a_brief_story_keeps_outcomes_under_their_headings_and_tells_equal_lines_once() -> None:
    hit = Line("a hit", "outcome")
    lines = [
        Line("phase 1", "heading"), Line("a detail", "detail"), Line("phase 2", "heading"), hit, hit,
        Line("phase 3", "heading"), hit,
    ]  # fmt: skip
    assert [line.text for line in outcomes(lines)] == ["phase 2", "a hit", "phase 3", "a hit"]


def test_twelve_a_side_in_brief_is_a_story_that_can_be_read() -> None:
    result = CliRunner().invoke(cli, ["demo", "--scenario", "rhand_twelve", "--brief"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert 30 < len(lines) < 200
    assert any(" is down, " in line for line in lines)
    assert not any("receipt" in line or " moves " in line or " misses " in line for line in lines)


def test_lines_are_compared_by_hexes_as_orders_name_them() -> None:
    ring = Ring(pair())
    before = ring.state
    ring.order("ann: walk back")
    ring.battle.proceed()
    assert 'fighters.ann.at: "0505" → "0506"' in state_difference(before, ring.state)


def test_a_stated_fact_is_told_without_figures_that_nobody_rolled() -> None:
    ring = Ring(pair())
    ring.battle.state_fact("ann: lame right_arm", "test")
    ring.battle.state_fact("ann: down", "test")
    told = [line.strip() for line in lines_of(ring) if line.endswith("(ruling)")]
    assert told == ["Ann's right arm is disabled (ruling)", "Ann is down (ruling)"]
