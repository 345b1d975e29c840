"""Boards that print a roll in one or two lines: Gamers' Plane, phpBB's dice extension, SMF's mod, Myth-Weavers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from replays.outside.found import Found, Operand, Shown
from replays.outside.printed import read_printed
from replays.outside.source import Desk, Line, Reader, Text, walk
from replays.outside.sums import DICE_TEXT, Spelling

PASTED: Final = "pasted text: what a member typed by hand can look just like a roll"

_TOTAL: Final = r"(?P<total>-?[0-9]{1,9})"


def _next_line(lines: Sequence[Line], at: int) -> Line | None:
    """Return the next line of the same post that is not blank."""
    for place in range(at + 1, len(lines)):
        if lines[place].post is not lines[at].post:
            return None
        if lines[place].text.strip():
            return lines[place]
    return None


# -------------------------------------------------------------------------------------------------- Gamers' Plane

_GP_HEAD: Final = re.compile(rf"(?:(?P<label>.*) - )?\((?P<dice>{DICE_TEXT}(?:\s?,\s?{DICE_TEXT}){{0,50}})\)")
_GP_RESULT: Final = re.compile(rf"(?:(?P<dice>[^:()]{{1,200}}?) ?: ?)?(?P<printed>\(.*?)(?: = {_TOTAL})?")
_GP_SPELLING: Final[Spelling] = {"h": "keep high", "l": "keep low"}


def _read_gamers_plane(text: Text, desk: Desk) -> Iterator[Found]:
    """A reason with its dice, then one line of faces for each."""
    for _, group in groupby(walk(text, desk), lambda line: id(line.post)):
        lines = list(group)
        marks = [place for place, line in enumerate(lines) if line.text.strip() == "Rolls"]
        block = marks[0] if len(marks) == 1 else -1
        for at, line in enumerate(lines):
            head = _GP_HEAD.fullmatch(line.text.strip())
            if head is None:
                continue
            words = line.words or ("it stands above the block of rolls" if at < block else "")
            yield from _gamers_plane_results(desk, lines, at, head, words)


def _gamers_plane_results(
    desk: Desk, lines: Sequence[Line], at: int, head: re.Match[str], words: str
) -> Iterator[Found]:
    asked = [each.strip() for each in head["dice"].split(",")]
    for dice in asked:
        line = _next_line(lines, at)
        result = _GP_RESULT.fullmatch(line.text.strip()) if line else None
        if line is None or result is None or (len(asked) > 1 and (result["dice"] or "").strip() != dice):
            desk.note(lines[at].number, "roll/unreadable", f"no result follows for {dice}")
            return
        at = lines.index(line, at + 1)
        printed = read_printed(result["printed"], runs=True)
        if printed is None:
            desk.note(line.number, "roll/unreadable", f"the faces of {dice} cannot be read")
            continue
        raw = f"{head[0]}\n{line.text}"
        total = None if result["total"] is None else int(result["total"])
        yield Found(
            line.number,
            raw,
            dice,
            printed,
            total,
            line.post,
            (head["label"] or "").strip(),
            spelling=_GP_SPELLING,
            words=words or line.words,
        )


# ---------------------------------------------------------------------------------------------------------- phpBB

_PHPBB: Final = re.compile(
    rf"(?:\[roll=(?P<id>[0-9]{{1,12}})\])?(?:(?P<label>.*): ?)?(?P<dice>{DICE_TEXT}) ?: ?"
    rf"(?P<printed>[^:=]*[^:= ]) ?= ?{_TOTAL}(?:\[/roll\])?"
)
_PHPBB_SOURCE: Final = re.compile(r"\[roll(?:=[^\]]{0,40})?\][^\[]{0,200}\[/roll\]")


def _read_phpbb(text: Text, desk: Desk) -> Iterator[Found]:
    """`Punch: 1d20+8: [16]+8 = 24` on a line of its own."""
    for line in walk(text, desk):
        found = _PHPBB.fullmatch(line.text.strip())
        if found is None:
            if _PHPBB_SOURCE.search(line.text):
                desk.note(line.number, "roll/unreadable", "the source of a roll without its result")
            continue
        printed = read_printed(found["printed"])
        if printed is None:
            desk.note(line.number, "roll/unreadable", f"the faces of {found['dice']} cannot be read")
            continue
        yield Found(
            line.number,
            line.text,
            found["dice"],
            printed,
            int(found["total"]),
            line.post,
            (found["label"] or "").strip(),
            key=f"roll {found['id']}" if found["id"] else "",
            words=line.words,
        )


# ------------------------------------------------------------------------------------------------------------ SMF

_SMF_HEAD: Final = re.compile(rf"(?P<label>.*?)\bRolling (?P<dice>{DICE_TEXT}):")
_SMF_RESULT: Final = re.compile(rf"(?P<printed>[^:]*): Total = {_TOTAL}")


def _read_smf(text: Text, desk: Desk) -> Iterator[Found]:
    """`Rolling 2d6-1:`, and the faces in the next line."""
    lines = list(walk(text, desk))
    for at, line in enumerate(lines):
        head = _SMF_HEAD.fullmatch(line.text.strip())
        if head is None:
            continue
        below = _next_line(lines, at)
        result = _SMF_RESULT.fullmatch(below.text.strip()) if below else None
        printed = read_printed(result["printed"]) if result else None
        if below is None or result is None or printed is None:
            desk.note(line.number, "roll/unreadable", f"no result follows for {head['dice']}")
            continue
        yield Found(
            below.number,
            f"{line.text}\n{below.text}",
            head["dice"],
            printed,
            int(result["total"]),
            line.post,
            head["label"].replace("[spoiler]", "").strip(),
            words=line.words or below.words,
        )


# --------------------------------------------------------------------------------------------------- Myth-Weavers

_MW_HEAD: Final = re.compile(rf"(?:(?P<label>.*) )?Dice Roll: (?P<dice>{DICE_TEXT})")
_MW_RESULT: Final = re.compile(
    rf"d(?P<sides>[0-9]{{1,6}}|%) Results: (?P<faces>[0-9]{{1,7}}(?:, ?[0-9]{{1,7}}){{0,2000}})"
    rf"(?: ?\(Total = {_TOTAL}\))?"
)
_MW_SPELLING: Final[Spelling] = {"v": "drop low", "^": "keep high", "k": "keep low"}


def _read_myth_weavers(text: Text, desk: Desk) -> Iterator[Found]:
    """A box: the dice in one line, the faces of each kind of dice in the next."""
    lines = list(walk(text, desk))
    for at, line in enumerate(lines):
        head = _MW_HEAD.fullmatch(_unboxed(line))
        if head is None:
            continue
        faces: list[int] = []
        raw, total, words, below, place = [line.text], None, line.words, line, at
        while total is None:
            after = _next_line(lines, place)
            result = _MW_RESULT.fullmatch(_unboxed(after)) if after else None
            if after is None or result is None:
                break
            faces += [int(face) for face in result["faces"].split(",")]
            total = None if result["total"] is None else int(result["total"])
            raw.append(after.text)
            words, below, place = words or after.words, after, lines.index(after, place)
        if total is None:
            desk.note(line.number, "roll/unreadable", f"no result with a total follows for {head['dice']}")
            continue
        printed: tuple[Operand, ...] = (Shown(tuple(faces)),)
        yield Found(
            below.number,
            "\n".join(raw),
            head["dice"],
            printed,
            total,
            line.post,
            (head["label"] or "").strip(),
            spelling=_MW_SPELLING,
            flat=True,
            words=words,
        )


def _unboxed(line: Line) -> str:
    return line.text.strip().strip("|").strip()


READERS: Final = (
    Reader(
        "gamers-plane",
        "Gamers' Plane",
        1,
        "Strength - (3d6)  and below it  (116) = 8",
        PASTED,
        _read_gamers_plane,
    ),
    Reader("phpbb", "phpBB dice extension", 1, "Punch: 1d20+8: [16]+8 = 24", PASTED, _read_phpbb),
    Reader("smf", "SMF dice mod", 1, "Rolling 2d6-1:  and below it  (2+3)-1: Total = 4", PASTED, _read_smf),
    Reader(
        "myth-weavers",
        "Myth-Weavers",
        1,
        "Dice Roll: 1d20+1  and below it  d20 Results: 19 (Total = 20)",
        PASTED,
        _read_myth_weavers,
    ),
)
