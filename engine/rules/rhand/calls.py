"""The dice of Rhand: percentile dice from 00 to 99, each call with its table, its cell and its exact chances."""

from __future__ import annotations

from engine.rules.rhand.table_reading import DamageTable
from engine.rules.rolls import Goal, RollFor, check, in_bands, total_of
from events.facts import RollCalled, Term
from projections.dice.rolls import NO_LIMITS, Limits

PERCENT = "1d00"


def to_hit(
    key: str, purpose: str, seat: str, piece: str, odds: int, terms: tuple[Term, ...], rule: str, die: str
) -> RollCalled:
    """A roll that hits at the odds or under them (SP-031); `die` is 00-99 or, where chosen, 1-100 (SA-02)."""
    dice = PERCENT if die == "00-99" else "1d100"
    goal = Goal("at_most", terms, odds, success="hit", failure="miss")
    return check(RollFor(key, purpose, seat, piece, rule), dice, goal)


def survival(key: str, purpose: str, seat: str, piece: str, chance: int, terms: tuple[Term, ...]) -> RollCalled:
    """A Recovery Roll: whoever comes to the chance or under it lives; where there is none nobody does (SPX-20)."""
    most = chance if chance > 0 else -1  # 00 is under nothing
    goal = Goal("at_most", target=most, success="lives", failure="dies", pool=terms)
    return check(RollFor(key, purpose, seat, piece, "SPX-20"), PERCENT, goal)


def below(
    key: str, purpose: str, seat: str, piece: str, chance: int, terms: tuple[Term, ...], rule: str, label: str,
    limits: Limits = NO_LIMITS,
) -> RollCalled:  # fmt: skip
    """A roll of 00-99 that succeeds strictly below a chance, kept within limits (SP-043, SA-03)."""
    goal = Goal("below", terms, chance, limits, label, in_cases=True)
    return check(RollFor(key, purpose, seat, piece, rule), PERCENT, goal)


def location(key: str, purpose: str, seat: str, piece: str, table: DamageTable) -> RollCalled:
    """A roll for the hit location on the top line of a damage table (SP-035)."""
    bands = ((each.id.replace("_", " "), each.width) for each in table.locations)
    return in_bands(RollFor(key, purpose, seat, piece, "SP-035"), PERCENT, bands)


def impact(key: str, purpose: str, seat: str, piece: str, dice: str, rule: str = "SP-032") -> RollCalled:
    """A roll for Impact Damage, read as it falls (SP-032)."""
    return total_of(RollFor(key, purpose, seat, piece, rule), dice)


def percent(key: str, purpose: str, seat: str, piece: str, rule: str) -> RollCalled:
    """A roll of 00-99 that is read in a table."""
    return total_of(RollFor(key, purpose, seat, piece, rule), PERCENT, most_listed=0)
