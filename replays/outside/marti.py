"""MARTI, the dice server of TripleA: its page, or its mail. Both tell the dice in order and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from hashlib import sha256
from html.parser import HTMLParser
from typing import Final

from replays.outside.found import Found, Post, Shown
from replays.outside.source import Desk, Reader, Text

_DICE: Final = re.compile(r"\s*your dice are: ?(?P<faces>[0-9]{1,7}(?:, ?[0-9]{1,7}){0,9999})\s*", re.IGNORECASE)
_SIGN: Final = re.compile(r"[?&]enc=([A-Za-z0-9%+/=_-]{8,100000})")
_SIDES: Final = re.compile(r"\s*[dD](?P<sides>[0-9]{1,6})\s*")
_HEADER: Final = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9-]{0,60}):[ \t]?(?P<value>.*)")


_OF_A_MAIL: Final = frozenset(("from", "to", "subject", "date", "received", "return-path", "message-id"))


class _Page(HTMLParser):
    """Collects a page's text with the line of each piece, and the addresses of its links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[tuple[int, str]] = []
        self.links: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, and leave out what a browser does not show."""
        self.hidden += tag in ("script", "style", "title", "textarea")
        self.links += [value for name, value in attrs if name == "href" and value]

    def handle_endtag(self, tag: str) -> None:
        """Show text again."""
        self.hidden = max(0, self.hidden - (tag in ("script", "style", "title", "textarea")))

    def handle_data(self, data: str) -> None:
        """Take the text of the page, line by line."""
        if not self.hidden:
            first = self.getpos()[0]
            self.pieces += [(first + down, line) for down, line in enumerate(data.split("\n"))]


def _read(text: Text, desk: Desk) -> Iterator[Found]:
    """A page, a mail, or a mailbox of mails (mbox)."""
    template = _SIDES.fullmatch(desk.template)
    if template is None:
        raise desk.refuse(0, "MARTI does not tell how many sides the dice have: add --template d6 (or d12 …)")
    sides = template["sides"]
    lines = text.lines()
    if text.text.lstrip().startswith("<"):
        yield from _page(list(enumerate(lines, 1)), desk, sides, Post(), "")
        return
    starts = [at for at, line in enumerate(lines) if line.startswith("From ") and (at == 0 or not lines[at - 1])]
    for start, end in zip(starts or [0], [*starts[1:], len(lines)], strict=True):
        yield from _mail(lines[start:end], start, desk, sides)


def _page(lines: list[tuple[int, str]], desk: Desk, sides: str, post: Post, subject: str) -> Iterator[Found]:
    """The page as the server shows it, or the same in a mail."""
    page = _Page()
    try:
        page.feed("\n".join(line for _, line in lines))
        page.close()
    except AssertionError as error:
        raise desk.refuse(lines[page.getpos()[0] - 1][0], f"not a page that can be read: {error}") from None
    rolls = [
        (lines[min(at, len(lines)) - 1][0], piece, found)
        for at, piece in page.pieces
        if (found := _DICE.fullmatch(piece))
    ]
    signed = next((link for link in page.links if _SIGN.search(link)), "")
    yield from _roll(desk, rolls, sides, signed, post, subject)


def _headers(lines: list[str]) -> tuple[dict[str, str], int]:
    """Read the headers that a mail begins with, and tell where they end; none if it begins otherwise."""
    headers: dict[str, str] = {}
    at, name = int(bool(lines) and lines[0].startswith("From ")), ""
    while at < len(lines) and lines[at].strip():
        found = _HEADER.fullmatch(lines[at])
        if lines[at][:1] in (" ", "\t") and name:
            headers[name] += " " + lines[at].strip()
        elif found:
            name = found["name"].lower()
            headers.setdefault(name, found["value"].strip())
        else:
            return {}, 0
        at += 1
    return (headers, at) if _OF_A_MAIL & set(headers) else ({}, 0)


def _mail(lines: list[str], start: int, desk: Desk, sides: str) -> Iterator[Found]:
    """One mail: its subject names the roll, its body holds the dice. Headers are never searched for dice."""
    headers, at = _headers(lines)
    unfolded = _unfolded(lines[at:], headers.get("content-transfer-encoding", ""))
    body = [(start + at + down + 1, line) for down, line in unfolded]
    when = headers.get("date", "")
    moment = desk.instant(start + 1, re.sub(r"\([^()]*\)$", "", when.strip())) if when else None
    post, subject = Post("", "", moment), _plain(headers.get("subject", ""))
    if any("<html" in line.lower() or "<body" in line.lower() for _, line in body):
        yield from _page(body, desk, sides, post, subject)
        return
    rolls = [(number, line, found) for number, line in body if (found := _DICE.fullmatch(line))]
    signed = next((line for _, line in body if _SIGN.search(line)), "")
    yield from _roll(desk, rolls, sides, signed, post, subject)


def _unfolded(lines: list[str], encoding: str) -> list[tuple[int, str]]:
    """Join lines that quoted-printable broke; each keeps the number of its first part."""
    if encoding.lower() != "quoted-printable":
        return list(enumerate(lines))
    joined: list[tuple[int, str]] = []
    parts: list[str] = []
    first = 0
    for at, line in enumerate(lines):
        first = at if not parts else first
        parts.append(line[:-1] if line.endswith("=") else line)
        if not line.endswith("="):
            joined.append((first, "".join(parts).replace("=3D", "=")))
            parts = []
    return joined if not parts else [*joined, (first, "".join(parts))]


def _plain(subject: str) -> str:
    try:
        return str(make_header(decode_header(subject)))
    except (HeaderParseError, LookupError, ValueError):
        return subject


def _roll(
    desk: Desk, rolls: list[tuple[int, str, re.Match[str]]], sides: str, signed: str, post: Post, subject: str
) -> Iterator[Found]:
    """Take the first line of dice; more of them in one page or mail were put there by somebody else."""
    for place, (line, piece, found) in enumerate(rolls):
        faces = tuple(int(face) for face in found["faces"].split(","))
        sign = _SIGN.search(signed)
        remarks = ("the page cannot be verified: it has no link to do so",) if sign is None else ()
        yield Found(
            line,
            f"{piece}\n{signed}" if signed else piece,
            f"{len(faces)}d{sides}",
            (Shown(faces),),
            None,
            post,
            subject,
            key=f"sign {sha256(sign[1].encode()).hexdigest()[:16]}" if sign and place == 0 else "",
            flat=True,
            remarks=remarks,
            words="the page or mail has told its dice before" if place else "",
        )


READERS: Final = (
    Reader(
        "marti",
        "MARTI (TripleA)",
        1,
        "your dice are: 3,6,1",
        "a copy of the server's page or mail: its link proves it for as long as the server keeps the month's key",
        _read,
        template="d6",
    ),
)
