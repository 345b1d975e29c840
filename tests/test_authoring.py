"""Tools for authors: the skeleton works at once, and each fault of a rule set is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import newgame
import pytest
from msgspec import Struct
from msgspec.structs import replace
from newgame.facts import Hurt, Placed
from newgame.rule_set import NewGame, Strike
from newgame.state import REDUCERS, Field

from engine.authoring.bare import NeverEnds
from engine.authoring.checks import chances_of, digest_of, floats_in, played_elsewhere
from engine.authoring.new import NameUnfit, new_rule_set
from engine.output import OutputRefused
from engine.rules.book import Book
from wardiary.facts import BattleEnded, Caption, Event, Fold, RollCalled, RulingRequested, TurnBegan
from wardiary.rules import AnyOrder, OrderNotAllowed, Procedure, RollFor, Situation, ask, in_table
from wardiary.testing import (
    BareBattle,
    check_definition,
    check_play,
    check_record,
    check_samples,
    read_scenario,
    resolve,
)

HOME = Path(newgame.__file__).parent
SCENARIO = read_scenario(HOME / "scenario.toml")
ROOT = Path(__file__).resolve().parent.parent


def run(*words: str, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env={**os.environ, **env}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# -- the skeleton ------------------------------------------------------------------------------------------------------


def test_a_new_rule_set_can_be_installed_checked_and_passes_its_own_tests(tmp_path: Path) -> None:
    target = tmp_path / "border_war"
    new_rule_set("border_war", target)
    pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target"]
    run(*pip, str(tmp_path / "site"), str(target), cwd=tmp_path)
    path = os.pathsep.join([str(tmp_path / "site"), str(ROOT)])
    tests = run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(target / "tests"), cwd=target, PYTHONPATH=path)
    assert "4 passed" in tests
    told = run("-m", "wardiary", "rules", "--check", "border_war", cwd=tmp_path, PYTHONPATH=path)
    assert told.splitlines()[-1] == "nothing is wrong"
    assert "BO-2  A blow [built]" in run("-m", "wardiary", "rules", "border_war", cwd=tmp_path, PYTHONPATH=path)


@pytest.mark.parametrize("name", ["Border", "2nd", "a-b", "a__b", "", "x" * 31, "rhand"])
def test_a_name_that_no_package_can_have_or_that_is_taken_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(NameUnfit):
        new_rule_set(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_skeleton_is_never_written_over_something(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(OutputRefused, match="it is not empty"):
        new_rule_set("border_war", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


# -- battles without a log ---------------------------------------------------------------------------------------------


def test_dice_are_those_given_and_else_follow_from_seed_and_key_alone() -> None:
    def hurts(seed: str, sheet: str, faces: dict[str, tuple[int, ...]] | None = None) -> list[str]:
        battle = BareBattle(NewGame(), SCENARIO, seed=seed, faces=faces)
        battle.order("referee", sheet)
        return [event.key for event in battle.proceed() if isinstance(event, Hurt)]

    alone, both = (hurts("s", sheet) for sheet in ("bob: strike ann", "al: strike bob\nbob: strike ann"))
    assert [key for key in both if "bob>" in key] == alone
    assert {tuple(hurts(str(seed), "bob: strike ann")) for seed in range(20)} == {(), ("t1/blows/bob>ann",)}
    assert [hurts("s", "bob: strike ann", {"t1/blows/bob>ann": (face,)}) for face in (3, 4)] == [
        [],
        ["t1/blows/bob>ann"],
    ]


def test_what_the_rules_forbid_and_other_seats_pieces_are_refused() -> None:
    battle = BareBattle(NewGame(), SCENARIO)
    with pytest.raises(OrderNotAllowed, match="al is on the same side"):
        battle.order("red", [Strike("ann", "al")])
    with pytest.raises(OrderNotAllowed, match="bob takes orders from blue, not from red"):
        battle.order("red", "bob: strike ann")


def test_one_procedure_can_be_run_alone_with_an_answer() -> None:
    def duel() -> Procedure:
        if (yield from ask(RulingRequested("t1/fair", "NG-1", "is it fair?", ("yes", "no"), "no"))) == "yes":
            yield Hurt("ann", "bob", "NG-1", "")

    battle = BareBattle(NewGame(), SCENARIO)
    made = resolve(NewGame(), battle.situation, duel(), answers={"t1/fair": "yes"})
    assert isinstance(made[-1], Hurt)
    assert battle.state.fighters["ann"].health == 1
    assert not isinstance(resolve(NewGame(), battle.situation, duel())[-1], Hurt)


class Idle(NewGame):
    def autoplay(self, situation: Situation[Field, Any], seat: str) -> Sequence[AnyOrder]:
        return ()


def test_a_battle_that_does_not_end_by_itself_is_stopped() -> None:
    with pytest.raises(NeverEnds, match="after 7 acts"):
        BareBattle(Idle(), SCENARIO).autoplay(most_acts=7)


# -- what the checks find ----------------------------------------------------------------------------------------------


class Variant(NewGame):
    """A rule set with a fault, over the same list of rules."""

    def book(self) -> Book:
        return NewGame().book()


class Counting(Variant):
    """Does something the first time that it does not do again."""

    runs = 0

    def _blows(self, situation: Situation[Field, Any], act: str) -> Procedure:
        Counting.runs += 1
        if Counting.runs == 1:
            yield Hurt("ann", "bob", "NG-2", "")
        yield from super()._blows(situation, act)


class Careless(Variant):
    """Cites a rule that is not there, states a chance that is wrong, and asks the same in each turn."""

    def _blows(self, situation: Situation[Field, Any], act: str) -> Procedure:
        call = in_table(RollFor("omen", "an omen", "red", "ann", "NG-9"), "d6", lambda total: "good")
        yield replace(call, chances=(replace(call.chances[0], of=5),))
        yield from super()._blows(situation, act)


def test_a_rule_set_without_a_fault_has_no_findings() -> None:
    found, battle = check_play(NewGame(), SCENARIO)
    assert found + list(check_definition(NewGame())) == []
    assert battle.over


def test_play_that_depends_on_what_was_before_is_found_twice_over() -> None:
    Counting.runs = 0
    found, _ = check_play(Counting(), SCENARIO)
    assert any(problem.startswith("played twice with the same dice") for problem in found)
    assert any(problem.startswith("adjudicated again the battle comes out otherwise: ") for problem in found)


def test_unknown_rules_wrong_chances_and_keys_used_again_are_each_told_once() -> None:
    found, battle = check_play(Careless(), SCENARIO)
    assert battle.state.table.turn > 2
    assert found == [
        "RollCalled cites 'NG-9', which is not on the list of rules; did you mean NG-2 or NG-1?",
        "the roll omen: its chances come to 5/6, not to 1",
        "'omen' is asked in two acts: put the turn and the act into the key",
    ]


def test_a_stated_chance_must_be_that_of_the_dice() -> None:
    call = next(event for event in check_play(NewGame(), SCENARIO)[1].events if isinstance(event, RollCalled))
    wrong = replace(call, chances=(replace(call.chances[0], of=2, out_of=3),))
    assert list(chances_of(call)) == []
    assert list(chances_of(wrong)) == [f"the roll {call.key}: it states a chance of 2 in 3, the dice give 1/2"]
    assert list(chances_of(replace(call, chances=()))) == [f"the roll {call.key}: it states no chance"]


def test_a_caption_that_fails_or_tells_nothing_is_named() -> None:
    captions: dict[type[Event], Caption] = {
        Placed: lambda event, before: event.nothing,
        Hurt: lambda event, before: " ",
    }
    fold = Fold("newgame", (Placed, Hurt), Field(), REDUCERS, captions, str)
    events: list[Event] = [Placed("ann", "red", 2), Hurt("ann", "bob", "NG-2", "k"), TurnBegan(2), BattleEnded("over")]
    assert list(check_record(fold, NewGame().book(), events)) == [
        "the caption of Placed fails: AttributeError: 'Placed' object has no attribute 'nothing'",
        "the caption of Hurt tells nothing",
    ]


class Inner(Struct, frozen=True):
    weight: float


class Heavy(Struct, frozen=True):
    name: str
    parts: dict[str, tuple[Inner, ...]]
    speed: float | None = None
    whole: int = 0


def test_a_float_is_found_however_deep_it_lies() -> None:
    assert [problem.partition(" ")[0] for problem in floats_in(Heavy)] == ["Heavy.parts", "Heavy.speed"]


def test_a_rule_id_in_the_code_that_is_not_on_the_list_is_found_with_its_line(tmp_path: Path) -> None:
    from engine.authoring.checks import cited

    (tmp_path / "moves.py").write_text('"""NG-1 and NG-2a."""\n\nRULE = "NG-7"  # XX-3 is somebody else\'s\n')
    assert list(cited(NewGame().book(), tmp_path)) == [
        "moves.py line 1: NG-2a is not on the list of rules; did you mean NG-2 or NG-1?",
        "moves.py line 3: NG-7 is not on the list of rules; did you mean NG-2 or NG-1?",
    ]


def samples(tmp_path: Path, text: str, played: Sequence[Event] = ()) -> Iterator[str]:
    (tmp_path / "samples.json").write_text(text)
    return check_samples(NewGame().fold(), tmp_path / "samples.json", played)


def test_a_type_without_a_sample_is_named_with_the_line_to_add(tmp_path: Path) -> None:
    placed = Placed("ann", "red", 2)
    line = '{"type":"newgame.placed","fighter":"ann","seat":"red","health":2}'
    assert list(samples(tmp_path, "[]", [placed])) == [
        "samples.json: no sample of newgame.hurt",
        f"samples.json: no sample of newgame.placed; add {line}",
    ]


def test_samples_of_a_type_that_is_gone_or_was_changed_are_named(tmp_path: Path) -> None:
    whole = (HOME / "samples.json").read_text()
    assert list(samples(tmp_path, whole)) == []
    gone = whole.replace("\n]", ',\n{"type":"newgame.fled","fighter":"ann"}\n]')
    assert list(samples(tmp_path, gone)) == [
        "samples.json: the type newgame.fled is gone, but old records hold it: keep it, or give an upcast"
    ]
    changed = whole.replace('"health":2', '"health":2,"rank":1')
    (problem,) = samples(tmp_path, changed)
    assert "a changed type needs a new version" in problem
    (problem,) = samples(tmp_path, "{}")
    assert problem.startswith("samples.json: not a JSON list of stored events")


def test_play_in_another_process_gives_the_same_digest() -> None:
    from engine.rules.rule_set import find_rules
    from engine.scenario_files import find_scenario

    path = find_scenario("rhand_duel")
    _, battle = check_play(find_rules("rhand"), read_scenario(path))
    assert played_elsewhere("rhand", path) == digest_of(battle.events)
    assert digest_of(battle.events[:-1]) != digest_of(battle.events)
