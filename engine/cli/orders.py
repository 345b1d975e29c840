"""Verbs of those who sit at the table: order, orders, reveal, standing, receipts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Literal

import click

from engine.cli.common import (
    as_option,
    db_option,
    emit,
    json_option,
    line_option,
    open_battle,
    open_log,
    open_view,
    print_step,
    read_all,
    step_options,
)

if TYPE_CHECKING:
    from engine.battle import Battle
    from engine.seats.submissions import Receipt
    from events.store.record import Appended

_PHASE = click.option(
    "--phase", default="", metavar="t3/move", help="What these orders are for; given back if that is over."
)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("text", nargs=-1)
@click.option("--digest", default="", metavar="HEX", help="Only the SHA-256 of salt, space and order; the text later.")
@click.option("--salt", default="", metavar="TEXT", help="Your own salt, where orders are sealed.")
@_PHASE
@line_option
@step_options
@db_option
def order(
    battle: str, seat: str, text: tuple[str, ...], digest: str, salt: str, phase: str, line: str, expect: int | None,
    request: str | None, db: str,
) -> None:  # fmt: skip
    """Give one order, such as: wardiary order ford red "grubnik: charge aldric"."""
    from engine.seats.submissions import Sheet, hand_in, hand_in_digest

    if bool(text) == bool(digest):
        raise click.UsageError('give the order, such as "grubnik: charge aldric", or its --digest')
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        if digest:
            print_step(table, hand_in_digest(table, seat, digest, expected=expect, request=request))
            return
        sheet = Sheet(seat, " ".join(text), phase, salt=salt)
        _hand_in(table, lambda: hand_in(table, sheet, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("sheet", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE|-")
@click.option("--seat", default="referee", help="Whose sheet it is; the referee may order for everybody.")
@click.option("--from-post", is_flag=True, help="It is a post or mail, pasted whole: take the orders out of it.")
@click.option("--provisional", "mark", flag_value="provisional", default="", help="The seat may still change them.")
@click.option("--final", "mark", flag_value="final", help="The seat is done.")
@click.option("--late", is_flag=True, help="They came too late: kept on record, and not used.")
@_PHASE
@line_option
@step_options
@db_option
def orders(
    battle: str, sheet: IO[str], seat: str, from_post: bool, mark: Literal["", "provisional", "final"] | None,
    late: bool, phase: str, line: str, expect: int | None, request: str | None, db: str,
) -> None:  # fmt: skip
    """Hand in a sheet of orders, a line each: all of them are taken, or none.

    With --from-post quotations, signatures, smileys and markup are taken off. Prose between orders must be marked: in
    (( … )), or behind OOC: or //. Any other line must be an order, else nothing is taken and the line is named.
    """
    from engine.seats.posts import orders_in_post
    from engine.seats.submissions import Sheet, hand_in

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        text = read_all(sheet)
        taken = orders_in_post(table, text) if from_post else text
        handed = Sheet(seat, taken, phase, mark or "", late)
        _hand_in(table, lambda: hand_in(table, handed, expected=expect, request=request), text, by_post=from_post)


def _hand_in(table: Battle, make: Callable[[], Appended], given: str = "", *, by_post: bool = False) -> None:
    """Hand in, tell what was recorded and the receipts; give the text back if its phase is over.

    The receipt of an open order is told to those who play by post; `wardiary receipts` tells it to everybody.
    """
    from engine.orders.errors import StalePhase

    try:
        done = make()
    except StalePhase as error:
        click.echo(f"# not used, {error.phase} is not the phase to come ({error.now}); your text:")
        click.echo((given or error.text).rstrip("\n"))
        raise
    print_step(table, done)
    print_receipts([each for each in _receipts(table, done) if by_post or not each.is_open])
    _say_if_all_are_ready(table)


def _say_if_all_are_ready(table: Battle) -> None:
    """Say that the battle can go on, where a call need not wait for its time."""
    from engine.clock import now
    from engine.deadlines.tick import due_by

    state = table.state.table
    if state.deadline is None or not state.deadline.call.early or state.waiting or state.ended or state.frozen:
        return
    if due_by(state, table.rules.next_act(table.situation()), now()) == "ready":
        click.echo(f"all are ready: `wardiary tick {table.line.battle}` goes on")


def _receipts(table: Battle, done: Appended) -> list[Receipt]:
    from engine.seats.submissions import receipts_of

    return receipts_of(table.view, done.first, done.last, table.log.secret)


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


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("sealed", metavar="'SALT ORDER'")
@line_option
@step_options
@db_option
def reveal(
    battle: str, seat: str, sealed: str, line: str, expect: int | None, request: str | None, db: str
) -> None:  # fmt: skip
    """Hand in the text behind a digest, as it was sealed: salt, space, order. It stays sealed until its act begins."""
    from engine.seats.submissions import hand_in_text

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        print_step(table, hand_in_text(table, seat, sealed, expected=expect, request=request))


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("sheet", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE|-")
@line_option
@step_options
@db_option
def standing(
    battle: str, seat: str, sheet: IO[str], line: str, expect: int | None, request: str | None, db: str
) -> None:  # fmt: skip
    """Leave standing orders: used for an act for which the seat has ordered nothing. An empty FILE takes them back."""
    from engine.seats.submissions import leave_standing

    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        done = leave_standing(table, seat, read_all(sheet), expected=expect, request=request)
        print_step(table, done)
        print_receipts(_receipts(table, done))


@click.command()
@click.argument("battle")
@as_option
@line_option
@json_option
@db_option
def receipts(battle: str, viewer: str, line: str, as_json: bool, db: str) -> None:
    """List what was handed in, with receipts; --as a seat with the texts of what it has sealed."""
    from engine.seats.submissions import receipts_of

    with open_view(db, battle, viewer, line) as view:
        found = receipts_of(view, 1, view.head, view.secret if viewer else lambda digest: None)
    if as_json:
        import msgspec

        emit(msgspec.to_builtins(found))
        return
    for each in found:
        sealed = f" (salt {each.salt})" if each.salt else ""
        click.echo(f"{each.seq:5d}  {each.seat:10} {each.digest}  {each.text or 'sealed'}{sealed}")
    if not found:
        click.echo("nothing was handed in yet")
