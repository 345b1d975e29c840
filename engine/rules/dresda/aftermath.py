"""After the battle: who deserts, whose battle counts, and the roster of those who are left (DR-130, DR-131)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.rules.dresda.arms import spelled
from engine.rules.dresda.calls import percent_call
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Yielded, roll_all
from events.dresda import CareerCounted, DesertionRolled
from events.facts import RollCalled, Term
from projections.dresda.state import Figure

ROUTED, COUNTED = "R", "+"
"""Marks on a record: a battle from which the figure routed, and one that counts."""


def aftermath(situation: Situation) -> Generator[Yielded, Any, None]:
    """Roll for those who routed off the table, then put the battle on each survivor's record."""
    routed = [figure for _, figure in sorted(situation.state.figures.items()) if figure.gone == "routed"]
    calls = [desertion_call(situation, figure) for figure in routed]
    readings = yield from roll_all(calls)
    for figure, call, reading in zip(routed, calls, readings, strict=True):
        yield DesertionRolled(figure.id, not reading.success, "DR-130", call.key)
    for _, figure in sorted(situation.state.figures.items()):
        if figure.gone != "dead" and not figure.lost_for_good:
            yield counted_career(situation, figure)


def desertion_call(situation: Situation, figure: Figure) -> RollCalled:
    """The d100 that must beat the chance to go; an equal roll is lost (DR-130, DA-21a)."""
    by_status, by_race = situation.tables.desertion_rows(figure.who.status, figure.who.race)
    terms = [Term(figure.who.status, by_status.percent, "DR-130", by_status.mark("percent"))]
    if by_race is not None:
        terms.append(Term(by_race.race, by_race.percent, "DR-130", by_race.mark("percent")))
    percent = situation.tables.desertion_percent(figure.who.status, figure.who.race)
    key = f"after/desertion/{figure.id}"
    purpose = f"{figure.who.name} stays with the colours"
    return percent_call(key, purpose, figure, percent, "DR-130", "stays", tuple(terms), "above", (0, 100))


def counted_career(situation: Situation, figure: Figure) -> CareerCounted:
    """The battle on a survivor's record: R, or one more that counts towards a higher Status (DR-131)."""
    routed = figure.gone == "routed"
    battles = figure.who.battles + (not routed)
    order = list(situation.tables.statuses)
    status = max(figure.who.status, situation.tables.status_after(battles), key=order.index)
    return CareerCounted(figure.id, ROUTED if routed else COUNTED, battles, status, "DR-131")


# ---------------------------------------------------------------------------------------------------- the roster


def roster(situation: Situation) -> dict[str, Any]:
    """What is left for the next battle, as the raw form of a roster file: survivors who have not deserted.

    House readings: wounds heal between battles, a mount that was put out of action serves again (DR-071), and a figure
    brings the weapons that it has at the end.
    """
    survivors = {
        name: _entry(figure)
        for name, figure in sorted(situation.state.figures.items())
        if figure.gone != "dead" and not figure.lost_for_good
    }
    return {"rule_set": "dresda", "after": situation.state.table.title, "figures": survivors}


def _entry(figure: Figure) -> dict[str, Any]:
    who = figure.who
    entry: dict[str, Any] = {
        "name": who.name,
        "race": who.race,
        "status": who.status,
        "battles": who.battles,
        "record": who.record,
        "weapons": [spelled(arm) for arm in figure.arms],
    }
    worn = {
        "armour": who.armour,
        "shield": who.shield,
        "mount": figure.owned_mount,
        "unit": who.unit,
        "leader": who.leader,
    }
    entry.update({key: value for key, value in worn.items() if value})
    if figure.off_hand:
        entry["second_weapon"] = True
    return entry
