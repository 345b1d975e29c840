"""Putting messages into the outbox and getting them out: each once, and again only if it did not go out for sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from engine.clock import now
from engine.delivery.files import write_parcel
from engine.delivery.mail import PAGE, compose, send_mail
from engine.delivery.recipients import Recipient, Recipients
from engine.delivery.sending import SendFailed
from engine.delivery.webhook import parts_of, send_part
from events.store.log import MAIN, Log
from events.store.outbox import Outbox, Parcel
from replays.publish.dialect import board, find_board
from replays.publish.document import Document
from replays.publish.split import posts

SECOND = 1_000_000
STALE = 600 * SECOND
"""After how long a parcel that somebody took out and did not mark comes out again."""

WAITS = (60, 300, 900, 1800, 3600)
"""Seconds before the next try, after the first, the second … failure; then as long as the last."""

MAX_TRIES = 80
"""About three days."""


class Delivered(msgspec.Struct, frozen=True, gc=False):
    """What became of a parcel. `files` names those that were written."""

    battle: str
    recipient: str
    messages: int
    outcome: Literal["sent", "written", "pending", "failed"]
    problem: str = ""
    files: tuple[str, ...] = ()


class Letter(msgspec.Struct, frozen=True, gc=False):
    """A message to be put into the outbox, once for each `key`.

    `text` is written in the recipient's dialect, as one or in parts that their board takes one by one; `html` is for
    mail.
    """

    key: str
    subject: str
    text: str | Sequence[str]
    html: str = ""


def write_letter(
    document: Document, recipient: Recipient, key: str, limit: int | None = None, *, narrow: bool = False
) -> Letter:
    """Write a document for a recipient in their dialect, in parts of at most `limit` characters (as their board)."""
    html = posts(document, board("html"))[0] if recipient.channel != "webhook" else ""
    return Letter(key, document.title, posts(document, find_board(recipient.dialect, limit), narrow=narrow), html)


def enqueue(log: Log, battle: str, recipient: str, letter: Letter, at: int) -> bool:
    """Put a letter for a recipient (a name in the file of recipients) into the outbox. `at` is now, µs UTC.

    Returns False if one with its key is there already: that one is then left as it is. Raises `BattleUnknown`.
    """
    parts = [letter.text] if isinstance(letter.text, str) else letter.text
    whole = PAGE.join(part.replace(PAGE, "\n") for part in parts)
    subject = " ".join(letter.subject.split())
    return log.outbox().put(battle, recipient, letter.key, subject, whole, letter.html, at)


def deliver(
    log: Log, book: Recipients, *, out: Path | None = None, battle: str = "", clock: Callable[[], int] = now
) -> list[Delivered]:
    """Send what is due, a parcel for each recipient and battle, and write it to files if `out` says where.

    Who has neither mail nor webhook gets files alone; so does who has mail where no mail host is given. Marks are set
    one by one: a parcel that was sent when the program died before its mark goes out once more, as the same mail.
    """
    box = log.outbox()
    return [
        _deliver(log, box, book, parcel, out, clock)
        for name, recipient in book.recipients.items()
        if _reachable(book, recipient, out)
        for parcel in box.take(name, clock(), STALE, battle)
    ]


def unreachable(book: Recipients, out: Path | None) -> list[str]:
    """Return the recipients to whom nothing can be sent as things are: no mail host, and no folder for files."""
    return [name for name, each in book.recipients.items() if not _reachable(book, each, out)]


def _reachable(book: Recipients, recipient: Recipient, out: Path | None) -> bool:
    return out is not None or recipient.channel == "webhook" or (recipient.channel == "mail" and book.smtp is not None)


def _deliver(
    log: Log, box: Outbox, book: Recipients, parcel: Parcel, out: Path | None, clock: Callable[[], int]
) -> Delivered:
    recipient = book.recipients[parcel.recipient]
    told = Delivered(parcel.battle, parcel.recipient, len(parcel.messages), "sent")
    root = thread_of(log, parcel)
    sender = book.smtp.sender if book.smtp else "War Diary <wardiary@localhost.invalid>"
    mail = compose(parcel, sender, recipient.mail or f"{parcel.recipient}@localhost.invalid", root)
    if out is not None:
        told = replace(told, files=write_parcel(out, parcel, mail), outcome="written")
    try:
        if recipient.channel == "webhook":
            _send_parts(box, parcel, recipient.webhook)
            told = replace(told, outcome="sent")
        elif recipient.channel == "mail" and book.smtp is not None:
            send_mail(mail, book.smtp)
            told = replace(told, outcome="sent")
    except SendFailed as failed:
        return _failed(box, parcel, told, failed, clock())
    box.sent(parcel, clock())
    return told


def _send_parts(box: Outbox, parcel: Parcel, url: str) -> None:
    """Send the parts that are not out yet, marking each as soon as it is out. Raises `SendFailed`."""
    parts = parts_of(parcel.messages)
    for number, part in enumerate(parts[parcel.parts_sent :], parcel.parts_sent + 1):
        send_part(url, part)
        box.part_sent(parcel, number)


def _failed(box: Outbox, parcel: Parcel, told: Delivered, failed: SendFailed, at: int) -> Delivered:
    if failed.fate == "refused" or parcel.tries + 1 >= MAX_TRIES:
        box.failed(parcel, failed.problem)
        return replace(told, outcome="failed", problem=failed.problem)
    wait = max(failed.wait, WAITS[min(parcel.tries, len(WAITS) - 1)])
    box.put_back(parcel, failed.problem, at + wait * SECOND, unsure=failed.fate == "unsure")
    return replace(told, outcome="pending", problem=failed.problem)


def thread_of(log: Log, parcel: Parcel) -> str:
    """Return the name of the thread of a battle's messages to one recipient: made of the battle's first event."""
    first = next(log.records(log.line(parcel.battle, MAIN), 0, 1))
    return sha256(f"{first.hash} {parcel.recipient}".encode()).hexdigest()[:32]
