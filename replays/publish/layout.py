"""A gathered turn as a document: what a reader wants first stands first, and all that is long can be folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.times import rfc3339
from replays.publish.document import Block, Document, Fold, Heading, Item, Items, Mono, Plain, Quote, Says, Table
from replays.publish.order_views import OrderView
from replays.publish.turn import CheckView, Phase, PieceView, Turn


def lay_out(turn: Turn, prose: str = "") -> Document:
    """Lay a turn out. `prose` is the referee's own: it is quoted, so that it cannot pass for the record."""
    return Document(title_of(turn), turn.mark, tuple(_blocks(turn, prose)))


def title_of(turn: Turn) -> str:
    """Return the heading of a turn's post."""
    phase = f", {turn.phase.rpartition('/')[2]}" if turn.phase else ""
    so_far = "" if turn.over else " (so far)"
    return f"{turn.title} — turn {turn.turn}{phase}{so_far}"


def _blocks(turn: Turn, prose: str) -> Iterator[Block]:
    yield Heading(title_of(turn), 1)
    if turn.mark:
        yield Says(turn.mark, strong=True)
    yield Says(f"{' against '.join(turn.sides)}; by {turn.rules}.")
    if prose.strip():
        yield quoted("In the referee's own words:", prose)
    if turn.orders:
        yield Heading("Orders")
        yield _orders(turn.orders)
    for phase in turn.phases:
        yield from _phase(phase)
    if turn.said:
        yield Heading("Said at the table")
        yield Items(tuple(map(Item, turn.said)))
    if turn.pieces or turn.picture:
        yield Heading("How they stand")
        yield _pieces(turn.pieces) if turn.pieces else Mono(turn.picture)
    yield from _outlook(turn)
    yield from _record(turn)


def quoted(by: str, prose: str) -> Quote:
    """Quote somebody's words, line by line; the empty lines round them are left out."""
    return Quote(by, tuple(prose.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")))


def _orders(orders: Sequence[OrderView]) -> Items:
    """The orders side by side, in the order in which they came in."""
    sides = dict.fromkeys(order.seat for order in orders)
    return Items(
        tuple(Item(f"side: {side}", tuple(_order(each) for each in orders if each.seat == side)) for side in sides)
    )


def _order(order: OrderView) -> str:
    return f"{order.text} ({order.note})" if order.note else order.text


def _phase(phase: Phase) -> Iterator[Block]:
    name = phase.name.rpartition("/")[2].replace("_", " ") or "before the first phase"
    yield Heading(name.capitalize())
    if phase.outcomes:
        yield Items(tuple(Item(f"{each.seq} – {each.text}") for each in phase.outcomes))
    else:
        yield Says("Nothing came of it.")
    if phase.checks:
        rolls = "1 roll" if len(phase.checks) == 1 else f"{len(phase.checks)} rolls"
        yield Fold(f"Dice: {name}, {rolls}", (Items(tuple(map(_check, phase.checks))),))


def _check(check: CheckView) -> Item:
    """A roll begins with a word of its own, so that nothing else in a post can pass for one."""
    under = [f"chances before the dice fell: {check.chances}"] if check.chances else []
    under += [check.source] if check.source else []
    return Item(f"roll {check.seq}: {check.line}", tuple(under))


def _pieces(pieces: Sequence[PieceView]) -> Table:
    """All pieces in a table, without columns in which nothing stands."""
    columns = ("name", "side", "state", "place", "faces", "details")
    rows = [(each.name, each.side, each.how, each.place, each.facing, each.details) for each in pieces]
    used = [at for at in range(len(columns)) if any(row[at] for row in rows)]
    return Table(tuple(columns[at] for at in used), tuple(tuple(row[at] for at in used) for row in rows))


def _outlook(turn: Turn) -> Iterator[Plain]:
    if turn.ended:
        yield Says(f"The battle is over: {turn.ended}.", strong=True)
    if turn.open:
        yield Heading("Open")
        yield Items(tuple(map(Item, turn.open)))
    if turn.deadline:
        yield Heading("Next deadline")
        yield Says(turn.deadline, strong=True, due=turn.due)


def _record(turn: Turn) -> Iterator[Plain]:
    yield Heading("Record")
    lines = [f"events {turn.first} to {turn.last} of {turn.battle}, line {turn.line}, up to {rfc3339(turn.at)[:16]}Z"]
    lines.append(f"head digest: {turn.digest or 'not told while orders are secret, for it would help to guess them'}")
    if turn.secret:
        lines.append(f"secret of this turn's dice, to check them by: {turn.secret}")
    yield Items(tuple(map(Item, [*lines, *turn.dice])))
