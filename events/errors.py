"""The one family of errors. Each has a stable code, its facts as attributes, and the built-in a caller expects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from events.record import Recorded


class DiaryError(Exception):
    """Base of every error that War Diary raises on purpose.

    `code` is stable and meant for programs; the message is one line for people: what, where, how to mend it.
    """

    code: ClassVar[str] = "diary/error"


def _meant(nearest: Sequence[str]) -> str:
    """The end of a message that offers the nearest right words, or nothing when there are none."""
    return f"; did you mean {' or '.join(nearest)}?" if nearest else ""


def _visible(text: str) -> str:
    """Words from a file of somebody else's, on one line and with nothing in them invisible."""
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text)


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
        self.problems = tuple(" ".join(problem.split()) for problem in problems)
        super().__init__("; ".join(self.problems))


class RowUnknown(DiaryError, KeyError):
    """A rule table has no row of that id. `nearest` holds the ids that come closest."""

    code = "tables/unknown-row"

    def __init__(self, table: str, row: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(f"table {table} has no row {row!r}{_meant(nearest)}")
        self.table = table
        self.row = row
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        return str(self.args[0])


class RulesError(DiaryError):
    """Base of what can be wrong with the list of rules of a rule set, or with how somebody asks for them."""

    code = "rules/error"


class RuleUnknown(RulesError, KeyError):
    """No rule of the rule set has that id. `nearest` holds the ids that come closest."""

    code = "rules/unknown"

    def __init__(self, system: str, rule: str, nearest: Sequence[str] = ()) -> None:
        hint = _meant(nearest) or f"; `wardiary rules {system}` lists them"
        super().__init__(f"{system} has no rule {rule!r}{hint}")
        self.system = system
        self.rule = rule
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        return str(self.args[0])


class OptionInvalid(RulesError, ValueError):
    """A rule set has no such option, or the option has no such value. `nearest` holds the right words."""

    code = "rules/option"

    def __init__(self, message: str, option: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.option = option
        self.nearest = tuple(nearest)


class BookInvalid(RulesError, ValueError):
    """The list of rules of a rule set cannot be used. `problems` lists all that is wrong, each with its place."""

    code = "rules/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(" ".join(problem.split()) for problem in problems)
        super().__init__("; ".join(self.problems))


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
"""Stands for a rule of the table, such as who commands whom, that is in no rule set's book."""


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


class RuleSetUnknown(DiaryError, LookupError):
    """No installed package brings this rule set. `known` lists those that are here."""

    code = "rules/unknown-set"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no rule set {name!r} is installed; here are: {', '.join(known) or 'none'}")
        self.name = name
        self.known = tuple(known)


class EditionMissing(DiaryError, LookupError):
    """A battle is fought by an edition of its rules that is not installed here. It can be read, not continued."""

    code = "rules/edition"

    def __init__(self, battle: str, name: str, wanted: str, found: str) -> None:
        super().__init__(
            f"{battle} is fought by edition {wanted} of {name}, here is edition {found}: it can be shown, replayed and "
            f"exported; install the edition as {name}@{wanted}, or adopt {found} by ruling with `wardiary edition`"
        )
        self.battle = battle
        self.name = name
        self.wanted = wanted
        self.found = found


class PointUnknown(DiaryError, LookupError):
    """A point in a battle cannot be read or does not exist."""

    code = "replay/point"

    def __init__(self, point: str, hint: str) -> None:
        super().__init__(f"no point {point!r} in this battle: {hint}")
        self.point = point
        self.hint = hint


class ExportUnreadable(DiaryError, ValueError):
    """A file is not an exported battle, or is damaged. `line` counts from 1; 0 if it cannot be opened."""

    code = "export/unreadable"

    def __init__(self, path: str, line: int, why: str) -> None:
        super().__init__(f"{path}{f', line {line}' if line else ''}: {why}")
        self.path = path
        self.line = line
        self.why = why


class Divergence(DiaryError, ValueError):
    """The rules, run again over the recorded orders and dice, give something else. Names the first difference."""

    code = "judge/divergence"

    def __init__(self, line: str, seq: int, field: str, recorded: str, judged: str) -> None:
        super().__init__(f"line {line}, event {seq}, {field}: recorded {recorded}, judged {judged}")
        self.line = line
        self.seq = seq
        self.field = field
        self.recorded = recorded
        self.judged = judged


class ScenarioInvalid(DiaryError, ValueError):
    """A scenario or roster file does not add up. `problems` lists everything found, each with its place."""

    code = "scenario/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class BattleError(DiaryError):
    """Base of what the table refuses. Nothing was recorded."""

    code = "battle/error"


class BattleWaits(BattleError, RuntimeError):
    """Something must be answered first; `waiting` names the keys."""

    code = "battle/waits"

    def __init__(self, waiting: Sequence[str]) -> None:
        super().__init__(f"the battle waits for {', '.join(waiting)}: give it with `wardiary roll` or `wardiary rule`")
        self.waiting = tuple(waiting)


class NothingWaits(BattleError, LookupError):
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


class ViewerUnknown(BattleError, LookupError):
    """Nobody looks at this battle under that name."""

    code = "battle/viewer-unknown"

    def __init__(self, text: str, seats: Collection[str]) -> None:
        super().__init__(
            f"nobody looks as {text!r}: say referee, {', '.join(seats)}, spectator or commentator; /2 is 2 turns later"
        )
        self.text = text
        self.seats = tuple(seats)


class NotYours(BattleError, PermissionError):
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


class BeaconRefused(BattleError, ValueError):
    """A round of a public beacon cannot be named, or what was pasted is not a round that was named."""

    code = "dice/beacon"


class BoardUnknown(DiaryError, LookupError):
    """There is no dialect of that name. `known` holds those that there are."""

    code = "post/board-unknown"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no board {name!r}: there are {', '.join(known)}; or name a dialect file, such as mine.toml")
        self.name = name
        self.known = tuple(known)


class DialectInvalid(DiaryError, ValueError):
    """A dialect file cannot be used; the message says where and why."""

    code = "post/dialect"


class PostTooLong(DiaryError, ValueError):
    """A post cannot be brought under a limit, because the limit leaves no room."""

    code = "post/too-long"


class TimeRefused(DiaryError, ValueError):
    """A date, a time of day, a zone, a schedule or a span cannot be read, or names no single instant."""

    code = "deadline/time"


class DeadlineRefused(BattleError, ValueError):
    """A deadline cannot be set or changed as it was asked for; the message says why and what to give instead."""

    code = "deadline/refused"


class AlreadyResolved(BattleError, RuntimeError):
    """Somebody was first (`by` is the clock, the referee, a ruling): `act` was resolved with event `seq`, `at` (µs)."""

    code = "deadline/already-resolved"

    def __init__(self, act: str, by: str, at: int, seq: int, time: str) -> None:
        super().__init__(f"{act} is already resolved by {by} at {time} (event {seq}): nothing more was done")
        self.act = act
        self.by = by
        self.at = at
        self.seq = seq


class OutsideUnreadable(DiaryError, ValueError):
    """An outside dice log, or what was said about it, cannot be read. `line` counts from 1; 0 for the file as a whole.

    Nothing of the file is taken in.
    """

    code = "outside/unreadable"

    def __init__(self, path: str, line: int, why: str) -> None:
        super().__init__(_visible(f"{path}{f', line {line}' if line else ''}: {why}"))
        self.path = path
        self.line = line
        self.why = why


class RecipientsInvalid(DiaryError, ValueError):
    """The file of recipients cannot be used; the message names the file, the entry and what is wrong with it."""

    code = "delivery/recipients"
