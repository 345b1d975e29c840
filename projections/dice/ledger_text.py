"""The ledger for readers: a line of text for each roll, CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from events.times import rfc3339
from projections.dice.ledger import Entry, Totals, kind_of
from projections.dice.luck_text import counted, per_cent, shown
from projections.dice.rolls import read_printed
from projections.dice.table_results import is_number, result_of
from projections.journal import printable

_SIGNS = {"at_most": "<=", "below": "<", "at_least": ">=", "above": ">"}
_STANDING = {"taken back": "TAKEN BACK", "what-if": "NOT PLAYED", "surplus": "UNUSED"}
_CERTAINTY = {"total": "only the total is known", "ambiguous": "can be read in more ways than one"}

COLUMNS = (
    "battle", "line", "seq", "time", "turn", "act", "seat", "piece", "kind", "purpose", "key", "notation", "faces",
    "dropped", "added", "total", "test", "target", "success", "chance_of", "chance_out_of", "result", "source",
    "standing", "certainty", "rule", "against", "dialect", "place", "remarks", "raw",
)  # fmt: skip


def badges(entry: Entry) -> tuple[str, ...]:
    """Return what must stand beside a roll wherever it is shown: whose dice, what standing, what is uncertain.

    Dice drawn by the engine and in force need none.
    """
    whose = () if entry.source == "seeded" else (f"{entry.source} dice",)
    standing = (_STANDING[entry.standing],) if entry.standing != "in force" else ()
    certainty = (_CERTAINTY[entry.certainty],) if entry.certainty != "dice" else ()
    return (*whose, *standing, *certainty)


def faces_text(entry: Entry) -> str:
    """Show the faces in order, dropped ones in brackets: `5 (2) 6`; say so where there are none to show."""
    if not entry.faces:
        return "no dice" if entry.certainty == "dice" else "dice not shown"
    kept = entry.kept or (True,) * len(entry.faces)
    return " ".join(str(face) if counts else f"({face})" for face, counts in zip(entry.faces, kept, strict=True))


def verdict_text(entry: Entry) -> str:
    """Show target, verdict and chance, `<= 45: yes (45.00 %)`, or what a roll was read as, `→ A carries on`."""
    if entry.target is None or entry.success is None:
        result = result_of(entry)
        return f"→ {result}" if result and not is_number(result) else ""
    chance = f" ({per_cent_of(entry)})" if entry.chance is not None else ""
    return f"{_SIGNS.get(entry.test, entry.test)} {entry.target}: {'yes' if entry.success else 'no'}{chance}"


def per_cent_of(entry: Entry) -> str:
    """Show the chance of success in per cent, or nothing."""
    return per_cent(Fraction(*entry.chance)) if entry.chance is not None else ""


def entry_line(entry: Entry) -> str:
    """Tell a roll in one line."""
    where = f"{entry.seq:5d}" if entry.seq is not None else f"{_time(entry)[:16]}Z" if entry.at else "    –"
    where += "" if entry.line == "main" or entry.seq is None else f" {entry.line}"
    turn = f"t{entry.turn}" if entry.turn is not None else ""
    who = " / ".join(part for part in (entry.seat, entry.piece) if part) or "nobody"
    total = "" if entry.total is None else f" = {entry.total}"
    added = f" {entry.added:+d}" if entry.added else ""
    tail = "".join(f" [{badge}]" for badge in badges(entry)) + "".join(f" [! {each}]" for each in entry.remarks)
    words = (
        f"{entry.purpose or kind_of(entry)} [{entry.notation}] {faces_text(entry)}{added}{total} {verdict_text(entry)}"
    )
    return printable(f"{where}  {turn:4}{who}: {words.strip()}{tail}")


def total_line(totals: Totals) -> str:
    """Tell what one seat threw in one line."""
    hand = f", {totals.by_hand} of them entered by hand" if totals.by_hand else ""
    checks = (
        f"; {counted(totals.checks, 'checks')} with a target, {totals.successes} met, {shown(totals.expected)} expected"
        if totals.checks
        else ""
    )
    return printable(
        f"{totals.seat or 'nobody'}: {counted(totals.rolls, 'rolls')}{hand}, {counted(totals.dice, 'dice')}{checks}"
    )


def as_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ledger as CSV, a line at a time, the names of the columns first.

    Text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    yield _csv_line(COLUMNS)
    for entry in entries:
        yield _csv_line([_cell(value) for value in _row(entry)])


def _row(entry: Entry) -> tuple[Any, ...]:
    kept = entry.kept or (True,) * len(entry.faces)
    dropped = " ".join(str(face) for face, counts in zip(entry.faces, kept, strict=True) if not counts)
    chance = entry.chance or ("", "")
    return (
        entry.battle, entry.line, entry.seq, _time(entry), entry.turn, entry.act, entry.seat, entry.piece,
        kind_of(entry), entry.purpose, entry.key, entry.notation, " ".join(map(str, entry.faces)), dropped, entry.added,
        entry.total, entry.test, entry.target, _yes_or_no(entry.success), *chance, result_of(entry), entry.source,
        entry.standing, entry.certainty, entry.rule, entry.against, entry.dialect, entry.place,
        "; ".join(entry.remarks), entry.raw,
    )  # fmt: skip


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _csv_line(values: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def _yes_or_no(success: bool | None) -> str:
    return "" if success is None else "yes" if success else "no"


def _time(entry: Entry) -> str:
    return "" if entry.at is None else rfc3339(entry.at)


def as_objects(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the ledger as plain objects for JSON: every field, the time as text, the kind and badges worked out."""
    return [
        {
            **msgspec.to_builtins(entry),
            "at": _time(entry) or None,
            "kind": kind_of(entry),
            "badges": list(badges(entry)),
        }
        for entry in entries
    ]


def find_printed(entries: Iterable[Entry], line: str) -> tuple[Entry, ...]:
    """Return the rolls on record that a printed line can be a copy of: same words, dice, faces, total and target.

    Nothing, if the line is no printed check at all: somebody may have typed it.
    """
    try:
        said = read_printed(line.strip())
    except ValueError:
        return ()
    return tuple(
        entry
        for entry in entries
        if (entry.notation, entry.faces, entry.total, entry.target, entry.success)
        == (said.dice, said.faces, said.total, said.target, said.said)
        and entry.purpose in line
    )
