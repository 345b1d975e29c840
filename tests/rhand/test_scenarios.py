"""The scenarios that come along are played to the end; a wrong one is refused with all that is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.opening import read_scenario
from engine.orders import describe, read_order, write_order
from engine.orders.errors import OrderError, OrderNotAllowed, SheetRefused
from engine.rules.errors import ScenarioInvalid
from engine.rules.rhand import rules
from engine.rules.rhand.orders import GRAMMAR
from engine.rules.rhand.vocabulary import vocabulary
from events.facts import OrderLapsed
from events.places import digits_of
from events.rhand import BlowJudged
from events.store.memory import MemoryLog
from projections.journal import caption
from projections.rhand.state import Fighter, Rhand
from replays.seek import steps
from tests.rhand.ring import Ring, man, pair
from tests.rhand.test_properties import play
from tests.table import Table, open_battle

HERE = Path(__file__).resolve()
SCENARIOS = sorted((HERE.parents[2] / "scenarios").glob("rhand_*.toml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_that_comes_along_is_played_to_its_end(path: Path) -> None:
    log = MemoryLog()
    open_battle(log, "b", read_scenario(path))
    battle = Table(log, "b", rules())
    play(battle)
    assert battle.state.table.ended
    for step in steps(log, battle.fold, battle.line):
        told = caption(battle.fold, step.event, step.before)
        assert told
        assert "\n" not in told
    assert max(map(len, battle.fold.picture(battle.state).split("\n"))) <= 80


def test_the_scenarios_are_a_duel_a_melee_and_twelve_a_side() -> None:
    sizes = {}
    for path in SCENARIOS:
        fighters = read_scenario(path).rest["fighter"]
        sizes[path.stem] = [sum(each["seat"] == seat for each in fighters) for seat in ("red", "blue")]
    assert sizes == {"rhand_duel": [1, 1], "rhand_melee": [4, 4], "rhand_twelve": [12, 12]}
    melee = read_scenario(SCENARIOS[1]).rest["fighter"]
    assert sum("missile" in each for each in melee) == 2
    assert sum("spells" in each for each in melee) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"weapon": "broadswrd"}, "there is no weapon 'broadswrd' (did you mean broadsword?)"),
        ({"armor": "tin"}, "there is no armor 'tin'"),
        ({"seat": "green"}, "there is no seat 'green'"),
        ({"at": "9999"}, "hex 9999 is off the field"),
        ({"at": "here"}, "at = 'here' is not a hex"),
        ({"at": "0504"}, "hex 0504 is held by 'bob' already"),
        ({"facing": "up"}, "facing 'up': write north"),
        ({"id": "bob"}, "'bob' stands there twice"),
        ({"id": "Big Ann"}, "an id is a short lower-case word"),
        ({"spells": ["doom"]}, "there is no [[spell]] 'doom'"),
        ({"weapon": "halberd", "shield": "heater"}, "takes both hands"),
        ({"skills": {"spoon": 3}}, "skills names 'spoon'"),
        ({"combat_speed": 50}, "combat_speed must lie between 0 and 20"),
        ({"action_time": Decimal("nan")}, "action_time must lie between 0 and 20"),
        ({"action_time": Decimal("1e999999999")}, "action_time must lie between 0 and 20"),
        ({"strength": 99}, "fighter.ann.strength: must be a whole number from 1 to 30, not 99"),
        ({"mood": "bad"}, "fighter.ann.mood: nothing is called so here"),
    ],
)
def test_a_slip_in_a_scenario_is_told(changed: dict[str, object], told: str) -> None:
    with pytest.raises(ScenarioInvalid) as refused:
        Ring([man("bob", "blue", "0504"), {**man("ann", "red", "0505"), **changed}])
    assert told in str(refused.value)


def test_all_slips_are_told_at_once() -> None:
    with pytest.raises(ScenarioInvalid) as refused:
        Ring([man("ann", "red", "0505", weapon="spon", armor="tin")], field={"aid": {"green": 2}})
    assert len(refused.value.problems) == 4


@pytest.mark.parametrize(
    "text",
    [
        "ann: shoot at bob volley",
        "ann: cast ember at bob memorised",
        "ann: walk forward turn_left back left right",
        "ann: run 7 going back",
        "ann: pass bob/short/cut parry 1",
        "ann: fight bob/short/cut bob/normal//head parry 2 shield 1",
        "ann: fight shield 2",
        "ann: dodge",
        "ann: draw dagger",
        "ann: don heater",
        "ann: rouse bob",
        "ann: yield",
    ],
)
def test_every_order_is_read_back_as_it_is_written(text: str) -> None:
    ring = Ring(pair(), spells=[{"id": "ember", "force": 1}])
    order = read_order(text, GRAMMAR, vocabulary(ring.situation))
    assert write_order(order) == text
    assert len(describe(GRAMMAR)) == len(GRAMMAR)


@pytest.mark.parametrize(
    "text", ["ann: fight bob", "ann: fight bob/hard", "ann: fight bob/short/tickle", "ann: fight x/short"]
)
def test_a_blow_that_is_none_is_told(text: str) -> None:
    ring = Ring(pair())
    with pytest.raises(OrderError):
        read_order(text, GRAMMAR, vocabulary(ring.situation))


def test_the_roster_keeps_who_still_stands_and_his_wounds() -> None:
    ring = Ring(pair(wounds=3))
    kept = rules().roster(ring.situation)["fighter"]
    assert [(each["id"], each["wounds"]) for each in kept] == [("ann", 3), ("bob", 3)]
    again = Ring([{**each, "at": f"050{5 - place}"} for place, each in enumerate(kept)])
    assert again.state.fighters["ann"].total == 3


def test_the_list_of_rules_is_whole_and_every_rule_is_named_in_a_test() -> None:
    """SP-001 to SP-046, SPX-01 to SPX-20, SA-01 to SA-23, SG-01 to SG-07."""
    book = rules().book()
    wanted = [
        *(f"SP-{n:03}" for n in (1, *range(10, 19), *range(20, 30), *range(30, 47))), "SP-032a",
        *(f"SPX-{n:02}" for n in range(1, 21)), *(f"SA-{n:02}" for n in range(1, 24)), "SA-07a", "SA-14a",
        *(f"SG-{n:02}" for n in range(1, 8)),
    ]  # fmt: skip
    assert sorted(rule.id for rule in book) == sorted(wanted)
    text = "".join(path.read_text() for path in HERE.parent.glob("test_*.py") if path != HERE)
    named = set(re.findall(r"\b(?:SP|SPX|SA|SG)-\d+[a-z]?\b", text))
    assert sorted(set(wanted) - named - {"SA-23"}) == []


def test_every_rule_is_cited_beside_the_code_that_does_it() -> None:
    rooms = HERE.parents[2]
    files = [*(rooms / "engine/rules/rhand").glob("*.py"), *(rooms / "projections/rhand").glob("*.py")]
    text = "".join(path.read_text() for path in files)
    cited = set(re.findall(r"\b(?:SP|SPX|SA|SG)-\d+[a-z]?\b", text))
    for kind, first, last in re.findall(r"\b(SP|SPX|SA|SG)-(\d+)[a-z]? to (?:SP|SPX|SA|SG)-(\d+)", text):
        cited |= {f"{kind}-{number:0{len(first)}}" for number in range(int(first), int(last) + 1)}
    assert sorted({rule.id for rule in rules().book()} - cited) == []


def test_whose_rules_these_are() -> None:
    """SA-23: Rhand, of the Sword's Path family."""
    assert "Rhand" in rules().book()["SA-23"].text
    assert rules().edition == "1984.2"


