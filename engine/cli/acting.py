"""What the verbs that act share: their options, the door, and telling the answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.common import db_option, emit, json_option, line_option, open_log, print_label, print_waiting

if TYPE_CHECKING:
    from engine.answers import Answer, Preview
    from engine.battle import Battle
    from engine.door import Door
    from engine.seats.submissions import Receipt
    from events.commands import Amend, AnyCommand, Strike, Undo
    from events.store.log import Log

F = TypeVar("F", bound=Callable[..., Any])


def act_options(command: F) -> F:
    """Add what every verb that acts takes: --line, --expect, --request, --json, --db."""
    for option in (
        click.option("--request", default="", metavar="KEY", help="Idempotency key: the same command with the same key "
                     "is done once, and then answered again."),
        click.option("--expect", type=int, metavar="SEQ", help="Refuse if the battle has moved on past this event."),
        line_option,
        json_option,
        db_option,
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def open_door(db: str, *, write: bool = True, make: bool = False) -> Iterator[Door]:
    """Open the file of battles to act in it."""
    with open_log(db, write=write, make=make) as log:
        yield door_to(log)


def door_to(log: Log) -> Door:
    """Return the door of a log that is open."""
    from engine.door import Door
    from engine.rules.rule_set import find_rules

    return Door(log, rules=find_rules)


def act(door: Door, command: AnyCommand, as_json: bool, more: Callable[[Battle, Answer], None] | None = None) -> Answer:
    """Give a command and tell the answer; `more` tells what this verb adds for people."""
    answer = door.execute(command)
    with told(answer):
        if as_json:
            emit(answer)
        else:
            battle = door.battle(answer.battle, answer.line)
            print_step(battle, answer)
            if more is not None:
                more(battle, answer)
    return answer


@contextmanager
def told(answer: Answer) -> Iterator[None]:
    """Let what is printed after a recorded step fail without failing the step, and say that it is recorded."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        from engine.cli.main import forget_output

        where = f"events {answer.first} to {answer.last} of line {answer.line}"
        trouble = error.strerror or str(error)
        forget_output()
        with_problem = f"wardiary: {where} are recorded; what came of them could not be printed: {trouble}"
        click.echo(with_problem, err=True)


def print_step(battle: Battle, answer: Answer) -> None:
    """Tell what a step recorded, then what the battle waits for."""
    view = battle.view
    print_label(view)
    if answer.repeated:
        click.echo("(this request was carried out before; here is its answer again)")
    for frame in view.frames(answer.first - 1, answer.last):
        click.echo(f"{frame.record.seq:5d}  {view.caption(frame)}")
    print_waiting(battle)


def tell_preview(preview: Preview, as_json: bool, lines: Sequence[str]) -> None:
    """Tell a preview."""
    if as_json:
        emit(preview)
        return
    for text in lines:
        click.echo(text)
    click.echo("(a preview: nothing was recorded)")


def print_receipts(receipts: Sequence[Receipt]) -> None:
    """Tell each seat what was understood, and what it keeps to show for it."""
    from engine.seats.submissions import sheet_receipt

    for seat in sorted({each.seat for each in receipts}):
        own = [each for each in receipts if each.seat == seat]
        for each in own:
            sealed = f" (salt {each.salt})" if each.salt else ""
            click.echo(f"receipt  {each.text or 'text not here'}{sealed}\n         {each.digest}")
        if len(own) > 1:
            click.echo(f"receipt of {seat} for all {len(own)}: {sheet_receipt(own)}")


def read_faces(text: str) -> tuple[int, ...]:
    """Read faces as they are typed: numbers with commas or spaces between them."""
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdecimal() and len(word) <= 9):
            raise click.UsageError(f"--faces {text!r}: {word!r} is not a number; write them as 3,5")
    return tuple(int(word) for word in words)


def read_modifier(text: str) -> tuple[str, int]:
    """Read a modifier as it is typed: a number and a label."""
    number, _, label = text.strip().partition(" ")
    sign, digits = (number[:1], number[1:]) if number[:1] in "+-" else ("+", number)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6 and label.strip()):
        raise click.UsageError(f"--modifier {text!r}: write a number and a label, such as '-10 smoke'")
    return label.strip(), int(digits) * (-1 if sign == "-" else 1)


def typed(command: Undo | Strike | Amend) -> str:
    """Return a correction as it is typed on the command line.

    >>> from events.commands import Strike
    >>> typed(Strike(battle="ford", seat="red", events=(16,), why="a slip"))
    "wardiary strike ford 16 --seat red --dice keep --why 'a slip'"
    """
    from events.commands import Amend, Strike, Undo

    words = ["wardiary", str(command.__struct_config__.tag).partition(".")[2], command.battle]
    match command:
        case Undo():
            words += [str(command.before - 1)] if command.before else [command.point] if command.point else []
        case Strike():
            words += map(str, command.events)
        case Amend():
            words.append(str(command.event))
            words += ["--text", command.text] if command.text else []
            words += ["--faces", ",".join(map(str, command.faces))] if command.faces is not None else []
            words += ["--modifier", f"{command.modifier[1]:+d} {command.modifier[0]}"] if command.modifier else []
            words += ["--answer", command.answer] if command.answer else []
    words += ["--seat", command.seat, "--dice", command.dice, "--why", command.why]
    return " ".join(map(quote, words))
