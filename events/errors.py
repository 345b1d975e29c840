"""The one family of errors. Each has a stable code, its facts as attributes, and the built-in a caller expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class DiaryError(Exception):
    """Base of every error that War Diary raises on purpose.

    `code` is stable and meant for programs; the message is one line for people: what, where, how to mend it.
    """

    code: ClassVar[str] = "diary/error"


class NotationError(DiaryError, ValueError):
    """A dice expression cannot be read or is over the limits."""

    code = "dice/notation"

    def __init__(self, text: str, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.column = column


class TablesInvalid(DiaryError, ValueError):
    """A set of rule tables has holes, overlaps, unknown ids or runs in the wrong direction.

    `problems` lists every one found, each with its file and place.
    """

    code = "tables/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class OrderError(DiaryError, ValueError):
    """Base of the three ways in which an order can be wrong. `line` counts from 1 within the sheet."""

    def __init__(self, message: str, line: int = 0, text: str = "") -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.reason = message
        self.line = line
        self.text = text


class OrderUnreadable(OrderError):
    """The text is not an order. `nearest` holds the right words that come closest."""

    code = "order/unreadable"

    def __init__(self, message: str, line: int = 0, text: str = "", nearest: Sequence[str] = ()) -> None:
        super().__init__(message, line, text)
        self.nearest = tuple(nearest)


class OrderAmbiguous(OrderError):
    """The text fits more than one piece or order; `candidates` names them."""

    code = "order/ambiguous"

    def __init__(self, message: str, line: int = 0, text: str = "", candidates: Sequence[str] = ()) -> None:
        super().__init__(message, line, text)
        self.candidates = tuple(candidates)


class OrderNotAllowed(OrderError):
    """The order can be read but the rules forbid it now. `rule` is the id of the rule that says so."""

    code = "order/not-allowed"

    def __init__(self, message: str, rule: str, line: int = 0, text: str = "") -> None:
        super().__init__(f"{message} ({rule})", line, text)
        self.rule = rule
