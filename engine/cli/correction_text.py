"""How rulings are told on the terminal: what a correction changes, what is deferred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from engine.cli.common import emit

if TYPE_CHECKING:
    from engine.answers import Answer, Change, ChangedRow, Preview
    from events.corrections import Deferred
    from replays.compare import Difference


def told_change(answer: Answer) -> list[str]:
    """Return what a correction has changed, line by line."""
    change = answer.change
    if change is None:
        return [f"(this request was carried out before: line {answer.new_line})"]
    name, old = change.line, change.replaces
    if change.played:
        end = f"line {name} is the battle now; {old} stays readable with `--line {old}`"
    else:
        end = f"line {name} takes the place of {old}: NOT PLAYED, like it; use `--line {name}`"
    return [*_told(change), end]


def told_preview(preview: Preview) -> list[str]:
    """Return what a correction would change, line by line."""
    if preview.change is not None:
        lines = _told(preview.change)
    else:
        stands = ", ".join(map(str, preview.stands))
        lines = [f"event {stands} would stand as it is: a note of the ruling, no more"]
    return [*lines, "(a preview: nothing was recorded)"]


def _told(change: Change) -> list[str]:
    lines = [text for row in change.rows for text in _row(row)]
    lines.append(", ".join(f"{number} {what}" for what, number in change.counts.items()))
    if change.rolled:
        rolled = f"{len(change.rolled)} roll{'s' if len(change.rolled) > 1 else ''} had to be rolled"
        lines.append(f"* {rolled}: a preview shows other dice than the ruling will")
    for held in change.deferred:
        lines.append(f"cannot be played again, deferred as no. {held.number}: {held.text} — {held.reason}")
    if change.pending:
        lines.append(f"then the battle waits for {', '.join(change.pending)}")
    return lines + [f"field  {difference}" for difference in change.field]


def _row(row: ChangedRow) -> list[str]:
    star = " *" if row.new is not None and row.new.rolled else ""
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


def print_deferred(held: Sequence[Deferred], as_json: bool) -> None:
    """List what a correction could not play again."""
    if as_json:
        emit(list(held))
        return
    for each in held:
        what = f"the `next` command for {each.text}" if each.form == "next" else each.text
        click.echo(f"no. {each.number}, {each.seat}: {what} — {each.reason}")
    if not held:
        click.echo("nothing is deferred")
