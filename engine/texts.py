"""What the words of a command may hold, so that nothing recorded can pretend to be another line of the log."""

from __future__ import annotations

import re

import msgspec

from engine.errors import BattleError
from events.commands import Command

_SHEETS = frozenset({"scenario", "text", "sealed"})
"""Fields that hold several lines."""

_UNSAFE = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff"
"""Control characters, and characters that break a line or turn the direction of writing."""

_IN_SHEETS = re.compile(f"[{_UNSAFE}]")
_IN_LINES = re.compile(f"[{_UNSAFE}\t\n\r]")


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
    found = (_IN_SHEETS if field in _SHEETS else _IN_LINES).search(text)
    if found is not None:
        told = f"U+{ord(found.group()):04X}"
        raise TextRefused(f"{field} holds a character that cannot be shown, {told}: leave it out")
