"""A ring for testing Rhand: fighters in a few words, dice entered by hand or drawn, facts by their type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.rules.rhand import rules
from engine.rules.rhand.editions import CURRENT
from engine.rules.rhand.rule_set import RhandRules
from engine.rules.rhand.table_checks import loader
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Scenario, Situation
from events.facts import Event
from events.store.memory import MemoryLog
from projections.rhand.state import Rhand
from tests.table import Table, open_battle

E = TypeVar("E", bound=Event)

TABLES: Tables = loader().load()


def man(name: str, seat: str, at: str, facing: str = "north", **given: Any) -> dict[str, Any]:
    """A fighter as a scenario writes him: an able swordsman unless said otherwise."""
    usual = {"skill": 3, "weapon": "broadsword", "armor": "leather", "combat_speed": 3, "action_time": 1}
    return {"id": name, "seat": seat, "at": at, "facing": facing, **usual, **given}


def pair(**given: Any) -> list[dict[str, Any]]:
    """Two who stand face to face, a hex apart."""
    return [man("ann", "red", "0505", **given), man("bob", "blue", "0504", "south", **given)]


class Ring:
    """A battle of Rhand in memory."""

    def __init__(
        self,
        fighters: Sequence[Mapping[str, Any]],
        *,
        options: Mapping[str, str] | None = None,
        spells: Sequence[Mapping[str, Any]] = (),
        field: Mapping[str, Any] | None = None,
        by_hand: Sequence[str] = (),
        referee: str = "absent",
        edition: str = CURRENT,
    ) -> None:
        rest: dict[str, Any] = {"fighter": list(fighters), "spell": list(spells), "field": dict(field or {})}
        scenario = Scenario(
            "A ring", "rhand", {"red": "Red", "blue": "Blue"}, dict(options or {}), tuple(by_hand), referee, rest
        )
        self.log = MemoryLog()
        open_battle(self.log, "ring", scenario, rules=RhandRules(edition))
        self.battle = Table(self.log, "ring", rules())

    @property
    def state(self) -> Rhand:
        """The state of the fight."""
        state = self.battle.state
        assert isinstance(state, Rhand)
        return state

    @property
    def situation(self) -> Situation[Rhand, Tables]:
        """What the rules see."""
        return self.battle.situation()

    def order(self, *lines: str) -> None:
        """Give orders, each from the seat that owns its piece."""
        for line in lines:
            self.battle.order(self.state.fighters[line.split(":")[0]].seat, line)

    def go(self, step: str) -> None:
        """Resolve empty steps until the phase stands at one."""
        while self.state.step != step:
            self.battle.proceed()

    def throw(self, faces: Mapping[str, Sequence[int] | int]) -> None:
        """Enter the dice that are waited for, each by the end of its key; the rest is drawn."""
        while self.state.table.called:
            for key in list(self.state.table.called):
                named = next((end for end in faces if key.endswith(end)), None)
                shown = faces[named] if named is not None else None
                entered = (shown,) if isinstance(shown, int) else None if shown is None else tuple(shown)
                self.battle.roll({key: entered})

    def facts(self, kind: type[E]) -> list[E]:
        """All facts of a type, in order."""
        read = self.battle.fold.catalogue.read
        found = [read(record.body, record.seq) for record in self.log.records(self.battle.line)]
        return [each for each in found if isinstance(each, kind)]

    def bodies(self) -> list[str]:
        """Everything recorded, as text."""
        return [record.body for record in self.log.records(self.battle.line)]
