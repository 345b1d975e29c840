"""What the calendar has to say: calls for orders, changed deadlines, reminders to those who are missing."""

from __future__ import annotations

from engine.battle import Battle
from engine.deadlines.due import not_in
from engine.delivery.outbox import enqueue, write_letter
from engine.delivery.recipients import Recipients
from events.store.log import Log
from projections.deadlines import Deadline, reminders, span, told
from replays.publish.document import Document, Heading, Says


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
    new = 0
    document = _notice(f"{subject}, {what}", deadline, now)
    for to, each in book.of(name):
        new += enqueue(log, name, to, write_letter(document, each, f"call/{key}"), now)
    past = [at for at in reminders(deadline) if at <= now]
    if past:
        document = _notice(f"{subject}: {span(deadline.until - now)} left", deadline, now)
        for to, each in book.of(name, *not_in(battle)) if not_in(battle) else []:
            new += enqueue(log, name, to, write_letter(document, each, f"remind/{key}/{past[-1]}"), now)
    return new


def _notice(subject: str, deadline: Deadline, now: int) -> Document:
    first, *rest = told(deadline, now)
    says = [Says(first, strong=True, due=deadline.until), *map(Says, rest)]
    return Document(subject, "", (Heading(subject, 1), *says))
