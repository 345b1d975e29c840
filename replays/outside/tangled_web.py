"""The Tangled Web, old and new: rolls within prose, several on a line, named or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from replays.outside.boards import PASTED
from replays.outside.found import Found
from replays.outside.printed import read_printed
from replays.outside.source import Desk, Line, Reader, Text, walk
from replays.outside.sums import DICE_TEXT

_OLD: Final = re.compile(rf"\((?P<dice>{DICE_TEXT})\) ?\[(?P<total>-?[0-9]{{1,9}})\]")


def _read_old(text: Text, desk: Desk) -> Iterator[Found]:
    """`Damage- (3d4) [10]`: the total only, worked out from left to right."""
    for line in walk(text, desk):
        rolls = list(_OLD.finditer(line.text))
        end = 0
        for roll, after in zip_longest(rolls, rolls[1:]):
            before = line.text[end : roll.start()].strip(" .,;:")
            words = line.words
            if after and line.text[roll.end() : after.start()].strip() == "-":
                words = words or "it stands in the name of the next roll"
            else:
                end = roll.end()
            yield Found(
                line.number,
                line.text,
                roll["dice"],
                None,
                int(roll["total"]),
                line.post,
                before[:-1].strip() if before.endswith("-") else "",
                dialect="left-to-right",
                words=words,
            )


_CLOSE: Final = re.compile(r"\)\s?(?=(?:-?[0-9]{1,9} => )?(?:[0-9]{1,9} ?[-+*×−] ?)?\[)")
_INSIDE: Final = re.compile(rf"(?:(?P<label>.*?)\s)??\s*(?P<dice>{DICE_TEXT}(?:\s?,\s?{DICE_TEXT}){{0,50}})\s*")
_PART: Final = r"(?:\[[0-9, -]{0,4000}\]|[0-9]{1,9})"
_RESULT: Final = re.compile(
    rf"\s?(?:(?P<bare>-?[0-9]{{1,9}}) => )?(?P<printed>{_PART}(?: ?[-+*/×÷−–] ?{_PART}){{0,60}})"
    r" ?= ?(?P<total>-?[0-9]{1,9})(?![0-9])"
)
_LONGEST_NAME: Final = 400


def _read_new(text: Text, desk: Desk) -> Iterator[Found]:
    """`(Attack 1d20+6) [12] + 6 = 18`: faces and total, the name within the brackets."""
    for line in walk(text, desk):
        reach = len(line.text)
        rolls: list[Found] = []
        for close in reversed(list(_CLOSE.finditer(line.text))):
            opened = _opening(line.text, close.start())
            inside = _INSIDE.fullmatch(line.text, opened + 1, close.start()) if opened is not None else None
            if opened is None or inside is None:
                continue
            words = line.words
            if close.start() > reach:
                words = words or "it stands in the name of another roll"
            else:
                reach = opened
            rolls = [*_new_results(desk, line, inside, close.end(), words), *rolls]
        yield from rolls


def _opening(text: str, close: int) -> int | None:
    """Find the bracket that a closing one belongs to."""
    depth = 0
    for at in range(close, max(-1, close - _LONGEST_NAME), -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def _new_results(desk: Desk, line: Line, inside: re.Match[str], at: int, words: str) -> Iterator[Found]:
    """Read the results behind one pair of brackets, one for each kind of dice asked for."""
    for asked in inside["dice"].split(","):
        result = _RESULT.match(line.text, at)
        printed = read_printed(result["printed"]) if result else None
        if result is None or printed is None:
            if not words:
                desk.note(line.number, "roll/unreadable", f"no result follows for {asked.strip()}")
            return
        yield Found(
            line.number,
            line.text,
            asked.strip(),
            printed,
            int(result["total"]),
            line.post,
            (inside["label"] or "").strip(),
            words=words,
        )
        at = result.end()
        if line.text[at : at + 1] == ",":
            at += 1


READERS: Final = (
    Reader("ttw-old", "The Tangled Web, old forum", 1, "Damage- (3d4) [10]", PASTED, _read_old),
    Reader("ttw-new", "The Tangled Web, new forum", 1, "(Attack 1d20+6) [12] + 6 = 18", PASTED, _read_new),
)
