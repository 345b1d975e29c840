"""Verbs about who sits where, and words beside the record: seat, note, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine.cli.acting import act, act_options, open_door
from engine.cli.common import as_option, db_option, emit, json_option, line_option, open_view

if TYPE_CHECKING:
    from engine.battle import Battle


@click.command()
@click.argument("battle")
@click.argument("seat", required=False)
@click.option("--player", metavar="NAME", help="Who sits down there. What was ordered before by another is not used.")
@click.option("--in-place-of", "was", default="", metavar="NAME", help="Who sat there, if the record does not know.")
@act_options
def seat(
    battle: str, seat: str | None, player: str | None, was: str, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """See who plays which seat, or let somebody take one: wardiary seat ford red --player Ann.

    When a player is replaced, the orders that wait and the standing orders of the seat are kept, but not used.
    """
    from events.commands import TakeSeat

    if (seat is None) != (player is None):
        raise click.UsageError("give SEAT and --player NAME, or neither to see who sits where")
    with open_door(db, write=player is not None) as door:
        if seat is not None and player is not None:
            command = TakeSeat(
                battle=battle, line=line, taken=seat, player=player, was=was, expected=expect, request=request
            )
            act(door, command, as_json)
            return
        _list_seats(door.battle(battle, line), as_json)


def _list_seats(battle: Battle, as_json: bool) -> None:
    state = battle.state.table
    found: list[dict[str, object]] = []
    for each in state.seats:
        orders = [order for order in state.orders if order.slot not in battle.rules.lasting]
        mark = state.marks.get(each.id)
        found.append(
            {
                "seat": each.id, "name": each.name, "player": state.players.get(each.id, ""),
                "orders": sum(order.seat == each.id for order in orders),
                "mark": mark.mark if mark else "", "act": mark.act if mark else "",
                "standing_orders": each.id in state.standing,
            }
        )  # fmt: skip
    if as_json:
        emit(found)
        return
    for row in found:
        said = f", {row['mark']} for {row['act']}" if row["mark"] else ""
        left = ", standing orders" if row["standing_orders"] else ""
        player = row["player"] or "nobody named"
        click.echo(f"{row['seat']:12} {row['name']:24} {player}; orders submitted: {row['orders']}{said}{left}")


@click.command()
@click.argument("battle")
@click.argument("text")
@click.option("--seat", default="referee", help="Who says it.")
@click.option("--to", multiple=True, metavar="SEAT", help="For these eyes only, and the referee's; may be repeated.")
@act_options
def note(
    battle: str, text: str, seat: str, to: tuple[str, ...], line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Put words beside the record. They change nothing. With --to the record holds only their digest."""
    from events.commands import AddNote, AddPrivateNote

    if not text.strip():
        raise click.UsageError("a note needs words")
    command: AddNote | AddPrivateNote
    if to:
        command = AddPrivateNote(
            battle=battle, line=line, seat=seat, text=text, to=to, expected=expect, request=request
        )
    else:
        command = AddNote(battle=battle, line=line, seat=seat, text=text, expected=expect, request=request)
    with open_door(db) as door:
        act(door, command, as_json)


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
