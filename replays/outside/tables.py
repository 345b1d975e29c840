"""Plain CSV: a heading with the names of the columns, a roll in each line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from events.dice.expression import NotationError
from events.dice.notation import parse_target
from events.facts import Test
from replays.outside.found import Found, Shown
from replays.outside.json_text import whole_number
from replays.outside.source import Desk, Reader, Text

COLUMNS: Final = {
    "dice": "dice",
    "notation": "dice",
    "faces": "faces",
    "total": "total",
    "time": "time",
    "who": "who",
    "player": "who",
    "seat": "who",
    "label": "label",
    "purpose": "label",
    "piece": "piece",
    "target": "target",
    "id": "id",
    "used": "used",
}
"""What the names in the heading mean."""

_FACES: Final = re.compile(r"\s*-?[0-9]{1,7}(?:\s*[,;+|]\s*-?[0-9]{1,7}|\s+-?[0-9]{1,7}){0,9999}\s*")


def _read(text: Text, desk: Desk) -> Iterator[Found]:
    """Rows by the columns of the heading; dice and one of faces and total are needed."""
    lines = re.split(r"(?<=\n)", text.text)
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    rows = csv.reader(lines, delimiter=_delimiter(lines[0]), strict=True)
    columns: list[str] = []
    started = 0
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise desk.refuse(max(rows.line_num, 1), f"not CSV: {error}") from None
        line, raw = started + 1, "".join(lines[started : rows.line_num]).rstrip("\r\n")
        started = rows.line_num
        if not any(cell.strip() for cell in row):
            continue
        if not columns:
            columns = _heading(desk, line, row)
        elif len(row) != len(columns):
            desk.note(line, "roll/unreadable", f"{len(row)} cells under {len(columns)} columns")
        else:
            yield from _row(desk, line, raw, dict(zip(columns, row, strict=True)))


def _delimiter(heading: str) -> str:
    return max(",;\t", key=heading.count)


def _heading(desk: Desk, line: int, row: list[str]) -> list[str]:
    names = [cell.strip().lower() for cell in row]
    columns = [COLUMNS.get(name, "") for name in names]
    for name in (name for name, column in zip(names, columns, strict=True) if not column):
        near = get_close_matches(name, COLUMNS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(COLUMNS)}"
        desk.note(line, "column/unknown", f"the column {name[:40]!r} is left out{hint}")
    twice = {column for column in columns if column and columns.count(column) > 1}
    if twice:
        raise desk.refuse(line, f"two columns are the {twice.pop()}: keep one")
    if "dice" not in columns or not {"faces", "total"} & set(columns):
        raise desk.refuse(
            line, "the heading needs the column dice and one of faces and total, as in time,who,dice,faces"
        )
    return columns


def _row(desk: Desk, line: int, raw: str, cells: dict[str, str]) -> Iterator[Found]:
    faces, total = cells.get("faces", "").strip(), cells.get("total", "").strip()
    number = whole_number(total)
    if (faces and not _FACES.fullmatch(faces)) or (total and number is None) or not (faces or total):
        told = "neither faces nor a total" if not (faces or total) else "faces or total that are no whole numbers"
        desk.note(line, "roll/unreadable", f"the row has {told}")
        return
    used = cells.get("used", "").strip().lower()
    if used not in ("", "yes", "no"):
        desk.note(line, "roll/unreadable", f"used is {used[:20]!r}: write yes or no")
        return
    test, target = _target(desk, line, cells.get("target", "").strip())
    key = cells.get("id", "").strip()
    when = cells.get("time", "").strip()
    at = desk.instant(line, when) if when else None
    yield Found(
        line,
        raw,
        cells["dice"],
        (Shown(tuple(int(face) for face in re.findall(r"-?[0-9]+", faces))),) if faces else None,
        number,
        desk.post(key, cells.get("who", ""), at),
        cells.get("label", ""),
        cells.get("piece", ""),
        key=key,
        flat=True,
        test=test,
        target=target,
        unused=used == "no",
    )


def _target(desk: Desk, line: int, text: str) -> tuple[Test, int | None]:
    if not text:
        return "read", None
    try:
        target = parse_target(text)
    except NotationError as error:
        desk.note(line, "target/unreadable", f"the target cannot be read: {error}")
        return "read", None
    return target.test, target.number


READERS: Final = (
    Reader(
        "csv",
        "Plain CSV",
        1,
        "time,who,label,dice,faces,total",
        "a table that somebody keeps: it can be edited like any file",
        _read,
    ),
)
