"""Every check of every battle that comes along reads back as it was recorded, with the chance that its dice give."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.cli.demo import play_out
from engine.opening import read_scenario
from engine.rules.rule_set import find_rules
from events.dresda import MoraleTested, RiderThrown
from events.facts import DiceRolled, RollCalled
from events.rhand import Struck
from events.store.sqlite import SqliteLog
from projections.dice.fairness import faces_of
from projections.dice.ledger import is_kind, kind_of, line_ledger, read_ledger
from projections.dice.ledger_text import find_printed
from projections.dice.luck import checks_of
from projections.dice.rolls import dice_of, print_roll, read_printed
from projections.dice.table_results import result_of
from projections.journal import caption
from replays.audit.dice_proof import proof_of, recipe_for
from replays.html_replay.page import dice_of_film, html_replay
from replays.seek import steps
from tests.table import Table, open_battle

SCENARIOS = sorted((Path(__file__).resolve().parent.parent / "scenarios").glob("*.toml"))


@pytest.fixture(scope="module", params=SCENARIOS, ids=lambda path: path.stem)
def battle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Play a scenario by drill to its end."""
    scenario = replace(read_scenario(request.param), referee="absent", by_hand=())
    log = SqliteLog(tmp_path_factory.mktemp("dice") / "war.db", durability="normal")
    open_battle(log, "b", scenario)
    table = Table(log, "b", find_rules(scenario.rule_set))
    play_out(table.door, table, lambda done: None)
    return table


def test_l36_what_is_shown_is_what_was_reckoned(battle: Table) -> None:
    calls: dict[str, RollCalled] = {}
    checked = 0
    for step in steps(battle.log, battle.fold, battle.line):
        if isinstance(step.event, RollCalled):
            calls[step.event.key] = step.event
        if not isinstance(step.event, DiceRolled):
            continue
        call = calls[step.event.key]
        printed = read_printed(print_roll(call, step.event))
        assert (printed.said, printed.worked_out) == (step.event.success, step.event.success)
        assert (printed.faces, printed.total) == (step.event.faces, step.event.total)
        assert len(printed.faces) == len(dice_of(call.dice).faces())
        assert print_roll(call, step.event) in caption(battle.fold, step.event, step.before)
        checked += 1
    entries = read_ledger(battle.log, "b")
    assert len(entries) == checked
    assert [entry.remarks for entry in entries if entry.remarks] == []


def test_every_die_of_a_finished_battle_is_proved(battle: Table) -> None:
    entries = read_ledger(battle.log, "b")
    assert proof_of(battle.view).verdict.proved == len(entries)
    for entry in entries[:5]:
        assert recipe_for(battle.view, entry.key).faces == entry.faces


def test_the_row_that_a_roll_was_read_in_is_the_one_that_took_effect(battle: Table) -> None:
    """The record names rows by their chances alone; what came of the roll says which row it was."""
    entries = {entry.key: entry for entry in read_ledger(battle.log, "b")}
    told = 0
    for step in steps(battle.log, battle.fold, battle.line):
        event = step.event
        if isinstance(event, Struck):
            assert result_of(entries[event.key]) == event.location.replace("_", " ")
        elif isinstance(event, RiderThrown):
            assert result_of(entries[event.key]) == event.result
        elif isinstance(event, MoraleTested):
            assert result_of(entries[event.key]) == f"{event.letter} {event.result}"
        else:
            continue
        told += 1
    if "ice" not in battle.fold.name:
        assert told


def test_a_roll_that_is_held_against_another_has_one_winner_at_most(battle: Table) -> None:
    entries = {entry.key: entry for entry in read_ledger(battle.log, "b")}
    pairs = 0
    for entry in entries.values():
        if entry.against:
            assert entries[entry.against].against == entry.key
            mine, theirs = checks_of([entry, entries[entry.against]])
            assert mine.direction == theirs.direction == "opposed"
            assert not (mine.success and theirs.success)
            assert mine.success or theirs.success or entry.total == entries[entry.against].total
            pairs += 1
    if battle.fold.name != "rhand":
        assert pairs


def test_the_bearing_of_a_check_names_kinds_that_there_are(battle: Table) -> None:
    kinds = {kind_of(entry) for entry in read_ledger(battle.log, "b")}
    assert not {name for name in kinds if any(word in name for word in ("<", ">", "~"))}
    if battle.fold.name == "rhand":
        assert {name for name in kinds if is_kind(name, "knockout")}
        bad = [entry for entry in read_ledger(battle.log, "b") if is_kind(kind_of(entry), "knockout")]
        for entry, check in zip(bad, checks_of(bad, bearing=battle.fold.bearing), strict=True):
            assert entry.success is not check.success


def test_the_film_draws_luck_and_faces(battle: Table) -> None:
    entries = line_ledger(battle.log, battle.line)
    assert list(entries) == list(read_ledger(battle.log, "b"))
    page = html_replay(battle.view)
    assert '<title id="luck-title">Luck over time: successes less expectation</title>' in page
    for number, faces in enumerate(faces_of(entries)):
        assert f'<title id="faces{number}-title">Faces of {faces.die} thrown by the generator</title>' in page
    assert len(dice_of_film(battle.view)) < 60_000


def test_a_shown_line_is_found_again(battle: Table) -> None:
    entries = read_ledger(battle.log, "b")
    told = {
        step.record.seq: caption(battle.fold, step.event, step.before)
        for step in steps(battle.log, battle.fold, battle.line)
    }
    for entry in entries[:20]:
        assert entry.seq is not None
        assert entry in find_printed(entries, told[entry.seq])
