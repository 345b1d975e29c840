"""Verbs of those who sit at the table: order, orders, withdraw, reveal, standing, receipts."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Literal

import click

from engine.cli.acting import act, act_options, open_door, print_receipts
from engine.cli.common import as_option, db_option, emit, json_option, line_option, open_view, read_all

if TYPE_CHECKING:
    from engine.answers import Answer
    from engine.battle import Battle
    from engine.door import Door
    from events.commands import SubmitOrders

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
@act_options
def order(
    battle: str, seat: str, text: tuple[str, ...], digest: str, salt: str, phase: str, line: str, expect: int | None,
    request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Submit an order, for example: wardiary order ford red "grubnik: charge aldric"."""
    from events.commands import SubmitDigest, SubmitOrders

    if bool(text) == bool(digest):
        raise click.UsageError('give the order, such as "grubnik: charge aldric", or its --digest')
    with open_door(db) as door:
        if digest:
            given = SubmitDigest(battle=battle, line=line, seat=seat, digest=digest, expected=expect, request=request)
            act(door, given, as_json)
            return
        command = SubmitOrders(
            battle=battle, line=line, seat=seat, text=" ".join(text), phase=phase, salt=salt, expected=expect,
            request=request,
        )  # fmt: skip
        _submit(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("sheet", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE|-")
@click.option("--seat", default="referee", help="Whose sheet it is; the referee may order for everybody.")
@click.option("--from-post", is_flag=True, help="It is a post or mail, pasted whole: take the orders out of it.")
@click.option("--provisional", "mark", flag_value="provisional", default="", help="The seat may still change them.")
@click.option("--final", "mark", flag_value="final", help="The seat is done.")
@click.option("--late", is_flag=True, help="They came too late: kept on record, and not used.")
@_PHASE
@act_options
def orders(
    battle: str, sheet: IO[str], seat: str, from_post: bool, mark: Literal["", "provisional", "final"] | None,
    late: bool, phase: str, line: str, expect: int | None, request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Submit a sheet of orders, one on each line: all of them are accepted, or none.

    With --from-post quotations, signatures, smileys and markup are taken off. Prose between orders must be marked: in
    (( … )), or behind OOC: or //. Any other line must be an order, else nothing is taken and the line is named.
    """
    from engine.seats.posts import orders_in_post
    from events.commands import SubmitOrders

    with open_door(db) as door:
        text = read_all(sheet)
        taken = orders_in_post(door.battle(battle, line), text) if from_post else text
        command = SubmitOrders(
            battle=battle, line=line, seat=seat, text=taken, phase=phase, mark=mark or "", late=late, expected=expect,
            request=request,
        )  # fmt: skip
        _submit(door, command, as_json, text, by_post=from_post)


def _submit(door: Door, command: SubmitOrders, as_json: bool, given: str = "", *, by_post: bool = False) -> None:
    """Submit orders, tell what was recorded and the receipts; give the text back if its phase is over.

    The receipt of an open order is told to those who play by post; `wardiary receipts` tells it to everybody.
    """
    from engine.orders.errors import StalePhase

    def more(battle: Battle, answer: Answer) -> None:
        print_receipts([each for each in answer.receipts if by_post or not each.is_open])
        _say_if_all_are_ready(battle)

    try:
        act(door, command, as_json, more)
    except StalePhase as error:
        if not as_json:
            click.echo(f"# not used, {error.phase} is not the phase to come ({error.now}); your text:")
            click.echo((given or error.text).rstrip("\n"))
        raise


def _say_if_all_are_ready(battle: Battle) -> None:
    """Say that the battle can go on, where a call need not wait for its time."""
    from engine.clock import now
    from engine.deadlines.clock_work import due_by

    state = battle.state.table
    if state.deadline is None or not state.deadline.call.early or state.waiting or state.ended or state.frozen:
        return
    if due_by(state, battle.next_act(), now()) == "ready":
        click.echo(f"all are ready: `wardiary tick {battle.line.battle}` goes on")


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("pieces", nargs=-1)
@act_options
def withdraw(
    battle: str, seat: str, pieces: tuple[str, ...], line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Withdraw orders that wait: those of PIECES, or all of a seat's. They stay on record and are not used."""
    from events.commands import WithdrawOrders

    command = WithdrawOrders(battle=battle, line=line, seat=seat, pieces=pieces, expected=expect, request=request)
    with open_door(db) as door:
        act(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("sealed", metavar="'SALT ORDER'")
@act_options
def reveal(
    battle: str, seat: str, sealed: str, line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Submit the text behind a digest, as it was sealed: salt, space, order. It stays sealed until its act begins."""
    from events.commands import RevealOrder

    command = RevealOrder(battle=battle, line=line, seat=seat, sealed=sealed, expected=expect, request=request)
    with open_door(db) as door:
        act(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("seat")
@click.argument("sheet", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE|-")
@act_options
def standing(
    battle: str, seat: str, sheet: IO[str], line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Leave standing orders: used for an act for which the seat has ordered nothing. An empty FILE takes them back."""
    from events.commands import LeaveStandingOrders

    with open_door(db) as door:
        command = LeaveStandingOrders(
            battle=battle, line=line, seat=seat, text=read_all(sheet), expected=expect, request=request
        )
        act(door, command, as_json, lambda _, answer: print_receipts(answer.receipts))


@click.command()
@click.argument("battle")
@as_option
@line_option
@json_option
@db_option
def receipts(battle: str, viewer: str, line: str, as_json: bool, db: str) -> None:
    """List what was submitted, with receipts; --as a seat with the texts of what it has sealed."""
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
        click.echo("nothing was submitted yet")
