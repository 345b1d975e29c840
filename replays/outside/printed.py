"""Sums as logs print them, such as `[1] + 5 + [2, 2, 5] = 13`, and which faces in them belong to which dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from replays.outside.found import Operand, Run, Shown
from replays.outside.sums import SIGNS, Place, Plain, Sum, SumUnreadable, plain, short

_PIECE: Final = re.compile(r"\s*([+\-−–*×/÷]?)\s*(?:[\[(]([^\[\]()]{0,20000})[\])]|([-−–]?)([0-9]{1,9})(?![0-9]))")
_FACES: Final = re.compile(r"\s*-?[0-9]{1,7}(?:\s*[,+;]\s*-?[0-9]{1,7}|\s+[0-9]{1,7})*\s*")
_FACE: Final = re.compile(r"-?[0-9]{1,7}(?![0-9])")
_RUN: Final = re.compile(r"[0-9]{1,2000}")


def read_printed(text: str, *, runs: bool = False) -> tuple[Operand, ...] | None:
    """Read a printed sum of groups in brackets and plain numbers; None if it is something else.

    With `runs`, digits that stand alone in a group may be several faces.

    >>> read_printed("(2+3)-1")
    (Shown(faces=(2, 3), kept=None), Plain(sign='-', number=1))
    """
    operands: list[Operand] = []
    at = 0
    while text[at:].strip():
        found = _PIECE.match(text, at)
        if found is None or (operands and not found[1] and found[2] is None):
            return None
        if found[2] is None:
            operands.append(plain(SIGNS.get(found[1], "+"), "-" if found[3] else "", int(found[4])))
        else:
            group = _group(found[2], runs)
            if group is None:
                return None
            operands.append(group)
        at = found.end()
    return tuple(operands) or None


def _group(inside: str, runs: bool) -> Shown | Run | None:
    """Read what stands in one pair of brackets. Between run-together faces a symbol may stand for each die."""
    if runs:
        if _RUN.fullmatch(inside.strip()):
            return Run(inside.strip())
        if "-" in inside:
            return None
    elif not _FACES.fullmatch(inside):
        return None
    faces = tuple(int(face) for face in _FACE.findall(inside))
    return Shown(faces) if faces else None


def deal(dice: Sum, printed: Sequence[Operand], *, flat: bool) -> tuple[Shown, ...]:
    """Give each term of a sum the faces that are printed for it. Raises `SumUnreadable` if they do not fit.

    Dice stand in a group, or one by one between plus signs; plain numbers must be those that were asked for. Where the
    list is `flat` there is a group for each term, or one for all.
    """
    if flat:
        groups = tuple(group for group in printed if isinstance(group, Shown))
        if len(groups) == len(dice.terms):
            return groups
        return _deal_in_a_row(dice, [face for group in groups for face in group.faces])
    dealt: list[Shown] = []
    at = 0
    for operand in dice.operands:
        if isinstance(operand, Place):
            count = dice.terms[operand.term].count
            if isinstance(group := next(iter(printed[at:]), None), Shown):
                dealt.append(group)
                at += 1
                continue
            loose = [each for each in printed[at : at + count] if isinstance(each, Plain) and each.sign in "+-"]
            if len(loose) < count:
                raise SumUnreadable(f"{dice.terms[operand.term]} shows {len(loose)} of {count} dice")
            dealt.append(Shown(tuple(each.number for each in loose)))
            at += count
        else:
            printed_here = printed[at] if at < len(printed) else None
            if printed_here != operand:
                raise SumUnreadable(f"{operand} was asked for, but {_tell(printed_here)} is printed")
            at += 1
    if at < len(printed):
        raise SumUnreadable(f"{_tell(printed[at])} is printed, but was not asked for")
    return tuple(dealt)


def _deal_in_a_row(dice: Sum, faces: Sequence[int]) -> tuple[Shown, ...]:
    wanted = sum(term.count for term in dice.terms)
    if len(faces) != wanted or any(term.altered for term in dice.terms):
        raise SumUnreadable(f"{len(faces)} faces cannot be dealt to {short(dice.text)}")
    dealt, at = [], 0
    for term in dice.terms:
        dealt.append(Shown(tuple(faces[at : at + term.count])))
        at += term.count
    return tuple(dealt)


def _tell(operand: Operand | None) -> str:
    match operand:
        case None:
            return "nothing"
        case Plain():
            return str(operand)
        case Shown(faces):
            return f"[{', '.join(map(str, faces[:10]))}{', …' if len(faces) > 10 else ''}]"
        case Run(digits):
            return f"({short(digits)})"
