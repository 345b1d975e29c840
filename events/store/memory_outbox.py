"""The outbox of a log in memory."""

from __future__ import annotations

from collections.abc import Callable, Container

from msgspec.structs import replace

from events.store.errors import BattleUnknown
from events.store.outbox import Message, Parcel, parcels_due


class MemoryOutbox:
    """Messages that last as long as the object (see `events.store.outbox.Outbox`). `battles` says which there are."""

    def __init__(self, battles: Container[str]) -> None:
        self._battles = battles
        self._messages: list[Message] = []

    def put(self, battle: str, recipient: str, key: str, subject: str, text: str, html: str, at: int) -> bool:
        """Put a message in; return False if one with this key is there for the recipient."""
        if battle not in self._battles:
            raise BattleUnknown(battle)
        if any((each.battle, each.recipient, each.key) == (battle, recipient, key) for each in self._messages):
            return False
        number = len(self._messages) + 1
        self._messages.append(
            Message(number, battle, recipient, key, subject, text, html, "pending", at, None, 0, 0, 0, None, None, "")
        )
        return True

    def messages(self, battle: str = "", state: str = "") -> list[Message]:
        """Return messages, oldest first: of one battle, in one state, or all."""
        return [each for each in self._messages if battle in ("", each.battle) and state in ("", each.state)]

    def take(self, recipient: str, at: int, stale_after: int, battle: str = "") -> list[Parcel]:
        """Take out what is due for a recipient, a parcel for each battle; nobody else gets it now."""
        pending = [each for each in self.messages(battle, "pending") if each.recipient == recipient]
        parcels = parcels_due(pending, at, stale_after)
        for parcel in parcels:
            self._claim(parcel, at)
        return parcels

    def _claim(self, parcel: Parcel, at: int) -> None:
        self._update(parcel, lambda each: replace(each, parcel=parcel.name, claimed_at=at))

    def part_sent(self, parcel: Parcel, parts: int) -> None:
        """Mark that so many parts of a parcel are out."""
        self._update(parcel, lambda each: replace(each, parts_sent=parts))

    def sent(self, parcel: Parcel, at: int) -> None:
        """Mark a parcel as sent."""
        self._update(
            parcel,
            lambda each: replace(each, state="sent", sent_at=at, claimed_at=None, tries=each.tries + 1, problem=""),
        )

    def put_back(self, parcel: Parcel, problem: str, not_before: int, *, unsure: bool = False) -> None:
        """Put back a parcel that did not go out; it stays the parcel that it is if it may have gone out."""
        kept = unsure or parcel.kept
        self._update(
            parcel,
            lambda each: replace(
                each, claimed_at=None, tries=each.tries + 1, problem=problem, not_before=not_before,
                parcel=each.parcel if kept or each.parts_sent else None,
            ),
        )  # fmt: skip

    def failed(self, parcel: Parcel, problem: str) -> None:
        """Mark a parcel that will not be tried again."""
        self._update(
            parcel, lambda each: replace(each, state="failed", claimed_at=None, tries=each.tries + 1, problem=problem)
        )

    def retry(self, battle: str = "") -> int:
        """Let everything that waits or has failed be tried again now; return how many messages that is."""
        again = [each for each in self.messages(battle) if each.state != "sent"]
        for each in again:
            self._messages[each.id - 1] = replace(each, state="pending", not_before=0, tries=0)
        return len(again)

    def _update(self, parcel: Parcel, changed: Callable[[Message], Message]) -> None:
        for each in parcel.messages:
            self._messages[each.id - 1] = changed(self._messages[each.id - 1])
