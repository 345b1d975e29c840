"""What the calendar has to say: calls for orders, changed deadlines, reminders to those who are missing."""

from __future__ import annotations

from engine.battle import Battle
from engine.deadlines.due import not_in
from engine.delivery.outbox import enqueue
from engine.delivery.recipients import Recipient, Recipients
from events.store.log import Log
from projections.deadlines import Deadline, reminders, span, told
from replays.publish.dialect import board, find_board
from replays.publish.document import Document, Heading, Says
from replays.publish.split import posts


def notices(log: Log, battle: Battle, book: Recipients, now: int) -> int:
    """Put into the outbox what is to be said of the open deadline now; return how many messages are new.

    The call goes to everybody once for each time that the deadline has had, a reminder that is due to the seats that
    are missing. Nothing is said while the calendar stands still or after the deadline.
    """
    table = battle.state.table
    deadline = table.deadline
    if deadline is None or table.frozen is not None or now >= deadline.until:
        return 0
    key, name = f"{deadline.call.act}/{deadline.until}", battle.line.battle
    subject = f"{table.title}: orders for {deadline.call.act}"
    what = "the deadline is moved" if deadline.moved else "please"
    new = sum(
        _put(log, battle, to, each, f"{subject}, {what}", deadline, f"call/{key}", now) for to, each in book.of(name)
    )
    past = [at for at in reminders(deadline) if at <= now]
    if past:
        left = f"{subject}: {span(deadline.until - now)} left"
        for to, each in book.of(name, *not_in(battle)) if not_in(battle) else []:
            new += _put(log, battle, to, each, left, deadline, f"remind/{key}/{past[-1]}", now)
    return new


def _put(
    log: Log, battle: Battle, to: str, recipient: Recipient, subject: str, deadline: Deadline, key: str, now: int
) -> bool:
    """Put one notice in, in the recipient's dialect."""
    first, *rest = told(deadline, now)
    says = [Says(first, strong=True, due=deadline.until), *map(Says, rest)]
    document = Document(subject, "", (Heading(subject, 1), *says))
    html = posts(document, board("html"))[0] if recipient.channel != "webhook" else ""
    text = posts(document, find_board(recipient.dialect))
    return enqueue(log, battle.line.battle, to, subject, text, key, now, html=html)
