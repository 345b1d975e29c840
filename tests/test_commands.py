"""Commands: what makes two of them the same, and that each survives being written down."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from engine.door import STEPS
from engine.permissions import WHO_MAY
from events.commands import (
    Adopt,
    Amend,
    AnyCommand,
    AskConsent,
    Command,
    LetStand,
    OpenBattle,
    OpenBranch,
    Strike,
    Undo,
    canonical,
    read_command,
)

KINDS: tuple[type[Command], ...] = get_args(AnyCommand)


def any_of(kind: type[Command]) -> st.SearchStrategy[Command]:
    """Any command of a kind, with something in every field."""
    own = {field.name: st.from_type(field.type) for field in fields(kind)}
    if kind is AskConsent:
        own["correction"] = st.one_of(*(any_of(each) for each in (Undo, Strike, Amend)))
    return st.builds(kind, **own)


commands = st.sampled_from(KINDS).flatmap(any_of)


@given(commands)
def test_a_command_is_read_back_from_its_canonical_bytes(command: Any) -> None:
    asked = replace(command, expected=None, request="")
    assert read_command(canonical(command)) == asked
    assert canonical(read_command(canonical(command))) == canonical(command)


@given(commands, commands)
def test_two_commands_have_the_same_bytes_only_if_they_ask_for_the_same(one: Any, other: Any) -> None:
    bare = [replace(each, expected=None, request="") for each in (one, other)]
    assert (canonical(one) == canonical(other)) == (bare[0] == bare[1])


@given(commands, st.integers(), st.text())
def test_when_a_command_is_given_and_under_which_key_is_not_what_it_asks(command: Any, seen: int, key: str) -> None:
    assert canonical(replace(command, expected=seen, request=key)) == canonical(command)


@given(commands)
def test_an_empty_line_stands_for_the_one_that_is_adopted(command: Any) -> None:
    named = replace(command, line="main")
    assert canonical(replace(command, line=""), "main") == canonical(named) == canonical(named, "what")


def test_the_order_of_keys_is_not_what_is_asked() -> None:
    from events.commands import EnterDice

    one: dict[str, tuple[int, ...] | None] = {"a": (1,), "b": None}
    other: dict[str, tuple[int, ...] | None] = {"b": None, "a": (1,)}
    assert canonical(EnterDice(battle="b", dice=one)) == canonical(EnterDice(battle="b", dice=other))


@pytest.mark.parametrize("kind", KINDS)
def test_a_command_has_a_tag_of_its_own_and_says_what_it_asks(kind: type[Command]) -> None:
    tag = str(kind.__struct_config__.tag)
    assert tag.startswith("command.")
    assert [each for each in KINDS if each.__struct_config__.tag == tag] == [kind]
    assert kind.__doc__


def test_every_command_is_carried_out_and_has_somebody_who_may_give_it() -> None:
    apart = {OpenBattle, Undo, Strike, Amend, LetStand, Adopt, OpenBranch, AskConsent}
    assert {*STEPS} | apart == {*KINDS}
    assert not {*STEPS} & apart
    assert {*WHO_MAY} == {*KINDS}
