"""Faces whose digits run together, as in `(11213)`: every way to read them that the dice and the sum allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from replays.outside.found import Operand, Run, Shown
from replays.outside.printed import deal
from replays.outside.sums import Plain, Sum, SumUnreadable, Term, fits

MAX_SPLITS = 5_000
"""Splits of one run of digits that are tried; beyond that only the total is known."""


def splits(digits: str, dice: Sequence[Term]) -> Iterator[tuple[int, ...]]:
    """Yield every way to cut digits into one possible face for each die, in order.

    Cost: digits times dice before the first one, and their number for each further one. A face has no leading zero.

    >>> list(splits("111", [Term(2, 1, 20, 2)]))
    [(1, 11), (11, 1)]
    """
    ranges = [(term.low, term.high) for term in dice for _ in range(term.count)]
    lengths = [{len(str(low)), len(str(high))} for low, high in ranges]
    widths = [range(min(each), max(each) + 1) for each in lengths]
    ends = _ends(digits, ranges, widths)
    if 0 not in ends[0]:
        return
    faces: list[int] = []
    stack = [iter(widths[0])] if ranges else []
    starts = [0]
    while stack:
        die = len(stack) - 1
        for width in stack[-1]:
            start = starts[die]
            face = _face(digits, start, width, ranges[die])
            if face is None or start + width not in ends[die + 1]:
                continue
            if die + 1 == len(ranges):
                yield (*faces, face)
                continue
            faces.append(face)
            starts.append(start + width)
            stack.append(iter(widths[die + 1]))
            break
        else:
            stack.pop()
            starts.pop()
            if faces:
                faces.pop()


def _ends(digits: str, ranges: Sequence[tuple[int, int]], widths: Sequence[range]) -> list[set[int]]:
    """Tell for each die at which digits it may begin so that it and all later dice use up the digits exactly."""
    ends: list[set[int]] = [set() for _ in ranges] + [{len(digits)}]
    for die in range(len(ranges) - 1, -1, -1):
        for after in ends[die + 1]:
            for width in widths[die]:
                if after >= width and _face(digits, after - width, width, ranges[die]) is not None:
                    ends[die].add(after - width)
    return ends


def _face(digits: str, start: int, width: int, faces: tuple[int, int]) -> int | None:
    text = digits[start : start + width]
    if len(text) < width or (text[0] == "0" and width > 1):
        return None
    face = int(text)
    return face if faces[0] <= face <= faces[1] else None


class Readings:
    """All readings of one roll. `fitting` are those that give the stated total (all, if none is stated).

    Readings that differ only in the order of equal dice are one reading; `ordered` says that there was one order only.
    """

    def __init__(self, all_: list[tuple[Shown, ...]], fitting: list[tuple[Shown, ...]], ordered: bool) -> None:
        self.all = all_
        self.fitting = fitting
        self.ordered = ordered


def readings(dice: Sum, printed: Sequence[Operand], total: int | None) -> Readings:
    """Find the readings of a printed sum with runs of digits. Raises `SumUnreadable` if it fits the dice in no way.

    >>> from replays.outside.sums import read_sum
    >>> found = readings(read_sum("3d20"), [Run("11213")], 26)
    >>> [reading[0].faces for reading in found.fitting]
    [(1, 12, 13), (11, 2, 13)]
    """
    groups = [each for each in printed if not isinstance(each, Plain)]
    if len(groups) == 1 and len(dice.terms) > 1:
        wholes = _cut(groups[0], dice.terms)
        options = [[_share(dice.terms, faces) for faces in wholes]]
    elif len(groups) == len(dice.terms):
        options = [
            [(Shown(faces),) for faces in _cut(group, [term])] for group, term in zip(groups, dice.terms, strict=True)
        ]
    else:
        raise SumUnreadable(f"{len(groups)} groups of faces are printed for {len(dice.terms)} kinds of dice")
    _check_numbers(dice, printed, groups)
    every: dict[tuple[tuple[int, ...], ...], tuple[Shown, ...]] = {}
    orders: dict[tuple[tuple[int, ...], ...], int] = {}
    for choice in islice(product(*options), MAX_SPLITS):
        reading = tuple(shown for part in choice for shown in part)
        same = tuple(tuple(sorted(shown.faces)) for shown in reading)
        every.setdefault(same, reading)
        orders[same] = orders.get(same, 0) + 1
    fitting = {same: reading for same, reading in every.items() if total is None or _gives(dice, reading, total)}
    return Readings(list(every.values()), list(fitting.values()), all(orders[same] == 1 for same in fitting))


def _cut(group: Operand, terms: Sequence[Term]) -> list[tuple[int, ...]]:
    """Find all splits of one group; a group that shows its faces one by one has one."""
    if isinstance(group, Shown):
        return [group.faces]
    assert isinstance(group, Run)
    if any(term.altered for term in terms):
        raise SumUnreadable(f"({group.digits}) cannot be cut into faces: {terms[0]} has no fixed number of dice")
    if sum(term.count for term in terms) > len(group.digits):
        raise SumUnreadable(f"({group.digits}) has too few digits for {'+'.join(map(str, terms))}")
    found = list(islice(splits(group.digits, terms), MAX_SPLITS + 1))
    if not found:
        raise SumUnreadable(f"({group.digits}) cannot be cut into faces of {'+'.join(map(str, terms))}")
    if len(found) > MAX_SPLITS:
        raise SumUnreadable(f"({group.digits}) can be read in more than {MAX_SPLITS:,} ways")
    return found


def _share(terms: Sequence[Term], faces: Sequence[int]) -> tuple[Shown, ...]:
    shares, at = [], 0
    for term in terms:
        shares.append(Shown(tuple(faces[at : at + term.count])))
        at += term.count
    return tuple(shares)


def _check_numbers(dice: Sum, printed: Sequence[Operand], groups: Sequence[Operand]) -> None:
    """Hold the plain numbers of the printed sum against those asked for, whatever the faces are."""
    if len(groups) == len(dice.terms):
        deal(dice, [Shown((0,)) if isinstance(each, Run) else each for each in printed], flat=False)
        return
    asked = [each for each in dice.operands if isinstance(each, Plain)]
    if asked != [each for each in printed if isinstance(each, Plain)]:
        raise SumUnreadable("the plain numbers printed are not those that were asked for")


def _gives(dice: Sum, reading: Sequence[Shown], total: int) -> bool:
    worths = [
        sum(face for face, kept in zip(shown.faces, term.kept(shown.faces), strict=True) if kept)
        for term, shown in zip(dice.terms, reading, strict=True)
    ]
    value = dice.value(worths)
    return value is not None and fits(value, total)
