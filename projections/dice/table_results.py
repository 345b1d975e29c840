"""Which row of a table a roll was read in, told from the record alone."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import msgspec

from events.facts import Chance
from projections.dice.ledger import Entry
from projections.dice.odds import Distribution, distribution
from projections.dice.rolls import dice_of


class Result(msgspec.Struct, frozen=True, gc=False):
    """How often a result of a table came, and how often it was to be expected."""

    label: str
    came: int
    expected: Fraction


@lru_cache(maxsize=1024)
def moved(notation: str, added: int) -> Distribution:
    """Give the chances of dice with a number added to their total. Raises `NotationError`."""
    one = distribution(dice_of(notation))
    return Distribution(one.low + added, one.weights)


def result_of(entry: Entry) -> str:
    """Return the label of the result that a roll was read as; empty where the record does not tell it.

    A call lists its chances from the lowest total up (see `events.facts.RollCalled`), so they part the totals into
    rows. Where they do not, as with rolls that are held against another, nothing is told: it is never guessed.
    """
    if entry.against or entry.total is None or not entry.chances or not entry.notation:
        return ""
    rows = _rows(entry.notation, entry.added, entry.chances)
    at = entry.total - moved(entry.notation, entry.added).low
    return rows[at] if 0 <= at < len(rows) else ""


@lru_cache(maxsize=4096)
def _rows(notation: str, added: int, chances: tuple[Chance, ...]) -> tuple[str, ...]:
    """The label for every total from the lowest up; empty if the chances do not part the totals."""
    odds = moved(notation, added)
    below = [Fraction(weight, odds.cases) for weight in accumulate(odds.weights)]
    ends = list(accumulate(Fraction(each.of, each.out_of) for each in chances))
    if ends[-1] != 1 or not set(ends) <= set(below):
        return ()
    rows, at = [], 0
    for upto in below:
        while ends[at] < upto:
            at += 1
        rows.append(chances[at].label)
    return tuple(rows)


def is_number(label: str) -> bool:
    """Tell whether a result is but the total itself, as when a die of damage is read as it falls."""
    return label.removeprefix("-").isdecimal()


def results_of(entries: Iterable[Entry]) -> tuple[Result, ...]:
    """Count the results of rolls read in tables, beside what was to be expected, in the order of the tables.

    Rolls that are their own result, and rolls whose row is not told, have none.
    """
    came: dict[str, int] = {}
    expected: dict[str, Fraction] = {}
    parts: dict[tuple[Chance, ...], int] = {}
    for entry in entries:
        if label := result_of(entry):
            came[label] = came.get(label, 0) + 1
            parts[entry.chances] = parts.get(entry.chances, 0) + 1
    for chances, times in sorted(parts.items(), key=lambda part: -len(part[0])):  # the whole table first
        for each in chances:
            expected[each.label] = expected.get(each.label, Fraction(0)) + times * Fraction(each.of, each.out_of)
    if all(map(is_number, expected)):
        return ()
    return tuple(Result(label, came.get(label, 0), number) for label, number in expected.items())
