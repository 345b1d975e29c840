"""An exported battle: a text file, one JSON object a line, from which the record can be checked and taken over.

The first line tells format, battle, lines and the documents that belong to it; each further line is one event with its
envelope and its body exactly as stored. Secrets are not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from events.errors import DiaryError
from events.store.errors import DocumentMissing
from events.store.log import Log
from events.store.record import Line, Recorded
from replays.lines import tables_in


class ExportUnreadable(DiaryError, ValueError):
    """A file is not an exported battle, or is damaged. `line` counts from 1; 0 if it cannot be opened."""

    code = "export/unreadable"

    def __init__(self, path: str, line: int, why: str) -> None:
        super().__init__(f"{path}{f', line {line}' if line else ''}: {why}")
        self.path = path
        self.line = line
        self.why = why


FORMAT = "wardiary-record/1"


class Header(msgspec.Struct, frozen=True, tag="battle", tag_field="is"):
    """The first line of an export."""

    format: str
    battle: str
    lines: tuple[Line, ...]
    documents: dict[str, str]


def write_export(log: Log, battle: str, document_digests: Iterable[str]) -> Iterator[bytes]:
    """Yield the lines of an export, newline included: parents before their branches, events in order."""
    lines = log.lines(battle)
    documents = {digest: text for digest in document_digests if (text := log.document(digest)) is not None}
    encode = msgspec.json.encode
    yield encode(Header(FORMAT, battle, tuple(lines), documents)) + b"\n"
    for line in lines:
        for record in log.records(line, line.after if line.parent is not None else 0):
            yield encode(record) + b"\n"


def read_header(path: Path) -> Header:
    """Read the first line of an export. Raises `ExportUnreadable`."""
    try:
        with path.open("rb") as file:
            first = file.readline()
        if b'"is":"extract"' in first[:40]:
            raise ExportUnreadable(str(path), 1, "an extract can be verified, and nothing more: ask for a whole export")
        header = msgspec.json.decode(first, type=Header)
    except OSError as error:
        raise ExportUnreadable(str(path), 0, str(error.strerror or error)) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ExportUnreadable(str(path), 1, f"not an exported battle ({error})") from error
    if header.format != FORMAT:
        raise ExportUnreadable(str(path), 1, f"format {header.format!r}: this wardiary reads {FORMAT!r}")
    return header


def read_records(path: Path) -> Iterator[Recorded]:
    """Yield the events of an export. Raises `ExportUnreadable` with the line."""
    decode = msgspec.json.Decoder(Recorded).decode
    with path.open("rb") as file:
        next(file, None)
        for number, text in enumerate(file, 2):
            try:
                yield decode(text)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ExportUnreadable(str(path), number, f"not an event ({error})") from error


def take_over(log: Log, path: Path, progress: Callable[[int], None] = lambda events: None) -> str:
    """Put an exported battle into a log, all or nothing; return its id.

    Raises `ExportUnreadable`, `RecordBroken` (first event that does not hold), `DocumentBroken`, `DocumentMissing` for
    rule tables that are neither in the file nor in the log, `NameTaken`.
    """
    header = read_header(path)
    records = _whole(read_records(path), {*header.documents}, log, progress)
    log.restore(header.battle, header.lines, records, header.documents)
    return header.battle


def _whole(
    records: Iterable[Recorded], given: Collection[str], log: Log, progress: Callable[[int], None]
) -> Iterator[Recorded]:
    """Hand records on; at their end refuse those that name tables which are nowhere, so that none of them is kept."""
    named: dict[str, None] = {}
    for record in records:
        progress(1)
        named.update(dict.fromkeys(tables_in(record)))
        yield record
    for digest in named:
        if digest not in given and log.document(digest) is None:
            raise DocumentMissing(digest)
