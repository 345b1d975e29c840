"""What the referee answers about spells and holds, read into typed facts: down, PD, distracted, moved (SG-03)."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any, Final

from engine.field.hexes import hex_named
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.positions import on_field
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.wounds import fallen_horse, knockout_roll, knockouts
from engine.rules.rule_set import Yielded, ask
from events import rhand as facts
from events.facts import RollCalled, RulingRequested
from events.places import Hex, PlaceInvalid
from projections.rhand.state import Rhand

_CLAUSE: Final = re.compile(
    r"(?:(?P<who>.+?) )?(?:(?P<plain>nothing|down|distracted)|pd (?P<pd>[0-9]{1,6})|moved (?P<hex>[0-9]{4}))$"
)
HOW: Final = "nothing; NAME down; NAME pd 12; NAME distracted; NAME moved 0304"


def effects(
    situation: Situation, key: str, rule: str, question: str, by: str, spell: str, targets: Sequence[str], default: str
) -> Generator[Yielded, Any, None]:
    """Ask what happens to whom, until the answer can be read, and make it so.

    The answer's names are ids or display names; a name may be left out where there is one target.
    """
    attempt = 1
    while True:
        again = "" if attempt == 1 else f"/{attempt}"
        answer = yield from ask(RulingRequested(f"{key}{again}", rule, f"{question} ({HOW})", (), default))
        read = read_effects(answer, situation.state, by, spell, targets, rule)
        if read is not None:
            break
        attempt += 1
    yield from _take(situation, key, read)


def _take(situation: Situation, key: str, read: Sequence[facts.SpellTook]) -> Generator[Yielded, Any, None]:
    """Make effects so. A wound is a wound, whatever gave it: a knockout roll follows each (SP-042).

    Off a horse that goes down comes its rider.
    """
    if first_edition(situation.state):
        yield from read
        return
    checks: list[tuple[RollCalled, int]] = []
    for number, each in enumerate(read, 1):
        yield each
        victim = situation.state.fighters[each.fighter]
        if each.effect == "down":
            yield from fallen_horse(situation, victim.id)
        elif each.effect == "pd" and not victim.down:
            call = knockout_roll(situation, victim.id, victim.total, f"{key}/{number}/knockout")
            checks += [(call, victim.total)] if call is not None else []
    yield from knockouts(situation, checks)


def read_effects(
    answer: str, state: Rhand, by: str, spell: str, targets: Sequence[str], rule: str = "SG-03"
) -> list[facts.SpellTook] | None:
    """The facts that an answer stands for; None if it cannot be read."""
    if answer.strip().casefold() in ("", "nothing"):
        return []
    found = []
    for clause in filter(None, (part.strip() for part in answer.split(";"))):
        read = _CLAUSE.fullmatch(clause.casefold())
        who = _who(state, read["who"], targets) if read is not None else None
        if read is None or who is None:
            return None
        if read["plain"] == "nothing":
            continue
        if read["hex"]:
            try:
                place = hex_named(read["hex"])
            except PlaceInvalid:
                return None
            if not _free(state, who, place):
                return None
            found.append(facts.SpellTook(who, by, spell, "moved", 0, place, rule))
        elif read["pd"]:
            found.append(facts.SpellTook(who, by, spell, "pd", int(read["pd"]), None, rule))
        else:
            effect: facts.Effect = "down" if read["plain"] == "down" else "distracted"
            found.append(facts.SpellTook(who, by, spell, effect, 0, None, rule))
    return found


def _free(state: Rhand, who: str, place: Hex) -> bool:
    """Whether somebody can be moved there: a hex of the field that nobody else stands in."""
    taken = any(each.at == place and each.id != who for each in state.men())
    return on_field(state.columns, state.rows, place) and place not in state.closed and not taken


def _who(state: Rhand, name: str | None, targets: Sequence[str]) -> str | None:
    if name is None:
        return targets[0] if len(targets) == 1 else None
    return next((each.id for each in state.fighters.values() if name in (each.id, each.name.casefold())), None)
