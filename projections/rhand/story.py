"""A blow or a shot in one line: its roll, the place that was struck, the damage, what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events import rhand as facts
from events.facts import DiceRolled, Event
from projections.rhand.captions import name_of, words
from projections.story import Line, Told

DETAILS: tuple[type[Event], ...] = (
    facts.FieldLaid, facts.SpellListed, facts.FighterPlaced, facts.StepBegan, facts.ReleaseOrdered, facts.Preparing,
    facts.Moved, facts.Halted, facts.ActionsCounted, facts.ActionsSpent, facts.ActionsKept, facts.ParryTyped,
    facts.Readying,
)  # fmt: skip
"""What a brief story leaves out."""

_ENDS = ("/hit", "/aim", "/shield", "/glancing", "/impact", "/knockout")


class _Attack:
    """What is known of one blow or shot: where its line goes, how it begins, what came of it."""

    def __init__(self, place: int, head: str, hit: bool) -> None:
        self.place = place
        self.head = head
        self.hit = hit
        self.effects: list[str] = []
        self.wounds = False

    def line(self) -> Line:
        """Return the whole line. A miss and a hit that does no harm are details."""
        return Line("; ".join([self.head, *self.effects]), "outcome" if self.wounds else "detail")


def merge(told: Sequence[Told]) -> Mapping[int, Line | None]:
    """Give each blow or shot one line, in the place of its hit roll; its other facts and rolls get none."""
    attacks: dict[str, _Attack] = {}
    rolls: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    lines: dict[int, Line | None] = {}
    last: _Attack | None = None
    for place, (event, before, _) in enumerate(told):
        if isinstance(event, DiceRolled):
            rolls[event.key] = event.total
            places.setdefault(_blow_of(event.key), []).append(place)
        elif isinstance(event, facts.BlowJudged | facts.ShotJudged):
            last = attacks[_blow_of(event.key)] = _Attack(place, _head(event, before, rolls), event.hit)
        elif isinstance(event, facts.ActionsSpent) and not event.dodged:
            lines[place] = None  # the order that is revealed tells it
        elif (told_by := _attack_of(event, attacks, last)) is not None:
            told_by.effects.append(_effect(event, before, rolls))
            told_by.wounds |= not isinstance(event, facts.Glanced | facts.CutThrough) and not _harmless(event)
            lines[place] = None
            last = told_by
    for name, attack in attacks.items():
        lines[attack.place] = attack.line()
        lines.update(dict.fromkeys(places.get(name, ())))
    return lines


def _blow_of(key: str) -> str:
    """The part of a roll's key that all rolls of one blow share."""
    end = next((end for end in _ENDS if key.endswith(end)), None)
    return key.removesuffix(end) if end is not None else key.rpartition("/location")[0] or key


def _attack_of(event: Event, attacks: Mapping[str, _Attack], last: _Attack | None) -> _Attack | None:
    """The attack that an event tells the effect of; a disabled limb belongs to the wound before it."""
    match event:
        case facts.Struck() | facts.KnockedOut() | facts.Glanced() | facts.ShotStopped():
            return attacks.get(_blow_of(event.key))
        case facts.CutThrough():
            return last
        case facts.LimbDisabled():
            return last if last is not None and event.rule != "ruling" else None
    return None


def _harmless(event: Event) -> bool:
    return isinstance(event, facts.ShotStopped) or (isinstance(event, facts.Struck) and event.damage == 0)


def _head(event: facts.BlowJudged | facts.ShotJudged, before: Any, rolls: Mapping[str, int]) -> str:
    who, whom = name_of(before, event.fighter), name_of(before, event.target)
    if isinstance(event, facts.BlowJudged):
        how, table = f"{event.stroke} {words(event.blow)}", event.table
    else:
        how, table = words(event.weapon), "3E"
    verb = "hits" if event.hit else "misses"
    roll = f"{rolls[event.key]:02} " if event.key in rolls else ""
    against = f"within {event.odds}" if event.hit else f"over {event.odds}"
    return f"{who} {verb} {whom}: {how}, {roll}{against} [{table}]"


def _effect(event: Event, before: Any, rolls: Mapping[str, int]) -> str:
    match event:
        case facts.Struck() if event.damage:
            where = words(event.location)
            return f"{where}, {event.impact} impact, {event.damage} PD, {event.total} in all [{event.table}]"
        case facts.Struck():
            return f"{words(event.location)}, {event.impact} impact, not hurt [{event.table}]"
        case facts.LimbDisabled():
            return f"{words(event.limb)} disabled"
        case facts.KnockedOut():
            roll = f", {rolls[event.key]:02} under {event.chance}" if event.key in rolls else ""
            return f"{name_of(before, event.fighter)} is down{roll}"
        case facts.Glanced():
            return f"glances, {event.left} impact left [3F]"
        case facts.CutThrough():
            return f"strikes the {words(event.by)}, {event.left} impact goes on"
        case facts.ShotStopped():
            return "stopped by shield or ground"
    raise AssertionError("unreachable: every fact that an attack tells has its words")
