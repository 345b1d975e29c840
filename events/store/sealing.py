"""Sealing events of record format 2 to the end of a line, and checking that they hold. Pure: stores write the rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import msgspec

from events.catalogue import tag_of, write
from events.store.errors import RecordBroken
from events.store.leaves import (
    SALT_DIGITS,
    Salter,
    are_salts,
    body_leaf,
    header_leaf,
    is_leaf,
    line_start,
    link,
)
from events.store.names import check_name
from events.store.record import WHOLE, Draft, EventHeader, Head, Line, Recorded, type_of

HEADER_ONLY = SALT_DIGITS + WHOLE
HIDDEN = 2 * WHOLE
"""Digits of `Recorded.salts` where the body is hidden, and where header and body are."""

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(EventHeader).decode


def salts_name(battle: str) -> str:
    """Return the name under which the vault keeps the root of a battle's salts."""
    return f"salts/{battle}"


def start_of(line: Line, at_fork: str) -> str:
    """Return what a line's first own event is chained to, given the hash of the event after which it forks.

    For `main` the hash is `battle_start`.
    """
    return line_start(at_fork, line.text)


def seal_events(line: Line, salter: Salter, head: Head, n: int, drafts: Sequence[Draft], at: int) -> list[Recorded]:
    """Chain drafts to the head of a line; `n` is the number of the battle's last event so far.

    Raises ValueError for what no store records: no draft at all, an act that begins later than its event, a time before
    1970, a text that is not Unicode (half a surrogate pair).
    """
    if not drafts:
        raise ValueError("a step holds at least one event")
    if not 0 <= at < 2**63:
        raise ValueError(f"a time is whole microseconds since 1970, not {at}")
    made: list[Recorded] = []
    seq, prev = head.seq, start_of(line, head.hash) if head.seq == line.after else head.hash
    for draft in drafts:
        seq, n = seq + 1, n + 1
        act = draft.act or seq
        if not 0 < act <= seq:
            raise ValueError(f"event {seq} cannot belong to an act that begins at {act}")
        check_name("actor", draft.actor)
        event = draft.event
        body = write(event)
        told = EventHeader(
            act=act, actor=draft.actor, at=at, seat=draft.seat, type=tag_of(type(event)),
            commitment=draft.commitment, signature=draft.signature,
        )  # fmt: skip
        header = _ENCODE(told)
        salts = salter.salts(seq, header, body)
        leaves = header_leaf(salts[:SALT_DIGITS], header), body_leaf(salts[SALT_DIGITS:], body)
        prev = link(prev, *leaves, seq, n, event.kind)
        made.append(
            Recorded(
                n, line.battle, line.name, seq, act, event.kind, body.decode(), draft.actor, at, None, "", prev,
                header.decode(), salts,
            )
        )  # fmt: skip
    return made


def read_row(
    line: Line | str, battle: str, seq: int, n: int, kind: str, header: str | None, body: str | None, salts: str,
    this: str,
) -> Recorded:  # fmt: skip
    """Make an event of what a store or an export holds of it. Raises ValueError for a header that is none."""
    name = line if isinstance(line, str) else line.name
    if header is None:
        return Recorded(n, battle, name, seq, seq, kind, _withheld(""), "", 0, None, "", this, "", salts)
    told = _DECODE(header)
    shown = _withheld(told.seat or told.actor) if body is None else body
    return Recorded(n, battle, name, seq, told.act, kind, shown, told.actor, told.at, None, "", this, header, salts)


def shown_body(body: str | None, header: str | None) -> str:
    """Return the body of an event as a reader gets it: `order.withheld` where a copy hides it."""
    if body is not None:
        return body
    told = _DECODE(header) if header is not None else None
    return _withheld(told.seat or told.actor if told is not None else "")


def _withheld(seat: str) -> str:
    return _ENCODE({"type": "order.withheld", "seat": seat}).decode()


def leaves_of(record: Recorded) -> tuple[str, str]:
    """Return the leaves of an event, worked out from what is shown. Raises ValueError if they cannot be."""
    salts, size = record.salts, len(record.salts)
    if size == WHOLE and are_salts(salts):
        return (
            header_leaf(salts[:SALT_DIGITS], record.header.encode()),
            body_leaf(salts[SALT_DIGITS:], record.body.encode()),
        )
    if size == HEADER_ONLY and is_leaf(salts[SALT_DIGITS:]) and are_salts(salts[:SALT_DIGITS] * 2):
        return header_leaf(salts[:SALT_DIGITS], record.header.encode()), salts[SALT_DIGITS:]
    if size == HIDDEN and is_leaf(salts[:WHOLE]) and is_leaf(salts[WHOLE:]):
        return salts[:WHOLE], salts[WHOLE:]
    raise ValueError("neither salts nor leaves")


def hide(record: Recorded, *, header: bool = False) -> Recorded:
    """Return an event with its body hidden, and with `header` its header, too. The hash stays the true one."""
    leaves = leaves_of(record)
    keep = record.salts[:SALT_DIGITS] if not header and len(record.salts) != HIDDEN else ""
    shown = record.header if keep else None
    salts = keep + leaves[1] if keep else leaves[0] + leaves[1]
    return read_row(
        record.line, record.battle, record.seq, record.position, record.kind, shown, None, salts, record.hash
    )


def check_sealed(line: Line, end: Head, records: Iterable[Recorded]) -> Head:
    """Check that events of a line follow on `end`, each what its hash says; return the head they lead to.

    Raises `RecordBroken`, which names the first that does not hold. About two microseconds an event.
    """
    seq, n = end.seq, 0
    prev = start_of(line, end.hash) if end.seq == line.after else end.hash
    for record in records:
        seq += 1
        try:
            this = link(prev, *leaves_of(record), seq, record.position, record.kind)
        except ValueError as error:  # text that is not Unicode is one, too
            raise RecordBroken(line.name, seq, f"it cannot be checked: {error}") from error
        if (
            this != record.hash
            or record.seq != seq
            or record.position <= n
            or record.battle != line.battle
            or record.line != line.name
        ):
            raise RecordBroken(line.name, seq, _why(line, seq, n, record))
        prev, n = this, record.position
    return Head(seq, prev)


def repeated_key(text: str) -> str:
    """Return why a JSON text has two meanings: a key that stands twice in one object. Empty if it has one."""
    try:
        json.loads(text, object_pairs_hook=_once)
    except KeyError as error:
        return f"the key {error.args[0]!r} stands twice in it"
    except (ValueError, RecursionError):
        return ""  # what cannot be read at all is refused elsewhere
    return ""


def _once(pairs: list[tuple[str, object]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise KeyError(key)
        seen.add(key)


def _why(line: Line, seq: int, n: int, record: Recorded) -> str:
    if record.battle != line.battle or record.line != line.name:
        return f"it is filed under {record.battle}/{record.line}, it belongs to {line.battle}/{line.name}"
    if record.seq != seq:
        return f"an event is missing: after {seq - 1} comes {record.seq}"
    if record.position <= n:
        return f"its number in the battle is {record.position}, that of the event before it {n}"
    return f"its content ({record.type}) does not match its hash"


def check_header(record: Recorded) -> str:
    """Return why the parts of an event do not fit each other, or an empty text. A hash cannot tell that."""
    if not record.header:
        return ""
    try:
        told = _DECODE(record.header)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return "its header cannot be read"
    if (told.act, told.actor, told.at) != (record.act, record.actor, record.at):
        return "it is filed otherwise than its header says"
    if not record.hides_body and told.type != type_of(record.body):
        return f"its header says {told.type}, its body {type_of(record.body)}"
    return ""
