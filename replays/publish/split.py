"""Splitting a post that is too long for its board: between blocks, else between lines, else between words.

No part breaks a sign, an escape or a tag, since it is the plain text that is cut; what is open is closed and opened
again. Lengths are counted as the board counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Final

import msgspec

from events.errors import DiaryError
from replays.publish.dialect import Dialect
from replays.publish.document import Document
from replays.publish.letters import cut, graphemes, shown
from replays.publish.render import NARROW, Strip, render, room_of, written


class PostTooLong(DiaryError, ValueError):
    """A post cannot be brought under a limit, because the limit leaves no room."""

    code = "post/too-long"


_TITLE: Final = 60


def posts(document: Document, dialect: Dialect, *, narrow: bool = False) -> list[str]:
    """Write a document as one post, or as numbered parts that each keep to the board's limit.

    Raises `PostTooLong` if what must stand together is longer than the limit.
    """
    strips = render(document, dialect, narrow=narrow)
    whole = written(strips, dialect)
    if not dialect.limit or dialect.size(whole) <= dialect.limit:
        return [whole]
    columns = NARROW if narrow else 0
    digits = 1
    while True:
        widest = "9" * digits
        room = dialect.limit - dialect.size(_header(document, widest, widest, dialect, columns))
        parts = _parts(strips, dialect, room)
        if len(str(len(parts))) <= digits:
            break
        digits += 1
    return [_header(document, str(at), str(len(parts)), dialect, columns) + part for at, part in enumerate(parts, 1)]


def _header(document: Document, at: str, of: str, dialect: Dialect, columns: int) -> str:
    """The line over a part: which it is, of what, and that it was not played, if it was not."""
    words = [f"part {at} of {of}", cut(shown(document.mark), _TITLE), cut(shown(document.title), _TITLE)]
    line = " · ".join(filter(None, words))
    short = cut(line, columns - room_of(dialect.bold)) if columns else line
    return Strip(short, dialect.bold).written(dialect) + "\n\n"


def _parts(strips: list[Strip], dialect: Dialect, room: int) -> list[str]:
    parts: list[str] = []
    rest = list(strips)
    while rest:
        fit = _fitting(rest, dialect, room)
        if not fit:
            rest[:1] = _halved(rest[0], dialect, room)
            continue
        fit = _good_end(rest, fit, dialect, room)
        parts.append(written(rest[:fit], dialect))
        del rest[:fit]
    return parts


def _fitting(rest: Sequence[Strip], dialect: Dialect, room: int) -> int:
    """Return how many strips fit in a part. Cost: a few times the part's own length."""
    least = accumulate(len(strip.text) for strip in rest)  # written, no text is shorter than it is
    low, high = 0, sum(1 for _ in takewhile(lambda size: size <= room, least))
    while low < high:
        middle = (low + high + 1) // 2
        if dialect.size(written(rest[:middle], dialect)) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _good_end(rest: Sequence[Strip], fit: int, dialect: Dialect, room: int) -> int:
    """Return where a part ends best: after a whole block if that leaves it half full, and never after a heading."""
    if fit < len(rest):
        for end in range(fit, 0, -1):
            if rest[end].block != rest[end - 1].block and not rest[end - 1].leads:
                if 2 * dialect.size(written(rest[:end], dialect)) >= room:
                    return end
                break
    while 1 < fit < len(rest) and rest[fit - 1].leads:
        fit -= 1
    return fit


def _halved(strip: Strip, dialect: Dialect, room: int) -> tuple[Strip, Strip]:
    """Cut a line that is too long for a part of its own, between words if it has any there, else between signs."""
    replace = msgspec.structs.replace
    text = strip.text
    ends = list(accumulate(map(len, graphemes(text[: room + 1]))))  # no more can fit; the last sign may be cut off
    low, high = 0, len(ends) - 1
    while low < high and strip.kind != "ready":
        middle = (low + high + 1) // 2
        if dialect.size(written([replace(strip, text=text[: ends[middle - 1]])], dialect)) <= room:
            low = middle
        else:
            high = middle - 1
    if not low:
        raise PostTooLong(f"{dialect.name}: a limit of {dialect.limit} is too short for one line with its tags")
    end = ends[low - 1]
    space = text.rfind(" ", end // 2, end + 1)
    if space > 0:
        return replace(strip, text=text[:space]), replace(strip, text=text[space + 1 :])
    return replace(strip, text=text[:end]), replace(strip, text=text[end:])
