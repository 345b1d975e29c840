"""What the verbs share: the file, points and lines, seats, printing a step."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from shlex import quote
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

import click

if TYPE_CHECKING:
    from engine.battle import Battle
    from events.store.log import Log
    from replays.view import View

Durability: TypeAlias = Literal["full", "normal"]
MAX_TEXT = 1_000_000
"""Characters that a sheet of orders, a pasted post or a preface may have."""

F = TypeVar("F", bound=Callable[..., Any])


def db_option(command: F) -> F:
    """Add --db."""
    return click.option(
        "--db", default="war.db", envvar="WARDIARY_DB", metavar="FILE", help="The file of battles (./war.db)."
    )(command)


def line_option(command: F) -> F:
    """Add --line."""
    return click.option(
        "--line", default="", metavar="NAME", help="A line of the battle; without it, the one that is the battle now."
    )(command)


def as_option(command: F) -> F:
    """Add --as."""
    return click.option(
        "--as",
        "viewer",
        default="",
        metavar="VIEWER",
        help="Only what VIEWER may see: a seat, spectator, or commentator (a turn late; /2 for two).",
    )(command)


def json_option(command: F) -> F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


class Opening(NamedTuple):
    """How a verb needs the store: to write, to make it if it is not there, to read it though its guards are gone."""

    write: bool = False
    make: bool = False
    durability: Durability = "full"
    guarded: bool = True


Opener: TypeAlias = "Callable[[str, Opening], AbstractContextManager[Log]]"
"""Opens the store that --db names. Whoever runs the command line gives another one as `obj` of its context."""


@contextmanager
def open_log(
    db: str, *, write: bool = False, make: bool = False, durability: Durability = "full", guarded: bool = True
) -> Iterator[Log]:
    """Open the store of battles and close it afterwards; say what is wrong with it although it can be used.

    Only with `make` it is made if it is not there. Not `guarded`, one whose guards are gone can be read, too.
    """
    context = click.get_current_context(silent=True)
    given = context.find_root().obj if context is not None else None
    opener: Opener = given if given is not None else open_file
    with opener(db, Opening(write, make, durability, guarded)) as log:
        if log.warning:
            click.echo(f"wardiary: {log.warning}", err=True)
        yield log


@contextmanager
def open_file(db: str, opening: Opening) -> Iterator[Log]:
    """Open a file of battles: the usual opener."""
    from engine.backoff import Backoff
    from events.store.sqlite import SqliteLog

    if db == ":memory:":
        raise click.UsageError("--db :memory: would be forgotten at once: name a file")
    read_only = not opening.write or not (opening.make or _has_content(db))  # a reader says that there is none
    with SqliteLog(
        db, durability=opening.durability, read_only=read_only, guarded=opening.guarded, patience=Backoff()
    ) as log:
        yield log


def _has_content(db: str) -> bool:
    try:
        return os.path.getsize(db) > 0 and os.path.isfile(db)
    except (OSError, ValueError):
        return False


def open_battle(log: Log, battle: str, line: str = "") -> Battle:
    """Sit down at a battle to act in it: on a line of it, or on the one that is the battle now."""
    from engine.battle import Battle
    from engine.rules.rule_set import find_rules
    from replays.lines import adopted, opening_of

    rules = find_rules(opening_of(log, battle).rule_set)
    return Battle(log, battle, rules, line or adopted(log, battle).name)


@contextmanager
def open_view(db: str, battle: str, viewer: str, line: str = "", *, guarded: bool = True) -> Iterator[View]:
    """Open the file of battles to look at one of them as a viewer may see it.

    Everything that a verb shows to a viewer is read from this view, its errors too. Without `line` it is of the line
    that is the battle now; without `viewer` it is the referee's.
    """
    from replays.view import open_view

    with open_log(db, guarded=guarded) as log:
        yield open_view(log, battle, line, viewer)


def read_all(file: IO[str]) -> str:
    """Read what somebody wrote, from a file or standard input. Raises `click.FileError` for what never ends."""
    text = file.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise click.FileError(str(file.name), f"it holds more than {MAX_TEXT:,} characters")
    return text


def print_label(view: View) -> None:
    """Mark what is shown of a line that is not the battle."""
    if text := view.label:
        click.echo(text)


def print_waiting(battle: Battle) -> None:
    """Tell what a person must do next."""
    from projections.journal import chance

    table = battle.state.table
    name = battle.line.battle
    for call in table.called.values():
        odds = f" ({chance(call)})" if call.chances else ""
        here = table.entered.get(call.key, ())
        part = f", of which {', '.join(map(str, here))} are entered" if here else ""
        click.echo(f"waiting for {call.seat} to roll {call.dice}{part}: {call.purpose}{odds}")
        click.echo(f"    wardiary roll {name} {quote(call.key)} --faces …")
    for question in table.asked.values():
        click.echo(f"the referee is asked ({question.rule}): {question.question}")
        click.echo(f"    wardiary rule {name} {quote(question.key)} …  ({', '.join(map(quote, question.choices))})")
    if table.held:
        click.echo(f"{len(table.held)} deferred by a correction: `wardiary settle {name}` lists them")
    if not table.waiting and not table.ended and table.edition == battle.rules.edition:
        upcoming = battle.rules.next_act(battle.situation())
        if upcoming:
            click.echo(f"next: {upcoming} — submit orders, then `wardiary next {name} --act {upcoming}`")


def emit(value: Any) -> None:
    """Print one JSON document."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal, once the work has taken a second."""
    began = time.monotonic()
    bar: Any = None
    done = 0

    def step(count: int) -> None:
        nonlocal bar, done
        done += count
        if bar is None and sys.stderr.isatty() and time.monotonic() - began > 1:
            bar = click.progressbar(length=length, label=label, file=sys.stderr)
            bar.__enter__()
            bar.update(done)
        elif bar is not None:
            bar.update(count)

    try:
        yield step
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
