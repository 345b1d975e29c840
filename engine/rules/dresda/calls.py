"""What every procedure of Dresda works on, and the calls for dice in its manner: d100 and D10 with their exact odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from engine.rules.dresda.options import options
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.table_rows import Modifier
from engine.rules.dresda.tables import Counted
from engine.rules.rolls import Goal, RollFor, Side, check, in_table, opposed
from events.facts import RollCalled, Term, Test
from projections.dice.rolls import NO_LIMITS, Limits
from projections.dresda.state import Figure

D100, D10 = "d100", "d10"


def percent_call(
    key: str, purpose: str, figure: Figure, target: int, rule: str, yes: str,
    terms: tuple[Term, ...] = (), test: Test = "at_most", limits: Limits = NO_LIMITS,
) -> RollCalled:  # fmt: skip
    """A d100 against a target, kept within limits; `yes` is what success is called. 00 is read as 100 (DA-21)."""
    what = RollFor(key, purpose, figure.who.seat, figure.id, rule)
    return check(what, D100, Goal(test, terms, target, limits, yes))


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
    return in_table(RollFor(key, purpose, figure.who.seat, figure.id, rule), dice, read, terms)


def opposed_calls(
    sides: Sequence[tuple[str, str, Figure, tuple[Term, ...]]], rule: str, read: Callable[[int, int], str]
) -> list[RollCalled]:
    """Two D10, one against the other: (key, purpose, figure, terms) of each. `read` names the result of a lead.

    `read` is given 0 or 1, the side that rolls, and by how much that side leads; each call tells the odds as that side
    sees them, both totals' modifiers counted (DR-081).
    """
    one, other = (
        Side(RollFor(key, purpose, figure.who.seat, figure.id, rule), terms, partial(read, at))
        for at, (key, purpose, figure, terms) in enumerate(sides)
    )
    return list(opposed(one, other, D10))


def terms_of(rows: Iterable[Counted[Modifier]], rules: Mapping[str, str], rule: str) -> tuple[Term, ...]:
    """Counted rows as terms: each under its own rule where `rules` names one, else under `rule`."""
    return tuple(
        Term(each.row.id.replace("_", " "), each.points, rules.get(each.row.id, rule), _mark(each.row)) for each in rows
    )


def _mark(row: Modifier) -> str:
    """Where the figure of a row is from."""
    return row.mark("value") if "value" in row.marks else row.mark("pct")


def option(situation: Situation, name: str) -> str:
    """An option of the battle: the chosen value, else the default of the list of rules."""
    return str(situation.state.table.option(name, options()[name][0]))
