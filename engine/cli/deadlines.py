"""Verbs of the calendar: call, extend, freeze, unfreeze, ready, due, tick, ics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.acting import act, act_options, door_to, open_door, print_step, told
from engine.cli.common import db_option, emit, json_option, open_battle, open_log
from engine.cli.mail import enqueue_notices, recipients_option

if TYPE_CHECKING:
    from engine.answers import Answer
    from engine.battle import Battle
    from engine.deadlines.tick import Ticked
    from engine.door import Door
    from events.commands import AnyCommand

_ZONE = "In which time zone, such as America/New_York. Without it: that of the last call."
_NO_SCHEDULE = "none"


@click.command()
@click.argument("battle")
@click.option("--until", default="", metavar="TIME", help='"2026-03-08 18:00", "sunday 18:00", +48h or +2d.')
@click.option("--zone", default="", envvar="WARDIARY_ZONE", metavar="ZONE", help=_ZONE)
@click.option("--every", default="", metavar="RULE", help='From now on "sunday 18:00" or "daily 18:00"; none ends it.')
@click.option("--whole-turn", is_flag=True, help="For all that is left of the turn, not for the next act alone.")
@click.option("--early", is_flag=True, help="Resolve as soon as all seats are ready.")
@click.option("--remind", default="24h", metavar="SPANS", help="How long before: 24h,2h (24h); none for never.")
@recipients_option
@act_options
def call(
    battle: str, until: str, zone: str, every: str, whole_turn: bool, early: bool, remind: str, recipients: Path | None,
    line: str, expect: int | None, request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Call for orders: say until when, in which time zone, once or at fixed times."""
    from events.commands import CallForOrders, EndSchedule

    if every == _NO_SCHEDULE and not until:
        with open_door(db) as door:
            act(door, EndSchedule(battle=battle, line=line, expected=expect, request=request), as_json)
        return
    if not until and not every:
        raise click.UsageError("say until when: --until TIME, or --every RULE")
    command = CallForOrders(
        battle=battle, line=line, until=until, zone=zone, every="" if every == _NO_SCHEDULE else every,
        scope="turn" if whole_turn else "act", early=early, reminders=read_reminders(remind), expected=expect,
        request=request,
    )  # fmt: skip
    _set_deadline(db, command, as_json, recipients)


def _set_deadline(db: str, command: AnyCommand, as_json: bool, recipients: Path | None) -> None:
    """Carry out what sets or moves a deadline, tell it, and put what is to be said of it into the outbox."""

    with open_log(db, write=True) as log:
        door = door_to(log)
        answer = act(door, command, as_json, lambda battle, _: print_deadline(battle))
        enqueue_notices(log, door.battle(answer.battle, answer.line), recipients, quiet=as_json)


def read_reminders(text: str) -> tuple[int, ...]:
    """Read spans with commas between them, as seconds, the longest first."""
    from engine.deadlines.walltime import read_span

    spans = [] if text in ("", "none") else [read_span(part) for part in text.split(",")]
    return tuple(sorted({span.days * 86_400 + span.seconds for span in spans}, reverse=True))


def print_deadline(battle: Battle) -> None:
    """Tell the deadline that is open, ready to be pasted."""
    from engine.clock import now
    from projections.deadlines import told

    if battle.state.table.deadline is not None:
        for line in told(battle.state.table.deadline, now(), discord=True):
            click.echo(f"    {line}")


