"""What the log takes and gives: drafts in, recorded events out, and the lines they stand on."""

from __future__ import annotations

import msgspec

from events.facts import Event


class _Tagged(msgspec.Struct, frozen=True, gc=False):
    type: str


_TAGGED = msgspec.json.Decoder(_Tagged)


def type_of(body: str) -> str | None:
    """Return the `type` that a body gives, or None if it is not a JSON object with one.

    >>> type_of('{"text":"hi","type":"table.noted"}')
    'table.noted'
    """
    try:
        return _TAGGED.decode(body).type
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None


class _Commanded(msgspec.Struct, frozen=True, gc=False):
    text: str = ""


class _Asked(msgspec.Struct, frozen=True, gc=False):
    request: str | None = None


_COMMANDED, _ASKED = msgspec.json.Decoder(_Commanded), msgspec.json.Decoder(_Asked)
COMMAND = "table.command"
"""The type of the event that holds a command, the first of its step in record format 2."""


def request_in(body: str) -> str | None:
    """Return the request key of a recorded command, or None if the body is no command or has no key."""
    if type_of(body) != COMMAND:
        return None
    try:
        return _ASKED.decode(_COMMANDED.decode(body).text).request
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None


class Draft(msgspec.Struct, frozen=True, gc=False):
    """A fact to be appended. `act` is the seq of the first event of its act; 0 means that it begins one itself.

    The rest goes into the header of record format 2: `seat` is whose fact it is where that is not the actor's, and a
    command shows the `commitment` to its text, with the seat's `signature`.
    """

    event: Event
    actor: str
    act: int = 0
    seat: str = ""
    commitment: str = ""
    signature: str = ""


WHOLE = 64
"""Digits of `Recorded.salts` where nothing is hidden: two salts."""


class EventHeader(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The header of an event of record format 2, in the order in which it is written."""

    act: int
    actor: str
    at: int
    seat: str = ""
    type: str
    commitment: str = ""
    signature: str = ""


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event as it stands in the log. `body` is the exact stored text.

    In record format 1 `hash` covers all fields but `position`, which is where this file keeps the event, counted over
    all battles; a copy elsewhere may have another.

    In record format 2 `position` is the number of the event within its battle and is covered, too. `header` is the
    exact stored text that `act`, `actor` and `at` are read from; `request` and `prev` are empty. `salts` holds the salt
    (32 hex digits) of each part that is shown and the leaf (64) of each that is hidden, header first. What is hidden
    has `order.withheld` as its body, which is not what the hash covers.
    """

    position: int
    battle: str
    line: str
    seq: int
    act: int
    kind: str
    body: str
    actor: str
    at: int
    request: str | None
    prev: str
    hash: str
    header: str = ""
    salts: str = ""

    @property
    def format(self) -> int:
        """The record format that the event is written in."""
        return 2 if self.salts else 1

    @property
    def hides_body(self) -> bool:
        """Whether this is a copy in which the body of the event is hidden."""
        return len(self.salts) > WHOLE

    @property
    def type(self) -> str:
        """The wire name that the body gives, such as `dresda.wounded`; `?` if it gives none."""
        return type_of(self.body) or "?"


def request_of(record: Recorded) -> str | None:
    """Return the request key that an event was recorded with, in either format."""
    return request_in(record.body) if record.salts and record.kind == "table" else record.request


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of a battle: its own events follow those of `parent` up to `after`. `main` has no parent.

    `played` is false for a what-if line, whose events never happened. `text` is what the line is, as it is hashed in
    record format 2; it is empty for a line of format 1.
    """

    id: int
    battle: str
    name: str
    parent: str | None
    after: int
    played: bool
    actor: str
    at: int
    why: str
    text: str = ""


def line_text(line: Line) -> str:
    """Return what a line of record format 2 is, as it is hashed and exported."""
    told = {
        "battle": line.battle, "name": line.name, "parent": line.parent, "after": line.after,
        "played": line.played, "actor": line.actor, "at": line.at, "why": line.why,
    }  # fmt: skip
    return msgspec.json.encode(told).decode()


class Closing(msgspec.Struct, frozen=True, gc=False):
    """What a new line puts at the end of an old one, if that still ends at `expected`."""

    line: Line
    drafts: tuple[Draft, ...]
    expected: int


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a line stands: the seq and hash of its last event."""

    seq: int
    hash: str


class Request(msgspec.Struct, frozen=True, gc=False):
    """A caller's key for one input, unique per battle, and the digest of what was asked."""

    key: str
    content: str


class Appended(msgspec.Struct, frozen=True, gc=False):
    """The answer to an append: the first and last seq of the step. `repeated` if the request had been met before."""

    line: str
    first: int
    last: int
    hash: str
    repeated: bool = False


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A state kept to save folding: a cache, never the truth. `hash` is that of the event it stands on.

    `state` is what `projections.fold.Fold.save_snapshot` writes: a digest and the state, so that damage is noticed.
    """

    seq: int
    hash: str
    fingerprint: str
    state: str


class Segment(msgspec.Struct, frozen=True, gc=False):
    """A stretch of a line's history, stored under `line_id`: events after `after` up to `upto`, both seqs."""

    line_id: int
    line: str
    after: int
    upto: int
    format: int = 1
