"""Verbs about who sits where, and words beside the record: seat, note, notes."""

from __future__ import annotations

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
    step_options,
)


@click.command()
@click.argument("battle")
@click.argument("seat", required=False)
@click.option("--player", metavar="NAME", help="Who sits down there. What was ordered before by another is not used.")
@click.option("--in-place-of", "was", default="", metavar="NAME", help="Who sat there, if the record does not know.")
@line_option
@step_options
@db_option
def seat(
    battle: str, seat: str | None, player: str | None, was: str, line: str, expect: int | None, request: str | None,
    db: str,
) -> None:  # fmt: skip
    """See who plays which seat, or let somebody take one: wardiary seat ford red --player Ann.

    When a player is replaced, the orders that wait and the standing orders of the seat are kept, but not used.
    """
    from engine.seats.sitting import take_seat

    if (seat is None) != (player is None):
        raise click.UsageError("give SEAT and --player NAME, or neither to see who sits where")
    with open_log(db, write=player is not None) as log:
        table = open_battle(log, battle, line)
        if seat is not None and player is not None:
            print_step(table, take_seat(table, seat, player, was, expected=expect, request=request))
            return
        state = table.state.table
        for each in state.seats:
            orders = [order for order in state.orders if order.slot not in table.rules.lasting]
            waiting = sum(order.seat == each.id for order in orders)
            mark = state.marks.get(each.id)
            said = f", {mark.mark} for {mark.act}" if mark is not None else ""
            left = ", standing orders" if each.id in state.standing else ""
            player = state.players.get(each.id, "nobody named")
            click.echo(f"{each.id:12} {each.name:24} {player}; orders handed in: {waiting}{said}{left}")


@click.command()
@click.argument("battle")
@click.argument("text")
@click.option("--seat", default="referee", help="Who says it.")
@click.option("--to", multiple=True, metavar="SEAT", help="For these eyes only, and the referee's; may be repeated.")
@line_option
@step_options
@db_option
def note(
    battle: str, text: str, seat: str, to: tuple[str, ...], line: str, expect: int | None, request: str | None, db: str
) -> None:  # fmt: skip
    """Put words beside the record. They change nothing. With --to the record holds only their digest."""
    from engine.seats.sitting import note_privately

    if not text.strip():
        raise click.UsageError("a note needs words")
    with open_log(db, write=True) as log:
        table = open_battle(log, battle, line)
        if to:
            print_step(table, note_privately(table, seat, to, text, expected=expect, request=request))
        else:
            print_step(table, table.note(seat, text, expected=expect, request=request))


@click.command()
@click.argument("battle")
@as_option
@line_option
@json_option
@db_option
def notes(battle: str, viewer: str, line: str, as_json: bool, db: str) -> None:
    """Read the notes, private ones too: all as the referee, with --as those that are for the viewer."""
    from events.facts import Noted, NotedPrivately

    with open_view(db, battle, viewer, line) as view:
        found = []
        for record, event in view.events(Noted, NotedPrivately):
            note: dict[str, object] = {"seq": record.seq, "author": record.actor}
            if isinstance(event, Noted):
                found.append({**note, "private": False, "text": event.text})
            elif isinstance(event, NotedPrivately) and (kept := view.secret(event.digest)) is not None:
                found.append({**note, "private": True, "text": kept.partition(" ")[2]})
    if as_json:
        emit(found)
        return
    for each in found:
        mark = " (private)" if each["private"] else ""
        click.echo(f"{each['seq']:5d}  {each['author']}{mark}: {each['text']}")
    if not found:
        click.echo("no notes yet")
