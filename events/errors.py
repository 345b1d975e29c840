"""The one family of errors. Each has a stable code, its facts as attributes, and the built-in a caller expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from events.record import Recorded


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


class CatalogueBroken(DiaryError, TypeError):
    """Event types or upcasts do not fit together: a programmer's mistake, found when the catalogue is made."""

    code = "log/catalogue"


class EventUnreadable(DiaryError, ValueError):
    """A stored event of a known type does not fit its type. The replay stops here; nothing is skipped."""

    code = "log/unreadable"

    def __init__(self, seq: int, name: str, version: int, why: str, position: int = 0) -> None:
        place = f" at position {position}" if position else ""
        super().__init__(f"event {seq}{place} ({name} version {version}) cannot be read: {why}")
        self.seq = seq
        self.position = position
        self.name = name
        self.version = version
        self.why = why


class LogError(DiaryError):
    """Base of what can go wrong between a caller and the log."""

    code = "log/error"


class BattleUnknown(LogError, LookupError):
    """No such battle in this log. `nearest` holds the ids that come closest."""

    code = "log/battle-unknown"

    def __init__(self, battle: str, nearest: Sequence[str] = ()) -> None:
        hint = f"; did you mean {' or '.join(nearest)}?" if nearest else "; `wardiary battles` lists them"
        super().__init__(f"no battle {battle!r} here{hint}")
        self.battle = battle
        self.nearest = tuple(nearest)


class LineUnknown(LogError, LookupError):
    """The battle has no line of this name."""

    code = "log/line-unknown"

    def __init__(self, battle: str, line: str, lines: Sequence[str]) -> None:
        super().__init__(f"battle {battle!r} has no line {line!r}; it has {', '.join(lines)}")
        self.battle = battle
        self.line = line
        self.lines = tuple(lines)


class NameTaken(LogError, ValueError):
    """A battle or line of this name exists already."""

    code = "log/name-taken"

    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"{what} {name!r} exists already: choose another name")
        self.name = name


class Conflict(LogError, RuntimeError):
    """Somebody else wrote first. Nothing was recorded; `between` holds the events that came in meanwhile."""

    code = "log/conflict"

    def __init__(self, battle: str, line: str, expected: int, actual: int, between: Sequence[Recorded]) -> None:
        came = ", ".join(f"{record.seq} {record.type}" for record in between[:5])
        more = f" and {len(between) - 5} more" if len(between) > 5 else ""
        super().__init__(
            f"{battle}/{line} has moved on: you expected it at event {expected}, it is at {actual}"
            + (f"; since then: {came}{more}" if came else "")
        )
        self.battle = battle
        self.line = line
        self.expected = expected
        self.actual = actual
        self.between = tuple(between)


class RequestReused(LogError, ValueError):
    """A request key came a second time with other content. Nothing was recorded."""

    code = "log/request-reused"

    def __init__(self, battle: str, key: str) -> None:
        super().__init__(f"request {key!r} was used before in battle {battle!r} for something else: use a new key")
        self.battle = battle
        self.key = key


class LogBusy(LogError, TimeoutError):
    """Other writers held the file for too long. Nothing was recorded; try again."""

    code = "log/busy"

    def __init__(self, path: str, tries: int) -> None:
        super().__init__(f"{path} was kept busy by other writers ({tries} tries): try again")
        self.path = path
        self.tries = tries


class LogUnfit(LogError, OSError):
    """The file is not a war diary, or its guards against change are gone."""

    code = "log/unfit"


class RecordBroken(DiaryError, ValueError):
    """The record was changed after it was written. `seq` and `line` name the first event that does not hold."""

    code = "log/tampered"

    def __init__(self, line: str, seq: int, why: str) -> None:
        super().__init__(f"line {line}, event {seq}: {why}")
        self.line = line
        self.seq = seq
        self.why = why
