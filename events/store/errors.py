"""What can go wrong with a store of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from events.errors import DiaryError

if TYPE_CHECKING:
    from events.store.record import Recorded


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
    """The battle has no line of this name. The message names none: whoever reads it may not know of all of them."""

    code = "log/line-unknown"

    def __init__(self, battle: str, line: str, lines: Sequence[str]) -> None:
        super().__init__(f"battle {battle!r} has no line {line!r}; `wardiary lines {battle}` lists them")
        self.battle = battle
        self.line = line
        self.lines = tuple(lines)


class EventUnknown(LogError, ValueError):
    """A line has no event of this seq. `head` is the seq of its last event."""

    code = "log/event-unknown"

    def __init__(self, battle: str, line: str, seq: int, head: int) -> None:
        super().__init__(f"{battle}/{line} has no event {seq}: its events are 1 to {head}")
        self.battle = battle
        self.line = line
        self.seq = seq
        self.head = head


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


class NameInvalid(LogError, ValueError):
    """A battle, a line, an actor or a request key has a name with control characters. Nothing was recorded."""

    code = "log/name-invalid"

    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"{what} {name!r} holds control characters: leave them out")
        self.what = what
        self.name = name


class LogBusy(LogError, TimeoutError):
    """Other writers kept the store busy for too long. Nothing was recorded; try again."""

    code = "log/busy"

    def __init__(self, store: str, tries: int) -> None:
        super().__init__(f"{store} was kept busy by other writers ({tries} tries): try again")
        self.store = store
        self.tries = tries


class LogUnusable(LogError, OSError):
    """The store cannot be opened, read or written, or its guards against change are gone. Nothing was recorded."""

    code = "log/unfit"


class LogClosed(LogError, RuntimeError):
    """The log was closed before this call."""

    code = "log/closed"

    def __init__(self, store: str) -> None:
        super().__init__(f"{store} is closed: open it again")
        self.store = store


class OutcomeUnknown(LogError, OSError):
    """The store failed in the moment of recording: the step is there whole, or not at all.

    The same request key again records it once.
    """

    code = "log/outcome-unknown"

    def __init__(self, store: str, why: str) -> None:
        super().__init__(
            f"{store} failed while it recorded ({why}): look whether the step is there before you repeat it"
        )
        self.store = store


class DocumentMissing(LogError, LookupError):
    """A record names a document, such as a set of tables, that is neither in it nor in this store."""

    code = "log/document-missing"

    def __init__(self, digest: str) -> None:
        super().__init__(f"the rule tables {digest[:12]}… are neither in the record nor here: ask for a whole export")
        self.digest = digest


class DocumentBroken(LogError, ValueError):
    """A text is not the one that its digest names. It is not kept."""

    code = "log/document"

    def __init__(self, digest: str) -> None:
        super().__init__(f"document {digest[:12]}… was changed: its SHA-256 is another")
        self.digest = digest


class RecordBroken(DiaryError, ValueError):
    """The record was changed after it was written. `seq` and `line` name the first event that does not hold."""

    code = "log/tampered"

    def __init__(self, line: str, seq: int, why: str) -> None:
        super().__init__(f"line {line}, event {seq}: {why}")
        self.line = line
        self.seq = seq
        self.why = why
