"""Errata: which turns that were posted a ruling has changed since, how, and which dice did not change.

What was posted is in the record (`table.posted`), on the line that was the battle then; it is laid beside the line that
is the battle now. All of it is made from the copy of the viewer for whom it was posted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events.corrections import Corrected
from events.facts import DiceRolled, Posted
from events.store.log import MAIN, Log
from events.store.record import Line
from projections.fold import Fold
from projections.journal import caption
from projections.viewer import Viewer, read_viewer
from replays.compare import Difference, compare, tell
from replays.lines import adopted, superseded_by
from replays.publish.document import Block, Document, Heading, Item, Items, Says
from replays.publish.document import Fold as Folded
from replays.publish.layout import title_of
from replays.publish.turn import PieceView, Turn, gather_seen
from replays.seek import Frame, PointUnknown, common_root, state_at, steps
from replays.seen import seen_by


class Erratum(Struct, frozen=True, gc=False):
    """What has become of a post: `was` as it was posted, `now` as it stands, missing if the turn was taken back.

    `rows` tell only what differs. `kept` are the rolls that show the same dice as before, in words; `thrown` those that
    show others.
    """

    posted: Posted
    rulings: tuple[str, ...]
    was: Turn
    now: Turn | None
    rows: tuple[Difference, ...]
    kept: tuple[str, ...]
    thrown: tuple[str, ...]


def battle_lines(log: Log, battle: str) -> list[Line]:
    """Return the lines that were the battle one after the other; the last one is it now."""
    lines = [log.line(battle, MAIN)]
    while by := superseded_by(log, lines[-1]):
        lines.append(log.line(battle, by))
    return lines


def posted_turns(log: Log, fold: Fold, battle: str) -> list[tuple[Line, Posted]]:
    """Return the last post of each turn on each board for each viewer, with the line that it was made from."""
    found: dict[tuple[int, str, str, str], tuple[Line, Posted]] = {}
    for line in battle_lines(log, battle):
        for each in state_at(log, fold, line, log.head(line).seq).table.posted:
            key = (each.turn, each.phase, each.board, each.viewer)
            if key not in found or found[key][1] != each:
                found[key] = (line, each)
    return [found[key] for key in sorted(found)]


def errata(log: Log, fold: Fold, battle: str) -> list[Erratum]:
    """Return what is to be posted anew, by turn. Cost: a copy of the battle for each viewer, the turns concerned."""
    line = adopted(log, battle)
    seats = [seat.id for seat in state_at(log, fold, line, log.head(line).seq).table.seats]
    copies: dict[str, Log] = {}
    found = []
    for old, posted in posted_turns(log, fold, battle):
        viewer = read_viewer(posted.viewer, seats)
        if posted.viewer not in copies:
            copies[posted.viewer] = seen_by(log, fold, battle, viewer)
        erratum = _erratum(log, copies[posted.viewer], fold, old, posted, viewer)
        if erratum is not None:
            found.append(erratum)
    return found


def _erratum(log: Log, seen: Log, fold: Fold, old: Line, posted: Posted, viewer: Viewer) -> Erratum | None:
    """Lay one post beside the battle as it is now; None if what was posted stands."""
    new = adopted(seen, old.battle)
    if new.name == old.name or posted.seq <= common_root(log, old, new):
        return None
    try:
        was = gather_seen(log, seen, fold, old, posted.turn, viewer, posted.phase, posted.seq)
    except PointUnknown:
        return None  # what this viewer sees with a delay is not as far as that
    try:
        now = gather_seen(log, seen, fold, new, posted.turn, viewer, posted.phase)
    except PointUnknown:
        now = None
    ways = [list(steps(seen, fold, line, turn.first - 1, turn.last)) for line, turn in ((old, was), (new, now)) if turn]
    ways.append([])  # nothing is left of a turn that was taken back
    rows = tuple(row for row in compare(tell(fold, ways[0]), tell(fold, ways[1])) if row.what != "same")
    if not rows and now is not None:
        return None
    dice = _dice(ways[0]), _dice(ways[1])
    kept = tuple(words for key, words in dice[1].items() if dice[0].get(key) == words)
    thrown = tuple(words for key, words in dice[1].items() if key in dice[0] and dice[0][key] != words)
    return Erratum(posted, tuple(_rulings(seen, fold, old)), was, now, rows, kept, thrown)


def _dice(way: Sequence[Frame]) -> dict[str, str]:
    """Each roll of a stretch by its key: what for, and its faces."""
    found = {}
    for step in way:
        if isinstance(step.event, DiceRolled):
            call = step.before.table.called.get(step.event.key)
            faces = ", ".join(map(str, step.event.faces))
            found[step.event.key] = f"{call.purpose if call is not None else step.event.key}: {faces}"
    return found


def _rulings(seen: Log, fold: Fold, old: Line) -> Iterator[str]:
    """Tell the rulings that were made since a line was the battle."""
    lines = battle_lines(seen, old.battle)
    for line in lines[[each.name for each in lines].index(old.name) + 1 :]:
        for step in steps(seen, fold, line, line.after, line.after + 1):
            if isinstance(step.event, Corrected):
                yield caption(fold, step.event, step.before)


# ---------------------------------------------------------------------------------------------------- laid out


def lay_out_erratum(erratum: Erratum) -> Document:
    """Lay an erratum out: what was ruled, what differs, which dice stand, what that does to the pieces."""
    title = f"Erratum: {title_of(erratum.now or erratum.was)}"
    return Document(title, "", tuple(_blocks(erratum, title)))


def _blocks(erratum: Erratum, title: str) -> Iterator[Block]:
    posted = erratum.posted
    yield Heading(title, 1)
    digest = f", head digest {posted.head[:16]}…" if posted.head else ""
    yield Says(f"This puts right what was posted as of event {posted.seq}{digest}.")
    if erratum.rulings:
        yield Items(tuple(map(Item, erratum.rulings)))
    if erratum.now is None:
        yield Says("The turn has been taken back: it has not been played any more.", strong=True)
    if erratum.rows:
        yield Heading("What changed")
        yield Items(tuple(item for row in erratum.rows for item in _row(row)))
    yield Heading("Dice")
    yield Says(_dice_told(erratum))
    if erratum.thrown:
        yield Items(tuple(map(Item, erratum.thrown)))
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
    kept, thrown = len(erratum.kept), len(erratum.thrown)
    if not kept and not thrown:
        return "No roll of this turn was called again."
    if not thrown:
        return f"No die was thrown anew: {_rolls(kept)} the same faces as before."
    return f"{_rolls(kept)} the same faces as before; {thrown} now {'shows' if thrown == 1 else 'show'} others:"


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