def test_every_rule_that_a_fact_names_is_in_the_list() -> None:
    log = MemoryLog()
    open_battle(log, "b", read_scenario(SCENARIOS[1]))
    battle = Table(log, "b", rules())
    play(battle)
    book = rules().book()
    for step in steps(log, battle.fold, battle.line):
        rule = getattr(step.event, "rule", "")
        assert not rule or rule in book, rule
    assert isinstance(battle.state, Rhand)


@pytest.mark.parametrize(
    ("fact", "check"),
    [
        ("ann: down", lambda ann: ann.down),
        ("ann: at 0710 facing south", lambda ann: (digits_of(ann.at), ann.facing) == ("0710", 3)),
        ("ann: hurt 12", lambda ann: ann.total == 12),
        ("ann: lame right_arm", lambda ann: ann.in_hand == ""),
        ("ann: holds halberd", lambda ann: (ann.in_hand, ann.hands) == ("halberd", 2)),
        ("ann: bears heater", lambda ann: ann.shield_in_use == "heater"),
        ("ann: disturbed target_not_seen", lambda ann: ann.happened["target_not_seen"] == 1),
    ],
)
def test_the_referee_states_a_fact(fact: str, check: Callable[[Fighter], bool]) -> None:
    ring = Ring(pair())
    ring.battle.state_fact(fact, "as it stood on the table")
    assert check(ring.state.fighters["ann"])
    Readjudicator(ring.log, ring.battle.line, rules()).run()


