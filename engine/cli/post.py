"""The verb post: turns for the boards of their readers, and errata."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from engine.cli.common import db_option, emit, json_option, line_option, looked_at, open_battle, open_log

if TYPE_CHECKING:
    from events.log import Log
    from events.record import Line
    from events.sqlite import SqliteLog
    from projections.fold import Fold
    from projections.viewer import Viewer
    from replays.posting.dialect import Dialect
    from replays.posting.document import Document
    from replays.posting.turn import Turn

_EVERYBODY = "spectator"


@click.command()
@click.argument("battle")
@click.option("--turn", type=click.IntRange(min=1), help="Which turn; without it, the last one that is over.")
@click.option("--phase", default="", metavar="NAME", help="Only this phase of it, such as missile.")
@click.option("--for", "boards", multiple=True, metavar="BOARD", help="phpbb, discord, mail … (--boards), or a file.")
@click.option("--as", "who", default=_EVERYBODY, metavar="VIEWER", help="A seat, referee, spectator, commentator.")
@click.option("--prose", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE|-", help="Your own words.")
@click.option("--narrow", is_flag=True, help="No line over 40 columns; tables as name: value.")
@click.option("--limit", type=click.IntRange(min=0), help="The longest post, if the board's is not the usual; 0: none.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write it to a file.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the field, too.")
@click.option("--errata", "wants_errata", is_flag=True, help="What rulings have changed in turns that were posted.")
@click.option("--preview", is_flag=True, help="Only look: do not remember that it was posted.")
@click.option("--boards", "list_boards", is_flag=True, help="List the boards and their limits.")
@line_option
@json_option
@db_option
def post(battle: str, boards: tuple[str, ...], list_boards: bool, wants_errata: bool, db: str, **asked: Any) -> None:
    """Write a turn for a board, in parts where it is too long, and remember that it was posted.

    Everybody may read it: for the eyes of one side, use --as. With --errata, every turn that a ruling has changed since
    it was posted is told again for the board that it was posted to.
    """
    from replays.posting.dialect import find_board

    if list_boards:
        _list_boards()
        return
    if not boards and not wants_errata:
        raise click.UsageError("say for which board: --for phpbb, discord, mail …; --boards lists them")
    dialects = {name: find_board(name, asked["limit"]) for name in boards}
    outlet = _Outlet(asked["as_json"], asked["out"], asked["narrow"], several=len(boards) > 1 or wants_errata)
    with open_log(db, write=not asked["preview"]) as log:
        fold, line = looked_at(log, battle, asked["line"])
        if wants_errata:
            _post_errata(log, fold, battle, dialects, outlet, asked)
        else:
            _post_turn(log, fold, line, dialects, outlet, asked)
    outlet.close()


def _post_turn(
    log: SqliteLog, fold: Fold, line: Line, dialects: dict[str, Dialect], outlet: _Outlet, asked: dict[str, Any]
) -> None:
    from replays.posting.layout import lay_out

    viewer = read_viewer_of(log, fold, line, asked["who"])
    turn = _gathered(log, fold, line, viewer, asked["turn"], asked["phase"])
    prose: IO[str] | None = asked["prose"]
    document = lay_out(turn, prose.read() if prose is not None else "")
    if asked["picture"]:
        _draw(log, fold, line, viewer, turn, asked["picture"])
    for name, dialect in dialects.items():
        outlet.put(name, dialect, document, turn)
        _remember(log, line, name, turn, asked["preview"])


def _list_boards() -> None:
    from replays.posting.dialect import board, board_names

    for name in board_names():
        found = board(name)
        limit = f"{found.limit} {found.unit}" if found.limit else "no limit"
        click.echo(f"{name:12} {limit:18} {found.about}")


def read_viewer_of(log: SqliteLog, fold: Fold, line: Line, who: str) -> Viewer:
    """Read a viewer as it is typed, for the seats of a battle. Raises `ViewerUnknown`."""
    from projections.viewer import read_viewer
    from replays.seek import state_at

    return read_viewer(who, [seat.id for seat in state_at(log, fold, line, log.head(line).seq).table.seats])


def _gathered(log: Log, fold: Fold, line: Line, viewer: Viewer, number: int | None, phase: str) -> Turn:
    """Gather the turn that is asked for, or the last that is over as far as the viewer sees, or else the first."""
    from replays.posting.turn import gather_seen, turns_of
    from replays.seen import seen_by

    seen = seen_by(log, fold, line.battle, viewer)
    if number is not None:
        return gather_seen(log, seen, fold, line, number, viewer, phase)
    turns = turns_of(seen, seen.line(line.battle, line.name)) or [1]
    last = gather_seen(log, seen, fold, line, turns[-1], viewer, phase)
    return last if last.over or len(turns) == 1 else gather_seen(log, seen, fold, line, turns[-2], viewer, phase)


def _draw(log: Log, fold: Fold, line: Line, viewer: Viewer, turn: Turn, path: Path) -> None:
    from engine.cli.drawn import write_field
    from replays.seek import state_at
    from replays.seen import seen_by

    seen = seen_by(log, fold, line.battle, viewer)
    state = state_at(seen, fold, seen.line(line.battle, line.name), turn.last)
    png = path.suffix.lower() == ".png"
    write_field(fold, state, turn.mark, None if png else path, path if png else None)


def _remember(log: SqliteLog, line: Line, board: str, turn: Turn, preview: bool) -> None:
    """Record that a turn was posted, once for what was posted; nothing for a line that is not the battle."""
    from events.errors import BattleClosed, EditionMissing
    from events.facts import Posted
    from projections.table import REFEREE

    if preview or turn.mark:
        return
    table = open_battle(log, line.battle, line.name)
    fact = Posted(turn.turn, board, turn.viewer, turn.last, turn.digest, turn.phase)
    if fact in table.state.table.posted:
        return
    try:
        table.say(REFEREE, f"posted {fact}", fact)
    except (BattleClosed, EditionMissing) as error:
        click.echo(f"wardiary: not remembered as posted: {error}", err=True)


def _post_errata(
    log: SqliteLog, fold: Fold, battle: str, dialects: dict[str, Dialect], outlet: _Outlet, asked: dict[str, Any]
) -> None:
    """Post anew what has changed: the erratum, then the turn as it stands."""
    from replays.lines import adopted
    from replays.posting.dialect import find_board
    from replays.posting.errata import errata, lay_out_erratum
    from replays.posting.layout import lay_out

    found = [each for each in errata(log, fold, battle) if not dialects or each.posted.board in dialects]
    for each in found:
        name = each.posted.board
        dialect = dialects.get(name) or find_board(name, asked["limit"])
        outlet.say(f"== turn {each.posted.turn} for {each.posted.viewer}, {name} ==\n")
        outlet.put(name, dialect, lay_out_erratum(each), each.now or each.was, f"erratum-t{each.posted.turn}")
        if each.now is not None:
            outlet.say("")
            outlet.put(name, dialect, lay_out(each.now), each.now, f"t{each.posted.turn}")
            _remember(log, adopted(log, battle), name, each.now, asked["preview"])
    if not found:
        outlet.say("nothing that was posted has changed")


class _Outlet:
    """Where posts go: to the terminal, to files, or as one JSON document."""

    def __init__(self, as_json: bool, out: Path | None, narrow: bool, *, several: bool) -> None:
        self.as_json = as_json
        self.out = out
        self.narrow = narrow
        self.several = several
        self.told: list[dict[str, Any]] = []

    def say(self, text: str) -> None:
        """Say something between posts, where a person reads along."""
        if not self.as_json:
            click.echo(text)

    def put(self, name: str, dialect: Dialect, document: Document, turn: Turn, what: str = "") -> None:
        """Write a document for a board."""
        import msgspec

        from replays.posting.split import posts

        parts = posts(document, dialect, narrow=self.narrow)
        if self.as_json:
            posted = {"board": name, "what": what or f"t{turn.turn}", "viewer": turn.viewer, "parts": parts}
            self.told.append({**posted, "turn": msgspec.to_builtins(turn)})
        elif self.out is not None:
            told = [what, Path(name).stem] if self.several else []
            self.write(self.out.with_stem("-".join([self.out.stem, *filter(None, told)])), parts)
        else:
            self.print(dialect, parts)

    def print(self, dialect: Dialect, parts: Sequence[str]) -> None:
        """Print the parts of a post, with a line to cut along where there are several."""
        for at, part in enumerate(parts, 1):
            if len(parts) > 1:
                click.echo(f"8< -- part {at} of {len(parts)} -- {dialect.size(part)} {dialect.unit} -- >8")
            click.echo(part)

    def write(self, path: Path, parts: Sequence[str]) -> None:
        """Write a file, or a numbered one for each part."""
        from engine.cli.drawn import write_whole

        for at, part in enumerate(parts, 1):
            place = path if len(parts) == 1 else path.with_stem(f"{path.stem}-{at}")
            write_whole(place, f"{part}\n".encode())
            click.echo(f"{place}: part {at} of {len(parts)}")

    def close(self) -> None:
        """Print what was gathered as JSON."""
        if self.as_json:
            emit(self.told)
