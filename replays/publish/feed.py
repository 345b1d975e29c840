"""A battle as a feed for one kind of viewer: an entry for each turn that is over, as Atom 1.0 or JSON Feed 1.1.

Ids never change; an erratum keeps the id of its turn and moves the time of its last change, which is that of the
events, never of a clock. The entries are made from the viewer's own copy of the battle.
"""

from __future__ import annotations

from urllib.parse import quote
from xml.etree import ElementTree as xml

import msgspec
from msgspec import Struct

from events.store.log import Log
from events.store.record import Line
from events.times import rfc3339
from projections.fold import Fold
from projections.viewer import Viewer
from replays.publish.dialect import board
from replays.publish.errata import battle_lines
from replays.publish.layout import lay_out, title_of
from replays.publish.letters import shown
from replays.publish.split import posts
from replays.publish.turn import gather_turns
from replays.seek import state_at
from replays.seen import seen_by

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


def gather_feed(
    log: Log, fold: Fold, battle: str, viewer: Viewer, *, authority: str = AUTHORITY, url: str = ""
) -> Feed:
    """Gather a battle's feed for a viewer. Cost: his copy of the battle, and every turn of it.

    `authority` is a domain or address of whoever publishes it; with it ids are his for ever (RFC 4151).
    """
    seen = seen_by(log, fold, battle, viewer)
    lines = battle_lines(seen, battle)
    opening = next(seen.records(lines[0], 0, 1))
    minted = f"tag:{authority},{rfc3339(opening.at)[:10]}:{quote(battle, safe='')}"
    end = state_at(seen, fold, lines[-1], seen.head(lines[-1]).seq)
    entries = tuple(_entries(log, seen, fold, lines, viewer, minted))
    return Feed(
        f"{minted}/{quote(str(viewer), safe='')}",
        shown(end.table.title) or battle,
        max((each.updated for each in entries), default=opening.at),
        url,
        tuple(reversed(entries)),
    )


def _entries(log: Log, seen: Log, fold: Fold, lines: list[Line], viewer: Viewer, minted: str) -> list[Entry]:
    published = _first_over(seen, lines)
    html = board("html")
    entries = []
    for turn in gather_turns(log, seen, fold, lines[-1], viewer):
        if not turn.over:
            continue
        outcomes = [each.text for phase in turn.phases for each in phase.outcomes if not each.ruling]
        entries.append(
            Entry(
                f"{minted}/turn-{turn.turn}/{quote(str(viewer), safe='')}",
                shown(title_of(turn)),
                min(published.get(turn.turn, turn.at), turn.at),
                turn.at,
                shown("; ".join(outcomes[-3:])),
                "\n".join(posts(lay_out(turn), html)),
            )
        )
    return entries


def _first_over(seen: Log, lines: list[Line]) -> dict[int, int]:
    """When each turn was first over, on whatever line was the battle then."""
    found: dict[int, int] = {}
    for line in lines:
        turn = 0
        for record in seen.records(line):
            if record.type == "clock.turn_began":
                found.setdefault(turn, record.at)
                turn = int(msgspec.json.decode(record.body)["turn"])
            elif record.type == "table.battle_ended":
                found.setdefault(turn, record.at)
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
