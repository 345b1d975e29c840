"""The dice of Rhand: percentile dice from 00 to 99, each call with its table, its cell and its exact chances."""

from __future__ import annotations

from functools import lru_cache

from engine.rules.rhand.table_reading import DamageTable
from engine.rules.rhand.table_rows import Location
from events.facts import Chance, RollCalled, Term
from projections.dice.odds import distribution
from projections.dice.rolls import NO_LIMITS, Limits, dice_of, within_limits

PERCENT = "1d00"
_CASES = 100


def to_hit(
    key: str, purpose: str, seat: str, piece: str, odds: int, terms: tuple[Term, ...], rule: str, die: str
) -> RollCalled:
    """A roll that hits at the odds or under them (SP-031); `die` is 00-99 or, where chosen, 1-100 (SA-02)."""
    dice = PERCENT if die == "00-99" else "1d100"
    hits = max(0, min(_CASES, odds + (1 if die == "00-99" else 0)))
    chances = (Chance("hit", hits, _CASES), Chance("miss", _CASES - hits, _CASES))
    return RollCalled(key, purpose, seat, piece, dice, "at_most", odds, "target", terms, chances, rule)


def survival(key: str, purpose: str, seat: str, piece: str, chance: int, terms: tuple[Term, ...]) -> RollCalled:
    """A Recovery Roll: whoever comes to the chance or under it lives; where there is none nobody does (SPX-20)."""
    most = chance if chance > 0 else -1  # 00 is under nothing
    lives = max(0, min(_CASES, most + 1))
    chances = (Chance("lives", lives, _CASES), Chance("dies", _CASES - lives, _CASES))
    return RollCalled(key, purpose, seat, piece, PERCENT, "at_most", most, "target", terms, chances, "SPX-20")


def below(
    key: str, purpose: str, seat: str, piece: str, chance: int, terms: tuple[Term, ...], rule: str, label: str,
    limits: Limits = NO_LIMITS,
) -> RollCalled:  # fmt: skip
    """A roll of 00-99 that succeeds strictly below a chance, kept within limits (SP-043, SA-03)."""
    target = within_limits(chance, limits)
    sure = max(0, min(_CASES, target))
    return RollCalled(
        key, purpose, seat, piece, PERCENT, "below", target, "target", terms, (Chance(label, sure, _CASES),), rule,
        limits=limits, before_limits=chance if chance != target else None,
    )  # fmt: skip


def location(key: str, purpose: str, seat: str, piece: str, table: DamageTable) -> RollCalled:
    """A roll for the hit location on the top line of a damage table (SP-035)."""
    return RollCalled(
        key, purpose, seat, piece, PERCENT, "read", chances=_places(table.locations), rule="SP-035"
    )  # fmt: skip


def impact(key: str, purpose: str, seat: str, piece: str, dice: str, rule: str = "SP-032") -> RollCalled:
    """A roll for Impact Damage, read as it falls (SP-032)."""
    return RollCalled(key, purpose, seat, piece, dice, "read", chances=_sums(dice), rule=rule)


def percent(key: str, purpose: str, seat: str, piece: str, rule: str) -> RollCalled:
    """A roll of 00-99 that is read in a table."""
    return RollCalled(key, purpose, seat, piece, PERCENT, "read", rule=rule)


@lru_cache(maxsize=64)
def _places(locations: tuple[Location, ...]) -> tuple[Chance, ...]:
    return tuple(Chance(each.id.replace("_", " "), each.width, _CASES) for each in locations)


@lru_cache(maxsize=256)
def _sums(dice: str) -> tuple[Chance, ...]:
    spread = distribution(dice_of(dice))
    return tuple(
        Chance(str(spread.low + place), weight, spread.cases) for place, weight in enumerate(spread.weights) if weight
    )
