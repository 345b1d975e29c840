"""The verb `replay`: step through a battle on the terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from engine.cli.common import db_option, json_option, line_option, looked_at, open_log

if TYPE_CHECKING:
    from events.record import Line
    from events.sqlite import SqliteLog
    from projections.fold import Fold

_HELP = "Enter next · b back · f field · a point such as 42, t3, t3/move jumps · q quit"


@click.command()
@click.argument("battle")
@click.option("--from", "start", default="0", metavar="POINT", help="Begin after this point.")
@click.option("--speed", type=click.FloatRange(min=0.1, max=1000), help="Go on by itself, so many events a second.")
@line_option
@json_option
@db_option
def replay(battle: str, start: str, speed: float | None, line: str, as_json: bool, db: str) -> None:
    """Step through a battle: forwards, backwards, to any point. Without a terminal, everything is told in a row."""
    from replays.seek import find_point

    with open_log(db) as log:
        fold, where = looked_at(log, battle, line)
        first = find_point(log, where, start)
        if as_json:
            _tell_json(log, fold, where, first)
        elif speed is not None or not sys.stdin.isatty():
            _tell_all(log, fold, where, first, speed)
        else:
            Stepper(log, fold, where, first).run()


def _tell_all(log: SqliteLog, fold: Fold, line: Line, first: int, speed: float | None) -> None:
    from projections.journal import caption
    from replays.seek import state_at, steps

    for step in steps(log, fold, line, first):
        click.echo(f"{step.record.seq:5d}  {caption(fold, step.event, step.before)}")
        if speed is not None:
            time.sleep(1 / speed)
    click.echo(fold.picture(state_at(log, fold, line, log.head(line).seq)))


def _tell_json(log: SqliteLog, fold: Fold, line: Line, first: int) -> None:
    """One object a line: where the step leads, its caption, and the digest of the state after it."""
    import msgspec

    from projections.journal import caption
    from replays.seek import steps

    for step in steps(log, fold, line, first):
        told = {
            "seq": step.record.seq,
            "type": step.record.type,
            "caption": caption(fold, step.event, step.before),
            "digest": fold.digest(step.after),
        }
        click.echo(msgspec.json.encode(told).decode())


class Stepper:
    """Walks through a line at a person's word."""

    def __init__(self, log: SqliteLog, fold: Fold, line: Line, at: int) -> None:
        self.log, self.fold, self.line, self.at = log, fold, line, at

    def run(self) -> None:
        """Read a word, move, tell; until q or the end of input."""
        click.echo(_HELP)
        self.tell()
        while True:
            try:
                word = click.prompt("", default="", show_default=False, prompt_suffix="> ").strip()
            except (click.Abort, EOFError):
                return
            if word == "q":
                return
            self.obey(word)

    def obey(self, word: str) -> None:
        """Do what a word says."""
        from events.errors import PointUnknown
        from replays.seek import find_point, state_at

        head = self.log.head(self.line).seq
        if word in ("", "n"):
            if self.at == head:
                click.echo("this is the end")
                return
            self.at += 1
        elif word == "b":
            self.at = max(0, self.at - 1)
        elif word == "f":
            click.echo(self.fold.picture(state_at(self.log, self.fold, self.line, self.at)))
            return
        else:
            try:
                self.at = find_point(self.log, self.line, word)
            except PointUnknown as error:
                click.echo(f"{error}. {_HELP}")
                return
        self.tell()

    def tell(self) -> None:
        """Tell the event that led here."""
        from projections.journal import caption
        from replays.seek import steps

        if self.at == 0:
            click.echo("    0  before the first event")
            return
        step = next(steps(self.log, self.fold, self.line, self.at - 1, self.at))
        click.echo(f"{self.at:5d}  {caption(self.fold, step.event, step.before)}")
