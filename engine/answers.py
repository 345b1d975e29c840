"""What comes back for a command: plain types, the same for every front, documented in `docs/json.md`."""

from __future__ import annotations

import msgspec

from engine.adjudication.counterfactual import RulesComparison
from engine.seats.submissions import Receipt
from events.commands import Amend, Strike, Undo
from projections.battle_state import BattleState


class PendingRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll that somebody must enter. `entered` are faces that were entered already; `seat` is whose dice they are."""

    key: str
    seat: str
    dice: str
    purpose: str
    entered: tuple[int, ...]


class PendingQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the rules put to the referee, with the rule that asks and the answers to choose from."""

    key: str
    rule: str
    question: str
    choices: tuple[str, ...]


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """What the battle waits for. `next_act` is empty while dice or a ruling are pending, and when the battle is over.

    `deferred` are the numbers of inputs that a correction could not play again. `ended` is why the battle is over.
    """

    dice: tuple[PendingRoll, ...]
    questions: tuple[PendingQuestion, ...]
    deferred: tuple[int, ...]
    next_act: str
    ended: str


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """An event in words. `rolled` says that its dice were rolled for the correction."""

    seq: int
    caption: str
    rolled: bool = False


class ChangedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a change: "same", "different", "gone" or "new". `old` is on the old line, `new` on the new one."""

    what: str
    act: str
    old: Caption | None
    new: Caption | None


class DeferredInput(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a correction could not play again, and why. It waits for the referee under its number."""

    number: int
    seat: str
    text: str
    reason: str


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction changes: `line` replaces `replaces` from event `after` on.

    `played` is False for what-if lines. `counts` are the rows by kind. `rolled` names rolls whose dice are new; a
    preview rolls others than the ruling will. `pending` names what the battle then waits for, `field` what differs on
    the field in the end.
    """

    line: str
    replaces: str
    after: int
    played: bool
    rows: tuple[ChangedRow, ...]
    counts: dict[str, int]
    deferred: tuple[DeferredInput, ...]
    rolled: tuple[str, ...]
    pending: tuple[str, ...]
    field: tuple[str, ...]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a command put on record: events `first` to `last` of `line`.

    `repeated` says that the request was answered before; nothing was recorded this time. `receipts` are for the seat
    that submitted orders. `new_line` is the name of the line that the command opened. `change` is what a correction
    changed, as its seat may see it, and `compared` what another edition would have changed. `number` is that of a
    request for consent, `granted` the correction that all who were asked have now consented to.
    """

    battle: str
    line: str
    first: int
    last: int
    repeated: bool
    pending: Pending
    receipts: tuple[Receipt, ...] = ()
    new_line: str = ""
    change: Change | None = None
    compared: RulesComparison | None = None
    number: int = 0
    granted: Undo | Strike | Amend | None = None


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a command would do; nothing was recorded. `stands` are the events that would be noted to stand."""

    battle: str
    line: str
    change: Change | None = None
    compared: RulesComparison | None = None
    stands: tuple[int, ...] = ()


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: a stable `code` for programs, and a sentence for people."""

    code: str
    message: str


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a command was refused; nothing was recorded. `exit_code` is that of the program."""

    exit_code: int
    error: tuple[Problem, ...]


def pending_of(table: BattleState, next_act: str) -> Pending:
    """Return what a battle waits for in a state. `next_act` is the act that comes next."""
    return Pending(
        dice=tuple(
            PendingRoll(
                key=call.key, seat=call.seat, dice=call.dice, purpose=call.purpose,
                entered=tuple(table.entered.get(call.key, ())),
            )
            for call in table.called.values()
        ),
        questions=tuple(
            PendingQuestion(key=each.key, rule=each.rule, question=each.question, choices=each.choices)
            for each in table.asked.values()
        ),
        deferred=tuple(each.number for each in table.held),
        next_act=next_act,
        ended=table.ended,
    )  # fmt: skip
