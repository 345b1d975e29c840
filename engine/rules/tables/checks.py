"""Checks for rule tables: each says in a few words what is wrong, once for each thing that is.

They yield texts without the place, which the caller knows. A healthy table yields nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from engine.rules.words import hint

Labelled = Sequence[tuple[object, int | Fraction]]
"""Figures along an axis, each with what stands over it: `[("10 cm", 65), ("20 cm", 55)]`."""


def covers(bands: Iterable[tuple[int, int]], low: int, high: int, *, beyond: bool = False) -> Iterator[str]:
    """Whether the bands, each from..to inclusive, hold every whole number from `low` to `high` exactly once.

    Names every hole and overlap. With `beyond` the bands may reach further out (a modified roll), still without holes;
    otherwise numbers outside are a mistake, since no die shows them. Their order does not matter.

    >>> list(covers([(1, 60), (62, 90), (85, 100)], 1, 100))
    ['nothing covers 61', '85 to 90 are covered more than once']
    """
    reached: int | None = None
    for first, last in sorted(bands):
        if first > last:
            yield f"the band {first} to {last} runs backwards"
            continue
        if not beyond and (first < low or last > high):
            yield f"the band {_span(first, last)} reaches outside {low} to {high}"
        if reached is not None and first <= reached:
            yield _are(first, min(last, reached)) + " covered more than once"
        elif first > (start := low if reached is None else reached + 1):
            yield f"nothing covers {_span(start, first - 1)}"
        reached = last if reached is None else max(reached, last)
    if reached is None or reached < high:
        yield f"nothing covers {_span(low if reached is None else max(low, reached + 1), high)}"


def joins(bands: Iterable[tuple[int, int]], low: int, high: int) -> Iterator[str]:
    """Whether bands that share their edges, such as arcs in degrees, run from `low` to `high` without gap or overlap.

    >>> list(joins([(0, 60), (70, 180)], 0, 180))
    ['one band ends at 60, the next begins at 70']
    """
    ordered = sorted(bands)
    yield from (f"the band {first} to {last} runs backwards" for first, last in ordered if first >= last)
    for (_, end), (start, _) in pairwise(ordered):
        if end != start:
            yield f"one band ends at {end}, the next begins at {start}"
    if not ordered or (ordered[0][0], ordered[-1][1]) != (low, high):
        yield f"the bands do not run from {low} to {high}"


def unique(words: Iterable[object]) -> Iterator[str]:
    """Whether no word stands there twice.

    >>> list(unique(["orc", "elf", "orc"]))
    ['orc stands there 2 times']
    """
    for word, times in Counter(words).items():
        if times > 1:
            yield f"{word} stands there {times} times"


def rises(figures: Labelled, *, strictly: bool = True) -> Iterator[str]:
    """Whether each figure is greater than the one before it (or, not `strictly`, at least as great).

    >>> list(rises([("recruit", -1), ("regular", 1), ("veteran", 0)]))
    ['the figure must rise, but is 1 at regular and 0 at veteran']
    """
    for (here, one), (there, other) in pairwise(figures):
        if other < one or (strictly and other == one):
            must = "rise" if strictly else "not fall"
            yield f"the figure must {must}, but is {one} at {here} and {other} at {there}"


def falls(figures: Labelled, *, strictly: bool = True) -> Iterator[str]:
    """Whether each figure is less than the one before it (or, not `strictly`, at most as great).

    >>> list(falls([("10 cm", 65), ("20 cm", 65)]))
    ['the figure must fall, but is 65 at 10 cm and 65 at 20 cm']
    """
    for (here, one), (there, other) in pairwise(figures):
        if other > one or (strictly and other == one):
            must = "fall" if strictly else "not rise"
            yield f"the figure must {must}, but is {one} at {here} and {other} at {there}"


def within(figures: Labelled, low: int, high: int) -> Iterator[str]:
    """Whether every figure lies from `low` to `high`.

    >>> list(within([("orc", 3), ("ghost", 0)], 1, 20))
    ['0 at ghost lies outside 1 to 20']
    """
    for where, figure in figures:
        if not low <= figure <= high:
            yield f"{figure} at {where} lies outside {low} to {high}"


def known(words: Iterable[str], right: Iterable[str], what: str) -> Iterator[str]:
    """Whether every word is one of the `right` ones; `what` says what they name.

    >>> list(known(["gobblin"], ["goblin", "orc"], "race"))
    ["there is no race 'gobblin' (did you mean goblin?)"]
    """
    right = tuple(right)
    for word in words:
        if word not in right:
            yield f"there is no {what} {word!r}{hint(word, right)}"


def same(words: Iterable[str], right: Iterable[str], what: str) -> Iterator[str]:
    """Whether the words are exactly the `right` ones, in any order.

    >>> list(same(["orc"], ["orc", "elf"], "race"))
    ["race 'elf' is missing"]
    """
    words, right = tuple(words), tuple(right)
    yield from known(words, right, what)
    yield from (f"{what} {word!r} is missing" for word in right if word not in words)


def filled(grid: Mapping[str, Sequence[object]], columns: int) -> Iterator[str]:
    """Whether every row of a grid has as many cells as there are columns.

    >>> list(filled({"3": [1, 2]}, 3))
    ['row 3 has 2 cells for 3 columns']
    """
    for row, cells in grid.items():
        if len(cells) != columns:
            yield f"row {row} has {len(cells)} cells for {columns} columns"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _are(first: int, last: int) -> str:
    return f"{first} is" if first == last else f"{first} to {last} are"
