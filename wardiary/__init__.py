"""War Diary for programs: open a file, give commands, look back, check the record.

>>> from wardiary import Door, MemoryLog, commands, find_scenario, open_view
>>> log = MemoryLog()
>>> door = Door(log)
>>> scenario = find_scenario("dresda_skirmish").read_text(encoding="utf-8")
>>> door.execute(commands.OpenBattle(battle="ford", scenario=scenario)).pending.next_act
't1/declare'
>>> open_view(log, "ford").opening.title
'The Toll at Mossback Ford'

Whatever writes is a command for `Door.execute`; whatever is shown comes from a `View`. A name is imported when it is
first used, so that `import wardiary` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wardiary.rooms import check_rooms

if TYPE_CHECKING:
    from engine.answers import Answer as Answer
    from engine.answers import Preview as Preview
    from engine.door import Door as Door
    from engine.rules.rule_set import RuleSet as RuleSet
    from engine.rules.rule_set import find_rules as find_rules
    from engine.scenario_files import find_scenario as find_scenario
    from events import commands as commands
    from events.errors import DiaryError as DiaryError
    from events.store.memory import MemoryLog as MemoryLog
    from events.store.sqlite import SqliteLog as SqliteLog
    from projections.fold import Fold as Fold
    from projections.fold import find_fold as find_fold
    from replays.audit.verify import verify as verify
    from replays.points import find_point as find_point
    from replays.view import View as View
    from replays.view import open_view as open_view

_HOMES = {
    "Answer": "engine.answers",
    "DiaryError": "events.errors",
    "Door": "engine.door",
    "Fold": "projections.fold",
    "MemoryLog": "events.store.memory",
    "Preview": "engine.answers",
    "RuleSet": "engine.rules.rule_set",
    "SqliteLog": "events.store.sqlite",
    "View": "replays.view",
    "commands": "events.commands",
    "find_fold": "projections.fold",
    "find_point": "replays.points",
    "find_rules": "engine.rules.rule_set",
    "find_scenario": "engine.scenario_files",
    "open_view": "replays.view",
    "verify": "replays.audit.verify",
}
"""Where each name of the front door is at home."""

__all__ = list(_HOMES)

if not TYPE_CHECKING:  # type checkers know the names above and no others

    def __getattr__(name: str) -> object:
        """Import a name from its home, each time: it is what its home has now.

        Raises `wardiary.rooms.RoomTaken` if another package stands in the place of a room.
        """
        if name not in _HOMES:
            raise AttributeError(f"module 'wardiary' has no attribute {name!r}")
        check_rooms()
        home = import_module(_HOMES[name])
        return home if name == "commands" else getattr(home, name)


def __dir__() -> list[str]:
    """List the names of the front door."""
    return __all__
