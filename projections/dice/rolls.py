"""Reading dice: what faces add up to, and a check in words that can be read back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec

from events.dice.expression import Target
from events.dice.notation import Dice, parse
from events.facts import DiceRolled, RollCalled, Test

_WORDS: dict[Test, str] = {"at_most": "<=", "below": "<", "at_least": ">=", "above": ">"}
Limits: TypeAlias = tuple[int | None, int | None]
"""The least and the greatest that a rule lets a number be; None where it sets no limit."""

NO_LIMITS: Limits = (None, None)

_PRINTED = re.compile(
    r"(?: = (?P<before>-?\d+) → (?P<after>-?\d+)\) )?"
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


def within_limits(number: int, limits: Limits) -> int:
    """Keep a number within a rule's limits.

    >>> within_limits(-20, (1, 100)), within_limits(-4, (0, None)), within_limits(-4, NO_LIMITS)
    (1, 0, -4)
    """
    low, high = limits
    number = number if low is None else max(number, low)
    return number if high is None else min(number, high)


def limited(before: int, after: int) -> str:
    """Show a number with what a rule's limits left of it.

    >>> limited(-4, 0), limited(3, 3)
    ('-4 → 0', '3')
    """
    return str(after) if before == after else f"{before} → {after}"


def read_roll(call: RollCalled, faces: Sequence[int]) -> Reading:
    """Work out a roll from its call and faces. Raises `NotationError` if the faces do not fit the dice."""
    total = dice_of(call.dice).total(faces)
    if call.adds_to == "total":
        total += sum(term.value for term in call.terms)
    return Reading(total, passes(call.test, total, call.target), tuple(faces))


def print_roll(call: RollCalled, rolled: DiceRolled) -> str:
    """Tell a roll in one line that `read_printed` can read back.

    The terms come first, with what they came to where the rules' limits changed it (`= -20 → 1`), then the dice, faces,
    total and verdict; every number is the recorded one.
    """
    terms = " ".join(f"{term.value:+d} {term.label}" for term in call.terms)
    if call.before_limits is not None:
        terms += f" = {limited(call.before_limits, call.target)}"
    faces = ", ".join(map(str, rolled.faces))
    line = f"{call.purpose}" + (f" ({terms})" if terms else "") + f" [{call.dice}] rolled {faces} = {rolled.total}"
    if rolled.success is not None:
        line += f" {_WORDS[call.test]} {call.target}: {'yes' if rolled.success else 'no'}"
    return line


class Printed(msgspec.Struct, frozen=True, gc=False):
    """A check as its printed line states it, with the verdict that its own numbers give.

    `before_limits` is what the target was before the rules' limits, where those changed it.
    """

    dice: str
    faces: tuple[int, ...]
    total: int
    target: int | None
    said: bool | None
    worked_out: bool | None
    before_limits: int | None = None


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
    target, result = int(found["target"]), found["result"] == "yes"
    before = None if found["before"] is None else int(found["before"])
    if before is not None and int(found["after"]) != target:
        raise ValueError(f"the limits leave {found['after']}, the target is {target}: {line!r}")
    return Printed(found["dice"], faces, total, target, result, passes(test, total, target), before)
