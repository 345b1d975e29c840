"""Defence Factor, wounds, death; and how wounds of a phase take effect together (DR-040 to DR-055)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Any

from engine.rules.dresda.mounted import falls
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.tables import Tables
from engine.rules.rule_set import Yielded
from events.dresda import Hurt, MountLost, Wounded
from events.facts import Term
from projections.dresda.state import Figure


def shield_slung(figure: Figure, firing: Collection[str] = ()) -> bool:
    """Whether a shield is slung: put away, or its bearer's hands are, or were this turn, full (DR-044, DA-12a).

    `firing` are those who fire in the very phase that is being resolved.
    """
    return figure.shield_away or figure.slung or figure.slings_now or figure.id in firing


def defence(tables: Tables, figure: Figure, *, from_behind: bool, firing: Collection[str] = ()) -> int:
    """The Defence Factor when struck by a shot: race, armour, shield (DR-040, DR-042).

    A slung shield counts against a shot from behind and no other (DR-045). A ridden figure's mount adds nothing and has
    no say of its own (DA-08).
    """
    return sum(term.value for term in defence_terms(tables, figure, from_behind=from_behind, firing=firing))


def defence_terms(
    tables: Tables, figure: Figure, *, from_behind: bool, firing: Collection[str] = ()
) -> tuple[Term, ...]:
    """What the Defence Factor is made of, each part with its source (see `defence`)."""
    race = tables.race(figure.who.race)
    name = f"Defence Factor of {race.id.replace('_', ' ')}"
    own = Term(name, race.defence_factor, "DR-040", race.mark("defence_factor"))
    worn = [figure.who.armour, figure.who.shield if from_behind or not shield_slung(figure, firing) else ""]
    rows = [tables.defence_row(name) for name in worn if name]
    return (own, *(Term(row.id.replace("_", " "), row.points, "DR-042", row.mark("points")) for row in rows))


def wounds_of(tables: Tables, attack_factor: int, defence_factor: int) -> int:
    """How many wounds a hit makes (DR-054, DR-055; halves and thirds are strict, DA-09)."""
    if attack_factor < defence_factor:
        return 0
    if defence_factor * tables.whole("three_wound_divisor") < attack_factor:
        return 3
    return 2 if defence_factor * tables.whole("two_wound_divisor") < attack_factor else 1


def wounded(figure: Figure, by: str, wounds: int, rule: str, key: str, keys: tuple[str, ...] = ()) -> Wounded:
    """The fact of a wound: no more than kill count, and that many are death (DR-041, DA-20)."""
    taken = min(wounds, figure.left)
    return Wounded(figure.id, by, taken, taken >= figure.left, rule, key, keys)


def take_effect(situation: Situation, hurts: Sequence[Hurt]) -> Generator[Yielded, Any, None]:
    """Let wounds of one moment take effect: riders and men on foot, then mounts, then the falls of their riders.

    They do so in a fixed order, and none is lost for coming later; what is beyond death does not matter (DA-20).
    """
    for hurt in sorted((hurt for hurt in hurts if not hurt.mount), key=lambda each: (each.figure, each.key)):
        figure = situation.state.figures[hurt.figure]
        if not figure.gone:
            yield wounded(figure, hurt.by, hurt.wounds, hurt.rule, hurt.key, hurt.keys)
    thrown: list[tuple[Figure, str]] = []
    for hurt in sorted((hurt for hurt in hurts if hurt.mount), key=lambda each: (each.figure, each.key)):
        figure = situation.state.figures[hurt.figure]
        if not figure.gone and figure.mounted:
            yield MountLost(figure.id, hurt.by, "DR-071", hurt.key, hurt.keys)  # one wound is enough
            thrown.append((situation.state.figures[hurt.figure], hurt.key))
    yield from falls(situation, thrown)
