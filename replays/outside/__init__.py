"""Outside dice: logs of forums, chats and dice servers, read as entries of the ledger.

What a log says is kept as it stands, with its raw text, its place and the version of the reader. Three grades of
certainty: the dice are known, only the total is, or the text can be read in more ways than one. Sums are checked and
never mended. A label or a line that somebody typed is words, however much it looks like a roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from projections.dice.ledger import Entry
from replays.outside import avrae, boards, marti, random_org, roll20, tables, tangled_web, vassal
from replays.outside.edits import mark_versions
from replays.outside.found import Finding, Found, OutsideLog
from replays.outside.names import nearest, read_aliases, who_is
from replays.outside.source import Desk, OutsideUnreadable, Reader, read_text
from replays.outside.times import find_zone
from replays.outside.weigh import Scales

__all__ = ["FORMATS", "Finding", "OutsideLog", "Reader", "read_outside"]

FORMATS: Final[Mapping[str, Reader]] = {
    reader.name: reader
    for module in (roll20, boards, tangled_web, avrae, vassal, marti, random_org, tables)
    for reader in module.READERS
}
"""Every format that can be read, by the name that is typed."""


def read_outside(
    path: Path,
    format: str,  # noqa: A002
    zone: str | None = None,
    aliases: Path | None = None,
    template: str | None = None,
) -> OutsideLog:
    """Read one log of outside dice.

    `zone` is needed if the log has times without one, `template` if the format says so (see `Reader.template`).
    Raises `OutsideUnreadable` if the file, or what was said about it, cannot be used at all; a single roll that cannot
    be read, or does not add up, is a finding. Cost: linear in the length of the file, but for run-together digits.
    """
    reader = FORMATS.get(format)
    if reader is None:
        raise OutsideUnreadable(str(path), 0, f"no format {format[:40]!r}: known are {', '.join(FORMATS)}")
    try:
        place = find_zone(zone) if zone else None
    except ValueError as error:
        raise OutsideUnreadable(str(path), 0, str(error)) from error
    persons = read_aliases(aliases) if aliases else {}
    text = read_text(path)
    desk = Desk(text.path, place, template or "")
    scales = Scales(text.path, f"{reader.name} reader {reader.version}")
    names = _Names(desk, persons)
    rolls: list[tuple[str, int, Entry, int]] = []
    counts: dict[tuple[str, int], int] = {}
    posts: dict[str, str] = {}
    for found in reader.read(text, desk):
        if found.words:
            desk.note(found.line, "words/roll", f"this looks like a roll, but {found.words}: not counted")
            continue
        key, copy = (found.post.key, found.post.copy) if found.post.key else _own_key(desk, found)
        if found.key and posts.setdefault(found.key, key) != key:
            desk.note(found.line, "roll/again", f"{found.key} stands in post {posts[found.key]} too")
        entry = scales.weigh(_keyed(found, counts), names.person(found))
        rolls.append((key, copy, entry, found.line))
    entries, versions = mark_versions(text.path, rolls, desk.copies)
    if not entries and not desk.findings:
        raise OutsideUnreadable(text.path, 0, f"no roll in it: {reader.title} writes rolls as {reader.example}")
    findings = sorted([*desk.findings, *scales.findings, *versions], key=lambda finding: finding.line)
    return OutsideLog(
        text.path, text.digest, reader.name, reader.version, reader.trust, tuple(entries), tuple(findings)
    )


def _own_key(desk: Desk, found: Found) -> tuple[str, int]:
    """Count how often a roll with a key of its own came, in a log that has no posts."""
    if not found.key:
        return "", 0
    return found.key, desk.post(found.key, "", None).copy


def _keyed(found: Found, counts: dict[tuple[str, int], int]) -> Found:
    """Number the rolls of a post, so that each has a key of its own."""
    from msgspec.structs import replace

    if found.key or not found.post.key:
        return found
    post = (found.post.key, found.post.copy)
    counts[post] = counts.get(post, 0) + 1
    return replace(found, key=f"{found.post.key}#{counts[post]}")


class _Names:
    """Finds the person behind each name, and reports a name that the aliases leave out once."""

    def __init__(self, desk: Desk, persons: Mapping[str, str]) -> None:
        self.desk, self.persons = desk, persons
        self.missed: set[str] = set()

    def person(self, found: Found) -> str:
        name = found.post.who
        if not self.persons or not name:
            return name
        person = who_is(name, self.persons)
        if person is None and name not in self.missed:
            self.missed.add(name)
            hint = nearest(name, self.persons)
            self.desk.note(found.line, "name/unknown", f"the aliases do not tell who {name[:60]!r} is{hint}")
        return name if person is None else person
