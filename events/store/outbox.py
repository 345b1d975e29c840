"""The outbox: messages on their way out, in the same store as the battles but no part of their record.

A message is put in once for each `key`, and is pending until it was sent or has failed for good. Messages are taken out
in parcels, one for each recipient: what is sent together. A parcel that was taken out and neither marked nor put back
may have arrived or not; it comes out again as it was, under the same name, so that a mail program drops the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal, Protocol, TypeAlias

import msgspec

MessageState: TypeAlias = Literal["pending", "sent", "failed"]


class Message(msgspec.Struct, frozen=True, gc=False):
    """A message as the outbox has it. Times are µs UTC; `parcel` names what it was last sent or tried with."""

    id: int
    battle: str
    recipient: str
    key: str
    subject: str
    text: str
    html: str
    state: MessageState
    made_at: int
    parcel: str | None
    parts_sent: int
    tries: int
    not_before: int
    claimed_at: int | None
    sent_at: int | None
    problem: str


class Parcel(msgspec.Struct, frozen=True, gc=False):
    """Messages of one battle to one recipient that go out together. `parts_sent` parts of it are known to be out.

    `kept` if it comes out for the second time, since it may have arrived.
    """

    name: str
    battle: str
    recipient: str
    messages: tuple[Message, ...]
    tries: int
    parts_sent: int
    kept: bool


class Outbox(Protocol):
    """The messages of one store. Every method is one transaction. One of a log opened to read takes no message."""

    def put(self, battle: str, recipient: str, key: str, subject: str, text: str, html: str, at: int) -> bool:
        """Put a message in; return False if one with this key is there for the recipient, which is then left alone."""
        ...

    def messages(self, battle: str = "", state: str = "") -> list[Message]:
        """Return messages, oldest first: of one battle, in one state, or all."""
        ...

    def take(self, recipient: str, at: int, stale_after: int, battle: str = "") -> list[Parcel]:
        """Take out what is due for a recipient, a parcel for each battle; nobody else gets it now.

        What was taken out less than `stale_after` µs ago is left to whoever has it. Later it counts as given up, and
        comes out again by itself, under its old name.
        """
        ...

    def part_sent(self, parcel: Parcel, parts: int) -> None:
        """Mark that so many parts of a parcel are out, so that they are not sent again."""
        ...

    def sent(self, parcel: Parcel, at: int) -> None:
        """Mark a parcel as sent."""
        ...

    def put_back(self, parcel: Parcel, problem: str, not_before: int, *, unsure: bool = False) -> None:
        """Put back a parcel that did not go out; its messages wait until `not_before`, then go with what came since.

        If it may have gone out all the same, now (`unsure`), before, or in parts, it stays the parcel that it is.
        """
        ...

    def failed(self, parcel: Parcel, problem: str) -> None:
        """Mark a parcel that will not be tried again."""
        ...

    def retry(self, battle: str = "") -> int:
        """Let everything that waits or has failed be tried again now; return how many messages that is."""
        ...


def parcels_due(pending: Iterable[Message], at: int, stale_after: int) -> list[Parcel]:
    """Sort one recipient's pending messages, oldest first, into the parcels that go out now. Pure: all stores use it.

    A parcel whose fate is not known is one by itself. All others of a battle go together: those that are new wait for
    those that were tried, so that a mail host that comes back gets one digest.
    """
    kept: dict[str, list[Message]] = {}
    fresh: dict[str, list[Message]] = {}
    for each in pending:
        if each.claimed_at is not None and each.claimed_at + stale_after > at:
            continue
        if each.parcel is not None:
            kept.setdefault(each.parcel, []).append(each)
        else:
            fresh.setdefault(each.battle, []).append(each)
    groups = [*kept.values(), *fresh.values()]
    return [_parcel(group) for group in groups if all(each.not_before <= at for each in group if each.tries)]


def _parcel(messages: Sequence[Message]) -> Parcel:
    first = messages[0]
    told = [first.battle, first.recipient, *(f"{each.key} {each.made_at}" for each in messages)]
    name = first.parcel or sha256("\n".join(told).encode()).hexdigest()[:32]
    tries = max(each.tries for each in messages)
    return Parcel(
        name, first.battle, first.recipient, tuple(messages), tries, first.parts_sent, first.parcel is not None
    )
