"""What every procedure of Dresda works on, and the calls for dice in its manner: d100 and D10 with their exact odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from engine.rules.dresda.options import options
from engine.rules.dresda.table_rows import Modifier
from engine.rules.dresda.tables import Counted, Tables
from engine.rules.rule_set import Situation
from events.dice.notation import parse
from events.facts import Chance, RollCalled, Term, Test
from projections.dice.odds import Distribution, difference, distribution
from projections.dice.rolls import NO_LIMITS, Limits, within_limits
from projections.dresda.state import Battlefield, Figure

Table: TypeAlias = Situation[Battlefield, Tables]
"""The battle as it stands, and the tables in force."""

D100, D10 = "d100", "d10"


def percent_call(
    key: str, purpose: str, figure: Figure, target: int, rule: str, yes: str,
    terms: tuple[Term, ...] = (), test: Test = "at_most", limits: Limits = NO_LIMITS,
) -> RollCalled:  # fmt: skip
    """A d100 against a target, kept within limits; `yes` is what success is called. 00 is read as 100 (DA-21)."""
    odds, wanted, target = distribution(parse(D100)), target, within_limits(target, limits)
    chance = odds.chance_above(target) if test == "above" else odds.chance_at_most(target)
    return RollCalled(
        key, purpose, figure.who.seat, figure.id, D100, test, target, "target", terms, (_chance(yes, chance),), rule,
        limits=limits, before_limits=wanted if wanted != target else None,
    )  # fmt: skip


def table_call(
    key: str,
    purpose: str,
    figure: Figure,
    rule: str,
    dice: str,
    read: Callable[[int], str],
    terms: tuple[Term, ...] = (),
) -> RollCalled:
    """A roll that is looked up: `read` names the result of a total, modifiers included."""
    bonus = sum(term.value for term in terms)
    odds = distribution(parse(dice))
    named = ((read(odds.low + at + bonus), weight) for at, weight in enumerate(odds.weights))
    return RollCalled(
        key, purpose, figure.who.seat, figure.id, dice, "read", 0, "total", terms, _chances(named, odds.cases), rule
    )


def opposed_calls(
    sides: Sequence[tuple[str, str, Figure, tuple[Term, ...]]], rule: str, read: Callable[[int, int], str]
) -> list[RollCalled]:
    """Two D10, one against the other: (key, purpose, figure, terms) of each. `read` names the result of a lead.

    `read` is given 0 or 1, the side that rolls, and by how much that side leads; each call tells the odds as that side
    sees them, both totals' modifiers counted (DR-081).
    """
    d10 = distribution(parse(D10))
    calls = []
    for at, (key, purpose, figure, terms) in enumerate(sides):
        lead = sum(term.value for term in terms) - sum(term.value for term in sides[1 - at][3])
        odds: Distribution = difference(d10, d10)
        named = ((read(at, odds.low + step + lead), weight) for step, weight in enumerate(odds.weights))
        chances = _chances(named, odds.cases)
        calls.append(
            RollCalled(
                key, purpose, figure.who.seat, figure.id, D10, "read", 0, "total", terms, chances, rule,
                against=sides[1 - at][0],
            )
        )  # fmt: skip
    return calls


def _chances(named: Iterable[tuple[str, int]], cases: int) -> tuple[Chance, ...]:
    """The chance of every result, in the order in which they first come up."""
    weights: dict[str, int] = {}
    for name, weight in named:
        weights[name] = weights.get(name, 0) + weight
    return tuple(Chance(name, weight, cases) for name, weight in weights.items() if weight)


def _chance(label: str, chance: Fraction) -> Chance:
    return Chance(label, chance.numerator, chance.denominator)


def terms_of(rows: Iterable[Counted[Modifier]], rules: Mapping[str, str], rule: str) -> tuple[Term, ...]:
    """Counted rows as terms: each under its own rule where `rules` names one, else under `rule`."""
    return tuple(
        Term(each.row.id.replace("_", " "), each.points, rules.get(each.row.id, rule), _mark(each.row)) for each in rows
    )


def _mark(row: Modifier) -> str:
    """Where the figure of a row is from."""
    return row.mark("value") if "value" in row.marks else row.mark("pct")


def option(table: Table, name: str) -> str:
    """An option of the battle: the chosen value, else the default of the list of rules."""
    return str(table.state.table.option(name, options()[name][0]))
