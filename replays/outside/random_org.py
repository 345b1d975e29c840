"""random.org, signed: each answer with its serial number, so that a roll left out is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from replays.outside.found import Found, Post, Shown
from replays.outside.json_text import elements, whole_number, words
from replays.outside.source import Desk, Reader, Text


def _read(text: Text, desk: Desk) -> Iterator[Found]:
    """Answers of generateSignedIntegers, each bare, in `result`, or with user and timestamp beside it."""
    serials: dict[str, int] = {}
    for line, raw, value in elements(text, desk):
        outer = value if isinstance(value, dict) else {}
        answer = outer["result"] if isinstance(outer.get("result"), dict) else outer
        random = answer.get("random")
        if not isinstance(random, dict):
            desk.note(line, "roll/unreadable", "not a signed answer: an object with random and signature")
            continue
        data = random.get("data")
        numbers = [whole_number(each) for each in data] if isinstance(data, list) else [None]
        low, high = whole_number(random.get("min")), whole_number(random.get("max"))
        faces = tuple(each for each in numbers if each is not None)
        if low is None or high is None or low > high or not faces or len(faces) < len(numbers):
            desk.note(line, "roll/unreadable", "the answer has no whole numbers with min and max")
            continue
        serial = _serial(desk, line, random, serials)
        wanted = whole_number(random.get("n"))
        if wanted is not None and wanted != len(faces):
            desk.note(line, "faces/count", f"{wanted} numbers were asked for, {len(faces)} came")
        user = words(outer.get("user")) or words(answer.get("user"))
        yield Found(
            line,
            raw,
            _dice(len(faces), low, high),
            (Shown(faces),),
            None,
            Post("", user, _at(desk, line, random)),
            words(random.get("userData")),
            key=serial,
            flat=True,
            remarks=_remarks(random, answer, low, high, faces),
        )


def _dice(count: int, low: int, high: int) -> str:
    """Write the request as dice; a range that no die has is told in words."""
    if (low, high) == (0, 99):
        return f"{count}d00"
    return f"{count}d{high}" if low == 1 else f"{count} numbers from {low} to {high}"


def _at(desk: Desk, line: int, random: dict[str, Any]) -> int | None:
    when = words(random.get("completionTime"))
    return desk.instant(line, when) if when else None


def _serial(desk: Desk, line: int, random: dict[str, Any], serials: dict[str, int]) -> str:
    """Return the answer's own key, and report serial numbers that are missing or come twice."""
    serial, owner = whole_number(random.get("serialNumber")), words(random.get("hashedApiKey"))
    if serial is None:
        desk.note(
            line, "serial/missing", "the answer has no serial number: it cannot be told whether rolls were left out"
        )
        return ""
    before = serials.get(owner)
    serials[owner] = serial
    if before is not None and serial != before + 1:
        if serial <= before:
            desk.note(line, "serial/order", f"serial {serial} comes after {before}")
        else:
            missing = str(before + 1) if serial == before + 2 else f"{before + 1} to {serial - 1}"
            desk.note(line, "serial/gap", f"serial {missing} is missing: not every roll is shown")
    return f"serial {serial} of {owner[:12]}" if owner else f"serial {serial}"


def _remarks(
    random: dict[str, Any], answer: dict[str, Any], low: int, high: int, faces: tuple[int, ...]
) -> tuple[str, ...]:
    remarks = []
    if random.get("replacement") is False:
        remarks.append("drawn without replacement: these are not independent dice")
    if not words(answer.get("signature")):
        remarks.append("the answer is not signed")
    if not (low == 1 or (low, high) == (0, 99)) and not all(low <= face <= high for face in faces):
        remarks.append(f"a number is not within {low} to {high}")
    return tuple(remarks)


READERS: Final = (
    Reader(
        "random-org",
        "random.org, signed JSON",
        1,
        '[{"random": {"n": 1, "min": 1, "max": 100, "data": [58], "serialNumber": 12, …}, "signature": "…"}]',
        "signed: with random.org's public key anybody can check the signature, which is kept in the raw text",
        _read,
    ),
)
