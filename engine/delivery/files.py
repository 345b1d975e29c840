"""Messages as files: a mail that any mail program opens, and its text (and page) beside it."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

from engine.delivery.mail import html_of, text_of
from engine.output import OutputRefused, write_file
from events.store.outbox import Parcel


def write_parcel(folder: Path, parcel: Parcel, mail: EmailMessage) -> tuple[str, ...]:
    """Write a parcel to a folder, which is made if need be; return the names. The same parcel has the same names.

    Raises `OutputRefused`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputRefused(folder, error.strerror or str(error)) from error
    stem = f"{safe(parcel.battle)}-{safe(parcel.recipient)}-{parcel.messages[0].id:05d}-{parcel.name[:8]}"
    written = {f"{stem}.eml": mail.as_bytes(), f"{stem}.txt": text_of(parcel.messages).encode()}
    if any(each.html for each in parcel.messages):
        written[f"{stem}.html"] = html_of(parcel.messages).encode()
    for name, content in written.items():
        write_file(folder / name, content)
    return tuple(written)


def safe(name: str) -> str:
    """Return a name as part of a file name on any system: plain letters, digits, `_` and `-`.

    >>> safe("../Łódź 1"), safe("")
    ('_d_1', '_')
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40] or "_"
