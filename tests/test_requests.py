"""Idempotency keys: the same command with the same key is done once; the same key with anything else is an error."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.commands import (
    AddBookmark,
    AddClientSeed,
    AddNote,
    Adopt,
    AnyCommand,
    AskConsent,
    LetStand,
    OpenBattle,
    OpenBranch,
    Proceed,
    StateFact,
    Strike,
    SubmitOrders,
    Undo,
)
from events.store.errors import Conflict, EventUnknown, RequestReused
from events.store.memory import MemoryLog
from tests.table import Table
from tests.test_permissions import heads, table

NOTE = AddNote(battle="b", seat="red", text="a word", request="k")


@pytest.fixture
def battle() -> Table:
    """A battle of one turn, with a what-if line."""
    made = table(corrections="consent")
    made.proceed()
    made.give(OpenBranch, name="what")
    return made


@pytest.mark.parametrize(
    ("command", "other"),
    [
        (NOTE, {"seat": "blue"}),
        (NOTE, {"text": "another word"}),
        (NOTE, {"line": "what"}),
        (AddClientSeed(battle="b", seat="red", seed="s", request="k"), {"seat": "blue"}),
        (Proceed(battle="b", act="t2/blows", request="k"), {"act": "t9/blows"}),
        (Proceed(battle="b", request="k"), {"line": "what"}),
        (SubmitOrders(battle="b", seat="red", text="ann: hit bob", request="k"), {"seat": "referee"}),
        (LetStand(battle="b", events=(6,), why="x", request="k"), {"seat": "red"}),
        (AddBookmark(battle="b", name="here", request="k"), {"point": "3"}),
        (OpenBranch(battle="b", name="other", request="k"), {"dice_of": "other"}),
        (Undo(battle="b", why="x", request="k"), {"dice": "reroll-act"}),
        (StateFact(battle="b", text="ann: health 2", why="x", request="k"), {"why": "y"}),
    ],
)
def test_a_key_that_comes_again_with_something_else_is_refused(
    battle: Table, command: AnyCommand, other: dict[str, Any]
) -> None:
    try:
        battle.door.execute(command)
    except RequestReused:
        raise AssertionError("the key is new") from None
    before = heads(battle)
    changed: Any = replace(command, **other)
    with pytest.raises(RequestReused):
        battle.door.execute(changed)
    assert heads(battle) == before


@pytest.mark.parametrize(
    "command",
    [
        NOTE,
        Undo(battle="b", why="x", request="k"),
        Undo(battle="b", point="-1", why="x", request="k"),
        Strike(battle="b", events=(6,), why="x", request="k"),
        LetStand(battle="b", why="x", request="k"),
        Adopt(battle="b", other="what", why="x", request="k"),
        OpenBranch(battle="b", name="other", request="k"),
        AddBookmark(battle="b", name="here", request="k"),
        Proceed(battle="b", request="k"),
    ],
)
def test_a_request_is_done_once_however_often_it_comes(battle: Table, command: AnyCommand) -> None:
    first = battle.door.execute(command)
    after = heads(battle)
    assert not first.repeated
    for _ in range(3):
        again = battle.door.execute(command)
        assert again.repeated
        assert (again.line, again.first, again.last, again.new_line) == (
            first.line, first.first, first.last, first.new_line,
        )  # fmt: skip
    assert heads(battle) == after


def test_a_request_from_before_a_correction_is_still_known_by_its_line(battle: Table) -> None:
    battle.door.execute(NOTE)
    corrected = battle.door.execute(Undo(battle="b", before=6, why="x", request="u"))
    assert battle.door.execute(NOTE).repeated
    assert battle.door.execute(replace(NOTE, line="main")).repeated
    with pytest.raises(RequestReused):
        battle.door.execute(replace(NOTE, line=corrected.new_line))


def test_asking_for_consent_twice_with_one_key_is_one_request(battle: Table) -> None:
    wanted = Strike(battle="b", seat="red", events=(6,), why="x")
    command = AskConsent(battle="b", seat="red", correction=wanted, request="k")
    assert battle.door.execute(command).number == battle.door.execute(command).number == 1


def test_opening_a_battle_is_a_request_too() -> None:
    from engine.door import Door
    from engine.scenario_files import find_scenario

    text = find_scenario("dresda_skirmish").read_text(encoding="utf-8")
    door = Door(MemoryLog())
    command = OpenBattle(battle="ford", scenario=text, request="k")
    first = door.execute(command)
    assert door.execute(command) == replace(first, repeated=True)
    with pytest.raises(RequestReused):
        door.execute(replace(command, referee="absent"))


@pytest.mark.parametrize("command", [NOTE, Undo(battle="b", why="x"), OpenBranch(battle="b", name="other")])
def test_a_command_for_an_older_head_is_refused_with_what_came_between(battle: Table, command: Any) -> None:
    seen = battle.seq
    battle.note("blue", "between")
    before = heads(battle)
    with pytest.raises(Conflict) as conflict:
        battle.door.execute(replace(command, request="", expected=seen))
    assert [record.seq for record in conflict.value.between] == [seen + 1]
    with pytest.raises(EventUnknown):
        battle.door.execute(replace(command, request="", expected=seen + 99))
    assert heads(battle) == before
    battle.door.execute(replace(command, request="", expected=seen + 1))
