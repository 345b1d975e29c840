"""Errata: which turns that were posted a ruling has changed since, how, and which dice did not change.

What was posted is in the record, on the line that was the battle then; it is compared with the line that is the battle
now. All of it is made from the view of the viewer for whom it was posted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events.corrections import Corrected
from events.facts import DiceRolled, Posted
from projections.viewer import read_viewer
from replays.compare import Difference, compare, tell
from replays.points import PointUnknown
from replays.publish.document import Block, Document, Heading, Item, Items, Says
from replays.publish.document import Fold as Folded
from replays.publish.layout import title_of
from replays.publish.turn import PieceView, Turn, gather, with_outlook
from replays.seek import Frame
from replays.view import View


class Erratum(Struct, frozen=True, gc=False):
    """What has become of a post: `was` as it was posted, `now` as it stands, missing if the turn was taken back.

    `rows` tell only what differs. Rolls in words: `kept` show the same dice as before, `changed` others, `new` were
    not there before.
    """

    posted: Posted
    rulings: tuple[str, ...]
    was: Turn
    now: Turn | None
    rows: tuple[Difference, ...]
    kept: tuple[str, ...]
    changed: tuple[str, ...]
    new: tuple[str, ...]


def posted_turns(view: View) -> list[tuple[str, Posted]]:
    """Return the last post of each turn on each board for each viewer, with the line that it was made from.

    Cost: one reading of the lines that were the battle.
    """
    found: dict[tuple[int, str, str, str], tuple[str, Posted]] = {}
    for line in view.successive():
        for record, each in line.events(Posted, after=line.own_after):
            if not line.own_after or record.at > line.opened_at:  # a correction repeats the marks that it takes along
                found[each.turn, each.phase, each.board, each.viewer] = (line.name, each)
    return [found[key] for key in sorted(found)]


def errata(record: View) -> list[Erratum]:
    """Return what is to be posted again, by turn; `record` is the referee's view.

    Cost: a view of the battle for each viewer, and the turns concerned.
    """
    seats = [seat.id for seat in record.opening.seats]
    views: dict[str, View] = {}
    found = []
    for line, posted in posted_turns(record):
        if posted.viewer not in views:
            views[posted.viewer] = record.seen_by(read_viewer(posted.viewer, seats))
        erratum = _erratum(views[posted.viewer], line, posted)
        if erratum is not None:
            found.append(erratum)
    return found


def _erratum(view: View, line: str, posted: Posted) -> Erratum | None:
    """Compare one post with the battle as it is now; None if what was posted stands."""
    old, new = view.on(line), view.now()
    if new.name == old.name or posted.seq <= new.root(old):
        return None
    try:
        was = gather(old, posted.turn, posted.phase, posted.seq)
    except PointUnknown:
        return None  # what this viewer sees with a delay is not as far as that
    try:
        now = gather(new, posted.turn, posted.phase)
    except PointUnknown:
        now = None
    before = list(old.frames(was.first - 1, was.last))
    after = list(new.frames(now.first - 1, now.last)) if now is not None else []
    rows = tuple(row for row in compare(tell(view.fold, before), tell(view.fold, after)) if row.what != "same")
    if not rows and now is not None:
        return None
    rolled, again = _dice(before), _dice(after)
    return Erratum(
        posted,
        tuple(_rulings(old)),
        was,
        with_outlook(now, new) if now is not None else None,
        rows,
        tuple(words for key, words in again.items() if rolled.get(key) == words),
        tuple(words for key, words in again.items() if rolled.get(key, words) != words),
        tuple(words for key, words in again.items() if key not in rolled),
    )


def _dice(way: Sequence[Frame]) -> dict[str, str]:
    """Each roll of a stretch by its key: what for, and its faces."""
    found = {}
    for step in way:
        if isinstance(step.event, DiceRolled):
            call = step.before.table.called.get(step.event.key)
            faces = ", ".join(map(str, step.event.faces))
            found[step.event.key] = f"{call.purpose if call is not None else step.event.key}: {faces}"
    return found


def _rulings(old: View) -> Iterator[str]:
    """Tell the rulings that were made since a line was the battle."""
    lines = old.successive()
    for line in lines[[each.name for each in lines].index(old.name) + 1 :]:
        for step in line.frames(line.own_after, line.own_after + 1):
            if isinstance(step.event, Corrected):
                yield line.caption(step)


# ---------------------------------------------------------------------------------------------------- laid out


def lay_out_erratum(erratum: Erratum) -> Document:
    """Lay an erratum out: what was ruled, what differs, which dice stand, what that does to the pieces."""
    title = f"Erratum: {title_of(erratum.now or erratum.was)}"
    return Document(title, "", tuple(_blocks(erratum, title)))


def _blocks(erratum: Erratum, title: str) -> Iterator[Block]:
    posted = erratum.posted
    yield Heading(title, 1)
    digest = f", head digest {posted.head[:16]}…" if posted.head else ""
    yield Says(f"This corrects what was posted as of event {posted.seq}{digest}.")
    if erratum.rulings:
        yield Items(tuple(map(Item, erratum.rulings)))
    if erratum.now is None:
        yield Says("The turn has been taken back.", strong=True)
    if erratum.rows:
        yield Heading("What changed")
        yield Items(tuple(item for row in erratum.rows for item in _row(row)))
    yield Heading("Dice")
    yield Says(_dice_told(erratum))
    if erratum.changed or erratum.new:
        yield Items(tuple(map(Item, (*erratum.changed, *erratum.new))))
    if erratum.kept:
        yield Folded("The dice that did not change", (Items(tuple(map(Item, erratum.kept))),))
    pieces = tuple(_pieces(erratum.was.pieces, erratum.now.pieces)) if erratum.now is not None else ()
    if pieces:
        yield Heading("Pieces")
        yield Items(tuple(map(Item, pieces)))
    if erratum.now is not None and erratum.now.digest:
        yield Says(f"Now as of event {erratum.now.last}, head digest {erratum.now.digest}.")


def _row(row: Difference) -> Iterator[Item]:
    match row.what:
        case "different" if row.old is not None and row.new is not None:
            yield Item(f"was: {row.old.caption}", (f"now: {row.new.caption}",))
        case "gone" if row.old is not None:
            yield Item(f"gone: {row.old.caption}")
        case "new" if row.new is not None:
            yield Item(f"new: {row.new.caption}")


def _dice_told(erratum: Erratum) -> str:
    """Count the rolls of the turn: those that show the same faces, others, and those that are new."""
    kept, changed, new = len(erratum.kept), len(erratum.changed), len(erratum.new)
    if not kept and not changed and not new:
        return "No roll of this turn was called again."
    if not changed and not new:
        return f"No die was rolled again: {_rolls(kept)} the same faces as before."
    parts = [f"{_rolls(kept)} the same faces as before"] if kept else []
    parts += [f"{_rolls(changed)} other faces"] if changed else []
    parts += [f"{new} roll{'s are' if new > 1 else ' is'} new"] if new else []
    return f"{'; '.join(parts)}:"


def _rolls(number: int) -> str:
    return f"{number} roll shows" if number == 1 else f"{number} rolls show"


def _pieces(was: Sequence[PieceView], now: Sequence[PieceView]) -> Iterator[str]:
    """Tell what differs in how the pieces stand, piece by piece."""
    before = {(each.side, each.name): each for each in was}
    for each in now:
        old = before.pop((each.side, each.name), None)
        if old is None:
            yield f"name: {each.name}; new"
            continue
        fields = ("how", "place", "facing", "details")
        parts = [f"{getattr(old, f)} → {getattr(each, f)}" for f in fields if getattr(old, f) != getattr(each, f)]
        if parts:
            yield f"name: {each.name}; {'; '.join(parts)}"
    yield from (f"name: {each.name}; gone" for each in before.values())
