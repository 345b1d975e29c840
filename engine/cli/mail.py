"""Verbs that get messages out: outbox, deliver. And --to, by which other verbs put messages in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.common import F, db_option, emit, json_option, open_log

if TYPE_CHECKING:
    from engine.battle import Battle
    from engine.delivery.outbox import Delivered
    from events.store.log import Log

_TO_HELP = "The file of recipients: messages go into the outbox, for `wardiary deliver`."


def recipients_option(command: F) -> F:
    """Add --to."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--to", "recipients", type=kind, envvar="WARDIARY_RECIPIENTS", metavar="FILE", help=_TO_HELP)(
        command
    )


def enqueue_notices(log: Log, battle: Battle, recipients: Path | None, *, quiet: bool = False) -> None:
    """Put what there is to be said of the open deadline into the outbox."""
    if recipients is None:
        return
    from engine.clock import now
    from engine.delivery.notices import notices
    from engine.delivery.recipients import read_recipients

    new = notices(log, battle, read_recipients(recipients), now())
    if new and not quiet:
        click.echo(f"{new} messages are in the outbox", err=True)


@click.command()
@click.argument("battle", default="")
@click.option("--state", type=click.Choice(["pending", "sent", "failed"]), help="Only these.")
@click.option("--retry", is_flag=True, help="Let what waits or has failed be tried again with the next `deliver`.")
@click.option("--read", type=int, metavar="NUMBER", help="Show one message.")
@json_option
@db_option
def outbox(battle: str, state: str | None, retry: bool, read: int | None, as_json: bool, db: str) -> None:
    """List the messages on their way out: to whom, what, and what became of them."""
    import msgspec

    from events.times import rfc3339

    with open_log(db, write=retry) as log:
        if battle:
            log.line(battle)
        if retry:
            click.echo(f"{log.outbox().retry(battle)} messages will be tried again")
            return
        found = log.outbox().messages(battle, state or "")
    if read is not None:
        found = [each for each in found if each.id == read]
    if as_json:
        emit([{**msgspec.to_builtins(each), "made": rfc3339(each.made_at)} for each in found])
        return
    for each in found:
        told = f": {each.problem}" if each.problem else ""
        tries = f" after {each.tries} tries" if each.tries > 1 else ""
        click.echo(f"{each.id:5d}  {each.state:7} {each.recipient:12} {each.subject}{tries}{told}")
        if read is not None:
            click.echo(f"\n{each.text}")
    if not found:
        click.echo("the outbox holds no such message" if read or state else "the outbox is empty")


@click.command()
@click.argument("battle", default="")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write files, too.")
@click.option("--quiet", is_flag=True, help="Tell only what failed.")
@recipients_option
@json_option
@db_option
def deliver(battle: str, out: Path | None, quiet: bool, recipients: Path | None, as_json: bool, db: str) -> int:
    """Send what is in the outbox and due: by mail, to webhooks, and to files with --out. For cron, every few minutes.

    What does not go out is tried again, later and later. Several messages to one recipient go as one digest. Exit code
    1 if anything failed for good.
    """
    from engine.delivery.outbox import deliver as send
    from engine.delivery.outbox import unreachable
    from engine.delivery.recipients import read_recipients

    if recipients is None:
        raise click.UsageError("say who gets what: --to FILE, or the variable WARDIARY_RECIPIENTS")
    book = read_recipients(recipients)
    with open_log(db, write=True) as log:
        if battle:
            log.line(battle)
        done = send(log, book, out=out, battle=battle)
        waiting = {each.recipient for each in log.outbox().messages(battle, "pending")}
    if as_json:
        emit(done)
        return _code(done)
    for each in done:
        if not quiet or each.outcome == "failed":
            told = f": {each.problem}" if each.problem else "".join(f" {name}" for name in each.files[:1])
            click.echo(f"{each.outcome:7} {each.messages} to {each.recipient} of {each.battle}{told}")
    if not (done or quiet):
        click.echo("nothing is due")
    for name in sorted(waiting & {*unreachable(book, out)}):
        click.echo(f"wardiary: {name} is not reached: give a mail host ([smtp] in {recipients}) or --out DIR", err=True)
    for name in sorted(waiting - {*book.recipients}):
        click.echo(f"wardiary: {name} is not in {recipients}: what waits for them stays", err=True)
    return _code(done)


def _code(done: Iterable[Delivered]) -> int:
    return 1 if any(each.outcome == "failed" for each in done) else 0
