"""The battle as a story: one line for an action, a shot or a blow with its roll in it; in brief, outcomes alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from events.facts import BattleEnded, DiceRolled, Event, OrderLapsed, RollCalled, TurnBegan
from events.ice_and_fire import heroes, siege, units
from projections.battle_state import State
from projections.ice_and_fire.captions import CAPTIONS, name_of
from projections.ice_and_fire.state import BattleField, rounded

OUTCOMES: Final = frozenset(
    (
        units.ConditionWorsened,
        units.Reformed,
        units.UnitLeft,
        units.SideWithdrew,
        units.CasualtiesCounted,
        heroes.HeroFell,
        siege.WallTaken,
        siege.DoorBroken,
        siege.PassageOpened,
        siege.PassageClosed,
        siege.EngineDestroyed,
        siege.EngineServed,
    )
)
"""What a brief telling keeps, beside turns and the end."""
_SILENT: Final = (heroes.RoundsSpent, siege.EngineFired, siege.PassageUsed, siege.EngineMoved)
INITIATIVE: Final = "/initiative/"
"""Part of the keys of rolls that are told together."""
_READIED: Final = ("aim", "scaling")
"""Stances that the attack or climb that follows tells of."""


class Line:
    """A line that is being told: the first event of it, its words, and what may still be added to it."""

    def __init__(self, lead: Event, text: str, outcome: bool) -> None:
        self.lead = lead
        self.text = text
        self.outcome = outcome
        self.hero = ""

    def add(self, more: str, *, outcome: bool = False) -> None:
        """Go on with the line."""
        self.text += more
        self.outcome = self.outcome or outcome


class Teller:
    """Tells events in their order. Feed each with the state before it; `close` tells what is left."""

    def __init__(self, brief: bool) -> None:
        self.brief = brief
        self.rolls: dict[str, str] = {}
        self.called: dict[str, RollCalled] = {}
        self.line: Line | None = None
        self.last = ""

    def tell(self, event: Event, before: State) -> Iterator[str]:
        """Tell an event of the rule set, or keep it for the line that is being told."""
        assert isinstance(before, BattleField)
        if isinstance(event, RollCalled):
            yield from self.close()
            self.called[event.key] = event
        elif isinstance(event, DiceRolled):
            self._rolled(event)
        elif self.line is not None and _goes_on(self.line, event, before):
            return
        elif not _is_silent(event) and type(event) in CAPTIONS:
            yield from self._lead(event, before)

    def close(self) -> Iterator[str]:
        """Tell the line that is being told, and the rolls that nothing came of."""
        yield from self._end()
        for key in [each for each in self.rolls if INITIATIVE not in each]:
            shown, purpose = self.rolls.pop(key), self.called[key].purpose
            if not self.brief:
                yield from self._once(f"{purpose}{shown}")

    def _end(self) -> Iterator[str]:
        if self.line is not None and (self.line.outcome or not self.brief):
            yield from self._once(self.line.text)
        self.line = None

    def _once(self, text: str) -> Iterator[str]:
        if text != self.last:
            yield text
        self.last = text

    def _rolled(self, event: DiceRolled) -> None:
        call = self.called.get(event.key)
        if call is not None:
            against = "" if call.test == "read" else f" against {call.target}"
            self.rolls[event.key] = f" ({event.total}{against})"

    def _lead(self, event: Event, before: BattleField) -> Iterator[str]:
        yield from self._end()
        text, outcome = CAPTIONS[type(event)](event, before), type(event) in OUTCOMES
        if isinstance(event, units.InitiativeWon):
            keys = [key for key in self.rolls if INITIATIVE in key]
            shown = [f"{self.called[key].purpose.partition(':')[0]}{self.rolls.pop(key)}" for key in keys]
            self.line = Line(event, ", ".join([*shown, text]), outcome)
        else:
            self.line = Line(event, text + self.rolls.pop(getattr(event, "key", ""), ""), outcome)


def _is_silent(event: Event) -> bool:
    """Whether what an event says is told by those that follow."""
    if isinstance(event, units.UnitActed):
        return event.action != "idle"
    return isinstance(event, _SILENT) or (isinstance(event, units.StanceTaken) and event.stance in _READIED)


def _goes_on(line: Line, event: Event, before: BattleField) -> bool:
    """Add an event to the line before it, where it tells what came of that; return whether it was added."""
    lead = line.lead
    match event:
        case units.MoveStopped() if isinstance(lead, units.UnitMoved) and lead.unit == event.unit:
            line.text = CAPTIONS[units.MoveStopped](event, before)
        case units.UnitMoved() if isinstance(lead, units.UnitMoved) and lead.unit == event.unit:
            line.add(f", then {event.distance // before.mm_each_yard} more")
        case units.UnitDamaged() if event.key and event.key == getattr(lead, "key", ""):
            whose = f"; {name_of(before, event.unit)}: " if line.hero else ", "
            line.add(f"{whose}{event.total} of {before.units[event.unit].profile.health} in all")
        case units.ConditionWorsened() if event.unit in _concerned(lead):
            line.add(f"; {name_of(before, event.unit)} is {event.to}", outcome=True)
        case heroes.Struck() if event.key and event.key == getattr(lead, "key", ""):
            line.hero = event.target
            line.add(f"; {name_of(before, event.target)}: {event.damage} damage")
        case heroes.HeroHurt() if event.hero in (line.hero, getattr(lead, "target", "")):
            hero = before.heroes[event.hero]
            worse = ", wounded" if event.wounds > hero.wounds else ", injured" if event.injuries > hero.injuries else ""
            line.add(worse or f", {event.total} of {hero.profile.health} in all")
        case units.TrainingReckoned() if isinstance(lead, units.CasualtiesCounted) and lead.unit == event.unit:
            line.add(f"; training {rounded(event.training)}, {event.rank}")
        case _:
            return False
    return True


def _concerned(lead: Event) -> tuple[str, ...]:
    """The units whose condition a line tells of."""
    named = (getattr(lead, "target", ""), getattr(lead, "unit", ""), getattr(lead, "receiver", ""))
    return tuple(each for each in named if each)


def story(frames: Iterable[tuple[Event, State, str]], brief: bool = False) -> Iterator[str]:
    """Tell a battle line by line: events with the state before each and its plain caption, for what others tell.

    Orders that lapsed, turns and the end are told by their captions. Cost: one pass.
    """
    teller = Teller(brief)
    for event, before, plain in frames:
        if type(event) in CAPTIONS or isinstance(event, RollCalled | DiceRolled):
            yield from teller.tell(event, before)
        elif isinstance(event, TurnBegan | BattleEnded) or (isinstance(event, OrderLapsed) and not brief):
            yield from teller.close()
            yield plain
    yield from teller.close()
