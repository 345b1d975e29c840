"""What the words of a command may hold, so that nothing recorded can pretend to be another line of the log."""

from __future__ import annotations

import msgspec

from engine.errors import BattleError
from events.commands import Command

_SHEETS = frozenset({"scenario", "text", "sealed"})
"""Fields that hold several lines."""

_STEERING = frozenset("\u2028\u2029\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that break a line, or turn the direction of writing."""


class TextRefused(BattleError, ValueError):
    """A text holds what cannot be shown safely: a control character, or a line break where one line is wanted."""

    code = "battle/text"


def check_texts(command: Command) -> None:
    """Check every text of a command. Raises `TextRefused`, which names the field and the character."""
    for field, value in msgspec.structs.asdict(command).items():
        if isinstance(value, Command):
            check_texts(value)
        for text in _texts(value):
            _check(field, text)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (*_texts(key), *_texts(each))]
    return [text for each in value for text in _texts(each)] if isinstance(value, tuple) else []


def _check(field: str, text: str) -> None:
    for char in text:
        if char in "\n\r\t" and field in _SHEETS:
            continue
        if char < " " or "\x7f" <= char <= "\x9f" or char in _STEERING or "\ud800" <= char <= "\udfff":
            raise TextRefused(f"{field} holds a character that cannot be shown, U+{ord(char):04X}: leave it out")
