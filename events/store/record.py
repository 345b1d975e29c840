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


class Draft(msgspec.Struct, frozen=True, gc=False):
    """A fact to be appended. `act` is the seq of the first event of its act; 0 means that it begins one itself."""

    event: Event
    actor: str
    act: int = 0


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event as it stands in the log. `body` is the exact stored text; `hash` covers all fields but `position`.

    `position` is where this file keeps the event, counted over all battles; a copy elsewhere may have another.
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

    @property
    def type(self) -> str:
        """The wire name that the body gives, such as `dresda.wounded`; `?` if it gives none."""
        return type_of(self.body) or "?"


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of a battle: its own events follow those of `parent` up to `after`. `main` has no parent.

    `played` is false for a what-if line, whose events never happened.
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
