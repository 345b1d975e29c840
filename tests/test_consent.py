"""Consent is given to one correction, as things stand, and to nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import CorrectionNotAllowed, CorrectionRefused
from events.commands import Amend, AnswerConsent, AnyCommand, AskConsent, Strike, Undo
from events.corrections import Corrected
from tests.table import Table
from tests.test_permissions import table
from tests.toy_desk import Desk

__all__ = ["desk"]
OWN = 6
STRIKE = Strike(battle="b", seat="red", events=(OWN,), why="a slip")
UNDO = Undo(battle="b", seat="red", before=OWN, why="a slip")
AMEND = Amend(battle="b", seat="red", event=OWN, text="ann: curse bob", why="a slip")


@pytest.fixture
def battle() -> Table:
    """Orders of red and then of blue, where corrections take consent."""
    return table(corrections="consent")


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Desk:
    from tests.toy import ToyRules

    return Desk(tmp_path, ToyRules(), monkeypatch)


def ask(battle: Table, command: Any) -> int:
    return battle.give(AskConsent, seat="red", correction=command).number


def consents(battle: Table, number: int, seat: str = "blue") -> Any:
    return battle.give(AnswerConsent, seat=seat, number=number, consents=True).granted


@pytest.mark.parametrize("command", [STRIKE, UNDO, AMEND])
def test_what_was_consented_to_is_granted_and_can_be_done_once(battle: Table, command: Any) -> None:
    with pytest.raises(CorrectionNotAllowed):
        battle.execute(command)
    granted = consents(battle, ask(battle, command))
    assert replace(granted, line="") == command
    answer = battle.execute(command)
    corrected = [event for _, event in battle.door.battle("b", answer.new_line).view.events(Corrected)]
    assert [(each.by, each.consents) for each in corrected] == [("red", ("blue",))]
    assert "by red, with the consent of blue" in str(
        [battle.view.caption(frame) for frame in battle.door.battle("b", answer.new_line).view.frames(5)]
    )


@pytest.mark.parametrize("asked", [STRIKE, UNDO, AMEND])
@pytest.mark.parametrize(
    "given",
    [
        STRIKE,
        UNDO,
        AMEND,
        replace(AMEND, text="ann: chant"),
        replace(STRIKE, events=(7,)),
        replace(STRIKE, seat="blue"),
        Undo(battle="b", seat="red", point="6", why="more"),
    ],
)
def test_consent_to_one_correction_is_none_to_another(battle: Table, asked: AnyCommand, given: AnyCommand) -> None:
    consents(battle, ask(battle, asked))
    if given == asked:
        battle.execute(given)
        return
    with pytest.raises(CorrectionNotAllowed):
        battle.execute(given)


def test_other_words_of_the_reason_are_the_same_correction(battle: Table) -> None:
    consents(battle, ask(battle, STRIKE))
    battle.execute(replace(STRIKE, why="as agreed"))


@pytest.mark.parametrize("between", ["order", "next"])
def test_consent_is_gone_when_the_battle_has_moved_on(battle: Table, between: str) -> None:
    consents(battle, ask(battle, UNDO))
    if between == "order":
        battle.order("blue", "bob: curse ann")
    else:
        battle.proceed()
    with pytest.raises(CorrectionNotAllowed):
        battle.execute(UNDO)
    assert ask(battle, UNDO) == 2


def test_notes_and_other_requests_leave_consent_as_it_is(battle: Table) -> None:
    number = ask(battle, STRIKE)
    battle.note("blue", "let me think")
    ask(battle, UNDO)
    consents(battle, number)
    battle.note("red", "thank you")
    battle.execute(STRIKE)


def test_the_same_request_is_one(battle: Table) -> None:
    ask(battle, STRIKE)
    with pytest.raises(CorrectionRefused, match=r"request no\. 1 asks for exactly this: blue must still consent"):
        ask(battle, STRIKE)
    assert ask(battle, UNDO) == 2


def test_what_is_asked_for_says_what_goes_with_it(battle: Table) -> None:
    ask(battle, UNDO)
    asked = battle.state.table.requests[1]
    assert (asked.head, asked.along, asked.needed) == (7, (7,), ("blue",))


def test_only_those_who_are_asked_answer(battle: Table) -> None:
    number = ask(battle, STRIKE)
    with pytest.raises(CorrectionRefused, match="no request 1 waits for red"):
        consents(battle, number, "red")
    assert consents(battle, number, "referee") is not None


def test_dice_are_not_rerolled_by_consent(battle: Table) -> None:
    with pytest.raises(CorrectionNotAllowed, match="rerolled"):
        ask(battle, replace(STRIKE, dice="reroll-act"))


def test_the_command_line_says_what_to_type_once_all_have_consented(desk: Desk) -> None:
    desk.new(corrections="consent")
    desk.orders()
    own = desk.seq_of("order.given")
    assert "wardiary consent b blue 1" in desk.run("ask", "b", "red", "strike", own, "--why", "a slip")
    told = desk.run("consent", "b", "blue", 1)
    typed = f"wardiary strike b {own} --seat red --dice keep --why 'a slip'"
    assert "all have consented" in told
    assert typed in told
    desk.run("strike", "b", own, "--seat", "red", "--dice", "keep", "--why", "a slip")


def test_the_answer_after_an_undo_is_asked_for_names_the_point_to_go_back_to(desk: Desk) -> None:
    desk.new(corrections="consent")
    desk.orders()
    own = desk.seq_of("order.given")
    desk.run("ask", "b", "red", "undo", own, "--why", "a slip")
    assert f"wardiary undo b {own - 1} --seat red" in desk.run("consent", "b", "blue", 1)
    desk.run("undo", "b", own - 1, "--seat", "red", "--dice", "keep", "--why", "a slip")
