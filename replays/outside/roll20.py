"""Roll20: the list that Beyond20 keeps, and messages as the Roll20 API hands them out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from replays.outside.found import Found, Post, Shown
from replays.outside.json_text import elements, whole_number, words
from replays.outside.printed import read_printed
from replays.outside.source import Desk, Reader, Text

LISTED: Final = "a list kept by the table: it can be edited like any file"


def _read_beyond20(text: Text, desk: Desk) -> Iterator[Found]:
    """Objects with rollType (the dice), rollLong (the faces), rollShort (the total), sender, time and title."""
    for line, raw, value in elements(text, desk):
        if not isinstance(value, dict) or not words(value.get("rollType")):
            desk.note(line, "roll/unreadable", "not a Beyond20 roll: an object with rollType, rollLong and rollShort")
            continue
        total = whole_number(value.get("rollShort"))
        printed = read_printed(words(value.get("rollLong")))
        if total is None and printed is None:
            desk.note(line, "roll/unreadable", "neither rollLong nor rollShort can be read")
            continue
        if printed is None:
            desk.note(line, "roll/unreadable", "rollLong cannot be read: only the total is known")
        when = words(value.get("time"))
        at = desk.instant(line, when, american=True) if when else None
        post = Post("", words(value.get("sender")), at)
        yield Found(line, raw, words(value["rollType"]), printed, total, post, words(value.get("title")))


class _Parts:
    """The pieces of a Roll20 result, put together to a sum. `counts` says that successes are counted, not added."""

    def __init__(self, *, counts: bool) -> None:
        self.counts = counts
        self.asked = ""
        self.printed: list[Any] = []
        self.labels: list[str] = []
        self.whole = True

    def take(self, pieces: Any, depth: int = 0) -> None:
        """Take the pieces of a result: rolls R, arithmetic M, labels L, comments C, groups G."""
        if not isinstance(pieces, list) or depth > 8:
            self.whole = False
            return
        for piece in pieces:
            kind = piece.get("type") if isinstance(piece, dict) else None
            if kind == "R":
                self.roll(piece)
            elif kind == "M":
                self.asked += f" {words(piece.get('expr'))} "
            elif kind in ("L", "C"):
                self.labels.append(words(piece.get("text")))
            elif kind == "G" and not piece.get("mods") and isinstance(piece.get("rolls"), list):
                for place, inner in enumerate(piece["rolls"]):
                    self.asked += " + " if place else "("
                    self.take(inner, depth + 1)
                self.asked += ")"
            else:
                self.whole = False

    def roll(self, piece: Mapping[str, Any]) -> None:
        """Take one throw with its faces; `d` marks those that were dropped."""
        results = piece.get("results")
        if not isinstance(results, list) or not all(isinstance(each, dict) for each in results):
            self.whole = False
            return
        faces = [whole_number(each.get("v")) for each in results]
        count, sides = whole_number(piece.get("dice")), whole_number(piece.get("sides"))
        if count is None or (sides is None and not piece.get("fate")) or None in faces:
            self.whole = False
            return
        kept = tuple(not each.get("d") for each in results)
        shown = tuple(face for face in faces if face is not None)
        self.printed.append(Shown(shown, kept if not all(kept) else None))
        self.asked += f"{count}d{'F' if piece.get('fate') else sides}{_modifiers(piece.get('mods'))}"
        self.asked += "s" if self.counts else ""


def _modifiers(mods: Any) -> str:
    """Write the modifiers that matter; the others change how dice look, not what they come to."""
    text = ""
    for name, value in mods.items() if isinstance(mods, dict) else ():
        if name in ("keep", "drop") and isinstance(value, dict):
            text += f"{name[0]}{words(value.get('end'))[:1]}{whole_number(value.get('count')) or 1}"
        elif name not in ("customCrit", "customFumble", "sort"):
            text += "!" if "xplod" in name else "".join(char for char in name if char.isascii() and char.isalpha())[:20]
    return text


def _read_api(text: Text, desk: Desk) -> Iterator[Found]:
    """Messages with who, type, content and origRoll; the content of a roll is JSON again."""
    for line, raw, value in elements(text, desk):
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            desk.note(line, "roll/unreadable", "not a Roll20 message: an object with who, type and content")
            continue
        post = Post("", words(value.get("who")))
        if value["type"] in ("rollresult", "gmrollresult"):
            result = _unpacked(value.get("content"))
            yield from _result(desk, line, raw, result, post, words(value.get("origRoll")), "")
        inline = value.get("inlinerolls")
        for each in inline if isinstance(inline, list) else ():
            if isinstance(each, dict):
                expression, key = words(each.get("expression")), words(each.get("rollid"))
                yield from _result(desk, line, raw, each.get("results"), post, expression, key)


def _unpacked(content: Any) -> Any:
    if not isinstance(content, str):
        return content
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _result(desk: Desk, line: int, raw: str, result: Any, post: Post, text: str, key: str) -> Iterator[Found]:
    total = whole_number(result.get("total")) if isinstance(result, dict) else None
    if total is None:
        desk.note(line, "roll/unreadable", "the result of a roll cannot be read")
        return
    parts = _Parts(counts=result.get("resultType") not in (None, "sum"))
    parts.take(result.get("rolls"))
    label = " ".join(each.strip() for each in parts.labels if each.strip())
    found = Found(line, raw, parts.asked.strip(), tuple(parts.printed), total, post, label, key=key, flat=True)
    if not parts.whole or not parts.printed:
        found = msgspec.structs.replace(found, asked=text.strip(), printed=None)
    elif parts.counts:
        found = msgspec.structs.replace(found, remarks=("the total counts successes",))
    yield found


READERS: Final = (
    Reader(
        "beyond20",
        "Roll20 with Beyond20, list of rolls",
        1,
        '{"rollType": "2d20kh1+2", "rollLong": "(4, 18) + 2", "rollShort": "20", "sender": "Ann", …}',
        LISTED,
        _read_beyond20,
    ),
    Reader(
        "roll20",
        "Roll20 API messages",
        1,
        '{"type": "rollresult", "who": "Ann", "origRoll": "2d6", "content": "{\\"type\\":\\"V\\", …}"}',
        "a copy of Roll20's messages: their signatures are kept in the raw text, but only Roll20 can check them",
        _read_api,
    ),
)
