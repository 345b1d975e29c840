"""Verbs for lines: branch, lines, compare, bookmark."""

from __future__ import annotations

import click

from engine.cli.acting import act, act_options, open_door, told
from engine.cli.common import as_option, db_option, emit, json_option, open_view


@click.command()
@click.argument("battle")
@click.argument("name")
@click.option("--at", "point", default="", metavar="POINT", help="Where it leaves: 42, -1, t3, t3/move, a bookmark.")
@click.option("--why", default="what if", help="What it is about.")
@click.option(
    "--as", "--seat", "seat", default="referee", help="Whose question: what this seat cannot know is left out."
)
@click.option(
    "--dice-of", metavar="NAME", default="", help="Share the dice of this line, or its own name to let others."
)
@act_options
def branch(
    battle: str, name: str, point: str, why: str, seat: str, dice_of: str, line: str, expect: int | None, request: str,
    as_json: bool, db: str,
) -> None:  # fmt: skip
    """Open a what-if line. It is marked NOT PLAYED everywhere and has dice of its own."""
    from events.commands import OpenBranch

    command = OpenBranch(
        battle=battle, line=line, name=name, point=point, why=why, seat=seat, dice_of=dice_of, expected=expect,
        request=request,
    )  # fmt: skip
    with open_door(db) as door:
        answer = door.execute(command)
        with told(answer):
            if as_json:
                emit(answer)
                return
            if answer.repeated:
                click.echo("(this request was carried out before; here is its answer again)")
            made = door.log.line(battle, answer.new_line)
            click.echo(
                f"line {made.name} leaves {made.parent} after event {made.after}: NOT PLAYED; use `--line {made.name}`"
            )
            before = door.battle(battle, made.parent or "").state_at(made.after)
            hidden = [order for order in before.table.orders if order.digest]
            if hidden:
                click.echo(f"{len(hidden)} sealed orders wait there; those that {seat} cannot know are not on the line")


@click.command()
@click.argument("battle")
@as_option
@json_option
@db_option
def lines(battle: str, viewer: str, as_json: bool, db: str) -> None:
    """List the lines of a battle with their standing."""
    import msgspec

    with open_view(db, battle, viewer) as view:
        found = view.standings()
    if as_json:
        emit(msgspec.to_builtins(found))
        return
    for line in found:
        whence = f"from {line.parent} after {line.after}" if line.parent else "the first"
        by = f" by {line.superseded_by}" if line.superseded_by else ""
        click.echo(f"{line.name:16} {line.standing + by:24} {line.own:6d} events, {whence}: {line.why}")


@click.command()
@click.argument("battle")
@click.argument("one")
@click.argument("other")
@click.option("--all", "everything", is_flag=True, help="Show what is the same, too.")
@as_option
@json_option
@db_option
def compare(battle: str, one: str, other: str, everything: bool, viewer: str, as_json: bool, db: str) -> None:
    """Compare two lines: what is the same, what differs, and how the field differs in the end."""
    from replays.compare import compare as lay
    from replays.compare import counts, state_difference, tell

    with open_view(db, battle, viewer) as view:
        old, new = view.on(one), view.on(other)
        root = old.root(new)
        rows = lay(*(tell(view.fold, each.frames(root, each.readable)) for each in (old, new)))
        labels = [old.label, new.label]
        field = state_difference(old.last_state, new.last_state)
        fault = old.fault() or new.fault()
    shown = [row for row in rows if everything or row.what != "same"]
    if as_json:
        from engine.cli.correction_text import rows_as_data

        marks = {"one_played": old.played, "other_played": new.played}
        emit({**marks, "root": root, "rows": rows_as_data(shown), "counts": counts(rows), "field": field})
        return
    click.echo(f"{one} and {other} separate after event {root}")
    for text in filter(None, labels):
        click.echo(text)
    for row in shown:
        if row.old:
            click.echo(f"  {row.what:9}  {one:10} {row.old.seq:5d}  {row.old.caption}")
        if row.new:
            click.echo(f"  {'' if row.old else row.what:9}  {other:10} {row.new.seq:5d}  {row.new.caption}")
    click.echo(", ".join(f"{number} {what}" for what, number in counts(rows).items()))
    for difference in field:
        click.echo(f"field  {difference}")
    if fault is not None:
        raise fault


@click.command()
@click.argument("battle")
@click.argument("name")
@click.option("--at", "point", default="", metavar="POINT", help="The point that gets the name; the head without it.")
@click.option("--seat", default="referee", help="Who names it.")
@act_options
def bookmark(
    battle: str, name: str, point: str, seat: str, line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Give a point of the battle a name, to be used wherever a point is asked for."""
    from events.commands import AddBookmark

    command = AddBookmark(
        battle=battle, line=line, seat=seat, name=name, point=point, expected=expect, request=request
    )  # fmt: skip
    with open_door(db) as door:
        act(door, command, as_json)
