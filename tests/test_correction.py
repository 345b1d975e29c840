"""Putting right: undo, strike, amend, adopt, what-if lines; nothing is removed, dice follow a stated policy."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.corrections.plan import Plan, plan
from engine.corrections.request import CorrectionRequest
from engine.errors import BattleClosed, CorrectionNotAllowed, CorrectionRefused
from engine.rules.rule_set import Scenario
from events.commands import Strike
from events.corrections import DicePolicy
from events.store.errors import Conflict
from events.store.sqlite import SqliteLog
from replays.audit.verify import verify
from replays.compare import counts
from replays.lines import adopted, standings
from tests.by_command import answer, ask, may
from tests.table import Table, adopt, apply_correction, branch, open_battle
from tests.toy import ToyRules

SCENARIO = Scenario(
    "A toy fight", "toy", {"red": "Red", "blue": "Blue"}, rest={"red": ["ann", "al"], "blue": ["bob", "ben"]}
)


def fight(path: Path, turns: int = 2) -> Table:
    log = SqliteLog(path, durability="normal")
    ticks = itertools.count(1_700_000_000_000_000)
    open_battle(log, "b", SCENARIO, clock=lambda: next(ticks), rules=ToyRules())
    battle = Table(log, "b", ToyRules(), clock=lambda: next(ticks))
    for _ in range(turns):
        battle.order("red", "ann: hit bob\nal: hit bob")
        battle.order("blue", "bob: hit ann\nben: hit al")
        battle.proceed()
    return battle


@pytest.fixture
def battle(tmp_path: Path) -> Table:
    return fight(tmp_path / "war.db")


def on(battle: Table) -> Table:
    """Sit down at the line that is the battle now."""
    return Table(battle.log, "b", ToyRules(), adopted(battle.log, "b").name)


def event_of(battle: Table, kind: str, nth: int = 0) -> int:
    return [record.seq for record in battle.log.records(battle.line) if record.type == kind][nth]


def faces(battle: Table) -> dict[str, str]:
    found = {}
    for record in battle.log.records(battle.line):
        if record.type == "roll.rolled":
            event = battle.fold.catalogue.read(record.body)
            found[event.key] = str(event.faces)  # type: ignore[attr-defined]
    return found


def undo(battle: Table, seq: int, policy: DicePolicy = "keep") -> Plan:
    return plan(battle, CorrectionRequest("undo", (seq,), "referee", "wrong button", policy))


def hashes(battle: Table) -> list[str]:
    return [record.hash for record in battle.log.records(battle.line)]


def test_a_plan_records_nothing(battle: Table) -> None:
    before = hashes(battle)
    undo(battle, battle.seq)
    assert hashes(battle) == before
    assert [line.name for line in battle.log.lines("b")] == ["main"]


def test_an_undo_is_a_new_line_and_the_old_one_stays_readable(battle: Table) -> None:
    before = hashes(battle)
    apply_correction(battle, undo(battle, battle.seq))
    assert hashes(battle)[: len(before)] == before
    assert [(line.name, line.standing) for line in standings(battle.log, "b")] == [
        ("main", "superseded"),
        ("main.2", "in force"),
    ]
    assert on(battle).state.table.turn == 2
    verify(battle.log, "b")


def test_the_old_line_refuses_to_go_on(battle: Table) -> None:
    apply_correction(battle, undo(battle, battle.seq))
    with pytest.raises(BattleClosed, match=r"superseded by main\.2"):
        battle.proceed()


def test_after_an_undo_that_keeps_the_dice_the_same_rolls_show_the_same_faces(battle: Table) -> None:
    old = faces(battle)
    apply_correction(battle, undo(battle, event_of(battle, "table.act_opened", 2)))
    again = on(battle)
    assert again.state.table.turn == 2
    again.proceed()
    assert faces(again) == old
    assert verify(battle.log, "b").events > 0


def test_after_an_undo_that_rolls_anew_the_old_faces_are_not_used(battle: Table) -> None:
    apply_correction(battle, undo(battle, event_of(battle, "table.act_opened", 2), "reroll-act"))
    again = on(battle)
    again.proceed()
    sources = {
        record.body for record in again.log.records(again.line, again.line.after) if record.type == "roll.rolled"
    }
    assert sources
    assert not [body for body in sources if '"kept"' in body]


def test_two_corrections_at_once_one_wins_and_the_other_gets_a_conflict(battle: Table) -> None:
    first, second = undo(battle, battle.seq), undo(battle, battle.seq)
    apply_correction(battle, first)
    with pytest.raises(Conflict):
        apply_correction(battle, second)
    assert len(battle.log.lines("b")) == 2


def test_striking_one_order_keeps_the_dice_of_all_others(battle: Table) -> None:
    struck = event_of(battle, "order.given", 0)
    made = plan(battle, CorrectionRequest("strike", (struck,), "referee", "ann was asleep", "keep"))
    apply_correction(battle, made)
    old, new = faces(battle), faces(on(battle))
    assert "t1/hit/ann>bob" not in new
    assert {key: new[key] for key in new if key in old} == {key: old[key] for key in new if key in old}
    assert "gone" in {row.what for row in made.rows}


def test_amending_an_order_replays_what_came_after_it(battle: Table) -> None:
    made = plan(
        battle,
        CorrectionRequest(
            "amend", (event_of(battle, "order.given", 0),), "referee", "typo", "keep", text="ann: hit ben"
        ),
    )
    assert counts(made.rows)["different"] + counts(made.rows)["new"] > 0
    apply_correction(battle, made)
    again = on(battle)
    assert "t1/hit/ann>ben" in faces(again)
    Readjudicator(again.log, again.line, ToyRules()).run()


@pytest.mark.parametrize("value", [-1, 1])
def test_l06_a_forgotten_modifier_changes_the_target_and_keeps_the_dice(battle: Table, value: int) -> None:
    roll = event_of(battle, "roll.called", 0)
    made = plan(battle, CorrectionRequest("amend", (roll,), "referee", "smoke", "keep", modifier=("smoke", value)))
    apply_correction(battle, made)
    again = on(battle)
    assert faces(again) == faces(battle)
    call = next(
        event
        for record in again.log.records(again.line, again.line.after)
        if (event := again.fold.catalogue.read(record.body)).__struct_config__.tag == "roll.called"
    )
    assert call.target == 4 + value  # type: ignore[attr-defined]
    assert call.chances[0].of * 6 == (3 - value) * call.chances[0].out_of  # type: ignore[attr-defined]
    Readjudicator(again.log, again.line, ToyRules()).run()
    verify(again.log, "b")


def test_amending_a_die_enters_the_right_faces(battle: Table) -> None:
    roll = event_of(battle, "roll.rolled", 0)
    apply_correction(
        battle, plan(battle, CorrectionRequest("amend", (roll,), "referee", "misread", "keep", faces=(6,)))
    )
    again = on(battle)
    key = next(iter(faces(battle)))
    assert faces(again)[key] == "(6,)"


@pytest.mark.parametrize(("policy", "anew"), [("reroll-act", 1), ("reroll-phase", 4)])
def test_l09_a_dice_policy_says_which_dice_are_thrown_again(battle: Table, policy: DicePolicy, anew: int) -> None:
    order = event_of(battle, "order.given", 0)
    made = plan(battle, CorrectionRequest("amend", (order,), "referee", "wrong modifier", policy, text="ann: hit bob"))
    apply_correction(battle, made)
    again = on(battle)
    drawn = [
        r for r in again.log.records(again.line, again.line.after) if r.type == "roll.rolled" and "kept" not in r.body
    ]
    assert len([record for record in drawn if '"t1/' in record.body]) == anew


def test_undoing_an_undo_brings_the_old_end_back(battle: Table) -> None:
    end = battle.fold.picture(battle.state)
    apply_correction(battle, undo(battle, battle.seq))
    adopt(on(battle), "main", "referee", "the undo was wrong")
    again = on(battle)
    assert again.line.name == "main.3"
    assert battle.fold.picture(again.state) == end
    again.order("red", "ann: hit ben")
    again.proceed()
    verify(battle.log, "b")


def test_what_cannot_be_played_again_is_held_for_the_referee(battle: Table) -> None:
    first = event_of(battle, "order.given", 0)
    battle.state_fact("ann: health 0", "struck by lightning")
    made = plan(
        battle, CorrectionRequest("strike", (event_of(battle, "table.act_opened", 0),), "referee", "too early", "keep")
    )
    assert first
    assert made.held
    apply_correction(battle, made)
    again = on(battle)
    number = again.state.table.held[0].number
    again.settle(number, why="not needed")
    assert number not in [held.number for held in again.state.table.held]
    with pytest.raises(CorrectionRefused, match="nothing is deferred under"):
        again.settle(number)


def test_a_what_if_line_leaves_its_parent_alone_and_has_dice_of_its_own(battle: Table) -> None:
    before = hashes(battle)
    line = branch(battle, "bold", event_of(battle, "table.act_opened", 2) - 1, "referee", "what if")
    bold = Table(battle.log, "b", ToyRules(), line.name)
    bold.proceed()
    assert hashes(battle) == before
    assert not line.played
    assert {key for key in faces(bold) if key.startswith("t2/")} == {
        key for key in faces(battle) if key.startswith("t2/")
    }
    verify(battle.log, "b")


def test_two_what_if_lines_can_share_their_dice(battle: Table) -> None:
    point = event_of(battle, "table.act_opened", 2) - 1
    for name in ("one", "two"):
        branch(battle, name, point, "referee", "compare", dice_of="one")
    one, two = (Table(battle.log, "b", ToyRules(), name) for name in ("one", "two"))
    one.proceed()
    two.order("red", "al: hit ben")
    two.proceed()
    shared = set(faces(one)) & set(faces(two))
    assert "t2/hit/ann>bob" in shared
    assert all(faces(one)[key] == faces(two)[key] for key in shared)
    verify(battle.log, "b")


def test_a_fact_is_stated_here_and_now(battle: Table) -> None:
    battle.state_fact("bob: health 3", "he was only shamming")
    assert "bob:3" in battle.fold.picture(battle.state)
    Readjudicator(battle.log, battle.line, ToyRules()).run()


def player_battle(path: Path, policy: str, **more: str) -> Table:
    log = SqliteLog(path, durability="normal")
    scenario = msgspec.structs.replace(SCENARIO, options={"corrections": policy, **more})
    open_battle(log, "b", scenario, rules=ToyRules())
    battle = Table(log, "b", ToyRules())
    battle.order("red", "ann: hit bob")
    return battle


def test_l01_one_can_ask_beforehand_whether_an_undo_is_possible(tmp_path: Path) -> None:
    battle = player_battle(tmp_path / "war.db", "before-dice")
    order = battle.seq
    assert may(battle, "red", [order]).allowed
    battle.proceed()
    late = may(battle, "red", [order])
    assert (late.allowed, late.code) == (False, "dice-after")
    assert str(event_of(battle, "roll.rolled")) in late.reason
    assert may(battle, "referee", [order]).allowed


def test_l02_nobody_undoes_what_somebody_else_did(tmp_path: Path) -> None:
    battle = player_battle(tmp_path / "war.db", "free")
    head = battle.log.head(battle.line)
    assert may(battle, "blue", [battle.seq]).code == "not-yours"
    with pytest.raises(CorrectionNotAllowed):
        battle.give(Strike, seat="blue", events=(battle.seq,), why="no")
    assert battle.log.head(battle.line) == head


def test_l09_the_right_to_correct_lapses_when_the_next_turn_begins(tmp_path: Path) -> None:
    battle = player_battle(tmp_path / "war.db", "free", corrections_lapse="turn")
    order = battle.seq
    battle.proceed()
    assert may(battle, "red", [order]).code == "lapsed"
    assert may(battle, "referee", [order]).code == "lapsed"
    assert may(battle, "referee", [order], overrides=True).allowed


def test_consent_is_asked_for_given_and_recorded(tmp_path: Path) -> None:
    battle = player_battle(tmp_path / "war.db", "consent")
    order = battle.seq
    battle.order("blue", "bob: hit ann")
    assert may(battle, "red", [order]).needed == ("blue",)
    assert ask(battle, "red", "strike", [order], "wrong target").number == 1
    granted = answer(battle, "blue", 1, True, "fine").granted
    assert isinstance(granted, Strike)
    assert granted.events == (order,)
    assert may(battle, "red", [order]).code == "needs-consent"  # consent is for the command that was asked for
    assert [record.type for record in battle.log.records(battle.line)][-2:] == ["ruling.asked_for", "ruling.answered"]


def test_a_refused_request_is_closed(tmp_path: Path) -> None:
    battle = player_battle(tmp_path / "war.db", "consent")
    order = battle.seq
    battle.order("blue", "bob: hit ann")
    ask(battle, "red", "undo", [order], "wrong target")
    answer(battle, "blue", 1, False, "no")
    assert not may(battle, "red", [order]).allowed
    with pytest.raises(CorrectionRefused):
        answer(battle, "blue", 1, True, "")


def test_only_the_referee_corrects_unless_the_battle_says_otherwise(battle: Table) -> None:
    assert may(battle, "red", [event_of(battle, "order.given")]).code == "referee-only"
