"""A battle as a film: one HTML page that needs no network, to be stepped through by anybody."""

from __future__ import annotations

from replays.html_replay.frames import HtmlReplay, expose
from replays.html_replay.page import html_replay, write_page

__all__ = ["HtmlReplay", "expose", "html_replay", "write_page"]
