"""Readers of posts: what somebody sees on each board, and what the board takes for markup. Made from what boards do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from projections.dice.rolls import Printed, read_printed
from replays.publish.dialect import BREAK, board

BBCODE = ("phpbb", "smf", "mybb", "vbulletin", "xenforo", "proboards")
MARKDOWN = ("discord", "reddit", "discourse")
BOARDS = (*BBCODE, *MARKDOWN, "rpol", "html", "mail")

_BB_TAG = re.compile(r"\[/?[A-Za-z*][^\]\n]*\]")
_ANGLE_TAG = re.compile(r"</?[A-Za-z!][^>\n]*>")
_QUOTES = re.compile(
    r"\[quote\].*?\[/quote\]|<blockquote>.*?</blockquote>|^>.*?$", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_ITEM = re.compile(r"^ {0,1}(?:[-*•] |<li [^>]*>)(?P<text>roll \d+: .*)$")


class Seen(Struct, frozen=True):
    """A post as it is seen: its visible text, and what the board took for markup, in order."""

    text: str
    markup: tuple[str, ...]


def seen(name: str, post: str) -> Seen:
    """Read a post as its board does."""
    if name in BBCODE:
        return _tagged(_BB_TAG, post)
    if name == "rpol":
        return _tagged(_ANGLE_TAG, post)
    if name == "html":
        return _html(post)
    if name in MARKDOWN:
        return _markdown(post)
    return Seen(post, ())


def squeezed(text: str) -> str:
    """Leave out spaces and line breaks: where lines end is the renderer's business."""
    return "".join(text.replace(BREAK, "").split())


def _tagged(tag: re.Pattern[str], post: str) -> Seen:
    return Seen(tag.sub("\n", post).replace(BREAK, ""), tuple(each.lower() for each in tag.findall(post)))


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.markup: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.markup.append(f"{tag} {attrs}")
        self.texts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.markup.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.markup.append("comment")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _html(post: str) -> Seen:
    reader = _Html()
    reader.feed(post)
    reader.close()
    return Seen("".join(reader.texts), tuple(reader.markup))


def _markdown(post: str) -> Seen:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(post)
    texts: list[str] = []
    markup: list[str] = []
    for token in _flat(tokens):
        if token.type in ("text", "code_inline", "fence", "code_block"):
            texts.append(token.content)
            markup += [token.type] if token.type != "text" else []
        elif token.type in ("softbreak", "hardbreak"):
            texts.append("\n")
        else:
            texts.append("\n" if token.block else "")
            markup.append(token.type)
    return Seen("".join(texts).replace(BREAK, ""), tuple(markup))


def _flat(tokens: Sequence[Token]) -> list[Token]:
    return [each for token in tokens for each in (_flat(token.children) if token.children else [token])]


# ---------------------------------------------------------------------------------------------------- numbers


def items(name: str, post: str) -> list[str]:
    """Return the items of lists that tell a roll, quotations aside, with lines that were broken put together."""
    found: list[str] = []
    goes_on = False
    for line in _QUOTES.sub("", post).splitlines():
        item = _ITEM.match(line)
        if item is not None:
            found.append(item["text"])
        elif goes_on and line.startswith("    ") and name == "mail":
            found[-1] += f" {line.strip()}"
            continue
        goes_on = item is not None
    return [plain(name, each) for each in found]


def plain(name: str, line: str) -> str:
    """Return a line without its tags and escapes."""
    line = re.sub("</li>$", "", line).replace(BREAK, "")
    if name == "html":
        return _html(line).text
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", line) if board(name).inert.signs else line


def rolls(name: str, post: str) -> dict[int, Printed]:
    """Return the checks of a post by the number of their event."""
    found = {}
    for item in items(name, post):
        number, _, line = item.removeprefix("roll ").partition(": ")
        found[int(number)] = read_printed(line)
    return found
