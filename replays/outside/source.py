"""Opening a log: its text, its lines, the posts in it, and the desk at which a reader works."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import tzinfo
from itertools import accumulate
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from events.errors import DiaryError, visible
from replays.outside.found import Finding, Found, Post
from replays.outside.times import ZoneMissing, read_moment


class OutsideUnreadable(DiaryError, ValueError):
    """An outside dice log, or what was said about it, cannot be read. `line` counts from 1; 0 for the file as a whole.

    Nothing of the file is taken in.
    """

    code = "outside/unreadable"

    def __init__(self, path: str, line: int, why: str) -> None:
        super().__init__(visible(f"{path}{f', line {line}' if line else ''}: {why}"))
        self.path = path
        self.line = line
        self.why = why


MAX_BYTES: Final = 200_000_000
MAX_LINE: Final = 20_000
"""Characters of one line of prose that are searched for rolls."""


class Text(msgspec.Struct, frozen=True):
    """A log as text. `path` is how messages name it; lines are parted by line feeds only, as no label holds one."""

    path: str
    digest: str
    text: str

    def lines(self) -> list[str]:
        """Return the lines without their ends."""
        return re.split(r"\r\n|\n", self.text)


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of a text log. `words` says why no roll can stand here; empty if one can."""

    number: int
    text: str
    post: Post
    words: str = ""


class Desk:
    """What a reader needs beside the text: the zone and template given, and where to put findings."""

    def __init__(self, path: str, zone: tzinfo | None, template: str) -> None:
        self.path, self.zone, self.template = path, zone, template
        self.findings: list[Finding] = []
        self.copies: dict[str, int] = {}

    def note(self, line: int, code: str, message: str) -> None:
        """Report something that does not hold or cannot be read."""
        self.findings.append(Finding(self.path, line, code, message))

    def refuse(self, line: int, why: str) -> OutsideUnreadable:
        """Make the error that refuses the whole log."""
        return OutsideUnreadable(self.path, line, why)

    def instant(self, line: int, text: str, *, american: bool = False) -> int | None:
        """Read a time; None with a finding if it cannot be read. Raises `OutsideUnreadable` if a zone is missing."""
        try:
            at, doubt = read_moment(text, self.zone, american=american)
        except ZoneMissing:
            raise self.refuse(
                line, f"the time {text!r} has no time zone: say which with --zone, such as --zone Europe/Berlin"
            ) from None
        except ValueError as error:
            self.note(line, "time/unreadable", f"the time cannot be read: {error}")
            return None
        if doubt == "twice":
            self.note(line, "time/twice", f"{text!r} came twice when the clocks went back: taken as the first")
        elif doubt:
            self.note(line, "time/skipped", f"{text!r} never came, as the clocks went forward")
        return at

    def post(self, key: str, who: str, at: int | None) -> Post:
        """Make a post, counting how often its key came up before."""
        copy = self.copies.get(key, 0)
        if key:
            self.copies[key] = copy + 1
        return Post(key, who, at, copy)


Read: TypeAlias = Callable[[Text, Desk], Iterator[Found]]


class Reader(msgspec.Struct, frozen=True):
    """One format: its title, the version of our reader, an example, what such a log can prove, and how to read it."""

    name: str
    title: str
    version: int
    example: str
    trust: str
    read: Read
    template: str = ""


def read_text(path: Path) -> Text:
    """Read a file as UTF-8, or UTF-16 with a mark. Raises `OutsideUnreadable`."""
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise OutsideUnreadable(str(path), 0, f"larger than {MAX_BYTES // 1_000_000} MB: split it")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise OutsideUnreadable(str(path), 0, str(getattr(error, "strerror", None) or error)) from error
    if data[:2] == b"PK":
        raise OutsideUnreadable(str(path), 0, "a packed file (such as .vlog or .zip): save the chat or page as text")
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OutsideUnreadable(str(path), line, "not UTF-8 text: save it as UTF-8") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise OutsideUnreadable(str(path), line, "not text: it holds NUL characters")
    return Text(str(path), hashlib.sha256(data).hexdigest(), text)


_HEADING: Final = re.compile(
    r"=== post (?P<key>\S{1,80})(?: by (?P<who>.{1,200}?))?(?: at (?P<at>[0-9][^=]{1,60}))? ===\s*"
)
_NATIVE: Final = (
    re.compile(r"(?:Post )?by (?P<who>.{1,200}?) » (?P<at>[A-Z][^»]{5,60})"),
    re.compile(r"« on: (?P<at>[A-Z][^»]{5,60}?) »"),
    re.compile(r"(?P<at>[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4} [0-9]{1,2}:[0-9]{2} [ap]m)"),
)
_TAG: Final = re.compile(r"\[(/?)(?:quote|code)[\]= ]", re.IGNORECASE)


def walk(text: Text, desk: Desk) -> Iterator[Line]:
    """Yield the lines of a pasted thread with the post that each belongs to; headings themselves are left out.

    A heading is our own (`=== post 17 by Ann at 2031-05-01 19:02 ===`) or what phpBB, SMF and Gamers' Plane print over
    a post. Lines in quotes and code, or with control characters, are marked as words: what looks like a roll in them
    was not rolled there.
    """
    post = Post()
    lines = text.lines()
    quoted = _quoted(lines)
    for number, line in enumerate(lines, 1):
        if heading := _HEADING.fullmatch(line):
            post = desk.post(heading["key"], heading["who"] or "", _at(desk, number, heading["at"]))
            continue
        native = next((found for shape in _NATIVE if (found := shape.fullmatch(line.strip()))), None)
        if native and number not in quoted:
            post = Post("", native.groupdict().get("who") or "", _at(desk, number, native["at"]))
            continue
        yield Line(number, line, post, _why_words(line, quoted=number in quoted))


def _quoted(lines: list[str]) -> set[int]:
    """Number the lines that stand in quotations and code. What is never closed before our next heading is none."""
    opened: list[int] = []
    changes = [0] * (len(lines) + 2)
    for number, line in enumerate(lines, 1):
        if line.startswith("===") and _HEADING.fullmatch(line):
            opened = []
        for tag in _TAG.finditer(line):
            if not tag[1]:
                opened.append(number)
            elif opened:
                changes[opened.pop()] += 1
                changes[number + 1] -= 1
    return {number for number, depth in enumerate(accumulate(changes)) if depth}


def _at(desk: Desk, number: int, text: str | None) -> int | None:
    return None if text is None else desk.instant(number, text)


def _why_words(line: str, *, quoted: bool) -> str:
    if quoted or line.lstrip().startswith(">"):
        return "it stands in a quotation"
    if any(char != "\t" and (char < " " or "\x7f" <= char < "\xa0" or char in "\u2028\u2029") for char in line):
        return "it holds control characters"
    if len(line) > MAX_LINE:
        return f"its line has more than {MAX_LINE:,} characters"
    return ""
