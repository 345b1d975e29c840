"""The base of the one family of errors. Each has a stable code, its facts as attributes, and a built-in base.

Every other error of the family stands beside what raises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class DiaryError(Exception):
    """Base of every error that War Diary raises on purpose.

    `code` is stable and meant for programs; the message is one line for people: what, where, how to mend it.
    """

    code: ClassVar[str] = "diary/error"


def did_you_mean(nearest: Sequence[str]) -> str:
    """The end of a message that offers the nearest right words, or nothing when there are none."""
    return f"; did you mean {' or '.join(nearest)}?" if nearest else ""


def visible(text: str) -> str:
    """Words from a file of somebody else's, on one line and with nothing in them invisible."""
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text)
