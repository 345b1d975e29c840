"""Tests with pools of dice: what goes into a pool, the roll that is called for, what its total means (B §1)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.rules.ice_and_fire.tables import Tables
from engine.rules.rolls import Goal, RollFor, check, total_of
from events.dice.expression import Target
from events.dice.notation import parse
from events.facts import Chance, RollCalled, Term
from projections.dice.odds import chance_to_meet
from projections.dice.rolls import NO_LIMITS, Limits, Reading


class Share(msgspec.Struct, frozen=True, gc=False):
    """One share of a pool: test dice, bonus dice, penalty dice or a flat number, with its reason."""

    what: str
    number: int
    label: str
    rule: str
    source: str = "seed"


def kept_dice(number: int, label: str, rule: str, source: str = "seed") -> Share:
    """Test dice: rolled and kept (B-01, B-04)."""
    return Share("test", number, label, rule, source)


def spare_dice(number: int, label: str, rule: str, source: str = "seed") -> Share:
    """Bonus dice: rolled, not kept (B-02)."""
    return Share("bonus", number, label, rule, source)


def penalty_dice(number: int, label: str, rule: str, source: str = "seed") -> Share:
    """Penalty dice: each takes one from those that are kept (B-03)."""
    return Share("penalty", number, label, rule, source)


def added(number: int, label: str, rule: str, source: str = "seed") -> Share:
    """A number added to the sum (B-05)."""
    return Share("flat", number, label, rule, source)


class Pool(msgspec.Struct, frozen=True, gc=False):
    """A pool made up of its shares. Bonus dice over `limit` do not count (B-06); -1 sets no limit."""

    shares: tuple[Share, ...]
    limit: int = -1

    def _sum(self, what: str) -> int:
        return sum(share.number for share in self.shares if share.what == what)

    @property
    def tests(self) -> int:
        """Test dice."""
        return self._sum("test")

    @property
    def bonuses(self) -> int:
        """Bonus dice that count."""
        dice = max(self._sum("bonus"), 0)
        return dice if self.limit < 0 else min(dice, self.limit)

    @property
    def penalties(self) -> int:
        """Penalty dice."""
        return self._sum("penalty")

    @property
    def hopeless(self) -> bool:
        """Whether no die is kept: the test fails with a result of 0 (B-07)."""
        return self.penalties >= self.tests

    @property
    def dice(self) -> str:
        """The pool in dice notation.

        >>> Pool((kept_dice(4, "", ""), spare_dice(2, "", ""), penalty_dice(1, "", ""), added(3, "", "")), 4).dice
        '4D+2B-1P+3'
        """
        text = f"{self.tests}D" + (f"+{self.bonuses}B" if self.bonuses else "")
        text += f"-{self.penalties}P" if self.penalties else ""
        number = 0 if self.hopeless else self._sum("flat")
        return text + (f"{number:+d}" if number else "")

    def terms(self) -> tuple[Term, ...]:
        """The shares as lines of the record."""
        words = {"test": "test dice: ", "bonus": "bonus dice: ", "penalty": "penalty dice: ", "flat": "to the total: "}
        found = [
            Term(words[share.what] + share.label, share.number, share.rule, share.source)
            for share in self.shares
            if share.number
        ]
        over = max(self._sum("bonus"), 0) - self.bonuses
        if over:
            found.append(Term("bonus dice: over the ability's rank", -over, "B-06", "house"))
        return tuple(found)

    def also(self, *shares: Share) -> Pool:
        """The pool with more in it."""
        return Pool((*self.shares, *shares), self.limit)


def contest(key: str, purpose: str, seat: str, piece: str, pool: Pool, rule: str, other: str = "") -> RollCalled:
    """Call for a test without a target number: its total is held against others, or against the roll `other` alone."""
    return total_of(RollFor(key, purpose, seat, piece, rule), pool.dice, pool=pool.terms(), against=other)


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a test came to: `degrees` is 0 for a failure, `critical` marks a failure by five or more (B-10, B-12)."""

    total: int
    degrees: int
    critical: bool

    @property
    def success(self) -> bool:
        """Whether the target number was reached."""
        return self.degrees > 0


def call(key: str, purpose: str, seat: str, piece: str, pool: Pool, against: Iterable[Term], rule: str) -> RollCalled:
    """Call for a test. `against` adds up to the target number; each line of pool and target is in the record.

    A pool that keeps no die cannot reach even a target number of 0 (B-07).
    """
    lines = tuple(against)
    target = sum(line.value for line in lines)
    limits: Limits = (1, None) if pool.hopeless else NO_LIMITS
    goal = Goal("at_least", lines, target, limits, pool=pool.terms())
    return check(RollFor(key, purpose, seat, piece, rule), pool.dice, goal)


def outcome(tables: Tables, reading: Reading, target: int) -> Outcome:
    """Read a test: degrees by the margin (B-10), at most four (B-11); a failure by five or more is critical (B-12).

    >>> from engine.rules.ice_and_fire.table_checks import loader
    >>> tables = loader().load()
    >>> [outcome(tables, Reading(total, None, ()), 9).degrees for total in (8, 9, 13, 14, 19, 24, 40)]
    [0, 1, 1, 2, 3, 4, 4]
    >>> [outcome(tables, Reading(total, None, ()), 9).critical for total in (5, 4)]
    [False, True]
    """
    margin = reading.total - target
    if margin < 0:
        return Outcome(reading.total, 0, -margin >= tables.number("critical_margin"))
    degrees = min(1 + margin // tables.number("degree_step"), tables.number("most_degrees"))
    return Outcome(reading.total, degrees, False)


def against(number: int, label: str, rule: str, source: str = "seed") -> Term:
    """A line of a target number."""
    return Term(label, number, rule, source)


def odds(pool: Pool, target: int, tables: Tables) -> tuple[Chance, Chance]:
    """The exact chances of a success and of a critical failure."""
    dice = parse(pool.dice)
    success = chance_to_meet(dice, Target("at_least", target))
    critical = chance_to_meet(dice, Target("at_most", target - tables.number("critical_margin")))
    return (
        Chance("success", success.numerator, success.denominator),
        Chance("critical failure", critical.numerator, critical.denominator),
    )
