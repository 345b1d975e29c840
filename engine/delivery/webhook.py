"""Webhooks that take what Discord's take: JSON with `content`, a message of limited length at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from engine.delivery.mail import PAGE
from engine.delivery.sending import SendFailed
from events.store.outbox import Message

LIMIT = 2000
"""How many UTF-16 units one message holds."""

TIMEOUT_S = 30


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would turn the message into a request for a page."""

    def redirect_request(self, *_: object) -> None:
        return None


def parts_of(messages: tuple[Message, ...]) -> list[str]:
    """Return what is sent, one message each: the parts in which a text was put in, cut further if they are too long."""
    parts = (part for each in messages for part in each.text.split(PAGE))
    return [piece for part in parts for piece in split(part.strip("\n")) if piece]


def split(text: str, limit: int = LIMIT) -> Iterator[str]:
    """Cut a text to a limit in UTF-16 units, at ends of lines where there are any, and through no sign of two units."""
    while size(text) > limit:
        room, end = limit, 0
        while room >= (need := size(text[end])):
            room, end = room - need, end + 1
        line = text.rfind("\n", 1, end)
        cut = line if line > 0 else end
        yield text[:cut]
        text = text[cut:].lstrip("\n")
    yield text


def size(text: str) -> int:
    """Count a text in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def send_part(url: str, content: str) -> None:
    """Send one message that calls nobody, whatever is in it. Raises `SendFailed`, which does not show the address."""
    body = json.dumps({"content": content, "allowed_mentions": {"parse": []}}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "wardiary"}
    place = urlsplit(url).hostname
    try:
        with build_opener(_NoRedirect).open(Request(url, body, headers, method="POST"), timeout=TIMEOUT_S) as answer:
            answer.read()
    except HTTPError as error:
        error.close()
        if error.code == 429:
            raise SendFailed("not sent", f"{place} asks to wait (429)", _seconds(error.headers)) from error
        raise SendFailed("unsure" if error.code >= 500 else "refused", f"{place} answers {error.code}") from error
    except URLError as error:
        refused = isinstance(error.reason, ConnectionRefusedError) or "getaddrinfo" in type(error.reason).__name__
        told = getattr(error.reason, "strerror", None) or error.reason
        raise SendFailed("not sent" if refused else "unsure", f"{place}: {told}") from error
    except (OSError, HTTPException) as error:
        raise SendFailed("unsure", f"{place}: {error or type(error).__name__}") from error


def _seconds(headers: object) -> int:
    text = getattr(headers, "get", lambda name: None)("Retry-After") or ""
    whole = str(text).partition(".")[0]
    return min(int(whole) + 1, 3600) if whole.isascii() and whole.isdecimal() else 60
