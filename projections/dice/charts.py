"""Pictures of dice: luck over time and faces per kind of die, as SVG and as text.

The SVG is plain text made here, the same bytes for the same dice everywhere. It needs neither colour nor sight: lines
differ in their dashes and carry their names, and each picture holds its figures in words, as title and description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import accumulate
from math import lcm

import msgspec

from projections.dice.fairness import Faces
from projections.dice.luck import Check
from projections.dice.luck_text import counted, shown, signed
from projections.journal import printable

WIDTH, HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 96, 16, 28
_DASHES = ("", "8 4", "2 3", "10 3 2 3", "1 5", "14 6")
MAX_POINTS = 400
"""A line with more points is drawn through every second one, third one and so on; its last point always counts."""


class Course(msgspec.Struct, frozen=True, gc=False):
    """Somebody's luck after each check: successes less expectation so far.

    `turns` tells the turn of each check, or None; `places` its number among the checks of all, from 1.
    """

    name: str
    turns: tuple[int | None, ...]
    places: tuple[int, ...]
    over: tuple[Fraction, ...]


def courses(checks: Iterable[Check]) -> tuple[Course, ...]:
    """Follow each seat's luck from check to check, in the order given; seats in order of their names."""
    seats: dict[str, list[tuple[int, Check]]] = {}
    for place, check in enumerate(checks, 1):
        seats.setdefault(check.entry.seat, []).append((place, check))
    return tuple(
        Course(
            seat,
            tuple(check.entry.turn for _, check in seats[seat]),
            tuple(place for place, _ in seats[seat]),
            tuple(_running([check for _, check in seats[seat]])),
        )
        for seat in sorted(seats)
    )


