"""How rulings are told on the terminal: what a correction changes, what is held, what an edition makes different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from engine.cli.common import emit

if TYPE_CHECKING:
    from engine.corrections.plan import Plan
    from events.corrections import Deferred
    from events.store.record import Line
    from replays.compare import Difference


def print_plan(made: Plan, line: Line | None, played: bool, as_json: bool) -> None:
    """Tell what a correction changes; `line` is the new line, if it was made and not only looked at."""
    if as_json:
        _emit_plan(made, line, played)
        return
    for text in told(made):
        click.echo(text)
    if line is None:
        click.echo("(a preview: nothing was recorded)")
    elif played:
        click.echo(f"line {line.name} is the battle now; {made.line} stays readable with `--line {made.line}`")
    else:
        click.echo(f"line {line.name} takes the place of {made.line}: NOT PLAYED, like it; use `--line {line.name}`")


def told(made: Plan) -> list[str]:
    """Return what a correction changes, line by line."""
    from replays.compare import about_roll, counts

    drawn = set(map(about_roll, made.thrown))
    lines = [text for row in made.rows for text in _row(row, drawn)]
    lines.append(", ".join(f"{number} {what}" for what, number in counts(made.rows).items()))
    if made.thrown:
        thrown = f"{len(made.thrown)} roll{'s' if len(made.thrown) > 1 else ''} had to be thrown"
        lines.append(f"* {thrown}: a preview shows other dice than the ruling will")
    for held in made.held:
        lines.append(f"cannot be played again, held for the referee as no. {held.number}: {held.text} — {held.reason}")
    if made.waiting:
        lines.append(f"then the battle waits for {', '.join(made.waiting)}")
    return lines + [f"field  {difference}" for difference in made.field]


def _row(row: Difference, drawn: set[str]) -> list[str]:
    star = " *" if row.new is not None and row.new.about[0] in drawn else ""
    if row.what == "different" and row.old and row.new:
        was = f"  {row.old.seq:5d}  was  {row.old.caption}"
        return [was, f"  {row.new.seq:5d}  now  {row.new.caption}{star}"]
    if row.what == "gone" and row.old:
        return [f"  {row.old.seq:5d}  gone {row.old.caption}"]
    if row.what == "new" and row.new:
        return [f"  {row.new.seq:5d}  new  {row.new.caption}{star}"]
    return []


def rows_as_data(rows: Sequence[Difference]) -> list[dict[str, Any]]:
    """Return the rows of a comparison for programs."""
    return [
        {
            "what": row.what,
            "act": row.act,
            "old": {"seq": row.old.seq, "caption": row.old.caption} if row.old else None,
            "new": {"seq": row.new.seq, "caption": row.new.caption} if row.new else None,
        }
        for row in rows
    ]


def _emit_plan(made: Plan, line: Line | None, played: bool) -> None:
    import msgspec

    from replays.compare import counts

    emit(
        {
            "preview": line is None,
            "line": made.name,
            "played": played,
            "forked_after": made.after,
            "rows": rows_as_data(made.rows),
            "counts": counts(made.rows),
            "held": msgspec.to_builtins(made.held),
            "thrown": made.thrown,
            "waiting": made.waiting,
            "field": made.field,
        }
    )


def print_held(held: Sequence[Deferred], as_json: bool) -> None:
    """List what a correction could not play again."""
    if as_json:
        import msgspec

        emit(msgspec.to_builtins(held))
        return
    for each in held:
        what = f"the word to begin {each.text}" if each.form == "next" else each.text
        click.echo(f"no. {each.number}, {each.seat}: {what} — {each.reason}")
    if not held:
        click.echo("nothing is held")
