"""JSON one element after the other, each with its line and its own text; also arrays in a line of JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from replays.outside.source import Desk, Text

_BEFORE: Final = re.compile(
    r"\s*(?:export\s+default\s|module\.exports\s*=|(?:export\s+)?(?:const|let|var)\s+[A-Za-z_$][\w$]*\s*=)?\s*"
)
_BETWEEN: Final = re.compile(r"[\s,]*")


def elements(text: Text, desk: Desk) -> Iterator[tuple[int, str, Any]]:
    """Yield line, text and value of each element of an array, or of documents one after the other.

    Raises `OutsideUnreadable` with the line where the JSON breaks; what came before has then been yielded.
    """
    whole = text.text
    start = _BEFORE.match(whole)
    at = start.end() if start else 0
    array = whole[at : at + 1] == "["
    at += array
    line, counted = 1, 0
    decoder = json.JSONDecoder(object_pairs_hook=_once_each, parse_constant=_no_constant)
    while True:
        skipped = _BETWEEN.match(whole, at)
        at = skipped.end() if skipped else at
        line += whole.count("\n", counted, at)
        counted = at
        if at >= len(whole):
            if array:
                raise desk.refuse(line, "the JSON array is never closed: the file seems to be cut off")
            return
        if array and whole[at] == "]":
            if whole[at + 1 :].strip().strip(";").strip():
                raise desk.refuse(line, "something follows the end of the JSON array")
            return
        try:
            value, end = decoder.raw_decode(whole, at)
        except json.JSONDecodeError as error:
            raise desk.refuse(error.lineno, f"not JSON: {error.msg} (character {error.colno})") from None
        except RecursionError:
            raise desk.refuse(line, "not a dice log: the JSON is nested too deeply") from None
        except ValueError as error:
            raise desk.refuse(line, f"not JSON that can be trusted: {_one_line(error)}") from None
        yield line, whole[at:end], value
        at = end


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise ValueError(f"{twice[:40]!r} is given twice in one object")
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _one_line(error: ValueError) -> str:
    return " ".join(str(error).split())[:200]


def whole_number(value: Any) -> int | None:
    """Return a whole number written as a number or as text; None for everything else."""
    if type(value) is int:
        return value if abs(value) < 10**9 else None
    if isinstance(value, str) and re.fullmatch(r"\s*[-−]?[0-9]{1,9}\s*", value):
        return int(value.replace("−", "-"))
    return None


def words(value: Any) -> str:
    """Return text as it is, but for halves of characters, which no file can hold; nothing for everything else."""
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else ""
