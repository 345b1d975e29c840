"""Posts that come twice: the same again is counted once, a changed one is not counted until somebody decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, zip_longest

import msgspec

from projections.dice.ledger import Entry
from replays.outside.found import Finding

EDITED = "edited after roll: an earlier version of this post tells another roll"
BEFORE_EDIT = "a later version of this post tells another roll"


def mark_versions(
    path: str, rolls: Iterable[tuple[str, int, Entry, int]], copies: Mapping[str, int]
) -> tuple[list[Entry], list[Finding]]:
    """Compare the versions of each post. Takes key of the post, version (from 0), entry and line, in order.

    `copies` tells how often each post comes, as a version may have lost all its rolls.

    A roll that a later version repeats is left out there, as it was thrown once. One that differs between versions, or
    is missing from one, becomes ambiguous with a remark, so that no statistics use it.
    """
    listed = list(rolls)
    entries: list[Entry | None] = [entry for _, _, entry, _ in listed]
    posts: dict[str, dict[int, list[int]]] = {}
    for place, (key, version, _, _) in enumerate(listed):
        if key:
            versions = posts.setdefault(key, {number: [] for number in range(copies.get(key, 0))})
            versions.setdefault(version, []).append(place)
    findings = []
    for key, versions in posts.items():
        numbers = sorted(versions)
        seen = [listed[place][2] for place in versions[numbers[0]]]
        for before, after in pairwise(numbers):
            edited = _compare(entries, seen, versions[before], versions[after])
            seen = [listed[place][2] for place in versions[after]]
            rolled = versions[after] or versions[before]
            if not rolled:
                continue
            line = listed[rolled[0]][3]
            code, told = ("post/edited", f"edited after roll ({edited})") if edited else ("post/again", "counted once")
            findings.append(Finding(path, line, code, f"post {key} comes again: {told}"))
    return [entry for entry in entries if entry is not None], findings


def _compare(entries: list[Entry | None], seen: Sequence[Entry], before: Sequence[int], after: Sequence[int]) -> str:
    """Mark the rolls of two versions of a post; return what changed, or nothing. `seen` is the earlier one unmarked."""
    changes = []
    for place, (old, new) in enumerate(zip_longest(before, after)):
        now = None if new is None else entries[new]
        then = seen[place] if place < len(seen) else None
        if new is not None and now is not None and then is not None and _same(then, now):
            entries[new] = None
            continue
        told = [_told(each) for each in (then, now)]
        changes.append(" became ".join(told) if told[0] != told[1] else f"{told[0]} has other faces or another roller")
        _disputed(entries, old, BEFORE_EDIT)
        _disputed(entries, new, EDITED)
    return "; ".join(changes[:3]) + (f"; {len(changes) - 3} more" if len(changes) > 3 else "")


def _disputed(entries: list[Entry | None], place: int | None, remark: str) -> None:
    entry = None if place is None else entries[place]
    if entry is None or place is None:
        return
    remarks = entry.remarks if remark in entry.remarks else (*entry.remarks, remark)
    entries[place] = msgspec.structs.replace(entry, certainty="ambiguous", remarks=remarks)


def _same(one: Entry, other: Entry) -> bool:
    return (one.seat, one.purpose, one.notation, one.faces, one.kept, one.total) == (
        other.seat,
        other.purpose,
        other.notation,
        other.faces,
        other.kept,
        other.total,
    )


def _told(entry: Entry | None) -> str:
    if entry is None:
        return "no roll"
    total = "?" if entry.total is None else entry.total
    return f"{entry.purpose[:40]} {entry.notation[:40]} = {total}".strip()
