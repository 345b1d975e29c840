"""Reading dice: what faces add up to, and a check in words that can be read back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from events.facts import DiceRolled, RollCalled, Test
from events.notation import Dice, parse
from events.throws import Target

_WORDS: dict[Test, str] = {"at_most": "<=", "below": "<", "at_least": ">=", "above": ">"}
_PRINTED = re.compile(
    r"\[(?P<dice>[^\]]+)\] rolled (?P<faces>[-\d, ]*) = (?P<total>-?\d+)"
    r"(?: (?P<test><=|<|>=|>) (?P<target>-?\d+): (?P<result>yes|no))?$"
)


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What dice showed. `success` is None for a roll that is looked up in a table."""

    total: int
    success: bool | None
    faces: tuple[int, ...]


@lru_cache(maxsize=1024)
def dice_of(text: str) -> Dice:
    """Return parsed notation, kept for the next time."""
    return parse(text)


def passes(test: Test, total: int, target: int) -> bool | None:
    """Compare a total with its target; None if there is nothing to reach."""
    return None if test == "read" else Target(test, target).met(total)


def read_roll(call: RollCalled, faces: Sequence[int]) -> Reading:
    """Work out a roll from its call and faces. Raises `NotationError` if the faces do not fit the dice."""
    total = dice_of(call.dice).total(faces)
    if call.adds_to == "total":
        total += sum(term.value for term in call.terms)
    return Reading(total, passes(call.test, total, call.target), tuple(faces))


def print_roll(call: RollCalled, rolled: DiceRolled) -> str:
    """Tell a roll in one line that `read_printed` can read back.

    The terms come first, then the dice, faces, total and verdict; every number is the recorded one.
    """
    terms = " ".join(f"{term.value:+d} {term.label}" for term in call.terms)
    faces = ", ".join(map(str, rolled.faces))
    line = f"{call.purpose}" + (f" ({terms})" if terms else "") + f" [{call.dice}] rolled {faces} = {rolled.total}"
    if rolled.success is not None:
        line += f" {_WORDS[call.test]} {call.target}: {'yes' if rolled.success else 'no'}"
    return line


class Printed(msgspec.Struct, frozen=True, gc=False):
    """A check as its printed line states it, with the verdict that its own numbers give."""

    dice: str
    faces: tuple[int, ...]
    total: int
    target: int | None
    said: bool | None
    worked_out: bool | None


def read_printed(line: str) -> Printed:
    """Read a printed check back and judge it anew from what is printed. Raises ValueError if it is not one."""
    found = _PRINTED.search(line)
    if found is None:
        raise ValueError(f"not a printed check: {line!r}")
    faces = tuple(int(face) for face in found["faces"].split(",") if face.strip())
    total = int(found["total"])
    if found["test"] is None:
        return Printed(found["dice"], faces, total, None, None, None)
    test = next(name for name, word in _WORDS.items() if word == found["test"])
    target = int(found["target"])
    return Printed(found["dice"], faces, total, target, found["result"] == "yes", passes(test, total, target))
