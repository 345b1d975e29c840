"""A battle as a film: one HTML page that needs no network, to be stepped through by anybody."""

from __future__ import annotations

from replays.film.frames import Film, expose
from replays.film.page import make_film, write_page

__all__ = ["Film", "expose", "make_film", "write_page"]
