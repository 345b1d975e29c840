"""A battle as a feed for one kind of viewer: an entry for each turn that is over, as Atom 1.0 or JSON Feed 1.1.

Ids never change; an erratum keeps the id of its turn and moves the time of its last change, which is that of the
events, never of a clock. The entries are made from the viewer's own view of the battle.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote
from xml.etree import ElementTree as xml

import msgspec
from msgspec import Struct

from events.times import rfc3339
from replays.points import ended_turns, span_of, turns_of
from replays.publish.dialect import board
from replays.publish.layout import lay_out, title_of
from replays.publish.letters import shown
from replays.publish.split import posts
from replays.publish.turn import gather_turns
from replays.view import View

ATOM = "http://www.w3.org/2005/Atom"
JSON_FEED = "https://jsonfeed.org/version/1.1"
AUTHORITY = "wardiary.invalid"
"""In whose name ids are minted, where nobody gives a name of his own."""


class Entry(Struct, frozen=True, gc=False):
    """A turn that is over: times are µs UTC, `html` is the post."""

    id: str
    title: str
    published: int
    updated: int
    summary: str
    html: str


class Feed(Struct, frozen=True, gc=False):
    """All turns that a viewer may see, the newest first. `url` is where the feed can be had, if that is known."""

    id: str
    title: str
    updated: int
    url: str
    entries: tuple[Entry, ...]


def gather_feed(view: View, *, authority: str = AUTHORITY, url: str = "") -> Feed:
    """Gather a battle's feed for the viewer of a view. Cost: every turn of the battle on its line now.

    `authority` is a domain or address of whoever publishes it; ids are minted in its name (RFC 4151).
    """
    now = view.now()
    opened = now.record(1).at
    viewer = quote(str(view.viewer), safe="")
    minted = f"tag:{authority},{rfc3339(opened)[:10]}:{quote(view.battle, safe='')}"
    entries = tuple(_entries(now, minted, viewer))
    return Feed(
        f"{minted}/{viewer}",
        shown(view.opening.title) or view.battle,
        max((each.updated for each in entries), default=opened),
        url,
        tuple(reversed(entries)),
    )


def _entries(now: View, minted: str, viewer: str) -> Iterator[Entry]:
    published, corrected = _first_over(now), _corrected(now)
    html = board("html")
    for turn in gather_turns(now):
        if not turn.over:
            continue
        outcomes = [each.text for phase in turn.phases for each in phase.outcomes if not each.ruling]
        yield Entry(
            f"{minted}/turn-{turn.turn}/{viewer}",
            shown(title_of(turn)),
            min(published.get(turn.turn, turn.at), turn.at),
            max(corrected.get(turn.turn, 0), turn.at),
            shown("; ".join(outcomes[-3:])),
            "\n".join(posts(lay_out(turn), html)),
        )


def _first_over(view: View) -> dict[int, int]:
    """When each turn was first over, on whatever line was the battle then."""
    found: dict[int, int] = {}
    for line in view.successive():
        for turn, at in ended_turns(line).items():
            found.setdefault(turn, at)
    return found


def _corrected(view: View) -> dict[int, int]:
    """When a ruling last changed each turn, in µs UTC: a line that is adopted again changes it once more."""
    found: dict[int, int] = {}
    for old, new in pairwise(view.successive()):
        root = new.root(old)
        for line in (old, new):
            for turn in turns_of(line):
                if span_of(line, turn.number).last > root:
                    found[turn.number] = new.opened_at
    return found


# ---------------------------------------------------------------------------------------------------- Atom


def atom(feed: Feed) -> str:
    """Write a feed as Atom 1.0 (RFC 4287). The same feed gives the same bytes."""
    root = xml.Element("feed", xmlns=ATOM)
    root.set("xml:lang", "en")
    _texts(root, id=feed.id, title=feed.title, updated=rfc3339(feed.updated))
    _texts(xml.SubElement(root, "author"), name="War Diary")
    if feed.url:
        xml.SubElement(root, "link", rel="self", type="application/atom+xml", href=feed.url)
    for entry in feed.entries:
        item = xml.SubElement(root, "entry")
        times = {"published": rfc3339(entry.published), "updated": rfc3339(entry.updated)}
        _texts(item, id=entry.id, title=entry.title, **times)
        if entry.summary:
            _texts(item, summary=entry.summary)
        xml.SubElement(item, "content", type="html").text = entry.html
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _texts(parent: xml.Element, **texts: str) -> None:
    for name, text in texts.items():
        xml.SubElement(parent, name).text = text


# ---------------------------------------------------------------------------------------------------- JSON Feed


class Author(Struct, frozen=True, gc=False):
    """Who made a feed."""

    name: str


class JsonItem(Struct, frozen=True, gc=False, omit_defaults=True):
    """An entry of a JSON Feed."""

    id: str
    title: str
    content_html: str
    date_published: str
    date_modified: str
    summary: str = ""


class JsonFeed(Struct, frozen=True, gc=False, omit_defaults=True):
    """A feed as JSON Feed 1.1 has it."""

    version: str
    title: str
    items: tuple[JsonItem, ...]
    authors: tuple[Author, ...]
    language: str
    feed_url: str = ""


def json_feed(feed: Feed) -> str:
    """Write a feed as JSON Feed 1.1. The same feed gives the same bytes."""
    items = tuple(
        JsonItem(each.id, each.title, each.html, rfc3339(each.published), rfc3339(each.updated), each.summary)
        for each in feed.entries
    )
    told = JsonFeed(JSON_FEED, feed.title, items, (Author("War Diary"),), "en", feed.url)
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"