def _running(checks: Sequence[Check]) -> Iterable[Fraction]:
    """Add up result less expectation over one common denominator: sums of fractions would cost too much."""
    whole = lcm(*{check.odds[1] for check in checks})
    steps = ((whole if check.success else 0) - check.odds[0] * (whole // check.odds[1]) for check in checks)
    return (Fraction(total, whole) for total in accumulate(steps))


# As text


def luck_text(course: Course, width: int = 40) -> list[str]:
    """Draw one seat's luck turn by turn: how far it stood above (right) or below (left) expectation at each turn's end.

    >>> course = Course("red", (1, 1, 2), (1, 3, 4), (Fraction(1, 2), Fraction(1), Fraction(-1)))
    >>> for line in luck_text(course, 20): print(line)
    red: successes less expectation, at the end of each turn
      t1     +1.00           |##########
      t2     -1.00 ##########|
    """
    ends: dict[int | None, Fraction] = dict(zip(course.turns, course.over, strict=True))
    most = max((abs(over) for over in ends.values()), default=Fraction(0)) or Fraction(1)
    half = width // 2
    lines = [f"{printable(course.name)}: successes less expectation, at the end of each turn"]
    for turn, over in ends.items():
        bar = "#" * round(half * abs(over) / most)
        left, right = (bar.rjust(half), "") if over < 0 else (" " * half, bar)
        lines.append(f"  {'t' + str(turn) if turn is not None else 'all':4} {signed(over):>7} {left}|{right}")
    return lines


def faces_lines(faces: Faces, width: int = 40) -> list[str]:
    """Draw how often each face fell; `|` marks where all bars would end if the faces were even.

    >>> for line in faces_lines(Faces("the generator", "d4", 1, (2, 4, 0, 2)), 20): print(line)
    d4 of the generator: 8 dice, 2.00 expected of each face
         1      2 ##########|
         2      4 ##########|##########
         3      0           |
         4      2 ##########|
    """
    dice, sides = sum(faces.counts), len(faces.counts)
    lines = [
        f"{faces.die} of {printable(faces.source)}: {counted(dice, 'dice')}, {shown(Fraction(dice, sides))} expected "
        "of each face"
    ]
    groups = _grouped(faces)
    most = max([count for _, _, count in groups] + [1])
    expected = round(width * Fraction(dice, sides) * max(size for _, size, _ in groups) / most)
    for label, _, count in groups:
        bar = ("#" * round(width * Fraction(count, most))).ljust(expected)
        lines.append(f"{label:>6} {count:6d} {bar[:expected]}|{bar[expected:]}")
    return lines


def _grouped(faces: Faces) -> list[tuple[str, int, int]]:
    """Part the faces into at most 20 groups of equal size: label, faces in it, count."""
    sides = len(faces.counts)
    size = next(size for size in range(1, sides + 1) if sides % size == 0 and sides // size <= 20)
    groups = []
    for start in range(0, sides, size):
        first, last = faces.low + start, faces.low + start + size - 1
        label = str(first) if size == 1 else f"{first}–{last}"
        groups.append((label, size, sum(faces.counts[start : start + size])))
    return groups


# As SVG


def figures(lines: Sequence[Course], faces: Iterable[Faces]) -> Iterator[str]:
    """Draw everybody's luck, and each kind of die of each source, as HTML figures with captions."""
    yield _figure(luck_svg(lines), "Luck over time: successes less expectation, after each check of all")
    for number, each in enumerate(faces):
        words = f"Faces of {each.die} thrown by {each.source}; the dashed line is where even faces would end"
        yield _figure(faces_svg(each, f"faces{number}"), words)


def _figure(picture: str, words: str) -> str:
    return f"<figure>{picture}<figcaption>{_safe(words)}</figcaption></figure>"


def luck_svg(lines: Sequence[Course], name: str = "luck") -> str:
    """Draw the luck of all seats over the checks of all, each line on to the last check that anybody made.

    `name` keeps apart the ids of several pictures on one page.
    """
    told = "; ".join(
        f"{course.name} {signed(course.over[-1])} after {counted(len(course.over), 'checks')}" for course in lines
    )
    title = "Luck over time: successes less expectation"
    if not lines:
        return _svg(name, title, "no checks yet", [])
    longest = max(course.places[-1] for course in lines)
    high = max(max(max(course.over) for course in lines), Fraction(1))
    low = min(min(min(course.over) for course in lines), Fraction(-1))
    body = [*_frame(low, high, longest)]
    ends: list[tuple[int, str]] = []
    for place, course in enumerate(lines):
        points = [(0, Fraction(0)), *_thinned(course), (longest, course.over[-1])]
        path = " ".join(f"{_x(number, longest)},{_y(over, low, high)}" for number, over in points)
        dash = _DASHES[place % len(_DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        body.append(f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-width="2"{dashed}/>')
        ends.append((_tenths_y(course.over[-1], low, high), course.name))
    body += _labels(ends)
    return _svg(name, title, told, body)


def faces_svg(faces: Faces, name: str = "faces") -> str:
    """Draw how often each face of one kind of die fell, with a line where all bars would end if they were even."""
    dice, sides = sum(faces.counts), len(faces.counts)
    expected = Fraction(dice, sides)
    title = f"Faces of {faces.die} thrown by {faces.source}"
    told = f"{counted(dice, 'dice')}, {shown(expected)} expected of each face: " + ", ".join(
        f"{faces.low + place} fell {count}" for place, count in enumerate(faces.counts)
    )
    most = max(Fraction(max(faces.counts)), expected, Fraction(1))
    step = Fraction(WIDTH - _LEFT - _RIGHT, sides)
    body = []
    for place, count in enumerate(faces.counts):
        x, y = _LEFT + step * place, _y(Fraction(count), Fraction(0), most)
        box = f'x="{_tenths(x + step / 10)}" y="{y}" width="{_tenths(step * 4 / 5)}" height="{_height(count, most)}"'
        told_here = f"<title>{faces.low + place}: {count}</title>"
        body.append(f'<rect {box} fill="currentColor" fill-opacity="0.55">{told_here}</rect>')
        if sides <= 20 or (faces.low + place) % 10 == 0 or place == 0:
            middle = _tenths(x + step / 2)
            body.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{faces.low + place}</text>')
    line = _y(expected, Fraction(0), most)
    body.append(_dashed(line))
    body.append(f'<text x="{WIDTH - _RIGHT + 6}" y="{line}" dominant-baseline="middle">{shown(expected)}</text>')
    return _svg(name, title, told, body)


def _svg(name: str, title: str, told: str, body: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" font-family="sans-serif" font-size="12" fill="currentColor">'
    )
    words = f'<title id="{name}-title">{_safe(title)}</title><desc id="{name}-desc">{_safe(told)}</desc>'
    return "\n".join([head, words, *body, "</svg>"]) + "\n"


def _frame(low: Fraction, high: Fraction, longest: int) -> list[str]:
    zero = _y(Fraction(0), low, high)
    marks = [(high, signed(high)), (Fraction(0), "0"), (low, signed(low))]
    return [
        _dashed(zero),
        *(
            f'<text x="{_LEFT - 6}" y="{_y(value, low, high)}" dominant-baseline="middle" text-anchor="end">'
            f"{label}</text>"
            for value, label in marks
        ),
        f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 8}" text-anchor="end">check {longest}</text>',
    ]


def _dashed(y: str) -> str:
    ends = f'x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"'
    return f'<line {ends} stroke="currentColor" stroke-width="1" stroke-dasharray="4 4"/>'


def _labels(ends: Sequence[tuple[int, str]]) -> list[str]:
    """Write each line's name at its end, far enough apart to be read."""
    found, floor = [], 0
    for y, label in sorted(ends):
        y = max(y, floor)
        floor = y + 140
        at = f'x="{WIDTH - _RIGHT + 6}" y="{_point(y)}"'
        found.append(f'<text {at} dominant-baseline="middle">{_safe(label[:14])}</text>')
    return found


def _thinned(course: Course) -> list[tuple[int, Fraction]]:
    every = -(-len(course.over) // MAX_POINTS)
    return list(zip(course.places, course.over, strict=True))[every - 1 :: every]


def _x(number: int, longest: int) -> str:
    return _tenths(_LEFT + Fraction((WIDTH - _LEFT - _RIGHT) * number, max(longest, 1)))


def _tenths_y(value: Fraction, low: Fraction, high: Fraction) -> int:
    room = HEIGHT - _TOP - _BOTTOM
    return round(10 * (_TOP + room * (high - value) / (high - low)))


def _y(value: Fraction, low: Fraction, high: Fraction) -> str:
    return _point(_tenths_y(value, low, high))


def _height(count: int, most: Fraction) -> str:
    return _tenths((HEIGHT - _TOP - _BOTTOM) * Fraction(count) / most)


def _tenths(value: Fraction) -> str:
    return _point(round(10 * value))


def _point(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


def _safe(text: str) -> str:
    return escape(printable(text))
