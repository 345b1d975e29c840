"""The page of a film: one file with its style, its player and its data, and leave to fetch nothing at all."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from projections.dice.charts import courses, figures
from projections.dice.fairness import faces_of
from projections.dice.luck import checks_of
from projections.svg import DEFS, STYLE, Sheet, clean, edge, view_box
from replays.html_replay.frames import HtmlReplay, expose
from replays.view import View

_HERE: Final = Path(__file__).parent
_PLACE: Final = re.compile(r"\[\[(\w+)\]\]")


def html_replay(view: View, rule_text: Callable[[str], str] = lambda rule: "") -> str:
    """Return a line of a battle as one HTML page, with pictures of its dice. The same line gives the same bytes.

    Everything that people wrote is escaped, and the page forbids the browser to fetch anything. Errors as `expose`.
    """
    return write_page(expose(view, rule_text), dice_of_film(view))


def dice_of_film(view: View) -> str:
    """Draw the dice of a line: everybody's luck, and the faces of each kind of die. Empty if none were thrown."""
    entries = view.rolls()
    lines = courses(checks_of(entries, bearing=view.fold.bearing))
    return "".join(figures(lines, faces_of(entries))) if entries else ""


def write_page(film: HtmlReplay, dice: str = "") -> str:
    """Put a film into its page; `dice` are pictures as HTML."""
    style, script = STYLE + _read("page.css"), _read("player.js")
    sheet = Sheet(film.width, film.height)
    parts = {
        "policy": f"default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "style": style,
        "script": script,
        "title": clean(film.title),
        "facts": escape(f"{film.battle} / {film.line}, {len(film.captions) - 1} events, by {film.rule_set}"),
        "digest": escape(film.digest),
        "banner": _banner(film),
        "view": view_box(sheet, film.below),
        "defs": DEFS,
        "edge": edge(sheet) if film.width else "",
        "legend": film.legend,
        "fieldless": "" if film.width else "<p>This rule set draws no field.</p>",
        "turns": _turns(film),
        "table": "".join(f'<p class="facts">{clean(told)}</p>' for told in film.dice),
        "dice": dice or "<p>No dice were thrown.</p>",
        "last": str(len(film.captions) - 1),
        "data": _inert(msgspec.json.encode(film).decode()),
    }
    return _fill(_read("page.html"), parts)


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _fill(page: str, parts: Mapping[str, str]) -> str:
    """Fill every place once; what is put in is not looked through again."""
    return _PLACE.sub(lambda found: parts[found[1]], page)


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _inert(json: str) -> str:
    """Write JSON so that no text in it can end the script that holds it, or begin anything."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _banner(film: HtmlReplay) -> str:
    told = []
    if not film.played:
        told.append(f"<strong>NOT PLAYED</strong>: a what-if line — {clean(film.why_line)}")
    if film.superseded_by:
        told.append(f"<strong>SUPERSEDED</strong>: superseded by line {clean(film.superseded_by)}")
    return "".join(f'<p class="banner" role="note">{each}</p>' for each in told)


def _turns(film: HtmlReplay) -> str:
    """The turns with their phases, as headings and links, readable without the player."""
    marks = [(frame, f"Turn {turn}", True) for frame, turn in film.turns]
    marks += [(frame, film.strings[name], False) for frame, name in film.acts]
    parts: list[str] = []
    opened = False
    for frame, words, turn in sorted(marks):
        if turn or not parts:
            heading = words if turn else "Before the first turn"
            parts.append(("</ul>" if opened else "") + f'<h3><a href="#{frame}">{clean(heading)}</a></h3><ul>')
            opened = True
        if not turn:
            parts.append(f'<li><a href="#{frame}">{clean(words)}</a></li>')
    return "".join(parts) + ("</ul>" if opened else "")
