"""What can be wrong with an order, or with the grammar that reads it."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import DiaryError


class OrderError(DiaryError, ValueError):
    """Base of the three ways in which an order can be wrong. `line` counts from 1 within the sheet."""

    def __init__(self, message: str, line: int = 0, text: str = "") -> None:
        super().__init__(message)
        self.reason = message
        self.line = line
        self.text = text

    def __str__(self) -> str:
        return f"line {self.line}: {self.args[0]}" if self.line else str(self.args[0])

    def placed(self, line: int, text: str) -> OrderError:
        """Note the line of the sheet that the order stands on, and return the error itself."""
        self.line, self.text = line, text
        return self


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


TABLE_RULE = "table"


class OrderNotAllowed(OrderError):
    """The order can be read but the rules forbid it now. `rule` is the id of the rule that says so."""

    code = "order/not-allowed"

    def __init__(self, message: str, rule: str, line: int = 0, text: str = "") -> None:
        super().__init__(f"{message} ({rule})" if rule != TABLE_RULE else message, line, text)
        self.rule = rule


class SheetRefused(OrderError):
    """Nothing of a sheet is accepted, because something in it is wrong. `problems` holds every error, by line.

    The message has one line for each of them.
    """

    code = "order/sheet-refused"

    def __init__(self, problems: Sequence[OrderError]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class StalePhase(OrderError):
    """Orders came for a phase that is over, or not there yet. `text` is what came, to be given back to its sender."""

    code = "order/stale-phase"

    def __init__(self, phase: str, now: str, text: str) -> None:
        super().__init__(f"STALE_PHASE: these orders are for {phase}, the battle stands before {now or 'its end'}")
        self.phase = phase
        self.now = now
        self.text = text


class GrammarInvalid(DiaryError, TypeError):
    """An order type of a rule set cannot be written as text: a programmer's mistake, found at its first use."""

    code = "order/grammar"
