"""VASSAL chat. Every module words its rolls in its own way, so the user gives the module's report format as a template.

`--template '** $name$ = $result$ *** <$playerName$>'` is the format itself as the module's dice button has it. Where
neither the name nor another field tells the dice, they go behind it: `… <$playerName$> :: 2d6`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from replays.outside.found import Found, Post, Shown
from replays.outside.source import Desk, Reader, Text, walk
from replays.outside.sums import DICE_TEXT

_FIELD: Final = re.compile(r"\$([A-Za-z]+)([0-9]{0,2})\$")
_FIELDS: Final = {
    "name": r"(?P<name>.{1,120}?)",
    "result": r"(?P<result>-?[0-9]{1,7}(?:, ?-?[0-9]{1,7}){0,500})",
    "numerictotal": r"(?P<total>-?[0-9]{1,9})",
    "numericaltotal": r"(?P<total>-?[0-9]{1,9})",
    "ndice": r"(?P<count>[0-9]{1,4})",
    "nsides": r"(?P<sides>[0-9]{1,6})",
    "plus": r"(?P<plus>[+-]?[0-9]{1,6})",
    "addtototal": r"(?P<added>[+-]?[0-9]{1,6})",
    "playername": r"(?P<player>.{1,120}?)",
    "playerside": r"(?P<side>.{0,120}?)",
}
NAMES: Final = (
    "name",
    "result",
    "result1",
    "numericTotal",
    "nDice",
    "nSides",
    "plus",
    "addToTotal",
    "playerName",
    "playerSide",
)
_DICE_NAME: Final = re.compile(rf"\s*(?:{DICE_TEXT})\s*")
_CHAT: Final = re.compile(r"\s*<[^<>]{1,120}> - ")
_WORDY_LINE: Final = 1_000
EXAMPLE: Final = "** $name$ = $result$ *** <$playerName$>"


def _pattern(desk: Desk) -> tuple[re.Pattern[str], str]:
    """Turn the user's template into a pattern for a whole line; return the dice written behind it too."""
    template, _, dice = desk.template.partition(" :: ")
    if not template.strip():
        raise desk.refuse(0, f"VASSAL modules differ: give the report format with --template, such as '{EXAMPLE}'")
    if dice and not _DICE_NAME.fullmatch(dice):
        raise desk.refuse(0, f"the template ends in {dice[:40]!r}, which are no dice: write :: 2d6")
    parts, at, used, faces = [], 0, set(), 0
    for field in _FIELD.finditer(template):
        name, number = field[1].lower(), field[2]
        parts.append(re.escape(template[at : field.start()]))
        at = field.end()
        if name == "result" and number:
            faces += 1
            parts.append(rf"(?P<face{faces}>-?[0-9]{{1,7}})")
            continue
        if name not in _FIELDS:
            known = ", ".join(f"${each}$" for each in NAMES)
            raise desk.refuse(0, f"the template has ${field[1]}$, which is not known: known are {known}")
        group = re.search(r"<([a-z]+)>", _FIELDS[name])
        if group is None or group[1] in used:
            raise desk.refuse(0, f"the template has ${field[1]}$ twice")
        used.add(group[1])
        parts.append(_FIELDS[name])
    if not used & {"result", "total"} and not faces:
        raise desk.refuse(0, f"the template tells no result: it needs $result$ or $numericTotal$, as in '{EXAMPLE}'")
    return re.compile("".join(parts) + re.escape(template[at:].rstrip()) + r"\s*"), dice.strip()


def _read(text: Text, desk: Desk) -> Iterator[Found]:
    """Lines that fit the template from end to end. What players say (`<Ann> - …`) is never a roll."""
    pattern, fixed = _pattern(desk)
    for line in walk(text, desk):
        if len(line.text) > _WORDY_LINE:
            continue
        said = _CHAT.match(line.text)
        found = pattern.fullmatch(line.text.strip())
        words = line.words
        if said and not desk.template.lstrip().startswith("<"):
            found = found or pattern.fullmatch(line.text[said.end() :].strip())
            words = words or "a player said it"
        if found is None:
            continue
        values = found.groupdict()
        faces = [int(face) for name, face in values.items() if name.startswith("face")]
        faces = faces or [int(face) for face in (values.get("result") or "").split(",") if face.strip()]
        asked, remarks = _dice(values, fixed, faces)
        total = int(values["total"]) if values.get("total") else None
        if len(faces) == 1 and not re.match(r"\s*1?d", asked, re.IGNORECASE):
            total, faces = (faces[0] if total is None else total), []
        if values.get("plus") and int(values["plus"]):
            faces = []
        yield Found(
            line.number,
            line.text,
            asked,
            (Shown(tuple(faces)),) if faces else None,
            total,
            Post("", values.get("player") or values.get("side") or "", line.post.at),
            values.get("name") or "",
            flat=True,
            remarks=remarks,
            words=words,
        )


def _dice(values: dict[str, str | None], fixed: str, faces: list[int]) -> tuple[str, tuple[str, ...]]:
    """Work out which dice were thrown: from the template, the fields or the name of the button."""
    sides, count, name = values.get("sides"), values.get("count"), values.get("name") or ""
    plus = 0
    if fixed:
        dice = fixed
    elif sides:
        number = int(count or len(faces) or 1)
        dice = f"{number}d{sides}"
        plus = number * int(values.get("plus") or 0)
    elif _DICE_NAME.fullmatch(name):
        dice = name.strip()
    else:
        return "", ("the chat does not tell the dice: put them behind the template, as in :: 2d6",)
    for more in (plus, int(values.get("added") or 0)):
        dice += f"{more:+d}" if more else ""
    return dice, ()


READERS: Final = (
    Reader(
        "vassal",
        "VASSAL chat",
        1,
        "** 2d6 = 3,5 *** <Ann>",
        "chat text: lines that begin with a player's name are left out, the rest is as honest as whoever saved it",
        _read,
        template=EXAMPLE,
    ),
)
