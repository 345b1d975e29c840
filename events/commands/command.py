"""The base of every command, and what makes two of them the same."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

REFEREE_SEAT = "referee"


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Something that a person, or a program in their place, wants done in a battle.

    `battle` and `line` say where; an empty line is the adopted one. `seat` says who acts. `expected` is the last event
    that they saw: the command is refused if the line has moved on since. `request` is a key of their own: a command
    that comes again with the same key is answered, not done a second time.

    The tag of a command is permanent, as that of an event is. Fields are added with a default, and a default never
    changes.
    """

    battle: str
    line: str = ""
    seat: str = REFEREE_SEAT
    expected: int | None = None
    request: str = ""


def canonical(command: Command, line: str = "") -> bytes:
    """Return what is asked, as bytes: the same for two commands that ask for the same, different for all others.

    It holds neither `expected` nor `request`, which say when to do it and not what. `line` is the name of the line that
    an empty one stands for.

    >>> from events.commands import AddNote
    >>> canonical(AddNote(battle="ford", text="rain", request="k1", expected=7), "main")
    b'{"type":"command.add_note","battle":"ford","line":"main","text":"rain"}'
    """
    asked = replace(command, line=command.line or line, expected=None, request="")
    return msgspec.json.encode(asked, order="deterministic")
