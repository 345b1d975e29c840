"""What the engine refuses, and why."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import DiaryError


class BattleError(DiaryError):
    """Base of what the table refuses. Nothing was recorded."""

    code = "battle/error"


class InputPending(BattleError, RuntimeError):
    """Something must be answered first; `waiting` names the keys."""

    code = "battle/waits"

    def __init__(self, waiting: Sequence[str]) -> None:
        super().__init__(f"the battle waits for {', '.join(waiting)}: that must be given first")
        self.waiting = tuple(waiting)


class NothingPending(BattleError, LookupError):
    """An answer came that nobody asked for; `waiting` names what is asked for."""

    code = "battle/nothing-waits"

    def __init__(self, key: str, waiting: Sequence[str]) -> None:
        open_ones = f"it waits for {', '.join(waiting)}" if waiting else "it waits for nothing"
        super().__init__(f"the battle does not wait for {key!r}: {open_ones}")
        self.key = key
        self.waiting = tuple(waiting)


class AnswerRefused(BattleError, ValueError):
    """An answer does not fit its question."""

    code = "battle/answer"


class BattleOver(BattleError, RuntimeError):
    """The battle has ended; nothing more can be ordered or resolved."""

    code = "battle/over"


class BattleClosed(BattleError, RuntimeError):
    """The battle can be read but not continued here, for the reason given."""

    code = "battle/read-only"


class SeatUnknown(BattleError, LookupError):
    """No such seat at this table."""

    code = "battle/seat-unknown"


class NotAuthorized(BattleError, PermissionError):
    """A seat tried to act for a piece or a question that is not its own."""

    code = "battle/not-yours"


class CorrectionRefused(BattleError, ValueError):
    """A correction cannot be made as it was asked for; the message says what to give instead."""

    code = "correction/refused"


class CorrectionNotAllowed(BattleError, PermissionError):
    """The policy of the battle keeps a seat from making a correction alone. `reason` is a stable code."""

    code = "correction/not-allowed"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class DeadlineRefused(BattleError, ValueError):
    """A deadline cannot be set or changed as it was asked for; the message says why and what to give instead."""

    code = "deadline/refused"
