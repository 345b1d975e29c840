"""Orders out of a post as it was pasted from a forum or a mail: what belongs to the post and not to the orders goes.

Quoted text goes: lines with `>` before them, what stands in `[quote]` … `[/quote]`, the line that says who wrote it. So
do headers, signatures, markup, smileys and the marks of a list. Of what is left every line is an order, or prose that
is marked as such: in double brackets (( … )), in `[ooc]` … `[/ooc]`, behind `OOC:` or `//`, or behind `#`. Anything
else is handed on as it stands, so that it is refused with its line: a mistyped order must never be taken for prose.

Lines keep their numbers: what is left out leaves an empty line. Nothing here knows what an order means.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection
from email import message_from_string, policy
from typing import Final

import msgspec

from engine.orders.words import fold


class Pasted(msgspec.Struct, frozen=True):
    """A post cut down to its orders.

    `left_out` is prose that was marked as such, with its lines; `below` what stands under the mark of a signature: an
    order there is a mistake. `unclosed` is a bracket or quotation that never ends, and its line; 0 if there is none.
    """

    text: str
    left_out: tuple[tuple[int, str], ...] = ()
    below: tuple[tuple[int, str], ...] = ()
    unclosed: tuple[int, str] = (0, "")


_HEADER: Final = re.compile(
    r"(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|In-Reply-To|References|MIME-Version|Content-[A-Za-z-]+"
    r"|Received|Return-Path|User-Agent|X-[A-Za-z-]+|Von|An|Betreff|Datum|Gesendet|De|À|Objet|Envoyé): .*",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"\s*>")
_WROTE: Final = re.compile(
    r".{0,200}\b(wrote|writes|said|schrieb|a écrit|escribió|napisał|napsal|skrev)\b[^:]{0,80}:\s*$", re.IGNORECASE
)
_WROTE_FIRST: Final = re.compile(r"(On|Am|Le|El|W dniu|Den) .{6,200}")
_ORIGINAL: Final = re.compile(r"\s*-{2,}\s*((Original|Forwarded) Message|Ursprüngliche Nachricht)\b", re.IGNORECASE)
_SIGNATURE: Final = re.compile(
    r"(--\s*|_{5,}\s*|\s*(Sent from my |Sent via |Get Outlook for |Von meinem .{1,40} gesendet|Envoyé de mon ).*)$",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"\[/?(?:b|i|u|s|size|color|colour|font|center|left|right|indent|list|li|code|pre|tt|url|email|hr|spoiler|details"
    r"|highlight|bg|sub|sup|table|tr|td|th|\*)(?:=[^\]\n]{0,200})?\]",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(r"\[quote\b[^\]\n]{0,200}\]|\(\(|\[ooc\]", re.IGNORECASE)
_PROSE: Final = re.compile(r"\s*(OOC\s*:|//)", re.IGNORECASE)
_BULLET: Final = re.compile(r"^\s*(?:[-*+•·▪–—]|\d{1,3}[.)])\s+(?=\S)")
_EMPHASIS: Final = re.compile(r"(\*\*\*|\*\*|__|~~|`)(?=\S)(.{1,1000}?)(?<=\S)\1")
_STAR: Final = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])")
_NUMBERED: Final = re.compile("&#(?:([xX])0*+([0-9A-Fa-f]*+)|0*+([0-9]*+));?")
_MAX_DIGITS: Final = 7
"""Digits of the largest number that a character has."""
_SMILEY: Final = re.compile(
    r"(?<!\S)(?:[:;=]['’]?[-o^]?[)(\]\[DPpOo/\\|*3]+|8-?\)|\^_?\^|<3|xD|XD|:[a-z_]{2,24}:|o/)(?!\S)"
)


def read_pasted(text: str, names: Collection[str] = ()) -> Pasted:
    """Cut a post down to its orders; what is not understood is left for the reader of orders to refuse.

    `names` are the names on the field, so that one that looks like a smiley is let stand. Raises nothing, whatever the
    text. Cost: linear.

    >>> read_pasted("> so what?\\n**Grubnik**: run 31,30 :)\\n(( sorry, late ))\\n-- \\nAnn").text.strip()
    'Grubnik: run 31,30'
    """
    lines = _unwrapped(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    cut = _Cut({fold(name) for name in names})
    begin = _headers(lines)
    kept = [""] * begin
    for at, line in enumerate(lines[begin:], begin):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        two_lines = _WROTE_FIRST.fullmatch(line.strip()) and _WROTE.fullmatch(following)
        kept.append("" if two_lines and not cut.until else cut.line(at + 1, line))
    unclosed = cut.until[-1] if cut.until else (0, "")
    return Pasted("\n".join(kept), tuple(cut.left_out), tuple(cut.below), unclosed)


def _unwrapped(text: str) -> str:
    """Return the words of a mail that was pasted whole, headers and transfer encoding taken off; else the text."""
    if not re.match(r"[A-Za-z-]+: ", text) or not re.search(
        r"^Content-(Type|Transfer-Encoding):", text, re.IGNORECASE | re.M
    ):
        return text
    try:
        body = message_from_string(text, policy=policy.default).get_body(("plain", "html"))
        content = body.get_content() if body is not None else text
    except (LookupError, ValueError, AttributeError, TypeError):
        return text
    return str(content)


def _headers(lines: list[str]) -> int:
    """Count the lines of a block of mail headers at the beginning, which ends with an empty line."""
    for at, line in enumerate(lines):
        if not line.strip():
            return at if at > 1 or (at == 1 and re.match(r"(Subject|Betreff|Objet): ", lines[0])) else 0
        if not _HEADER.fullmatch(line.strip()) and not (at and line[:1] in " \t"):
            return 0
    return 0


class _Cut:
    """Goes through a post line by line. `until` are the lines and ends of the quotations and asides that it is in."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.until: list[tuple[int, str]] = []
        self.over = False
        self.left_out: list[tuple[int, str]] = []
        self.below: list[tuple[int, str]] = []

    def line(self, number: int, line: str) -> str:
        """Return what is left of a line."""
        if not self.until and not self.over and (_SIGNATURE.fullmatch(line) or _ORIGINAL.match(line)):
            self.over = True
            return ""
        if self.over:
            if not _QUOTED.match(line):
                self.below.append((number, self.plain(line)))
            return ""
        line = html.unescape(_NUMBERED.sub(_shortened, line))
        if not self.until and (_QUOTED.match(line) or _WROTE.fullmatch(line)):
            return ""
        rest = self.plain(self.outside(number, line))
        if _PROSE.match(rest):
            self.left_out.append((number, rest))
            return ""
        return rest

    def outside(self, number: int, line: str) -> str:
        """Return what of a line stands outside of quotations and asides, which may be nested and go over lines."""
        found: list[str] = []
        while line:
            if self.until:
                line = self._inside(number, line)
                continue
            start = _OPENS.search(line)
            if start is None:
                found.append(line)
                break
            found.append(line[: start.start()])
            self.until.append((number, _end_of(start.group())))
            line = line[start.end() :]
        return " ".join(part for part in found if part.strip())

    def _inside(self, number: int, line: str) -> str:
        """Pass over what is inside; return what follows on the line."""
        _, end = self.until[-1]
        place = line.lower().find(end)
        inner = _OPENS.search(line) if end == "[/quote]" else None
        if inner is not None and _end_of(inner.group()) == end and (place < 0 or inner.start() < place):
            self.until.append((number, end))
            return line[inner.end() :]
        told = (line if place < 0 else line[:place]).strip()
        if end != "[/quote]" and told:
            self.left_out.append((number, told))
        if place < 0:
            return ""
        self.until.pop()
        return line[place + len(end) :]

    def plain(self, line: str) -> str:
        """Take markup, the marks of a list and smileys off a line."""
        line = _TAG.sub("", line)
        for _ in range(3):
            line = _EMPHASIS.sub(r"\2", line)
        line = _STAR.sub(r"\2", line)
        if line.strip().startswith("```") or not line.strip("-=*_ \t"):
            return ""
        if fold(line.partition(":")[0]) not in self.names:  # a piece may be called "1. Company"
            line = _BULLET.sub("", line, count=1)
        return self.without_smileys(line).strip()

    def without_smileys(self, line: str) -> str:
        """Take smileys off, unless they are somebody's name, or are in quotation marks."""
        if line.count('"') % 2 or line.count("“") > line.count("”"):  # what is quoted has no end
            return line
        quoted = max(map(line.rfind, '"”')) + 1
        head, rest = line[:quoted], line[quoted:]
        rest = _SMILEY.sub(lambda found: found.group() if fold(found.group()) in self.names else "", rest)
        words = rest.split(" ")
        while words and (not words[-1] or (_is_picture(words[-1]) and fold(words[-1]) not in self.names)):
            words.pop()
        while (
            not head
            and words
            and (not words[0] or (_is_picture(words[0]) and fold(words[0].rstrip(":")) not in self.names))
        ):
            words.pop(0)
        return head + " ".join(words)


def _end_of(start: str) -> str:
    return "[/quote]" if start.lower().startswith("[quote") else "))" if start == "((" else "[/ooc]"


def _shortened(entity: re.Match[str]) -> str:
    """Write a character that is given by its number without leading zeros; a number that none has as U+FFFD."""
    sign, digits = entity[1] or "", entity[2] or entity[3] or "0"
    return f"&#{sign}{digits};" if len(digits) <= _MAX_DIGITS else "\ufffd"


def _is_picture(word: str) -> bool:
    """Whether a word is made of pictures alone: emoji with their joiners and variants."""
    return bool(word) and all(unicodedata.category(sign) in ("So", "Sk", "Mn", "Cf", "Me") for sign in word)