@click.command()
@click.argument("battle")
@click.option("--until", default="", metavar="TIME", help="The new time, as in `wardiary call`.")
@click.option("--by", default="", metavar="SPAN", help="How much later: 24h, or 1d for the same time on the wall.")
@click.option("--why", required=True, help="The reason, for the record.")
@recipients_option
@act_options
def extend(
    battle: str, until: str, by: str, why: str, recipients: Path | None, line: str, expect: int | None,
    request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Move the deadline that is open, as a ruling; no later one moves with it."""
    from events.commands import ExtendDeadline

    if bool(until) == bool(by):
        raise click.UsageError("give either --until or --by")
    to = until or f"+{by.lstrip('+')}"
    command = ExtendDeadline(battle=battle, line=line, to=to, why=why, expected=expect, request=request)
    _set_deadline(db, command, as_json, recipients)


@click.command()
@click.argument("battle")
@click.option("--why", required=True, help="The reason, for the record.")
@act_options
def freeze(battle: str, why: str, line: str, expect: int | None, request: str, as_json: bool, db: str) -> None:
    """Stop the calendar, as a ruling: the clock resolves nothing and calls for nothing. Orders are still taken."""
    from events.commands import FreezeCalendar

    with open_door(db) as door:
        act(door, FreezeCalendar(battle=battle, line=line, why=why, expected=expect, request=request), as_json)


@click.command()
@click.argument("battle")
@click.option(
    "--until", default="", metavar="TIME", help="The new deadline; without it a fixed time, or what was left."
)
@click.option("--why", default="", help="The reason, for the record.")
@recipients_option
@act_options
def unfreeze(
    battle: str, until: str, why: str, recipients: Path | None, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Let the calendar go on, as a ruling."""
    from events.commands import UnfreezeCalendar

    command = UnfreezeCalendar(battle=battle, line=line, until=until, why=why, expected=expect, request=request)
    _set_deadline(db, command, as_json, recipients)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.option("--not", "withdrawn", is_flag=True, help="Take it back.")
@click.option("--no-tick", is_flag=True, help="Do not resolve, even if all are ready now.")
@act_options
def ready(
    battle: str, seat: str, withdrawn: bool, no_tick: bool, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Say that a seat is done with its orders. If all are, and the call allows it, the act is resolved at once."""
    from engine.clock import now
    from engine.deadlines.clock_work import due_by
    from engine.deadlines.tick import tick
    from events.commands import MarkOrders

    command = MarkOrders(
        battle=battle, line=line, seat=seat, final=not withdrawn, expected=expect, request=request
    )  # fmt: skip
    with open_door(db) as door:
        answer: Answer = act(door, command, as_json)
        marked = door.battle(battle, answer.line)
        state = marked.state.table
        if no_tick or withdrawn or answer.repeated or state.waiting or state.ended or line:
            return
        if due_by(state, marked.next_act(), now()) == "ready":
            ticked = tick(door, battle)
            if not as_json:
                print_ticked(door, ticked)


@click.command()
@click.argument("battle", required=False)
@json_option
@db_option
def due(battle: str | None, as_json: bool, db: str) -> int:
    """Tell what is open: until when, who is missing, when reminders are due. Without a battle, of all."""
    from engine.clock import now
    from engine.deadlines.due import due as look
    from engine.deadlines.due import told
    from events.errors import DiaryError

    code, present, found = 0, now(), []
    with open_log(db) as log:
        for name in [battle] if battle else log.battles():
            try:
                found.append(look(open_battle(log, name), present))
            except DiaryError as error:
                if battle:
                    raise
                code = 1
                click.echo(f"wardiary: {name}: {' '.join(str(error).split())}", err=True)
    if as_json:
        emit(found)
        return code
    for each in found:
        for text in told(each, present):
            click.echo(text)
    return code


@click.command()
@click.argument("battle", required=False)
@click.option("--quiet", is_flag=True, help="Say nothing where nothing was done.")
@recipients_option
@json_option
@db_option
def tick(battle: str | None, quiet: bool, recipients: Path | None, as_json: bool, db: str) -> int:
    """Move battles on whose time has come, exactly once: for cron, every few minutes. Without a battle, all.

    With --to, calls for orders and reminders are put into the outbox, for `wardiary deliver`.
    """
    from engine.deadlines.tick import Ticked
    from engine.deadlines.tick import tick as move_on
    from events.errors import DiaryError
    from replays.resolved import AlreadyResolved

    code, results = 0, []
    with open_log(db, write=True) as log:
        door = door_to(log)
        for name in [battle] if battle else log.battles():
            try:
                try:
                    ticked = move_on(door, name)
                except AlreadyResolved as first:
                    ticked = Ticked(name, "nothing", str(first))
                enqueue_notices(log, door.battle(name), recipients, quiet=quiet)
            except DiaryError as error:
                if battle:
                    raise
                code = 1
                click.echo(f"wardiary: {name}: {' '.join(str(error).split())}", err=True)
                continue
            results.append(ticked)
            if not (as_json or (quiet and ticked.done is None)):
                print_ticked(door, ticked)
    if as_json:
        emit(results)
    return code


def print_ticked(door: Door, ticked: Ticked) -> None:
    """Tell what a tick did."""
    if ticked.done is None:
        click.echo(f"{ticked.battle}: {ticked.told}")
        return
    with told(ticked.done):
        click.echo(f"{ticked.battle}: {ticked.told}")
        print_step(door.battle(ticked.battle, ticked.done.line), ticked.done)


@click.command()
@click.argument("battle")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), metavar="FILE|-")
@db_option
def ics(battle: str, file: Path, db: str) -> None:
    """Write the deadlines of a battle as a calendar file, for phones and mail programs.

    Taken in again after a change, each deadline takes the place of what it was. Times are in UTC, which every program
    shows by its owner's clock.
    """
    from engine.cli.common import open_view
    from engine.cli.output import write_and_tell
    from replays.publish.ics import appointments, calendar_of

    with open_view(db, battle, "") as view:
        title, found = view.opening.title, appointments(view)
    text = calendar_of(title, found)
    count = "1 deadline is" if len(found) == 1 else f"{len(found)} deadlines are"
    write_and_tell(file, text.encode(), f"{count} in {file}")
