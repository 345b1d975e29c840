"""Luck: what the dice did against what was to be expected, exactly, and how rare that is.

Luck is counted in checks met, not in pips: a low roll is good where the roll must stay under its target. Rolls read in
a table have no good side that the dice know of; of these only the totals are compared. A chance is told as it is, and
again corrected for the number of things that were looked at: whoever looks at twenty things will find something rare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Literal, TypeAlias, TypeVar

import msgspec

from events.dice.notation import parse
from projections.dice.ledger import Entry, is_kind, kind_of
from projections.dice.many_rolls import LEAST, run_at_least, successes, total_of
from projections.dice.odds import difference, distribution
from projections.dice.rolls import dice_of
from projections.dice.table_results import Result, moved, results_of
from projections.fold import Bearing

Group = TypeVar("Group", bound=Hashable)
Verdict: TypeAlias = Literal["ordinary", "unusual", "very unusual"]

UNUSUAL = Fraction(1, 20)
VERY_UNUSUAL = Fraction(1, 1000)

_UNDER, _OVER, _OPPOSED = "roll under", "roll over", "opposed"


class Check(msgspec.Struct, frozen=True, gc=False):
    """A roll that could succeed or fail: how likely success was (of, out_of), whether it came, what was at stake."""

    entry: Entry
    odds: tuple[int, int]
    success: bool
    direction: str
    stake: int = 1


class Luck(msgspec.Struct, frozen=True, gc=False):
    """Some checks together. `at_most` is the chance of so many successes or fewer, `at_least` of so many or more.

    `over` is successes less expectation; `staked` the same with every check weighted by what was at stake.
    """

    about: str
    directions: tuple[str, ...]
    checks: int
    successes: int
    expected: Fraction
    variance: Fraction
    at_most: Fraction
    at_least: Fraction
    staked: Fraction
    weighted: bool

    @property
    def over(self) -> Fraction:
        """Successes less expectation: above 0 is good luck."""
        return self.successes - self.expected

    @property
    def rarity(self) -> Fraction:
        """The chance of something as rare on either side: twice the smaller tail."""
        return either_side(self.at_most, self.at_least)


class Sums(msgspec.Struct, frozen=True, gc=False):
    """Rolls that are read in a table, together: their totals against expectation, and each result of the table.

    `exact` is false where the totals are too many to be worked out; then the tails are those of the normal curve.
    """

    about: str
    rolls: int
    total: int
    expected: Fraction
    at_most: Fraction
    at_least: Fraction
    results: tuple[Result, ...]
    exact: bool

    @property
    def rarity(self) -> Fraction:
        """The chance of something as rare on either side: twice the smaller tail."""
        return either_side(self.at_most, self.at_least)


class Streak(msgspec.Struct, frozen=True, gc=False):
    """The longest run of one seat, and the chance of a run at least as long somewhere in so many checks."""

    about: str
    of: Literal["successes", "failures"]
    length: int
    checks: int
    rarity: Fraction


class LuckReport(msgspec.Struct, frozen=True, gc=False):
    """Everything that was looked at. `looks` counts the chances worked out, each of which could have been rare."""

    seats: tuple[Luck, ...]
    kinds: tuple[Luck, ...]
    pieces: tuple[Luck, ...]
    sums: tuple[Sums, ...]
    streaks: tuple[Streak, ...]
    looks: int

    def corrected(self, rarity: Fraction) -> Fraction:
        """Correct a chance for the number of looks: at most this share of fair battles shows anything so rare."""
        return min(rarity * self.looks, Fraction(1))


def either_side(at_most: Fraction, at_least: Fraction) -> Fraction:
    """Double the smaller tail, as is fair when either would have been remarked upon."""
    return min(2 * min(at_most, at_least), Fraction(1))


def verdict(corrected: Fraction) -> Verdict:
    """Put a corrected chance into a word. None of them says that anybody cheated, or that nobody did."""
    if corrected >= UNUSUAL:
        return "ordinary"
    return "unusual" if corrected >= VERY_UNUSUAL else "very unusual"


# From rolls to checks


def checks_of(
    entries: Iterable[Entry], *, bearing: Mapping[str, Bearing] | None = None, stakes: Mapping[str, int] | None = None
) -> tuple[Check, ...]:
    """Return the checks among the rolls, in their order: those with a target, and pairs that are compared.

    `bearing` names kinds in which success is no good luck for the roller (see `ledger.is_kind`). Where it is "bad",
    success and failure change places; where it is good for nobody, the check is left out.
    `stakes` gives the worth of pieces: a roll counts as much as the dearest that its key or its roller names, or 1.
    """
    rolls = list(entries)
    partners = {(entry.battle, entry.line, entry.key): entry for entry in rolls if entry.key}
    bears = {kind: _bearing(kind, bearing or {}) for kind in {kind_of(entry) for entry in rolls}}
    found = []
    for entry in rolls:
        good = bears[kind_of(entry)]
        if good == "neither":
            continue
        if entry.success is not None and entry.chance is not None:
            odds, success = entry.chance, entry.success
            direction = _UNDER if entry.test in ("at_most", "below") else _OVER
        else:
            partner = partners.get((entry.battle, entry.line, entry.against)) if entry.against else None
            if partner is None or entry.total is None or partner.total is None:
                continue
            odds = _odds_to_beat(entry.notation, entry.added, partner.notation, partner.added)
            success, direction = entry.total > partner.total, _OPPOSED
        if good == "bad":
            odds, success = (odds[1] - odds[0], odds[1]), not success
        found.append(Check(entry, odds, success, direction, _stake(entry, stakes) if stakes else 1))
    return tuple(found)


def _bearing(kind: str, bearing: Mapping[str, Bearing]) -> Bearing | None:
    return next((bearing[name] for name in bearing if is_kind(kind, name)), None)


def _stake(entry: Entry, stakes: Mapping[str, int]) -> int:
    named = [entry.piece, *re.split(r"[>~.:/]", entry.key)]
    return max((stakes[name] for name in named if name in stakes), default=1)


@lru_cache(maxsize=1024)
def _odds_to_beat(mine: str, added: int, theirs: str, their_added: int) -> tuple[int, int]:
    """Give the chance to show more than the other side; equal is not more."""
    margin = difference(distribution(dice_of(mine)), distribution(dice_of(theirs)))
    return margin.chance_above(their_added - added).as_integer_ratio()


# What it comes to


def luck_of(about: str, checks: Sequence[Check]) -> Luck:
    """Work out the luck of some checks together, exactly (beyond 200 of them, to dozens of digits)."""
    equal: dict[tuple[int, int], int] = {}
    worth: dict[tuple[int, int], int] = {}
    for check in checks:
        equal[check.odds] = equal.get(check.odds, 0) + 1
        worth[check.odds] = worth.get(check.odds, 0) + check.stake
    counted = {Fraction(*each): times for each, times in equal.items()}
    odds = successes(counted)
    met = sum(check.success for check in checks)
    return Luck(
        about,
        tuple(sorted({check.direction for check in checks})),
        len(checks),
        met,
        sum((times * chance for chance, times in counted.items()), Fraction(0)),
        sum((times * chance * (1 - chance) for chance, times in counted.items()), Fraction(0)),
        max(odds.chance_at_most(met), LEAST),
        max(odds.chance_at_least(met), LEAST),
        sum(check.stake for check in checks if check.success)
        - sum((stake * Fraction(*each) for each, stake in worth.items()), Fraction(0)),
        any(check.stake != 1 for check in checks),
    )


def sums_of(about: str, rolls: Sequence[Entry]) -> Sums:
    """Compare the totals of rolls without a target with what was to be expected."""
    counted = Counter((entry.notation, entry.added) for entry in rolls)
    parts = {moved(notation, added): times for (notation, added), times in counted.items()}
    total = sum(entry.total or 0 for entry in rolls)
    expected = sum((times * one.mean() for one, times in parts.items()), Fraction(0))
    odds = total_of(parts)
    if odds is not None:
        tails = odds.chance_at_most(total), odds.chance_at_least(total)
    else:
        tails = _normal_tails(total, expected, sum(times * one.variance() for one, times in parts.items()))
    return Sums(
        about,
        len(rolls),
        total,
        expected,
        max(tails[0], LEAST),
        max(tails[1], LEAST),
        results_of(rolls),
        odds is not None,
    )


def _normal_tails(total: int, mean: Fraction, variance: Fraction | int) -> tuple[Fraction, Fraction]:
    curve = NormalDist(0, float(variance) ** 0.5)
    below, above = float(total - mean) + 0.5, float(mean - total) + 0.5
    return Fraction(curve.cdf(below)), Fraction(curve.cdf(above))


def streak_of(about: str, of: Literal["successes", "failures"], checks: Sequence[Check]) -> Streak:
    """Find the longest run in checks that are given in the order thrown, and how likely one so long was."""
    good = of == "successes"
    longest = running = 0
    for check in checks:
        running = running + 1 if check.success == good else 0
        longest = max(longest, running)
    chances = [(of if good else out_of - of, out_of) for of, out_of in (check.odds for check in checks)]
    rarity = run_at_least(chances, longest) if longest else Fraction(1)
    return Streak(about, of, longest, len(checks), max(rarity, LEAST))


def report_luck(
    entries: Iterable[Entry], *, bearing: Mapping[str, Bearing] | None = None, stakes: Mapping[str, int] | None = None
) -> LuckReport:
    """Look at the luck of every seat, every kind of check of every seat, and every piece.

    Give it the rolls in force, in the order in which they fell. Entered and imported dice count like all others; rolls
    of which only an ambiguous total is known do not.
    """
    known = [entry for entry in entries if entry.certainty != "ambiguous"]
    checks = checks_of(known, bearing=bearing, stakes=stakes)
    seats = _grouped(checks, lambda check: check.entry.seat)
    kinds = _grouped(checks, lambda check: (check.entry.seat, kind_of(check.entry)))
    pieces = _grouped([check for check in checks if check.entry.piece], lambda check: check.entry.piece)
    reads = _grouped([each for each in known if _is_read(each)], lambda each: (each.seat, kind_of(each)))
    by_seat = tuple(luck_of(seat, seats[seat]) for seat in sorted(seats))
    by_kind = tuple(luck_of(f"{seat}: {kind}", kinds[seat, kind]) for seat, kind in sorted(kinds))
    by_piece = tuple(luck_of(piece, pieces[piece]) for piece in sorted(pieces))
    sums = tuple(sums_of(f"{seat}: {kind}", reads[seat, kind]) for seat, kind in sorted(reads))
    streaks = tuple(
        streak_of(seat, of, seats[seat]) for seat in sorted(seats) for of in ("successes", "failures")
    )  # fmt: skip
    looks = len(by_seat) + len(by_kind) + len(by_piece) + len(sums) + len(streaks)
    return LuckReport(by_seat, by_kind, by_piece, sums, streaks, looks)


def _is_read(entry: Entry) -> bool:
    if entry.test != "read" or entry.against or entry.total is None or not entry.notation:
        return False
    try:
        parse(entry.notation)
    except ValueError:
        return False
    return True


Each = TypeVar("Each")


def _grouped(each: Iterable[Each], by: Callable[[Each], Group]) -> dict[Group, list[Each]]:
    groups: dict[Group, list[Each]] = {}
    for one in each:
        groups.setdefault(by(one), []).append(one)
    return groups
