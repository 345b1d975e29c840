"""The verb post: turns for the boards of their readers, and errata."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from engine.cli.acting import door_to
from engine.cli.common import db_option, json_option, line_option, open_log, read_all
from engine.cli.mail import recipients_option
from engine.cli.outside_text import Outlet

if TYPE_CHECKING:
    from engine.delivery.recipients import Recipient, Recipients
    from events.store.log import Log
    from replays.publish.dialect import Dialect
    from replays.publish.document import Document
    from replays.publish.turn import Turn
    from replays.view import View

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
@recipients_option
@line_option
@json_option
@db_option
def post(
    battle: str, boards: tuple[str, ...], list_boards: bool, wants_errata: bool, recipients: Path | None, db: str,
    **asked: Any,
) -> None:  # fmt: skip
    """Write a turn for a board, in parts where it is too long, and remember that it was posted.

    Everybody may read it: for the eyes of one side, use --as. With --errata, every turn that a ruling has changed since
    it was posted is told again for the board that it was posted to. With --to, in place of --for, it goes to everybody
    in the file of recipients, to each as he may see it.
    """
    from replays.publish.dialect import find_board

    if list_boards:
        _list_boards()
        return
    if not boards and recipients is None and not wants_errata:
        raise click.UsageError("say for which board: --for phpbb, discord, mail …; --boards lists them")
    book = read_book(recipients) if recipients is not None and not boards else None
    asked["battle"] = battle
    dialects = {name: find_board(name, asked["limit"]) for name in boards}
    outlet = Outlet(asked["as_json"], asked["out"], asked["narrow"], several=len(boards) > 1 or wants_errata)
    with open_log(db, write=not asked["preview"]) as log:
        if wants_errata:
            _post_errata(log, battle, dialects, outlet, book, asked)
        elif book is not None:
            _send_turn(log, battle, book, asked)
        else:
            _post_turn(log, battle, dialects, outlet, asked)
    outlet.close()


def _post_turn(log: Log, battle: str, dialects: dict[str, Dialect], outlet: Outlet, asked: dict[str, Any]) -> None:
    from replays.publish.layout import lay_out
    from replays.view import open_view

    view = open_view(log, battle, asked["line"], asked["who"])
    turn = _gathered(view, asked["turn"], asked["phase"])
    prose: IO[str] | None = asked["prose"]
    document = lay_out(turn, read_all(prose) if prose is not None else "")
    if asked["picture"]:
        _draw(view, turn, asked["picture"])
    for name, dialect in dialects.items():
        outlet.put(name, dialect, document, turn)
        _remember(log, name, turn, asked["preview"])


def read_book(path: Path) -> Recipients:
    """Read the file of recipients. Raises `RecipientsInvalid`."""
    from engine.delivery.recipients import read_recipients

    return read_recipients(path)


def _send_turn(log: Log, battle: str, book: Recipients, asked: dict[str, Any]) -> None:
    """Put a turn into the outbox for everybody in the file of recipients, to each as they may see it."""
    from replays.publish.layout import lay_out
    from replays.view import open_view

    prose: IO[str] | None = asked["prose"]
    words, new = read_all(prose) if prose is not None else "", 0
    for name, recipient in book.of(battle):
        turn = _gathered(open_view(log, battle, asked["line"], recipient.viewer), asked["turn"], asked["phase"])
        if not asked["preview"]:
            new += _send(log, name, recipient, lay_out(turn, words), f"turn/{_key(turn)}", asked)
        _remember(log, recipient.dialect, turn, asked["preview"])
    click.echo(f"{new} messages are in the outbox: `wardiary deliver` sends them")


def _key(turn: Turn) -> str:
    return f"{turn.turn}/{turn.phase}/{turn.line}/{turn.last}"


def _send(
    log: Log, name: str, recipient: Recipient, document: Document, key: str, asked: dict[str, Any]
) -> bool:  # fmt: skip
    """Put a document into the outbox, once for each key; tell whether it is new there."""
    from engine.clock import now
    from engine.delivery.outbox import enqueue, write_letter

    letter = write_letter(document, recipient, key, asked["limit"], narrow=asked["narrow"])
    return enqueue(log, asked["battle"], name, letter, now())


def _list_boards() -> None:
    from replays.publish.dialect import board, board_names

    for name in board_names():
        found = board(name)
        limit = f"{found.limit} {found.unit}" if found.limit else "no limit"
        click.echo(f"{name:12} {limit:18} {found.about}")


def _gathered(view: View, number: int | None, phase: str) -> Turn:
    """Gather the turn that is asked for, or the last that is over as far as the viewer sees, or else the first."""
    from replays.publish.turn import gather, gather_last, with_outlook

    return with_outlook(gather_last(view, phase) if number is None else gather(view, number, phase), view)


def _draw(view: View, turn: Turn, path: Path) -> None:
    from engine.cli.pictures import write_field

    png = path.suffix.lower() == ".png"
    write_field(view, turn.last, None if png else path, path if png else None)


def _remember(log: Log, board: str, turn: Turn, preview: bool) -> None:
    """Record that a turn was posted, once for what was posted; nothing for a line that is not the battle."""
    from engine.errors import BattleClosed
    from engine.rules.errors import EditionMissing
    from events.commands import MarkPosted
    from events.facts import Posted
    from replays.publish.errata import posted_turns
    from replays.view import open_view

    if preview or turn.mark:
        return
    door = door_to(log)
    fact = Posted(turn.turn, board, turn.viewer, turn.last, turn.digest, turn.phase)
    if any(posted == fact for _, posted in posted_turns(open_view(log, turn.battle))):
        return
    try:
        door.execute(
            MarkPosted(
                battle=turn.battle, line=turn.line, turn=turn.turn, board=board, viewer=turn.viewer, seq=turn.last,
                head=turn.digest, phase=turn.phase,
            )
        )  # fmt: skip
    except (BattleClosed, EditionMissing) as error:
        click.echo(f"wardiary: not remembered as posted: {error}", err=True)


def _post_errata(
    log: Log, battle: str, dialects: dict[str, Dialect], outlet: Outlet, book: Recipients | None,
    asked: dict[str, Any],
) -> None:  # fmt: skip
    """Post again what has changed: the erratum, then the turn as it stands."""
    from replays.publish.dialect import find_board
    from replays.publish.errata import errata, lay_out_erratum
    from replays.publish.layout import lay_out
    from replays.view import open_view

    found = [each for each in errata(open_view(log, battle)) if not dialects or each.posted.board in dialects]
    for each in found:
        name, number = each.posted.board, each.posted.turn
        dialect = dialects.get(name) or find_board(name, asked["limit"])
        told = [(lay_out_erratum(each), f"erratum-t{number}", each.now or each.was)]
        told += [(lay_out(each.now), f"t{number}", each.now)] if each.now is not None else []
        outlet.say(f"== turn {number} for {each.posted.viewer}, {name} ==")
        for document, what, turn in told:
            outlet.say("")
            outlet.put(name, dialect, document, turn, what)
            for to, recipient in book.of(battle, each.posted.viewer) if book is not None else []:
                if recipient.dialect == name and not asked["preview"]:
                    _send(log, to, recipient, document, f"{what}/{_key(turn)}", asked)
        if each.now is not None:
            _remember(log, name, each.now, asked["preview"])
    if not found:
        outlet.say("nothing that was posted has changed")