def test_a_fact_that_cannot_be_is_refused() -> None:
    ring = Ring(pair())
    with pytest.raises(OrderNotAllowed, match="stands there"):
        ring.battle.state_fact("ann: at 0504", "a slip")
    ring.battle.state_fact("ann: down", "he fell")
    ring.battle.state_fact("ann: up", "he did not")
    assert not ring.state.fighters["ann"].down


@pytest.mark.parametrize(
    ("order", "fact", "rule"),
    [
        ("ann: fight bob/normal", "ann: down", "SP-044"),
        ("ann: fight bob/normal", "bob: down", "SP-044"),
        ("ann: fight bob/normal", "ann: lame right_arm", "SP-041"),
        ("ann: fight bob/normal", "bob: at 0100", "SP-021"),
        ("ann: walk back", "ann: down", "SP-044"),
    ],
)
def test_an_order_that_a_stated_fact_has_overtaken_lapses(order: str, fact: str, rule: str) -> None:
    """A fighter who is down does nothing (SP-044)."""
    ring = Ring([*pair(), man("al", "red", "0306"), man("ben", "blue", "0302")])
    ring.go("movement" if "walk" in order else "declare")
    ring.order(order)
    ring.battle.state_fact(fact, "as it stood")
    ring.battle.proceed()
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("ann", rule)]
    assert not ring.facts(BlowJudged)
    Readjudicator(ring.log, ring.battle.line, rules()).run()


@pytest.mark.parametrize("thing", ["draw halberd", "don kite"])
def test_nobody_takes_up_what_he_does_not_carry(thing: str) -> None:
    ring = Ring(pair(carries=["dagger", "heater"]))
    ring.go("declare")
    with pytest.raises(SheetRefused, match="carries no"):
        ring.order(f"ann: {thing}")
    ring.order("ann: draw dagger")


def test_the_scenario_in_the_manual_is_one(tmp_path: Path) -> None:
    manual = (HERE.parents[2] / "docs" / "rhand.md").read_text()
    found = re.search(r"```toml\n(.*?)```", manual, re.DOTALL)
    assert found is not None
    second = '\n[[fighter]]\nid = "bob"\nseat = "blue"\nat = "0503"\n'
    (tmp_path / "well.toml").write_text(found[1] + second)
    log = MemoryLog()
    open_battle(log, "b", read_scenario(tmp_path / "well.toml"))
    assert Table(log, "b", rules()).state.table.title == "At the well"
    for name in rules().options:
        assert f"`{name}`" in manual


def test_the_manual_says_of_every_mechanic_where_it_is_played() -> None:
    manual = (HERE.parents[2] / "docs" / "rhand.md").read_text()
    rows = re.findall(r"^\| ((?:SPX?-\d+a?(?: to |, )?)+) \| .* \| ((?:`\w+\.py`(?:, )?)+) \|$", manual, re.MULTILINE)
    told: set[str] = set()
    for ids, files in rows:
        found = set(re.findall(r"SPX?-\d+a?", ids))
        for kind, first, last in re.findall(r"(SPX?)-(\d+) to SPX?-(\d+)", ids):
            found |= {f"{kind}-{number:0{len(first)}}" for number in range(int(first), int(last) + 1)}
        code = "".join(
            (HERE.parents[2] / "engine/rules/rhand" / file).read_text() for file in re.findall(r"\w+\.py", files)
        )
        for rule in re.findall(r"SPX?-\d+a?", ids):
            assert rule in code, (rule, files)
        told |= found
    assert told >= {rule.id for rule in rules().book() if rule.id.startswith("SP")}
