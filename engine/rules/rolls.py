"""Calls for dice, with their chances worked out: a target number, a table, two rolls against each other, a pool.

A procedure says what is rolled for, which dice, and what they are held against; the exact chances follow.

    call = check(
        RollFor("t1/hit/ann>bob", "Ann hits Bob", "red", "ann", "BR-4"),
        "d6",
        Goal("at_least", (Term("a blow", 5, "BR-4"), Term("a friend at it", -1, "BR-4")), success="hurt"),
    )

calls for a d6 that must show 4 or more, which is told as `hurt 50.0 %`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from events.dice.expression import Target
from events.errors import DiaryError
from events.facts import Chance, RollCalled, Term, Test
from projections.dice.odds import Distribution, difference, distribution
from projections.dice.rolls import NO_LIMITS, Limits, dice_of, within_limits

MAX_SUMS: Final = 256
"""Dice whose listed totals are kept."""


class RollInvalid(DiaryError, ValueError):
    """A call for dice does not add up: a mistake in the rules. It names the key of the roll."""

    code = "rules/roll"

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"the roll {key}: {problem}")
        self.key = key
        self.problem = problem


class RollFor(Struct, frozen=True, gc=False):
    """What is rolled for: `purpose` in words, who rolls (`seat`, for `piece`), by which `rule`.

    The `key` names the roll for good, on every line of the battle; a correction that keeps the dice goes by it. So it
    says turn, act and who does what to whom (`t3/missile/grubnik>aldric/hit`), and no two rolls of an act share it.
    """

    key: str
    purpose: str
    seat: str
    piece: str
    rule: str


class Goal(Struct, frozen=True, gc=False):
    """What dice must show: as `test` says, the sum of the `terms`, kept within the rule's own `limits`.

    Instead of terms a plain `target` may be given; with both, they must agree. `success` is what success is called;
    with `failure` its chance is listed, too. `pool` are terms that are shown beside the others and not counted, such as
    those that tell which dice are rolled. Chances are reduced fractions, or with `in_cases` counted in all cases of the
    dice, such as 30 in 100.
    """

    test: Test
    terms: tuple[Term, ...] = ()
    target: int | None = None
    limits: Limits = NO_LIMITS
    success: str = "success"
    failure: str = ""
    pool: tuple[Term, ...] = ()
    in_cases: bool = False


class Side(Struct, frozen=True, gc=False):
    """One of two that roll against each other, with what is added to its dice.

    `read` names the result by how much this side leads: above 0 it has won, below 0 lost.
    """

    what: RollFor
    terms: tuple[Term, ...]
    read: Callable[[int], str]


def check(what: RollFor, dice: str, goal: Goal) -> RollCalled:
    """Call for a roll against a target number. The reading's `success` tells whether it was met.

    Raises `RollInvalid` if the terms do not come to the target, `NotationError` for dice that cannot be read.
    """
    if goal.test == "read":
        raise RollInvalid(what.key, "a roll that is only read has no goal: use in_table or total_of")
    wanted = sum(term.value for term in goal.terms) if goal.target is None else goal.target
    if goal.terms and wanted != sum(term.value for term in goal.terms):
        raise RollInvalid(what.key, f"its terms come to {sum(term.value for term in goal.terms)}, not to {wanted}")
    target = within_limits(wanted, goal.limits)
    odds = distribution(dice_of(dice))
    chance = odds.chance_of(Target(goal.test, target))
    return RollCalled(
        what.key, what.purpose, what.seat, what.piece, dice, goal.test, target, "target", (*goal.pool, *goal.terms),
        _met(goal, chance, odds.cases), what.rule, limits=goal.limits,
        before_limits=wanted if wanted != target else None,
    )  # fmt: skip


def in_table(what: RollFor, dice: str, read: Callable[[int], str], terms: tuple[Term, ...] = ()) -> RollCalled:
    """Call for a roll that is looked up: `read` names the result of a total, to which the terms are added.

    The reading's `total` has them added already. Results are listed from that of the lowest total up.
    """
    odds, added = distribution(dice_of(dice)), sum(term.value for term in terms)
    named = ((read(odds.low + at + added), weight) for at, weight in enumerate(odds.weights))
    return RollCalled(
        what.key, what.purpose, what.seat, what.piece, dice, "read", 0, "total", terms, _gathered(named, odds.cases),
        what.rule,
    )  # fmt: skip


def in_bands(what: RollFor, dice: str, bands: Iterable[tuple[str, int]]) -> RollCalled:
    """Call for a plain roll that is looked up in bands, from the lowest up: the result of each and how wide it is.

    Raises `RollInvalid` if they are not as wide as the dice have cases together.
    """
    listed, cases = tuple(bands), distribution(dice_of(dice)).cases
    if sum(width for _, width in listed) != cases:
        raise RollInvalid(what.key, f"its bands hold {sum(width for _, width in listed)} of {cases} cases")
    chances = tuple(Chance(label, width, cases) for label, width in listed)
    return RollCalled(
        what.key, what.purpose, what.seat, what.piece, dice, "read", chances=chances, rule=what.rule
    )  # fmt: skip


def total_of(
    what: RollFor, dice: str, *, terms: tuple[Term, ...] = (), pool: tuple[Term, ...] = (), against: str = "",
    most_listed: int | None = None,
) -> RollCalled:  # fmt: skip
    """Call for a roll that counts as it falls, such as damage, with the terms added to it.

    `pool` are terms that tell which dice are rolled and count for nothing more. `against` is the key of another roll
    that it is compared with. The chance of each total is listed, unless there are more than `most_listed`.
    """
    added = sum(term.value for term in terms)
    chances = _sums(dice, added)
    return RollCalled(
        what.key, what.purpose, what.seat, what.piece, dice, "read", 0, "total" if terms else "target",
        (*pool, *terms), chances if most_listed is None or len(chances) <= most_listed else (), what.rule,
        against=against,
    )  # fmt: skip


def opposed(one: Side, other: Side, dice: str) -> tuple[RollCalled, RollCalled]:
    """Call for two rolls of the same dice, one against the other; each lists the results as its own side sees them."""
    return _against(one, other, dice), _against(other, one, dice)


def _met(goal: Goal, chance: Fraction, cases: int) -> tuple[Chance, ...]:
    """The chance of success, and of failure where the goal names it."""
    if not (goal.in_cases or goal.failure):
        return (Chance(goal.success, chance.numerator, chance.denominator),)
    met = chance.numerator * (cases // chance.denominator)
    failed = (Chance(goal.failure, cases - met, cases),) if goal.failure else ()
    return (Chance(goal.success, met, cases), *failed)


def _against(one: Side, other: Side, dice: str) -> RollCalled:
    odds = distribution(dice_of(dice))
    leads: Distribution = difference(odds, odds)
    lead = sum(term.value for term in one.terms) - sum(term.value for term in other.terms)
    named = ((one.read(leads.low + at + lead), weight) for at, weight in enumerate(leads.weights))
    what = one.what
    return RollCalled(
        what.key, what.purpose, what.seat, what.piece, dice, "read", 0, "total", one.terms,
        _gathered(named, leads.cases), what.rule, against=other.what.key,
    )  # fmt: skip


def _gathered(named: Iterable[tuple[str, int]], cases: int) -> tuple[Chance, ...]:
    """The chance of every result, in the order in which they first come up."""
    weights: dict[str, int] = {}
    for name, weight in named:
        weights[name] = weights.get(name, 0) + weight
    return tuple(Chance(name, weight, cases) for name, weight in weights.items() if weight)


@lru_cache(maxsize=MAX_SUMS)
def _sums(dice: str, added: int) -> tuple[Chance, ...]:
    """The chance of every total."""
    odds = distribution(dice_of(dice))
    return tuple(
        Chance(str(odds.low + at + added), weight, odds.cases) for at, weight in enumerate(odds.weights) if weight
    )
