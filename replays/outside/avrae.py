"""Avrae and the d20 library: dice with their faces behind them, dropped ones struck out, the total in backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from replays.outside.found import Found, Operand, Shown
from replays.outside.source import Desk, Line, Reader, Text, walk
from replays.outside.sums import Spelling

_NAME: Final = r"(?:\*\*(?P<label>.{0,300})\*\*: ?)?"
_INLINE: Final = re.compile(rf"{_NAME}(?P<body>[^`]+) = `(?P<total>-?[0-9]{{1,9}})`")
_BODY: Final = re.compile(rf"{_NAME}(?P<body>[^`]+)")
_TOTAL: Final = re.compile(r"\*\*Total\*\*: ?`?(?P<total>-?[0-9]{1,9})`?")
_AUTHOR: Final = re.compile(r"<?@(?P<who>[^>:]{1,100}?)>?\s*(?::game_die:|🎲)")

_THROW: Final = re.compile(r"(?P<dice>[0-9]{0,5}d(?:[0-9]{1,6}|%)[a-z0-9<>]{0,30}) \((?P<faces>[^()]{1,20000})\)")
_FACE: Final = re.compile(
    r"(?P<struck>~~)?(?:\**[0-9]{1,7}\**!? -> )*\**(?P<face>[0-9]{1,7})\**(?P<again>!?)\**(?:~~)?"
)
_NOTE: Final = re.compile(r"\s*\[[^\[\]]{0,200}\]")
_SPELLING: Final[Spelling] = {"kh": "keep high", "kl": "keep low", "ph": "drop high", "pl": "drop low"}


def _read(text: Text, desk: Desk) -> Iterator[Found]:
    """One line with the total in backticks, or the bot's two lines with `**Total**`."""
    who, waiting = "", None
    for line in walk(text, desk):
        words = line.text.strip()
        if author := _AUTHOR.fullmatch(words):
            who, waiting = author["who"].strip(), None
        elif (total := _TOTAL.fullmatch(words)) and waiting is not None:
            above, body = waiting
            raw = f"{above.text}\n{line.text}"
            yield from _roll(desk, above, body, raw, int(total["total"]), who, above.words or line.words)
            waiting = None
        elif (inline := _INLINE.fullmatch(words)) and _THROW.search(inline["body"]):
            yield from _roll(desk, line, inline, line.text, int(inline["total"]), who, line.words)
            waiting = None
        elif (alone := _BODY.fullmatch(words)) and _THROW.search(alone["body"]):
            waiting = (line, alone)
        elif words:
            waiting = None


def _roll(desk: Desk, line: Line, found: re.Match[str], raw: str, total: int, who: str, words: str) -> Iterator[Found]:
    body = found["body"]
    printed: list[Operand] = []
    remarks: tuple[str, ...] = ()
    for throw in _THROW.finditer(body):
        shown = _faces(throw["faces"])
        if shown is None:
            desk.note(line.number, "roll/unreadable", f"the faces of {throw['dice']} cannot be read")
            return
        printed.append(shown)
        if "!" in throw["faces"]:
            remarks = ("dice were thrown again and added",)
    asked = _NOTE.sub("", _THROW.sub(lambda each: each["dice"], body)).strip()
    label = found["label"] or ""
    post = line.post if line.post.who or not who else msgspec.structs.replace(line.post, who=who)
    yield Found(
        line.number,
        raw,
        asked,
        tuple(printed) or None,
        total,
        post,
        "" if label == "Result" else label.strip(),
        spelling=_SPELLING,
        flat=True,
        remarks=remarks,
        words=words,
    )


def _faces(text: str) -> Shown | None:
    """Read the faces of one throw; struck ones are dropped, and where a die was changed the last face counts."""
    faces, kept = [], []
    for each in text.split(", "):
        found = _FACE.fullmatch(each.strip())
        if found is None:
            return None
        faces.append(int(found["face"]))
        kept.append(not found["struck"])
    return Shown(tuple(faces), tuple(kept))


READERS: Final = (
    Reader(
        "avrae",
        "Avrae and the d20 library",
        1,
        "2d6kh1 (**6**, ~~2~~) + 3 = `9`",
        "pasted text: a player can type the same line by hand, so check that the bot wrote it",
        _read,
    ),
)
